"""Measure how stars are co-partitioned: ``python -m benchmarks.stars``.

Stars are planted. On one as large as the largest of the paper, 688 nodes, a fit by eigenvectors is held against the
paper's own problem (17), by a general solver of semidefinite programs, which runs once, and by a factor of low rank. On
large stars, of twenty edges a node, the search for the balanced vectors, and the certificate that they are the best,
are held against `scipy.sparse.linalg.svds` with two vectors of the same star, its blocks normalised and side by side.
On stars of more clusters and more arms, the clusters found are held against the planted ones. One thread, in turns, and
the processor's time counts, of which the least of all rounds is taken.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from scipy.sparse import csr_array, hstack
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

from benchmarks.measure import Comparison, least_seconds, whole
from benchmarks.memory import _peak, _settled
from benchmarks.table import as_text
from graphmine import gallery
from graphmine.linalg.bipartite import degrees, scaled
from graphmine.linalg.star.balance import Balance, balance_arms
from graphmine.linalg.star.certificate import Certificate, certificate
from graphmine.linalg.star.pencil import PencilArm, StarPencil
from graphmine.methods.cbgc.cbgc import CBGC
from graphmine.methods.cbgc.paper_sdp import EIGEN, LOWRANK, SDP, SOLVERS
from graphmine.metrics import ari
from graphmine.model import Star

__all__ = ["main"]

NOISE = 0.5
"""The share of edges that lead anywhere."""

DEGREE = 10
"""Edges of a node of the centre in each of two arms; the arms have half as many nodes each, so twice as many edges."""

TOLERANCE = 1e-7
"""The residual to which vectors are searched, as CBGC does above a million relationships."""

SVDS, GROWTH, GAP, ARI, SAME = 15.0, 1.3, 1e-9, 0.95, 1e-6
CLUSTERS, ARMS, SEEDS = (2, 3, 5, 8), (2, 3, 4), 3
PARTS = ("paper", "large", "planted")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked = _parse(arguments)
    if asked.grow:
        print(json.dumps(_grown(asked.grow)))
        return 0
    found = []
    with threadpool_limits(1):
        for comparison in _measure(asked):
            found.append(comparison)
            print(as_text(comparison), flush=True)
    return 1 if any(each.met is False for each in found) else 0


def _measure(asked: argparse.Namespace) -> Iterator[Comparison]:
    if "paper" in asked.parts:
        yield from _as_in_the_paper(asked.paper, asked.repeats)
    if "large" in asked.parts:
        yield from _large(asked.nodes, asked.repeats)
        yield _memory(asked.nodes[-1])
    if "planted" in asked.parts:
        for n_arms in ARMS:
            for n_clusters in CLUSTERS:
                yield _recovered(n_clusters, n_arms, asked.planted)


def _as_in_the_paper(n_centre: int, repeats: int) -> Iterator[Comparison]:
    """Hold a fit of as many documents, terms and categories as the paper has against its semidefinite program."""
    sizes = round(n_centre * 533 / 150), 5
    star, _ = gallery.planted_star(n_centre, sizes, n_clusters=2, degree=(30, 1), noise=(NOISE, 0.0))
    ways = {name: CBGC(2, beta=0.5, solver=name) for name in SOLVERS}
    fits = {name: partial(way.fit, star, seed=0) for name, way in ways.items()}
    found = {name: fit() for name, fit in fits.items() if name != SDP}
    once = least_seconds({SDP: lambda: found.update({SDP: fits[SDP]()})}, 1)
    times = once | least_seconds({name: fits[name] for name in SOLVERS if name != SDP}, repeats)
    said = f"a fit of {n_centre + sum(sizes)} nodes"
    yield _compared(said, "(17) by a general solver", times[EIGEN], times[SDP])
    yield _compared(said, "(17) by low rank", times[EIGEN], times[LOWRANK])
    yield _allowed("the same: gap", abs(found[EIGEN].figures["gap"]), GAP)
    cuts = [found[name].figures["relaxed cut"] for name in (LOWRANK, SDP)]
    yield _allowed("the same: low rank and general solver apart in the cut", abs(cuts[0] - cuts[1]), SAME)


def _large(sizes: Sequence[int], repeats: int) -> Iterator[Comparison]:
    costs = []
    for n_nodes in sizes:
        star = _planted(n_nodes)
        pencil, found = _pencil(star), _searched(_pencil(star))
        times = least_seconds(
            {
                "svds": partial(svds, _side_by_side(star), k=2, rng=0),
                "search": partial(_searched, pencil),
                "proof": partial(_proven, pencil, found),
            },
            repeats,
        )
        edges = sum(arm.nnz for arm in star.arms)
        said, both = f"of {n_nodes:,} nodes, {edges:,} edges", times["search"] + times["proof"]
        yield _compared(f"search {said}", "svds(k=2)", times["search"], times["svds"])
        yield _compared(f"certificate {said}", "svds(k=2)", times["proof"], times["svds"])
        target = SVDS if n_nodes == max(sizes) else None  # svds of a small block is done before a search has begun
        yield _compared(f"search and certificate {said}", "svds(k=2)", both, times["svds"], target)
        yield _allowed(f"gap {said}", abs(_proven(pencil, found).gap), GAP)
        costs.append((edges, both))
    (edges, seconds), (more_edges, more_seconds) = costs[0], costs[-1]
    grown = more_seconds / seconds, more_edges / edges
    said = f"growth of the time from {edges:,} edges to {more_edges:,}"
    yield Comparison("stars", said, "growth of the edges", *grown, GROWTH, "")


def _planted(n_nodes: int) -> Star:
    """Return a star of two clusters, half of whose nodes are the centre; ten times as many edges as nodes."""
    return gallery.planted_star(n_nodes // 2, (n_nodes // 4,) * 2, n_clusters=2, degree=DEGREE, noise=NOISE)[0]


def _pencil(star: Star) -> StarPencil:
    return StarPencil(
        tuple(PencilArm.of(_linked(arm.block)) for arm in star.arms), np.full(len(star.arms), 1 / len(star.arms))
    )


def _linked(block: csr_array) -> csr_array:
    return csr_array(block[:, block.sum(axis=0) > 0])


def _side_by_side(star: Star) -> csr_array:
    """Return the blocks of the arms in one, each of the same sum, rows and columns divided by the roots of theirs."""
    block = csr_array(hstack([_linked(arm.block) / arm.block.sum() for arm in star.arms]))
    return scaled(block, *(sums**-0.5 for sums in degrees(block)))


def _searched(pencil: StarPencil) -> Balance:
    return balance_arms(pencil, 1, np.random.default_rng(0), tolerance=TOLERANCE)


def _proven(pencil: StarPencil, found: Balance) -> Certificate:
    return certificate(pencil, found.weights, found.vectors, np.random.default_rng(1))


def _memory(n_nodes: int) -> Comparison:
    """Hold the growth of a process that searches and proves against the bytes of the blocks."""
    command = [sys.executable, "-m", "benchmarks.stars", "--grow", str(n_nodes)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    peak, blocks = json.loads(done.stdout)
    said = f"peak memory of search and certificate, {n_nodes:,} nodes"
    return Comparison("stars", said, "bytes of the blocks", peak / 2**20, blocks / 2**20, None, "MB")


def _grown(n_nodes: int) -> tuple[int, int]:
    """Return what the search and its certificate add to this process at their peak, and the bytes of the blocks."""
    star, small = _planted(n_nodes), _pencil(_planted(400))
    _proven(small, _searched(small))  # what is imported late, is
    blocks = [arm.block for arm in star.arms]
    before = _settled()
    with threadpool_limits(1), _peak() as peak:
        pencil = _pencil(star)
        _proven(pencil, _searched(pencil))
    return peak[0] - before, sum(each.data.nbytes + each.indices.nbytes + each.indptr.nbytes for each in blocks)


def _recovered(n_clusters: int, n_arms: int, n_centre: int) -> Comparison:
    """Return what the worst kind lacks of the planted clusters, the mean over some seeds."""
    lacks = []
    for seed in range(SEEDS):
        sizes = tuple(n_centre // part for part in (1, 2, 4, 8)[:n_arms])
        star, truth = gallery.planted_star(n_centre, sizes, n_clusters, degree=DEGREE, noise=0.3, seed=seed)
        labels = CBGC(n_clusters).fit(star, seed=seed).labels
        lacks.append(1 - min(ari(labels[kind], truth[kind].tolist()) for kind in truth))
    said = f"1 - ARI of the worst kind, {n_clusters} clusters, {n_arms} arms, {n_centre} nodes at the centre"
    return _allowed(said, float(np.mean(lacks)), 1 - ARI)


def _compared(what: str, peer: str, ours: float, theirs: float, most: float | None = None) -> Comparison:
    return Comparison("stars", what, peer, ours, theirs, most)


def _allowed(what: str, found: float, most: float) -> Comparison:
    return Comparison("stars", what, "allowed", found, most, 1.0, "")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stars", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add(
        "--nodes", type=whole, nargs="+", default=[10_000, 100_000, 1_000_000], metavar="N", help="nodes of large stars"
    )
    add("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure (default: all)")
    add("--paper", type=whole, default=150, metavar="N", help="documents of a star as in the paper (default: 150)")
    add("--planted", type=whole, default=800, metavar="N", help="documents of the stars to recover (default: 800)")
    add("--repeats", type=whole, default=3, metavar="N", help="rounds, of which the least counts (default: 3)")
    add("--grow", type=whole, metavar="N", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
