"""From what a user names a database by to an open store."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from graphmine.errors import ParameterError, StoreError
from graphmine.store.base import Store

__all__ = ["DEFAULT_PATH", "connect", "database_url"]

DEFAULT_PATH = "graphmine.lbug"
SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def database_url(given: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """Return which database is meant: the one given, else GRAPHMINE_DB, else NEO4J_URI, else a file here.

    >>> database_url(None, {})
    'graphmine.lbug'
    >>> database_url(None, {"NEO4J_URI": "neo4j://db.example"})
    'neo4j://db.example'
    """
    return given or environ.get("GRAPHMINE_DB") or environ.get("NEO4J_URI") or DEFAULT_PATH


def connect(
    url: str | os.PathLike[str] | None = None,
    *,
    create: bool = True,
    read_only: bool = False,
    memory: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Store:
    """Open a database: a path (LadybugDB, embedded) or an address such as ``neo4j://host`` (Neo4j).

    Parameters
    ----------
    url
        A path, ``:memory:``, or ``neo4j://``, ``bolt://`` (with ``+s`` for encryption); None to look in the
        environment, see `database_url`. Neo4j's user, password and database come from NEO4J_USERNAME,
        NEO4J_PASSWORD and NEO4J_DATABASE, never from the url.
    create
        Whether an embedded database may be made where there is none.
    read_only
        Open an embedded database beside a process that is writing it.
    memory
        How many bytes an embedded database may keep pages in; a server is not told.

    Examples
    --------
    >>> with connect(":memory:") as store:
    ...     store.dialect
    'ladybug'
    """
    where = database_url(None if url is None else os.fspath(url), environ)
    if "://" not in where:
        return _embedded(where, create=create, read_only=read_only, memory=memory)
    try:
        parts = urlsplit(where)
    except ValueError as error:
        raise ParameterError(f"{where} is no address: {error}") from error
    if parts.scheme not in SCHEMES:
        raise ParameterError(
            f"the database address begins with {parts.scheme}://; give a path, neo4j://, neo4j+s:// or bolt://"
        )
    if parts.username or parts.password:
        raise ParameterError(
            "a user or password does not belong in a database address; set NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if not parts.hostname:
        raise ParameterError(f"{where} names no host; write for example {parts.scheme}://localhost:7687")
    from graphmine.store.neo4j.store import Neo4jStore  # one driver is imported, not both

    return Neo4jStore(
        where, environ.get("NEO4J_USERNAME", "neo4j"), environ.get("NEO4J_PASSWORD"), environ.get("NEO4J_DATABASE")
    )


def _embedded(path: str, *, create: bool, read_only: bool, memory: int | None) -> Store:
    from graphmine.store.ladybug.store import MEMORY, LadybugStore

    if path != MEMORY and not create and not Path(path).exists():
        raise StoreError(f"there is no database at {path}; `graphmine load` makes one")
    return LadybugStore(path, read_only=read_only, memory=memory)
