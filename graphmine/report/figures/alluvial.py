"""How nodes went from cluster to cluster, as a picture: columns are stages, bands are nodes that moved together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from graphmine.report.figures.style import COLOURS, FAINT, INK, RULE, shortened
from graphmine.verbs.flow import Flow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["flow_figure"]

Cluster = int | None

_GAP = 0.02  # between the clusters of a column, of its whole height
_BAR = 0.035  # half the width of a column; columns are 1 apart
_NAMED = 0.02  # a cluster that is lower has no number beside it


@dataclass
class _Column:
    """The clusters of one stage from top to bottom: where each begins, how many nodes it has, how high a node is."""

    tops: dict[Cluster, float]
    sizes: dict[Cluster, int]
    scale: float


def flow_figure(flowed: Sequence[Flow]) -> "Figure":
    """Return a figure with a panel for each kind; nodes without a cluster are grey, at the bottom."""
    from matplotlib.figure import Figure

    kinds = list(dict.fromkeys(flow.kind for flow in flowed))
    stages = list(dict.fromkeys(name for flow in flowed for name in (flow.before, flow.after)))
    width = min(16.0, 2.4 * len(stages) + 1.5)
    figure = Figure(figsize=(width, 4.6 * max(len(kinds), 1)), layout="constrained")
    grid = figure.subplots(max(len(kinds), 1), 1, squeeze=False).ravel()
    for axes, kind in zip(grid, kinds, strict=False):
        _panel(axes, kind, stages, [flow for flow in flowed if flow.kind == kind])
    return figure


def _panel(axes: "Axes", kind: str, stages: Sequence[str], flowed: Sequence[Flow]) -> None:
    steps = [[flow for flow in flowed if (flow.before, flow.after) == step] for step in pairwise(stages)]
    columns = _columns(steps, len(stages))
    for at, (step, before, after) in enumerate(zip(steps, columns, columns[1:], strict=False)):
        _bands(axes, at, step, before, after)
    for at, column in enumerate(columns):
        _bars(axes, at, column)
    axes.set_title(f"{shortened(kind, 40)}: {sum(columns[0].sizes.values())} nodes", loc="left", fontsize=10)
    axes.set_xticks(range(len(stages)), [shortened(name, 24) for name in stages], fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_yticks([])
    axes.set_xlim(-0.25, len(stages) - 0.75)
    axes.set_ylim(1.0 + _GAP, -_GAP)
    axes.spines[:].set_visible(False)


def _columns(steps: Sequence[Sequence[Flow]], n: int) -> list[_Column]:
    """Return the columns, each ordered so that bands cross little; heights are shares of the tallest column."""
    sizes: list[dict[Cluster, int]] = [{} for _ in range(n)]
    for at, step in enumerate(steps):
        for end, place in (("source", at), ("target", at + 1)):
            found: dict[Cluster, int] = {}
            for flow in step:
                cluster = getattr(flow, end)
                found[cluster] = found.get(cluster, 0) + flow.nodes
            # Those without a cluster come from one side and go to the other: the larger number is seen.
            earlier = sizes[place]
            sizes[place] = {each: max(earlier.get(each, 0), found.get(each, 0)) for each in {*earlier, *found}}
    total = max((sum(each.values()) for each in sizes), default=1) or 1
    clusters = max((len(each) for each in sizes), default=1)
    gap = _GAP * min(1.0, 12 / max(clusters, 1))
    scale = (1 - gap * (clusters - 1)) / total
    columns: list[_Column] = []
    for at, each in enumerate(sizes):
        middles = _middles(steps[at - 1], columns[-1]) if columns else {}
        order = sorted(each, key=lambda one, known=middles: (one is None, known.get(one, 0.0), one or 0))  # type: ignore[misc]
        tops, top = {}, 0.0
        for cluster in order:
            tops[cluster] = top
            top += each[cluster] * scale + gap
        columns.append(_Column(tops, each, scale))
    return columns


def _middles(step: Sequence[Flow], before: _Column) -> dict[Cluster, float]:
    """Return where the nodes of each cluster come from, on average."""
    sums: dict[Cluster, list[float]] = {}
    for flow in step:
        if flow.source is not None or len({each.source for each in step if each.target == flow.target}) == 1:
            middle = before.tops[flow.source] + before.sizes[flow.source] * before.scale / 2
            both = sums.setdefault(flow.target, [0.0, 0.0])
            both[0] += middle * flow.nodes
            both[1] += flow.nodes
    return {cluster: total / count for cluster, (total, count) in sums.items()}


def _bands(axes: "Axes", at: int, step: Sequence[Flow], before: _Column, after: _Column) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left, right = dict(before.tops), dict(after.tops)
    places = {cluster: place for place, cluster in enumerate(after.tops)}
    starts = {cluster: place for place, cluster in enumerate(before.tops)}
    leaving: dict[Flow, float] = {}
    for flow in sorted(step, key=lambda each: (starts[each.source], places[each.target])):
        leaving[flow] = left[flow.source]
        left[flow.source] += flow.nodes * before.scale
    x, y, middle = at + _BAR, at + 1 - _BAR, at + 0.5
    for flow in sorted(step, key=lambda each: (places[each.target], starts[each.source])):
        high, low = leaving[flow], right[flow.target]
        height = flow.nodes * before.scale
        right[flow.target] += height
        corners = [
            (x, high), (middle, high), (middle, low), (y, low),
            (y, low + height), (middle, low + height), (middle, high + height), (x, high + height), (x, high),
        ]  # fmt: skip
        codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        loose = flow.source is None or flow.target is None
        colour = FAINT if loose else _colour(flow.source)
        axes.add_patch(PathPatch(Path(corners, codes), facecolor=colour, alpha=0.25 if loose else 0.45, linewidth=0))


def _bars(axes: "Axes", at: int, column: _Column) -> None:
    from matplotlib.patches import Rectangle

    for cluster, top in column.tops.items():
        height = column.sizes[cluster] * column.scale
        axes.add_patch(Rectangle((at - _BAR, top), 2 * _BAR, height, facecolor=_colour(cluster), linewidth=0))
        if height >= _NAMED:
            name, style = ("none", RULE) if cluster is None else (f"{cluster} ({column.sizes[cluster]})", INK)
            text = axes.text(at + _BAR + 0.015, top + height / 2, name, va="center", fontsize=7, color=style)
            text.set_clip_on(False)


def _colour(cluster: Cluster) -> str:
    return FAINT if cluster is None else COLOURS[cluster % len(COLOURS)]
