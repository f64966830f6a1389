"""A database as somebody else would add it: a package that registers itself, with no line anywhere else.

It keeps its data in LadybugDB, but has a dialect of its own: names stand in ⟦double brackets⟧ as hexadecimal digits,
relationships come as two columns, and only a few rows go into a statement.
"""

from graphmine.store.addresses import Address, register
from graphmine.store.base import Store

SCHEMES = ("sample",)


def open_store(address: Address) -> Store:
    """Open ``sample://PATH``, or ``sample://:memory:``."""
    from tests.store.sample.store import SampleStore

    return SampleStore(address)


register(open_store, *SCHEMES)
