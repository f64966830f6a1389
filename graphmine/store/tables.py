"""The tables that a network needs in a database, and whether they fit those that exist."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from graphmine.errors import DataError

__all__ = ["Tables", "check_key"]


@dataclass(frozen=True)
class Tables:
    """The kinds and relationship types of a network, with their properties.

    Parameters
    ----------
    kinds
        The properties of each kind, its key first.
    links
        The properties of the relationships of each type between two kinds, by source, type and target.
    """

    kinds: Mapping[str, pa.Schema]
    links: Mapping[tuple[str, str, str], pa.Schema]

    def key(self, kind: str) -> str:
        """Return the key of a kind."""
        name: str = self.kinds[kind].names[0]
        return name


def check_key(found: pa.Table, kind: str, key: str) -> None:
    """Refuse a kind whose key in the database, as ``schema_keys`` found it, is another property."""
    keys = [row["key"] for row in found.to_pylist() if row["kind"] == kind and row["key"] is not None]
    if keys and key not in keys:
        raise DataError(f"the key of {kind} is {keys[0]!r} in the database, but {key!r} in the data")
