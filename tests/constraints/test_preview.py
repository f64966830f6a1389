"""What constraints say before a fit: against pairs looked at one by one and rows laid out in full."""

from collections import Counter
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array, random_array

from graphmine.constraints.preview import Preview, preview
from graphmine.constraints.preview_measures import contradicted_soft_links, must_link_sets, sample_pairs
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.gallery import full, planted, vast
from graphmine.model import FREE, UNRANKED, Constraints, Groups, Links, Nodes, Relation, Star
from tests.constraints.random_constraints import KINDS, N_NODES, Pair, expanded, some_constraints, some_links

COUNTS = dict.fromkeys(KINDS, N_NODES)
LARGE = 100_000

classes = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=N_NODES, max_size=N_NODES)
truths = st.fixed_dictionaries({}, optional=dict.fromkeys(KINDS, classes))


def some_star(seed: int = 0, density: float = 0.3) -> Star:
    block = random_array((N_NODES, N_NODES), density=density, rng=np.random.default_rng(seed))
    author, venue = (Nodes(kind, [f"{kind} {i}" for i in range(N_NODES)]) for kind in KINDS)
    return Star((Relation(author, venue, csr_array(block)),))


def parts_of(constraints: Constraints) -> dict[tuple[str, tuple[str, ...], bool, bool], list[Pair]]:
    found: dict[tuple[str, tuple[str, ...], bool, bool], list[Pair]] = {}
    for pair in expanded(constraints):
        rule = (*constraints.rules, "")[pair.rule]
        found.setdefault((rule, pair.kinds, pair.must, pair.hard), []).append(pair)
    return found


def sets_of(pairs: list[Pair]) -> list[set[tuple[str, int]]]:
    graph = nx.Graph(pair.ends for pair in pairs)
    return sorted((each for each in nx.connected_components(graph) if len(each) > 1), key=len, reverse=True)


@given(some_constraints(), truths)
def test_effects_are_those_of_every_pair(constraints: Constraints, truth: dict[str, list[object]]) -> None:
    found = preview(constraints, some_star(), truth=truth)
    every = parts_of(constraints)
    for effect in found.effects:
        pairs = every.pop((effect.rule, effect.kinds, effect.must, effect.hard), [])
        assert effect.pairs == len(pairs)
        assert effect.nodes == (N_NODES,) * len(effect.kinds)
        touched = {end for pair in pairs for end in pair.ends}
        for kind, covered in zip(effect.kinds, effect.covered, strict=True):
            assert covered >= sum(end[0] == kind for end in touched)
        sets = sets_of(pairs) if effect.must else []
        assert list(effect.largest) == [len(each) for each in sets][:5]
        for kind, most in zip(effect.kinds, effect.most_tied, strict=False):
            assert most == max((sum(end[0] == kind for end in each) for each in sets), default=0)
        assert (effect.truth, effect.chance) == pytest.approx(agreement(pairs, effect.kinds, effect.must, truth))
    assert not every


def agreement(
    pairs: list[Pair], kinds: tuple[str, ...], must: bool, truth: dict[str, list[object]]
) -> tuple[float | None, float | None]:
    if any(kind not in truth for kind in kinds):
        return None, None

    def share(every: list[tuple[tuple[str, int], tuple[str, int]]]) -> float | None:
        both = [tuple(truth[kind][position] for kind, position in ends) for ends in every]
        known = [ends for ends in both if None not in ends]
        return sum((one == other) == must for one, other in known) / len(known) if known else None

    nodes = [[(kind, position) for position in range(N_NODES)] for kind in kinds]
    chance = list(product(*nodes)) if len(kinds) == 2 else list(combinations(nodes[0], 2))
    found = share([pair.ends for pair in pairs]), share(chance)  # type: ignore[arg-type]
    return found if None not in found else (None, None)


@pytest.mark.parametrize("seed", range(4))
def test_likeness_is_the_mean_cosine_of_full_rows(seed: int) -> None:
    star = some_star(seed)
    links = Links.of_pairs([[0, 1], [2, 5]]) + Links.tying(Groups.of([[1, 2, 3, 4]]))
    effect, others = preview(Constraints(dict.fromkeys(KINDS, links)), star).effects
    for found, dense in ((effect, star.arms[0].block.toarray()), (others, star.arms[0].block.toarray().T)):
        cosines = {
            (i, j): float(dense[i] @ dense[j] / np.linalg.norm(dense[i]) / np.linalg.norm(dense[j]))
            for i, j in combinations(range(N_NODES), 2)
            if dense[i].any() and dense[j].any()
        }
        pairs = [(0, 1), (2, 5), *combinations((1, 2, 3, 4), 2)]
        assert found.alike == pytest.approx(np.mean([cosines[pair] for pair in pairs if pair in cosines]))
        assert found.random == pytest.approx(np.mean(list(cosines.values())))


@pytest.mark.parametrize("seed", range(4))
def test_likeness_across_kinds_is_the_weight_between_them_over_their_degrees(seed: int) -> None:
    star = some_star(seed, density=0.5)
    pairs = [(0, 1), (2, 2), (3, 6), (5, 0)]
    for kinds, dense in ((KINDS, star.arms[0].block.toarray()), (KINDS[::-1], star.arms[0].block.toarray().T)):
        effect = preview(Constraints(across={kinds: Links.of_pairs(pairs, across=True)}), star).effects[0]
        rows, cols = dense.sum(axis=1), dense.sum(axis=0)
        weights = {
            (i, j): dense[i, j] / np.sqrt(rows[i] * cols[j])
            for i, j in product(range(N_NODES), repeat=2)
            if rows[i] and cols[j]
        }
        assert effect.alike == pytest.approx(np.mean([weights[pair] for pair in pairs if pair in weights]))
        assert effect.random == pytest.approx(np.mean(list(weights.values())))


def test_likeness_across_two_arms_is_the_cosine_over_the_centre() -> None:
    rng = np.random.default_rng(3)
    paper, author, term = (Nodes(kind, range(n)) for kind, n in (("Paper", 9), ("Author", 5), ("Term", 4)))
    blocks = [rng.random((9, n)) * (rng.random((9, n)) < 0.6) for n in (5, 4)]
    arms = [Relation(paper, side, csr_array(block)) for side, block in zip((author, term), blocks, strict=True)]
    across = {("Author", "Term"): Links.of_pairs([[0, 1], [3, 2]], across=True)}
    within = {"Paper": Links.of_pairs([[0, 8]])}
    papers, found = preview(Constraints(within, across), Star(tuple(arms), (1.0, 2.0))).effects
    first, second = (block / np.linalg.norm(block, axis=0) for block in blocks)
    cosines = first.T @ second
    assert found.alike == pytest.approx((cosines[0, 1] + cosines[3, 2]) / 2)
    assert found.random == pytest.approx(cosines.mean())
    rows = np.hstack([blocks[0], 2 * blocks[1]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert papers.alike == pytest.approx(rows[0] @ rows[8])


@given(some_links(), st.integers(0, 40), st.integers(0, 3))
def test_pairs_are_drawn_from_the_links_each_once(links: Links, most: int, seed: int) -> None:
    left, right = sample_pairs(links, most, np.random.default_rng(seed))
    every = Counter(
        tuple(sorted((p.left, p.right))) for p in expanded(Constraints({"Author": links}, rules=("a", "b")))
    )
    drawn = Counter(tuple(sorted(pair)) for pair in zip(left.tolist(), right.tolist(), strict=True))
    assert drawn <= every
    assert drawn.total() == min(most, every.total())


def test_pairs_of_a_huge_group_are_spread_over_it() -> None:
    size = 3_000_000
    left, right = sample_pairs(Links.tying(Groups.of([np.arange(size)])), 5000, np.random.default_rng(1))
    assert np.all(left > right)
    assert abs(left.mean() / size - 2 / 3) < 0.02
    assert abs(right.mean() / size - 1 / 3) < 0.02


@given(some_constraints())
def test_sets_are_the_connected_ones_and_the_largest_first(constraints: Constraints) -> None:
    musts = constraints.select(lambda links: links.must)
    named = [*(((kind,), links) for kind, links in musts.within.items()), *musts.across.items()]
    found = must_link_sets(named, COUNTS)
    members: dict[int, set[tuple[str, int]]] = {}
    for kind, numbers in found.items():
        for position, number in enumerate(numbers.tolist()):
            members.setdefault(number, set()).add((kind, position))
    members.pop(-1, None)
    wanted = sets_of(expanded(musts))
    assert sorted(map(sorted, members.values())) == sorted(map(sorted, wanted))
    assert [len(members[number]) for number in range(len(members))] == [len(each) for each in wanted]


@given(some_constraints())
def test_wishes_in_vain_part_what_hard_links_tie(constraints: Constraints) -> None:
    every = expanded(constraints)
    must_link_sets = sets_of([pair for pair in every if pair.hard and pair.must])
    of = {end: number for number, each in enumerate(must_link_sets) for end in each}
    wished = [pair for pair in every if not pair.hard and not pair.must]
    wanted = {(pair.kinds, pair.link) for pair in wished if len({of.get(end, end) for end in pair.ends}) == 1}
    assert contradicted_soft_links(constraints) == len(wanted)


def test_a_large_class_is_looked_at_without_its_pairs() -> None:
    star, truth = vast(LARGE)
    known = Groups.by_value(truth["Author"])
    links = Links.tying(known, hard=True, rule=0) + Links.parting(known, hard=True, rule=0)
    everybody = Links.tying(Groups.of([np.arange(LARGE)]), rule=1)
    constraints = Constraints({"Author": links + everybody}, rules=("known", "everybody"))
    found = preview(constraints, star, truth={"Author": truth["Author"].tolist()})
    must, cannot, soft = found.effects
    size = LARGE // 4
    assert (must.pairs, cannot.pairs) == (4 * size * (size - 1) // 2, 6 * size**2)
    assert (must.truth, cannot.truth) == (1.0, 1.0)
    assert must.largest == (size,) * 4
    assert must.alike is not None
    assert must.random is not None
    assert must.alike > 2 * must.random
    assert soft.truth == pytest.approx(soft.chance)
    assert (found.covered["Author"], found.groups, found.vain) == (LARGE, 4, 0)
    assert [each.size for each in found.largest] == [size] * 4


def doubts(links: Links, star: Star, **options: object) -> tuple[str, ...]:
    return preview(Constraints({"Author": links}, rules=("friends",)), star, **options).warnings  # type: ignore[arg-type]


def test_a_rule_that_ties_half_of_a_kind_is_warned_about() -> None:
    star = planted(20, 8, n_clusters=2, noise=0, seed=1)[0]
    half, less = Groups.of([range(10)]), Groups.of([range(9)])
    hard, *_ = doubts(Links.tying(half, hard=True, rule=0), star)
    assert hard == ("the rule 'friends' ties 10 of 20 Author nodes into one group; narrow it or make it soft")
    soft, *_ = doubts(Links.tying(half, rule=0), star)
    assert soft == (
        "the rule 'friends' would tie 10 of 20 Author nodes into one group if it were hard; narrow it or keep it soft"
    )
    assert not any("into one group" in each for each in doubts(Links.tying(less, hard=True, rule=0), star))
    assert not doubts(Links.tying(half, must=False, rule=0), star)


def test_a_rule_no_better_than_chance_is_warned_about() -> None:
    star, truth = planted(40, 16, n_clusters=2, noise=0, seed=1)
    first, second = (np.flatnonzero(truth["Author"] == each).tolist() for each in (0, 1))
    known = {"Author": truth["Author"].tolist()}
    wrong = Links.of_pairs(list(zip(first, second, strict=True))[:5], rule=0)
    told = doubts(wrong, star, truth=known)
    assert told[0].startswith("the rule 'friends' agrees with the truth on 0.0% of its pairs of Author, no more than")
    assert told[1].startswith("the rule 'friends' links Author nodes that are no more alike in the relation (0) than")
    assert not doubts(Links.tying(Groups.of([first[:5]]), rule=0), star, truth=known)


def test_where_all_are_alike_nothing_is_said_about_it() -> None:
    assert not doubts(Links.of_pairs([[0, 1]], rule=0), full(9, 4), truth={"Author": ["a"] * 9})


def test_hard_groups_are_named_by_their_first_nodes() -> None:
    star = some_star()
    within = Links.tying(Groups.of([[2, 3, 4, 5], [0, 1]]), hard=True)
    across = Links.of_pairs([[5, 6]], across=True, hard=True)
    found = preview(Constraints({"Author": within}, {KINDS: across}), star)
    assert found.groups == 2
    assert [each.size for each in found.largest] == [5, 2]
    assert found.largest[0].some == (("Author", "Author 2"), ("Author", "Author 3"), ("Author", "Author 4"))
    assert found.covered == {"Author": 6, "Venue": 1}
    assert found.effects[0].shares == (6 / 7,)


def test_nothing_is_said_of_no_constraints() -> None:
    found = preview(FREE, some_star())
    assert found == Preview((), COUNTS, dict.fromkeys(KINDS, 0)) == preview(Constraints({"Term": Links()}), some_star())
    ranks = np.array([0, 1, UNRANKED, 2, UNRANKED, 3, 4])
    assert preview(Constraints(order={"Author": ranks}), some_star()).ranked == {"Author": 5}


def test_the_same_seed_gives_the_same_preview() -> None:
    star = vast(2000)[0]
    links = Constraints({"Author": Links.tying(Groups.of([range(500)]))})
    first, again, other = (preview(links, star, seed=seed).effects[0] for seed in (1, 1, 2))
    assert first == again
    assert first.alike != other.alike


def test_what_does_not_fit_is_refused() -> None:
    star, links = some_star(), Links.of_pairs([[0, 99]])
    with pytest.raises(ConstraintError, match=r"^a link names the Author node at position 99, and there are 7$"):
        preview(Constraints({"Author": links}), star)
    with pytest.raises(ConstraintError, match=r"^there are links of Term, and no such nodes, only Author, Venue$"):
        preview(Constraints({"Term": links}), star)
    with pytest.raises(DataError, match=r"^the truth of Author has 2 classes, and the star has 7 nodes of that kind$"):
        preview(FREE, star, truth={"Author": [1, 2]})
    with pytest.raises(DataError, match=r"^a true class of Author must be one value: a text or a number, not a list$"):
        preview(FREE, star, truth={"Author": [[1]] * N_NODES})
    with pytest.raises(ParameterError, match=r"^seed must be a whole number of at least 0, was -1$"):
        preview(FREE, star, seed=-1)


def test_rules_that_tie_too_much_only_together_are_told() -> None:
    star, _ = vast(10)
    n = len(star.nodes("Author"))
    halves = [list(range(n // 2)), list(range(n // 2 - 1, n))]
    few = [group[: n // 2 - 1] for group in halves]
    joined = [[few[0][0], few[1][-1]]]
    links = Links()
    for number, group in enumerate([few[0], few[1], joined[0]]):
        links += Links.tying(Groups.of([group]), hard=True, rule=number)
    found = preview(Constraints({"Author": links}, rules=("a", "b", "c")), star)
    most = len(set(few[0] + few[1]))
    assert [sentence for sentence in found.warnings if "into one group" in sentence] == [
        f"hard rules together tie {most} of {n} Author nodes into one group; make some of them soft"
    ]
