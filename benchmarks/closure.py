"""Measure the closing of must-links against one search for components: ``python -m benchmarks.closure``.

Both sides start from the same pairs of whole numbers and are timed in turns. The search makes a CSR matrix of them and
calls `scipy.sparse.csgraph.connected_components`. Closing calls `graphmine.closure.hard_links.closed`, which finds the
hard links, makes a matrix of its own, searches, looks for contradictions and writes the components as groups.
"""

import argparse
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchmarks.measure import Comparison, Work, compare, race, whole
from benchmarks.table import as_text
from graphmine.arrays import Ints
from graphmine.closure.hard_links import closed
from graphmine.model import Constraints, Groups, Links

__all__ = ["main"]


MOST = 3.0
"""How many times the cost of a search closing may have."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked = _parse(arguments)
    found = []
    for comparison in _measure(asked.pairs, asked.nodes, asked.repeats):
        found.append(comparison)
        print(as_text(comparison), flush=True)
    return 1 if any(each.met is False for each in found) else 0


def _measure(n_pairs: int, n_nodes: int, repeats: int) -> Iterator[Comparison]:
    pairs = _pairs(n_pairs, _blocks(n_nodes))
    yield _raced(Constraints({"Author": Links.of_pairs(pairs, hard=True)}), pairs, n_nodes, repeats, "pairs")
    groups = _groups(n_pairs, _blocks(n_nodes))
    stars = np.stack([np.repeat(groups.members[groups.starts[:-1]], groups.sizes), groups.members], axis=1)
    yield _raced(Constraints({"Author": Links.tying(groups, hard=True)}), stars, n_nodes, repeats, "members of groups")
    for part in (4, 1):
        yield _grown(_pairs(n_pairs // part, _blocks(n_nodes // part)))


def _raced(constraints: Constraints, pairs: Ints, n_nodes: int, repeats: int, what: str) -> Comparison:
    works: dict[str, Work] = {"close": partial(closed, constraints), "search": partial(_search, pairs, n_nodes)}
    largest = int(np.bincount(_search(pairs, n_nodes)).max())
    said = f"close {len(pairs):,} {what} among {n_nodes:,} nodes, the largest component {largest:,}"
    peer = (
        "connected_components of the same pairs" if what == "pairs" else "the same, each member paired with the first"
    )
    return compare(race(works, repeats), "close", "search", database="closure", what=said, peer=peer, most=MOST)


def _search(pairs: Ints, n_nodes: int) -> NDArray[np.int32]:
    ones = np.ones(len(pairs), dtype=np.int8)
    graph = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(n_nodes, n_nodes)).tocsr()
    return connected_components(graph, directed=False)[1]


def _grown(pairs: Ints) -> Comparison:
    """Hold the most memory that closing takes, over its input, against the bytes of the pairs."""
    constraints = Constraints({"Author": Links.of_pairs(pairs, hard=True)})
    tracemalloc.start()
    try:
        closed(constraints)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = f"peak memory of closing {len(pairs):,} pairs, {peak / len(pairs):.0f} bytes a pair"
    return Comparison("closure", said, "bytes of the pairs", peak / 2**20, pairs.nbytes / 2**20, unit="MB")


def _blocks(n_nodes: int) -> Ints:
    """Return in which block each node lies: one of a sixth of them, some large, many small, in no particular order."""
    sizes = [n_nodes // 6] + [max(n_nodes // 150, 2)] * 50 + [max(n_nodes // 3000, 2)] * 1000
    labels = np.repeat(np.arange(len(sizes)), sizes)[:n_nodes]
    rest = len(sizes) + np.arange(n_nodes - len(labels)) // 10
    return np.random.default_rng(0).permutation(np.concatenate([labels, rest]))


def _pairs(n_pairs: int, blocks: Ints) -> Ints:
    """Draw pairs of two different nodes inside blocks."""
    rng = np.random.default_rng(1)
    groups = Groups.by_value(blocks)
    at = rng.integers(len(blocks), size=n_pairs)
    block = blocks[groups.members[at]]
    start, size = groups.starts[block], groups.sizes[block]
    further = 1 + (rng.random(n_pairs) * (size - 1)).astype(np.int64)
    pairs = np.stack([groups.members[at], groups.members[start + (at - start + further) % size]], axis=1)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


def _groups(n_members: int, blocks: Ints) -> Groups:
    """Draw groups inside blocks, each of nearly all nodes of its block, until there are enough members."""
    rng = np.random.default_rng(1)
    groups = Groups()
    while len(groups.members) < n_members:
        groups = groups + Groups.by_value(np.where(rng.random(len(blocks)) < 0.9, blocks, -1))
    return groups


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.closure", description=(__doc__ or "").partition("\n")[0]
    )
    add = parser.add_argument
    add("--pairs", type=whole, default=1_000_000, metavar="N", help="must-link pairs (default: 1000000)")
    add("--nodes", type=whole, default=300_000, metavar="N", help="nodes they are among (default: 300000)")
    add("--repeats", type=whole, default=5, metavar="N", help="rounds, of which the median is taken (default: 5)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
