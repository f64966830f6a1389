"""Loom on stars: several relations around one kind, planted with the same clusters."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine import metrics
from graphmine.arrays import Ints
from graphmine.errors import ParameterError
from graphmine.methods.loom.loom import Loom
from graphmine.methods.loom.relation_weights import weigh_relations
from graphmine.methods.loom.start import place_by_centre
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star

Truth = dict[str, Ints]

ARMS: dict[str, int] = {"Author": 60, "Term": 40, "Venue": 30, "Reader": 20}


Arms = dict[str, tuple[int, float, float]]
"""The arms of a star: how many nodes, how many links a paper, and how many of these are noise."""

NOISY: dict[str, Arms] = {
    "many columns": {"Venue": (40, 8, 0.5), "Author": (1000, 3, 1.0)},
    "two of many columns": {"Venue": (40, 5, 0.3), "Author": (1000, 3, 1.0), "Reader": (600, 4, 1.0)},
    "three arms": {"Venue": (40, 8, 0.5), "Author": (200, 8, 0.9), "Term": (300, 6, 0.9), "Reader": (100, 8, 0.9)},
    "many links": {"Venue": (40, 5, 0.3), "Term": (500, 50, 1.0)},
}
"""One arm that says something, and others that say little."""


def planted(n_arms: int, noise: float = 0.1, *, n: int = 120, k: int = 4, seed: int = 0) -> tuple[Star, Truth]:
    """Return papers with eight links into each arm, all of their own field but for a share of noise."""
    return unlike({kind: (size, 8, noise) for kind, size in list(ARMS.items())[:n_arms]}, n=n, k=k, seed=seed)


def unlike(specified: Arms, *, n: int = 300, k: int = 3, seed: int = 0) -> tuple[Star, Truth]:
    """Return papers with arms that differ in their size, their links and their noise."""
    rng = np.random.default_rng(seed)
    truth: Truth = {"Paper": rng.permutation(np.arange(n) % k)}
    papers, arms = Nodes("Paper", range(n)), []
    for kind, (size, degree, noise) in specified.items():
        truth[kind] = rng.permutation(np.arange(size) % k)
        chance = np.where(truth["Paper"][:, None] == truth[kind], (1 - noise) * k, 0.0) + noise
        block = rng.poisson(degree * chance / size)
        arms.append(Relation(papers, Nodes(kind, range(size)), csr_array(block.astype(np.float64))))
    return Star(tuple(arms)), truth


def union(labels: Truth) -> Ints:
    return np.concatenate([labels[kind] for kind in sorted(labels)])


def agreement(found: Clustering, truth: Truth) -> float:
    """Return how well all kinds together, numbered alike, agree with what was planted."""
    return metrics.ari(union(dict(found.labels)), union(truth))


@pytest.mark.parametrize("n_arms", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_planted_stars_are_found(n_arms: int, seed: int) -> None:
    star, truth = planted(n_arms, seed=seed)
    found, again = (Loom(4).fit(star, seed=seed) for _ in range(2))
    assert agreement(found, truth) >= 0.95
    assert np.array_equal(union(dict(found.labels)), union(dict(again.labels)))
    assert found.trace == again.trace


@pytest.mark.parametrize("seed", range(3))
def test_more_relations_say_more(seed: int) -> None:
    star, truth = planted(3, noise=0.6, n=200, seed=seed)
    single = [Loom(4).fit(Star((arm,)), seed=0).labels["Paper"] for arm in star.arms]
    together = Loom(4).fit(star, seed=0).labels["Paper"]
    best = max(metrics.nmi(labels, truth["Paper"]) for labels in single)
    assert metrics.nmi(together, truth["Paper"]) > best + 0.1


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_nodes_and_of_relations_does_not_matter(seed: int) -> None:
    star, truth = planted(3, seed=seed)
    rng = np.random.default_rng(seed)
    places = {kind: rng.permutation(len(labels)) for kind, labels in truth.items()}
    nodes = {kind: Nodes(kind, place.tolist()) for kind, place in places.items()}
    arms = [
        Relation(nodes["Paper"], nodes[arm.cols.kind], arm.block[places["Paper"]][:, places[arm.cols.kind]])
        for arm in star.arms
    ]
    found, again = Loom(4).fit(star, seed=0), Loom(4).fit(Star(tuple(arms[::-1])), seed=0)
    moved = {kind: found.labels[kind][place] for kind, place in places.items()}
    assert metrics.ari(union(moved), union(dict(again.labels))) == 1.0


def test_an_arm_without_links_or_weight_is_as_good_as_none() -> None:
    star, _ = planted(2)
    first, second = star.arms
    alone = Loom(4).fit(Star((first,)), seed=0).labels
    empty = Relation(second.rows, second.cols, csr_array(second.block.shape))
    for other in (Star((first, empty)), Star((first, second), (1.0, 0.0)), Star((second, first), (0.0, 1.0))):
        found = Loom(4).fit(other, seed=0).labels
        assert all(np.array_equal(found[kind], alone[kind]) for kind in alone)
        assert np.all(found["Term"] == UNPLACED)


@pytest.mark.parametrize("case", NOISY)
def test_arms_that_say_little_do_not_outvote_one_that_says_much(case: str) -> None:
    lost = []
    for seed in range(4):
        star, truth = unlike(NOISY[case], seed=seed)
        found, alone = (Loom(3).fit(each, seed=seed).labels["Paper"] for each in (star, Star(star.arms[:1])))
        lost.append(metrics.ari(alone, truth["Paper"]) - metrics.ari(found, truth["Paper"]))
    assert np.mean(lost) < 0.02


def test_relations_without_structure_keep_next_to_nothing_of_their_weight() -> None:
    for case, arms in NOISY.items():
        star, truth = unlike(arms)
        graph = UnitGraph.of(star, FREE, np.random.default_rng(0))
        first, *others = [
            arm.weight for arm in weigh_relations(graph, place_by_centre(graph, truth["Paper"], 3), 3).arms
        ]
        assert first == 1.0
        assert max(others) < (0.6 if case == "three arms" else 0.1)


def test_relations_that_say_as_much_keep_their_weights() -> None:
    star, truth = planted(4, noise=0.5)
    graph = UnitGraph.of(Star(star.arms, (1.0, 2.0, 3.0, 0.5)), FREE, np.random.default_rng(0))
    labels = place_by_centre(graph, truth["Paper"], 4)
    assert [arm.weight for arm in weigh_relations(graph, labels, 4).arms] == [1.0, 2.0, 3.0, 0.5]
    single = UnitGraph.of(Star(star.arms[:1]), FREE, np.random.default_rng(0))
    assert weigh_relations(single, labels[:2], 4) is single


def test_weights_of_zero_alone_are_refused() -> None:
    star, _ = planted(2)
    with pytest.raises(ParameterError, match=r"^the weights of all relations that have links are 0; give one of them"):
        Loom(4).fit(Star(star.arms, (0.0, 0.0)))


@pytest.mark.parametrize("weights", [(1e-3, 1.0), (1.0, 1e-3)])
def test_a_relation_that_weighs_more_decides(weights: tuple[float, float]) -> None:
    star, truth = planted(2)
    other = np.random.default_rng(1).permutation(len(truth["Paper"]))
    first, second = star.arms[0], Relation(star.centre, star.arms[1].cols, star.arms[1].block[other])
    found, alone = (
        Loom(4).fit(each, seed=0).labels["Paper"]
        for each in (Star((first, second), weights), Star(((first, second)[int(np.argmax(weights))],)))
    )
    agrees = [metrics.nmi(found, truth["Paper"]), metrics.nmi(found, truth["Paper"][other])]
    assert int(np.argmax(agrees)) == int(np.argmax(weights))
    assert metrics.ari(found, alone) > 0.95


def test_relations_of_very_unlike_scales_count_alike() -> None:
    star, truth = planted(2)
    first, second = (
        Relation(arm.rows, arm.cols, arm.block * factor) for arm, factor in zip(star.arms, (1e200, 1e-200), strict=True)
    )
    found, same = Loom(4).fit(Star((first, second)), seed=0), Loom(4).fit(star, seed=0)
    assert agreement(found, truth) >= 0.95
    assert np.array_equal(union(dict(found.labels)), union(dict(same.labels)))


def test_a_kind_can_take_part_twice() -> None:
    star, truth = planted(2)
    wrote, used = star.arms
    reviewed = Relation(wrote.rows, wrote.cols, wrote.block[:, ::-1])
    del truth["Term"]
    assert agreement(Loom(4).fit(Star((wrote, wrote)), seed=0), truth) >= 0.95
    found = Loom(4).fit(Star((wrote, reviewed, used)), seed=0)
    assert {kind: len(labels) for kind, labels in found.labels.items()} == {"Paper": 120, "Author": 60, "Term": 40}
    assert metrics.nmi(found.labels["Paper"], truth["Paper"]) > 0.95


def test_nodes_without_links_are_left_out() -> None:
    star, truth = planted(2)
    first, second = (arm.block.toarray() for arm in star.arms)
    first[:10], second[:5] = 0, 0
    arms = (
        Relation(arm.rows, arm.cols, csr_array(block)) for arm, block in zip(star.arms, (first, second), strict=True)
    )
    labels = Loom(4).fit(Star(tuple(arms)), seed=0).labels["Paper"]
    assert np.array_equal(labels == UNPLACED, np.arange(120) < 5)
    assert metrics.nmi(labels[5:], truth["Paper"][5:]) > 0.95


def test_an_arm_of_fewer_nodes_than_clusters_does_no_harm() -> None:
    star, truth = planted(1)
    halves = [
        Relation(star.centre, Nodes(name, range(2)), csr_array(np.eye(2)[values]))
        for name, values in (("Even", truth["Paper"] % 2), ("Large", truth["Paper"] // 2))
    ]
    assert metrics.nmi(Loom(4).fit(Star((*star.arms, *halves)), seed=0).labels["Paper"], truth["Paper"]) > 0.95
    assert metrics.nmi(Loom(4).fit(Star(tuple(halves)), seed=0).labels["Paper"], truth["Paper"]) == pytest.approx(1.0)


@pytest.mark.parametrize("k", [1, 2, 30, 120])
def test_any_number_of_clusters_gives_labels(k: int) -> None:
    star, truth = planted(3)
    found = Loom(k).fit(star, seed=0)
    assert {kind: len(labels) for kind, labels in found.labels.items()} == {
        kind: len(labels) for kind, labels in truth.items()
    }
    assert all(labels.min() >= 0 and labels.max() < k for labels in found.labels.values())
    assert np.isfinite(found.trace).all()


def linked_arms(hard: bool, seed: int) -> float:
    """Return what links between the kinds of two arms gain; hard ones must hold."""
    star, truth = planted(2, noise=0.75, seed=seed)
    rng = np.random.default_rng(seed)
    same = np.argwhere(truth["Author"][:, None] == truth["Term"])
    halves = [
        Groups.by_value(np.where(rng.random(len(truth[kind])) < 0.5, truth[kind], -1)) for kind in ("Author", "Term")
    ]
    links = (
        Links.between(halves[0], halves[1], [[each, each] for each in range(4)], hard=True)
        if hard
        else Links.of_pairs(rng.permutation(same)[:150], across=True)
    )
    free, found = (
        Loom(4).fit(star, given, seed=0) for given in (FREE, Constraints(across={("Author", "Term"): links}))
    )
    if hard:
        for number in range(4):
            ends = found.labels["Author"][halves[0][number]], found.labels["Term"][halves[1][number]]
            assert len(np.unique(np.concatenate(ends))) == 1
    return agreement(found, truth) - agreement(free, truth)


@pytest.mark.parametrize("hard", [False, True])
def test_links_between_the_kinds_of_two_arms_help(hard: bool) -> None:
    assert np.mean([linked_arms(hard, seed) for seed in range(4)]) > 0.02


@pytest.mark.parametrize("hard", [False, True])
def test_links_on_the_kind_of_an_arm_help_the_centre(hard: bool) -> None:
    gains = []
    for seed in range(4):
        star, truth = planted(2, noise=0.75, seed=seed)
        groups = Groups.by_value(truth["Author"])
        links = Links.tying(groups, hard=hard) + Links.parting(groups, hard=hard)
        free, found = (Loom(4).fit(star, given, seed=0).labels for given in (FREE, Constraints({"Author": links})))
        before, after = (
            [metrics.nmi(labels[kind], truth[kind]) for kind in ("Paper", "Author")] for labels in (free, found)
        )
        gains.append(after[0] - before[0])
        assert after[1] > before[1]
        assert not hard or after[1] == pytest.approx(1.0)
    assert np.mean(gains) > 0.03
