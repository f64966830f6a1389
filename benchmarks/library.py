"""Who mines a network in one Neo4j: graphmine, and the server's own Graph Data Science library.

Each writes its clusters to a property of its own, `AREA` and a name, on the nodes of both kinds.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import neo4j
import numpy as np
from neo4j.exceptions import ClientError

from benchmarks.networks import AT, AUTHOR, VENUE, Planted
from benchmarks.server import AREA
from graphmine.arrays import Labels
from graphmine.job import Job
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.mine import fit
from graphmine.verbs.write import write

__all__ = [
    "PEERS",
    "Contestant",
    "Ours",
    "Theirs",
    "contestants",
    "labels_in",
    "library_version",
    "unlike",
]

GRAPH = "graphmine_bench"
PROJECT = "CALL gds.graph.project($graph, $kinds, {%s: {orientation: 'UNDIRECTED'}})"
DROP = "CALL gds.graph.drop($graph, false) YIELD graphName RETURN count(*)"
DIMENSIONS = (64, 128, 256)
"""Of embeddings; the last is what the library's pages advise, at the least, for a hundred thousand nodes."""
PEERS = ("Leiden", "Louvain", *(f"FastRP {dimension} + k-means" for dimension in DIMENSIONS))

Parts = dict[str, float]


class Contestant(Protocol):
    """What mines and writes."""

    @property
    def name(self) -> str:
        """How it is called in tables."""

    @property
    def property(self) -> str:
        """Where the clusters are written."""

    def run(self, turn: int) -> Parts:
        """Mine and write, the seed being the number of the turn; the seconds of each part."""


@dataclass(frozen=True)
class Ours:
    """What ``graphmine mine --write`` does: pull, fit and push, with journal and run record, on an open store.

    No label is one of the last turn: they are numbered from 0 in one turn and from k in the next.
    """

    store: Store
    method: str
    clusters: int

    @property
    def name(self) -> str:
        """How it is called in tables."""
        return f"graphmine, {self.method}"

    @property
    def property(self) -> str:
        """Where the clusters are written."""
        return f"{AREA}_{self.method.replace('-', '_')}"

    def run(self, turn: int) -> Parts:
        """Mine and write."""
        relation = f"{AUTHOR}-{AT}->{VENUE}"
        job = Job(relation, self.clusters, method=self.method, seed=turn, write=self.property)
        found = fit(self.store, job)
        shift = self.clusters * (turn % 2)
        labels = {k: np.where(own == UNPLACED, own, own + shift) for k, own in found.clustering.labels.items()}
        written = write(self.store, replace(found, clustering=replace(found.clustering, labels=labels)))
        return dict(written.seconds)


@dataclass(frozen=True)
class Theirs:
    """The library: projects both kinds and their relationships without direction, and runs procedures on that.

    ``steps`` are calls with settings of their own, beside the name of the graph; ``$property`` is where to write.
    Everything that is not named here is as the library has it by default, four threads among it.
    """

    session: neo4j.Session
    name: str
    steps: tuple[tuple[str, str, Mapping[str, object]], ...]

    @property
    def property(self) -> str:
        """Where the clusters are written."""
        return f"{AREA}_{self.name.replace(' + ', ' ').replace('-', '').replace(' ', '_').lower()}"

    def run(self, turn: int) -> Parts:
        """Project, run and write, and let the projection go."""
        parts: Parts = {}
        _timed(parts, "project", lambda: self._done(PROJECT % AT, kinds=[AUTHOR, VENUE]))
        for part, procedure, given in self.steps:
            text = f"CALL {procedure}($graph, $settings)"
            writes = {"writeProperty": self.property} if procedure.endswith(".write") else {}
            seeds = {} if procedure.startswith("gds.louvain") else {"randomSeed": turn}  # Louvain takes none
            settings = {**given, **writes, **seeds}
            _timed(parts, part, partial(self._done, text, settings=settings))
        _timed(parts, "drop", lambda: self._done(DROP))
        return parts

    def _done(self, text: str, **values: object) -> None:
        self.session.run(text, {"graph": GRAPH, **values}).consume()


def _timed(parts: Parts, name: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    parts[name] = time.perf_counter() - start


def contestants(store: Store, session: neo4j.Session, network: Planted, methods: tuple[str, ...]) -> list[Contestant]:
    """Return graphmine with some methods, and the library's peers if the server has it."""
    ours: list[Contestant] = [Ours(store, method, network.clusters) for method in methods]
    return [*ours, *_peers(session, network.clusters)] if library_version(session) else ours


def _peers(session: neo4j.Session, clusters: int) -> Iterator[Theirs]:
    yield Theirs(session, PEERS[0], (("fit and write", "gds.leiden.write", {}),))
    yield Theirs(session, PEERS[1], (("fit and write", "gds.louvain.write", {}),))
    for name, dimension in zip(PEERS[2:], DIMENSIONS, strict=True):
        embedding = {"embeddingDimension": dimension, "mutateProperty": "embedding"}
        means = {"nodeProperty": "embedding", "k": clusters}
        yield Theirs(
            session, name, (("embed", "gds.fastRP.mutate", embedding), ("fit and write", "gds.kmeans.write", means))
        )


def library_version(session: neo4j.Session) -> str | None:
    """Return which Graph Data Science library the server has, if any."""
    try:
        return str(session.run("RETURN gds.version() AS v").single(strict=True)["v"])
    except ClientError:
        return None


def labels_in(session: neo4j.Session, kind: str, property_: str, keys: Any) -> Labels:
    """Return what stands in a property of the nodes with these keys, `UNPLACED` for nothing."""
    text = f"MATCH (n:{kind}) RETURN collect(n.key) AS key, collect(coalesce(n.{property_}, $none)) AS label"
    row = session.run(text, none=UNPLACED).single(strict=True)
    found = dict(zip(row["key"], row["label"], strict=True))
    return np.array([found[key] for key in keys.to_pylist()])


def unlike(session: neo4j.Session, who: Contestant) -> None:
    """Make what stands in a peer's property unlike anything it will write, so that every label changes."""
    if isinstance(who, Theirs):
        session.run(DROP, graph=GRAPH).consume()  # what an interrupted benchmark has left
        for kind in (AUTHOR, VENUE):
            own = f"n.{who.property}"
            session.run(f"MATCH (n:{kind}) WHERE {own} >= 0 SET {own} = -2 - {own}").consume()
