"""Clusterings keep whole numbers, and refuse anything else."""

import numpy as np
import pytest

from graphmine.errors import DataError
from graphmine.model import UNPLACED, Clustering


def test_a_clustering_counts_over_all_kinds() -> None:
    found = Clustering({"Author": np.array([0, 0, UNPLACED]), "Venue": np.array([2], dtype=np.int8)}, trace=(3.0, 1.0))
    assert (found.n_clusters, found.clusters, found.width) == (2, [0, 2], 3)
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
