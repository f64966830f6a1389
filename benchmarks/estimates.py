"""What jobs take at their peak, beside what `graphmine estimate` says: ``python -m benchmarks.estimates``.

Each job is mined in a process of its own, whose largest resident set is read from the kernel when it ends. The networks
are not those that the numbers of the estimate were taken from: other sizes, other shapes, uneven degrees. Without
``--neo4j`` the database is a LadybugDB file that is made for it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphmine.datasets.network import Edges, Network
from graphmine.exchange.load import load
from graphmine.job import Job
from graphmine.store import connect
from graphmine.verbs.estimate import estimate

__all__ = ["Taken", "jobs", "measure", "network"]

DIRECT, PATH, GRAPH = "Author-AT->Venue", "Author-WROTE->Paper-IN->Venue", "Author-WROTE->Paper<-WROTE-Author"
STAR = ("Paper<-WROTE-Author", "Paper-IN->Venue")
WEIGHTED = "Author-AT{times}->Venue"


@dataclass(frozen=True)
class Taken:
    """A job, the bytes that it was said to take, and those that it took."""

    job: dict[str, Any]
    links: int
    said: float
    took: float

    @property
    def ratio(self) -> float:
        """How many times what it took was said."""
        return self.said / self.took


def network(links: int, seed: int = 0) -> Network:
    """Return authors, papers and venues whose degrees are uneven: half of all links are of a tenth of the nodes."""
    rng = np.random.default_rng(seed)
    sizes = {"Author": max(links // 6, 10), "Paper": max(links // 3, 10), "Venue": max(links // 300, 40)}
    nodes = {kind: pa.table({"name": [f"{kind} {at:08}" for at in range(n)]}) for kind, n in sizes.items()}

    def drawn(kind: str, n: int) -> pa.Array:
        few = rng.random(n) < 0.5
        at = np.where(few, rng.integers(max(sizes[kind] // 10, 1), size=n), rng.integers(sizes[kind], size=n))
        return nodes[kind]["name"].combine_chunks().take(pa.array(at))

    wrote = pa.table({"source": drawn("Author", links), "target": drawn("Paper", links)})
    papers = nodes["Paper"]["name"].combine_chunks()
    at = pa.table({
        "source": drawn("Author", links), "target": drawn("Venue", links), "times": rng.integers(1, 9, size=links),
    })  # fmt: skip
    edges = (
        Edges("Author", "WROTE", "Paper", wrote),
        Edges("Paper", "IN", "Venue", pa.table({"source": papers, "target": drawn("Venue", len(papers))})),
        Edges("Author", "AT", "Venue", at),
    )
    return Network(nodes, edges)


def jobs(*, every: bool = True) -> Iterator[dict[str, Any]]:
    """Give the jobs that are measured on each network."""
    yield {"relation": DIRECT, "n_clusters": 7}
    yield {"relation": PATH, "n_clusters": 3, "write": "area"}
    if not every:
        return
    for name in ("s-co", "scm", "infor-co", "tsc", "row-only"):
        yield {"relation": DIRECT, "n_clusters": 9, "method": name}
    yield {"relation": WEIGHTED, "n_clusters": 25, "write": "area", "overwrite": True}
    yield {"relation": STAR, "n_clusters": 5, "write": "area", "overwrite": True}
    yield {"relation": STAR, "n_clusters": 3, "method": "cbgc"}
    yield {"relation": GRAPH, "n_clusters": 2, "method": "l1"}
    yield {"relation": GRAPH, "n_clusters": 2, "method": "fcsc"}
    yield {"relation": PATH, "n_clusters": 4, "method": "scm", "constrain": [f"must {GRAPH} >= 2"]}
    yield {"relation": PATH, "n_clusters": "auto"}


def measure(database: str, job: dict[str, Any], links: int) -> Taken:
    """Estimate a job, and mine it in a process of its own."""
    with connect(database, read_only=True) as store:
        said = estimate(store, Job(**job)).peak
    command = [sys.executable, "-m", "benchmarks.estimates", "--mine", database, json.dumps(job)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    return Taken(job, links, said, float(done.stdout))


def _mine(database: str, job: dict[str, Any]) -> None:
    from graphmine.verbs.mine import mine

    with connect(database) as store:
        mine(store, Job(**job), force=True)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    print(next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")))


def _written(all_: Sequence[Taken]) -> str:
    lines = [
        "| relation | method | k | links | said (MB) | took (MB) | ratio |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in all_:
        cells = (
            ", ".join([each.job["relation"]] if isinstance(each.job["relation"], str) else each.job["relation"]),
            each.job.get("method", "loom"),
            str(each.job["n_clusters"]),
            f"{each.links:,}",
            f"{each.said / 1e6:.0f}",
            f"{each.took / 1e6:.0f}",
            f"{each.ratio:.2f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure all jobs on networks of all sizes, and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.estimates", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--links", type=int, nargs="+", default=[6_000, 60_000, 300_000])
    parser.add_argument("--neo4j", metavar="URL", help="an empty Neo4j; without it a LadybugDB file is made")
    parser.add_argument("--mine", nargs=2, metavar=("DATABASE", "JOB"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.mine:
        _mine(asked.mine[0], json.loads(asked.mine[1]))
        return
    found: list[Taken] = []
    for links in asked.links:
        with tempfile.TemporaryDirectory() as folder:
            database = asked.neo4j or str(Path(folder) / "network.lbug")
            with connect(database) as store:
                load(store, network(links))
            for job in jobs():
                found.append(measure(database, job, links))
                print(f"{found[-1].job} {links:,}: {found[-1].ratio:.2f}", file=sys.stderr, flush=True)
    print(_written(found))
    enough = sum(each.ratio >= 1 for each in found)
    print(f"\nenough was said for {enough} of {len(found)} jobs")


if __name__ == "__main__":
    main()
