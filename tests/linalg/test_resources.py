"""The memory that is available, on systems that tell more and less of it, and parts of rows by several threads."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from scipy.sparse import csr_array
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from graphmine.errors import SizeError
from graphmine.linalg import resources
from graphmine.linalg.leave_one_out import RowView, leave_one_out, profiles
from graphmine.linalg.resources import (
    available_memory,
    check_memory,
    one_thread,
    parallel_product,
    row_parts,
    row_slice,
    run_parallel,
)


def refuse(*_: object, **__: object) -> str:
    raise FileNotFoundError


def test_it_is_what_the_system_says() -> None:
    assert available_memory() == pytest.approx(psutil.virtual_memory().available, rel=0.2)


def test_all_memory_counts_where_the_system_does_not_say_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", refuse)
    assert available_memory() == pytest.approx(psutil.virtual_memory().total, rel=0.01)


def test_four_gigabytes_are_taken_where_it_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", refuse)
    monkeypatch.delattr(os, "sysconf")
    assert available_memory() == 4 * 2**30


def test_only_what_does_not_fit_is_refused() -> None:
    check_memory("a page", 4096.0, "print less")
    with pytest.raises(
        SizeError, match=r"a library would take about 1e\+11 GB of memory, and .* available; print less"
    ):
        check_memory("a library", 1e20, "print less")


@pytest.fixture
def block(monkeypatch: pytest.MonkeyPatch) -> csr_array:
    """A block of many parts, with empty rows at its ends and in its midst, and one row longer than a part."""
    monkeypatch.setattr(resources, "_PART", 50)
    rng = np.random.default_rng(0)
    found = rng.random((200, 90)) * (rng.random((200, 90)) < 0.1)
    found[0] = found[70:90] = found[199] = 0
    found[100] = 1
    return csr_array(found)


def test_parts_hold_every_row_once(block: csr_array) -> None:
    parts = row_parts(block)
    assert len(parts) > 20
    assert [row for part in parts for row in range(part.start, part.stop)] == [*range(200)]
    assert max(block.indptr[part.stop] - block.indptr[part.start] for part in parts) < 50 + 90
    together = np.vstack([row_slice(block, part).toarray() for part in parts])
    np.testing.assert_array_equal(together, block.toarray())


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_an_empty_block_is_one_part(shape: tuple[int, int]) -> None:
    empty = csr_array(shape)
    assert row_parts(empty) == [slice(0, shape[0])]
    assert parallel_product(empty, np.ones((shape[1], 2))).tolist() == [[0.0, 0.0]] * shape[0]


def test_products_are_the_same_to_the_last_bit(block: csr_array) -> None:
    dense = np.random.default_rng(1).random((90, 4))
    np.testing.assert_array_equal(parallel_product(block, dense), block @ dense)


def test_scores_are_the_same_to_the_last_bit(block: csr_array, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    view, labels = RowView(block), rng.integers(3, size=200)
    seen = profiles(view, labels, rng.integers(3, size=90), 3)
    in_parts = leave_one_out(view, labels, seen, 10.0)
    monkeypatch.setattr(resources, "_PART", 1 << 20)
    np.testing.assert_array_equal(in_parts, leave_one_out(view, labels, seen, 10.0))


def test_pieces_are_begun_while_others_are_found() -> None:
    begun = threading.Event()

    def pieces() -> Iterator[int]:
        yield 1
        assert begun.wait(60)
        yield 2

    def work(piece: int) -> int:
        begun.set()
        return -piece

    assert run_parallel(work, pieces()) == [-1, -2]


def test_what_goes_wrong_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        run_parallel(lambda piece: 1 // piece, [1, 0, 2])


def test_dense_algebra_has_one_thread_for_the_time() -> None:
    def at_work() -> set[int]:
        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        return {pool["num_threads"] for pool in pools if pool["threading_layer"] != "disabled"}  # SCS brings such a one

    with threadpool_limits(2, "blas"):
        with one_thread():
            assert at_work() == {1}
        assert at_work() == {2}
