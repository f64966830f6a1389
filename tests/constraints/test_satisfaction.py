"""How far constraints are met: against every pair looked at one by one."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmine.constraints.satisfaction import Met, as_records, broken, broken_counts, from_records, met
from graphmine.errors import ConstraintError, ParameterError
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Groups, Links
from tests.constraints.random_constraints import KINDS, N_NODES, Pair, expanded, some_constraints

LARGE = 100_000
STATES = ("met", "broken", "unplaced")


def clustered(**labels: list[int]) -> Clustering:
    return Clustering({kind: np.array(each) for kind, each in labels.items()})


labels = st.lists(st.integers(UNPLACED, 3), min_size=N_NODES, max_size=N_NODES)
clusterings = st.tuples(labels, labels).map(lambda both: clustered(**dict(zip(KINDS, both, strict=True))))


def state(pair: Pair, clustering: Clustering) -> str:
    one, other = (int(clustering.labels[kind][position]) for kind, position in pair.ends)
    if UNPLACED in (one, other):
        return "unplaced"
    return "met" if (one == other) == pair.must else "broken"


@given(some_constraints(), clusterings)
def test_counts_are_those_of_every_pair(constraints: Constraints, clustering: Clustering) -> None:
    counted = Counter(
        (
            "" if pair.rule < 0 else constraints.rules[pair.rule],
            pair.kinds,
            pair.must,
            pair.hard,
            state(pair, clustering),
        )
        for pair in expanded(constraints)
    )
    found = met(constraints, clustering)
    for each in found:
        of = {name: counted.pop((each.rule, each.kinds, each.must, each.hard, name), 0) for name in STATES}
        assert {"met": each.met, "broken": each.broken, "unplaced": each.unplaced} == of
        assert each.pairs == sum(of.values())
        judged = of["met"] + of["broken"]
        assert each.share == (of["met"] / judged if judged else None)
    assert not counted
    assert sum(each.links for each in found) == sum(
        map(len, (*constraints.within.values(), *constraints.across.values()))
    )
    assert len({(each.rule, each.kinds, each.must, each.hard) for each in found}) == len(found)


@given(some_constraints(), clusterings)
def test_records_are_plain_and_come_back(constraints: Constraints, clustering: Clustering) -> None:
    found = met(constraints, clustering)
    assert from_records(json.loads(json.dumps(as_records(found)))) == found


@given(some_constraints(), clusterings, st.integers(0, 30))
def test_broken_pairs_are_listed_hard_and_heavy_ones_first(
    constraints: Constraints, clustering: Clustering, most: int
) -> None:
    every = [pair for pair in expanded(constraints) if state(pair, clustering) == "broken"]
    found = broken(constraints, clustering, most)
    assert found.total == len(every)
    assert len(found.pairs) == min(most, len(every))
    wanted = Counter((pair.ends, pair.must, pair.hard, pair.weight, pair.rule) for pair in every)
    for pair in found.pairs:
        one, other = (pair.kind, pair.position), (pair.other_kind, pair.other)
        rest = (pair.must, pair.hard, pair.weight, pair.rule)
        name = next(((ends, *rest) for ends in ((one, other), (other, one)) if wanted[ends, *rest]), None)
        assert name is not None, "a pair that is not broken, or one too often"
        wanted[name] -= 1
    ranks = [(not pair.hard, -pair.weight) for pair in found.pairs]
    assert ranks == sorted((not pair.hard, -pair.weight) for pair in every)[: len(ranks)]


@given(some_constraints(), clusterings)
def test_every_node_counts_the_broken_pairs_it_is_in(constraints: Constraints, clustering: Clustering) -> None:
    every = expanded(constraints)
    counted = Counter(end for pair in every if state(pair, clustering) == "broken" for end in pair.ends)
    linked = {end for pair in every for end in pair.ends}
    found = broken_counts(constraints, clustering)
    assert set(found) == set(KINDS)
    for kind in KINDS:
        for position, count in enumerate(found[kind].tolist()):
            assert max(count, 0) == counted[kind, position]
            if (kind, position) in linked:
                assert count >= 0


def test_a_node_that_no_link_names_has_no_count() -> None:
    links = Links.of_pairs([[0, 2]])
    found = broken_counts(Constraints({"Author": links}), clustered(Author=[0, 0, 0], Venue=[0]))
    assert {kind: counts.tolist() for kind, counts in found.items()} == {
        "Author": [0, UNPLACED, 0],
        "Venue": [UNPLACED],
    }


def test_who_is_out_of_line_comes_first() -> None:
    group = Links.tying(Groups.of([[0, 1, 2, 3, 4, 5]]))
    clustering = clustered(Author=[1, 0, 0, 0, 2, 1])
    found = broken(Constraints({"Author": group}), clustering, most=3)
    assert {pair.other for pair in found.pairs} == {0, 4, 5}
    assert {pair.position for pair in found.pairs} == {1}


def test_a_large_class_is_counted_and_listed_without_its_pairs() -> None:
    label = np.zeros(LARGE, dtype=np.int64)
    label[[5, 7]] = 1
    clustering = Clustering({"Author": label, "Venue": label})
    groups = Groups.of([np.arange(LARGE)])
    constraints = Constraints(
        {"Author": Links.tying(groups, hard=True)},
        {("Author", "Venue"): Links.between(groups, groups, [[0, 0]], must=False)},
    )
    tied, apart = met(constraints, clustering)
    out = 2 * (LARGE - 2)
    assert (tied.pairs, tied.broken) == (LARGE * (LARGE - 1) // 2, out)
    assert (apart.pairs, apart.met) == (LARGE**2, 2 * out)
    found = broken(constraints, clustering, most=LARGE)
    assert found.total == out + LARGE**2 - 2 * out
    assert len(set(found.pairs)) == LARGE
    assert all({pair.position, pair.other} & {5, 7} for pair in found.pairs)
    counts = broken_counts(constraints, clustering)
    assert counts["Author"][[4, 5]].tolist() == [2 + LARGE - 2, LARGE - 2 + 2]


def test_classes_that_are_parted_are_counted_in_one_step_each() -> None:
    n_groups, size = 300, 20
    groups = Groups.by_value(np.arange(n_groups * size) % n_groups)
    constraints = Constraints({"Author": Links.parting(groups)})
    clustering = Clustering({"Author": np.arange(n_groups * size) % (n_groups // 2)})
    found = met(constraints, clustering)[0]
    assert found.broken == n_groups // 2 * size**2
    assert broken(constraints, clustering, 10).total == found.broken
    assert set(broken_counts(constraints, clustering)["Author"].tolist()) == {size}


def test_entries_come_rule_by_rule_and_must_and_hard_ones_first() -> None:
    links = [
        Links.of_pairs([[0, 1]], must=must, hard=hard, rule=rule)
        for rule in (-1, 1, 0)
        for must in (False, True)
        for hard in (False, True)
    ]
    together = links[0]
    for each in links[1:]:
        together += each
    found = met(Constraints({"Author": together}, rules=("b", "a")), clustered(Author=[0, 0]))
    assert [each.rule for each in found] == ["b"] * 4 + ["a"] * 4 + [""] * 4
    for one, other in pairwise(found):
        assert one.rule != other.rule or (one.must, one.hard) > (other.must, other.hard)


def test_nothing_is_met_where_nothing_is_asked() -> None:
    clustering = clustered(Author=[0, 1])
    assert met(FREE, clustering) == ()
    assert broken(FREE, clustering).total == 0
    nothing = Constraints({"Term": Links()})
    assert met(nothing, clustering) == ()
    assert broken(nothing, clustering).total == 0
    assert broken_counts(nothing, clustering)["Author"].tolist() == [UNPLACED, UNPLACED]
    assert Met("", ("Author",), True, False, links=1, pairs=2, met=0, unplaced=2).share is None


def test_what_does_not_fit_is_refused() -> None:
    constraints = Constraints({"Author": Links.of_pairs([[0, 5]])})
    with pytest.raises(ConstraintError, match=r"^a link names the Author node at position 5, and there are 3$"):
        met(constraints, clustered(Author=[0, 0, 1]))
    for look in (met, broken, broken_counts):
        with pytest.raises(ConstraintError, match=r"^there are links of Author, and no such nodes, only Venue$"):
            look(constraints, clustered(Venue=[0]))
    with pytest.raises(ParameterError, match=r"^most must be a whole number of at least 0, was -1$"):
        broken(constraints, clustered(Author=[0, 0, 1]), most=-1)
