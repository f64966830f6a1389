"""LCM against the generalised eigenproblem of the whole graph, written out densely."""

import numpy as np
import pytest
from scipy.linalg import eigh

from graphmine import gallery, metrics
from graphmine.arrays import Floats, Ints
from graphmine.errors import ConstraintError
from graphmine.methods.spectral.embedding import embed
from graphmine.methods.spectral.fit import unconstrained_cut
from graphmine.methods.spectral.lcm import LCM
from graphmine.methods.spectral.sco import SCO
from graphmine.model import UNPLACED, Constraints, Groups, Links, Star
from tests.methods.dense import centred_gram, dense_blocks, random_constraints, random_star, star_of

SORTS = ["rows", "cols", "both", "across", "all"]


def adjacency(star: Star, constraints: Constraints, delta: float) -> Floats:
    """Return W of equation 6."""
    E, C_rr, C_cc, C_rc = dense_blocks(star, constraints, delta)
    W: Floats = np.block([[C_rr, E + C_rc], [(E + C_rc).T, C_cc]])
    return W


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("shape", [(12, 9), (9, 14), (40, 25)])
@pytest.mark.parametrize("delta", [0.3, 3.0])
def test_the_embedding_holds_the_distances_of_the_formula(sort: str, shape: tuple[int, int], delta: float) -> None:
    star, constraints = random_star(*shape, seed=3), random_constraints(*shape, seed=3, sort=sort)
    W = adjacency(star, constraints, delta)
    D = np.diag(W.sum(axis=1))
    values, vectors = eigh(D - W, D)
    assert abs(values[0]) < 1e-12
    assert values[3] < 1.0
    bound = LCM.constrained_cut(star.arms[0], constraints, delta)
    points, converged = embed(bound.cut, 4, np.random.default_rng(0), "LCM")
    assert converged
    np.testing.assert_allclose(centred_gram(points[bound.vertices]), centred_gram(vectors[:, 1:4]), atol=1e-8)


@pytest.mark.parametrize("sort", SORTS)
def test_the_objective_is_the_normalised_cut_of_the_whole_graph(sort: str) -> None:
    star, constraints = random_star(20, 15, seed=5), random_constraints(20, 15, seed=5, sort=sort)
    labels = np.random.default_rng(0).integers(3, size=35)
    W = adjacency(star, constraints, 1.0)
    expected = sum(W[labels == each][:, labels != each].sum() / W[labels == each].sum() for each in range(3))
    assert LCM.constrained_cut(star.arms[0], constraints, 1.0).judge(labels) == pytest.approx(expected, abs=1e-12)


def union(star: Star, labels: object) -> Ints:
    assert isinstance(labels, dict)
    return np.concatenate([labels[nodes.kind] for nodes in star.kinds])


@pytest.mark.parametrize("seed", range(3))
def test_without_links_it_is_s_co(seed: int) -> None:
    star, _ = gallery.planted(noise=0.6, seed=seed)
    expected, found = SCO(3).fit(star, seed=seed), LCM(3).fit(star, seed=seed)
    assert np.array_equal(union(star, found.labels), union(star, expected.labels))
    assert found.trace == expected.trace


@pytest.mark.parametrize("seed", range(3))
def test_with_links_that_hardly_count_it_is_nearly_s_co(seed: int) -> None:
    star, _ = gallery.planted(noise=0.6, seed=seed)
    links = Constraints({"Author": Links.of_pairs(np.random.default_rng(seed).permutation(60).reshape(-1, 2))})
    bounds = LCM.constrained_cut(star.arms[0], links, 1e-6), unconstrained_cut(star.arms[0])
    near, exact = (embed(bound.cut, 3, np.random.default_rng(0), "LCM").points[bound.vertices] for bound in bounds)
    # Singular vectors of a block are of length 1 on each side, eigenvectors of the graph on both together.
    np.testing.assert_allclose(2 * centred_gram(near), centred_gram(exact), atol=1e-6)


def test_true_links_help_the_nodes_that_they_join() -> None:
    gains = []
    for seed in range(4):
        star, truth = gallery.planted(600, 200, n_clusters=4, degree=8, noise=0.6, seed=seed)
        pairs = np.random.default_rng(seed).integers(300, size=(6000, 2))
        pairs = pairs[(truth["Author"][pairs[:, 0]] == truth["Author"][pairs[:, 1]]) & (pairs[:, 0] < pairs[:, 1])]
        links = Constraints({"Author": Links.of_pairs(pairs[:600])})
        scores = [
            metrics.nmi(found.labels["Author"][:300], truth["Author"][:300])
            for found in (SCO(4).fit(star, seed=0), LCM(4).fit(star, links, seed=0))
        ]
        gains.append(scores[1] - scores[0])
    assert min(gains) > 0.05


def test_nodes_without_relationships_are_placed_by_links_or_not_at_all() -> None:
    star, _ = gallery.lonely()
    links = Links.of_pairs([[0, 1], [5, 9]])
    found = LCM(2).fit(star, Constraints({"Author": links}), seed=0)
    assert found.labels["Author"][0] == found.labels["Author"][1]
    assert found.labels["Author"][[5, 9]].tolist() == [UNPLACED, UNPLACED]


def test_islands_that_links_join_are_one() -> None:
    star, truth = gallery.islands()
    found = LCM(2).fit(star, Constraints({"Author": Links.of_pairs([[0, 12]])}), seed=0)
    assert metrics.ari(found.labels["Author"], np.where(truth["Author"] == 2, 0, truth["Author"])) == 1.0


def test_a_large_group_is_never_written_out() -> None:
    star = star_of(np.ones((4, 3)))
    everyone = LCM.constrained_cut(star.arms[0], Constraints({"Row": Links.tying(Groups.of([range(4)]))}), 1.0)
    block = everyone.cut.block
    assert not hasattr(block, "nnz")
    wide, truth = gallery.planted(20_000, 2_000, n_clusters=3, degree=8, noise=0.2, seed=0)
    links = Links.tying(Groups.by_value(truth["Author"]), weight=1e-3)  # 67 million pairs
    found = LCM(3).fit(wide, Constraints({"Author": links}), seed=0)
    assert metrics.nmi(found.labels["Author"], truth["Author"]) > 0.95


def test_cannot_links_are_refused() -> None:
    with pytest.raises(ConstraintError, match=r"^LCM takes no cannot-links; use a method that does or leave them out$"):
        LCM(2).fit(gallery.davis(), Constraints({"Woman": Links.of_pairs([[0, 1]], must=False)}))
