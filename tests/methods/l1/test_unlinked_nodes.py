"""Where L1 leaves nodes without links: as the graph alone has them, unless they surely move."""

import numpy as np
import pytest

from graphmine import metrics
from graphmine.methods.l1.l1 import L1
from graphmine.methods.l1.unlinked_nodes import confirm_by_halves, hold_unlinked
from graphmine.methods.labels import align_labels
from graphmine.model import UNPLACED, Clustering, Constraints, Groups, Links
from tests.wrong_links import NETWORKS, labelled, told

N = 60
KNOWN = Constraints({"Author": Links.of_pairs([[0, 1]])})


def halves(*moved: int, kind: str = "Author") -> Clustering:
    """Return two clusters of equal size, but for nodes that are in the other one."""
    labels = np.arange(N) % 2
    labels[list(moved)] ^= 1
    return Clustering({kind: labels})


def everywhere(kind: str = "Author") -> dict[str, np.ndarray]:
    return {kind: np.ones(N, dtype=np.bool_)}


def moves(found: Clustering, kind: str = "Author") -> list[int]:
    labels = align_labels({kind: found.labels[kind]}, halves(kind=kind).labels)[kind]
    return np.flatnonzero(labels != np.arange(N) % 2).tolist()


def test_a_dozen_steady_nodes_move() -> None:
    found = hold_unlinked(KNOWN, halves(), halves(*range(10, 22)), everywhere())
    assert moves(found) == list(range(10, 22))
    assert found.figures["nodes held"] == 0


def test_fewer_stay_and_are_counted() -> None:
    found = hold_unlinked(KNOWN, halves(), halves(*range(10, 21)), everywhere())
    assert moves(found) == []
    assert found.figures["nodes held"] == 11


def test_a_node_that_hidden_links_would_move_stays_while_others_go() -> None:
    steady = everywhere()
    steady["Author"][15] = False
    found = hold_unlinked(KNOWN, halves(), halves(*range(10, 23)), steady)
    assert moves(found) == [10, 11, 12, 13, 14, *range(16, 23)]
    assert found.figures["nodes held"] == 1


def test_nodes_with_links_move_whatever_others_do() -> None:
    found = hold_unlinked(KNOWN, halves(), halves(0, 1, 30), {"Author": np.zeros(N, dtype=np.bool_)})
    assert moves(found) == [0, 1]


def test_each_kind_is_looked_at_by_itself() -> None:
    def both(authors: Clustering, venues: Clustering) -> Clustering:
        return Clustering({**authors.labels, **venues.labels})

    free = both(halves(), halves(kind="Venue"))
    linked = both(halves(*range(10, 24)), halves(*range(5), kind="Venue"))
    found = hold_unlinked(KNOWN, free, linked, {**everywhere(), **everywhere("Venue")})
    assert moves(found) == list(range(10, 24))
    assert moves(found, "Venue") == []


def test_numbers_of_clusters_are_no_matter() -> None:
    swapped = Clustering({"Author": 1 - halves().labels["Author"]})
    assert moves(hold_unlinked(KNOWN, swapped, halves(0), everywhere())) == [0]


def test_where_the_graph_alone_has_no_such_clusters_the_fit_is_left_as_it_is() -> None:
    alone = Clustering({"Author": np.zeros(N, dtype=np.int64)})
    fit = halves(3)
    assert hold_unlinked(KNOWN, alone, fit, everywhere()) is fit


def test_with_groups_halves_have_to_agree_too() -> None:
    parts = [{"Author": np.arange(N) == number} for number in range(10)]
    steady, found = everywhere(), halves(*range(20, 34))
    asked: list[list[int]] = []

    def fit(known: Constraints) -> Clustering:
        asked.append(np.flatnonzero(known.touched("Author", N)).tolist())
        return halves(*range(20, 30)) if len(asked) == 1 else Clustering({"Author": 1 - found.labels["Author"]})

    groups = Constraints({"Author": Links.tying(Groups.of([range(10)]))})
    sure = confirm_by_halves(groups, parts, found, steady, fit)
    assert asked == [[1, 3, 5, 7, 9], [0, 2, 4, 6, 8]]
    assert np.flatnonzero(~sure["Author"]).tolist() == [30, 31, 32, 33]
    assert confirm_by_halves(KNOWN, parts, found, steady, fit) is steady
    assert confirm_by_halves(groups, [], found, steady, fit) is steady
    assert len(asked) == 2


@pytest.mark.parametrize("groups", ["pairs", "members"])
def test_wrong_labels_are_not_taken_for_right_because_they_are_followed(groups: str) -> None:
    """A greater λ makes more of the wrongly labelled follow their groups, and so met more pairs of hidden nodes."""
    for seed in range(3):
        star, truths = NETWORKS["graph, clear"](seed)
        known, _ = labelled(truths["Person"], "Person", 0.5, 0.3, seed)
        found = L1(2, lam="auto", groups=groups).fit(star, known, seed=0)
        assert next(row["lambda"] for row in found.tried if row["chosen"]) == 0


@pytest.mark.parametrize(
    ("network", "wrong", "seed"),
    [("graph, faint", 0.4, 1), ("two kinds", 0.0, 4), ("two kinds", 0.1, 4)],
)
def test_where_nodes_without_links_would_lose_they_do_not(
    network: str, wrong: float, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without holding, `lambda=auto` loses .05 to .27 of their NMI here."""
    star, truths = NETWORKS[network](seed)
    kind = star.centre.kind
    truth, known = truths[kind], told(truths[kind], kind, wrong, seed)
    named = known.touched(kind, len(truth))
    alone, found = L1(2).fit(star, seed=0), L1(2, lam="auto").fit(star, known, seed=0)
    monkeypatch.setattr("graphmine.methods.l1.l1.hold_unlinked", lambda _constraints, _alone, moved, _steady: moved)
    plain = L1(2, lam="auto").fit(star, known, seed=0)
    free, loose, safe = (
        metrics.nmi(np.where(named, UNPLACED, each.labels[kind]), truth) for each in (alone, plain, found)
    )
    assert loose < free - 0.02
    assert safe >= free - 0.02
    assert found.figures["nodes held"] > 0
