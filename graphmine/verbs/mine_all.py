"""Several fits of one pull, and how far they agree with each other and with what is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from graphmine.arrays import Labels
from graphmine.errors import ParameterError
from graphmine.job import Job, titles
from graphmine.metrics import Scores, ami, ari, score as score_labels
from graphmine.model import UNPLACED, Star
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.align import align, run_to_follow
from graphmine.verbs.estimate import estimate, refuse_too_large
from graphmine.verbs.known_classes import known_classes
from graphmine.verbs.mine import fit
from graphmine.verbs.result import Mined
from graphmine.verbs.write import write_result

__all__ = ["FitAgreement", "Scored", "fit_agreements", "mine_all", "score_all"]


@dataclass(frozen=True)
class FitAgreement:
    """How far two fits agree on the nodes of a kind that both placed; None where there are no such nodes."""

    fit: str
    other: str
    kind: str
    ami: float | None
    ari: float | None


@dataclass(frozen=True)
class Scored:
    """How far a fit agrees with known classes, on all nodes of a kind or on those that no rule of any fit names."""

    fit: str
    kind: str
    unconstrained: bool
    scores: Scores


def mine_all(store: Store, jobs: Sequence[Job], *, force: bool = False, progress: Progress = silent) -> list[Mined]:
    """Pull, constrain and fit several jobs, then push those that name a property.

    Jobs that say the same of relations, filters and keys share one pull. All are fitted before the first is pushed, and
    nothing is pushed where one of them could not be. Numbers follow earlier runs as in `mine`, and a job that would not
    fit in memory is refused before anything is read, unless forced.

    >>> from graphmine.datasets.davis import davis
    >>> from graphmine.exchange.load import load
    >>> from graphmine.store import connect
    >>> jobs = [Job(relation="Woman-ATTENDED->Event", n_clusters=2, method=name) for name in ("loom", "s-co")]
    >>> with connect(":memory:") as store:
    ...     loaded = load(store, davis())
    ...     loom, sco = mine_all(store, jobs)
    >>> loom.star is sco.star, loom.clustering.n_clusters
    (True, 2)
    """
    written = [job.write for job in jobs if job.write is not None]
    if len(set(written)) < len(written):
        raise ParameterError("two jobs write to one property, so that the second would undo the first; name another")
    with store.snapshot():
        follow = [run_to_follow(store, job) for job in jobs]
        if not force:
            for job in jobs:
                refuse_too_large(estimate(store, job))
        pulled: dict[object, Star] = {}
        found: list[Mined] = []
        for job, run in zip(jobs, follow, strict=True):
            shared = job.relation, job.where, tuple(sorted(job.relation_keys.items()))
            mined = fit(store, job, star=pulled.get(shared), progress=progress)
            pulled.setdefault(shared, mined.star)
            found.append(align(store, mined, run))
        return [write_result(store, mined, progress=progress) for mined in found]


def fit_agreements(fits: Sequence[Mined]) -> list[FitAgreement]:
    """Return how far every two fits agree, on each kind of which both have the same nodes."""
    named = list(zip(titles([mined.job for mined in fits]), fits, strict=True))
    found = []
    for (one, first), (two, second) in combinations(named, 2):
        for nodes in (each for each in first.star.kinds if each in second.star.kinds):
            labels, others = (_labels(each, nodes.kind) for each in (first, second))
            both = (labels != UNPLACED) & (others != UNPLACED)
            measured = (ami(labels[both], others[both]), ari(labels[both], others[both])) if both.any() else (None,) * 2
            found.append(FitAgreement(one, two, nodes.kind, *measured))
    return found


def score_all(store: Store, fits: Sequence[Mined], truth: str) -> list[Scored]:
    """Compare fits of one pull with a property that holds known classes, for each kind that has it.

    Where a fit has constraints, all are compared once more on the nodes that no rule of any of them names, so that each
    is judged by the same nodes. Kinds without such nodes are left out.
    """
    star, keys = fits[0].star, fits[0].job.relation_keys
    classes = known_classes(store, {nodes.kind: nodes for nodes in star.kinds}, keys, truth)
    found = []
    for title, mined in zip(titles([each.job for each in fits]), fits, strict=True):
        for kind, known in classes.items():
            labels = _labels(mined, kind)
            found.append(Scored(title, kind, False, score_labels(labels, known)))
            free = ~np.logical_or.reduce([each.constraints.touched(kind, len(labels)) for each in fits])
            told = np.array([each is not None for each in known]) & free & (labels != UNPLACED)
            if not free.all() and told.any():
                found.append(Scored(title, kind, True, score_labels(np.where(free, labels, UNPLACED), known)))
    return found


def _labels(mined: Mined, kind: str) -> Labels:
    return mined.clustering.labels[kind]
