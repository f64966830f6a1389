"""The package as its users import it: names, laziness, versions, errors."""

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import graphmine
from graphmine import errors, model

HEAVY = ("numpy", "scipy", "pyarrow", "sklearn", "neo4j", "ladybug", "networkx", "matplotlib", "cvxpy")


@pytest.mark.parametrize("name", dir(graphmine))
def test_every_name_can_be_imported(name: str) -> None:
    assert getattr(graphmine, name) is not None
    assert name in dir(graphmine)


@pytest.mark.parametrize("package", [graphmine, model])
def test_no_name_is_that_of_a_module_beside_it(package: ModuleType) -> None:
    """Python would give the module to whoever asks for the name, once the module has been imported."""
    assert not {each.name for each in iter_modules(package.__path__)} & set(dir(package))


def test_no_other_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'cluster'"):
        graphmine.cluster  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import graphmine",
        "from graphmine.__main__ import main; sys.argv = ['graphmine', '--help']; main()",
        "from graphmine.__main__ import main; sys.argv = ['graphmine', 'mine', '--help']; main()",
        "from graphmine.__main__ import main; sys.argv = ['graphmine', '--version']; main()",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    check = (
        f"import atexit, sys\natexit.register(lambda: print(*(set({HEAVY!r}) & set(sys.modules)), sep='', end='@'))\n"
    )
    done = subprocess.run([sys.executable, "-c", check + code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split("@")[0] == ""


def test_versions_agree() -> None:
    for command in (["graphmine"], [sys.executable, "-m", "graphmine"]):
        program = Path(sys.executable).parent / command[0] if len(command) == 1 else command[0]
        done = subprocess.run([str(program), *command[1:], "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"graphmine {version('graphmine')}\n"
    assert graphmine.__version__ == version("graphmine")


@pytest.mark.parametrize("name", errors.__all__)
def test_errors_have_the_exit_codes_their_module_draws(name: str) -> None:
    kind = getattr(errors, name)
    codes = {"ParameterError": 2, "ConstraintError": 3, "SizeError": 4}
    assert issubclass(kind, errors.GraphmineError)
    assert kind.exit_code == codes.get(name, 1)
    assert name in str(errors.__doc__)


SAME_AT_TWO_LAYERS = {
    # a verb, and the command of that name
    "compare", "doubtful", "estimate", "evolve", "export", "flow", "mine", "plot", "query", "resume", "schema",
    "read_clusters", "score", "undo", "unwind",
    "broken", "preview",  # of constraints that are given, and of those that a job draws
    "normalised_cut",  # of labels as users have them, and of arrays that are checked
    "davis", "karate",  # a network as a star, and as a data set to be loaded
    "main",  # of the program, and of what draws a document
}  # fmt: skip
"""Public names that two modules have on purpose, as they are the same thing seen from two layers."""

OF_EVERY_DATABASE = {"open_store", "translated"}


def public_names(path: Path) -> set[str]:
    """Return the functions, classes and aliases of types that a module defines."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign) and "cli" not in path.parts:  # where aliases are the options of commands
            found |= {each.id for each in node.targets if isinstance(each, ast.Name) and not each.id.isupper()}
    return {name for name in found if name[0] != "_" and name != "T"}


def test_every_public_name_is_defined_once() -> None:
    package = Path(str(graphmine.__file__)).parent
    homes: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for name in public_names(path):
            homes.setdefault(name, []).append(str(path.relative_to(package)))
    allowed = SAME_AT_TWO_LAYERS | OF_EVERY_DATABASE
    assert {name: where for name, where in homes.items() if len(where) > 1 and name not in allowed} == {}
    assert all(len(homes[name]) > 1 for name in allowed)
