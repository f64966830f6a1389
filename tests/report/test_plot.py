"""Pictures of runs: right numbers under them, any size and any name drawn, the same every time."""

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

from graphmine.errors import ParameterError
from graphmine.exchange.runs import Run
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from graphmine.report.figures.blocks import blocks
from graphmine.report.figures.layout import apart
from graphmine.report.figures.terminal import ASCII, block_lines
from graphmine.report.plot import plot
from graphmine.verbs.flow import Flow
from graphmine.verbs.recall import Recalled
from graphmine.verbs.stages import stages_of_results
from tests.report.figures.test_matrix import odd_star

KINDS = ("matrix", "network", "sizes")


def planted(n: int, m: int, k: int, seed: int = 0, links: int | None = None) -> tuple[Star, Clustering]:
    rng = np.random.default_rng(seed)
    rows, cols = np.arange(n) % k, np.arange(m) % k
    count = links or 4 * n
    at_row, at_col = rng.integers(0, n, count), rng.integers(0, m, count)
    own = rng.random(count) < 0.8
    at_col = np.where(own, np.minimum(at_col - at_col % k + rows[at_row], m - 1), at_col)
    block = csr_array(coo_array((np.ones(count), (at_row, at_col)), shape=(n, m)))
    star = Star((Relation(Nodes("Author", range(n)), Nodes("Venue", range(m)), block, "Author-IN->Venue"),))
    return star, Clustering({"Author": rows, "Venue": cols})


def test_densities_are_those_of_the_whole_block() -> None:
    star, clustering = planted(23, 11, 3)
    labels = {kind: each.copy() for kind, each in clustering.labels.items()}
    labels["Author"][:2] = UNPLACED
    (found,) = blocks(star, Clustering(labels))
    whole = star.arms[0].block.toarray()
    assert found.rows.clusters == (0, 1, 2, UNPLACED)
    for i, above in enumerate(found.rows.clusters):
        for j, beside in enumerate(found.cols.clusters):
            part = whole[np.ix_(labels["Author"] == above, labels["Venue"] == beside)]
            assert found.density[i, j] == pytest.approx(part.mean())
            assert found.links[i, j] == np.count_nonzero(part)
    assert found.mean == pytest.approx(whole.mean())


def test_a_graph_has_no_pairs_of_a_node_with_itself() -> None:
    people = Nodes("Person", range(3))
    star = Star((Relation(people, people, csr_array(np.ones((3, 3))), "Person-KNOWS-Person"),))
    (found,) = blocks(star, Clustering({"Person": np.array([0, 0, 1])}))
    assert found.density.tolist() == [[1.0, 1.0], [1.0, 0.0]]
    assert next(iter(block_lines(found, ASCII))).startswith("Person-KNOWS-Person: 3 pairs of 3 Person x 3 Person")


def test_very_many_clusters_fit_on_a_screen() -> None:
    (found,) = blocks(*planted(4000, 300, 200))
    lines = list(block_lines(found))
    assert max(map(len, lines)) <= 100
    assert lines[-2:] == ["136 smaller clusters of Author left out", "136 smaller clusters of Venue left out"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1, 1, 1), (40, 8, 1), (50, 50, 30), (300, 60, 50), "odd", "empty"])
def test_everything_is_drawn(kind: str, shape: Any, tmp_path: Path) -> None:
    if shape == "odd":
        result = odd_star()
    elif shape == "empty":
        nodes = Nodes("A", range(3)), Nodes("B", [])
        result = (
            Star((Relation(*nodes, csr_array((3, 0)), "A-X->B"),)),
            Clustering({"A": np.full(3, UNPLACED), "B": np.array([], dtype=np.int64)}),
        )
    else:
        result = planted(*shape)
    plot(result, tmp_path / "x.png", kind)
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_the_same_every_time(kind: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        plot(planted(60, 12, 3), tmp_path / f"{name}.svg", kind)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    if kind == "network":
        plot(planted(60, 12, 3), tmp_path / "c.svg", kind, seed=1)
        assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "c.svg").read_bytes()


def test_names_do_not_hide_each_other() -> None:
    rng = np.random.default_rng(0)
    places, sizes = rng.random((200, 2)) * [600, 450], np.tile([45.0, 15.0], (200, 1))
    found = apart(places, sizes)
    gap = np.abs(found[:, None] - found[None, :])
    over = ((gap < sizes[0] - 1).all(axis=2)).sum() - len(found)
    assert over == 0


def test_clusters_of_a_small_network_stand_apart() -> None:
    star, clustering = planted(60, 12, 3)
    figure = plot((star, clustering), kind="network")
    places = np.concatenate([np.asarray(each.get_offsets()) for each in figure.axes[0].collections[1:]])
    labels = np.concatenate([clustering.labels["Author"], clustering.labels["Venue"]])
    centres = np.array([places[labels == each].mean(axis=0) for each in range(3)])
    nearest = np.argmin(((places[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
    assert np.mean(nearest == labels) > 0.9


def test_a_large_network_is_drawn_by_its_clusters(tmp_path: Path) -> None:
    result = planted(100_000, 20_000, 30, links=1_000_000)
    tracemalloc.start()
    figure = plot(result, kind="network")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250e6  # 60 marks, not 120,000; the block is 12 MB
    assert sum(len(np.asarray(each.get_offsets())) for each in figure.axes[0].collections[1:]) == 60


def test_a_flow_shows_everybody_once(tmp_path: Path) -> None:
    from graphmine.report.figures.alluvial import _columns

    step = [Flow("a", "b", "K", 0, 1, 5), Flow("a", "b", "K", 0, None, 2), Flow("a", "b", "K", None, 1, 3)]
    before, after = _columns([step], 2)
    assert before.sizes == {0: 7, None: 3}
    assert after.sizes == {1: 8, None: 2}
    star, clustering = planted(30, 6, 3)
    runs = [Recalled(Run(name, id=name), star, clustering) for name in ("one", "$two$")]
    plot(runs, tmp_path / "flow.svg", "flow")
    assert "$two$" in (tmp_path / "flow.svg").read_text(encoding="utf-8")
    assert [stage.name for stage in stages_of_results([runs[0], runs[0]])] == ["one", "one"]


def test_what_is_no_picture_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"kind must be one of .*, was 'netwrk' \(did you mean 'network'\?\)"):
        plot(planted(5, 5, 1), kind="netwrk")
    with pytest.raises(ParameterError, match="a flow is drawn from a database"):
        plot(planted(5, 5, 1), kind="flow")
    with pytest.raises(ParameterError, match="a flow needs two runs or more"):
        plot([], kind="flow")
    with pytest.raises(ParameterError, match="picture must end in"):
        plot(planted(5, 5, 1), tmp_path / "x.gif")
