"""One-to-one matchings, and clusters that continue as those they share most with."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from graphmine.arrays import Ints
from graphmine.linalg.matching import match, match_sparse, partners, successors

tables = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 6))
)


def counts(shared: Ints, row: int, col: int) -> bool:
    return bool(shared[row, col] == shared[row].max() or shared[row, col] == shared[:, col].max())


def best(shared: Ints) -> int:
    """The most elements that pairs of rows and columns can have in common, of those that count; by trying all."""
    n_rows, n_cols = shared.shape
    places = [*range(n_cols), *[-1] * n_rows]
    return max(
        sum(int(shared[row, col]) for row, col in enumerate(order) if col >= 0 and counts(shared, row, col))
        for order in set(permutations(places, n_rows))
    )


@settings(max_examples=50)
@given(tables)
def test_the_pairs_have_the_most_in_common(shared: Ints) -> None:
    found = successors(shared)
    matched = np.flatnonzero(found >= 0)
    assert len(set(found[matched])) == len(matched)
    assert shared[matched, found[matched]].sum() == best(shared)
    assert (shared[matched, found[matched]] > 0).all()
    assert all(counts(shared, row, int(found[row])) for row in matched.tolist())


@given(st.permutations(range(5)))
def test_the_same_partition_under_other_numbers_is_followed_exactly(order: list[int]) -> None:
    shared = np.diag([9, 4, 4, 2, 1])[order]
    assert successors(shared).tolist() == order


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        ([[7]], [0]),
        ([[3, 5]], [1]),  # two clusters that become one go on as the larger
        ([[5], [2]], [0, -1]),  # one that becomes two goes on as the larger part
        ([[40, 1, 0], [1, 40, 0], [3, 3, 0]], [0, 1, -1]),
        ([[50, 9], [50, 0]], [1, 0]),
        ([[90, 9, 0], [9, 90, 1], [0, 0, 0]], [0, 1, -1]),
        ([[500, 49, 0], [0, 0, 30]], [0, 2]),
    ],
)
def test_what_goes_on_as_what(shared: list[list[int]], expected: list[int]) -> None:
    assert successors(np.array(shared)).tolist() == expected


def test_a_stranger_does_not_take_the_place_of_what_has_gone() -> None:
    # The second cluster has dissolved into the first; a new one has got a single node of it.
    assert successors(np.array([[500, 49], [60, 1]])).tolist() == [0, -1]


def test_no_clusters_before_or_now() -> None:
    assert successors(np.zeros((0, 3), dtype=np.int64)).tolist() == []
    assert successors(np.zeros((2, 0), dtype=np.int64)).tolist() == [-1, -1]


@settings(max_examples=50)
@given(tables)
def test_a_sparse_matching_shares_as_much_as_a_dense_one(shared: Ints) -> None:
    counts = csr_array(shared.astype(np.float64))
    rows, cols = match(shared)
    if counts.nnz:
        sparse_rows, sparse_cols = match_sparse(counts)
        assert len(set(sparse_cols.tolist())) == len(sparse_cols)
        assert shared[sparse_rows, sparse_cols].sum() == shared[rows, cols].sum()


def test_ties_are_broken_by_the_first_rows_and_columns() -> None:
    assert partners(np.ones((2, 3))).tolist() == [0, 1]
    assert partners(np.ones((3, 2))).tolist() == [0, 1, -1]
    assert partners(np.zeros((2, 2))).tolist() == [0, 1]
