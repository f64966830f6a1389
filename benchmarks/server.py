"""The measurements on Neo4j, on nodes that are made for them and removed afterwards."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Self
from unittest.mock import patch

import neo4j
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

import graphmine.exchange.push as push_module
from benchmarks.measure import Comparison, Times, Work, compare, race, race_prepared
from benchmarks.memory import growth_of
from benchmarks.networks import (
    AT,
    AUTHOR,
    CONFERENCE,
    IN,
    KINDS,
    NEAR,
    PAPER,
    PERSON,
    VENUE,
    WRITER,
    WROTE,
    Edges,
    Network,
    Sizes,
    keys_of,
)  # fmt: skip
from graphmine.arrays import AnyArray, Ints
from graphmine.exchange.journal import ABSENT, FOREIGN
from graphmine.exchange.property_changes import apply
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push
from graphmine.exchange.runs import Run
from graphmine.model import Clustering, Nodes, Relation, Star
from graphmine.store import Store, connect
from graphmine.store.neo4j.database import NEO4J

__all__ = ["AREA", "Refused", "Server", "labels", "memory", "network", "path", "pulls"]

NAME = "Neo4j"
BATCH = 50_000
PAIRS = 10_000
CLUSTERS = 7
WARM_UP = 3  # rounds of labels before they count: until then the server still compiles both queries
SCANNED = "labelled scan in the server that adds up a weight"
LABEL, AREA, METHOD = "bench_label", "bench_area", "benchmark"

EDGES = f"MATCH (a:{AUTHOR})-[:{AT}]->(b:{VENUE}) RETURN id(a) AS a, id(b) AS b"
WEIGHTS = f"MATCH (a:{AUTHOR})-[r:{AT}]->(b:{VENUE}) RETURN id(a) AS a, id(b) AS b, r.w AS w"
SCAN = f"MATCH (a:{AUTHOR})-[r:{AT}]->(b:{VENUE}) RETURN sum(r.w)"
PATHS = f"""MATCH (a:{WRITER})-[:{WROTE}]->(:{PAPER})-[:{IN}]->(c:{CONFERENCE})
RETURN id(a) AS a, id(c) AS c, count(*) AS n"""
PACKED_PATHS = f"""MATCH (a:{WRITER})-[:{WROTE}]->(:{PAPER})-[:{IN}]->(c:{CONFERENCE})
WITH id(a) AS a, id(c) AS c, count(*) AS n
RETURN collect(a) AS a, collect(c) AS c, collect(n) AS n, a / 500 AS part"""
SET_PAIRS = f"UNWIND $pairs AS p MATCH (n) WHERE id(n) = p[0] SET n.{LABEL} = p[1]"


class Refused(Exception):  # noqa: N818 - it is a sentence for the user, not a class of errors
    """Why there is nothing to measure here, as one sentence."""


@dataclass(frozen=True)
class Server:
    """Where a Neo4j is, and the environment that says how to log in."""

    url: str
    environ: Mapping[str, str]

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self | None:
        """Return the user's server (NEO4J_URI), else the one for tests (GRAPHMINE_TEST_NEO4J_URI), else None."""
        for prefix in ("NEO4J_", "GRAPHMINE_TEST_NEO4J_"):
            if url := environ.get(f"{prefix}URI"):
                names = ("USERNAME", "PASSWORD", "DATABASE")
                return cls(url, {f"NEO4J_{n}": environ[f"{prefix}{n}"] for n in names if f"{prefix}{n}" in environ})
        return None

    def store(self) -> Store:
        """Open it as graphmine does."""
        return connect(self.url, environ=self.environ)

    @contextmanager
    def session(self) -> Iterator[neo4j.Session]:
        """Open it as anybody does."""
        password = self.environ.get("NEO4J_PASSWORD")
        auth = None if password is None else (self.environ.get("NEO4J_USERNAME", "neo4j"), password)
        off = neo4j.NotificationMinimumSeverity.OFF
        with (
            neo4j.GraphDatabase.driver(self.url, auth=auth, notifications_min_severity=off) as driver,
            driver.session(database=self.environ.get("NEO4J_DATABASE")) as session,
        ):
            yield session

    def version(self) -> str:
        """Return which Neo4j it is."""
        with self.session() as session:
            row = session.run(
                "CALL dbms.components() YIELD versions, edition RETURN versions[0] AS v, edition"
            ).single()
            return f"{row['v']} {row['edition']}" if row else "unknown"


@contextmanager
def network(server: Server, sizes: Network) -> Iterator[Server]:
    """Write the network into the server, and take it out again at the end."""
    with server.session() as session:
        _refuse_foreign(session)
        _remove(session)  # what an interrupted benchmark has left
        try:
            ids = {kind: _create_nodes(session, kind, sizes.keys(kind)) for kind in sizes.nodes}
            for edges in sizes.edges():
                _create_edges(session, edges, ids)
            session.run("CALL db.awaitIndexes(600)").consume()
            yield server
        finally:
            _remove(session)


def pulls(server: Server, sizes: Sizes, repeats: int) -> Iterator[Comparison]:
    """A relation, against a scan inside the server and against one record a relationship."""
    plain, weighted = f"{AUTHOR}-{AT}->{VENUE}", f"{AUTHOR}-{AT}{{w}}->{VENUE}"
    with server.store() as store, server.session() as session:
        ours, theirs = pull(store, [weighted]).arms[0], _by_record(session, WEIGHTS)
        assert ours.nnz == theirs.nnz == sizes.relationships, f"{ours.nnz} and {theirs.nnz} pairs were read"
        assert np.isclose(ours.block.sum(), theirs.sum()), "the weights do not add up to the same"
        times = race(
            {
                "plain": lambda: pull(store, [plain]),
                "scan": lambda: session.run(SCAN).single(),
                "weighted": lambda: pull(store, [weighted]),
                "records": lambda: _by_record(session, EDGES),
                "weighted records": lambda: _by_record(session, WEIGHTS),
            },
            repeats,
        )
    what = f"pull {sizes.relationships:,} relationships"
    for name, peer, suffix in (("plain", "records", ""), ("weighted", "weighted records", " with a weight")):
        record = f"one record a relationship{suffix}"
        yield compare(times, name, peer, database=NAME, what=what + suffix, peer=record, most=1 / 15)
        yield compare(times, name, "scan", database=NAME, what=what + suffix, peer=SCANNED, most=1.5)


def path(server: Server, sizes: Sizes, repeats: int) -> Iterator[Comparison]:
    """A path relation, against adding up in Cypher."""
    relation = f"{WRITER}-{WROTE}->{PAPER}-{IN}->{CONFERENCE}"
    with server.store() as store, server.session() as session:
        ours = pull(store, [relation]).arms[0].nnz
        for theirs in (_by_record(session, PATHS).nnz, _packed(session, PACKED_PATHS).nnz):
            assert ours == theirs, f"{ours} pairs were pulled, and {theirs} are there"
        times = race(
            {
                "ours": lambda: pull(store, [relation]),
                "packed": lambda: _packed(session, PACKED_PATHS),
                "records": lambda: _by_record(session, PATHS),
            },
            repeats,
        )
    what = f"pull a path over {sizes.relationships:,} relationships"
    yield compare(times, "ours", "records", database=NAME, what=what, peer="counted in Cypher", most=0.5)
    yield compare(times, "ours", "packed", database=NAME, what=what, peer="counted in Cypher, packed lists", most=0.5)


def labels(server: Server, nodes: int, repeats: int) -> Iterator[Comparison]:
    """Labels that change, against pairs of id and label ten thousand at a time."""
    created = keys_of(PERSON, nodes)
    everybody = Nodes(PERSON, created.take(pc.sort_indices(created)))  # the order of a pull
    star = Star.of(Relation(everybody, everybody, csr_array((nodes, nodes))))
    repeats *= 2  # a round is short, and its time wavers more than that of a pull
    writing = _Stopwatch(apply)
    rounds = count()

    def changed() -> Ints:
        """Return labels that are all unlike those of the last few calls."""
        return (np.arange(nodes, dtype=np.int64) + next(rounds)) % CLUSTERS

    with server.store() as store, server.session() as session, patch.object(push_module, "apply", writing):
        ids = _create_nodes(session, PERSON, created)  # the order of the server, where the peer is fastest
        _check_plan(session)

        def ours() -> Work:
            clustering = Clustering({PERSON: changed()})
            return lambda: _all_written(push(store, star, clustering, Run(AREA, method=METHOD)).counts, nodes)

        def theirs() -> Work:
            return partial(_set_pairs, session, ids, changed())

        times = race_prepared({"push": ours, "pairs": theirs}, repeats, warm_up=WARM_UP)
        _remove(session, (PERSON,))
    times = Times({**times.seconds, "writing": writing.seconds[-repeats:]})
    yield compare(
        times, "writing", "pairs", database=NAME, most=0.9,
        what=f"write {nodes:,} changed labels", peer="UNWIND of pairs by 10,000",
    )  # fmt: skip
    yield compare(
        times, "push", "pairs", database=NAME,
        what=f"the whole push of {nodes:,} changed labels", peer="UNWIND of pairs by 10,000",
    )  # fmt: skip


def memory(server: Server, sizes: Sizes) -> Iterator[Comparison]:
    """How far the process grows for a pull."""
    tiny = f"{VENUE}-{NEAR}->{CONFERENCE}"
    for relation, name in ((f"{AUTHOR}-{AT}->{VENUE}", ""), (f"{AUTHOR}-{AT}{{w}}->{VENUE}", " with a weight")):
        found = growth_of(server.url, relation, tiny, environ=server.environ)
        yield Comparison(
            NAME, f"peak memory of a pull of {sizes.relationships:,} relationships{name}", "bytes of the CSR block",
            found.pull / 1e6, found.block / 1e6, 6.0, "MB",
        )  # fmt: skip


def _by_record(session: neo4j.Session, text: str) -> csr_array:
    """Read one record a pair, as most programs do."""
    rows, cols, counts = [], [], []
    for row, col, *number in session.run(text):
        rows.append(row)
        cols.append(col)
        counts.append(number[0] if number else 1)
    return _block(np.array(rows), np.array(cols), np.array(counts))


def _packed(session: neo4j.Session, text: str) -> csr_array:
    """Read lists of pairs."""
    parts = [[np.array(column) for column in record[:3]] for record in session.run(text)]
    rows, cols, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _block(rows, cols, counts)


def _block(rows: Ints, cols: Ints, counts: AnyArray) -> csr_array:
    """Put pairs of internal ids into a block; ids are dense enough here for a table."""
    at_row, at_col = (_positions(ids) for ids in (rows, cols))
    return csr_array(coo_array((counts.astype(np.float64), (at_row, at_col))))


def _positions(ids: Ints) -> NDArray[np.int32]:
    table = np.zeros(ids.max() + 1, dtype=np.int32)
    table[ids] = 1
    return (np.cumsum(table, dtype=np.int32) - 1)[ids]


def _set_pairs(session: neo4j.Session, ids: Ints, new: Ints) -> None:
    pairs = np.column_stack([ids, new]).tolist()
    for offset in range(0, len(pairs), PAIRS):
        session.run(SET_PAIRS, pairs=pairs[offset : offset + PAIRS]).consume()


class _Stopwatch:
    """A function that notes how long each of its calls takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.seconds: list[float] = []
        self._function = function

    def __call__(self, *given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        result = self._function(*given, **named)
        self.seconds.append(time.perf_counter() - start)
        return result


def _all_written(counts: Mapping[str, Mapping[str, int]], nodes: int) -> None:
    written = counts[PERSON]["written"]
    assert written == nodes, f"{written} labels of {nodes} were written"


def _check_plan(session: neo4j.Session) -> None:
    """See to it that labels are written to nodes found by their ids, not by looking at all of them."""
    text = NEO4J.text("push_labels", {"kind": PERSON, "key": "key", "property": LABEL})
    plan = session.run(f"EXPLAIN {text}", id=[], key=[], old=[], new=[], absent=ABSENT, foreign=FOREIGN).consume().plan
    operators = json.dumps(plan, default=str)
    if "NodeByIdSeek" not in operators:
        leaf = re.findall(r'"operatorType": "(Node\w+)', operators)
        raise Refused(f"the server finds the nodes to be labelled by {', '.join(leaf)} and not by NodeByIdSeek")


def _refuse_foreign(session: neo4j.Session) -> None:
    ours = _constraints(session)
    for kind in KINDS:
        found = session.run(f"MATCH (n:{kind}) RETURN count(*) AS n").single(strict=True)["n"]
        if found and _constraint(kind) not in ours:
            raise Refused(f"the server holds {found} nodes of {kind} that no benchmark has made; they are left alone")


def _constraints(session: neo4j.Session) -> list[str]:
    return session.run("SHOW CONSTRAINTS YIELD name RETURN name").value()


def _constraint(kind: str) -> str:
    """Name the key of a kind; the name also says that a benchmark has made it."""
    return f"graphmine_{kind}"


def _create_nodes(session: neo4j.Session, kind: str, keys: pa.Array) -> Ints:
    """Make nodes and their key; their internal ids, in the order of the keys."""
    session.run(f"CREATE CONSTRAINT {_constraint(kind)} FOR (n:{kind}) REQUIRE n.key IS UNIQUE").consume()
    text = f"UNWIND $keys AS key CREATE (n:{kind} {{key: key}}) RETURN collect(id(n)) AS ids"
    ids = [
        session.run(text, keys=keys[offset : offset + BATCH].to_pylist()).single(strict=True)["ids"]
        for offset in range(0, len(keys), BATCH)
    ]
    return np.concatenate(ids).astype(np.int64)


def _create_edges(session: neo4j.Session, edges: Edges, ids: Mapping[str, Ints]) -> None:
    text = f"""UNWIND range(0, size($source) - 1) AS i
    MATCH (a) WHERE id(a) = $source[i]
    MATCH (b) WHERE id(b) = $target[i]
    CREATE (a)-[:{edges.type} {{w: $weight[i]}}]->(b)"""
    source, target, weight = ids[edges.source][edges.rows], ids[edges.target][edges.cols], edges.weights
    for offset in range(0, len(source), BATCH):
        part = slice(offset, offset + BATCH)
        rows = {"source": source[part].tolist(), "target": target[part].tolist(), "weight": weight[part].tolist()}
        session.run(text, rows).consume()


def _remove(session: neo4j.Session, kinds: Sequence[str] = KINDS) -> None:
    """Take away what a benchmark has made: nodes of its kinds, the runs it pushed, last the keys that mark them."""
    runs = session.run(
        "MATCH (r:GraphmineRun) WHERE r.property STARTS WITH $area AND all(kind IN r.kinds WHERE kind IN $kinds) "
        "RETURN r.id",
        area=AREA, kinds=list(KINDS),
    )  # fmt: skip
    for run in runs.value():
        session.run("MATCH (n:GraphmineBatch {run: $run}) DELETE n", run=run).consume()
        session.run("MATCH (n:GraphmineRun {id: $run}) DELETE n", run=run).consume()
    for kind in kinds:
        session.run(f"MATCH (n:{kind}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 10000 ROWS").consume()
        session.run(f"DROP CONSTRAINT {_constraint(kind)} IF EXISTS").consume()
