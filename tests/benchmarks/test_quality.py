"""The benchmark of quality runs and counts rightly; how good or fast anything is, is not asserted here."""

import doctest
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from benchmarks import families, peers, quality, sets, standings
from benchmarks.standings import Outcome, Standings, as_markdown
from benchmarks.table import replace_table
from graphmine.arrays import Ints
from graphmine.model import Relation, Star
from tests.real import there

OUTCOME = Outcome("toy", True, 60, 40, 300, 3, "loom", 0, nmi=0.6, ami=0.5, ari=0.4, found=3, seconds=2.0)
MACHINE = {"cores": 2, "system": "Linux", "python": "3.11", "packages": {"numpy": "2.0"}}
SMALL = [name for name in families.FAMILIES if "million" not in name]


def outcomes(name: str = "toy", links: int = 300, **methods: tuple[float, float]) -> list[Outcome]:
    """Return one outcome a method, of an AMI (and an NMI alike) and seconds."""
    names = {"learn": "scikit-learn", "near": "Leiden, k", "sco": "s-co", "truth": peers.TRUTH}
    return [
        replace(OUTCOME, set=name, links=links, method=names.get(key, key), nmi=score, ami=score, seconds=seconds)
        for key, (score, seconds) in methods.items()
    ]


def verdict(found: list[Outcome], begins: str) -> tuple[str, bool | None]:
    (said,) = [each for each in Standings(tuple(found)).verdicts() if each.what.startswith(begins)]
    return said.measured, said.met


@pytest.mark.parametrize("module", [sets, peers, standings])
def test_the_examples_hold(module: ModuleType) -> None:
    tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_a_quick_run_fits_every_set_by_every_method(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.json"
    assert quality.main(["--quick", "--methods", "s-co;scikit-learn", "--json", str(file)]) == 0
    found = json.loads(file.read_text())["outcomes"]
    assert [(each["set"], each["seed"], each["method"]) for each in found] == [
        (name, seed, method) for name in quality.QUICK for seed in (0, 1) for method in ("s-co", "scikit-learn")
    ]
    assert all(each["seconds"] > 0 and -1 <= each["ari"] <= each["nmi"] + 0.2 <= 1.2 for each in found)
    assert capsys.readouterr().out.count("1.00 × scikit-learn") == 2


def test_methods_of_an_earlier_run_are_taken_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.json"
    quality.main(["--quick", "--methods", "scikit-learn", "--json", str(file)])
    small, _ = quality.QUICK
    again = ["--sets", small, "--seeds", "1", "--methods", "s-co", "--known", str(file), "--json", str(file)]
    assert quality.main(again) == 0
    found = [Outcome(**each) for each in json.loads(file.read_text())["outcomes"]]
    assert [(each.set, each.method, each.seed) for each in found] == [(small, "s-co", 0), (small, "scikit-learn", 0)]
    assert Standings(tuple(found)).ratio(small, "s-co") is not None


def test_peers_that_are_not_installed_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    assert quality.main(["--quick", "--seeds", "1", "--methods", "Leiden;Louvain, k;k-means;scikit-learn"]) == 0
    said = capsys.readouterr()
    assert "Leiden needs the package igraph" in said.err
    assert "Louvain, k needs the package sknetwork" in said.err
    assert "there is no method k-means" in said.err
    assert "scikit-learn  " in said.out


def test_sets_that_are_not_there_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("GRAPHMINE_DATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert quality.main(["--sets", "cstr;classic", "--methods", "s-co"]) == 0
    said = capsys.readouterr()
    assert [said.err.count(f"{name} is left out: the set") for name in ("classic3", "classic4", "cstr")] == [1, 1, 1]
    assert said.out.strip() == ""


@pytest.mark.parametrize("arguments", [["--sets", "classic5"], ["--seeds", "0"], ["--seeds", "x"]])
def test_wrong_options_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        quality.main(arguments)
    assert stopped.value.code == 2


@pytest.mark.parametrize("peer", peers.PEERS)
def test_peers_find_planted_fields(peer: str) -> None:
    if why := peers.unavailable(peer):
        pytest.skip(why)
    star, truth = families.planted(90, 60, 3, 12, 0.05, 0)
    labels = peers.fit_of(peer)(star, 3, 0)
    assert len(np.unique(np.stack([labels, truth["Author"]]), axis=1).T) == 3


def test_what_a_method_leaves_out_is_one_more_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    star, truth = families.planted(30, 20, 2, 6, 0.0, 0)
    rows = truth["Author"]
    monkeypatch.setattr(quality, "fit_of", lambda name: lambda star, k, seed: np.where(rows == 1, -1, 0))
    found = quality._fitted("toy", star, rows, "half", 0)
    assert found.ami == pytest.approx(1.0)
    assert found.found == 2


@pytest.mark.parametrize("wanted", [1, 2, 5, 9, 40])
def test_tuning_comes_near_and_ends(wanted: int) -> None:
    tried: list[float] = []

    def partition(resolution: float) -> Ints:
        tried.append(resolution)
        return np.arange(64) % int(np.clip(4 * resolution, 2, 32))

    labels = peers.tuned(partition, wanted)
    assert len(np.unique(labels)) == np.clip(wanted, 2, 32)
    assert len(tried) <= peers.STEPS + 1


def test_a_target_is_met_or_missed_by_what_was_measured() -> None:
    assert verdict(outcomes("classic3", loom=(0.951, 1.0)), "row NMI, classic3") == ("0.951", True)
    assert verdict(outcomes("classic3", loom=(0.949, 1.0)), "row NMI, classic3") == ("0.949", False)
    assert verdict(outcomes(loom=(0.5, 1), truth=(0.53, 1)), "row NMI short") == ("0.030 (toy)", False)
    assert verdict(outcomes(loom=(0.5, 1), truth=(0.51, 1)), "row NMI short") == ("0.010 (toy)", True)


def test_sets_where_a_peer_is_ahead_are_counted() -> None:
    level = [each for n in range(7) for each in outcomes(f"set {n}", loom=(0.5, 1), learn=(0.515, 1))]
    assert verdict(level, "sets of 7") == ("0", True)
    one = outcomes("lost", loom=(0.5, 1), learn=(0.6, 1), Leiden=(0.61, 1))
    assert verdict([*level[:-2], *one], "sets of 7") == ("1; lost: Leiden by 0.110", False)
    assert verdict([*level, *one], "sets of 8") == ("1; lost: Leiden by 0.110", True)


def test_peers_that_are_told_k_are_counted_apart() -> None:
    found = outcomes(loom=(0.5, 1), learn=(0.4, 1), near=(0.6, 1))
    assert verdict(found, "sets of 1") == ("0", True)
    assert verdict(found, "the same") == ("1", None)


def test_s_co_is_no_peer() -> None:
    assert verdict(outcomes(loom=(0.5, 1), learn=(0.4, 1), sco=(0.9, 1)), "sets of 1") == ("0", True)


def test_times_are_held_against_scikit_learn() -> None:
    found = [
        *outcomes("small", loom=(1, 4), learn=(1, 1)),
        *outcomes("middle", loom=(1, 2), learn=(1, 1)),
        *outcomes("large", 10**6, loom=(1, 16), learn=(1, 10)),
    ]
    assert verdict(found, "time over scikit-learn's, median") == ("2.00", True)
    assert verdict(found, "time over scikit-learn's, worst of 1") == ("1.60", False)


def test_the_tables_go_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(quality.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    found = Standings((*outcomes("one", loom=(0.5, 3), learn=(0.6, 1.5)), *outcomes("two", loom=(0.25, 1))))
    for _ in range(2):
        replace_table(page, as_markdown(MACHINE, 1, found), quality.BEGIN)
    text = page.read_text(encoding="utf-8")
    assert text.count("| one | 3 | 300 | 0.500 ± 0.000 | **0.600 ± 0.000** |") == 1
    assert text.count("| one | 3 | 300 | 3 (2.00) | 1.5 (1.00) |") == 1
    assert text.count("| two | 3 | 300 | 0.250 / 0.400 | – |") == 1
    assert "| LadybugDB |" in text


@pytest.mark.parametrize("name", SMALL)
def test_families_draw_connected_rows_of_every_cluster(name: str) -> None:
    star, truth = families.FAMILIES[name](0)
    (arm,), rows = star.arms, truth[star.centre.kind]
    assert np.all(arm.block.sum(axis=0) > 0)
    assert np.all(arm.block.sum(axis=1) > 0)
    known = np.unique(rows[rows >= 0])
    assert known.tolist() == list(range(len(known)))
    assert len(rows) == len(arm.rows)


@pytest.mark.parametrize("name", SMALL)
def test_families_draw_anew_for_each_seed(name: str) -> None:
    first, again, other = (families.FAMILIES[name](seed)[0].arms[0].block for seed in (0, 0, 1))
    assert np.array_equal(first.indices, again.indices)
    assert np.array_equal(first.data, again.data)
    assert not np.array_equal(first.indices, other.indices)


def components(arm: Relation, rows: Ints) -> list[Ints]:
    """Return the classes that are in each component."""
    _, labels = connected_components(arm.block @ arm.block.T, directed=False)
    return [np.unique(rows[labels == number]) for number in np.unique(labels)]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: families.planted(60, 40, 3, 6, 0.0, 0),
        lambda: families.blocks(300, 100, 4, 8, 0.0, 0, unequal=1.0),
        lambda: families.crumbs(5, 300, 100, 3, 0.0, 0),
    ],
)
def test_without_noise_nothing_joins_two_clusters(draw: Callable[[], tuple[Star, sets.Truth]]) -> None:
    star, truth = draw()
    assert all(len(classes) == 1 for classes in components(star.arms[0], truth["Author"]))


def test_clusters_can_be_unequal() -> None:
    _, truth = families.blocks(20_000, 500, 4, 5, 0.2, 0, unequal=1.0)
    sizes = np.bincount(truth["Author"]) / len(truth["Author"])
    assert sizes == pytest.approx(np.array([12, 6, 4, 3]) / 25, abs=0.02)


def test_rows_may_take_from_several_column_clusters() -> None:
    star, truth = families.blocks(500, 300, 3, 20, 0.0, 0, n_topics=6)
    mass = np.stack([star.arms[0].block[truth["Author"] == cluster].sum(axis=0) > 0 for cluster in range(3)])
    reached = mass.mean(axis=1)
    assert np.all((reached > 0.35) & (reached < 0.65))  # three of six


def test_small_components_have_no_known_cluster() -> None:
    star, truth = families.crumbs(5, 300, 100, 3, 0.1, 0)
    unknown = star.arms[0].block[truth["Author"] < 0]
    assert unknown.shape[0] == 10
    assert unknown.sum(axis=1).tolist() == [2.0] * 10


def test_stories_of_one_topic_are_read_from_sgml() -> None:
    def story(topics: str, body: str) -> str:
        return f"<REUTERS><TOPICS>{topics}</TOPICS><PLACES><D>usa</D></PLACES>{body}</REUTERS>\n"

    whole = "<TITLE>A &lt;B></TITLE><BODY>Text\nof it</BODY>"
    content = "".join([
        story("<D>corn</D>", whole),
        story("", whole),
        story("<D>corn</D><D>oil</D>", whole),
        story("<D>oil</D>", "<TITLE>no body</TITLE>"),
    ])
    assert list(sets._stories(content.encode())) == [("corn", "A <B> Text\nof it")]


@pytest.mark.parametrize(
    ("archive", "name", "shape", "sizes"),
    [
        ("classic3", "classic3", (3891, 4303), [1033, 1460, 1398]),
        ("cstr", "cstr", (475, 1000), [101, 71, 178, 125]),
        ("aminer_hetgnn", "aminer, authors and venues", (11360, 18), [3508, 1946, 2890, 3016]),
        ("aminer_hetgnn", "aminer, all authors", (28645, 18), [3508, 1946, 2890, 3016]),
        ("acm_hin", "acm, papers and authors", (4019, 7167), [1993, 965, 1061]),
        ("acm_hin", "acm, papers and both", (4019, 7227), [1993, 965, 1061]),
    ],
)
def test_real_sets_are_as_large_as_is_known(archive: str, name: str, shape: tuple[int, int], sizes: list[int]) -> None:
    there(archive)
    star, truth = sets.SETS[name]()
    rows = truth[star.centre.kind]
    assert star.arms[0].block.shape == shape
    assert np.unique(rows[rows >= 0], return_counts=True)[1].tolist() == sizes
