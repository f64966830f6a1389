"""The worked analyses in ``examples/``, and the page that shows what each of them prints.

``python -m tests.examples`` runs them all on LadybugDB and renews ``docs/examples.md``; a name or several, such as
``python -m tests.examples davis``, renews only these. Tests run them again and compare.
"""

import re
import runpy
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "examples.md"
SETS = {"davis": "davis", "aminer": "aminer_hetgnn", "acm": "acm_hin", "imdb": "imdb5000", "reuters": "reuters21578"}
"""The examples, in the order in which they are read, and the set that each needs."""

_OUTPUT = re.compile(r"^```text (?P<name>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def script(name: str) -> Path:
    """Return where an example is."""
    return TOP / "examples" / f"{name}.py"


def printed(name: str, database: str = ":memory:") -> str:
    """Return what an example prints on an empty database."""
    with redirect_stdout(StringIO()) as output:
        runpy.run_path(str(script(name)))["main"](database)
    return output.getvalue()


def shown() -> dict[str, str]:
    """Return what each example prints, as the page has it."""
    return {block["name"]: block["text"] for block in _OUTPUT.finditer(PAGE.read_text(encoding="utf-8"))}


def renew(names: list[str]) -> None:
    """Write down what the examples that are named print here and now."""

    def block_now(block: re.Match[str]) -> str:
        return f"```text {block['name']}\n{printed(block['name'])}```" if block["name"] in names else block[0]

    PAGE.write_text(_OUTPUT.sub(block_now, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    renew(sys.argv[1:] or list(SETS))
