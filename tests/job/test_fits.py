"""Several fits in one job file: what they share, what each says for itself, and every mistake in its place."""

from pathlib import Path

import pytest

from graphmine.errors import ParameterError
from graphmine.job import check_job, read_evolution, read_job, read_jobs, read_preview

FITS = """\
relation = "A-T->B"
n_clusters = 4
seed = 3

[[fit]]
name = "plain"

[[fit]]
method = "scm"
n_clusters = {A = 2, B = 3}
param = {delta = 2}
write = "area"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fits.toml"


def test_fits_say_what_differs(file: Path) -> None:
    file.write_text(FITS)
    plain, scm = read_jobs(file)
    assert (plain.name, plain.method, plain.n_clusters, plain.seed, plain.write) == ("plain", "loom", 4, 3, None)
    assert (scm.name, scm.method, scm.n_clusters, scm.seed, scm.write) == (None, "scm", {"A": 2, "B": 3}, 3, "area")
    assert plain.relation == scm.relation == ("A-T->B",)
    assert check_job(file) == []


def test_flags_are_for_all_fits(file: Path) -> None:
    file.write_text(FITS)
    assert [(job.seed, job.n_clusters) for job in read_jobs(file, seed=5, n_clusters=2)] == [(5, 2), (5, 2)]
    with pytest.raises(ParameterError, match=r"fits\.toml: two fits write to 'x'; give each its own"):
        read_jobs(file, write="x")


def test_a_file_without_fits_is_one_job(file: Path) -> None:
    file.write_text("relation = 'A-T->B'\nn_clusters = 2\n")
    assert read_jobs(file) == [read_job(file)]


def test_what_takes_one_fit_says_so(file: Path) -> None:
    file.write_text(FITS)
    for read in (read_job, read_preview):
        with pytest.raises(ParameterError, match=r"fits\.toml, line 5: it holds fits to compare, which is for"):
            read(file)
    with pytest.raises(ParameterError, match="it holds fits to compare"):
        read_evolution(file, by="A.x")
    file.write_text("by = 'A.x'\n" + FITS)
    assert [(each.line, each.sentence) for each in check_job(file)] == [
        (6, "an evolution is of one fit; leave out [[fit]], or by, window and the like")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[fit]]\nmethod = 'scm'", [(2, "fit[0].n_clusters")]),
        ("[[fit]]\nk = 3", [(3, "fit[0].k")]),
        ("[[fit]]\nn_clusters = 2\nrelation = 'A-U->B'\nby = 'A.x'", [(4, "fit[0].relation"), (5, "fit[0].by")]),
        ("seed = -1\n[[fit]]\nn_clusters = 2\n[[fit]]\nn_clusters = 3", [(2, "seed")]),
        ("[[fit]]\nn_clusters = 0\n[[fit]]\nn_clusters = 2\nseed = -1", [(3, "fit[0].n_clusters"), (6, "fit[1].seed")]),
        (
            "n_clusters = 2\n[[fit]]\nname = 'x'\nwrite = 'y'\n[[fit]]\nname = 'x'\nwrite = 'y'",
            [(7, "fit[1].name"), (8, "fit[1].write")],
        ),
        ("n_clusters = 2\nwrite = 'y'\n[[fit]]\n[[fit]]", [(3, "write")]),
        ("n_clusters = 2\nparam = {delta = 2}\n[[fit]]\nmethod = 'scm'\n[[fit]]", [(3, "param.delta")]),
        ("n_clusters = 'auto'\n[[fit]]\nhierarchy = true", [(4, "fit[0].hierarchy")]),
        ("n_clusters = 2\nfit = 3", [(3, "fit")]),
        ("n_clusters = 2\nfit = []", [(3, "fit")]),
        ("n_clusters = 2\nfit = [1]", [(3, "fit")]),
    ],
)
def test_mistakes_of_fits_have_their_places(file: Path, text: str, expected: list[tuple[int, str]]) -> None:
    file.write_text(f"relation = 'A-T->B'\n{text}\n")
    assert [(each.line, each.field) for each in check_job(file)] == expected
    with pytest.raises(ParameterError):
        read_jobs(file)
