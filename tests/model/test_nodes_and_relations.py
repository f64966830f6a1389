"""Nodes, relations and stars keep one format and refuse what can not be mined."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import coo_array, csr_array, csr_matrix

from graphmine.errors import DataError, ParameterError
from graphmine.model import Nodes, Relation, Star

AUTHORS = Nodes("Author", ["ann", "bob"])
VENUES = Nodes("Venue", ["KDD", "ICDM", "CHI"])


@given(st.one_of(st.lists(st.text(), unique=True), st.lists(st.integers(-(2**63), 2**63 - 1), unique=True)))
def test_any_texts_or_whole_numbers_are_keys(keys: list[str] | list[int]) -> None:
    nodes = Nodes("Author", keys)
    assert len(nodes) == len(keys)
    assert [nodes[position] for position in range(len(nodes))] == keys
    assert nodes == Nodes("Author", pa.chunked_array([nodes.keys[:1], nodes.keys[1:]]))


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (["a", None, None], r"^2 nodes of Author have no key$"),
        (["a", "b", "a"], r"^two nodes of Author have the same key 'a'; name a key that is unique$"),
        ([3, 1, 3], r"^two nodes of Author have the same key 3; "),
        (["a", 1], r"^the keys of Author must be all text or all whole numbers$"),
        ([1.5], r"^the keys of Author must be all text or all whole numbers, they are double$"),
        ([True], r"they are bool$"),
        ([[1]], r"they are list"),
        (7, r"^the keys of Author must be all text or all whole numbers$"),
        (["a\ud800"], r"^the keys of Author must be all text or all whole numbers$"),
        ([2**70], r"^a key of Author is too large"),
        (pa.array([2**63], pa.uint64()), r"^a key of Author is too large"),
        ([2**63], r"^a key of Author is too large: whole numbers go up to 9223372036854775807$"),
    ],
)
def test_what_can_not_name_a_node_is_refused(keys: object, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Nodes("Author", keys)


def test_nodes_are_equal_by_kind_and_keys() -> None:
    assert Nodes("Author", ["ann", "bob"]) == AUTHORS
    assert Nodes("Author", ["bob", "ann"]) != AUTHORS
    assert Nodes("Person", ["ann", "bob"]) != AUTHORS
    assert Nodes("Author", [1]) != Nodes("Author", ["1"])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.bool_])
@pytest.mark.parametrize("form", [csr_array, csr_matrix, coo_array])
def test_a_block_is_brought_to_its_one_format_and_the_one_given_left_alone(form: type, dtype: type) -> None:
    given_block = form((np.array([1, 0, 1], dtype=dtype), (np.array([1, 0, 1]), np.array([2, 1, 2]))), shape=(2, 3))
    before = given_block.copy()
    block = Relation(AUTHORS, VENUES, given_block).block
    assert isinstance(block, csr_array)
    assert block.dtype == np.float64
    assert block.has_canonical_format
    assert np.all(block.data != 0)
    doubled = 1.0 if dtype is np.bool_ else 2.0
    assert block.toarray().tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, doubled]]
    assert np.array_equal(given_block.data, before.data)
    assert given_block.nnz == before.nnz


def test_doubles_are_summed_and_the_block_given_left_alone() -> None:
    unsorted = csr_array((np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]), np.array([0, 3, 3])), shape=(2, 3))
    assert Relation(AUTHORS, VENUES, unsorted).block.toarray().tolist() == [[2.0, 0.0, 5.0], [0.0, 0.0, 0.0]]
    assert unsorted.indices.tolist() == [2, 0, 2]
    assert unsorted.data.tolist() == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(("weight", "shown"), [(-1.0, "-1.0"), (np.nan, "nan"), (np.inf, "inf")])
def test_weights_that_mean_nothing_are_refused_by_name(weight: float, shown: str) -> None:
    block = csr_array((np.array([1.0, weight]), (np.array([0, 1]), np.array([0, 2]))), shape=(2, 3))
    with pytest.raises(DataError, match=rf"between Author 'bob' and Venue 'CHI' is {shown}; weights must be finite"):
        Relation(AUTHORS, VENUES, block)


def test_a_block_of_another_shape_is_refused() -> None:
    with pytest.raises(DataError, match=r"^a block of 3 × 2 does not fit 2 Author × 3 Venue$"):
        Relation(AUTHORS, VENUES, csr_array((3, 2)))


def test_turning_round_twice_changes_nothing() -> None:
    dense = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    relation = Relation(AUTHORS, VENUES, csr_array(dense), "Author-IN->Venue")
    again = relation.transposed.transposed
    assert (again.rows, again.cols, again.name) == (relation.rows, relation.cols, relation.name)
    assert np.array_equal(again.block.toarray(), dense)
    assert np.array_equal(relation.transposed.block.toarray(), dense.T)


def related(rows: Nodes, cols: Nodes) -> Relation:
    return Relation(rows, cols, csr_array(np.ones((len(rows), len(cols)))))


TERMS = Nodes("Term", ["graph"])


def test_a_star_turns_its_arms_towards_the_centre() -> None:
    star = Star.of(related(VENUES, AUTHORS), related(AUTHORS, TERMS), weights=[1, 2.5])
    assert star.centre == AUTHORS
    assert [arm.block.shape for arm in star.arms] == [(2, 3), (2, 1)]
    assert star.weights == (1.0, 2.5)
    assert star.nodes("Term") == TERMS
    assert Star.of(related(AUTHORS, VENUES)).weights == (1.0,)


def test_stars_that_are_none_are_refused() -> None:
    others = Nodes("Author", ["ann", "cem"])
    with pytest.raises(ParameterError, match=r"^a star needs at least one relation$"):
        Star(())
    with pytest.raises(ParameterError, match=r"^a star needs at least one relation$"):
        Star.of()
    with pytest.raises(ParameterError, match=r"^the relations Author–Venue and Term–Term share no kind"):
        Star.of(related(AUTHORS, VENUES), related(TERMS, TERMS))
    with pytest.raises(ParameterError, match=r"the same nodes at their centre$"):
        Star.of(related(AUTHORS, VENUES), related(others, TERMS))
    with pytest.raises(ParameterError, match=r"the same nodes of kind Author$"):
        Star.of(related(VENUES, AUTHORS), related(VENUES, others))
    with pytest.raises(ParameterError, match=r"^weights must be 1 numbers, one an arm, were 2$"):
        Star((related(AUTHORS, VENUES),), (1.0, 2.0))
    with pytest.raises(ParameterError, match=r"^weight of an arm must be a number from 0 to inf, was -1$"):
        Star((related(AUTHORS, VENUES),), (-1,))
    with pytest.raises(ParameterError, match=r"^the star has no kind 'Paper', only Author, Venue$"):
        Star((related(AUTHORS, VENUES),)).nodes("Paper")


def test_a_relation_of_a_kind_with_itself_is_a_graph_in_a_star() -> None:
    people = Nodes("Person", ["ann", "bob", "cem"])
    given = csr_array([[9.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    directed = Relation(people, people, given, "Person-KNOWS->Person")
    star = Star((directed,))
    assert star.arms[0].block.toarray().tolist() == [[0, 2, 0], [2, 0, 2], [0, 2, 0]]
    assert star.arms[0].name == "Person-KNOWS->Person"
    assert [nodes.kind for nodes in star.kinds] == ["Person"]
    assert directed.block.toarray().tolist() == given.toarray().tolist()
    assert Star(star.arms).arms[0] is star.arms[0]  # a graph already


def test_a_graph_needs_the_same_nodes_on_both_sides() -> None:
    some, others = Nodes("Person", ["ann", "bob"]), Nodes("Person", ["ann", "cem"])
    with pytest.raises(DataError, match=r"^a graph of Person needs the same nodes as rows and as columns$"):
        _ = Relation(some, others, csr_array(np.eye(2))).graph
