"""Rows become nodes with numbers and a class; the real sets have the sizes of the paper, through a database too."""

import warnings
from pathlib import Path

import pyarrow.compute as pc
import pytest

from graphmine.datasets import archives, uci
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.store import connect
from tests.datasets.made_archives import pack, small_uci

TABLE_1 = {
    "wine": (119, 13),
    "glass": (146, 9),
    "ionosphere": (351, 32),
    "hepatitis": (155, 19),
    "wdbc": (569, 30),
    "pima": (768, 8),
}
SIZES = {"wine": 178, "glass": 214, "ionosphere": 351, "hepatitis": 155, "wdbc": 569, "pima": 768}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_uci(tmp_path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", uci.SETS)
def test_every_set_is_one_kind_with_a_class(name: str) -> None:
    network, described = uci.uci(name), uci.SETS[name]
    table = network.nodes[described.kind]
    assert (network.key(described.kind), len(table)) == ("id", 30)
    assert network.properties(described.kind) == [*described.attributes, "known_class"]
    assert table["id"][0].as_py() == (101 if "id" in described.columns else 1)
    assert sum(table[each].null_count for each in described.attributes) == (name == "hepatitis")
    assert all(str(table[each].type) in ("double", "int64") for each in described.attributes)
    first = {"ionosphere": "g", "wdbc": "M", "pima": 0}.get(name, 1)
    assert table["known_class"][0].as_py() == first


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", uci.SETS)
def test_what_the_paper_clustered_can_be_pulled(name: str) -> None:
    relation, where = uci.asked(name)
    with connect(":memory:") as store, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Patient~rbf.*: missing values: 1 in 1 of 30 nodes")
        load(store, uci.uci(name))
        block = pull(store, relation, where=where).arms[0].block
    n = 20 if where else 30
    assert (block.shape, block.nnz) == ((n, n), n * (n - 1))


def test_wrong_names_and_files_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    for wrong in (uci.uci, uci.asked):
        with pytest.raises(ParameterError, match=r"set must be one of wine, .*, was 'wines' \(did you mean 'wine'\?\)"):
            wrong("wines")
    pack(tmp_path / "uci.tar.xz", {"uci/wine.csv": b"1,2,3\n4,5,6\n"})
    with pytest.raises(DataError, match=r"^wine\.csv in the archive uci is not the set meant: .*14 columns, got 3"):
        uci.uci("wine")
    with pytest.raises(DataError, match=r"holds no file uci/glass\.data; it is not the set meant$"):
        uci.uci("glass")


@pytest.mark.parametrize("name", uci.SETS)
def test_the_real_sets_have_the_sizes_of_table_1(name: str) -> None:
    try:
        archives.archive(uci.NAME)
    except DataError as error:
        pytest.skip(str(error))
    network, described = uci.uci(name), uci.SETS[name]
    relation, where = uci.asked(name)
    assert network.n_nodes == SIZES[name]
    with connect(":memory:") as store, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        load(store, network)
        arm = pull(store, relation, where=where).arms[0]
    similarity = relation.steps[0].similarity
    assert similarity is not None
    assert (len(arm.rows), len(similarity.properties)) == TABLE_1[name]
    lacking = "missing values: 167 in 75 of 155 nodes; the mean of the property stands for each"
    assert [str(each.message).partition("): ")[2] for each in told] == ([lacking] if name == "hepatitis" else [])
    if name == "ionosphere":
        distinct = {each: pc.count_distinct(network.nodes["Signal"][each]).as_py() for each in described.attributes}
        assert (distinct.pop("a01"), distinct.pop("a02"), min(distinct.values())) == (2, 1, 204)
