"""Small archives of made-up data in the form of the real ones, for tests without these."""

import io
import tarfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np
from scipy.io import savemat
from scipy.sparse import csc_array

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


def small_reuters(folder: Path, times: int = 1) -> Path:
    """Write six stories in two files, in the form of Reuters-21578; as often as told, with other numbers."""
    marked = [
        f'<REUTERS TOPICS="{topics}" LEWISSPLIT="{split}" NEWID="{number + 10 * time}">\n'
        f"<TOPICS>{listed}</TOPICS>{text}</REUTERS>"
        for time in range(times)
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


_AMINER = {
    "p_a_list_train.txt": "0:1,2,1\n1:2\n", "p_a_list_test.txt": "2:3\n", "p_v.txt": "0,1\n1,1\n2,0\n",
    "p_time.txt": "0\t1\n1\t2\n2\t2\n", "p_p_citation_list.txt": "2:0,1\n",
    "a_class_train.txt": "1,0\n", "a_class_test.txt": "3,2\n",
}  # fmt: skip


def small_aminer(folder: Path, **files: str) -> Path:
    """Write three papers by three authors in two venues, in the form of the set of HetGNN."""
    texts = _AMINER | {f"{name}.txt": text for name, text in files.items()}
    named = {f"aminer_hetgnn/{name}": text.encode() for name, text in texts.items()}
    return pack(folder / "aminer_hetgnn.tar.xz", named)


def small_acm(folder: Path, edges: str = "", labels: str = "p0\t2\np1\t0\n") -> Path:
    """Write two papers, three authors and one subject, in the form of the set of OpenHINE."""
    edges = edges or "0\t2\tp-a\t1\n2\t0\ta-p\t1\n0\t0\tp-a\t1\n1\t1\tp-a\t1\n0\t0\tp-s\t1\n1\t0\tp-s\t1\n"
    files = {"acm_hin/edge.txt": edges.encode(), "acm_hin/label.txt": labels.encode()}
    return pack(folder / "acm_hin.tar.xz", files)


_FILMS = """\
color,director_name,num_critic_for_reviews,duration,actor_2_name,gross,genres,actor_1_name,movie_title,num_voted_users,\
actor_3_name,plot_keywords,movie_imdb_link,num_user_for_reviews,language,country,content_rating,budget,title_year,\
imdb_score,movie_facebook_likes
Color,Ann,1,90,Cid,,Action|Drama,Bob,The Host\u00a0,7,Dee,monster|river,http://x/title/tt01/?r,3,Korean,Korea,R,5,2006,7.1,0
Color,Ann,1,90,Cid,,Action|Drama,Bob,The Host\u00a0,8,Eve,monster|gun,http://x/title/tt01/?r,3,Korean,Korea,R,5,2006,7.1,0
 Black and White,,,,,9,Comedy|Drama|War,,The Host\u00a0            ,6,,,http://x/title/tt02/?r,,,,,,,5.9,1
,Bob,,,,,Comedy,Bob,Ça va\u00a0,6,Cid,gun,http://x/title/tt03/?r,,,,,,,5.9,1
"""


def small_imdb(folder: Path, films: str = _FILMS) -> Path:
    """Write four rows of three films, two of which have the same title."""
    return pack(folder / "imdb5000.tar.xz", {"imdb5000/movie_metadata.csv": films.encode()})


def small_cstr(folder: Path, classes: int = 3) -> Path:
    """Write three documents and two words."""
    written = io.BytesIO()
    block = csc_array(np.array([[1.5, 0.0], [0.0, 0.5], [2.0, 1.0]]))
    known = np.arange(1, classes + 1).reshape(-1, 1)
    savemat(written, {"fea": block, "gnd": known})  # type: ignore[arg-type]  # it writes open files as well
    return pack(folder / "cstr.tar.xz", {"cstr/cstr.mat": written.getvalue()})


def small_classic4(folder: Path) -> Path:
    """Write five documents of each collection, and one of CRAN that is empty."""
    forms = {
        "CISI.ALL": ".I {}\r\n.T\r\nIndex of books\r\n.A\r\nDewey\r\n.W\r\nThe library catalogue\r\n",
        "MED.ALL": ".I {}\n.W\nfetal glucose levels\n",
        "cacm.all": ".I {}\n.T\nAlgebraic language\n.B\nCACM 1958\n",
        "cran.all.1400": ".I {}\n.T\nwing\n.W\nwing in a slipstream\n",
    }
    texts = {name: "".join(form.format(number) for number in range(1, 6)) for name, form in forms.items()}
    texts["cran.all.1400"] += ".I 6\n.T\n.W\n"
    return pack(folder / "classic4_raw.tar.xz", {f"classic4_raw/{name}": text.encode() for name, text in texts.items()})


_YEAST = {
    "genes_yeast_tavazoie.txt": "YA\nYB\n", "yeast_tavazoie.txt": " 161 110\n  -1 429\n",
    "01_alpha_factor.csv": "#\tGID\t0\t7\n3\tYB  \t-1.000\t0.5\n4\tYC  \t2.0\t0\n",
    "02_cdc_15.csv": "#\tGID\t10\n1\tYA\t1\n", "03_cdc_28.csv": "#\tGID\t0\n1\tYA\t1\n",
    "04_elutriation.csv": "#\tGID\t0\t390\n1\tYA\t1\t2\n",
    "prelic_yeast_2993x173.txt": "gene\tcond0\tcond1\nYA\t0\t-0.06\nYD\t2\t-1\n",
}  # fmt: skip


def small_yeast(folder: Path, **files: str) -> Path:
    """Write two genes a time course, and two under two conditions."""
    texts = _YEAST | {f"{name}.txt": text for name, text in files.items()}
    return pack(folder / "yeast.tar.xz", {f"yeast/{name}": text.encode() for name, text in texts.items()})


SMALL: Mapping[str, Callable[[Path], Path]] = {
    "acm_hin": small_acm,
    "aminer_hetgnn": small_aminer,
    "classic3": small_classic3,
    "classic4_raw": small_classic4,
    "cstr": small_cstr,
    "imdb5000": small_imdb,
    "ng20_original": small_newsgroups,
    "reuters21578": partial(small_reuters, times=5),
    "uci": small_uci,
    "yeast": small_yeast,
}
"""What writes a small archive of each set."""
