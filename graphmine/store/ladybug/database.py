"""What is particular to LadybugDB."""

from collections.abc import Mapping, Sequence

from graphmine.checks import check_choice
from graphmine.errors import RunError
from graphmine.store.cypher import Raw
from graphmine.store.database import Database, TransferCost, query_folders

__all__ = ["LADYBUG", "Ladybug", "column_type"]

_COLUMN_TYPES = ("BOOL", "DATE", "DOUBLE", "INT64", "STRING", "TIMESTAMP", "INT64[]", "STRING[]")


class Ladybug(Database):
    """An embedded database of tables: a kind or relationship type is a table, and a property is a column."""

    folders = query_folders("ladybug")
    declares_properties = True
    finds_by_key = True
    # It takes an Arrow table as it is, and a commit is what costs.
    rows_a_statement = 1_000_000
    nodes_a_commit = 1_000_000
    cost = TransferCost(115e6, 55, 20, 70, 110, 90e6, 1800, 2.0, 10.0)

    def any_of(self, kinds: Sequence[str]) -> Raw:
        """Return kinds, quoted, as a pattern takes them for a node that is of one of them."""
        return Raw(":".join(map(self.quote, kinds)))

    def number(self, text: str) -> str:
        """Return an expression as a floating-point number."""
        return f"CAST({text} AS DOUBLE)"

    def whole_sum(self, text: str) -> str:
        """Return the sum of an expression that gives whole numbers; the database adds them up in a wider type."""
        return f"CAST(sum({text}) AS INT64)"

    def must_declare(self, kind: str, name: str, columns: Mapping[str, str]) -> bool:
        """Whether there must be a new column; refuse one that labels can not go into. Case makes no difference here."""
        for there, type_ in columns.items():
            if there.lower() == name.lower() and (there != name or type_ != "INT64"):
                why = f"holds {type_}" if there == name else "is all the embedded database sees in it"
                raise RunError(f"{kind}.{name} can not take labels: {there!r} {why}; write to another property")
        return name not in columns


LADYBUG = Ladybug()


def column_type(name: str) -> Raw:
    """Return a column type, from the short list of them."""
    return Raw(check_choice("column type", name, _COLUMN_TYPES))
