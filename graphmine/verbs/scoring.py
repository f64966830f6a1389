"""How well the labels of a run agree with classes that are known."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphmine.errors import DataError, ParameterError, RunError
from graphmine.exchange.journal import Written, labels_of
from graphmine.exchange.runs import Run, find_run
from graphmine.exchange.schema import property_type
from graphmine.metrics import Scores, score as score_labels
from graphmine.model import UNPLACED, Nodes
from graphmine.store import Reader, Store, query
from graphmine.verbs.constraining import drawn_again

__all__ = ["score"]


def score(store: Store, run: str | Run, truth: str, *, unconstrained: bool = False) -> dict[str, Scores]:
    """Compare the labels a run wrote with a property that holds the known classes, for each kind that has it.

    With ``unconstrained`` only the nodes count that no rule of the run names: what the labels are worth where nothing
    was said beforehand. Kinds without such nodes are left out.
    """
    found = find_run(store, run, clusters=True)
    if found.state != "complete":
        raise RunError(f"run {found.id} is {found.state}; only a complete run can be scored")
    written = labels_of(store, found.id)
    kept = {kind: np.ones(len(each.nodes), dtype=np.bool_) for kind, each in written.items()}
    if unconstrained:
        constraints = drawn_again(store, found, written)
        kept = {kind: ~constraints.touched(kind, len(each)) for kind, each in kept.items()}
    classes = store.reading(lambda tx: _classes(tx, store.dialect, written, truth))
    if not classes:
        raise ParameterError(f"none of {', '.join(found.kinds)} has a property {truth!r} to compare with")
    scores = {}
    for kind, known in classes.items():
        labels = np.where(kept[kind], written[kind].labels, UNPLACED)
        if not unconstrained or _comparable(labels, known):
            scores[kind] = score_labels(labels, known)
    return scores


def _comparable(labels: NDArray[np.int64], known: Sequence[object]) -> bool:
    return any(label != UNPLACED and each is not None for label, each in zip(labels.tolist(), known, strict=True))


def _classes(tx: Reader, dialect: str, written: Mapping[str, Written], truth: str) -> dict[str, list[object]]:
    """Read the known classes of each kind that has them, in the order of its nodes."""
    found: dict[str, list[object]] = {}
    for kind, each in written.items():
        if property_type(tx, dialect, kind, truth) is None:
            continue
        known = tx.read(query(dialect, "score_truth", kind=kind, key=each.key, truth=truth))
        there = Nodes(kind, known["key"]).keys
        if there.type != each.nodes.keys.type:
            raise DataError(f"the keys of {kind} have changed their type since the run")
        found[kind] = known["truth"].take(pc.index_in(each.nodes.keys, value_set=there)).to_pylist()
    return found
