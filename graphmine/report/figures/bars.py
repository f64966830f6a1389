"""The sizes of clusters as a picture: bars, one panel for each kind."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphmine.model import UNPLACED
from graphmine.report.figures.blocks import ClusterSizes
from graphmine.report.figures.style import COLOURS, FAINT, RULE, shortened
from graphmine.report.page import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["sizes_figure"]

_NUMBERED = 40  # with so many bars or fewer, each has its number below and its size above


def sizes_figure(sides: Sequence[ClusterSizes]) -> "Figure":
    """Return a figure of bars: as high as each cluster has nodes, those of no cluster grey and last."""
    from matplotlib.figure import Figure

    widest = max((len(side.clusters) for side in sides), default=1)
    figure = Figure(figsize=(min(14.0, max(5.0, 0.45 * widest)), 2.6 * len(sides) + 0.4), layout="constrained")
    for axes, side in zip(figure.subplots(len(sides), 1, squeeze=False).ravel(), sides, strict=True):
        _panel(axes, side)
    return figure


def _panel(axes: "Axes", side: ClusterSizes) -> None:
    at, few = np.arange(len(side.clusters)), len(side.clusters) <= _NUMBERED
    colours = [FAINT if each == UNPLACED else COLOURS[each % len(COLOURS)] for each in side.clusters]
    bars = axes.bar(at, side.sizes, color=colours, width=0.8 if few else 1.0)
    if few:
        axes.bar_label(bars, fontsize=7, color=RULE, padding=1)
        axes.set_xticks(at, ["none" if each == UNPLACED else str(each) for each in side.clusters], fontsize=7)
    axes.set_title(f"{shortened(side.kind, 40)}: {counted(side.n_nodes, 'node')}", loc="left", fontsize=10)
    axes.tick_params(axis="x", length=0, labelsize=7)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_xlabel("cluster", fontsize=8)
    axes.margins(x=0.02, y=0.15)
    axes.spines[["top", "right"]].set_visible(False)
