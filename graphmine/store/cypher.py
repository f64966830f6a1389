"""The one place where names and texts are quoted into Cypher, for every database."""

import re
from collections.abc import Callable, Mapping, Sequence

from graphmine.checks import check_choice, check_name

__all__ = ["Raw", "fill", "literal", "quote"]

_PLACEHOLDER = re.compile(r"'@(?P<text>[a-z_]+)'|@(?P<name>[a-z_]+)")
OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "IN"}


class Raw(str):
    """A piece of Cypher that is already safe: an operator, a column type, a quoted literal."""

    __slots__ = ()

    @classmethod
    def operator(cls, operator: str) -> "Raw":
        """Return a comparison, from the short list of them."""
        return cls(OPERATORS[check_choice("operator", operator, OPERATORS)])


def quote(name: str, what: str = "name") -> str:
    """Return a kind, type or property name as Cypher takes any name: in backticks, backticks doubled.

    >>> print(quote("a`b"))
    `a``b`
    """
    return "`" + check_name(what, name).replace("`", "``") + "`"


def literal(text: str) -> Raw:
    r"""Return text as a Cypher string, for the few calls that take no parameter.

    >>> print(literal("it's"))
    'it\'s'
    """
    return Raw("'" + check_name("name", text).replace("\\", "\\\\").replace("'", "\\'") + "'")


def fill(text: str, names: Mapping[str, str | Sequence[str]], quote: Callable[[str, str], str] = quote) -> str:
    """Fill ``@names`` into a query, quoted unless they are `Raw`, and ``'@names'`` as texts.

    >>> print(fill("MATCH (n:@kind) RETURN @names, '@kind' AS kind", {"kind": "odd `kind`", "names": ["a", "b"]}))
    MATCH (n:`odd ``kind```) RETURN `a`, `b`, 'odd `kind`' AS kind
    """

    def replace(match: re.Match[str]) -> str:
        if match["text"]:
            return literal(str(names[match["text"]]))
        value, what = names[match["name"]], match["name"]
        if isinstance(value, Raw):
            return value
        return quote(value, what) if isinstance(value, str) else ", ".join(quote(each, what) for each in value)

    return _PLACEHOLDER.sub(replace, text)
