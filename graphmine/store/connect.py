"""Open a store by the path or address that a user gives."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from graphmine.errors import ParameterError
from graphmine.store.addresses import Address, openers
from graphmine.store.base import Store

__all__ = ["DEFAULT_PATH", "connect", "database_url"]

DEFAULT_PATH = "graphmine.lbug"


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
    ...     store.name
    ':memory:'
    """
    where = database_url(None if url is None else os.fspath(url), environ)
    open_store = openers().get(_scheme(where))
    if open_store is None:
        known = ", ".join(f"{scheme}://" for scheme in openers() if scheme)
        raise ParameterError(f"the database address begins with {_scheme(where)}://; give a path, or one of {known}")
    return open_store(Address(where, create, read_only, memory, environ))


def _scheme(url: str) -> str:
    if "://" not in url:
        return ""
    try:
        return urlsplit(url).scheme
    except ValueError as error:
        raise ParameterError(f"{url} is no address: {error}") from error
