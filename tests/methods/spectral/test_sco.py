"""S-CO against the formula written out densely, and at the corners where the formula says nothing."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array
from sklearn.cluster import KMeans

from graphmine import gallery, metrics
from graphmine.arrays import Floats
from graphmine.linalg.triplets import leading_triplets
from graphmine.methods.spectral import embedding
from graphmine.methods.spectral.embedding import embed, plain_cut
from graphmine.methods.spectral.sco import SCO
from tests.methods.dense import nested, star_of


def brute_force(dense: Floats, k: int) -> tuple[Floats, Floats]:
    """Return D^½ [1, Z] and Z, with Z = [D_r^-½ U; D_c^-½ V] of the singular vectors 2..k."""
    row_root, col_root = np.sqrt(dense.sum(axis=1)), np.sqrt(dense.sum(axis=0))
    U, _, Vt = np.linalg.svd(dense / row_root[:, None] / col_root)
    stacked = np.vstack([U[:, :k], Vt[:k].T])
    return stacked, (stacked / np.concatenate([row_root, col_root])[:, None])[:, 1:]


def projector(columns: Floats) -> Floats:
    basis: Floats = np.linalg.qr(columns)[0]
    onto: Floats = basis @ basis.T
    return onto


@pytest.mark.parametrize(("network", "k"), [(0, 3), (1, 3), (2, 5), (3, 2)])
def test_embedding_spans_the_space_of_the_formula(network: int, k: int) -> None:
    star, _ = gallery.planted(40 + network, 30, n_clusters=k, degree=12, noise=0.3, seed=network)
    block = star.arms[0].block
    found, converged = embed(plain_cut(star.arms[0]), k, np.random.default_rng(0), "S-CO")
    found *= block.data.max() ** -0.5  # the block is scaled to weights of at most 1
    stacked, Z = brute_force(block.toarray(), k)
    degree_root = np.sqrt(np.concatenate([block.sum(axis=1), block.sum(axis=0)]))[:, None]
    assert converged
    assert found.shape == (70 + network, k)
    np.testing.assert_allclose(projector(found * degree_root), projector(stacked), atol=1e-8)
    # Distances, all that k-means sees, agree too.
    gram, expected = ((each - each.mean(axis=0)) @ (each - each.mean(axis=0)).T for each in (found, Z))
    np.testing.assert_allclose(gram, expected, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(4))
def test_partition_is_the_one_of_the_formula(seed: int) -> None:
    star, _ = gallery.planted(60, 45, n_clusters=4, degree=14, noise=0.3, seed=seed)
    block = star.arms[0].block
    _, Z = brute_force(block.toarray(), 4)
    expected = KMeans(4, n_init=50, random_state=0).fit_predict(Z)
    found = SCO(4).fit(star, seed=seed)
    assert metrics.ari(np.concatenate(list(found.labels.values())), expected) == 1.0
    assert found.objective == pytest.approx(metrics.normalised_cut(block, expected[:60], expected[60:]), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_each_kind_is_clustered_by_itself_in_the_space_of_the_greater_number(seed: int) -> None:
    star = nested(300, 240, seed=seed)
    _, Z = brute_force(star.arms[0].block.toarray(), 6)
    found = SCO({"Row": 6, "Col": 4}).fit(star, seed=seed)
    for kind, count, points in (("Row", 6, Z[:300]), ("Col", 4, Z[300:])):
        expected = KMeans(count, n_init=50, random_state=0).fit_predict(points)
        assert metrics.ari(found.labels[kind], expected) == 1.0
        assert np.unique(found.labels[kind]).tolist() == list(range(count))


def test_davis_women_fall_into_the_two_groups_of_the_literature() -> None:
    star = gallery.davis()
    labels = SCO(2).fit(star, seed=0).labels["Woman"]
    group = dict(zip(star.centre.keys.to_pylist(), labels.tolist(), strict=True))
    first = {"Evelyn Jefferson", "Laura Mandeville", "Theresa Anderson", "Brenda Rogers", "Charlotte McDowd"}
    second = {"Katherina Rogers", "Sylvia Avondale", "Nora Fayette", "Helen Lloyd", "Myra Liddel", "Flora Price"}
    assert {group[name] for name in first} != {group[name] for name in second}
    assert len({group[name] for name in first}) == len({group[name] for name in second}) == 1


@pytest.mark.parametrize("n_parts", [8, 20])
@pytest.mark.parametrize("seed", range(3))
def test_as_many_components_as_clusters_are_the_clusters(n_parts: int, seed: int) -> None:
    parts = [gallery.planted(12, 9, 1, 5, 0, seed=each)[0].arms[0].block for each in range(n_parts)]
    found = SCO(n_parts).fit(star_of(csr_array(block_diag(parts))), seed=seed)
    assert metrics.ari(found.labels["Row"], np.repeat(np.arange(n_parts), 12)) == 1.0
    assert found.objective == 0.0


def test_of_too_many_components_the_heaviest_stand_alone() -> None:
    weights = [1.0, 9.0, 2.0, 7.0, 3.0]
    found = SCO(3).fit(star_of(csr_array(np.diag(weights))), seed=0)
    assert found.labels["Row"].tolist() == [0, 1, 0, 2, 0]
    assert found.labels["Col"].tolist() == [0, 1, 0, 2, 0]


def test_a_component_is_split_only_where_clusters_are_left() -> None:
    dumbbell = np.zeros((8, 8))
    dumbbell[:4, :4] = dumbbell[4:, 4:] = 1.0
    dumbbell[3, 4] = 0.1
    found = SCO(3).fit(star_of(csr_array(block_diag([dumbbell, np.ones((3, 3))]))), seed=0)
    assert found.labels["Row"].tolist() == [0] * 4 + [1] * 4 + [2] * 3


def test_fewer_profiles_than_clusters_give_fewer_clusters() -> None:
    rng = np.random.default_rng(0)
    rank_one = csr_array(np.outer(rng.uniform(1, 2, size=9), rng.uniform(1, 2, size=7)))
    assert SCO(3).fit(star_of(rank_one), seed=0).n_clusters == 1
    assert SCO(7).fit(star_of(rank_one), seed=0).n_clusters == 1
    assert SCO(3).fit(gallery.full(), seed=0).n_clusters == 1
    assert SCO(4).fit(star_of(csr_array(block_diag([np.ones((5, 4))] * 2))), seed=0).n_clusters == 2


def test_the_scale_of_the_weights_does_not_matter() -> None:
    star, _ = gallery.planted(seed=3, noise=0.4)
    block = star.arms[0].block
    results = [SCO(3).fit(star_of(csr_array(block * factor)), seed=0) for factor in (1.0, 1e-200, 3e307)]
    assert len({tuple(found.labels["Row"].tolist()) for found in results}) == 1
    assert results[1].objective == pytest.approx(results[0].objective)


def test_vectors_that_do_not_converge_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "leading_triplets", partial(leading_triplets, max_restarts=1))
    star, _ = gallery.planted(500, 400, n_clusters=10, degree=6, noise=0.9, seed=0)
    with pytest.warns(RuntimeWarning, match=r"^only \d of 9 singular vectors converged; S-CO goes on with those$"):
        found = SCO(10).fit(star, seed=0)
    assert not found.converged
    assert np.isfinite(found.trace).all()
