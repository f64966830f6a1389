"""Neo4j, version 5.13 or newer, over Bolt."""

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import neo4j
import pyarrow as pa
from neo4j import exceptions as failures

from graphmine.errors import DataError, ParameterError, StoreError
from graphmine.store.base import Answers, Closing
from graphmine.store.database import Database
from graphmine.store.neo4j.database import NEO4J
from graphmine.store.neo4j.errors import translated
from graphmine.store.neo4j.transaction import Neo4jTransaction
from graphmine.store.tables import Tables, check_key

__all__ = ["Neo4jStore"]

T = TypeVar("T")

# The driver logs what it then raises; who wants to read that can add a handler of their own.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

# Packed records hold thousands of edges each: fetching few at a time keeps memory near what is needed.
_FETCH = 8
_RETRY_SECONDS = 10.0


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

    database: Database = NEO4J
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
            raise translated(url, error) from error

    def reading(self, work: Callable[[Neo4jTransaction], T], /) -> T:
        """Run ``work`` in one reading transaction."""
        return self._run(neo4j.READ_ACCESS, work, self.known())

    def writing(self, work: Callable[[Neo4jTransaction], T], /) -> T:
        """Run ``work`` in one writing transaction, again if the server asks for it."""
        try:
            return self._run(neo4j.WRITE_ACCESS, work, {})
        finally:
            self.forget()

    def _run(self, access: str, work: Callable[[Neo4jTransaction], T], known: Answers) -> T:
        try:
            with self._driver.session(
                database=self._database, default_access_mode=access, fetch_size=_FETCH
            ) as session:
                execute = session.execute_read if access == neo4j.READ_ACCESS else session.execute_write
                return execute(lambda transaction: work(Neo4jTransaction(transaction, self, known)))
        except (failures.DriverError, failures.Neo4jError, OSError) as error:
            raise translated(self.name, error) from error

    def prepare(self, tables: Tables) -> None:
        """Make the keys unique, in transactions of their own as the server demands; it finds nodes quickly by them."""
        for kind in tables.kinds:
            found = self.reading(partial(_keys, kind))
            check_key(found, kind, tables.key(kind))
        for kind in tables.kinds:
            self._make_unique(kind, tables.key(kind))

    def _make_unique(self, kind: str, key: str) -> None:
        names = {"kind": kind, "key": key}
        try:
            self.writing(lambda tx: tx.change("load_constraint", names))
        except StoreError:
            found = self.reading(lambda tx: tx.query("load_doubles", names))
            doubles, first = (found[name][0].as_py() for name in ("doubles", "first"))
            if not doubles:
                raise
            raise DataError(
                f"the database has several {kind} nodes with the {key} {first!r} ({doubles} such values in all); "
                "a key must be unique"
            ) from None

    def close(self) -> None:
        """Let go of the server."""
        self._driver.close()


def _keys(kind: str, tx: Neo4jTransaction) -> pa.Table:
    return tx.query("schema_keys", {"kind": kind})
