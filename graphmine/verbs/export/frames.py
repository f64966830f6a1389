"""A result for other tools in Python: labels as an Arrow table or a pandas frame, the network as a networkx graph."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from graphmine.errors import ParameterError
from graphmine.store import Store
from graphmine.verbs.export.contents import Contents, contents_of, node_attributes
from graphmine.verbs.recall import Result

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["is_multigraph", "label_table", "to_arrow", "to_networkx", "to_pandas"]


def to_arrow(result: Result) -> pa.Table:
    """Return the labels of a result: kind, key and cluster, null for a node that has none.

    Keys are whole numbers if those of all kinds are, else text.

    >>> import graphmine as gm
    >>> with gm.connect(":memory:") as store:
    ...     loaded = gm.load(store, gm.davis())
    ...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2))
    >>> to_arrow(mined).slice(0, 1).to_pylist()
    [{'kind': 'Woman', 'key': 'Brenda Rogers', 'cluster': 0}]
    """
    return label_table(contents_of(result))


def to_pandas(result: Result) -> Any:
    """Return the labels of a result as a frame: kind, key and cluster, missing for a node that has none."""
    try:
        import_module("pandas")
    except ImportError:
        raise ParameterError("frames need pandas; install it with: pip install pandas") from None
    frame = to_arrow(result).to_pandas(integer_object_nulls=True)
    frame["cluster"] = frame["cluster"].astype("Int64")
    return frame


def to_networkx(result: Result, *, store: Store | None = None, directed: bool = False) -> "nx.Graph[Any]":
    """Return a result as a networkx graph, whose nodes are pairs of kind and key.

    Nodes have the attributes ``kind``, ``key`` and ``cluster`` (which is missing for a node that has none), and with
    ``store`` their other properties; links have ``type``, ``relation`` and ``weight``.

    Parameters
    ----------
    directed
        Whether links keep the direction of their arrows. Where several relations join the same two kinds, the graph
        has parallel links.

    Examples
    --------
    >>> import graphmine as gm
    >>> with gm.connect(":memory:") as store:
    ...     loaded = gm.load(store, gm.davis())
    ...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2))
    >>> graph = to_networkx(mined)
    >>> graph, graph.nodes["Event", "E1"]["cluster"]
    (<networkx.classes.graph.Graph object at ...>, 0)
    """
    import networkx as nx

    out = contents_of(result, store)
    several = is_multigraph(out)
    graph: nx.Graph[Any] = {
        (False, False): nx.Graph, (False, True): nx.DiGraph, (True, False): nx.MultiGraph, (True, True): nx.MultiDiGraph
    }[several, directed]()  # fmt: skip
    for kind, nodes in out.nodes.items():
        for key, told in zip(nodes.keys.to_pylist(), node_attributes(out, kind), strict=True):
            graph.add_node((kind, key), **told)
    for links in out.relations:
        told = {"type": links.type, "relation": links.relation}
        for table in links.tables():
            for one, other, weight in zip(*(column.to_pylist() for column in table.columns), strict=True):
                graph.add_edge((links.source.kind, one), (links.target.kind, other), weight=weight, **told)
    return graph


def label_table(out: Contents) -> pa.Table:
    """Return the labels of all exported nodes as one table."""
    whole = all(pa.types.is_integer(nodes.keys.type) for nodes in out.nodes.values())
    parts = [
        pa.table({
            "kind": pa.array([kind] * len(nodes), pa.string()),
            "key": nodes.keys if whole else nodes.keys.cast(pa.string()),
            "cluster": out.clusters[kind].cast(pa.int64()),
        })
        for kind, nodes in out.nodes.items()
    ]
    return pa.concat_tables(parts)


def is_multigraph(out: Contents) -> bool:
    """Whether several relations join the same two kinds."""
    pairs = [frozenset((links.source.kind, links.target.kind)) for links in out.relations]
    return len(set(pairs)) < len(pairs)
