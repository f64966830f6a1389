"""What a method chose from the data, what it tried before, and what it says of its result."""

from collections.abc import Iterator, Mapping, Sequence

from graphmine.report.page import Sheet, fact, number

__all__ = ["chosen_parts", "figure_facts"]

_NAMES = {
    "singular_value": "value",
    "chance_edge": "chance",
    "pairs_value": "of pairs",
    "pairs_gap": "gap of pairs",
    "pairs_edge": "chance of pairs",
}
"""What columns are called where there is little room."""

_BEHIND = 3
"""So many numbers of clusters are shown behind the last that any sign speaks for; JSON has them all."""


def chosen_parts(parameters: Mapping[str, object]) -> tuple[Sheet, ...]:
    """Return the tables of what was tried, out of the parameters that a run records."""
    chosen, tried = parameters.get("chosen"), parameters.get("tried")
    sheets = []
    if isinstance(chosen, Mapping):
        title = f"k = {chosen['n_clusters']}: {chosen['why']}"
        sheets.append(_sheet(_speaking(chosen["tried"]), title))
    if isinstance(tried, Sequence):
        sheets.append(_sheet(tried, "tried"))
    return tuple(sheets)


def figure_facts(parameters: Mapping[str, object]) -> Iterator[str]:
    """Return, as one line if there is any, what a method says of its result, out of the parameters of a run.

    >>> list(figure_facts({"figures": {"relaxed cut": 0.25, "gap": 1e-15}}))
    ['figures       relaxed cut 0.25, gap 0']
    """
    figures = parameters.get("figures")
    if isinstance(figures, Mapping):
        # What is left of a 0 by rounding differs from machine to machine.
        shown = (f"{name} {number(round(value, 12))}" for name, value in figures.items())
        yield fact("figures", ", ".join(shown))


def _speaking(rows: Sequence[Mapping[str, float | None]]) -> Sequence[Mapping[str, float | None]]:
    """Return the first rows, up to a few behind the last with a value above chance or a fit."""
    signs = (("singular_value", "chance_edge"), ("pairs_value", "pairs_edge"))
    last = 1
    for place, row in enumerate(rows, start=1):
        above = any((row[value] or 0.0) > (row[edge] or 0.0) for value, edge in signs)
        last = place if above or row["modularity"] is not None else last
    return rows[: last + _BEHIND]


def _sheet(rows: Sequence[Mapping[str, float | None]], title: str) -> Sheet:
    names = list(rows[0])
    shown = [[number(row[name]) for name in names] for row in rows]
    columns = tuple(_NAMES.get(name, name) for name in names)
    return Sheet(columns, shown, title, frozenset(columns))
