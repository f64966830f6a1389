"""What every method that takes stars promises of them."""

import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.errors import DataError, ParameterError
from graphmine.methods.catalog import CATALOG, method
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from tests.methods.contract import methods_that
from tests.methods.test_contract import same_partition, union

METHODS = CATALOG
"""The methods that the checks of a file run over."""
STARS: dict[str, tuple[Callable[[], tuple[Star, gallery.TrueLabels]], int]] = {
    "two arms": (lambda: gallery.planted_star(80, (40, 12), n_clusters=3, degree=8, noise=0.1, seed=0), 3),
    "three arms": (lambda: gallery.planted_star(80, (40, 12, 30), n_clusters=2, degree=8, noise=0.2, seed=1), 2),
    # A document in one category alone is where that is, so that wrong categories would not be mended by terms.
    "few categories": (
        lambda: gallery.planted_star(90, (60, 3), n_clusters=3, degree=(10, 1), noise=(0.1, 0.0), seed=2),
        3,
    ),
}

every_star_method = methods_that(lambda traits: traits.max_arms is None)
every_star = pytest.mark.parametrize("planted", STARS)


def fit_anew(name: str, planted: str, seed: int = 0) -> tuple[Star, gallery.TrueLabels, Clustering]:
    make, k = STARS[planted]
    star, truth = make()
    return star, truth, method(name, n_clusters=k).fit(star, seed=seed)


@cache
def fitted(name: str, planted: str, seed: int = 0) -> tuple[Star, gallery.TrueLabels, Clustering]:
    """Fit once for all tests that only look at the result."""
    return fit_anew(name, planted, seed)


@every_star_method
@every_star
def test_planted_stars_are_recovered(name: str, planted: str) -> None:
    _, truth, found = fitted(name, planted)
    for kind, known in truth.items():
        assert metrics.ari(found.labels[kind], known) >= 0.9
    assert found.converged
    assert np.all(np.isfinite(found.trace))


@every_star_method
@every_star
def test_same_seed_same_labels(name: str, planted: str) -> None:
    (star, _, first), (_, _, again) = fitted(name, planted, 3), fit_anew(name, planted, 3)
    assert np.array_equal(union(star, first.labels), union(star, again.labels))


@every_star_method
@every_star
def test_permuting_nodes_permutes_the_partition(name: str, planted: str) -> None:
    star, _, found = fitted(name, planted)
    rng = np.random.default_rng(0)
    order = {nodes.kind: rng.permutation(len(nodes)) for nodes in star.kinds}
    arms = [
        Relation(
            Nodes(arm.rows.kind, arm.rows.keys.take(order[arm.rows.kind])),
            Nodes(arm.cols.kind, arm.cols.keys.take(order[arm.cols.kind])),
            csr_array(arm.block[order[arm.rows.kind]][:, order[arm.cols.kind]]),
        )
        for arm in star.arms
    ]
    again = method(name, n_clusters=STARS[planted][1]).fit(Star(tuple(arms)), seed=0)
    moved = {kind: found.labels[kind][order[kind]] for kind in again.labels}
    assert same_partition(union(star, again.labels), union(star, moved))


@every_star_method
def test_isolated_nodes_of_every_kind_stay_unplaced(name: str) -> None:
    star, _ = STARS["two arms"][0]()
    arms = []
    for arm in star.arms:
        block = arm.block.toarray()
        block[0], block[:, 0] = 0.0, 0.0
        arms.append(Relation(arm.rows, arm.cols, csr_array(block)))
    found = method(name, n_clusters=3).fit(Star(tuple(arms)), seed=0)
    linked = {"Document": sum(np.diff(arm.block.indptr) for arm in arms) > 0}
    linked |= {arm.cols.kind: np.bincount(arm.block.indices, minlength=len(arm.cols)) > 0 for arm in arms}
    for kind, own in found.labels.items():
        assert np.array_equal(own != UNPLACED, linked[kind])


@every_star_method
def test_a_star_without_links_is_refused(name: str) -> None:
    star, _ = STARS["two arms"][0]()
    nothing = [Relation(arm.rows, arm.cols, csr_array(arm.block.shape)) for arm in star.arms]
    with pytest.raises(DataError, match=r"^no Document is linked to any Term, so there is nothing to cluster"):
        method(name, n_clusters=2).fit(Star(tuple(nothing)))


@every_star_method
def test_one_arm_without_links_leaves_the_others(name: str) -> None:
    star, truth = STARS["two arms"][0]()
    empty = Relation(star.centre, Nodes("Place", ["here"]), csr_array((80, 1)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = method(name, n_clusters=3).fit(Star((*star.arms, empty)), seed=0)
    assert found.labels["Place"].tolist() == [UNPLACED]
    assert metrics.ari(found.labels["Document"], truth["Document"]) >= 0.9


@every_star_method
def test_more_clusters_than_the_centre_has_nodes_are_refused(name: str) -> None:
    star, _ = gallery.planted_star(4, (8, 8), n_clusters=2, degree=4, noise=0.1, seed=0)
    with pytest.raises(
        ParameterError, match=r"^n_clusters must be at most 4, the number of Document nodes with links, was 5$"
    ):
        method(name, n_clusters=5).fit(star)
