"""Documents have words with counts and TF/IDF; the pair of the paper is drawn; the real set has its known size."""

from collections import Counter
from math import log
from pathlib import Path

import pytest

from graphmine.datasets import archives, classic3
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError
from tests.datasets.made_archives import pack, small_classic3


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_classic3(tmp_path)


def weights(network: Network, property_: str) -> dict[tuple[int, str], float]:
    return {(row["source"], row["target"]): row[property_] for row in network.relationships[0].table.to_pylist()}


@pytest.mark.usefixtures("small")
def test_documents_have_their_words_and_their_class() -> None:
    network = classic3.classic3()
    assert network.nodes["Document"].to_pylist() == [
        {"id": at + 1, "known_class": name}
        for at, name in enumerate(["medline", "medline", "cisi", "cisi", "cranfield", "cranfield"])
    ]
    assert weights(network, "count") == {
        (1, "fat"): 2, (1, "cell"): 1, (2, "fat"): 1, (3, "index"): 5, (4, "index"): 1, (5, "cell"): 1, (5, "wing"): 3,
        (6, "wing"): 1,
    }  # fmt: skip


@pytest.mark.usefixtures("small")
def test_a_pair_of_classes_has_its_own_words_and_weights() -> None:
    network = classic3.classic3(classic3.PAIR)
    assert network.nodes["Term"]["word"].to_pylist() == ["fat", "cell", "wing"]
    assert weights(network, "tfidf") == pytest.approx({
        (1, "fat"): 2 * log(2), (1, "cell"): log(2), (2, "fat"): log(2), (5, "cell"): log(2), (5, "wing"): 3 * log(2),
        (6, "wing"): log(2),
    })  # fmt: skip


@pytest.mark.usefixtures("small")
def test_so_many_documents_of_each_class_are_drawn() -> None:
    def drawn(*classes: str, seed: int) -> list[int]:
        ids: list[int] = classic3.classic3(classes, each=1, seed=seed).nodes["Document"]["id"].to_pylist()
        return ids

    many = {tuple(drawn(*classic3.PAIR, seed=seed)) for seed in range(20)}
    assert many == {(1, 5), (1, 6), (2, 5), (2, 6)}
    for seed in range(5):
        assert drawn("cranfield", "medline", seed=seed) == drawn("medline", seed=seed) + drawn("cranfield", seed=seed)
    with pytest.raises(ParameterError, match=r"^each must be at most 2, the documents of medline, was 3$"):
        classic3.classic3(each=3)
    with pytest.raises(ParameterError, match=r"^class must be one of medline, cisi, cranfield, was 'med'"):
        classic3.classic3(["med"])
    with pytest.raises(ParameterError, match=r"^name at least one class out of medline, cisi, cranfield$"):
        classic3.classic3([])


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [("2 x\n", "is not the set meant: invalid literal"), ("2 1\n0,0,1\n", "names 2 words, not 1$")],
)
def test_a_wrong_archive_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str, sentence: str
) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    files = {"coo.csv": listed, "doc.csv": "0\n2\n", "term.csv": "fat\nwing\n"}
    pack(
        tmp_path / "classic3.tar.xz",
        {f"classic3/classic3_coclustFormat_{name}": text.encode() for name, text in files.items()},
    )
    with pytest.raises(DataError, match=sentence):
        classic3.classic3()


def test_the_real_set_has_its_size() -> None:
    try:
        archives.archive(classic3.NAME)
    except DataError as error:
        pytest.skip(str(error))
    whole = classic3.classic3()
    assert (len(whole.nodes["Document"]), len(whole.nodes["Term"]), whole.n_relationships) == (3891, 4303, 176_347)
    assert Counter(whole.nodes["Document"]["known_class"].to_pylist()) == {
        "medline": 1033, "cisi": 1460, "cranfield": 1398,
    }  # fmt: skip
    pair = classic3.classic3(classic3.PAIR, each=200)
    assert Counter(pair.nodes["Document"]["known_class"].to_pylist()) == {"medline": 200, "cranfield": 200}
    assert (len(pair.nodes["Term"]), pair.n_relationships) == (3366, 19_810)
