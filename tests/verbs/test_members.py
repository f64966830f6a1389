"""Members of clusters: against slow and plain ways to find the same."""

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from graphmine.arrays import Floats
from graphmine.errors import ParameterError
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from graphmine.verbs.members import cluster_members, inside_weights, isolated

SEEDS = range(5)


def some_star(seed: int, weights: tuple[float, float] = (1.0, 2.5)) -> tuple[Star, Clustering]:
    rng = np.random.default_rng(seed)
    paper, author, term = (Nodes(kind, range(n)) for kind, n in (("Paper", 12), ("Author", 9), ("Term", 7)))
    arms = [
        Relation(paper, side, csr_array(random_array((12, len(side)), density=0.3, rng=rng))) for side in (author, term)
    ]
    labels = {nodes.kind: rng.integers(UNPLACED, 3, len(nodes)) for nodes in (paper, author, term)}
    return Star(tuple(arms), weights), Clustering(labels)


def dense_weights(star: Star, clustering: Clustering) -> dict[str, Floats]:
    inside = {nodes.kind: np.zeros(len(nodes)) for nodes in star.kinds}
    for arm, weight in zip(star.arms, star.weights, strict=True):
        rows, cols = clustering.labels[arm.rows.kind], clustering.labels[arm.cols.kind]
        for i, j, value in zip(*arm.block.tocoo().coords, arm.block.tocoo().data, strict=True):
            if rows[i] == cols[j] != UNPLACED:
                inside[arm.rows.kind][i] += weight * value
                inside[arm.cols.kind][j] += weight * value
    return inside


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_inside_clusters(seed: int) -> None:
    star, clustering = some_star(seed)
    found = inside_weights(star, clustering)
    for kind, expected in dense_weights(star, clustering).items():
        np.testing.assert_allclose(found[kind], expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("top", [0, 1, 3, 100])
def test_top_members_are_the_heaviest_and_ties_go_by_key(seed: int, top: int) -> None:
    star, clustering = some_star(seed)
    weights = dense_weights(star, clustering)
    found = cluster_members(star, clustering, top)
    assert [(part.cluster, part.kind) for part in found] == [
        (cluster, nodes.kind) for cluster in clustering.clusters for nodes in star.kinds
    ]
    for part in found:
        members = np.flatnonzero(clustering.labels[part.kind] == part.cluster)
        ranked = sorted(members, key=lambda at: (-weights[part.kind][at], at))
        assert part.size == len(members)
        assert [member.key for member in part.top] == ranked[:top]


def test_a_negative_number_of_members_is_refused() -> None:
    with pytest.raises(ParameterError, match="top must be a whole number of at least 0, was -1"):
        cluster_members(*some_star(0), top=-1)


@pytest.mark.parametrize("seed", SEEDS)
def test_isolated_nodes_have_no_link_in_any_arm(seed: int) -> None:
    star, _ = some_star(seed)
    rows = sum(arm.block.sum(axis=1) for arm in star.arms)
    assert isolated(star) == {
        "Paper": int(np.count_nonzero(rows == 0)),
        **{arm.cols.kind: int(np.count_nonzero(arm.block.sum(axis=0) == 0)) for arm in star.arms},
    }
