"""A star and its clusters as a picture of nodes and links: every node of a small one, every cluster of a large one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.model import UNPLACED, Clustering, Star
from graphmine.report.figures.blocks import blocks, cluster_sizes
from graphmine.report.figures.layout import apart, around, sprung
from graphmine.report.figures.style import COLOURS, FAINT, INK, shortened
from graphmine.report.page import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["EVERY_NODE", "network_figure"]

EVERY_NODE = 200
"""Up to so many nodes, each is drawn by its name."""

_MOST = 40  # clusters; of more the largest are drawn
_LINKS = 4000  # of more the heaviest are drawn
_ACROSS = 0.15  # how far a link between clusters attracts, beside one inside
_MARKERS = "os^vPX*"  # one shape for each kind
_WIDTH, _HEIGHT, _POINTS = 10.0, 7.5, 72.0


@dataclass(frozen=True, eq=False)
class _Drawing:
    """What is to be drawn: things with a cluster, a kind, a name and a size, and weighted links between them."""

    cluster: Ints
    kind: Ints
    names: Sequence[str]
    area: Floats  # in square points
    ends: Ints  # two columns
    weight: Floats
    of_nodes: bool  # or of clusters


def network_figure(star: Star, clustering: Clustering, seed: int = 0) -> "Figure":
    """Return a figure of nodes and links, coloured by cluster; the same every time for the same seed.

    With at most `EVERY_NODE` nodes each is there by name. Otherwise there is one circle a kind and cluster, as large as
    it has nodes, and links are as wide as the weight between them.
    """
    from matplotlib.figure import Figure

    small = sum(map(len, star.kinds)) <= EVERY_NODE
    drawing = _nodes(star, clustering) if small else _clusters(star, clustering)
    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    axes = figure.subplots()
    _paint(axes, drawing, _fitted(_placed(drawing, seed), drawing))
    _legend(axes, star, clustering, unplaced=bool(np.any(drawing.cluster == UNPLACED)))
    told = "" if small else "; a mark a kind and cluster, as large as it has nodes"
    left_out = max(0, clustering.n_clusters - _MOST) if not small else 0
    more = f"; {counted(left_out, 'smaller cluster')} left out" if left_out else ""
    names = " + ".join(arm.name or repr(arm) for arm in star.arms)
    axes.set_title(f"{shortened(names, 90)}{told}{more}", loc="left", fontsize=10)
    return figure


def _nodes(star: Star, clustering: Clustering) -> _Drawing:
    """Return every node, and every link."""
    starts = _starts([len(nodes) for nodes in star.kinds])
    first = {nodes.kind: start for nodes, start in zip(star.kinds, starts, strict=False)}
    cluster = np.concatenate([clustering.labels[nodes.kind] for nodes in star.kinds])
    kind = np.repeat(np.arange(len(star.kinds)), [len(nodes) for nodes in star.kinds])
    keys = (key for nodes in star.kinds for key in nodes.keys.to_pylist())
    names = [_named(str(key), label, clustering) for key, label in zip(keys, cluster.tolist(), strict=True)]
    ends, weights = [], []
    for arm, counts in zip(star.arms, star.weights, strict=True):
        pairs = arm.block.tocoo()
        kept = pairs.row < pairs.col if arm.of_one_kind else np.ones(arm.nnz, dtype=np.bool_)
        ends.append(np.column_stack([pairs.row + first[arm.rows.kind], pairs.col + first[arm.cols.kind]])[kept])
        weights.append(counts * _scaled(pairs.data[kept]))
    area = np.full(len(cluster), 60.0)
    return _Drawing(cluster, kind, names, area, np.concatenate(ends), np.concatenate(weights), of_nodes=True)


def _named(name: str, label: int, clustering: Clustering) -> str:
    """Return a node's name; with its cluster, where there are more of them than colours."""
    lead = f"{label} · " if clustering.n_clusters > len(COLOURS) and label != UNPLACED else ""
    return lead + shortened(name, 20)


def _clusters(star: Star, clustering: Clustering) -> _Drawing:
    """Return an item for each kind and cluster, and the weights between them."""
    sides = {nodes.kind: cluster_sizes(nodes, clustering.labels[nodes.kind]) for nodes in star.kinds}
    kept = _largest(clustering)
    places: dict[tuple[str, int], int] = {}
    cluster: list[int] = []
    kind: list[int] = []
    sizes: list[int] = []
    for number, side in enumerate(sides.values()):
        for label, size in zip(side.clusters, side.sizes, strict=True):
            if label in kept:
                places[side.kind, label] = len(cluster)
                cluster.append(label)
                kind.append(number)
                sizes.append(size)
    ends, weights = [], []
    for cut, counts in zip(blocks(star, clustering), star.weights, strict=True):
        share = counts * cut.weight / max(cut.weight.sum(), 1e-300)
        for i, j in zip(*np.nonzero(share), strict=True):
            one = places.get((cut.rows.kind, cut.rows.clusters[i]))
            other = places.get((cut.cols.kind, cut.cols.clusters[j]))
            if one is not None and other is not None and (cut.rows.kind != cut.cols.kind or one < other):
                ends.append((one, other))
                weights.append(share[i, j])
    names = [f"{label}: {size}" for label, size in zip(cluster, sizes, strict=True)]
    whole = [max(side.n_nodes, 1) for side in sides.values()]
    shares = np.array([size / whole[number] for number, size in zip(kind, sizes, strict=True)])
    area = 120 + 5000 * shares * 4 / max(4, len(kept))
    return _Drawing(
        np.array(cluster, dtype=np.int64), np.array(kind, dtype=np.int64), names, area,
        np.array(ends, dtype=np.int64).reshape(-1, 2), _scaled(np.array(weights)), of_nodes=False,
    )  # fmt: skip


def _largest(clustering: Clustering) -> set[int]:
    total = np.sum([clustering.sizes(kind) for kind in clustering.labels], axis=0)
    order = np.argsort(-total, kind="stable")[:_MOST]
    return {int(at) for at in order if total[at]}


def _scaled(weights: Floats) -> Floats:
    return weights / weights.max() if weights.size else weights


def _starts(lengths: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(lengths).tolist()]


def _placed(drawing: _Drawing, seed: int) -> Floats:
    """Return where each thing stands, in any unit: clusters on a circle first, then by springs."""
    n = len(drawing.cluster)
    numbers, at = np.unique(drawing.cluster, return_inverse=True)
    centres = around(len(numbers))
    spread = np.random.default_rng(seed).normal(scale=0.12, size=(n, 2))
    start = centres[at] + spread
    if not drawing.of_nodes:  # the kinds of a cluster round its centre
        kinds = int(drawing.kind.max(initial=0)) + 1
        beside = around(kinds, 0.5 if kinds > 1 else 0.0)[drawing.kind]
        between = _between(drawing, at, len(numbers))
        return 2.2 * sprung(len(numbers), between, centres, seed, 1.2 / np.sqrt(max(len(numbers), 1)))[at] + beside / (
            1 + len(numbers) / 6
        )
    inside = drawing.cluster[drawing.ends[:, 0]] == drawing.cluster[drawing.ends[:, 1]]
    pull = np.where(inside, 1.0, _ACROSS) * (0.3 + drawing.weight)
    links = [(int(one), int(other), float(w)) for (one, other), w in zip(drawing.ends, pull, strict=True)]
    # A spring within each cluster, too weak to be seen, keeps those together that have few links.
    ties = [(place, n + int(group), 0.6) for place, group in enumerate(at)]
    start = np.concatenate([start, centres])
    return sprung(n + len(numbers), links + ties, start, seed, 1.6 / np.sqrt(max(n, 1)))[:n]


def _between(drawing: _Drawing, at: Ints, n: int) -> list[tuple[int, int, float]]:
    """Return how heavily whole clusters are linked with each other."""
    total = np.zeros((n, n))
    np.add.at(total, (at[drawing.ends[:, 0]], at[drawing.ends[:, 1]]), drawing.weight)
    total = total + total.T
    np.fill_diagonal(total, 0)
    total /= max(total.max(initial=0), 1e-300)
    return [(int(i), int(j), float(total[i, j])) for i, j in zip(*np.nonzero(np.triu(total)), strict=True)]


def _fitted(places: Floats, drawing: _Drawing) -> Floats:
    """Return places in points on the page, none hiding another."""
    if not len(places):
        return places
    page = np.array([_WIDTH, _HEIGHT]) * _POINTS * 0.86
    spread = np.ptp(places, axis=0)
    places = (places - places.min(axis=0)) / np.where(spread > 1e-9, spread, 1) * page
    side = np.sqrt(drawing.area)
    width = np.maximum(1.1 * side, [4.3 * len(name) for name in drawing.names]) + 4
    return apart(places, np.column_stack([width, 1.1 * side + 11]))


def _paint(axes: "Axes", drawing: _Drawing, places: Floats) -> None:
    from matplotlib.collections import LineCollection

    axes.set_axis_off()
    axes.set_aspect("equal" if len(places) else "auto", adjustable="datalim")
    order = np.argsort(drawing.weight, kind="stable")[-_LINKS:]
    ends, weight = drawing.ends[order], drawing.weight[order]
    inside = drawing.cluster[ends[:, 0]] == drawing.cluster[ends[:, 1]]
    first = drawing.cluster[ends[:, 0]].tolist()
    colours = [_colour(one) if own else FAINT for one, own in zip(first, inside, strict=True)]
    thin, thick = (0.5, 1.6) if drawing.of_nodes else (0.4, 9.0)
    lines = LineCollection(
        list(places[ends]), colors=colours, linewidths=thin + thick * weight, alpha=0.45, zorder=1, capstyle="round"
    )
    axes.add_collection(lines)
    for kind in np.unique(drawing.kind).tolist():
        mine = np.flatnonzero(drawing.kind == kind)
        axes.scatter(
            places[mine, 0], places[mine, 1], s=drawing.area[mine], marker=_MARKERS[kind % len(_MARKERS)],
            c=[_colour(int(drawing.cluster[at])) for at in mine], edgecolors="white", linewidths=0.8, zorder=2,
        )  # fmt: skip
    below = np.sqrt(drawing.area) / 2 + 1
    for (x, y), name, under in zip(places, drawing.names, below, strict=True):
        axes.text(x, y - under, name, ha="center", va="top", fontsize=6.5, color=INK, zorder=3)
    axes.margins(0.06)
    axes.autoscale_view()


def _colour(cluster: int) -> str:
    return FAINT if cluster == UNPLACED else COLOURS[cluster % len(COLOURS)]


def _legend(axes: "Axes", star: Star, clustering: Clustering, *, unplaced: bool) -> None:
    """Say which shape is which kind, and which colour which cluster, as long as colours are enough."""
    from matplotlib.lines import Line2D

    def mark(shape: str, colour: str, text: str) -> Line2D:
        return Line2D([], [], linestyle="", marker=shape, color=colour, markersize=6, label=text)

    marks = [
        mark(_MARKERS[at % len(_MARKERS)], INK, f"{shortened(nodes.kind, 30)} ({len(nodes)})")
        for at, nodes in enumerate(star.kinds)
    ]
    if 1 < clustering.n_clusters <= len(COLOURS):
        marks += [mark("o", COLOURS[number], f"cluster {number}") for number in range(clustering.n_clusters)]
    if unplaced:
        marks.append(mark("o", FAINT, "no cluster"))
    axes.legend(
        handles=marks, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=6, fontsize=8, frameon=False,
        handletextpad=0.2, columnspacing=1.2,
    )  # fmt: skip
