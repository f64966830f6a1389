"""Networks from networkx graphs."""

from collections.abc import Hashable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from graphmine.checks import nearest
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["from_networkx"]

_BIPARTITE = "bipartite"  # networkx's own convention: 0 on one side, 1 on the other

_Rows = dict[tuple[str, str, str], list[dict[str, object]]]


def from_networkx(
    graph: "nx.Graph[Any]",
    *,
    kind: str = "kind",
    type: str = "type",
    key: str | Mapping[str, str] = "name",
    sides: tuple[str, str] = ("Left", "Right"),
    default_kind: str = "Node",
    default_type: str = "LINKS",
    names: Mapping[Hashable, Hashable] | None = None,
) -> Network:
    """Take over any networkx graph: undirected or directed, with or without parallel edges.

    Parameters
    ----------
    kind
        The node attribute that holds a node's kind. A node without it is of the kind its ``bipartite`` attribute
        (0 or 1) names in ``sides``, else of the default kind.
    type
        The edge attribute that holds the relationship type.
    key
        What to call the key, in all kinds or in each, which is the node itself: whole numbers if all nodes of a kind
        are, else text.
    sides
        The kinds of the nodes on side 0 and on side 1.
    default_kind, default_type
        What a node or an edge is that does not say.
    names
        The key of each node, where that is not the node itself.

    Notes
    -----
    All other attributes become properties: whole numbers, numbers, truth values or text, whichever all values of the
    attribute share; values of several types, or of a type no database has, become text. An undirected edge is stored
    once: from side 0 to side 1, else from the kind that sorts first, within a kind from the smaller key. Parallel
    edges are kept where their attributes differ.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_nodes_from(["ann", "bob"], bipartite=0)
    >>> graph.add_node("chess", bipartite=1, since=1999)
    >>> graph.add_edge("chess", "ann", weight=2)
    >>> network = from_networkx(graph, sides=("Person", "Club"))
    >>> network
    Network(Person 2, Club 1; Person-LINKS->Club 1)
    >>> network.relationships[0].table.to_pylist()
    [{'source': 'ann', 'target': 'chess', 'weight': 2}]
    """
    kinds = {node: _kind(attributes, kind, sides, default_kind) for node, attributes in graph.nodes(data=True)}
    members: dict[str, list[Hashable]] = {}
    for node, its_kind in kinds.items():
        members.setdefault(its_kind, []).append(node)
    called = {its_kind: _called(key, its_kind) for its_kind in members}
    keys: dict[Hashable, str | int] = {}
    for nodes in members.values():
        keys |= zip(nodes, _keys([node if names is None else names[node] for node in nodes]), strict=True)
    tables = {
        its_kind: _table([
            {called[its_kind]: keys[node]} | _properties(graph.nodes[node], kind, called[its_kind]) for node in nodes
        ])
        for its_kind, nodes in members.items()
    }
    rows: _Rows = {}
    for one, other, attributes in graph.edges(data=True):
        if not graph.is_directed():
            one, other = sorted((one, other), key=lambda node: (_rank(kinds[node], sides), keys[node]))
        ends = (kinds[one], str(attributes.get(type, default_type)), kinds[other])
        rows.setdefault(ends, []).append(_link(keys[one], keys[other], attributes, type))
    return Network(tables, tuple(Edges(*ends, _table(links)) for ends, links in rows.items()))


def _kind(attributes: Mapping[str, object], kind: str, sides: tuple[str, str], default: str) -> str:
    given = attributes.get(kind)
    if given is not None:
        return str(given)
    return {"0": sides[0], "1": sides[1]}.get(str(attributes.get(_BIPARTITE)), default)


def _called(key: str | Mapping[str, str], kind: str) -> str:
    if isinstance(key, str):
        return key
    if kind not in key:
        raise ParameterError(f"key does not say what the key of {kind} is called{nearest(kind, key)}")
    return key[kind]


def _rank(kind: str, sides: tuple[str, str]) -> tuple[bool, str]:
    """Return what an undirected edge's ends are sorted by: the sides in their order, then the other kinds."""
    return (False, str(sides.index(kind))) if kind in sides else (True, kind)


def _keys(nodes: list[Hashable]) -> list[int] | list[str]:
    if all(isinstance(node, Integral) and not isinstance(node, bool) for node in nodes):
        return [int(str(node)) for node in nodes]
    return [str(node) for node in nodes]


def _link(one: str | int, other: str | int, attributes: Mapping[str, object], type: str) -> dict[str, object]:
    properties = {str(name): value for name, value in attributes.items() if name != type}
    if clash := {"source", "target"} & properties.keys():
        raise DataError(f"an edge has an attribute named {min(clash)!r}, which names an end; rename it first")
    return {"source": one, "target": other} | properties


def _properties(attributes: Mapping[str, object], kind: str, key: str) -> dict[str, object]:
    """Return what is left of a node's attributes once its kind is known."""
    used = kind if attributes.get(kind) is not None else _BIPARTITE
    properties = {str(name): value for name, value in attributes.items() if name != used}
    if key in properties:
        raise DataError(f"a node has an attribute named {key!r}, as the key is; call the key something else")
    return properties


def _table(rows: list[dict[str, object]]) -> pa.Table:
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: list[object]) -> pa.Array:
    # A number of numpy's is as good as one of Python's.
    plain = [value.item() if hasattr(value, "item") and hasattr(value, "dtype") else value for value in values]
    types = {value.__class__ for value in plain if value is not None}
    try:
        for fitting in ({bool}, {int}, {int, float}, {str}):
            if types <= fitting and types:
                return pa.array(plain, pa.float64() if float in types else None)
    except (OverflowError, pa.ArrowInvalid):
        pass  # a whole number beyond 64 bits
    return pa.array([None if value is None else str(value) for value in plain], pa.string())
