"""Pictures: the pixels are right, any size is quick and small, odd names do no harm."""

import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import coo_array, csr_array, random_array

from graphmine.errors import ParameterError
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from graphmine.report.figures.matrix import draw_matrix
from graphmine.report.figures.pixels import densities, middles
from graphmine.report.figures.style import check_picture


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 12), st.integers(0, 100))
@settings(max_examples=60)
def test_pixels_are_means_of_the_cells_under_them(n_rows: int, n_cols: int, most: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    block = csr_array(random_array((n_rows, n_cols), density=0.4, rng=rng))
    rows, cols = rng.permutation(n_rows), rng.permutation(n_cols)
    found = densities(block, rows, cols, most)
    ordered = block.toarray()[rows][:, cols]
    row_cuts, col_cuts = (
        [np.flatnonzero(np.arange(n) * min(n, most) // n == pixel) for pixel in range(min(n, most))]
        for n in (n_rows, n_cols)
    )
    expected = [[ordered[np.ix_(above, beside)].mean() for beside in col_cuts] for above in row_cuts]
    np.testing.assert_allclose(found, expected)
    assert len(middles(rows, most)) == found.shape[0]


def odd_star() -> tuple[Star, Clustering]:
    names = ["$x_{1}$", "a\nb", "图 🙂", "<&>", "", "\x00", "x" * 300]
    rows, cols = Nodes("`odd` $kind", names), Nodes("K", range(3))
    block = csr_array((np.arange(21).reshape(7, 3) % 4).astype(float))
    clustering = Clustering({rows.kind: np.array([0, 0, 1, 1, UNPLACED, 0, 1]), "K": np.array([0, 1, 1])})
    return Star((Relation(rows, cols, block, "`odd` $kind-$->K"),)), clustering


@pytest.mark.parametrize("suffix", ["png", "svg", "PNG"])
def test_odd_names_are_drawn(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"odd.{suffix}"
    check_picture(path)
    draw_matrix(*odd_star(), path)
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm")


def test_stars_and_empty_blocks_are_drawn(tmp_path: Path) -> None:
    centre, one, other = Nodes("A", range(50)), Nodes("B", range(2)), Nodes("C", [])
    star = Star((Relation(centre, one, csr_array((50, 2))), Relation(centre, other, csr_array((50, 0)))))
    draw_matrix(
        star,
        Clustering({"A": np.full(50, UNPLACED), "B": np.zeros(2, np.int64), "C": np.zeros(0, np.int64)}),
        tmp_path / "empty.png",
    )
    assert (tmp_path / "empty.png").read_bytes()[:4] == b"\x89PNG"


def test_a_large_block_stays_small(tmp_path: Path) -> None:
    n, rng = 100_000, np.random.default_rng(0)
    at = rng.integers(0, n, (2, 1_500_000))
    block = csr_array(coo_array((np.ones(at.shape[1]), (at[0], at[1])), shape=(n, n)))
    star = Star((Relation(Nodes("A", range(n)), Nodes("B", range(n)), block),))
    clustering = Clustering({"A": rng.integers(0, 5, n), "B": rng.integers(0, 5, n)})
    tracemalloc.start()
    draw_matrix(star, clustering, tmp_path / "large.png")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250e6  # the block itself is 18 MB; dense it would be 80 GB


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x.pdf", "must end in .png or .svg"),
        ("no/x.png", "its folder does not exist"),
        ("dir.png", "can not be written"),
    ],
)
def test_pictures_that_can_not_be(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "dir.png").mkdir()
    with pytest.raises(ParameterError, match=sentence):
        check_picture(tmp_path / name)


def test_without_matplotlib_the_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ParameterError, match=r"install it with: pip install 'graphmine\[plot\]'"):
        check_picture(tmp_path / "x.png")
