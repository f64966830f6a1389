"""The networks of the experiments on stars, and what is told of how they are parted."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from graphmine import gallery
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError
from graphmine.exchange.load import load
from graphmine.experiments.star_measures import clusters_text, measured_star
from graphmine.experiments.star_networks import SIDE, categorised, network_of, outlying, with_sides
from graphmine.job import Job
from graphmine.model import Clustering
from graphmine.store import connect
from graphmine.verbs.mine import mine

GROUPS = ("rec.autos", "rec.motorcycles", "talk.politics.guns")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    common = "weather music dinner"
    words = {"rec.autos": "engine wheel", "rec.motorcycles": "engine helmet", "talk.politics.guns": "senate law"}
    return {f"{group}/{at}": f"{words[group]} {common}" for group in GROUPS for at in range(6)}


def test_messages_are_drawn_evenly_with_the_words_that_tell_most(texts: dict[str, str]) -> None:
    network = categorised(texts, GROUPS, each=4, words=4, seed=1)
    documents = network.nodes["Document"].to_pydict()
    assert [sum(name.startswith(group) for name in documents["id"]) for group in GROUPS] == [4, 4, 4]
    assert documents[SIDE] == ["rec"] * 8 + ["talk"] * 4
    assert network.nodes["Category"].to_pydict() == {"name": list(GROUPS), SIDE: ["rec", "rec", "talk"]}
    assert set(network.nodes["Term"]["word"].to_pylist()) == {"engine", "helmet", "law", "senate"}
    other = categorised(texts, GROUPS, each=4, words=4, seed=2)
    assert other.nodes["Document"]["id"].to_pylist() != documents["id"]
    with pytest.raises(DataError, match=r"there are 6 messages of rec.autos, and 7 are needed; get the set anew"):
        categorised(texts, GROUPS, each=7, words=4, seed=1)


def test_a_star_loaded_and_pulled_is_the_star() -> None:
    star, truth = gallery.toy_two()
    with connect(":memory:") as store:
        load(store, network_of(star, truth))
        mined = mine(store, Job(relation=("Y-HAS{weight}->X", "Y-HAS{weight}->Z"), n_clusters=2))
    for arm, pulled in zip(star.arms, mined.star.arms, strict=True):
        assert np.array_equal(arm.block.toarray(), pulled.block.toarray())


def test_outliers_have_a_heavy_term_of_their_own() -> None:
    star, _ = gallery.planted_star(20, (10, 2), n_clusters=2, degree=(6, 1), seed=1)
    wider = outlying(star, 3, np.random.default_rng(0))
    block = wider.arms[0].block.toarray()
    assert np.array_equal(block[:, :10], star.arms[0].block.toarray())
    private = block[:, 10:]
    assert sorted(private[private > 0].tolist()) == [30.0] * 3
    assert ((private > 0).sum(axis=0) == 1).all()
    assert ((private > 0).sum(axis=1) <= 1).all()
    assert wider.arms[1] is star.arms[1]


def test_a_document_of_two_sides_has_none() -> None:
    about = pa.table({"source": [1, 2, 2, 3, 3], "target": ["corn", "corn", "wheat", "wheat", "yen"]})
    nodes = {"Document": pa.table({"id": [1, 2, 3]}), "Category": pa.table({"name": ["corn", "wheat", "yen"]})}
    network = Network(nodes, (Edges("Document", "ABOUT", "Category", about),))
    found = with_sides(network, {"corn": "farm", "wheat": "farm", "yen": "money"})
    assert found.nodes["Document"][SIDE].to_pylist() == ["farm", "farm", None]


@pytest.mark.parametrize(
    ("labels", "split", "together"),
    [([0, 0, 1], 1, 0), ([1, 1, 0], 1, 0), ([0, 1, 1], 0, 0), ([0, 0, 0], 0, 1), ([-1, -1, -1], 0, 0)],
)
def test_categories_are_judged_by_how_exactly_they_are_parted(labels: list[int], split: float, together: float) -> None:
    star, truth = gallery.toy_one()
    with connect(":memory:") as store:
        load(store, network_of(star, truth))
        mined = mine(store, Job(relation=("Y-HAS{weight}->X", "Y-HAS{weight}->Z"), n_clusters=2))
        found = Clustering({"X": np.array(labels), "Y": truth["Y"], "Z": truth["Z"]})
        measured = measured_star(store, replace(mined, clustering=found), "X", SIDE, ("X", "Y"))
    assert (measured.values["split"], measured.values["together"]) == (split, together)
    assert measured.values["nmi"] == pytest.approx(1)
    assert measured.found == clusters_text(
        {"X": ["x1", "x2", "x3"], "Y": [f"y{at}" for at in range(1, 9)]}, {"X": labels, "Y": truth["Y"].tolist()}
    )
