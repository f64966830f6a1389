"""Every question answers the same on both databases, and what pandas and networkx find in the tables."""

from typing import Any

import graphmine as gm
from graphmine.questions.catalog import question_names
from graphmine.questions.run import query_text
from graphmine.store import Store
from tests.databases import read
from tests.questions import plain
from tests.questions.academic import Mined, mined
from tests.questions.plain import Rows

Case = tuple[str, dict[str, Any], Rows]
PAPERS_TOGETHER = {"relation": "Author-COAUTHOR{papers}->Author"}
TERMS = {"relation": "Author-WROTE->Paper-MENTIONS{count}->Term"}
CATEGORIES = {"relation": "Author-WROTE->Paper-ABOUT{share}->Category"}


def cases(m: Mined) -> list[Case]:
    """Questions, what is given, and the rows to be found."""
    author = m.venues.nodes[7]
    terms = m.plain("Author", m.path("WROTE", "MENTIONS", "count"), "Term")
    categories = m.plain("Author", m.path("WROTE", "ABOUT", "share"), "Category")
    years = dict(zip(m.nodes("Paper"), m.column("Paper", "year"), strict=True))
    known = dict(zip(m.nodes("Author"), m.column("Author", "known_area"), strict=True))
    sizes = [
        {"cluster": cluster, "kind": kind, "nodes": list(clusters.values()).count(cluster)}
        for kind, clusters in m.area.items()
        for cluster in set(clusters.values())
    ]
    kinds = {"kinds": "Conference", "property": "field"}
    of_field = [
        {"cluster": each, "kind": "Conference", "nodes": list(m.field["Conference"].values()).count(each)}
        for each in sorted(set(m.field["Conference"].values()))
    ]
    theorists = sorted(n for n, area in known.items() if area == "Theory")
    coauthors, from_venues = PAPERS_TOGETHER, {"kind": "Conference"}
    return [
        ("sizes", {}, plain.ranked(sizes, "cluster", "kind")),
        ("sizes", kinds, of_field),
        ("members", {"cluster": "1"}, [{"node": n} for n in sorted(k for k, v in m.area["Author"].items() if v == 1)]),
        ("members", {"property": "known_area", "cluster": "Theory", "limit": 3}, [{"node": n} for n in theorists[:3]]),
        ("core", {}, plain.core(m.venues)),
        ("core", {"clusters": "0,2", "limit": 7}, plain.core(m.venues, 7, (0, 2))),
        ("core", from_venues, plain.core(m.authors)),
        ("core", coauthors, plain.core(m.coauthors)),
        ("outliers", {}, plain.outliers(m.venues)),
        ("outliers", coauthors, plain.outliers(m.coauthors)),
        ("cohesion", {}, plain.cohesion(m.venues)),
        ("cohesion", coauthors, plain.cohesion(m.coauthors)),
        ("bridges", {}, plain.bridges(m.venues)),
        ("bridges", {"kind": "Conference", "least": 4, "limit": 1000}, plain.bridges(m.authors, 4, 1000)),
        ("bridges", coauthors, plain.bridges(m.coauthors)),
        ("brokers", {"one": 0, "other": 1}, plain.brokers(m.venues, 0, 1)),
        ("brokers", {"one": 3, "other": 1, **coauthors}, plain.brokers(m.coauthors, 3, 1)),
        ("venues", {}, plain.venues(m.venues)),
        ("venues", {**TERMS, "clusters": [2], "limit": 9}, plain.venues(terms, 9, (2,))),
        ("venues", CATEGORIES, plain.venues(categories)),
        ("mixed", {}, plain.mixed(m.papers)),
        ("mixed", {"least": 3, "limit": 1000}, plain.mixed(m.papers, 3, 1000)),
        ("ties", {}, plain.ties(m.venues)),
        ("ties", coauthors, plain.ties(m.coauthors)),
        ("between", {}, plain.between(m.venues)),
        ("between", coauthors, plain.between(m.coauthors)),
        ("rising", {}, plain.rising(m.papers, years)),
        ("rising", {"years": 3, "until": 2015}, plain.rising(m.papers, years, 3, 2015)),
        ("triangles", {}, plain.triangles(m.sharing)),
        ("triangles", {**coauthors, "least": 2, "limit": 50}, plain.triangles(m.coauthors, 2, 50)),
        ("isolated", {}, plain.isolated(m.venues)),
        ("isolated", coauthors, plain.isolated(m.coauthors)),
        ("unplaced", {}, plain.unplaced(m.venues)),
        ("unplaced", {"property": "checked_area", **coauthors}, unchecked(m)),
        ("changes", {}, plain.changes(m.nodes("Author"), m.field["Author"], m.area["Author"])),
        ("overlap", {}, plain.overlap(m.nodes("Author"), m.field["Author"], m.area["Author"])),
        ("pure", {"least": 0.6}, plain.pure(m.venues, 0.6)),
        ("pure", {**TERMS, "least": "0.55", "weight": 10}, plain.pure(terms, 0.55, 10)),
        ("telling", {}, plain.telling(m.venues)),
        ("telling", {**TERMS, "limit": 30}, plain.telling(terms, 30)),
        ("around", {"node": author}, plain.around(m.venues, author)),
        ("around", {"node": author, **coauthors}, plain.around(m.coauthors, author)),
        ("around", {"node": "nobody"}, []),
        ("values", {"attribute": "affiliation"}, plain.values(m.nodes("Author"), m.area["Author"], affiliations(m))),
        ("history", {"node": author}, history(m, author)),
    ]


def unchecked(m: Mined) -> Rows:
    checked = {n: 0 for n, area in zip(m.nodes("Author"), m.column("Author", "checked_area"), strict=True) if area}
    return plain.unplaced(plain.Plain(m.coauthors.links, m.nodes("Author"), checked))


def affiliations(m: Mined) -> list[Any]:
    return m.column("Author", "affiliation")


def history(m: Mined, node: str) -> Rows:
    return [
        {"run": run, "property": name, "method": "s-co", "state": "complete", "cluster": clusters["Author"].get(node)}
        for run, name, clusters in zip(m.runs, ("field", "area"), (m.field, m.area), strict=True)
    ]


def close(rows: Rows) -> Rows:
    """Leave out the last digits, which depend on the order in which numbers were added."""
    return [{name: round(v, 9) if isinstance(v, float) else v for name, v in row.items()} for row in rows]


def test_every_question_is_answered_as_by_pandas_and_networkx(store: Store) -> None:
    m = mined(store)
    every = cases(m)
    assert {name for name, *_ in every} == set(question_names())
    empty = [(name, given) for name, given, expected in every if not expected]
    assert empty == [("around", {"node": "nobody"})]  # else there would be nothing to compare
    for name, given, expected in every:
        found = gm.query(store, name, **given).to_pylist()
        assert close(found) == close(expected), (name, given)
    for name, given in {name: given for name, given, _ in every if name in ("core", "members", "pure")}.items():
        shown = read(store, query_text(store, name, **given)).to_pylist()
        assert shown == gm.query(store, name, **given).to_pylist(), f"{name}, as it is shown"
