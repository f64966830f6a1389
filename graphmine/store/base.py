"""What a database must be able to do: run a reading or a writing query inside a transaction, and nothing else.

Queries are texts from ``queries/`` with their names filled in by `graphmine.store.cypher.query`; values are always
parameters. Rows travel as Arrow tables, so that a million of them never become a million Python objects here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self, TypeVar

import pyarrow as pa

__all__ = ["Closing", "Reader", "Store", "Transaction"]

T = TypeVar("T")


class Reader(Protocol):
    """An open reading transaction."""

    def read(self, query: str, /, **params: object) -> pa.Table:
        """Return the rows a query gives, one column a returned name, flat."""


class Transaction(Reader, Protocol):
    """An open writing transaction: all of it happens, or none."""

    def write(self, query: str, rows: pa.Table | None = None, /, **params: object) -> int:
        """Run a query over rows and return the number it returns, 0 if none.

        In Neo4j each column of ``rows`` is a list parameter of the column's name; in LadybugDB the query begins with
        ``LOAD FROM $rows`` or ``COPY … FROM $rows``.
        """


class Store(Protocol):
    """A database: `reading` and `writing` run a piece of work in one transaction.

    ``work`` may be called again after a passing failure (a deadlock, a change of leader), so it must not have effects
    outside its transaction.
    """

    dialect: str
    """Which folder of ``queries/`` speaks to it: ``neo4j`` or ``ladybug``."""
    writers: int
    """How many transactions may write at the same time."""
    name: str
    """How to name it to a person; never holds a password."""

    def reading(self, work: Callable[[Reader], T], /) -> T:
        """Run ``work`` in one reading transaction; a query that writes is refused."""

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        """Run ``work`` in one writing transaction."""

    def rest(self) -> None:
        """Give back memory between two transactions of long work, where the database is in this process."""

    def close(self) -> None:
        """Let go of the database."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class Closing(ABC):
    """A store that is closed at the end of a ``with`` block."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    def rest(self) -> None:  # noqa: B027  # nothing is the right thing to do for a server
        """Give back memory between two transactions of long work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()
