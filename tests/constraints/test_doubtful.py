"""Links that the data speak against, by name, and how many of the doubts are right."""

from dataclasses import replace

import numpy as np
import pytest

from graphmine.constraints.doubtful import doubts
from graphmine.errors import ConstraintError
from graphmine.model import UNPLACED, Clustering, Constraints, Groups, Links, Nodes

NODES = {"Author": Nodes("Author", list("abcdefgh")), "Venue": Nodes("Venue", ["v", "w"])}
LABELS = {"Author": np.array([0, 0, 0, 1, 1, 1, 1, UNPLACED]), "Venue": np.array([0, 1])}


def judged(links: Links, trust: list[float], rules: tuple[str, ...] = ()) -> tuple[Constraints, Clustering]:
    return Constraints({"Author": links}, rules=rules), Clustering(
        LABELS, trust={("Author", "Author"): np.array(trust)}
    )


def test_pairs_are_told_by_their_keys_the_least_trusted_first() -> None:
    links = Links.of_pairs([[0, 1], [0, 3], [1, 2]], rule=0) + Links.of_pairs([[3, 4], [0, 4]], must=False, rule=1)
    found = doubts(*judged(links, [1.0, 0.5, 0.9, 0.1, 1.0], ("met", "rivals")), NODES).found
    assert [(each.key, each.other_key, each.must, each.broken, each.rule) for each in found] == [
        ("d", "e", False, True, "rivals"),
        ("a", "d", True, True, "met"),
        ("b", "c", True, False, "met"),
    ]
    assert [each.wrong for each in found] == [None] * 3


def test_a_bound_leaves_out_what_is_merely_strained() -> None:
    given = judged(Links.of_pairs([[0, 3], [1, 2]]), [0.5, 0.9])
    assert [each.trust for each in doubts(*given, NODES, below=0.6).found] == [0.5]
    assert not doubts(*given, NODES, below=0).found


def test_of_a_group_those_are_told_that_are_not_where_most_of_it_is() -> None:
    given = judged(Links.tying(Groups.of([[0, 3, 4, 5, 7]])), [0.7])
    (doubt,) = doubts(*given, NODES).found
    assert (doubt.key, doubt.other_key, doubt.trust, doubt.broken) == ("a", "d, e, f, … (4 nodes)", 0.7, True)


def test_members_have_a_trust_of_their_own_where_the_method_judges_them() -> None:
    """Two of seven are elsewhere, and the group as a whole is trusted; who is far from it is doubted first."""
    given, found = judged(Links.tying(Groups.of([range(7)])), [0.95])
    labels = {**LABELS, "Author": np.array([0, 0, 1, 0, 0, 1, 0, UNPLACED])}
    near = np.array([1.0, 0.2, 0.4, 1.0, 1.0, 0.1, 1.0, 1.0])  # the second is far off, but where the others are
    found = replace(found, labels=labels, belonging={"Author": near})
    assert [(each.key, each.trust) for each in doubts(given, found, NODES).found] == [("f", 0.1), ("c", 0.4)]
    assert [each.key for each in doubts(given, found, NODES, below=0.3).found] == ["f"]


def test_a_group_of_two_is_a_pair() -> None:
    given = judged(Links.tying(Groups.of([[0, 3]])), [0.2])
    found = doubts(*given, NODES, truth={"Author": np.array([1, 1, 1, 0, 0, 0, 0, 0])})
    assert [(each.key, each.other_key, each.wrong) for each in found.found] == [("a", "d", True)]
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_groups_that_must_be_apart_are_one_link() -> None:
    given = judged(Links.parting(Groups.of([[3, 4], [5, 6]])), [0.2])
    (doubt,) = doubts(*given, NODES).found
    assert (doubt.key, doubt.other_key, doubt.broken) == ("d, e", "f, g", True)
    met = judged(Links.parting(Groups.of([[0, 1], [5, 6]])), [0.2])
    assert not doubts(*met, NODES).found


def test_members_that_must_be_apart_make_no_pairs_with_themselves() -> None:
    """Of c, d and e two share a cluster: one pair of three."""
    given = judged(Links.tying(Groups.of([[2, 3, 4], [3, 4, 5]]), must=False), [0.2, 0.3])
    found = doubts(*given, NODES, truth=LABELS)
    assert [(each.key, each.broken, each.wrong) for each in found.found] == [("d, e, f", True, True)]
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_precision_and_recall_are_those_of_links_with_known_classes() -> None:
    links = Links.of_pairs([[0, 1], [0, 3], [1, 2], [2, 3]]) + Links.tying(Groups.of([[4, 5, 6, 0]]))
    truth = {"Author": np.array([0, 0, 1, 1, 1, 1, 1, -1])}
    found = doubts(*judged(links, [1.0, 0.5, 1.0, 0.4, 0.9]), NODES, truth=truth)
    # Wrong are a–d, b–c, which is trusted, and a in its group; c–d is doubted and right.
    assert [each.wrong for each in found.found] == [False, True, True]
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    nothing = doubts(*judged(links, [1.0] * 5), NODES, truth=truth)
    assert (nothing.found, nothing.precision, nothing.recall) == ((), None, 0.0)
    unknown = doubts(*judged(links, [0.5] * 5), NODES)
    assert (unknown.precision, unknown.recall) == (None, None)


def test_hard_links_are_beyond_doubt_and_links_across_kinds_are_not() -> None:
    hard = judged(Links.of_pairs([[0, 3]], hard=True), [0.0])
    assert not doubts(*hard, NODES).found
    across = Constraints(across={("Author", "Venue"): Links.of_pairs([[0, 1]], across=True)})
    found = doubts(across, Clustering(LABELS, trust={("Author", "Venue"): np.array([0.5])}), NODES).found
    assert [(each.kind, each.key, each.other_kind, each.other_key) for each in found] == [("Author", "a", "Venue", "w")]


def test_a_trust_of_other_links_is_refused() -> None:
    with pytest.raises(ConstraintError, match="has a trust for 2 links of Author with Author, and there are 1"):
        doubts(*judged(Links.of_pairs([[0, 3]]), [0.5, 0.5]), NODES)
