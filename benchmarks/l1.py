"""Measure cuts with absolute penalties: ``python -m benchmarks.l1``.

On the similarities of the paper's sets wine and WDBC, with pairs of known classes, all steps by the box dual are held
against all steps with their inner problems solved by cvxpy, as printed; those of the dual are shifted, which makes them
fewer. On planted graphs of two clusters, with some pairs of
which a fifth are wrong, the free vector and all steps by the first-order solver are held against
`scipy.sparse.linalg.eigsh` with two vectors of the same normalised graph, at its own tolerance, and against the
objective of a search that goes on to a hundredth of the tolerance; on a small one, against that of the box dual. One
thread, in turns, and the processor's time counts, of which the least of all rounds is taken.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from sklearn.datasets import load_breast_cancer, load_wine
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

from benchmarks.measure import Comparison, least_seconds, whole
from benchmarks.table import as_text
from graphmine.arrays import Floats, Ints
from graphmine.linalg.l1.cut import InnerSolver, L1Cut, PenalisedCut, l1_cut
from graphmine.linalg.l1.dual import BoxDual
from graphmine.linalg.l1.first_order import FirstOrder
from graphmine.linalg.l1.reference import Reference
from graphmine.linalg.l1.start import free_cut

__all__ = ["main"]

Load = Callable[..., tuple[Floats, Ints]]

LAM = 0.1
"""λ in units of √vol / n, which is the default of the method."""

NOISE, WRONG = 0.5, 0.2
"""The share of edges of planted graphs that lead anywhere, and of their pairs that are wrong."""

CVXPY, SAME, EIGSH, ABOVE, TIGHT = 1 / 40, 1e-7, 3.0, 1e-3, 1e-12

_OFTEN = 10
"""The dual is timed so often a round."""

SETS: tuple[tuple[str, Load, int], ...] = (
    ("wine", load_wine, 100),
    ("wine", load_wine, 300),
    ("WDBC", load_breast_cancer, 100),
    ("WDBC", load_breast_cancer, 300),
)
"""The last two classes of each are taken, and so many pairs drawn."""

SHAPES = (20, 0.05), (30, 0.03), (50, 0.01)
"""The mean degree, and how many pairs there are to a node."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked, found = _parse(arguments), []
    with threadpool_limits(1):
        for comparison in _measure(asked):
            found.append(comparison)
            print(as_text(comparison), flush=True)
    return 1 if any(each.met is False for each in found) else 0


def _measure(asked: argparse.Namespace) -> Iterator[Comparison]:
    for name, load, n_pairs in SETS:
        yield from _beside_cvxpy(name, _similar(load, min(n_pairs, asked.pairs)), asked.repeats)
    yield _beside_the_dual(_planted(asked.dual, *SHAPES[0]))
    for n_nodes in asked.nodes:
        for degree, share in SHAPES:
            yield from _beside_eigsh(_planted(n_nodes, degree, share), asked.repeats)


def _beside_cvxpy(name: str, cut: PenalisedCut, repeats: int) -> Iterator[Comparison]:
    """Hold all steps by the dual against all steps by cvxpy: one outer loop and one tolerance, but those are more."""
    start, found = free_cut(cut, np.random.default_rng(0)).y, {}
    _searched(cut, start, Reference)  # cvxpy is imported late
    for way, made in (("cvxpy", Reference), ("dual", BoxDual)):
        found[way] = _searched(cut, start, made)
    # What takes milliseconds is disturbed for the whole of it; so it is done more often, between the longer ones.
    works = {"cvxpy": partial(_searched, cut, start, Reference)}
    works |= {f"dual {number}": partial(_searched, cut, start, BoxDual) for number in range(_OFTEN)}
    times = least_seconds(works, repeats)
    theirs = times.pop("cvxpy")
    said = f"{name}, {len(cut.degrees)} points, {len(cut.bounds)} pairs: steps by the dual"
    yield Comparison("l1", said, "by cvxpy", min(times.values()), theirs, CVXPY)
    apart = abs(found["dual"].trace[-1] - found["cvxpy"].trace[-1])
    yield _allowed("the same: objectives apart", apart, SAME)


def _beside_the_dual(cut: PenalisedCut) -> Comparison:
    """Hold the objective of the first-order solver against that of the dual, on a graph that can be factorised."""
    start = free_cut(cut, np.random.default_rng(0)).y
    rough, exact = (_searched(cut, start, made).trace[-1] for made in (FirstOrder, BoxDual))
    said = f"{len(cut.degrees):,} nodes: relative objective of the first-order solver above that of the dual"
    return _allowed(said, abs(rough / exact - 1), ABOVE)


def _beside_eigsh(cut: PenalisedCut, repeats: int) -> Iterator[Comparison]:
    peer = partial(eigsh, cut.adjacency, k=2, which="LA", v0=np.random.default_rng(0).random(len(cut.degrees)))
    times = least_seconds({"eigsh": peer, "ours": partial(_whole, cut)}, repeats)
    found, best = _whole(cut), _whole(cut, TIGHT)
    edges, pairs = cut.graph.nnz // 2, len(cut.bounds)
    said = f"of {len(cut.degrees):,} nodes, {edges:,} edges, {pairs:,} pairs"
    yield Comparison("l1", f"free vector and steps {said}", "eigsh(k=2)", times["ours"], times["eigsh"], EIGSH)
    yield _allowed("the same: relative objective above the optimum", found.trace[-1] / best.trace[-1] - 1, ABOVE)
    yield _allowed("the same: gap, of the objective", found.gap / found.trace[-1], ABOVE)


def _whole(cut: PenalisedCut, tolerance: float = 1e-10) -> L1Cut:
    """Return what comes of a graph and its pairs with nothing made ready."""
    anew = PenalisedCut(cut.graph, cut.ends, cut.alike, cut.bounds)
    return _searched(anew, free_cut(anew, np.random.default_rng(0)).y, FirstOrder, tolerance)


def _searched(
    cut: PenalisedCut, start: Floats, made: Callable[[PenalisedCut], InnerSolver], tolerance: float = 1e-10
) -> L1Cut:
    return l1_cut(cut, start, made(cut), tolerance=tolerance)


def _similar(load: Load, n_pairs: int) -> PenalisedCut:
    """Return a set as a graph, as in (5.13) with σ² the variance of all features together, and pairs of its points."""
    points, classes = load(return_X_y=True)
    last_two = classes >= classes.max() - 1
    points, classes = points[last_two], classes[last_two]
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    squares = np.sum((points[:, None] - points[None]) ** 2, axis=2)
    graph = csr_array(np.exp(-squares / (2 * points.shape[1])) - np.eye(len(points)))
    return _with_pairs(graph, classes, n_pairs, 0.0, np.random.default_rng(0))


def _planted(n_nodes: int, degree: int, share: float) -> PenalisedCut:
    """Return a graph of two clusters, whose nodes take turns, and so many pairs a node."""
    rng, classes, n_edges = np.random.default_rng(0), np.arange(n_nodes) % 2, n_nodes * degree // 2
    one = rng.integers(n_nodes, size=n_edges)
    two = 2 * rng.integers(n_nodes // 2, size=n_edges) + classes[one]
    anywhere = rng.random(n_edges) < NOISE
    two[anywhere] = rng.integers(n_nodes, size=int(anywhere.sum()))
    edges = csr_array((np.ones(n_edges), (one, two)), shape=(n_nodes, n_nodes))
    return _with_pairs(csr_array(edges + edges.T), classes, max(1, round(share * n_nodes)), WRONG, rng)


def _with_pairs(graph: csr_array, classes: Ints, n_pairs: int, wrong: float, rng: np.random.Generator) -> PenalisedCut:
    one = rng.integers(len(classes), size=n_pairs)
    two = (one + rng.integers(1, len(classes), size=n_pairs)) % len(classes)
    alike = (classes[one] == classes[two]) ^ (rng.random(n_pairs) < wrong)
    bounds = np.full(n_pairs, LAM * np.sqrt(graph.sum()) / len(classes))
    return PenalisedCut(graph, np.stack([one, two], axis=1), alike, bounds)


def _allowed(what: str, found: float, most: float) -> Comparison:
    return Comparison("l1", what, "allowed", found, most, 1.0, "")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.l1", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    sizes = [20_000, 50_000, 100_000, 200_000]
    add("--nodes", type=whole, nargs="+", default=sizes, metavar="N", help="nodes of planted graphs")
    add("--pairs", type=whole, default=1000, metavar="N", help="pairs on wine and WDBC, at the most")
    add("--dual", type=whole, default=3000, metavar="N", help="nodes of the graph to factorise (default: 3000)")
    add("--repeats", type=whole, default=3, metavar="N", help="rounds, of which the least counts (default: 3)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
