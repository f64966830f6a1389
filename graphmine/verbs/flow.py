"""What changes from one stage of an evolution to the next: who stays, who moves, and from where to where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphmine.arrays import Labels
from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import ParameterError
from graphmine.metrics import ari
from graphmine.model import UNPLACED, Nodes
from graphmine.store import Reader, Store
from graphmine.verbs.stages import Stage, runs_of

__all__ = ["Change", "Flow", "change", "changes", "count_pairs", "flow", "flows"]


@dataclass(frozen=True)
class Change:
    """How the nodes of a kind changed from a stage to the next; the first stage has nothing before it.

    Parameters
    ----------
    before, after, kind
        The names of the two stages, and the kind.
    nodes
        How many nodes have a cluster after.
    new, gone
        How many had none before, and how many have none any more.
    stayed, moved
        Of those that have one in both, how many have the same, and how many another.
    agreement
        The adjusted Rand index of both partitions on these, which does not look at numbers; None without any.
    """

    before: str | None
    after: str
    kind: str
    nodes: int
    new: int
    gone: int
    stayed: int
    moved: int
    agreement: float | None


@dataclass(frozen=True)
class Flow:
    """How many nodes of a kind went from a cluster of one stage to one of the next; None where they had none."""

    before: str
    after: str
    kind: str
    source: int | None
    target: int | None
    nodes: int


def changes(stages: Sequence[Stage]) -> list[Change]:
    """Return what changed at every stage, kind by kind."""
    first = [change(kind, None, stage) for stage in stages[:1] for kind in stage.labels]
    return first + [change(kind, before, after) for before, after in pairwise(stages) for kind in after.labels]


def flows(stages: Sequence[Stage]) -> list[Flow]:
    """Return the flows between neighbouring stages, those that stay among them."""
    found: list[Flow] = []
    for before, after in pairwise(stages):
        for kind in after.labels:
            source, target, counts = count_pairs(*_both(kind, before, after))
            found += [
                Flow(before.name, after.name, kind, _number(one), _number(other), count)
                for one, other, count in zip(source.tolist(), target.tolist(), counts.tolist(), strict=True)
            ]
    return found


def flow(store: Store, name: str = "last", kind: str | None = None) -> list[Flow]:
    """Return the flows of a recorded evolution, from what stands in its properties now.

    Parameters
    ----------
    name
        The evolution's name, the beginning of it, or ``last``.
    kind
        Only this kind.
    """
    runs = runs_of(store, name)
    kinds = list(dict.fromkeys(each for run in runs for each in run.kinds))
    if kind is not None and kind not in kinds:
        raise ParameterError(f"the evolution {name!r} has no kind {kind!r}, only {', '.join(kinds)}")

    wanted = kinds if kind is None else [kind]

    def read(tx: Reader) -> Iterator[Flow]:
        for before, after in pairwise(runs):
            for each in wanted:
                names = {"kind": each, "before": before.property, "after": after.property}
                for row in tx.query("flow", names).to_pylist():
                    yield Flow(before.parameters["snapshot"], after.parameters["snapshot"], each, **row)

    found = store.reading(lambda tx: list(read(tx)))
    order = [run.parameters["snapshot"] for run in runs]
    return sorted(found, key=lambda one: (order.index(one.after), kinds.index(one.kind), _rank(one)))


def change(kind: str, before: Stage | None, after: Stage) -> Change:
    """Return how the nodes of a kind changed from a stage to another."""
    earlier, later = _both(kind, before, after)
    there = (earlier != UNPLACED) & (later != UNPLACED)
    stayed = int(np.count_nonzero(there & (earlier == later)))
    return Change(
        before=None if before is None else before.name,
        after=after.name,
        kind=kind,
        nodes=int(np.count_nonzero(later != UNPLACED)),
        new=int(np.count_nonzero((earlier == UNPLACED) & (later != UNPLACED))),
        gone=int(np.count_nonzero((earlier != UNPLACED) & (later == UNPLACED))),
        stayed=stayed,
        moved=int(np.count_nonzero(there)) - stayed,
        agreement=ari(earlier[there], later[there]) if there.any() else None,
    )


def _both(kind: str, before: Stage | None, after: Stage) -> tuple[Labels, Labels]:
    """Return the clusters before and after of all nodes that have one in either."""
    nodes, later = after.labels[kind]
    if before is None or kind not in before.labels:
        earlier = np.full(len(later), UNPLACED, dtype=np.int64)
    else:
        earlier = labels_before(nodes, *before.labels[kind])
        gone = _missing(before.labels[kind], nodes)
        earlier = np.concatenate([earlier, gone])
        later = np.concatenate([later, np.full(len(gone), UNPLACED, dtype=np.int64)])
    either = (earlier != UNPLACED) | (later != UNPLACED)
    return earlier[either], later[either]


def count_pairs(source: Labels, target: Labels) -> tuple[Labels, Labels, Labels]:
    """Return the different pairs of two labels, in order, and how often each occurs."""
    width = 2 + int(target.max(initial=UNPLACED))
    codes, counts = np.unique((source + 1) * width + target + 1, return_counts=True)
    return codes // width - 1, codes % width - 1, counts


def _missing(before: tuple[Nodes, Labels], nodes: Nodes) -> Labels:
    """Return the clusters of those nodes that are not even there any more."""
    there = labels_before(before[0], nodes, np.zeros(len(nodes), dtype=np.int64)) != UNPLACED
    labels: Labels = before[1][~there]
    return labels


def _number(label: int) -> int | None:
    return None if label == UNPLACED else label


def _rank(one: Flow) -> tuple[int, int]:
    source, target = (UNPLACED if each is None else each for each in (one.source, one.target))
    return source, target
