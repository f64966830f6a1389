"""Constraints from pandas frames and networkx graphs."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.checks import nearest
from graphmine.errors import DataError, ParameterError
from graphmine.model import Constraints, Links, Nodes

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["constraints_from_networkx", "constraints_from_pandas"]

_Kinds = str | tuple[str, str]


def constraints_from_pandas(
    frame: Any,
    nodes: Mapping[str, Nodes],
    kind: _Kinds,
    *,
    a: str = "a",
    b: str = "b",
    must: bool = True,
    hard: bool = False,
    weight: str | float | None = None,
    rule: str = "pandas",
) -> Constraints:
    """Make links from the rows of a table: a pandas frame, an Arrow table, or a dictionary of lists.

    Parameters
    ----------
    kind
        The kind whose keys are in both columns, or two kinds for links across kinds.
    a, b
        The columns of the two keys.
    weight
        A column of weights, or one weight for all.

    Notes
    -----
    Rows with unknown keys are dropped with a warning; it is an error if no row is left.

    Examples
    --------
    >>> nodes = {"Author": Nodes("Author", ["Ann", "Bob", "Cem"])}
    >>> table = {"a": ["Ann", "Bob"], "b": ["Bob", "Cem"], "often": [1, 3]}
    >>> friends = constraints_from_pandas(table, nodes, "Author", weight="often")
    >>> friends.within["Author"].right.tolist(), friends.within["Author"].weight.tolist(), friends.rules
    ([1, 2], [1.0, 3.0], ('pandas',))
    """
    first, second = _kinds(kind, nodes)
    ends = [_found(_column(frame, name), nodes[each], name) for name, each in ((a, first), (b, second))]
    weights = _column(frame, weight) if isinstance(weight, str) else weight
    if isinstance(weights, pa.Array):
        try:
            weights = weights.cast(pa.float64()).fill_null(float("nan")).to_numpy(zero_copy_only=False)
        except pa.ArrowException:
            raise DataError(f"the column {weight!r} must hold numbers to be the weight of links") from None
    lengths = [len(each) for each in (*ends, weights) if isinstance(each, np.ndarray)]
    if len(set(lengths)) > 1:
        raise DataError(f"the columns of the table have different lengths: {', '.join(map(str, lengths))}")
    return _constraints(kind, np.stack(ends, axis=1), weights, must, hard, rule, nodes)


def constraints_from_networkx(
    graph: "nx.Graph[Any]",
    nodes: Mapping[str, Nodes],
    kind: _Kinds,
    *,
    must: bool = True,
    hard: bool = False,
    weight: str | float | None = None,
    rule: str = "networkx",
) -> Constraints:
    """Make links from the edges of a networkx graph, whose nodes are keys.

    Parameters
    ----------
    kind
        The kind of the graph's nodes, or two kinds; then an edge in either direction is a link.
    weight
        The edge attribute that holds weights (an edge without it weighs 1), or one weight for all.

    Notes
    -----
    Self-loops are ignored. Edges with unknown nodes are dropped with a warning; it is an error if no edge is left.

    Examples
    --------
    >>> import networkx as nx
    >>> nodes = {"Author": Nodes("Author", ["Ann", "Bob", "Cem"])}
    >>> found = constraints_from_networkx(nx.path_graph(["Ann", "Cem", "Bob"]), nodes, "Author", hard=True)
    >>> found.within["Author"].left.tolist()
    [0, 2]
    """
    first, second = _kinds(kind, nodes)
    edges = [edge for edge in graph.edges(data=True) if edge[0] != edge[1]]
    pairs = _ends(edges, nodes[first], nodes[second])
    if first != second:
        back = _ends(((other, one) for one, other, _ in edges), nodes[first], nodes[second])
        pairs = np.where((pairs < 0).any(axis=1, keepdims=True), back, pairs)
    weights: Any = weight
    if isinstance(weight, str):
        try:
            weights = np.array([attributes.get(weight, 1.0) for *_, attributes in edges], dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError(f"an edge has a {weight!r} that is no number, so it can not be a weight") from None
    return _constraints(kind, pairs, weights, must, hard, rule, nodes)


def _kinds(kind: _Kinds, nodes: Mapping[str, Nodes]) -> tuple[str, str]:
    both = (kind, kind) if isinstance(kind, str) else kind
    if not isinstance(kind, str) and len(set(kind)) != 2:
        raise ParameterError(f"kind must be one kind, or two different ones, was {kind!r}")
    for each in both:
        if each not in nodes:
            raise ParameterError(f"there are no nodes of kind {each!r}{nearest(each, nodes)}")
    return both


def _column(frame: Any, name: str) -> pa.Array:
    try:
        column = frame[name]
    except (KeyError, IndexError, TypeError, ValueError):
        raise ParameterError(f"the table has no column {name!r}") from None
    try:
        array = column if isinstance(column, pa.Array | pa.ChunkedArray) else pa.array(column)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise DataError(f"the column {name!r} holds values of several types") from None
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array


def _found(keys: pa.Array, nodes: Nodes, name: str) -> Ints:
    """Return the positions of keys among nodes; -1 where they are not."""
    if keys.null_count and len(keys):
        raise DataError(f"{keys.null_count} of {len(keys)} rows have no {name!r}")
    wanted, text = nodes.keys.type, pa.types.is_string(nodes.keys.type)
    try:
        if text and len(keys) and not (pa.types.is_string(keys.type) or pa.types.is_large_string(keys.type)):
            raise pa.ArrowInvalid
        keys = keys.cast(wanted)
    except pa.ArrowException:
        are = "text" if text else "whole numbers"
        raise DataError(f"the column {name!r} holds {keys.type}, and the keys of {nodes.kind} are {are}") from None
    return nodes.positions(keys)


def _ends(edges: Iterable[Sequence[Any]], first: Nodes, second: Nodes) -> Ints:
    one, other = ({key: at for at, key in enumerate(nodes.keys.to_pylist())} for nodes in (first, second))
    return np.array([(one.get(edge[0], -1), other.get(edge[1], -1)) for edge in edges], dtype=np.int64).reshape(-1, 2)


def _constraints(
    kind: _Kinds, pairs: Ints, weights: Any, must: bool, hard: bool, rule: str, nodes: Mapping[str, Nodes]
) -> Constraints:
    there = pairs.min(axis=1, initial=0) >= 0
    kinds = kind if isinstance(kind, str) else " or ".join(kind)
    if len(there) and not there.any():
        raise DataError(f"none of the {len(there)} pairs are keys of {kinds} nodes")
    if not there.all():
        dropped = np.count_nonzero(~there)
        warnings.warn(
            f"{dropped} of {len(there)} pairs were dropped, as they are no keys of {kinds} nodes", stacklevel=3
        )
    itself = pairs[there & (pairs[:, 0] == pairs[:, 1])]
    if isinstance(kind, str) and len(itself):
        raise DataError(f"the {kind} {nodes[kind][int(itself[0, 0])]!r} is linked with itself; leave that row out")
    each = 1.0 if weights is None else weights[there] if isinstance(weights, np.ndarray) else weights
    links = Links.of_pairs(pairs[there], must=must, hard=hard, weight=each, rule=0, across=not isinstance(kind, str))
    if isinstance(kind, str):
        return Constraints({kind: links}, rules=(rule,))
    return Constraints(across={kind: links}, rules=(rule,))
