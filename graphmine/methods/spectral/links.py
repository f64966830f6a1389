"""Constraints as matrices for spectral methods: must-links, cannot-links and hard links between numbered nodes."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import block_diag, csr_array, eye_array, hstack

from graphmine.arrays import Bools, Floats, Ints
from graphmine.linalg.bipartite import degrees
from graphmine.linalg.link_matrix import LinkMatrix, connected_parts, limiting_factors
from graphmine.methods.spectral.embedding import unit_block
from graphmine.model import Constraints, Groups, Links, Nodes, Relation

__all__ = [
    "LinkMatrices",
    "LinkedRelation",
    "bounded_links",
    "edges_of",
    "link_matrices",
    "reachable_nodes",
    "split_sides",
]


_LEAST, _MOST = 1e-6, 1e6
"""Strengths in units are kept within these; beyond them a solve loses its digits and a link gains nothing."""


@dataclass(frozen=True, eq=False)
class LinkMatrices:
    """The links between nodes of some kinds, laid end to end: those that must, that can not, and hard ones.

    Parameters
    ----------
    must, cannot
        What pulls together and what pushes apart, both with positive strengths.
    hard
        Which nodes have to share a cluster, as bonds of strength 1.
    """

    must: LinkMatrix
    cannot: LinkMatrix
    hard: LinkMatrix

    def between(self, positions: Ints, softened: Floats) -> LinkMatrix:
        """Return all bonds between some nodes, cannot-links as negative ones scaled by one number a node."""
        pull = csr_array(self.must.incidence[positions])
        push = csr_array(self.cannot.scaled(softened).incidence[positions])
        strength = block_diag([self.must.strength, -self.cannot.strength], format="csr")
        return LinkMatrix(csr_array(hstack([pull, push], format="csr")), csr_array(strength))

    def tied(self, positions: Ints) -> Ints:
        """Return for each of some nodes the set that has to share a cluster."""
        n_nodes = self.hard.incidence.shape[0]
        return connected_parts(csr_array((n_nodes, n_nodes)), self.hard)[1][positions]


@dataclass
class _Table:
    """Links of several kinds laid end to end, and the members of all their groups."""

    n_nodes: int
    left: list[Ints] = field(default_factory=list)
    right: list[Ints] = field(default_factory=list)
    links: list[Links] = field(default_factory=list)
    members: list[Ints] = field(default_factory=list)
    sizes: list[Ints] = field(default_factory=list)
    n_groups: int = 0

    def add(self, links: Links, left_offset: int, right_offset: int) -> None:
        """Add the links of one kind, or of two."""
        self.links.append(links)
        first = self._grouped(links.groups, left_offset)
        second = first if links.others is None else self._grouped(links.others, right_offset)
        self.left.append(_units(links.left, left_offset, first))
        self.right.append(_units(links.right, right_offset, second))

    def _grouped(self, groups: Groups, offset: int) -> int:
        before = self.n_nodes + self.n_groups
        self.members.append(groups.members + offset)
        self.sizes.append(groups.sizes)
        self.n_groups += len(groups)
        return before

    def column(self, name: str) -> Floats:
        """Return one column of all links, as numbers."""
        return np.concatenate([np.empty(0), *(np.asarray(getattr(each, name), dtype=float) for each in self.links)])

    def bonds(self, which: Bools, strength: Floats) -> LinkMatrix:
        """Return some of the links as bonds of their units; of no more units than they name."""
        none = np.empty(0, dtype=np.int64)
        left, right = (np.concatenate([none, *ends])[which] for ends in (self.left, self.right))
        used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        ends, others = np.split(places, 2)
        loops = ends == others
        both = np.concatenate([ends, others[~loops]]), np.concatenate([others, ends[~loops]])
        strengths = np.concatenate([strength[which], strength[which][~loops]])
        shape = (len(used), len(used))
        return LinkMatrix(csr_array(self._incidence()[:, used]), csr_array((strengths, both), shape=shape))

    def _incidence(self) -> csr_array:
        none = np.empty(0, dtype=np.int64)
        members, sizes = np.concatenate([none, *self.members]), np.concatenate([none, *self.sizes])
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        sets = csr_array((np.ones(len(members)), members, indptr), shape=(self.n_groups, self.n_nodes))
        return csr_array(hstack([eye_array(self.n_nodes, format="csr"), sets.T], format="csr"))


def link_matrices(constraints: Constraints, kinds: Sequence[Nodes], delta: float, unit: float) -> LinkMatrices:
    """Return the links between the nodes of some kinds, in their order; a weight of 1 is ``delta`` units strong."""
    ends = np.cumsum([0, *map(len, kinds)])
    offsets = {nodes.kind: int(end) for nodes, end in zip(kinds, ends[:-1], strict=True)}
    table = _Table(int(ends[-1]))
    for (first, second), links in constraints.items():
        if len(links) and first in offsets and second in offsets:
            table.add(links, offsets[first], offsets[second])
    strength = unit * np.clip(delta * table.column("weight"), _LEAST, _MOST)
    must, hard = table.column("must") > 0, table.column("hard") > 0
    return LinkMatrices(
        must=table.bonds(must, strength),
        cannot=table.bonds(~must, strength),
        hard=table.bonds(must & hard, np.ones_like(strength)),
    )


@dataclass(frozen=True, eq=False)
class LinkedRelation:
    """A relation, links between its nodes, and the nodes that have a place by one or the other.

    Parameters
    ----------
    relation, block
        The relation, and its weights divided by the largest.
    links
        The links; one of weight 1 is as strong as ``delta`` relationships of median weight.
    edges, degree
        The relationships among all nodes, rows before columns, and the weight of those of each node.
    nodes
        The nodes that have relationships, or that must-links join to some that have.
    """

    relation: Relation
    block: csr_array
    links: LinkMatrices
    edges: csr_array
    degree: Floats
    nodes: Ints

    @classmethod
    def of(cls, relation: Relation, constraints: Constraints, delta: float) -> "LinkedRelation":
        """Return a relation with closed links of weight ``delta``."""
        block = unit_block(relation)
        links = link_matrices(constraints, (relation.rows, relation.cols), delta, float(np.median(block.data)))
        edges, degree = edges_of(block), np.concatenate(degrees(block))
        return cls(relation, block, links, edges, degree, reachable_nodes(edges, degree, links.must))

    @property
    def rows(self) -> Ints:
        """The rows among the nodes, as positions in their kind."""
        return self.nodes[self.nodes < len(self.relation.rows)]

    @property
    def cols(self) -> Ints:
        """The columns among the nodes, as positions in their kind."""
        n_rows = len(self.relation.rows)
        return self.nodes[self.nodes >= n_rows] - n_rows

    @property
    def tied(self) -> Ints:
        """For each of the nodes the set that has to share a cluster."""
        return self.links.tied(self.nodes)


def split_sides(
    bonds: LinkMatrix, n_rows: int
) -> tuple[LinkMatrix, tuple[csr_array, csr_array, csr_array], LinkMatrix]:
    """Return the bonds among rows, those of rows with columns as left · strength · rightᵀ, and those among columns."""
    of_cols = np.bincount(csr_array(bonds.incidence[n_rows:]).indices, minlength=bonds.strength.shape[0]).astype(
        np.bool_
    )
    row_units, col_units = np.flatnonzero(~of_cols), np.flatnonzero(of_cols)
    rows = csr_array(bonds.incidence[:n_rows][:, row_units])
    cols = csr_array(bonds.incidence[n_rows:][:, col_units])
    by_rows, by_cols = csr_array(bonds.strength[row_units]), csr_array(bonds.strength[col_units])
    across = rows, csr_array(by_rows[:, col_units]), cols
    return (
        LinkMatrix(rows, csr_array(by_rows[:, row_units])),
        across,
        LinkMatrix(cols, csr_array(by_cols[:, col_units])),
    )


def edges_of(block: csr_array) -> csr_array:
    """Return the edges from rows to columns, among rows and columns together."""
    n_rows, n_cols = block.shape
    indptr = np.append(block.indptr, np.full(n_cols, block.nnz, dtype=block.indptr.dtype))
    return csr_array((block.data, block.indices + n_rows, indptr), shape=(n_rows + n_cols, n_rows + n_cols))


def reachable_nodes(edges: csr_array, degree: Floats, must: LinkMatrix) -> Ints:
    """Return the nodes that have relationships, or that must-links tie to some that have."""
    n_parts, parts = connected_parts(edges, must)
    return np.flatnonzero((np.bincount(parts, degree, n_parts) > 0)[parts])


def _units(units: Ints, offset: int, groups_from: int) -> Ints:
    return np.where(units >= 0, units + offset, groups_from - 1 - units)


_SHARE = 0.45
"""The most of its degree that a node's cannot-links may weigh; from a half on M can lose its definiteness."""


def bounded_links(relation: Relation, block: csr_array, links: LinkMatrices, positions: Ints) -> LinkMatrix:
    """Return the links between some nodes of a relation, cannot-links with negative strengths.

    These are scaled down where they outweigh a node's relationships, and a warning names some of the nodes; where a
    node has no relationships they are left out.

    Parameters
    ----------
    relation
        Whose nodes they are.
    block
        Its relationships, in the unit of the links.
    links
        Between all of its nodes, rows before columns.
    positions
        Which nodes are wanted, counted alike.
    """
    degree = np.concatenate(degrees(block))
    softened = limiting_factors(links.cannot, _SHARE * degree)
    softer = np.flatnonzero((softened < 1) & (links.cannot.row_sums > 0))
    _warn_softened(relation, np.intersect1d(positions, softer))
    return links.between(positions, softened)


def _warn_softened(relation: Relation, positions: Ints) -> None:
    """Say, once a kind, where cannot-links weigh more than the relation can bear."""
    n_rows = len(relation.rows)
    own = np.split(positions, [np.searchsorted(positions, n_rows)])
    for nodes, found in ((relation.rows, own[0]), (relation.cols, own[1] - n_rows)):
        if len(found):
            names = ", ".join(repr(nodes[int(position)]) for position in found[:3]) + (", …" if len(found) > 3 else "")
            warnings.warn(
                f"the cannot-links of {len(found)} {nodes.kind} nodes ({names}) outweigh their "
                "relationships, and are scaled down to what these can bear",
                UserWarning,
                stacklevel=8,
            )
