"""LadybugDB, the embedded database: all that is particular to it."""

from pathlib import Path

from graphmine.errors import StoreError
from graphmine.store.addresses import Address
from graphmine.store.base import Store

__all__ = ["MEMORY", "SCHEMES", "open_store"]

MEMORY = ":memory:"
SCHEMES = ("",)
"""It is named by a path, without a scheme."""


def open_store(address: Address) -> Store:
    """Open the database in a file, or in memory."""
    from graphmine.store.ladybug.store import LadybugStore  # the driver is imported when it is needed

    if address.url != MEMORY and not address.create and not Path(address.url).exists():
        raise StoreError(f"there is no database at {address.url}; `graphmine load` makes one")
    return LadybugStore(address.url, read_only=address.read_only, memory=address.memory)
