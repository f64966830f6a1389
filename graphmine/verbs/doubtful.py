"""Links that the data speak against, found by a fit that can give up any of them."""

from dataclasses import dataclass, replace

from graphmine.constraints.doubtful import Doubts, doubts
from graphmine.constraints.preview import numbered_classes
from graphmine.errors import ParameterError
from graphmine.job import Job
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.known_classes import known_classes
from graphmine.verbs.mine import fit
from graphmine.verbs.result import Mined

__all__ = ["Doubted", "doubtful"]


@dataclass(frozen=True)
class Doubted:
    """The fit, and the links that it does not meet."""

    mined: Mined
    doubts: Doubts


def doubtful(
    store: Store, job: Job, *, below: float = 1.0, truth: str | None = None, progress: Progress = silent
) -> Doubted:
    """Return the links of a job's rules that the data speak against; nothing is written.

    Parameters
    ----------
    job
        With rules, and a method that judges each link, such as ``l1``, which here takes a group for as many links as it
        has members unless ``param`` has ``groups``.
    below
        Links are doubtful that are trusted less; with 1 all that are not met exactly.
    truth
        A property with known classes, to see how many of the doubts are right.
    """
    if not job.rules:
        raise ParameterError("constrain is missing: without rules there is no link to doubt")
    asked = replace(job, param={**job.traits.to_doubt, **job.param})
    mined = fit(store, asked, progress=progress)
    nodes = {each.kind: each for each in mined.star.kinds}
    if any(map(len, mined.constraints.values())) and not mined.clustering.trust:
        raise ParameterError(f"{job.method} does not judge links; name a method that does, such as l1 or loom")
    classes = None
    if truth is not None:
        known = known_classes(store, nodes, job.keys, truth)
        classes = numbered_classes(known, {kind: len(each) for kind, each in nodes.items()})
    return Doubted(mined, doubts(mined.constraints, mined.clustering, nodes, below=below, truth=classes))
