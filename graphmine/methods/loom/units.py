"""The star as Loom works on it: nodes that hard must-links join are one unit, relations are seen from both sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Labels
from graphmine.closure.components import must_link_components
from graphmine.linalg.leave_one_out import Profiles, RowView, Shrinkage, profiles
from graphmine.model import UNPLACED, Constraints, Star

__all__ = ["LARGE", "RelationView", "UnitArm", "UnitGraph", "Units"]


_SAMPLE = 20_000
"""So many entries judge a shrinkage and a start; in smaller blocks, all of them."""

LARGE = 200_000
"""From so many entries on single precision is enough, and half the memory is half the time."""


@dataclass(frozen=True, eq=False)
class Units:
    """The nodes of a kind, each in the unit it moves with.

    Parameters
    ----------
    kind
        What they are.
    of_node
        The unit of each node; those that hard must-links tie share one.
    component
        For each unit what hard must-links tie it to, over all kinds: units of two kinds with the same number share
        their cluster.
    """

    kind: str
    of_node: Labels
    component: Labels

    def __len__(self) -> int:
        return len(self.component)


@dataclass(frozen=True, eq=False)
class UnitArm:
    """One relation between units, of mean weight 1 between nodes, seen from the centre and from the other side."""

    kind: int
    near: RowView
    far: RowView
    weight: float


class RelationView(NamedTuple):
    """A relation as a kind sees it: its best shrinkage, the profiles of the other side, the view and its weight."""

    best: Shrinkage
    profiles: Profiles
    view: RowView
    weight: float


@dataclass(frozen=True, eq=False)
class UnitGraph:
    """The units of every kind, the centre first, and the relations between them."""

    kinds: tuple[Units, ...]
    arms: tuple[UnitArm, ...]

    @classmethod
    def of(cls, star: Star, constraints: Constraints, rng: np.random.Generator) -> "UnitGraph":
        """Draw the tied nodes of a star together."""
        kinds = _units(star, constraints)
        names = [units.kind for units in kinds]
        arms = [
            _arm(arm.block, kinds, names.index(arm.cols.kind), weight, rng)
            for arm, weight in zip(star.arms, star.weights, strict=True)
            if weight > 0 and arm.nnz
        ]
        return cls(kinds, tuple(arms))

    @property
    def linked(self) -> list[Bools]:
        """Which units of each kind have relationships."""
        found = [np.zeros(len(units), dtype=np.bool_) for units in self.kinds]
        for arm in self.arms:
            found[0][np.diff(arm.near.block.indptr) > 0] = True
            found[arm.kind][np.diff(arm.far.block.indptr) > 0] = True
        return found

    def views(self, kind: int) -> list[tuple[int, RowView, float]]:
        """Return the relations of a kind seen from it: which kind is on the other side, the view, and its weight."""
        if kind == 0:
            return [(arm.kind, arm.near, arm.weight) for arm in self.arms]
        return [(0, arm.far, arm.weight) for arm in self.arms if arm.kind == kind]

    def profiles(self, kind: int, labels: Sequence[Labels], k: int) -> list[Profiles]:
        """Return where the other side of each relation of a kind lies among its clusters."""
        return [profiles(view, labels[kind], labels[other], k) for other, view, _ in self.views(kind)]

    def spread(self, labels: Sequence[Labels], placed: Sequence[Bools]) -> Mapping[str, Labels]:
        """Return a label for every node."""
        return {
            units.kind: np.where(there, own, UNPLACED)[units.of_node]
            for units, own, there in zip(self.kinds, labels, placed, strict=True)
        }


def _units(star: Star, constraints: Constraints) -> tuple[Units, ...]:
    """Return the units of every kind, numbered by their first nodes, and so are components."""
    ties = must_link_components(constraints)
    found, first = [], ties.n
    for nodes in star.kinds:
        component = np.arange(first, first + len(nodes))  # of nodes that no link names, each its own
        if nodes.kind in ties.starts:
            named = ties.of(nodes.kind)
            component[: len(named)] = named
        first += len(nodes)
        components, place, units = np.unique(component, return_index=True, return_inverse=True)
        order = np.argsort(place)
        found.append(Units(nodes.kind, np.argsort(order)[units], components[order]))
    return tuple(found)


def _arm(block: csr_array, kinds: Sequence[Units], kind: int, weight: float, rng: np.random.Generator) -> UnitArm:
    # The method does not depend on the scale of the weights, and sums of very large ones would overflow.
    block = csr_array(block / block.data.max())
    block = csr_array(block / block.data.mean())
    for axis, units in enumerate((kinds[0], kinds[kind])):
        n_nodes = len(units.of_node)
        if len(units) < n_nodes:
            sums = csr_array((np.ones(n_nodes), (units.of_node, np.arange(n_nodes))), shape=(len(units), n_nodes))
            block = csr_array(sums @ block) if axis == 0 else csr_array(block @ sums.T)
    block.eliminate_zeros()
    block.sort_indices()
    if block.nnz > LARGE:
        block = block.astype(np.float32)
    return UnitArm(kind, _view(block, rng), _view(csr_array(block.T), rng), weight)


def _view(block: csr_array, rng: np.random.Generator) -> RowView:
    few = block.nnz <= _SAMPLE
    return RowView(block, None if few else np.sort(rng.choice(block.nnz, _SAMPLE, replace=False)))
