"""What is particular to Neo4j."""

import re

from graphmine.store.cypher import quote
from graphmine.store.database import Database, TransferCost, query_folders

__all__ = ["NEO4J", "Neo4j"]

_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u")


class Neo4j(Database):
    """A server: a node has any properties and several kinds, and its internal id finds it fastest."""

    folders = query_folders("neo4j")
    several_kinds = True
    # It keeps counts for one end alone; the exact number takes a pass over the relationships.
    count_links_at_most = ("count_out", "count_in")
    # It is sent lists of Python values, best some at a time, and slows down with larger transactions.
    rows_a_statement = 20_000
    nodes_a_commit = 10_000
    cost = TransferCost(60e6, 55, 20, 65, 110, 40e6, 1300, 4.0, 20.0)

    def quote(self, name: str, what: str = "name") -> str:
        r"""Return a name in backticks.

        Neo4j replaces ``\u0060`` and its like by the character it stands for before it looks for the closing backtick,
        so the backslash in front of a u must itself be written so; a backslash after a backslash begins nothing.

        >>> print(NEO4J.quote(r"\u0060"))
        `\u005cu0060`
        """
        return _ESCAPE.sub(r"\1\\u005cu", quote(name, what))


NEO4J = Neo4j()
