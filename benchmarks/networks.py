"""The networks that are measured, as arrays: made here, written into each database by its own quickest way."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["KINDS", "PERSON", "Edges", "Sizes", "keys_of"]

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
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]

    @property
    def weights(self) -> NDArray[np.float64]:
        """A weight for each of them, from a half to five."""
        return np.random.default_rng(4).integers(1, 11, size=len(self.rows)) / 2


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

    def _pairs(self, source: str, target: str, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        width = self.nodes[target]
        cells = np.random.default_rng(1).choice(self.nodes[source] * width, size=count, replace=False)
        return cells // width, cells % width


def keys_of(kind: str, count: int) -> pa.Array:
    """Return keys for nodes of a kind, in no particular order, as names are."""
    return pa.array([f"{kind[5:].lower()} {number:07d}" for number in np.random.default_rng(0).permutation(count)])
