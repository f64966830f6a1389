"""The clock of recorded seconds: no import is in them."""

import ast
import time
from pathlib import Path

import pytest

import graphmine
from graphmine import clock, gallery
from graphmine.methods.catalog import method

TIMED = ("closure", "constraints", "exchange", "linalg", "methods", "model")
"""The packages whose work is timed."""


def test_an_import_takes_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "takes_long.py").write_text("import time\ntime.sleep(0.3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    started = clock.now()
    with clock.importing():
        __import__("takes_long")
    time.sleep(0.05)
    assert 0.05 <= clock.now() - started < 0.3


def test_the_seconds_of_a_fit_are_without_its_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    star, _ = gallery.islands()
    fitter = method("loom", n_clusters=3)
    fit = type(fitter)._fit

    def slow(*arguments: object) -> object:
        with clock.importing():
            time.sleep(0.5)
        return fit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(type(fitter), "_fit", slow)
    started = time.perf_counter()
    found = fitter.fit(star, seed=0)
    assert found.seconds <= time.perf_counter() - started - 0.5


@pytest.mark.parametrize("package", TIMED)
def test_what_is_imported_in_the_middle_of_work_stops_the_clock(package: str) -> None:
    for file in Path(graphmine.__path__[0], package).rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        late = [line for each in nodes if isinstance(each, ast.FunctionDef) for line in _imports(each)]
        held = [line for each in nodes if isinstance(each, ast.With) and _stops(each) for line in _imports(each)]
        assert set(late) <= set(held), f"{file}: put imports inside functions into `with importing()`"


def _imports(block: ast.AST) -> list[int]:
    return [each.lineno for each in ast.walk(block) if isinstance(each, ast.Import | ast.ImportFrom)]


def _stops(block: ast.With) -> bool:
    return "importing()" in map(ast.unparse, block.items)
