"""L1: its objective, links that are right, wrong, contradictory or none, groups as stars, more than two clusters."""

import warnings
from itertools import combinations

import numpy as np
import pytest

from graphmine import gallery, metrics
from graphmine.errors import ConstraintError, ParameterError
from graphmine.linalg.l1.cut import l1_cut
from graphmine.methods.l1 import bisect
from graphmine.methods.l1.choose_lambda import GRID
from graphmine.methods.l1.l1 import L1
from graphmine.methods.labels import align_labels
from graphmine.model import FREE, UNPLACED, Constraints, Groups, Links, Star
from tests import wrong_links


def noisy(seed: int = 0) -> tuple[Star, np.ndarray]:
    """Return a planted network of two clusters that is not recovered without links, and the truth of its authors."""
    star, truth = gallery.planted(120, 80, n_clusters=2, degree=8, noise=0.5, seed=seed)
    return star, truth["Author"]


def told(truth: np.ndarray, count: int, wrong: float, seed: int) -> tuple[Constraints, np.ndarray]:
    """Return links between random authors, a share of them wrong, and which are."""
    rng, n = np.random.default_rng(seed), len(truth)
    first = rng.integers(n, size=count)
    ends = np.stack([first, (first + rng.integers(1, n, size=count)) % n], axis=1)
    lies = rng.random(count) < wrong
    must = (truth[ends[:, 0]] == truth[ends[:, 1]]) != lies
    order = np.argsort(~must, kind="stable")
    links = Links.of_pairs(ends[must]) + Links.of_pairs(ends[~must], must=False)
    return Constraints({"Author": links}), lies[order]


def test_without_links_it_is_the_normalised_cut() -> None:
    star, _ = noisy()
    found = L1(2).fit(star, seed=0)
    assert found.trace == (found.figures["objective"],)
    block = star.arms[0].block.toarray()
    linked = block[block.any(axis=1)][:, block.any(axis=0)]
    values = np.linalg.svd(linked / np.sqrt(np.outer(linked.sum(axis=1), linked.sum(axis=0))), compute_uv=False)
    assert found.objective == pytest.approx((1 - values[1]) / 2)
    assert found.figures["contradicted links"] == 0
    assert not found.trust


@pytest.mark.parametrize("seed", range(3))
def test_the_trace_falls_and_the_figures_tell_how_it_ended(seed: int) -> None:
    star, truth = noisy(seed)
    known, _ = told(truth, 60, 0.2, seed)
    found = L1(2).fit(star, known, seed=0)
    assert np.all(np.diff(found.trace) < 0)
    assert found.figures["objective"] == found.trace[-1]
    assert 0 <= found.figures["inner gap"] <= 1e-11
    trust = found.trust["Author", "Author"]
    assert trust.shape == (60,)
    assert np.all((trust >= 0) & (trust <= 1))
    assert found.figures["contradicted links"] == np.count_nonzero(trust < 1) > 0


@pytest.mark.parametrize("solver", ["dual", "firstorder", "cvxpy"])
def test_all_solvers_find_the_same(solver: str) -> None:
    star, truth = noisy()
    known, _ = told(truth, 60, 0.1, 0)
    one, other = (L1(2, solver=each).fit(star, known, seed=0) for each in ("auto", solver))
    assert other.objective == pytest.approx(one.objective, abs=1e-5)
    assert metrics.ari(one.labels["Author"], other.labels["Author"]) == 1


def test_links_that_are_right_help() -> None:
    scores = []
    for seed in range(4):
        star, truth = noisy(seed)
        known, _ = told(truth, 120, 0.0, seed)
        scores.append([metrics.nmi(L1(2).fit(star, each, seed=0).labels["Author"], truth) for each in (FREE, known)])
    free, helped = np.mean(scores, axis=0)
    assert helped > free + 0.1


def test_the_more_they_weigh_the_more_links_are_met() -> None:
    star, truth = noisy()
    known, _ = told(truth, 60, 0.2, 0)
    counts = [L1(2, lam=lam).fit(star, known, seed=0).figures["contradicted links"] for lam in (0.001, 0.03, 1.0)]
    assert counts[0] > counts[1] > counts[2]


def test_links_that_are_all_wrong_do_not_break_what_is_clear() -> None:
    star, truth = gallery.planted(60, 40, n_clusters=2, degree=10, noise=0.1, seed=1)
    known, lies = told(truth["Author"], 60, 1.0, 0)
    assert lies.all()
    found = L1(2).fit(star, known, seed=0)
    assert metrics.ari(found.labels["Author"], truth["Author"]) == 1


def test_wrong_links_are_trusted_less() -> None:
    star, truth = gallery.planted(120, 80, n_clusters=2, degree=10, noise=0.2, seed=1)
    known, lies = told(truth["Author"], 60, 0.2, 0)
    trust = L1(2).fit(star, known, seed=0).trust["Author", "Author"]
    assert trust[lies].mean() < 0.3
    assert trust[~lies].mean() > 0.7


def test_wishes_that_contradict_each_other_are_weighed() -> None:
    star, _ = noisy()
    both = Links.of_pairs([[0, 1]], weight=5.0) + Links.of_pairs([[0, 1]], must=False, weight=1.0)
    found = L1(2, lam=5.0).fit(star, Constraints({"Author": both}), seed=0)
    assert found.labels["Author"][0] == found.labels["Author"][1]
    assert found.trust["Author", "Author"][0] == 1


def test_hard_links_that_contradict_each_other_are_refused() -> None:
    both = Links.of_pairs([[0, 1]], hard=True) + Links.of_pairs([[0, 1]], must=False, hard=True)
    with pytest.raises(ConstraintError, match=r"^hard links contradict each other: "):
        L1(2).fit(noisy()[0], Constraints({"Author": both}))


def test_a_wish_against_hard_links_is_contradicted() -> None:
    star, _ = noisy()
    links = Links.of_pairs([[0, 1]], hard=True) + Links.of_pairs([[0, 1]], must=False) + Links.of_pairs([[0, 1]])
    found = L1(2).fit(star, Constraints({"Author": links}), seed=0)
    assert found.trust["Author", "Author"].tolist() == [1.0, 0.0, 1.0]
    assert found.figures["contradicted links"] == 1


def test_a_node_without_relationships_goes_where_it_is_tied_to() -> None:
    star, truth = gallery.lonely()
    (arm,) = star.arms
    alone = int(np.flatnonzero(arm.block.count_nonzero(axis=1) == 0)[0])
    other = int(np.flatnonzero(truth["Author"] == 1)[0])
    pair = [[alone, other]]
    for hard in (True, False):
        found = L1(2).fit(star, Constraints({"Author": Links.of_pairs(pair, hard=hard)}), seed=0).labels["Author"]
        assert found[alone] == (found[other] if hard else UNPLACED)


def test_everything_tied_is_one_cluster() -> None:
    star, _ = gallery.islands()
    tied = Links.tying(Groups.of([range(13)]), hard=True)
    across = Links.between(Groups.of([range(13)]), Groups.of([range(9)]), [[0, 0]], hard=True)
    for k in (2, 3):
        found = L1(k).fit(star, Constraints({"Author": tied}, {("Author", "Venue"): across}), seed=0)
        assert found.n_clusters == 1


def test_networks_in_parts_take_links_across_them() -> None:
    star, truth = gallery.islands()
    firsts = [int(np.flatnonzero(truth["Author"] == each)[0]) for each in range(3)]
    known = Constraints({"Author": Links.of_pairs([firsts[:2]], weight=5.0)})
    found = L1(2).fit(star, known, seed=0)
    expected = np.minimum(truth["Author"], 1) if truth["Author"][firsts[2]] == 0 else truth["Author"] == 2
    assert metrics.ari(found.labels["Author"], np.asarray(expected).astype(np.int64)) == 1


def test_what_is_all_alike_stays_whole_without_links() -> None:
    assert L1(3).fit(gallery.full(), seed=0).n_clusters == 1
    assert L1(5).fit(gallery.islands()[0], seed=0).n_clusters == 3


def test_links_within_branches_are_inherited() -> None:
    scores = []
    for seed in range(4):
        star, truth = gallery.planted(150, 100, n_clusters=3, degree=8, noise=0.5, seed=seed)
        known, _ = told(truth["Author"], 150, 0.0, seed)
        fits = [L1(3).fit(star, each, seed=0) for each in (FREE, known)]
        scores.append([metrics.nmi(fit.labels["Author"], truth["Author"]) for fit in fits])
        assert fits[1].trust["Author", "Author"].shape == (150,)
    free, helped = np.mean(scores, axis=0)
    assert helped > free + 0.1


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"lam": -1.0}, r"^lam must be a number from 0 to 1e\+06, auto or path, was -1.0$"),
        ({"lam": "much"}, r"^lam must be a number from 0 to 1e\+06, auto or path, was 'much'$"),
        (
            {"solver": "dula"},
            r"^solver must be one of auto, dual, firstorder, cvxpy, was 'dula' \(did you mean 'dual'\?\)$",
        ),
        ({"groups": "member"}, r"^groups must be one of pairs, members, was 'member' \(did you mean 'members'\?\)$"),
    ],
)
def test_what_is_no_parameter_is_refused(params: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        L1(2, **params)  # type: ignore[arg-type]


def circles(seed: int, wrong: float, count: int = 150) -> tuple[Star, np.ndarray, Constraints]:
    """Return a graph of one kind, its circles, and links between half of its people, a share of them wrong."""
    star, truth = gallery.planted_graph(200, 2, degree=6, noise=0.5, seed=seed)
    return star, truth["Person"], wrong_links.told(truth["Person"], "Person", wrong, seed, count)


@pytest.mark.parametrize("k", [2, 3])
def test_a_path_shows_how_links_gain_upon_the_cut(k: int) -> None:
    star, _, known = circles(0, 0.2)
    found, usual = L1(k, lam="path").fit(star, known, seed=0), L1(k).fit(star, known, seed=0)
    assert np.array_equal(found.labels["Person"], usual.labels["Person"])
    assert [row["lambda"] for row in found.tried] == list(GRID)
    assert [row["lambda"] for row in found.tried if row["chosen"]] == [0.1]
    first, last = found.tried[0], found.tried[-1]
    assert first["cut"] < last["cut"]
    assert first["violated"] > last["violated"]
    assert first["contradicted"] > last["contradicted"]
    assert np.all(np.diff([row["objective"] for row in found.tried]) > -1e-9)  # as λ grows, so does what it weighs


def test_each_fit_of_a_path_is_as_good_as_one_from_the_beginning() -> None:
    star, _, known = circles(1, 0.2)
    for row in L1(2, lam="path").fit(star, known, seed=0).tried:
        alone = L1(2, lam=row["lambda"]).fit(star, known, seed=0)
        assert row["objective"] == pytest.approx(alone.figures["objective"], rel=0.02)


def test_the_weight_follows_links_that_are_right_and_no_others() -> None:
    chosen: dict[float, list[float]] = {wrong: [] for wrong in (0.0, 0.5, 1.0)}
    for wrong, weights in chosen.items():
        for seed in range(3):
            star, _, known = circles(seed, wrong, 300)
            found = L1(2, lam="auto").fit(star, known, seed=0)
            weights += [row["lambda"] for row in found.tried if row["chosen"]]
            assert all(0 <= row["held out met"] <= 1 for row in found.tried)
            again = align_labels(L1(2, lam=weights[-1]).fit(star, known, seed=0).labels, found.labels)["Person"]
            named = known.touched("Person", len(again))
            assert np.array_equal(found.labels["Person"][named], again[named])
    assert max(chosen[0.0]) >= 0.1
    assert max(chosen[1.0]) == 0
    assert np.median(chosen[0.5]) == 0


def test_without_links_or_with_too_few_there_is_nothing_to_choose() -> None:
    star, _, known = circles(0, 0.0, 5)
    for lam in ("auto", "path"):
        assert L1(2, lam=lam).fit(star, seed=0).tried == ()
    few = L1(2, lam="auto").fit(star, known, seed=0)
    assert [row["lambda"] for row in few.tried if row["chosen"]] == [0.01]
    assert "held out met" not in few.tried[0]


def test_with_too_few_links_to_tell_only_their_nodes_move() -> None:
    moved, held = 0, 0.0
    for seed in range(5):
        star, _, known = circles(seed, 0.0, 10)
        alone, found = L1(2).fit(star, seed=0), L1(2, lam="auto").fit(star, known, seed=0)
        changed = align_labels(found.labels, alone.labels)["Person"] != alone.labels["Person"]
        named = known.touched("Person", 200)
        assert not changed[~named].any()
        moved, held = moved + int(np.count_nonzero(changed)), held + found.figures["nodes held"]
    assert moved > 0
    assert held > 0


@pytest.mark.parametrize(("wrong", "warned"), [(0.0, 1), (1.0, 0)])  # links that are all wrong leave λ at 0
def test_it_is_said_only_of_the_fit_that_is_kept_that_it_did_not_settle(
    wrong: float, warned: int, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(bisect, "l1_cut", lambda *args, **named: l1_cut(*args, **named)._replace(converged=False))
    warnings.simplefilter("always")
    star, _, known = circles(2, wrong, 300)
    found = L1(2, lam="auto").fit(star, known, seed=0)
    assert found.converged is not bool(warned)
    assert [str(each.message) for each in recwarn] == [bisect.UNSETTLED] * warned


def test_links_of_several_splits_are_judged_by_all_of_them() -> None:
    star, truth = gallery.planted_graph(160, 4, degree=12, noise=0.05, seed=0)
    circle = [np.flatnonzero(truth["Person"] == number) for number in range(4)]
    right = Links.of_pairs([group[:2] for group in circle])
    apart = Links.of_pairs([[one[3], two[3]] for one, two in combinations(circle, 2)], must=False)
    wrong = Links.of_pairs([[one[5], two[5]] for one, two in combinations(circle, 2)], weight=0.1)
    found = L1(4).fit(star, Constraints({"Person": right + apart + wrong}), seed=0)
    assert metrics.ari(found.labels["Person"], truth["Person"]) == 1
    trust = found.trust["Person", "Person"]
    assert np.all(trust[:10] > 0.9)
    assert np.all(trust[10:] < 0.5)
    assert found.figures["contradicted links"] == np.count_nonzero(trust < 1)


@pytest.mark.parametrize("lam", [0.1, "path", "auto"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_soft_links_are_judged_where_hard_ones_tie_all_there_is(k: int, lam: float | str) -> None:
    star, truth = gallery.planted_graph(12, 2, degree=4, noise=0.0, seed=0)
    tied = Links.tying(Groups.of([range(len(truth["Person"]))]), hard=True)
    known = Constraints({"Person": tied + Links.of_pairs([[0, 1]]) + Links.of_pairs([[0, 2]], must=False)})
    found = L1(k, lam=lam).fit(star, known, seed=0)  # type: ignore[arg-type]
    assert not found.labels["Person"].any()
    assert found.trust["Person", "Person"].tolist() == [1, 1, 0]
    assert [row["violated"] for row in found.tried] == [1] * len(found.tried)
