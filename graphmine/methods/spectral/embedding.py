"""The normalised cut of a relation, the embedding of its linked nodes by singular vectors, and labels for all nodes."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.errors import DataError
from graphmine.linalg.bipartite import components, degrees, normalised_cut, scaled, submatrix
from graphmine.linalg.link_matrix import CoupledBlock, with_precision
from graphmine.linalg.metric import Metric
from graphmine.linalg.triplets import Triplets, leading_triplets
from graphmine.model import UNPLACED, Relation

__all__ = ["Cut", "Positions", "embed", "objective", "plain_cut", "spread", "unit_block"]


_NOTHING = 1e-8
"""Singular values (the trivial one is 1) below which a vector is rounding, not structure."""

_BEYOND = 1 + 1e-9
"""Singular values above which a vector is worth more than a part of its own."""

_LARGE = 1_000_000
"""Relationships above which single precision serves: k-means can not tell vectors apart that are a millionth off."""

_SMALL = 10_000_000
"""So many numbers may be written out to keep away from the indicators of parts."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A normalised cut of nodes of two kinds, as the singular value problem B v = s M_r u, Bᵀ u = s M_c v.

    Parameters
    ----------
    block
        B, of the nodes that can be placed.
    rows, cols
        Where these stand among all nodes of their kinds.
    metrics
        M_r and M_c, with M_r 1 = B 1 and M_c 1 = Bᵀ 1, so that u = v = 1 is a pair with s = 1 on every part.
    parts
        The connected part of each row, then of each column.
    repels
        Whether s can exceed 1, because some nodes are to be kept apart.
    nothing
        Singular values up to which a vector is rounding, or says nothing of clusters.
    """

    block: csr_array | CoupledBlock
    rows: Ints
    cols: Ints
    metrics: tuple[Metric, Metric]
    parts: Ints
    repels: bool = False
    nothing: float = _NOTHING

    @property
    def n_parts(self) -> int:
        """How many connected parts there are."""
        return 1 + int(self.parts.max())

    @property
    def volumes(self) -> Floats:
        """The weight of each part."""
        weights = self.block @ np.ones(len(self.cols))
        return np.bincount(self.parts[: len(self.rows)], weights, self.n_parts).astype(np.float64)


class Positions(Protocol):
    """Whatever knows where the nodes that can be placed stand among all nodes of their kinds."""

    @property
    def rows(self) -> Ints:
        """The positions of rows."""

    @property
    def cols(self) -> Ints:
        """The positions of columns."""


class SpectralPoints(NamedTuple):
    """Z: one row for each node, rows before columns, and whether its vectors converged."""

    points: Floats
    converged: bool


def unit_block(relation: Relation) -> csr_array:
    """Return the block of a relation with weights up to 1; refuse an empty one."""
    if not relation.nnz:
        raise DataError(
            f"no {relation.rows.kind} is linked to any {relation.cols.kind}, so there is nothing to cluster; "
            "check the direction of the arrows and the filters"
        )
    # The cut does not depend on the scale of the weights, and sums of very large ones would overflow.
    block = csr_array(relation.block / relation.block.data.max())
    block.eliminate_zeros()
    return block


def plain_cut(relation: Relation) -> Cut:
    """Return the normalised cut of a relation: M_r and M_c are the degrees."""
    block = unit_block(relation)
    row_sums, col_sums = degrees(block)
    rows, cols = np.flatnonzero(row_sums), np.flatnonzero(col_sums)
    linked = submatrix(block, rows, cols)
    _, row_parts, col_parts = components(linked)
    metrics = Metric(row_sums[rows]), Metric(col_sums[cols])
    return Cut(linked, rows, cols, metrics, np.concatenate([row_parts, col_parts]))


def embed(cut: Cut, k: int, rng: np.random.Generator, name: str) -> SpectralPoints:
    """Return Z of the singular vectors 2..k; those with s = 1 are the indicators of parts, which need no search."""
    if cut.n_parts >= k and not cut.repels:
        return SpectralPoints(_indicators(cut, max(k, 2)), True)
    wanted = k - 1 if cut.repels else k - cut.n_parts
    found = _search(cut, k, wanted, rng)
    if not found.converged:
        warnings.warn(
            f"only {found.values.size} of {wanted} singular vectors converged; {name} goes on with those",
            RuntimeWarning,
            stacklevel=5,
        )
    # In the order of their singular values: beyond 1, then the indicators with exactly 1, then the rest.
    n_beyond = int(np.count_nonzero(found.values > _BEYOND))
    indicators = _indicators(cut, k - n_beyond if n_beyond else max(k, 2))
    n_kept = max(k - cut.n_parts, n_beyond)
    n_kept = min(n_kept, int(np.count_nonzero(found.values > cut.nothing)))
    points = np.empty((len(cut.parts), indicators.shape[1] + n_kept))
    points[:, : indicators.shape[1]] = indicators
    points[: len(cut.rows), indicators.shape[1] :] = found.left[:, :n_kept]
    points[len(cut.rows) :, indicators.shape[1] :] = found.right[:, :n_kept]
    return SpectralPoints(points, found.converged)


def _search(cut: Cut, k: int, wanted: int, rng: np.random.Generator) -> Triplets:
    """Return leading triplets of the cut beside the indicators of its parts."""
    (row_scale, col_scale), n_rows = (metric.scale for metric in cut.metrics), len(cut.rows)
    rows, cols = (None if metric.plain else metric for metric in cut.metrics)
    scale = np.concatenate([row_scale, col_scale])
    known = _all_indicators(cut, k)
    known = scaled(known, 1 / scale, np.ones(cut.n_parts)) if isinstance(known, csr_array) else known / scale[:, None]
    scales = row_scale, col_scale
    block = cut.block.scaled(*scales) if isinstance(cut.block, CoupledBlock) else scaled(cut.block, *scales)
    large = _n_entries(block) > _LARGE
    precision = np.float32 if large else np.float64
    block = with_precision(block, precision)
    found = leading_triplets(
        block,
        wanted,
        rng,
        known=(known[:n_rows], known[n_rows:]),
        metrics=(rows, cols),
        tolerance=1e-4 if large else 1e-12,
        dtype=precision,
    )
    found.left[:] *= row_scale[:, None]
    found.right[:] *= col_scale[:, None]
    return found


def _n_entries(block: csr_array | CoupledBlock) -> int:
    return int((block.block if isinstance(block, CoupledBlock) else block).nnz)


def objective(cut: Cut, labels: Ints) -> float:
    """Return Σ_a x_aᵀ (M - W) x_a / x_aᵀ M x_a, with x_a the indicator of cluster a and W = [[0, B], [Bᵀ, 0]].

    Where M is the degrees that is the normalised cut.
    """
    row_labels, col_labels = np.split(labels, [len(cut.rows)])
    if isinstance(cut.block, csr_array) and all(metric.plain for metric in cut.metrics):
        return normalised_cut(cut.block, row_labels, col_labels)
    clusters = np.unique(labels)
    x, y = (np.asarray(each[:, None] == clusters, dtype=np.float64) for each in (row_labels, col_labels))
    size = sum(
        metric.norms(side / metric.scale[:, None]) ** 2 for metric, side in zip(cut.metrics, (x, y), strict=True)
    )
    kept = 2 * np.sum(x * (cut.block @ y), axis=0)
    return float(np.sum((size - kept) / size))


def spread(labels: Ints, placed: Positions, relation: Relation) -> Mapping[str, Ints]:
    """Return a label for every node of both kinds, `UNPLACED` for those that have no place."""
    spread_out = {}
    for nodes, positions, own in zip(
        (relation.rows, relation.cols), (placed.rows, placed.cols), np.split(labels, [len(placed.rows)]), strict=True
    ):
        spread_out[nodes.kind] = np.full(len(nodes), UNPLACED, dtype=np.int64)
        spread_out[nodes.kind][positions] = own
    return spread_out


def _indicators(cut: Cut, k: int) -> Floats:
    """Return the part of Z with singular value 1, one column for each component.

    Of k components or more, the k - 1 of the largest weight are enough to tell k groups apart.
    """
    volumes = cut.volumes
    largest = np.argsort(-volumes, kind="stable")[: cut.n_parts if cut.n_parts < k else k - 1]
    indicators: Floats = (cut.parts[:, None] == largest) / np.sqrt(volumes[largest])
    return indicators


def _all_indicators(cut: Cut, k: int) -> Floats | csr_array:
    """Return the indicators of all components; sparse ones where they are many."""
    if len(cut.parts) * cut.n_parts <= max(_SMALL, len(cut.parts) * k):
        return _indicators(cut, cut.n_parts + 1)
    places = np.arange(len(cut.parts)), cut.parts
    return csr_array((1 / np.sqrt(cut.volumes)[cut.parts], places), shape=(len(cut.parts), cut.n_parts))
