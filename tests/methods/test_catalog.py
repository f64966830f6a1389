"""The catalog makes methods by name, and refuses everything else in one sentence."""

import json
from dataclasses import FrozenInstanceError, fields, is_dataclass
from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.errors import ParameterError
from graphmine.gallery import planted
from graphmine.methods.base import Traits
from graphmine.methods.catalog import CATALOG, method, takers
from graphmine.methods.labels import match_partners, renumber
from graphmine.methods.spectral.sco import SCO


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


@pytest.mark.parametrize("name", CATALOG)
def test_a_clustering_says_which_method_found_it_and_with_what(name: str) -> None:
    star, _ = planted(30, 20, n_clusters=2, degree=6, noise=0.1, seed=0)
    made = method(name, n_clusters=2)
    found = made.fit(star, seed=3)
    assert (found.method, found.seed) == (name, 3)
    assert json.loads(json.dumps(dict(found.parameters)))["n_clusters"] == 2
    assert method(found.method, **found.parameters) == made


def test_a_parameter_that_is_chosen_is_on_record_as_it_was_given() -> None:
    star, _ = planted(30, 20, n_clusters=2, degree=6, noise=0.1, seed=0)
    assert method("scm", n_clusters=2, delta="auto").fit(star, seed=0).parameters["delta"] == "auto"


def test_the_catalog_has_last_what_is_proposed_first() -> None:
    assert list(CATALOG)[-3:] == ["l1", "scm", "loom"]


@pytest.mark.parametrize("name", CATALOG)
def test_a_line_of_the_catalog_says_what_the_traits_of_the_method_say(name: str) -> None:
    traits = CATALOG[name].traits
    assert traits.name == name
    for n_relations in (1, 2, 9):
        for one_kind in (False, True):
            listed = name in takers(n_relations, one_kind=one_kind)
            assert listed == traits.takes(n_relations, one_kind=one_kind)


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
    found = renumber(given)
    assert {kind: labels.tolist() for kind, labels in found.items()} == {
        "Author": [0, 1, 1, -1],
        "Venue": [2, 2, 0, 0, 3],
    }
    assert all(np.array_equal(given[kind], before[kind]) for kind in given)


def test_numbering_nothing_gives_nothing() -> None:
    assert renumber({}) == {}
    assert renumber({"A": np.array([-1, -1])})["A"].tolist() == [-1, -1]


def test_shared_clusters_come_first_where_that_is_asked_for() -> None:
    given = {"Author": np.array([0, 0, 0, 1, 2, -1]), "Venue": np.array([2, 1, 1])}
    found = renumber(given, shared_first=True)
    assert found["Author"].tolist() == [2, 2, 2, 0, 1, -1]
    assert found["Venue"].tolist() == [1, 0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_partners_are_the_best_of_all_ways_to_match(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, n = (int(each) for each in rng.integers(1, 5, size=2))
    rows, cols = np.concatenate([np.arange(k), rng.integers(k, size=8)]), np.concatenate([np.arange(n)] * 2)
    block = rng.random((len(rows), len(cols))) * (rng.random((len(rows), len(cols))) < 0.6)
    weight = np.array([[block[rows == a][:, cols == b].sum() for b in range(n)] for a in range(k)])
    likeness = weight / np.sqrt(np.outer(weight.sum(axis=1), weight.sum(axis=0)))
    few, many = (likeness, n) if k <= n else (likeness.T, k)
    best = max(sum(few[i, j] for i, j in enumerate(order)) for order in permutations(range(many), len(few)))
    found_rows, found_cols = match_partners(csr_array(block), rows, cols)
    numbers = [
        dict(zip(old.tolist(), new.tolist(), strict=True)) for old, new in ((rows, found_rows), (cols, found_cols))
    ]
    assert [sorted(each.values()) for each in numbers] == [list(range(k)), list(range(n))]
    same = sum(likeness[a, b] for a, x in numbers[0].items() for b, y in numbers[1].items() if x == y)
    assert same == pytest.approx(best)


def test_a_parameter_may_have_the_name_that_its_paper_gives_it() -> None:
    assert method("l1", **{"n_clusters": 2, "lambda": "auto"}) == method("l1", n_clusters=2, lam="auto")
    with pytest.raises(ParameterError, match=r"^lambda and lam are one parameter of l1; give it once$"):
        method("l1", **{"n_clusters": 2, "lambda": 0.1, "lam": 0.2})
