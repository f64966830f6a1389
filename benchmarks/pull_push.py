"""Measure pull and push against peers: ``python -m benchmarks.pull_push``, or scripts/bench with a Neo4j of its own.

Everything is a ratio of two things done in turns in the same run, because seconds say more about the machine.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from benchmarks import embedded, server
from benchmarks.measure import Comparison, whole
from benchmarks.networks import Sizes
from benchmarks.table import as_markdown, as_text, replace_table

__all__ = ["main"]

DATABASES = ("ladybug", "neo4j")
PARTS = ("pull", "path", "labels", "memory")
PACKAGES = ("graphmine", "ladybug", "neo4j", "neo4j-rust-ext", "numpy", "scipy", "pyarrow")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed, 2 if something could not be measured."""
    asked = _parse(arguments)
    neo4j = server.Server.from_environment() if "neo4j" in asked.only else None
    if "neo4j" in asked.only and neo4j is None:
        print(
            "No Neo4j: set NEO4J_URI, or run scripts/bench. The embedded database alone is measured.", file=sys.stderr
        )
    found: list[Comparison] = []
    refused = False
    try:
        for comparison in _measure(asked, neo4j):
            found.append(comparison)
            print(as_text(comparison), flush=True)
    except server.Refused as error:
        refused = True
        print(f"benchmarks.pull_push: {error}.", file=sys.stderr)
    results = {"machine": _machine(neo4j), "repeats": asked.repeats, "rows": [each.as_dict() for each in found]}
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n")
    if asked.markdown:
        replace_table(PAGE, as_markdown(results))
    if refused:
        return 2
    return 1 if any(each.met is False for each in found) else 0


def _measure(asked: argparse.Namespace, neo4j: server.Server | None) -> Iterator[Comparison]:
    sizes, repeats, parts = Sizes(asked.relationships), asked.repeats, asked.parts
    if "ladybug" in asked.only:
        with tempfile.TemporaryDirectory(prefix="graphmine-bench-") as folder:
            _say(f"loading {asked.relationships:,} relationships into LadybugDB, twice over")
            file = embedded.make(Path(folder), sizes)
            _say("measuring LadybugDB")
            if "pull" in parts:
                yield from embedded.pulls(file, sizes, repeats)
            if "path" in parts:
                yield from embedded.path(file, sizes, repeats)
            if "memory" in parts:
                yield from embedded.memory(file, sizes)
    if neo4j:
        _say(f"loading {asked.relationships:,} relationships into Neo4j, twice over")
        with server.network(neo4j, sizes):
            _say("measuring Neo4j")
            if "pull" in parts:
                yield from server.pulls(neo4j, sizes, repeats)
            if "path" in parts:
                yield from server.path(neo4j, sizes, repeats)
            if "memory" in parts:
                yield from server.memory(neo4j, sizes)
            if "labels" in parts:
                for nodes in asked.labels:
                    yield from server.labels(neo4j, nodes, repeats)


def _machine(neo4j: server.Server | None) -> dict[str, Any]:
    """Describe the machine in general words."""
    return {
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30),
        "system": platform.system(),
        "python": platform.python_version(),
        "packages": dict(_versions()),
        "neo4j_server": neo4j.version() if neo4j else None,
    }


def _versions() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        with suppress(PackageNotFoundError):  # the compiled packing is not for every Python
            yield name, version(name)


def _say(what: str) -> None:
    print(f"... {what}", file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pull_push", description=(__doc__ or "").partition("\n")[0]
    )
    add = parser.add_argument
    add("--relationships", type=whole, default=1_000_000, metavar="N", help="how many to pull (default: 1000000)")
    add("--labels", type=_wholes, default=(100_000, 500_000), metavar="N,N", help="how many to write (100000,500000)")
    add("--repeats", type=whole, default=3, metavar="N", help="rounds, of which the median is taken (default: 3)")
    add("--only", type=_choices(DATABASES), default=DATABASES, metavar="A,B", help=f"of {', '.join(DATABASES)}")
    add("--parts", type=_choices(PARTS), default=PARTS, metavar="A,B", help=f"of {', '.join(PARTS)}")
    add("--json", type=Path, metavar="FILE", help="write the results there")
    add("--markdown", action="store_true", help="write the table into docs/benchmarks.md")
    return parser.parse_args(arguments)


def _wholes(text: str) -> tuple[int, ...]:
    return tuple(whole(part) for part in text.split(","))


class _choices:  # noqa: N801 - used as a function
    def __init__(self, known: Sequence[str]) -> None:
        self._known = known

    def __call__(self, text: str) -> tuple[str, ...]:
        given = tuple(text.split(","))
        if not set(given) <= set(self._known):
            raise argparse.ArgumentTypeError(f"must be of {', '.join(self._known)}")
        return given


if __name__ == "__main__":
    sys.exit(main())
