"""The Python reference, written from the docstrings of the public names.

``python -m tests.python_reference > docs/python.md`` renews it; a test compares the two.
"""

import inspect
import re
from collections.abc import Callable, Iterator

import graphmine

_HEAD = """\
# Python

Written from the docstrings by `python -m tests.python_reference > docs/python.md`.

The verbs of the command line have the same names in Python, and take an open database first. A study in a dozen lines:

```python
import graphmine as gm

with gm.connect("study.lbug") as store:  # or "neo4j://localhost:7687"
    gm.load(store, gm.davis())
    job = gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle")
    mined = gm.mine(store, job)
    print(mined.clustering.sizes("Woman"), mined.run.id)
    star = gm.pull(store, job.relation)  # or step by step: sparse blocks, then any method
    found = gm.method("s-co", n_clusters=2).fit(star, seed=0)
    run = gm.push(store, star, found, "circle_too")
    gm.undo(store, run)  # and the property is as it was before
```

Results are frozen dataclasses, tables those of Arrow, blocks sparse arrays of scipy. What can not be done raises
a `GraphmineError` whose message is the sentence that the command line prints.
"""
_GROUPS: dict[str, Callable[[object], bool]] = {
    "Errors": lambda each: inspect.isclass(each) and issubclass(each, Exception),
    "Nouns": inspect.isclass,
    "Verbs": inspect.isfunction,
    "Values": lambda _: True,
}


def reference() -> str:
    """Return the whole reference as Markdown."""
    left = {name: getattr(graphmine, name) for name in dir(graphmine) if name != "__version__"}
    pages: dict[str, str] = {}
    for title, belongs in _GROUPS.items():
        there = {name: each for name, each in left.items() if belongs(each)}
        left = {name: each for name, each in left.items() if name not in there}
        pages[title] = "".join(map(_entry, there, there.values()))
    order = ("Verbs", "Nouns", "Values", "Errors")
    return _HEAD + "".join(f"\n## {title}\n\n{pages[title]}" for title in order)


def _entry(name: str, each: object) -> str:
    """Return a name as a line: how it is called, and what it is in a sentence."""
    call = f"{name}({', '.join(_parameters(each))})" if callable(each) and not _is_error(each) else name
    return f"- `{call}`: {_sentence(each)}\n"


def _parameters(each: object) -> Iterator[str]:
    assert callable(each)
    stars = False
    for parameter in inspect.signature(each).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not stars:
            stars = True
            yield "*"
        if parameter.kind is parameter.VAR_POSITIONAL:
            stars = True
            yield f"*{parameter.name}"
        elif parameter.kind is parameter.VAR_KEYWORD:
            yield f"**{parameter.name}"
        else:
            yield f"{parameter.name}=…" if parameter.default is not parameter.empty else parameter.name


def _sentence(each: object) -> str:
    if not callable(each):
        return f"a value of {type(each).__name__}."
    first = " ".join((inspect.getdoc(each) or "").partition("\n\n")[0].split())
    return re.sub(r"``(.+?)``", r"`\1`", first)


def _is_error(each: object) -> bool:
    return inspect.isclass(each) and issubclass(each, Exception)


if __name__ == "__main__":
    print(reference(), end="")
