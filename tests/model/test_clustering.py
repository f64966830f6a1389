"""Constraints and clusterings keep whole numbers, and refuse anything else."""

import numpy as np
import pytest

from graphmine.errors import ConstraintError, DataError
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Links


def test_links_are_pairs() -> None:
    links = Links(must=[[0, 1], [1, 2]], cannot=np.array([[0, 2]], dtype=np.uint8))  # type: ignore[arg-type]
    assert len(links) == 3
    assert links.must.dtype == links.cannot.dtype == np.int64
    assert links.cannot.tolist() == [[0, 2]]
    assert Links(must=[]).must.shape == (0, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "pairs", [[0, 1], [[0, 1, 2]], [[0, -1]], [[0.5, 1]], [["a", "b"]], [[0, 1], [2]], [[True, False]]]
)
def test_what_is_no_pair_is_refused(pairs: list[object]) -> None:
    with pytest.raises(ConstraintError, match=r"^must-links must be pairs of node positions$"):
        Links(must=pairs)  # type: ignore[arg-type]
    with pytest.raises(ConstraintError, match=r"^cannot-links must be pairs of node positions$"):
        Links(cannot=pairs)  # type: ignore[arg-type]


def test_constraints_are_true_if_there_is_any_link() -> None:
    some = Links(must=np.array([[0, 1]]))
    assert not FREE
    assert not Constraints(within={"Author": Links()}, across={("Author", "Venue"): Links()})
    assert Constraints(within={"Author": Links(), "Venue": some})
    assert Constraints(across={("Author", "Venue"): some})


def test_a_clustering_counts_over_all_kinds() -> None:
    found = Clustering({"Author": np.array([0, 0, UNPLACED]), "Venue": np.array([2], dtype=np.int8)}, trace=(3.0, 1.0))
    assert found.n_clusters == 3
    assert found.sizes("Author").tolist() == [2, 0, 0]
    assert found.sizes("Venue").tolist() == [0, 0, 1]
    assert (found.unplaced("Author"), found.unplaced("Venue")) == (1, 0)
    assert found.objective == 1.0
    assert found.labels["Venue"].dtype == np.int64


def test_a_clustering_of_nothing() -> None:
    assert Clustering({}).n_clusters == 0
    assert Clustering({}).objective is None
    assert Clustering({"Author": np.array([], dtype=np.int64)}).sizes("Author").tolist() == []
    assert Clustering({"Author": np.array([-1, -1])}).n_clusters == 0


@pytest.mark.parametrize("labels", [[0, -2], [[0, 1]], [0.5], ["a"], [True, False], [None]])
def test_what_is_no_cluster_number_is_refused(labels: list[object]) -> None:
    with pytest.raises(DataError, match=r"^labels of Author must be one whole number a node, from -1 up$"):
        Clustering({"Author": labels})  # type: ignore[dict-item]
