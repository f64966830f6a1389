"""How far labels agree with classes that are known: what tasks measure of a fit."""

from collections.abc import Mapping, Sequence

import numpy as np

from graphmine.arrays import Ints
from graphmine.metrics import nmi, purity
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.constrain import constrain
from graphmine.verbs.known_classes import known_classes
from graphmine.verbs.result import Mined

__all__ = ["class_agreements", "classes_of", "with_and_without_labels"]


def with_and_without_labels(store: Store, mined: Mined, kind: str, truth: str, labelled: str) -> Mapping[str, float]:
    """Score the labels of a kind on all of its nodes, and on those that a rule does not name.

    Nodes without a link are left out of both.
    """
    classes = classes_of(store, mined, kind, truth)
    labels = mined.clustering.labels[kind]
    named = constrain(store, mined.star, labelled).touched(kind, len(labels))
    free = np.where(named, UNPLACED, labels)
    return {
        **class_agreements(labels, classes),
        **{f"free_{name}": value for name, value in class_agreements(free, classes).items()},
        "seconds": mined.seconds["fit"],
    }


def classes_of(store: Store, mined: Mined, kind: str, truth: str) -> list[object]:
    """Read the classes of a kind of the star, in the order of its nodes."""
    return known_classes(store, {kind: mined.star.nodes(kind)}, {}, truth)[kind]


def class_agreements(labels: Ints, classes: Sequence[object]) -> dict[str, float]:
    """Return purity and NMI.

    >>> class_agreements(np.array([0, 0, 1, 1]), ["a", "a", "b", "b"])
    {'purity': 1.0, 'nmi': 1.0}
    """
    return {"purity": purity(labels, classes), "nmi": nmi(labels, classes)}
