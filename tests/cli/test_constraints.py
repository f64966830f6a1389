"""Constraints from the command line, on both databases: looked at, fitted with, reported, refused."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphmine.methods.spectral.scm import SCM as SCM_CLASS
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.store import connect
from tests.cli.program import VENUES, graphmine, snapshot
from tests.databases import read, write

COAUTHORS = "must Author-WROTE->Paper<-WROTE-Author >= 2"
CHECKED = "known Author.checked_area; hard"
SCM = ["mine", "--relation", VENUES, "--method", "scm", "-k", "4"]
LOOK = ["constraints", "--relation", VENUES]


@pytest.fixture
def loaded(database: str) -> str:
    """A database of each sort with a small academic network."""
    graphmine("load", "academic", "--authors", "120", "--terms", "20", "--noise", "0.2", "--db", database)
    return database


def test_a_preview_tells_what_rules_say_and_changes_nothing(loaded: str) -> None:
    before = snapshot(loaded)
    rules = ["--constrain", COAUTHORS, "--constrain", CHECKED, "--constrain", "must across Author-CHAIRED->Conference"]
    ran = graphmine(*LOOK, *rules, "--truth", "known_area", "--db", loaded, "--format", "json")
    rules_told = ran.json["rules"]
    assert [each["rule"] for each in rules_told][:1] == [COAUTHORS]
    checked = [each for each in rules_told if each["rule"] == CHECKED]
    assert {each["must"] for each in checked} == {True, False}
    assert all(each["truth"] == 1.0 for each in checked)
    table = graphmine(*LOOK, *rules, "--truth", "known_area", "--db", loaded).out
    assert f"1  {COAUTHORS}\n" in table
    assert snapshot(loaded) == before


def test_a_fit_reports_what_it_met_and_the_run_remembers(loaded: str) -> None:
    rules = ["--constrain", COAUTHORS, "--constrain", CHECKED]
    ran = graphmine(*SCM, *rules, "--write", "area", "--db", loaded, "--format", "json")
    told = ran.json["constraints"]
    assert told["rules"] == [COAUTHORS, CHECKED]
    hard = [each for each in told["met"] if each["rule"] == CHECKED and each["must"]]
    assert hard
    assert all(each["met"] == each["pairs"] - each["unplaced"] for each in hard)
    shown = graphmine("runs", "show", "last", "--db", loaded, "--format", "json").json
    assert shown["constraints"] == {**told, "keys": {}}
    assert CHECKED in graphmine("runs", "show", "last", "--db", loaded).out


def test_broken_links_are_listed_exported_and_written(loaded: str) -> None:
    graphmine(*SCM, "--constrain", COAUTHORS, "--write", "area", "--db", loaded)
    met = graphmine("runs", "show", "last", "--db", loaded, "--format", "json").json["constraints"]["met"]
    count = sum(each["pairs"] - each["met"] - each["unplaced"] for each in met)
    assert count > 0
    lines = graphmine("runs", "broken", "last", "--most", "100000", "--db", loaded, "--format", "csv").out.splitlines()
    assert len(lines) == count + 1
    graphmine("runs", "broken", "last", "--write", "area_broken", "--db", loaded)
    with connect(loaded, create=False) as store:
        sums = read(store, "MATCH (a:Author) WHERE a.area_broken IS NOT NULL RETURN sum(a.area_broken) AS n")
    assert sums["n"].to_pylist() == [2 * count]
    counted = graphmine("runs", "show", "last", "--db", loaded, "--format", "json").json
    assert list(counted["counts"]) == ["Author"]  # no rule names a conference, so nothing is done to them
    assert graphmine("runs", "broken", "last", "--db", loaded, "--format", "json").json["total"] == count
    assert graphmine("score", "last", "--truth", "known_area", "--db", loaded, "--format", "json").json["kinds"]
    assert (
        "and no clusters" in graphmine("score", counted["id"], "--truth", "known_area", "--db", loaded, code=1).sentence
    )
    graphmine("runs", "undo", "last", "--db", loaded)
    assert "area_broken" not in graphmine("schema", "--db", loaded).out


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have SCM trust its links more and more, the hard ones fully."""
    plain = SCM_CLASS.fit

    def fit(self: SCM_CLASS, star: Star, constraints: Constraints = FREE, **options: Any) -> Clustering:
        trust = {
            kinds: np.where(links.hard, 1.0, np.arange(1, len(links) + 1) / (len(links) + 1))
            for kinds, links in constraints.items()
        }
        return replace(plain(self, star, constraints, **options), trust=trust)

    monkeypatch.setattr(SCM_CLASS, "fit", fit)


@pytest.mark.usefixtures("judging")
def test_the_trust_of_links_is_told_kept_and_listed(loaded: str) -> None:
    rules = ["--constrain", COAUTHORS, "--constrain", CHECKED]
    ran = graphmine(*SCM, *rules, "--write", "area", "--db", loaded, "--format", "json")
    met = ran.json["constraints"]["met"]
    assert [each["trust"] for each in met if each["hard"]] == [1.0, 1.0]
    assert all(0 < each["trust"] < 1 for each in met if not each["hard"])
    shown = graphmine("runs", "show", "last", "--db", loaded)
    assert "trust" in shown.out
    links = graphmine("runs", "links", "last", "--most", "1000", "--db", loaded, "--format", "json").json
    assert links["total"] == len(links["links"]) == sum(each["links"] for each in met)
    for each in met:
        of = [
            link for link in links["links"]
            if (link["rule"], link["must"], link["hard"]) == (each["rule"], each["must"], each["hard"])
        ]  # fmt: skip
        assert sum(link["broken"] for link in of) == each["broken"]
        weighed = sum(link["trust"] * link["pairs"] for link in of)
        assert weighed / each["pairs"] == pytest.approx(each["trust"])
    least = graphmine(
        "runs",
        "links",
        "last",
        "--rule",
        COAUTHORS,
        "--least-trusted",
        "--most",
        "3",
        "--db",
        loaded,
        "--format",
        "csv",
    )
    header, *rows = csv.reader(least.out.splitlines())
    of = [link["trust"] for link in links["links"] if link["rule"] == COAUTHORS]
    assert [float(row[header.index("trust")]) for row in rows] == sorted(of)[:3]
    table = graphmine("runs", "links", "last", "--most", "2", "--db", loaded).out
    assert f"{links['total']} links, of which 2 are listed" in table
    broken = graphmine("runs", "broken", "last", "--db", loaded, "--format", "json").json["pairs"]
    trust = {(link["key"], link["other_key"]): link["trust"] for link in links["links"] if link["size"] == 1}
    assert [trust[pair["key"], pair["other_key"]] for pair in broken] == [pair["trust"] for pair in broken] != []
    assert "GraphmineTrust" not in graphmine("schema", "--db", loaded).out
    graphmine("runs", "undo", "last", "--db", loaded)
    with connect(loaded) as store:
        assert read(store, "MATCH (t:GraphmineTrust) RETURN count(*) AS n")["n"].to_pylist() == [0]


@pytest.mark.usefixtures("judging")
def test_links_that_came_since_have_no_trust(women_and_authors: str) -> None:
    graphmine(*SCM, "--constrain", "must same Author.affiliation", "--write", "area", "--db", women_and_authors)
    with connect(women_and_authors) as store:
        write(store, "MATCH (a:Author) WHERE a.area = 0 SET a.affiliation = 'elsewhere'")
        write(store, "MATCH (a:Author) WHERE a.area = 1 SET a.affiliation = 'elsewhere'")
    pairs = graphmine("runs", "broken", "last", "--db", women_and_authors, "--format", "json").json["pairs"]
    with connect(women_and_authors) as store:
        moved = read(store, "MATCH (a:Author) WHERE a.affiliation = 'elsewhere' RETURN a.name AS n")["n"].to_pylist()
    assert {pair["trust"] is None for pair in pairs if pair["key"] in moved} == {True}


def test_runs_without_trust_say_so(women_and_authors: str) -> None:
    graphmine("mine", "--relation", VENUES, "-k", "2", "--method", "s-co", "--write", "a", "--db", women_and_authors)
    listed = ["runs", "links", "last", "--db", women_and_authors]
    assert "had no constraints, so there are no links to trust" in graphmine(*listed, code=1).sentence
    graphmine(*SCM, "--constrain", COAUTHORS, "--write", "area", "--db", women_and_authors)
    said = graphmine(*listed, code=1).sentence
    assert said.endswith("has no trust of links: its method, scm, does not judge them; mine with one that does")
    run = graphmine("runs", "show", "last", "--db", women_and_authors, "--format", "json").json["id"]
    graphmine("runs", "undo", "last", "--db", women_and_authors)
    said = graphmine("runs", "links", run, "--db", women_and_authors, code=1).sentence
    assert said == f"run {run} is undone; only of a complete run can the trust of links be told"


@pytest.mark.usefixtures("judging")
def test_an_unknown_rule_of_a_run_is_told(women_and_authors: str) -> None:
    graphmine(*SCM, "--constrain", f"{COAUTHORS}; name friends", "--write", "area", "--db", women_and_authors)
    listed = ["runs", "links", "last", "--db", women_and_authors, "--rule"]
    assert (
        "judges no links of a rule 'freinds' (did you mean 'friends'?)"
        in graphmine(*listed, "freinds", code=2).sentence
    )
    assert "of a rule 'x', only of 'friends'" in graphmine(*listed, "x", code=2).sentence


def test_rules_that_repeat_the_relation_are_named(women_and_authors: str) -> None:
    mine = [*SCM, "--constrain", COAUTHORS, "--constrain", "must same Author.affiliation", "--db", women_and_authors]
    told = f"repeats the relation: {COAUTHORS}\n"
    ran = graphmine(*mine, "--write", "area")
    assert ran.out.count("repeats the relation") == 1
    assert told in ran.out
    assert told in graphmine("runs", "show", "last", "--db", women_and_authors).out
    assert graphmine(*mine, "--format", "json").json["constraints"]["repeats"] == [COAUTHORS]
    look = [*LOOK, "--db", women_and_authors, "--constrain"]
    assert told in graphmine(*look, COAUTHORS).out
    assert [each["repeats"] for each in graphmine(*look, COAUTHORS, "--format", "json").json["rules"]] == [True]
    assert "repeats the relation" not in graphmine(*look, f"{COAUTHORS}; independent").out


def test_a_rule_can_follow_an_earlier_run(loaded: str) -> None:
    graphmine(*SCM, "--constrain", COAUTHORS, "--write", "area", "--db", loaded)
    graphmine("runs", "broken", "last", "--write", "area_broken", "--db", loaded)  # holds no clusters to follow
    ran = graphmine(*SCM, "--constrain", "run last; weight 0.5", "--write", "area", "--db", loaded, "--format", "json")
    assert {each["rule"] for each in ran.json["constraints"]["met"]} == {"run last; weight 0.5"}
    listed = graphmine("runs", "broken", "last", "--db", loaded, "--format", "json").json
    assert listed["total"] == sum(
        each["pairs"] - each["met"] - each["unplaced"] for each in ran.json["constraints"]["met"]
    )


def test_contradictions_are_shown_with_their_chain_or_settled(loaded: str) -> None:
    with connect(loaded, create=False) as store:
        names = read(store, "MATCH (a:Author) RETURN a.name AS name ORDER BY name LIMIT 3")["name"].to_pylist()
    first, second, third = names
    rules = []
    for rule in (
        f"must these {json.dumps({'Author': [first, second]})}; hard; name ab",
        f"must these {json.dumps({'Author': [second, third]})}; hard; name bc",
        f"cannot these {json.dumps({'Author': [first, third]})}; hard; name ac",
    ):
        rules += ["--constrain", rule]
    before = snapshot(loaded)
    said = graphmine(*SCM, *rules, "--write", "area", "--db", loaded, code=3).sentence
    for part in (*names, "ab", "bc", "ac", "--on-conflict"):
        assert part in said
    assert snapshot(loaded) == before
    told = graphmine(*LOOK, *rules, "--db", loaded, "--format", "json", code=3).json
    assert len(told["conflicts"]) == 1
    assert told["n_conflicts"] == 1
    for way in ("drop-cannot", "drop-must", "weaken"):
        ran = graphmine(*SCM, *rules, "--on-conflict", way, "--db", loaded, "--format", "json")
        assert ran.json["constraints"]["given_up"] >= 1
        assert "because hard links contradict each other" in ran.err
    assert "did you mean 'weaken'" in graphmine(*SCM, *rules, "--on-conflict", "weken", "--db", loaded, code=2).sentence


def test_contradictions_are_counted_and_the_first_are_told(women_and_authors: str) -> None:
    rules = ["--constrain", "must same Author.affiliation; hard", "--constrain", "cannot same Author.affiliation; hard"]
    told = graphmine(*LOOK, *rules, "--db", women_and_authors, "--format", "json", code=3).json
    assert told["n_conflicts"] > len(told["conflicts"]) == 10
    table = graphmine(*LOOK, *rules, "--db", women_and_authors, code=3).out
    assert f"conflicts     {told['n_conflicts']}, the first 10:" in table


def test_too_many_that_exclude_one_another_are_told(loaded: str) -> None:
    rule = "cannot different Author.known_area; hard"
    ran = graphmine(*LOOK, "--constrain", rule, "-k", "2", "--db", loaded)
    sentence = "must all be apart, and 2 clusters can not do that; take -k 4 or more, or make a rule soft\n"
    assert sentence in ran.out
    ran = graphmine("mine", "--relation", VENUES, "--method", "scm", "-k", "2", "--constrain", rule, "--db", loaded)
    assert sentence in ran.err


def test_more_clusters_than_nodes_are_no_way_out(women_and_authors: str) -> None:
    women = ["--relation", "Woman-ATTENDED->Event", "-k", "2", "--constrain", "known Woman.name; hard"]
    ran = graphmine("constraints", *women, "--db", women_and_authors)
    assert "must all be apart, and 2 clusters can not do that; make a rule soft\n" in ran.out


def test_saved_links_come_back(loaded: str, tmp_path: Path) -> None:
    for name in ("links.parquet", "links.json"):
        file = str(tmp_path / name)
        saved = graphmine(*LOOK, "--constrain", COAUTHORS, "--save", file, "--db", loaded, "--format", "json").json
        loaded_ = graphmine(*LOOK, "--constrain", f"file {file}", "--db", loaded, "--format", "json").json
        assert [each["pairs"] for each in loaded_["rules"]] == [each["pairs"] for each in saved["rules"]]


BAD = {
    "must Auhtor-WROTE->Paper<-WROTE-Auhtor": (2, "did you mean 'Author'"),
    "must Paper-IN->Conference<-IN-Paper": (2, "Paper"),
    "must same Author.afiliation": (2, "did you mean 'affiliation'"),
    "must Author-WROTE->Paper<-WROTE-Author >= -3": (2, "threshold"),
    "must Author-WROTE->Paper": (2, "two kinds"),
    "must distance Author.name <= 2": (2, "name"),
    "must text Author.since <= 2": (2, "since"),
    'must these {"Author": ["Nobody Nowhere", "Noone"]}': (2, "Nobody Nowhere"),
    "must Author-[gone.cypher]->Author": (2, "gone.cypher"),
    "run field": (1, "field"),
    "file gone.parquet": (1, "gone.parquet"),
    "order Author.since": (3, "scm takes"),
}


@pytest.mark.parametrize("rule", BAD)
def test_bad_rules_are_refused_in_a_sentence(rule: str, women_and_authors: str) -> None:
    code, part = BAD[rule]
    before = snapshot(women_and_authors)
    assert part in graphmine(*SCM, "--constrain", rule, "--write", "a", "--db", women_and_authors, code=code).sentence
    assert snapshot(women_and_authors) == before


def test_a_rule_that_says_nothing_is_a_warning(loaded: str) -> None:
    ran = graphmine(*SCM, "--constrain", "must Author-WROTE->Paper<-WROTE-Author >= 1000", "--db", loaded)
    assert "warning" in ran.err
    assert ">= 1000" in ran.err


def test_a_method_that_takes_none_says_so(women_and_authors: str) -> None:
    flags = ["--method", "s-co", "--constrain", COAUTHORS, "--db", women_and_authors]
    said = graphmine("mine", "--relation", VENUES, "-k", "2", *flags, code=3)
    assert said.sentence == "s-co takes no constraints; name a method that does, such as loom"


def test_constraints_need_a_relation_and_a_rule(women_and_authors: str) -> None:
    assert "relation is missing" in graphmine("constraints", "--db", women_and_authors, code=2).sentence
    assert "constrain is missing" in graphmine(*LOOK, "--db", women_and_authors, code=2).sentence


def test_runs_without_constraints_have_none_broken(women_and_authors: str) -> None:
    graphmine("mine", "--relation", VENUES, "-k", "2", "--write", "area", "--db", women_and_authors)
    assert "had no constraints" in graphmine("runs", "broken", "last", "--db", women_and_authors, code=1).sentence


def test_runs_recorded_before_there_were_constraints_are_read_and_joined(women_and_authors: str) -> None:
    graphmine("mine", "--relation", VENUES, "-k", "2", "--write", "area", "--db", women_and_authors)
    with connect(women_and_authors) as store:
        for column in ("constraints", "quality"):
            write(store, f"ALTER TABLE GraphmineRun DROP {column}")
    assert len(graphmine("runs", "list", "--db", women_and_authors, "--format", "json").json) == 1
    graphmine(*SCM, "--constrain", COAUTHORS, "--write", "field", "--db", women_and_authors)
    told = graphmine("runs", "list", "--db", women_and_authors, "--format", "json").json
    assert [bool(each["constraints"]) for each in told] == [False, True]


def test_a_dry_run_refuses_rules_that_can_not_be_drawn(women_and_authors: str) -> None:
    for rule, part in {
        "must same Auhtor.affiliation": "did you mean 'Author'",
        "must same Author.afiliation": "did you mean 'affiliation'",
        "must same Paper.title": "the star has no such kind",
        "must text Author.name Author.nme <= 2": "did you mean 'name'",
        "must Author-WROET->Paper<-WROTE-Author": "did you mean 'WROTE'",
    }.items():
        assert part in graphmine(*SCM, "--dry-run", "--constrain", rule, "--db", women_and_authors, code=2).sentence
    said = graphmine(*SCM, "--dry-run", "--constrain", COAUTHORS, "--db", women_and_authors).out
    assert f"would draw    {COAUTHORS}" in said


def test_csv_leaves_contradictions_to_stderr(women_and_authors: str) -> None:
    rules = ["--constrain", "must same Author.affiliation; hard", "--constrain", "cannot same Author.affiliation; hard"]
    ran = graphmine(*LOOK, *rules, "--db", women_and_authors, "--format", "csv", code=3)
    header, *rows = csv.reader(ran.out.splitlines())
    assert [len(row) for row in rows] == [len(header)] * 2
    assert sum("must not share a cluster" in line for line in ran.err.splitlines()) == 10


def test_a_job_is_looked_at_whatever_it_fits_with(women_and_authors: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{VENUES}'\nmethod = 's-co'\nconstrain = 'order Author.since'\n")
    ran = graphmine("constraints", str(job), "--db", women_and_authors, "--format", "json")
    assert ran.json["kinds"]["Author"]["ranked"] > 0


def test_a_preview_names_all_mistakes_of_a_job_as_mine_does(women_and_authors: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{VENUES}'\nn_clusters = 0\nconstrain = 'must Author'\nmethod = 'lom'\n")
    said = [graphmine(command, str(job), "--db", women_and_authors, code=2).err for command in ("mine", "constraints")]
    assert said[0] == said[1]
    assert [line.split(":")[0].strip() for line in said[1].splitlines()[1:]] == [
        "line 2, n_clusters",
        "line 3, constrain",
        "line 4, method",
    ]


def test_scores_are_told_though_a_rule_can_not_be_drawn_any_more(women_and_authors: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.cypher"
    file.write_text("MATCH (a:Author)-[:COAUTHOR]->(b:Author) RETURN a.name AS a, b.name AS b")
    rule = f"must Author-[{file}]->Author"
    graphmine(*SCM, "--constrain", rule, "--write", "area", "--db", women_and_authors)
    file.unlink()
    ran = graphmine("score", "last", "--truth", "known_area", "--db", women_and_authors, "--format", "json")
    assert (bool(ran.json["kinds"]), ran.json["unconstrained"]) == (True, {})
    assert "how well unconstrained nodes agree can not be told: the rules of run" in ran.err
    said = graphmine("runs", "broken", "last", "--db", women_and_authors, code=2).sentence
    assert "can not be drawn any more: the query file" in said


def test_counts_do_not_replace_the_clusters_they_speak_of(women_and_authors: str) -> None:
    graphmine(*SCM, "--constrain", COAUTHORS, "--write", "area", "--db", women_and_authors)
    said = graphmine("runs", "broken", "last", "--write", "area", "--db", women_and_authors, code=2).sentence
    assert "'area' holds the clusters of run" in said


def test_keys_may_be_for_the_rules_alone(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(
            store,
            "UNWIND range(0, 5) AS i CREATE (u:U {nm: i}), (v:V {nm: i}), (u)-[:T]->(v) "
            "MERGE (w:W {wid: i % 2}) CREATE (u)-[:X]->(w)",
        )
    look = ["constraints", "--relation", "U-T->V", "--key", "U.nm", "--key", "V.nm", "--db", neo4j_uri]
    rule = ["--constrain", "must shared U-X->W >= 1"]
    assert "as in --key W.name" in graphmine(*look, *rule, code=1).sentence
    assert graphmine(*look, *rule, "--key", "W.wid", "--format", "json").json["rules"][0]["pairs"] == 6
    said = graphmine(*look, *rule, "--key", "W.wid", "--key", "Z.wid", code=2).sentence
    assert said == "key Z.wid: no relation and no rule goes through a kind 'Z'"


def test_broken_hard_links_are_warned_of(women_and_authors: str) -> None:
    rules = ["--constrain", "cannot same Author.affiliation; hard"]
    ran = graphmine(*SCM, *rules, "--db", women_and_authors, "--format", "json")
    broken = sum(each["pairs"] - each["met"] - each["unplaced"] for each in ran.json["constraints"]["met"])
    assert f"{broken} pairs that hard rules name are broken\n" in ran.err
    written = graphmine(*SCM, *rules, "--write", "area", "--db", women_and_authors, "--format", "json")
    listing = f"`graphmine runs broken {written.json['run']['id']}` lists them"
    assert f"{broken} pairs that hard rules name are broken; {listing}\n" in written.err


def test_doubtful_links_are_listed_and_held_against_the_truth(database: str) -> None:
    graphmine("load", "karate", "--db", database)
    before = snapshot(database)
    asked = ["--relation", "Member-MET{times}-Member", "-k", "2", "--constrain", "must Member-MET{times}-Member >= 4"]
    ran = graphmine("constraints", "doubtful", *asked, "--truth", "known_club", "--db", database, "--format", "json")
    links = ran.json["links"]
    assert ran.json["method"] == "l1"
    assert ran.json["total"] == len(links) > 1
    assert [each["trust"] for each in links] == sorted(each["trust"] for each in links)
    wrong = [each["wrong"] for each in links]
    assert ran.json["precision"] == pytest.approx(sum(wrong) / len(wrong))
    few = graphmine("constraints", "doubtful", *asked, "--below", "0.9", "--most", "1", "--db", database)
    assert "the first 1 of them listed" in few.out
    none = graphmine("constraints", "doubtful", *asked, "--below", "0", "--truth", "known_club", "--db", database)
    assert "none: there is no doubtful link" in none.out
    listed = list(
        csv.DictReader(
            graphmine("constraints", "doubtful", *asked, "--db", database, "--format", "csv").out.splitlines()
        )
    )
    assert [int(row["key"]) for row in listed] == [each["key"] for each in links]
    assert snapshot(database) == before


def test_without_a_command_constraints_are_shown(loaded: str) -> None:
    asked = ["--relation", VENUES, "--constrain", COAUTHORS, "--db", loaded]
    assert graphmine("constraints", *asked).out == graphmine("constraints", "show", *asked).out
    sentence = graphmine("constraints", "doubtful", "--relation", VENUES, "-k", "4", "--db", loaded, code=2).sentence
    assert sentence == "constrain is missing: without rules there is no link to doubt"


def test_a_path_of_weights_is_shown_drawn_and_recorded(database: str, tmp_path: Path) -> None:
    graphmine("load", "karate", "--db", database)
    picture = tmp_path / "path.svg"
    asked = ["--relation", "Member-MET{times}-Member", "-k", "2", "--method", "l1", "--db", database]
    rule = ["--constrain", "known Member.known_club; fraction 0.3"]
    weights = ["--param", "lambda=path", "--curves", str(picture)]
    ran = graphmine("mine", *asked, *rule, *weights, "--write", "club", "--format", "json")
    tried = ran.json["parameters"]["tried"]
    assert [row["lambda"] for row in tried] == [0, 0.01, 0.03, 0.1, 0.3, 1, 3]
    assert "lambda" in picture.read_text(encoding="utf-8")
    recorded = graphmine("runs", "show", "last", "--db", database, "--format", "json").json["parameters"]
    assert (recorded["lambda"], recorded["tried"]) == ("path", tried)
    none = graphmine("mine", *asked, "--curves", str(tmp_path / "none.png"))
    assert none.sentence.startswith("warning: nothing was tried, so that there are no curves to draw")
    assert not (tmp_path / "none.png").exists()
