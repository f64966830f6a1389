"""The benchmark of starting runs; what a command imports, which is not noisy, is asserted here."""

import json
import subprocess
import sys

import pytest

from benchmarks import startup

NEVER = {"cvxpy", "matplotlib", "neo4j", "networkx", "pandas", "sklearn"}
SLOW = {"scipy.optimize", "scipy.stats", "scipy.special", "scipy.spatial"}
NUMBERS = {"numpy", "pyarrow", "scipy"}
PROGRAM = """
import atexit, json, sys
from graphmine.__main__ import main
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
main()
"""


def modules_of(*arguments: str) -> set[str]:
    """Return the modules that are there when a command ends."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def women(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("startup") / "davis.lbug")
    modules_of("load", "davis", "--db", path)
    return path


def test_a_short_run_measures_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert startup.main(["--repeats", "1"]) in {0, 1}  # on a busy machine one round says little
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1].split(" / ")[0] for line in lines] == list(startup._COMMANDS)


def test_help_imports_nothing_that_computes() -> None:
    assert not modules_of("--help") & (NEVER | NUMBERS | {"ladybug", "rich"})


def test_a_schema_is_shown_without_what_a_fit_needs(women: str) -> None:
    assert not modules_of("schema", "--db", women) & (NEVER | {"scipy"})


def test_mine_imports_what_its_method_needs_and_no_more(women: str) -> None:
    found = modules_of("mine", "--relation", "Woman-ATTENDED->Event", "-k", "2", "--db", women)
    assert "graphmine.methods.loom.loom" in found
    assert not found & (NEVER | SLOW | {"graphmine.methods.cbgc.cbgc", "graphmine.methods.l1.l1"})
