"""Looking at where labels are to go before they are found, so that nobody waits for a fit that can not be written."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from graphmine.exchange.claims import Claim, claim
from graphmine.job import Job
from graphmine.model import Star
from graphmine.progress import Progress
from graphmine.store import Store
from graphmine.verbs.constraining import relation_keys

__all__ = ["claiming"]


@contextmanager
def claiming(
    store: Store, job: Job, star: Star, progress: Progress
) -> Iterator[tuple[Progress, Callable[[], Claim | None]]]:
    """Claim the property that a job names: beside the fit where a server does the work, else before it.

    Gives the progress to fit with, which ends the fit as soon as the claim is refused, and what waits for the claim.
    The levels of a taxonomy have properties of their own, and are claimed when it is known how many there are.
    """
    if job.write is None or job.hierarchy:
        yield progress, lambda: None
        return
    keys = relation_keys(job.patterns, job.keys, job.rules)
    work = partial(claim, store, star, job.write, overwrite=job.overwrite, keys=keys)
    if store.writers == 1:  # one connection, which nothing else may use meanwhile
        claimed = work()
        yield progress, lambda: claimed
        return
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(work)
        yield partial(_watched, beside, progress), beside.result


def _watched(beside: Future[Claim], progress: Progress, what: str, done: int, total: int | None = None) -> None:
    if beside.done():
        beside.result()  # raises what it was refused for
    progress(what, done, total)
