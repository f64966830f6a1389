"""A small academic network with two runs in it, and the same as plain tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd  # type: ignore[import-untyped]

import graphmine as gm
from graphmine.datasets.network import Network
from graphmine.model import UNPLACED
from graphmine.store import Store
from tests.questions.plain import Clusters, Plain, plain

VENUES = "Author-WROTE->Paper-IN->Conference"


@dataclass(frozen=True)
class Mined:
    """The network, and the clusters of both runs: ``field`` first, ``area`` later."""

    network: Network
    field: dict[str, Clusters]
    area: dict[str, Clusters]
    runs: tuple[str, str]

    def nodes(self, kind: str) -> list[Any]:
        table = self.network.nodes[kind]
        keys: list[Any] = table[table.column_names[0]].to_pylist()
        return keys

    def column(self, kind: str, name: str) -> list[Any]:
        values: list[Any] = self.network.nodes[kind][name].to_pylist()
        return values

    def edges(self, type_: str, weight: str | None = None) -> pd.DataFrame:
        table = next(each for each in self.network.relationships if each.type == type_).table.to_pandas()
        return pd.DataFrame({"a": table["source"], "b": table["target"], "w": table[weight] if weight else 1})

    def path(self, first: str, second: str, weight: str | None = None) -> pd.DataFrame:
        """Return every way from authors over their papers on."""
        ways = self.edges(first).merge(self.edges(second, weight), left_on="b", right_on="a")
        return pd.DataFrame({"n": ways["a_x"], "other": ways["b_y"], "w": ways["w_x"] * ways["w_y"]})

    @cached_property
    def venues(self) -> Plain:
        return self.plain("Author", self.path("WROTE", "IN"), "Conference")

    @cached_property
    def authors(self) -> Plain:
        """The same, asked from the other side."""
        table = self.path("WROTE", "IN").rename(columns={"n": "other", "other": "n"})
        return self.plain("Conference", table, "Author")

    @cached_property
    def papers(self) -> Plain:
        wrote = self.edges("WROTE").rename(columns={"a": "n", "b": "other"})
        return self.plain("Author", wrote, "Paper")

    @cached_property
    def coauthors(self) -> Plain:
        """Authors of one paper, weighted by how many they wrote together, both ways round."""
        one = self.edges("COAUTHOR", "papers").rename(columns={"a": "n", "b": "other"})
        both = pd.concat([one, one.rename(columns={"n": "other", "other": "n"})])
        return plain(both, self.nodes("Author"), self.area["Author"], self.area["Author"], one_kind=True)

    @cached_property
    def sharing(self) -> Plain:
        """Authors and every paper that two of them share, without the weights that are stored."""
        wrote = self.edges("WROTE")
        pairs = wrote.merge(wrote, on="b").rename(columns={"a_x": "n", "a_y": "other"})
        pairs = pairs[pairs["n"] != pairs["other"]].assign(w=1)
        return plain(pairs, self.nodes("Author"), self.area["Author"], self.area["Author"], one_kind=True)

    def plain(self, kind: str, links: pd.DataFrame, far: str) -> Plain:
        return plain(links, self.nodes(kind), self.area[kind], self.area.get(far, {}))


def mined(store: Store) -> Mined:
    """Load the network, give one node that has links no cluster, and mine it twice."""
    network = gm.academic(authors=120, conferences=10, terms=40, areas=4, noise=0.15, seed=3)
    gm.load(store, network)
    found, runs = [], []
    for property_, k in (("field", 3), ("area", 4)):
        done = gm.mine(store, gm.Job(relation=VENUES, n_clusters=k, method="s-co", write=property_, seed=1))
        assert done.run is not None
        runs.append(done.run.id)
        found.append({
            nodes.kind: {
                key: int(label)
                for key, label in zip(nodes.keys.to_pylist(), done.clustering.labels[nodes.kind], strict=True)
                if label != UNPLACED
            }
            for nodes in done.star.kinds
        })
    return Mined(network, found[0], found[1], (runs[0], runs[1]))
