"""Tables from Python and Parquet files."""

from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmine.datasets.tables import from_tables, read_parquet
from graphmine.errors import DataError, ParameterError

PATTERN = "Author-WROTE->Paper"
AUTHORS = {"name": ["ann", "bob"], "age": [41, None], "active": [True, False]}
PAPERS = {"id": [7, 8]}
WROTE = {"who": ["ann", "bob"], "what": [7, 8], "share": [0.5, 1.0]}


class Stream:
    """What only knows how to hand itself over as Arrow, as polars does."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def large(columns: dict[str, Any]) -> Stream:
    table = pa.table(columns)
    types = [pa.large_string() if pa.types.is_string(each) else each for each in table.schema.types]
    return Stream(table.cast(pa.schema(list(zip(table.column_names, types, strict=True)))))


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table, large], ids=["pandas", "arrow", "stream"])
def test_tables_of_every_sort_give_the_same_network(make: Any) -> None:
    network = from_tables({"Author": make(AUTHORS), "Paper": make(PAPERS)}, {PATTERN: make(WROTE)})
    assert network.nodes["Author"].to_pylist() == [
        {"name": "ann", "age": 41, "active": True},
        {"name": "bob", "age": None, "active": False},
    ]
    assert network.relationships[0].table.to_pylist() == [
        {"source": "ann", "target": 7, "share": 0.5},
        {"source": "bob", "target": 8, "share": 1.0},
    ]


def test_a_data_frames_index_and_fractions_of_whole_keys_do_not_matter() -> None:
    frame = pd.DataFrame({"id": [1.0, 2.0]}, index=["x", "y"])
    assert from_tables({"A": frame}).nodes["A"].to_pylist() == [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize("pattern", [PATTERN, "Paper<-WROTE-Author"])
def test_parquet_files_are_read_like_csv(tmp_path: Path, pattern: str) -> None:
    columns = dict(WROTE) if pattern == PATTERN else {name: WROTE[name] for name in ("what", "who", "share")}
    for name, table in {"a": AUTHORS, "p": PAPERS, "w": columns}.items():
        pq.write_table(pa.table(table), tmp_path / f"{name}.parquet")
    nodes = {"Author": tmp_path / "a.parquet", "Paper": tmp_path / "p.parquet"}
    network = read_parquet(nodes, {pattern: tmp_path / "w.parquet"})
    assert str(network) == "Network(Author 2, Paper 2; Author-WROTE->Paper 2)"
    assert network.relationships[0].table["target"].to_pylist() == [7, 8]


def problems(tmp_path: Path, authors: Any, wrote: Any = None) -> str:
    for name, table in {"a": authors, "p": PAPERS, "w": WROTE if wrote is None else wrote}.items():
        pq.write_table(pa.table(table), tmp_path / f"{name}.parquet")
    nodes = {"Author": tmp_path / "a.parquet", "Paper": tmp_path / "p.parquet"}
    with pytest.raises(DataError) as caught:
        read_parquet(nodes, {PATTERN: tmp_path / "w.parquet"})
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_bad_rows_of_all_files_are_told_together(tmp_path: Path) -> None:
    said = problems(tmp_path, {"name": ["ann", "ann", None]}, {"who": ["ann", "eve", None], "what": [7, 9, 8]})
    assert said.splitlines() == [
        "5 mistakes, nothing was read:",
        "a.parquet, row 2: the key 'ann' was already given on row 1",
        "a.parquet, row 3: no name, which is the key",
        "w.parquet, row 2: no Author has the key 'eve'",
        "w.parquet, row 2: no Paper has the key 9",
        "w.parquet, row 3: no Author",
    ]


@pytest.mark.parametrize(
    ("authors", "wrote", "sentence"),
    [
        ({"name": [1.5]}, None, "a.parquet: name is double; a key is whole numbers or text"),
        ({"name": [True]}, None, "a.parquet: name is bool; a key is whole numbers or text"),
        ({"name": ["ann"], "tags": [["x"]]}, None,
         "a.parquet: tags is list<element: string>; a property must be whole numbers, numbers, truth values or text"),
        ({}, None, "a.parquet has no column; the first must be the key"),
        (AUTHORS, {"who": ["ann"]}, "w.parquet has one column; relationships need two, with the keys of both ends"),
        (AUTHORS, {"who": ["ann"], "what": ["7"]}, "w.parquet: what is text, the key of Paper is whole numbers"),
        ({"name": ["ann"], "": [1]}, None, "a.parquet: column 2 must be a name, was ''"),
    ],
)  # fmt: skip
def test_files_that_can_not_be_used_are_one_sentence(tmp_path: Path, authors: Any, wrote: Any, sentence: str) -> None:
    assert problems(tmp_path, authors, wrote) == sentence


def test_what_is_no_parquet_and_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("name\nann\n")
    with pytest.raises(DataError, match="is no Parquet file, or a damaged one"):
        read_parquet({"A": tmp_path / "a.parquet"}, {})
    with pytest.raises(DataError, match="can not be read: No such file or directory"):
        read_parquet({"A": tmp_path / "b.parquet"}, {})


def test_what_is_no_table_and_frames_that_arrow_does_not_take() -> None:
    with pytest.raises(ParameterError, match="the table of A must be a pandas DataFrame or an Arrow table, was a list"):
        from_tables({"A": [1, 2]})
    with pytest.raises(DataError, match="the table of A can not be read"):
        from_tables({"A": pd.DataFrame({"k": ["x", 3]})})
    with pytest.raises(ParameterError, match="needs a table of Autor nodes"):
        from_tables({"Author": pa.table(AUTHORS)}, {"Autor-WROTE->Author": pa.table(WROTE)})
