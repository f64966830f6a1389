"""``graphmine export``: the command, and loading again what it wrote."""

import shlex
from pathlib import Path

from tests.cli.running import WOMEN, graphmine


def test_what_is_exported_can_be_loaded_and_mined_again(women: str, tmp_path: Path) -> None:
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women, "-q")
    out, other = tmp_path / "out", str(tmp_path / "other.lbug")
    told = graphmine("export", "last", "-o", str(out), "--db", women).out
    (line,) = (line for line in told.splitlines() if line.startswith("to load it again: graphmine "))
    graphmine(*shlex.split(line.removeprefix("to load it again: graphmine ")), "--db", other)
    labels = "MATCH (n:Woman) RETURN n.name AS name, n.{} AS label ORDER BY name"
    first = graphmine("cypher", labels.format("circle"), "--db", women, "--format", "json").json
    assert graphmine("cypher", labels.format("cluster"), "--db", other, "--format", "json").json == first
    graphmine(
        "mine", "--relation", "Woman-ATTENDED{weight}->Event", "-k", "2", "--write", "circle", "--db", other, "-q"
    )
    assert graphmine("cypher", labels.format("circle"), "--db", other, "--format", "json").json == first


def test_what_can_not_be_exported_is_one_sentence(women: str, tmp_path: Path) -> None:
    file = str(tmp_path / "x.json")
    assert "there is no run 'last'" in graphmine("export", "last", "-o", file, "--db", women, code=1).sentence
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women, "-q")
    done = graphmine("export", "last", "-o", file, "--db", women, "--format", "json").json
    assert done["links"] == {WOMEN: 89}
    refused = graphmine("export", "last", "-o", file, "--db", women, code=2).sentence
    assert refused.endswith("is there already; say --overwrite to replace it, or name another")
    graphmine("export", "last", "-o", file, "--overwrite", "--db", women)
    assert "did you mean 'json'" in graphmine("export", "last", "-o", "x.jsn", "--db", women, code=2).sentence
    assert "was 'xml'" in graphmine("export", "last", "-o", "x", "--as", "xml", "--db", women, code=2).sentence
