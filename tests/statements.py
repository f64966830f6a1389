"""What a piece of work asks of a database: every statement it sends, on either.

A query that two transactions read in parts at the same time is two statements.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from graphmine.store.ladybug.transaction import LadybugTransaction
from graphmine.store.neo4j.transaction import Neo4jTransaction

_FRAMES = ("BEGIN ", "COMMIT")
"""How the embedded database is told where a transaction begins and ends; the driver of the server does so itself."""


@contextmanager
def statements() -> Iterator[list[str]]:
    """Give a list to which every statement is added that is sent meanwhile."""
    sent: list[str] = []
    execute, send = LadybugTransaction.execute, Neo4jTransaction._send

    def executed(self: LadybugTransaction, query: str, *values: Any) -> Any:
        if not query.startswith(_FRAMES):
            sent.append(query)
        return execute(self, query, *values)

    def run(self: Neo4jTransaction, query: str, params: dict[str, object]) -> Any:
        sent.append(query)
        return send(self, query, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LadybugTransaction, "execute", executed)
        patch.setattr(Neo4jTransaction, "_send", run)
        yield sent
