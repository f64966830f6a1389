"""Job files: TOML in, checked jobs out, or every mistake with its line."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from graphmine.errors import ParameterError
from graphmine.job.check import NEEDED, check_field, parse_fields
from graphmine.job.evolution import EVOLVE_FIELDS, evolution_mistakes
from graphmine.job.fits import each_fit, fit_mistakes
from graphmine.job.job import Job, PreviewJob
from graphmine.job.mistakes import Mistake, Noted, raise_all
from graphmine.job.toml_lines import Place, lines_of

__all__ = ["JobFile", "check_job", "read_evolution", "read_job", "read_jobs", "read_preview"]

_JOB_FIELDS = tuple(each.name for each in fields(Job))
_AT_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True)
class JobFile:
    """What a job file says, its values not yet looked at, and where."""

    path: str | Path
    values: Mapping[str, Any]
    lines: Mapping[Place, int]

    @classmethod
    def read(cls, path: str | Path) -> "JobFile":
        """Read a file; refuse one that can not be read."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            hint = "; a relation stands after `relation=`" if "->" in str(path) or "<-" in str(path) else ""
            raise ParameterError(f"the job {path} can not be read: {why}{hint}") from error
        try:
            return cls(path, tomllib.loads(text), lines_of(text))
        except tomllib.TOMLDecodeError as error:
            raise ParameterError(f"the job {path} is no TOML: {_at(error, text)}") from error

    @property
    def evolves(self) -> bool:
        """Whether it has fields that only ``graphmine evolve`` takes."""
        return any(name in self.values for name in EVOLVE_FIELDS)

    def unknown(self, more: Sequence[str]) -> list[Mistake]:
        """Return a mistake for each field that is none of a job, nor one of ``more``."""
        noted = Noted()
        for name in self.values:
            noted.attempt((name,), _check_named, name, (*_JOB_FIELDS, *more))
        return self._located(noted.mistakes)

    def mistakes(
        self, more: Sequence[str] = (), *, evolves: bool = False, fitted: bool = True, **changes: Any
    ) -> list[Mistake]:
        """Return everything that is wrong, in the order of the lines; what ``changes`` replace is not looked at.

        Parameters
        ----------
        more
            The fields that it may have besides those of a job: ``fit``, or some that cut time.
        evolves
            Whether it is for ``graphmine evolve``.
        fitted
            Whether a method is to fit it; else its rules are only looked at.
        """
        known = {name: value for name, value in self.values.items() if name in (*_JOB_FIELDS, *more)} | changes
        found = fit_mistakes(known, changes) if "fit" in known else [*parse_fields(known, fitted=fitted).mistakes]
        if evolves:
            found += evolution_mistakes(known)
        if evolves and "fit" in known:
            told = "an evolution is of one fit; leave out [[fit]], or by, window and the like"
            found.append(Mistake(("fit",), ParameterError(told)))
        found = [*self.unknown(more), *self._located(found, changes)]
        return sorted(_without_echoes(found), key=lambda each: each.line or 0)

    def jobs(self, **changes: object) -> list[Job]:
        """Return the jobs in it, once it has no mistakes; what cuts time is left out."""
        plain = {name: value for name, value in self.values.items() if name not in EVOLVE_FIELDS}
        return [Job(**given) for given in each_fit(plain, changes)]

    def _located(self, mistakes: Sequence[Mistake], changes: Mapping[str, object] | None = None) -> list[Mistake]:
        """Return mistakes with their lines; those of ``changes`` have none."""
        return [each if each.place[0] in (changes or ()) else each.found_in(self.lines) for each in mistakes]


def check_job(path: str | Path) -> list[Mistake]:
    """Return everything that is wrong with a job file, as what its fields say it is for, in the order of the lines."""
    try:
        file = JobFile.read(path)
    except ParameterError as error:
        line = _AT_LINE.search(str(error))
        sentence = f"it {str(error).removeprefix(f'the job {path} ')}"
        return [Mistake((), ParameterError(sentence), int(line[1]) if line else None)]
    return file.mistakes(("fit", *EVOLVE_FIELDS), evolves=file.evolves)


def read_job(path: str | Path, **changes: object) -> Job:
    """Read a job from a TOML file; ``changes`` replace fields of it, as flags on the command line do.

    A relative path of an embedded database or of a query file is meant from the folder the command runs in.
    """
    file, given = JobFile.read(path), _given(changes)
    raise_all(f"the job {path}", file.mistakes(**given))
    return file.jobs(**given)[0]


def read_jobs(path: str | Path, **changes: object) -> list[Job]:
    """Read all fits of a job from a TOML file: a job for each ``[[fit]]``, or the one that a file without them is.

    ``changes`` replace the field in all of them.
    """
    file, given = JobFile.read(path), _given(changes)
    raise_all(f"the job {path}", file.mistakes(("fit",), **given))
    return file.jobs(**given)


def read_evolution(path: str | Path | None = None, **changes: object) -> tuple[Job, dict[str, Any]]:
    """Read a job and how time is cut from a TOML file, or from ``changes`` alone, which replace fields of it.

    The second part is for `evolve` to take by name.

    >>> job, cut = read_evolution(relation="Author-WROTE->Paper-IN->Venue", n_clusters=4, by="Paper.year", window=3)
    >>> job.n_clusters, cut
    (4, {'by': 'Paper.year', 'window': 3})
    """
    file, given = JobFile("", {}, {}) if path is None else JobFile.read(path), _given(changes)
    if path is None:
        for name, example in _EXAMPLES.items():
            if name not in given:
                raise ParameterError(f"{name} is missing; give it as a flag or as a field of a job file: {example}")
    mistakes = file.mistakes(EVOLVE_FIELDS, evolves=True, **given)
    if path is None and mistakes:
        raise mistakes[0].error
    raise_all(f"the job {path}", mistakes)
    values = {**file.values, **given}
    cut = {name: values.pop(name) for name in EVOLVE_FIELDS if name in values}
    return Job(**values), cut


def read_preview(path: str | Path | None = None, **changes: object) -> PreviewJob:
    """Read a job whose rules are to be looked at, from a TOML file or from ``changes`` alone, which replace its fields.

    >>> read_preview(relation="Author-IN->Venue", constrain="must same Author.town").chooses
    True
    """
    given = _given(changes)
    if path is None:
        return PreviewJob(**given)
    file = JobFile.read(path)
    raise_all(f"the job {path}", file.mistakes(fitted=False, **given))
    return PreviewJob(**{**file.values, **given})


_EXAMPLES = {"relation": "Kind-TYPE->Kind", "n_clusters": "a number, or auto", "by": "Kind.property"}


def _at(error: tomllib.TOMLDecodeError, text: str) -> str:
    """Return what is no TOML and where: a line and a column at the end of the text as well."""
    *before, last = text.split("\n")
    return str(error).replace("at end of document", f"at line {len(before) + 1}, column {len(last) + 1}")


def _given(changes: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not None}


def _check_named(name: str, known: Sequence[str]) -> None:
    if name in EVOLVE_FIELDS and name not in known:
        raise ParameterError(
            f"it has the field {name!r}, which is a field of evolve; run `graphmine evolve` or leave it out"
        )
    if name == "fit" and name not in known:
        raise ParameterError("it holds fits to compare, which is for `graphmine mine`; leave [[fit]] out")
    check_field(name, known)


def _without_echoes(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Leave out that a field is missing where it is there under a mistyped name."""
    meant = [name for name in (*NEEDED, "by") if any(f"did you mean {name!r}" in each.sentence for each in mistakes)]
    echoes = tuple(f"it needs a field {name!r}" for name in meant)
    return [each for each in mistakes if not (echoes and each.sentence.startswith(echoes))]
