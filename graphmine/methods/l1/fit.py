"""Fits of one star by L1, for any links and weights of these: two clusters, or more by repeated splits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphmine.linalg.l1.rounding import partition_value
from graphmine.methods.base import Method
from graphmine.methods.graph_problem import GraphProblem
from graphmine.methods.l1.bisect import Sides, Splitter, Trust
from graphmine.methods.l1.k_way import belonging_over_splits, trust_over_splits
from graphmine.methods.labels import renumber
from graphmine.methods.taxonomy.branches import grow
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["StarFitter"]


@dataclass(frozen=True, eq=False)
class StarFitter:
    """A star that is to be fitted.

    Parameters
    ----------
    star, frame
        The star, and its one relation as a graph.
    splitter
        What cuts that graph.
    n_clusters, seed
        Those of the fit.
    """

    star: Star
    problem: GraphProblem
    splitter: Splitter
    n_clusters: int
    seed: int | None

    def cuts(self, constraints: Constraints, lams: Sequence[float], progress: Progress = silent) -> list[Clustering]:
        """Return two clusters, or one, for one weight of links after another, each from where the one before ended."""
        return [self._clustering(sides) for sides in self.splitter.path(constraints, lams, progress)]

    def bisect(self, constraints: Constraints, two_way: Method, lam: float, progress: Progress = silent) -> Clustering:
        """Return more than two clusters, by splitting in two again and again; what there is, if that is less.

        Parameters
        ----------
        two_way
            L1 for two clusters, with this weight of links.
        """
        tree = grow(self.star, constraints, two_way, self.n_clusters, seed=self.seed, progress=progress)
        first, leaves = tree.root.split, tree.levels[-1]
        if first is None:
            return replace(self, n_clusters=1).cuts(constraints, [lam])[0]
        labels = self.splitter.move_vertices(constraints, lam, self.problem.gather(leaves.labels))
        trust = trust_over_splits(tree, self.star, constraints) if constraints else {}
        figures = {**first.figures, "contradicted links": _contradicted(trust)}
        return replace(
            leaves,
            labels=renumber(self.problem.spread(labels)),
            trace=first.trace,
            trust=trust,
            figures=figures,
            belonging=belonging_over_splits(tree),
        )

    def record(self, found: Clustering, constraints: Constraints) -> dict[str, float]:
        """Return what a fit cuts, and how many of its links' pairs of vertices it does not meet, by name."""
        labels = self.problem.gather(found.labels)
        pairs = self.splitter.pairs(constraints)
        left, right = labels[pairs.ends].T
        return {
            "objective": found.figures["objective"],
            "cut": 2 * partition_value(self.splitter.free, labels, found.n_clusters),
            "contradicted": found.figures["contradicted links"],
            "violated": int(np.count_nonzero((left == right) != pairs.alike)),
        }

    def _clustering(self, sides: Sides) -> Clustering:
        labels = sides.labels if self.n_clusters == 2 else np.zeros_like(sides.labels)
        figures = {
            "objective": sides.trace[-1],
            "inner gap": sides.gap,
            "contradicted links": _contradicted(sides.trust),
        }
        return Clustering(
            renumber(self.problem.spread(labels)),
            trace=sides.trace,
            converged=sides.converged,
            trust=sides.trust,
            figures=figures,
            belonging=sides.belonging,
        )


def _contradicted(trust: Trust) -> int:
    """Return how many links are not met exactly."""
    return sum(int(np.count_nonzero(each < 1)) for each in trust.values())
