"""Sizes are counts, and pairs are rather too many than too few."""

import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.karate import karate
from graphmine.exchange.counts import Sizes, count_sizes
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.model import Pattern
from graphmine.store import Store

PATTERNS = [
    "Author-WROTE->Paper",
    "Author-WROTE->Paper-IN->Conference",
    "Paper<-WROTE-Author",
    "Author-WROTE->Paper<-WROTE-Author",
    "Author-WROTE->Paper-IN->Conference<-IN-Paper<-WROTE-Author",
]


def counted(store: Store, text: str) -> Sizes:
    return store.reading(lambda tx: count_sizes(tx, [Pattern.parse(text)]))


@pytest.mark.parametrize("text", PATTERNS)
def test_pairs_are_not_fewer_than_there_are(store: Store, text: str) -> None:
    load(store, academic(60, conferences=6, terms=20))
    sizes, pattern = counted(store, text), Pattern.parse(text)
    found = pull(store, [pattern]).arms[0].nnz
    most = sizes.nodes[pattern.rows] * sizes.nodes[pattern.cols]
    assert found <= sizes.pairs(pattern) <= most


def test_relationships_are_counted_both_ways_where_both_are_meant(store: Store) -> None:
    load(store, karate())
    sizes = counted(store, "Member-MET-Member")
    assert sizes.nodes == {"Member": 34}
    assert list(sizes.links.values()) == [156]


def test_what_a_query_file_returns_is_not_known(store: Store) -> None:
    load(store, karate())
    pattern = Pattern.parse("Member-[mine.cypher]->Member")
    assert counted(store, "Member-[mine.cypher]->Member").pairs(pattern) == 0


def test_similarities_have_the_pairs_they_ask_for() -> None:
    sizes = Sizes({"Wine": 1000}, {})
    assert sizes.pairs(Pattern.parse("Wine~rbf(hue)")) == 1e6
    assert sizes.pairs(Pattern.parse("Wine~knn(hue; neighbours 15)")) == 30_000
