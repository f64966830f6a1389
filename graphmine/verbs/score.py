"""How well the labels of a run agree with classes that are known."""

from collections.abc import Sequence

import numpy as np

from graphmine.arrays import Ints
from graphmine.errors import RunError
from graphmine.exchange.journal import labels_of
from graphmine.exchange.runs import Run, find_named
from graphmine.metrics import Scores, score as score_labels
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.constrain import draw_again
from graphmine.verbs.known_classes import known_classes

__all__ = ["score"]


def score(store: Store, run: str | Run, truth: str, *, unconstrained: bool = False) -> dict[str, Scores]:
    """Compare the labels a run wrote with a property that holds the known classes, for each kind that has it.

    The run is named by its name, the beginning of one, ``last``, or by its property for the last that wrote there.
    With ``unconstrained`` only the nodes count that no rule of the run names: what the labels are worth where nothing
    was said beforehand. Kinds without such nodes are left out.
    """
    found = find_named(store, run, clusters=True)
    if found.state != "complete":
        raise RunError(f"run {found.id} is {found.state}; only a complete run can be scored")
    written = labels_of(store, found.id)
    kept = {kind: np.ones(len(each.nodes), dtype=np.bool_) for kind, each in written.items()}
    if unconstrained:
        constraints = draw_again(store, found, written)
        kept = {kind: ~constraints.touched(kind, len(each)) for kind, each in kept.items()}
    nodes, keys = ({kind: getattr(each, name) for kind, each in written.items()} for name in ("nodes", "key"))
    classes = known_classes(store, nodes, keys, truth)
    scores = {}
    for kind, known in classes.items():
        labels = np.where(kept[kind], written[kind].labels, UNPLACED)
        if not unconstrained or _comparable(labels, known):
            scores[kind] = score_labels(labels, known)
    return scores


def _comparable(labels: Ints, known: Sequence[object]) -> bool:
    return any(label != UNPLACED and each is not None for label, each in zip(labels.tolist(), known, strict=True))
