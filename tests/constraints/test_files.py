"""Constraints saved and loaded, and made of tables and graphs."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet

from graphmine.constraints.files import (
    constraints_from_networkx,
    constraints_from_pandas,
    load_constraints,
    save_constraints,
)
from graphmine.constraints.tables import constraints_to_tables
from graphmine.errors import ConstraintError, DataError, GraphmineError, ParameterError
from graphmine.model import FREE, UNRANKED, Constraints, Groups, Links, Nodes
from tests.constraints.random_constraints import KINDS, N_NODES, RULES, expanded, some_constraints

SUFFIXES = (".json", ".parquet")
AUTHORS = {"Author": Nodes("Author", ["Ann", "Bob", "Cem", "Dot"]), "Venue": Nodes("Venue", [1, 2, 30])}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.integers(-(2**63), 2**63 - 1)
some_keys = st.one_of(*(st.lists(keys, min_size=N_NODES, max_size=N_NODES, unique=True) for keys in (texts, numbers)))
ranks = st.lists(st.integers(UNRANKED, 5), min_size=N_NODES, max_size=N_NODES).map(np.array)
orders = st.fixed_dictionaries({}, optional=dict.fromkeys(KINDS, ranks))


def same_links(one: Links, other: Links) -> None:
    for name in ("left", "right", "must", "hard", "weight", "rule"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()
    for name in ("groups", "others"):
        held, there = getattr(one, name), getattr(other, name)
        assert (held is None) == (there is None)
        if held is not None:
            assert held.starts.tolist() == there.starts.tolist()
            assert held.members.tolist() == there.members.tolist()


def same(one: Constraints, other: Constraints) -> None:
    assert (one.rules, one.repeats) == (other.rules, other.repeats)
    for ours, theirs in ((one.within, other.within), (one.across, other.across)):
        assert list(ours) == list(theirs)
        for name in ours:
            same_links(ours[name], theirs[name])  # type: ignore[index]
    assert {kind: each.tolist() for kind, each in one.order.items()} == {
        kind: each.tolist() for kind, each in other.order.items()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saved")


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(
    drawn=some_constraints(),
    order=orders,
    keys=st.tuples(some_keys, some_keys),
    repeats=st.frozensets(st.sampled_from(RULES)),
)
def test_what_is_saved_comes_back(
    folder: Path,
    suffix: str,
    drawn: Constraints,
    order: dict[str, Any],
    keys: tuple[list[object], list[object]],
    repeats: frozenset[str],
) -> None:
    nodes = {kind: Nodes(kind, pa.array(each)) for kind, each in zip(KINDS, keys, strict=True)}
    constraints = Constraints(drawn.within, drawn.across, order, RULES, repeats)
    path = folder / f"constraints{suffix}"
    save_constraints(constraints, nodes, path)
    same(load_constraints(path, nodes), constraints)
    assert [each.name for each in folder.iterdir() if each.name.startswith(".")] == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(drawn=some_constraints(), kept=st.tuples(*[st.permutations(range(N_NODES))] * 2), count=st.integers(1, N_NODES))
def test_what_is_left_of_the_nodes_keeps_its_pairs(
    folder: Path, suffix: str, drawn: Constraints, kept: tuple[list[int], list[int]], count: int
) -> None:
    then = {kind: Nodes(kind, range(N_NODES)) for kind in KINDS}
    now = {kind: Nodes(kind, each[:count]) for kind, each in zip(KINDS, kept, strict=True)}
    path = folder / f"fewer{suffix}"
    save_constraints(drawn, then, path)
    wanted = sorted(
        (pair.ends, pair.must, pair.hard, pair.weight, pair.rule)
        for pair in expanded(drawn)
        if all(position in now[kind].keys.to_pylist() for kind, position in pair.ends)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            found = load_constraints(path, now)
        except DataError as error:
            assert not wanted
            assert str(error).endswith("and nothing is left of its constraints")  # noqa: PT017
            return

    def moved(end: tuple[str, int]) -> tuple[str, int]:
        return end[0], now[end[0]].keys.to_pylist()[end[1]]

    pairs = [(*sorted(map(moved, pair.ends)), pair.must, pair.hard, pair.weight, pair.rule) for pair in expanded(found)]
    assert sorted(pairs) == sorted((*sorted(ends), *rest) for ends, *rest in wanted)


def test_files_of_before_say_nothing_of_repeating_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    links = Constraints({"Author": Links.of_pairs([[0, 1]], rule=0)}, rules=("r",), repeats=frozenset({"r"}))
    save_constraints(links, AUTHORS, path)
    held = json.loads(path.read_text())
    del held["header"]["repeats"]
    path.write_text(json.dumps(held))
    assert load_constraints(path, AUTHORS).repeats == frozenset()
    held["header"]["repeats"] = ["s"]
    path.write_text(json.dumps(held))
    with pytest.raises(DataError, match="it says that 's' repeats the relation, which is none of its rules"):
        load_constraints(path, AUTHORS)
    held["header"]["repeats"] = 3
    path.write_text(json.dumps(held))
    with pytest.raises(DataError, match="does not hold constraints that can be read"):
        load_constraints(path, AUTHORS)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nodes_that_are_gone_are_told_of(tmp_path: Path, suffix: str) -> None:
    links = Links.of_pairs([[0, 1], [1, 2]], rule=0) + Links.tying(Groups.of([[0, 1, 3], [0, 2]]))
    path = tmp_path / f"c{suffix}"
    save_constraints(
        Constraints({"Author": links}, order={"Author": np.array([0, 2, 1, 3])}, rules=("r",)), AUTHORS, path
    )
    now = {"Author": Nodes("Author", ["Dot", "Bob", "Cem"])}
    with pytest.warns(UserWarning, match=r"^1 of the nodes in .* are not among the Author nodes here, so 2 of 4 links"):
        found = load_constraints(path, now)
    left = found.within["Author"]
    assert (left.left.tolist(), left.right.tolist()) == ([1, -1], [2, -1])
    assert left.groups[0].tolist() == [1, 0]
    assert found.order["Author"].tolist() == [3, 2, 1]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_where_nothing_is_left_it_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"c{suffix}"
    save_constraints(Constraints({"Author": Links.of_pairs([[0, 1]])}), AUTHORS, path)
    for nodes in ({"Venue": AUTHORS["Venue"]}, {"Author": Nodes("Author", ["Xu"])}, {}):
        with pytest.raises(DataError, match=r"^2 of the nodes in .* are not among .*, and nothing is left of its con"):
            load_constraints(path, nodes)
    save_constraints(Constraints(order={"Author": np.array([0, 1, UNRANKED, UNRANKED])}), AUTHORS, path)
    for nodes in ({"Venue": AUTHORS["Venue"]}, {"Author": Nodes("Author", ["Cem", "Dot"])}):
        with pytest.raises(DataError, match=r"^2 of the nodes in .* are not among .*, and nothing is left of its con"):
            load_constraints(path, nodes)
    across = Links.of_pairs([[0, 1]], across=True)
    save_constraints(Constraints({"Author": Links.of_pairs([[0, 1]])}, {("Author", "Venue"): across}), AUTHORS, path)
    with pytest.warns(UserWarning, match=r"^1 of the nodes in .* so 1 of 2 links were dropped$"):
        assert list(load_constraints(path, {"Author": AUTHORS["Author"]}).across) == []
    save_constraints(FREE, AUTHORS, path)
    assert not load_constraints(path, {})


def spoiled_table(path: Path) -> None:
    table = parquet.read_table(path)
    parquet.write_table(table.drop_columns(["weight"]), path)


def spoiled_json(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    held = json.loads(path.read_text(encoding="utf-8"))
    change(held)
    path.write_text(json.dumps(held), encoding="utf-8")


SPOILED: list[tuple[str, Callable[[Path], object]]] = [
    (".parquet", lambda path: path.write_bytes(b"no table at all")),
    (".parquet", lambda path: path.write_bytes(path.read_bytes()[:-50])),
    (".parquet", lambda path: path.write_bytes(b"")),
    (".parquet", lambda path: parquet.write_table(pa.table({"a": [1]}), path)),
    (".parquet", spoiled_table),
    (".json", lambda path: path.write_text("{")),
    (".json", lambda path: path.write_text("[1, 2]")),
    (".json", lambda path: path.write_bytes(b"\xff\xfe")),
    (".json", lambda path: path.write_text("")),
    (".json", lambda path: spoiled_json(path, lambda held: held["header"].update(format="x"))),
    (".json", lambda path: spoiled_json(path, lambda held: held.pop("links"))),
    (".json", lambda path: spoiled_json(path, lambda held: held.update(links="x"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["header"].pop("rules"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["header"].update(links=[1]))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].update(weight=-1))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].update(must="x"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].pop("must"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].pop("weight"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].pop("left"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].update(rule="x"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][0].update(kind="x"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][1].update(left="Ann"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][1].update(left_group=9))),
    (".json", lambda path: spoiled_json(path, lambda held: held["links"][1].update(left_group=-3))),
    (".json", lambda path: spoiled_json(path, lambda held: held["groups"][0].update(group=9))),
    (".json", lambda path: spoiled_json(path, lambda held: held["groups"][0].update(group=-1))),
    (".json", lambda path: spoiled_json(path, lambda held: held["groups"][0].pop("group"))),
    (".json", lambda path: spoiled_json(path, lambda held: held["orders"][0].pop("rank"))),
]


@pytest.mark.parametrize(("suffix", "spoil"), SPOILED)
def test_a_spoiled_file_is_one_sentence(tmp_path: Path, suffix: str, spoil: Callable[[Path], object]) -> None:
    links = Links.of_pairs([[0, 1]]) + Links.tying(Groups.of([[0, 1]]))
    path = tmp_path / f"c{suffix}"
    save_constraints(Constraints({"Author": links}, order={"Author": np.array([0, 1, 2, 3])}), AUTHORS, path)
    spoil(path)
    with pytest.raises(DataError, match=r"^/.*c\.\w+ does not hold constraints that can be read: [^\n]+$"):
        load_constraints(path, AUTHORS)


def test_a_node_is_in_a_group_once_however_often_a_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    save_constraints(Constraints({"Author": Links.tying(Groups.of([[0, 1], [1, 2]]))}), AUTHORS, path)
    spoiled_json(path, lambda held: held["groups"].extend(held["groups"][1:2]))
    links = load_constraints(path, AUTHORS).within["Author"]
    assert [links.groups[i].tolist() for i in range(2)] == [[0, 1], [1, 2]]
    assert links.n_pairs.tolist() == [1, 1]


def test_files_that_can_not_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json can not be read: No such file or directory$"):
        load_constraints(tmp_path / "none.json", AUTHORS)
    with pytest.raises(DataError, match=r"none\.parquet can not be read: .*No such file or directory"):
        load_constraints(tmp_path / "none.parquet", AUTHORS)
    for suffix in SUFFIXES:
        with pytest.raises(DataError, match=rf"none/c\{suffix} can not be written: .*No such file or directory"):
            save_constraints(FREE, AUTHORS, tmp_path / "none" / f"c{suffix}")
    for use in (lambda: load_constraints("c.csv", AUTHORS), lambda: save_constraints(FREE, AUTHORS, "c.csv")):
        with pytest.raises(
            ParameterError, match=r"^constraints are kept in \.parquet or \.json files, not in 'c\.csv'$"
        ):
            use()
    with pytest.raises(ConstraintError, match=r"^a link names the Author node at position 9, and there are 4$"):
        save_constraints(Constraints({"Author": Links.of_pairs([[0, 9]])}), AUTHORS, tmp_path / "c.json")
    with pytest.raises(ConstraintError, match=r"^there are links of Term, and no such nodes, only Author, Venue$"):
        save_constraints(Constraints({"Term": Links.of_pairs([[0, 9]])}), AUTHORS, tmp_path / "c.json")
    assert list(tmp_path.iterdir()) == []


def test_tables_name_nodes_by_their_keys() -> None:
    across = Links.between(Groups.of([[0, 1]]), Groups.of([[2]]), [[0, 0]], must=False, rule=0)
    constraints = Constraints({}, {("Author", "Venue"): across}, {"Venue": np.array([1, UNRANKED, 0])}, ("chairs",))
    tables = {name: table.to_pylist() for name, table in constraints_to_tables(constraints, AUTHORS).items()}
    assert [(row["kind"], row["other"], row["left_group"], row["rule"]) for row in tables["links"]] == [
        ("Author", "Venue", 0, "chairs")
    ]
    assert [(row["side"], row["key"]) for row in tables["groups"]] == [
        ("left", "Ann"),
        ("left", "Bob"),
        ("right", "30"),
    ]
    assert tables["orders"] == [{"kind": "Venue", "key": "1", "rank": 1}, {"kind": "Venue", "key": "30", "rank": 0}]


ROWS: dict[str, list[Any]] = {"who": ["Ann", "Cem"], "whom": ["Bob", "Dot"], "often": [2, 3], "where": [30, 1]}


def of_pandas(rows: dict[str, list[Any]]) -> object:
    return pytest.importorskip("pandas").DataFrame(rows)


@pytest.mark.parametrize("make", [dict, pa.table, of_pandas])
def test_links_of_a_table(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    found = constraints_from_pandas(
        make(ROWS), AUTHORS, "Author", a="who", b="whom", weight="often", must=False, hard=True
    )
    same(
        found,
        Constraints(
            {"Author": Links.of_pairs([[0, 1], [2, 3]], must=False, hard=True, weight=[2.0, 3.0], rule=0)},
            rules=("pandas",),
        ),
    )
    kinds = ("Author", "Venue")
    across = constraints_from_pandas(make(ROWS), AUTHORS, kinds, a="who", b="where", weight=0.5, rule="chairs")
    pairs = Links.of_pairs([[0, 2], [2, 0]], weight=0.5, rule=0, across=True)
    same(across, Constraints(across={kinds: pairs}, rules=("chairs",)))


def test_whole_numbers_that_pandas_made_floats_and_words_it_made_categories_are_keys() -> None:
    table = pa.table({"a": pa.array(["Ann", "Bob"]).dictionary_encode(), "b": pa.array([1.0, 30.0])})
    found = constraints_from_pandas(table, AUTHORS, ("Author", "Venue")).across["Author", "Venue"]
    assert (found.left.tolist(), found.right.tolist()) == ([0, 1], [0, 2])


def test_rows_of_unknown_nodes_are_dropped_and_told_of() -> None:
    rows = {"a": ["Ann", "Xu"], "b": ["Bob", "Cem"], "w": [1.0, 2.0]}
    with pytest.warns(UserWarning, match=r"^1 of 2 pairs were dropped, as they are no keys of Author nodes$"):
        found = constraints_from_pandas(rows, AUTHORS, "Author", weight="w")
    assert found.within["Author"].weight.tolist() == [1.0]
    assert not constraints_from_pandas({"a": [], "b": []}, AUTHORS, "Author")


BAD_ROWS: list[tuple[type[GraphmineError], str, dict[str, list[Any]], Any, dict[str, Any]]] = [
    (DataError, "none of the 1 pairs are keys of Author nodes", {"a": ["Xu"], "b": ["Yi"]}, "Author", {}),
    (DataError, "1 of 2 rows have no 'b'", {"a": ["Ann", "Bob"], "b": ["Bob", None]}, "Author", {}),
    (
        DataError,
        "the Author 'Ann' is linked with itself; leave that row out",
        {"a": ["Ann"], "b": ["Ann"]},
        "Author",
        {},
    ),
    (DataError, "the column 'b' holds int64, and the keys of Author are text", {"a": ["Ann"], "b": [1]}, "Author", {}),
    (
        DataError,
        "the column 'b' holds double, and the keys of Venue are whole numbers",
        {"a": ["Ann"], "b": [1.5]},
        ("Author", "Venue"),
        {},
    ),
    (DataError, "the column 'a' holds values of several types", {"a": ["Ann", 1], "b": ["Bob", "Cem"]}, "Author", {}),
    (
        DataError,
        "the column 'w' must hold numbers to be the weight of links",
        {"a": ["Ann"], "b": ["Bob"], "w": ["x"]},
        "Author",
        {"weight": "w"},
    ),
    (
        ConstraintError,
        "the weight of a link must be a number above 0",
        {"a": ["Ann"], "b": ["Bob"], "w": [None]},
        "Author",
        {"weight": "w"},
    ),
    (ParameterError, "the table has no column 'b'", {"a": ["Ann"]}, "Author", {}),
    (ParameterError, "there are no nodes of kind 'Auhtor' (did you mean 'Author'?)", {}, "Auhtor", {}),
    (
        ParameterError,
        "kind must be one kind, or two different ones, was ('Author', 'Author')",
        {},
        ("Author", "Author"),
        {},
    ),
]


@pytest.mark.parametrize(("error", "sentence", "rows", "kind", "options"), BAD_ROWS)
def test_bad_tables_are_one_sentence(
    error: type[GraphmineError], sentence: str, rows: dict[str, list[Any]], kind: Any, options: dict[str, Any]
) -> None:
    with pytest.raises(error) as caught:
        constraints_from_pandas(rows, AUTHORS, kind, **options)
    assert str(caught.value) == sentence


def test_links_of_a_graph() -> None:
    graph = nx.Graph([("Ann", "Bob"), ("Cem", "Cem")])
    graph.add_edge("Bob", "Dot", weight=4)
    found = constraints_from_networkx(graph, AUTHORS, "Author", weight="weight", rule="met")
    expected = Links.of_pairs([[0, 1], [1, 3]], weight=[1.0, 4.0], rule=0)
    same(found, Constraints({"Author": expected}, rules=("met",)))
    kinds = ("Author", "Venue")
    both = nx.Graph([("Ann", 30), (1, "Bob")])
    pairs = constraints_from_networkx(both, AUTHORS, kinds).across[kinds]
    assert sorted(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == [(0, 2), (1, 0)]
    assert not constraints_from_networkx(nx.Graph(), AUTHORS, "Author")


def test_edges_that_do_not_fit() -> None:
    with pytest.warns(UserWarning, match=r"^1 of 2 pairs were dropped, as they are no keys of Author or Venue nodes$"):
        constraints_from_networkx(nx.Graph([("Ann", 30), ("Ann", "Bob")]), AUTHORS, ("Author", "Venue"))
    with pytest.raises(DataError, match=r"^none of the 1 pairs are keys of Author nodes$"):
        constraints_from_networkx(nx.Graph([("Ann", 30)]), AUTHORS, "Author")
    with pytest.raises(DataError, match=r"^an edge has a 'w' that is no number, so it can not be a weight$"):
        constraints_from_networkx(nx.Graph([("Ann", "Bob", {"w": "x"})]), AUTHORS, "Author", weight="w")


def test_a_large_class_is_saved_once(tmp_path: Path) -> None:
    size = 100_000
    nodes = {"Author": Nodes("Author", np.arange(size))}
    constraints = Constraints({"Author": Links.tying(Groups.of([np.arange(size)]))})
    save_constraints(constraints, nodes, tmp_path / "c.parquet")
    same(load_constraints(tmp_path / "c.parquet", nodes), constraints)


def test_columns_of_different_lengths_are_refused() -> None:
    for rows in ({"a": ["Ann"], "b": ["Bob", "Cem"]}, {"a": ["Ann"], "b": ["Bob"], "w": [1.0, 2.0]}):
        with pytest.raises(DataError, match=r"^the columns of the table have different lengths: 1, "):
            constraints_from_pandas(rows, AUTHORS, "Author", weight="w" if "w" in rows else None)


@pytest.mark.parametrize("count", [10**9, 10**30, -1, "many", None])
def test_a_file_with_an_impossible_number_of_groups_is_refused(tmp_path: Path, count: object) -> None:
    path = tmp_path / "c.json"
    save_constraints(Constraints({"Author": Links.tying(Groups.of([[0, 1]]))}), AUTHORS, path)
    held = json.loads(path.read_text())
    held["header"]["links"][0]["groups"] = [count]
    path.write_text(json.dumps(held))
    with pytest.raises(DataError, match="groups"):
        load_constraints(path, AUTHORS)


def test_a_file_with_a_third_side_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    save_constraints(Constraints({"Author": Links.tying(Groups.of([[0, 1]]))}), AUTHORS, path)
    path.write_text(path.read_text().replace('"side": "left"', '"side": "middle"'))
    with pytest.raises(DataError, match="on the left or on the right"):
        load_constraints(path, AUTHORS)
