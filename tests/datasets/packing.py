"""A small archive of made-up messages in the form of 20 Newsgroups, for tests without the real one."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from graphmine.datasets import newsgroups

_LETTERS = "abcdefghijklmnop"


def pack(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write files into an archive."""
    with tarfile.open(path, "w:xz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def small_newsgroups(folder: Path, each: int = 40, seed: int = 0) -> Path:
    """Write messages of all groups whose words tell comp, rec, sci and talk apart, most of the time."""
    rng = np.random.default_rng(seed)
    files: dict[str, bytes] = {}
    for group in newsgroups.GROUPS:
        own = [f"{group.partition('.')[0]}{letter}" for letter in _LETTERS]
        common = [f"common{letter}" for letter in _LETTERS]
        for number in range(each):
            words = [*rng.choice(own, 12), *rng.choice(common, 12)]
            text = f"Newsgroups: {group}\nSubject: {words[0]}\nLines: 1\n\n{' '.join(words)}\n"
            files[f"ng20_original/20_newsgroups/{group}/{number}"] = text.encode("latin-1")
    return pack(folder / "ng20_original.tar.xz", files)
