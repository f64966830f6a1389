"""Rules find the same in both databases as in the network that was loaded, and runs are found again."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from graphmine.arrays import Floats
from graphmine.constraints.draw import draw
from graphmine.constraints.rules import Rule
from graphmine.datasets.academic import academic
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, GraphmineError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.rule_source import StoreSource
from graphmine.exchange.runs import Run, list_runs
from graphmine.model import Clustering, Constraints, Filter, Links, Nodes, Star
from graphmine.store import Store, connect
from tests.constraints.source_in_memory import Memory, pairs_of
from tests.databases import write

STAR = ["Author-WROTE->Paper-IN->Conference", "Author-WROTE->Paper"]
RULES = [
    "must Author-WROTE->Paper<-WROTE-Author >= 2",
    "must Author-COAUTHOR-Author; limit 30",
    "must Author-COAUTHOR{papers}->Author >= 3; sample 20; seed 2",
    "must Author-WROTE->Paper<-WROTE-Author; where Paper.year >= 2015; where Author.since <= 2010; name late",
    "must shared Author-WROTE->Paper-IN->Conference >= 3",
    "must jaccard Author-WROTE->Paper-IN->Conference >= 0.6",
    "must same Author.affiliation; where Author.since >= 2010",
    'cannot different Author.affiliation in ["University of Aarhus", "University of Bologna"]; hard',
    "must distance Author.since <= 0; limit 40",
    "cannot distance Author.since >= 15; sample 0.1",
    "must distance Paper.year <= 1",
    "must text Author.name <= 5",
    "cannot text Author.name >= 14; sample 10",
    "must across text Author.known_area Conference.known_area <= 2",
    "known Author.checked_area; hard",
    "known Author.known_area; fraction 0.1; seed 3",
    "must across Author-CHAIRED->Conference",
    """must these {"Author": ["Zoë O'Neill", "Łukasz Nuñez"]}""",
    """cannot across these {"Conference": ["Conference on Theory"], "Author": ["Zoë O'Neill"]}""",
    "order Paper.year",
    "order Author.since",
]


@pytest.fixture(scope="module")
def network() -> Network:
    return academic(authors=80, papers=120, conferences=8, terms=20, seed=5)


@pytest.fixture
def loaded(store: Store, network: Network) -> Store:
    load(store, network)
    return store


def dense(network: Network, *types: str) -> Floats:
    """Return a product of blocks, nodes in the order of their keys; a type with ~ is meant against its arrow."""
    product: Any = None
    for name in types:
        edges = next(edges for edges in network.relationships if edges.type == name.strip("~+"))
        at = [
            {key: i for i, key in enumerate(sorted(network.nodes[kind].column(0).to_pylist()))}
            for kind in (edges.source, edges.target)
        ]
        block = np.zeros(tuple(map(len, at)))
        weights = edges.table["papers"].to_pylist() if name.endswith("+") else [1] * len(edges)
        ends = zip(edges.table["source"].to_pylist(), edges.table["target"].to_pylist(), weights, strict=True)
        for source, target, weight in ends:
            block[at[0][source], at[1][target]] += weight
        block = block.T if name.startswith("~") else block
        product = block if product is None else product @ block
    return np.asarray(product)


def in_memory(network: Network) -> Memory:
    tables = {}
    for kind, table in network.nodes.items():
        ordered = table.sort_by(table.column_names[0])
        tables[kind] = ordered.to_pydict() | {"key": ordered.column(0).to_pylist()}
    late = np.array([year >= 2015 for year in tables["Paper"]["year"]])
    wrote = dense(network, "WROTE")
    return Memory(
        tables,
        {
            "Author-WROTE->Paper<-WROTE-Author": dense(network, "WROTE", "~WROTE"),
            "late": (wrote * late) @ wrote.T,
            "Author-COAUTHOR-Author": dense(network, "COAUTHOR") + dense(network, "COAUTHOR").T,
            "Author-COAUTHOR{papers}->Author": dense(network, "COAUTHOR+"),
            "Author-WROTE->Paper-IN->Conference": dense(network, "WROTE", "IN"),
            "Author-CHAIRED->Conference": dense(network, "CHAIRED"),
        },
    )


def plain(constraints: Constraints) -> dict[str, object]:
    def columns(links: Links) -> list[object]:
        groups = [links.groups] if links.others is None else [links.groups, links.others]
        arrays = [links.left, links.right, links.must, links.hard, links.weight, links.rule]
        return [array.tolist() for array in arrays] + [[g.starts.tolist(), g.members.tolist()] for g in groups]

    every = [*constraints.within.items(), *constraints.across.items()]
    found: dict[str, object] = {str(kinds): columns(links) for kinds, links in every}
    return found | {kind: ranks.tolist() for kind, ranks in constraints.order.items()} | {"rules": constraints.rules}


def drawn(store: Store, *rules: str, star: Star | None = None, **options: Any) -> Constraints:
    star = pull(store, STAR) if star is None else star
    found = draw(
        [Rule.parse(rule) for rule in rules],
        {each.kind: each for each in star.kinds},
        StoreSource(store, {}, **options),
    )
    assert found.warnings == ()
    return found.constraints


def test_every_rule_finds_what_the_network_holds(loaded: Store, network: Network) -> None:
    memory = in_memory(network)
    star = pull(loaded, STAR)
    nodes = {each.kind: each for each in star.kinds}
    for text in RULES:
        rule = Rule.parse(text)
        found = draw([rule], nodes, StoreSource(loaded, {}))
        if rule.name == "late":  # of the filters the memory knows those at the ends
            memory.blocks["Author-WROTE->Paper<-WROTE-Author"][:] = memory.blocks["late"]
        expected = draw([rule], nodes, memory)
        assert found.constraints, text
        assert plain(found.constraints) == plain(expected.constraints), text
        assert found.warnings == expected.warnings == ()


def test_all_rules_at_once_are_told_apart(loaded: Store) -> None:
    every = [rule for rule in RULES if "Author.since" in rule and not rule.startswith("order")]
    found = drawn(loaded, *every)
    assert found.rules == tuple(Rule.parse(rule).name for rule in every)
    for text in every:
        alone, part = drawn(loaded, text).within["Author"], found.of_rule(Rule.parse(text).name).within["Author"]
        assert pairs_of(part) == pairs_of(alone)


def test_a_query_file_links_with_its_own_weights(loaded: Store, network: Network, tmp_path: Path) -> None:
    file = tmp_path / "my pairs.cypher"
    file.write_text(
        "MATCH (a:Author)-[c:COAUTHOR]->(b:Author) RETURN b.name AS a, a.name AS b, c.papers * 0.5 AS weight"
    )
    links = drawn(loaded, f"must Author-[{file}]->Author; weight 2").within["Author"]
    assert {(i, j): w for i, j, w in zip(links.left, links.right, links.weight, strict=True)} == {
        (i, j): w for (i, j), w in np.ndenumerate(dense(network, "COAUTHOR+")) if w
    }
    few = drawn(loaded, f"must Author-[{file}]->Author >= 1").within["Author"]
    assert set(few.weight.tolist()) == {weight for weight in (links.weight / 2).tolist() if weight >= 1}
    file.write_text("MATCH (a:Author)-[:CHAIRED]->(c:Conference) RETURN a.name AS a, c.name AS b")
    rule = f"must across Author-[{file}]->Conference"
    chaired = drawn(loaded, "must across Author-CHAIRED->Conference").across["Author", "Conference"]
    assert pairs_of(drawn(loaded, rule).across["Author", "Conference"]) == pairs_of(chaired)


def test_the_star_may_be_smaller_than_the_network(loaded: Store) -> None:
    star = pull(loaded, STAR[0], where="Author.since >= 2012")
    links = drawn(loaded, "must same Author.affiliation", star=star).within["Author"]
    filtered = drawn(loaded, "must same Author.affiliation; where Author.since >= 2012").within["Author"]
    names = [(star.centre[i], star.centre[j]) for i, j in pairs_of(links)]
    everybody = pull(loaded, STAR[0]).centre
    assert sorted(names) == sorted((everybody[i], everybody[j]) for i, j in pairs_of(filtered))


REFUSED = {
    "must same Author.afiliation": "Author has no property 'afiliation' (did you mean 'affiliation'?)",
    "must same Author.affiliation; where Author.sinse > 3": "Author has no such property (did you mean 'since'?)",
    "must same Author.affiliation; where Author.since > 'x'": "Author.since holds integer, not a text",
    "must Author-WROTE->Papre<-WROTE-Author": "the database has no kind 'Papre'",
    "must Author-WROT->Paper<-WROTE-Author": "the database has no relationship type 'WROT'",
    "must Author-COAUTHOR{paper}->Author": "COAUTHOR relationships have no property 'paper' (did you mean 'papers'?)",
    "must distance Author.affiliation <= 2": "needs numbers, and Author.affiliation holds text",
    "must text Author.since <= 2": "needs text, and Author.since holds numbers",
    "must same Term.word": "the star has no such kind",
    "must Author-[nowhere.cypher]->Author": "the query file nowhere.cypher can not be read",
    'must these {"Author": ["Lukasz Nunez"]}': "the star has no Author 'Lukasz Nunez' (did you mean 'Łukasz Nuñez'?)",
    "run last": "there is no complete run in",
    "run area": "there is no run 'area', nor a complete one that wrote such a property, in",
}  # fmt: skip


def test_bad_rules_are_one_sentence(loaded: Store) -> None:
    for rule, sentence in REFUSED.items():
        with pytest.raises(GraphmineError, match=re.escape(sentence)) as raised:
            drawn(loaded, rule)
        assert "\n" not in str(raised.value)


def test_an_unknown_kind_of_a_larger_star_is_named(loaded: Store) -> None:
    with pytest.raises(GraphmineError, match=r"has no kind 'Autor', named in Autor\.name \(did you mean 'Author'"):
        StoreSource(loaded, {}).values("Autor", "name", ())


@pytest.fixture
def runs(store: Store) -> tuple[Store, Star, list[Run]]:
    nodes = {"A b": pa.table({"naïve `key`": ["x", "y", "z"], "é a": [1.5, None, 1.5]}), "B": pa.table({"id": [1, 2]})}
    edges = Edges("A b", "T`", "B", pa.table({"source": ["x", "y", "z"], "target": [1, 1, 2]}))
    load(store, Network(nodes, (edges,)))
    star = pull(store, "`A b`-`T```->B")
    labels = [([0, 0, 1], [0, 1]), ([0, 1, 1], [1, -1]), ([0, 0, 0], [0, 0])]
    pushed = []
    for property_, (first, second) in zip(("area", "area", "other"), labels, strict=True):
        found = Clustering({"A b": np.array(first), "B": np.array(second)})
        pushed.append(push(store, star, found, Run(property_)))
    return store, star, pushed


def test_odd_names(runs: tuple[Store, Star, list[Run]]) -> None:
    store, star, _ = runs
    assert pairs_of(drawn(store, "must same `A b`.`é a`", star=star).within["A b"]) == {(0, 2)}
    assert pairs_of(drawn(store, "must `A b`-`T```->B<-`T```-`A b`", star=star).within["A b"]) == {(0, 1)}
    text = "cannot text `A b`.`naïve ``key``` >= 1; where `A b`.`naïve ``key``` != y"
    assert pairs_of(drawn(store, text, star=star).within["A b"]) == {(0, 2)}


def test_earlier_runs_are_found_by_name_property_and_time(runs: tuple[Store, Star, list[Run]]) -> None:
    store, _, (first, second, third) = runs
    source = StoreSource(store, {})

    def found(run: str, last: int = 1, source: StoreSource = source) -> list[str]:
        return [earlier.run for earlier in source.earlier(run, last)]

    assert found("last") == [third.id]
    assert found("last", 5) == [third.id]
    assert found("area") == [second.id]
    assert found("area", 2) == found("area", 9) == [second.id, first.id]
    assert found(first.id) == [first.id]
    assert found(second.id, 2) == [second.id, first.id]
    before = StoreSource(store, {}, before=third)
    assert found("last", source=before) == found("area", source=before) == [second.id]
    assert found("last", source=StoreSource(store, {}, before=second)) == [first.id]
    with pytest.raises(RunError, match=f"no complete run from before run {first.id} in"):
        found("last", source=StoreSource(store, {}, before=first))
    with pytest.raises(RunError, match="no run 'other', nor a complete one that wrote such a property, from before"):
        found("other", source=before)
    with pytest.raises(RunError, match="several runs begin with '20'"):
        found("20")
    undo(store, third.id)
    with pytest.raises(RunError, match=rf"run {third.id} is undone; only a complete run's clusters can be constraints"):
        found(third.id)
    assert found("last") == [second.id]
    nodes, labels = source.earlier("last", 1)[0].labels["B"]
    assert (nodes.keys.to_pylist(), labels.tolist()) == ([1, 2], [1, -1])


def test_clusters_of_earlier_runs_become_links(runs: tuple[Store, Star, list[Run]]) -> None:
    store, star, _ = runs
    links = drawn(store, "run area; last 2; decay 0.5", star=star).within
    assert sorted(zip(links["A b"].must.tolist(), links["A b"].weight.tolist(), strict=True)) == [
        (False, 0.5), (False, 1.0), (True, 0.5), (True, 1.0),
    ]  # fmt: skip
    latest = links["A b"].only(links["A b"].weight == 1)
    assert pairs_of(latest.only(latest.must)) == {(1, 2)}
    assert pairs_of(latest.only(~latest.must)) == {(0, 1), (0, 2)}
    assert pairs_of(links["B"]) == {(0, 1)}
    assert links["B"].weight.tolist() == [0.5]
    some = drawn(store, "must run area; where `A b`.`naïve ``key``` != z; where B.id <= 2; last 2", star=star)
    assert pairs_of(some.within["A b"]) == {(0, 1)}


def test_runs_of_one_moment_are_told_apart_by_their_names(runs: tuple[Store, Star, list[Run]]) -> None:
    store, _, (first, *_) = runs
    twin = replace(first, id=first.id + "0")
    assert [earlier.run for earlier in StoreSource(store, {}, before=twin).earlier("last", 1)] == [first.id]
    assert len(list_runs(store)) == 3


def test_lists_are_read_from_both_databases(store: Store) -> None:
    if store.database.declares_properties:
        write(store, "CREATE NODE TABLE A(id INT64 PRIMARY KEY, tags STRING[])")
        write(store, "UNWIND range(1, 4) AS i CREATE (:A {id: i})")
    else:
        write(store, "CREATE CONSTRAINT FOR (a:A) REQUIRE a.id IS UNIQUE")
        write(store, "UNWIND range(1, 4) AS i CREATE (:A {id: i})")
    for id_, tags in ((1, ["x", "y"]), (2, ["y", "y", "z"]), (3, ["z"])):
        write(store, "MATCH (a:A {id: $id}) SET a.tags = $tags", id=id_, tags=tags)
    nodes = {"A": Nodes("A", [1, 2, 3, 4])}
    found = draw([Rule.parse("must same A.tags")], nodes, StoreSource(store, {})).constraints
    assert pairs_of(found.within["A"]) == {(0, 1), (1, 2)}


def test_values_of_different_types_are_refused(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "CREATE (:A {name: 'x', p: 1}), (:A {name: 'y', p: 'one'}), (:A {name: 'z', q: true})")
        source = StoreSource(store, {"A": "name"})
        with pytest.raises(DataError, match=r"A\.name and A\.p can not be read: the values of .* different types"):
            source.values("A", "p", ())
        nodes, values = source.values("A", "p", [Filter("A", "name", "!=", "y")])
        assert (nodes.keys.to_pylist(), values.to_pylist()) == (["x", "z"], [1, None])
        with pytest.raises(DataError, match=r"no uniqueness constraint.*`key='A\.name'`"):
            StoreSource(store, {}).values("A", "p", ())
