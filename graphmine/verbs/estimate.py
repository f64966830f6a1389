"""What a job would cost, from counts alone, before anything of the network is read.

The memory of a job is that of the program and its connection, then that of the pull, which stays, and on top of it the
larger of what constraints and fit take and what the push takes. The numbers below were measured on LadybugDB and Neo4j;
`benchmarks.estimates` compares what they give with what jobs take.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphmine.errors import SizeError
from graphmine.exchange.counts import Sizes, count_sizes
from graphmine.job import Job
from graphmine.linalg.resources import available_memory
from graphmine.methods.n_clusters import most_clusters
from graphmine.model import Pattern
from graphmine.store import Reader, Store
from graphmine.store.database import TransferCost
from graphmine.verbs.check_names import check_job_names

__all__ = ["Estimate", "estimate", "refuse_too_large"]

_PROGRAM = 230e6
"""Bytes of the program itself, with all that it imports."""
_AUTO_CLUSTERS, _AUTO_FITS = 20, 10
"""How many clusters the largest of the fits has that `-k auto` makes, and how many it makes, ordinarily."""
_LINK = 200
"""Bytes of a pair that a rule links, from the rule to the fit."""


@dataclass(frozen=True)
class Estimate:
    """What a job would read and take.

    Parameters
    ----------
    job
        What is asked for.
    nodes, relationships
        How many nodes of each kind, and relationships of each relation, would be read. Filters are not looked at.
    pairs
        About how many pairs each relation has then.
    memory
        Bytes for the ``program``, ``pull``, ``constrain``, ``fit`` and ``push``.
    seconds
        Processor time of the ``pull``, ``fit`` and ``push``, to an order of magnitude.
    available
        Bytes that are free now.
    """

    job: Job
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    pairs: Mapping[str, float]
    memory: Mapping[str, float]
    seconds: Mapping[str, float]
    available: int

    @property
    def more(self) -> float:
        """Bytes beyond those of the program itself."""
        later = max(self.memory["constrain"] + self.memory["fit"], self.memory["push"])
        return self.memory["pull"] + later

    @property
    def peak(self) -> float:
        """Bytes in all, where they are most."""
        return self.memory["program"] + self.more

    @property
    def fits(self) -> bool:
        """Whether there is enough memory."""
        return self.more <= self.available

    @property
    def too_large(self) -> str:
        """What to say where there is not."""
        return (
            f"the job would take about {self.peak / 1e9:.3g} GB of memory, and {self.available / 1e9:.3g} GB are "
            "available; mine a smaller part of the network, with `where=`, or say `force=True` to try all the same"
        )


def estimate(store: Store, job: Job) -> Estimate:
    """Say what a job would read and take, from counts alone."""
    return store.reading(lambda tx: _estimate(tx, job))


def refuse_too_large(found: Estimate) -> None:
    """Refuse a job that would not fit in memory."""
    if not found.fits:
        raise SizeError(found.too_large)


def _estimate(tx: Reader, job: Job) -> Estimate:
    check_job_names(tx, job)
    drawn = [pattern for rule in job.rules if (pattern := getattr(rule.body, "pattern", None)) is not None]
    sizes = count_sizes(tx, [*job.patterns, *drawn])
    rates, cost = tx.database.cost, job.traits.cost
    pairs = {str(pattern): sizes.pairs(pattern) for pattern in job.patterns}
    n_nodes, n_pairs = sum(sizes.nodes[kind] for kind in job.kinds), sum(pairs.values())
    clusters = _AUTO_CLUSTERS if job.chooses else most_clusters(job.fitter.n_clusters)
    memory = {
        "program": _PROGRAM,
        "pull": rates.always + _pulled(rates, sizes, job.patterns),
        "constrain": _pulled(rates, sizes, drawn) + _LINK * sum(map(sizes.pairs, drawn)),
        "fit": cost.memory(n_pairs, n_nodes, clusters),
        "push": 0.0 if job.write is None else rates.to_push + rates.a_node_pushed * n_nodes,
    }
    read = sum(map(sizes.read, [*job.patterns, *drawn]))
    seconds = {
        "pull": 1e-6 * rates.microseconds_a_link * (read + n_nodes),
        "fit": cost.seconds(n_pairs, n_nodes) * (_AUTO_FITS if job.chooses else 1),
        "push": 0.0 if job.write is None else 1e-6 * rates.microseconds_a_node_pushed * n_nodes,
    }
    kinds = dict.fromkeys(kind for pattern in job.patterns for kind in pattern.kinds)
    return Estimate(
        job=job,
        nodes={kind: sizes.nodes[kind] for kind in kinds},
        relationships={str(pattern): sizes.read(pattern) for pattern in job.patterns},
        pairs=pairs,
        memory=memory,
        seconds=seconds,
        available=available_memory(),
    )


def _pulled(rates: TransferCost, sizes: Sizes, patterns: Iterable[Pattern]) -> float:
    """Return the bytes that relations take while they are read, as far as they stay."""
    found = 0.0
    for pattern in patterns:
        found += rates.a_node * sum(sizes.nodes[kind] for kind in pattern.kinds)
        for step in pattern.steps:
            found += (rates.a_link + (rates.a_weight if step.weight else 0)) * sizes.links.get(step, 0)
        if len(pattern.steps) > 1 or pattern.rows == pattern.cols:  # a product, or the sum of both directions
            found += rates.a_pair * sizes.pairs(pattern)
    return found
