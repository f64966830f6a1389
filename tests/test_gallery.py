"""The gallery's networks are what their names say."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from graphmine import gallery
from graphmine.errors import ParameterError
from graphmine.model import Star


@pytest.mark.parametrize("seed", range(3))
def test_planted_without_noise_links_only_within_fields(seed: int) -> None:
    star, truth = gallery.planted(50, 31, n_clusters=4, degree=7, noise=0, seed=seed)
    rows, cols = star.arms[0].block.nonzero()
    assert np.array_equal(truth["Author"][rows], truth["Venue"][cols])
    assert np.bincount(truth["Author"]).tolist() == [13, 13, 12, 12]
    assert np.bincount(truth["Venue"]).tolist() == [8, 8, 8, 7]
    assert star.arms[0].block.sum(axis=1).tolist() == [7.0] * 50


def test_planted_noise_is_the_share_of_random_links() -> None:
    star, truth = gallery.planted(2000, 100, n_clusters=4, degree=10, noise=0.4, seed=0)
    block = star.arms[0].block.tocoo()
    strangers = block.data[truth["Author"][block.row] != truth["Venue"][block.col]].sum() / block.data.sum()
    assert strangers == pytest.approx(0.4 * 3 / 4, abs=0.02)


def test_planted_depends_on_its_seed_alone() -> None:
    (one, truth), (again, _), (other, _) = (gallery.planted(seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.arms[0].block.toarray(), again.arms[0].block.toarray())
    assert not np.array_equal(one.arms[0].block.toarray(), other.arms[0].block.toarray())
    assert list(truth) == [nodes.kind for nodes in one.kinds]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"n_rows": 2, "n_clusters": 3}, "n_rows must be a whole number of at least 3, was 2"),
        ({"n_cols": 2, "n_clusters": 3}, "n_cols must be a whole number of at least 3, was 2"),
        ({"degree": 0}, "degree must be"),
        ({"noise": 1.5}, "noise must be a number from 0 to 1, was 1.5"),
    ],
)
def test_planted_refuses_what_it_can_not_plant(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gallery.planted(**params)


@pytest.mark.parametrize(("drift", "changed"), [(0.0, 0.0), (0.3, 0.225), (1.0, 0.75)])
def test_a_share_of_the_nodes_drifts(drift: float, changed: float) -> None:
    snapshots = gallery.drifting(5, 2000, 400, n_clusters=4, drift=drift, away=0.0, seed=2)
    for (_, then), (_, now) in pairwise(snapshots):
        for kind, n_nodes in (("Author", 2000), ("Venue", 400)):
            assert np.mean(then[kind] != now[kind]) == pytest.approx(changed, abs=0.05)
            assert np.bincount(now[kind]).tolist() == [n_nodes // 4] * 4


def test_drifting_authors_come_and_go_and_publish_in_their_field() -> None:
    snapshots = gallery.drifting(3, 50, 10, n_clusters=2, degree=4, noise=0.0, drift=0.2, away=0.3, seed=1)
    there = [set(star.nodes("Author").keys.to_pylist()) for star, _ in snapshots]
    assert [len(each) for each in there] == [35, 35, 35]
    assert there[0] - there[1]
    assert there[1] - there[0]
    for star, truth in snapshots:
        rows, cols = star.arms[0].block.nonzero()
        assert np.array_equal(truth["Author"][rows], truth["Venue"][cols])
        assert star.arms[0].block.sum(axis=1).tolist() == [4.0] * 35


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_snapshots": 0}, "n_snapshots must be"),
        ({"drift": 1.5}, "drift must be a number from 0 to 1, was 1.5"),
        ({"away": 1}, "away must be a number from 0 to 0.9, was 1"),
        ({"n_cols": 2}, "n_cols must be a whole number of at least 3, was 2"),
    ],
)
def test_drifting_refuses_what_it_can_not_plant(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gallery.drifting(**params)


@pytest.mark.parametrize("seed", range(3))
def test_a_planted_star_without_noise_links_only_within_fields(seed: int) -> None:
    star, truth = gallery.planted_star(50, (31, 5, 17), n_clusters=4, degree=(7, 1, 3), noise=0, seed=seed)
    assert [arm.cols.kind for arm in star.arms] == ["Term", "Category", "Author"]
    assert list(truth) == [nodes.kind for nodes in star.kinds]
    for arm, degree in zip(star.arms, (7, 1, 3), strict=True):
        rows, cols = arm.block.nonzero()
        assert np.array_equal(truth["Document"][rows], truth[arm.cols.kind][cols])
        assert arm.block.sum(axis=1).tolist() == [degree] * 50
        assert set(truth[arm.cols.kind].tolist()) == {0, 1, 2, 3}


def test_each_arm_of_a_planted_star_has_its_own_noise() -> None:
    star, truth = gallery.planted_star(2000, (100, 100), n_clusters=4, degree=10, noise=(0.4, 0.0), seed=0)
    strangers = []
    for arm in star.arms:
        block = arm.block.tocoo()
        outside = truth["Document"][block.row] != truth[arm.cols.kind][block.col]
        strangers.append(block.data[outside].sum() / block.data.sum())
    assert strangers == pytest.approx([0.4 * 3 / 4, 0.0], abs=0.02)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_centre": 2}, "n_centre must be a whole number of at least 3, was 2"),
        ({"sizes": ()}, "how many sizes there are must be a whole number from 1 to 6, was 0"),
        ({"sizes": (5, 2)}, "the size of Category must be a whole number of at least 3, was 2"),
        ({"degree": (1, 0)}, "degree of Category must be a whole number of at least 1, was 0"),
        ({"noise": (0.1,)}, r"noise must be one number, or one for each of Term, Category, was \(0.1,\)"),
        ({"noise": (0.1, 2)}, "noise of Category must be a number from 0 to 1, was 2"),
    ],
)
def test_planted_star_refuses_what_it_can_not_plant(params: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gallery.planted_star(**params)


def test_toy_one_is_as_the_paper_tells_it() -> None:
    (by_x, by_z), truth = gallery.toy_one()[0].arms, gallery.toy_one()[1]
    assert [kind[0] for kind in (by_x.cols.keys.to_pylist(), by_z.cols.keys.to_pylist())] == ["x1", "z1"]
    assert set(by_x.block.data.tolist()) == set(by_z.block.data.tolist()) == {1.0}
    assert np.flatnonzero(by_x.block.sum(axis=1) == 0).tolist() == [6]  # y7: X–Y is unconnected
    assert by_z.block[[6]].nonzero()[1].tolist() == [5]  # z6 is all it has
    crossing = [
        truth["Y"][rows] != truth[arm.cols.kind][cols] for arm in (by_x, by_z) for rows, cols in [arm.block.nonzero()]
    ]
    assert [each.sum() for each in crossing] == [2, 1]


def test_toy_two_has_four_y_that_x_and_z_see_differently() -> None:
    star, truth = gallery.toy_two()
    assert [len(nodes) for nodes in star.kinds] == [20, 16, 21]
    assert np.flatnonzero(truth["Y"] == -1).tolist() == [8, 9, 10, 11]
    for arm, side in zip(star.arms, (0, 1), strict=True):
        block, ends = arm.block.toarray(), truth[arm.cols.kind]
        assert set(np.unique(block)) <= set(range(10))
        assert block.max() == 9
        wanted = np.where(truth["Y"] == -1, side, truth["Y"])
        inside = wanted[:, None] == ends
        assert block[inside].min() >= 2
        assert block[~inside].max() <= 3


def test_davis_has_the_attendance_of_the_book() -> None:
    star = gallery.davis()
    (arm,) = star.arms
    attended = dict(zip(arm.rows.keys.to_pylist(), arm.block.sum(axis=1).tolist(), strict=True))
    assert (attended["Evelyn Jefferson"], attended["Theresa Anderson"], attended["Flora Price"]) == (8, 8, 2)
    held = dict(zip(arm.cols.keys.to_pylist(), arm.block.sum(axis=0).tolist(), strict=True))
    assert (held["E8"], held["E9"], held["E1"]) == (14, 12, 3)


@pytest.mark.parametrize(
    "star",
    [
        gallery.davis(),
        gallery.planted()[0],
        gallery.islands()[0],
        gallery.lonely()[0],
        gallery.full(12, 3),
        gallery.drifting(1, 12)[0][0],
        gallery.planted_star(12, (30, 4, 11, 5, 6, 7))[0],
        gallery.toy_one()[0],
        gallery.toy_two()[0],
    ],
)
def test_nodes_are_sorted_by_key(star: Star) -> None:
    assert all(before < after for nodes in star.kinds for before, after in pairwise(nodes.keys.to_pylist()))


def test_lonely_nodes_have_no_links_and_no_truth() -> None:
    star, truth = gallery.lonely()
    block = star.arms[0].block
    assert np.array_equal(block.sum(axis=1) == 0, truth["Author"] == -1)
    assert np.array_equal(block.sum(axis=0) == 0, truth["Venue"] == -1)
    rows, cols = block.nonzero()
    assert np.count_nonzero(truth["Author"][rows] != truth["Venue"][cols]) == 1


def test_nested_topics_share_their_field_more_than_others() -> None:
    star, (fields, topics) = gallery.nested(
        1200, 60, n_fields=3, n_topics=2, degree=10, noise=0.12, kinship=0.3, seed=1
    )
    assert np.array_equal(topics["Author"] // 2, fields["Author"])
    assert np.bincount(topics["Venue"]).tolist() == [10] * 6
    block = star.arms[0].block.tocoo()
    shares = [
        block.data[truth["Author"][block.row] == truth["Venue"][block.col]].sum() / block.data.sum()
        for truth in (fields, topics)
    ]
    assert shares == pytest.approx([0.88 + 0.12 / 3, 0.58 + 0.3 / 2 + 0.12 / 6], abs=0.01)


def test_nested_shares_are_at_most_all() -> None:
    with pytest.raises(ParameterError, match=r"kinship must be a number from 0 to 0\.3, was 0\.5"):
        gallery.nested(noise=0.7, kinship=0.5)
