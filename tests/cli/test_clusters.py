"""``-k``: a number, auto, or a number for each kind."""

from pathlib import Path

import pyarrow as pa
import pytest

from graphmine.datasets.network import Edges, Network
from graphmine.exchange.load import load
from graphmine.store import connect
from tests.cli.program import WOMEN, graphmine, snapshot

AUTO = ["mine", "--relation", WOMEN, "-k", "auto"]


def test_auto_chooses_and_shows_what_was_tried(women: str) -> None:
    data = graphmine(*AUTO, "--write", "circle", "--db", women, "--format", "json").json
    chosen = data["parameters"]["chosen"]
    assert (data["parameters"]["n_clusters"], chosen["n_clusters"], data["n_clusters"]) == ("auto", 2, 2)
    assert [row["k"] for row in chosen["tried"]] == list(range(1, 15))
    assert set(chosen["tried"][0]) >= {"singular_value", "gap", "chance_edge", "modularity"}
    out = graphmine(*AUTO, "--db", women).out
    assert f"k = 2: {chosen['why']}" in out
    shown = graphmine("runs", "show", "last", "--db", women)
    assert f"k = 2: {chosen['why']}" in shown.out
    assert "parameters    n_clusters auto\n" in shown.out
    recorded = graphmine("runs", "show", "last", "--db", women, "--format", "json").json
    assert recorded["parameters"]["chosen"] == chosen


def test_a_dry_run_says_that_the_number_is_chosen_and_changes_nothing(women: str) -> None:
    before = snapshot(women)
    out = graphmine(*AUTO, "--write", "circle", "--dry-run", "--db", women).out
    assert "would fit     loom with k chosen from the data with seed 0\n" in out
    data = graphmine(*AUTO, "--dry-run", "--db", women, "--format", "json").json
    assert data["parameters"] == {"n_clusters": "auto"}
    assert snapshot(women) == before


@pytest.mark.parametrize("flags", [["-k", "Woman=3", "-k", "Event=2"], ["-k", "`Event`=2", "-k", "Woman=3"]])
def test_each_kind_may_have_its_own_number(women: str, flags: list[str]) -> None:
    data = graphmine("mine", "--relation", WOMEN, "--method", "scm", *flags, "--db", women, "--format", "json").json
    assert data["parameters"]["n_clusters"] == {"Woman": 3, "Event": 2}
    sizes = {kind: [each["kinds"][kind]["size"] for each in data["clusters"]] for kind in ("Woman", "Event")}
    assert (sum(map(bool, sizes["Woman"])), sum(map(bool, sizes["Event"]))) == (3, 2)


def test_flags_replace_the_number_of_a_job(women: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{WOMEN}'\nn_clusters = 'auto'\n")
    by_file = graphmine("mine", str(job), "--db", women, "--format", "json").json
    assert by_file["parameters"]["chosen"]["n_clusters"] == 2
    by_flag = graphmine("mine", str(job), "-k", "3", "--db", women, "--format", "json").json
    assert by_flag["parameters"] == {"n_clusters": 3}


def test_odd_kinds_can_be_named(ladybug_path: Path) -> None:
    pairs = pa.table({"source": [1, 2], "target": [1, 2]})
    nodes = {kind: pa.table({"id": [1, 2]}) for kind in ("a b", "c=d")}
    with connect(str(ladybug_path)) as store:
        load(store, Network(nodes, (Edges("a b", "R", "c=d", pairs),)))
    flags = ["-k", "a b=1", "-k", "c=d=1", "--db", str(ladybug_path), "--format", "json"]
    data = graphmine("mine", "--relation", "`a b`-R->`c=d`", "--method", "scm", *flags).json
    assert data["parameters"]["n_clusters"] == {"a b": 1, "c=d": 1}


def test_a_preview_of_rules_takes_the_same_numbers(women: str) -> None:
    rule = ["--constrain", "cannot same Woman.name", "--relation", WOMEN, "--db", women, "--format", "json"]
    for flags in (["-k", "auto"], ["-k", "2"], ["-k", "Woman=2", "-k", "Event=3"]):
        assert graphmine("constraints", *rule, *flags).json["crowded"] == []
    assert "at least 1, was 0" in graphmine("constraints", *rule, "-k", "0", code=2).sentence
