"""The weight of links is chosen by hidden ones, counted as a brute force would count them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmine import gallery
from graphmine.methods.selection.hidden_links import (
    links_met as _met,
    links_predicted as _foretold,
    without_hidden as _without,
)
from graphmine.methods.spectral.lcm import LCM
from graphmine.methods.spectral.row_only import RowOnly
from graphmine.methods.spectral.scm import SCM
from graphmine.methods.spectral.vcm import VCM
from graphmine.model import UNPLACED, Constraints, Groups, Links, Star
from tests.methods.dense import dense_links


def links_of(truth: np.ndarray, share: float, n_links: int, seed: int) -> Links:
    """Return pairs of the same class, but for a share that are any pairs."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(len(truth), size=(40 * n_links, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    right = pairs[truth[pairs[:, 0]] == truth[pairs[:, 1]]][: round((1 - share) * n_links)]
    return Links.of_pairs(np.vstack([right, pairs[: n_links - len(right)]]))


def authors(star: Star, links: Links) -> Constraints:
    return Constraints({star.centre.kind: links})


@pytest.mark.parametrize("make", [SCM, LCM, VCM, RowOnly])
def test_the_fit_is_that_of_the_weight_that_did_best(make: type[SCM]) -> None:
    star, truth = gallery.planted(200, 100, n_clusters=3, degree=8, noise=0.6, seed=0)
    constraints = authors(star, links_of(truth["Author"], 0.1, 200, seed=0))
    found = make(3, "auto").fit(star, constraints, seed=0)
    assert [record["delta"] for record in found.tried] == [0.3, 1.0, 3.0, 10.0, 30.0]
    assert all(0 <= record["by chance"] <= 1 and 0 <= record["held out met"] <= 1 for record in found.tried)
    gains = [record["held out met"] - record["by chance"] for record in found.tried]
    chosen = [record["chosen"] for record in found.tried]
    assert chosen == [each == int(np.argmax(gains)) for each in range(5)]
    best = make(3, found.tried[int(np.argmax(gains))]["delta"]).fit(star, constraints, seed=0)
    assert all(np.array_equal(found.labels[kind], best.labels[kind]) for kind in best.labels)
    assert found.trace == best.trace
    assert best.tried == ()
    again = make(3, "auto").fit(star, constraints, seed=0)
    assert again.tried == found.tried


def test_true_links_are_given_more_weight_than_random_ones() -> None:
    weights = []
    for share in (0.0, 1.0):
        chosen = []
        for seed in range(3):
            star, truth = gallery.planted(300, 150, n_clusters=3, degree=8, noise=0.6, seed=seed)
            constraints = authors(star, links_of(truth["Author"], share, 300, seed))
            tried = SCM(3, "auto").fit(star, constraints, seed=0).tried
            chosen += [record["delta"] for record in tried if record["chosen"]]
        weights.append(np.exp(np.mean(np.log(chosen))))
    assert weights[0] > 5 * weights[1]


@pytest.mark.parametrize("constraints", ["none", "few", "hard"])
def test_with_too_little_to_go_by_nothing_is_tried(constraints: str) -> None:
    star, truth = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.3, seed=1)
    given = {
        "none": Constraints(),
        "few": authors(star, Links.of_pairs([[0, 1], [2, 3]])),
        "hard": authors(star, Links.tying(Groups.by_value(truth["Author"]), hard=True)),
    }[constraints]
    found, usual = (SCM(3, delta).fit(star, given, seed=0) for delta in ("auto", 3.0))
    assert found.tried == ()
    assert all(np.array_equal(found.labels[kind], usual.labels[kind]) for kind in usual.labels)


def test_progress_and_warnings_are_those_of_one_fit() -> None:
    star, truth = gallery.planted(120, 60, n_clusters=2, degree=10, noise=0.5, seed=0)
    links = Links.parting(Groups.by_value(np.where(np.arange(120) < 60, truth["Author"], -1)), weight=1.0)
    told: list[tuple[str, int, int | None]] = []
    with pytest.warns(UserWarning, match=r"^the cannot-links of \d+ Author nodes") as caught:
        SCM(2, "auto").fit(
            star, authors(star, links), seed=0, progress=lambda what, done, total=None: told.append((what, done, total))
        )
    assert len(caught) == 1
    assert ("weights of links", 15, 15) in told
    assert told[-1] == ("k-means", 2, 2)


def random_case(seed: int) -> tuple[Constraints, dict[str, np.ndarray], dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    sets = Groups.of([[0, 1, 2, 3], [4, 5, 6]])
    within = Links.tying(sets, weight=[0.5, 2.0]) + Links.parting(sets, weight=0.7)
    within += Links.of_pairs([[0, 4], [7, 8], [8, 1]], weight=[1.0, 2.0, 3.0]) + Links.of_pairs([[2, 5]], must=False)
    across = Links.between(sets, Groups.of([[0, 1], [2]]), [[0, 0], [1, 1]]) + Links.of_pairs([[8, 3]], across=True)
    labels = {"Row": rng.integers(-1, 3, size=9), "Col": rng.integers(-1, 4, size=5)}
    hidden = {"Row": rng.random(9) < 0.4, "Col": rng.random(5) < 0.4}
    return Constraints({"Row": within}, {("Row", "Col"): across}), labels, hidden


def judged(C: np.ndarray, places: list[tuple[int, int]], ends: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return the weight of pairs with a hidden end, and of those that are equal; must-links count up, others down."""
    (one, gone), (other, lost) = ends[:2], ends[2:]
    sums = np.zeros(2)
    for i, j in places:
        if (gone[i] or lost[j]) and one[i] != UNPLACED and other[j] != UNPLACED:
            sums += [C[i, j], C[i, j] * (one[i] == other[j])]
    return sums


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_what_hidden_links_met_is_counted_pair_by_pair(seed: int) -> None:
    constraints, labels, hidden = random_case(seed)
    expected = np.zeros(2)
    for (first, second), links in constraints.items():
        sizes = len(labels[first]), len(labels[second])
        every = product(range(sizes[0]), range(sizes[1]))
        places = [(i, j) for i, j in every if i < j or first != second]
        for must, sign in ((True, 1), (False, -1)):
            C = np.abs(dense_links(links.only(links.must == must), *sizes))
            known, equal = judged(C, places, (labels[first], hidden[first], labels[second], hidden[second]))
            expected += [known, equal if sign > 0 else known - equal]
    np.testing.assert_allclose(_met(constraints, labels, hidden)[:2], expected, atol=1e-12)


def said(links: Links, ends: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return the weight of what links of groups say of hidden members, of what is so, and of what is by chance."""
    (one, gone), (other, lost) = ends[:2], ends[2:]
    sums = np.zeros(3)
    for left, right, must, weight in zip(links.left, links.right, links.must, links.weight, strict=True):
        sides = [
            (groups[-1 - unit] if unit < 0 else np.array([unit])).tolist()
            for unit, groups in ((left, links.groups), (right, links.right_groups))
        ]
        ways = [(sides[0], one, gone, sides[1], other, lost), (sides[1], other, lost, sides[0], one, gone)]
        for mine, own, away, theirs, their, apart in ways[:1] if links.others is None and left == right else ways:
            shown = [their[j] for j in theirs if not apart[j] and their[j] != UNPLACED]
            place = max(sorted(set(shown)), key=shown.count) if shown else None
            for i in mine:
                if away[i] and own[i] != UNPLACED and place is not None:
                    share = np.mean(own[own != UNPLACED] == place)
                    sums += weight * np.array([1, (own[i] == place) == must, share if must else 1 - share])
    return sums


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_what_is_said_of_hidden_members_is_counted_member_by_member(seed: int) -> None:
    constraints, labels, hidden = random_case(seed)
    expected = _met(constraints.select(lambda links: (links.left >= 0) & (links.right >= 0)), labels, hidden)
    for (first, second), links in constraints.items():
        some = links.only((links.left < 0) | (links.right < 0))
        expected = expected + said(some, (labels[first], hidden[first], labels[second], hidden[second]))
    np.testing.assert_allclose(_foretold(constraints, labels, hidden), expected, atol=1e-12)


def test_wrong_members_that_are_made_to_follow_foretell_nothing() -> None:
    """Three of nine are no members in truth: making them go where the group is tells nothing of the hidden ones."""
    known = Constraints({"Row": Links.tying(Groups.of([range(9)]))})
    hidden = {"Row": np.arange(12) < 2}
    free, forced = ({"Row": np.array([0, 0, 0, 0, 0, 0, *rest, 1, 1, 1])} for rest in ([1, 1, 1], [0, 0, 0]))
    assert _foretold(known, free, hidden)[:2].tolist() == _foretold(known, forced, hidden)[:2].tolist() == [2.0, 2.0]
    assert _met(known, forced, hidden)[1] > _met(known, free, hidden)[1]


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_hidden_nodes_lose_their_soft_links_and_no_others(seed: int) -> None:
    constraints, labels, hidden = random_case(seed)
    kept = constraints.within["Row"] + Links.of_pairs([[0, 8]], hard=True)
    shown = _without(Constraints({"Row": kept}, constraints.across), hidden)
    for kinds, links in shown.items():
        sizes = tuple(len(labels[kind]) for kind in kinds)
        soft = links.only(~links.hard)
        C = dense_links(constraints.within["Row"] if kinds[0] == kinds[1] else constraints.across[kinds], *sizes)
        C[hidden[kinds[0]]] = 0.0
        C[:, hidden[kinds[1]]] = 0.0
        np.testing.assert_allclose(dense_links(soft, *sizes), C, atol=1e-12)
    assert shown.within["Row"].only(shown.within["Row"].hard).right.tolist() == [8]
