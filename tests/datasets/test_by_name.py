"""Small archives in the form of the real sets become the graphs meant; what is wrong with one is told in a sentence."""

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import graphmine as gm
from graphmine.dataset_catalog import DATASETS
from graphmine.datasets import classic3, classic4, newsgroups, uci, yeast
from graphmine.datasets.by_name import dataset
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError
from tests.datasets import made_archives


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "nothing"))
    return tmp_path


def rows(network: Network, kind: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = network.nodes[kind].to_pylist()
    return found


def links(network: Network, name: str) -> set[tuple[object, ...]]:
    table = next(edges.table for edges in network.relationships if edges.name == name)
    return {tuple(row.values()) for row in table.to_pylist()}


def test_aminer_takes_train_and_test_together_and_nothing_twice(folder: Path) -> None:
    made_archives.small_aminer(folder)
    network = dataset("aminer_hetgnn")
    assert rows(network, "Author") == [
        {"id": 1, "known_class": 0}, {"id": 2, "known_class": None}, {"id": 3, "known_class": 2},
    ]  # fmt: skip
    assert rows(network, "Paper") == [{"id": 0, "year": 1}, {"id": 1, "year": 2}, {"id": 2, "year": 2}]
    assert links(network, "Author-WROTE->Paper") == {(1, 0), (2, 0), (2, 1), (3, 2)}
    assert links(network, "Paper-IN->Venue") == {(0, 1), (1, 1), (2, 0)}
    assert links(network, "Paper-CITES->Paper") == {(2, 0), (2, 1)}
    assert [edges.duplicates for edges in network.relationships] == [0, 0, 0]


def test_acm_has_one_relation_each_way_round(folder: Path) -> None:
    made_archives.small_acm(folder)
    network = dataset("acm_hin")
    assert rows(network, "Paper") == [{"id": 0, "known_class": 2}, {"id": 1, "known_class": 0}]
    assert links(network, "Author-WROTE->Paper") == {(2, 0), (0, 0), (1, 1)}
    assert links(network, "Paper-ABOUT->Subject") == {(0, 0), (1, 0)}


def test_imdb_takes_rows_of_one_film_together_and_keeps_namesakes_apart(folder: Path) -> None:
    made_archives.small_imdb(folder)
    network = dataset("imdb5000")
    films = {row["id"]: row for row in rows(network, "Movie")}
    assert [(id_, row["title"]) for id_, row in films.items()] == [
        ("tt01", "The Host"), ("tt02", "The Host"), ("tt03", "Ça va"),
    ]  # fmt: skip
    assert {name: films["tt01"][name] for name in ("votes", "year", "score", "gross")} == {
        "votes": 7, "year": 2006, "score": 7.1, "gross": None,
    }  # fmt: skip
    assert films["tt02"]["colour"] == "Black and White"
    assert [row["known_class"] for row in films.values()] == [None, None, "Comedy"]
    assert links(network, "Movie-HAS->Keyword") == {
        ("tt01", "monster"), ("tt01", "river"), ("tt01", "gun"), ("tt03", "gun"),
    }  # fmt: skip
    assert links(network, "Person-ACTED_IN->Movie") == {
        ("Bob", "tt01", 1), ("Cid", "tt01", 2), ("Dee", "tt01", 3), ("Eve", "tt01", 3), ("Bob", "tt03", 1),
        ("Cid", "tt03", 3),
    }  # fmt: skip
    assert links(network, "Person-DIRECTED->Movie") == {("Ann", "tt01"), ("Bob", "tt03")}


def test_cstr_has_weights(folder: Path) -> None:
    made_archives.small_cstr(folder)
    network = dataset("cstr")
    assert rows(network, "Document") == [{"id": at, "known_class": at} for at in (1, 2, 3)]
    assert links(network, "Document-HAS->Term") == {(1, 1, 1.5), (2, 2, 0.5), (3, 1, 2.0), (3, 2, 1.0)}


def test_classic4_keeps_documents_without_text(folder: Path) -> None:
    made_archives.small_classic4(folder)
    network = dataset("classic4_raw")
    documents = {row["id"]: row for row in rows(network, "Document")}
    assert len(documents) == 21
    assert documents["cisi/2"] == {"id": "cisi/2", "known_class": "cisi", "title": "Index of books"}
    assert documents["medline/1"]["title"] is None
    has = links(network, "Document-HAS->Term")
    assert {word for id_, word, _ in has if id_ == "cacm/1"} == {"algebraic", "language"}
    assert ("cranfield/1", "wing", 1) in has  # once, though it is in the title, too
    assert not {link for link in has if link[0] == "cranfield/6"}
    assert len(dataset("classic4_raw", words=3).nodes["Term"]) == 3


def test_documents_are_read_from_smart_files(folder: Path) -> None:
    text = b".I 1\n.T\nOn X\n.A\nAnn\n.W\nwhole text .I mean\n.I 2\n.A\nBob\n.W\n\n.I 3\n.T \nOn Y\n"
    made_archives.pack(folder / "classic4_raw.tar.xz", {f"classic4_raw/{name}": text for name in classic4.FILES})
    read = [(each.file, each.number, each.title, each.text.split()) for each in classic4.abstracts()]
    assert read[:3] == [
        ("CISI.ALL", 1, "On X", ["On", "X", "whole", "text", ".I", "mean"]),
        ("CISI.ALL", 2, "", []),
        ("CISI.ALL", 3, "On Y", ["On", "Y"]),
    ]
    assert [words for file, *_, words in read if file == "MED.ALL"] == [["whole", "text", ".I", "mean"], [], []]


def test_yeast_has_profiles_and_conditions(folder: Path) -> None:
    made_archives.small_yeast(folder)
    network = dataset("yeast")
    genes = {row["name"]: row for row in rows(network, "Gene")}
    assert list(genes) == ["YA", "YB", "YC", "YD"]
    assert (genes["YB"]["tavazoie_01"], genes["YB"]["tavazoie_02"]) == (None, 429)
    assert (genes["YB"]["alpha_000"], genes["YB"]["alpha_007"], genes["YA"]["alpha_000"]) == (-1.0, 0.5, None)
    assert genes["YA"]["elutriation_390"] == 2.0
    assert links(network, "Gene-ROSE->Condition") == {("YD", "cond0", 2.0)}
    assert links(network, "Gene-FELL->Condition") == {("YA", "cond1", 0.06), ("YD", "cond1", 1.0)}
    assert dataset("yeast", only=["alpha"]).nodes["Gene"].column_names == ["name", "alpha_000", "alpha_007"]


def test_newsgroups_lose_their_headers(folder: Path) -> None:
    text = b"Newsgroups: sci.med\nSubject: Re: pills\n\npills work\n"
    files = {f"ng20_original/20_newsgroups/sci.med/{at}": text for at in range(5)}
    made_archives.pack(folder / "ng20_original.tar.xz", files)
    network = dataset("ng20_original", groups=["sci.med"])
    assert rows(network, "Document")[0] == {
        "id": "sci.med/0", "known_class": "sci.med", "known_topic": "sci", "subject": "Re: pills",
    }  # fmt: skip
    assert links(network, "Document-HAS->Term") == {
        (f"sci.med/{at}", w, 1) for at in range(5) for w in ("pills", "work")
    }


def test_reuters_keeps_documents_without_a_topic_unless_topics_are_named(folder: Path) -> None:
    made_archives.small_reuters(folder)
    network = dataset("reuters21578", least=1)
    known = {row["id"]: row["known_class"] for row in rows(network, "Document")}
    assert known == {1: None, 2: "grain", 3: None, 4: "crude", 5: None, 6: None}
    assert len(links(network, "Document-ABOUT->Category")) == 9
    assert len(dataset("reuters21578", least=1, words=2).nodes["Term"]) == 2
    some = dataset("reuters21578", topics=["ship"], least=1)
    assert {row["id"]: row["known_class"] for row in rows(some, "Document")} == {3: "ship", 6: "ship"}


def test_uci_is_a_kind_a_set(folder: Path) -> None:
    made_archives.small_uci(folder)
    assert list(dataset("uci").nodes) == ["Wine", "Glass", "Signal", "Patient", "Mass", "Woman"]
    assert list(dataset("uci", only=["pima", "wine"]).nodes) == ["Wine", "Woman"]


@pytest.mark.parametrize(
    ("name", "write", "sentence"),
    [
        ("aminer_hetgnn", lambda at: made_archives.small_aminer(at, p_v="0,1,2\n"), "it has the line '0,1,2'$"),
        ("aminer_hetgnn", lambda at: made_archives.small_aminer(at, p_a_list_test="a:b\n"), "it has the line 'a:b'$"),
        ("acm_hin", lambda at: made_archives.small_acm(at, edges="0 1\n"), "edge.txt has the line '0 1'$"),
        ("acm_hin", lambda at: made_archives.small_acm(at, labels="px 1\n"), "'x' is no number$"),
        ("imdb5000", lambda at: made_archives.small_imdb(at, "color\nred\n"), "has no column movie_imdb_link$"),
        ("cstr", lambda at: made_archives.small_cstr(at, classes=2), "has classes of 2 documents, not of 3$"),
        (
            "cstr",
            lambda at: made_archives.pack(at / "cstr.tar.xz", {"cstr/cstr.mat": b"no"}),
            "cstr.mat can not be read: ",
        ),
        (
            "yeast",
            lambda at: made_archives.small_yeast(at, genes_yeast_tavazoie="YA\n"),
            "has 2 x 2 values, where 1 x 2 sh",
        ),
        (
            "yeast",
            lambda at: made_archives.small_yeast(at, yeast_tavazoie="1 2\n3\n"),
            "yeast_tavazoie.txt: setting an",
        ),
        ("yeast", lambda at: made_archives.small_yeast(at, prelic_yeast_2993x173=""), "one of its files is empty$"),
    ],
)
def test_a_wrong_archive_is_one_sentence(folder: Path, name: str, write: Callable[[Path], Path], sentence: str) -> None:
    write(folder)
    with pytest.raises(DataError, match=sentence) as caught:
        dataset(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [name for name, each in DATASETS.items() if not each.built_in])
def test_an_absent_and_a_broken_set_are_one_sentence(folder: Path, name: str) -> None:
    assert not DATASETS[name].here
    with pytest.raises(DataError, match=rf"^the set {name} is not there: get .* and put it as {name}\.tar\.xz or"):
        dataset(name)
    made_archives.SMALL[name](folder)
    assert DATASETS[name].path == folder / f"{name}.tar.xz"
    content = (folder / f"{name}.tar.xz").read_bytes()
    (folder / f"{name}.tar.xz").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=rf"{name}\.tar\.xz can not be read: .*; get it anew"):
        dataset(name)


@pytest.mark.parametrize("name", DATASETS)
def test_the_options_are_the_parameters_of_the_reader(name: str) -> None:
    described = DATASETS[name]
    module, _, function = described.reader.partition(":")
    parameters = inspect.signature(getattr(import_module(f"graphmine.datasets.{module}"), function)).parameters
    assert list(described.options) == list(parameters)
    for option, parameter in zip(described.options.values(), parameters.values(), strict=True):
        assert option.default == (None if option.several else parameter.default)
    for text in (described.title, described.about, *(option.help for option in described.options.values())):
        assert text.endswith(".")


def test_choices_are_those_of_the_readers() -> None:
    choices = {(name, key): option.choices for name, each in DATASETS.items() for key, option in each.options.items()}
    assert choices["classic3", "classes"] == classic3.CLASSES
    assert choices["uci", "only"] == tuple(uci.SETS)
    assert choices["yeast", "only"] == tuple(yeast.EXPERIMENTS)
    assert choices["ng20_original", "groups"] == newsgroups.GROUPS


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("classic5", {}, r"set must be one of davis, .*, was 'classic5' \(did you mean 'classic3'\?\)"),
        ("davis", {"seed": 1}, "the set davis takes no options, and no 'seed'"),
        ("uci", {"only": ["wines"]}, r"set must be one of wine, .* \(did you mean 'wine'\?\)"),
        ("uci", {"only": []}, "name at least one set out of wine, "),
        ("yeast", {"only": []}, "name at least one experiment out of tavazoie, "),
        ("yeast", {"only": ["cdc"]}, "experiment must be one of tavazoie, "),
        ("ng20_original", {"groups": []}, "name at least one group"),
    ],
)
def test_wrong_options_are_one_sentence(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gm.dataset(name, **options)
