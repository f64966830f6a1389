"""Small archives of made-up data in the form of the real ones, for tests without these."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from graphmine.datasets import newsgroups, uci

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


_STORIES = (
    (1, "TRAIN", "YES", "<D>grain</D><D>corn</D>", "<TEXT><TITLE>MAIZE</TITLE><BODY>maize maize wheat</BODY></TEXT>"),
    (2, "TEST", "YES", "<D>grain</D>", "<TEXT><TITLE>Crop</TITLE><BODY>maize wheat price</BODY></TEXT>"),
    (3, "TRAIN", "YES", "<D>crude</D><D>ship</D>", "<TEXT><TITLE>Oil</TITLE><BODY>tanker price</BODY></TEXT>"),
    (4, "NOT-USED", "YES", "<D>crude</D>", "<TEXT><BODY>tanker &lt;XON> price wheat\n Reuter\n&#3;</BODY></TEXT>"),
    (5, "TRAIN", "NO", "", "<TEXT><TITLE>Weather</TITLE><BODY>sun</BODY></TEXT>"),
    (6, "TRAIN", "BYPASS", "<D>grain</D><D>corn</D><D>grain</D><D>ship</D>",
     '<TEXT TYPE="UNPROC">maize silo harbour</TEXT>'),
)  # fmt: skip


def small_reuters(folder: Path) -> Path:
    """Write six stories in two files, in the form of Reuters-21578."""
    marked = [
        f'<REUTERS TOPICS="{topics}" LEWISSPLIT="{split}" NEWID="{number}">\n<TOPICS>{listed}</TOPICS>{text}</REUTERS>'
        for number, split, topics, listed, text in _STORIES
    ]
    head = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
    files = {
        f"reuters21578/reut2-00{at}.sgm": (head + "\n".join(part)).encode("latin-1")
        for at, part in enumerate((marked[:3], marked[3:]))
    }
    return pack(folder / "reuters21578.tar.xz", files | {"reuters21578/README.txt": b"<REUTERS>"})


def small_uci(folder: Path, rows: int = 30, seed: int = 0) -> Path:
    """Write a few rows of each set of UCI in its form, classes taking turns; one value of hepatitis is missing."""
    rng = np.random.default_rng(seed)
    classes = {"wine": "123", "glass": "127", "ionosphere": "gb", "hepatitis": "12", "wdbc": "MB", "pima": "01"}
    files = {}
    for name, described in uci.SETS.items():
        values = rng.normal(size=(rows, len(described.columns))).round(3).astype(str)
        if name == "hepatitis":
            values[4, 3] = "?"
        for at, column in enumerate(described.columns):
            if column == "id":
                values[:, at] = np.arange(rows) + 101
            if column == uci.CLASS:
                values[:, at] = [classes[name][row % len(classes[name])] for row in range(rows)]
        files[f"uci/{described.file}"] = "\n".join(map(",".join, values.tolist())).encode()
    return pack(folder / "uci.tar.xz", files)


def small_classic3(folder: Path) -> Path:
    """Write six documents, two of each collection, and four words, the last of which only cisi has."""
    listed = "6 4\n0,0,2\n0,1,1\n1,0,1\n2,3,5\n3,3,1\n4,1,1\n4,2,3\n5,2,1\n"
    files = {"coo.csv": listed, "doc.csv": "0\n0\n1\n1\n2\n2\n", "term.csv": "fat\ncell\nwing\nindex\n"}
    return pack(
        folder / "classic3.tar.xz",
        {f"classic3/classic3_coclustFormat_{name}": text.encode() for name, text in files.items()},
    )
