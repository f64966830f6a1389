"""Stars in balance: against pencils written out, and certificates that do not believe what they are told."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.linalg.star.balance import Balance, balance_arms, room_for
from graphmine.linalg.star.certificate import certificate
from graphmine.linalg.star.hub_basis import HubBasis
from graphmine.linalg.star.pencil import StarPencil, StarVectors
from tests.linalg.star.random_stars import least_sum_by_hand, pencil_of, planted_blocks

STARS = [
    (8, (3, 6), 2, (0.5, 0.5)),
    (20, (16, 21), 2, (0.3, 0.7)),
    (60, (40, 30), 3, (0.5, 0.5)),
    (60, (40, 30, 20), 2, (0.3, 0.3, 0.4)),
    (80, (20, 30, 20, 10), 4, (0.25, 0.25, 0.25, 0.25)),
    (90, (50,), 3, (1.0,)),
]
every_star = pytest.mark.parametrize(("n_hub", "sizes", "k", "beta"), STARS)


def found_in(pencil: StarPencil, count: int, seed: int = 0) -> Balance:
    return balance_arms(pencil, count, np.random.default_rng(seed))


@every_star
@pytest.mark.parametrize("seed", range(2))
def test_the_sum_is_the_least_over_all_weights(
    n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...], seed: int
) -> None:
    blocks = planted_blocks(n_hub, sizes, k, 6, 0.2, seed)
    found = found_in(pencil_of(blocks, beta), k - 1, seed)
    assert found.values[: k - 1].sum() == pytest.approx(least_sum_by_hand(blocks, beta, k - 1), abs=1e-12)
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.residual <= 1e-9


@every_star
def test_the_pulls_of_all_arms_are_equal(n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]) -> None:
    pencil = pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.2, 3), beta)
    found = found_in(pencil, k - 1)
    shares = np.diagonal(pencil.norms(found.vectors), axis1=1, axis2=2)
    pulls = shares @ found.values[: k - 1]
    assert pulls == pytest.approx(np.full(len(sizes), found.values[: k - 1].sum()), abs=1e-9)


@every_star
def test_vectors_are_centred_and_orthonormal(
    n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]
) -> None:
    pencil = pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.2, 4), beta)
    found = found_in(pencil, k - 1)
    y, *z = found.vectors
    for arm, each in zip(pencil.arms, z, strict=True):
        assert np.abs(arm.hub_sums @ y + arm.spoke_sums @ each).max() < 1e-12
    assert np.tensordot(found.weights, pencil.norms(found.vectors), 1) == pytest.approx(np.eye(k - 1), abs=1e-9)


@every_star
def test_the_trace_rises(n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]) -> None:
    found = found_in(pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.4, 5), beta), k - 1)
    assert np.all(np.diff(found.trace) >= -1e-9)


def test_a_basis_serves_another_beta() -> None:
    blocks = planted_blocks(200, (150, 40), 3, 8, 0.3, 0)
    one, other = pencil_of(blocks, (0.5, 0.5)), pencil_of(blocks, (0.2, 0.8))
    basis = HubBasis(one, room_for(2))
    balance_arms(one, 2, np.random.default_rng(0), basis=basis)
    warm = balance_arms(StarPencil(one.arms, other.beta), 2, np.random.default_rng(0), basis=basis)
    assert warm.values[:2] == pytest.approx(found_in(other, 2).values[:2], abs=1e-12)


def moved(vectors: StarVectors, by: float, seed: int = 0) -> StarVectors:
    rng = np.random.default_rng(seed)
    return tuple(part + by * np.abs(part).max() * rng.standard_normal(part.shape) for part in vectors)


@every_star
def test_what_is_found_is_certified(n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]) -> None:
    pencil = pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.2, 6), beta)
    found = found_in(pencil, k - 1)
    proof = certificate(pencil, found.weights, found.vectors, np.random.default_rng(1))
    assert abs(proof.gap) < 1e-11
    assert proof.balance == pytest.approx(np.ones(len(sizes)), abs=1e-9)


@every_star
def test_wrong_vectors_are_not_certified(n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]) -> None:
    pencil, rng = pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.2, 7), beta), np.random.default_rng(1)
    found = found_in(pencil, k - 1)
    drawn = tuple(rng.standard_normal(part.shape) for part in found.vectors)
    assert certificate(pencil, found.weights, drawn, rng).gap > 0.1
    assert certificate(pencil, found.weights, moved(found.vectors, 1e-3), rng).gap > 1e-8
    behind = balance_arms(pencil, k, np.random.default_rng(0))  # the first k - 1 but one, and the next
    others = tuple(part[:, 1:] for part in behind.vectors)
    assert certificate(pencil, behind.weights, others, rng).gap > 1e-3


@every_star
def test_too_few_vectors_are_not_certified(n_hub: int, sizes: tuple[int, ...], k: int, beta: tuple[float, ...]) -> None:
    pencil, rng = pencil_of(planted_blocks(n_hub, sizes, k, 6, 0.2, 6), beta), np.random.default_rng(1)
    found = found_in(pencil, k - 1)
    assert certificate(pencil, found.weights, found.vectors, rng, count=k).gap > 1e-3
    none = tuple(part[:, :0] for part in found.vectors)
    proof = certificate(pencil, found.weights, none, rng, count=k - 1)
    assert proof.reached == 0.0
    assert proof.bound == pytest.approx(found.values[: k - 1].sum(), abs=1e-9)
    twice = tuple(np.hstack([part[:, :1], part[:, :1]]) for part in found.vectors)
    assert certificate(pencil, found.weights, twice, rng).gap > 1e-3


@pytest.mark.parametrize("n_hub", [8, 200])
def test_a_star_without_structure_is_certified_for_having_none(n_hub: int) -> None:
    pencil = pencil_of([csr_array(np.ones((n_hub, size))) for size in (3, 2)], (0.5, 0.5))
    found = found_in(pencil, 2)
    assert found.vectors[0].shape == (n_hub, 0)
    assert certificate(pencil, found.weights, found.vectors, np.random.default_rng(1), count=2).gap < 1e-12


@pytest.mark.parametrize("beta", [(1e-300, 0.5, 0.5), (0.5, 1e-300, 0.5), (0.5, 0.5, 1e-300)])
def test_arms_that_hardly_count_are_balanced_as_far_as_numbers_go(beta: tuple[float, ...]) -> None:
    pencil = pencil_of(planted_blocks(60, (40, 30, 20), 2, 6, 0.2, 0), beta)
    found = found_in(pencil, 1)
    two = pencil_of(planted_blocks(60, (40, 30, 20), 2, 6, 0.2, 0), np.maximum(beta, 1e-7).tolist())
    assert found.values[0] == pytest.approx(found_in(two, 1).values[0], abs=1e-3)


@pytest.mark.parametrize("shift", [0.02, -0.02])
def test_vectors_of_wrong_weights_are_not_certified(shift: float) -> None:
    blocks = planted_blocks(60, (40, 30), 2, 6, 0.3, 8)
    pencil, rng = pencil_of(blocks, (0.5, 0.5)), np.random.default_rng(0)
    basis = HubBasis(pencil, 60)
    basis.extend(np.eye(60))
    weights = balance_arms(pencil, 1, rng).weights + np.array([shift, -shift])
    leading = basis.leading(pencil.beta, weights, 1)  # an exact eigenvector, but of other weights
    proof = certificate(pencil, weights, basis.spread(pencil.beta, weights, leading), rng)
    assert proof.gap > 1e-4
    assert abs(proof.balance - 1).max() > 1e-4
