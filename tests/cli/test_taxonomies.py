"""Taxonomies from the command line: flags and job files, three forms, what is said, and taking them back."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from graphmine.exchange.load import load
from graphmine.gallery import nested
from graphmine.store import connect
from tests.cli.program import WOMEN, graphmine, snapshot
from tests.snapshots import PUBLISHED, papers

STAR, (_, TOPICS) = nested(60, 24, seed=1)
MINE = ["mine", "--relation", PUBLISHED, "-k", "4", "--hierarchy"]


def load_topics(database: str) -> str:
    with connect(database) as store:
        load(store, papers([(STAR, TOPICS)]))
    return database


@pytest.fixture
def topics(ladybug_path: Path) -> str:
    """An embedded database with fields that have topics."""
    return load_topics(str(ladybug_path))


@pytest.fixture
def both(database: str) -> str:
    """Fields that have topics, in each sort of database."""
    return load_topics(database)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def values(database: str) -> Any:
    return snapshot(database)[0]  # type: ignore[index]


def test_mine_writes_tells_and_unwinds(both: str) -> None:
    before = values(both)
    ran = graphmine(*MINE, "--write", "topic", "--db", both)
    assert ran.err == ""
    name = re.search(r"topic-[0-9a-f]{6}", ran.out)
    assert name
    tree = [line.strip() for line in ran.out.splitlines() if re.match(r" (all|[ │]*[├└]─) ", line)]
    assert [re.sub(r"[│├└─ ]+", "", line)[:1] for line in tree] == ["a", "0", "0", "2", "1", "1", "3"]
    assert "levels        2, 4 clusters" in ran.out
    assert f"taxonomy      {name[0]}, labels in topic_1, topic_2" in ran.out
    again = graphmine(*MINE, "--write", "topic", "--db", both)
    assert "kept          topic_1, topic_2: on record already, not written again" in again.out
    listed = graphmine("runs", "list", "--db", both)
    assert f"taxonomy      {name[0]}: topic_1, topic_2" in listed.out
    by_csv = rows(graphmine("runs", "list", "--db", both, "--format", "csv").out)
    assert [(row["property"], row["part of"]) for row in by_csv] == [("topic_1", name[0]), ("topic_2", name[0])]
    shown = graphmine("runs", "show", "last", "--db", both).out
    assert "level 2" in shown
    assert re.search(r"cluster +into +objective", shown)
    query = "MATCH (a:Author) RETURN DISTINCT a.topic_1 AS one, a.topic_2 AS two ORDER BY one, two"
    paths = graphmine("cypher", query, "--db", both, "--format", "json").json
    assert [(row["one"], row["two"]) for row in paths] == [(0, 0), (0, 2), (1, 1), (1, 3)]
    assert "2 runs undone" in graphmine("runs", "unwind", name[0], "--db", both).out
    assert values(both) == before


def test_a_tree_within_a_tree_and_a_path_for_each_node(topics: str) -> None:
    before = snapshot(topics)
    data = graphmine(*MINE, "--top", "2", "--db", topics, "--format", "json").json
    tree = data["taxonomy"]
    assert (tree["name"], tree["kept"]) == (None, 0)
    assert [(each["level"], each["clusters"], each["run"]) for each in tree["levels"]] == [(1, 2, None), (2, 4, None)]
    root = tree["root"]
    assert [child["cluster"] for child in root["children"]] == [0, 1]
    assert [[leaf["cluster"] for leaf in child["children"]] for child in root["children"]] == [[0, 2], [1, 3]]
    for branch in (root, *root["children"]):
        assert isinstance(branch["objective"], float)
        for kind in ("Author", "Venue"):
            assert branch["kinds"][kind]["size"] == sum(child["kinds"][kind]["size"] for child in branch["children"])
            assert len(branch["kinds"][kind]["top"]) == 2
    assert data["n_clusters"] == 4
    listed = rows(graphmine(*MINE, "--db", topics, "--format", "csv").out)
    assert list(listed[0]) == ["kind", "key", "level_1", "level_2", "label"]
    assert len(listed) == 60 + 24
    assert all(row["level_2"] == row["label"] for row in listed)
    sizes = {part["cluster"]: part["kinds"]["Venue"]["size"] for part in data["clusters"]}
    assert sizes == {
        number: sum(row["kind"] == "Venue" and row["label"] == str(number) for row in listed) for number in range(4)
    }
    assert snapshot(topics) == before


def test_without_hierarchy_there_is_no_taxonomy(topics: str) -> None:
    data = graphmine(*MINE, "--no-hierarchy", "--db", topics, "--format", "json").json
    assert data["taxonomy"] is None


def test_a_job_file_says_the_same(topics: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{PUBLISHED}'\nn_clusters = 4\nhierarchy = true\n")
    from_file, flags = (
        graphmine(*command, "--db", topics, "--format", "json").json for command in (["mine", str(job)], MINE)
    )
    assert from_file.pop("seconds").keys() == flags.pop("seconds").keys()
    assert from_file == flags
    flat = graphmine("mine", str(job), "--no-hierarchy", "--db", topics, "--format", "json").json
    assert flat["taxonomy"] is None


def test_a_dry_run_tells_of_levels_and_changes_nothing(topics: str) -> None:
    before = snapshot(topics)
    ran = graphmine(*MINE, "--write", "topic", "--dry-run", "--db", topics)
    assert "would fit     a taxonomy of 4 leaves by Loom(n_clusters=2) with seed 0" in ran.out
    assert "would write 'topic_1', 'topic_2', … to the 24 Venue nodes, of which 0 hold a value in 'topic_1'" in ran.out
    data = graphmine(*MINE, "--write", "topic", "--dry-run", "--db", topics, "--format", "json").json
    assert data["hierarchy"] is True
    assert data["writes"]["Venue"] == {"property": "topic_1", "values_now": 0}
    assert snapshot(topics) == before


def test_a_picture_shows_the_leaves(topics: str, tmp_path: Path) -> None:
    picture = tmp_path / "leaves.svg"
    graphmine(*MINE, "--picture", str(picture), "--db", topics)
    assert "in 4 clusters" in re.sub(r"<!-- (.*?) -->", r"\1", picture.read_text())


def test_fewer_leaves_than_asked_are_warned_of(women: str) -> None:
    ran = graphmine("mine", "--relation", WOMEN, "-k", "30", "--hierarchy", "--db", women)
    found = re.search(r"warning: found (\d+) clusters, not 30: the relation has no more structure than that", ran.err)
    assert found
    assert 6 < int(found[1]) < 15  # there are 14 events


def test_an_interrupted_taxonomy_is_unwound_without_a_word_of_its_run(
    topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphmine.exchange.property_changes import apply

    before, calls = values(topics), iter(range(9))

    def ctrl_c(*given: Any, **options: Any) -> object:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return apply(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", ctrl_c)
        ran = graphmine(*MINE, "--write", "topic", "--db", topics, code=130)
    assert "on 'topic_2' was interrupted; end it with" in ran.err
    again = graphmine(*MINE, "--write", "topic", "--db", topics, code=1).err.splitlines()
    assert len(again) == 2
    assert re.search("run .* has to end first", again[1])
    undone = graphmine("runs", "unwind", "last", "--db", topics)
    assert undone.err == ""
    assert "2 runs undone" in undone.out
    assert values(topics) == before


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["-k", "auto"], 2, "a hierarchy needs a number of leaves, at least 2, .* n_clusters was 'auto'; say for ex"),
        (["-k", "1"], 2, "a hierarchy needs a number of leaves, at least 2, .* n_clusters was 1"),
        (["--method", "scm", "-k", "Author=2", "-k", "Venue=2"], 2, "for all kinds together, and n_clusters was {'A"),
        (["-k", "0"], 2, "n_clusters must be a whole number of at least 1, was 0"),
        (["-k", "4", "--method", "nothing"], 2, "method must be one of"),
    ],
)
def test_what_is_no_hierarchy_is_said_before_a_database_is_opened(
    arguments: list[str], code: int, sentence: str, tmp_path: Path
) -> None:
    command = ["mine", "--relation", PUBLISHED, "--hierarchy", *arguments, "--db", str(tmp_path / "nowhere.lbug")]
    assert re.search(sentence, graphmine(*command, code=code).sentence)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--where", "Venue.name = v00"], 2, "the network can not be split in two: n_clusters must be at most 1"),
        (["--where", "Venue.name = nowhere"], 1, "no Author is linked to any Venue, so there is nothing to cluster"),
        (["--write", "na\tme"], 2, "write must not hold control characters"),
    ],
)
def test_what_can_not_be_split(topics: str, arguments: list[str], code: int, sentence: str) -> None:
    before = snapshot(topics)
    assert sentence in graphmine(*MINE, *arguments, "--db", topics, code=code).sentence
    assert snapshot(topics) == before


def test_an_evolution_takes_no_hierarchy(topics: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{PUBLISHED}'\nn_clusters = 4\nhierarchy = true\nby = 'Paper.year'\n")
    assert "the snapshots of an evolution have no taxonomies" in graphmine("evolve", str(job), code=2).sentence
