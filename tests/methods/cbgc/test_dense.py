"""CBGC with links and at a price, against the pencil that star and links make when they are written out in full."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.methods.cbgc.cbgc import CBGC
from graphmine.model import Constraints, Groups, Links, Nodes, Relation, Star
from tests.linalg.star.random_stars import least_sum_written_out

Pairs = Sequence[tuple[int, int, float]]
"""Two nodes, and how much their link weighs; below 0 where they are to be apart."""

N_HUB, DELTA = 12, 1.5


def drawn(kinds: Sequence[str], seed: int, missing: Sequence[int] = ()) -> Star:
    """A star without empty columns; some of its centre's nodes have nothing in the last arm."""
    rng, centre = np.random.default_rng(seed), Nodes("Document", range(N_HUB))
    blocks = []
    for number in range(len(kinds)):
        block = np.where(rng.random((N_HUB, 5)) < 0.4, rng.integers(1, 5, (N_HUB, 5)), 0.0)
        block[np.arange(N_HUB), rng.integers(5, size=N_HUB)] += 1
        if number == len(kinds) - 1:
            block[list(missing)] = 0.0
        block[np.arange(4, 9), np.arange(5)] += 1
        blocks.append(block)
    return Star(
        tuple(Relation(centre, Nodes(kind, range(5)), csr_array(b)) for kind, b in zip(kinds, blocks, strict=True))
    )


class Written(NamedTuple):
    """B_i, H_i and F_i of an arm, its B_i adding up to a half."""

    block: Floats
    hub: Floats
    spoke: Floats


def laplacian(size: int, pairs: Pairs) -> Floats:
    C = np.zeros((size, size))
    for one, other, weight in pairs:
        C[one, other] += weight
        C[other, one] += weight
    return np.diag(C.sum(axis=1)) - C


def written_arm(arm: Relation, within: Mapping[str, Pairs], across: Mapping[str, Pairs]) -> Written:
    """The Laplacian of links added to the degrees of an arm; links of its two kinds with each other to its block."""
    B = arm.block.toarray()
    unit = DELTA * float(np.median(B[B > 0]))
    for row, col, weight in across.get(arm.cols.kind, ()):
        B[row, col] += unit * weight
    H, F = (np.diag(B.sum(axis=axis)) for axis in (1, 0))
    H += unit * laplacian(len(H), within.get(arm.rows.kind, ()))
    F += unit * laplacian(len(F), within.get(arm.cols.kind, ()))
    return Written(*(each / (2 * B.sum()) for each in (B, H, F)))


def pencil(
    arms: Sequence[Written], copies: Sequence[Sequence[int]], beta: Sequence[float], price: float
) -> tuple[Floats, Floats]:
    """A and P_i on centred vectors; ``copies`` says where the hub's nodes stand in each arm, -1 where they do not."""
    n_hub = 1 + max(map(max, copies))
    size, start = n_hub + sum(arm.block.shape[1] for arm in arms), n_hub
    A, P = np.zeros((size, size)), np.zeros((len(arms), size, size))
    for number, (arm, places) in enumerate(zip(arms, copies, strict=True)):
        there = np.flatnonzero(np.asarray(places) >= 0)
        rows, cols = np.asarray(places)[there], np.arange(start, start + arm.block.shape[1])
        A[np.ix_(rows, cols)] = beta[number] * arm.block[there]
        P[number][np.ix_(rows, rows)], P[number][np.ix_(cols, cols)] = arm.hub[np.ix_(there, there)], arm.spoke
        start += len(cols)
    A += A.T
    for one, other in combinations(range(len(arms)), 2):
        for node, (first, second) in enumerate(zip(copies[one], copies[other], strict=True)):
            if min(first, second) >= 0 and first != second:
                d, e = arms[one].hub[node, node], arms[other].hub[node, node]
                A -= price * d * e / (d + e) * laplacian(size, [(first, second, 1.0)])
    centred = null_space(P.sum(axis=2))
    return centred.T @ A @ centred, centred.T @ P @ centred


def check(star: Star, links: Constraints, within: Mapping[str, Pairs], across: Mapping[str, Pairs], k: int) -> None:
    """The relaxed cut and its bound are those of the pencil written out."""
    beta = np.array([0.5, 0.3, 0.2])[: len(star.arms)]
    arms = [written_arm(arm, within, across) for arm in star.arms]
    least = least_sum_written_out(*pencil(arms, [range(N_HUB)] * len(arms), beta / beta.sum(), 0.0), k - 1)
    found = CBGC(k, beta=tuple(beta), delta=DELTA).fit(star, links, seed=0)
    assert found.converged
    assert found.figures["relaxed cut"] == pytest.approx(k - 1 - least, abs=1e-9)
    assert found.figures["bound"] == pytest.approx(k - 1 - least, abs=1e-9)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("kinds", [("Term",), ("Term", "Category"), ("Term", "Term")])
def test_links_of_every_sort_enter_as_the_docstring_says(kinds: tuple[str, ...], k: int) -> None:
    star = drawn(kinds, seed=k)
    within = {"Document": [(0, 1, 1.0), (2, 7, 0.4), (3, 8, -0.05)], "Term": [(0, 3, 2.0)], kinds[-1]: [(1, 2, 0.7)]}
    across = {kinds[-1]: [(5, 0, 0.8), (9, 2, 0.3)]}
    links = Constraints(
        {
            kind: sum((Links.of_pairs([[one, other]], must=w > 0, weight=abs(w)) for one, other, w in pairs), Links())
            for kind, pairs in within.items()
        },
        {
            ("Document", kind): Links.of_pairs([each[:2] for each in pairs], weight=[w for *_, w in pairs], across=True)
            for kind, pairs in across.items()
        },
    )
    check(star, links, within, across, k)


@pytest.mark.parametrize("k", [2, 3])
def test_a_group_is_all_of_its_pairs(k: int) -> None:
    star, group = drawn(("Term", "Category"), seed=5), [1, 4, 6, 9]
    pairs = [(one, other, 0.5) for one, other in combinations(group, 2)]
    check(star, Constraints({"Document": Links.tying(Groups.of([group]), weight=0.5)}), {"Document": pairs}, {}, k)


@pytest.mark.parametrize("price", [0.1, 1.0, 30.0])
@pytest.mark.parametrize(
    ("linked", "missing", "gone"),
    [
        ([], [], []),
        ([], [0, 1], [0, 1]),
        ([(2, 3, 1.0)], [0, 1], [0, 1]),
        ([(0, 1, 1.0)], [0, 1], [0, 1]),  # must-links among nodes that an arm does not have give them no copy there
        ([(0, 1, 1.0), (1, 2, 1.0)], [0, 1], []),  # but those that lead to one that it has do
    ],
)
def test_copies_of_the_centre_enter_as_the_docstring_says(
    linked: Pairs, missing: list[int], gone: list[int], price: float
) -> None:
    star, beta = drawn(("Term", "Category"), seed=7, missing=missing), (0.4, 0.6)
    links = Constraints({"Document": Links.of_pairs([each[:2] for each in linked])} if linked else {})
    there = np.delete(np.arange(N_HUB), gone)
    second = np.full(N_HUB, -1)
    second[there] = N_HUB + np.arange(len(there))
    arms = [written_arm(arm, {"Document": linked}, {}) for arm in star.arms]
    least = least_sum_written_out(*pencil(arms, [range(N_HUB), second.tolist()], beta, price), 1)
    found = CBGC(2, beta=beta, delta=DELTA, price=price).fit(star, links, seed=0)
    assert found.converged
    assert found.figures["relaxed cut"] == pytest.approx(1 - least, abs=1e-9)
    assert found.figures["bound"] == pytest.approx(1 - least, abs=1e-9)
