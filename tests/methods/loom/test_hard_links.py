"""Loom with hard links: what they tie stays together, what they part is parted wherever that can be."""

from itertools import product
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Bools, Labels
from graphmine.errors import ConstraintError
from graphmine.methods.loom.coloring import Exclusions
from graphmine.methods.loom.hard_links import HardLinks
from graphmine.methods.loom.loom import Loom
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import Constraints, Groups, Links, Nodes, Relation, Star

Edges = set[tuple[int, int]]


def star_of(block: csr_array) -> Star:
    n_rows, n_cols = block.shape
    return Star((Relation(Nodes("Row", range(n_rows)), Nodes("Col", range(n_cols)), block),))


def exclusions(links: Links, n: int) -> Exclusions:
    """Return what cannot-links between n rows say, a component a row that any of them names."""
    constraints = Constraints({"Row": links})
    star = star_of(csr_array(np.ones((n, 1))))
    return HardLinks.of(constraints, UnitGraph.of(star, constraints, np.random.default_rng(0))).exclusions


def drawn(rng: np.random.Generator, n: int) -> tuple[Links, Edges]:
    """Return hard cannot-links of pairs, between groups and inside one, and all the pairs they stand for."""
    every = [(i, j) for i in range(n) for j in range(i)]
    pairs = [pair for pair in every if rng.random() < rng.uniform(0.2, 1)]
    links, edges = Links.of_pairs(pairs, must=False, hard=True), {(j, i) for i, j in pairs}
    first = rng.permutation(n)[: rng.integers(1, 4)]
    second = np.setdiff1d(rng.permutation(n)[: rng.integers(1, 4)], first)
    loop = rng.permutation(n)[: rng.integers(1, 4)]
    if rng.random() < 0.5:
        links += Links.parting(Groups.of([first, second]), hard=True)
        edges |= {(min(i, j), max(i, j)) for i, j in product(first.tolist(), second.tolist())}
    if rng.random() < 0.5:
        links += Links.tying(Groups.of([loop]), must=False, hard=True)
        edges |= {(i, j) for i, j in product(loop.tolist(), repeat=2) if i < j}
    return links, edges


def colourings(n: int, k: int, edges: Edges) -> Labels:
    """Return all ways to put n nodes into k clusters without a clash, by trying them all."""
    every = np.array(list(product(range(k), repeat=n)))
    ends = np.array(sorted(edges))
    apart: Bools = (every[:, ends[:, 0]] != every[:, ends[:, 1]]).all(axis=1)
    return np.asarray(every[apart], dtype=np.int64)


@given(st.integers(0, 2**32 - 1), st.integers(2, 7), st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_what_can_be_parted_is_parted(seed: int, n: int, k: int) -> None:
    """Of 3,000 drawn networks of that size all that have a colouring were given one."""
    rng = np.random.default_rng(seed)
    links, edges = drawn(rng, n)
    constraints = Constraints({"Row": links})
    apart = HardLinks.of(constraints, UnitGraph.of(star_of(csr_array(np.ones((n, 1)))), constraints, rng))
    scores, present = rng.normal(size=(n, k)), rng.integers(k, size=n)
    labels = apart.best_labels(0, [scores, None], [present, np.zeros(1, dtype=np.int64)])[0]
    assert set(labels.tolist()) <= set(range(k))
    if edges and len(colourings(n, k, edges)):
        assert all(labels[i] != labels[j] for i, j in edges)


def test_what_is_parted_is_nearly_as_well_off_as_can_be() -> None:
    """Of what the best of all ways is better than the mean of them a hundredth or so is lost."""
    rng = np.random.default_rng(0)
    lost: list[float] = []
    while len(lost) < 100:
        links, edges = drawn(rng, 6)
        ways = colourings(6, 3, edges) if edges else np.empty((0, 6), dtype=np.int64)
        if not len(ways):
            continue
        named = np.unique(np.array(sorted(edges)))
        scores = rng.normal(size=(6, 3))
        wanted = scores.argmax(axis=1)
        found = exclusions(links, 6).coloring(scores[named], wanted[named], wanted[named])
        worth = scores[named, ways[:, named]].sum(axis=1)
        assert (ways[:, named] == found).all(axis=1).any()
        lost.append(float(worth.max() - scores[named, found].sum()) / max(float(worth.max() - worth.mean()), 1e-9))
    assert np.mean(lost) < 0.03


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_a_clique_of_as_many_as_there_are_clusters_has_one_each(k: int) -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=6, noise=0.3, seed=k)
    for links in (
        Links.tying(Groups.of([range(k)]), must=False, hard=True),
        Links.parting(Groups.of([[each] for each in range(k)]), hard=True),
        Links.of_pairs([(i, j) for i in range(k) for j in range(i)], must=False, hard=True),
    ):
        labels = Loom(k).fit(star, Constraints({"Author": links}), seed=0).labels["Author"]
        assert len(set(labels[:k].tolist())) == k


def test_more_that_exclude_each_other_than_clusters_are_spread_as_far_as_they_go() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=6, noise=0.3, seed=0)
    links = Links.tying(Groups.of([range(30)]), must=False, hard=True)
    labels = Loom(3).fit(star, Constraints({"Author": links}), seed=0).labels["Author"]
    assert set(labels[:30].tolist()) == {0, 1, 2}


@pytest.mark.parametrize("seed", range(3))
def test_hard_links_of_all_sorts_hold_whatever_the_network_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    star, _ = gallery.planted(80, 50, n_clusters=4, degree=5, noise=0.6, seed=seed)
    hidden = {"Author": rng.integers(4, size=80), "Venue": rng.integers(4, size=50)}
    authors, venues = (Groups.by_value(np.where(rng.random(len(own)) < 0.4, own, -1)) for own in hidden.values())
    equal = [[number, number] for number in range(4)]
    unlike = [[one, other] for one in range(4) for other in range(4) if one != other]
    constraints = Constraints(
        {"Author": Links.tying(authors, hard=True), "Venue": Links.tying(venues, hard=True)},
        {("Author", "Venue"): Links.between(authors, venues, equal, hard=True)},
    )
    parted = Constraints(
        {"Author": Links.parting(authors, hard=True)},
        {("Author", "Venue"): Links.between(authors, venues, unlike, must=False, hard=True)},
    )
    for given_links in (constraints, constraints + parted):
        found = Loom(4).fit(star, given_links, seed=seed).labels
        clusters = [
            {*found["Author"][authors[number]].tolist(), *found["Venue"][venues[number]].tolist()}
            for number in range(4)
        ]
        assert all(len(each) == 1 for each in clusters)
    assert len(set.union(*clusters)) == 4


def test_known_classes_of_a_tenth_of_the_nodes_are_found_again() -> None:
    star, truth = gallery.planted(400, 300, n_clusters=4, degree=10, noise=0.7, seed=0)
    known = np.random.default_rng(0).random(400) < 0.1
    groups = Groups.by_value(np.where(known, truth["Author"], -1))
    links = Links.tying(groups, hard=True) + Links.parting(groups, hard=True)
    free, found = (
        Loom(4).fit(star, constraints, seed=0).labels["Author"]
        for constraints in (Constraints(), Constraints({"Author": links}))
    )
    assert metrics.ari(found[known], truth["Author"][known]) == 1.0
    assert metrics.nmi(found[~known], truth["Author"][~known]) > metrics.nmi(free[~known], truth["Author"][~known])


def test_contradictions_are_refused() -> None:
    star, _ = gallery.islands()
    links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    with pytest.raises(ConstraintError, match=r"^Author 'a00' and Author 'a02' .*"):
        Loom(2).fit(star, Constraints({"Author": links}))


@pytest.mark.parametrize("k", [1, 2, 5])
def test_all_nodes_of_a_kind_can_be_one(k: int) -> None:
    star, _ = gallery.planted(40, 30, n_clusters=3, degree=6, noise=0.3, seed=0)
    authors = Links.tying(Groups.of([range(40)]), hard=True)
    venues = Links.tying(Groups.of([range(30)]), hard=True)
    tie = {("Author", "Venue"): Links.of_pairs([[3, 4]], hard=True, across=True)}
    for constraints in (Constraints({"Author": authors}), Constraints({"Author": authors, "Venue": venues}, tie)):
        found = Loom(k).fit(star, constraints, seed=0)
        assert set(found.labels["Author"].tolist()) == {0}
        assert np.isfinite(found.trace).all()
    assert set(found.labels["Venue"].tolist()) == {0}


@pytest.mark.parametrize("k", [2, 3, 5])
def test_many_pairs_are_parted_without_losing_the_clusters(k: int) -> None:
    star, truth = gallery.planted(2000, 400, n_clusters=k, degree=10, noise=0.5, seed=0)
    pairs = np.random.default_rng(0).integers(2000, size=(12_000, 2))
    pairs = pairs[truth["Author"][pairs[:, 0]] != truth["Author"][pairs[:, 1]]][:3000]
    constraints = Constraints({"Author": Links.of_pairs(pairs, must=False, hard=True)})
    free, found = (Loom(k).fit(star, each, seed=0).labels["Author"] for each in (Constraints(), constraints))
    assert np.all(found[pairs[:, 0]] != found[pairs[:, 1]])
    assert metrics.nmi(found, truth["Author"]) > metrics.nmi(free, truth["Author"]) + 0.02


def test_a_hundred_thousand_pairs_are_coloured_in_seconds() -> None:
    rng, n, k = np.random.default_rng(0), 50_000, 5
    truth = rng.integers(k, size=n)
    pairs = rng.integers(n, size=(150_000, 2))
    pairs = pairs[truth[pairs[:, 0]] != truth[pairs[:, 1]]][:100_000]
    scores = rng.normal(size=(n, k))
    scores[np.arange(n), truth] += 2.0
    constraints = Constraints({"Row": Links.of_pairs(pairs, must=False, hard=True)})
    apart = HardLinks.of(constraints, UnitGraph.of(star_of(csr_array(np.ones((n, 1)))), constraints, rng))
    started = process_time()
    labels = apart.best_labels(0, [scores, None], [np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)])[0]
    assert process_time() - started < 10
    assert np.all(labels[pairs[:, 0]] != labels[pairs[:, 1]])
    assert np.mean(labels == truth) > np.mean(scores.argmax(axis=1) == truth) + 0.05
