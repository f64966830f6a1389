"""What every method promises, over the whole catalog, the gallery and several seeds.

A file that imports these checks and has other METHODS runs them over those; see `tests/methods/test_new_method.py`.
"""

import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Bools, Ints
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.methods.base import Method
from graphmine.methods.catalog import CATALOG, method
from graphmine.model import UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star
from tests.methods.contract import methods_that

Labels = Mapping[str, Ints]

METHODS = CATALOG
"""The methods that the checks of a file run over."""
SEEDS = range(4)
ORDERS = range(2)
"""Seeds of the orders that nodes are put in."""
ANSWERED: dict[str, tuple[Callable[[], tuple[Star, gallery.TrueLabels]], int]] = {
    "planted": (lambda: gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.1, seed=1), 3),
    "wide": (lambda: gallery.planted(30, 200, n_clusters=5, degree=60, noise=0.1, seed=2), 5),
    "heavy": (lambda: _reweighted(gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.1, seed=1), 2e307), 3),
    "islands": (gallery.islands, 3),
    "lonely": (gallery.lonely, 2),
}
NETWORKS: dict[str, tuple[Callable[[], Star], int]] = {
    **{name: (lambda make=make: make()[0], k) for name, (make, k) in ANSWERED.items()},  # type: ignore[misc]
    "davis": (gallery.davis, 2),
    "islands in two": (lambda: gallery.islands()[0], 2),
    "islands in five": (lambda: gallery.islands()[0], 5),
    "lonely in one": (lambda: gallery.lonely()[0], 1),
    "single edge": (gallery.single_edge, 1),
    "full": (gallery.full, 3),
}
# Everything within a part of the islands, and of a full block, is alike, so that finer clusters are arbitrary.
ARBITRARY = {"islands in five"}

every_method = methods_that(lambda _: True)
every_network = pytest.mark.parametrize("network", NETWORKS)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def _reweighted(known: tuple[Star, gallery.TrueLabels], factor: float) -> tuple[Star, gallery.TrueLabels]:
    (arm,), truth = known[0].arms, known[1]
    return Star((Relation(arm.rows, arm.cols, arm.block * factor),)), truth


def made(name: str, k: int) -> Method:
    return method(name, n_clusters=k)


@cache
def fitted(name: str, network: str, seed: int) -> tuple[Star, Clustering]:
    """Fit once for all tests that only look at the result."""
    make, k = NETWORKS[network]
    star = make()
    return star, made(name, k).fit(star, seed=seed)


def union(star: Star, labels: Labels) -> Ints:
    return np.concatenate([labels[nodes.kind] for nodes in star.kinds])


def linked(star: Star) -> Bools:
    block = star.arms[0].block
    return np.concatenate([block.count_nonzero(axis=1) > 0, block.count_nonzero(axis=0) > 0])


def same_partition(one: Ints, other: Ints) -> bool:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


@every_method
@every_network
def test_a_fit_is_complete_and_says_how_it_was_reached(name: str, network: str) -> None:
    for seed in SEEDS:
        star, found = fitted(name, network, seed)
        shape = {each.kind: len(each) for each in star.kinds}
        assert {kind: len(labels) for kind, labels in found.labels.items()} == shape, seed
        labels = union(star, found.labels)
        assert np.array_equal(labels != UNPLACED, linked(star)), seed
        sizes = np.bincount(labels[labels != UNPLACED])
        assert 1 <= len(sizes) <= NETWORKS[network][1], seed
        assert sizes.min() > 0, seed
        assert np.all(np.diff(sizes) <= 0), seed
        assert found.converged, seed
        assert found.trace, seed
        assert np.all(np.isfinite(found.trace)), seed
        assert 0 < found.seconds < 60, seed
        if network in ANSWERED:
            _, truth = ANSWERED[network][0]()
            assert same_partition(labels, union(star, truth)), seed


@every_method
@every_network
def test_same_seed_same_labels_and_inputs_are_left_alone(name: str, network: str) -> None:
    make, k = NETWORKS[network]
    star, block, chosen = make(), make().arms[0].block, made(name, k)
    again = chosen.fit(star, seed=0)
    _, first = fitted(name, network, 0)
    assert np.array_equal(union(star, first.labels), union(star, again.labels))
    assert first.trace == again.trace
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(star.arms[0].block, part), getattr(block, part))
    assert chosen == made(name, k)


@every_method
@pytest.mark.parametrize("network", sorted(NETWORKS.keys() - ARBITRARY))
def test_permuting_nodes_permutes_the_partition(name: str, network: str) -> None:
    for seed in ORDERS:
        star, found = fitted(name, network, seed)
        (arm,), rng = star.arms, np.random.default_rng(seed)
        rows, cols = rng.permutation(len(arm.rows)), rng.permutation(len(arm.cols))
        shuffled = Relation(
            Nodes(arm.rows.kind, arm.rows.keys.take(rows)),
            Nodes(arm.cols.kind, arm.cols.keys.take(cols)),
            csr_array(arm.block[rows][:, cols]),
        )
        again = made(name, NETWORKS[network][1]).fit(Star((shuffled,)), seed=seed)
        expected = np.concatenate([found.labels[arm.rows.kind][rows], found.labels[arm.cols.kind][cols]])
        assert same_partition(union(star, again.labels), expected), seed


@every_method
@every_network
def test_turning_the_relation_round_changes_nothing(name: str, network: str) -> None:
    star, found = fitted(name, network, 0)
    turned = Star((star.arms[0].transposed,))
    again = made(name, NETWORKS[network][1]).fit(turned, seed=0)
    assert network in ARBITRARY or same_partition(union(star, again.labels), union(star, found.labels))
    assert list(again.labels) == [nodes.kind for nodes in turned.kinds]


@every_method
@pytest.mark.parametrize("network", ["planted", "davis", "islands in two", "lonely"])
def test_no_constraints_equal_empty_constraints(name: str, network: str) -> None:
    star, free = fitted(name, network, 0)
    empty = Constraints(
        {star.centre.kind: Links()}, {(star.kinds[0].kind, star.kinds[1].kind): Links.of_pairs([], across=True)}
    )
    for constraints in (Constraints(), empty):
        found = made(name, NETWORKS[network][1]).fit(star, constraints, seed=0)
        assert np.array_equal(union(star, found.labels), union(star, free.labels))


def wishes(name: str, star: Star, seed: int, hard: bool = False) -> Constraints:
    """Return links that a method takes, within a kind and across, of pairs and of groups, without regard to truth."""
    rng, (rows, cols) = np.random.default_rng(seed), star.kinds
    taken = CATALOG[name].traits.constraints
    sets = rng.permutation(len(rows))
    within = Links.tying(Groups.of(np.array_split(sets, 3)[:2]), hard=hard, weight=0.3)
    within += Links.of_pairs(sets[-2:][None, :], weight=0.5)
    if "cannot" in taken:
        within += Links.parting(Groups.of([sets[:1], sets[-1:]]), weight=0.02)
    pair = [[int(rng.integers(len(rows))), int(rng.integers(len(cols)))]]
    across = Links.of_pairs(pair if "across" in taken else [], hard=hard, across=True)
    return Constraints({rows.kind: within}, {(rows.kind, cols.kind): across})


@cache
def fitted_to_wishes(name: str, network: str, seed: int) -> tuple[Star, Constraints, Clustering]:
    make, k = NETWORKS[network]
    star = make()
    constraints = wishes(name, star, seed)
    return star, constraints, made(name, k).fit(star, constraints, seed=seed)


WITH_WISHES = ["planted", "wide", "davis", "islands", "heavy"]

every_constrained = methods_that(lambda traits: "must" in traits.constraints)
every_wish = pytest.mark.parametrize("network", WITH_WISHES)


@every_constrained
@every_wish
def test_hard_must_links_are_never_broken(name: str, network: str) -> None:
    make, k = NETWORKS[network]
    for seed in SEEDS:
        star = make()
        constraints = wishes(name, star, seed, hard=True)
        labels = made(name, k).fit(star, constraints, seed=seed).labels
        rows, cols = (nodes.kind for nodes in star.kinds)
        links, across = constraints.within[rows], constraints.across[rows, cols]
        for unit in links.left[links.hard].tolist():
            assert len(set(labels[rows][links.groups[-1 - unit]].tolist())) == 1, seed
        assert np.array_equal(labels[rows][across.left], labels[cols][across.right]), seed


@every_constrained
@every_wish
def test_same_seed_same_labels_with_constraints(name: str, network: str) -> None:
    star, constraints, first = fitted_to_wishes(name, network, 0)
    again = made(name, NETWORKS[network][1]).fit(star, constraints, seed=0)
    assert np.array_equal(union(star, first.labels), union(star, again.labels))
    assert first.trace == again.trace


def _moved(links: Links, place: Ints, others: Ints | None = None) -> Links:
    right_place = place if others is None else others
    groups = Groups(links.groups.starts, place[links.groups.members])
    right_groups = None if links.others is None else Groups(links.others.starts, right_place[links.others.members])
    left, right = (
        np.where(units >= 0, where[np.maximum(units, 0)], units)
        for units, where in ((links.left, place), (links.right, right_place))
    )
    return replace(links, left=left, right=right, groups=groups, others=right_groups)


@every_constrained
@every_wish
def test_permuting_nodes_permutes_the_partition_with_constraints(name: str, network: str) -> None:
    for seed in ORDERS:
        star, constraints, found = fitted_to_wishes(name, network, seed)
        assert found.converged, seed
        assert np.all(np.isfinite(found.trace)), seed
        (arm,), rng = star.arms, np.random.default_rng(seed)
        rows, cols = rng.permutation(len(arm.rows)), rng.permutation(len(arm.cols))
        shuffled = Relation(
            Nodes(arm.rows.kind, arm.rows.keys.take(rows)),
            Nodes(arm.cols.kind, arm.cols.keys.take(cols)),
            csr_array(arm.block[rows][:, cols]),
        )
        kinds = arm.rows.kind, arm.cols.kind
        moved = Constraints(
            {kinds[0]: _moved(constraints.within[kinds[0]], np.argsort(rows))},
            {kinds: _moved(constraints.across[kinds], np.argsort(rows), np.argsort(cols))},
        )
        again = made(name, NETWORKS[network][1]).fit(Star((shuffled,)), moved, seed=seed).labels
        expected = np.concatenate([found.labels[kinds[0]][rows], found.labels[kinds[1]][cols]])
        assert metrics.ari(union(star, again), expected) == 1.0, seed


@every_constrained
@every_wish
def test_constraints_are_left_alone(name: str, network: str) -> None:
    make, k = NETWORKS[network]
    star, given, kept = make(), wishes(name, make(), 0, hard=True), wishes(name, make(), 0, hard=True)
    made(name, k).fit(star, given, seed=0)
    for ours, theirs in zip(
        (*given.within.values(), *given.across.values()), (*kept.within.values(), *kept.across.values()), strict=True
    ):
        for part in ("left", "right", "must", "hard", "weight", "rule"):
            assert np.array_equal(getattr(ours, part), getattr(theirs, part))
        assert np.array_equal(ours.groups.members, theirs.groups.members)


ONE_EACH: dict[str, tuple[Constraints, str]] = {
    "must": (Constraints({"Author": Links.of_pairs([[0, 1]])}), "must-links"),
    "cannot": (Constraints({"Author": Links.of_pairs([[0, 1]], must=False, weight=0.1)}), "cannot-links"),
    "across": (
        Constraints(across={("Author", "Venue"): Links.of_pairs([[0, 1]], across=True)}),
        "links across kinds",
    ),
    "order": (Constraints(order={"Author": np.arange(13)}), "orders"),
}


@methods_that(lambda traits: bool(traits.constraints))
@pytest.mark.parametrize("sort", ONE_EACH)
def test_constraints_of_a_sort_that_a_method_does_not_take_are_refused(name: str, sort: str) -> None:
    star, (constraints, words) = gallery.islands()[0], ONE_EACH[sort]
    if sort in CATALOG[name].traits.constraints:
        assert made(name, 2).fit(star, constraints, seed=0).n_clusters == 2
    else:
        with pytest.raises(
            ConstraintError, match=rf"^{CATALOG[name].__name__} takes no {words}; use a method that does or leave"
        ):
            made(name, 2).fit(star, constraints)


@methods_that(lambda traits: {"must", "across"} <= traits.constraints)
@pytest.mark.parametrize(
    ("constraints", "sentence"),
    [
        (
            Constraints({"Autor": Links.of_pairs([[0, 1]])}),
            r"^constraints are on Autor nodes, and the star has only Author, Venue \(did you mean 'Author'\?\)$",
        ),
        (
            Constraints(across={("Author", "Paper"): Links.of_pairs([[0, 1]], across=True)}),
            r"^constraints are on Paper nodes, and the star has only Author, Venue$",
        ),
        (
            Constraints({"Author": Links.of_pairs([[0, 13]])}),
            r"^a link names Author position 13, and there are 13 Author nodes$",
        ),
        (
            Constraints({"Author": Links.tying(Groups.of([[0, 99]]))}),
            r"^a link names Author position 99, and there are 13 Author nodes$",
        ),
        (
            Constraints({"Author": Links.tying(Groups.of([[0, -2]]))}),
            r"^a link names Author position -2, and there are 13 Author nodes$",
        ),
        (
            Constraints(across={("Venue", "Author"): Links.of_pairs([[9, 0]], across=True)}),
            r"^a link names Venue position 9, and there are 9 Venue nodes$",
        ),
    ],
)
def test_constraints_on_what_the_star_does_not_have_are_refused(
    name: str, constraints: Constraints, sentence: str
) -> None:
    with pytest.raises(ConstraintError, match=sentence):
        made(name, 2).fit(gallery.islands()[0], constraints)


@methods_that(lambda traits: not traits.constraints)
def test_constraints_are_refused_by_methods_that_take_none(name: str) -> None:
    star, _ = gallery.islands()
    for constraints in (
        Constraints({"Author": Links.of_pairs([[0, 1]])}),
        Constraints({"Venue": Links.of_pairs([[0, 1]], must=False)}),
        Constraints(across={("Author", "Venue"): Links.of_pairs([[0, 1]], across=True)}),
        Constraints(order={"Author": np.arange(13)}),
    ):
        with pytest.raises(ConstraintError, match="takes no constraints"):
            made(name, 2).fit(star, constraints)


@methods_that(lambda traits: traits.max_arms == 1)
def test_a_star_is_refused_by_bipartite_methods(name: str) -> None:
    (arm,) = gallery.islands()[0].arms
    other = Relation(arm.rows, Nodes("Term", ["graph"]), csr_array(np.ones((13, 1))))
    with pytest.raises(ParameterError, match="takes 1 relation, not a star of 2 arms"):
        made(name, 2).fit(Star((arm, other)))


@methods_that(lambda traits: not traits.one_kind)
def test_a_relation_of_a_kind_with_itself_is_refused(name: str) -> None:
    people = Nodes("Person", ["ann", "bob"])
    with pytest.raises(ParameterError, match=r"not of Person with itself; use L1 for that$"):
        made(name, 2).fit(Star((Relation(people, people, csr_array(np.ones((2, 2)))),)))


@every_method
def test_an_empty_relation_is_refused(name: str) -> None:
    sentence = r"^no Author is linked to any Venue, so there is nothing to cluster; check"
    for shape in ((3, 2), (0, 2), (3, 0), (0, 0)):
        rows, cols = Nodes("Author", ["a", "b", "c"][: shape[0]]), Nodes("Venue", ["v", "w"][: shape[1]])
        with pytest.raises(DataError, match=sentence):
            made(name, 1).fit(Star((Relation(rows, cols, csr_array(shape)),)))


@every_method
def test_too_many_clusters_are_refused(name: str) -> None:
    star, _ = gallery.lonely()
    assert made(name, 5).fit(star, seed=0).n_clusters <= 5
    with pytest.raises(
        ParameterError, match=r"^n_clusters must be at most 5, the number of Venue nodes with links, was 6$"
    ):
        made(name, 6).fit(star)


@every_method
def test_what_is_no_number_of_clusters_is_refused(name: str) -> None:
    for k in (0, -1, 2.0, True, "3", None):
        with pytest.raises(ParameterError, match=r"^n_clusters must be a whole number of at least 1, was"):
            method(name, n_clusters=k)


every_per_kind = methods_that(lambda traits: traits.k_per_kind)


@methods_that(lambda traits: not traits.k_per_kind)
def test_a_number_for_each_kind_is_refused_by_methods_that_take_one(name: str) -> None:
    with pytest.raises(ParameterError, match=r"^n_clusters must be a whole number of at least 1, was"):
        method(name, n_clusters={"Author": 2, "Venue": 2})


@every_per_kind
@every_seed
def test_each_kind_has_its_own_number_of_clusters(name: str, seed: int) -> None:
    star, _ = gallery.planted(60, 40, n_clusters=4, degree=12, noise=0.1, seed=3)
    given = {"Author": 4, "Venue": 2}
    chosen = method(name, n_clusters=given)
    found, again = (chosen.fit(star, seed=seed) for _ in range(2))
    assert np.array_equal(union(star, found.labels), union(star, again.labels))
    assert np.unique(found.labels["Author"]).tolist() == [0, 1, 2, 3]
    assert np.unique(found.labels["Venue"]).tolist() == [0, 1]
    given["Author"] = 3
    assert chosen == method(name, n_clusters={"Author": 4, "Venue": 2})


@every_per_kind
def test_the_same_number_means_partners_and_what_is_left_over_comes_last(name: str) -> None:
    star, truth = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.1, seed=1)
    for counts in ({"Author": 3, "Venue": 3}, {"Venue": 3, "Author": 3}):
        found = method(name, n_clusters=counts).fit(star, seed=0)
        assert same_partition(union(star, found.labels), union(star, truth))
    found = method(name, n_clusters={"Author": 5, "Venue": 3}).fit(star, seed=0)
    author, venue = found.labels["Author"], found.labels["Venue"]
    assert np.unique(author).tolist() == [0, 1, 2, 3, 4]
    assert np.unique(venue).tolist() == [0, 1, 2]
    block = star.arms[0].block.toarray()
    weights = np.array([[block[author == a][:, venue == b].sum() for b in range(3)] for a in range(3)])
    assert weights.argmax(axis=1).tolist() == [0, 1, 2]


@every_per_kind
@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"Author": 2}, r"^n_clusters is given for Author and not for Venue; give one for every kind$"),
        (
            {"Autor": 2, "Venue": 2},
            r"^n_clusters is given for Autor, and the star has only Author, Venue \(did you mean 'Author'\?\)$",
        ),
        (
            {"Author": 2, "Venue": 10},
            r"^n_clusters of Venue must be at most 9, the number of Venue nodes with links, was 10$",
        ),
    ],
)
def test_numbers_of_clusters_that_do_not_fit_the_star_are_refused(
    name: str, counts: dict[str, int], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        method(name, n_clusters=counts).fit(gallery.islands()[0])


@every_per_kind
@pytest.mark.parametrize("counts", [{}, {"Author": 0}, {"Author": 2, "Venue": 1.5}])
def test_what_is_no_number_for_each_kind_is_refused(name: str, counts: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match=r"^n_clusters (of \w+ )?must be a whole number"):
        method(name, n_clusters=counts)


@every_method
def test_what_is_no_seed_is_refused(name: str) -> None:
    for seed in (-1, 0.5, "x", True):
        with pytest.raises(ParameterError, match=r"^seed must be a whole number of at least 0, was"):
            made(name, 2).fit(gallery.davis(), seed=seed)  # type: ignore[arg-type]


@every_method
def test_without_a_seed_it_still_fits(name: str) -> None:
    star, truth = gallery.islands()
    assert same_partition(union(star, made(name, 3).fit(star).labels), union(star, truth))


@every_method
def test_progress_is_told(name: str) -> None:
    told: list[tuple[str, int, int | None]] = []
    made(name, 2).fit(gallery.davis(), seed=0, progress=lambda what, done, total=None: told.append((what, done, total)))
    assert told
    assert told[-1][1] == told[-1][2]


@every_method
def test_a_vast_block_is_never_made_dense(name: str) -> None:
    star, truth = gallery.vast()
    nnz, nodes = star.arms[0].nnz, 200_000
    tracemalloc.start()
    try:
        found = made(name, 4).fit(star, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A few copies of the block and of a Krylov space of twenty vectors; one dense row a node would be 80 GB.
    assert peak < 8 * (10 * nnz + 60 * nodes)
    assert metrics.nmi(union(star, found.labels), union(star, truth)) > 0.9
