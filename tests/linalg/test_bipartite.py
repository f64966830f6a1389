"""Degrees, scalings, components and cuts, against the definitions written out densely."""

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from graphmine.linalg.bipartite import cluster_weights, components, degrees, normalised_cut, scaled


def sparse(seed: int, density: float = 0.15) -> csr_array:
    return csr_array(random_array((12, 9), density=density, rng=np.random.default_rng(seed)))


def test_degrees_and_scaling() -> None:
    block = sparse(0)
    dense = block.toarray()
    rows, cols = np.arange(12.0), np.arange(9.0)
    np.testing.assert_allclose(degrees(block)[0], dense.sum(axis=1))
    np.testing.assert_allclose(degrees(block)[1], dense.sum(axis=0))
    np.testing.assert_allclose(scaled(block, rows, cols).toarray(), rows[:, None] * dense * cols)


@pytest.mark.parametrize("seed", range(4))
def test_components_are_those_networkx_finds(seed: int) -> None:
    block = sparse(seed, density=0.08)
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    graph.add_nodes_from([("row", i) for i in range(12)] + [("col", j) for j in range(9)])
    graph.add_edges_from(
        (("row", i), ("col", j)) for i, j in zip(*map(np.ndarray.tolist, block.nonzero()), strict=True)
    )
    n_parts, rows, cols = components(block)
    found = {("row", i): part for i, part in enumerate(rows.tolist())}
    found |= {("col", j): part for j, part in enumerate(cols.tolist())}
    parts = list(nx.connected_components(graph))
    assert n_parts == len(parts)
    assert all(len({found[node] for node in part}) == 1 for part in parts)


@pytest.mark.parametrize("seed", range(4))
def test_normalised_cut_is_the_one_of_the_whole_graph(seed: int) -> None:
    block = sparse(seed)
    labels = np.random.default_rng(seed).integers(-1, 3, size=21)
    dense = block.toarray()
    adjacency = np.block([[np.zeros((12, 12)), dense], [dense.T, np.zeros((9, 9))]])
    expected = 0.0
    for cluster in range(3):
        inside = labels == cluster
        expected += adjacency[inside][:, ~inside].sum() / adjacency[inside].sum()
    assert normalised_cut(block, labels[:12], labels[12:]) == pytest.approx(expected, abs=1e-12)


def test_negative_labels_belong_to_no_cluster() -> None:
    block = csr_array([[1.0, 2.0], [4.0, 8.0]])
    weights = cluster_weights(block, np.array([0, -1]), np.array([0, -1]))
    assert [part.tolist() for part in weights] == [[1.0], [3.0], [5.0]]
    assert normalised_cut(block, np.array([-1, -1]), np.array([-1, -1])) == 0.0


def test_a_cluster_without_edges_adds_nothing() -> None:
    block = csr_array([[1.0, 0.0], [0.0, 0.0]])
    assert normalised_cut(block, np.array([0, 1]), np.array([0, 1])) == 0.0
