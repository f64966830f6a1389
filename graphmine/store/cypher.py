"""Query files and the one place where names are quoted into them.

A query lives in ``queries/NAME.cypher``, or in ``queries/DIALECT/NAME.cypher`` where the databases part. Names that
Cypher does not take as parameters are written ``@kind`` there and filled in quoted; values are parameters, always.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from graphmine.checks import check_choice, check_name
from graphmine.errors import StoreError

__all__ = ["QUERY_FOLDERS", "Raw", "literal", "query", "quote"]

_HERE = Path(__file__).resolve()
# Inside an installed package the files stand beside the code, in a checkout at the top of the tree.
QUERY_FOLDERS = (_HERE.parents[1] / "queries", _HERE.parents[2] / "queries")
_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u")
_PLACEHOLDER = re.compile(r"@([a-z_]+)")

COLUMN_TYPES = ("BOOL", "DATE", "DOUBLE", "INT64", "STRING", "TIMESTAMP", "INT64[]", "STRING[]")
OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "IN"}


class Raw(str):
    """A piece of Cypher that is already safe: an operator, a column type, a quoted literal."""

    __slots__ = ()

    @classmethod
    def operator(cls, operator: str) -> "Raw":
        """Return a comparison, from the short list of them."""
        return cls(OPERATORS[check_choice("operator", operator, OPERATORS)])

    @classmethod
    def names(cls, dialect: str, names: Iterable[str]) -> "Raw":
        """Return names, quoted, with commas between them."""
        return cls(", ".join(quote(name, dialect) for name in names))

    @classmethod
    def any_of(cls, dialect: str, kinds: Iterable[str]) -> "Raw":
        """Return kinds, quoted, as a pattern takes them for a node that is of one of them."""
        return cls(("|" if dialect == "neo4j" else ":").join(quote(kind, dialect) for kind in kinds))

    @classmethod
    def column_type(cls, column_type: str) -> "Raw":
        """Return a column type of the embedded database, from the short list of them."""
        return cls(check_choice("column type", column_type, COLUMN_TYPES))


def quote(name: str, dialect: str = "", what: str = "name") -> str:
    r"""Return a kind, type or property name as Cypher takes any name: in backticks, backticks doubled.

    Neo4j replaces ``\u0060`` and its like by the character it stands for before it looks for the closing backtick, so
    there the backslash in front of a u must itself be written so; a backslash after a backslash begins nothing.

    >>> print(quote("a`b"))
    `a``b`
    >>> print(quote(r"\u0060", "neo4j"))
    `\u005cu0060`
    """
    name = check_name(what, name).replace("`", "``")
    if dialect == "neo4j":
        name = _ESCAPE.sub(r"\1\\u005cu", name)
    return f"`{name}`"


def literal(text: str) -> Raw:
    r"""Return text as a Cypher string, for the few calls that take no parameter.

    >>> print(literal("it's"))
    'it\'s'
    """
    return Raw("'" + check_name("name", text).replace("\\", "\\\\").replace("'", "\\'") + "'")


def query(dialect: str, name: str, /, **names: str) -> str:
    """Return the text of a query file for a database, its ``@names`` filled in and quoted.

    >>> print(query("ladybug", "count_nodes", kind="odd `kind`"))
    MATCH (n:`odd ``kind```) RETURN count(*) AS n
    """
    return fill(_text(dialect, name), names, dialect)


def fill(text: str, names: Mapping[str, str], dialect: str = "") -> str:
    """Fill ``@names`` into a query; each is quoted unless it is `Raw`."""

    def replace(match: re.Match[str]) -> str:
        value = names[match[1]]
        return value if isinstance(value, Raw) else quote(value, dialect, match[1])

    return _PLACEHOLDER.sub(replace, text)


@cache
def _text(dialect: str, name: str) -> str:
    for folder in QUERY_FOLDERS:
        for path in (folder / dialect / f"{name}.cypher", folder / f"{name}.cypher"):
            if path.is_file():
                return _without_prose(path.read_text(encoding="utf-8"))
    raise StoreError(f"the query file {name}.cypher is missing from the installation; install graphmine again")


def _without_prose(text: str) -> str:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//") or line.startswith("// packed")]
    return "\n".join(lines).strip()
