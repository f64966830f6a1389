"""The trust of links is told link by link, of groups without their pairs, and found again."""

import json
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from graphmine.constraints.satisfaction import as_records, broken, from_records, met
from graphmine.constraints.trust import JudgedLinks, judged_links, trust_again
from graphmine.errors import ConstraintError
from graphmine.model import Clustering, Constraints, Groups, Links, Nodes
from tests.constraints.random_constraints import KINDS, N_NODES, expanded, some_constraints
from tests.constraints.test_satisfaction import clusterings, state

NODES = {
    "Author": Nodes("Author", [f"a, {i}\x1f" for i in range(N_NODES)]),
    "Venue": Nodes("Venue", [10 * i for i in range(N_NODES)]),
}


@st.composite
def judged(draw: st.DrawFn) -> tuple[Constraints, Clustering]:
    """Draw constraints and labels with a trust of its own in each link."""
    constraints, found = draw(some_constraints()), draw(clusterings)
    total = sum(map(len, constraints.values()))
    rest = iter(np.array(draw(st.permutations(range(total))), dtype=float) / 64)
    trust = {kinds: np.array([next(rest) for _ in range(len(links))]) for kinds, links in constraints.items()}
    return constraints, replace(found, trust=trust)


def as_table(parts: list[JudgedLinks]) -> pa.Table:
    """Return what is stored of links as one table."""
    tables = []
    for part in parts:
        shared = {
            "rule": part.rule, "kind": part.kinds[0], "other_kind": part.kinds[1], "must": part.must, "hard": part.hard
        }  # fmt: skip
        tables.append(pa.Table.from_pylist([shared | row for row in part.rows.to_pylist()]))
    return pa.concat_tables(tables)


@given(judged())
def test_the_trust_of_a_rule_is_the_mean_over_its_pairs(given: tuple[Constraints, Clustering]) -> None:
    constraints, found = given
    wanted = defaultdict(list)
    for pair in expanded(constraints):
        rule = "" if pair.rule < 0 else constraints.rules[pair.rule]
        trust = found.trust[pair.kinds[0], pair.kinds[-1]][pair.link]
        wanted[rule, pair.kinds, pair.must, pair.hard].append(trust)
    for each in met(constraints, found):
        trusts = wanted.get((each.rule, each.kinds, each.must, each.hard))
        assert each.trust == (None if trusts is None else pytest.approx(np.mean(trusts)))
    records = json.loads(json.dumps(as_records(met(constraints, found))))
    assert from_records(records) == met(constraints, found)
    for record in records:
        del record["trust"]  # as it was recorded once
    assert {each.trust for each in from_records(records)} <= {None}


@given(judged())
def test_every_link_is_told_once_with_its_pairs(given: tuple[Constraints, Clustering]) -> None:
    constraints, found = given
    counts: dict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
    for pair in expanded(constraints):
        trust = found.trust[pair.kinds[0], pair.kinds[-1]][pair.link]
        counts[trust, pair.must, pair.hard, pair.weight][state(pair, found)] += 1
    rows = [(part, row) for part in judged_links(constraints, found, NODES) for row in part.rows.to_pylist()]
    assert len(rows) == sum(map(len, constraints.values()))
    for part, row in rows:
        of = counts.pop((row["trust"], part.must, part.hard, row["weight"]), Counter())
        assert (row["pairs"], row["broken"], row["unplaced"]) == (of.total(), of["broken"], of["unplaced"])
    assert not counts


@given(judged())
def test_broken_pairs_have_the_trust_of_their_link(given: tuple[Constraints, Clustering]) -> None:
    constraints, found = given
    wanted = Counter(
        (pair.must, pair.hard, pair.weight, pair.rule, found.trust[pair.kinds[0], pair.kinds[-1]][pair.link])
        for pair in expanded(constraints)
        if state(pair, found) == "broken"
    )
    assert Counter(tuple(pair[4:]) for pair in broken(constraints, found).pairs) == wanted


def test_units_are_told_by_their_keys() -> None:
    links = Links.of_pairs([[0, 1]]) + Links.parting(Groups.of([[2, 3, 4, 5], [6], []]))
    constraints = Constraints(
        {"Author": links}, {KINDS: Links.between(Groups.of([[0, 1]]), Groups.of([[2]]), [[0, 0]])}
    )
    nodes = {"Author": Nodes("Author", list("abcdefg")), "Venue": Nodes("Venue", [1, 2, 3])}
    found = Clustering({"Author": np.zeros(7, dtype=np.int64), "Venue": np.zeros(3, dtype=np.int64)}, trust={
        ("Author", "Author"): np.array([0.1, 0.2, 0.3, 0.4]), KINDS: np.array([0.5])
    })  # fmt: skip
    rows = as_table(list(judged_links(constraints, found, nodes))).to_pylist()
    names = ("key", "size", "other_key", "other_size", "trust", "broken")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("a", 1, "b", 1, 0.1, 0),
        ("c, d, e, …", 4, "g", 1, 0.2, 4),
        ("c, d, e, …", 4, "", 0, 0.3, 0),
        ("g", 1, "", 0, 0.4, 0),
        ("a, b", 2, "3", 1, 0.5, 0),
    ]


@given(judged())
def test_links_that_are_drawn_again_find_their_trust(given: tuple[Constraints, Clustering]) -> None:
    constraints, found = given
    parts = list(judged_links(constraints, found, NODES))
    if not parts:
        return
    known = as_table(parts)
    again = trust_again(known, constraints, NODES)
    assert {kinds: len(each) for kinds, each in again.items()} == {
        kinds: len(links) for kinds, links in constraints.items()
    }
    looked_up = as_table(list(judged_links(constraints, replace(found, trust=again), NODES)))
    named = known.select([name for name in known.column_names if name in LOOKED_AT]).to_pylist()
    for name, was, now in zip(named, known["trust"].to_pylist(), looked_up["trust"].to_pylist(), strict=True):
        alike = [trust for other, trust in zip(named, known["trust"].to_pylist(), strict=True) if other == name]
        assert now == alike[0]
        assert was in alike


LOOKED_AT = ("rule", "kind", "other_kind", "must", "key", "size", "other_key", "other_size")


def test_links_that_are_not_on_record_have_no_trust() -> None:
    then = Constraints({"Author": Links.of_pairs([[0, 1]], rule=0)}, rules=("r",))
    found = Clustering({"Author": np.zeros(N_NODES, dtype=np.int64)}, trust={("Author", "Author"): np.array([0.25])})
    known = as_table(list(judged_links(then, found, NODES)))
    now = Constraints(
        {"Author": Links.of_pairs([[0, 1], [0, 2]], rule=0) + Links.of_pairs([[0, 1]], rule=0, must=False)},
        rules=("r",),
    )
    again = trust_again(known, now, NODES)["Author", "Author"]
    assert again[0] == 0.25
    assert np.isnan(again[1:]).all()
    (pair,) = broken(now, replace(found, trust={("Author", "Author"): again})).pairs
    assert (pair.must, pair.trust) == (False, None)


def test_trust_in_other_links_is_refused() -> None:
    links = Constraints({"Author": Links.of_pairs([[0, 1]])})
    found = Clustering({"Author": np.array([0, 0])}, trust={("Author", "Author"): np.ones(2)})
    sentence = r"^the clustering has a trust for 2 links of Author with Author, and there are 1; give the constraints"
    for count in (met, broken):
        with pytest.raises(ConstraintError, match=sentence):
            count(links, found)
    with pytest.raises(ConstraintError, match=sentence):
        list(judged_links(links, found, NODES))


def test_a_large_group_costs_its_members_only() -> None:
    n = 1_000_000
    links = Links.tying(Groups.of([np.arange(n)]))
    found = Clustering({"A": np.arange(n) % 2}, trust={("A", "A"): np.array([0.5])})
    (part,) = judged_links(Constraints({"A": links}), found, {"A": Nodes("A", np.arange(n))})
    (row,) = part.rows.to_pylist()
    assert (row["key"], row["pairs"], row["broken"]) == ("0, 1, 2, …", n * (n - 1) // 2, (n // 2) ** 2)
