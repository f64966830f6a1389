"""What a job would take is told before anything is read, and too much is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import graphmine.linalg.resources
import graphmine.verbs.estimate
from benchmarks.estimates import jobs, measure, network
from graphmine import Job, SizeError, academic, connect, estimate, load, mine
from graphmine.cli.app import app
from graphmine.exchange.runs import list_runs
from graphmine.methods.catalog import CATALOG
from graphmine.store import Store

RELATION = "Author-WROTE->Paper-IN->Conference"


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with hardly any memory left."""
    monkeypatch.setattr(graphmine.verbs.estimate, "available_memory", lambda: 50_000_000)


def test_more_of_everything_costs_more() -> None:
    for cost in (each.traits.cost for each in CATALOG.values()):
        assert cost.memory(1000, 100, 2) < cost.memory(100_000, 100, 2) < cost.memory(100_000, 1e6, 2)  # type: ignore[arg-type]
        assert cost.memory(1e6, 1000, 2) < cost.memory(1e6, 1000, 50)
        assert 0 < cost.seconds(1000, 100) < cost.seconds(10_000, 100)


def test_counts_and_parts(store: Store) -> None:
    load(store, academic(60, conferences=6, terms=20))
    job = Job(relation=RELATION, n_clusters=2, write="area")
    found = estimate(store, job)
    assert found.nodes == {"Author": 60, "Paper": 120, "Conference": 6}
    assert found.peak == found.memory["program"] + found.more
    assert found.fits
    assert found.memory["push"] > 0 == estimate(store, Job(relation=RELATION, n_clusters=2)).memory["push"]


def test_rules_count(store: Store) -> None:
    load(store, academic(60, conferences=6, terms=20))
    rule = "must Author-WROTE->Paper<-WROTE-Author >= 2"
    assert estimate(store, Job(relation=RELATION, n_clusters=2, constrain=rule)).memory["constrain"] > 0


def test_names_are_checked(store: Store) -> None:
    load(store, academic(60, conferences=6, terms=20))
    with pytest.raises(ValueError, match="did you mean 'Author'"):
        estimate(store, Job(relation="Auther-WROTE->Paper", n_clusters=2))


@pytest.mark.usefixtures("little")
def test_what_does_not_fit_is_refused_before_it_is_read(store: Store) -> None:
    load(store, academic(60, conferences=6, terms=20))
    job = Job(relation=RELATION, n_clusters=2, write="area")
    with pytest.raises(SizeError, match=r"about 0\.\d+ GB of memory, and 0\.05 GB are available; .* `force=True`"):
        mine(store, job)
    assert not list_runs(store)
    assert mine(store, job, force=True).run


def test_an_estimate_on_the_command_line(tmp_path: Path, database: str) -> None:
    with connect(database) as store:
        load(store, academic(60, conferences=6, terms=20))
    said = CliRunner().invoke(
        app, ["estimate", "--db", database, "--relation", RELATION, "-k", "2", "--format", "json"]
    )
    assert said.exit_code == 0
    found = json.loads(said.stdout)
    assert found["fits"]
    assert found["nodes"]["Author"] == 60
    job = tmp_path / "job.toml"
    job.write_text(f'relation = "{RELATION}"\nn_clusters = "auto"\n')
    shown = CliRunner().invoke(app, ["estimate", str(job), "--db", database])
    assert "are available" in shown.stdout
    job.write_text(f'relation = "{RELATION}"\nn_clusters = 2\n[[fit]]\n[[fit]]\nname = "kept"\nwrite = "area"\n')
    shown = CliRunner().invoke(app, ["estimate", str(job), "--db", database])
    assert (shown.exit_code, "of 2 fits this is kept, which takes the most memory" in shown.stderr) == (0, True)


@pytest.mark.usefixtures("little")
def test_too_much_on_the_command_line(ladybug_path: Path) -> None:
    with connect(str(ladybug_path)) as store:
        load(store, academic(60, conferences=6, terms=20))
    flags = ["--db", str(ladybug_path), "--relation", RELATION, "-k", "2"]
    for command in ("estimate", "mine"):
        said = CliRunner().invoke(app, [command, *flags])
        assert said.exit_code == 4
        assert said.stderr.startswith("graphmine: the job would take about")
        assert said.stderr.count("\n") == 1
    assert CliRunner().invoke(app, ["mine", *flags, "--force"]).exit_code == 0


def test_similarities_are_counted_from_their_nodes(store: Store) -> None:
    load(store, academic(60, conferences=6, terms=20))
    found = estimate(store, Job(relation="Paper~rbf(year)", n_clusters=2, method="l1"))
    assert found.pairs == {"Paper~rbf(year)": 120**2}


def test_a_container_has_its_own_limit(tmp_path: Path) -> None:
    for name, text in {
        "memory.max": "5000",
        "memory.current": "4000",
        "memory.stat": "file 9\ninactive_file 300",
    }.items():
        (tmp_path / name).write_text(f"{text}\n")
    assert graphmine.linalg.resources._left_in(tmp_path) == 1300
    (tmp_path / "memory.max").write_text("max\n")
    assert graphmine.linalg.resources._left_in(tmp_path) == float("inf")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the largest resident set is read from /proc")
def test_enough_is_said(tmp_path: Path) -> None:
    database = str(tmp_path / "network.lbug")
    with connect(database) as store:
        load(store, network(20_000))
    for job in jobs(every=False):
        taken = measure(database, job, 20_000)
        assert 1 <= taken.ratio < 3
