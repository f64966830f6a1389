"""Constraints kept in files, by the keys of their nodes, so that they outlive a pull."""

import json
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from graphmine.constraints.frames import constraints_from_networkx, constraints_from_pandas
from graphmine.constraints.tables import SCHEMAS, constraints_from_tables, constraints_to_tables, header_of
from graphmine.errors import DataError, ParameterError
from graphmine.model import Constraints, Nodes

__all__ = ["constraints_from_networkx", "constraints_from_pandas", "load_constraints", "save_constraints"]

_FORMAT = "graphmine constraints 1"
_UNREADABLE = (KeyError, IndexError, TypeError, ValueError, AttributeError, pa.ArrowException)


def save_constraints(constraints: Constraints, nodes: Mapping[str, Nodes], path: str | Path) -> None:
    """Write constraints to a ``.parquet`` or ``.json`` file, with the keys of the nodes in place of their positions.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from graphmine.model import Links
    >>> then, now = Nodes("Author", ["Ann", "Bob", "Cem"]), Nodes("Author", ["Aki", "Ann", "Cem"])
    >>> friends = Constraints({"Author": Links.of_pairs([[0, 2]], rule=0)}, rules=("friends",))
    >>> with TemporaryDirectory() as folder:
    ...     save_constraints(friends, {"Author": then}, Path(folder, "friends.json"))
    ...     found = load_constraints(Path(folder, "friends.json"), {"Author": now})
    >>> found.rules, found.within["Author"].left.tolist(), found.within["Author"].right.tolist()
    (('friends',), [1], [2])
    """
    path = Path(path)
    write = _write_parquet if _suffix(path) == ".parquet" else _write_json
    tables, header = constraints_to_tables(constraints, nodes), {"format": _FORMAT, **header_of(constraints)}
    half = path.with_name(f".{path.name}.{os.getpid()}")  # so that a file that was there is never left half written
    try:
        write(tables, header, half)
        half.replace(path)
    except OSError as error:
        raise DataError(f"{path} can not be written: {error.strerror or error}") from None
    finally:
        half.unlink(missing_ok=True)


def load_constraints(path: str | Path, nodes: Mapping[str, Nodes]) -> Constraints:
    """Read constraints that `save_constraints` wrote, for the nodes that there are now.

    Nodes that are gone are left out of groups, and links that have no pair left are dropped, with a warning; that
    nothing is left at all is an error.
    """
    path = Path(path)
    read = _read_parquet if _suffix(path) == ".parquet" else _read_json
    try:
        header, tables = read(path)
        if header.get("format") != _FORMAT:
            raise ValueError("it was not written by graphmine")
        found, gone = constraints_from_tables(tables, header, nodes)
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror or error}") from None
    except _UNREADABLE as error:
        raise DataError(f"{path} does not hold constraints that can be read: {_reason(error)}") from None
    if gone.nodes:
        lost = f"{len(gone.nodes)} of the nodes in {path} are not among the {', '.join(nodes) or 'no'} nodes here"
        if not found:
            raise DataError(f"{lost}, and nothing is left of its constraints")
        warnings.warn(f"{lost}, so {gone.links} of {len(tables['links'])} links were dropped", stacklevel=2)
    return found


def _reason(error: Exception) -> str:
    said = str(error).partition("\n")[0]
    return f"it has no {said}" if isinstance(error, KeyError) else said or type(error).__name__


def _suffix(path: Path) -> str:
    if path.suffix not in (".parquet", ".json"):
        raise ParameterError(f"constraints are kept in .parquet or .json files, not in {str(path)!r}")
    return path.suffix


def _write_parquet(tables: Mapping[str, pa.Table], header: Mapping[str, Any], path: Path) -> None:
    """Write the tables as one, each row with the name of its table."""
    named = [each.append_column("table", pa.repeat(name, len(each))) for name, each in tables.items()]
    table = pa.concat_tables(named, promote_options="default")
    parquet.write_table(table.replace_schema_metadata({"graphmine": json.dumps(header)}), path)


def _read_parquet(path: Path) -> tuple[dict[str, Any], dict[str, pa.Table]]:
    table = parquet.ParquetFile(path).read()
    header = json.loads((table.schema.metadata or {}).get(b"graphmine", "{}"))
    if not header:
        return {}, {}
    return header, {
        name: table.filter(pc.equal(table["table"], name)).select(schema.names).cast(schema)
        for name, schema in SCHEMAS.items()
    }


def _write_json(tables: Mapping[str, pa.Table], header: Mapping[str, Any], path: Path) -> None:
    rows = {
        name: [{field: value for field, value in row.items() if value is not None} for row in each.to_pylist()]
        for name, each in tables.items()
    }
    path.write_text(json.dumps({"header": header, **rows}, ensure_ascii=False, indent=1), encoding="utf-8")


def _read_json(path: Path) -> tuple[dict[str, Any], dict[str, pa.Table]]:
    held = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(held, dict) or not isinstance(held.get("header"), dict):
        return {}, {}
    for name in SCHEMAS:
        if not isinstance(held[name], list):
            raise TypeError(f"its {name} are no list")
    return held["header"], {name: pa.Table.from_pylist(held[name], schema) for name, schema in SCHEMAS.items()}
