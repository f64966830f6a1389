"""Groups as L1 takes them: as stars, by all their pairs or by their members, and who of them is far from the others."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.methods.graph_problem import graph_problem
from graphmine.methods.l1.l1 import L1
from graphmine.methods.link_rows import link_pairs
from graphmine.model import Constraints, Groups, Links, Nodes, Relation
from tests import wrong_links


def parts(rng: np.random.Generator) -> Groups:
    """Return four groups, all of thirty authors together."""
    return Groups.of(np.split(rng.permutation(30), np.sort(rng.choice(29, 3, replace=False)) + 1))


def test_a_group_is_a_star_around_its_middle() -> None:
    n = 1000
    people, places = Nodes("Author", [f"a{i}" for i in range(n)]), Nodes("Venue", ["v"])
    wrote = Relation(people, places, csr_array(np.ones((n, 1))))
    known = Constraints({"Author": Links.tying(Groups.of([range(n)]))})
    x = np.random.default_rng(0).standard_normal(n + 1)
    pairs = link_pairs(known, graph_problem(wrote, known), x)
    assert len(pairs.ends) == n - 1
    assert np.unique(pairs.ends[:, 1]).tolist() == [int(np.argsort(x[:n])[n // 2])]


@pytest.mark.parametrize("seed", range(10))
def test_the_pairs_of_a_link_weigh_what_it_stands_for(seed: int) -> None:
    star, _ = gallery.planted(30, 20, n_clusters=2, degree=5, noise=0.1, seed=1)
    rng = np.random.default_rng(seed)
    groups = parts(rng)
    within = Links.tying(groups, weight=0.5) + Links.parting(groups, weight=2.0) + Links.tying(groups, must=False)
    across = Links.between(groups, Groups.of([[0, 1, 2], [7]]), [[0, 0], [2, 1]]) + Links.of_pairs(
        [[3, 4]], across=True
    )
    known = Constraints({"Author": within}, {("Author", "Venue"): across})
    problem = graph_problem(star.arms[0], known)
    pairs = link_pairs(known, problem, rng.standard_normal(problem.n_vertices))
    every = known.values()
    asked = np.concatenate([links.weight * links.n_pairs for links in every])
    assert np.bincount(pairs.link, pairs.weight, len(asked)) == pytest.approx(asked)
    assert np.array_equal(pairs.alike, np.concatenate([links.must for links in every])[pairs.link])
    assert len(pairs.ends) <= sum(int(np.sum(links.n_pairs)) for links in every) + 3


@pytest.mark.parametrize("seed", range(10))
def test_groups_weigh_no_more_than_their_members(seed: int) -> None:
    star, _ = gallery.planted(30, 20, n_clusters=2, degree=5, noise=0.1, seed=1)
    rng = np.random.default_rng(seed)
    groups = parts(rng)
    within = Links.tying(groups, weight=0.5) + Links.parting(groups, weight=2.0) + Links.tying(groups, must=False)
    known = Constraints({"Author": within + Links.of_pairs([[3, 4]], weight=7.0)})
    problem = graph_problem(star.arms[0], known)
    x = rng.standard_normal(problem.n_vertices)
    every, few = (link_pairs(known, problem, x, groups) for groups in ("pairs", "members"))
    assert np.array_equal(every.ends, few.ends)
    assert np.all(few.weight <= every.weight)
    links = known.within["Author"]
    one, two = (
        [1 if unit >= 0 else links.groups.sizes[-1 - unit] for unit in side] for side in (links.left, links.right)
    )
    apart = np.add(one, two) / 2
    itself = np.where(links.must, np.subtract(one, 1), np.array(one) // 2)
    asked = np.where((links.left < 0) & (links.left == links.right), itself, apart)
    assert np.bincount(few.link, few.weight, len(links)) == pytest.approx(asked * links.weight)


def test_wrong_labels_are_contradicted_where_members_count_and_not_where_pairs_do() -> None:
    scores: dict[str, list[float]] = {"pairs": [], "members": []}
    for seed in range(5):
        star, truth = gallery.planted(120, 80, n_clusters=2, degree=10, noise=0.3, seed=seed)
        known, lies = wrong_links.labelled(truth["Author"], "Author", 0.5, 0.1, seed)
        for groups, own in scores.items():
            found = L1(2, groups=groups).fit(star, known, seed=0)
            own.append(metrics.nmi(found.labels["Author"], truth["Author"]))
            far = set(np.flatnonzero(found.belonging["Author"] < 0.5).tolist())
            assert far <= set(lies.tolist())
            assert (not far) if groups == "pairs" else len(far) >= 0.7 * len(lies)
    assert min(np.subtract(scores["members"], scores["pairs"])) > 0.1


def test_what_members_of_groups_come_near_to_is_told_for_every_node() -> None:
    star, truth = gallery.planted(120, 80, n_clusters=2, degree=10, noise=0.3, seed=0)
    known, _ = wrong_links.labelled(truth["Author"], "Author", 0.5, 0.1, 0)
    for k in (2, 3):
        found = L1(k, groups="members").fit(star, known, seed=0)
        near = found.belonging
        assert {kind: len(each) for kind, each in near.items()} == {"Author": 120, "Venue": 80}
        assert all(each.min() >= 0 and each.max() == 1 for each in near.values())
        assert np.all(near["Venue"] == 1)
        assert np.all(near["Author"][~known.touched("Author", 120)] == 1)
    assert L1(2).fit(star, seed=0).belonging["Author"].min() == 1


def test_members_that_exclude_one_another_are_parted_in_half() -> None:
    star, _ = gallery.islands()
    known = Constraints({"Author": Links.tying(Groups.of([[0, 1, 2, 3]]), must=False)})
    pairs = link_pairs(known, graph_problem(star.arms[0], known), np.arange(22.0))
    assert pairs.ends.tolist() == [[0, 3], [1, 2]]
