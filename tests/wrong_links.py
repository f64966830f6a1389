"""Planted networks of two clusters, and links between half of their nodes of which a share is wrong."""

from collections.abc import Callable

import numpy as np

from graphmine import gallery
from graphmine.arrays import Ints
from graphmine.model import Constraints, Groups, Links, Star

Planted = Callable[[int], tuple[Star, gallery.TrueLabels]]

NETWORKS: dict[str, Planted] = {
    "graph, faint": lambda seed: gallery.planted_graph(400, 2, degree=6, noise=0.6, seed=seed),
    "graph, clear": lambda seed: gallery.planted_graph(400, 2, degree=10, noise=0.5, seed=seed),
    "two kinds": lambda seed: gallery.planted(300, 200, 2, degree=8, noise=0.55, seed=seed),
}
LARGER: dict[str, Planted] = {
    "graph, faint": lambda seed: gallery.planted_graph(2000, 2, degree=6, noise=0.6, seed=seed),
    "graph, clear": lambda seed: gallery.planted_graph(2000, 2, degree=10, noise=0.5, seed=seed),
    "two kinds": lambda seed: gallery.planted(2000, 1333, 2, degree=8, noise=0.55, seed=seed),
}


def told(truth: Ints, kind: str, wrong: float, seed: int, n_links: int = 200) -> Constraints:
    """Return links between half of the nodes, a share of them the opposite of what is true."""
    rng = np.random.default_rng(seed)
    some = rng.permutation(len(truth))[: len(truth) // 2]
    ends = some[np.array([rng.choice(len(some), 2, replace=False) for _ in range(n_links)])]
    must = (truth[ends[:, 0]] == truth[ends[:, 1]]) != (rng.random(n_links) < wrong)
    return Constraints({kind: Links.of_pairs(ends[must]) + Links.of_pairs(ends[~must], must=False)})


def labelled(truth: Ints, kind: str, share: float, wrong: float, seed: int) -> tuple[Constraints, Ints]:
    """Return labels of a share of the nodes, as groups, and the nodes whose label is the other class."""
    rng = np.random.default_rng(seed)
    some = rng.permutation(len(truth))[: round(share * len(truth))]
    lies = rng.random(len(some)) < wrong
    label = truth[some] ^ lies
    groups = Groups.of([some[label == number] for number in (0, 1)])
    return Constraints({kind: Links.tying(groups) + Links.parting(groups)}), some[lies]
