"""Where to put things so that those that belong together stand together and none hides another."""

from collections.abc import Sequence

import networkx as nx
import numpy as np

from graphmine.arrays import Bools, Floats

__all__ = ["apart", "around", "sprung"]


_PASSES = 400


def around(n: int, radius: float = 1.0) -> Floats:
    """Return so many places on a circle, the first at the top; a single one in the middle.

    >>> around(2).round(3).tolist()
    [[0.0, 1.0], [0.0, -1.0]]
    """
    if n == 1:
        return np.zeros((1, 2))
    angle = np.pi / 2 - 2 * np.pi * np.arange(n) / max(n, 1)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def sprung(n: int, links: Sequence[tuple[int, int, float]], start: Floats, seed: int, distance: float) -> Floats:
    """Return places where linked things attract each other and all others repel, from given places on.

    The same input gives the same places.
    """
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from(links)
    if n < 2:
        return start
    found = nx.spring_layout(graph, k=distance, pos=dict(enumerate(start)), iterations=80, seed=seed, weight="weight")
    return np.array([found[at] for at in range(n)])


def apart(places: Floats, sizes: Floats) -> Floats:
    """Push boxes of given widths and heights from each other until none overlaps another, or nearly so.

    >>> moved = apart(np.array([[0.0, 0.0], [0.5, 0.1]]), np.array([[2.0, 1.0], [2.0, 1.0]]))
    >>> bool(abs(moved[1, 1] - moved[0, 1]) >= 0.99)
    True
    """
    found = places + 1e-6 * around(len(places)) if len(places) > 1 else places.copy()
    need = (sizes[:, None] + sizes[None, :]) / 2
    for _ in range(_PASSES):
        gap = found[:, None] - found[None, :]
        lack = need - np.abs(gap)
        bad: Bools = np.min(lack, axis=2) > 1e-9
        np.fill_diagonal(bad, False)
        if not bad.any():
            break
        # Along the axis where less is missing, half of it each, but not more than a share, or crowds explode.
        along_x = (lack[..., 0] < lack[..., 1])[..., None] == np.array([True, False])
        push = np.where(bad[..., None] & along_x, np.sign(gap) * lack, 0.0).sum(axis=1)
        crowd = np.maximum(bad.sum(axis=1), 1)[:, None]
        found += 0.55 * push / np.sqrt(crowd)
    return found
