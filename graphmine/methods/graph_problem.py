"""The graph that L1 and FCSC cut: nodes of one kind or two, those that hard must-links tie being one vertex."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Ints
from graphmine.closure.hard_links import closed
from graphmine.methods.n_clusters import check_enough
from graphmine.methods.spectral.embedding import unit_block
from graphmine.methods.spectral.links import edges_of, link_matrices
from graphmine.model import UNPLACED, Constraints, Nodes, Relation, Star

__all__ = ["GraphProblem", "checked_graph_problem", "graph_problem"]


class GraphProblem(NamedTuple):
    """A graph, and the vertex of it that each node is.

    Parameters
    ----------
    graph
        The weights between vertices; on the diagonal what lies between nodes of one vertex, twice.
    vertex
        For each node, rows before columns, its vertex; `UNPLACED` where neither it nor what it is tied to has any
        relationship. Of a kind with itself every node is there once.
    starts
        Where each kind begins among the nodes.
    """

    graph: csr_array
    vertex: Ints
    starts: dict[str, int]

    @property
    def n_vertices(self) -> int:
        """How many vertices there are."""
        return int(self.graph.shape[0])

    def n_placed(self, kind: str) -> int:
        """Return how many nodes of a kind have a vertex."""
        return int(np.count_nonzero(self.spread(np.arange(self.n_vertices))[kind] != UNPLACED))

    def gather(self, labels: Mapping[str, Ints]) -> Ints:
        """Return a label for every vertex from one for every node; nodes of one vertex must have the same."""
        found = np.empty(self.n_vertices, dtype=np.int64)
        of_nodes = np.concatenate([labels[kind] for kind in self.starts])
        placed = np.flatnonzero(self.vertex != UNPLACED)
        found[self.vertex[placed]] = of_nodes[placed]
        return found

    def spread(self, labels: Ints) -> dict[str, Ints]:
        """Return a label for every node of each kind from one for every vertex."""
        of_nodes = np.append(labels, UNPLACED)[self.vertex]  # UNPLACED is the last place, and stays what it is
        return dict(zip(self.starts, np.split(of_nodes, list(self.starts.values())[1:]), strict=True))


def checked_graph_problem(star: Star, constraints: Constraints, n_clusters: int) -> GraphProblem:
    """Return the graph of a star's one relation; refuse contradictory hard links, and too many clusters."""
    closed(constraints)  # refuses hard links that contradict each other
    problem = graph_problem(star.arms[0], constraints)
    check_enough(n_clusters, {kind: problem.n_placed(kind) for kind in problem.starts}, problem.starts)
    return problem


def graph_problem(relation: Relation, constraints: Constraints) -> GraphProblem:
    """Return the graph of a relation, W = [[0, B], [Bᵀ, 0]] or, of a kind with itself, W = B; refuse an empty one.

    >>> from graphmine import gallery
    >>> from graphmine.model import Links
    >>> star, _ = gallery.islands()
    >>> problem = graph_problem(star.arms[0], Constraints({"Author": Links.of_pairs([[0, 12]], hard=True)}))
    >>> problem.n_vertices, bool(problem.vertex[0] == problem.vertex[12]), problem.n_placed("Venue")
    (21, True, 9)
    """
    both, kinds = _both_ways(relation)
    tied = link_matrices(constraints, kinds, 1.0, 1.0).tied(np.arange(both.shape[0]))
    weight = np.bincount(tied, np.asarray(both.sum(axis=1)))
    names = np.flatnonzero(weight > 0)
    place = np.full(len(weight), UNPLACED, dtype=np.int64)
    place[names] = np.arange(len(names))
    starts = np.cumsum([0, *map(len, kinds)])
    return GraphProblem(
        _contract(both, place[tied], len(names)),
        place[tied],
        {nodes.kind: int(start) for nodes, start in zip(kinds, starts[:-1], strict=True)},
    )


def _both_ways(relation: Relation) -> tuple[csr_array, tuple[Nodes, ...]]:
    """Return the links of a relation in both directions, and the kinds they are between."""
    block = unit_block(relation)
    if relation.of_one_kind:  # a star has it as a graph already
        return block, (relation.rows,)
    edges = edges_of(block)
    return csr_array(edges + edges.T), (relation.rows, relation.cols)


def _contract(graph: csr_array, vertex: Ints, n: int) -> csr_array:
    """Return the weights between vertices, as sums over the nodes of each."""
    if n == len(vertex):
        return graph
    placed = np.flatnonzero(vertex != UNPLACED)
    gather = csr_array((np.ones(len(placed)), (vertex[placed], placed)), shape=(n, len(vertex)))
    return csr_array(gather @ graph @ gather.T)
