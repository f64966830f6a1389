"""What is particular to a database: where its queries are, how it writes names, what it demands, what it costs.

Query files lie in ``queries/``; a database looks in folders of its own before. Names that Cypher does not take as
parameters are written ``@kind`` in them and filled in quoted, or ``'@kind'`` where the database wants a text. Values
are parameters, always.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graphmine.errors import StoreError
from graphmine.store.cypher import Raw, fill, quote

__all__ = ["Database", "TransferCost", "query_folders"]

_HERE = Path(__file__).resolve()
# Inside an installed package the files stand beside the code, in a checkout at the top of the tree.
_ROOTS = (_HERE.parents[1] / "queries", _HERE.parents[2] / "queries")


class TransferCost(NamedTuple):
    """What it takes to read from a database and to write labels to it, in bytes unless the name says microseconds."""

    always: float
    a_link: float
    a_weight: float
    a_pair: float
    """Of the product of a path's steps."""
    a_node: float
    to_push: float
    a_node_pushed: float
    microseconds_a_link: float
    microseconds_a_node_pushed: float


def query_folders(*names: str) -> tuple[Path, ...]:
    """Return the folders of ``queries/`` with these names and then ``queries/`` itself, in the order to look in."""
    return tuple(folder for root in _ROOTS for folder in (*(root / name for name in names), root))


class Database:
    """How one database differs from others. A store's package has a subclass; the defaults are plain openCypher."""

    folders: tuple[Path, ...] = query_folders()
    """Where to look for a query file, in this order."""
    declares_properties = False
    """Whether kinds and properties are tables and columns that must be made before anything stands in them."""
    finds_by_key = False
    """Whether a node is found again fastest by the key that the database knows, and not by its internal id."""
    several_kinds = False
    """Whether a node can be of several kinds."""
    count_links_at_most: tuple[str, ...] = ("count_links",)
    """The query files that cost little and give how many relationships lead from one kind to another, or more."""
    rows_a_statement = 20_000
    """How many new nodes or relationships are best sent at a time."""
    nodes_a_commit = 10_000
    """How many nodes are best labelled in one transaction."""
    cost = TransferCost(60e6, 55, 20, 65, 110, 40e6, 1300, 4.0, 20.0)
    """What reading and writing takes, as measured."""

    def text(self, name: str, names: Mapping[str, str | Sequence[str]]) -> str:
        """Return the text of a query with its names filled in; empty, if the database has nothing to do for it."""
        return self.fill(_without_prose(self.source(name)), names)

    def source(self, name: str) -> str:
        """Return a query file as it stands: the first of its name in the database's folders."""
        return _source(self.folders, name)

    def fill(self, text: str, names: Mapping[str, str | Sequence[str]]) -> str:
        """Fill ``@names`` into a query; each is quoted unless it is `Raw`, several with commas between them."""
        return fill(text, names, self.quote)

    def quote(self, name: str, what: str = "name") -> str:
        """Return a kind, type or property name as the database takes any name."""
        return quote(name, what)

    def any_of(self, kinds: Sequence[str]) -> Raw:
        """Return kinds, quoted, as a pattern takes them for a node that is of one of them."""
        return Raw("|".join(map(self.quote, kinds)))

    def number(self, text: str) -> str:
        """Return an expression as a floating-point number."""
        return f"toFloat({text})"

    def whole_sum(self, text: str) -> str:
        """Return the sum of an expression that gives whole numbers, as a whole number."""
        return f"sum({text})"

    def must_declare(self, kind: str, name: str, columns: Mapping[str, str]) -> bool:
        """Whether a property must be made before labels can go into it; refuse one that labels can not go into.

        Parameters
        ----------
        columns
            The properties of the kind and their types, in the database's own words; only one that
            `declares_properties` is asked.
        """
        return False


@cache
def _source(folders: tuple[Path, ...], name: str) -> str:
    for folder in folders:
        path = folder / f"{name}.cypher"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise StoreError(f"the query file {name}.cypher is missing from the installation; install graphmine again")


@cache
def _without_prose(text: str) -> str:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//") or line.startswith("// packed")]
    return "\n".join(lines).strip()
