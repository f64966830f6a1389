"""How a number of clusters is asked for, in texts and in values."""

import pytest
from hypothesis import given, strategies as st

from graphmine.errors import ParameterError
from graphmine.methods.n_clusters import AUTO, check_requested, read_clusters

KINDS = ["Author", "Venue"]


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 99), min_size=1))
def test_odd_kinds_are_read_in_backquotes(numbers: dict[str, int]) -> None:
    quoted = {kind: kind.replace("`", "``") for kind in numbers}
    assert read_clusters([f"`{quoted[kind]}`={number}" for kind, number in numbers.items()]) == numbers


def test_plain_kinds_may_hold_spaces_and_equals_signs() -> None:
    assert read_clusters(["a b=3", "a=b=2", "auto=1"]) == {"a b": 3, "a=b": 2, "auto": 1}
    assert read_clusters([" 4 "]) == 4


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["four"], "must be a whole number, auto, or Kind=number for each kind, was 'four'"),
        (["4.0"], "must be a whole number, auto"),
        (["4", "5"], "must be one number, auto, or Kind=number for each kind, was 4 5"),
        (["auto", "Author=4"], "was auto Author=4"),
        (["auto", "auto"], "was auto auto"),
        (["Author=4", "3"], "was Author=4 3"),
        (["Author=four"], "n_clusters of Author must be a whole number, was 'four'"),
        (["Author="], "n_clusters of Author must be a whole number, was ''"),
        (["Author=4", "`Author`=3"], "names a kind twice"),
    ],
)
def test_texts_that_can_not_be_read(given: list[str], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        read_clusters(given)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("four", "at least 1, or 'auto', was 'four'"),
        ("Auto", "was 'Auto'"),
        (None, "must be a whole number of at least 1, 'auto', or a table with a number for each kind, was None"),
        ({}, "has no number for Author, Venue"),
        ({"Author": 2}, "has no number for Venue; give one for each kind"),
        ({"Author": 2, "Venu": 2}, r"given for 'Venu', and the relation has only Author, Venue \(did you mean 'Venue'"),
        ({"Author": 2, 3: 2}, "given for 3"),
        ({"Author": 2, "Venue": 0}, "n_clusters of Venue must be a whole number of at least 1, was 0"),
        ({"Author": 2, "Venue": "auto"}, "n_clusters of Venue can not be auto"),
        ([2, 3], r"or a table with a number for each kind, was \[2, 3\]$"),
    ],
)
def test_values_that_can_not_be_asked_for(given: object, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        check_requested(given, KINDS)


def test_what_can_be_asked_for_comes_back_as_a_copy() -> None:
    numbers = {"Venue": 3, "Author": 4}
    found = check_requested(numbers, KINDS)
    numbers["Venue"] = 9
    assert found == {"Author": 4, "Venue": 3}
    assert (check_requested(3, KINDS), check_requested(AUTO, KINDS)) == (3, AUTO)
