"""A picture of an experiment whose tasks are points of curves: panels are data sets, lines are methods."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphmine.experiments import Curves, Experiment, Reproduction, TaskResult
from graphmine.report.figures.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["all_curves"]

_ACROSS = 4  # panels side by side
_MORE = ("#1f2933", "#bbbbbb", "#ee7733", "#8c564b")
"""Colours for the methods after the first six; then round again."""
_WIDTHS = (5.0, 1.0)
"""Of the first line of a panel and of the last: lines that coincide are seen all the same."""

Panels = dict[str, dict[float, TaskResult]]


def all_curves(experiment: Experiment, curves: Curves, done: Reproduction) -> "Figure":
    """Return the means of two measures over a number, the first solid and the second dashed."""
    from matplotlib.figure import Figure

    panels = _panels(curves, done)
    rows = -(-len(panels) // _ACROSS)
    figure = Figure(figsize=(3.6 * _ACROSS, 1.2 + 3.1 * rows), layout="constrained")
    grid = figure.subplots(rows, _ACROSS, squeeze=False, sharey=True).ravel()
    for axes, (name, tasks) in zip(grid, panels.items(), strict=False):
        _lines(axes, curves, tasks, done.methods)
        axes.set_title(name, loc="left", fontsize=11, fontweight="bold")
        axes.set_xlabel(curves.axis, fontsize=8)
        axes.set_xticks(list(tasks))
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    solid, dashed = (experiment.measures[each] for each in (curves.solid, curves.dashed))
    grid[0].set_ylabel(f"{solid}; dashed: {dashed}", fontsize=8)
    grid[0].set_ylim(0, 1.03)  # a line at 1 is seen whole
    _legend(figure, experiment, done)
    return figure


def _panels(curves: Curves, done: Reproduction) -> Panels:
    """Return the tasks of each set, by the number at which they were measured."""
    panels: Panels = {}
    for task in done.tasks:
        name, number = curves.place(task.name)
        panels.setdefault(name, {})[number] = task
    return panels


def _look(methods: Sequence[str], method: str, width: float) -> dict[str, Any]:
    """Return how a method is drawn, in the same colour in all panels."""
    colours = (*COLOURS, *_MORE)
    colour = colours[methods.index(method) % len(colours)]
    return {"color": colour, "linewidth": width, "marker": "o", "markersize": width + 2}


def _lines(axes: "Axes", curves: Curves, tasks: Mapping[float, TaskResult], methods: Sequence[str]) -> None:
    there = list(next(iter(tasks.values())).measures)
    for method, width in zip(there, np.linspace(*_WIDTHS, len(there)).tolist(), strict=True):
        for measure, style in ((curves.dashed, "--"), (curves.solid, "-")):
            means = [task.mean(method, measure) for task in tasks.values()]
            axes.plot(list(tasks), means, style, **_look(methods, method, width))


def _legend(figure: "Figure", experiment: Experiment, done: Reproduction) -> None:
    from matplotlib.lines import Line2D

    lines = []
    for method in done.methods:
        label = f"{method} (ours)" if method in experiment.ours else method
        lines.append(Line2D([], [], label=label, **_look(done.methods, method, 2.0)))
    figure.legend(handles=lines, ncols=len(lines), fontsize=8, loc="outside lower center", frameon=False)
