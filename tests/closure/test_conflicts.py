"""Contradictions that are reported are real, with a chain that holds and none shorter, and can be settled."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmine.closure.conflicts import Conflict, conflicts, describe
from graphmine.closure.hard_links import closed
from graphmine.closure.resolve import RESOLUTIONS, resolve_conflicts
from graphmine.errors import ConstraintError, ParameterError
from graphmine.model import Constraints, Groups, Links, Nodes
from tests.closure.random_links import Node, any_constraints, contradicted, hard_pairs, meant, wished

DROPPING = ("drop-cannot", "drop-must", "weaken")


def hops(constraints: Constraints, start: Node) -> dict[Node, int]:
    """Return how many hard must-links away from a node others are, pair by pair."""
    pairs = hard_pairs(constraints, must=True)
    far, front = {start: 0}, {start}
    while front:
        front = {other for pair in pairs for node in pair & front for other in pair - {node}} - far.keys()
        far |= dict.fromkeys(front, max(far.values()) + 1)
    return far


def sayings(constraints: Constraints, *, must: bool) -> set[tuple[frozenset[Node], int]]:
    """Return which hard pair is said by which rule."""
    links = (link for link in meant(constraints) if link.hard and link.must == must)
    return {(frozenset(pair), link.rule) for link in links for pair in link.pairs}


@settings(max_examples=200)
@given(any_constraints())
def test_conflicts_are_found_just_where_they_are(constraints: Constraints) -> None:
    found = conflicts(constraints, most=None)
    assert Counter(each.rule for each in found) == Counter(link.rule for link in contradicted(constraints))


@settings(max_examples=200)
@given(any_constraints(most=8))
def test_a_conflict_is_real_and_its_chain_the_shortest(constraints: Constraints) -> None:
    cannot, must = (sayings(constraints, must=sense) for sense in (False, True))
    for each in conflicts(constraints):
        nodes = [node for node, _ in each.chain]
        assert (frozenset((each.left, each.right)), each.rule) in cannot
        assert (nodes[0], nodes[-1], each.chain[-1][1]) == (each.left, each.right, -1)
        for (node, rule), (following, _) in zip(each.chain, each.chain[1:], strict=False):
            assert (frozenset((node, following)), rule) in must
        assert len(nodes) - 1 == hops(constraints, each.left)[each.right]


@given(any_constraints(most=8), st.sampled_from(DROPPING))
def test_settling_leaves_no_contradiction(constraints: Constraints, how: str) -> None:
    wrong = contradicted(constraints)
    found, n = resolve_conflicts(constraints, how)
    assert not contradicted(found)
    assert not conflicts(found)
    assert (n > 0) == bool(wrong)
    if not wrong:
        assert found is constraints


@given(any_constraints(most=8))
def test_only_what_is_meant_to_give_way_does(constraints: Constraints) -> None:
    itself = {pair for pair in hard_pairs(constraints, must=False) if len(pair) == 1}
    less_cannot, n_cannot = resolve_conflicts(constraints, "drop-cannot")
    assert sayings(less_cannot, must=True) == sayings(constraints, must=True)
    assert sayings(less_cannot, must=False) <= sayings(constraints, must=False)
    assert n_cannot == len(contradicted(constraints))
    less_must, _ = resolve_conflicts(constraints, "drop-must")
    assert sayings(less_must, must=True) <= sayings(constraints, must=True)
    if not itself:
        assert sayings(less_must, must=False) == sayings(constraints, must=False)
    weak, n_weak = resolve_conflicts(constraints, "weaken")
    assert [link.pairs for link in meant(weak)] == [link.pairs for link in meant(constraints)]
    assert n_weak == sum(old.hard and not new.hard for old, new in zip(meant(constraints), meant(weak), strict=True))
    for found in (less_cannot, less_must):
        assert wished(found) == wished(constraints)


@given(any_constraints(most=8))
def test_weakened_links_weigh_one_and_others_are_let_be(constraints: Constraints) -> None:
    weak, _ = resolve_conflicts(constraints, "weaken")
    wrong = {link.pairs for link in contradicted(constraints)}
    for old, new in zip(meant(constraints), meant(weak), strict=True):
        if old.hard and not new.hard:
            assert new.weight == 1
            assert old.must or old.pairs in wrong
        else:
            assert new == old


def test_a_group_is_one_step_and_two_groups_that_are_tied_too() -> None:
    links = Links.tying(Groups.of([[0, 1, 2, 3]]), hard=True, rule=0) + Links.of_pairs(
        [[0, 9], [9, 3]], hard=True, rule=1
    )
    parted = Links.of_pairs([[0, 3]], must=False, hard=True, rule=2)
    [found] = conflicts(Constraints({"Author": links + parted}, rules=("same town", "met", "rivals")))
    assert found.chain == ((("Author", 0), 0), (("Author", 3), -1))
    across = Links.between(Groups.of([[0, 1]]), Groups.of([[5, 6]]), [[0, 0]], hard=True, rule=0)
    apart = Links.of_pairs([[0, 1]], must=False, hard=True)
    [found] = conflicts(Constraints({"Author": apart}, {("Author", "Venue"): across}, rules=("goes to",)))
    assert [node[0] for node, _ in found.chain] == ["Author", "Venue", "Author"]


def test_of_a_link_of_groups_the_shortest_chain_is_shown() -> None:
    line = Links.of_pairs([[i, i + 1] for i in range(10)], hard=True)
    parted = Links.parting(Groups.of([[0, 1, 4], [6, 9, 10]]), hard=True)
    [found] = conflicts(Constraints({"Author": line + parted}))
    assert (found.left, found.right, len(found.chain)) == (("Author", 4), ("Author", 6), 3)


def test_no_more_conflicts_than_asked_for() -> None:
    links = Links.tying(Groups.of([range(9)]), hard=True) + Links.of_pairs(
        [[0, i] for i in range(1, 9)], must=False, hard=True
    )
    known = Constraints({"Author": links})
    assert [len(conflicts(known, most)) for most in (0, 3, 10, None)] == [0, 3, 8, 8]


AUTHORS = {"Author": Nodes("Author", ["Ann", "Bob", "Cem"]), "Venue": Nodes("Venue", [2001, 2002])}


def test_a_conflict_is_told_with_keys_and_rules() -> None:
    tied = Conflict(("Author", 0), ("Author", 2), 1, ((("Author", 0), 0), (("Author", 1), -1), (("Author", 2), -1)))
    assert describe(tied, AUTHORS, ("must met", "cannot differ")) == (
        "Author 'Ann' and Author 'Cem' must not share a cluster (rule \"cannot differ\"), "
        'but Ann – Bob (rule "must met") – Cem ties them'
    )
    kinds = Conflict(("Author", 0), ("Author", 2), -1, ((("Author", 0), 0), (("Venue", 1), 0), (("Author", 2), -1)))
    assert describe(kinds, AUTHORS, ("went to",)) == (
        "Author 'Ann' and Author 'Cem' must not share a cluster, "
        "but Author 'Ann' – Venue 2002 (rule \"went to\") – Author 'Cem' (rule \"went to\") ties them"
    )
    same = Conflict(("Author", 0), ("Author", 0), 0, ((("Author", 0), -1),))
    assert describe(same, AUTHORS, ("apart",)) == (
        "Author 'Ann' must not share a cluster with itself (rule \"apart\"), being in both of two groups"
    )


def test_a_long_chain_is_told_by_its_ends() -> None:
    line = Links.of_pairs([[i, i + 1] for i in range(40)], hard=True)
    [found] = conflicts(Constraints({"Author": line + Links.of_pairs([[0, 40]], must=False, hard=True)}))
    assert "but 0 – 1 – 2 – 3 – … 33 more … – 37 – 38 – 39 – 40 ties them" in describe(found, {}, ())


def test_an_error_says_how_many_and_the_first() -> None:
    links = Links.tying(Groups.of([range(4)]), hard=True) + Links.of_pairs([[0, 2], [1, 3]], must=False, hard=True)
    wanted = (
        r"^2 hard cannot-links contradict hard must-links; first, Author at position 0 and Author at position 2 "
        r"must not share a cluster, but 0 – 2 ties them$"
    )
    with pytest.raises(ConstraintError, match=wanted):
        resolve_conflicts(Constraints({"Author": links}), "error")
    with pytest.raises(ParameterError, match=r"^how must be one of error, drop-cannot, drop-must, weaken, was 'drop'"):
        resolve_conflicts(Constraints({"Author": links}), "drop")
    assert tuple(RESOLUTIONS) == ("error", *DROPPING)


def test_dropping_a_must_takes_one_member_out_of_a_group() -> None:
    groups = Groups.of([range(6), [6, 7]])
    links = Links.tying(groups, hard=True) + Links.tying(groups) + Links.of_pairs([[0, 5]], must=False, hard=True)
    found, n = resolve_conflicts(Constraints({"Author": links}), "drop-must")
    kept = found.within["Author"]
    assert (n, kept.n_pairs.tolist()) == (1, [10, 1, 15, 1, 1])


def test_dropping_musts_finds_the_bridge_that_many_chains_pass() -> None:
    halves = Links.tying(Groups.of([range(50), range(50, 100)]), hard=True)
    bridge = Links.of_pairs([[7, 93]], hard=True)
    parted = Links.of_pairs([[i, 50 + j] for i in range(20, 40) for j in range(20, 40)], must=False, hard=True)
    found, n = resolve_conflicts(Constraints({"Author": halves + bridge + parted}), "drop-must")
    kept = found.within["Author"]
    assert (n, kept.n_pairs[kept.must].tolist()) == (1, [50 * 49 // 2, 50 * 49 // 2])


def test_dropping_a_cannot_takes_only_the_nodes_that_contradict_out_of_a_group() -> None:
    tied = Links.of_pairs([[0, 3]], hard=True)
    parted = Links.parting(Groups.of([[0, 1, 2], [3, 4]]), hard=True)
    found, n = resolve_conflicts(Constraints({"Author": tied + parted}), "drop-cannot")
    wanted = {frozenset((("Author", a), ("Author", b))) for a in (1, 2) for b in (3, 4)}
    assert (n, hard_pairs(found, must=False)) == (1, wanted)
    itself = Links.tying(Groups.of([[0, 1, 3]]), must=False, hard=True)
    found, n = resolve_conflicts(Constraints({"Author": tied + itself}), "drop-cannot")
    assert (n, hard_pairs(closed(found), must=False)) == (
        1,
        {frozenset((("Author", 1), ("Author", a))) for a in (0, 3)},
    )


@pytest.mark.parametrize("how", DROPPING)
def test_thousands_of_contradictions_are_settled(how: str) -> None:
    rng = np.random.default_rng(0)
    must = Links.of_pairs(_pairs(rng, 30_000, 20_000), hard=True)
    cannot = Links.of_pairs(_pairs(rng, 5_000, 20_000), must=False, hard=True)
    found, n = resolve_conflicts(Constraints({"Author": must + cannot}), how)
    assert n > 1000
    assert not conflicts(found)


def _pairs(rng: np.random.Generator, n: int, n_nodes: int) -> list[list[int]]:
    return [pair for pair in rng.integers(n_nodes, size=(n, 2)).tolist() if pair[0] != pair[1]]
