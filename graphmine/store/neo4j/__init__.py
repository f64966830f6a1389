"""Neo4j, over Bolt: all that is particular to it."""

from urllib.parse import urlsplit

from graphmine.errors import ParameterError
from graphmine.store.addresses import Address
from graphmine.store.base import Store

__all__ = ["SCHEMES", "open_store"]

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def open_store(address: Address) -> Store:
    """Open a server's database as the user that the environment names."""
    parts, environ = urlsplit(address.url), address.environ
    if parts.username or parts.password:
        raise ParameterError(
            "a user or password does not belong in a database address; set NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if not parts.hostname:
        raise ParameterError(f"{address.url} names no host; write for example {parts.scheme}://localhost:7687")
    from graphmine.store.neo4j.store import Neo4jStore  # the driver is imported when it is needed

    user, password = environ.get("NEO4J_USERNAME", "neo4j"), environ.get("NEO4J_PASSWORD")
    return Neo4jStore(address.url, user, password, environ.get("NEO4J_DATABASE"))
