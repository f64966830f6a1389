"""The text of a rule: splitting it into parts, and writing names so that they can be read back."""

import json
import re

from graphmine.checks import check_name
from graphmine.errors import ParameterError
from graphmine.model.naming import NAME
from graphmine.model.values import QUOTED, parse_value

__all__ = ["HOP", "abbreviated", "check_written", "read_name", "split_rule", "written_name"]

_LISTED = rf"""\[(?:{QUOTED}|[^;"'\]])*"""
_ALIKE = r"~\s*\w+\s*\("
HOP = rf"(?:<?-|{_ALIKE})"
"""How a relation continues after its first kind."""
# A semicolon ends a part unless it is inside a backtick name, the name of a query file, a similarity, or a quoted
# value.
_BODY = re.compile(
    rf"""\s*(?:
        (?:(?:must|cannot|across)\s+)*(?:run|file)\s+(?!{HOP})[^;]*   # a free text
        | (?:
            `(?:[^`]|``)+` | -\s*\[[^\]]*\] | {_ALIKE}(?:`(?:[^`]|``)+`|[^`)])*\) | \bin\s*{_LISTED}
            | \bthese\s*[{{\[](?:{QUOTED}|[^;"'])* | [^;]
        )*
    )""",
    re.VERBOSE | re.DOTALL,
)
_OPTION = re.compile(
    rf"""\s*(?:
        name\s+{QUOTED}\s*(?=;|\Z)
        | where\s+{NAME}\.{NAME}\s*(?:[<>!]?=|[<>]|\bin\b)\s*(?:{QUOTED}|{_LISTED})?[^;]*
        | [^;]*
    )""",
    re.VERBOSE | re.DOTALL,
)


def split_rule(text: str) -> list[str]:
    """Split the text of a rule at its semicolons: what it looks at, then its options.

    A quote opens a text only where a value begins, so that one inside a word is an apostrophe.

    >>> split_rule("must same Author.town; name Bob's; where Author.name = 'x; y'; hard")
    ['must same Author.town', "name Bob's", "where Author.name = 'x; y'", 'hard']
    """
    parts: list[str] = []
    end = 0
    while match := (_OPTION if parts else _BODY).match(text, end):
        parts += [part] if (part := match[0].strip()) else []
        end = match.end() + 1
        if end > len(text):
            break
    return parts


def read_name(text: str) -> str:
    """Read a name, which may stand in quotes.

    >>> read_name("Bob's"), read_name('"a; b"')
    ("Bob's", 'a; b')
    """
    return check_name("name", parse_value(text) if re.fullmatch(QUOTED, text, re.DOTALL) else text)


def written_name(name: str) -> str:
    """Write a name as `read_name` reads it, in quotes only where it needs them.

    >>> written_name("Bob's"), written_name("a; b")
    ("Bob's", '"a; b"')
    """
    plain = ";" not in name and name == name.strip() and name[0] not in "\"'"
    return name if plain else json.dumps(name, ensure_ascii=False)


def check_written(what: str, text: object) -> str:
    """Return a text that is written in a rule as it is, without quotes.

    >>> check_written("run", "a; b")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: run must not hold a semicolon, begin with -, <- or a similarity, or begin or end
    with a space, was 'a; b'
    """
    name = check_name(what, text)
    if ";" in name or name != name.strip() or re.match(HOP, name):
        raise ParameterError(
            f"{what} must not hold a semicolon, begin with -, <- or a similarity, or begin or end with a space, "
            f"was {name!r}"
        )
    return name


def abbreviated(text: str) -> str:
    """Return a text in quotes for a message; only its beginning if it is long.

    >>> abbreviated("must same")
    "'must same'"
    """
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
