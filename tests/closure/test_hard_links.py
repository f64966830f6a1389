"""Closing hard links gives what brute force gives, once and for all, and costs no more than its nodes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmine.closure.hard_links import closed
from graphmine.errors import ConstraintError
from graphmine.model import FREE, Constraints, Groups, Links
from tests.closure.random_links import any_constraints, components, contradicted, hard_pairs, wished


def written(constraints: Constraints) -> object:
    """Return constraints as plain lists, to be compared."""
    columns = ("left", "right", "must", "hard", "weight", "rule")
    return [
        (
            place,
            [getattr(links, column).tolist() for column in columns],
            [(groups.starts.tolist(), groups.members.tolist()) for groups in (links.groups, links.others) if groups],
        )
        for place, links in sorted([*constraints.within.items(), *constraints.across.items()], key=repr)
    ]


@settings(max_examples=300)
@given(any_constraints())
def test_closing_equals_brute_force(constraints: Constraints) -> None:
    if contradicted(constraints):
        with pytest.raises(ConstraintError, match=r"^hard links contradict each other: .* must not share a cluster"):
            closed(constraints)
        return
    found, part = closed(constraints), components(constraints)
    tied = {frozenset(pair) for whole in set(part.values()) for pair in combinations(whole, 2)}
    parted = {
        frozenset((left, right))
        for a, b in map(tuple, hard_pairs(constraints, must=False))
        for left in part[a]
        for right in part[b]
    }
    assert hard_pairs(found, must=True) == tied
    assert hard_pairs(found, must=False) == parted
    assert wished(found) == pytest.approx(wished(constraints))
    assert found.order is constraints.order
    assert found.rules == constraints.rules


@settings(max_examples=300)
@given(any_constraints())
def test_closing_twice_is_closing_once(constraints: Constraints) -> None:
    if not contradicted(constraints):
        once = closed(constraints)
        assert written(closed(once)) == written(once)


@given(any_constraints(), st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_matter(constraints: Constraints, random: object) -> None:
    if contradicted(constraints):
        return
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    shuffled = replace(
        constraints,
        within={kind: _shuffled(links, rng) for kind, links in constraints.within.items()},
        across={kinds: links.only(rng.permutation(len(links))) for kinds, links in constraints.across.items()},
    )
    assert written(closed(shuffled)) == written(closed(constraints))


def _shuffled(links: Links, rng: np.random.Generator) -> Links:
    links = links.only(rng.permutation(len(links)))
    turned = rng.random(len(links)) < 0.5
    left, right = np.where(turned, (links.right, links.left), (links.left, links.right))
    return replace(links, left=left, right=right)


@given(any_constraints())
def test_tied_groups_are_disjoint_and_nothing_is_said_twice(constraints: Constraints) -> None:
    if contradicted(constraints):
        return
    found = closed(constraints)
    for links in found.within.values():
        units = links.left[links.must & links.hard]
        assert units.tolist() == links.right[links.must & links.hard].tolist()
        members = [node for unit in units.tolist() for node in links.groups[-1 - unit].tolist()]
        assert len(set(members)) == len(members)
        assert links.rule[links.must & links.hard].tolist() == [-1] * len(units)
    for links in (*found.within.values(), *found.across.values()):
        assert np.all(links.weight[links.hard] == 1)
        ends = zip(links.left.tolist(), links.right.tolist(), strict=True)
        ordered = [tuple(sorted(pair)) if links.others is None else pair for pair in ends]
        whole = zip(ordered, links.must.tolist(), np.where(links.hard, -2, links.rule).tolist(), strict=True)
        assert len(set(whole)) == len(links)


def test_a_component_over_kinds_is_one_must_link_for_each_two() -> None:
    across = Links.between(Groups.of([[0, 1]]), Groups.of([[2]]), [[0, 0]], hard=True)
    further = Links.of_pairs([[2, 5]], hard=True, across=True)
    found = closed(Constraints({}, {("Author", "Venue"): across, ("Venue", "Paper"): further}))
    assert list(found.across) == [("Author", "Venue"), ("Venue", "Paper"), ("Author", "Paper")]
    units = {kinds: (links.left.tolist(), links.right.tolist()) for kinds, links in found.across.items()}
    assert units == {("Author", "Venue"): ([-1], [2]), ("Venue", "Paper"): ([2], [5]), ("Author", "Paper"): ([-1], [5])}
    assert list(found.within) == ["Author"]


def test_both_directions_across_become_the_first_of_them() -> None:
    there = Links.of_pairs([[0, 3]], across=True, weight=2.0)
    back = Links.of_pairs([[3, 0], [4, 1]], across=True)
    found = closed(Constraints({}, {("Venue", "Author"): there, ("Author", "Venue"): back}))
    links = found.across["Venue", "Author"]
    assert list(found.across) == [("Venue", "Author")]
    assert (links.left.tolist(), links.right.tolist(), links.weight.tolist()) == ([0, 1], [3, 4], [3.0, 1.0])


def test_a_cannot_link_keeps_its_rule_unless_rules_share_it() -> None:
    must = Links.of_pairs([[0, 1]], hard=True, rule=0)
    cannot = Links.of_pairs([[0, 2], [3, 2]], must=False, hard=True, rule=0)
    other = Links.of_pairs([[1, 2]], must=False, hard=True, rule=1)
    links = closed(Constraints({"Author": must + cannot + other}, rules=("a", "b"))).within["Author"]
    parted = links.only(~links.must)
    assert sorted(zip(parted.left.tolist(), parted.right.tolist(), parted.rule.tolist(), strict=True)) == [
        (-1, 2, -1),
        (2, 3, 0),
    ]


def test_wishes_between_two_groups_of_the_same_nodes_are_wishes_inside_one_of_twice_the_weight() -> None:
    groups = Groups.of([[0, 1, 2], [2, 1, 0], [4]])
    links = replace(Links.parting(groups, weight=[1.5, 1.0, 1.0], must=True), groups=groups)
    constraints = Constraints({"Author": links + Links.tying(Groups.of([[0, 1, 2]]))})
    found = closed(constraints).within["Author"]
    assert sorted(zip(found.left.tolist(), found.right.tolist(), found.weight.tolist(), strict=True)) == [
        (-1, -1, 4.0),
        (-1, 4, 2.0),
    ]
    assert wished(closed(constraints)) == wished(constraints)


def test_large_classes_stay_one_link() -> None:
    classes = Groups.of([range(10_000), range(10_000, 20_000)])
    loose = Links.parting(classes, hard=True)
    partly = loose + Links.of_pairs([[i, 20_000 + i] for i in range(0, 20_000, 3)], hard=True)
    for links in (loose, partly):
        found = closed(Constraints({"Author": links})).within["Author"]
        assert np.count_nonzero(~found.must) == 1
        assert len(found.groups.members) <= 2 * 30_000
    sizes = found.n_pairs[~found.must].tolist()
    assert sizes == [(10_000 + 3334) * (10_000 + 3333)]


def test_many_tied_nodes_that_exclude_one_another_are_not_written_pair_by_pair() -> None:
    n = 1024
    tied = Links.of_pairs([[i, n + i] for i in range(n)], hard=True)
    found = closed(Constraints({"Author": tied + Links.tying(Groups.of([range(n)]), must=False, hard=True)}))
    links = found.within["Author"]
    assert np.count_nonzero(~links.must) == n - 1
    assert int(links.n_pairs[~links.must].sum()) == 4 * n * (n - 1) // 2
    assert len(links.groups.members) <= 2 * n * (np.log2(n) + 1)


def test_nothing_is_closed_to_nothing() -> None:
    assert closed(FREE) is FREE
    empty = Constraints({"Author": Links()}, {("Author", "Venue"): Links.of_pairs([], across=True)})
    assert written(closed(empty)) == written(empty)
    for useless in (Groups.of([[]]), Groups.of([[3]])):
        loop = replace(Links.tying(Groups.of([[0, 1]]), hard=True), groups=useless)
        assert not closed(Constraints({"Author": loop}))


def test_a_contradiction_is_said_with_positions() -> None:
    links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True, rule=0)
    wanted = (
        r"^hard links contradict each other: Author at position 0 and Author at position 2 must not share a cluster "
        r'\(rule "rivals"\), but 0 – 1 – 2 ties them$'
    )
    with pytest.raises(ConstraintError, match=wanted):
        closed(Constraints({"Author": links}, rules=("rivals",)))


def test_the_sizes_of_groups_are_taken_once_for_all_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    sizes = Groups.sizes

    def counted(groups: Groups) -> object:
        taken.append(len(groups))
        return sizes.__get__(groups)

    links = Links.tying(Groups.of([[2 * i, 2 * i + 1] for i in range(500)]))
    monkeypatch.setattr(Groups, "sizes", property(counted))
    assert len(closed(Constraints({"Author": links})).within["Author"]) == 500
    assert len(taken) < 50
