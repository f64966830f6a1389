"""Soft consistency: each arm has its own copy of the centre, and copies of a node may differ at a price."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_number
from graphmine.errors import ParameterError
from graphmine.linalg.link_matrix import CoupledBlock, LinkMatrix
from graphmine.linalg.star.pencil import LinkForm, PencilArm, StarPencil
from graphmine.methods.spectral.links import reachable_nodes

__all__ = ["Copies", "checked_price"]


_MOST = 1e6
"""The greatest price that leaves enough digits to certify a gap of 1e-9."""


def checked_price(price: object) -> float | None:
    """Return a price; None for one that is infinite. Refuse others.

    >>> checked_price(2), checked_price(float("inf"))
    (2.0, None)
    >>> checked_price(1e9)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: price must be a number from 0 to 1e+06, was 1000000000.0; leave it out for a ...
    """
    if price is None or price == np.inf:
        return None
    try:
        return check_number("price", price, least=0, most=_MOST)
    except ParameterError:
        raise ParameterError(
            f"price must be a number from 0 to {_MOST:g}, was {price!r}; leave it out for a centre that does not differ"
        ) from None


@dataclass(frozen=True, eq=False)
class Copies:
    """The nodes of a centre, once for each arm that they take part in.

    Parameters
    ----------
    pencil
        The star of the copies, all arms counting the same.
    nodes
        Which node each copy is of, arm after arm.
    ends
        Where the copies of each arm end.
    n_nodes
        How many nodes there are.

    Notes
    -----
    With y_i the copies in arm i and d_i the weights of the nodes in it, all arms having the same weight in total,

        price · Σ_{i<j} Σ_nodes d_i d_j / (d_i + d_j) (y_i - y_j)²

    is taken from vᵀ A v. At a price of 0 the arms have nothing to do with each other; as it grows, y_i and y_j become
    one. What a node of one arm alone is in, costs nothing. A node takes part in an arm by relationships, or by
    must-links that lead to a node that has some there.
    """

    pencil: StarPencil
    nodes: Ints
    ends: tuple[int, ...]
    n_nodes: int

    @classmethod
    def of(cls, arms: Sequence[PencilArm], price: float) -> "Copies":
        """Return the copies of a hub's points, which may differ at a price."""
        own = [_participants(arm.hub) for arm in arms]
        ends = np.cumsum([0, *map(len, own)])
        lifted = tuple(
            _widen_arm(arm, nodes, int(start), int(ends[-1]))
            for arm, nodes, start in zip(arms, own, ends, strict=False)
        )
        apart = csr_array((int(ends[-1]), int(ends[-1])))
        for (one, first), (other, second) in combinations(enumerate(own), 2):
            _, at, behind = np.intersect1d(first, second, assume_unique=True, return_indices=True)
            d, e = arms[one].hub.diagonal[first[at]], arms[other].hub.diagonal[second[behind]]
            apart = apart + _springs(at + ends[one], behind + ends[other], price * d * e / (d + e), int(ends[-1]))
        pencil = StarPencil(lifted, np.full(len(arms), 1 / len(arms)), csr_array(apart))
        return cls(pencil, np.concatenate(own), tuple(ends[1:].tolist()), int(arms[0].block.shape[0]))

    def consensus(self, points: Floats, weights: Floats) -> Floats:
        """Return the mean of each node's copies, weighted by what they weigh in their arms and these in the whole."""
        diagonal = np.sum([w * arm.hub.diagonal for w, arm in zip(weights, self.pencil.arms, strict=True)], axis=0)
        places = self.nodes, np.arange(len(self.nodes))
        sums = csr_array((diagonal, places), shape=(self.n_nodes, len(self.nodes)))
        mean: Floats = (sums @ points) / sums.sum(axis=1)[:, None]
        return mean

    def agreement(self, points: Floats, labels: Ints, centres: Floats) -> Floats:
        """Return for each arm which share of its copies is nearest to the centre of the cluster that its node is in."""
        squares = np.sum(centres**2, axis=1) - 2 * points @ centres.T
        same = np.argmin(squares, axis=1) == labels[self.nodes]
        return np.array([own.mean() for own in np.split(same, self.ends[:-1])])


def _participants(hub: LinkForm) -> Ints:
    """Return the points that have a weight of their own, or are bonded to some that have."""
    if hub.bonds is None:
        return np.flatnonzero(hub.free)
    return reachable_nodes(csr_array((len(hub.free), len(hub.free))), hub.free, hub.bonds)


def _springs(heads: Ints, tails: Ints, strength: Floats, size: int) -> csr_array:
    """Return the Laplacian of some pairs."""
    rows, cols = np.concatenate([heads, tails, heads, tails]), np.concatenate([heads, tails, tails, heads])
    return csr_array((np.concatenate([strength, strength, -strength, -strength]), (rows, cols)), shape=(size, size))


def _widen_arm(arm: PencilArm, nodes: Ints, start: int, size: int) -> PencilArm:
    """Return an arm whose hub has some of its points, among many others that mean nothing to it."""
    free = np.zeros(size)
    free[start : start + len(nodes)] = arm.hub.free[nodes]
    bonds = None if arm.hub.bonds is None else _widen_links(arm.hub.bonds, nodes, start, size)
    block = arm.block
    if isinstance(block, CoupledBlock):
        block = CoupledBlock(
            _widen_rows(block.block, nodes, start, size),
            _widen_rows(block.left, nodes, start, size),
            block.strength,
            block.right,
        )
    else:
        block = _widen_rows(block, nodes, start, size)
    return PencilArm(block, LinkForm(free, bonds), arm.spoke)


def _widen_links(bonds: LinkMatrix, nodes: Ints, start: int, size: int) -> LinkMatrix:
    """Return the bonds of some points, among many others that have none; of no more units than these points are in."""
    incidence = _widen_rows(bonds.incidence, nodes, start, size)
    units = np.unique(incidence.indices)
    return LinkMatrix(csr_array(incidence[:, units]), csr_array(bonds.strength[units][:, units]))


def _widen_rows(matrix: csr_array, rows: Ints, start: int, size: int) -> csr_array:
    """Return some rows of a matrix in a matrix of more."""
    entries = coo_array(matrix[rows])
    return csr_array((entries.data, (entries.row + start, entries.col)), shape=(size, matrix.shape[1]))
