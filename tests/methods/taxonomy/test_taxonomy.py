"""Taxonomies: planted ones are found, every level is a partition of the one above it, and nothing small stops them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array

from graphmine import gallery
from graphmine.arrays import Ints
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import method
from graphmine.methods.loom.loom import Loom
from graphmine.methods.spectral.sco import SCO
from graphmine.methods.taxonomy.bisection import Bisection
from graphmine.methods.taxonomy.taxonomy import Taxonomy, taxonomy
from graphmine.metrics import nmi
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star, induced
from graphmine.progress import Progress

METHODS = ("loom", "s-co", "scm", "infor-co")
RELATION = st.tuples(st.integers(1, 12), st.integers(1, 9), st.floats(0.05, 0.9), st.integers(0, 10**6))


def small(rows: int, cols: int, density: float, seed: int) -> Star:
    return Star.of(_relation("Author", rows, "Venue", cols, density, seed))


def starred(rows: int, cols: int, density: float, seed: int) -> Star:
    """A star with a second relation, which is thin and soon empty."""
    venues = _relation("Author", rows, "Venue", cols, density, seed)
    return Star.of(venues, _relation("Author", rows, "Term", cols, density / 4, seed + 1), weights=[1, 2])


def _relation(one: str, rows: int, two: str, cols: int, density: float, seed: int) -> Relation:
    rng = np.random.default_rng(seed)
    block = np.where(rng.random((rows, cols)) < density, rng.integers(1, 5, (rows, cols)), 0)
    return Relation(Nodes(one, list(range(rows))), Nodes(two, list(range(cols))), csr_array(block))


def all_labels(found: Taxonomy) -> list[Ints]:
    return [np.concatenate(list(level.labels.values())) for level in found.levels]


def check_sound(star: Star, found: Taxonomy, n_leaves: int) -> None:
    """Every level is a partition that refines the one above, with the same numbers for what stays."""
    levels = all_labels(found)
    everywhere = levels[0] != UNPLACED
    assert [len(each) for each in found.levels[0].labels.values()] == [len(nodes) for nodes in star.kinds]
    for level in levels:
        assert np.array_equal(level != UNPLACED, everywhere)
        assert sorted(set(level[everywhere].tolist())) == list(range(1 + level.max(initial=-1)))
    for above, below in pairwise(levels):
        parents = {(one, two) for one, two in zip(below.tolist(), above.tolist(), strict=True) if one != UNPLACED}
        assert len(parents) == 1 + below.max()  # every cluster has one parent
        assert {(number, number) for number in set(above[everywhere].tolist())} <= parents  # which keeps its number
        assert not np.array_equal(above, below)
    assert 1 <= len(found.leaves) <= n_leaves
    assert [leaf.number for leaf in found.leaves] == list(range(len(found.leaves)))
    assert sum(leaf.size for leaf in found.leaves) == found.root.size == np.count_nonzero(everywhere)
    for branch in found.root.walk():
        if branch.children:
            larger, smaller = branch.children
            assert larger.size + smaller.size == branch.size
            assert larger.size >= smaller.size > 0
            assert larger.number == branch.number < smaller.number
            assert larger.level == smaller.level == branch.level + 1


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_planted_fields_and_their_topics_are_found(name: str, seed: int) -> None:
    star, (fields, topics) = gallery.nested(seed=seed)
    found = taxonomy(star, name, 4, seed=0)
    assert [level.n_clusters for level in found.levels] == [2, 4]
    for kind in ("Author", "Venue"):
        assert nmi(found.levels[0].labels[kind], fields[kind]) == pytest.approx(1)
        assert nmi(found.levels[1].labels[kind], topics[kind]) > 0.85
    check_sound(star, found, 4)


def test_a_star_is_split_by_all_its_relations() -> None:
    star, (fields, topics) = gallery.nested(seed=4)
    other = gallery.nested(seed=4)[0].arms[0]
    terms = Relation(other.rows, Nodes("Term", other.cols.keys), other.block)
    found = taxonomy(Star.of(*star.arms, terms), Loom, 4, seed=0)
    assert [level.n_clusters for level in found.levels] == [2, 4]
    assert nmi(found.levels[0].labels["Term"], fields["Venue"]) == pytest.approx(1)
    assert nmi(found.levels[1].labels["Author"], topics["Author"]) > 0.9


@settings(max_examples=40)
@given(RELATION, st.sampled_from(METHODS), st.integers(2, 9), st.integers(0, 3))
def test_levels_of_small_relations_are_partitions_that_nest(
    shape: tuple[int, int, float, int], name: str, n_leaves: int, seed: int
) -> None:
    star = small(*shape)
    try:
        found = taxonomy(star, name, n_leaves, seed=seed)
    except (DataError, ParameterError):  # only where the whole of it can not be split either
        with pytest.raises((DataError, ParameterError)):
            method(name, n_clusters=2).fit(star, seed=seed)
    else:
        check_sound(star, found, n_leaves)


@settings(max_examples=40)
@given(RELATION, st.integers(2, 9), st.integers(0, 3))
def test_levels_of_small_stars_are_partitions_that_nest(
    shape: tuple[int, int, float, int], n_leaves: int, seed: int
) -> None:
    star = starred(*shape)
    try:
        found = taxonomy(star, "loom", n_leaves, seed=seed)
    except (DataError, ParameterError):
        with pytest.raises((DataError, ParameterError)):
            Loom(2).fit(star, seed=seed)
    else:
        check_sound(star, found, n_leaves)


def test_the_first_level_is_the_fit_with_two_clusters() -> None:
    star = gallery.davis()
    flat, found = Loom(2).fit(star, seed=3), taxonomy(star, Loom, 5, seed=3)
    for kind, labels in flat.labels.items():
        assert np.array_equal(found.levels[0].labels[kind], labels)
    assert found.levels[0].trace == flat.trace


def test_more_leaves_only_add_splits() -> None:
    star = gallery.nested(240, 96, n_fields=4, seed=2)[0]
    few, many = (taxonomy(star, "s-co", n_leaves, seed=1) for n_leaves in (3, 7))
    splits = [
        {tuple(map(tuple, each.members.values())) for each in found.root.walk() if each.children}
        for found in (few, many)
    ]
    assert [len(each) for each in splits] == [2, 6]
    assert splits[0] < splits[1]


def test_the_heaviest_leaf_is_split_first() -> None:
    star = gallery.nested(200, 60, n_fields=3, seed=2)[0]
    found = taxonomy(star, "s-co", 5, seed=0)
    weight = {
        each.number: induced(star, each.members).arms[0].block.sum() for each in found.root.walk() if each.level == 1
    }
    split = {each.number for each in found.root.walk() if each.level == 1 and each.children}
    assert max(weight, key=lambda number: weight[number]) in split


def test_the_seed_decides_and_nothing_else() -> None:
    star = gallery.planted(60, 40, n_clusters=5, degree=3, noise=0.5, seed=1)[0]
    one, again, other = (all_labels(taxonomy(star, "infor-co", 8, seed=seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(*both) for both in zip(one, again, strict=True))
    assert len(one) != len(other) or not np.array_equal(one[-1], other[-1])
    assert len(taxonomy(star, "loom", 3).leaves) == 3  # without a seed as well


def test_weights_of_any_size_do() -> None:
    star, (_, topics) = gallery.nested(seed=1)
    (arm,) = star.arms
    heavy = Star.of(Relation(arm.rows, arm.cols, arm.block * 2e306))
    found = taxonomy(heavy, "loom", 4, seed=0)
    assert nmi(found.levels[-1].labels["Venue"], topics["Venue"]) == pytest.approx(1)


def test_what_has_no_structure_is_one_leaf() -> None:
    found = taxonomy(gallery.full(), "loom", 4, seed=0)
    assert [level.n_clusters for level in found.levels] == [1]
    assert (found.leaves, found.root.split) == ((found.root,), None)


def test_nodes_without_links_stay_without_a_place_on_all_levels() -> None:
    star, truth = gallery.lonely()
    found = taxonomy(star, "loom", 5, seed=0)
    for level in found.levels:
        for kind, labels in level.labels.items():
            assert np.array_equal(labels == UNPLACED, truth[kind] == UNPLACED)


def test_a_node_without_links_in_its_branch_follows_its_ties_or_the_larger_child() -> None:
    star, truth = gallery.islands()  # of 10, 7 and 5 nodes; the last author will have no link in the branch
    members = {kind: np.flatnonzero(labels < 2) for kind, labels in truth.items()}
    members["Author"] = np.append(members["Author"], 12)
    for tie, place in ((FREE, 0), (Constraints({"Author": Links.of_pairs([[12, 6]], hard=True)}), 1)):
        split = Bisection(star, tie, method("scm", n_clusters=2), seed=0).split((0,), members)
        assert split is not None
        assert [len(half["Author"]) for half in split.halves] == [6 + (place == 0), 4 + (place == 1)]
        assert 12 in split.halves[place]["Author"]


@pytest.mark.parametrize("name", ["loom", "scm"])
@pytest.mark.parametrize("seed", range(5))
def test_hard_must_links_hold_on_every_level(name: str, seed: int) -> None:
    star, _ = gallery.nested(60, 24, noise=0.3, seed=seed)
    rng = np.random.default_rng(seed)
    groups = Groups.of(np.split(rng.permutation(60)[:20], 5))
    across = Links.of_pairs([[rng.integers(60), rng.integers(24)]], hard=True, across=True)
    known = Constraints({"Author": Links.tying(groups, hard=True)}, {("Author", "Venue"): across})
    found = taxonomy(star, name, 6, known, seed=seed)
    check_sound(star, found, 6)
    for level in found.levels:
        for number in range(len(groups)):
            assert len(set(level.labels["Author"][groups[number]].tolist())) == 1
        assert level.labels["Author"][across.left[0]] == level.labels["Venue"][across.right[0]]


def test_cannot_links_that_one_split_can_not_meet_are_met_by_more() -> None:
    star, (_, topics) = gallery.nested(seed=1)
    one_each = [int(np.flatnonzero(topics["Author"] == topic)[0]) for topic in range(4)]
    known = Constraints({"Author": Links.tying(Groups.of([one_each]), must=False, hard=True)})
    found = taxonomy(star, "loom", 4, known, seed=0)
    assert len(set(found.levels[-1].labels["Author"][one_each].tolist())) == 4


@dataclass(frozen=True)
class Deaf(Method):
    """S-CO, which takes cannot-links and does not heed them."""

    n_clusters: int
    traits: ClassVar[Traits] = replace(SCO.traits, constraints=frozenset({"cannot"}))

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        return SCO(self.n_clusters).fit(star, seed=seed, progress=progress)


def test_cannot_links_that_no_split_heeds_do_not_change_the_order_of_splits() -> None:
    star, _ = gallery.nested(240, 96, n_fields=4, seed=2)
    plain = taxonomy(star, Deaf, 7, seed=0)
    smallest = min(plain.leaves, key=lambda leaf: len(leaf.members["Author"]))
    together = smallest.members["Author"][:3]
    known = Constraints({"Author": Links.tying(Groups.of([together]), must=False, hard=True)})
    found = taxonomy(star, Deaf, 7, known, seed=0)
    assert all(np.array_equal(*both) for both in zip(all_labels(plain), all_labels(found), strict=True))


def test_links_of_a_kind_that_has_no_relation_left_are_no_trouble() -> None:
    star, _ = gallery.nested(seed=1)
    author = star.centre
    one = csr_array(([1.0], ([0], [0])), shape=(len(author), 2))
    star = Star.of(*star.arms, Relation(author, Nodes("Term", ["x", "y"]), one))
    known = Constraints(
        {"Term": Links.of_pairs([[0, 1]], hard=True)},
        {("Author", "Term"): Links.of_pairs([[5, 0]], hard=True, across=True)},
    )
    found = taxonomy(star, "loom", 5, known, seed=0)
    check_sound(star, found, 5)
    for level in found.levels:
        assert level.labels["Term"][0] == level.labels["Term"][1] == level.labels["Author"][5] != UNPLACED


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"n_leaves": 1}, ParameterError, "n_leaves must be a whole number of at least 2, was 1"),
        ({"seed": -1}, ParameterError, "seed must be a whole number of at least 0, was -1"),
        ({"method_for_k": "lom"}, ParameterError, r"method must be one of .*did you mean 'loom'"),
        ({"method_for_k": Loom(3)}, ParameterError, r"pass Loom, say, not Loom\(3\)"),
        (
            {"star": gallery.single_edge()},
            ParameterError,
            "the network can not be split in two: n_clusters must be at most 1, the number of .* nodes with links",
        ),
        ({"star": small(3, 3, 0.0, 0)}, DataError, "no Author is linked to any Venue, so there is nothing to cluster"),
        (
            {"constraints": Constraints({"Author": Links.of_pairs([[0, 1]])}), "method_for_k": "s-co"},
            ConstraintError,
            "SCO takes no constraints",
        ),
    ],
)
def test_what_can_not_be_split(given: Mapping[str, object], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        taxonomy(**{"star": gallery.davis(), "method_for_k": "loom", "n_leaves": 3, **given})  # type: ignore[arg-type]
