"""What was tried before a number of clusters, or another parameter, was chosen from the data."""

from collections.abc import Mapping, Sequence

from graphmine.report.page import Sheet, number

__all__ = ["chosen_parts"]

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
