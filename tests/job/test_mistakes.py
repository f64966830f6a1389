"""Every mistake of a job file is named, all of them at once, each once, with its line."""

from pathlib import Path

import pytest

from graphmine.errors import ConstraintError, ParameterError
from graphmine.job import check_job, read_evolution, read_job, read_jobs

FIVE = """\
relation = [
  "Author-WROTE->Paper-IN->Conference",
  "Author->Venue",
]
n_clusters = 0
where = "Paper.year"
seeds = 1
method = "lom"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "job.toml"


def found(file: Path, text: str) -> list[tuple[int | None, str]]:
    file.write_text(text)
    return [(mistake.line, mistake.field) for mistake in check_job(file)]


def test_five_mistakes_are_named_at_once(file: Path) -> None:
    assert found(file, FIVE) == [(3, "relation[1]"), (5, "n_clusters"), (6, "where"), (7, "seeds"), (8, "method")]
    sentences = [mistake.sentence for mistake in check_job(file)]
    with pytest.raises(ParameterError) as caught:
        read_job(file)
    head, *lines = str(caught.value).splitlines()
    assert head == f"the job {file} has 5 mistakes:"
    assert [line.partition(": ")[2] for line in lines] == sentences
    assert lines[3] == "  line 7, seeds: unknown field 'seeds' (did you mean 'seed'?)"
    with pytest.raises(ParameterError) as again:
        read_jobs(file)
    assert str(again.value) == str(caught.value)


def test_evolve_names_them_in_the_same_words(file: Path) -> None:
    file.write_text(FIVE + "by = 'year'\nwindow = 0\n")
    assert [mistake.field for mistake in check_job(file)][5:] == ["by", "window"]
    with pytest.raises(ParameterError) as caught:
        read_evolution(file)
    assert [line.partition(": ")[2] for line in str(caught.value).splitlines()[1:]] == [
        mistake.sentence for mistake in check_job(file)
    ]


def test_what_flags_replace_is_not_looked_at_and_flags_have_no_line(file: Path) -> None:
    file.write_text("relation = 'A-T->B'\nn_clusters = 0\nseed = -1\n")
    with pytest.raises(ParameterError, match=r"job\.toml, line 3: seed must be"):
        read_job(file, n_clusters=2)
    with pytest.raises(ParameterError, match=r"job\.toml: seed must be .* was -2$"):
        read_job(file, n_clusters=2, seed=-2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(None, "relation"), (None, "n_clusters")]),
        ("relations = 'A-T->B'\nk = 2", [(1, "relations"), (2, "k")]),
        ("relation = [1, 'A-T->B', 'A']\nn_clusters = 2", [(1, "relation[0]"), (1, "relation[2]")]),
        (
            "relation = 'A-T->B'\nn_clusters = {A = 0, C = 1}",
            [(2, "n_clusters.A"), (2, "n_clusters.C"), (2, "n_clusters")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 'scm'\n[param]\ndelta = 'x'\ndleta = 2\nn_clusters = 3",
            [(5, "param.delta"), (6, "param.dleta"), (7, "param.n_clusters")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 'l1'\nparam = {lam = 1, lambda = 2}",
            [(4, "param.lam")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nconstrain = [\n'must same A.x',\n'same A.y',\n'must same A.x',\n3]",
            [(5, "constrain[1]"), (6, "constrain[2]"), (7, "constrain[3]")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 'auto'\nhierarchy = true\noverwrite = 1\nwrite = ''\nparam = 3\ndb = 4",
            [(3, "hierarchy"), (4, "overwrite"), (5, "write"), (6, "param"), (7, "db")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nwindow = 0\nsince = 5\nuntil = 1\nmemory = -1\nstep = 1.5",
            [(None, "by"), (3, "window"), (5, "until"), (6, "memory"), (7, "step")],
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nby = 'A.x'\nmethod = 's-co'\nhierarchy = true",
            [(4, "method"), (5, "hierarchy")],
        ),
        ("relation = 'A-T->B'\nn_clusters = 2\nby = 'A.x'\nmethod = 's-co'\nmemory = 0", []),
        ("relation = 'A-T->B'\nn_clusters = 2\nkey = ['A.x', 'A', 'B.']", [(3, "key[1]"), (3, "key[2]")]),
        ("relation = 'A-T->B'\nn_clusters = 2\n", []),
    ],
)
def test_each_mistake_once_and_nothing_that_follows_from_another(
    file: Path, text: str, expected: list[tuple[int | None, str]]
) -> None:
    assert found(file, text) == expected


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("seed = 1\nrelation = ", 2, "it is no TOML: Invalid value (at line 2, column 12)"),
        ("seed = 1\nseed = 2\n", 2, "it is no TOML: Cannot overwrite a value (at line 2, column 9)"),
        ("a b = 1\n", 1, "it is no TOML: "),
        ("\x00", 1, "it is no TOML: "),
    ],
)
def test_what_is_no_toml_is_said_with_line_and_column(file: Path, text: str, line: int, told: str) -> None:
    file.write_text(text)
    (mistake,) = check_job(file)
    assert (mistake.line, mistake.field) == (line, "")
    assert mistake.sentence.startswith(told)


def test_files_that_can_not_be_read(file: Path, tmp_path: Path) -> None:
    (missing,) = check_job(file)
    assert missing.sentence == "it can not be read: No such file or directory"
    assert check_job(tmp_path)[0].sentence == "it can not be read: Is a directory"
    file.write_bytes(b"seed = '\xff'")
    assert check_job(file)[0].sentence.startswith("it can not be read: 'utf-8' codec")


def test_constraints_that_a_method_does_not_take_keep_their_exit_code(file: Path) -> None:
    file.write_text(
        "relation = 'A-T->B'\nn_clusters = 2\nmethod = 's-co'\nconstrain = ['must same A.x', 'order A.y']\n"
    )
    with pytest.raises(ConstraintError, match="has 2 mistakes"):
        read_job(file)
    with pytest.raises(ParameterError, match="has 3 mistakes"):
        read_job(file, seed=-1)


def test_parameters_that_contradict_each_other_are_one_mistake(file: Path) -> None:
    text = "relation = ['A-T->B', 'A-U->C']\nn_clusters = 2\nmethod = 'cbgc'\n[param]\n"
    assert found(file, text + "theta = [1, 2]\nsolver = 'lowrank'\nprice = 1\n") == [(6, "param.solver")]
    assert found(file, text + "theta = [1, 2]\nsolver = 'lowrank'\n") == []
    assert found(file, text + "theta = [1, 2]\nprice = 1\n") == []
