"""What the questions should answer, computed from tables by pandas and networkx, without any Cypher."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import networkx as nx
import pandas as pd  # type: ignore[import-untyped]

Rows = list[dict[str, Any]]
Clusters = dict[Any, int]


@dataclass(frozen=True)
class Plain:
    """Links as a table: ``n``, ``other``, their weight ``w`` and clusters ``c`` and ``d``; and every node asked about.

    Links within one kind are there in both directions, and none of a node with itself.
    """

    links: pd.DataFrame
    nodes: Sequence[Any]
    clusters: Clusters
    one_kind: bool = False

    @property
    def placed(self) -> pd.DataFrame:
        return self.links.dropna(subset=["c", "d"])


def plain(
    links: pd.DataFrame, nodes: Sequence[Any], clusters: Clusters, others: Clusters, *, one_kind: bool = False
) -> Plain:
    """Give a table of ``n``, ``other`` and ``w`` the clusters of both ends."""
    table = links.assign(c=links["n"].map(clusters), d=links["other"].map(others))
    return Plain(table, nodes, clusters, one_kind)


def ranked(rows: Rows, *by: str, limit: int | None = None) -> Rows:
    """Sort by columns, those with a minus the largest first; None comes last."""
    for name in reversed(by):
        column = name.lstrip("-")
        known = [row for row in rows if row[column] is not None]
        missing = [row for row in rows if row[column] is None]
        rows = sorted(known, key=lambda row: row[column], reverse=name.startswith("-")) + missing
    return rows[:limit]


def whole(value: float) -> int | float:
    """Counts are whole, weights rounded as sums of them are."""
    return int(value) if float(value).is_integer() else round(float(value), 9)


def core(g: Plain, limit: int = 20, clusters: Sequence[int] = ()) -> Rows:
    inside = g.placed[g.placed["c"] == g.placed["d"]].groupby(["c", "n"])["w"].sum()
    rows = [
        {"cluster": int(c), "node": n, "inside": whole(w)}
        for (c, n), w in inside.items()
        if not clusters or c in clusters
    ]
    return ranked(rows, "-inside", "cluster", "node", limit=limit)


def _inside(g: Plain, by: str) -> pd.DataFrame:
    table = g.placed.assign(inside=g.placed["w"].where(g.placed["c"] == g.placed["d"], 0))
    return table.groupby(["c", by] if by != "c" else ["c"])[["inside", "w"]].sum().reset_index()


def outliers(g: Plain, limit: int = 20) -> Rows:
    rows = [
        {"cluster": int(r.c), "node": r.n, "inside": whole(r.inside), "weight": whole(r.w), "share": r.inside / r.w}
        for r in _inside(g, "n").itertuples()
    ]
    return ranked(rows, "share", "-weight", "cluster", "node", limit=limit)


def cohesion(g: Plain) -> Rows:
    rows = [
        {"cluster": int(r.c), "inside": whole(r.inside), "weight": whole(r.w), "share": r.inside / r.w}
        for r in _inside(g, "c").itertuples()
    ]
    return ranked(rows, "share", "cluster")


def bridges(g: Plain, least: int = 2, limit: int = 20) -> Rows:
    reached = g.placed.groupby("n")["d"].nunique()
    rows = [
        {
            "node": r.n,
            "cluster": int(r.c),
            "clusters": int(reached[r.n]),
            "outside": whole(r.w - r.inside),
            "weight": whole(r.w),
        }
        for r in _inside(g, "n").itertuples()
        if reached[r.n] >= least
    ]
    return ranked(rows, "-clusters", "-outside", "node", limit=limit)


def brokers(g: Plain, one: int, other: int, limit: int = 20) -> Rows:
    sums = g.links.groupby(["n", "d"])["w"].sum()
    rows = []
    for n in g.links["n"].unique():
        to_one, to_other = (whole(sums.get((n, cluster), 0)) for cluster in (one, other))
        if to_one and to_other:
            rows.append({
                "node": n,
                "cluster": g.clusters.get(n),
                "to_one": to_one,
                "to_other": to_other,
                "weaker": min(to_one, to_other),
            })
    return ranked(rows, "-weaker", "-to_one", "-to_other", "node", limit=limit)


def venues(g: Plain, limit: int = 100, clusters: Sequence[int] = ()) -> Rows:
    rows = [
        {"cluster": int(c), "venue": other, "members": int(part["n"].nunique()), "weight": whole(part["w"].sum())}
        for (c, other), part in g.links.groupby(["c", "other"])
        if not clusters or c in clusters
    ]
    return ranked(rows, "cluster", "-weight", "venue", limit=limit)


def mixed(g: Plain, least: int = 2, limit: int = 20) -> Rows:
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_edges_from((("from", n), ("to", other)) for n, other in zip(g.links["n"], g.links["other"], strict=True))
    rows = []
    for node in graph:
        members = [n for _, n in graph[node] if n in g.clusters] if node[0] == "to" else []
        found = {g.clusters[n] for n in members}
        if len(found) >= least:
            rows.append({"node": node[1], "clusters": len(found), "members": len(members)})
    return ranked(rows, "-clusters", "-members", "node", limit=limit)


def ties(g: Plain, limit: int = 20) -> Rows:
    across = g.placed[g.placed["c"] != g.placed["d"]]
    rows = [
        {"node": n, "cluster": int(c), "other": other, "other_cluster": int(d), "weight": whole(w)}
        for (n, c, other, d), w in across.groupby(["n", "c", "other", "d"])["w"].sum().items()
        if not g.one_kind or n < other
    ]
    return ranked(rows, "-weight", "node", "other", limit=limit)


def between(g: Plain) -> Rows:
    rows = []
    for (c, d), w in g.placed.groupby(["c", "d"])["w"].sum().items():
        twice = 2 if g.one_kind and c == d else 1  # both directions of a link inside
        rows.append({"cluster": int(c), "other": int(d), "weight": whole(w / twice)})
    return ranked(rows, "cluster", "other")


def rising(g: Plain, years: dict[Any, int], span: int = 5, until: int = 0, limit: int = 20) -> Rows:
    final = until or max(years.values())
    table = g.links.dropna(subset=["c"]).assign(year=lambda t: t["other"].map(years))
    rows = []
    for n, part in table.groupby("n"):
        later, earlier = (
            whole(part[(part["year"] > end - span) & (part["year"] <= end)]["w"].sum()) for end in (final, final - span)
        )
        if later > earlier:
            rise = whole(later - earlier)
            rows.append({"cluster": g.clusters[n], "node": n, "earlier": earlier, "later": later, "rise": rise})
    return ranked(rows, "-rise", "-later", "cluster", "node", limit=limit)


def triangles(g: Plain, least: int = 3, limit: int = 20) -> Rows:
    weights = g.placed.groupby(["n", "other"])["w"].sum()
    graph: nx.Graph[Any] = nx.Graph(list(weights.index))
    rows = []
    for clique in nx.enumerate_all_cliques(graph):
        if len(clique) > 3:
            break
        one, two, three = sorted(clique) if len(clique) == 3 else (None, None, None)
        found = [g.clusters[node] for node in (one, two, three)] if one is not None else []
        if len(set(found)) >= least:
            total = whole(sum(weights[pair] for pair in combinations((one, two, three), 2)))
            names = ("one", "cluster_one", "two", "cluster_two", "three", "cluster_three", "weight")
            values = (one, found[0], two, found[1], three, found[2], total)
            rows.append(dict(zip(names, values, strict=True)))
    return ranked(rows, "-weight", "one", "two", "three", limit=limit)


def isolated(g: Plain) -> Rows:
    graph: nx.Graph[Any] = nx.Graph(list(zip(g.links["n"], g.links["other"], strict=True)))
    return ranked([{"node": n, "cluster": g.clusters.get(n)} for n in g.nodes if n not in graph], "node")


def unplaced(g: Plain) -> Rows:
    degree = g.links["n"].value_counts()
    rows = [{"node": n, "links": int(degree.get(n, 0))} for n in g.nodes if n not in g.clusters]
    return ranked(rows, "-links", "node")


def changes(nodes: Sequence[Any], old: Clusters, new: Clusters) -> Rows:
    rows = [{"node": n, "before": old.get(n), "after": new.get(n)} for n in nodes if old.get(n) != new.get(n)]
    return ranked(rows, "before", "after", "node", limit=1000)


def overlap(nodes: Sequence[Any], old: Clusters, new: Clusters) -> Rows:
    both = [n for n in nodes if n in old and n in new]
    table = pd.crosstab(pd.Series([old[n] for n in both]), pd.Series([new[n] for n in both]))
    return [
        {
            "before": int(c),
            "after": int(d),
            "nodes": int(table.loc[c, d]),
            "share": table.loc[c, d] / table.loc[c].sum(),
        }
        for c in table.index
        for d in table.columns
        if table.loc[c, d]
    ]


def _spread(g: Plain) -> pd.DataFrame:
    """How the weight of each node at the other end is spread over clusters."""
    return g.links.dropna(subset=["c"]).pivot_table(index="other", columns="c", values="w", aggfunc="sum", fill_value=0)


def pure(g: Plain, least: float = 0.9, weight: float = 5, limit: int = 100) -> Rows:
    rows = []
    for other, part in _spread(g).iterrows():
        most, total = part.max(), part.sum()
        if total >= weight and most / total >= least:
            rows.append({
                "cluster": int(part.idxmax()),
                "venue": other,
                "inside": whole(most),
                "weight": whole(total),
                "share": most / total,
            })
    return ranked(rows, "cluster", "-share", "-weight", "venue", limit=limit)


def telling(g: Plain, limit: int = 20) -> Rows:
    spread = _spread(g)
    rows = []
    for other, part in spread.iterrows():
        for c, w in part[part > 0].items():
            of_cluster, of_node = spread[c].sum(), part.sum()
            rows.append({
                "cluster": int(c),
                "node": other,
                "weight": whole(w),
                "share_of_node": w / of_node,
                "share_of_cluster": w / of_cluster,
                "score": 2 * w / (of_cluster + of_node),
            })
    return ranked(rows, "-score", "cluster", "node", limit=limit)


def around(g: Plain, node: object, limit: int = 100) -> Rows:
    rows = [
        {"other": other, "cluster": None if pd.isna(d) else int(d), "weight": whole(w)}
        for (other, d), w in g.links[g.links["n"] == node].groupby(["other", "d"], dropna=False)["w"].sum().items()
    ]
    return ranked(rows, "-weight", "other", limit=limit)


def values(nodes: Sequence[Any], clusters: Clusters, attribute: Sequence[Any], limit: int = 100) -> Rows:
    table = pd.DataFrame({"c": [clusters.get(n) for n in nodes], "value": attribute}).dropna()
    rows = [
        {"cluster": int(c), "value": value, "nodes": int(count)}
        for (c, value), count in table.value_counts(["c", "value"]).items()
    ]
    return ranked(rows, "cluster", "-nodes", "value", limit=limit)
