"""Where networks live: several databases behind one small protocol, a package each."""

from graphmine.store.base import NO_NAMES, Names, Reader, Store, Transaction
from graphmine.store.connect import connect, database_url
from graphmine.store.cypher import Raw
from graphmine.store.database import Database
from graphmine.store.tables import Tables

__all__ = [
    "NO_NAMES", "Database", "Names", "Raw", "Reader", "Store", "Tables", "Transaction", "connect", "database_url",
]  # fmt: skip
