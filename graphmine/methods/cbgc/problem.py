"""The problem that CBGC solves: the arms of a star with links in them, and the nodes that have a place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import AnyArray, Floats, Ints
from graphmine.linalg.bipartite import degrees, submatrix
from graphmine.linalg.link_matrix import CoupledBlock, LinkMatrix, connected_parts
from graphmine.linalg.metric import Metric
from graphmine.linalg.star.pencil import LinkForm, PencilArm
from graphmine.methods.spectral.embedding import unit_block
from graphmine.methods.spectral.links import (
    LinkMatrices,
    bounded_links,
    edges_of,
    link_matrices,
    reachable_nodes,
    split_sides,
)
from graphmine.model import UNPLACED, Constraints, Relation, Star

__all__ = ["StarProblem"]


_SMALL = 0.05
"""Beside a part that is more than half of a star, others that weigh less than so much of a cluster are set aside."""


@dataclass(frozen=True, eq=False)
class StarProblem:
    """Arms of a star that have relationships, with links in them, and the nodes that have a place.

    Parameters
    ----------
    star
        All of it.
    used
        The arms that count.
    arms
        These: their hub is the nodes of the centre that have a place, their spoke those of the arm's kind that do.
    centre, others
        Where these nodes stand: in the centre, and in the kind of each of the arms.
    part
        For every node of the star, kind after kind, the part it hangs together with by relationships and must-links,
        numbered by descending weight; `UNPLACED` for a node without a place.
    tied
        For every node, likewise, the set that has to share a cluster.
    weight
        For every node, likewise, the weight of its relationships.
    repels
        Whether links keep nodes apart.
    """

    star: Star
    used: tuple[int, ...]
    arms: tuple[PencilArm, ...]
    centre: Ints
    others: tuple[Ints, ...]
    part: Ints
    tied: Ints
    weight: Floats
    repels: bool

    @classmethod
    def of(
        cls, star: Star, used: Sequence[int], constraints: Constraints, delta: float, n_clusters: int
    ) -> "StarProblem":
        """Return some arms of a star, all of which have relationships, with closed links of weight ``delta``."""
        relations, blocks = [star.arms[each] for each in used], [unit_block(star.arms[each]) for each in used]
        links, starts = link_matrices(constraints, star.kinds, 1.0, 1.0), _starts(star)
        edges, weight = _edges(len(links.hard.diagonal), starts, relations, blocks)
        part = _parts(edges, weight, links, n_clusters)
        there = [number for number, block in zip(used, blocks, strict=True) if _has(block, part)]
        if len(there) < len(used):  # all of an arm is in small parts that are set aside
            return cls.of(star, there, constraints, delta, n_clusters)
        centre = np.flatnonzero(part[: len(star.centre)] != UNPLACED)
        others = [_spoke(part, starts, arm, block, constraints) for arm, block in zip(relations, blocks, strict=True)]
        arms = [
            _arm(
                arm,
                block,
                link_matrices(constraints, (arm.rows, arm.cols), delta, float(np.median(block.data))),
                centre,
                own,
            )
            for arm, block, own in zip(relations, blocks, others, strict=True)
        ]
        tied, repels = links.tied(np.arange(len(part))), bool(links.cannot.strength.nnz)
        return cls(star, tuple(used), tuple(arms), centre, tuple(others), part, tied, weight, repels)

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return 1 + int(self.part.max(initial=UNPLACED))

    def by_kind(self, values: AnyArray) -> dict[str, AnyArray]:
        """Return values of all nodes, kind after kind, by the name of the kind."""
        ends = np.cumsum([len(nodes) for nodes in self.star.kinds])
        return {nodes.kind: own for nodes, own in zip(self.star.kinds, np.split(values, ends[:-1]), strict=True)}

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes have a place, of the centre and of each kind of the arms that count."""
        part = self.by_kind(self.part)
        kinds = dict.fromkeys([self.star.centre.kind, *(self.star.arms[number].cols.kind for number in self.used)])
        return {kind: int(np.count_nonzero(part[kind] != UNPLACED)) for kind in kinds}


def _starts(star: Star) -> dict[str, int]:
    """Return where each kind begins, all laid end to end."""
    starts = np.cumsum([0, *map(len, star.kinds)])[:-1]
    return {nodes.kind: int(start) for nodes, start in zip(star.kinds, starts, strict=True)}


def _edges(
    n_nodes: int, starts: Mapping[str, int], relations: Sequence[Relation], blocks: Sequence[csr_array]
) -> tuple[csr_array, Floats]:
    """Return the relationships of all arms, each arm weighing 1 in all, and the weight of each node."""
    entries = [coo_array(block / block.sum()) for block in blocks]
    heads = np.concatenate([each.row for each in entries])
    tails = np.concatenate([each.col + starts[arm.cols.kind] for each, arm in zip(entries, relations, strict=True)])
    data = np.concatenate([each.data for each in entries])
    edges = csr_array((data, (heads, tails)), shape=(n_nodes, n_nodes))
    return edges, sum(degrees(edges), np.zeros(n_nodes))


def _parts(edges: csr_array, weight: Floats, links: LinkMatrices, n_clusters: int) -> Ints:
    """Return the part of each node, numbered by descending weight; `UNPLACED` in those that say nothing of clusters."""
    n_parts, part = connected_parts(edges, links.must)
    weights = np.bincount(part, weight, n_parts)
    kept = weights > 0
    if 2 * weights.max() > weights.sum():
        kept &= weights >= _SMALL * weights.sum() / n_clusters
    number = np.full(n_parts, UNPLACED, dtype=np.int64)
    order = np.argsort(-weights, kind="stable")
    number[order[kept[order]]] = np.arange(np.count_nonzero(kept))
    return number[part]


def _has(block: csr_array, part: Ints) -> bool:
    """Return whether a node with a place has relationships in an arm."""
    return bool(np.any(np.diff(block.indptr)[part[: block.shape[0]] != UNPLACED]))


def _spoke(part: Ints, starts: Mapping[str, int], arm: Relation, block: csr_array, constraints: Constraints) -> Ints:
    """Return the nodes of an arm's kind that are placed in it: by its relationships, or must-links that lead there."""
    rows = len(arm.rows)
    links = link_matrices(constraints, (arm.rows, arm.cols), 1.0, 1.0)
    has_place = part[:rows] != UNPLACED
    reached = reachable_nodes(
        edges_of(block), np.concatenate([has_place.astype(np.float64), degrees(block)[1]]), links.must
    )
    own = reached[reached >= rows] - rows
    with_place: Ints = own[part[starts[arm.cols.kind] + own] != UNPLACED]
    return with_place


def _arm(relation: Relation, block: csr_array, links: LinkMatrices, rows: Ints, cols: Ints) -> PencilArm:
    """Return the arm of some nodes, scaled so that its entries add up to a half."""
    bonds = bounded_links(relation, block, links, np.concatenate([rows, cols + len(relation.rows)]))
    among_rows, (left, strength, right), among_cols = split_sides(bonds, len(rows))
    own = submatrix(block, rows, cols)
    B = CoupledBlock(own, left, strength, right)
    row_sums, col_sums = B @ np.ones(len(cols)), B.adjoint_times(np.ones(len(rows)))
    unit = 1 / (2 * float(row_sums.sum()))
    own, strength = csr_array(unit * own), csr_array(unit * strength)
    hub, spoke = LinkForm(unit * row_sums, _times(among_rows, unit)), Metric(unit * col_sums, _times(among_cols, unit))
    return PencilArm(CoupledBlock(own, left, strength, right) if strength.nnz else own, hub, spoke)


def _times(bonds: LinkMatrix, factor: float) -> LinkMatrix | None:
    return LinkMatrix(bonds.incidence, csr_array(factor * bonds.strength)) if bonds.strength.nnz else None
