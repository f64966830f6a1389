"""The catalog makes methods by name, and refuses everything else in one sentence."""

from dataclasses import FrozenInstanceError, fields, is_dataclass

import numpy as np
import pytest

from graphmine.errors import ParameterError
from graphmine.methods import CATALOG, SCO, Traits, method
from graphmine.methods.numbering import renumbered


def test_methods_are_frozen_dataclasses_that_say_what_they_are() -> None:
    for each in CATALOG.values():
        assert is_dataclass(each)
        assert isinstance(each.traits, Traits)
        assert each.traits.title
        assert each.traits.paper
        assert each.__doc__
        assert ">>>" in each.__doc__
    with pytest.raises(FrozenInstanceError):
        SCO(2).n_clusters = 3  # type: ignore[misc]


def test_traits_are_no_parameter() -> None:
    assert all("traits" not in {field.name for field in fields(each)} for each in CATALOG.values())


def test_a_method_is_made_by_name() -> None:
    assert method("s-co", n_clusters=4) == SCO(4)


@pytest.mark.parametrize(
    ("name", "params", "sentence"),
    [
        ("sco", {"n_clusters": 2}, r"^method must be one of s-co.*, was 'sco' \(did you mean 's-co'\?\)$"),
        (3, {}, r"^method must be one of s-co.*, was 3"),
        ("s-co", {}, r"^s-co needs the parameter n_clusters$"),
        ("s-co", {"n_clusters": 2, "k": 3}, r"^s-co has no parameter 'k', only n_clusters"),
        ("s-co", {"n_cluster": 2}, r"has no parameter 'n_cluster', .* \(did you mean 'n_clusters'\?\)$"),
        ("s-co", {"n_clusters": "two"}, r"^n_clusters must be a whole number of at least 1, was 'two'$"),
    ],
)
def test_what_can_not_be_made_is_refused(name: str, params: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        method(name, **params)


def test_clusters_are_numbered_by_size_over_all_kinds_then_by_appearance() -> None:
    given = {"Author": np.array([9, 4, 4, -1]), "Venue": np.array([2, 2, 9, 9, 0])}
    before = {kind: labels.copy() for kind, labels in given.items()}
    found = renumbered(given)
    assert {kind: labels.tolist() for kind, labels in found.items()} == {
        "Author": [0, 1, 1, -1],
        "Venue": [2, 2, 0, 0, 3],
    }
    assert all(np.array_equal(given[kind], before[kind]) for kind in given)


def test_numbering_nothing_gives_nothing() -> None:
    assert renumbered({}) == {}
    assert renumbered({"A": np.array([-1, -1])})["A"].tolist() == [-1, -1]
