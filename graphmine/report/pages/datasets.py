"""The sets that can be loaded by name: what each holds, and whether it is here."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from graphmine.dataset_catalog import Dataset
from graphmine.report.page import Page, Sheet, counted, fact

__all__ = ["datasets_page", "datasets_table"]


def datasets_page(sets: Iterable[Dataset]) -> Page:
    """Return every set, its kinds and relationship types with their counts, and where it is or can be had."""
    listed = list(sets)
    columns = ("set", "kinds", "relationship types", "known", "here")
    rows = [
        (each.name, _counted(each.nodes), _counted(_types(each)), ", ".join(_properties(each)), _here(each))
        for each in listed
    ]
    found = Counter(str(each.path.parent) for each in listed if each.path)
    absent = [f"  {each.name}: {each.how_to_get}" for each in listed if not each.here]
    parts: tuple[Sheet | str, ...] = (
        Sheet(columns, rows),
        *(fact("found", f"{counted(count, 'set')} in {folder}") for folder, count in found.items()),
        *(["not here:", *absent] if absent else []),
    )
    data = [
        {
            "name": each.name,
            "title": _sentence(each.title),
            "about": each.about,
            "kinds": dict(each.nodes),
            "relationships": dict(each.relationships),
            "truth": list(each.truth),
            "options": {
                name: asdict(option) | {"takes": option.takes.__name__} for name, option in each.options.items()
            },
            "built_in": each.built_in,
            "here": each.here,
            "path": str(each.path) if each.path else None,
            "source": each.source or None,
        }
        for each in listed
    ]
    sheet = Sheet(
        ("set", "title", "kinds", "relationships", "known", "here", "path", "source"),
        [
            (
                each.name, _sentence(each.title), _counted(each.nodes), _counted(each.relationships),
                ", ".join(each.truth), each.here, str(each.path) if each.path else None, each.source or None,
            )
            for each in listed
        ],
    )  # fmt: skip
    return Page(data, parts, sheet)


def datasets_table(sets: Iterable[Dataset]) -> str:
    """Return the sets as a table of Markdown, without what differs from one computer to the next.

    >>> from graphmine.dataset_catalog import DATASETS
    >>> print(datasets_table([DATASETS["karate"]]).splitlines()[-1])
    | `karate` | Zachary's karate club: ... | Member 34 | Member-MET->Member 78 | Member.known_club | comes with ...
    """
    head = ("set", "what", "kinds", "relationship types", "known", "where to get it")
    rows = [
        (
            f"`{each.name}`",
            _sentence(each.title),
            _counted(each.nodes, ","),
            _counted(each.relationships, ","),
            ", ".join(each.truth),
            each.source or "comes with graphmine",
        )
        for each in sets
    ]
    lines = [head, ("---",) * len(head), *(tuple(cell or "–" for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _counted(counts: Mapping[str, int], form: str = "") -> str:
    return ", ".join(f"{name} {count:{form}}" for name, count in counts.items())


def _types(each: Dataset) -> dict[str, int]:
    """Return how many relationships there are of each type, the kinds that it joins left out."""
    return {name.partition("-")[2].partition("->")[0]: count for name, count in each.relationships.items()}


def _properties(each: Dataset) -> list[str]:
    """Return the names of what is known, each once."""
    return list(dict.fromkeys(name.partition(".")[2] for name in each.truth))


def _sentence(title: str) -> str:
    return title[0].upper() + title[1:]


def _here(each: Dataset) -> str:
    if each.built_in:
        return "built in"
    return "yes" if each.here else "no"
