"""What is particular to the sample database."""

import re
from collections.abc import Sequence
from pathlib import Path

from graphmine.checks import check_name
from graphmine.store.cypher import Raw, quote
from graphmine.store.database import Database, TransferCost, query_folders

_NAME = re.compile("⟦([0-9a-f]+)⟧")


class Sample(Database):
    """LadybugDB's queries, but for a few, and names written in another way."""

    folders = (Path(__file__).parent / "queries", *query_folders("ladybug"))
    declares_properties = True
    finds_by_key = True
    rows_a_statement = 7
    nodes_a_commit = 5
    cost = TransferCost(115e6, 55, 20, 70, 110, 90e6, 1800, 2.0, 10.0)

    def quote(self, name: str, what: str = "name") -> str:
        return f"⟦{check_name(what, name).encode().hex()}⟧"

    def any_of(self, kinds: Sequence[str]) -> Raw:
        return Raw(":".join(map(self.quote, kinds)))

    def number(self, text: str) -> str:
        return f"to_double({text})"

    def whole_sum(self, text: str) -> str:
        return f"CAST(sum({text}) AS INT64)"

    def must_declare(self, kind: str, name: str, columns: object) -> bool:
        assert isinstance(columns, dict)
        return name not in columns


def translated(text: str) -> str:
    """Return a text as the database behind the sample reads it."""
    return _NAME.sub(lambda match: quote(bytes.fromhex(match[1]).decode()), text)
