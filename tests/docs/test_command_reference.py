"""The documents say what the program does, and every example in a help text works."""

import gzip
import shlex
import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from pyarrow import csv, parquet

from docs.command_reference import every_command, reference
from graphmine.experiments import EXPERIMENTS
from graphmine.job import Job
from tests.cli.program import VENUES, graphmine, interrupt, load_small
from tests.datasets.bibliography import SMALL as DBLP, written
from tests.datasets.made_archives import SMALL

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
COMMANDS = dict(every_command())


def lines(command: Any) -> list[str]:
    text: str = command.epilog.partition("Examples:\n")[2]
    return text.replace("\\\n", " ").splitlines()


def test_the_reference_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == reference(), "run: python -m docs.command_reference > docs/commands.md"


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_is_documented_and_has_help_with_examples(path: str) -> None:
    assert f"\n## {path}\n" in DOCUMENT.read_text(encoding="utf-8")
    out = graphmine(*path.split()[1:], "--help").out
    assert out.rstrip().endswith(lines(COMMANDS[path])[-1].split("  ")[-1].strip())
    assert "Examples:" in out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the examples can be run: a database with a run in it, a job, CSV files, and small archives."""
    folder = tmp_path_factory.mktemp("examples")
    load_small(str(folder / "graphmine.lbug"))
    graphmine("load", "karate", "--db", str(folder / "graphmine.lbug"))
    graphmine("mine", "--relation", VENUES, "-k", "3", "--write", "area", "--db", str(folder / "graphmine.lbug"))
    rule = "must Author-WROTE->Paper<-WROTE-Author"
    job = f"relation = '{VENUES}'\nn_clusters = 3\nconstrain = '{rule}'\nwrite = 'field'\n"
    (folder / "job.toml").write_text(job)
    (folder / "fits.toml").write_text(f"relation = '{VENUES}'\nn_clusters = 3\n[[fit]]\n[[fit]]\nmethod = 'scm'\n")
    graphmine("mine", str(folder / "job.toml"), "--db", str(folder / "graphmine.lbug"))
    graphmine("export", "area", "-o", str(folder / "exported.graphml"), "--db", str(folder / "graphmine.lbug"))
    (folder / "authors.csv").write_text("name\nann\n")
    (folder / "papers.csv").write_text("id\n1\n")
    (folder / "wrote.csv").write_text("who,what\nann,1\n")
    _write_sources(folder)
    for write_archive in SMALL.values():
        write_archive(folder)
    return folder


def _write_sources(folder: Path) -> None:
    """Write the files that the examples of load name."""
    for name in ("authors", "papers", "wrote"):
        parquet.write_table(csv.read_csv(folder / f"{name}.csv"), folder / f"{name}.parquet")
    club = nx.relabel_nodes(nx.path_graph(3), str)
    nx.set_node_attributes(club, dict.fromkeys(club, "Player"), "group")
    nx.write_gexf(club, folder / "network.gexf")
    for name in ("network", "club"):
        nx.write_graphml(club, folder / f"{name}.graphml")
    (folder / "calls.txt").write_text("ann bob\nbob cyd\n")
    (folder / "ratings.csv.gz").write_bytes(gzip.compress(b"ann,Alien,5\nbob,Alien,3\n"))
    for name in ("dblp.xml", "dblp.xml.gz"):
        written(folder / name, DBLP)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_example_works(path: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    if path == "graphmine runs resume":
        interrupt(monkeypatch, "graphmine.lbug", "other")
    if path in ("graphmine runs flow", "graphmine runs unwind"):
        halves = ["--by", "Paper.year", "--since", "2006", "--until", "2025", "--window", "10", "--step", "10"]
        graphmine("evolve", "job.toml", *halves, "--write", "topic", "--db", "graphmine.lbug")
    if path == "graphmine reproduce":
        _shorten_experiments(monkeypatch)
    for line in lines(COMMANDS[path]):
        program, *arguments = shlex.split(line)
        assert program == "graphmine"
        assert graphmine(*arguments).err == ""


def _shorten_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let experiments be smaller than quick ones: here their commands count, not what they give."""
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_DOCUMENTS", 20)
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_WORDS", 40)
    short = {name: replace(each, quick_draws=1) for name, each in EXPERIMENTS.items()}
    monkeypatch.setattr("graphmine.experiments.EXPERIMENTS", short)


def test_the_help_names_every_field_of_a_job() -> None:
    help_ = next(each.help for each in COMMANDS["graphmine mine"].params if each.metavar == "JOB.toml")
    named = help_.partition("the fields ")[2].partition(", which")[0].replace(" and ", ", ").split(", ")
    assert sorted(named) == sorted(each.name for each in fields(Job))


def test_methods_complete() -> None:
    from graphmine.cli.job_options import _method_names

    assert _method_names("s-") == ["s-co"]
