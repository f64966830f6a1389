"""What is available, on systems that tell more and less of it."""

import os
from pathlib import Path

import psutil
import pytest

from graphmine.errors import SizeError
from graphmine.linalg.resources import available_memory, check_memory


def refuse(*_: object, **__: object) -> str:
    raise FileNotFoundError


def test_it_is_what_the_system_says() -> None:
    assert available_memory() == pytest.approx(psutil.virtual_memory().available, rel=0.2)


def test_all_memory_counts_where_the_system_does_not_say_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", refuse)
    assert available_memory() == pytest.approx(psutil.virtual_memory().total, rel=0.01)


def test_four_gigabytes_are_taken_where_it_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", refuse)
    monkeypatch.delattr(os, "sysconf")
    assert available_memory() == 4 * 2**30


def test_only_what_does_not_fit_is_refused() -> None:
    check_memory("a page", 4096.0, "print less")
    with pytest.raises(
        SizeError, match=r"a library would take about 1e\+11 GB of memory, and .* available; print less"
    ):
        check_memory("a library", 1e20, "print less")
