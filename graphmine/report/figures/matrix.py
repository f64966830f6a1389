"""A picture of a star's blocks before and after: in the order of the keys, and in the order of the clusters."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from graphmine.report.figures.pixels import densities, middles
from graphmine.report.figures.style import COLOURS, FAINT, INK, RULE, save, shortened, styled
from graphmine.report.page import counted
from graphmine.verbs.members import inside_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_matrix", "matrix_figure"]


_NAMED = 40  # with so many nodes or fewer, each is named at its row or column
_LONGEST = 36  # characters of a name


def draw_matrix(star: Star, clustering: Clustering, path: str | Path) -> None:
    """Draw every block twice, as it was pulled and reordered by cluster, to a PNG or SVG file.

    Links inside a cluster have the cluster's colour, links between clusters are grey. A block of any size becomes at
    most 400 × 400 pixels, each as dark as the cells under it are heavy on average.
    """
    with styled():
        save(_figure(star, clustering), path)


def matrix_figure(star: Star, clustering: Clustering) -> "Figure":
    """Return a figure of every block, reordered by cluster."""
    from matplotlib.figure import Figure

    order = _orders(star, clustering)
    across = min(len(star.arms), 2)
    down = -(-len(star.arms) // across)
    figure = Figure(figsize=(6 * across, 6 * down), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False).ravel()
    for axes in grid[len(star.arms) :]:
        axes.set_visible(False)
    for axes, arm in zip(grid, star.arms, strict=False):
        _draw_after(axes, arm, clustering, order)
        title = f"{shortened(arm.name or repr(arm), 56)}\n{axes.get_title(loc='left')}"
        axes.set_title(title, loc="left", fontsize=10)
    return figure


def _figure(star: Star, clustering: Clustering) -> "Figure":
    from matplotlib.figure import Figure

    order = _orders(star, clustering)
    figure = Figure(figsize=(11, 6 * len(star.arms)), layout="constrained")
    grid = figure.subplots(len(star.arms), 2, squeeze=False)
    for (before, after), arm in zip(grid, star.arms, strict=True):
        _draw_before(before, arm)
        _draw_after(after, arm, clustering, order)
    return figure


def _orders(star: Star, clustering: Clustering) -> dict[str, Ints]:
    """Return the nodes of every kind cluster by cluster."""
    weights = inside_weights(star, clustering)
    return {nodes.kind: _by_cluster(clustering.labels[nodes.kind], weights[nodes.kind]) for nodes in star.kinds}


def _by_cluster(labels: Ints, weights: Floats) -> Ints:
    """Return the nodes cluster by cluster, the heaviest first; those without a cluster come last."""
    last = np.where(labels == UNPLACED, labels.max(initial=0) + 1, labels)
    return np.lexsort((-weights, last))


def _draw_before(axes: "Axes", arm: Relation) -> None:
    rows, cols = np.arange(len(arm.rows)), np.arange(len(arm.cols))
    strength = _strength(densities(arm.block, rows, cols))
    _show(axes, arm, _painted(strength, np.array([_rgb(INK)]), np.zeros(strength.shape, dtype=np.int64)), rows, cols)
    axes.set_title(shortened(arm.name or repr(arm), 60), loc="left", fontsize=11, fontweight="bold")


def _draw_after(axes: "Axes", arm: Relation, clustering: Clustering, order: dict[str, Ints]) -> None:
    rows, cols = order[arm.rows.kind], order[arm.cols.kind]
    row_labels, col_labels = clustering.labels[arm.rows.kind], clustering.labels[arm.cols.kind]
    strength = _strength(densities(arm.block, rows, cols))
    above, beside = row_labels[middles(rows)][:, None], col_labels[middles(cols)][None, :]
    palette = np.array([_rgb(colour) for colour in (*COLOURS, FAINT)])
    colour = np.where((above == beside) & (above != UNPLACED), above % len(COLOURS), len(COLOURS))
    _show(axes, arm, _painted(strength, palette, colour), rows, cols)
    for edge in _edges(row_labels):
        axes.axhline(edge - 0.5, color=RULE, linewidth=0.8)
    for edge in _edges(col_labels):
        axes.axvline(edge - 0.5, color=RULE, linewidth=0.8)
    title = f"in {counted(clustering.n_clusters, 'cluster')}; links between them are grey"
    axes.set_title(title, loc="left", fontsize=11)


def _strength(density: Floats) -> Floats:
    """Return densities as inks from 0 to 1, light ones raised so that single links can be seen."""
    inked = density[density > 0]
    if not inked.size:
        return density
    return np.clip(density / np.quantile(inked, 0.95), 0, 1) ** 0.6


def _painted(strength: Floats, palette: Floats, colour: Ints) -> Floats:
    """Return an image on white: each pixel its colour, as strong as told."""
    painted: Floats = 1 - strength[:, :, None] * (1 - palette[colour])
    return painted


def _show(axes: "Axes", arm: Relation, image: Floats, rows: Ints, cols: Ints) -> None:
    few = len(rows) <= _NAMED and len(cols) <= _NAMED
    extent = (-0.5, len(cols) - 0.5, len(rows) - 0.5, -0.5)
    if image.size:
        axes.imshow(image, extent=extent, aspect="equal" if few else "auto", interpolation="nearest")
    axes.set_xlabel(_axis_name(arm.cols))
    axes.set_ylabel(_axis_name(arm.rows))
    axes.tick_params(which="both", length=0, labelsize=7)
    widest = _name_ticks(axes.xaxis, arm.cols, cols)
    _name_ticks(axes.yaxis, arm.rows, rows)
    axes.tick_params(axis="x", labelrotation=90 if widest > 4 else 0)
    if few:
        axes.set_xticks(np.arange(len(cols) - 1) + 0.5, minor=True)
        axes.set_yticks(np.arange(len(rows) - 1) + 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=1.5)


def _name_ticks(axis: Any, nodes: Nodes, order: Ints) -> int:
    """Name each row or column if they are few, and return how long the longest name is."""
    names = [shortened(str(nodes[int(at)]), _LONGEST) for at in order] if len(order) <= _NAMED else []
    axis.set_ticks(np.arange(len(names)), names)
    return max(map(len, names), default=0)


def _axis_name(nodes: Nodes) -> str:
    return f"{shortened(nodes.kind, _LONGEST)} ({len(nodes)})"


def _edges(labels: Ints) -> Ints:
    """Return in which places another cluster begins."""
    sizes = np.bincount(labels[labels != UNPLACED])
    ends = np.cumsum(sizes)
    return np.unique(ends[(ends > 0) & (ends < len(labels))])


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
