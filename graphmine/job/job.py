"""All of a job as one frozen value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

from graphmine.constraints.rules import Rule
from graphmine.errors import ParameterError
from graphmine.job.check import (
    DEFAULT_WAY_OUT,
    Parsed,
    kinds_of,
    parse_fields,
    relation_keys,
    texts,
)
from graphmine.job.method_checks import make_method
from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import CATALOG, DEFAULT_METHOD
from graphmine.methods.n_clusters import AUTO, RequestedClusters
from graphmine.model import Filter, Pattern

__all__ = ["Job", "PreviewJob"]

_LISTS = ("relation", "where", "key")


@dataclass(frozen=True)
class Job:
    """What to pull, how to constrain and fit it, where to push.

    Parameters
    ----------
    relation
        Patterns such as ``Author-WROTE->Paper-IN->Conference``; several that share a kind make a star.
    n_clusters
        How many clusters: a number; ``"auto"`` to choose it from the data, as `graphmine.choose_k` does; or,
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
        `graphmine.taxonomy`. Each level is then written to a property of its own: ``topic_1``, ``topic_2``, ...
    write, overwrite
        The node property to write the labels to (nothing is written without it), and whether it may replace values
        that graphmine did not write.
    align
        Which run the numbers of the clusters follow, as `graphmine.verbs.align` does; ``"none"`` for as they come.
        Without it the last complete run of the property that is written, if there is one.
    name
        What the fit is called where several are compared; the method by default.

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
    n_clusters: RequestedClusters
    db: str | None = None
    where: Sequence[str] = ()
    key: Sequence[str] = ()
    constrain: str | Rule | Sequence[str | Rule] = ()
    on_conflict: str = DEFAULT_WAY_OUT
    method: str = DEFAULT_METHOD
    param: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    hierarchy: bool = False
    write: str | None = None
    overwrite: bool = False
    align: str | None = None
    name: str | None = None

    _fitted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check every field; a single text may stand for a list of one."""
        for mistake in self._parsed.mistakes:
            raise mistake.error
        for name in _LISTS:
            object.__setattr__(self, name, texts(name, getattr(self, name)))
        object.__setattr__(self, "constrain", self.rules)
        object.__setattr__(self, "n_clusters", self._parsed.n_clusters)

    @cached_property
    def _parsed(self) -> Parsed:
        """All fields as they were given, read once, when the job is made."""
        return parse_fields({each.name: getattr(self, each.name) for each in fields(self)}, fitted=self._fitted)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The relations, read."""
        return self._parsed.patterns

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters, read."""
        return self._parsed.filters

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys: one property for each kind."""
        return self._parsed.keys

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, read."""
        return self._parsed.rules

    @cached_property
    def relation_keys(self) -> Mapping[str, str]:
        """The keys of the kinds that relations go through; refused is a key that no relation and no rule needs."""
        return relation_keys(self.patterns, self.keys, self.rules)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that get clusters: those at the ends of relations."""
        return kinds_of(self.patterns)

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
        return make_method(self.method, n_clusters, self.param)


@dataclass(frozen=True)
class PreviewJob(Job):
    """A job whose rules are looked at before any fit.

    It may leave out how many clusters there are to be, and no method has to take what it asks for.

    >>> PreviewJob(relation="Paper-IN->Venue", constrain="order Paper.year").rules[0].name
    'order Paper.year'
    """

    n_clusters: RequestedClusters = AUTO

    _fitted: ClassVar[bool] = False
