"""How far a process grows while it pulls: ``python -m benchmarks.memory DB RELATION TINY``, a process for each.

The growth is the largest resident set during the pull less the one just before it, after imports, connecting and the
pull of a tiny relation. The kernel keeps the largest set, and is asked to forget it first; where it can not, the set is
sampled.
"""

import argparse
import ctypes
import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
import pyarrow as pa

from graphmine.exchange.pull import pull
from graphmine.store import connect

__all__ = ["Growth", "growth_of"]


@dataclass(frozen=True)
class Growth:
    """Bytes: what the pull added at its peak, the CSR block, and what a first query left behind."""

    pull: int
    block: int
    first: int = 0


def growth_of(
    database: str, relation: str, tiny: str, *, first: str | None = None, environ: Mapping[str, str] | None = None
) -> Growth:
    """Measure a pull in a new process.

    Parameters
    ----------
    database, relation
        What to pull.
    tiny
        A small relation that is pulled before.
    first
        A query that is run before, whose growth is told apart.
    environ
        How to log in.
    """
    command = [sys.executable, "-m", "benchmarks.memory", database, relation, tiny]
    command += ["--first", first] if first else []
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environ or {})})
    return Growth(**json.loads(done.stdout))


def measure(database: str, relation: str, tiny: str, first: str | None) -> Growth:
    """Measure a pull in this process."""
    with connect(database, read_only=True) as store:
        pull(store, [tiny])
        left = 0
        if first:
            before = _settled()
            store.reading(lambda tx: tx.read(first))
            left = _settled() - before
        before = _settled()
        with _peak() as peak:
            block = pull(store, [relation]).arms[0].block
    return Growth(peak[0] - before, block.data.nbytes + block.indices.nbytes + block.indptr.nbytes, left)


def _settled() -> int:
    """Return the resident set once everything that was freed has gone back to the system."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return int(psutil.Process().memory_info().rss)


@contextmanager
def _peak() -> Iterator[list[int]]:
    """Put the largest resident set of the body into the list."""
    found = [0]
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        with _sampled(found):
            yield found
        return
    yield found
    status = Path("/proc/self/status").read_text()
    found[0] = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


@contextmanager
def _sampled(found: list[int]) -> Iterator[None]:
    process, done = psutil.Process(), threading.Event()

    def watch() -> None:
        while not done.wait(0.001):
            found[0] = max(found[0], process.memory_info().rss)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        found[0] = max(found[0], process.memory_info().rss)


def main() -> None:
    """Measure what the command line says and print it as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("database", help="as --db of graphmine")
    parser.add_argument("relation", help="the pattern to pull")
    parser.add_argument("tiny", help="a small pattern to pull before")
    parser.add_argument("--first", help="a query to run before, whose growth is told apart")
    asked = parser.parse_args()
    print(json.dumps(asdict(measure(asked.database, asked.relation, asked.tiny, asked.first))))


if __name__ == "__main__":
    main()
