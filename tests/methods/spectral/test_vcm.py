"""VCM against the bipartite graph with its pseudo vertices, written out densely."""

import numpy as np
import pytest

from graphmine import gallery, metrics
from graphmine.arrays import Floats, Ints
from graphmine.errors import ConstraintError
from graphmine.methods.spectral.embedding import embed
from graphmine.methods.spectral.sco import SCO
from graphmine.methods.spectral.vcm import VCM
from graphmine.model import UNPLACED, Constraints, Groups, Links, Star
from tests.methods.dense import centred_gram, dense_blocks, indicator, random_constraints, random_star

SORTS = ["rows", "cols", "both", "across", "all"]


def pseudo(links: Links, n_nodes: int) -> Floats:
    """Return a column a link, doubles in one, with the weight that a node has in it."""
    columns: dict[tuple[int, int], Floats] = {}
    for left, right, weight in zip(links.left.tolist(), links.right.tolist(), links.weight, strict=True):
        one, other = (indicator(unit, links.groups, n_nodes) for unit in (left, right))
        spokes = (one.sum() - 1) * one if left == right else other.sum() * one + one.sum() * other
        pair = min(left, right), max(left, right)
        columns[pair] = columns.get(pair, np.zeros(n_nodes)) + weight * spokes
    return np.column_stack([np.empty((n_nodes, 0)), *columns.values()])


def larger(star: Star, constraints: Constraints, delta: float) -> Floats:
    """Return Ê, with the nodes before the pseudo vertices."""
    E, _, _, C_rc = dense_blocks(star, constraints, delta)
    unit = delta * float(np.median(E[E > 0]))
    P_r = unit * pseudo(constraints.within.get("Row", Links()), E.shape[0])
    P_c = unit * pseudo(constraints.within.get("Col", Links()), E.shape[1])
    whole: Floats = np.block([[E + C_rc, P_r], [P_c.T, np.zeros((P_c.shape[1], P_r.shape[1]))]])
    return whole


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("shape", [(12, 9), (9, 14), (40, 25)])
@pytest.mark.parametrize("delta", [0.3, 3.0])
def test_the_embedding_holds_the_distances_of_the_formula(sort: str, shape: tuple[int, int], delta: float) -> None:
    star, constraints = random_star(*shape, seed=3), random_constraints(*shape, seed=3, sort=sort)
    whole = larger(star, constraints, delta)
    roots = np.sqrt(whole.sum(axis=1)), np.sqrt(whole.sum(axis=0))
    U, _, Vt = np.linalg.svd(whole / roots[0][:, None] / roots[1], full_matrices=False)
    Z = np.vstack([(U[:, 1:4] / roots[0][:, None])[: shape[0]], (Vt[1:4].T / roots[1][:, None])[: shape[1]]])
    bound = VCM.constrained_cut(star.arms[0], constraints, delta)
    assert bound.cut.block.shape == whole.shape
    points, converged = embed(bound.cut, 4, np.random.default_rng(0), "VCM")
    assert converged
    np.testing.assert_allclose(centred_gram(points[bound.vertices]), centred_gram(Z), atol=1e-8)


@pytest.mark.parametrize("sort", SORTS)
def test_the_objective_is_the_normalised_cut_with_pseudo_vertices_where_they_weigh_most(sort: str) -> None:
    star, constraints = random_star(20, 15, seed=5), random_constraints(20, 15, seed=5, sort=sort)
    labels = np.random.default_rng(0).integers(3, size=35)
    whole = larger(star, constraints, 1.0)
    rows, cols = labels[:20], labels[20:]
    more_rows = [int(np.argmax([row[:15][cols == each].sum() for each in range(3)])) for row in whole[20:]]
    more_cols = [int(np.argmax([col[:20][rows == each].sum() for each in range(3)])) for col in whole[:, 15:].T]
    rows, cols = np.array([*rows, *more_rows]), np.array([*cols, *more_cols])
    expected = 0.0
    for each in range(3):
        volume = whole[rows == each].sum() + whole[:, cols == each].sum()
        expected += (volume - 2 * whole[rows == each][:, cols == each].sum()) / volume
    assert VCM.constrained_cut(star.arms[0], constraints, 1.0).judge(labels) == pytest.approx(expected, abs=1e-12)


def union(star: Star, labels: object) -> Ints:
    assert isinstance(labels, dict)
    return np.concatenate([labels[nodes.kind] for nodes in star.kinds])


@pytest.mark.parametrize("seed", range(3))
def test_without_links_it_is_s_co(seed: int) -> None:
    star, _ = gallery.planted(noise=0.6, seed=seed)
    expected, found = SCO(3).fit(star, seed=seed), VCM(3).fit(star, seed=seed)
    assert np.array_equal(union(star, found.labels), union(star, expected.labels))
    assert found.trace == expected.trace


@pytest.mark.parametrize("seed", range(4))
def test_the_heavier_the_links_the_fewer_are_broken(seed: int) -> None:
    star, _ = gallery.planted(120, 60, n_clusters=3, degree=6, noise=0.6, seed=seed)
    pairs = np.random.default_rng(seed).permutation(120)[:80].reshape(-1, 2)
    broken = []
    for delta in (1e-3, 1.0, 30.0, 1e3):
        labels = VCM(3, delta).fit(star, Constraints({"Author": Links.of_pairs(pairs)}), seed=0).labels["Author"]
        broken.append(int(np.count_nonzero(labels[pairs[:, 0]] != labels[pairs[:, 1]])))
    assert broken == sorted(broken, reverse=True)
    assert broken[0] > 10
    assert broken[-1] == 0


def test_a_lone_pair_is_joined_as_the_equation_of_the_paper_would_not() -> None:
    star, truth = gallery.islands()
    found = VCM(2).fit(star, Constraints({"Author": Links.of_pairs([[0, 12]])}), seed=0)
    assert metrics.ari(found.labels["Author"], np.where(truth["Author"] == 2, 0, truth["Author"])) == 1.0


def test_a_group_is_one_vertex_and_a_group_of_one_is_none() -> None:
    star, truth = gallery.planted(20_000, 2_000, n_clusters=3, degree=8, noise=0.2, seed=0)
    links = Links.tying(Groups.by_value(truth["Author"]), weight=1e-3)
    links += Links(
        left=np.array([-1]),
        right=np.array([-1]),
        must=np.array([True]),
        hard=np.array([False]),
        weight=np.ones(1),
        rule=np.array([-1]),
        groups=Groups.of([[4]]),
    )
    constraints = Constraints({"Author": links})
    bound = VCM.constrained_cut(star.arms[0], constraints, 3.0)
    assert bound.cut.block.shape == (len(bound.rows), len(bound.cols) + 3)
    found = VCM(3).fit(star, constraints, seed=0)
    assert metrics.nmi(found.labels["Author"], truth["Author"]) > 0.95


def test_nodes_without_relationships_are_placed_by_links_or_not_at_all() -> None:
    star, _ = gallery.lonely()
    found = VCM(2).fit(star, Constraints({"Author": Links.of_pairs([[0, 1], [5, 9]])}), seed=0)
    assert found.labels["Author"][0] == found.labels["Author"][1]
    assert found.labels["Author"][[5, 9]].tolist() == [UNPLACED, UNPLACED]


def test_cannot_links_are_refused() -> None:
    with pytest.raises(ConstraintError, match=r"^VCM takes no cannot-links; use a method that does or leave them out$"):
        VCM(2).fit(gallery.davis(), Constraints({"Woman": Links.of_pairs([[0, 1]], must=False)}))
