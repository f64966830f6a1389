"""Measure the vectors of constrained co-clustering against a plain ``svds``: ``python -m benchmarks.spectral``.

The network is planted: every row and column has one of k classes, and of the row's edges two in five lead into its own.
Half of the rows are tied in groups of ten of one class, or by as many loose pairs; then the vectors of SCM's cut are
found, and held against `scipy.sparse.linalg.svds` of the unconstrained normalised block and against our own
unconstrained search. All of them run on one thread, in turns, and the processor's time counts, of which the least of
all rounds is taken: the machine may be doing other things.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
from scipy.linalg import eigh, subspace_angles, svd
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

from benchmarks.measure import Comparison, Work, least_seconds, whole
from benchmarks.memory import _peak, _settled
from benchmarks.table import as_text
from graphmine.arrays import Floats, Ints
from graphmine.linalg.bipartite import scaled
from graphmine.linalg.metric import Metric
from graphmine.methods.spectral.embedding import Cut, _search, embed, plain_cut
from graphmine.methods.spectral.scm import SCM
from graphmine.model import Constraints, Groups, Links, Nodes, Relation

__all__ = ["Network", "main"]


INSIDE = 0.4
"""The share of a row's edges that lead into its own class; the others lead anywhere."""

GROUP = 10
SPEEDUP, VALUES, ANGLE = 30, 1e-10, 1e-6
PEER, OURS, PAIRS, MEMORY = 0.7, 1.25, 2.0, 4.0


@dataclass(frozen=True)
class Network:
    """A planted network: its relation, the class of each row, and how many classes there are."""

    relation: Relation
    classes: Ints
    k: int

    @classmethod
    def planted(cls, n_rows: int, n_cols: int, n_edges: int, k: int) -> "Network":
        """Return a network of so many edges, of which some are the same."""
        rng = np.random.default_rng(0)
        classes, own = rng.integers(k, size=n_rows), np.sort(rng.integers(k, size=n_cols))
        starts = np.searchsorted(own, np.arange(k + 1))
        rows = rng.integers(n_rows, size=n_edges, dtype=np.int32)
        width = np.diff(starts)[classes[rows]]
        cols = (starts[classes[rows]] + rng.random(n_edges) * width).astype(np.int32)
        anywhere = np.flatnonzero(rng.random(n_edges) >= INSIDE)
        cols[anywhere] = rng.integers(n_cols, size=len(anywhere), dtype=np.int32)
        block = csr_array((np.ones(n_edges), (rows, np.minimum(cols, n_cols - 1))), shape=(n_rows, n_cols))
        nodes = Nodes("Row", pa.array(np.arange(n_rows))), Nodes("Column", pa.array(np.arange(n_cols)))
        return cls(Relation(*nodes, block), classes, k)

    @classmethod
    def of_size(cls, n_edges: int, k: int) -> "Network":
        """Return a network with twenty edges a row and two hundred a column."""
        return cls.planted(n_edges // 20, n_edges // 200, n_edges, k)

    @property
    def normalised(self) -> csr_array:
        """The block with rows and columns divided by the roots of their sums."""
        cut = plain_cut(self.relation)
        assert isinstance(cut.block, csr_array)
        return scaled(cut.block, *(metric.scale for metric in cut.metrics))

    def groups(self) -> Constraints:
        """Return half of the rows in soft must-link groups of ten of one class."""
        members = self._half()
        members = members[: len(members) // GROUP * GROUP]
        starts = np.arange(0, len(members) + 1, GROUP)
        return Constraints({"Row": Links.tying(Groups(starts, members))})

    def pairs(self) -> Constraints:
        """Return as many soft must-link pairs as half of the rows, each of two rows of that half and of one class."""
        members = self._half()
        further = 1 + np.random.default_rng(2).integers(len(members) // (2 * self.k), size=len(members))
        pairs = np.stack([members, members[(np.arange(len(members)) + further) % len(members)]], axis=1)
        alike = self.classes[pairs[:, 0]] == self.classes[pairs[:, 1]]
        return Constraints({"Row": Links.of_pairs(pairs[alike])})

    def _half(self) -> Ints:
        """Return half of the rows, those of one class together, otherwise in no particular order."""
        drawn = np.random.default_rng(1).permutation(len(self.classes))[: len(self.classes) // 2]
        return np.asarray(drawn[np.argsort(self.classes[drawn], kind="stable")])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked = _parse(arguments)
    if asked.grow:
        print(json.dumps(_growth(asked.edges, asked.k)))
        return 0
    found = []
    with threadpool_limits(1):
        for comparison in _measure(asked):
            found.append(comparison)
            print(as_text(comparison), flush=True)
    return 1 if any(each.met is False for each in found) else 0


def _measure(asked: argparse.Namespace) -> Iterator[Comparison]:
    yield from _against_dense(asked.dense, asked.repeats)
    yield from _against_svds(asked.edges, asked.k, asked.repeats)
    yield _grown(asked.edges, asked.k)
    sizes = np.geomspace(asked.least, asked.edges, asked.steps).astype(int)
    for n_edges in sizes:
        yield _each_edge(int(n_edges), asked.k, asked.repeats)


def _vectors(cut: Cut, k: int) -> Floats:
    return embed(cut, k, np.random.default_rng(0), "SCM").points


def _bound(network: Network, constraints: Constraints) -> Cut:
    return SCM.constrained_cut(network.relation, constraints, 3.0).cut


def _against_svds(n_edges: int, k: int, repeats: int) -> Iterator[Comparison]:
    network = Network.of_size(n_edges, k)
    block, free = network.normalised, plain_cut(network.relation)
    groups, pairs = (_bound(network, each) for each in (network.groups(), network.pairs()))
    times = least_seconds(
        {
            "svds": partial(svds, block, k=k, rng=0),
            "free": partial(_vectors, free, k),
            "groups": partial(_vectors, groups, k),
            "pairs": partial(_vectors, pairs, k),
        },
        repeats,
    )
    what, peer = f"vectors of {block.nnz:,} edges, ", f"svds(k={k}) of the unconstrained block"
    yield _compared(f"{what}unconstrained", peer, times["free"], times["svds"])
    yield _compared(f"{what}half of the rows in groups", peer, times["groups"], times["svds"], PEER)
    yield _compared(f"{what}half of the rows in groups", "ours, unconstrained", times["groups"], times["free"], OURS)
    yield _compared(f"{what}as many loose pairs", "ours, unconstrained", times["pairs"], times["free"], PAIRS)
    cutting = least_seconds(
        {
            "free": partial(plain_cut, network.relation),
            "groups": partial(_bound, network, network.groups()),
            "pairs": partial(_bound, network, network.pairs()),
        },
        repeats,
    )
    for name, said in (("free", "unconstrained"), ("groups", "groups"), ("pairs", "loose pairs")):
        yield _compared(f"making the cut before, {said}", peer, cutting[name], times["svds"])


def _against_dense(n_rows: int, repeats: int) -> Iterator[Comparison]:
    """Hold the vectors of constrained co-clustering against the formula of its paper, with square roots of matrices."""
    network = Network.planted(n_rows, n_rows, 30 * n_rows, 5)
    cut = _bound(network, network.groups())
    works: Mapping[str, Work] = {"dense": partial(_printed, cut, network.k), "ours": partial(_triplets, cut, network.k)}
    times = least_seconds(works, repeats)
    (values, Z), (own_values, own) = _printed(cut, network.k), _triplets(cut, network.k)
    apart, angle = float(np.abs(values - own_values).max()), float(subspace_angles(Z, own).max())
    said = f"vectors of {n_rows:,} rows and columns, half of the rows in groups"
    yield _compared(said, "the paper's dense formula", times["ours"], times["dense"], 1 / SPEEDUP)
    yield Comparison("spectral", "the same: largest error of a singular value", "allowed", apart, VALUES, 1.0, "")
    yield Comparison("spectral", "the same: largest angle of the subspaces", "allowed", angle, ANGLE, 1.0, "")


def _printed(cut: Cut, k: int) -> tuple[Floats, Floats]:
    """Return singular values and Z by the formula, vectors 2..k."""
    roots = [_inverse_root(metric) for metric in cut.metrics]
    left, values, right = svd(roots[0] @ (cut.block @ np.eye(len(cut.cols))) @ roots[1])
    return values[1:k], np.vstack([roots[0] @ left[:, 1:k], roots[1] @ right[1:k].T])


def _inverse_root(metric: Metric) -> Floats:
    scale = metric.scale[:, None]
    values, vectors = eigh((metric @ np.eye(len(metric.free))) / scale / scale.T)
    root: Floats = (vectors * values**-0.5) @ vectors.T
    return root


def _triplets(cut: Cut, k: int) -> tuple[Floats, Floats]:
    """Return singular values and Z as SCM finds them, vectors 2..k."""
    found = _search(cut, k, k - cut.n_parts, np.random.default_rng(0))
    return found.values, np.vstack([found.left, found.right])


def _each_edge(n_edges: int, k: int, repeats: int) -> Comparison:
    """Hold the seconds a million edges take against those of svds."""
    network = Network.of_size(n_edges, k)
    block, cut = network.normalised, _bound(network, network.groups())
    times = least_seconds({"svds": partial(svds, block, k=k, rng=0), "groups": partial(_vectors, cut, k)}, repeats)
    millions = block.nnz / 1e6
    said = f"a million edges of {block.nnz:,}, half of the rows in groups"
    return _compared(said, f"svds(k={k})", times["groups"] / millions, times["svds"] / millions)


def _grown(n_edges: int, k: int) -> Comparison:
    """Hold the growth of a process that finds the vectors against the bytes of the block."""
    command = [sys.executable, "-m", "benchmarks.spectral", "--grow", "--edges", str(n_edges), "--k", str(k)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    peak, block = json.loads(done.stdout)
    said = f"peak memory of the cut and its vectors, {n_edges:,} edges, half of the rows in groups"
    return Comparison("spectral", said, "bytes of the block", peak / 2**20, block / 2**20, MEMORY, "MB")


def _growth(n_edges: int, k: int) -> tuple[int, int]:
    """Return what the cut and its vectors add to this process at their peak, and the bytes of the block."""
    network = Network.of_size(n_edges, k)
    constraints, block = network.groups(), network.relation.block
    _vectors(_bound(Network.of_size(2000, 2), Network.of_size(2000, 2).groups()), 2)  # what is imported late, is
    before = _settled()
    with threadpool_limits(1), _peak() as peak:
        _vectors(_bound(network, constraints), k)
    return peak[0] - before, block.data.nbytes + block.indices.nbytes + block.indptr.nbytes


def _compared(what: str, peer: str, ours: float, theirs: float, most: float | None = None) -> Comparison:
    return Comparison("spectral", what, peer, ours, theirs, most)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.spectral", description=(__doc__ or "").partition("\n")[0]
    )
    add = parser.add_argument
    add("--edges", type=whole, default=20_000_000, metavar="N", help="edges, a twentieth as many rows")
    add("--k", type=whole, default=20, metavar="N", help="classes, and vectors (default: 20)")
    add("--dense", type=whole, default=2000, metavar="N", help="rows for the dense formula (default: 2000)")
    add("--least", type=whole, default=100_000, metavar="N", help="edges of the smallest network (default: 100000)")
    add("--steps", type=int, default=4, metavar="N", help="networks from the smallest to the largest (default: 4)")
    add("--repeats", type=whole, default=3, metavar="N", help="rounds, of which the least counts (default: 3)")
    add("--grow", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
