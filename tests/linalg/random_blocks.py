"""Blocks that share their rows, drawn at random, and the forms of their cut ratios written out densely."""

import numpy as np
from scipy.sparse import block_diag, csr_array

from graphmine.arrays import Floats

SIZES = [(8, (3, 6)), (20, (16, 21)), (15, (12, 14, 16))]
"""Rows and widths of stars with 17 and 57 nodes; the first two as in the toy problems of Gao et al."""


def random_star(n_rows: int, widths: tuple[int, ...], seed: int) -> list[csr_array]:
    """Return blocks with two clusters in them, whole numbers up to five as weights, and nothing empty."""
    rng = np.random.default_rng(seed)
    row_truth = rng.integers(2, size=n_rows)
    arms = []
    for width in widths:
        chance = np.where(row_truth[:, None] == rng.integers(2, size=width), 0.5, 0.12)
        dense = np.where(rng.random((n_rows, width)) < chance, rng.integers(1, 5, (n_rows, width)), 0.0)
        dense[np.arange(n_rows), rng.integers(width, size=n_rows)] += 1
        dense[rng.integers(n_rows, size=width), np.arange(width)] += 1
        arms.append(csr_array(dense))
    return arms


def side_by_side(*stars: list[csr_array]) -> list[csr_array]:
    """Return stars side by side that have nothing to do with each other."""
    return [csr_array(block_diag(blocks)) for blocks in zip(*stars, strict=True)]


def dense_forms(arms: list[csr_array], beta: Floats) -> tuple[Floats, Floats]:
    """Return Γ and the diagonals of Πᵢ, a row each, from the adjacency matrix of each block."""
    n_rows = arms[0].shape[0]
    size, first = n_rows + sum(block.shape[1] for block in arms), n_rows
    Gamma, weights = np.zeros((size, size)), np.zeros((len(arms), size))
    for number, block in enumerate(arms):
        adjacency = np.zeros((size, size))
        adjacency[:n_rows, first : first + block.shape[1]] = block.toarray()
        adjacency += adjacency.T
        weights[number] = adjacency.sum(axis=1)
        Gamma += beta[number] * (np.diag(weights[number]) - adjacency) / weights[number].sum()
        first += block.shape[1]
    return Gamma, weights


def equal_weights(arms: list[csr_array]) -> Floats:
    """Return the same weight for each block."""
    return np.full(len(arms), 1 / len(arms))
