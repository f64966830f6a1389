"""VCM: links as more vertices of a bipartite graph, and its normalised cut (Shi, Fan, Yu, ICDM 2010)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import block_array, csr_array, triu, vstack

from graphmine.arrays import Ints
from graphmine.linalg.link_matrix import CoupledBlock, LinkMatrix, connected_parts
from graphmine.linalg.metric import Metric
from graphmine.methods.base import Traits
from graphmine.methods.spectral.base import ConstrainedMethod
from graphmine.methods.spectral.embedding import Cut, objective
from graphmine.methods.spectral.fit import SPECTRAL_COST, ConstrainedCut
from graphmine.methods.spectral.links import LinkedRelation, split_sides
from graphmine.model import Constraints, Relation

__all__ = ["VCM"]


@dataclass(frozen=True)
class VCM(ConstrainedMethod):
    """Spectral co-clustering of a larger bipartite graph, with a vertex for every must-link.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind; or how many of each kind, as
        ``{"Author": 4, "Venue": 3}``, which are then found and matched as in `SCM`.
    delta
        How much a link of weight 1 counts: as much as so many relationships of median weight; or ``"auto"``, as
        `graphmine.methods.selection.choose_delta` describes.

    Notes
    -----
    With E the block, C_rc the links across the kinds, and a column of P_r for every link between rows, a column of P_c
    for every link between columns, the graph has the block

        Ê = [[E + δ C_rc, δ P_r], [δ P_cᵀ, 0]],

    whose added columns and rows are the pseudo vertices. `SCO` of Ê embeds all vertices, and k-means over the nodes
    among them gives the clusters. The one entry of the trace is the normalised cut of this graph, every pseudo vertex
    in the cluster that it has most weight with. Without links all of it is S-CO, to the last digit.

    - **Erratum**: the text and figure 2(c) have a pseudo vertex for each constraint, linked with the nodes that it
      constrains, and that is done here. Equation 7 has a pseudo vertex for each node instead, with C_rr in the place of
      P_r: row i is linked with the j-th one and row j with the i-th one. Two rows that must be together, and with no
      third, are then no nearer to each other than before, for nothing joins these two vertices.
    - A group is one constraint and so one vertex, linked with each of its m members by the weight of the link times
      m - 1, which is what the member's pairs weigh in equations 6, 7 and 16. A link between groups of p and q nodes is
      one vertex, linked with the p by q times its weight and with the q by p times.
    - What the paper does not say: a cannot-link has no vertex that could stand for it. They are refused. "Traditional
      spectral co-clustering" takes vectors 2..k, as in `SCO`.
    - Hard must-links are closed first, and always met: nodes that they tie are put at one point, their mean weighted by
      their relationships. A node without relationships is placed by its links, if they lead to a node that has some.

    The cost is O(nnz + n k) a Lanczos step, with n all vertices and a link to a pseudo vertex for each member of each
    link among the entries; a group that takes part in many links is counted in each.

    References
    ----------
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010, section III.

    Examples
    --------
    >>> from graphmine.model import Links, Nodes, Star
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> met = Constraints({"Author": Links.of_pairs([[2, 3]])})
    >>> VCM(n_clusters=2).fit(Star((wrote,)), met, seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    """

    traits: ClassVar[Traits] = Traits(
        name="vcm",
        title="Vertex-based constraint model",
        paper="X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.",
        cost=SPECTRAL_COST,
        constraints=frozenset({"must", "across"}),
        k_per_kind=True,
    )

    @staticmethod
    def constrained_cut(relation: Relation, constraints: Constraints, delta: float) -> ConstrainedCut:
        """Return the larger bipartite graph as a cut, pseudo vertices behind the nodes on each side."""
        linked = LinkedRelation.of(relation, constraints, delta)
        nodes, rows, cols = linked.nodes, linked.rows, linked.cols
        bonds = linked.links.between(nodes, np.ones(len(linked.degree)))
        among_rows, (left, strength, right), among_cols = split_sides(bonds, len(rows))
        spokes = _spokes(among_rows), _spokes(among_cols)
        wider = csr_array(block_array([[linked.block[rows][:, cols], spokes[0]], [spokes[1].T, None]], format="csr"))
        n_rows, n_cols = wider.shape
        B = CoupledBlock(wider, _pad_rows(left, n_rows), strength, _pad_rows(right, n_cols))
        _, parts = connected_parts(csr_array(linked.edges[nodes][:, nodes]), bonds)
        cut = Cut(
            B,
            rows=np.arange(n_rows),
            cols=np.arange(n_cols),
            metrics=(Metric(B @ np.ones(n_cols)), Metric(B.T @ np.ones(n_rows))),
            parts=_with_pseudo_vertices(parts, spokes),
        )
        vertices = np.concatenate([np.arange(len(rows)), n_rows + np.arange(len(cols))])

        def judge(labels: Ints) -> float:
            return objective(cut, _with_pseudo_vertices(labels, spokes))

        return ConstrainedCut(cut, rows, cols, vertices, linked.tied, linked.degree[nodes], judge)


def _spokes(bonds: LinkMatrix) -> csr_array:
    """Return a column for each pair of bonded units, with the weight of all that it bonds each point to."""
    pairs = triu(bonds.strength, format="coo")
    sizes = np.asarray(bonds.incidence.sum(axis=0), dtype=np.float64)
    loops, numbers = pairs.row == pairs.col, np.arange(pairs.nnz)
    units = np.concatenate([pairs.row, pairs.col[~loops]])
    weights = np.concatenate([pairs.data * (sizes[pairs.col] - loops), (pairs.data * sizes[pairs.row])[~loops]])
    shape = bonds.incidence.shape[1], pairs.nnz
    shares = csr_array((weights, (units, np.concatenate([numbers, numbers[~loops]]))), shape=shape)
    spokes = csr_array(bonds.incidence @ shares)
    spokes.eliminate_zeros()  # a group of one bonds nothing
    return csr_array(spokes[:, np.unique(spokes.indices)])


def _pad_rows(matrix: csr_array, n_rows: int) -> csr_array:
    return csr_array(vstack([matrix, csr_array((n_rows - matrix.shape[0], matrix.shape[1]))], format="csr"))


def _with_pseudo_vertices(values: Ints, spokes: tuple[csr_array, csr_array]) -> Ints:
    """Return the values of nodes, and for each pseudo vertex behind them the one that it has most weight with."""
    rows, cols = np.split(values, [spokes[0].shape[0]])
    return np.concatenate([rows, _heaviest(spokes[1], cols), cols, _heaviest(spokes[0], rows)])


def _heaviest(spokes: csr_array, values: Ints) -> Ints:
    names, places = np.unique(values, return_inverse=True)
    by_value = csr_array((np.ones(len(values)), (np.arange(len(values)), places)), shape=(len(values), len(names)))
    weight = csr_array(spokes.T @ by_value)
    heaviest: Ints = names[np.asarray(weight.argmax(axis=1)).ravel()]
    return heaviest
