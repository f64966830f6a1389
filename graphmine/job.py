"""A job: all of pull, constrain, fit and push in one value, from flags, from Python, or from a TOML file.

The fields are the flags of ``graphmine mine``, under the same names. Every field is checked here, before a database is
opened.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from graphmine.checks import check_choice, check_integer, check_name, nearest
from graphmine.closure import WAYS_OUT
from graphmine.constraints.rules import Rule, read_rules
from graphmine.errors import ConstraintError, GraphmineError, ParameterError
from graphmine.methods.asked import AUTO, Asked, checked_asked
from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import CATALOG, method
from graphmine.model import Filter, Pattern, parse_property

__all__ = ["AS_THEY_COME", "EVOLVE_FIELDS", "Job", "read_fields", "read_job", "read_keys", "texts"]

EVOLVE_FIELDS = ("by", "window", "step", "since", "until", "memory")
"""What a file for ``graphmine evolve`` may have besides the fields of a job."""

AS_THEY_COME = "none"
"""What to align clusters to that are to keep the numbers the method gave them."""

_LISTS = ("relation", "where", "key")


@dataclass(frozen=True)
class Job:
    """What to pull, how to constrain and fit it, where to push.

    Parameters
    ----------
    relation
        Patterns such as ``Author-WROTE->Paper-IN->Conference``; several that share a kind make a star.
    n_clusters
        How many clusters: a number; ``"auto"`` to choose it from the data, as `graphmine.methods.choosing` does; or,
        for a method that takes it, a number for each kind of the relation, as ``{"Author": 4, "Venue": 3}``.
    db
        A path or an address; None to look in the environment.
    where
        Filters such as ``Paper.year >= 2000``.
    key
        Keys such as ``Author.name``, for kinds where the database does not say what names a node.
    constrain, on_conflict
        Rules such as ``must Author-WROTE->Paper<-WROTE-Author >= 3``, see `graphmine.constraints.grammar`, and what to
        do where hard ones contradict each other: ``error``, ``drop-cannot``, ``drop-must`` or ``weaken``.
    method, param, seed
        How to fit: a name from the catalog, its other parameters, and the seed.
    hierarchy
        Whether to split in two again and again, until there are ``n_clusters`` leaves; see
        `graphmine.methods.taxonomy`. Each level is then written to a property of its own: ``topic_1``, ``topic_2``, ...
    write, overwrite
        The node property to write the labels to (nothing is written without it), and whether it may replace values
        that graphmine did not write.
    align
        Which run the numbers of the clusters follow, as `graphmine.verbs.aligning` does; ``"none"`` for as they come.
        Without it the last complete run of the property that is written, if there is one.

    Examples
    --------
    >>> job = Job(relation="Woman-ATTENDED->Event", n_clusters=2)
    >>> job.relation, job.method, job.write
    (('Woman-ATTENDED->Event',), 'loom', None)
    >>> Job(relation="Woman-ATTENDED->Event", n_clusters=0)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters must be a whole number of at least 1, was 0
    >>> Job(relation="Woman-ATTENDED->Event", n_clusters={"Woman": 2})
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters has no number for Event; give one for each kind, or one for all
    """

    relation: Sequence[str]
    n_clusters: Asked
    db: str | None = None
    where: Sequence[str] = ()
    key: Sequence[str] = ()
    constrain: str | Rule | Sequence[str | Rule] = ()
    on_conflict: str = "error"
    method: str = "loom"
    param: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    hierarchy: bool = False
    write: str | None = None
    overwrite: bool = False
    align: str | None = None

    def __post_init__(self) -> None:
        """Check every field; a single text may stand for a list of one."""
        for name in _LISTS:
            object.__setattr__(self, name, texts(name, getattr(self, name)))
        object.__setattr__(self, "constrain", read_rules(self.constrain))
        if not self.relation:
            raise ParameterError("relation is missing; write for example Author-WROTE->Paper-IN->Conference")
        check_integer("seed", self.seed, least=0)
        for name in ("db", "write", "align"):
            given = getattr(self, name)
            if given is not None:
                check_name(name, given)
        for name in ("hierarchy", "overwrite"):
            if not isinstance(getattr(self, name), bool):
                raise ParameterError(f"{name} must be true or false, was {getattr(self, name)!r}")
        if not isinstance(self.param, Mapping):
            raise ParameterError(f"param must be a table of names and values, was {self.param!r}")
        object.__setattr__(self, "n_clusters", self._numbers())
        if self.hierarchy and (not isinstance(self.n_clusters, int) or self.n_clusters < 2):
            raise ParameterError(
                f"a hierarchy needs a number of leaves, at least 2, for all kinds together, and n_clusters was "
                f"{self.n_clusters!r}; say for example -k 8, or leave hierarchy out"
            )
        if self.hierarchy and self.align not in (None, AS_THEY_COME):
            raise ParameterError(
                "the clusters of a taxonomy are numbered by the way it was split, so they follow no run; leave align "
                "or hierarchy out"
            )
        most = self.traits.max_arms
        arms = len(self.patterns)
        if most is not None and arms > most:
            instead = self._instead(lambda _: True)  # all that is asked is to take the relations
            raise ParameterError(f"{self.method} takes {most} relation, not a star of {arms}{instead}")
        self._check_one_kind()
        check_choice("on_conflict", self.on_conflict, WAYS_OUT)
        self._check_rules()
        _ = self.filters, self.keys

    def _numbers(self) -> Asked:
        """Return the number of clusters, checked with the kinds of the relations and with the method."""
        check_choice("method", self.method, CATALOG)
        asked = checked_asked(self.n_clusters, self.kinds)
        if isinstance(asked, Mapping) and not self.traits.k_per_kind:
            instead = self._instead(lambda traits: traits.k_per_kind) or "; give one number"
            raise ParameterError(f"{self.method} takes one number of clusters for all kinds, not one for each{instead}")
        self.fitter_for(1 if asked == AUTO else asked)  # checks the other parameters as well
        return asked

    def _check_one_kind(self) -> None:
        for pattern in self.patterns:
            if pattern.rows == pattern.cols and not self.traits.one_kind:
                instead = self._instead(lambda traits: traits.one_kind)
                raise ParameterError(
                    f"{self.method} takes a relation between two kinds, and {pattern} is of {pattern.rows} with "
                    f"itself{instead}"
                )

    def _check_rules(self) -> None:
        taken = self.traits.constraints
        for rule in self.rules:
            if not taken:
                raise ConstraintError(f"{self.method} takes no constraints; name a method that does, such as loom")
            if not rule.gives <= taken:
                raise ConstraintError(
                    f"{self.method} takes {', '.join(sorted(taken))} and the rule '{rule.name}' gives "
                    f"{', '.join(sorted(rule.gives))}{self._instead_for(rule)}"
                )

    def _instead_for(self, rule: Rule) -> str:
        return self._instead(lambda traits: rule.gives <= traits.constraints) or "; leave it out"

    def _instead(self, can: Callable[[Traits], bool]) -> str:
        """Return the way out of a method that can not: one that can, and takes all the relations, if there is any."""
        arms, alone = len(self.patterns), any(pattern.rows == pattern.cols for pattern in self.patterns)
        able = [
            name
            for name, traits in ((name, each.traits) for name, each in CATALOG.items())
            if can(traits) and arms <= (traits.max_arms or arms) and (traits.one_kind or not alone)
        ]
        return f"; name a method that does, such as {able[-1]}" if able else ""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The relations, read."""
        return tuple(map(Pattern.parse, self.relation))

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters, read."""
        return tuple(map(Filter.parse, self.where))

    @property
    def keys(self) -> dict[str, str]:
        """The keys, a property a kind."""
        return read_keys(self.key)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, read."""
        return read_rules(self.constrain)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that get clusters: those at the ends of relations."""
        return tuple(dict.fromkeys(kind for pattern in self.patterns for kind in (pattern.rows, pattern.cols)))

    @property
    def traits(self) -> Traits:
        """What the method is and takes."""
        return CATALOG[self.method].traits

    @property
    def chooses(self) -> bool:
        """Whether the number of clusters is to be chosen from the data."""
        return self.n_clusters == AUTO

    @property
    def fitter(self) -> Method:
        """The method with its parameters, where the number of clusters is one."""
        if self.chooses:
            raise ParameterError("the number of clusters is still to be chosen from the data; see choose_k")
        return self.fitter_for(self.n_clusters)

    def fitter_for(self, n_clusters: object) -> Method:
        """Return the method with its parameters, for a number of clusters."""
        if "n_clusters" in self.param:
            raise ParameterError("n_clusters is a field of its own, not one of param")
        return method(self.method, n_clusters=n_clusters, **self.param)


def read_job(path: str | Path, **changes: object) -> Job:
    """Read a job from a TOML file; ``changes`` replace fields of it, as flags on the command line do.

    A relative path of an embedded database or of a query file is meant from the folder the command runs in.
    """
    values = read_fields(path) | {name: value for name, value in changes.items() if value is not None}
    for name in ("relation", "n_clusters"):
        if name not in values:
            also = f"; {AUTO!r} chooses it from the data" if name == "n_clusters" else ""
            raise ParameterError(f"the job {path} needs a field {name!r}{also}")
    try:
        return Job(**values)
    except GraphmineError as error:
        raise type(error)(f"the job {path}: {error}") from error


def read_fields(path: str | Path, more: Sequence[str] = ()) -> dict[str, Any]:
    """Read the fields of a job, and some ``more``, none of which has to be there, without looking at their values."""
    try:
        with Path(path).open("rb") as file:
            values = tomllib.load(file)
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"the job {path} can not be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"the job {path} is no TOML: {error}") from error
    known = [*(each.name for each in fields(Job)), *more]
    for name in values:
        if name in EVOLVE_FIELDS and name not in known:
            raise ParameterError(
                f"the job {path} has the field {name!r}, which is a field of evolve; run `graphmine evolve` or leave "
                "it out"
            )
        if name not in known:
            meant = " (did you mean 'n_clusters'?)" if name == "k" else nearest(name, known)
            raise ParameterError(f"the job {path} has an unknown field {name!r}{meant}")
    return values


def read_keys(texts: Sequence[str]) -> dict[str, str]:
    """Read keys, a property a kind.

    >>> read_keys(["Author.name", "`odd kind`.id"])
    {'Author': 'name', 'odd kind': 'id'}
    """
    pairs = list(map(parse_property, texts))
    if len(dict(pairs)) < len(pairs):
        raise ParameterError(f"key names a kind twice: {', '.join(texts)}")
    return dict(pairs)


def texts(name: str, given: object) -> tuple[str, ...]:
    """Return the texts of a field, of which one may stand for a list of one."""
    values = (given,) if isinstance(given, str) else given
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise ParameterError(f"{name} must be text or a list of texts, was {given!r}")
    return tuple(values)
