"""The benchmark beside the Graph Data Science library runs; who is faster is not asserted here.

On a server without the library, as in CI, graphmine is measured alone. What a run with it makes of its rounds is tried
on rounds that are made up.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import gds
from benchmarks.gds import Turn
from benchmarks.library import PEERS
from benchmarks.networks import AUTHOR, VENUE, Planted
from graphmine.store import connect

ALONE = "graphmine, loom"


def turn(seconds: float, agreed: float) -> Turn:
    return Turn(seconds, {"fit": seconds}, 2 * seconds, 0.1, {AUTHOR: agreed, VENUE: 1.0}, 10)


def test_a_tiny_run_mines_writes_and_cleans_up(
    neo4j_uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_uri)
    file = tmp_path / "rounds.json"
    options = [
        "--relationships",
        "2000",
        "--clusters",
        "3",
        "--noise",
        ".1",
        "--repeats",
        "1",
        "--methods",
        "loom,s-co",
    ]
    assert gds.main([*options, "--json", str(file)]) in (0, 1)
    found = json.loads(file.read_text())["turns"]
    assert [*found][:2] == [ALONE, "graphmine, s-co"]
    (measured,) = found[ALONE]
    assert [*measured["parts"]] == ["pull", "fit", "push"]
    assert measured["nmi"][AUTHOR] > 0.9
    assert measured["seconds"] >= sum(measured["parts"].values())
    assert f"| {ALONE} | pull" in capsys.readouterr().out
    with connect(neo4j_uri) as store:
        assert store.reading(lambda tx: tx.read("MATCH (n) RETURN count(*) AS n"))["n"][0].as_py() == 0


def test_ratios_are_taken_within_rounds() -> None:
    turns = {ALONE: [turn(1, 0.8), turn(8, 0.8), turn(3, 0.7)], PEERS[0]: [turn(2, 0.5), turn(8, 0.6), turn(2, 0.9)]}
    assert gds.ratio(turns, ALONE, PEERS[0]) == 1.0
    assert gds.verdicts(turns, ALONE) == [
        ("time over that of Leiden", "1.00", "≤ 1.2", True), ("authors' NMI beside Leiden", "0.800", "> 0.600", True),
    ]  # fmt: skip


def test_what_is_missed_is_said() -> None:
    turns = {ALONE: [turn(8, 0.7)], PEERS[2]: [turn(2, 0.6)], PEERS[-1]: [turn(10, 0.7)]}
    assert [met for *_, met in gds.verdicts(turns, ALONE)] == [True, False, False]
    results = {"gds": "2", "neo4j": "5", "cores": 2, "repeats": 1, "network": vars(Planted(1000))}
    text = gds.as_markdown(results, turns)
    assert "| graphmine, loom | fit 8.00 | 8.00 s | 16.00 s | 1.00 | 0.700 | 1.000 | 10 |" in text
    assert f"| {ALONE} | time over that of FastRP 256 + k-means | 0.80 | ≤ 0.7 | no |" in text


def test_the_network_has_a_relationship_for_each_paper() -> None:
    network = Planted(2000, clusters=4, noise=0.0)
    (edges,) = network.edges()
    assert len(edges.rows) == 2000
    assert network.nodes == {AUTHOR: 200, VENUE: 40}
    np.testing.assert_array_equal(network.truth[AUTHOR][edges.rows], network.truth[VENUE][edges.cols])


def test_without_a_server_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GRAPHMINE_TEST_NEO4J_URI", raising=False)
    assert gds.main([]) == 2
    assert "no Neo4j" in capsys.readouterr().err
