"""Stories become a star: topics with shares, words with counts; the real set has its known size."""

from pathlib import Path

import pyarrow as pa
import pytest

from graphmine.datasets import archives, reuters
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError
from tests.datasets.made_archives import pack, small_reuters


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_reuters(tmp_path)


def table(network: Network, type: str) -> pa.Table:
    return next(edges.table for edges in network.relationships if edges.type == type)


def shares(network: Network) -> dict[int, dict[str, float]]:
    archives: dict[int, dict[str, float]] = {}
    for row in table(network, "ABOUT").to_pylist():
        archives.setdefault(row["source"], {})[row["target"]] = row["share"]
    return archives


@pytest.mark.usefixtures("small")
def test_a_document_shares_itself_among_its_topics() -> None:
    network = reuters.reuters(least=1)
    assert network.nodes["Category"]["name"].to_pylist() == ["corn", "crude", "grain", "ship"]
    assert shares(network) == {
        1: {"grain": 0.5, "corn": 0.5},
        2: {"grain": 1.0},
        3: {"crude": 0.5, "ship": 0.5},
        4: {"crude": 1.0},
        6: {"grain": 1 / 3, "corn": 1 / 3, "ship": 1 / 3},
    }
    counted = {(row["source"], row["target"]): row["count"] for row in table(network, "HAS").to_pylist()}
    assert counted[1, "maize"] == 3  # one of them in the title
    assert (4, "reuter") not in counted
    assert (6, "silo") in counted  # a story without mark-up inside


@pytest.mark.usefixtures("small")
def test_only_the_topics_asked_for_count() -> None:
    network = reuters.reuters(["corn", "ship"], least=1)
    assert shares(network) == {1: {"corn": 1.0}, 3: {"ship": 1.0}, 6: {"corn": 0.5, "ship": 0.5}}
    with pytest.raises(ParameterError, match=r"topic 'grains' has no story \(did you mean 'grain'\?\)"):
        reuters.reuters(["grains"])


@pytest.mark.usefixtures("small")
def test_so_many_documents_of_each_topic_are_drawn() -> None:
    drawn = [sorted(shares(reuters.reuters(each=1, least=1, seed=seed))) for seed in range(8)]
    assert drawn[0] == sorted(shares(reuters.reuters(each=1, least=1, seed=0)))
    assert len({tuple(each) for each in drawn}) > 1
    for each in drawn:
        assert len(each) <= 4
    with pytest.raises(ParameterError, match="each must be a whole number of at least 1, was 0"):
        reuters.reuters(each=0)


@pytest.mark.usefixtures("small")
def test_the_words_that_tell_the_topics_apart_are_kept() -> None:
    network = reuters.reuters(["grain", "crude"], words=2, least=2)
    assert network.nodes["Term"]["word"].to_pylist() == ["maize", "tanker"]
    assert set(table(network, "HAS")["target"].to_pylist()) == {"maize", "tanker"}


@pytest.mark.usefixtures("small")
def test_a_side_of_the_split() -> None:
    assert sorted(shares(reuters.reuters(split="train", least=1))) == [1, 3]
    assert sorted(shares(reuters.reuters(split="test", least=1))) == [2]
    with pytest.raises(ParameterError, match="split must be one of all, train, test, was 'trian'"):
        reuters.reuters(split="trian")


def test_an_archive_without_topics_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    pack(tmp_path / "reuters21578.tar.xz", {"reuters21578/README.txt": b"no stories"})
    with pytest.raises(DataError, match="no story has any of the topics"):
        reuters.reuters()


def test_the_real_set_has_its_size() -> None:
    try:
        archives.archive(reuters.NAME)
    except DataError as error:
        pytest.skip(str(error))
    every = list(reuters.stories())
    assert len({story.number for story in every}) == len(every) == 21578
    assert len({topic for story in every for topic in story.topics}) == 120
    # The mark-up has two more: the stories 5467 and 19918 name a topic twice.
    assert sum(len(story.topics) for story in every) == 14300
    assert sum(len(story.topics) > 1 for story in every) == 1872
    assert [sum(story.split == side for story in every) for side in ("train", "test")] == [9603, 3299]
    assert sum(not story.title for story in every) == 737
    assert sum(not story.body for story in every) == 1798
    assert all(story.title or story.body for story in every)
