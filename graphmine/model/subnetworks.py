"""The restriction of a star and of its constraints to some of its nodes."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Ints
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups, Links
from graphmine.model.nodes import Nodes
from graphmine.model.relation import Relation, Star

__all__ = ["NodePositions", "induced", "restricted"]

NodePositions = Mapping[str, Ints]
"""Positions of some nodes of each kind, in ascending order; a kind that is not named has none."""


def induced(star: Star, members: NodePositions) -> Star:
    """Return the star of some nodes and the links between them; every kind stays, with however few nodes.

    >>> wrote = Relation(Nodes("Author", ["ann", "bob"]), Nodes("Venue", ["KDD", "CHI"]), csr_array([[2, 1], [0, 3]]))
    >>> part = induced(Star.of(wrote), {"Author": np.array([1]), "Venue": np.array([0, 1])})
    >>> part.centre[0], part.arms[0].block.toarray().tolist()
    ('bob', [[0.0, 3.0]])
    """
    at = {nodes.kind: members.get(nodes.kind, np.empty(0, dtype=np.int64)) for nodes in star.kinds}
    kept = {nodes.kind: Nodes(nodes.kind, nodes.keys.take(pa.array(at[nodes.kind]))) for nodes in star.kinds}
    arms = []
    for arm in star.arms:
        rows, cols = arm.rows.kind, arm.cols.kind
        block = csr_array(arm.block[at[rows]][:, at[cols]])
        arms.append(Relation(kept[rows], kept[cols], block, arm.name))
    return Star(tuple(arms), star.weights)


def restricted(constraints: Constraints, star: Star, members: NodePositions) -> Constraints:
    """Return what constraints on a star say of some of its nodes, by their positions in the `induced` star.

    A link of which one end has gone is dropped, a group keeps those members that are there, and ranks stay as they are.
    Rules keep their names and numbers.

    >>> wrote = Relation(Nodes("Author", list("abcd")), Nodes("Venue", ["KDD"]), csr_array(np.ones((4, 1))))
    >>> known = Constraints({"Author": Links.of_pairs([[0, 1], [1, 3]]) + Links.tying(Groups.of([[0, 2, 3]]))})
    >>> left = restricted(known, Star.of(wrote), {"Author": np.array([1, 2, 3])}).within["Author"]
    >>> left.left.tolist(), left.right.tolist(), left.groups[0].tolist()
    ([0, -1], [2, -1], [1, 2])
    """
    at = {nodes.kind: _places(len(nodes), members.get(nodes.kind)) for nodes in star.kinds}
    return replace(
        constraints,
        within={kind: _among(links, at[kind], at[kind]) for kind, links in constraints.within.items()},
        across={(one, two): _among(links, at[one], at[two]) for (one, two), links in constraints.across.items()},
        order={kind: ranks[at[kind] >= 0] for kind, ranks in constraints.order.items()},
    )


def _places(count: int, members: Ints | None) -> Ints:
    """Return for each of the nodes of a kind its place among the members, -1 for the others."""
    places = np.full(count, -1, dtype=np.int64)
    if members is not None:
        places[members] = np.arange(len(members))
    return places


def _among(links: Links, left: Ints, right: Ints) -> Links:
    """Return links with new places for the nodes on both sides, without those that stand for no pair any more."""
    kept = links.only(_there(links.left, left) & _there(links.right, right))
    moved = replace(
        kept,
        left=_moved(kept.left, left),
        right=_moved(kept.right, right),
        groups=_shrunk(kept.groups, left),
        others=None if kept.others is None else _shrunk(kept.others, right),
    )
    return moved.only(moved.n_pairs > 0)


def _there(units: Ints, places: Ints) -> Bools:
    return (units < 0) | (places[np.maximum(units, 0)] >= 0)


def _moved(units: Ints, places: Ints) -> Ints:
    return np.where(units < 0, units, places[np.maximum(units, 0)])


def _shrunk(groups: Groups, places: Ints) -> Groups:
    kept = places[groups.members] >= 0
    ends = np.concatenate([[0], np.cumsum(kept)])
    return Groups(ends[groups.starts], places[groups.members[kept]])
