"""SCM: spectral co-clustering with must- and cannot-links in its metric (Shi, Fan, Yu, ICDM 2010)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphmine.linalg.bipartite import submatrix
from graphmine.linalg.link_matrix import CoupledBlock, connected_parts
from graphmine.linalg.metric import Metric
from graphmine.methods.base import Traits
from graphmine.methods.spectral.base import ConstrainedMethod
from graphmine.methods.spectral.embedding import Cut
from graphmine.methods.spectral.fit import SPECTRAL_COST, ConstrainedCut
from graphmine.methods.spectral.links import LinkedRelation, bounded_links, split_sides
from graphmine.model import Constraints, Relation

__all__ = ["SCM"]


@dataclass(frozen=True)
class SCM(ConstrainedMethod):
    """Spectral co-clustering with constraints: links within and across two kinds bend the metric of the embedding.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind; or how many of each kind, as
        ``{"Author": 4, "Venue": 3}``. Fewer come back where there are fewer distinct profiles than that.
    delta
        How much a link of weight 1 counts: as much as so many relationships of median weight. It is the paper's δ,
        freed of the scale of the relation's weights. On planted networks with as many must-links as authors, 3 gave
        NMIs of .89, .86 and .80 where none, a fifth and two fifths of the links were random (S-CO: .72), and 30 gave
        .93, .78 and .62: links that can be trusted bear more. ``"auto"`` chooses it by links that are hidden for the
        time, as `graphmine.methods.selection.choose_delta` describes.

    Notes
    -----
    With E the block, C_rr and C_cc the links within the kinds (weights of must-links positive, of cannot-links
    negative), C_rc those across, D and S the row sums of E and of all links on the diagonal,

        B = E + δ C_rc,   M_r = D_r + δ S_r - δ C_rr,   M_c = D_c + δ S_c - δ C_cc,

    A = M_r^-½ B M_c^-½ = U Σ Vᵀ and the embedding is Z = [M_r^-½ U; M_c^-½ V] of the vectors 2..k; k-means over all of
    its rows gives the clusters of both kinds at once. The one entry of the trace is the constrained normalised cut

        Σ_a x_aᵀ (M - W) x_a / x_aᵀ M x_a,   M = diag(M_r, M_c),   W = [[0, B], [Bᵀ, 0]],

    with x_a the indicator of cluster a: above, the weight of the relationships that leave a and δ times that of the
    must-links that do, less δ times that of the cannot-links that do; below, the weight of its relationships and of the
    links that leave it or lie across the kinds. Without constraints all of it is S-CO, to the last digit.

    With a number for each kind, k and l, the vectors are 2..max(k, l), and k-means goes over the rows of each kind by
    themselves, as Algorithm 1 has it. Their clusters are then matched one to one by the weight between them, so that
    the same number means partners; what is left over on the larger side has the numbers behind. Hard must-links across
    kinds are refused there: two rows of one cluster could be tied to columns of two.

    - Algorithm 1 of the paper prints D - δC; its equations 15 and 16, with + δS, are right. Its vectors 2..k+1 are one
      too many, as in `SCO`.
    - No square root is taken: Z solves B v = s M_r u, Bᵀ u = s M_c v by itself, and k-means needs nothing else. M is
      multiplied and solved with as it is given, a group of m nodes costing m; see `graphmine.linalg.metric.Metric`.
    - u = v = 1 is a pair with s = 1 on every connected part of relationships and links together, and known beforehand.
      Cannot-links give rise to s > 1; these vectors come before the parts.
    - M stays positive definite as long as the cannot-links of a node weigh less than half of its relationships. Where
      they weigh more they are scaled down, at that node, and a warning names it.
    - Hard links are closed first, and contradictions among them refused. Hard must-links are always met: nodes that
      they tie, within a kind or across, are put at one point, their mean weighted by their relationships. Hard
      cannot-links act by their weight alone; the report says how far they are met.
    - A node without relationships is placed by its must-links, if they lead to a node that has some; else it is left
      `UNPLACED`.

    The vectors are as exact as those of `SCO`: to a residual of 1e-12, above a million relationships to 1e-4.

    The cost is that of `SCO`, and a solve with M_r and M_c at each Lanczos step: in closed form where the links of a
    kind are disjoint groups, else by conjugate gradients, whose steps cost as much as there are links and members.

    References
    ----------
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.model import Links, Nodes, Star
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> met = Constraints({"Author": Links.of_pairs([[2, 3]])})
    >>> SCM(n_clusters=2).fit(Star((wrote,)), met, seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    """

    traits: ClassVar[Traits] = Traits(
        name="scm",
        title="Spectral constraint modelling",
        paper="X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.",
        cost=SPECTRAL_COST,
        constraints=frozenset({"must", "cannot", "across"}),
        k_per_kind=True,
    )

    @staticmethod
    def constrained_cut(relation: Relation, constraints: Constraints, delta: float) -> ConstrainedCut:
        """Return the cut of equations 15 and 16, with the links in its metrics and its block."""
        linked = LinkedRelation.of(relation, constraints, delta)
        nodes, rows, cols = linked.nodes, linked.rows, linked.cols
        bonds = bounded_links(relation, linked.block, linked.links, nodes)
        _, parts = connected_parts(submatrix(linked.edges, nodes, nodes), bonds)
        among_rows, across, among_cols = split_sides(bonds, len(rows))
        B = CoupledBlock(submatrix(linked.block, rows, cols), *across)
        metrics = Metric(B @ np.ones(len(cols)), among_rows), Metric(B.adjoint_times(np.ones(len(rows))), among_cols)
        repels = bool(linked.links.cannot.strength.nnz)
        return ConstrainedCut.of(Cut(B, rows, cols, metrics, parts, repels=repels), linked.tied)
