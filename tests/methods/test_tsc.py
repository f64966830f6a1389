"""TSC: what the contract of all methods does not say of it."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array

from graphmine import gallery
from graphmine.errors import ParameterError
from graphmine.methods.spectral.sco import SCO
from graphmine.methods.tsc import TSC
from graphmine.model import Nodes, Relation, Star
from tests.methods.test_contract import same_partition, union


@pytest.mark.parametrize("alpha", [0.01, 1.0, 30.0])
def test_it_is_the_second_vector_of_the_adjacency_of_equation_7(alpha: float) -> None:
    star, _ = gallery.planted_star(30, (20, 8), n_clusters=2, degree=6, noise=0.3, seed=1)
    found = TSC(2, alpha=alpha).fit(star, seed=0)
    A, B = (arm.block.toarray() for arm in star.arms)
    M = np.block([
        [np.zeros((30, 30)), A, alpha * B],
        [A.T, np.zeros((20, 28))],
        [alpha * B.T, np.zeros((8, 28))],
    ])
    degree = M.sum(axis=1)
    linked = degree > 0
    second = eigh((np.diag(degree) - M)[linked][:, linked], np.diag(degree[linked]))[1][:, 1]
    labels = union(star, found.labels)[linked]
    # k-means in one dimension cuts the vector at one place.
    ends = [second[labels == each] for each in (0, 1)]
    assert max(map(min, ends)) > min(map(max, ends))


def test_one_arm_is_sco() -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.2, seed=0)
    found, sco = TSC(3, alpha=7.0).fit(star, seed=0), SCO(3).fit(star, seed=0)
    assert same_partition(union(star, found.labels), union(star, sco.labels))
    assert found.objective == pytest.approx(sco.objective)


def test_a_weight_for_each_arm_and_the_weights_of_the_star() -> None:
    star, _ = gallery.planted_star(60, (40, 12, 20), n_clusters=2, degree=6, noise=0.5, seed=1)
    one = TSC(2, alpha=(0.5, 0.5)).fit(star, seed=0)
    for other in (TSC(2, alpha=0.5).fit(star, seed=0), TSC(2).fit(Star(star.arms, (2, 1, 1)), seed=0)):
        assert np.array_equal(union(star, one.labels), union(star, other.labels))


def test_each_kind_may_have_its_own_number_of_clusters() -> None:
    star, _ = gallery.planted_star(120, (60, 24), n_clusters=4, degree=10, noise=0.1, seed=0)
    found = TSC({"Document": 4, "Term": 4, "Category": 2}).fit(star, seed=0)
    assert [len(np.unique(own)) for own in found.labels.values()] == [4, 4, 2]


@pytest.mark.parametrize("alpha", [0, -1, "much", [1.0, 0.0], 1e308])
def test_what_is_no_weight_is_refused(alpha: object) -> None:
    with pytest.raises(ParameterError, match=r"^alpha must be a number from 1e-100 to 1e\+100, was"):
        TSC(2, alpha=alpha)  # type: ignore[arg-type]


def test_weights_that_do_not_fit_the_star_are_refused() -> None:
    star, _ = gallery.planted_star(60, (40, 12), n_clusters=2, seed=1)
    with pytest.raises(
        ParameterError, match=r"^alpha must have one number for each arm but the first, 1 in all, and has 2$"
    ):
        TSC(2, alpha=(1.0, 1.0)).fit(star)


def test_two_relations_with_one_kind_are_refused() -> None:
    centre, terms = Nodes("Document", [1, 2]), Nodes("Term", ["a", "b"])
    arm = Relation(centre, terms, csr_array(np.eye(2)))
    with pytest.raises(ParameterError, match=r"^TSC takes one relation of Document with Term, not two; leave one out$"):
        TSC(2).fit(Star((arm, arm)))
