"""Experiments as tables, pictures and the document, which says what the stored results say."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphmine.experiments import EXPERIMENTS, Curves, Experiment
from graphmine.experiments.base import Reproduction
from graphmine.experiments.records import read_reproduction, reproduction_record, write_reproduction
from graphmine.report.page import Sheet
from graphmine.report.reproduction.document import document
from graphmine.report.reproduction.picture import _figure, draw_reproduction
from graphmine.report.reproduction.tables import experiments_page, findings, reproduction_page
from tests.experiments.planted import PLANTED, made_up

DOCUMENTS = Path(__file__).resolve().parents[2] / "docs"
FIGURES = {"s-co": {"nmi": 0.25, "seconds": 2.0}, "scm": {"nmi": 0.75, "seconds": 0.01}}


@pytest.fixture
def done() -> Reproduction:
    tasks = made_up("noise 0.3", FIGURES), made_up("noise 0.6", FIGURES)
    return Reproduction("planted", True, 2, tasks, 12.0, {"numpy": "2"}, {"processors": 2.0, "load": 11.5})


def test_experiments_are_listed() -> None:
    page = experiments_page({"planted": PLANTED})
    assert list(page.sheet.rows) == [("planted", "Planted networks", "Nobody: Nothing. Nowhere 2000.", 2, 3)]


def test_the_page_has_figures_claims_and_settings(done: Reproduction) -> None:
    page = reproduction_page(PLANTED, done)
    sheets = [part for part in page.parts if isinstance(part, Sheet)]
    figures, sizes, claims = sheets[:3]
    rows = list(figures.rows)
    assert rows[1][:4] == ("noise 0.3", "scm (ours)", "0.500 ± 0.000", "0.750 ± 0.000")
    assert next(iter(sizes.rows)) == ("noise 0.3", "10 Document", "9 Document, 30 links")
    assert list(claims.rows) == [("Labels help.", "I", "0.50 at least", "holds")]
    told = [list(sheet.rows) for sheet in sheets[3:]]
    fits = [("s-co", "Fit()"), ("scm", "Fit()")]
    assert told == [[("noise", "much | more")], fits, [("everything",)], [("nothing",)]]
    assert [part for part in page.parts if isinstance(part, str)][-1].endswith(
        "12 on a machine with processors 2, load 11.5"
    )
    assert page.data == reproduction_record(PLANTED, done)


def test_the_sheet_has_plain_numbers(done: Reproduction) -> None:
    sheet = reproduction_page(PLANTED, done).sheet
    first = dict(zip(sheet.columns, next(iter(sheet.rows)), strict=True))
    assert (first["method"], first["NMI mean"]) == ("s-co", 0.25)
    assert first["seconds of the fit deviation"] == 0.0


def test_claims_of_a_part_are_not_judged(done: Reproduction) -> None:
    part = Reproduction(done.experiment, True, 2, done.tasks[:1], 6.0)
    assert "1 task of 2 done; no claim can be judged yet" in reproduction_page(PLANTED, part).parts
    assert reproduction_record(PLANTED, part)["complete"] is False


def test_the_picture_is_drawn(done: Reproduction, tmp_path: Path) -> None:
    draw_reproduction(PLANTED, done, tmp_path / "planted.png")
    assert (tmp_path / "planted.png").read_bytes()[:4] == b"\x89PNG"


def test_many_methods_are_drawn_as_numbers(done: Reproduction) -> None:
    many = made_up("many", {f"method {at}": {"nmi": at / 10} for at in range(10)})
    assert [len(axes.texts) for axes in _figure(PLANTED, replace(done, tasks=(many, many))).axes] == [20] * 5
    assert [len(axes.texts) for axes in _figure(PLANTED, done).axes] == [0] * 5


def _shares() -> tuple[Experiment, Reproduction]:
    """Return an experiment of two sets at two shares each, where the second set has a method of its own."""
    curves = Curves("share, %", lambda name: (name[0], float(name[1:])), "nmi", "free_nmi")
    tasks = [made_up(f"a{share}", {"s-co": {"nmi": share / 100}}) for share in (10, 50)]
    tasks += [made_up(f"b{share}", FIGURES) for share in (10, 50)]
    drawn = replace(PLANTED, n_tasks=4, claims=(), measures={"nmi": "NMI", "free_nmi": "NMI, free"}, curves=curves)
    return drawn, Reproduction("planted", False, 2, tuple(tasks), 1.0)


def test_tasks_of_one_set_are_drawn_as_curves() -> None:
    figure = _figure(*_shares())
    panels = [axes for axes in figure.axes if axes.lines]
    assert [axes.get_title(loc="left") for axes in panels] == ["a", "b"]
    dashed, solid = panels[0].lines
    assert (dashed.get_linestyle(), solid.get_linestyle()) == ("--", "-")
    assert np.asarray(solid.get_data()).tolist() == [[10, 50], [0.1, 0.5]]
    assert np.asarray(dashed.get_ydata()).tolist() == [0.5, 0.5]
    colours = [axes.lines[0].get_color() for axes in panels]
    assert colours[0] == colours[1] != panels[1].lines[2].get_color()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["s-co", "scm (ours)"]


def test_a_method_that_a_set_does_without_has_a_dash_and_a_set_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment, done = _shares()
    monkeypatch.setattr("graphmine.report.reproduction.document.EXPERIMENTS", {"planted": experiment})
    write_reproduction(tmp_path / "planted.json", experiment, done)
    text = document(tmp_path)
    assert "| a50 | 0.500 ± 0.000 | – |\n| b10 | 0.250 ± 0.000 | 0.750 ± 0.000 |\n" in text
    assert "| a | 10 Document | 9 Document, 30 links |\n| b | 10 Document | 9 Document, 30 links |\n" in text
    assert "![NMI over share, %, set by set](reproduction/planted.png)" in text
    assert done.fits == {"s-co": "Fit()", "scm": "Fit()"}


def test_a_quick_run_of_fewer_tasks_is_complete(done: Reproduction) -> None:
    part = replace(done, tasks=done.tasks[:1])
    fewer = replace(PLANTED, n_quick=1)
    assert reproduction_record(fewer, part)["complete"]
    assert len(fewer.verdicts(part)) == 1
    assert fewer.verdicts(replace(part, quick=False)) == []


def test_the_document_has_every_stored_result(
    done: Reproduction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmine.report.reproduction.document.EXPERIMENTS", {"planted": PLANTED})
    assert "## planted" not in document(tmp_path)
    write_reproduction(tmp_path / "planted.json", PLANTED, done)
    text = document(tmp_path)
    assert "| Labels help. (I) | 0.50 at least | holds |\n" in text
    assert "| set | s-co | scm (ours) |\n| --- | --- | --- |\n| noise 0.3 | 0.250 ± 0.000 | 0.750 ± 0.000 |\n" in text
    assert "- noise: much | more\n" in text
    assert "processors 2, load 11.5" in text


def test_what_was_found_is_told_with_how_often(
    done: Reproduction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replace(done.tasks[0], found={"s-co": ("a | b", "a | b"), "scm": ("a b", "a | b")})
    told = replace(done, tasks=(first, done.tasks[1]))
    assert findings(told) == [("noise 0.3", "s-co", "a | b"), ("noise 0.3", "scm", "a b (1); a | b (1)")]
    sheets = [part for part in reproduction_page(PLANTED, told).parts if isinstance(part, Sheet)]
    assert list(sheets[1].rows) == findings(told)
    monkeypatch.setattr("graphmine.report.reproduction.document.EXPERIMENTS", {"planted": PLANTED})
    write_reproduction(tmp_path / "planted.json", PLANTED, told)
    assert "| noise 0.3 | s-co | a \\| b |\n" in document(tmp_path)


def test_a_table_of_many_methods_has_them_below_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = made_up("one", {"a": {"nmi": 0.25}, "b": {"nmi": 0.5}})
    single = replace(PLANTED, n_tasks=1, claims=(), measures={"nmi": "NMI"})
    monkeypatch.setattr("graphmine.report.reproduction.document.EXPERIMENTS", {"planted": single})
    write_reproduction(tmp_path / "planted.json", single, Reproduction("planted", False, 2, (task,), 1.0))
    assert "| method | one |\n| --- | --- |\n| a | 0.250 ± 0.000 |\n| b | 0.500 ± 0.000 |\n" in document(tmp_path)


def test_the_document_is_up_to_date() -> None:
    command = "python -m graphmine.report.reproduction.document docs/reproduction > docs/reproduction.md"
    written = (DOCUMENTS / "reproduction.md").read_text(encoding="utf-8")
    assert written == document(DOCUMENTS / "reproduction"), f"run: {command}"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_stored_results_are_whole_and_not_quick(name: str) -> None:
    path = DOCUMENTS / "reproduction" / f"{name}.json"
    stored = read_reproduction(path)
    assert reproduction_record(EXPERIMENTS[name], stored) == json.loads(path.read_text(encoding="utf-8"))
    assert (stored.quick, stored.draws, len(stored.tasks)) == (
        False,
        EXPERIMENTS[name].draws,
        EXPERIMENTS[name].n_tasks,
    )
    assert (DOCUMENTS / "reproduction" / f"{name}.png").exists()
