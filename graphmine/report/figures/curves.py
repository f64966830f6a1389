"""What was tried before a parameter was chosen, as curves: each measure over the values of the parameter."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphmine.report.figures.style import COLOURS, save, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_curves"]

Row = Mapping[str, float | None]

_CHOSEN, _COLUMNS = "chosen", 3


def draw_curves(parameters: Mapping[str, object], path: str | Path) -> bool:
    """Draw what was tried, out of the parameters that a run records, to a PNG or SVG file; False if nothing was.

    The values of the parameter stand at equal distances, as they are seldom evenly spaced; the one that was taken is
    marked.
    """
    name, rows, taken = _tried(parameters)
    if not rows:
        return False
    with styled():
        save(_figure(name, rows, taken), path)
    return True


def _tried(parameters: Mapping[str, object]) -> tuple[str, Sequence[Row], float | None]:
    """Return the parameter's name, what was tried, and what was taken."""
    chosen, tried = parameters.get("chosen"), parameters.get("tried")
    if isinstance(chosen, Mapping):
        return "k", chosen["tried"], float(chosen["n_clusters"])
    if not isinstance(tried, Sequence) or not tried:
        return "", (), None
    name = next(iter(tried[0]))
    return name, tried, next((row[name] for row in tried if row.get(_CHOSEN)), None)


def _figure(name: str, rows: Sequence[Row], taken: float | None) -> "Figure":
    from matplotlib.figure import Figure

    measures = [each for each in rows[0] if each not in (name, _CHOSEN)]
    lines = -(-len(measures) // _COLUMNS)
    figure = Figure(figsize=(3.7 * min(len(measures), _COLUMNS), 3 * lines), layout="constrained")
    grid = figure.subplots(lines, min(len(measures), _COLUMNS), squeeze=False).ravel()
    for axes in grid[len(measures) :]:
        axes.set_visible(False)
    for axes, measure, colour in zip(grid, measures, COLOURS * lines, strict=False):
        _panel(axes, name, measure, rows, colour)
        if taken is not None:
            at = [row[name] for row in rows].index(taken)
            axes.axvline(at, color="#9aa5b1", linewidth=1, linestyle=":")
    return figure


def _panel(axes: "Axes", name: str, measure: str, rows: Sequence[Row], colour: str) -> None:
    there = [(at, value) for at, row in enumerate(rows) if (value := row[measure]) is not None]
    axes.plot([at for at, _ in there], [value for _, value in there], color=colour, marker="o", markersize=4)
    axes.set_title(measure.replace("_", " "), loc="left", fontsize=10)
    step = -(-len(rows) // 10)
    axes.set_xticks(range(0, len(rows), step), [f"{row[name]:g}" for row in rows][::step], fontsize=8)
    axes.set_xlabel(name)
    axes.tick_params(labelsize=8)
