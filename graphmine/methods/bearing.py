"""How much of its cannot-links a node can bear."""

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.linalg import Bonds, degrees, tempered
from graphmine.methods.bonding import Bonding
from graphmine.model import Relation

__all__ = ["bearable"]

Integers = NDArray[np.int64]

_SHARE = 0.45
"""The most of its degree that a node's cannot-links may weigh; from a half on M can lose its definiteness."""


def bearable(relation: Relation, block: csr_array, links: Bonding, positions: Integers) -> Bonds:
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
    softened = tempered(links.cannot, _SHARE * degree)
    softer = np.flatnonzero((softened < 1) & (links.cannot.row_sums > 0))
    _warn_softened(relation, np.intersect1d(positions, softer))
    return links.between(positions, softened)


def _warn_softened(relation: Relation, positions: Integers) -> None:
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
                stacklevel=7,
            )
