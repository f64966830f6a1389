"""Memory ties those that were together, and no others, with a weight that does not grow with the cluster."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmine.constraints.previous_labels import labels_before, memory_links
from graphmine.model import Nodes

people = st.dictionaries(st.integers(0, 12), st.integers(-1, 3))


@given(people, st.dictionaries(st.integers(0, 12), st.booleans()))
def test_pairs_of_one_cluster_that_are_still_there_are_tied(then: dict[int, int], now: dict[int, bool]) -> None:
    nodes = {"Author": Nodes("Author", sorted(now))}
    earlier = Nodes("Author", sorted(then)), np.array([then[key] for key in sorted(then)], dtype=np.int64)
    there = {"Author": np.array([now[key] for key in sorted(now)], dtype=np.bool_)}
    found = memory_links(nodes, {"Author": earlier}, there, weight=0.7, rule="then")
    weights = dict.fromkeys(now, 0.0)
    pairs = set()
    if found:
        links = found.within["Author"]
        assert links.must.all()
        assert not links.hard.any()
        assert found.rules == ("then",)
        assert (links.rule == 0).all()
        for unit, weight in zip(links.left.tolist(), links.weight.tolist(), strict=True):
            keys = [sorted(now)[position] for position in links.groups[-1 - unit].tolist()]
            pairs |= {(one, other) for one in keys for other in keys if one < other}
            for key in keys:
                weights[key] += weight * (len(keys) - 1)
    wanted = {
        (one, other)
        for one in now
        for other in now
        if one < other and now[one] and now[other] and then.get(one, -1) == then.get(other, -1) >= 0
    }
    assert pairs == wanted
    tied = {key for pair in wanted for key in pair}
    assert weights == pytest.approx({key: 0.7 if key in tied else 0.0 for key in now})


def test_kinds_that_were_not_there_are_not_remembered() -> None:
    now = {"Author": Nodes("Author", ["ann", "bob"]), "Venue": Nodes("Venue", ["KDD", "CHI"])}
    there = {kind: np.ones(2, dtype=np.bool_) for kind in now}
    before = {"Venue": (Nodes("Venue", ["CHI", "KDD"]), np.array([1, 1]))}
    assert list(memory_links(now, before, there, weight=1, rule="then").within) == ["Venue"]


@pytest.mark.parametrize("keys", [[], ["ann"]])
def test_keys_of_nobody_have_no_type(keys: list[str]) -> None:
    nobody, numbers = Nodes("Author", keys), Nodes("Author", [1, 2] if not keys else [])
    labels = np.zeros(len(numbers), dtype=np.int64)
    assert labels_before(nobody, numbers, labels).tolist() == [-1] * len(keys)
