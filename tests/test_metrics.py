"""Metrics against values worked out by hand, and against scikit-learn and dense definitions."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, random_array
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from graphmine.errors import DataError
from graphmine.metrics import accuracy, ami, ari, barber_modularity, nmi, normalised_cut, purity, quality, score
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star

LABELS = [0, 0, 0, 1, 1, 2]
TRUTH = ["a", "a", "b", "b", "b", "c"]


def test_values_by_hand() -> None:
    assert purity(LABELS, TRUTH) == pytest.approx(5 / 6)
    assert accuracy(LABELS, TRUTH) == pytest.approx(5 / 6)
    # Pairs together in both: (0,1), (3,4); in the labels 3 + 1, in the truth 1 + 3, of 15.
    expected = 4 * 4 / 15
    assert ari(LABELS, TRUTH) == pytest.approx((2 - expected) / (4 - expected))
    # H(labels) = H(truth); I = H(labels) + H(truth) - H(both), in nats.
    entropy = 3 / 6 * np.log(2) + 2 / 6 * np.log(3) + 1 / 6 * np.log(6)
    both = 2 / 6 * np.log(3) * 2 + 1 / 6 * np.log(6) * 2
    assert nmi(LABELS, TRUTH) == pytest.approx((2 * entropy - both) / entropy)


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scikit_learn_and_a_dense_assignment(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(7, size=200), rng.integers(4, size=200)
    found = score(labels, [f"class {each}" for each in truth])
    assert found.nmi == pytest.approx(normalized_mutual_info_score(truth, labels))
    assert found.ami == pytest.approx(adjusted_mutual_info_score(truth, labels))
    assert found.ari == pytest.approx(adjusted_rand_score(truth, labels))
    counts = contingency_matrix(labels, truth)
    rows, cols = linear_sum_assignment(counts, maximize=True)
    for one, other in ((labels, truth), (truth, labels)):
        assert accuracy(one, other) == pytest.approx(counts[rows, cols].sum() / 200)
    assert found.purity == pytest.approx(counts.max(axis=1).sum() / 200)


@pytest.mark.parametrize("measure", [nmi, ami, ari, purity, accuracy])
def test_the_truth_itself_scores_one_whatever_its_numbers(measure: Callable[..., float]) -> None:
    assert measure([5, 5, 2, 9, 9, 2], ["x", "x", 3, (1, 2), (1, 2), 3]) == pytest.approx(1.0)


def test_one_cluster_says_nothing() -> None:
    found = score([0] * 6, TRUTH)
    assert (found.nmi, found.ami, found.ari) == (0.0, 0.0, 0.0)
    assert found.purity == found.accuracy == pytest.approx(0.5)


def test_as_many_clusters_as_nodes_stay_sparse_and_silent() -> None:
    nodes = np.arange(20_000)
    assert accuracy(nodes, nodes[::-1]) == purity(nodes, nodes[::-1]) == 1.0
    assert nmi(nodes[:1000], nodes[:1000]) == pytest.approx(1.0)


def test_nodes_without_cluster_or_truth_are_left_out_and_counted() -> None:
    labels = [*LABELS, -1, 0, 1, 2, -1]
    truth = [*TRUTH, "a", None, float("nan"), np.float64("nan"), None]
    found = score(labels, truth)
    assert (found.compared, found.left_out) == (6, 5)
    assert found == score(np.array(labels), np.array(truth, dtype=object))
    assert found.ari == ari(LABELS, TRUTH)
    assert found.purity == purity(LABELS, TRUTH)


def test_negative_classes_are_classes() -> None:
    assert ari([0, 0, 1, 1], np.array([-1, -1, 3, 3])) == 1.0


@pytest.mark.parametrize(
    ("labels", "truth", "sentence"),
    [
        ([0, 1], ["a"], r"^labels and truth must be as long as each other, were 2 and 1$"),
        ([], [], r"^no node has both a cluster and a true class"),
        ([-1, 0], ["a", None], r"^no node has both a cluster and a true class"),
        ([0, 1], [["a"], ["b"]], r"^a true class must be one value"),
    ],
)
def test_what_can_not_be_compared_is_refused(labels: list[int], truth: list[object], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        score(labels, truth)


@pytest.mark.parametrize("seed", range(4))
def test_barber_modularity_is_the_dense_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    block = csr_array(random_array((15, 11), density=0.3, rng=rng))
    rows, cols = rng.integers(-1, 4, size=15), rng.integers(-1, 4, size=11)
    dense = block.toarray()
    total = dense.sum()
    expected = dense - np.outer(dense.sum(axis=1), dense.sum(axis=0)) / total
    together = (rows[:, None] == cols) & (rows[:, None] >= 0)
    assert barber_modularity(block, rows, cols) == pytest.approx(expected[together].sum() / total)


def test_cuts_and_modularity_by_hand() -> None:
    block = csr_array([[2.0, 0.0], [1.0, 3.0]])
    assert barber_modularity(block, [0, 1], [0, 1]) == pytest.approx(5 / 6 - (2 * 3 + 4 * 3) / 36)
    assert barber_modularity(block, [0, 0], [0, 0]) == pytest.approx(0.0)
    assert normalised_cut(block, [0, 1], [0, 1]) == pytest.approx(1 / 5 + 1 / 7)
    assert normalised_cut(block, [0, 0], [0, 0]) == 0.0
    assert normalised_cut(block, [0, -1], [0, -1]) == pytest.approx(1 / 5)


@pytest.mark.parametrize("measure", [barber_modularity, normalised_cut])
def test_partitions_that_do_not_fit_a_block_are_refused(measure: Callable[..., float]) -> None:
    block = csr_array([[1.0, 0.0]])
    with pytest.raises(DataError, match=r"^a block of 1 × 2 needs as many labels, not 2 and 1$"):
        measure(block, [0, 0], [0])
    with pytest.raises(DataError, match=r"^the block holds no weight"):
        measure(csr_array((1, 2)), [0], [0, 0])


def some_star(seed: int, weights: tuple[float, float] = (1.0, 2.5)) -> tuple[Star, Clustering]:
    rng = np.random.default_rng(seed)
    paper, author, term = (Nodes(kind, range(n)) for kind, n in (("Paper", 12), ("Author", 9), ("Term", 7)))
    arms = [
        Relation(paper, side, csr_array(random_array((12, len(side)), density=0.3, rng=rng))) for side in (author, term)
    ]
    labels = {nodes.kind: rng.integers(UNPLACED, 3, len(nodes)) for nodes in (paper, author, term)}
    return Star(tuple(arms), weights), Clustering(labels)


@pytest.mark.parametrize(
    ("labels", "balance"),
    [
        ({"Author": [UNPLACED], "Venue": [UNPLACED, UNPLACED]}, 0),
        ({"Author": [1], "Venue": [1, 1]}, 1),  # no cluster has the number 0
        ({"Author": [0], "Venue": [1, 1]}, 0),
        ({"Author": [0], "Venue": [0, 1]}, 1),
    ],
)
def test_balance_counts_the_clusters_that_there_are(labels: dict[str, list[int]], balance: float) -> None:
    star = Star.of(Relation(Nodes("Author", [0]), Nodes("Venue", [0, 1]), csr_array((1, 2))))
    found = quality(star, Clustering({kind: np.array(own) for kind, own in labels.items()}))
    assert found.balance["Venue"] == balance
    assert found.unplaced == {kind: own.count(UNPLACED) for kind, own in labels.items()}


def test_quality_of_one_arm_is_the_metrics_own() -> None:
    star, clustering = some_star(1)
    arm = star.arms[0]
    labels = clustering.labels["Paper"], clustering.labels["Author"]
    found = quality(Star((arm,)), clustering)
    assert found.cut == normalised_cut(arm.block, *labels)
    assert found.modularity == barber_modularity(arm.block, *labels)


def test_quality_of_a_star_counts_its_arms_by_their_weights() -> None:
    star, clustering = some_star(2)
    arm = star.arms[0]
    labels = clustering.labels["Paper"], clustering.labels["Author"]
    only_first = quality(Star(star.arms, (3.0, 0.0)), clustering)
    assert only_first.cut == pytest.approx(normalised_cut(arm.block, *labels))
    assert only_first.modularity == pytest.approx(barber_modularity(arm.block, *labels))


def test_quality_of_no_weight_is_unknown() -> None:
    star, clustering = some_star(0)
    found = quality(Star(star.arms, (0.0, 0.0)), clustering)
    assert found.cut is None
    assert found.modularity is None
