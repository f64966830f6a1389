"""Links join nodes and groups, are put together and taken apart, and refuse what means nothing."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmine.errors import ConstraintError
from graphmine.model import FREE, Constraints, Groups, Links

Pairs = list[tuple[int, int]]
pair = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda ends: ends[0] != ends[1])
sets = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=4)


def expanded(links: Links) -> Pairs:
    """Return every pair of nodes that links stand for, by brute force."""
    found: Pairs = []
    right_groups = links.groups if links.others is None else links.others
    for left, right in zip(links.left.tolist(), links.right.tolist(), strict=True):
        first = [left] if left >= 0 else links.groups[-1 - left].tolist()
        second = [right] if right >= 0 else right_groups[-1 - right].tolist()
        if left == right and links.others is None:
            found += [(a, b) for a in first for b in second if a < b]
        else:
            found += [(a, b) for a in first for b in second]
    return found


@given(st.lists(pair, max_size=5), sets)
def test_every_link_counts_its_pairs(pairs: Pairs, groups: list[set[int]]) -> None:
    tied = Links.tying(Groups.of([list(group) for group in groups]))
    links = Links.of_pairs(pairs) + tied + Links.of_pairs(pairs, must=False) + tied
    assert int(links.n_pairs.sum()) == len(expanded(links))
    assert sorted(expanded(links)) == sorted(2 * pairs + 2 * expanded(tied))


@given(st.lists(st.integers(-1, 4), max_size=12))
def test_groups_by_value_hold_every_node_with_a_value_once(values: list[int]) -> None:
    groups = Groups.by_value(np.array(values, dtype=np.int64))
    found = [groups[i].tolist() for i in range(len(groups))]
    wanted = [[i for i, value in enumerate(values) if value == each] for each in sorted({*values} - {-1})]
    assert found == wanted


def test_links_across_kinds_keep_their_sides_apart() -> None:
    first = Links.between(Groups.of([[0, 1]]), Groups.of([[5], [6, 7]]), [[0, 1]])
    links = Links.of_pairs([[3, 3]], across=True) + first + first
    assert sorted(expanded(links)) == [(0, 6), (0, 6), (0, 7), (0, 7), (1, 6), (1, 6), (1, 7), (1, 7), (3, 3)]
    assert links.n_pairs.tolist() == [1, 4, 4]
    with pytest.raises(ConstraintError, match=r"^links within a kind and links across kinds can not be put together$"):
        links + Links.of_pairs([[0, 1]])


@pytest.mark.parametrize(
    "pairs", [[0, 1], [[0, 1, 2]], [[0, -1]], [[0.5, 1]], [["a", "b"]], [[0, 1], [2]], [[True, False]]]
)
def test_what_is_no_pair_is_refused(pairs: list[object]) -> None:
    with pytest.raises(ConstraintError, match=r"^links must be pairs of node positions$"):
        Links.of_pairs(pairs)  # type: ignore[arg-type]


def test_links_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ConstraintError, match=r"^the node at position 2 is linked with itself$"):
        Links.of_pairs([[0, 1], [2, 2]])
    for weight in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ConstraintError, match=r"^the weight of a link must be a number above 0$"):
            Links.of_pairs([[0, 1]], weight=weight)
    with pytest.raises(ConstraintError, match=r"^whether a link is a must and whether it is hard must be true or"):
        Links.of_pairs([[0, 1]], must="no")  # type: ignore[arg-type]
    with pytest.raises(ConstraintError, match=r"^the rule of a link must be a number from -1 up, was -5$"):
        Links.of_pairs([[0, 1]], rule=-5)
    with pytest.raises(ConstraintError, match=r"^there must be one weight a link, 1, not 2$"):
        Links.of_pairs([[0, 1]], weight=[1.0, 2.0])
    with pytest.raises(ConstraintError, match=r"^a link names group 1, and there are 1 groups$"):
        Links.between(Groups.of([[0]]), Groups.of([[1]]), [[0, 1]])
    with pytest.raises(ConstraintError, match=r"^the members of a group must be whole numbers$"):
        Groups.of([[0.5]])


def test_constraints_are_true_if_there_is_any_link_or_order() -> None:
    some = Links.of_pairs([[0, 1]])
    assert not FREE
    assert not Constraints({"Author": Links()}, {("Author", "Venue"): Links.of_pairs([], across=True)})
    assert Constraints({"Author": Links(), "Venue": some})
    assert Constraints(across={("Author", "Venue"): Links.of_pairs([[0, 0]], across=True)})
    assert Constraints(order={"Author": np.array([0, 1])})


def test_constraints_in_the_wrong_place_are_refused() -> None:
    within, across = Links.of_pairs([[0, 1]]), Links.of_pairs([[0, 1]], across=True)
    with pytest.raises(ConstraintError, match=r"^links of Author with itself are written as links across kinds$"):
        Constraints({"Author": across})
    for kinds, links in ((("Author", "Venue"), within), (("Author", "Author"), across)):
        with pytest.raises(ConstraintError, match=r"are not written as links across two kinds$"):
            Constraints(across={kinds: links})
    with pytest.raises(ConstraintError, match=r"^a link is of rule 1, and 1 rules are named$"):
        Constraints({"Author": Links.of_pairs([[0, 1]], rule=1)}, rules=("one",))


@given(st.lists(pair, max_size=6), st.lists(pair, max_size=6), sets, sets)
def test_what_is_added_can_be_taken_away(
    first: Pairs, second: Pairs, tied: list[set[int]], more: list[set[int]]
) -> None:
    def of(pairs: Pairs, groups: list[set[int]], rule: str) -> Constraints:
        links = Links.of_pairs(pairs, rule=0) + Links.tying(Groups.of([list(each) for each in groups]), rule=0)
        return Constraints({"Author": links}, rules=(rule,))

    ours, theirs = of(first, tied, "ours"), of(second, more, "theirs")
    both = ours + theirs
    assert sorted(expanded(both.of_rule("ours").within["Author"])) == sorted(expanded(ours.within["Author"]))
    assert not (both - ours) - theirs
    unordered = {tuple(sorted(each)) for each in first}
    left = [each for each in second if tuple(sorted(each)) not in unordered]
    nodes = (both - ours).within["Author"]
    assert expanded(nodes.only(nodes.left >= 0)) == left


def test_two_orders_of_a_kind_are_refused() -> None:
    years = Constraints(order={"Paper": np.array([0, 1])})
    assert sorted((years + Constraints(order={"Author": np.array([0])})).order) == ["Author", "Paper"]
    with pytest.raises(ConstraintError, match=r"^Paper can not be in two orders at once$"):
        years + years


def test_a_rule_that_repeats_must_be_there() -> None:
    with pytest.raises(ConstraintError, match=r"^repeats names a rule 'y', and the rules are x$"):
        Constraints(rules=("x",), repeats=frozenset({"y"}))
    assert Constraints(rules=("x",), repeats=frozenset({"x"})).repeats == {"x"}


def test_a_rule_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConstraintError, match=r"^there is no rule 'a', only none$"):
        FREE.of_rule("a")


@given(st.lists(st.tuples(st.integers(-2, 4), st.integers(-1, 4)), max_size=6))
def test_links_turned_round_stand_for_the_same_pairs(ends: Pairs) -> None:
    left, right = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    n = len(ends)
    links = Links(
        left, right, np.ones(n, dtype=np.bool_), np.ones(n, dtype=np.bool_), np.ones(n), np.full(n, -1),
        Groups.of([[0, 1], [2]]), Groups.of([[3, 4, 5]]),
    )  # fmt: skip
    assert sorted(expanded(links.turned())) == sorted((b, a) for a, b in expanded(links))


def test_two_kinds_are_one_place_whichever_is_named_first() -> None:
    there = Links.between(Groups.of([[0, 1]]), Groups.of([[5]]), [[0, 0]]) + Links.of_pairs([[2, 3]], across=True)
    first, second = Constraints(across={("A", "B"): there}), Constraints(across={("B", "A"): there.turned()})
    assert not first - second
    assert not second - first
    both = first + second
    assert list(both.across) == [("A", "B")]
    assert expanded(both.across["A", "B"]) == 2 * expanded(there)
    assert first - Constraints(across={("B", "A"): there})


def test_what_is_taken_away_names_each_group_once_a_side(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    member = Groups.__getitem__

    def counted(groups: Groups, number: int) -> object:
        asked.append(number)
        return member(groups, number)

    classes = Constraints({"A": Links.parting(Groups.of([[2 * i, 2 * i + 1] for i in range(40)]))})
    others = Constraints({"A": Links.parting(Groups.of([[2 * i + 1, 2 * i] for i in range(1, 41)]))})
    monkeypatch.setattr(Groups, "__getitem__", counted)
    assert len((classes - others).within["A"]) == 39
    assert len(asked) <= 2 * 80
