"""How long graphmine takes to start: ``python -m benchmarks.startup``.

Each command runs in a process of its own, in turns with one that imports numpy and scipy.sparse and does nothing else.
What counts is processor time from the start of the interpreter to its end, the least of the rounds.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Comparison
from benchmarks.table import as_text

__all__ = ["main"]

_PEER = "import numpy, scipy.sparse"
_COMMANDS: Mapping[str, tuple[Sequence[str], float]] = {
    "graphmine --help": (["--help"], 0.5),
    "graphmine schema": (["schema"], 2.5),
    "graphmine mine -k 2": (["mine", "--relation", "Woman-ATTENDED->Event", "-k", "2"], 4.0),
}
"""What is run on the network of davis, and how many times the peer's time it may take."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked = _parse(arguments)
    with TemporaryDirectory() as folder:
        found = list(_measure(Path(folder), asked.repeats))
    for comparison in found:
        print(as_text(comparison))
    return 1 if any(each.met is False for each in found) else 0


def _measure(folder: Path, repeats: int) -> Iterator[Comparison]:
    """Give what each command took beside the peer."""
    # Python may be told to keep no compiled modules; who has installed graphmine has them.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"GRAPHMINE_DB": str(folder / "davis.lbug"), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    program = [sys.executable, "-m", "graphmine"]
    _seconds([*program, "load", "davis"], environ)
    works = {"peer": [sys.executable, "-c", _PEER]} | {
        name: [*program, *arguments] for name, (arguments, _) in _COMMANDS.items()
    }
    rounds = [{name: _seconds(work, environ) for name, work in works.items()} for _ in range(repeats + 1)]
    least = {name: min(each[name] for each in rounds[1:]) for name in works}  # the first round compiles modules
    for name, (_, most) in _COMMANDS.items():
        yield Comparison("LadybugDB", name, f"python -c '{_PEER}'", least[name], least["peer"], most)


def _seconds(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Return the processor time of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.startup", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--repeats", type=int, default=5, help="rounds, after one that warms up; 5 without it")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
