import csv
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from graphmine.datasets.csv_files import read_csv
from graphmine.errors import DataError, ParameterError

Write = Callable[[str, str], Path]
PATTERN = "Author-WROTE->Paper"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


def problems(nodes: dict[str, Path], relationships: dict[str, Path] | None = None) -> str:
    with pytest.raises(DataError) as caught:
        read_csv(nodes, relationships or {})
    folder = next(iter(nodes.values())).parent
    return str(caught.value).replace(f"{folder}/", "")


def test_types_are_inferred_over_the_whole_column(write: Write) -> None:
    path = write(
        "a.csv", "\ufeffid,whole,number,zip,text,empty,serial\n1,7,1.5,007,x,,12345678901234567890\n2,,2,1,3,,1\n"
    )
    table = read_csv({"A": path}, {}).nodes["A"]
    assert table.to_pylist() == [
        {
            "id": 1,
            "whole": 7,
            "number": 1.5,
            "zip": "007",
            "text": "x",
            "empty": None,
            "serial": "12345678901234567890",
        },
        {"id": 2, "whole": None, "number": 2.0, "zip": "1", "text": "3", "empty": None, "serial": "1"},
    ]


def test_types_may_be_declared(write: Write) -> None:
    path = write("a.csv", "id:string,year:int,score:float,active:bool,dc:title\n1,+07,3,TRUE,x\n2,,.5,0,y\n")
    table = read_csv({"A": path}, {}).nodes["A"]
    assert table.column_names == ["id", "year", "score", "active", "dc:title"]
    assert table.to_pylist()[0] == {"id": "1", "year": 7, "score": 3.0, "active": True, "dc:title": "x"}
    assert table.to_pylist()[1] == {"id": "2", "year": None, "score": 0.5, "active": False, "dc:title": "y"}


@pytest.mark.parametrize(("pattern", "columns"), [(PATTERN, "w,p,n"), ("Paper<-WROTE-Author", "p,w,n")])
def test_ends_take_the_type_of_the_key_and_the_order_of_the_pattern(write: Write, pattern: str, columns: str) -> None:
    nodes = {"Author": write("a.csv", "id\n007\n1\n"), "Paper": write("p.csv", "id\n1\n2\n")}
    row = {"w": "007", "p": "2", "n": "5"}
    links = write("w.csv", columns + "\n" + ",".join(row[name] for name in columns.split(",")) + "\n")
    edges = read_csv(nodes, {pattern: links}).relationships[0]
    assert edges.name == PATTERN
    assert edges.table.to_pylist() == [{"source": "007", "target": 2, "n": 5}]


def test_numbers_with_a_fraction_are_text_as_keys(write: Write) -> None:
    assert read_csv({"A": write("a.csv", "id\n1.5\n2\n")}, {}).nodes["A"]["id"].to_pylist() == ["1.5", "2"]


def test_every_bad_row_is_reported_with_its_line(write: Write) -> None:
    authors = write("a.csv", 'name,age:int,note\nann,41,"two\nlines"\nbob,old,\n\nann,3,\n,4,\nzed,1\n')
    papers = write("p.csv", "id\n1\n")
    links = write("w.csv", "who,what,year:int\nann,1,2000\neve,1,2001\nbob,x,then\n,1,\n")
    said = problems({"Author": authors, "Paper": papers}, {PATTERN: links})
    assert said.splitlines() == [
        "8 mistakes, nothing was read:",
        "a.csv, line 4: age is 'old', not int",
        "a.csv, line 6: the key 'ann' was already given on line 2",
        "a.csv, line 7: no name, which is the key",
        "a.csv, line 8: 2 cells, the header has 3",
        "w.csv, line 3: no Author has the key 'eve'",
        "w.csv, line 4: no Paper has the key 'x'",
        "w.csv, line 4: year is 'then', not int",
        "w.csv, line 5: no Author",
    ]


def test_after_ten_mistakes_the_rest_are_counted(write: Write) -> None:
    path = write("a.csv", "id,n:int\n" + "".join(f"{row},x\n" for row in range(25)))
    lines = problems({"A": path}).splitlines()
    assert len(lines) == 12
    assert (lines[0], lines[-1]) == ("25 mistakes, nothing was read:", "and 15 more")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a.csv is empty; it must begin with a header"),
        ("id,x,x\n", "a.csv has two columns named 'x'"),
        ("id,x,x:int\n", "a.csv has two columns named 'x'"),
        ("id,,x\n", "a.csv: column 2 must be a name, was ''"),
        ("id:float\n1\n", "a.csv: the key id is declared float; a key is int or string"),
        ("id\n" + "x" * 200_000 + "\n", "a.csv, line 2: field larger than field limit (131072)"),
    ],
)
def test_files_that_can_not_be_used_are_one_sentence(write: Write, text: str, sentence: str) -> None:
    assert problems({"A": write("a.csv", text)}) == sentence


def test_missing_and_undecodable_files_are_one_sentence(tmp_path: Path) -> None:
    assert problems({"A": tmp_path / "a.csv"}) == "a.csv can not be read: No such file or directory"
    (tmp_path / "b.csv").write_bytes("name\nZoë\n".encode("latin-1"))
    assert problems({"A": tmp_path / "b.csv"}).startswith("b.csv is not UTF-8 text")


def test_relationships_need_two_columns(write: Write) -> None:
    nodes = {"Author": write("a.csv", "id\n1\n"), "Paper": write("p.csv", "id\n1\n")}
    assert problems(nodes, {PATTERN: write("w.csv", "who\n1\n")}).startswith("w.csv has one column")


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("Author-WROTE-Paper", "must be one step with an arrow"),
        ("Author-WROTE{n}->Paper", "must be one step with an arrow"),
        ("Author-[x.cypher]->Paper", "must be one step with an arrow"),
        ("Author-WROTE->Paper-IN->Author", "must be one step with an arrow"),
        ("Autor-WROTE->Paper", r"needs a file of Autor nodes \(did you mean 'Author'\?\)"),
    ],
)
def test_patterns_must_be_plain(tmp_path: Path, pattern: str, sentence: str) -> None:
    nodes = {"Author": tmp_path / "a.csv", "Paper": tmp_path / "p.csv"}
    with pytest.raises(ParameterError, match=sentence):
        read_csv(nodes, {pattern: tmp_path / "w.csv"})


cell = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=8)
numbers = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(cell, st.none() | numbers, st.none() | st.floats(allow_nan=False, allow_infinity=False)),
                unique_by=lambda row: row[0], min_size=1))  # fmt: skip
def test_what_is_written_is_read(rows: list[tuple[str, int | None, float | None]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "nodes.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("key:string", "n", "x:float"), *rows])
        table = read_csv({"Node": path}, {}).nodes["Node"]
    assert table["key"].to_pylist() == [row[0] for row in rows]
    assert table["n"].to_pylist() == [row[1] for row in rows]
    assert table["x"].to_pylist() == [row[2] for row in rows]


@given(st.lists(cell, unique=True, min_size=1))
def test_inferred_keys_keep_their_text(keys: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "nodes.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([["key"], *([key] for key in keys)])
        column = read_csv({"Node": path}, {}).nodes["Node"]["key"]
    whole = all(re.fullmatch(r"0|-?[1-9][0-9]*", key) for key in keys)
    assert column.type == (pa.int64() if whole else pa.string())
    assert [str(key) for key in column.to_pylist()] == keys
