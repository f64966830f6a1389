"""What a fit of a star in two clusters did to its kinds: as words, and as measures."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from graphmine.experiments.base import Measured
from graphmine.experiments.measures import class_agreements, classes_of
from graphmine.methods.taxonomy.taxonomy import Branch
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.result import Mined

__all__ = ["STAR_MEASURES", "branches_text", "cluster_words", "clusters_text", "measured_star"]

STAR_MEASURES: Mapping[str, str] = {
    "split": "categories as wanted, share of draws",
    "together": "all categories in one cluster, share of draws",
    "purity": "purity of the centre",
    "nmi": "NMI of the centre",
    "seconds": "seconds of the fit",
}
"""What is measured of a star, and what a person calls it."""


def measured_star(store: Store, mined: Mined, category: str, truth: str, shown: Sequence[str]) -> Measured:
    """Measure the centre by its classes, and a kind of few nodes by how exactly it is parted.

    Of a taxonomy the first split is measured, and all are told.

    Parameters
    ----------
    category
        The kind of few nodes.
    shown
        The kinds whose clusters are told.
    """
    first = mined.clustering if mined.taxonomy is None else mined.taxonomy.levels[0]
    labels, centre = first.labels, mined.star.centre.kind
    of_category, wanted = labels[category].tolist(), classes_of(store, mined, category, truth)
    values = {
        "split": float(len(set(zip(of_category, wanted, strict=True))) == len(set(of_category)) == len(set(wanted))),
        "together": float(len(set(of_category)) == 1 and UNPLACED not in of_category),
        **class_agreements(labels[centre], classes_of(store, mined, centre, truth)),
        "seconds": mined.seconds["fit"],
    }
    keys = {kind: mined.star.nodes(kind).keys.to_pylist() for kind in shown}
    if mined.taxonomy is not None:
        return Measured(values, branches_text(keys, mined.taxonomy.root))
    return Measured(values, clusters_text(keys, {kind: labels[kind].tolist() for kind in shown}))


def clusters_text(keys: Mapping[str, Sequence[str]], labels: Mapping[str, Sequence[int]]) -> str:
    """Return the clusters of some kinds, that of the first node first, without nodes that are in none.

    Names that end in numbers and stand three or more in a row are told as a range.

    >>> clusters_text({"X": ["x1", "x2"], "Y": ["y1", "y2", "y3", "y4"]}, {"X": [1, 0], "Y": [1, 1, 1, 0]})
    'x1 y1–y3 | x2 y4'
    >>> clusters_text({"X": ["sport.hockey", "politics.misc"], "Y": ["y1"]}, {"X": [0, 1], "Y": [UNPLACED]})
    'hockey | misc'
    """
    clusters = dict.fromkeys(label for of_kind in labels.values() for label in of_kind if label != UNPLACED)
    return " | ".join(
        " ".join(text for kind in keys for text in _ranges(keys[kind], [each == label for each in labels[kind]]))
        for label in clusters
    )


def branches_text(keys: Mapping[str, Sequence[str]], branch: Branch) -> str:
    """Return the branches of a taxonomy that have any of some kinds, those below one in brackets.

    >>> leaves = [Branch(at, 1, {"X": np.array(own)}) for at, own in enumerate(([0, 2], [1]))]
    >>> branches_text({"X": ["corn", "gold", "wheat"]}, Branch(0, 0, {"X": np.arange(3)}, None, tuple(leaves)))
    'corn wheat | gold'
    """
    if not branch.children:
        there = {kind: np.isin(np.arange(len(names)), branch.members[kind]) for kind, names in keys.items()}
        return " ".join(text for kind, names in keys.items() for text in _ranges(names, there[kind].tolist()))
    told = [(branches_text(keys, each), bool(each.children)) for each in branch.children]
    return " | ".join(f"({text})" if below and " | " in text else text for text, below in told if text)


def cluster_words(found: str, letter: str = "") -> list[list[str]]:
    """Return the clusters of what was found, each as its words that begin with a letter; those without one left out.

    >>> cluster_words("x1 y1–y3 | x2 y4", "y"), cluster_words("x1 x2 y1 | y2", "x")
    ([['y1–y3'], ['y4']], [['x1', 'x2']])
    """
    clusters = ([word for word in cluster.split() if word.startswith(letter)] for cluster in found.split(" | "))
    return [cluster for cluster in clusters if cluster]


def _ranges(keys: Sequence[str], there: Sequence[bool]) -> list[str]:
    """Return the keys that are there, the last part of a dotted name; three or more numbers in a row as a range."""
    edges = [at for at, (before, after) in enumerate(pairwise([False, *there, False])) if before != after]
    texts = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        names = [key.rpartition(".")[2] for key in keys[start:stop]]
        texts += [f"{names[0]}–{names[-1]}"] if len(names) > 2 and names[0][-1].isdigit() else names
    return texts
