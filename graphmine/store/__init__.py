"""Where networks live: two real databases behind one small protocol."""

from graphmine.store.base import Reader, Store, Transaction
from graphmine.store.connect import connect, database_url
from graphmine.store.cypher import Raw, query

__all__ = ["Raw", "Reader", "Store", "Transaction", "connect", "database_url", "query"]
