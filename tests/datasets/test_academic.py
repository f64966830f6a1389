import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from graphmine.datasets import generated_names
from graphmine.datasets.academic import academic
from graphmine.datasets.network import Network
from graphmine.errors import ParameterError


@pytest.fixture(scope="module")
def network() -> Network:
    return academic(authors=3000, seed=3)


def table(network: Network, type: str) -> pa.Table:
    return next(edges.table for edges in network.relationships if edges.type == type)


def areas(network: Network, kind: str, keys: pa.ChunkedArray) -> pa.ChunkedArray:
    nodes = network.nodes[kind]
    return nodes["known_area"].take(pc.index_in(keys, value_set=nodes.column(0)))


def share_outside(network: Network, source: str, type: str, target: str) -> float:
    links = table(network, type)
    one, other = areas(network, source, links["source"]), areas(network, target, links["target"])
    return float(pc.mean(pc.not_equal(one, other)).as_py())


def test_same_seed_same_network(network: Network) -> None:
    again, other = academic(authors=3000, seed=3), academic(authors=3000, seed=4)
    assert all(again.nodes[kind].equals(network.nodes[kind]) for kind in network.nodes)
    assert all(a.table.equals(b.table) for a, b in zip(again.relationships, network.relationships, strict=True))
    assert not other.relationships[0].table.equals(network.relationships[0].table)


def test_noise_is_the_share_of_links_that_leave_the_area(network: Network) -> None:
    assert share_outside(network, "Paper", "IN", "Conference") == pytest.approx(0.1, abs=0.02)
    assert share_outside(network, "Paper", "MENTIONS", "Term") == pytest.approx(0.1, abs=0.02)
    assert share_outside(network, "Author", "WROTE", "Paper") == pytest.approx(0.1, abs=0.02)
    assert share_outside(network, "Paper", "ABOUT", "Category") == pytest.approx(0.1, abs=0.02)
    clean = academic(authors=200, noise=0)
    assert share_outside(clean, "Author", "WROTE", "Paper") == 0
    assert share_outside(clean, "Author", "COAUTHOR", "Author") == 0
    assert share_outside(clean, "Paper", "ABOUT", "Category") == 0


def test_categories_overlap_and_share_their_papers(network: Network) -> None:
    assert set(table(network, "ABOUT")["target"].to_pylist()) == set(network.nodes["Category"]["name"].to_pylist())
    by_paper: dict[int, list[float]] = {}
    for row in table(network, "ABOUT").to_pylist():
        by_paper.setdefault(row["source"], []).append(row["share"])
    assert set(by_paper) == set(network.nodes["Paper"]["id"].to_pylist())
    assert all(each == [1 / len(each)] * len(each) for each in by_paper.values())
    several = [sum(len(each) == count for each in by_paper.values()) / len(by_paper) for count in (2, 3)]
    assert 0.15 < several[0] < 0.4
    assert 0.01 < several[1] < 0.1


def test_there_are_as_many_categories_as_asked_for_and_the_rest_stays_as_it_was(network: Network) -> None:
    other = academic(authors=3000, seed=3, categories=40)
    assert (len(network.nodes["Category"]), len(other.nodes["Category"])) == (12, 40)
    assert all(other.nodes[kind].equals(network.nodes[kind]) for kind in network.nodes if kind != "Category")
    assert all(
        one.table.equals(two.table)
        for one, two in zip(other.relationships, network.relationships, strict=True)
        if one.type != "ABOUT"
    )


def test_areas_are_unequal_and_a_few_authors_write_most(network: Network) -> None:
    sizes = np.sort(network.nodes["Author"]["known_area"].value_counts().field("counts").to_numpy())
    assert sizes[-1] > 1.5 * sizes[0]
    papers = table(network, "WROTE")["source"].value_counts().field("counts").to_numpy()
    assert papers.max() > 15 * np.median(papers)


def test_one_author_in_a_hundred_has_no_paper(network: Network) -> None:
    assert len(network.nodes["Author"]) - len(table(network, "WROTE")["source"].unique()) == 30


def test_coauthors_are_the_pairs_of_the_papers(network: Network) -> None:
    teams: dict[int, list[str]] = {}
    for row in table(network, "WROTE").to_pylist():
        teams.setdefault(row["target"], []).append(row["source"])
    together: dict[tuple[str, str], int] = {}
    for team in teams.values():
        for one in team:
            for other in team:
                if one < other:
                    together[one, other] = together.get((one, other), 0) + 1
    found = {(row["source"], row["target"]): row["papers"] for row in table(network, "COAUTHOR").to_pylist()}
    assert found == together


def test_what_rules_look_at_agrees_with_the_area_mostly_but_not_always(network: Network) -> None:
    authors = network.nodes["Author"].to_pylist()
    areas_of: dict[str, dict[str, int]] = {}
    for row in authors:
        counts = areas_of.setdefault(row["affiliation"], {})
        counts[row["known_area"]] = counts.get(row["known_area"], 0) + 1
    assert len(areas_of) == 4 * 5
    assert sum(max(counts.values()) for counts in areas_of.values()) / 3000 == pytest.approx(0.8, abs=0.02)
    checked = [row for row in authors if row["checked_area"] is not None]
    assert len(checked) == 300
    assert all(row["checked_area"] == row["known_area"] for row in checked)
    assert {row["checked_area"] for row in checked} == {row["known_area"] for row in authors}
    chaired = table(network, "CHAIRED")
    assert 20 <= len(chaired) <= 60
    assert 0 < share_outside(network, "Author", "CHAIRED", "Conference") < 0.25
    assert set(chaired["target"].to_pylist()) == set(network.nodes["Conference"]["name"].to_pylist())


def test_an_author_begins_with_the_first_paper(network: Network) -> None:
    year = dict(zip(*(network.nodes["Paper"][name].to_pylist() for name in ("id", "year")), strict=True))
    first: dict[str, int] = {}
    for row in table(network, "WROTE").to_pylist():
        first[row["source"]] = min(first.get(row["source"], 9999), year[row["target"]])
    found = {row["name"]: row["since"] for row in network.nodes["Author"].to_pylist()}
    assert {name: since for name, since in found.items() if since is not None} == first
    assert list(found.values()).count(None) == 30


def test_years_titles_and_names_are_readable(network: Network) -> None:
    papers = network.nodes["Paper"]
    assert pc.min_max(papers["year"]).as_py() == {"min": 2000, "max": 2025}
    assert papers["title"].null_count == 0
    names = network.nodes["Author"]["name"].to_pylist()
    assert {"Zoë O'Neill", "Łukasz Nuñez"} <= set(names)
    assert any(name.endswith(" 0002") for name in names)
    assert names == sorted(names)


@pytest.mark.parametrize("kind", ["Author", "Paper", "Conference", "Term", "Category"])
def test_every_area_has_members_however_small(kind: str) -> None:
    tiny = academic(authors=15, papers=300, conferences=15, terms=15, areas=15, noise=0.5)
    assert len(tiny.nodes[kind]["known_area"].unique()) == 15
    assert "Area 15" in tiny.nodes[kind]["known_area"].to_pylist()


def test_words_are_unique_over_all_areas() -> None:
    numbers = np.repeat(np.arange(14), 300)
    assert len(set(generated_names.terms(numbers))) == len(numbers)
    assert len(set(generated_names.conferences(numbers))) == len(numbers)
    assert len(set(generated_names.categories(numbers))) == len(numbers)
    assert len(set(generated_names.affiliations(300))) == 300


@pytest.mark.parametrize("sizes", [{"authors": 2, "papers": 1}, {"authors": 2, "areas": 1}, {"papers": 50}])
def test_small_networks_are_sound(sizes: dict[str, int]) -> None:
    small = academic(**{"authors": 100, "conferences": 2, "terms": 2, "areas": 2} | sizes)
    assert len(small.nodes["Author"]) == sizes.get("authors", 100)
    assert len(table(small, "IN")) == len(small.nodes["Paper"])


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"authors": 3}, "authors must be a whole number of at least 4, was 3"),
        ({"papers": 0}, "papers must be"),
        ({"conferences": 3}, "conferences must be"),
        ({"terms": 3}, "terms must be"),
        ({"categories": 3}, "categories must be a whole number of at least 4, was 3"),
        ({"areas": 0}, "areas must be"),
        ({"noise": 1.1}, "noise must be a number from 0 to 1"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_bad_sizes_are_one_sentence(bad: dict[str, float], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        academic(**bad)  # type: ignore[arg-type]
