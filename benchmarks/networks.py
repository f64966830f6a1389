"""The networks that are measured, as arrays: made here, written into each database by its own quickest way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import pyarrow as pa

from graphmine import gallery
from graphmine.arrays import Floats, Ints
from graphmine.model import Star

__all__ = ["KINDS", "PERSON", "Edges", "Network", "Planted", "Sizes", "keys_of"]

AUTHOR, VENUE, AT = "BenchAuthor", "BenchVenue", "BENCH_AT"
WRITER, PAPER, CONFERENCE, WROTE, IN = "BenchWriter", "BenchPaper", "BenchConference", "BENCH_WROTE", "BENCH_IN"
NEAR = "BENCH_NEAR"
PERSON = "BenchPerson"
KINDS = (AUTHOR, VENUE, WRITER, PAPER, CONFERENCE, PERSON)


@dataclass(frozen=True)
class Edges:
    """Relationships of one type as numbers of their ends, in no particular order."""

    source: str
    type: str
    target: str
    rows: Ints
    cols: Ints

    @property
    def weights(self) -> Floats:
        """A weight for each of them, from a half to five."""
        return np.random.default_rng(4).integers(1, 11, size=len(self.rows)) / 2


class Network(Protocol):
    """Nodes of several kinds and relationships between them, for a database to take in."""

    @property
    def nodes(self) -> Mapping[str, int]:
        """How many nodes of each kind."""

    def keys(self, kind: str) -> pa.Array:
        """Return the keys of a kind, in the order of its numbers."""

    def edges(self) -> Sequence[Edges]:
        """Return all relationships."""


@dataclass(frozen=True)
class Planted:
    """Authors who publish in the venues of their field, a relationship a paper: see `graphmine.gallery.planted`.

    Parameters
    ----------
    relationships
        How many papers: ten an author, a thousand a venue.
    clusters
        How many fields, of equal size.
    noise
        The share of papers that are in any venue.
    seed
        What is drawn.
    """

    relationships: int = 1_000_000
    clusters: int = 10
    noise: float = 0.6
    seed: int = 0

    @property
    def nodes(self) -> Mapping[str, int]:
        """How many nodes of each kind."""
        return {kind: len(fields) for kind, fields in self.truth.items()}

    @property
    def truth(self) -> Mapping[str, Ints]:
        """The field of each node, in the order of its keys."""
        return {AUTHOR: self._drawn[1]["Author"], VENUE: self._drawn[1]["Venue"]}

    def keys(self, kind: str) -> pa.Array:
        """Return the keys of a kind, in the order of its numbers, which is not that of the names."""
        return keys_of(kind, self.nodes[kind])

    def edges(self) -> Sequence[Edges]:
        """Return a relationship for each paper, in no particular order."""
        block = self._drawn[0].arms[0].block.tocoo()
        papers = np.random.default_rng(1).permutation(np.repeat(np.arange(block.nnz), block.data.astype(np.int64)))
        return (Edges(AUTHOR, AT, VENUE, block.row[papers], block.col[papers]),)

    @cached_property
    def _drawn(self) -> tuple[Star, gallery.TrueLabels]:
        authors, venues = max(self.relationships // 10, 40), max(self.relationships // 1000, 40)
        return gallery.planted(authors, venues, self.clusters, 10, self.noise, self.seed)


@dataclass(frozen=True)
class Sizes:
    """How large everything is, from the number of relationships: for a million, 100,000 authors and 1000 venues."""

    relationships: int

    @property
    def nodes(self) -> dict[str, int]:
        """How many nodes of each kind."""
        many, few = max(self.relationships // 10, 40), max(self.relationships // 1000, 40)
        return {AUTHOR: many, VENUE: few, WRITER: many, PAPER: max(self.relationships // 4, 40), CONFERENCE: few}

    def keys(self, kind: str) -> pa.Array:
        """Return the keys of a kind, in no particular order."""
        return keys_of(kind, self.nodes[kind])

    def bipartite(self) -> Edges:
        """Return distinct pairs of an author and a venue."""
        rows, cols = self._pairs(AUTHOR, VENUE, self.relationships)
        return Edges(AUTHOR, AT, VENUE, rows, cols)

    def path(self) -> tuple[Edges, Edges]:
        """Return who wrote which paper and where it appeared: four authors a paper, one conference."""
        rows, cols = self._pairs(WRITER, PAPER, self.relationships)
        papers = np.random.default_rng(2).permutation(self.nodes[PAPER])
        where = np.random.default_rng(3).integers(self.nodes[CONFERENCE], size=len(papers))
        return Edges(WRITER, WROTE, PAPER, rows, cols), Edges(PAPER, IN, CONFERENCE, papers, where)

    def tiny(self) -> Edges:
        """Return a relation so small that to pull it is only to warm up."""
        numbers = np.arange(self.nodes[VENUE])
        return Edges(VENUE, NEAR, CONFERENCE, numbers, numbers)

    def edges(self) -> tuple[Edges, ...]:
        """Return all relationships."""
        return self.bipartite(), *self.path(), self.tiny()

    def _pairs(self, source: str, target: str, count: int) -> tuple[Ints, Ints]:
        width = self.nodes[target]
        cells = np.random.default_rng(1).choice(self.nodes[source] * width, size=count, replace=False)
        return cells // width, cells % width


def keys_of(kind: str, count: int) -> pa.Array:
    """Return keys for nodes of a kind, in no particular order, as names are."""
    return pa.array([f"{kind[5:].lower()} {number:07d}" for number in np.random.default_rng(0).permutation(count)])
