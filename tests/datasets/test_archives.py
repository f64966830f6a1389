"""Archives are found where they should be, and what is wrong with one is told in a sentence."""

from pathlib import Path

import pytest

from graphmine.datasets import archives
from graphmine.errors import DataError
from tests.datasets.made_archives import pack


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The folder that GRAPHMINE_DATA names, and the user's cache; both are empty."""
    data, cache = tmp_path / "data", tmp_path / "cache" / "graphmine"
    for each in (data, cache):
        each.mkdir(parents=True)
    monkeypatch.setenv("GRAPHMINE_DATA", str(data))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent))
    return data, cache


def test_the_named_folder_comes_before_the_cache(places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    data, cache = places
    later = pack(cache / "cstr.tar.xz", {})
    assert archives.archive("cstr") == later
    sooner = pack(data / "cstr.tar.gz", {})
    assert archives.archive("cstr") == sooner
    monkeypatch.delenv("GRAPHMINE_DATA")
    assert archives.archive("cstr") == later


def test_a_missing_set_is_one_sentence(places: tuple[Path, Path]) -> None:
    data, cache = places
    with pytest.raises(DataError, match=r"^the set yeast is not there: get the time courses .* and put it") as caught:
        archives.archive("yeast")
    assert str(caught.value).endswith(f"into {data} or {cache}")


def test_files_come_in_the_order_asked_for(places: tuple[Path, Path]) -> None:
    pack(places[0] / "cstr.tar.xz", {"cstr/one": b"1", "cstr/two": b"2"})
    assert list(archives.contents("cstr", "two", "one")) == [b"2", b"1"]
    with pytest.raises(DataError, match=r"holds no file cstr/three; it is not the set meant"):
        list(archives.contents("cstr", "three"))


def test_members_are_found_wherever_their_folder_is(places: tuple[Path, Path]) -> None:
    pack(places[0] / "cstr.tar.xz", {"x/texts/a/1": b"one", "texts/b": b"two", "x/other/c": b"three"})
    assert list(archives.members("cstr", "texts")) == [("a/1", b"one"), ("b", b"two")]


@pytest.mark.parametrize("cut", [0, 40, 300])
def test_a_broken_archive_is_one_sentence(places: tuple[Path, Path], cut: int) -> None:
    whole = pack(places[0] / "cstr.tar.xz", {f"cstr/{at}": bytes([at]) * 5000 for at in range(50)})
    content = whole.read_bytes()
    assert len(content) > cut
    whole.write_bytes(content[:cut])
    with pytest.raises(DataError, match=r"cstr.tar.xz can not be read: .*; get it anew"):
        list(archives.members("cstr", "cstr"))
