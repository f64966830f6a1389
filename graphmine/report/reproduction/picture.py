"""A picture of an experiment that was done again: bars, a line of numbers for many methods, or curves."""

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from graphmine.experiments import Experiment, Reproduction
from graphmine.report.figures.style import COLOURS, styled
from graphmine.report.page import counted
from graphmine.report.reproduction.curves import all_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_reproduction"]

_OURS = "#1f2933"
_LONGEST = 18  # characters of a name, on a line


def draw_reproduction(experiment: Experiment, done: Reproduction, path: Path) -> None:
    """Draw the measures of all tasks and methods, with their deviations over the draws."""
    with styled():
        _figure(experiment, done).savefig(path, dpi=120, facecolor="white")


def _figure(experiment: Experiment, done: Reproduction) -> "Figure":
    """Return curves where tasks are points of some, bars as long as every method has a colour, and numbers else."""
    if experiment.curves is not None:
        figure = all_curves(experiment, experiment.curves, done)
    else:
        figure = _all_bars(experiment, done) if len(done.methods) <= len(COLOURS) else _all_numbers(experiment, done)
    quick = ", quick" if done.quick else ""
    figure.suptitle(f"{experiment.paper}\n{counted(done.draws, 'draw')}{quick}", fontsize=10)
    return figure


def _all_bars(experiment: Experiment, done: Reproduction) -> "Figure":
    from matplotlib.figure import Figure

    measures = experiment.measures
    figure = Figure(figsize=(12, 3.1 * len(measures)), layout="constrained")
    panels = figure.subplots(len(measures), 1, squeeze=False)[:, 0]
    for axes, (measure, title) in zip(panels, measures.items(), strict=True):
        _bars(axes, experiment, done, measure)
        axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    panels[0].legend(ncols=len(done.methods), fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return figure


def _all_numbers(experiment: Experiment, done: Reproduction) -> "Figure":
    from matplotlib.figure import Figure

    measures = experiment.measures
    figure = Figure(figsize=(3.6 * len(measures), 1.6 + 0.28 * len(done.methods)), layout="constrained")
    panels = figure.subplots(1, len(measures), squeeze=False, sharey=True)[0]
    for axes, (measure, title) in zip(panels, measures.items(), strict=True):
        _numbers(axes, done, measure)
        axes.set_title(fill(title, 2 * _LONGEST), fontsize=10, fontweight="bold")
    panels[0].set_yticks(
        np.arange(len(done.methods)),
        [f"{each} (ours)" if each in experiment.ours else each for each in done.methods],
        fontsize=8,
    )
    return figure


def _numbers(axes: "Axes", done: Reproduction, measure: str) -> None:
    """Write the means, method by method and set by set, on a ground that is the darker the larger they are."""
    means = np.array([[task.mean(method, measure) for task in done.tasks] for method in done.methods])
    ground = means / means.max() if measure == "seconds" else means
    axes.imshow(ground, cmap="Blues", vmin=0, vmax=1.4, aspect="auto")
    for (row, col), value in np.ndenumerate(means):
        axes.text(col, row, f"{value:.2f}", ha="center", va="center", fontsize=7)
    axes.set_xticks(np.arange(len(done.tasks)), [task.name for task in done.tasks], fontsize=8, rotation=45, ha="right")


def _bars(axes: "Axes", experiment: Experiment, done: Reproduction, measure: str) -> None:
    places, width = np.arange(len(done.tasks)), 0.8 / max(len(done.methods), 1)
    published = [method for method in done.methods if method not in experiment.ours]
    for at, method in enumerate(done.methods):
        spreads = [task.measures[method][measure] for task in done.tasks]
        ours = method in experiment.ours
        axes.bar(
            places + (at - (len(done.methods) - 1) / 2) * width,
            [each.mean for each in spreads],
            width,
            yerr=[each.deviation for each in spreads],
            color=_OURS if ours else COLOURS[published.index(method) % len(COLOURS)],
            label=f"{method} (ours)" if ours else method,
            error_kw={"elinewidth": 0.8},
        )
    axes.set_xticks(places, [fill(task.name, _LONGEST) for task in done.tasks], fontsize=8)
    if measure == "seconds":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        axes.set_ylim(0, 1)
