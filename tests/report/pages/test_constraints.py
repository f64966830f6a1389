"""Pages about constraints: complete as data, readable as tables."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from graphmine.constraints.preview import preview
from graphmine.constraints.satisfaction import Broken, broken, met
from graphmine.gallery import islands
from graphmine.model import FREE, Clustering, Constraints, Groups, Links
from graphmine.report.page import Page, Sheet
from graphmine.report.pages.constraints import broken_page, links_page, met_parts, met_sheet, preview_page
from graphmine.verbs.constrain import Previewed

STAR, TRUTH = islands()
NODES = {nodes.kind: nodes for nodes in STAR.kinds}


def some_constraints() -> Constraints:
    friends = Links.tying(Groups.of([[0, 1, 2, 3, 4, 5, 6]]), hard=True, rule=0)
    rivals = Links.of_pairs([[0, 1]], must=False, rule=1)
    chairs = Links.of_pairs([[0, 0], [12, 8]], across=True, weight=2.0)
    return Constraints(
        {"Author": friends + rivals}, {("Author", "Venue"): chairs}, {"Venue": np.arange(9)}, ("friends", "rivals")
    )


def texts(page: Page) -> str:
    return "\n".join(part for part in page.parts if isinstance(part, str))


def table(page: Page) -> Sheet:
    (sheet,) = (part for part in page.parts if isinstance(part, Sheet))
    return sheet


def test_a_preview_is_complete_as_data_and_readable_as_a_table() -> None:
    found = preview(some_constraints(), STAR, truth={"Author": TRUTH["Author"].tolist()})
    page = preview_page(Previewed(STAR, some_constraints(), found, 9, ("Ann and Bob contradict",), ("so many",)))
    data = json.loads(json.dumps(page.data))
    assert [rule["rule"] for rule in data["rules"]] == ["friends", "rivals", ""]
    friends = data["rules"][0]
    assert (friends["pairs"], friends["covered"], friends["largest"]) == (21, [7], [7])
    assert friends["truth"] == pytest.approx(15 / 21)
    assert data["kinds"]["Venue"] == {"nodes": 9, "covered": 2, "ranked": 9}
    assert data["hard_groups"]["largest"][0]["some"][0] == {"kind": "Author", "key": "a00"}
    assert data["vain"] == 1
    assert (data["n_conflicts"], data["conflicts"], data["crowded"]) == (9, ["Ann and Bob contradict"], ["so many"])
    assert data["warnings"] == list(found.warnings) != []
    rows = list(table(page).rows)
    assert page.parts[0] == "    1  friends\n    2  rivals\n    3  (no rule)"
    assert rows[0][:8] == (1, "Author", "must hard", 1, 21, "7 (54%)", "7", "71.4% (30.8%)")
    assert rows[2][:6] == (3, "Author – Venue", "must soft", 2, 2, "2 (15%), 2 (22%)")
    assert rows[2][7] is None
    for line in (
        "covered       Author 8 of 13, Venue 2 of 9",
        "ordered       Venue 9 of 9",
        "hard groups   1, the largest:",
        "7 nodes: a00, a01, a02, …",
        "in vain       1 soft cannot-link inside hard groups",
        "conflicts     9, the first 1:",
        "  Ann and Bob contradict",
        "too crowded   so many",
        "warning: the rule 'friends' ties 7 of 13 Author nodes into one group; narrow it or make it soft",
    ):
        assert line in texts(page)
    for sheet in (page.sheet, table(page)):
        assert {len(row) for row in sheet.rows} == {len(sheet.columns)}
        assert sheet.right <= set(sheet.columns)


def test_a_preview_of_nothing_has_no_table() -> None:
    page = preview_page(Previewed(STAR, FREE, preview(FREE, STAR), 0, (), ()))
    assert page.parts == ("covered       Author 0 of 13, Venue 0 of 9\nhard groups   0\nconflicts     none",)
    assert list(page.sheet.rows) == []


def test_what_was_met_is_a_line_a_rule() -> None:
    labels = {kind: truth.copy() for kind, truth in TRUTH.items()}
    labels["Author"][12] = -1
    sheet = met_sheet(met(some_constraints(), Clustering(labels)))
    assert list(sheet.rows) == [
        ("friends", "Author", "must", "hard", 21, 15, 6, 0, "71.4%"),
        ("rivals", "Author", "cannot", "soft", 1, 0, 1, 0, "0.0%"),
        ("(no rule)", "Author – Venue", "must", "soft", 2, 1, 0, 1, "100.0%"),
    ]
    assert sheet.right <= set(sheet.columns)
    assert met_sheet([]).rows == []


def trusted(constraints: Constraints) -> Clustering:
    """The true labels, with a trust of 0.125, 0.25, … in the links of each kind."""
    trust = {kinds: np.arange(1, len(links) + 1) / 8 for kinds, links in constraints.items()}
    return Clustering(TRUTH, trust=trust)


def test_trust_is_told_where_a_method_judges() -> None:
    sheet = met_sheet(met(some_constraints(), trusted(some_constraints())))
    assert sheet.columns[-1] == "trust"
    assert [row[-1] for row in sheet.rows] == ["0.12", "0.25", "0.19"]
    assert sheet.right <= set(sheet.columns)
    found = trusted(some_constraints())
    one_only = Clustering(TRUTH, trust={("Author", "Venue"): found.trust["Author", "Venue"]})
    assert [row[-1] for row in met_sheet(met(some_constraints(), one_only)).rows] == [None, None, "0.19"]


def test_rules_that_repeat_the_relation_are_told() -> None:
    found = met(some_constraints(), Clustering(TRUTH))
    sheet, told = met_parts(found, {"rivals", "friends"})
    assert isinstance(sheet, Sheet)
    assert told == "repeats the relation: friends\nrepeats the relation: rivals"
    assert len(met_parts(found, ())) == 1
    assert met_parts((), {"gone"}) == ()
    constraints = replace(some_constraints(), repeats=frozenset({"rivals"}))
    page = preview_page(Previewed(STAR, constraints, preview(constraints, STAR), 0, (), ()))
    assert "repeats the relation: rivals" in texts(page)
    assert "repeats the relation: friends" not in texts(page)
    assert [each["repeats"] for each in json.loads(json.dumps(page.data))["rules"]] == [False, True, False]
    assert [row[page.sheet.columns.index("repeats")] for row in page.sheet.rows] == [False, True, False]


def test_links_are_listed_with_their_trust() -> None:
    table_of = pa.Table.from_pylist([
        link | {"kind": "Author", "other_kind": "Author", "must": True, "hard": False, "weight": 2.0}
        for link in (
            {"rule": "a", "key": "x", "size": 1, "other_key": "y", "other_size": 1, "trust": 0.5, "pairs": 1,
             "broken": 1, "unplaced": 0},
            {"rule": "a", "key": "x", "size": 1, "other_key": "z", "other_size": 1, "trust": 0.9, "pairs": 1,
             "broken": 0, "unplaced": 1},
            {"rule": "a", "key": "y", "size": 1, "other_key": "z", "other_size": 1, "trust": 0.5, "pairs": 1,
             "broken": 0, "unplaced": 0},
            {"rule": "", "key": "x, y, z, …", "size": 4, "other_key": "x, y, z, …", "other_size": 4, "trust": 0.1,
             "pairs": 6, "broken": 3, "unplaced": 1},
            {"rule": "", "key": "x, y", "size": 2, "other_key": "z", "other_size": 1, "trust": 0.2, "pairs": 2,
             "broken": 0, "unplaced": 1},
        )
    ])  # fmt: skip
    page = links_page(table_of, most=5)
    rows = list(table(page).rows)
    assert rows[0] == ("Author", "x", "Author", "y", "must", "soft", "2", "0.50", "broken", "a")
    assert [row[8] for row in rows] == ["broken", "unplaced", "met", "3 of 5 broken", "met"]
    assert rows[3][1:4:2] == ("x, y, z, … (4 nodes)", "one another")
    assert rows[4][1:4:2] == ("x, y (2 nodes)", "z")
    assert rows[4][-1] == "(no rule)"
    assert texts(page) == "5 links"
    least = links_page(table_of, most=3, least_trusted=True)
    assert [each["trust"] for each in json.loads(json.dumps(least.data))["links"]] == [0.1, 0.2, 0.5]
    assert next(iter(least.sheet.rows))[least.sheet.columns.index("rule")] == ""
    assert least.data["total"] == 5  # type: ignore[index]
    assert texts(least) == "5 links, of which 3 are listed"
    every = links_page(table_of, most=9, least_trusted=True)
    assert [row[3] for row in table(every).rows] == ["one another", "z", "y", "z", "z"]  # equal ones as they stood
    for sheet in (page.sheet, table(page)):
        assert {len(row) for row in sheet.rows} == {len(sheet.columns)}
        assert sheet.right <= set(sheet.columns)


def test_broken_pairs_are_told_with_the_trust_of_their_link() -> None:
    constraints = some_constraints()
    page = broken_page(broken(constraints, trusted(constraints), most=7), NODES, constraints.rules)
    assert [row[7:] for row in table(page).rows] == [("0.12", "friends")] * 6 + [("0.25", "rivals")]
    assert [row[7] for row in page.sheet.rows] == [0.125] * 6 + [0.25]
    assert [each["trust"] for each in json.loads(json.dumps(page.data))["pairs"]] == [0.125] * 6 + [0.25]


def test_broken_pairs_are_named_by_their_keys() -> None:
    constraints = some_constraints()
    found = broken(constraints, Clustering(TRUTH), most=2)
    page = broken_page(found, NODES, constraints.rules)
    data = json.loads(json.dumps(page.data))
    assert data["total"] == 7
    assert data["pairs"][0] == {
        "kind": "Author", "key": "a00", "other_kind": "Author", "other_key": "a06", "must": True, "hard": True,
        "weight": 1.0, "rule": "friends", "trust": None,
    }  # fmt: skip
    assert next(iter(table(page).rows)) == ("Author", "a00", "Author", "a06", "must", "hard", "1", "friends")
    assert next(iter(page.sheet.rows)) == ("Author", "a00", "Author", "a06", "must", "hard", 1.0, "friends")
    assert texts(page) == "7 pairs are broken, of which 2 are listed"


def test_broken_pairs_of_no_rule_and_none_at_all() -> None:
    links = Constraints({"Author": Links.of_pairs([[0, 12]])})
    page = broken_page(broken(links, Clustering(TRUTH)), NODES, ())
    assert texts(page) == "1 pair is broken"
    assert next(iter(table(page).rows))[-1] == "(no rule)"
    assert next(iter(page.sheet.rows))[-1] == ""
    assert broken_page(Broken(0, ()), NODES, ()).parts == ("0 pairs are broken",)
