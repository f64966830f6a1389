"""The measurements on LadybugDB, in a file that is made for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ladybug
import numpy as np
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from benchmarks.measure import Comparison, compare, race
from benchmarks.memory import Growth, growth_of
from benchmarks.networks import AT, AUTHOR, CONFERENCE, IN, NEAR, PAPER, VENUE, WRITER, WROTE, Edges, Sizes
from graphmine.exchange.pull import pull
from graphmine.store import connect

__all__ = ["make", "memory", "path", "pulls"]

NAME = "LadybugDB"
EDGES = f"MATCH (a:{AUTHOR})-[:{AT}]->(b:{VENUE}) RETURN offset(id(a)), offset(id(b))"
WEIGHTS = f"MATCH (a:{AUTHOR})-[r:{AT}]->(b:{VENUE}) RETURN offset(id(a)), offset(id(b)), r.w"
PATHS = f"""MATCH (a:{WRITER})-[:{WROTE}]->(:{PAPER})-[:{IN}]->(c:{CONFERENCE})
RETURN offset(id(a)), offset(id(c)), count(*)"""
TOUCH = f"""MATCH (a:{AUTHOR})-[r:{AT}]->(b:{VENUE})
RETURN sum(offset(id(a)) + offset(id(b))), sum(size(a.key) + size(b.key)), sum(r.w)"""


def make(folder: Path, sizes: Sizes) -> str:
    """Write the network into a new file; its path."""
    file = str(folder / "bench.lbug")
    edges = sizes.edges()
    with ladybug.Database(file) as database, ladybug.Connection(database) as connection:
        for kind in dict.fromkeys(kind for each in edges for kind in (each.source, each.target)):
            connection.execute(f"CREATE NODE TABLE {kind}(key STRING PRIMARY KEY)")
            connection.execute(f"COPY {kind} FROM $rows", {"rows": pa.table({"key": sizes.keys(kind)})})
        for each in edges:
            connection.execute(f"CREATE REL TABLE {each.type}(FROM {each.source} TO {each.target}, w DOUBLE)")
            connection.execute(f"COPY {each.type} FROM $rows", {"rows": _by_key(sizes, each)})
    return file


def pulls(file: str, sizes: Sizes, repeats: int) -> Iterator[Comparison]:
    """A relation, against the raw read of its pairs."""
    with connect(file, read_only=True) as store, _raw(file) as read:
        expected = len(sizes.bipartite().rows)
        found = pull(store, [f"{AUTHOR}-{AT}->{VENUE}"]).arms[0].nnz
        assert found == expected, f"{found} pairs were pulled, and {expected} are there"
        times = race(
            {
                "ours": lambda: pull(store, [f"{AUTHOR}-{AT}->{VENUE}"]),
                "raw": lambda: read(EDGES),
                "weighted": lambda: pull(store, [f"{AUTHOR}-{AT}{{w}}->{VENUE}"]),
                "raw weighted": lambda: read(WEIGHTS),
            },
            repeats,
        )
    size = f"{sizes.relationships:,} relationships"
    yield compare(
        times, "ours", "raw", database=NAME, what=f"pull {size}", peer="raw Arrow read of the pairs", most=2.0
    )
    yield compare(
        times, "weighted", "raw weighted", database=NAME, most=2.0,
        what=f"pull {size} with a weight", peer="raw Arrow read of pairs and weights",
    )  # fmt: skip


def path(file: str, sizes: Sizes, repeats: int) -> Iterator[Comparison]:
    """A path relation, against adding up in the database."""
    nodes = sizes.nodes
    shape = (nodes[WRITER], nodes[CONFERENCE])

    def aggregate() -> csr_array:
        rows, cols, counts = (np.asarray(column) for column in read(PATHS).columns)
        return csr_array(coo_array((counts.astype(np.float64), (rows, cols)), shape=shape))

    relation = f"{WRITER}-{WROTE}->{PAPER}-{IN}->{CONFERENCE}"
    with connect(file, read_only=True) as store, _raw(file) as read:
        ours, theirs = pull(store, [relation]).arms[0].nnz, aggregate().nnz
        assert ours == theirs, f"{ours} pairs were pulled, and {theirs} are there"
        times = race({"ours": lambda: pull(store, [relation]), "theirs": aggregate}, repeats)
    yield compare(
        times, "ours", "theirs", database=NAME, most=0.5,
        what=f"pull a path over {sizes.relationships:,} relationships", peer="counted in Cypher, read as Arrow",
    )  # fmt: skip


def memory(file: str, sizes: Sizes) -> Iterator[Comparison]:
    """How far the process grows for a pull, with the database's pages read before and not.

    The database lives in the process, and keeps what it has read in a pool of its own. What counts is the growth that
    the pull itself causes once the pages are there; the other is shown beside it.
    """
    relation, tiny = f"{AUTHOR}-{AT}->{VENUE}", f"{VENUE}-{NEAR}->{CONFERENCE}"
    size = f"{sizes.relationships:,} relationships"
    warm = growth_of(file, relation, tiny, first=TOUCH)
    yield _growth(f"peak memory of a pull of {size}, pages in the pool", warm, most=6.0)
    yield _growth(
        f"the same, pages not yet read ({warm.first / 1e6:.0f} MB is the pool's)", growth_of(file, relation, tiny)
    )


def _growth(what: str, growth: Growth, most: float | None = None) -> Comparison:
    return Comparison(NAME, what, "bytes of the CSR block", growth.pull / 1e6, growth.block / 1e6, most, "MB")


class _Raw:
    def __init__(self, connection: ladybug.Connection) -> None:
        self._connection = connection

    def __call__(self, query: str) -> pa.Table:
        result = self._connection.execute(query)
        assert not isinstance(result, list)
        return result.get_as_arrow()


@contextmanager
def _raw(file: str) -> Iterator[_Raw]:
    with ladybug.Database(file, read_only=True) as database, ladybug.Connection(database) as connection:
        yield _Raw(connection)


def _by_key(sizes: Sizes, edges: Edges) -> pa.Table:
    sources, targets = sizes.keys(edges.source), sizes.keys(edges.target)
    return pa.table({
        "from": sources.take(pa.array(edges.rows)),
        "to": targets.take(pa.array(edges.cols)),
        "w": edges.weights,
    })
