"""CBGC: what the contract of all methods does not say of it."""

import tracemalloc
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Ints
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.methods.cbgc.cbgc import CBGC
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.methods.cbgc.relaxation import solve_relaxation
from graphmine.methods.spectral.scm import SCM
from graphmine.methods.spectral.sco import SCO
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star
from graphmine.progress import silent
from tests.linalg.star.random_stars import least_sum_by_hand
from tests.methods.test_contract import same_partition, union, wishes


def planted(
    k: int = 2, n_arms: int = 2, noise: float = 0.1, seed: int = 0, **more: Any
) -> tuple[Star, gallery.TrueLabels]:
    sizes = (80, 24, 60, 40)[:n_arms]
    return gallery.planted_star(120, sizes, n_clusters=k, degree=8, noise=noise, seed=seed, **more)


def agree(star: Star, one: Clustering, other: Clustering) -> bool:
    return same_partition(union(star, one.labels), union(star, other.labels))


@pytest.mark.parametrize("k", [2, 3, 5, 8])
@pytest.mark.parametrize("n_arms", [2, 3, 4])
def test_consistent_stars_are_recovered_and_certified(k: int, n_arms: int) -> None:
    sizes = (120, 24, 80, 60)[:n_arms]
    star, truth = gallery.planted_star(240, sizes, n_clusters=k, degree=10, noise=0.1, seed=k)
    found = CBGC(k).fit(star, seed=0)
    for kind, known in truth.items():
        assert metrics.ari(found.labels[kind], known) >= 0.95
    assert found.converged
    assert abs(found.figures["gap"]) <= 1e-9
    for kind in list(truth)[1:]:
        assert found.figures[f"balance of {kind}"] == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize("beta", [(0.5, 0.5), (0.2, 0.8), (0.3, 0.3, 0.4)])
def test_the_relaxed_cut_is_that_of_problem_12(beta: tuple[float, ...]) -> None:
    star, _ = planted(noise=0.3, n_arms=len(beta), seed=4)
    found = CBGC(2, beta=beta).fit(star, seed=0)
    blocks = [arm.block for arm in star.arms]
    assert found.figures["relaxed cut"] == pytest.approx(1 - least_sum_by_hand(blocks, beta, 1), abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_one_arm_with_links_is_scm(seed: int) -> None:
    star, _ = gallery.planted(60, 40, n_clusters=3, degree=10, noise=0.2, seed=seed)
    links = wishes("scm", star, seed)
    assert agree(star, CBGC(3).fit(star, links, seed=0), SCM(3).fit(star, links, seed=0))


def test_the_order_of_arms_and_nodes_does_not_matter() -> None:
    star, _ = planted(k=3, n_arms=3, noise=0.3, seed=5)
    found, rng = CBGC(3, beta=(0.2, 0.3, 0.5)).fit(star, seed=0), np.random.default_rng(0)
    order = {nodes.kind: rng.permutation(len(nodes)) for nodes in star.kinds}
    turned = [
        Relation(
            Nodes(arm.rows.kind, arm.rows.keys.take(order[arm.rows.kind])),
            Nodes(arm.cols.kind, arm.cols.keys.take(order[arm.cols.kind])),
            csr_array(arm.block[order[arm.rows.kind]][:, order[arm.cols.kind]]),
        )
        for arm in reversed(star.arms)
    ]
    again = CBGC(3, beta=(0.5, 0.3, 0.2)).fit(Star(tuple(turned)), seed=0)
    assert again.figures["relaxed cut"] == pytest.approx(found.figures["relaxed cut"], abs=1e-9)
    moved = {kind: found.labels[kind][order[kind]] for kind in again.labels}
    assert same_partition(union(Star(tuple(turned)), again.labels), union(Star(tuple(turned)), moved))


def test_a_large_weight_changes_nothing() -> None:
    star, _ = planted(noise=0.3)
    heavy = Star(tuple(Relation(arm.rows, arm.cols, arm.block * 1e306) for arm in star.arms))
    assert agree(star, CBGC(2).fit(star, seed=0), CBGC(2).fit(heavy, seed=0))


@pytest.mark.parametrize("n_arms", [1, 2])
@pytest.mark.parametrize("weight", [1e-30, 1e-200])
def test_nodes_that_weigh_next_to_nothing_are_where_the_others_like_them_are(weight: float, n_arms: int) -> None:
    star, truth = planted(noise=0.1)
    faint = np.where(np.arange(120) < 6, weight, 1.0)
    arms = [Relation(arm.rows, arm.cols, csr_array(arm.block.multiply(faint[:, None]))) for arm in star.arms[:n_arms]]
    found = CBGC(2).fit(Star(tuple(arms)), seed=0)
    assert found.converged
    assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95


def test_a_star_of_many_nodes_is_never_made_dense() -> None:
    star, truth = gallery.planted_star(60_000, (60_000, 30_000), n_clusters=3, degree=8, noise=0.2, seed=0)
    nnz, nodes = sum(arm.nnz for arm in star.arms), 150_000
    tracemalloc.start()
    try:
        found = CBGC(3).fit(star, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * (10 * nnz + 60 * nodes)
    assert found.converged
    assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95


@pytest.mark.parametrize("seed", range(4))
def test_two_clusters_are_parted_where_the_objective_is_least(seed: int) -> None:
    star, _ = gallery.planted_star(40, (24, 10), n_clusters=2, degree=5, noise=0.6, seed=seed)
    found = CBGC(2, beta=0.4).fit(star, seed=0)
    problem = StarProblem.of(star, [0, 1], FREE, 3.0, 2)
    vector = solve_relaxation(problem, np.array([0.4, 0.6]), 1, None, np.random.default_rng(0), silent)
    parts = [vector.hub[:, 0], *(spoke[:, 0] for spoke in vector.spokes)]
    positions = [problem.centre, *problem.others]

    def objective(threshold: float) -> float:
        total = 0.0
        for share, arm, own in zip((0.4, 0.6), star.arms, (1, 2), strict=True):
            x, z = (np.zeros(size) for size in arm.block.shape)
            x[positions[0]], z[positions[own]] = parts[0] > threshold, parts[own] > threshold
            block = arm.block.toarray()
            cut, weight = x @ block @ (1 - z) + (1 - x) @ block @ z, block.sum()
            volume = x @ block.sum(axis=1) + z @ block.sum(axis=0)
            total += share * sum(cut / each if each > 1e-9 else 1.0 for each in (volume, 2 * weight - volume))
        return total

    thresholds = np.sort(np.concatenate(parts))
    least = min(map(objective, (thresholds[1:] + thresholds[:-1]) / 2))
    assert found.objective == pytest.approx(least, abs=1e-9)


class TestOddStars:
    """Stars that have something missing, or too much of it."""

    def test_isolated_nodes_stay_unplaced(self) -> None:
        star, truth = planted()
        arms = [_without_rows(arm, [3, 7]) for arm in star.arms]
        found = CBGC(2).fit(Star(tuple(arms)), seed=0)
        assert np.flatnonzero(found.labels["Document"] == UNPLACED).tolist() == [3, 7]
        rest = np.delete(np.arange(120), [3, 7])
        assert metrics.ari(found.labels["Document"][rest], truth["Document"][rest]) > 0.95

    def test_centre_nodes_of_one_arm_alone_are_placed(self) -> None:
        star, truth = planted()
        found = CBGC(2).fit(Star((_without_rows(star.arms[0], range(40)), star.arms[1])), seed=0)
        assert found.converged
        assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.9

    def test_an_arm_without_edges_does_not_count(self) -> None:
        star, truth = planted()
        empty = Relation(star.centre, Nodes("Place", ["here"]), csr_array((120, 1)))
        with pytest.warns(UserWarning, match=r"^no Document is linked to any Place, so that arm does not count$"):
            found = CBGC(2).fit(Star((*star.arms, empty)), seed=0)
        assert found.labels["Place"].tolist() == [UNPLACED]
        assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95

    def test_a_star_without_edges_is_refused(self) -> None:
        star, _ = planted()
        nothing = [Relation(arm.rows, arm.cols, csr_array(arm.block.shape)) for arm in star.arms]
        with pytest.raises(DataError, match=r"^no Document is linked to any Term, so there is nothing to cluster"):
            CBGC(2).fit(Star(tuple(nothing)))

    @pytest.mark.parametrize("k", [2, 3])
    def test_parts_that_nothing_joins_are_the_clusters(self, k: int) -> None:
        star, truth = planted(k=3, noise=0.0)
        found = CBGC(k).fit(star, seed=0)
        assert found.objective == pytest.approx(0.0, abs=1e-12)
        assert found.figures["gap"] == 0.0
        if k == 3:
            assert same_partition(union(star, found.labels), union(star, truth))
        else:  # the heaviest part is one, and the others share the rest
            assert len(set(zip(found.labels["Document"].tolist(), truth["Document"].tolist(), strict=True))) == 3

    def test_more_clusters_than_parts(self) -> None:
        star, truth = gallery.planted_star(120, (60, 24), n_clusters=4, degree=8, noise=0.1, seed=0)
        joined = np.array([0, 0, 1, 1])  # two parts of two clusters each
        arms = [_cut_between(arm, joined[truth["Document"]], joined[truth[arm.cols.kind]]) for arm in star.arms]
        found = CBGC(4).fit(Star(tuple(arms)), seed=0)
        assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95

    def test_small_parts_beside_a_large_one_are_set_aside(self) -> None:
        star, truth = planted(noise=0.2)
        documents = Nodes("Document", [*star.centre.keys.to_pylist(), "zz"])
        arms = []
        for arm in star.arms:
            block = np.zeros((121, len(arm.cols) + 1))
            block[:120, :-1], block[120, -1] = arm.block.toarray(), 1.0
            arms.append(Relation(documents, Nodes(arm.cols.kind, [*arm.cols.keys.to_pylist(), "zz"]), csr_array(block)))
        found = CBGC(2).fit(Star(tuple(arms)), seed=0)
        assert found.labels["Document"][-1] == UNPLACED
        assert metrics.ari(found.labels["Document"][:-1], truth["Document"]) > 0.8

    def test_one_category(self) -> None:
        star, truth = planted()
        one = Relation(star.centre, Nodes("Category", ["all"]), csr_array(np.ones((120, 1))))
        found = CBGC(2).fit(Star((star.arms[0], one)), seed=0)
        assert len(found.labels["Category"]) == 1
        assert found.labels["Category"][0] in (0, 1)
        assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95

    def test_the_same_arm_twice_is_as_once(self) -> None:
        star, _ = planted(noise=0.3)
        once, twice = Star((star.arms[0],)), Star((star.arms[0], star.arms[0]))
        assert agree(once, CBGC(2).fit(once, seed=0), CBGC(2).fit(twice, seed=0))

    @pytest.mark.parametrize(("beta", "arm"), [(1.0, 0), (0.0, 1)])
    def test_an_arm_whose_share_is_nothing_follows(self, beta: float, arm: int) -> None:
        star, truth = planted(noise=0.1)
        found = CBGC(2, beta=beta).fit(star, seed=0)
        alone = SCO(2).fit(Star((star.arms[arm],)), seed=0)
        assert same_partition(found.labels["Document"], alone.labels["Document"])
        other = star.arms[1 - arm].cols.kind
        assert metrics.ari(found.labels[other], truth[other]) > 0.9

    def test_one_node_in_the_centre(self) -> None:
        centre = Nodes("Document", ["d"])
        arms = [Relation(centre, Nodes(kind, ["x", "y"]), csr_array(np.ones((1, 2)))) for kind in ("Term", "Author")]
        assert CBGC(1).fit(Star(tuple(arms))).labels["Term"].tolist() == [0, 0]
        with pytest.raises(ParameterError, match=r"^n_clusters must be at most 1, the number of Document nodes with"):
            CBGC(2).fit(Star(tuple(arms)))

    def test_a_star_without_structure_has_one_cluster(self) -> None:
        centre = Nodes("Document", list(range(6)))
        arms = [Relation(centre, Nodes(kind, list("xyz")), csr_array(np.ones((6, 3)))) for kind in ("Term", "Author")]
        found = CBGC(2).fit(Star(tuple(arms)), seed=0)
        assert found.n_clusters == 1
        assert found.converged

    @pytest.mark.parametrize("seed", range(20))
    def test_random_small_stars_give_complete_labels(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        centre = Nodes("Document", list(range(rng.integers(3, 9))))
        arms = []
        for kind in ("Term", "Author", "Place")[: rng.integers(2, 4)]:
            block = rng.poisson(0.5, (len(centre), int(rng.integers(1, 6))))
            arms.append(Relation(centre, Nodes(kind, list(range(block.shape[1]))), csr_array(block)))
        star, linked = Star(tuple(arms)), sum(arm.block.sum(axis=1) for arm in arms) > 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found = CBGC(2).fit(star, seed=0)
        assert np.array_equal(found.labels["Document"] != UNPLACED, linked)
        for arm in arms:
            assert np.array_equal(found.labels[arm.cols.kind] != UNPLACED, arm.block.sum(axis=0) > 0)
        assert np.isfinite(found.trace).all()


def _without_rows(arm: Relation, rows: Sequence[int] | range) -> Relation:
    kept = np.ones(len(arm.rows))
    kept[list(rows)] = 0.0
    return Relation(arm.rows, arm.cols, csr_array(arm.block.multiply(kept[:, None])))


def _cut_between(arm: Relation, rows: Ints, cols: Ints) -> Relation:
    return Relation(arm.rows, arm.cols, csr_array(arm.block.multiply(rows[:, None] == cols)))


class TestLinks:
    """Constraints on every kind."""

    @pytest.mark.parametrize("kind", ["Document", "Term", "Category"])
    def test_links_of_every_kind_help(self, kind: str) -> None:
        star, truth = gallery.planted_star(120, (60, 24), n_clusters=2, degree=4, noise=0.75, seed=2)
        groups = Groups.of([np.flatnonzero(truth[kind] == each) for each in (0, 1)])
        links = Constraints({kind: Links.tying(groups, weight=0.3)})
        free, bound = CBGC(2).fit(star, seed=0), CBGC(2).fit(star, links, seed=0)
        assert bound.converged
        assert metrics.ari(bound.labels[kind], truth[kind]) > metrics.ari(free.labels[kind], truth[kind]) + 0.1

    def test_hard_must_links_are_met_in_every_kind_and_across(self) -> None:
        star, _ = planted(k=3, noise=0.4)
        rng = np.random.default_rng(0)
        within = {
            kind: Links.of_pairs(rng.integers(len(star.nodes(kind)), size=(6, 2)), hard=True)
            for kind in ("Document", "Term", "Category")
        }
        across = {
            ("Document", "Term"): Links.of_pairs([[1, 2], [3, 4]], hard=True, across=True),
            ("Category", "Document"): Links.of_pairs([[5, 9]], hard=True, across=True),
        }
        labels = CBGC(3).fit(star, Constraints(within, across), seed=0).labels
        for (one, other), links in Constraints(within, across).items():
            assert np.array_equal(labels[one][links.left], labels[other][links.right])

    @pytest.mark.parametrize("how", [{"beta": 0.0}, {"beta": 0.3, "price": 0}], ids=["an idle arm", "arms alone"])
    def test_hard_must_links_are_met_where_arms_do_not_count_or_are_alone(self, how: dict[str, float]) -> None:
        star, truth = planted(noise=0.1)
        first, second = (np.flatnonzero(truth["Term"] == each) for each in (0, 1))
        document, other = (int(np.flatnonzero(truth["Document"] == each)[0]) for each in (0, 1))
        links = Constraints(
            {"Term": Links.of_pairs([[first[0], second[0]]], hard=True)},
            {
                ("Document", "Term"): Links.of_pairs([[document, second[1]]], hard=True, across=True),
                ("Category", "Document"): Links.of_pairs([[0, document], [0, other]], hard=True, across=True),
            },
        )
        labels = CBGC(2, **how).fit(star, links, seed=0).labels  # type: ignore[arg-type]
        assert labels["Term"][first[0]] == labels["Term"][second[0]]
        assert labels["Document"][document] == labels["Document"][other] == labels["Term"][second[1]]
        assert labels["Document"][document] == labels["Category"][0]

    def test_an_idle_node_without_relationships_goes_with_those_it_is_tied_to(self) -> None:
        star, _ = planted()
        bare = csr_array(star.arms[0].block.multiply(np.arange(80) != 5))
        links = Constraints(across={("Document", "Term"): Links.of_pairs([[7, 5]], hard=True, across=True)})
        labels = (
            CBGC(2, beta=0.0)
            .fit(Star((Relation(star.centre, star.arms[0].cols, bare), star.arms[1])), links, seed=0)
            .labels
        )
        assert labels["Term"][5] == labels["Document"][7]

    def test_contradictions_over_two_arms_are_refused_at_any_price(self) -> None:
        star, _ = planted()
        links = Constraints(
            {"Term": Links.of_pairs([[0, 1]], must=False, hard=True)},
            {("Document", "Category"): Links.of_pairs([[0, 0], [1, 0]], hard=True, across=True)}
            | {("Document", "Term"): Links.of_pairs([[0, 0], [1, 1]], hard=True, across=True)},
        )
        for price in (None, 1.0, 0):
            with pytest.raises(ConstraintError, match=r"^hard links contradict each other"):
                CBGC(2, price=price).fit(star, links)

    def test_cannot_links_keep_apart_what_the_star_leaves_open(self) -> None:
        star, truth = planted(noise=0.5, seed=3)
        ends = [np.flatnonzero(truth["Document"] == each)[:20] for each in (0, 1)]
        links = Constraints({"Document": Links.parting(Groups.of(ends), weight=0.05)})
        free, bound = CBGC(2).fit(star, seed=0), CBGC(2).fit(star, links, seed=0)

        def together(found: Clustering) -> int:
            own = found.labels["Document"]
            return int(np.sum(own[ends[0]][:, None] == own[ends[1]]))

        assert bound.converged
        assert together(bound) <= together(free)

    def test_a_node_without_relationships_is_placed_by_its_must_links(self) -> None:
        star, _ = planted()
        bare = Star(tuple(_without_rows(arm, [3]) for arm in star.arms))
        for links in (
            Constraints({"Document": Links.of_pairs([[3, 5]])}),
            Constraints(across={("Document", "Category"): Links.of_pairs([[3, 1]], across=True)}),
        ):
            found = CBGC(2).fit(bare, links, seed=0)
            assert found.labels["Document"][3] != UNPLACED
            (other,) = [each.right for each in links.values()]
            (((_, kind), _),) = links.items()
            assert found.labels["Document"][3] == found.labels[kind][other[0]]

    @pytest.mark.parametrize("method", [CBGC(2), SCM(2)], ids=["cbgc", "scm"])
    @pytest.mark.parametrize("pairs", [[[0, 1]], [[0, 1], [1, 2]]])
    def test_nodes_whose_relationships_are_nothing_beside_their_links_stay_together(
        self, method: CBGC | SCM, pairs: list[list[int]]
    ) -> None:
        star, _ = gallery.planted(60, 40, n_clusters=2, degree=10, noise=0.1, seed=0)
        (arm,), faint = star.arms, np.where(np.arange(60) < 3, 1e-18, 1.0)
        weak = Star((Relation(arm.rows, arm.cols, csr_array(arm.block.multiply(faint[:, None]))),))
        labels = method.fit(weak, Constraints({arm.rows.kind: Links.of_pairs(pairs)}), seed=0).labels[arm.rows.kind]
        assert len({int(labels[node]) for pair in pairs for node in pair}) == 1

    def test_links_between_arms_are_refused(self) -> None:
        star, _ = planted()
        links = Constraints(across={("Term", "Category"): Links.of_pairs([[0, 1]], across=True)})
        with pytest.raises(
            ConstraintError, match=r"^CBGC takes links of Document with another kind, not of Term with Ca"
        ):
            CBGC(2).fit(star, links)

    def test_contradictions_are_refused(self) -> None:
        star, _ = planted()
        both = Links.of_pairs([[0, 1]], hard=True) + Links.of_pairs([[0, 1]], must=False, hard=True)
        with pytest.raises(ConstraintError):
            CBGC(2).fit(star, Constraints({"Document": both}))


class TestPrice:
    """Centres that may differ from arm to arm."""

    def test_at_an_infinite_price_nothing_changes(self) -> None:
        star, _ = planted(noise=0.3)
        assert CBGC(2, price=float("inf")) == CBGC(2)
        dear, same = CBGC(2, price=1e6).fit(star, seed=0), CBGC(2).fit(star, seed=0)
        assert dear.figures["relaxed cut"] == pytest.approx(same.figures["relaxed cut"], abs=1e-5)
        assert agree(star, dear, same)
        assert dear.figures["agreement of Term"] == 1.0

    def test_at_no_price_every_arm_is_alone(self) -> None:
        star, _ = planted(noise=0.5, seed=1)
        found = CBGC(2, price=0).fit(star, seed=0)
        for arm in star.arms:
            own = SCO(2).fit(Star((arm,)), seed=0)
            assert same_partition(found.labels[arm.cols.kind], own.labels[arm.cols.kind])
        assert min(found.figures.values()) < 1.0  # the arms do not agree on everything

    def test_what_is_free_to_differ_is_cut_less(self) -> None:
        star, _ = planted(noise=0.5, seed=1)
        cuts = [CBGC(2, price=price).fit(star, seed=0).figures["relaxed cut"] for price in (0.01, 0.1, 1.0, 10.0, None)]
        assert np.all(np.diff(cuts) > -1e-9)
        assert cuts[0] < cuts[-1] - 0.01

    @pytest.mark.parametrize("k", [2, 3])
    def test_every_price_is_certified(self, k: int) -> None:
        star, _ = planted(k=k, noise=0.3, seed=2)
        for price in (0.3, 3.0):
            found = CBGC(k, price=price).fit(star, seed=0)
            assert found.converged
            assert abs(found.figures["gap"]) <= 1e-9
            assert 0.5 < found.figures["agreement of Category"] <= 1.0

    def test_links_hold_at_any_price(self) -> None:
        star, _ = planted(noise=0.3)
        links = Constraints({"Document": Links.of_pairs([[0, 1], [1, 2], [5, 9]], hard=True)})
        for price in (0.5, 0):
            labels = CBGC(2, price=price).fit(star, links, seed=0).labels["Document"]
            assert labels[0] == labels[1] == labels[2]
            assert labels[5] == labels[9]


class TestBeta:
    """Shares of arms."""

    def test_a_given_beta_is_honoured(self) -> None:
        star, _ = gallery.planted_star(120, (80, 24), n_clusters=2, degree=8, noise=(0.1, 0.9), seed=0)
        first, last = (CBGC(2, beta=beta).fit(star, seed=0) for beta in (0.95, 0.05))
        assert first.figures["weight of Term"] > 0.8
        assert last.figures["weight of Term"] < 0.2
        assert not first.tried
        equal = CBGC(2, beta=(1, 1)).fit(star, seed=0)
        assert agree(star, CBGC(2).fit(star, seed=0), equal)
        weighed = Star(star.arms, (19, 1))
        assert agree(star, CBGC(2).fit(weighed, seed=0), first)

    def test_auto_leans_on_the_arm_that_says_more(self) -> None:
        star, truth = gallery.planted_star(300, (200, 60), n_clusters=2, degree=(8, 4), noise=(0.3, 0.8), seed=3)
        found, equal = CBGC(2, beta="auto").fit(star, seed=0), CBGC(2).fit(star, seed=0)
        (chosen,) = [each for each in found.tried if each["chosen"]]
        assert chosen["beta of Term"] > 0.5
        assert len(found.tried) == 5
        scores = {
            kind: metrics.nmi(each.labels["Document"], truth["Document"])
            for kind, each in {"auto": found, "equal": equal}.items()
        }
        assert scores["auto"] > scores["equal"] + 0.1
        given = CBGC(2, beta=chosen["beta of Term"]).fit(star, seed=0)
        assert found.figures["relaxed cut"] == pytest.approx(given.figures["relaxed cut"], abs=1e-9)

    def test_auto_tries_every_arm_of_many(self) -> None:
        star, _ = planted(n_arms=3)
        found = CBGC(2, beta="auto").fit(star, seed=0)
        assert len(found.tried) == 7
        for trial in found.tried:
            assert sum(trial[f"beta of {kind}"] for kind in ("Term", "Category", "Author")) == pytest.approx(1.0)
            assert 0 <= trial["eigengap"] <= 1
            assert all(0 < trial[f"{kind} keeps"] <= 1 + 1e-6 for kind in ("Term", "Category", "Author"))

    @pytest.mark.parametrize(
        ("beta", "sentence"),
        [
            ("equal", r"^beta must be a number from 0 to 1, a list of one number an arm, or auto, was 'equal'$"),
            (1.5, r"^beta must be a number from 0 to 1, a list of one number an arm, or auto, was 1\.5$"),
            ([0.0, 0.0], r"^beta must have a finite sum above 0, was \[0\.0, 0\.0\]$"),
            ([0.5, -0.1], r"^beta must be a number from 0 to inf, was -0\.1$"),
        ],
    )
    def test_what_is_no_share_is_refused(self, beta: object, sentence: str) -> None:
        with pytest.raises(ParameterError, match=sentence):
            CBGC(2, beta=beta)  # type: ignore[arg-type]

    def test_shares_that_do_not_fit_the_star_are_refused(self) -> None:
        star, _ = planted(n_arms=3)
        with pytest.raises(ParameterError, match=r"^beta must be 3 numbers, one an arm, were 2$"):
            CBGC(2, beta=(0.5, 0.5)).fit(star)
        with pytest.raises(ParameterError, match=r"^beta must be 3 numbers, one an arm, was 0\.5$"):
            CBGC(2, beta=0.5).fit(star)


def test_each_kind_may_have_its_own_number_of_clusters() -> None:
    star, truth = gallery.planted_star(240, (120, 24), n_clusters=4, degree=10, noise=0.1, seed=0)
    found = CBGC({"Document": 4, "Term": 4, "Category": 2}).fit(star, seed=0)
    assert {kind: len(np.unique(own)) for kind, own in found.labels.items()} == {
        "Document": 4,
        "Term": 4,
        "Category": 2,
    }
    assert metrics.ari(found.labels["Document"], truth["Document"]) > 0.95
    assert same_partition(
        np.concatenate([found.labels["Document"], found.labels["Term"]]),
        np.concatenate([truth["Document"], truth["Term"]]),
    )


def test_a_kind_of_an_idle_arm_has_the_clusters_of_the_centre() -> None:
    star, truth = gallery.planted_star(240, (120, 24), n_clusters=3, degree=10, noise=0.1, seed=0)
    found = CBGC({"Document": 3, "Term": 3, "Category": 2}, beta=1.0).fit(star, seed=0)
    assert metrics.ari(found.labels["Category"], truth["Category"]) == 1.0


def test_an_arm_whose_weight_falls_to_nothing_is_below_its_balance_and_the_figures_say_so() -> None:
    centre, flat = Nodes("Document", range(70)), np.ones((70, 3))
    steep = np.where(np.arange(70)[:, None] < 35, [5.0, 1.0, 1.0], 1.0)
    arms = [
        Relation(centre, Nodes(kind, list("xyz")), csr_array(b)) for kind, b in (("Term", flat), ("Category", steep))
    ]
    found = CBGC(2).fit(Star(tuple(arms)), seed=0)
    assert found.converged
    assert found.figures["weight of Term"] < 1e-9
    assert found.figures["balance of Term"] < 0.5
    assert found.figures["balance of Category"] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "value"),
    [("price", -1), ("price", "much"), ("price", 1e300), ("price", []), ("delta", 0), ("delta", None)],
)
def test_what_is_no_parameter_is_refused(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=rf"^{name} must be a number from"):
        CBGC(2, **{name: value})  # type: ignore[arg-type]
