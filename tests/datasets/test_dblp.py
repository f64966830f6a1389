"""DBLP's format: what is taken, what is left out, and what is wrong with a file."""

from pathlib import Path

import pytest

from graphmine.datasets.dblp import read_dblp
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError
from tests.datasets.bibliography import HEAD, SMALL, paper, written


def links(network: Network) -> dict[str, list[tuple[object, ...]]]:
    return {edges.name: [tuple(row.values()) for row in edges.table.to_pylist()] for edges in network.relationships}


def fails(path: Path) -> tuple[list[str], str]:
    """Return the keys that come before a mistake, and the mistake."""
    keys: list[str] = []

    def read() -> None:
        for network in read_dblp(path, piece=2):
            keys.extend(network.nodes["Paper"]["key"].to_pylist())

    with pytest.raises(DataError) as caught:
        read()
    return keys, str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize("name", ["dblp.xml", "dblp.xml.gz"])
def test_papers_authors_venues_and_terms(tmp_path: Path, name: str) -> None:
    (network,) = read_dblp(written(tmp_path / name, SMALL))
    assert network.nodes["Paper"].to_pylist() == [
        {"key": "conf/kdd/1", "title": "Mining the Graphs of H2O.", "year": 1998},
        {"key": "journals/tods/2", "title": "Graphs & more graphs.", "year": 2000},
        {"key": "conf/kdd/3", "title": "On the Joins.", "year": 2004},
        {"key": "books/4", "title": "A chapter.", "year": None},
    ]
    assert links(network) == {
        "Author-WROTE->Paper": [
            ("Jörg Sander", "conf/kdd/1"),
            ("Wei Wang 0001", "conf/kdd/1"),
            ("Wei Wang 0001", "journals/tods/2"),
            ("Ann O'Neill", "conf/kdd/3"),
            ("Bo", "books/4"),
        ],
        "Paper-IN->Venue": [("conf/kdd/1", "KDD"), ("journals/tods/2", "TODS"), ("conf/kdd/3", "KDD")],
        "Paper-MENTIONS->Term": [
            ("conf/kdd/1", "mining"),
            ("conf/kdd/1", "graphs"),
            ("journals/tods/2", "graphs"),
            ("conf/kdd/3", "joins"),
            ("books/4", "chapter"),
        ],
    }


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        ({"venues": ["KDD"]}, ["conf/kdd/1", "conf/kdd/3"]),
        ({"venues": ["KDD", "TODS"], "since": 2000}, ["journals/tods/2", "conf/kdd/3"]),
        ({"until": 2000}, ["conf/kdd/1", "journals/tods/2"]),
        ({"since": 1998, "until": 1998}, ["conf/kdd/1"]),
        ({"venues": ["kdd"]}, []),
    ],
)
def test_papers_are_chosen_by_venue_and_year(tmp_path: Path, filters: dict[str, object], keys: list[str]) -> None:
    (network,) = read_dblp(written(tmp_path / "dblp.xml", SMALL), **filters)  # type: ignore[arg-type]
    assert network.nodes["Paper"]["key"].to_pylist() == keys


def test_pieces_are_as_large_as_asked_for_and_hold_what_they_join(tmp_path: Path) -> None:
    path = written(tmp_path / "dblp.xml", SMALL)
    pieces = list(read_dblp(path, piece=3, terms=False))
    assert [len(piece.nodes["Paper"]) for piece in pieces] == [3, 1]
    assert list(pieces[0].nodes) == ["Author", "Paper", "Venue"]


def test_a_key_that_comes_twice_is_one_paper(tmp_path: Path) -> None:
    twice = paper("conf/x/1", "Old.", "Ann", venue="X") + paper("conf/x/1", "New.", "Bo", year=2001, venue="X")
    (network,) = read_dblp(written(tmp_path / "dblp.xml", twice), terms=False)
    assert network.nodes["Paper"].to_pylist() == [{"key": "conf/x/1", "title": "New.", "year": 2001}]
    assert links(network)["Author-WROTE->Paper"] == [("Ann", "conf/x/1"), ("Bo", "conf/x/1")]


def test_malformed_xml_in_mid_file_is_told_with_its_place_after_all_that_is_good(tmp_path: Path) -> None:
    records = SMALL + "<article key='x'><title>Broken</titel></article>\n" + paper("conf/kdd/9", "Never read.")
    line = (HEAD + SMALL).count("\n") + 1
    assert fails(written(tmp_path / "dblp.xml", records)) == (
        ["conf/kdd/1", "journals/tods/2", "conf/kdd/3", "books/4"],
        f"dblp.xml, line {line}, column 33: the XML is not well formed (mismatched tag)",
    )


UTF8 = HEAD.replace("ISO-8859-1", "UTF-8")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"head": UTF8, "records": paper("a", "Zo\xeb.")},
            "dblp.xml, line 5, column 10: the byte 0xEB is none of the encoding that the file declares",
        ),
        (
            {"head": HEAD.replace("ISO-8859-1", "klingon")},
            "dblp.xml declares an encoding that can not be read: unknown encoding: klingon",
        ),
        ({"end": ""}, "dblp.xml, line 29, column 1: the XML is not well formed (no element found)"),
        (
            {"head": "", "end": "", "records": ""},
            "dblp.xml, line 1, column 1: the XML is not well formed (no element found)",
        ),
        (
            {"head": "<rss>", "end": "</rss>"},
            "dblp.xml is not a file of DBLP: it begins with <rss>, not with <dblp>",
        ),
        (
            {"records": "<article key='a'><title>&nosuch;</title></article>"},
            "dblp.xml, line 4, column 25: nobody knows the entity &nosuch;",
        ),
        ({"records": "<article><title>x</title></article>"}, "dblp.xml, line 4: a record <article> has no key"),
        (
            {"head": '<!DOCTYPE dblp [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><dblp>'},
            "dblp.xml, line 1: the file declares the entity 'a', which is refused as unsafe",
        ),
    ],
)
def test_files_that_can_not_be_used_are_one_sentence(tmp_path: Path, options: dict[str, str], sentence: str) -> None:
    assert fails(written(tmp_path / "dblp.xml", **({"records": SMALL} | options)))[1] == sentence


def test_a_packed_file_that_ends_early_is_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path / "dblp.xml.gz", SMALL * 50)
    path.write_bytes(path.read_bytes()[:-20])
    assert fails(path)[1] == "dblp.xml.gz ends too early; it was not copied or downloaded to its end"


def test_other_encodings_are_read(tmp_path: Path) -> None:
    record = paper("a", "x", "Zoë &Zeta;")
    for number, (encoding, declared) in enumerate([
        ("utf-8", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("cp1252", "windows-1252"),
    ]):
        head = HEAD.replace("ISO-8859-1", declared)
        (network,) = read_dblp(written(tmp_path / f"{number}.xml", record, head=head, encoding=encoding))
        assert network.nodes["Author"]["name"].to_pylist() == ["Zoë Ζ"]


def test_parameters_are_checked_before_the_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "dblp.xml", SMALL)
    with pytest.raises(ParameterError, match="since is 2001, which is after until, 2000"):
        read_dblp(path, since=2001, until=2000)
    with pytest.raises(ParameterError, match="venues must be a list of names"):
        read_dblp(path, venues="KDD")
    with pytest.raises(DataError, match="can not be read: No such file or directory"):
        read_dblp(tmp_path / "nowhere.xml")
