"""Stars as blocks, and their pencils written out in full."""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh, null_space
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import softmax

from graphmine.arrays import Floats
from graphmine.linalg.star.pencil import PencilArm, StarPencil


def planted_blocks(
    n_hub: int, sizes: Sequence[int], n_clusters: int, degree: int, noise: float, seed: int
) -> list[csr_array]:
    """Blocks without empty columns that agree, but for noise, on clusters of the hub."""
    rng = np.random.default_rng(seed)
    hub = rng.integers(n_clusters, size=n_hub)
    blocks = []
    for size in sizes:
        rows = np.repeat(np.arange(n_hub), degree)
        own = np.minimum(rng.integers(max(size // n_clusters, 1), size=len(rows)) * n_clusters + hub[rows], size - 1)
        cols = np.where(rng.random(len(rows)) < noise, rng.integers(size, size=len(rows)), own)
        block = csr_array((np.ones(len(rows)), (rows, cols)), shape=(n_hub, size))
        block.sum_duplicates()
        blocks.append(csr_array(block[:, np.asarray(block.sum(axis=0)) > 0]))
    return blocks


def pencil_of(blocks: Sequence[csr_array], beta: Sequence[float]) -> StarPencil:
    return StarPencil(tuple(map(PencilArm.of, blocks)), np.asarray(beta, dtype=np.float64))


def written_out(blocks: Sequence[csr_array], beta: Sequence[float]) -> tuple[Floats, Floats]:
    """A and P_i of a star in a basis of its centred vectors, made from the blocks alone."""
    n_hub, sizes = blocks[0].shape[0], [block.shape[1] for block in blocks]
    ends = np.cumsum([n_hub, *sizes])
    A, P = np.zeros((ends[-1], ends[-1])), np.zeros((len(blocks), ends[-1], ends[-1]))
    for number, (block, share) in enumerate(zip(blocks, beta, strict=True)):
        own = slice(ends[number], ends[number + 1])
        dense = block.toarray() / (2 * block.sum())
        A[:n_hub, own], A[own, :n_hub] = share * dense, share * dense.T
        P[number, :n_hub, :n_hub], P[number, own, own] = np.diag(dense.sum(axis=1)), np.diag(dense.sum(axis=0))
    centred = null_space(np.diagonal(P, axis1=1, axis2=2))
    return centred.T @ A @ centred, centred.T @ P @ centred


def least_sum_by_hand(blocks: Sequence[csr_array], beta: Sequence[float], count: int) -> float:
    """The least sum of leading eigenvalues over all weights, of blocks and their shares."""
    return least_sum_written_out(*written_out(blocks, beta), count)


def least_sum_written_out(A: Floats, P: Floats, count: int) -> float:
    """The least sum of leading eigenvalues over all weights, by a search that knows no derivatives."""

    def total(logs: Floats) -> float:
        w = softmax(np.append(logs, 0.0))
        return float(eigh(A, np.tensordot(w, P, 1), eigvals_only=True)[-count:].sum())

    if len(P) == 1:
        return total(np.empty(0))
    options = {"xatol": 1e-10, "fatol": 1e-15, "maxiter": 4000}
    return float(minimize(total, np.zeros(len(P) - 1), method="Nelder-Mead", options=options).fun)  # type: ignore[call-overload]
