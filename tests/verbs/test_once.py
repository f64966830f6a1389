"""What a command does once: it looks for the components of must-links, and asks a database for what it holds."""

from typing import Any

import pytest
from scipy.sparse import csgraph

from graphmine.datasets.academic import academic
from graphmine.exchange.load import load
from graphmine.job import Job
from graphmine.store import connect
from graphmine.verbs.mine import mine

VENUES = "Author-WROTE->Paper-IN->Conference"
COAUTHORS = "must Author-WROTE->Paper<-WROTE-Author >= 3"


@pytest.mark.parametrize("n_clusters", [4, "auto"])
@pytest.mark.parametrize("on_conflict", ["error", "drop-cannot"])
def test_the_components_of_must_links_are_found_once(
    n_clusters: int | str, on_conflict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    search = csgraph.connected_components

    def counted(graph: Any, **options: Any) -> Any:
        found.append(graph.shape[0])
        return search(graph, **options)

    monkeypatch.setattr("graphmine.closure.components.connected_components", counted)
    rules = [f"{COAUTHORS}; hard", "known Author.checked_area; hard; fraction 0.2"]
    job = Job(VENUES, n_clusters, constrain=rules, on_conflict=on_conflict)
    with connect(":memory:") as store:
        load(store, academic(authors=120, seed=1))
        mine(store, job)
    assert len([size for size in found if size]) == 1  # what is free has no components to find
