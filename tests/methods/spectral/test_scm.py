"""SCM against the paper's formula written out densely, its promises, and its corners."""

import re
import tracemalloc
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.linalg import cholesky, solve_triangular, subspace_angles
from scipy.sparse import block_diag, csr_array
from sklearn.cluster import KMeans

from graphmine import gallery, metrics
from graphmine.arrays import Floats, Ints
from graphmine.closure.hard_links import closed
from graphmine.errors import ConstraintError
from graphmine.linalg.triplets import leading_triplets
from graphmine.methods.spectral import embedding
from graphmine.methods.spectral.embedding import Cut, embed, objective
from graphmine.methods.spectral.lcm import LCM
from graphmine.methods.spectral.scm import SCM
from graphmine.methods.spectral.sco import SCO
from graphmine.methods.spectral.vcm import VCM
from graphmine.model import UNPLACED, Constraints, Groups, Links, Star
from tests.methods.dense import centred_gram, dense_blocks, nested, random_constraints, random_star, star_of


def inverse_root(M: Floats) -> Floats:
    values, vectors = np.linalg.eigh(M)
    assert values.min() > 0
    root: Floats = (vectors / np.sqrt(values)) @ vectors.T
    return root


def inverse_factor(M: Floats) -> Floats:
    """Return X with X Xᵀ = M⁻¹, which gives the same Z as the symmetric root does, and is found sooner."""
    return np.asarray(solve_triangular(cholesky(M, lower=True), np.eye(len(M)), lower=True).T)


def brute_force(
    star: Star, constraints: Constraints, delta: float, root: Callable[[Floats], Floats] = inverse_root
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return U, Σ and V of the paper's matrix A (eq. 16), and the inverse square roots of M_r and M_c."""
    E, C_rr, C_cc, C_rc = dense_blocks(star, constraints, delta)
    S_r, S_c = C_rr.sum(axis=1) + C_rc.sum(axis=1), C_cc.sum(axis=1) + C_rc.sum(axis=0)
    root_r = root(np.diag(E.sum(axis=1) + S_r) - C_rr)
    root_c = root(np.diag(E.sum(axis=0) + S_c) - C_cc)
    U, values, Vt = np.linalg.svd(root_r.T @ (E + C_rc) @ root_c, full_matrices=False)
    return U, values, Vt.T, root_r, root_c


SORTS = ["rows", "cols", "both", "across", "all", "all with cannot"]


def solved(cut: Cut, count: int) -> tuple[Floats, Floats]:
    """Return the leading singular values beside the trivial one, and their Z."""
    scales = [metric.scale for metric in cut.metrics]
    known = [metric.free.sum() ** -0.5 / scale[:, None] for metric, scale in zip(cut.metrics, scales, strict=True)]
    assert not isinstance(cut.block, csr_array)
    found = leading_triplets(
        cut.block.scaled(scales[0], scales[1]),
        count,
        np.random.default_rng(0),
        known=(known[0], known[1]),
        metrics=cut.metrics,
    )
    assert found.converged
    return found.values, np.vstack([found.left, found.right]) * np.concatenate(scales)[:, None]


@pytest.mark.parametrize("shape", [(12, 9), (9, 14), (40, 25), (300, 120)])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("delta", [0.3, 1.0, 20.0])
def test_singular_values_and_vectors_are_those_of_the_formula(shape: tuple[int, int], sort: str, delta: float) -> None:
    star, constraints = random_star(*shape, seed=len(sort)), random_constraints(*shape, seed=shape[0], sort=sort)
    if sort == "all with cannot":
        delta = min(delta, 1.0)
    U, values, V, root_r, root_c = brute_force(star, constraints, delta)
    cut = SCM.constrained_cut(star.arms[0], constraints, delta).cut
    assert cut.n_parts == 1
    trivial = int(np.argmin(np.abs(values - 1)))
    others = np.delete(np.arange(len(values)), trivial)
    count = min(5, len(others))
    gaps = -np.diff(values[others][: count + 1])
    found, Z = solved(cut, count)
    np.testing.assert_allclose(found, values[others][:count], atol=1e-10)
    exact = np.vstack([root_r @ U, root_c @ V])[:, others[:count]]
    # A space is as well determined as the gap behind it is wide.
    for last in np.flatnonzero(gaps > 1e-4) + 1:
        assert np.max(subspace_angles(Z[:, :last], exact[:, :last])) < 1e-6
    assert np.any(gaps > 1e-4)


def test_it_is_the_dense_formula_at_two_thousand_rows_with_unlike_numbers_of_clusters() -> None:
    star = nested(2000, 150, seed=0)
    classes = np.where(np.arange(2000) % 5 == 0, np.arange(2000) // 334, -1)
    rows = Links.tying(Groups.by_value(classes), weight=0.05) + Links.of_pairs([[1, 2], [3, 700]], weight=2.0)
    rows += Links.of_pairs([[1, 1501]], must=False, weight=0.1)
    constraints = Constraints({"Row": rows, "Col": Links.of_pairs([[0, 1], [4, 9]])})
    U, values, V, root_r, root_c = brute_force(star, constraints, 1.0, inverse_factor)
    cut = SCM.constrained_cut(star.arms[0], constraints, 1.0).cut
    others = np.delete(np.arange(len(values)), int(np.argmin(np.abs(values - 1))))[:5]
    found, Z = solved(cut, 5)
    np.testing.assert_allclose(found, values[others], atol=1e-10)
    exact = np.vstack([root_r @ U, root_c @ V])[:, others]
    assert np.max(subspace_angles(Z, exact)) < 1e-6
    labels = SCM({"Row": 6, "Col": 4}, 1.0).fit(star, constraints, seed=0).labels
    for kind, count, points in (("Row", 6, exact[:2000]), ("Col", 4, exact[2000:])):
        expected = KMeans(count, n_init=10, random_state=0).fit_predict(points)
        assert metrics.ari(labels[kind], expected) == 1.0
        assert np.unique(labels[kind]).tolist() == list(range(count))


def author_links(star: Star, links: Links) -> Constraints:
    return Constraints({star.centre.kind: links})


def union(star: Star, labels: object) -> Ints:
    assert isinstance(labels, dict)
    return np.concatenate([labels[nodes.kind] for nodes in star.kinds])


@pytest.mark.parametrize("sort", SORTS)
def test_the_embedding_holds_the_distances_of_the_formula(sort: str) -> None:
    star, constraints = random_star(40, 25, seed=3), random_constraints(40, 25, seed=3, sort=sort)
    U, values, V, root_r, root_c = brute_force(star, constraints, 1.0)
    cut = SCM.constrained_cut(star.arms[0], constraints, 1.0).cut
    found, converged = embed(cut, 4, np.random.default_rng(0), "SCM")
    trivial = int(np.argmin(np.abs(values - 1)))
    Z = np.vstack([root_r @ U, root_c @ V])[:, np.delete(np.arange(len(values)), trivial)[:3]]
    assert converged
    np.testing.assert_allclose(centred_gram(found), centred_gram(Z), atol=1e-8)


@pytest.mark.parametrize("sort", SORTS)
def test_the_objective_is_the_constrained_cut(sort: str) -> None:
    star, constraints = random_star(20, 15, seed=5), random_constraints(20, 15, seed=5, sort=sort)
    labels = np.random.default_rng(0).integers(3, size=35)
    _, _, _, root_r, root_c = brute_force(star, constraints, 1.0)
    M_r, M_c = np.linalg.inv(root_r @ root_r), np.linalg.inv(root_c @ root_c)
    cut = SCM.constrained_cut(star.arms[0], constraints, 1.0).cut
    B = cut.block @ np.eye(15)
    expected = 0.0
    for cluster in range(3):
        x, y = (labels[:20] == cluster).astype(float), (labels[20:] == cluster).astype(float)
        size = x @ M_r @ x + y @ M_c @ y
        expected += (size - 2 * x @ B @ y) / size
    assert objective(cut, labels) == pytest.approx(expected, abs=1e-9)


def test_an_objective_by_hand() -> None:
    star = star_of(np.array([[1.0, 0.0], [0.0, 1.0]]))
    links = Constraints({"Row": Links.of_pairs([[0, 1]])})
    cut = SCM.constrained_cut(star.arms[0], links, 2.0).cut
    # Each cluster has an edge of its own, and the must-link of weight 2 leaves both.
    assert objective(cut, np.array([0, 1, 0, 1])) == pytest.approx(2 / 4 + 2 / 4)
    assert objective(cut, np.array([0, 0, 0, 0])) == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(3))
def test_without_links_it_is_s_co(seed: int) -> None:
    star, _ = gallery.planted(noise=0.6, seed=seed)
    expected = SCO(3).fit(star, seed=seed)
    found = SCM(3).fit(star, seed=seed)
    assert np.array_equal(union(star, found.labels), union(star, expected.labels))
    assert found.trace == expected.trace


@pytest.mark.parametrize("seed", range(3))
def test_links_between_all_that_are_weightless_change_nothing(seed: int) -> None:
    star, _ = gallery.planted(noise=0.3, seed=seed)
    links = Links.of_pairs(np.random.default_rng(seed).choice(60, (30, 2), replace=False))
    found = SCM(3, delta=1e-6).fit(star, author_links(star, links), seed=seed)
    assert np.array_equal(union(star, found.labels), union(star, SCO(3).fit(star, seed=seed).labels))


def violated(links: Links, labels: Ints) -> int:
    return int(np.count_nonzero((labels[links.left] == labels[links.right]) != links.must))


@pytest.mark.parametrize("seed", range(4))
def test_the_heavier_the_links_the_fewer_are_broken(seed: int) -> None:
    star, _ = gallery.planted(120, 60, n_clusters=3, degree=6, noise=0.6, seed=seed)
    pairs = np.random.default_rng(seed).permutation(120)[:80].reshape(-1, 2)  # of no use, but they are to be met
    links = Links.of_pairs(pairs)
    broken = [
        violated(links, SCM(3, delta).fit(star, author_links(star, links), seed=0).labels["Author"])
        for delta in (1e-3, 1.0, 30.0, 1e4)
    ]
    assert broken == sorted(broken, reverse=True)
    assert broken[0] > 10
    assert broken[-1] == 0


@pytest.mark.parametrize("seed", range(4))
def test_cannot_links_part_what_would_be_together(seed: int) -> None:
    star, truth = gallery.planted(90, 60, n_clusters=2, degree=12, noise=0.75, seed=seed)
    classes = Groups.by_value(np.where(np.arange(90) < 45, truth["Author"], -1))
    links = Links.parting(classes, weight=0.1)
    with pytest.warns(UserWarning, match=r"^the cannot-links of \d+ Author nodes \('a00', 'a01', 'a02', …\) outweigh"):
        found = SCM(2).fit(star, author_links(star, links), seed=0)
    free = SCO(2).fit(star, seed=0)
    assert metrics.nmi(found.labels["Author"], truth["Author"]) > 1.2 * metrics.nmi(
        free.labels["Author"], truth["Author"]
    )


@pytest.mark.parametrize("sort", ["classes", "pairs", "across"])
def test_true_links_on_a_part_help_the_rest(sort: str) -> None:
    gain = []
    for seed in range(5):
        star, truth = gallery.planted(600, 200, n_clusters=4, degree=8, noise=0.7, seed=seed)
        rng, free = np.random.default_rng(seed), np.arange(300, 600)
        if sort == "classes":
            part = np.where(np.arange(600) < 300, truth["Author"], -1)
            constraints = author_links(star, Links.tying(Groups.by_value(part)))
        elif sort == "pairs":
            pairs = rng.integers(300, size=(6000, 2))
            pairs = pairs[(truth["Author"][pairs[:, 0]] == truth["Author"][pairs[:, 1]]) & (pairs[:, 0] < pairs[:, 1])]
            constraints = author_links(star, Links.of_pairs(pairs[:600]))
        else:
            pairs = np.stack([rng.integers(300, size=6000), rng.integers(200, size=6000)], axis=1)
            pairs = pairs[truth["Author"][pairs[:, 0]] == truth["Venue"][pairs[:, 1]]]
            constraints = Constraints(across={("Author", "Venue"): Links.of_pairs(pairs[:600], across=True)})
        scores = [
            metrics.nmi(found.labels["Author"][free], truth["Author"][free])
            for found in (SCO(4).fit(star, seed=0), SCM(4).fit(star, constraints, seed=0))
        ]
        gain.append(scores[1] - scores[0])
    assert np.mean(gain) > 0.02


def test_hard_must_links_are_met_within_and_across_kinds() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.1, seed=1)
    rng = np.random.default_rng(0)
    authors = Links.tying(Groups.of([rng.choice(60, 9, replace=False) for _ in range(2)]), hard=True)
    across = Links.between(Groups.of([[0, 1, 2]]), Groups.of([[3, 4]]), [[0, 0]], hard=True)
    across += Links.of_pairs([[7, 9]], hard=True, across=True)
    found = SCM(3, delta=1e-6).fit(star, Constraints({"Author": authors}, {("Author", "Venue"): across}), seed=0)
    assert all(len(set(found.labels["Author"][authors.groups[i]].tolist())) == 1 for i in range(2))
    assert len({*found.labels["Author"][[0, 1, 2]].tolist(), *found.labels["Venue"][[3, 4]].tolist()}) == 1
    assert found.labels["Author"][7] == found.labels["Venue"][9]
    assert found.n_clusters > 1


def test_hard_links_across_kinds_need_one_number_of_clusters() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.1, seed=1)
    counts = {"Author": 3, "Venue": 2}
    tie = Constraints(across={("Author", "Venue"): Links.of_pairs([[7, 9]], hard=True, across=True)})
    for method in (SCM(counts), LCM(counts), VCM(counts)):
        with pytest.raises(
            ConstraintError,
            match=r"^\w+ takes no hard must-links across kinds with a number of clusters for each kind; make them soft",
        ):
            method.fit(star, tie)
    within = author_links(star, Links.tying(Groups.of([[0, 7, 12, 30], [1, 2]]), hard=True))
    soft = Constraints(across={("Author", "Venue"): Links.of_pairs([[7, 9]], across=True)})
    labels = SCM(counts, delta=1e-6).fit(star, within + soft, seed=0).labels["Author"]
    assert len(set(labels[[0, 7, 12, 30]].tolist())) == 1
    assert labels[1] == labels[2]


def test_hard_links_are_closed_before_they_act() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.5, seed=1)
    chain = Links.of_pairs([[0, 1], [1, 2], [2, 3]], hard=True) + Links.of_pairs([[5, 6]])
    apart = Links.of_pairs([[3, 9]], must=False, hard=True)
    loose, tight = author_links(star, chain + apart), closed(author_links(star, chain + apart))
    assert len(tight.within["Author"].groups) == 1
    found, again = (SCM(3, 0.5).fit(star, each, seed=0) for each in (loose, tight))
    assert np.array_equal(union(star, found.labels), union(star, again.labels))
    assert found.trace == again.trace


def test_hard_links_that_contradict_each_other_are_refused() -> None:
    star = gallery.davis()
    links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    with pytest.raises(ConstraintError, match="contradict each other"):
        SCM(2).fit(star, author_links(star, links))


def test_a_node_without_relationships_follows_its_must_links() -> None:
    star, _ = gallery.lonely()
    links = Links.of_pairs([[0, 1], [5, 9], [9, 6]]) + Links.of_pairs([[0, 8]], must=False)
    constraints = Constraints({"Author": links}, {("Venue", "Author"): Links.of_pairs([[3, 8]], across=True)})
    with pytest.warns(UserWarning, match=r"^the cannot-links of 1 Author nodes \('a0'\) outweigh their"):
        found = SCM(2).fit(star, constraints, seed=0)
    assert found.labels["Author"].tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert found.labels["Venue"].tolist() == [0, 0, 0, 1, 1, 1, UNPLACED]


def test_nodes_tied_only_to_one_another_are_left_out() -> None:
    star, _ = gallery.lonely()
    hard = Links.of_pairs([[0, 5]], hard=True) + Links.of_pairs([[9, 1]], must=False)
    found = SCM(2).fit(star, author_links(star, hard), seed=0)
    assert found.labels["Author"][[0, 5, 9]].tolist() == [UNPLACED] * 3


def test_cannot_links_part_islands_before_their_weight_does() -> None:
    star = star_of(np.diag([1.0, 9.0, 2.0, 7.0, 8.0]))
    assert SCM(2).fit(star, seed=0).labels["Row"].tolist() == [0, 1, 0, 0, 0]
    apart = Constraints({"Row": Links.of_pairs([[3, 4]], must=False)})
    found = SCM(2, delta=0.1).fit(star, apart, seed=0).labels["Row"]
    assert found[3] != found[4]


@pytest.mark.parametrize("most", [10_000_000, 0])
def test_many_islands_are_known_beforehand_however_they_are_kept(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(embedding, "_SMALL", most)
    star = star_of(csr_array(block_diag([np.ones((3, 2))] * 30)))
    apart = Constraints({"Row": Links.of_pairs([[0, 3], [1, 4], [2, 5]], must=False)})
    found = SCM(2, delta=0.2).fit(star, apart, seed=0)
    parts = found.labels["Row"].reshape(30, 3)
    assert np.all(parts == parts[:, :1])
    assert parts[0, 0] != parts[1, 0]


def test_must_links_join_islands() -> None:
    star, truth = gallery.islands()
    joined = SCM(2).fit(star, author_links(star, Links.of_pairs([[0, 12]])), seed=0)
    assert metrics.ari(joined.labels["Author"], np.where(truth["Author"] == 2, 0, truth["Author"])) == 1.0


CORNERS: dict[str, tuple[Star, Constraints, int]] = {
    "all in one group": (
        gallery.davis(),
        Constraints({"Woman": Links.tying(Groups.of([range(18)]), hard=True)}),
        2,
    ),
    "contradictory wishes": (
        gallery.davis(),
        Constraints({"Woman": Links.of_pairs([[0, 1]]) + Links.of_pairs([[1, 0]], must=False, weight=0.5)}),
        2,
    ),
    "one cluster": (gallery.davis(), Constraints({"Woman": Links.of_pairs([[0, 1]], must=False, weight=0.1)}), 1),
    "as many clusters as nodes": (gallery.full(3, 3), Constraints({"Author": Links.of_pairs([[0, 1]])}), 3),
    "as many clusters, apart": (
        gallery.full(4, 3),
        Constraints({"Venue": Links.of_pairs([[0, 1]], must=False, weight=0.1)}),
        3,
    ),
    "one edge": (
        gallery.single_edge(),
        Constraints(across={("Author", "Venue"): Links.of_pairs([[0, 0]], across=True)}),
        1,
    ),
    "doubled": (gallery.davis(), Constraints({"Event": Links.of_pairs([[0, 1]] * 50)}), 2),
    "islands": (gallery.islands()[0], Constraints({"Author": Links.of_pairs([[0, 7]], must=False, weight=0.1)}), 5),
    "groups of one and none": (
        gallery.davis(),
        Constraints({"Woman": Links.parting(Groups.of([[], [3], [4]]), weight=0.1)}),
        2,
    ),
    "strange weights": (
        gallery.davis(),
        Constraints({"Woman": Links.of_pairs([[0, 1], [2, 3], [1, 2]], weight=[1e300, 1e-300, 1.0])}),
        2,
    ),
    "apart across": (
        gallery.davis(),
        Constraints(across={("Event", "Woman"): Links.of_pairs([[0, 1]], must=False, weight=0.1, across=True)}),
        3,
    ),
}


@pytest.mark.parametrize("corner", CORNERS)
def test_corners_give_whole_answers(corner: str) -> None:
    star, constraints, k = CORNERS[corner]
    found = SCM(k).fit(star, constraints, seed=0)
    assert np.isfinite(found.trace).all()
    assert found.converged
    labels = union(star, found.labels)
    assert labels.min() >= 0
    assert found.n_clusters <= k


def test_one_group_of_all_has_one_cluster() -> None:
    star, constraints, k = CORNERS["all in one group"]
    assert len(set(SCM(k).fit(star, constraints, seed=0).labels["Woman"].tolist())) == 1


def test_the_scale_of_the_weights_does_not_matter() -> None:
    star, _ = gallery.planted(seed=3, noise=0.4)
    block = star.arms[0].block
    links = Constraints({"Row": Links.of_pairs([[0, 1], [4, 9]]), "Col": Links.of_pairs([[0, 1]], must=False)})
    results = [SCM(3, 0.5).fit(star_of(csr_array(block * factor)), links, seed=0) for factor in (1.0, 1e-200, 3e307)]
    assert len({tuple(found.labels["Row"].tolist()) for found in results}) == 1
    assert results[1].objective == pytest.approx(results[0].objective)


@pytest.mark.parametrize("delta", [0, -1, float("nan"), float("inf"), "3", True, None])
def test_what_is_no_delta_is_refused(delta: float) -> None:
    with pytest.raises(ValueError, match=r"^delta must be a number from 1e-06 to 1e\+06, or auto, was"):
        SCM(2, delta)


def test_classes_that_are_parted_are_warned_of_once_a_kind() -> None:
    star, truth = gallery.planted(300, 200, n_clusters=3, degree=8, noise=0.5, seed=0)
    parted = {kind: Links.parting(Groups.by_value(truth[kind])) for kind in ("Author", "Venue")}
    with pytest.warns(UserWarning, match=r"^the cannot-links of") as caught:
        SCM(3).fit(star, Constraints(parted), seed=0)
    sentences = [str(each.message) for each in caught]
    assert len(sentences) == 2
    for sentence, kind, letter in zip(sentences, ("Author", "Venue"), "av", strict=True):
        keys = f"'{letter}000', '{letter}001', '{letter}002', …"
        assert re.match(rf"the cannot-links of \d+ {kind} nodes \({keys}\) outweigh their relationships", sentence)


def test_no_warning_where_no_link_is_softened() -> None:
    star, _ = gallery.planted(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SCM(3, 1.0).fit(star, author_links(star, Links.of_pairs([[0, 1]], must=False)), seed=0)


def test_large_groups_cost_memory_in_proportion_to_their_members() -> None:
    star, truth = gallery.planted(200_000, 50_000, n_clusters=4, degree=8, noise=0.2, seed=0)
    held = np.where(np.arange(200_000) < 100_000, truth["Author"], -1)
    constraints = author_links(star, Links.tying(Groups.by_value(held)))
    tracemalloc.start()
    try:
        found = SCM(4).fit(star, constraints, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Copies of the block and of a Krylov space; the pairs of the groups would be 10 GB, and dense rows 80 GB.
    assert peak < 8 * (20 * star.arms[0].nnz + 100 * 250_000)
    assert metrics.nmi(found.labels["Author"], truth["Author"]) > 0.95


@st.composite
def cases(draw: st.DrawFn) -> tuple[Star, Constraints, int]:
    """Return small relations with empty rows and columns, and any links at all."""
    n_rows, n_cols = draw(st.integers(1, 8)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    block = np.where(rng.random((n_rows, n_cols)) < draw(st.sampled_from([0.15, 0.4, 0.9])), 1.0, 0.0)
    block[rng.integers(n_rows), rng.integers(n_cols)] = rng.choice([1.0, 1e-6, 50.0])
    sizes = {"Row": n_rows, "Col": n_cols}
    within = {kind: fuzzy_links(rng, size, size, across=False) for kind, size in sizes.items()}
    across = {("Row", "Col"): fuzzy_links(rng, n_rows, n_cols, across=True)}
    smaller = min(np.count_nonzero(block.sum(axis=0)), np.count_nonzero(block.sum(axis=1)))
    return star_of(block), Constraints(within, across), draw(st.integers(1, int(smaller)))


def fuzzy_links(rng: np.random.Generator, n_left: int, n_right: int, *, across: bool) -> Links:
    left, right = (
        Groups.of([rng.choice(n, rng.integers(0, n + 1), replace=False) for _ in range(3)]) for n in (n_left, n_right)
    )
    n_links = int(rng.integers(0, 6))
    ends = rng.integers(-3, n_left, n_links), rng.integers(-3, n_right, n_links)
    kept = np.full(n_links, True) if across else (ends[0] != ends[1]) | (ends[0] < 0)
    must = rng.random(n_links) < 0.7
    return Links(
        left=ends[0][kept],
        right=ends[1][kept],
        must=must[kept],
        hard=(must & (rng.random(n_links) < 0.3))[kept],
        weight=rng.choice([1e-9, 0.1, 1.0, 100.0, 1e9], n_links)[kept],
        rule=np.full(int(kept.sum()), -1),
        groups=left,
        others=right if across else None,
    )


def members(unit: int, groups: Groups) -> list[int]:
    return [unit] if unit >= 0 else groups[-1 - unit].tolist()


@settings(deadline=None, max_examples=200)
@given(case=cases(), delta=st.sampled_from([1e-3, 1.0, 3.0, 1e3]))
def test_whatever_the_links_labels_are_whole_and_hard_links_hold(
    case: tuple[Star, Constraints, int], delta: float
) -> None:
    star, constraints, k = case
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the cannot-links of", UserWarning)
        found = SCM(k, delta).fit(star, constraints, seed=0)
    assert np.isfinite(found.trace).all()
    assert found.converged
    assert 1 <= found.n_clusters <= k
    block = star.arms[0].block
    assert found.labels["Row"][block.count_nonzero(axis=1) > 0].min() >= 0
    assert found.labels["Col"][block.count_nonzero(axis=0) > 0].min() >= 0
    for (first, second), links in [(("Row", "Row"), constraints.within["Row"]), *constraints.across.items()]:
        for i in np.flatnonzero(links.hard):
            ones = members(links.left[i], links.groups)
            others = members(links.right[i], links.groups if links.others is None else links.others)
            together = {*found.labels[first][ones].tolist(), *found.labels[second][others].tolist()}
            assert len(together) <= 1 or not ones or not others
