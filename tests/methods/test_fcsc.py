"""FCSC: its vectors against a dense brute force, links that are few, right, wrong or contradictory, groups as Q."""

import tracemalloc

import numpy as np
import pytest
from scipy.linalg import eig, eigvalsh
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.errors import ConstraintError, ParameterError, SizeError
from graphmine.linalg import resources
from graphmine.methods.fcsc import FCSC
from graphmine.methods.spectral.sco import SCO
from graphmine.model import FREE, UNPLACED, Constraints, Groups, Links, Nodes, Relation, Star
from tests.methods.l1.test_l1 import noisy, told


def dense(star: Star, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return D, L and the normalised Q of the authors and venues of a network, written out."""
    block = star.arms[0].block.toarray()
    n, m = block.shape
    W = np.block([[np.zeros((n, n)), block], [block.T, np.zeros((m, m))]])
    scale = np.outer(W.sum(axis=1), W.sum(axis=1)) ** -0.5
    return W.sum(axis=1), np.eye(n + m) - W * scale, Q * scale


def least(L: np.ndarray, Q: np.ndarray, theta: float) -> np.ndarray:
    """Return the generalised eigenvector of least cost, as the paper finds it."""
    values, vectors = eig(L, Q - theta * np.eye(len(L)))
    kept = vectors[:, np.isfinite(values) & (values.real > 1e-9)].real
    kept /= np.linalg.norm(kept, axis=0)
    two_sided = np.any(kept > 1e-9, axis=0) & np.any(kept < -1e-9, axis=0)
    costs = np.sum(kept * (L @ kept), axis=0)
    chosen: np.ndarray = kept[:, two_sided][:, np.argmin(costs[two_sided])]
    return chosen


def matrix_of(known: Constraints, star: Star) -> np.ndarray:
    """Return Q of pairs of authors."""
    n = sum(len(nodes) for nodes in star.kinds)
    Q, links = np.zeros((n, n)), known.within["Author"]
    np.add.at(Q, (links.left, links.right), np.where(links.must, links.weight, -links.weight))
    return Q + Q.T


def linked_only(seed: int) -> tuple[Star, np.ndarray]:
    """Return a planted network without the nodes that have no relationships."""
    star, truth = noisy(seed)
    (arm,) = star.arms
    rows, cols = (np.flatnonzero(arm.block.count_nonzero(axis=axis)) for axis in (1, 0))
    authors, venues = Nodes("Author", arm.rows.keys.take(rows)), Nodes("Venue", arm.cols.keys.take(cols))
    return Star((Relation(authors, venues, csr_array(arm.block[rows][:, cols])),)), truth[rows]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("alpha", [0.9, 0.3, -1.0, -2.0])
def test_two_clusters_are_the_signs_of_the_least_feasible_vector(seed: int, alpha: float) -> None:
    star, truth = linked_only(seed)
    known, _ = told(truth, 60, 0.1, seed)
    D, L, Q = dense(star, matrix_of(known, star))
    most = eigvalsh(Q).max()
    v = least(L, Q, alpha * most)
    found = FCSC(2, alpha=alpha).fit(star, known, seed=0)
    assert found.objective == pytest.approx(v @ L @ v, rel=1e-6)
    assert found.figures["links met"] == pytest.approx(v @ Q @ v / most, abs=1e-6)
    assert found.figures["links met"] > found.figures["asked for"] == pytest.approx(alpha)
    labels = np.concatenate([found.labels["Author"], found.labels["Venue"]])
    assert metrics.ari(labels, (D**-0.5 * v > 0).astype(np.int64)) == 1


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("alpha", [0.5, -1.0])
def test_both_solvers_find_the_same(k: int, alpha: float) -> None:
    star, truth = gallery.planted(60, 40, n_clusters=k, degree=8, noise=0.3, seed=1)
    known, _ = told(truth["Author"], 60, 0.1, 0)
    one, other = (FCSC(k, alpha, solver).fit(star, known, seed=0) for solver in ("sparse", "dense"))
    assert one.objective == pytest.approx(other.objective, rel=1e-6)
    assert one.figures == pytest.approx(other.figures, rel=1e-6)
    assert metrics.ari(one.labels["Author"], other.labels["Author"]) == 1


@pytest.mark.parametrize("k", [2, 3])
def test_without_links_it_is_the_normalised_cut(k: int) -> None:
    star, _ = gallery.planted(60, 40, n_clusters=k, degree=8, noise=0.3, seed=1)
    found = FCSC(k).fit(star, seed=0)
    block = star.arms[0].block.toarray()
    values = np.linalg.svd(block / np.sqrt(np.outer(block.sum(axis=1), block.sum(axis=0))), compute_uv=False)
    assert found.objective == pytest.approx(np.sum(1 - values[1:k]))
    assert not found.figures
    assert metrics.ari(found.labels["Author"], SCO(k).fit(star, seed=0).labels["Author"]) == 1


@pytest.mark.parametrize("k", [2, 3])
def test_links_that_are_right_help(k: int) -> None:
    scores = []
    for seed in range(4):
        star, truth = gallery.planted(120, 80, n_clusters=k, degree=8, noise=0.5, seed=seed)
        known, _ = told(truth["Author"], 120, 0.0, seed)
        fits = [FCSC(k).fit(star, each, seed=0) for each in (FREE, known)]
        scores.append([metrics.nmi(fit.labels["Author"], truth["Author"]) for fit in fits])
    free, helped = np.mean(scores, axis=0)
    assert helped > free + 0.1


def test_one_link_does_not_break_what_is_clear() -> None:
    star, truth = gallery.planted(60, 40, n_clusters=4, degree=10, noise=0.1, seed=1)
    for must in (True, False):
        link = Constraints({"Author": Links.of_pairs([[0, 1]], must=must)})
        assert metrics.ari(FCSC(4).fit(star, link, seed=0).labels["Author"], truth["Author"]) == 1


def test_links_that_are_all_wrong_do_not_break_what_is_clear() -> None:
    star, truth = gallery.planted(60, 40, n_clusters=2, degree=10, noise=0.1, seed=1)
    known, lies = told(truth["Author"], 15, 1.0, 0)
    assert lies.all()
    assert metrics.ari(FCSC(2).fit(star, known, seed=0).labels["Author"], truth["Author"]) == 1


@pytest.mark.parametrize("seed", range(3))
def test_the_more_is_asked_for_the_more_links_are_met_and_the_more_is_cut(seed: int) -> None:
    star, truth = noisy(seed)
    known, _ = told(truth, 120, 0.1, seed)
    fits = [FCSC(2, alpha=alpha).fit(star, known, seed=0) for alpha in (-10.0, -1.0, 0.9)]
    met = [fit.figures["links met"] for fit in fits]
    costs = [fit.trace[-1] for fit in fits]
    assert met[0] < met[1] < met[2]
    assert costs[0] < costs[1] < costs[2]


def test_weights_decide_between_wishes_that_contradict_each_other() -> None:
    star, _ = noisy()
    for must, cannot in ((5.0, 1.0), (1.0, 5.0)):
        both = Links.of_pairs([[0, 1]], weight=must) + Links.of_pairs([[0, 1]], must=False, weight=cannot)
        labels = FCSC(2, alpha=0.5).fit(star, Constraints({"Author": both}), seed=0).labels["Author"]
        assert (labels[0] == labels[1]) == (must > cannot)


def test_links_that_cancel_out_are_no_links() -> None:
    star, _ = noisy()
    both = Constraints({"Author": Links.of_pairs([[0, 1]]) + Links.of_pairs([[0, 1]], must=False)})
    free, found = (FCSC(2).fit(star, each, seed=0) for each in (FREE, both))
    assert np.array_equal(free.labels["Author"], found.labels["Author"])
    assert not found.figures


def test_the_scale_of_the_weights_does_not_matter() -> None:
    star, truth = noisy()
    known, _ = told(truth, 60, 0.1, 0)
    links = known.within["Author"]
    heavier = Constraints(
        {"Author": sum((Links.of_pairs(
            np.stack([links.left, links.right], axis=1)[links.must == must], must=must, weight=7.0
        ) for must in (True, False)), Links())}
    )  # fmt: skip
    one, other = (FCSC(2).fit(star, each, seed=0) for each in (known, heavier))
    assert one.objective == pytest.approx(other.objective, rel=1e-9)
    assert np.array_equal(one.labels["Author"], other.labels["Author"])


@pytest.mark.parametrize("alpha", [0.5, -1.0])
def test_a_group_is_all_of_its_pairs(alpha: float) -> None:
    star, truth = noisy()
    groups = [np.flatnonzero(truth == each)[:9] for each in (0, 1)]
    whole = Links.tying(Groups.of(groups)) + Links.parting(Groups.of(groups))
    some = [np.stack(np.triu_indices(9, 1), axis=1)] * 2
    pairs = Links.of_pairs(np.concatenate([group[each] for group, each in zip(groups, some, strict=True)]))
    pairs += Links.of_pairs([[one, two] for one in groups[0] for two in groups[1]], must=False)
    one, other = (FCSC(2, alpha).fit(star, Constraints({"Author": each}), seed=0) for each in (whole, pairs))
    assert one.objective == pytest.approx(other.objective, rel=1e-8)
    assert one.figures == pytest.approx(other.figures)


def test_a_large_group_is_not_written_out() -> None:
    star, truth = gallery.planted(8_000, 800, n_clusters=2, degree=10, noise=0.3, seed=0)
    groups = Groups.of([np.flatnonzero(truth["Author"] == each)[:3_000] for each in (0, 1)])
    known = Constraints({"Author": Links.tying(groups) + Links.parting(groups)})  # 18 million pairs
    tracemalloc.start()
    try:
        found = FCSC(2).fit(star, known, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * 18_000_000 / 2
    assert metrics.nmi(found.labels["Author"], truth["Author"]) > 0.9


def test_links_across_kinds_draw_authors_to_venues() -> None:
    star, truth = gallery.planted(120, 80, n_clusters=2, degree=8, noise=0.5, seed=0)
    rng = np.random.default_rng(0)
    ends = np.stack([rng.integers(120, size=200), rng.integers(80, size=200)], axis=1)
    same = truth["Author"][ends[:, 0]] == truth["Venue"][ends[:, 1]]
    across = Links.of_pairs(ends[same], across=True) + Links.of_pairs(ends[~same], must=False, across=True)
    known = Constraints(across={("Author", "Venue"): across})
    free, helped = (FCSC(2).fit(star, each, seed=0) for each in (FREE, known))
    for kind in ("Author", "Venue"):
        assert metrics.nmi(helped.labels[kind], truth[kind]) > metrics.nmi(free.labels[kind], truth[kind]) + 0.1


def test_a_graph_of_one_kind_is_cut_where_links_say() -> None:
    members = Nodes("Person", [f"p{number}" for number in range(6)])
    ring = csr_array(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1))
    known = Links.of_pairs([[0, 2], [3, 5]]) + Links.of_pairs([[2, 3], [5, 0]], must=False)
    found = FCSC(2).fit(Star((Relation(members, members, ring),)), Constraints({"Person": known}), seed=0)
    assert found.labels["Person"].tolist() == [0, 0, 0, 1, 1, 1]


def test_networks_in_parts_take_links_across_them() -> None:
    star, truth = gallery.islands()
    firsts = [int(np.flatnonzero(truth["Author"] == each)[0]) for each in range(3)]
    links = Links.of_pairs([firsts[:2]]) + Links.of_pairs([firsts[1:], firsts[::2]], must=False)
    found = FCSC(2).fit(star, Constraints({"Author": links}), seed=0)
    assert metrics.ari(found.labels["Author"], (truth["Author"] == 2).astype(np.int64)) == 1
    assert found.objective == pytest.approx(0, abs=1e-5)


def test_hard_links_that_contradict_each_other_are_refused() -> None:
    both = Links.of_pairs([[0, 1]], hard=True) + Links.of_pairs([[0, 1]], must=False, hard=True)
    with pytest.raises(ConstraintError, match=r"^hard links contradict each other: "):
        FCSC(2).fit(noisy()[0], Constraints({"Author": both}))


def test_a_node_without_relationships_goes_where_it_is_tied_to() -> None:
    star, truth = gallery.lonely()
    alone = int(np.flatnonzero(star.arms[0].block.count_nonzero(axis=1) == 0)[0])
    other = int(np.flatnonzero(truth["Author"] == 1)[0])
    for hard in (True, False):
        known = Constraints({"Author": Links.of_pairs([[alone, other]], hard=hard)})
        found = FCSC(2).fit(star, known, seed=0).labels["Author"]
        assert found[alone] == (found[other] if hard else UNPLACED)


def test_everything_tied_is_one_cluster() -> None:
    star, _ = gallery.islands()
    tied = Links.tying(Groups.of([range(13)]), hard=True)
    across = Links.between(Groups.of([range(13)]), Groups.of([range(9)]), [[0, 0]], hard=True)
    for k in (2, 3):
        found = FCSC(k).fit(star, Constraints({"Author": tied}, {("Author", "Venue"): across}), seed=0)
        assert found.n_clusters == 1


def test_the_dense_solver_is_refused_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    star, truth = noisy()
    known, _ = told(truth, 20, 0.0, 0)
    monkeypatch.setattr(resources, "available_memory", lambda: 1_000_000)
    with pytest.raises(SizeError, match=r"^all vectors of \d+ vertices would take about .*; use the sparse solver$"):
        FCSC(2, solver="dense").fit(star, known, seed=0)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"alpha": 1.0}, r"^alpha must be a number from -1e\+06 to 0.99, was 1.0$"),
        ({"alpha": "auto"}, r"^alpha must be a number from -1e\+06 to 0.99, was 'auto'$"),
        ({"solver": "spare"}, r"^solver must be one of sparse, dense, was 'spare' \(did you mean 'sparse'\?\)$"),
    ],
)
def test_what_is_no_parameter_is_refused(params: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        FCSC(2, **params)  # type: ignore[arg-type]
