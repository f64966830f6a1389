"""LCM: links as more edges of one graph, and the normalised cut of all of it (Shi, Fan, Yu, ICDM 2010)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array

from graphmine.arrays import Ints
from graphmine.linalg.link_matrix import CoupledBlock, connected_parts
from graphmine.linalg.metric import Metric
from graphmine.methods.base import Traits
from graphmine.methods.spectral.base import ConstrainedMethod
from graphmine.methods.spectral.embedding import Cut, objective
from graphmine.methods.spectral.fit import SPECTRAL_COST, ConstrainedCut
from graphmine.methods.spectral.links import LinkedRelation
from graphmine.model import Constraints, Relation

__all__ = ["LCM"]


@dataclass(frozen=True)
class LCM(ConstrainedMethod):
    """Spectral partition of one graph of both kinds, in which must-links are edges like any other.

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
    With E the block and C_rr, C_cc and C_rc the links within the kinds and across, the graph has the adjacency matrix

        W = [[δ C_rr, E + δ C_rc], [(E + δ C_rc)ᵀ, δ C_cc]]

    (equation 6) and D its row sums. The eigenvectors 2..k of D^-½ (D - W) D^-½, from the smallest eigenvalue on, times
    D^-½, embed all nodes, and k-means over them gives the clusters. The one entry of the trace is the normalised cut of
    this graph, Σ_a cut(a) / volume(a). Without links all of it is S-CO, to the last digit.

    - What the paper does not say: a cannot-link would be an edge of negative weight, for which this cut means nothing.
      They are refused. "The selected k eigenvectors" are 2..k, as in `SCO`.
    - The graph is no longer bipartite, so there is no singular value problem of half the size. (D + W) / 2 has no
      negative eigenvalues, and its leading singular vectors are the ones that are looked for. Those that belong to no
      positive eigenvalue of D^-½ W D^-½ part more than they join, and are left out.
    - A group of m nodes is a clique, kept as its m members and never as its m² edges.
    - Hard must-links are closed first, and always met: nodes that they tie are put at one point, their mean weighted by
      their relationships. A node without relationships is placed by its links, if they lead to a node that has some.

    The cost is O(nnz + n k) a Lanczos step for n nodes of both kinds, links and memberships among the entries; `SCM`
    searches the smaller kind alone.

    References
    ----------
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010, section III.
    J. Shi, J. Malik: Normalized cuts and image segmentation. PAMI 2000.

    Examples
    --------
    >>> from graphmine.model import Links, Nodes, Star
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> met = Constraints({"Author": Links.of_pairs([[2, 3]])})
    >>> LCM(n_clusters=2).fit(Star((wrote,)), met, seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    """

    traits: ClassVar[Traits] = Traits(
        name="lcm",
        title="Link-based constraint model",
        paper="X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.",
        cost=SPECTRAL_COST,
        constraints=frozenset({"must", "across"}),
        k_per_kind=True,
    )

    @staticmethod
    def constrained_cut(relation: Relation, constraints: Constraints, delta: float) -> ConstrainedCut:
        """Return the graph of equation 6 as a cut, every node both a row and a column of it."""
        linked = LinkedRelation.of(relation, constraints, delta)
        nodes, degree = linked.nodes, linked.degree[linked.nodes]
        bonds = linked.links.between(nodes, np.ones(len(linked.degree)))
        edges = csr_array(linked.edges[nodes][:, nodes])
        volumes = degree + bonds.row_sums
        half = csr_array((edges + edges.T + diags_array(volumes - bonds.diagonal)) / 2)
        _, parts = connected_parts(edges, bonds)
        cut = Cut(
            CoupledBlock(half, bonds.incidence, csr_array(bonds.strength / 2), bonds.incidence),
            rows=np.arange(len(nodes)),
            cols=np.arange(len(nodes)),
            metrics=(Metric(volumes), Metric(volumes)),
            parts=np.concatenate([parts, parts]),
            nothing=0.5 + 1e-8,  # an eigenvalue of 0 in D^-½ W D^-½
        )

        def judge(labels: Ints) -> float:
            return 2 * objective(cut, np.concatenate([labels, labels]))

        return ConstrainedCut(cut, linked.rows, linked.cols, cut.rows, linked.tied, degree, judge)
