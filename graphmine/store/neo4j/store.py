"""Neo4j, version 5.13 or newer, over Bolt."""

import logging
from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import neo4j.time
import numpy as np
import pyarrow as pa
from neo4j import exceptions as failures

from graphmine.errors import DataError, GraphmineError, ParameterError, StoreError
from graphmine.store.base import Closing

__all__ = ["Neo4jStore"]

T = TypeVar("T")

# The driver logs what it then raises; who wants to read that can add a handler of their own.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

# Packed records hold thousands of edges each: fetching few at a time keeps memory near what is needed.
_FETCH = 8
_RETRY_SECONDS = 10.0
_IDS = frozenset({"id", "pair", "source", "target"})
"""Columns of packed records that hold internal ids."""
_PARTS = 2
"""How many transactions read a query that comes in parts: the server answers each by one thread."""


class Neo4jStore(Closing):
    """A network in a Neo4j server.

    Parameters
    ----------
    url
        ``neo4j://``, ``bolt://``, or either with ``+s`` (encrypted) or ``+ssc``.
    username, password
        Who asks. The password is handed to the driver and kept nowhere else.
    database
        Which of the server's databases; its default one if None.
    """

    dialect = "neo4j"
    writers = 2

    def __init__(
        self, url: str, username: str = "neo4j", password: str | None = None, database: str | None = None
    ) -> None:
        self.name = url
        self._database = database
        try:
            self._driver = neo4j.GraphDatabase.driver(
                url,
                auth=None if password is None else (username, password),
                notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
                max_transaction_retry_time=_RETRY_SECONDS,
                connection_timeout=_RETRY_SECONDS,
            )
        except (ValueError, failures.ConfigurationError) as error:
            raise ParameterError(f"{url} is no address of a Neo4j server: {error}") from error
        try:
            with self._driver.session(database=database) as session:
                session.run("RETURN 1").consume()
        except (failures.DriverError, failures.Neo4jError, OSError, ValueError) as error:
            self._driver.close()
            raise _translated(url, error) from error

    def reading(self, work: Callable[["_Transaction"], T], /) -> T:
        """Run ``work`` in one reading transaction."""
        return self._run(neo4j.READ_ACCESS, work)

    def writing(self, work: Callable[["_Transaction"], T], /) -> T:
        """Run ``work`` in one writing transaction, again if the server asks for it."""
        return self._run(neo4j.WRITE_ACCESS, work)

    def _run(self, access: str, work: Callable[["_Transaction"], T]) -> T:
        try:
            with self._driver.session(
                database=self._database, default_access_mode=access, fetch_size=_FETCH
            ) as session:
                execute = session.execute_read if access == neo4j.READ_ACCESS else session.execute_write
                return execute(lambda transaction: work(_Transaction(transaction, self)))
        except (failures.DriverError, failures.Neo4jError, OSError) as error:
            raise _translated(self.name, error) from error

    def close(self) -> None:
        """Let go of the server."""
        self._driver.close()


class _Transaction:
    def __init__(self, transaction: neo4j.ManagedTransaction, store: Neo4jStore) -> None:
        self._transaction, self._store = transaction, store

    def _send(self, query: str, params: dict[str, object]) -> neo4j.Result:
        # Only texts from queries/ and files the user names come here; values are parameters.
        return self._transaction.run(query, params)

    def read(self, query: str, /, **params: object) -> pa.Table:
        """Return the rows a query gives; the parallel lists of a query marked ``// packed`` are laid end to end.

        A number beside such lists stands for a list of itself.
        One marked ``// packed in parts`` takes the parameters ``part`` and ``parts`` and is read by several
        transactions at the same time. One alone would see no more than they do of what others commit meanwhile.
        """
        if not query.startswith("// packed in parts"):
            return self._whole(query, params)
        with ThreadPoolExecutor(_PARTS - 1) as pool:
            others = [pool.submit(self._beside, query, params | {"part": i, "parts": _PARTS}) for i in range(1, _PARTS)]
            own = self._whole(query, params | {"part": 0, "parts": _PARTS})
            return _end_to_end([own, *(other.result() for other in others)])

    def _beside(self, query: str, params: dict[str, object]) -> pa.Table:
        return self._store.reading(lambda tx: tx._whole(query, params))

    def _whole(self, query: str, params: dict[str, object]) -> pa.Table:
        result = self._send(query, params)
        names = list(result.keys())
        if query.startswith("// packed"):
            chunks = [_unpacked(names, record) for record in result]
        else:
            columns = [list(column) for column in zip(*result, strict=True)] or [[] for _ in names]
            chunks = [[_array(name, column) for name, column in zip(names, columns, strict=True)]]
        return pa.table({name: _joined(name, (chunk[i] for chunk in chunks)) for i, name in enumerate(names)})

    def write(self, query: str, rows: pa.Table | None = None, /, **params: object) -> int:
        """Run a query with each column of ``rows`` as a list parameter; return the number it returns, 0 if none."""
        if rows is not None:
            if not rows.num_rows:
                return 0
            params |= {name: rows[name].to_pylist() for name in rows.column_names}
        record = self._send(query, params).single(strict=False)
        return record[0] if record is not None and isinstance(record[0], int) else 0


def _unpacked(names: Sequence[str], record: neo4j.Record) -> list[pa.Array]:
    length = max((len(column) for column in record if not isinstance(column, int)), default=1)
    return [
        pa.repeat(column, length) if isinstance(column, int) else _packed(name, column)
        for name, column in zip(names, record, strict=True)
    ]


def _packed(name: str, column: Iterable[Any]) -> pa.Array:
    if name in _IDS:  # these are most of a pull, and Arrow takes twice as long to find out what they are
        with suppress(TypeError):
            return pa.array(np.frombuffer(array("q", column), dtype=np.int64))
    return _array(name, column)


def _array(name: str, column: Iterable[Any]) -> pa.Array:
    values = list(column)
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        types = {type(value) for value in values if value is not None}
    if types == {int, float}:
        return pa.array([None if value is None else float(value) for value in values])
    if len(types) > 1:
        raise DataError(f"the values of {name} are of different types, and they must be of one")
    if types <= {neo4j.time.Date, neo4j.time.DateTime}:
        return pa.array([None if value is None else value.to_native() for value in values])
    return pa.array([None if value is None else str(value) for value in values])


def _end_to_end(tables: Sequence[pa.Table]) -> pa.Table:
    """Lay tables of the same columns end to end; a part without rows does not know their types."""
    names = tables[0].column_names
    return pa.table({name: _joined(name, (chunk for each in tables for chunk in each[name].chunks)) for name in names})


def _joined(name: str, chunks: Iterable[pa.Array]) -> pa.ChunkedArray:
    arrays = [chunk for chunk in chunks if len(chunk)]
    types = {chunk.type for chunk in arrays if not pa.types.is_null(chunk.type)}
    for whole, any_number in ((pa.int64(), pa.float64()), (pa.list_(pa.int64()), pa.list_(pa.float64()))):
        if types == {whole, any_number}:
            types = {any_number}
    if len(types) > 1:
        raise DataError(f"the values of {name} are of different types, and they must be of one")
    kind = types.pop() if types else pa.null()
    return pa.chunked_array([chunk.cast(kind) for chunk in arrays], type=kind)


def _translated(url: str, error: Exception) -> GraphmineError:
    """Turn what the driver raises into one of our sentences."""
    match error:
        case failures.AuthError():
            return StoreError(f"{url} refused the login; check NEO4J_USERNAME and NEO4J_PASSWORD")
        case failures.ServiceUnavailable() | failures.SessionExpired() | OSError():
            return StoreError(f"no Neo4j server answers at {url}, or it went away; is it running?")
        case failures.ConfigurationError() | ValueError():
            return ParameterError(f"{url} is no address of a Neo4j server: {error}")
        case failures.Neo4jError() if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            return StoreError(f"{url} has no such database; check NEO4J_DATABASE")
        case failures.Neo4jError() if error.code == "Neo.ClientError.Statement.AccessMode":
            return StoreError(f"the query would write, and {url} was asked to read only")
        case failures.Neo4jError() if "MemoryPool" in (error.code or "") or "OutOfMemory" in (error.code or ""):
            return StoreError(
                f"{url} has not enough memory for so large a transaction, and nothing was changed; raise "
                "dbms.memory.transaction.total.max, or load the data in parts"
            )
        case failures.Neo4jError():
            return StoreError(f"{url}: {' '.join((error.message or str(error)).split())}")
        case _:
            return StoreError(f"{url}: {' '.join(str(error).split())}")
