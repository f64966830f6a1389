"""Each rule makes the links that a look at every pair would find, and a bad one is a sentence."""

import re
from collections.abc import Callable
from itertools import combinations, product
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rapidfuzz.distance import Levenshtein

from graphmine.arrays import Ints
from graphmine.constraints import edits, pair_sampling, paths, properties, texts
from graphmine.constraints.draw import draw
from graphmine.constraints.rules import Rule
from graphmine.constraints.source import Earlier
from graphmine.errors import GraphmineError, ParameterError, RunError
from graphmine.model import UNRANKED, Nodes
from tests.constraints.source_in_memory import Memory, drawn, links_of, pairs_of

Pairs = set[tuple[int, int]]
small = st.integers(0, 4)
blocks = st.integers(1, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


def alone(n: int, **properties: Any) -> dict[str, dict[str, Any]]:
    return {"A": {"key": [f"a{i}" for i in range(n)], **properties}}


def brute(n: int, test: Callable[[int, int], bool]) -> Pairs:
    return {(i, j) for i, j in combinations(range(n), 2) if test(i, j)}


def made(memory: Memory, rule: str, kind: str = "A") -> Pairs:
    links = drawn(memory, rule).constraints.within.get(kind)
    return set() if links is None else pairs_of(links)


def noting(notes: list[Any], note: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same, and notes something of what it is given."""

    def noted(*given: Any) -> Any:
        notes.append(note(*given))
        return function(*given)

    return noted


@given(blocks, st.integers(1, 4), st.booleans())
def test_a_path_links_what_it_joins_often_enough(block: list[list[int]], least: int, mutual: bool) -> None:
    n, both = len(block), all if mutual else any
    memory = Memory(alone(n), {"A-X->A": block})
    rule = f"must A-X->A >= {least}{'; mutual' if mutual else ''}"
    assert made(memory, rule) == brute(n, lambda i, j: both(w >= least for w in (block[i][j], block[j][i])))


@given(st.lists(st.lists(st.integers(0, 1), min_size=5, max_size=5), min_size=1, max_size=9), st.integers(1, 4))
def test_shared_neighbours_are_counted(block: list[list[int]], least: int) -> None:
    memory = Memory({**alone(len(block)), "B": {"key": [*range(5)]}}, {"A-X->B": block})
    rows = [{j for j in range(5) if row[j]} for row in block]
    assert made(memory, f"must shared A-X->B >= {least}") == brute(
        len(rows), lambda i, j: len(rows[i] & rows[j]) >= least
    )
    share = least / 4
    assert made(memory, f"must jaccard A-X->B >= {share}") == brute(
        len(rows), lambda i, j: bool(rows[i] & rows[j]) and len(rows[i] & rows[j]) / len(rows[i] | rows[j]) >= share
    )


@pytest.mark.parametrize("verify", [0.001, 10**6])
@pytest.mark.parametrize("rule", ["shared A-X->B >= 3", "jaccard A-X->B >= 0.4"])
def test_shared_neighbours_come_out_the_same_however_they_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, verify: float, rule: str
) -> None:
    monkeypatch.setattr(paths, "_VERIFY", verify)
    monkeypatch.setattr(paths, "_ROOM", 50)
    block = (np.random.default_rng(0).random((60, 20)) < np.linspace(0.02, 0.6, 20)).astype(int)
    memory = Memory({**alone(60), "B": {"key": [*range(20)]}}, {"A-X->B": block})
    common = block @ block.T
    size = block.sum(axis=1)
    if rule.startswith("jaccard"):
        common = common / np.maximum(1, size[:, None] + size - common)
        wanted = brute(60, lambda i, j: bool(common[i, j] >= 0.4))
    else:
        wanted = brute(60, lambda i, j: bool(common[i, j] >= 3))
    assert len(wanted) > 20
    assert made(memory, f"cannot {rule}") == wanted


@given(st.lists(st.none() | small, min_size=1, max_size=12))
def test_same_and_different_values(values: list[int | None]) -> None:
    memory = Memory(alone(len(values), p=values))

    def known(i: int, j: int) -> bool:
        return values[i] is not None and values[j] is not None

    same = brute(len(values), lambda i, j: known(i, j) and values[i] == values[j])
    different = brute(len(values), lambda i, j: known(i, j) and values[i] != values[j])
    assert made(memory, "must same A.p") == made(memory, "cannot same A.p") == same
    assert made(memory, "cannot different A.p") == made(memory, "must different A.p") == different
    assert made(memory, "must same A.p in [1, 2]") == {pair for pair in same if values[pair[0]] in (1, 2)}
    both = drawn(memory, "known A.p").constraints.within.get("A")
    found = set() if both is None else pairs_of(both)
    assert found == same | different
    assert both is None or pairs_of(both.only(both.must)) == same


@given(st.lists(st.none() | st.lists(small, max_size=3), min_size=1, max_size=8))
def test_lists_are_the_same_in_a_value_in_common(values: list[list[int] | None]) -> None:
    found = drawn(Memory(alone(len(values), p=values)), "must same A.p").constraints.within.get("A")
    pairs: Pairs = set()
    if found is not None:
        for i in range(len(found)):
            pairs |= pairs_of(found.only(np.array([i])))
    assert pairs == brute(len(values), lambda i, j: bool(set(values[i] or ()) & set(values[j] or ())))


@pytest.mark.parametrize(
    ("values", "among", "wanted"),
    [
        (["x", "y", "x", None], '["x"]', {(0, 2)}),
        ([0.0, -0.0, 0.5, 0.5], "[0]", {(0, 1)}),
        ([0.1 + 0.2, 0.3, 0.3], "[0.3]", {(1, 2)}),
        ([True, False, True], "[true]", {(0, 2)}),
        ([1, 1, 2, 2], "[1.0, 2.5]", {(0, 1)}),
        ([float("nan"), float("nan"), 1.0, 1.0], "[1]", {(2, 3)}),
        (np.array([1, 1, 2, 2], dtype=np.int16), "[70000, 2]", {(2, 3)}),
        ([0.5, 0.5, 2.0**53, 2.0**53], f"[{2**53 + 1}]", set()),
        ([0.5, 0.5, 2.0**53, 2.0**53], f"[{2**53}]", {(2, 3)}),
        ([2**53, 2**53 + 1, 2**53], f"[{2.0**53}]", {(0, 2)}),
        (np.array([2**64 - 1, 2**64 - 1, 5], dtype=np.uint64), "[-5, 5]", set()),
        ([[float("nan"), 1.0], [float("nan")], [1.0, float("inf")], [float("inf")]], "[1]", {(0, 2)}),
    ],
)
def test_values_of_every_type(values: list[object], among: str, wanted: Pairs) -> None:
    memory = Memory(alone(len(values), p=values))
    assert made(memory, f"must same A.p in {among}") == wanted
    assert made(memory, "must same A.p") >= wanted


def test_numbers_in_lists_that_are_none_tie_nothing() -> None:
    nan = float("nan")
    assert made(Memory(alone(4, p=[[nan, 1.0], [nan], [1.0, None], [None]])), "must same A.p") == {(0, 2)}


def test_two_values_in_common_are_two_links() -> None:
    links = links_of(Memory(alone(3, p=[["x", "y"], ["y", "x"], ["x"]])), "must same A.p; weight 2", "A")
    assert links.n_pairs.tolist() == [3, 1]
    assert links.weight.tolist() == [2, 2]


numbers = st.lists(st.none() | st.integers(-3, 3) | st.floats(-10, 10, width=16), min_size=1, max_size=12)


@given(numbers, st.sampled_from([0, 0.1, 1, 2.5]), st.sampled_from(["<=", ">="]))
def test_distances(values: list[float | None], value: float, operator: str) -> None:
    kept = [None if each is None else float(each) * 0.1 for each in values]  # so that sums and differences are rounded
    memory = Memory(alone(len(kept), p=np.array(kept, dtype=float)))

    def near(i: int, j: int) -> bool:
        if kept[i] is None or kept[j] is None:
            return False
        gap = abs(float(kept[i]) - float(kept[j]))  # type: ignore[arg-type]
        return gap <= value if operator == "<=" else gap >= value

    assert made(memory, f"must distance A.p {operator} {value}") == brute(len(kept), near)


@given(numbers, st.integers(1, 8), st.sampled_from(["<=", ">="]), st.sampled_from(["limit", "sample"]))
def test_some_distances(values: list[float | None], count: int, operator: str, option: str) -> None:
    memory = Memory(alone(len(values), p=np.array(values, dtype=float)))
    every = made(memory, f"must distance A.p {operator} 2")
    some = made(memory, f"must distance A.p {operator} 2; {option} {count}")
    assert some <= every
    assert len(some) == min(count, len(every))
    if option == "limit":
        gaps = sorted((abs(values[i] - values[j]) for i, j in every), reverse=operator == ">=")  # type: ignore[operator]
        found = sorted((abs(values[i] - values[j]) for i, j in some), reverse=operator == ">=")  # type: ignore[operator]
        assert found == gaps[:count]


words = st.lists(st.none() | st.text("abc", max_size=5), min_size=1, max_size=10)


def edit(one: str | None, other: str | None) -> float:
    return float("nan") if one is None or other is None else Levenshtein.distance(one, other)


@given(words, st.integers(0, 3))
def test_texts_near_and_far(values: list[str | None], value: int) -> None:
    memory = Memory(alone(len(values), p=values))
    wanted = brute(len(values), lambda i, j: edit(values[i], values[j]) <= value)
    assert made(memory, f"must text A.p <= {value}") == made(memory, f"must text A.p <= {value}; limit 100") == wanted
    assert made(memory, f"cannot text A.p >= {value}") == brute(
        len(values), lambda i, j: edit(values[i], values[j]) >= value
    )


@given(words, words, st.integers(0, 3), st.sampled_from(["<=", ">="]))
def test_texts_of_two_properties(first: list[str | None], second: list[str | None], value: int, operator: str) -> None:
    n = min(len(first), len(second))
    memory = Memory(alone(n, p=first[:n], q=second[:n]) | {"B": {"key": [*range(n)], "q": second[:n]}})

    def passes(i: int, j: int) -> bool:
        return edit(first[i], second[j]) <= value if operator == "<=" else edit(first[i], second[j]) >= value

    assert made(memory, f"must text A.p A.q {operator} {value}") == brute(n, lambda i, j: passes(i, j) or passes(j, i))
    across = drawn(memory, f"must across text A.p B.q {operator} {value}").constraints.across.get(("A", "B"))
    wanted = {(i, j) for i, j in product(range(n), repeat=2) if passes(i, j)}
    assert (set() if across is None else pairs_of(across)) == wanted
    some = drawn(memory, f"must across text A.p B.q {operator} {value}; limit 3").constraints.across.get(("A", "B"))
    assert (set() if some is None else pairs_of(some)) <= wanted
    assert (0 if some is None else len(some)) == min(3, len(wanted))


@settings(max_examples=50)
@given(
    st.lists(st.text("abcdefg", max_size=9), max_size=60, unique=True), st.integers(0, 3), st.sampled_from([0, 10**9])
)
def test_pieces_find_what_measuring_all_finds(values: list[str], most: int, meeting: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edits, "_MEETING", meeting)
        patch.setattr(edits, "_COLUMN", 0)
        patch.setattr(edits, "_ROOM", 7)
        found = [pair for part in edits.near_texts(values, None, most) for pair in zip(*map(list, part), strict=True)]
    wanted = [(i, j, edit(values[i], values[j])) for i, j in combinations(range(len(values)), 2)]
    assert sorted(found) == [(i, j, distance) for i, j, distance in wanted if distance <= most]


def test_a_few_long_texts_are_measured_without_cutting_them_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits._Texts, "pieces", None)
    rng = np.random.default_rng(0)
    values = ["".join(rng.choice([*"abcd"], size)) for size in range(300, 340)]
    values.append(f"x{values[0]}y")
    (found,) = [part for part in edits.near_texts(values, None, 20) if len(part[0])]
    assert [each.tolist() for each in found] == [[0], [40], [2]]


def test_far_texts_of_very_many_are_tried_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MOST_LINKS", 500)
    values = ["".join(letters) for letters in product("abcd", repeat=3)]
    memory = Memory(alone(64, p=values, q=values[::-1]) | {"B": {"key": [*range(64)], "q": values}})
    found = made(memory, "cannot text A.p >= 3; sample 50; seed 4")
    assert len(found) == 50
    assert all(edit(values[i], values[j]) >= 3 for i, j in found)
    assert found != made(memory, "cannot text A.p >= 3; sample 50; seed 5")
    share = made(memory, "cannot text A.p >= 3; sample 0.1")
    measured: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(texts, "_ROOM", 50)
        patch.setattr(texts, "edits", noting(measured, lambda left, _: len(left), edits.edits))
        assert made(memory, "cannot text A.p >= 3; sample 0.1") == share
    assert len(measured) > 1
    assert max(measured) <= 50
    assert len(share) == pytest.approx(0.1 * len(made(memory, "cannot text A.p >= 3")), rel=0.4)
    two = made(memory, "cannot text A.p A.q >= 3; sample 20")
    assert len(two) == 20
    links = links_of(memory, "cannot across text A.p B.q >= 3; sample 20; limit 7", ("A", "B"))
    assert len(pairs_of(links)) == 7
    few = drawn(memory, "cannot text A.p >= 4; sample 20")
    assert few.warnings == (
        "the rule 'cannot text A.p >= 4; sample 20' makes no links: no two texts are as far apart as 4 edits",
        "the rule 'cannot text A.p >= 4; sample 20' found only 0 links among 10,040 pairs drawn at random",
    )


def test_known_classes_of_a_fraction_are_drawn_by_the_seed() -> None:
    values = [None, *"xyz" * 7]
    memory = Memory(alone(22, p=values))
    links = links_of(memory, "known A.p; fraction 0.3; hard", "A")
    assert links.hard.all()
    drawn_nodes = {node for pair in pairs_of(links) for node in pair}
    assert len(drawn_nodes) == ceil(0.3 * 21)
    assert 0 not in drawn_nodes
    assert pairs_of(links) == {*combinations(sorted(drawn_nodes), 2)}
    assert pairs_of(links.only(links.must)) == {
        (i, j) for i, j in combinations(sorted(drawn_nodes), 2) if values[i] == values[j]
    }
    again, other = (made(memory, f"known A.p; fraction 0.3; seed {seed}") for seed in (0, 1))
    assert again == pairs_of(links)
    assert other != again
    must = links_of(memory, "must known A.p", "A")
    assert must.must.all()
    assert not links_of(memory, "cannot known A.p", "A").must.any()


def test_a_class_of_one_is_still_parted() -> None:
    links = links_of(Memory(alone(4, p=["x", "y", None, "x"])), "known A.p", "A")
    assert pairs_of(links.only(~links.must)) == {(0, 1), (1, 3)}


def test_a_sample_draws_nodes_and_a_limit_keeps_the_largest_groups() -> None:
    values = ["a", *"bbb", *"cccc", *"dd", "a"]
    memory = Memory(alone(len(values), p=values))
    assert made(memory, "must same A.p; limit 1") == {*combinations(range(4, 8), 2)}
    assert made(memory, "cannot different A.p; limit 2") == {*product(range(1, 4), range(4, 8))}
    sampled = made(memory, "known A.p; sample 4; seed 2")
    assert len(sampled) == 6
    assert len({node for pair in sampled for node in pair}) == 4
    assert len(made(memory, "known A.p; sample 0.31")) == 6
    assert len(made(memory, "known A.p; fraction 0.5; sample 3")) == 3
    assert len(made(memory, f'must these {{"A": {[f"a{i}" for i in range(9)]}}}; sample 4'.replace("'", '"'))) == 6


def earlier(name: str, keys: list[str], labels: list[int], kind: str = "A") -> Earlier:
    return Earlier(name, {kind: (Nodes(kind, keys), np.array(labels))})


def test_the_clusters_of_earlier_runs_weigh_less_the_older_they_are() -> None:
    runs = [earlier("2", ["a2", "a0", "a1", "gone"], [0, 0, 1, 0]), earlier("1", ["a0", "a1", "a2"], [3, 3, -1])]
    memory = Memory({**alone(3, age=[1, 2, 3]), "B": {"key": [1]}}, runs=[*runs, earlier("0", ["a0", "a1"], [0, 0])])
    links = links_of(memory, "run area; last 2; decay 0.5; weight 3", "A")
    assert sorted(zip(links.must.tolist(), links.weight.tolist(), strict=True)) == [
        (False, 3.0), (True, 1.5), (True, 3.0),
    ]  # fmt: skip
    latest = links.only(links.weight == 3)
    assert pairs_of(latest.only(latest.must)) == {(0, 2)}
    assert pairs_of(latest.only(~latest.must)) == {(0, 1), (1, 2)}
    assert pairs_of(links.only(links.weight == 1.5)) == {(0, 1)}
    assert made(memory, "must run last") == {(0, 2)}
    assert made(memory, "run last; where A.age <= 2") == {(0, 1)}
    assert drawn(memory, "must run last; where A.age <= 2").warnings == (
        "the rule 'must run last; where A.age <= 2' makes no links: its runs labelled no two nodes of the star",
    )
    with pytest.raises(RunError, match="there is no complete run"):
        drawn(Memory(alone(3)), "run last")


def test_filters_are_asked_for_once_however_many_runs_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(alone(2, age=[1, 2]), runs=[earlier(str(i), ["a0", "a1"], [0, 0]) for i in range(5)])
    asked: list[str] = []
    monkeypatch.setattr(Memory, "values", noting(asked, lambda _, kind, *__: kind, Memory.values))
    assert len(links_of(memory, "run area; last 5; where A.age <= 2", "A")) == 5
    assert asked == ["A"]


def test_nodes_by_their_keys() -> None:
    memory = Memory({"B": {"key": [7, 8, 9], "age": [1, 2, 3]}, **alone(4)})
    assert pairs_of(links_of(memory, 'cannot these {"A": ["a3", "a0", "a1", "a0"]}', "A")) == {(0, 1), (0, 3), (1, 3)}
    across = links_of(memory, 'must across these {"A": ["a3", "a0"], "B": [9]}', ("B", "A"))
    assert pairs_of(across) == {(2, 0), (2, 3)}
    assert len(across) == 1
    some = links_of(memory, 'must across these {"A": ["a3"], "B": [8, 9]}; where B.age <= 2', ("B", "A"))
    assert pairs_of(some) == {(1, 3)}


def test_an_order_ranks_equal_values_equally() -> None:
    memory = Memory(alone(5, year=[2001, None, 1999, 2001, 2005], name=["b", "a", "é", None, "b"]))
    found = drawn(memory, "order A.year; where A.year <= 2004").constraints.order["A"]
    assert found.tolist() == [1, UNRANKED, 0, 1, UNRANKED]
    assert drawn(memory, "order A.name").constraints.order["A"].tolist() == [1, 0, 2, UNRANKED, 1]


def test_paths_across_kinds_follow_the_order_of_the_star() -> None:
    tables = {**alone(2), "B": {"key": [1, 2, 3]}}
    memory = Memory(tables, {"A-X->B": [[0, 2, 1], [0, 0, 5]]})
    assert pairs_of(links_of(memory, "must across A-X->B >= 2", ("A", "B"))) == {(0, 1), (1, 2)}
    turned = {"B": memory.nodes["B"], "A": memory.nodes["A"]}
    assert pairs_of(links_of(memory, "must across A-X->B >= 2", ("B", "A"), turned)) == {(1, 0), (2, 1)}
    assert pairs_of(links_of(memory, "must across A-X->B; limit 1", ("A", "B"))) == {(1, 2)}


def test_a_query_file_brings_its_own_weights() -> None:
    memory = Memory(alone(3), {"A-[p.cypher]->A": [[0, 0.5, 0], [0.25, 0, 0], [0, 3, 0]]})
    links = links_of(memory, "must A-[p.cypher]->A; weight 2", "A")
    assert dict(
        zip(zip(links.left.tolist(), links.right.tolist(), strict=True), links.weight.tolist(), strict=True)
    ) == {
        (0, 1): 1.0,
        (1, 2): 6.0,
    }
    assert made(memory, "must A-[p.cypher]->A >= 1") == {(1, 2)}


def test_nodes_outside_the_star_are_left_out_and_filters_act() -> None:
    memory = Memory(alone(4, age=[1, 2, 3, 4]), {"A-X->A": [[0, 1, 1, 1]] * 4})
    star = {"A": Nodes("A", ["a3", "a1", "other", "a0"])}
    assert pairs_of(links_of(memory, "must A-X->A", "A", star)) == {(0, 1), (0, 3), (1, 3)}
    assert pairs_of(links_of(memory, "must A-X->A; where A.age >= 2", "A", star)) == {(0, 1)}
    assert pairs_of(links_of(memory, "must distance A.age <= 1; where A.age <= 2", "A", star)) == {(1, 3)}


def test_a_limit_keeps_the_strongest_and_a_sample_is_drawn_first() -> None:
    weights: Ints = np.triu(np.arange(100).reshape(10, 10), 1)
    memory = Memory(alone(10), {"A-X->A": weights})
    assert made(memory, "must A-X->A; limit 2") == {(8, 9), (7, 9)}
    sample = made(memory, "must A-X->A; sample 9; seed 3")
    assert len(sample) == 9
    assert made(memory, "must A-X->A; sample 9; seed 3; limit 4") == {
        *sorted(sample, key=lambda pair: -weights[pair])[:4]
    }
    assert len(made(memory, "must A-X->A; sample 0.5")) == 23
    assert made(memory, "must A-X->A; sample 1000") == made(memory, "must A-X->A")
    tied = Memory(alone(4), {"A-X->A": np.ones((4, 4))})
    assert made(tied, "must A-X->A; limit 2") == {(0, 1), (0, 2)}


@pytest.mark.parametrize(("option", "count"), [("limit 5", 5), ("sample 5", 5), ("sample 0.2", 56)])
def test_more_pairs_than_there_is_room_for_are_thinned(
    monkeypatch: pytest.MonkeyPatch, option: str, count: int
) -> None:
    monkeypatch.setattr(pair_sampling, "MOST_LINKS", 90)
    monkeypatch.setattr(paths, "_ROOM", 60)
    memory = Memory({**alone(24), "B": {"key": [*range(24)]}}, {"A-X->B": np.tri(24)})
    found = made(memory, f"must shared A-X->B >= 1; {option}")
    assert len(found) == count
    if option == "limit 5":
        assert found == {(22, 23), (21, 22), (21, 23), (20, 21), (20, 22)}
    with pytest.raises(ParameterError, match=r"makes more than 90 links; make its test stricter, or say how many with"):
        drawn(memory, "must shared A-X->B >= 1")
    with pytest.raises(ParameterError, match="makes more than 90 links"):
        drawn(memory, "must shared A-X->B >= 1; sample 0.9")


@given(st.integers(0, 10**15) | st.integers(0, 50), st.integers(0, 40), st.integers(0, 9))
def test_numbers_are_drawn_once_each(total: int, count: int, seed: int) -> None:
    numbers = pair_sampling.draw_numbers(np.random.default_rng(seed), total, min(count, total)).tolist()
    assert numbers == sorted(set(numbers))
    assert len(numbers) == min(count, total)
    assert all(0 <= number < total for number in numbers)


WARNED = {
    "must A-X->A >= 9": "the largest weight is 2",
    "must A-X->A; mutual": "no link goes both ways",
    "must A-Y->A": "A-Y->A joins no two different nodes of the star",
    "must shared A-X->A >= 3": "the largest value seen is 1",
    "must jaccard A-X->A >= 0.9": "the largest value seen is 0.5",
    "must shared A-Y->A >= 2": "the largest value seen is 0",
    "must same A.nothing": "no A of the star has a value in A.nothing",
    "must same A.name": "no two nodes have the same value",
    "must same A.empty": "the lists in A.empty are empty",
    "cannot different A.one": "there is only 1 different value",
    "must distance A.age <= 1": "the smallest distance is 2",
    "cannot distance A.age >= 100": "the largest distance is 7",
    "must text A.name <= 1": "the smallest edit distance is 5",
    "cannot text A.name >= 9": "the largest edit distance is 6",
    "known A.age; fraction 0.1": "it was given 1 node",
    "known A.age; where A.age > 100": "no A of the star that passes the filters has a value in A.age",
    "order A.nothing": "no A of the star has a value in A.nothing",
    'must these {"A": ["a0", "a1"]}; where A.age > 100': "fewer than two of them pass the filters and the sample",
}


@pytest.mark.parametrize("rule", WARNED)
def test_a_rule_that_makes_nothing_says_so(rule: str) -> None:
    found = drawn(ODD, rule, "cannot different A.age")
    what = "order" if rule.startswith("order") else "links"
    assert found.warnings == (f"the rule '{Rule.parse(rule)}' makes no {what}: {WARNED[rule]}",)
    assert found.constraints.rules == (str(Rule.parse(rule)), "cannot different A.age")
    assert set(found.constraints.within["A"].rule.tolist()) == {1}
    assert not found.constraints.of_rule(str(Rule.parse(rule)))


ODD = Memory(
    {
        "A": {
            "key": ["a0", "a1", "a2"],
            "age": [1, 3, 8],
            "name": ["ann", "robert", "cydney"],
            "one": ["x", "x", None],
            "nothing": [None, None, None],
            "lists": [["x"], ["y"], []],
            "empty": [[], [], None],
            "yes": [True, False, True],
            "days": np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
        },
        "naïve `kind`": {"key": [1, 2], "a b": ["x", "x"]},
    },
    {"A-X->A": [[0, 2, 0], [0, 1, 1], [0, 0, 0]], "A-Y->A": np.eye(3)},
)

REFUSED = {
    "must same Auhtor.age": "links 'Auhtor', and the star has no such kind, only A, naïve `kind`",
    "must same a.age": "links 'a', and the star has no such kind (did you mean 'A'?)",
    "must same A.age; where B.x = 1": "filters 'B', which it does not go through",
    "must A-X->A; where B.x = 1": "filters 'B', which it does not go through",
    "run last; where B.x = 1": "filters 'B', which it does not go through",
    'must same A.age in ["x"]': "needs text, as it names text, and A.age holds numbers",
    "must same A.yes in [1]": "needs numbers, as it names numbers, and A.yes holds truth values",
    "cannot different A.lists": "needs one value a node, and A.lists holds lists",
    "known A.lists": "needs text, numbers or truth values, and A.lists holds lists",
    "must same A.days": "needs text, numbers or truth values, and A.days holds date32[day]",
    "must distance A.name <= 2": "needs numbers, and A.name holds text",
    "must distance A.yes <= 2": "needs numbers, and A.yes holds truth values",
    "must text A.age <= 2": "needs text, and A.age holds numbers",
    "must text A.name A.age <= 2": "needs text, and A.age holds numbers",
    "order A.lists": "needs text or numbers, and A.lists holds lists",
    'must these {"A": ["a0", "b1"]}': "the star has no A 'b1' (did you mean 'a1'?)",
    'must these {"A": ["a0", 1]}': "names A 1, and its keys are text",
    'must these {"naïve `kind`": [1, 3]}': "the star has no naïve `kind` 3",
    'must these {"naïve `kind`": [100000000000000000000, 2]}': "the star has no naïve `kind` 100000000000000000000",
    'must these {"naïve `kind`": [1, "2"]}': "names naïve `kind` '2', and its keys are whole numbers",
    'must these {"A": ["a0", "a0"]}': "names one A, and one node can not be linked alone",
    "file nowhere.parquet": "nowhere.parquet",
}


@pytest.mark.parametrize("rule", REFUSED)
def test_a_bad_rule_is_one_sentence(rule: str) -> None:
    with pytest.raises(GraphmineError, match=re.escape(REFUSED[rule])) as raised:
        drawn(ODD, rule)
    assert "\n" not in str(raised.value)


def test_odd_names_are_names() -> None:
    assert made(ODD, "must same `naïve ``kind```.`a b`", "naïve `kind`") == {(0, 1)}


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(ParameterError, match="there are two rules 'x'; leave one out, or name them"):
        drawn(ODD, "must same A.one; name x", "cannot different A.age; name x")


def test_too_many_classes_are_not_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "MOST_GROUPS", 2)
    with pytest.raises(ParameterError, match=r"finds 3 different values, and it can part 2 at most; name the values"):
        drawn(ODD, "cannot different A.age")
    with pytest.raises(ParameterError, match="finds 3 different values"):
        drawn(ODD, "known A.age")
    assert made(ODD, "cannot different A.age; limit 2") == {(0, 1)}


def test_a_million_equal_values_cost_no_pairs() -> None:
    n = 1_000_000
    ages = np.arange(n) % 50
    nodes = {"A": Nodes("A", np.arange(n))}
    memory = Memory({"A": {"key": np.arange(n), "age": ages}})
    found = draw([Rule.parse("must distance A.age <= 2"), Rule.parse("known A.age")], nodes, memory).constraints
    assert len(found.within["A"]) == (50 + 49 + 48) + (50 + 50 * 49 // 2)
    assert int(found.within["A"].n_pairs[:147].sum()) == 50 * (20000 * 19999 // 2) + (49 + 48) * 20000**2


def test_rules_are_drawn_in_order_and_together() -> None:
    found = drawn(ODD, "must same A.one; name one", "cannot different A.age; name two; hard", "order A.age")
    links = found.constraints.within["A"]
    assert found.constraints.rules == ("one", "two", "order A.age")
    assert [bool(each) for each in links.must] == [number == 0 for number in links.rule.tolist()]
    assert pairs_of(found.constraints.of_rule("two").within["A"]) == {(0, 1), (0, 2), (1, 2)}
    assert links.hard.tolist() == (links.rule == 1).tolist()


def test_saved_constraints_are_drawn_again(tmp_path: Path) -> None:
    from graphmine.constraints.files import save_constraints

    file = tmp_path / "all of it.json"
    rules = (
        "must same A.one",
        "cannot different A.age; weight 2",
        'must these {"A": ["a0", "a2"]}; hard',
        "order A.age",
    )
    first = drawn(ODD, *rules).constraints
    save_constraints(first, ODD.nodes, file)
    found = drawn(ODD, f"file {file}; name before").constraints
    assert found.rules == ("before",)
    links, then = found.within["A"], first.within["A"]
    assert sorted(zip(links.n_pairs, links.must, links.hard, links.weight, strict=True)) == sorted(
        zip(then.n_pairs, then.must, then.hard, then.weight, strict=True)
    )
    assert found.order["A"].tolist() == [0, 1, 2]
    some = drawn(ODD, f"file {file}; where A.age >= 3").constraints
    assert pairs_of(some.within["A"]) == {(1, 2)}
    assert some.order["A"].tolist() == [UNRANKED, 1, 2]
