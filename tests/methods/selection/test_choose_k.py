"""The number of clusters is that of the planted structure, and 1 where there is none."""

from dataclasses import dataclass
from typing import ClassVar

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array

from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.gallery import davis, full, islands, lonely, planted, single_edge
from graphmine.linalg.triplets import Triplets
from graphmine.methods.base import Cost, Method, Traits
from graphmine.methods.catalog import CATALOG, method
from graphmine.methods.l1.l1 import L1
from graphmine.methods.loom.loom import Loom
from graphmine.methods.selection.choose_k import CHANCE, GAP, TIED, Choice, choice_record, choose_k
from graphmine.methods.spectral.scm import SCM
from graphmine.methods.spectral.sco import SCO
from graphmine.metrics import barber_modularity
from graphmine.model import Clustering, Constraints, Groups, Links, Nodes, Relation, Star
from graphmine.progress import Progress


@dataclass(frozen=True)
class Never(Method):
    """Takes any star, and must not be fitted."""

    n_clusters: int
    traits: ClassVar[Traits] = Traits("never", "Never", "nowhere", Cost(0, 0), max_arms=None, one_kind=True)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        raise AssertionError("nothing was to be fitted")


def star_of(block: csr_array) -> Star:
    rows, cols = Nodes("Author", range(block.shape[0])), Nodes("Venue", range(block.shape[1]))
    return Star((Relation(rows, cols, block),))


def nested() -> Star:
    """Return six fields in two areas: gaps and chance do not agree on their number, so that fits are compared."""
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(150), 16)
    field, share = rows % 6, rng.random(len(rows))
    beside, anywhere = field // 3 * 3 + rng.integers(3, size=len(rows)), rng.integers(6, size=len(rows))
    cols = rng.integers(10, size=len(rows)) * 6 + np.where(share < 0.45, field, np.where(share < 0.9, beside, anywhere))
    return star_of(csr_array((np.ones(len(rows)), (rows, cols)), shape=(150, 60)))


VAGUE = nested()


@pytest.mark.parametrize("k", [2, 3, 5, 8])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_planted_number_is_found_without_a_fit(k: int, seed: int) -> None:
    star, _ = planted(400, 200, n_clusters=k, degree=10, noise=0.2, seed=seed)
    choice = choose_k(star, Never, seed=seed)
    assert (choice.k, choice.why, choice.clustering) == (k, GAP, None)


@pytest.mark.parametrize("star", [planted(200, 100, 1, seed=seed)[0] for seed in range(5)] + [full(20, 15)])
def test_without_structure_there_is_one_cluster(star: Star) -> None:
    choice = choose_k(star, Never, seed=0)
    assert (choice.k, choice.why) == (1, CHANCE)


@pytest.mark.parametrize("star", [single_edge(), full(1, 5), full(5, 1)])
def test_the_smallest_networks_have_one_cluster(star: Star) -> None:
    assert choose_k(star, Never, seed=0).k == 1


def graph_of(graph: "nx.Graph[int]") -> Star:
    people = Nodes("Person", range(len(graph)))
    return Star.of(Relation(people, people, csr_array(nx.to_scipy_sparse_array(graph, weight=None))))


@pytest.mark.parametrize("graph", [nx.path_graph(40), nx.star_graph(30), nx.complete_bipartite_graph(10, 10)])
def test_two_sides_of_a_graph_of_one_kind_are_no_clusters(graph: "nx.Graph[int]") -> None:
    """Its links all go from one side to the other: as a block it would fall into two parts."""
    assert choose_k(graph_of(graph), Never, seed=0).k == 1


def test_parts_of_a_graph_of_one_kind_are_clusters_whether_it_has_sides_or_not() -> None:
    for part in (nx.complete_bipartite_graph(10, 10), nx.complete_graph(10)):
        assert choose_k(graph_of(nx.disjoint_union_all([part] * 3)), L1, seed=0).k == 3


def test_the_karate_club_splits_in_two() -> None:
    assert [choose_k(graph_of(nx.karate_club_graph()), L1, seed=seed).k for seed in range(3)] == [2] * 3


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("size", [(3, 3), (4, 2), (10, 10)])
def test_islands_are_clusters_of_their_own(count: int, size: tuple[int, int]) -> None:
    choice = choose_k(star_of(csr_array(block_diag([np.ones(size)] * count))), Loom, seed=0)
    assert choice.k == count


def test_unlike_islands_and_nodes_without_links() -> None:
    assert choose_k(islands()[0], Loom, seed=0).k == 3
    assert choose_k(lonely()[0], Loom, seed=0).k == 2


def test_crumbs_are_no_islands() -> None:
    star, _ = planted(400, 200, n_clusters=3, degree=10, noise=0.2, seed=4)
    crumbs = csr_array(block_diag([star.arms[0].block, *[np.ones((1, 1))] * 40]))
    assert choose_k(star_of(crumbs), Never, seed=0).k == 3


def test_a_method_may_be_named() -> None:
    assert choose_k(davis(), "loom", seed=0).k == choose_k(davis(), Loom, seed=0).k


def test_the_women_of_davis_are_two_circles() -> None:
    assert [choose_k(davis(), Loom, seed=seed).k for seed in range(5)] == [2] * 5


def test_hubs_do_not_hide_structure() -> None:
    """Great weights between popular nodes make chance look strong; bare pairs see through it."""
    star, _ = planted(400, 200, n_clusters=3, degree=10, noise=0.2, seed=2)
    block = star.arms[0].block.copy()
    block.data[:3] *= 200.0
    choice = choose_k(star_of(block), Loom, seed=0)
    weights = sum((row["singular_value"] or 0.0) > (row["chance_edge"] or 0.0) for row in choice.table)
    assert weights < 3
    assert choice.k == 3


def test_arms_of_a_star_speak_together() -> None:
    first, truth = planted(300, 150, n_clusters=4, degree=6, noise=0.2, seed=1)
    own = np.argsort(truth["Author"], kind="stable")
    rows, cols = np.repeat(own, 3), np.repeat(np.arange(40), 300 * 3 // 40 + 1)[: 300 * 3]
    terms = csr_array((np.full(900, 1e6), (rows, cols)), shape=(300, 40))
    second = Relation(first.centre, Nodes("Term", range(40)), terms)
    empty = Relation(first.centre, Nodes("Town", range(3)), csr_array((300, 3)))
    assert choose_k(Star((*first.arms, empty)), Never, seed=0).k == 4
    assert choose_k(Star((*first.arms, second), weights=(1.0, 0.0)), Never, seed=0).k == 4
    both = choose_k(Star((*first.arms, second), weights=(1.0, 0.3)), Never, seed=0)
    assert len(both.table) == 30
    with pytest.raises(ParameterError, match="SCO takes 1 relation, not a star of 2 arms"):
        choose_k(Star((*first.arms, second)), SCO, seed=0)


def test_fits_decide_by_modularity_where_spectra_do_not() -> None:
    choice = choose_k(VAGUE, Loom, seed=0)
    assert choice.why.startswith("of the fits with 2 to ")
    (arm,) = VAGUE.arms
    tried = {int(row["k"] or 0): row["modularity"] for row in choice.table if row["modularity"] is not None}
    for k, modularity in tried.items():
        labels = Loom(k).fit(VAGUE, seed=0).labels
        assert modularity == pytest.approx(barber_modularity(arm.block, labels["Author"], labels["Venue"]))
    assert len(tried) > 2
    assert choice.k == max(tried, key=lambda k: tried[k] or 0.0)
    assert choice.clustering is not None
    again = Loom(choice.k).fit(VAGUE, seed=0)
    assert all(np.array_equal(again.labels[kind], choice.clustering.labels[kind]) for kind in again.labels)


@pytest.mark.parametrize("name", CATALOG)
def test_every_method_can_be_asked(name: str) -> None:
    choice = choose_k(VAGUE, lambda k: method(name, n_clusters=k), seed=0)
    assert choice.clustering is not None
    assert choice.clustering.n_clusters <= choice.k
    assert 2 <= choice.k <= 6


def test_the_table_has_the_singular_values_of_the_normalised_block() -> None:
    star, _ = planted(30, 12, n_clusters=3, seed=3)
    block = star.arms[0].block.toarray()
    table = choose_k(star, Loom, seed=0).table
    rows, cols = block.sum(axis=1), block.sum(axis=0)
    scale = np.outer(rows + rows.mean(), cols + cols.mean()) ** -0.5
    values = np.linalg.svd(block * scale, compute_uv=False)
    assert [row["k"] for row in table] == list(range(1, 13))
    assert [row["singular_value"] for row in table] == pytest.approx(values, abs=1e-7)
    assert [row["gap"] for row in table[:-1]] == pytest.approx(-np.diff(values), abs=1e-7)
    assert table[-1]["gap"] is None
    ones = (block > 0).astype(np.float64)
    rows, cols = ones.sum(axis=1), ones.sum(axis=0)
    pairs = np.linalg.svd(ones * np.outer(rows + rows.mean(), cols + cols.mean()) ** -0.5, compute_uv=False)
    assert [row["pairs_value"] for row in table] == pytest.approx(pairs, abs=1e-7)


def test_the_same_seed_gives_the_same_choice_and_the_scale_of_weights_does_not_matter() -> None:
    first, again = (choose_k(VAGUE, Loom, seed=3) for _ in range(2))
    assert choice_record(first) == choice_record(again)
    large = star_of(VAGUE.arms[0].block * 2.0**1000)
    assert choose_k(large, Loom, seed=3).k == first.k


def test_most_is_the_most() -> None:
    star, _ = planted(400, 200, n_clusters=8, degree=10, noise=0.1, seed=0)
    choice = choose_k(star, Loom, seed=0, most=5)
    assert choice.k <= 5 == len(choice.table)
    assert choose_k(star, Never, seed=0, most=1).k == 1


@pytest.mark.filterwarnings("ignore:the cannot-links of")
def test_hard_cannot_links_need_clusters() -> None:
    star, _ = planted(200, 100, n_clusters=3, degree=10, noise=0.1, seed=0)
    apart = Links.parting(Groups.of([[0], [1], [2], [3], [4]]), hard=True)
    assert choose_k(star, SCM, seed=0).k == 3
    assert choose_k(star, SCM, Constraints({"Author": apart}), seed=0).k >= 5
    soft = Links.of_pairs([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]], must=False)
    assert choose_k(star, SCM, Constraints({"Author": soft}), seed=0).k == 3


@pytest.mark.parametrize("make", [SCM, Loom])
def test_what_hard_must_links_tie_is_one(make: type[SCM] | type[Loom]) -> None:
    star, _ = planted(200, 100, n_clusters=4, degree=10, noise=0.1, seed=0)
    sets = {"Author": 200, "Venue": 100}
    for kind, n_nodes in sets.items():
        whole = Constraints({kind: Links.tying(Groups.of([range(n_nodes)]), hard=True)})
        choice = choose_k(star, make, whole, seed=0)
        assert (choice.k, choice.why) == (1, TIED)
        halves = Groups.of([range(0, n_nodes, 2), range(1, n_nodes, 2)])
        assert choose_k(star, make, Constraints({kind: Links.tying(halves, hard=True)}), seed=0).k == 2
        assert choose_k(star, make, Constraints({kind: Links.tying(Groups.of([[0, 1]]), hard=True)}), seed=0).k == 4


def test_progress_is_told_and_ends() -> None:
    told: dict[str, tuple[int, int | None]] = {}

    def progress(what: str, done: int, total: int | None = None) -> None:
        told[what] = done, total

    choose_k(VAGUE, Loom, seed=0, progress=progress)
    assert told["spectra of chance"] == (20, 20)
    done, total = told["numbers of clusters"]
    assert done == total


def test_what_can_not_be_chosen_is_one_sentence() -> None:
    star = planted(seed=0)[0]
    with pytest.raises(ParameterError, match="most must be a whole number of at least 1, was 0"):
        choose_k(star, Loom, most=0)
    with pytest.raises(ParameterError, match="seed must be"):
        choose_k(star, Loom, seed=-1)
    with pytest.raises(DataError, match="no Author is linked to anything, so no number of clusters can be chosen"):
        choose_k(star_of(csr_array((3, 4))), Loom)
    with pytest.raises(ParameterError, match="takes a Star, not a Relation"):
        choose_k(star.arms[0], Loom)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"method must be one of .*did you mean 'loom'"):
        choose_k(star, "lom")
    with pytest.raises(ParameterError, match=r"^method_for_k must be the name .*; pass Loom, say, not Loom\(3\)$"):
        choose_k(star, Loom(3))  # type: ignore[arg-type]
    with pytest.raises(ConstraintError, match="SCO takes no constraints"):
        choose_k(star, SCO, Constraints({"Author": Links.of_pairs([[0, 1]])}))


def test_a_choice_is_recorded_as_plain_values() -> None:
    assert choice_record(Choice(2, GAP, ({"k": 1, "gap": None},))) == {
        "n_clusters": 2,
        "why": GAP,
        "tried": [{"k": 1, "gap": None}],
    }


@pytest.mark.filterwarnings("always:only 0 of")
def test_values_that_are_not_found_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Triplets(np.empty((150, 0)), np.empty(0), np.empty((60, 0)), converged=False)
    monkeypatch.setattr("graphmine.methods.selection.null_spectrum.leading_triplets", lambda *_, **__: nothing)
    with pytest.warns(RuntimeWarning, match="only 0 of (31|2) singular values converged"):
        choice = choose_k(VAGUE, Never, seed=0)
    assert (choice.k, choice.table[0]["singular_value"]) == (1, None)
