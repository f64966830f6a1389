"""Cliques of cannot-links: those that are found are real, and how many clusters they need."""

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from graphmine.closure.cliques import clusters_needed, find_clique
from graphmine.closure.hard_links import closed
from graphmine.closure.resolve import resolve_conflicts
from graphmine.errors import ParameterError
from graphmine.model import Constraints, Groups, Links
from tests.closure.random_links import any_constraints, hard_pairs


@given(any_constraints(most=8), st.integers(1, 3))
def test_a_clique_is_real(constraints: Constraints, k: int) -> None:
    whole = resolve_conflicts(constraints, "drop-must")[0]
    found = find_clique(whole, k)
    parted = hard_pairs(closed(whole), must=False)
    assert len(set(found)) == len(found)
    assert len(found) in (0, k + 1)
    assert all(frozenset(pair) in parted for pair in combinations(found, 2))
    assert bool(found) == (clusters_needed(whole) > k)
    if k == 1:
        assert bool(found) == bool(parted)


def test_cliques_of_pairs_groups_and_members_are_found() -> None:
    pairs = Links.of_pairs(list(combinations(range(5), 2)), must=False, hard=True)
    tied = Links.of_pairs([[4, 9]], hard=True)
    members = Links.tying(Groups.of([range(20, 26)]), must=False, hard=True)
    classes = Links.parting(Groups.of([[30, 31], [32], [33, 34], [35]]), hard=True)
    across = Links.between(Groups.of([range(20, 26)]), Groups.of([[0]]), [[0, 0]], must=False, hard=True)
    for links, most in ((pairs + tied, 5), (members, 6), (classes, 4), (Links(), 0)):
        known = Constraints({"Author": links})
        assert [bool(find_clique(known, k)) for k in range(1, 8)] == [k < most for k in range(1, 8)]
        assert clusters_needed(known) == max(most, 1)
    both = Constraints({"Author": members}, {("Author", "Venue"): across})
    assert [len(find_clique(both, k)) for k in (6, 7)] == [7, 0]
    assert clusters_needed(both) == 7


def test_a_clique_needs_a_number_of_clusters() -> None:
    with pytest.raises(ParameterError, match=r"^k must be a whole number of at least 1, was 0$"):
        find_clique(Constraints(), 0)


def test_rooms_of_groups_of_several_kinds_are_their_own() -> None:
    authors = Links.tying(Groups.of([[0, 1], [4, 5, 6]]), must=False, hard=True)
    venues = Links.tying(Groups.of([[7, 8, 9, 10]]), must=False, hard=True)
    known = Constraints({"Author": authors, "Venue": venues})
    assert find_clique(known, 3) == tuple(("Venue", position) for position in (7, 8, 9, 10))
    assert find_clique(Constraints({"Author": authors}), 2) == (("Author", 4), ("Author", 5), ("Author", 6))
    assert find_clique(known, 4) == ()
