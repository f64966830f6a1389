"""Row-only: SCM with the links of one kind alone, the paper's third comparison (Shi, Fan, Yu, ICDM 2010)."""

from dataclasses import dataclass
from typing import ClassVar

from graphmine.errors import ConstraintError
from graphmine.methods.base import Traits
from graphmine.methods.spectral.fit import SPECTRAL_COST
from graphmine.methods.spectral.scm import SCM
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["RowOnly"]


@dataclass(frozen=True)
class RowOnly(SCM):
    """SCM that knows the links between rows and no others, to show what the others are worth.

    Parameters
    ----------
    n_clusters, delta
        As in `SCM`.

    Notes
    -----
    It is `SCM` with C_cc = 0 and C_rc = 0, so that

        A = (D_r + δ S_r - δ C_rr)^-½ E D_c^-½.

    The rows are the first kind of the relation: the authors of ``Author-WROTE->Paper``. Links of the other kind and
    across kinds are refused, not passed over, so that nobody believes they had counted. Cost and pitfalls are those of
    `SCM`.

    References
    ----------
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010, where it is
    "co-clustering with only the row constraint".

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.model import Links, Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> met = Constraints({"Author": Links.of_pairs([[2, 3]])})
    >>> RowOnly(n_clusters=2).fit(Star((wrote,)), met, seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    """

    traits: ClassVar[Traits] = Traits(
        name="row-only",
        title="Spectral constraint modelling of rows alone",
        paper="X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.",
        cost=SPECTRAL_COST,
        constraints=frozenset({"must", "cannot"}),
        k_per_kind=True,
        rows_alone=True,
    )

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of both kinds of a relation, its rows drawn together and apart by links."""
        rows, cols = (nodes.kind for nodes in star.kinds)
        if len(constraints.within.get(cols, ())):
            raise ConstraintError(
                f"RowOnly takes links of {rows} nodes alone, the rows of the relation, and there are links of {cols} "
                "nodes; use SCM or leave them out"
            )
        return super()._fit(star, constraints, seed, progress)
