"""A first job is made from what a database holds, and every line of it can be used."""

import re
from pathlib import Path

import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.errors import DataError
from graphmine.exchange.load import load
from graphmine.exchange.schema import Kind, Link, Schema, schema
from graphmine.job import EVOLVE_FIELDS, check_job, read_job
from graphmine.job.draft import draft
from graphmine.job.schema import ABOUT
from graphmine.store import Store
from graphmine.verbs.check_names import names_in_file
from graphmine.verbs.mine import mine

SMALL = Schema(
    (
        Kind("a `b`", 3, None, {"size": "integer", "naïve name": "text", "class": "text"}),
        Kind("C", 2, "id", {"id": "text"}),
    ),
    (Link("a `b`", "is, in", "C", 5, {}),),
)


def lines(text: str) -> dict[str, list[str]]:
    """Return the lines that say something, or would without their #, by their fields."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(?:# )?(\w+) = (.*)$", text.partition("# [[fit]]")[0], re.MULTILINE):
        found.setdefault(name, []).append(f"{name} = {value}")
    return found


@pytest.mark.parametrize("network", [davis(), karate()], ids=["davis", "karate"])
def test_it_can_be_run_as_it_is(store: Store, tmp_path: Path, network: object) -> None:
    load(store, network)  # type: ignore[arg-type]
    file = tmp_path / "job.toml"
    file.write_text(draft(schema(store)), encoding="utf-8")
    assert check_job(file) == names_in_file(store, file) == []
    assert mine(store, read_job(file)).clustering.n_clusters >= 1


def test_every_line_can_be_taken(store: Store, tmp_path: Path) -> None:
    load(store, academic(authors=30, conferences=4, terms=10, areas=2))
    text = draft(schema(store), "odd \\ path.lbug")
    said = lines(text)
    assert set(said) == set(ABOUT) - {"fit", "name"}
    assert len(said["relation"]) == len(schema(store).views())
    base = f"{said['relation'][0]}\n{said['n_clusters'][0]}\n{said['db'][0]}\n"
    file = tmp_path / "job.toml"
    for name, ways in said.items():
        for way in ways if name not in ("relation", "n_clusters", "db") else ():
            method = re.search(r"# (\S+)$", way)
            also = f"method = '{method[1]}'\n" if method else "by = 'Paper.year'\n" if name in EVOLVE_FIELDS else ""
            file.write_text(base + ("" if name == "by" else also) + way)
            assert check_job(file) == [], way
            if name in ("where", "by", "constrain"):
                assert names_in_file(store, file) == [], way
    for way in said["relation"][1:]:
        file.write_text(f"{way}\nn_clusters = 2\nmethod = '{'l1' if 'COAUTHOR' in way else 'loom'}'\n")
        assert check_job(file) == names_in_file(store, file) == [], way
    assert read_job(file, db=None).db is None
    file.write_text(base)
    assert read_job(file).db == "odd \\ path.lbug"


def test_odd_names_and_keys_that_nobody_knows(tmp_path: Path) -> None:
    text = draft(SMALL)
    file = tmp_path / "job.toml"
    file.write_text(text, encoding="utf-8")
    assert check_job(file) == []
    job = read_job(file)
    assert job.kinds == ("a `b`", "C")
    assert job.keys == {"a `b`": "naïve name"}
    assert "known `a ``b```.class; fraction 0.1" in text


def test_names_can_not_break_out_of_a_comment() -> None:
    bad = Schema(
        (Kind("A", 1, "k", {"k": "text", "x\nseed = 5": "text"}), SMALL.kinds[1]), (Link("A", "T", "C", 1, {}),)
    )
    assert "\nseed = 5" not in draft(bad)


def test_a_relation_that_the_default_does_not_take_names_its_method(store: Store) -> None:
    load(store, karate())
    text = draft(schema(store))
    assert "\nmethod = " in text
    assert lines(text)["method"] == ['method = "l1"']


def test_nothing_to_mine_is_one_sentence(store: Store) -> None:
    with pytest.raises(DataError, match="nothing to mine yet, as the database holds no nodes; `graphmine load`"):
        draft(schema(store))
    with pytest.raises(DataError, match="no relationship joins its nodes"):
        draft(Schema((Kind("Person", 1, "name", {"name": "text"}),), ()))
