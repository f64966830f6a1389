"""Files of every format through the command line, on both databases, and bad ones in one sentence."""

from pathlib import Path

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq

from tests.cli.program import graphmine, snapshot
from tests.datasets.bibliography import SMALL, written


def created(*arguments: str) -> dict[str, int]:
    loaded = graphmine("load", *arguments, "--format", "json").json
    return {name: counts["created"] for what in ("nodes", "relationships") for name, counts in loaded[what].items()}


def test_every_format_loads_and_loading_again_changes_nothing(database: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": ["ann"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"who": ["ann"], "whom": ["ann"]}), tmp_path / "k.parquet")
    nx.write_graphml(nx.path_graph(3), tmp_path / "x.graphml")
    nx.write_gexf(nx.path_graph(3), tmp_path / "x.gexf")
    (tmp_path / "e.txt").write_text("1\t2\n")
    written(tmp_path / "dblp.xml", SMALL)
    sources = {
        ("parquet", "--nodes", f"P={tmp_path}/a.parquet", "--relationships", f"P-KNOWS->P={tmp_path}/k.parquet"): 2,
        ("graphml", f"{tmp_path}/x.graphml", "--kind", "G", "--type", "NEXT"): 5,
        ("gexf", f"{tmp_path}/x.gexf", "--kind", "X", "--type", "NEAR"): 5,
        ("edges", f"{tmp_path}/e.txt", "--bipartite", "U", "F", "--type", "SAW", "--delimiter", "\\t"): 3,
        ("dblp", f"{tmp_path}/dblp.xml", "--piece", "2", "--venue", "KDD", "--no-terms"): 11,
    }
    for arguments, count in sources.items():
        assert sum(created(*arguments, "--db", database).values()) == count, arguments
    before = snapshot(database)
    for arguments in sources:
        assert not any(created(*arguments, "--db", database).values()), arguments
    assert snapshot(database) == before


def test_two_nodes_of_one_id_and_edges_to_nowhere_load_nothing(database: str, tmp_path: Path) -> None:
    graphmine("load", "davis", "--db", database)
    before, file = snapshot(database), tmp_path / "x.xml"
    for form, (start, middle, end) in {
        "graphml": ('<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph>', "", "</graph></graphml>"),
        "gexf": ('<gexf xmlns="http://gexf.net/1.3"><graph><nodes>', "</nodes><edges>", "</edges></graph></gexf>"),
    }.items():
        nodes, edge = '\n<node id="a"/>\n<node id="b"/>', '\n<edge source="b" target="c"/>'
        file.write_text(f"{start}{nodes}{nodes}{middle}{edge}{end}")
        assert graphmine("load", form, str(file), "--db", database, code=1).sentence == (
            f"{file}, line 4: the node id 'a' was already given on line 2 (2 such ids in all); "
            "give each node an id of its own"
        )
        file.write_text(f"{start}{nodes}{middle}{edge}{end}")
        assert graphmine("load", form, str(file), "--db", database, code=1).sentence == (
            f"{file}, line 4: an edge ends at 'c', which is the id of no node; "
            "add what is missing to the nodes, or take such edges out"
        )
    assert snapshot(database) == before


def test_a_value_that_is_not_of_its_type_is_named_with_its_node(tmp_path: Path) -> None:
    file, database = tmp_path / "x.graphml", tmp_path / "new.lbug"
    nx.write_graphml(nx.star_graph(2), file)
    key = '<key id="d" for="node" attr.name="age" attr.type="int"/>'
    text = (
        file.read_text().replace("<graph ", f"{key}<graph ").replace('"1" />', '"1"><data key="d">old</data></node>', 1)
    )
    file.write_text(text)
    told = graphmine("load", "graphml", str(file), "--db", str(database), code=1).sentence
    assert told.endswith(
        "the attribute 'age' of the node '1' is 'old', but it is declared int, a whole number; "
        "mend the value, or declare the attribute string"
    )
    assert not database.exists()


def test_malformed_xml_in_mid_file_keeps_what_came_before(ladybug_path: Path, tmp_path: Path) -> None:
    path, database = written(tmp_path / "dblp.xml", SMALL, end="</dlbp>"), str(ladybug_path)
    assert graphmine("load", "dblp", str(path), "--db", database, code=1).sentence == (
        f"{path}, line 29, column 3: the XML is not well formed (mismatched tag); "
        "4 Paper nodes had been loaded by then; loading again goes on from there"
    )
    whole = written(path, SMALL)
    assert graphmine("load", "dblp", str(whole), "--db", database, "--format", "json").json["nodes"]["Paper"] == {
        "created": 0, "updated": 0, "unchanged": 4,
    }  # fmt: skip


def test_too_little_memory_is_told_from_a_full_machine(tmp_path: Path, ladybug_path: Path) -> None:
    path = written(tmp_path / "dblp.xml", SMALL)
    said = graphmine("load", "dblp", str(path), "--memory", "1", "--db", str(ladybug_path), code=1).sentence
    assert said.endswith("may use; if it was given some, as by --memory, give it more")


def test_a_missing_file_makes_no_database(ladybug_path: Path) -> None:
    said = graphmine("load", "dblp", "nowhere.xml", "--db", str(ladybug_path), code=1).sentence
    assert said == "nowhere.xml can not be read: No such file or directory"
    assert not ladybug_path.exists()


def test_years_in_the_wrong_order_are_a_wrong_use(ladybug_path: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "dblp.xml", SMALL)
    flags = ["--since", "2001", "--until", "2000", "--db", str(ladybug_path)]
    assert graphmine("load", "dblp", str(path), *flags, code=2).sentence == (
        "since is 2001, which is after until, 2000"
    )


def test_no_database_is_made_for_a_bibliography_that_can_not_be_read(tmp_path: Path) -> None:
    file, database = tmp_path / "page.xml", tmp_path / "new.lbug"
    file.write_text("<html/>")
    told = graphmine("load", "dblp", str(file), "--db", str(database), code=1).sentence
    assert told.endswith("is not a file of DBLP: it begins with <html>, not with <dblp>")
    assert not database.exists()


def test_a_venue_that_nobody_published_in_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "dblp.xml"
    file.write_text("<dblp><article key='a'><author>Ann</author><title>T</title><journal>J</journal></article></dblp>")
    told = graphmine("load", "dblp", str(file), "--venue", "K", "--db", str(tmp_path / "new.lbug")).sentence
    assert "holds no paper of these venues and years" in told


def test_two_columns_of_edges_need_two_names(tmp_path: Path) -> None:
    file = tmp_path / "edges.txt"
    file.write_text("a b 1 2\n")
    told = graphmine("load", "edges", str(file), "--property", "x", "--property", "x", code=2).sentence
    assert told == "two columns are named 'x'; each needs a name of its own"
