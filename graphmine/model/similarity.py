"""How alike nodes of one kind are, by numbers they carry: what stands behind the ``~`` of a pattern.

::

    Wine~rbf(alcohol, hue, `odd name`)      every two nodes, by (5.13) of Kawale and Boley (2013)
    Wine~knn(embedding; neighbours 15)      the same weights, between a node and its nearest ones only

A property holds a number, or a list of numbers that is equally long in all nodes. After the properties, each behind a
semicolon: ``neighbours 15`` (of ``knn``; 10 without it), ``sigma 2.5`` (σ itself; without it σ² is the total variance
of the properties), ``scale no`` (without it each property is brought to mean 0 and variance 1).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from graphmine.checks import check_choice, check_integer, check_name, check_number
from graphmine.errors import ParameterError
from graphmine.model.naming import NAME, bare, quoted, written_number

__all__ = ["NEIGHBOURS", "Form", "Similarity"]

Form = Literal["rbf", "knn"]
NEIGHBOURS = 10
"""How many nearest nodes ``knn`` takes unless told."""

_OPENING = re.compile(r"\s*~\s*(?P<form>\w+)\s*\(")
_PROPERTY = re.compile(rf"\s*(?P<name>{NAME})\s*(?P<end>[,;)])")
_OPTION = re.compile(r"\s*(?P<word>\w+)\s+(?P<value>[^\s;)]+)\s*(?P<end>[;)])")


@dataclass(frozen=True)
class Similarity:
    """Which properties nodes are compared by, and how.

    Parameters
    ----------
    form
        ``rbf``: every two nodes. ``knn``: two nodes of which one at least is among the nearest of the other.
    properties
        Their names.
    neighbours
        How many nearest nodes; of ``knn`` alone.
    sigma
        σ of (5.13); None for the root of the total variance of the properties as they are used.
    scale
        Whether each property is brought to mean 0 and variance 1 first.

    Examples
    --------
    >>> print(Similarity("knn", ("hue", "odd name"), neighbours=15, scale=False))
    ~knn(hue, `odd name`; neighbours 15; scale no)
    >>> Similarity("rbf", ("hue",), neighbours=15)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: ~rbf relates every two nodes and takes no neighbours; write ~knn
    """

    form: Form
    properties: tuple[str, ...]
    neighbours: int | None = None
    sigma: float | None = None
    scale: bool = True

    def __post_init__(self) -> None:
        """Refuse what can not be computed."""
        check_choice("a similarity", self.form, get_args(Form))
        if not self.properties:
            raise ParameterError(f"~{self.form} names no property; write for example ~{self.form}(age)")
        for at, name in enumerate(self.properties):
            check_name("property", name)
            if name in self.properties[:at]:
                raise ParameterError(f"~{self.form} names the property {name!r} twice")
        if self.form == "knn":
            given = NEIGHBOURS if self.neighbours is None else self.neighbours
            object.__setattr__(self, "neighbours", check_integer("neighbours", given, least=1))
        elif self.neighbours is not None:
            raise ParameterError("~rbf relates every two nodes and takes no neighbours; write ~knn")
        if self.sigma is not None:  # so that its square is neither 0 nor infinite
            object.__setattr__(self, "sigma", check_number("sigma", self.sigma, least=1e-150, most=1e150))

    @classmethod
    def read(cls, text: str, start: int) -> "tuple[Similarity, int]":
        """Read a similarity that begins somewhere in the text of a relation; return where it ends, too.

        >>> Similarity.read("Wine~rbf(hue; sigma 2.5)", 4)
        (Similarity(form='rbf', properties=('hue',), neighbours=None, sigma=2.5, scale=True), 24)
        """
        opening = _taken(_OPENING, text, start)
        form = check_choice(f"the similarity in relation {text!r}", opening["form"], get_args(Form))
        properties, options = [], {}
        piece = _taken(_PROPERTY, text, opening.end())
        properties.append(bare(piece["name"]))
        while piece["end"] == ",":
            piece = _taken(_PROPERTY, text, piece.end())
            properties.append(bare(piece["name"]))
        while piece["end"] == ";":
            piece = _taken(_OPTION, text, piece.end())
            word, value = _option(text, piece["word"], piece["value"])
            if word in options:
                raise ParameterError(f"relation {text!r} says {word} twice")
            options[word] = value
        return cls(form, tuple(properties), **options), piece.end()  # type: ignore[arg-type]

    def __str__(self) -> str:
        parts = [", ".join(map(quoted, self.properties))]
        if self.neighbours not in (None, NEIGHBOURS):
            parts.append(f"neighbours {self.neighbours}")
        if self.sigma is not None:
            parts.append(f"sigma {written_number(self.sigma)}")
        if not self.scale:
            parts.append("scale no")
        return f"~{self.form}({'; '.join(parts)})"


_READ: Mapping[str, Callable[[str], Any]] = {
    "neighbours": int,
    "sigma": float,
    "scale": {"yes": True, "no": False}.__getitem__,
}


def _option(text: str, word: str, value: str) -> tuple[str, Any]:
    check_choice(f"an option of relation {text!r}", word, _READ)
    try:
        return word, _READ[word](value)
    except (ValueError, KeyError):
        raise ParameterError(f"relation {text!r} has a bad {word}: {value!r}") from None


def _taken(wanted: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    match = wanted.match(text, at)
    if match is None:
        raise ParameterError(
            f"relation {text!r} can not be read at {text[at:]!r}; write it as Kind~rbf(property, property), "
            "or for example Kind~knn(property; neighbours 15)"
        )
    return match
