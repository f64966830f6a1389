"""What a database must be able to do: run named queries inside a transaction, and the few things that differ in kind.

Queries are asked for by name; `graphmine.store.database.Database` finds their texts and fills in the names. Rows travel
as Arrow tables, so that a million of them never become a million Python objects here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Protocol, Self, TypeVar

import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.store.cypher import Raw
from graphmine.store.database import Database
from graphmine.store.link_ids import LinkIds
from graphmine.store.tables import Tables

__all__ = ["NO_NAMES", "Answers", "Closing", "NamedQueries", "Names", "Reader", "Store", "Transaction"]

T = TypeVar("T")
Names = Mapping[str, str | Sequence[str]]
"""What is filled in for the ``@names`` of a query."""
NO_NAMES: Names = {}
Answers = dict[str, pa.Table]
"""What a database answered, by the texts it was asked."""

_ASKED_ONCE = frozenset({
    "count_in", "count_links", "count_nodes", "count_out", "pull_last", "run_list", "schema_has_property",
    "schema_keys", "schema_link_has_property", "schema_link_properties", "schema_names", "schema_properties",
})  # fmt: skip
"""The queries that a snapshot answers: what there is by name, how much of it, and the runs on record."""


class Reader(Protocol):
    """An open reading transaction."""

    database: Database
    """What is particular to the database."""

    def query(self, name: str, names: Names = NO_NAMES, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows that a query file gives, one column a returned name, flat.

        Parameters
        ----------
        name
            The query file, without its ending. One without a statement gives nothing.
        names
            What to fill in for its ``@names``.
        rows
            What the query looks up, if it takes rows; handed over as by `Transaction.change`.
        values
            Its parameters.
        """

    def read(self, text: str, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows that a text of Cypher gives: a user's own query, or a question that has been filled in."""

    def node_ids(self, kind: str, where: Raw, values: Mapping[str, object]) -> Ints:
        """Return the internal ids of the nodes of a kind that pass a test, ascending."""

    def link_ids(self, source: str, type_: str, target: str, weight: str | None) -> LinkIds:
        """Return the relationships of a type from one kind to another; a weight that is missing is not a number.

        Ends of other kinds may be among them.
        """

    def counts(self, questions: Sequence[tuple[str, Names]]) -> list[int]:
        """Return the number that each of some query files gives, all asked in one statement.

        Parameters
        ----------
        questions
            Query files and what to fill in for their ``@names``. Each ends in ``RETURN n``, and gives one row.
        """

    def around(self, name: str, names: Names, ids: Ints) -> pa.Table:
        """Return what a query finds around the nodes with some internal ids, which ascend."""


class Transaction(Reader, Protocol):
    """An open writing transaction: all of it happens, or none."""

    def change(self, name: str, names: Names = NO_NAMES, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a query file over rows and return the number it returns, 0 if none.

        In Neo4j each column of ``rows`` is a list parameter of the column's name; in LadybugDB the query begins with
        ``LOAD FROM $rows`` or ``COPY … FROM $rows``.
        """

    def write(self, text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a text of Cypher, as `change` does a query file."""

    def make_tables(self, tables: Tables) -> None:
        """Make what nodes and relationships must have before they can be created, where it is missing."""

    def create_nodes(self, kind: str, rows: pa.Table) -> int:
        """Create nodes, a row each with all their properties."""

    def create_links(self, source: tuple[str, str], type_: str, target: tuple[str, str], rows: pa.Table) -> int:
        """Create relationships between nodes of two kinds, each given with its key.

        The first two columns of the rows, ``source`` and ``target``, are the keys of the ends; others are properties.
        """


class Store(Protocol):
    """A database: `reading` and `writing` run a piece of work in one transaction.

    ``work`` may be called again after a passing failure (a deadlock, a change of leader), so it must not have effects
    outside its transaction.
    """

    database: Database
    """What is particular to the database."""
    writers: int
    """How many transactions may write at the same time."""
    name: str
    """How to name it to a person; never holds a password."""

    def reading(self, work: Callable[[Reader], T], /) -> T:
        """Run ``work`` in one reading transaction; a query that writes is refused."""

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        """Run ``work`` in one writing transaction."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Ask only once, inside the block, what the database holds by name, how much of it, and which runs.

        A writing transaction asks for itself, and after it everything is asked anew. What must not be older than a
        reading transaction is asked by `Reader.read`.
        """

    def prepare(self, tables: Tables) -> None:
        """Make what must be there before a load, and can not be made in its transaction."""

    def rest(self) -> None:
        """Give back memory between two transactions of long work, where the database is in this process."""

    def close(self) -> None:
        """Let go of the database."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class NamedQueries(ABC):
    """A transaction that answers named queries by sending their texts.

    With `answers` it does not ask twice what a snapshot remembers; `write` is to `forget` them.
    """

    database: Database
    answers: Answers | None = None
    """What has been asked already; None where nothing is remembered."""

    @abstractmethod
    def read(self, text: str, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows that a text of Cypher gives."""

    @abstractmethod
    def write(self, text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a text of Cypher over rows and return the number it returns, 0 if none."""

    def query(self, name: str, names: Names = NO_NAMES, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows that a query file gives."""
        text = self.database.text(name, names)
        if not text:
            return pa.table({})
        if self.answers is None or name not in _ASKED_ONCE:
            return self.read(text, rows, **values)
        if text not in self.answers:
            self.answers[text] = self.read(text)
        return self.answers[text]

    def counts(self, questions: Sequence[tuple[str, Names]]) -> list[int]:
        """Return the number that each of some query files gives, all that are not known yet in one statement."""
        texts = [self.database.text(name, names) for name, names in questions]
        known = {} if self.answers is None else self.answers
        asked = [text for text in dict.fromkeys(texts) if text not in known]
        found = {text: known[text] for text in texts if text in known} | self._numbers(asked)
        known |= {text: found[text] for (name, _), text in zip(questions, texts, strict=True) if name in _ASKED_ONCE}
        return [found[text]["n"][0].as_py() for text in texts]

    def _numbers(self, texts: Sequence[str]) -> Answers:
        """Return what each text gives that ends in ``RETURN n``; rows of a union come in any order."""
        if not texts:
            return {}
        parts = [f"{text}, {place} AS place" for place, text in enumerate(texts)]
        rows = self.read("\nUNION ALL\n".join(parts))
        places = rows["place"].to_pylist()  # a table made of Python lists would make Arrow import pandas
        return {texts[place]: rows.slice(at, 1).select(["n"]) for at, place in enumerate(places)}

    def change(self, name: str, names: Names = NO_NAMES, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a query file over rows and return the number it returns, 0 if none."""
        text = self.database.text(name, names)
        return self.write(text, rows, **values) if text else 0

    def forget(self) -> None:
        """Let everything be asked anew, as something changes."""
        if self.answers is not None:
            self.answers.clear()


class Closing(ABC):
    """A store that is closed at the end of a ``with`` block, and may keep a snapshot."""

    answers: Answers | None = None
    """The snapshot that reading transactions are answered from, if there is one."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Ask only once, inside the block, what the database holds; a snapshot inside another is part of it."""
        if self.answers is not None:
            yield
            return
        self.answers = {}
        try:
            yield
        finally:
            self.answers = None

    def known(self) -> Answers:
        """Return what a reading transaction need not ask."""
        return {} if self.answers is None else self.answers

    def forget(self) -> None:
        """Let everything be asked anew, as something has changed."""
        self.known().clear()

    def prepare(self, tables: Tables) -> None:  # noqa: B027  # most databases make all they need in a transaction
        """Make what must be there before a load, and can not be made in its transaction."""

    def rest(self) -> None:  # noqa: B027  # nothing is the right thing to do for a server
        """Give back memory between two transactions of long work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()
