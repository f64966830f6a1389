"""Pull, constrain, fit and push in one call, and the plan of what that would do."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from graphmine.constraints.satisfaction import met
from graphmine.exchange.counts import count_sizes
from graphmine.exchange.pull import pull
from graphmine.exchange.push_checks import PropertyClaim, claim
from graphmine.exchange.runs import Run
from graphmine.exchange.schema import property_type
from graphmine.job import Job
from graphmine.methods.n_clusters import most_clusters
from graphmine.methods.selection.choose_k import Choice, choose_k
from graphmine.methods.taxonomy.taxonomy import Taxonomy, taxonomy
from graphmine.model import FREE, Clustering, Constraints, Pattern, Star
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store
from graphmine.verbs.align import align, run_to_follow
from graphmine.verbs.check_names import check_job_names
from graphmine.verbs.constrain import constrain, settle
from graphmine.verbs.estimate import estimate, refuse_too_large
from graphmine.verbs.result import Mined, clock
from graphmine.verbs.sequences import property_of
from graphmine.verbs.write import write_result

__all__ = ["Plan", "claim_beside_fit", "fit", "mine", "plan"]


@contextmanager
def claim_beside_fit(
    store: Store, job: Job, star: Star, progress: Progress
) -> Iterator[tuple[Progress, Callable[[], PropertyClaim | None]]]:
    """Claim the property that a job names: beside the fit where a server does the work, else before it.

    Gives the progress to fit with, which ends the fit as soon as the claim is refused, and what waits for the claim.
    The levels of a taxonomy have properties of their own, and are claimed when it is known how many there are.
    """
    if job.write is None or job.hierarchy:
        yield progress, lambda: None
        return
    work = partial(claim, store, star, job.write, overwrite=job.overwrite, keys=job.relation_keys)
    if store.writers == 1:  # one connection, which nothing else may use meanwhile
        claimed = work()
        yield progress, lambda: claimed
        return
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(work)
        yield partial(_watched, beside, progress), beside.result


def _watched(beside: Future[PropertyClaim], progress: Progress, what: str, done: int, total: int | None = None) -> None:
    if beside.done():
        beside.result()  # raises what it was refused for
    progress(what, done, total)


@dataclass(frozen=True)
class Plan:
    """What a job would do: how many nodes and relationships it would read, and what it would write."""

    job: Job
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    writes: Mapping[str, int]
    """For each kind whose property would be written: how many of its nodes hold a value there now.

    Of a taxonomy that is the property of its first level; how many levels there will be is not known before the fit.
    """
    follows: Run | None = None
    """The run whose numbers the clusters would follow, if any."""

    @property
    def written(self) -> str | None:
        """The property that would be written first, if any."""
        job = self.job
        return property_of(job.write, 1) if job.write is not None and job.hierarchy else job.write


def mine(store: Store, job: Job, *, force: bool = False, progress: Progress = silent) -> Mined:
    """Pull, constrain, fit and, where the job names a property, push.

    The store is the one given; ``job.db`` is for whoever opens it, as the command line does. The levels of a taxonomy
    are written one by one, each to a property of its own. The numbers of clusters follow those of an earlier run, see
    `graphmine.verbs.align`. A job that would not fit in memory by its `estimate` is refused before anything is
    read, unless forced.
    """
    with store.snapshot():
        run = run_to_follow(store, job)  # before the work begins: the job may name a run that is not there
        if not force:
            refuse_too_large(estimate(store, job))
        found = align(store, fit(store, job, progress=progress), run)
        return write_result(store, found, progress=progress)


def fit(
    store: Store,
    job: Job,
    *,
    recall: Callable[[Star], Constraints] | None = None,
    star: Star | None = None,
    progress: Progress = silent,
) -> Mined:
    """Pull, constrain and fit; nothing is written, but a job whose labels could not be is refused before the fit.

    Parameters
    ----------
    recall
        What is known of the nodes of the star besides what the rules say; it is asked as soon as that is pulled.
    star
        What `pull` gives for the job, where that has been done.
    """
    seconds: dict[str, float] = {}
    if star is None:
        with clock(seconds, "pull"):
            star = pull(store, job.patterns, where=job.filters, keys=job.relation_keys, progress=progress)
    known = FREE if recall is None else recall(star)
    with claim_beside_fit(store, job, star, progress) as (watched, claimed):
        constraints, given_up = FREE, 0
        if job.rules:
            with clock(seconds, "constrain"):
                constraints, given_up = _draw_constraints(store, star, job, watched)
        if known is not FREE:
            constraints += known
        choice, tree = None, None
        if job.chooses:
            with clock(seconds, "choose"):
                choice = choose_k(star, job.fitter_for, constraints, seed=job.seed, progress=watched)
        with clock(seconds, "fit"):
            if job.hierarchy:
                tree = _fit_taxonomy(job, star, constraints, watched)
                clustering = tree.levels[-1]
            else:
                clustering = _fit_clustering(job, star, constraints, choice, watched)
        claim = claimed()
    reached = met(constraints, clustering)
    return Mined(job, star, clustering, None, seconds, constraints, reached, given_up, choice, tree, claim=claim)


def _fit_taxonomy(job: Job, star: Star, constraints: Constraints, progress: Progress) -> Taxonomy:
    """Return a taxonomy with as many leaves as the job asks for clusters."""
    n_leaves = most_clusters(job.fitter.n_clusters)
    return taxonomy(star, job.fitter_for, n_leaves, constraints, seed=job.seed, progress=progress)


def _fit_clustering(
    job: Job, star: Star, constraints: Constraints, choice: Choice | None, progress: Progress
) -> Clustering:
    """Return the fit, which may have been made when its number of clusters was chosen."""
    if choice is None:
        return job.fitter.fit(star, constraints, seed=job.seed, progress=progress)
    return choice.clustering or job.fitter_for(choice.k).fit(star, constraints, seed=job.seed, progress=progress)


def _draw_constraints(store: Store, star: Star, job: Job, progress: Progress) -> tuple[Constraints, int]:
    drawn = constrain(store, star, job.rules, keys=job.keys, progress=progress)
    return settle(drawn, star, job.on_conflict, None if job.chooses else most_clusters(job.fitter.n_clusters))


def plan(store: Store, job: Job) -> Plan:
    """Say what a job would read and write, from counts alone."""
    with store.snapshot():
        found = store.reading(lambda tx: _plan(tx, job))
        return replace(found, follows=run_to_follow(store, job))


def _plan(tx: Reader, job: Job) -> Plan:
    check_job_names(tx, job)

    sizes = count_sizes(tx, job.patterns, exact=True)
    relationships = {str(Pattern((step,))): number for step, number in sizes.links.items()}
    found = Plan(job, sizes.nodes, relationships, {})
    if found.written is None:
        return found
    written = found.written
    held = [kind for kind in job.kinds if property_type(tx, kind, written) is not None]
    numbers = tx.counts([("count_property", {"kind": kind, "property": written}) for kind in held])
    writes = dict.fromkeys(job.kinds, 0) | dict(zip(held, numbers, strict=True))
    return replace(found, writes=writes)
