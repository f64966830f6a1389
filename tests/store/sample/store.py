"""The sample database: a store and a transaction."""

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.store.addresses import Address
from graphmine.store.base import Closing, NamedQueries, Names, Reader, Transaction
from graphmine.store.cypher import Raw
from graphmine.store.database import Database
from graphmine.store.ladybug.store import LadybugStore
from graphmine.store.ladybug.tables import make_tables
from graphmine.store.link_ids import LinkIds, as_ids, id_parts
from graphmine.store.tables import Tables
from tests.store.sample.database import Sample, translated

T = TypeVar("T")


class SampleStore(Closing):
    """A store that keeps every text it is sent."""

    database: Database = Sample()
    writers = 1

    def __init__(self, address: Address) -> None:
        self.name, self.sent = address.url, list[str]()
        path = address.url.removeprefix("sample://")
        self._inner = LadybugStore(path, read_only=address.read_only, memory=address.memory)

    def reading(self, work: Callable[["SampleTransaction"], T], /) -> T:
        return self._inner.reading(lambda tx: work(SampleTransaction(self, tx)))

    def writing(self, work: Callable[["SampleTransaction"], T], /) -> T:
        return self._inner.writing(lambda tx: work(SampleTransaction(self, tx)))

    def close(self) -> None:
        self._inner.close()


class SampleTransaction(NamedQueries):
    """A transaction inside one of the database behind the sample."""

    def __init__(self, store: SampleStore, inner: Reader) -> None:
        self.database, self._sent, self._inner = store.database, store.sent, inner

    def read(self, text: str, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        self._sent.append(text)
        return self._inner.read(translated(text), rows, **values)

    def write(self, text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        self._sent.append(text)
        inner: Transaction = self._inner  # type: ignore[assignment]
        return inner.write(translated(text), rows, **values)

    def node_ids(self, kind: str, where: Raw, values: Mapping[str, object]) -> Ints:
        return np.sort(as_ids(self.query("pull_ids", {"kind": kind, "where": where}, **values)["id"]))

    def link_ids(self, source: str, type_: str, target: str, weight: str | None) -> LinkIds:
        names = {"source": source, "type": type_, "target": target}
        if weight is None:
            table = self.query("sample_links", names)
        else:
            table = self.query("sample_weights", names | {"weight": weight}, missing=math.nan)
        ends = id_parts(table["source"]), id_parts(table["target"])
        return LinkIds(*ends, len(table), None if weight is None else table["weight"])

    def around(self, name: str, names: Names, ids: Ints) -> pa.Table:
        return pa.concat_tables(self.query(name, names, first=each, last=each) for each in ids.tolist())

    def make_tables(self, tables: Tables) -> None:
        make_tables(self, tables)

    def create_nodes(self, kind: str, rows: pa.Table) -> int:
        return self.change("load_create_nodes", {"kind": kind, "columns": rows.column_names}, rows)

    def create_links(self, source: tuple[str, str], type_: str, target: tuple[str, str], rows: pa.Table) -> int:
        names: Names = {"source": source[0], "type": type_, "target": target[0], "columns": rows.column_names[2:]}
        return self.change("load_create_links", names, rows)
