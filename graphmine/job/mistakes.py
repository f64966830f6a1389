"""A mistake in a job: which field, on which line, and the sentence that says what is wrong."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from graphmine.errors import GraphmineError, ParameterError
from graphmine.job.toml_lines import Place, line_of

__all__ = ["Mistake", "Noted", "raise_all"]

T = TypeVar("T")


@dataclass(frozen=True)
class Mistake:
    """What is wrong with a field.

    Parameters
    ----------
    place
        The way to it: ``("relation", 1)`` is the second of the relations; empty for the file as a whole.
    error
        What is raised where it is the only mistake.
    line
        Where it stands in a file, from 1; None for what is not there, or was not read from a file.

    Examples
    --------
    >>> mistake = Mistake(("fit", 0, "param", "a b"), ParameterError("scm has no parameter 'a b'"), line=7)
    >>> mistake.field, mistake.sentence
    ('fit[0].param.a b', "scm has no parameter 'a b'")
    """

    place: Place
    error: GraphmineError
    line: int | None = None

    @property
    def field(self) -> str:
        """The way to it as a text; positions count from 0."""
        parts = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in self.place)
        return "".join(parts).removeprefix(".")

    @property
    def sentence(self) -> str:
        """What is wrong."""
        return str(self.error)

    def within(self, *place: str | int) -> "Mistake":
        """Return the same mistake of a table that is part of another."""
        return replace(self, place=(*place, *self.place))

    def found_in(self, lines: Mapping[Place, int]) -> "Mistake":
        """Return the same mistake with its line."""
        return replace(self, line=line_of(lines, self.place))


class Noted:
    """Mistakes as they are found."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def note(self, place: Place, error: GraphmineError) -> None:
        """Note one, once."""
        if not any(known.place == place and known.sentence == str(error) for known in self.mistakes):
            self.mistakes.append(Mistake(place, error))

    def attempt(self, place: Place, work: Callable[..., T], *given: object, **named: object) -> T | None:
        """Return what some work gives; None where it is refused, which is noted."""
        try:
            return work(*given, **named)
        except GraphmineError as error:
            self.note(place, error)
            return None


def raise_all(where: str, mistakes: Iterable[Mistake]) -> None:
    """Raise one error that names every mistake; nothing where there is none.

    >>> raise_all("the job a.toml", [Mistake(("seed",), ParameterError("seed must be a number"), 3)])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the job a.toml, line 3: seed must be a number
    """
    found = list(mistakes)
    if not found:
        return
    first = found[0]
    if len(found) == 1:
        line = f", line {first.line}" if first.line else ""
        raise type(first.error)(f"{where}{line}: {first.sentence}") from first.error
    kind = ParameterError if any(isinstance(each.error, ParameterError) for each in found) else type(first.error)
    told = (f"  {f'line {each.line}, ' if each.line else ''}{each.field}: {each.sentence}" for each in found)
    raise kind("\n".join([f"{where} has {len(found)} mistakes:", *told]))
