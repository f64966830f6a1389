"""The pieces of a query text in which graphmine fills something in; strings, quoted names and comments hold none.

::

    @kind                     a name, quoted
    $limit                    a value, which stays a parameter
    MATCH @relation(a, b)     the links of a relation from a to b
    @weight(a, b)             what one such link weighs
    @sum(…)                   the sum of weights
    @apart(a, b)              whether the two ends are different nodes
    @once(a, b)               the same, and true for one of both directions only
"""

import re
from collections.abc import Callable

from graphmine.errors import ParameterError

__all__ = ["TWO_ENDS", "Piece", "one_statement", "placeholders", "replaced", "sums", "without_comments"]

Piece = re.Match[str]

TWO_ENDS = ("weight", "apart", "once")
_NAME = r"[A-Za-z_]\w*"
_ENDS = rf"\(\s*(?P<{{0}}start>{_NAME})\s*,\s*(?P<{{0}}end>{_NAME})\s*\)"
_PIECE = re.compile(
    rf"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`)
    |(?P<match>(?:OPTIONAL\s+)?MATCH)\s+@(?P<path>{_NAME}){_ENDS.format("path_")}
    |@(?P<ends>{"|".join(TWO_ENDS)}){_ENDS.format("")}
    |@(?P<sum>sum)\(
    |@(?P<name>{_NAME})
    |\$(?P<value>{_NAME})
    |(?P<stop>;)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def replaced(text: str, piece: Callable[[Piece], str | None]) -> str:
    """Replace every piece by what a function makes of it; None leaves it. Comments go."""

    def replace(match: Piece) -> str:
        if match["comment"] is not None:
            return ""
        new = None if match["quoted"] is not None else piece(match)
        return match[0] if new is None else new

    return _PIECE.sub(replace, text)


def placeholders(text: str) -> tuple[list[str], list[str]]:
    """Return the names and the values that a text asks for, each once, in order.

    >>> placeholders("MATCH @relation(a, b) WHERE a.@key = $node AND b.x <> '$y @z' // @not")
    (['relation', 'key'], ['node'])
    """
    names: dict[str, None] = {}
    values: dict[str, None] = {}
    for match in _PIECE.finditer(text):
        if match["path"] or match["name"]:
            names[match["path"] or match["name"]] = None
        elif match["value"]:
            values[match["value"]] = None
    return list(names), list(values)


def without_comments(text: str) -> str:
    """Return a text as the database reads it.

    >>> without_comments("/* all */ RETURN '// this' AS x // that")
    " RETURN '// this' AS x "
    """
    return replaced(text, lambda _: None)


def one_statement(text: str) -> bool:
    """Whether a text is one statement; a semicolon may end it.

    >>> one_statement("RETURN ';' AS x; // that is all"), one_statement("RETURN 1 AS x; RETURN 2 AS y")
    (True, False)
    """
    parts = replaced(text, lambda match: "\0" if match["stop"] else None)
    return bool(parts.strip()) and not parts.partition("\0")[2].strip()


def sums(text: str, write: Callable[[str], str]) -> str:
    """Replace every ``@sum(…)`` by what a function makes of its inside.

    >>> sums("RETURN @sum((a + b) * 2) AS x", "total[{}]".format)
    'RETURN total[(a + b) * 2] AS x'
    """
    start = next((match for match in _PIECE.finditer(text) if match["sum"]), None)
    if start is None:
        return text
    depth, end = 1, start.end()
    while depth:
        if end >= len(text):
            raise ParameterError("the query has an @sum( that is not closed")
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    inside = sums(text[start.end() : end - 1], write)
    return text[: start.start()] + write(inside) + sums(text[end:], write)
