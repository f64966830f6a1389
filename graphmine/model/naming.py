"""How names and numbers are written in patterns, filters and rules, so that the same ones are read."""

import re

__all__ = ["NAME", "RESERVED", "bare", "quoted", "written_number"]

NAME = r"(?:\w+|`(?:[^`]|``)+`)"
"""A name as it is written: a plain word, or anything in backticks."""
RESERVED = "Graphmine"
"""Kinds that begin so hold what graphmine writes about its own runs."""


def bare(written: str) -> str:
    """Return the name that is written.

    >>> bare("`a``b`"), bare("plain")
    ('a`b', 'plain')
    """
    return written[1:-1].replace("``", "`") if written.startswith("`") else written


def quoted(name: str) -> str:
    """Write a name, in backticks if it is no plain word.

    >>> quoted("odd name"), quoted("plain")
    ('`odd name`', 'plain')
    """
    return name if re.fullmatch(r"\w+", name) else f"`{name.replace('`', '``')}`"


def written_number(value: float) -> str:
    """Return a number as it is written in a rule, so that the same one is read.

    >>> written_number(10**12), written_number(3.0), written_number(0.1234567890123)
    ('1000000000000', '3', '0.1234567890123')
    """
    return str(value).removesuffix(".0")
