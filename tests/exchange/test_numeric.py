"""How alike nodes are by their numbers: the same block from both databases, and a sentence for what is no number."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError, SizeError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.linalg import resources
from graphmine.store import Store, connect
from graphmine.verbs.constrain import constrain
from tests.databases import write

HUES = [0.5, 1.5, 1.0, 4.0]
ASHES = [10, 30, 20, 20]


def wines(store: Store, **properties: Sequence[object]) -> None:
    """Load wines that have some properties; their keys are in another order than the nodes."""
    n = len(next(iter(properties.values())))
    load(store, Network({"Wine": pa.table({"name": [f"w{n - i}" for i in range(n)], **properties})}))


def block(store: Store, pattern: str, **options: object) -> Floats:
    arm = pull(store, pattern, **options).arms[0]  # type: ignore[arg-type]
    assert arm.rows == arm.cols
    assert arm.name == pattern
    made: Floats = arm.block.toarray()
    return made


def expected(points: Floats, sigma: float) -> Floats:
    """Return (5.13) of points in the order of the nodes, as it is printed, in the order of the keys."""
    points = points.reshape(len(points), -1)[::-1]
    squares = np.sum((points[:, None] - points[None]) ** 2, axis=2)
    weights: Floats = np.exp(-squares / (2 * sigma**2))
    np.fill_diagonal(weights, 0.0)
    return weights


def set_list(store: Store, kind: str, key: str, values: str) -> None:
    """Set a list, for which both databases need Cypher of their own."""
    if store.database.declares_properties and key == "w1":
        write(store, f"ALTER TABLE {kind} ADD place DOUBLE[]")
    write(store, f"MATCH (n:{kind} {{name: '{key}'}}) SET n.place = {values}")


def test_the_weights_are_those_of_the_formula(store: Store) -> None:
    wines(store, hue=HUES, ash=ASHES)
    points = np.column_stack([HUES, ASHES]).astype(np.float64)
    scaled = (points - points.mean(axis=0)) / points.std(axis=0)
    total = np.sqrt(points.var(axis=0).sum())
    for pattern, rows, sigma in (
        ("Wine~rbf(hue, ash)", scaled, np.sqrt(2)),
        ("Wine~rbf(hue, ash; scale no)", points, total),
        ("Wine~rbf(hue, ash; sigma 0.5)", scaled, 0.5),
        ("Wine~rbf(hue, ash; sigma 3; scale no)", points, 3),
        ("Wine~knn(hue, ash; scale no)", points, total),
    ):
        np.testing.assert_allclose(block(store, pattern), expected(rows, sigma), rtol=1e-12)
    near = block(store, "Wine~knn(hue; neighbours 1; sigma 1; scale no)")
    every = expected(np.array(HUES), 1)
    # w1 4.0, w2 1.0, w3 1.5, w4 0.5: of w3 and w4, equally far from w2, the first is the nearest.
    chosen = np.array([[0, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 0]])
    np.testing.assert_allclose(near, every * chosen, rtol=1e-12)


def test_a_filter_takes_nodes_away_before_anything_is_computed(store: Store) -> None:
    wines(store, hue=[*HUES, 99.0], sort=[2, 2, 3, 3, 1])
    found = block(store, "Wine~rbf(hue)", where="Wine.sort in [2, 3]")
    points = np.array(HUES)
    np.testing.assert_allclose(found, expected((points - points.mean()) / points.std(), 1), rtol=1e-12)


def test_a_list_counts_as_one_property(store: Store) -> None:
    wines(store, hue=HUES)
    places = np.array([[1.0, 2.0, 2.5], [0.5, 2.0, 3.0], [7.0, 2.0, 1.0], [1.5, 2.0, 0.0]])
    for number, place in enumerate(places.tolist()):
        set_list(store, "Wine", f"w{number + 1}", str(place))
    hue = np.array(HUES)
    whole = (places[::-1] - places.mean(axis=0)) / np.sqrt(places.var(axis=0).sum())
    points = np.column_stack([(hue - hue.mean()) / hue.std(), whole])
    np.testing.assert_allclose(block(store, "Wine~rbf(hue, place)"), expected(points, np.sqrt(2)), rtol=1e-12)
    set_list(store, "Wine", "w2", "[1.0, 2.0]")
    with pytest.raises(DataError, match=r"^Wine\.place holds lists of 2 and of 3 numbers; they must be equally long$"):
        pull(store, "Wine~rbf(place)")


def test_the_mean_stands_for_what_is_missing(store: Store) -> None:
    wines(store, hue=[0.5, None, 1.0, 4.0, None], ash=[10, 30, None, 20, None])
    sentence = (
        r"^Wine~rbf\(hue, ash; scale no\): missing values: 2 in 2 of 5 nodes; the mean of the property stands for "
        r"each; nodes without any value, left isolated: 1$"
    )
    with pytest.warns(UserWarning, match=sentence) as told:
        found = block(store, "Wine~rbf(hue, ash; scale no)")
    assert len(told) == 1
    points = np.array([[0.5, 10], [5.5 / 3, 30], [1.0, 20], [4.0, 20]])
    np.testing.assert_allclose(found[1:, 1:], expected(points, np.sqrt(points.var(axis=0).sum())), rtol=1e-12)
    assert not found[0].any()
    assert not found[:, 0].any()


def test_a_property_that_tells_nothing_is_left_out(store: Store) -> None:
    wines(store, hue=HUES, ash=[0.1] * 4, malt=[3, None, 3, 3])
    with pytest.warns(UserWarning, match=r"^Wine~rbf\(ash, hue, malt\): ash, malt tells no two nodes apart"):
        found = block(store, "Wine~rbf(ash, hue, malt)")
    assert (found == block(store, "Wine~rbf(hue)")).all()
    with pytest.raises(DataError, match=r"^Wine~knn\(ash, malt\) has nothing to compare by: all Wine nodes that have"):
        pull(store, "Wine~knn(ash, malt)")


@pytest.mark.parametrize("hues", [[1.5], [None, 1.5, None]])
def test_two_nodes_are_needed(store: Store, hues: list[float | None]) -> None:
    wines(store, hue=hues)
    sentence = rf"^Wine~rbf\(hue\) needs two nodes with a value at least, and 1 of {len(hues)} Wine nodes have one$"
    with pytest.raises(DataError, match=sentence):
        pull(store, "Wine~rbf(hue)")
    with pytest.raises(DataError, match=r"and 0 of 0 Wine nodes have one$"):
        pull(store, "Wine~knn(hue)", where="Wine.hue > 100")


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("Wnie~rbf(hue)", r"no kind 'Wnie'.*did you mean 'Wine'"),
        ("Wine~rbf(heu)", r"^Wine has no property 'heu' \(did you mean 'hue'\?\)$"),
        ("Wine~rbf(hue, name)", r"^Wine\.name holds text, and a similarity is made of numbers or lists of them$"),
        ("Wine~knn(red)", r"^Wine\.red holds boolean, and a similarity is made of numbers"),
    ],
)
def test_wrong_names_and_types_are_one_sentence(store: Store, pattern: str, sentence: str) -> None:
    wines(store, hue=HUES, red=[True, False, True, True])
    with pytest.raises(ParameterError, match=sentence):
        pull(store, pattern)


@pytest.mark.parametrize("value", ["nan", "inf", "1e200"])
def test_numbers_that_can_not_be_compared_are_refused(store: Store, value: str) -> None:
    wines(store, hue=HUES)
    cypher = {
        True: f"CAST('{value}' AS DOUBLE)",
        False: {"nan": "0.0 / 0.0", "inf": "1.0 / 0.0"}.get(value, value),
    }
    write(store, f"MATCH (n:Wine {{name: 'w2'}}) SET n.hue = {cypher[store.database.declares_properties]}")
    with pytest.raises(DataError, match=r"^Wine\.hue holds (nan|inf|1e\+200); a similarity is made of numbers of at"):
        pull(store, "Wine~rbf(hue)")


@pytest.mark.parametrize("value", ["'red'", "true", "[1.0]", "['red']", "date('2020-01-02')"])
def test_neo4j_may_hold_other_things_among_numbers(neo4j_uri: str, value: str) -> None:
    with connect(neo4j_uri) as store:
        wines(store, hue=HUES)
        write(store, f"MATCH (n:Wine {{name: 'w2'}}) SET n.hue = {value}")
        with pytest.raises(DataError, match=r"^Wine\.hue can not be compared: the values of value are of different"):
            pull(store, "Wine~rbf(hue)")


def test_neo4j_may_hold_whole_numbers_in_one_record_and_others_in_the_next(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "UNWIND range(1, 20001) AS i CREATE (:Wine {id: i, hue: i, place: [i, 2]})")
        write(store, "MATCH (n:Wine {id: 20001}) SET n.hue = 0.5, n.place = [0.5, 2.0]")
        for name in ("hue", "place"):
            block = pull(store, f"Wine~knn({name}; neighbours 1)", keys={"Wine": "id"}).arms[0].block
            assert block[[20_000]].indices.tolist() == [0]


def test_lists_that_hold_no_numbers_are_refused(store: Store) -> None:
    wines(store, hue=HUES)
    if store.database.declares_properties:
        write(store, "ALTER TABLE Wine ADD words STRING[]")
    write(store, "MATCH (n:Wine) SET n.words = ['dark', 'red']")
    with pytest.raises(DataError, match=r"^Wine\.words holds text, and a similarity is made of numbers or lists of"):
        pull(store, "Wine~rbf(words)")
    write(store, "MATCH (n:Wine) SET n.words = []")
    with pytest.raises(DataError, match=r"^Wine\.words holds empty lists, and a similarity is made of numbers$"):
        pull(store, "Wine~rbf(words)")


def test_what_does_not_fit_in_memory_names_knn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    wines(store, hue=HUES)
    monkeypatch.setattr(resources, "available_memory", lambda: 100)
    with pytest.raises(
        SizeError, match=r"^the similarity of every two of 4 nodes would .*; write ~knn instead of ~rbf"
    ):
        pull(store, "Wine~rbf(hue)")


def test_a_rule_links_nodes_that_are_alike(store: Store) -> None:
    wines(store, hue=HUES, ash=ASHES)
    star = pull(store, "Wine~rbf(ash)")
    links = constrain(store, star, "must Wine~knn(hue; neighbours 1)").within["Wine"]
    assert sorted(zip(links.left.tolist(), links.right.tolist(), strict=True)) == [(0, 2), (1, 2), (1, 3)]
    links = constrain(store, star, "must Wine~rbf(hue; sigma 1; scale no) >= 0.8; where Wine.hue < 2").within["Wine"]
    assert sorted(zip(links.left.tolist(), links.right.tolist(), strict=True)) == [(1, 2), (1, 3)]


def test_many_nodes_and_many_records(store: Store) -> None:
    hues = np.random.default_rng(0).normal(size=25_000)
    load(store, Network({"Wine": pa.table({"id": np.arange(25_000), "hue": hues, "ash": np.arange(25_000) % 7})}))
    arm = pull(store, "Wine~knn(hue, ash; neighbours 3)").arms[0]
    assert 3 * 25_000 <= arm.nnz <= 6 * 25_000
    assert abs(arm.block - csr_array(arm.block.T)).max() == 0
