"""What every method promises that takes a relation of a kind with itself, over graphs and several seeds."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array

from graphmine import gallery, metrics
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.methods.base import Method
from graphmine.methods.catalog import CATALOG, method
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star
from tests.methods.contract import methods_that

METHODS = CATALOG
"""The methods that the checks of a file run over."""
ANSWERED: dict[str, tuple[Callable[[], tuple[Star, gallery.TrueLabels]], int]] = {
    "two circles": (lambda: gallery.planted_graph(60, 2, degree=6, noise=0.1, seed=1), 2),
    "four circles": (lambda: gallery.planted_graph(120, 4, degree=10, noise=0.05, seed=2), 4),
    "apart": (lambda: gallery.planted_graph(40, 2, degree=5, noise=0, seed=3), 2),
}


def people(block: csr_array) -> Star:
    nodes = Nodes("Person", [f"p{number:03}" for number in range(block.shape[0])])
    return Star((Relation(nodes, nodes, block),))


def lonely() -> Star:
    """Return two triangles with a link between them, and two people who know nobody."""
    block = np.zeros((8, 8))
    for one, two in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]:
        block[one, two] = block[two, one] = 1
    return people(csr_array(block))


NETWORKS: dict[str, tuple[Callable[[], Star], int]] = {
    **{name: (lambda make=make: make()[0], k) for name, (make, k) in ANSWERED.items()},  # type: ignore[misc]
    "karate": (lambda: gallery.karate()[0], 2),
    "lonely": (lonely, 2),
    "a pair": (lambda: people(csr_array(np.eye(2)[::-1])), 2),
}

every_method = methods_that(lambda traits: traits.one_kind)
every_network = pytest.mark.parametrize("network", NETWORKS)
every_seed = pytest.mark.parametrize("seed", range(3))


def fitted(name: str, network: str, seed: int, constraints: Constraints = FREE) -> tuple[Star, Clustering]:
    make, k = NETWORKS[network]
    star = make()
    chosen: Method = method(name, n_clusters=k)
    return star, chosen.fit(star, constraints, seed=seed)


def wishes(star: Star, seed: int, hard: bool = False) -> Constraints:
    order = np.random.default_rng(seed).permutation(len(star.centre))
    tied = Links.tying(Groups.of([order[:3]]), hard=hard) + Links.of_pairs(order[3:5][None, :], weight=0.5)
    return Constraints({star.centre.kind: tied + Links.of_pairs(order[5:7][None, :], must=False, weight=0.5)})


@every_method
@every_network
@every_seed
def test_labels_are_complete_and_the_same_for_the_same_seed(name: str, network: str, seed: int) -> None:
    star, found = fitted(name, network, seed)
    _, again = fitted(name, network, seed)
    assert list(found.labels) == [star.centre.kind]
    labels = found.labels[star.centre.kind]
    assert np.array_equal(labels, again.labels[star.centre.kind])
    assert np.array_equal(labels != UNPLACED, np.diff(star.arms[0].block.indptr) > 0)
    assert sorted({*labels.tolist()} - {UNPLACED}) == list(range(found.n_clusters))
    assert 1 <= found.n_clusters <= NETWORKS[network][1]
    assert found.converged
    assert np.all(np.isfinite(found.trace))
    if network in ANSWERED:
        truth = ANSWERED[network][0]()[1]
        assert metrics.ari(labels, truth["Person"]) > 0.95


@every_method
@pytest.mark.parametrize("network", ["two circles", "four circles", "karate"])
@every_seed
def test_permuting_nodes_permutes_the_partition(name: str, network: str, seed: int) -> None:
    make, k = NETWORKS[network]
    star, constraints = make(), wishes(make(), seed)
    arm, order = star.arms[0], np.random.default_rng(seed).permutation(len(star.centre))
    place, links = np.argsort(order), constraints.within[star.centre.kind]
    nodes = Nodes(star.centre.kind, star.centre.keys.take(order))
    moved = replace(
        links,
        left=np.where(links.left >= 0, place[np.maximum(links.left, 0)], links.left),
        right=np.where(links.right >= 0, place[np.maximum(links.right, 0)], links.right),
        groups=Groups(links.groups.starts, place[links.groups.members]),
    )
    shuffled = Star((Relation(nodes, nodes, csr_array(arm.block[order][:, order])),))
    found = method(name, n_clusters=k).fit(star, constraints, seed=seed).labels[star.centre.kind]
    again = method(name, n_clusters=k).fit(shuffled, Constraints({nodes.kind: moved}), seed=seed).labels[nodes.kind]
    assert metrics.ari(again, found[order]) == 1.0


@every_method
@every_seed
def test_directions_and_what_nodes_have_with_themselves_do_not_count(name: str, seed: int) -> None:
    star, found = fitted(name, "karate", seed)
    block = star.arms[0].block
    upper = csr_array(np.triu(block.toarray()) + 5 * eye_array(34))
    one_way = Relation(star.centre, star.centre, upper)
    again = method(name, n_clusters=2).fit(Star((one_way,)), seed=seed)
    assert np.array_equal(again.labels["Member"], found.labels["Member"])


@every_method
@pytest.mark.parametrize("network", ["two circles", "four circles", "karate"])
@every_seed
def test_hard_must_links_are_never_broken(name: str, network: str, seed: int) -> None:
    make, _ = NETWORKS[network]
    constraints = wishes(make(), seed, hard=True)
    star, found = fitted(name, network, seed, constraints)
    group = constraints.within[star.centre.kind].groups[0]
    assert len(set(found.labels[star.centre.kind][group].tolist())) == 1


@every_method
def test_bad_input_is_one_sentence(name: str) -> None:
    with pytest.raises(DataError, match=r"^no Person is linked to any Person, so there is nothing to cluster"):
        method(name, n_clusters=1).fit(people(csr_array((3, 3))))
    with pytest.raises(DataError, match=r"^no Person is linked to any Person, so there is nothing to cluster"):
        method(name, n_clusters=1).fit(people(csr_array(np.eye(3))))
    with pytest.raises(ParameterError, match=r"^n_clusters must be at most 6, the number of Person nodes with links"):
        method(name, n_clusters=7).fit(lonely())
    across = Constraints(across={("Person", "Club"): Links.of_pairs([[0, 0]], across=True)})
    with pytest.raises(ConstraintError, match=r"^constraints are on Club nodes, and the star has only Person"):
        method(name, n_clusters=2).fit(lonely(), across)


def test_a_graph_among_other_relations_is_refused_by_all_and_none_sends_to_another_that_refuses_it() -> None:
    people, clubs = Nodes("Person", range(3)), Nodes("Club", ["chess"])
    met = Relation(people, people, csr_array(np.ones((3, 3)) - np.eye(3)))
    star = Star.of(met, Relation(people, clubs, csr_array(np.ones((3, 1)))))
    with pytest.raises(ParameterError, match=r"^L1 takes 1 relation, not a star of 2 arms; use one relation$"):
        method("l1", n_clusters=1).fit(star)
    with pytest.raises(ParameterError, match=r"not of Person with itself; use L1 for that alone$"):
        method("loom", n_clusters=1).fit(star)
