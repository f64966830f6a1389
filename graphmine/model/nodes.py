"""The nodes of one kind, in the order of every block's rows or columns."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Ints
from graphmine.errors import DataError

__all__ = ["Nodes"]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of one kind, each named by its key.

    Parameters
    ----------
    kind
        The node type: ``Author``.
    keys
        What names each node to its user, all text or all whole numbers, without nulls or doubles. Any iterable is
        taken and kept as an Arrow array, so that a million names stay small.

    Examples
    --------
    >>> women = Nodes("Woman", ["Evelyn", "Laura"])
    >>> len(women), women[1]
    (2, 'Laura')
    """

    kind: str
    keys: pa.Array

    def __post_init__(self) -> None:
        """Bring the keys to one of two types and refuse what can not name a node."""
        object.__setattr__(self, "keys", _as_keys(self.kind, self.keys))

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, position: int) -> str | int:
        key: str | int = self.keys[position].as_py()
        return key

    def positions(self, keys: pa.Array | pa.ChunkedArray) -> Ints:
        """Return the positions of keys, which must have the same type; -1 for unknown keys and for nulls.

        >>> Nodes("Woman", ["Evelyn", "Laura"]).positions(pa.array(["Laura", "Ruth", None])).tolist()
        [1, -1, -1]
        """
        found = pc.fill_null(pc.index_in(keys, value_set=self.keys), -1)
        return np.asarray(found, dtype=np.int64)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nodes) and self.kind == other.kind and bool(self.keys.equals(other.keys))

    __hash__ = None  # type: ignore[assignment]  # equal by content, and the content is large

    def __repr__(self) -> str:
        return f"Nodes({self.kind!r}, {len(self)} keys)"


def _as_keys(kind: str, keys: Iterable[object]) -> pa.Array:
    try:
        array = keys if isinstance(keys, pa.Array | pa.ChunkedArray) else pa.array(keys)
    except OverflowError as error:
        raise _too_large(kind) from error
    except (ValueError, TypeError) as error:  # Arrow's own are among these
        raise DataError(f"the keys of {kind} must be all text or all whole numbers") from error
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if len(array) == 0 and pa.types.is_null(array.type):
        array = array.cast(pa.string())
    if array.null_count:
        raise DataError(f"{array.null_count} nodes of {kind} have no key")
    if pa.types.is_integer(array.type):
        array = _as_integers(kind, array)
    elif pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        array = array.cast(pa.string())
    else:
        raise DataError(f"the keys of {kind} must be all text or all whole numbers, they are {array.type}")
    double = _double(array)
    if double is not None:
        raise DataError(f"two nodes of {kind} have the same key {double!r}; name a key that is unique")
    return array


def _double(array: pa.Array) -> str | int | None:
    """Return a key that occurs twice. Keys in order, as a pull brings them, are only compared with their neighbours.

    To count distinct keys Arrow builds a table many times as large as the keys.
    """
    if pc.all(pc.less(array[:-1], array[1:])).as_py():
        return None
    ordered = array.take(pc.sort_indices(array))
    at = pc.index(pc.equal(ordered[:-1], ordered[1:]), True).as_py()
    double: str | int | None = None if at < 0 else ordered[at].as_py()
    return double


def _as_integers(kind: str, array: pa.Array) -> pa.Array:
    try:
        return array.cast(pa.int64())
    except pa.ArrowInvalid as error:
        raise _too_large(kind) from error


def _too_large(kind: str) -> DataError:
    return DataError(f"a key of {kind} is too large: whole numbers go up to {2**63 - 1}")
