"""What Neo4j's driver raises, in our sentences."""

from neo4j import exceptions as failures

from graphmine.errors import GraphmineError, ParameterError, StoreError

__all__ = ["translated"]


def translated(url: str, error: Exception) -> GraphmineError:
    """Turn what the driver raises into one of our sentences."""
    match error:
        case failures.AuthError():
            return StoreError(f"{url} refused the login; check NEO4J_USERNAME and NEO4J_PASSWORD")
        case failures.ServiceUnavailable() | failures.SessionExpired() | OSError():
            return StoreError(f"no Neo4j server answers at {url}, or it went away; is it running?")
        case failures.ConfigurationError() | ValueError():
            return ParameterError(f"{url} is no address of a Neo4j server: {error}")
        case failures.Neo4jError() if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            return StoreError(f"{url} has no such database; check NEO4J_DATABASE")
        case failures.Neo4jError() if error.code == "Neo.ClientError.Statement.AccessMode":
            return StoreError(f"the query would write, and {url} was asked to read only")
        case failures.Neo4jError() if "MemoryPool" in (error.code or "") or "OutOfMemory" in (error.code or ""):
            return StoreError(
                f"{url} has not enough memory for so large a transaction, and nothing was changed; raise "
                "dbms.memory.transaction.total.max, or load the data in parts"
            )
        case failures.Neo4jError():
            return StoreError(f"{url}: {' '.join((error.message or str(error)).split())}")
        case _:
            return StoreError(f"{url}: {' '.join(str(error).split())}")
