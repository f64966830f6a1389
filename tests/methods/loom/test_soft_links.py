"""Loom with soft links: what they are believed, what they say, and where they lead."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Labels
from graphmine.methods.loom.loom import Loom
from graphmine.methods.loom.soft_links import SoftLinks, belief
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star


def star_of(block: csr_array) -> Star:
    n_rows, n_cols = block.shape
    return Star((Relation(Nodes("Row", range(n_rows)), Nodes("Col", range(n_cols)), block),))


def wished(links: Links, n: int, rules: tuple[str, ...] = ()) -> SoftLinks:
    constraints = Constraints({"Row": links}, rules=rules)
    star = star_of(csr_array(np.ones((n, 2))))
    return SoftLinks.of(constraints, UnitGraph.of(star, constraints, np.random.default_rng(0)))


def drawn(truth: Labels, count: int, rng: np.random.Generator, *, same: bool | None) -> Labels:
    """Return pairs of one class, of two, or of any."""
    pairs = rng.integers(len(truth), size=(50 * count, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if same is not None:
        pairs = pairs[(truth[pairs[:, 0]] == truth[pairs[:, 1]]) == same]
    return np.asarray(pairs[:count], dtype=np.int64)


def complete(found: Clustering, star: Star, k: int) -> bool:
    """Return whether every node has a cluster, and every number is one."""
    labels = [found.labels[nodes.kind] for nodes in star.kinds]
    whole = all(len(own) == len(nodes) for own, nodes in zip(labels, star.kinds, strict=True))
    numbers = np.concatenate([np.asarray(found.trace), *found.trust.values()])
    return whole and bool(np.isfinite(numbers).all()) and all(own.min() >= 0 and own.max() < k for own in labels)


@pytest.mark.parametrize("seed", range(3))
def test_right_links_are_trusted_and_random_ones_are_not(seed: int) -> None:
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=12, noise=0.3, seed=seed)
    authors, rng = truth["Author"], np.random.default_rng(seed)
    links = (
        Links.of_pairs(drawn(authors, 100, rng, same=True), rule=0)
        + Links.of_pairs(drawn(authors, 100, rng, same=False), must=False, rule=1)
        + Links.of_pairs(drawn(authors, 100, rng, same=None), rule=2)
        + Links.of_pairs(drawn(authors, 100, rng, same=True), must=False, rule=3)
    )
    rules = ("friends", "rivals", "strangers", "wrong")
    found = Loom(4).fit(star, Constraints({"Author": links}, rules=rules), seed=0)
    trust = [float(found.trust["Author", "Author"][links.rule == rule].mean()) for rule in range(4)]
    # That two of four clusters differ is a third likelier for a right link than by chance, that they agree four times.
    assert trust[0] > 0.95
    assert trust[1] > 0.8
    assert max(trust[2:]) < 0.1


def test_within_a_rule_the_links_that_fit_are_trusted_more() -> None:
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=12, noise=0.3, seed=0)
    pairs = drawn(truth["Author"], 200, np.random.default_rng(0), same=None)
    pairs = np.concatenate([pairs, drawn(truth["Author"], 200, np.random.default_rng(1), same=True)])
    found = Loom(4).fit(star, Constraints({"Author": Links.of_pairs(pairs)}), seed=0)
    right = truth["Author"][pairs[:, 0]] == truth["Author"][pairs[:, 1]]
    trust = found.trust["Author", "Author"]
    most = 0.5 * 4 / (0.5 * 4 + 0.5)  # of a rule that is right half the time, where two of four clusters agree
    assert trust[right].mean() == pytest.approx(most, abs=0.1)
    assert trust[~right].mean() < 0.2


@given(st.lists(st.floats(0.0, 6.0), min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_the_trust_in_a_rule_is_the_likeliest_or_none(odds: list[float]) -> None:
    """It is that of Σ log(1 - π + π r) and of two pairs beside that are seen to be wrong, for which r is 0."""
    pairs = [[0, each] for each in range(1, len(odds) + 1)]
    soft_links, r = wished(Links.of_pairs(pairs), len(odds) + 1), np.array(odds)
    pi, each = soft_links.estimate_trust(r)

    def gain(share: float) -> float:
        return float(np.sum(np.log1p(share * (r - 1))))

    def unlikely(share: float) -> float:
        return -gain(share) - 2 * float(np.log1p(-share))

    best = minimize_scalar(unlikely, bounds=(1e-4, 1 - 1e-4), method="bounded")
    margin = float(np.log(max(np.sum((r - 1) ** 2), 1))) / 2
    if pi[0] > 1e-4:
        assert unlikely(float(pi[0])) <= unlikely(0.5) + 1e-12
        assert unlikely(float(pi[0])) == pytest.approx(float(best.fun), abs=0.05)
        assert gain(float(pi[0])) > margin
    else:
        assert pi[0] == 1e-4
        assert gain(float(best.x)) < margin + 0.1
    assert each == pytest.approx(pi[0] * r / (pi[0] * r + 1 - pi[0]), abs=1e-12)


def test_messages_are_those_of_the_formula() -> None:
    links = Links.of_pairs([[0, 1]], weight=2.0, rule=0) + Links.of_pairs([[0, 2]], must=False, weight=0.5, rule=1)
    soft_links = wished(links, 3, ("together", "apart"))
    p, told = np.array([0.5, 0.3, 0.2]), np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]])
    pi = np.array([0.6, 0.9])
    said = soft_links.messages(np.arange(2), told, pi, p)
    ours = [[1 - 0.6 + 0.6 * (a == b) / p[a] for b in range(3)] for a in range(3)]
    theirs = [[1 - 0.9 + 0.9 * (a != b) / (1 - 0.38) for b in range(3)] for a in range(3)]
    expected = [np.log(np.array(ours) ** 2.0 @ told[0]), np.log(np.array(theirs) ** 0.5 @ told[1])]
    assert said == pytest.approx(np.array(expected))


def test_the_odds_of_a_pair_are_those_of_the_formula() -> None:
    links = Links.of_pairs([[0, 1]]) + Links.of_pairs([[0, 2]], must=False)
    soft_links = wished(links, 3)
    p = np.array([0.6, 0.4])
    beliefs = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    odds = soft_links.odds(soft_links.at(0, [beliefs, beliefs]), soft_links.at(1, [beliefs, beliefs]), [p, p])
    together = 0.9 * 0.8 / 0.6 + 0.1 * 0.2 / 0.4
    apart = (1 - 0.9 * 0.3 - 0.1 * 0.7) / (1 - 0.36 - 0.16)
    assert odds == pytest.approx(np.array([together, apart]))


@pytest.mark.parametrize("n", [2, 3, 5, 100, 3000])
def test_groups_are_told_by_a_few_pairs_a_member(n: int) -> None:
    tied = wished(Links.tying(Groups.of([range(n)])), n + 3)
    assert len(tied) <= 2 * n
    assert set(tied.ends.ravel().tolist()) == set(range(n))
    assert tied.weight.sum() <= n * (n - 1) / 2 + 1e-9
    parted = wished(Links.parting(Groups.of([range(n), range(n, n + 3)])), n + 3)
    assert len(parted) <= 2 * max(n, 3)
    assert set(parted.ends[0].tolist()) == set(range(n))
    assert set(parted.ends[1].tolist()) == set(range(n, n + 3))
    assert np.all(tied.ends[0] != tied.ends[1])


def test_pairs_of_a_small_group_weigh_what_they_would_alone() -> None:
    group, pairs = (
        wished(links, 3) for links in (Links.tying(Groups.of([range(3)])), Links.of_pairs([[0, 1], [1, 2], [0, 2]]))
    )
    assert len(group) == len(pairs) == 3
    assert group.weight.tolist() == pairs.weight.tolist() == [1.0] * 3


def test_links_inside_a_hard_group_say_nothing_and_are_settled() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=8, noise=0.2, seed=0)
    links = (
        Links.tying(Groups.of([range(5)]), hard=True) + Links.of_pairs([[0, 1]]) + Links.of_pairs([[2, 3]], must=False)
    )
    found = Loom(3).fit(star, Constraints({"Author": links}), seed=0)
    assert found.trust["Author", "Author"].tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("rules", [(), ("known",)])
def test_links_help(rules: tuple[str, ...]) -> None:
    """Links of a rule, and links of none."""
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=10, noise=0.6, seed=0)
    authors, rng = truth["Author"], np.random.default_rng(0)
    links = Links.of_pairs(drawn(authors, 100, rng, same=True), rule=len(rules) - 1)
    links += Links.of_pairs(drawn(authors, 100, rng, same=False), must=False, rule=len(rules) - 1)
    free, found = (
        Loom(4).fit(star, constraints, seed=0).labels["Author"]
        for constraints in (FREE, Constraints({"Author": links}, rules=rules))
    )
    assert metrics.nmi(found, authors) > metrics.nmi(free, authors) + 0.05


def test_links_across_kinds_help() -> None:
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=10, noise=0.6, seed=0)
    same = np.argwhere(truth["Author"][:, None] == truth["Venue"])
    links = Links.of_pairs(np.random.default_rng(0).permutation(same)[:300], across=True)
    free, found = (
        Loom(4).fit(star, constraints, seed=0).labels["Author"]
        for constraints in (FREE, Constraints(across={("Author", "Venue"): links}))
    )
    assert metrics.nmi(found, truth["Author"]) > metrics.nmi(free, truth["Author"]) + 0.05


def test_links_that_are_all_wrong_change_next_to_nothing() -> None:
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=10, noise=0.5, seed=0)
    authors, rng = truth["Author"], np.random.default_rng(0)
    links = Links.of_pairs(drawn(authors, 200, rng, same=False), rule=0)
    links += Links.of_pairs(drawn(authors, 200, rng, same=True), must=False, rule=1)
    free, found = (
        Loom(4).fit(star, constraints, seed=0)
        for constraints in (FREE, Constraints({"Author": links}, rules=("one", "other")))
    )
    assert found.trust["Author", "Author"].max() < 0.01
    assert metrics.ari(found.labels["Author"], free.labels["Author"]) > 0.98


@pytest.mark.parametrize("noise", [0.5, 0.6, 0.65])
def test_links_at_chance_cost_next_to_nothing(noise: float) -> None:
    gains = []
    for seed in range(6):
        star, truth = gallery.planted(400, 300, n_clusters=4, degree=10, noise=noise, seed=seed)
        authors, rng = truth["Author"], np.random.default_rng(100 + seed)
        links = Links.of_pairs(drawn(authors, 100, rng, same=None), rule=0)
        links += Links.of_pairs(drawn(authors, 100, rng, same=None), must=False, rule=1)
        free, found = (
            Loom(4).fit(star, constraints, seed=seed).labels["Author"]
            for constraints in (FREE, Constraints({"Author": links}, rules=("one", "other")))
        )
        gains.append(metrics.nmi(found, authors) - metrics.nmi(free, authors))
    assert np.mean(gains) > -0.002
    assert min(gains) > -0.01


@pytest.mark.parametrize("seed", range(3))
def test_heavier_links_are_followed_further(seed: int) -> None:
    star, truth = gallery.planted(300, 200, n_clusters=4, degree=8, noise=0.5, seed=seed)
    rng = np.random.default_rng(seed)
    pairs = np.concatenate([drawn(truth["Author"], count, rng, same=same) for count, same in ((120, True), (40, None))])
    met = []
    for weight in (0.01, 1.0, 3.0):
        links = Links.of_pairs(pairs, weight=weight)
        labels = Loom(4).fit(star, Constraints({"Author": links}), seed=0).labels["Author"]
        met.append(float(np.mean(labels[pairs[:, 0]] == labels[pairs[:, 1]])))
    assert met[0] < met[1] < met[2]
    assert met[2] > met[0] + 0.2


def test_a_node_without_relationships_goes_where_its_must_links_lead() -> None:
    star, truth = gallery.planted(60, 40, n_clusters=3, degree=8, noise=0.1, seed=0)
    lonely = np.zeros((5, 40))
    wide = star_of(csr_array(np.vstack([star.arms[0].block.toarray(), lonely])))
    field = [np.flatnonzero(truth["Author"] == number)[:8] for number in range(3)]
    pairs = [[60 + number, int(mate)] for number in range(3) for mate in field[number]] + [[63, 60]]
    pairs += drawn(truth["Author"], 60, np.random.default_rng(0), same=True).tolist()
    labels = Loom(3).fit(wide, Constraints({"Row": Links.of_pairs(pairs)}), seed=0).labels["Row"]
    assert [int(labels[60 + number]) for number in range(3)] == [int(labels[field[number][0]]) for number in range(3)]
    assert labels[63] == labels[60]
    assert labels[64] == UNPLACED


ODD: dict[str, Links] = {
    "all in one group": Links.tying(Groups.of([range(40)])),
    "all apart": Links.tying(Groups.of([range(40)]), must=False),
    "together and apart": Links.tying(Groups.of([range(40)])) + Links.tying(Groups.of([range(40)]), must=False),
    "a pair both ways": Links.of_pairs([[0, 1]] * 9) + Links.of_pairs([[0, 1]] * 9, must=False),
    "the same again": Links.of_pairs([[0, 1], [1, 0]] * 50),
    "very heavy": Links.of_pairs([[0, 1], [2, 3]], weight=1e300) + Links.of_pairs([[0, 1]], must=False, weight=1e300),
    "very light": Links.of_pairs([[0, 1], [2, 3]], weight=1e-300),
    "a group of one": Links.parting(Groups.of([[0], [1, 2]])),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("k", [1, 2, 3, 20])
def test_odd_links_do_no_harm(odd: str, k: int) -> None:
    star, _ = gallery.planted(40, 30, n_clusters=3, degree=8, noise=0.3, seed=0)
    found = Loom(k).fit(star, Constraints({"Author": ODD[odd]}), seed=0)
    assert complete(found, star, k)
    assert found.trust["Author", "Author"].min() >= 0
    assert found.trust["Author", "Author"].max() <= 1


NETWORKS: dict[str, tuple[Star, int]] = {
    "disconnected": (star_of(csr_array(np.kron(np.eye(12), np.ones((2, 2))))), 3),
    "as many parts as clusters": (star_of(csr_array(np.kron(np.eye(12), np.ones((2, 2))))), 12),
    "more clusters than parts": (star_of(csr_array(np.kron(np.eye(12), np.ones((2, 2))))), 20),
    "equal rows": (star_of(csr_array(np.ones((24, 6)))), 3),
    "a giant hub": (star_of(csr_array(np.vstack([np.eye(23), np.full((1, 23), 1e6)]))), 4),
    "one cluster": (gallery.full(24, 5), 1),
}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("hard", [False, True])
def test_links_on_odd_networks(network: str, hard: bool) -> None:
    star, k = NETWORKS[network]
    kind = star.centre.kind
    pairs = np.random.default_rng(0).permutation(24).reshape(-1, 2)
    links = Links.of_pairs(pairs[:6], hard=hard)
    if k > 1:
        links += Links.of_pairs(pairs[6:], must=False, hard=hard)
    found = Loom(k).fit(star, Constraints({kind: links}), seed=0)
    assert complete(found, star, k)
    if hard:
        labels = found.labels[kind]
        assert np.array_equal(labels[links.left] == labels[links.right], links.must)


def papers(seed: int) -> tuple[Star, Labels, Labels]:
    """Return authors of papers of two authors each, half of them of different fields, where these appeared, who wrote.

    A paper is in a venue of the field of one of its authors, so that joint papers are no sign of a common field.
    """
    rng = np.random.default_rng(seed)
    truth, venues = np.arange(300) % 3, np.arange(30) % 3
    pairs = drawn(truth, 450, rng, same=None)
    field = truth[pairs[np.arange(len(pairs)), rng.integers(2, size=len(pairs))]]
    venue = np.array([rng.choice(np.flatnonzero(venues == each)) for each in field])
    rows, cols = pairs.T.ravel(), np.tile(venue, 2)
    block = csr_array((np.ones(len(rows)), (rows, cols)), shape=(300, 30))
    return star_of(block), truth, pairs


@pytest.mark.parametrize("seed", range(3))
def test_links_from_the_same_records_are_not_counted_twice(seed: int) -> None:
    """Co-authors are in the same venue by their paper, and seem to agree; without the common venues they do not."""
    star, truth, pairs = papers(seed)
    pairs = pairs[np.diff(star.arms[0].block.indptr)[pairs].min(axis=1) > 1]
    links = {"Row": Links.of_pairs(pairs, rule=0)}
    naive, aware = (
        Loom(3).fit(star, Constraints(links, rules=("co-authors",), repeats=frozenset(repeats)), seed=0)
        for repeats in ((), ("co-authors",))
    )
    assert naive.trust["Row", "Row"].mean() > 0.5
    assert aware.trust["Row", "Row"].mean() < naive.trust["Row", "Row"].mean() - 0.2
    linked = naive.labels["Row"] != UNPLACED
    scores = [metrics.nmi(found.labels["Row"][linked], truth[linked]) for found in (naive, aware)]
    assert scores[1] > scores[0]


def test_belief_of_large_scores_is_finite() -> None:
    found = belief(np.array([[1e300, -1e300], [-1e300, -1e300]]), np.array([0.5, 0.5]))
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(1.0)


def test_a_rule_of_few_links_has_to_earn_its_trust() -> None:
    one, many = (wished(Links.of_pairs([[0, each] for each in range(1, n + 1)]), n + 1) for n in (1, 50))
    assert one.estimate_trust(np.full(1, 3.0))[0][0] < 0.5 < many.estimate_trust(np.full(50, 3.0))[0][0]
