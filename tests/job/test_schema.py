"""The schema that editors take says of a job what the program says."""

import json
import tomllib
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from graphmine.job import EVOLVE_FIELDS, Job, JobFile, check_job
from graphmine.job.schema import ABOUT, job_schema
from graphmine.methods.catalog import CATALOG
from tests.job.test_fits import FITS
from tests.job.test_job import WHOLE

COPY = Path(__file__).resolve().parents[2] / "docs" / "job.schema.json"
VALIDATOR = Draft202012Validator(job_schema())
BASE = "relation = 'A-T->B'\nn_clusters = 2\n"


def test_it_is_a_schema_and_its_copy_is_up_to_date() -> None:
    Draft202012Validator.check_schema(job_schema())
    assert json.loads(COPY.read_text(encoding="utf-8")) == job_schema(), (
        "run: graphmine job schema > docs/job.schema.json"
    )


def test_every_field_and_every_parameter_is_in_it() -> None:
    names = {*(each.name for each in fields(Job)), *EVOLVE_FIELDS, "fit"}
    assert set(job_schema()["properties"]) == names == set(ABOUT)
    for name, method in CATALOG.items():
        known = set(job_schema()["$defs"][f"param of {name}"]["properties"]) - {"lambda"}
        assert known == {each.name for each in fields(method)} - {"n_clusters"}


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        FITS,
        BASE,
        "relation = ['A-T->B', 'A-U->C']\nn_clusters = 9\nmethod = 'cbgc'\nparam = {beta = 'auto', theta = [1, 2.5]}",
        "relation = 'A-T->B'\nn_clusters = {A = 2, B = 3}\nmethod = 'scm'\nparam.delta = 'auto'",
        BASE + "constrain = ['must same A.x']\non_conflict = 'weaken'\nname = 'x'\nhierarchy = true",
        BASE + "by = 'A.x'\nwindow = 'all'\nstep = 2\nsince = 1\nuntil = 9\nmemory = 0.25",
        BASE + "method = 'l1'\nparam = {lambda = 'path'}\nwhere = 'A.x > 1'\nkey = ['A.x']",
        "relation = 'A-T->B'\nparam = {delta = 2}\nmethod = 'scm'\n[[fit]]\nn_clusters = 2\n[[fit]]\nn_clusters = 3",
    ],
)
def test_valid_jobs_are_taken(text: str, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(text)
    assert check_job(tmp_path / "job.toml") == []
    assert list(VALIDATOR.iter_errors(tomllib.loads(text))) == []


@pytest.mark.parametrize(
    "text",
    [
        "n_clusters = 2",
        "relation = 'A-T->B'",
        "relation = []\nn_clusters = 2",
        "relation = 3\nn_clusters = 2",
        "relation = 'A-T->B'\nn_clusters = 0",
        "relation = 'A-T->B'\nn_clusters = 'two'",
        "relation = 'A-T->B'\nn_clusters = true",
        BASE + "k = 3",
        BASE + "method = 'sco'",
        BASE + "param = {delta = 2}",
        BASE + "method = 'scm'\nparam = {dleta = 2}",
        BASE + "method = 'scm'\nparam = {delta = 'x'}",
        BASE + "method = 'cbgc'\nparam = {theta = [1]}",
        BASE + "on_conflict = 'drop'",
        BASE + "seed = -1",
        BASE + "overwrite = 'yes'",
        BASE + "window = 2",
        BASE + "by = 'A.x'\nwindow = 0",
        BASE + "by = 'A.x'\nmemory = 'long'",
        BASE + "by = 'A.x'\n[[fit]]",
        BASE + "fit = []",
        BASE + "[[fit]]\nrelation = 'A-U->B'",
        BASE + "[[fit]]\nmethod = 'loom'\nparam = {delta = 2}",
        "relation = 'A-T->B'\nn_clusters = 'auto'\nhierarchy = true",
        "relation = 'A-T->B'\n[[fit]]\nn_clusters = 2\n[[fit]]",
    ],
)
def test_wrong_jobs_are_refused_as_the_program_refuses_them(text: str, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(text)
    assert check_job(tmp_path / "job.toml")
    assert list(VALIDATOR.iter_errors(tomllib.loads(text)))


VALUES = [
    0, 2, -1, 2.5, float("nan"), 10**30, True, False, "", "auto", "all", "A-T->B", "A.x", "A.x > 1", "scm", "l1",
    "must same A.x", "naïve `a`", "\n", [], [1], [[]], ["A-T->B", "A-U->C"], ["A.x", "A.x"], {}, {"A": 2, "B": 3},
    {"delta": 2}, {"lambda": "path", "x": 1}, date(2020, 1, 1), [{}], [{"method": "scm", "seed": -1}, {}],
]  # fmt: skip


@given(st.dictionaries(st.sampled_from(sorted(ABOUT)), st.sampled_from(VALUES), max_size=4))
def test_whatever_a_file_says_is_taken_by_both_or_said_to_be_wrong(values: dict[str, Any]) -> None:
    file = JobFile("job.toml", {"relation": "A-T->B", "n_clusters": 2, **values}, {})
    if not file.mistakes(("fit", *EVOLVE_FIELDS), evolves=file.evolves):
        assert file.jobs()
        assert list(VALIDATOR.iter_errors(file.values)) == []
