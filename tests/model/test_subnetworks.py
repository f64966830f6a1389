"""Some nodes of a star: their links, and what is known of them."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array

from graphmine import gallery
from graphmine.model import UNRANKED, Constraints, Groups, Links, Nodes, Relation, Star, induced, restricted

N = 6
STAR = Star.of(
    Relation(Nodes("Author", list("abcdef")), Nodes("Venue", ["u", "v", "w"]), csr_array(np.ones((N, 3)))),
    Relation(Nodes("Author", list("abcdef")), Nodes("Term", [1, 2]), csr_array(np.ones((N, 2)))),
    weights=[1, 0.5],
)
nodes = st.integers(0, N - 1)
subsets = st.sets(nodes).map(lambda each: np.array(sorted(each), dtype=np.int64))


@st.composite
def links(draw: st.DrawFn) -> Links:
    groups = Groups.of(draw(st.lists(st.sets(nodes).map(sorted), min_size=1, max_size=3)))
    unit = st.integers(-len(groups), N - 1)
    pairs = draw(st.lists(st.tuples(unit, unit).filter(lambda ends: ends[0] < 0 or ends[0] != ends[1]), max_size=6))
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    must = np.array(draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))), dtype=np.bool_)
    rule = np.arange(len(pairs))
    return Links(left, right, must, ~must, np.linspace(1, 2, len(pairs)), rule, groups)


def pairs_of(links: Links, keys: list[str]) -> list[tuple[int, bool, float, list[tuple[str, str]]]]:
    """Every link as the pairs of different nodes that it stands for, by their keys; links of no pair are left out."""
    found = []
    for number in range(len(links)):
        left, right = (
            links.groups[-1 - unit] if unit < 0 else np.array([unit])
            for unit in (links.left[number], links.right[number])
        )
        ends = sorted({tuple(sorted((keys[one], keys[two]))) for one in left for two in right if one != two})
        if ends:
            found.append((int(links.rule[number]), bool(links.must[number]), float(links.weight[number]), ends))
    return found


def test_a_part_of_a_star_has_the_links_between_its_nodes() -> None:
    star = gallery.planted(30, 20, seed=3)[0]
    members = {"Author": np.arange(0, 30, 3), "Venue": np.arange(5, 15)}
    part = induced(star, members)
    assert part.nodes("Venue").keys.to_pylist() == [f"v{number:02}" for number in range(5, 15)]
    assert np.array_equal(part.arms[0].block.toarray(), star.arms[0].block.toarray()[::3, 5:15])
    assert part.arms[0].name == star.arms[0].name


def test_kinds_without_members_stay_without_nodes() -> None:
    part = induced(STAR, {"Author": np.array([2]), "Term": np.array([0])})
    assert [(each.kind, len(each)) for each in part.kinds] == [("Author", 1), ("Venue", 0), ("Term", 1)]
    assert part.weights == (1, 0.5)


@given(links(), subsets)
def test_links_between_members_stay_and_all_others_go(made: Links, members: np.ndarray) -> None:
    rules = tuple(map(str, range(len(made))))
    part = restricted(Constraints({"Author": made}, rules=rules), STAR, {"Author": members})
    kept = [STAR.centre[int(at)] for at in members]
    expected = []
    for rule, must, weight, ends in pairs_of(made, list("abcdef")):
        inside = [(one, two) for one, two in ends if one in kept and two in kept]
        if inside:
            expected.append((rule, must, weight, inside))
    assert pairs_of(part.within["Author"], kept) == expected  # type: ignore[arg-type]
    assert part.rules == rules
    assert np.all(part.within["Author"].n_pairs > 0)


def test_links_across_kinds_and_orders_are_restricted_too() -> None:
    across = Links.between(Groups.of([[0, 1], [4]]), Groups.of([[0, 2], [1]]), [[0, 0], [1, 1], [0, 1]])
    ranks = np.array([3, UNRANKED, 1, 0, 2, 5])
    known = Constraints(across={("Author", "Venue"): across}, order={"Author": ranks})
    part = restricted(known, STAR, {"Author": np.array([1, 4]), "Venue": np.array([2])})
    (found,) = part.across.values()
    assert (found.left.tolist(), found.right.tolist()) == ([-1], [-1])
    assert (found.groups[0].tolist(), found.right_groups[0].tolist()) == ([0], [0])
    assert part.order["Author"].tolist() == [UNRANKED, 2]


@pytest.mark.parametrize("kind", ["Author", "Venue"])
def test_nothing_is_left_of_links_of_a_kind_without_members(kind: str) -> None:
    known = Constraints({kind: Links.of_pairs([[0, 1]])})
    assert not restricted(known, STAR, {})
