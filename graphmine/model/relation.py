"""Sparse blocks between kinds: one relation, or a star of them around a centre."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphmine.checks import check_number
from graphmine.errors import DataError, ParameterError
from graphmine.model.nodes import Nodes

__all__ = ["Relation", "Star"]


@dataclass(frozen=True, eq=False)
class Relation:
    """A weighted relation between two kinds, as one sparse block.

    Parameters
    ----------
    rows, cols
        The nodes that the block's rows and columns stand for.
    block
        float64 CSR of shape (len(rows), len(cols)); parallel edges are summed, zeros dropped. Weights are finite and
        not negative.
    name
        The pattern it was pulled with, for reports.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> wrote = Relation(Nodes("Author", ["ann", "bob"]), Nodes("Venue", ["KDD"]), csr_array([[2.0], [0.0]]))
    >>> wrote
    Relation(Author × Venue, 2 × 1, 1 nonzeros)
    >>> wrote.transposed
    Relation(Venue × Author, 1 × 2, 1 nonzeros)
    """

    rows: Nodes
    cols: Nodes
    block: csr_array
    name: str = ""

    def __post_init__(self) -> None:
        """Bring the block to its one format and refuse weights that mean nothing."""
        object.__setattr__(self, "block", _canonical(self.block))
        if self.block.shape != (len(self.rows), len(self.cols)):
            raise DataError(
                f"a block of {self.block.shape[0]} × {self.block.shape[1]} does not fit "
                f"{len(self.rows)} {self.rows.kind} × {len(self.cols)} {self.cols.kind}"
            )
        bad = np.flatnonzero(~(np.isfinite(self.block.data) & (self.block.data >= 0)))
        if len(bad):
            row = int(np.searchsorted(self.block.indptr, bad[0], side="right")) - 1
            raise DataError(
                f"the weight between {self.rows.kind} {self.rows[row]!r} and "
                f"{self.cols.kind} {self.cols[int(self.block.indices[bad[0]])]!r} is {self.block.data[bad[0]]}; "
                "weights must be finite and not negative"
            )

    @property
    def nnz(self) -> int:
        """The number of related pairs."""
        return int(self.block.nnz)

    @property
    def of_one_kind(self) -> bool:
        """Whether it joins nodes of a kind with nodes of the same kind."""
        return self.rows.kind == self.cols.kind

    @property
    def graph(self) -> "Relation":
        """The same as a graph of one kind: (B + Bᵀ) / 2, without what nodes have with themselves.

        >>> from scipy.sparse import csr_array
        >>> people = Nodes("Person", ["ann", "bob"])
        >>> Relation(people, people, csr_array([[5.0, 2.0], [0.0, 0.0]])).graph.block.toarray().tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        if self.rows != self.cols:
            raise DataError(f"a graph of {self.rows.kind} needs the same nodes as rows and as columns")
        other = csr_array(self.block.T)
        if not self.block.diagonal().any() and _same(self.block, other):
            return self
        pairs = ((self.block + other) * 0.5).tocoo()
        apart = pairs.row != pairs.col
        block = csr_array((pairs.data[apart], (pairs.row[apart], pairs.col[apart])), shape=self.block.shape)
        return Relation(self.rows, self.cols, block, self.name)

    @property
    def transposed(self) -> "Relation":
        """The transposed relation."""
        return Relation(self.cols, self.rows, csr_array(self.block.T), self.name)

    def __repr__(self) -> str:
        return (
            f"Relation({self.rows.kind} × {self.cols.kind}, {len(self.rows)} × {len(self.cols)}, {self.nnz} nonzeros)"
        )


def _canonical(block: csr_array) -> csr_array:
    given = block
    block = csr_array(given).astype(np.float64, copy=False)
    if not block.has_canonical_format or not np.all(block.data):
        block = block.copy() if block is given or np.shares_memory(block.data, given.data) else block
        block.sum_duplicates()
        block.eliminate_zeros()
    return block


def _same(one: csr_array, other: csr_array) -> bool:
    return bool(
        np.array_equal(one.indptr, other.indptr)
        and np.array_equal(one.indices, other.indices)
        and np.array_equal(one.data, other.data)
    )


@dataclass(frozen=True, eq=False)
class Star:
    """Relations that share one kind, the centre; one arm is the bipartite case.

    Parameters
    ----------
    arms
        Relations whose rows are the centre; `Star.of` turns them round where needed. One of a kind with itself is
        taken as its `Relation.graph`.
    weights
        How much each arm counts; all 1 by default.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> document = Nodes("Document", [1, 2])
    >>> terms = Relation(document, Nodes("Term", ["graph"]), csr_array([[1.0], [3.0]]))
    >>> categories = Relation(Nodes("Category", ["db"]), document, csr_array([[1.0, 1.0]]))
    >>> star = Star.of(terms, categories)
    >>> star.centre.kind, [nodes.kind for nodes in star.kinds]
    ('Document', ['Document', 'Term', 'Category'])
    """

    arms: tuple[Relation, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse arms that do not share their rows."""
        if not self.arms:
            raise ParameterError("a star needs at least one relation")
        weights = tuple(check_number("weight of an arm", weight, least=0) for weight in self.weights)
        object.__setattr__(self, "weights", weights or (1.0,) * len(self.arms))
        if len(self.weights) != len(self.arms):
            raise ParameterError(f"weights must be {len(self.arms)} numbers, one an arm, were {len(self.weights)}")
        if any(arm.rows != self.centre for arm in self.arms):
            raise ParameterError("all relations of a star must have the same nodes at their centre")
        for arm in self.arms:
            if arm.cols != self.nodes(arm.cols.kind):
                raise ParameterError(f"all relations of a star must have the same nodes of kind {arm.cols.kind}")
        object.__setattr__(self, "arms", tuple(arm.graph if arm.of_one_kind else arm for arm in self.arms))

    @classmethod
    def of(cls, *relations: Relation, weights: Sequence[float] = ()) -> "Star":
        """Make a star of relations that share a kind, whichever side it stands on."""
        if not relations:
            raise ParameterError("a star needs at least one relation")
        shared = [
            nodes
            for nodes in (relations[0].rows, relations[0].cols)
            if all(nodes.kind in (other.rows.kind, other.cols.kind) for other in relations)
        ]
        if not shared:
            kinds = " and ".join(f"{relation.rows.kind}–{relation.cols.kind}" for relation in relations)
            raise ParameterError(f"the relations {kinds} share no kind, so they make no star")
        centre = shared[0].kind
        arms = (relation if relation.rows.kind == centre else relation.transposed for relation in relations)
        return cls(tuple(arms), tuple(weights))

    @property
    def centre(self) -> Nodes:
        """The nodes all arms share."""
        return self.arms[0].rows

    @property
    def kinds(self) -> tuple[Nodes, ...]:
        """The nodes of every kind, the centre first, each kind once."""
        every = {nodes.kind: nodes for nodes in (self.centre, *(arm.cols for arm in self.arms))}
        return tuple(every.values())

    def nodes(self, kind: str) -> Nodes:
        """Return the nodes of one kind."""
        for nodes in self.kinds:
            if nodes.kind == kind:
                return nodes
        raise ParameterError(f"the star has no kind {kind!r}, only {', '.join(nodes.kind for nodes in self.kinds)}")

    def __repr__(self) -> str:
        return f"Star({self.centre.kind}: {', '.join(arm.cols.kind for arm in self.arms)})"
