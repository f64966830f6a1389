"""Networks from GraphML, GEXF and lists of edges."""

import gzip
import json
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

import pyarrow as pa

from graphmine.checks import check_name, nearest
from graphmine.datasets import cells
from graphmine.datasets.graph_file_errors import check_attribute_values, check_ids
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.networkx import from_networkx
from graphmine.errors import DataError, ParameterError

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["NAMES", "read_edges", "read_gexf", "read_graphml"]

NAMES = "graphmine"
"""The attribute of a graph in which an export tells what its kinds and keys are called."""

_TELL = "say what the key is called, with `key=`"
_KINDS, _TYPES = ("kind", "labels"), ("type",)
_UNREADABLE = (EOFError, gzip.BadGzipFile, zlib.error)
_UNEXPECTED = (ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What networkx raises at values that it did not expect."""


def read_graphml(
    path: str | Path,
    *,
    kind_attribute: str | None = None,
    type_attribute: str | None = None,
    key: str | None = None,
    kind: str = "Node",
    type: str = "LINKS",
    nodes_only: bool = False,
) -> Network:
    """Read a GraphML file (``.gz`` too), those included that graphmine exports.

    Parameters
    ----------
    kind_attribute
        The node attribute that holds a node's kind; without it ``kind``, else ``labels`` (the first one), whichever
        the file has. A node without it is on a side of its ``bipartite`` attribute, ``Left`` or ``Right``, if it has
        one.
    type_attribute
        The edge attribute that holds the relationship type; without it ``type``.
    key
        What to call the key. Where all nodes have an attribute of that name, it is the key; else the file's own name
        of a node is. Without it what graphmine has exported keeps the keys of its kinds, and others are called ``key``.
    kind, type
        What a node or an edge is that does not say.
    nodes_only
        Whether edges are left out: for the labels of an export, on their way back to a database that has its links.

    Notes
    -----
    Two nodes that share an id, and an edge from or to an id that no node has, are refused.

    Examples
    --------
    >>> import networkx as nx
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     nx.write_graphml(nx.path_graph(3), f"{folder}/path.graphml")
    ...     read_graphml(f"{folder}/path.graphml", kind="Stop", type="NEXT")
    Network(Stop 3; Stop-NEXT->Stop 2)
    """
    import networkx as nx

    graph = _graph(Path(path), "GraphML", nx.read_graphml)
    network = _network(Path(path), graph, (kind_attribute, type_attribute), key, (kind, type))
    return Network(network.nodes) if nodes_only else network


def read_gexf(
    path: str | Path,
    *,
    kind_attribute: str | None = None,
    type_attribute: str | None = None,
    key: str = "key",
    kind: str = "Node",
    type: str = "LINKS",
) -> Network:
    """Read a GEXF file (``.gz`` too), as Gephi writes it; parameters as in `read_graphml`.

    Examples
    --------
    >>> import networkx as nx
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     nx.write_gexf(nx.path_graph(3), f"{folder}/path.gexf")
    ...     read_gexf(f"{folder}/path.gexf")
    Network(Node 3; Node-LINKS->Node 2)
    """
    import networkx as nx

    graph = _graph(Path(path), "GEXF", nx.read_gexf)
    return _network(Path(path), graph, (kind_attribute, type_attribute), key, (kind, type))


def read_edges(
    path: str | Path,
    *,
    delimiter: str | None = None,
    comments: str = "#",
    kind: str = "Node",
    type: str = "LINKS",
    bipartite: tuple[str, str] | None = None,
    properties: Sequence[str] = ("weight",),
    key: str = "key",
) -> Network:
    r"""Read a list of edges, one a line (``.gz`` too): two nodes and perhaps a weight, from the first to the second.

    Parameters
    ----------
    delimiter
        What stands between the cells; without it any white space.
    comments
        Lines that begin so are passed over.
    kind, type
        What the nodes and the relationships are called.
    bipartite
        The kinds of the first and of the second column, where these are two: the same name is then not the same node.
    properties
        What further columns hold; a line may have fewer of them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     (file := Path(folder, "edges.txt")).write_text("# who whom often\nann bob 3\nbob cid 1\n") and None
    ...     network = read_edges(file, kind="Person", type="CALLED")
    >>> network, network.relationships[0].properties
    (Network(Person 3; Person-CALLED->Person 2), ['weight'])
    """
    if delimiter == "" or not comments:
        raise ParameterError("delimiter and comments must not be empty")
    first, second = bipartite or (kind, kind)
    if bipartite and first == second:
        raise ParameterError(f"the two kinds are both {first!r}; leave bipartite out where there is one kind")
    names = [check_name("property", name) for name in properties]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ParameterError(f"two columns are named {twice[0]!r}; each needs a name of its own")
    rows = list(_rows(Path(path), delimiter, comments, names))
    columns = [cells.text_column(column) for column in zip(*rows, strict=True)] or [cells.text_column([])] * (
        2 + len(names)
    )
    if bipartite:
        (sources,), (targets,) = _named(columns[:1]), _named(columns[1:2])
        nodes = {first: pa.table({key: sources.unique()}), second: pa.table({key: targets.unique()})}
    else:
        sources, targets = _named(columns[:2])
        nodes = {kind: pa.table({key: pa.chunked_array([sources, targets]).unique()})}
    further = {name: cells.inferred_column(column) for name, column in zip(names, columns[2:], strict=True)}
    used = {name: column for name, column in further.items() if column.null_count < len(column)}
    return Network(nodes, (Edges(first, type, second, pa.table({"source": sources, "target": targets, **used})),))


def _network(
    path: Path,
    graph: "nx.Graph[Any]",
    attributes: tuple[str | None, str | None],
    key: str | None,
    defaults: tuple[str, str],
) -> Network:
    type = _attribute(path, attributes[1], _TYPES, "edge", [each for _, _, each in graph.edges(data=True)])
    for _, _, each in graph.edges(data=True):
        if type != "id":
            each.pop("id", None)  # what the file calls the edge
    told: tuple[str, str | Mapping[str, str], Mapping[Hashable, Hashable] | None]
    if key is None and attributes[0] is None and NAMES in graph.graph:
        told = _as_exported(path, graph)
    else:
        told = _as_usual(path, graph, attributes[0], check_name("key", "key" if key is None else key))
    kind, keys, names = told
    try:
        return from_networkx(
            graph, kind=kind, type=type, key=keys, default_kind=defaults[0], default_type=defaults[1], names=names
        )
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _as_usual(
    path: Path, graph: "nx.Graph[Any]", asked: str | None, key: str
) -> tuple[str, str, dict[Hashable, Hashable] | None]:
    """Return the attribute that holds the kind, the name of the key, and the keys, if they are not the file's ids."""
    kind = _attribute(path, asked, _KINDS, "node", [each for _, each in graph.nodes(data=True)])
    for _, each in graph.nodes(data=True):
        if isinstance(each.get(kind), str):
            each[kind] = each[kind].lstrip(":").partition(":")[0]  # several labels are written :Author:Person
    names = {node: each.pop(key, None) for node, each in graph.nodes(data=True)}
    if any(name is not None for name in names.values()) and None in names.values():
        raise DataError(f"{path}: some nodes have a {key!r} and some have none; give the key another name")
    return kind, key, names if names and None not in names.values() else None


def _as_exported(path: Path, graph: "nx.Graph[Any]") -> tuple[str, dict[str, str], dict[Hashable, Hashable]]:
    """Return the attribute that holds the kind, the name of each kind's key, and the keys, as an export tells them."""
    kind, keys = _own_names(path, graph.graph[NAMES])
    names: dict[Hashable, Hashable] = {}
    for node, each in graph.nodes(data=True):
        own = each.get(kind)
        if own not in keys:
            raise DataError(
                f"{path}: the node {node!r} has the {kind} {own!r}, whose key the file does not tell; {_TELL}"
            )
        names[node] = each.pop(keys[own], None)
        if names[node] is None:
            raise DataError(f"{path}: the node {node!r} has no {keys[own]!r}, which is the key of {own}")
    return kind, keys, names


def _own_names(path: Path, text: object) -> tuple[str, dict[str, str]]:
    try:
        told = json.loads(str(text))
        kind, keys = told["kind"], told["keys"]
        for name in (kind, *keys.values()):
            check_name("key", name)
    except (ValueError, LookupError, TypeError, AttributeError, ParameterError):
        raise DataError(f"{path}: the graph's attribute {NAMES!r} is not as graphmine writes it; {_TELL}") from None
    return kind, keys


def _attribute(
    path: Path, asked: str | None, usual: Sequence[str], what: str, found: Sequence[Mapping[str, object]]
) -> str:
    """Return the attribute that was asked for, which must be there, or the first of the usual ones that is."""
    there = {name for each in found for name in each}
    if asked is None:
        return next((name for name in usual if name in there), usual[0])
    if asked not in there:
        raise DataError(f"{path}: no {what} has the attribute {asked!r}{nearest(asked, there)}")
    return asked


def _graph(path: Path, what: str, read: Callable[..., Any]) -> "nx.Graph[Any]":
    import networkx as nx

    try:
        with _opened(path) as file:
            check_ids(file, what)
            file.seek(0)
            return _read(file, what, read)
    except DataError as error:
        raise DataError(f"{path}, {error}") from None
    except expat.ExpatError as error:
        raise _malformed(path, error.lineno, error.offset, expat.ErrorString(error.code)) from None
    except ParseError as error:
        raise _malformed(path, *error.position, _why(error)) from None
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror or error}") from None
    except _UNREADABLE as error:
        raise DataError(f"{path} is damaged and can not be unpacked: {error}") from None
    except (nx.NetworkXError, *_UNEXPECTED) as error:
        raise DataError(f"{path} is no {what} file that can be read: {' '.join(str(error).split())}") from None


def _read(file: IO[bytes] | gzip.GzipFile, what: str, read: Callable[..., Any]) -> "nx.Graph[Any]":
    try:
        graph: nx.Graph[Any] = read(file)
    except _UNEXPECTED:
        file.seek(0)
        check_attribute_values(file, what)
        raise
    return graph


def _malformed(path: Path, line: int, column: int, why: str) -> DataError:
    return DataError(f"{path}, line {line}, column {column + 1}: the XML is not well formed ({why})")


def _why(error: ParseError) -> str:
    """Return what a parser says, without the place, whose columns it counts from 0."""
    return str(error).rpartition(": line ")[0] or str(error)


def _opened(path: Path) -> IO[bytes] | gzip.GzipFile:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if packed else path.open("rb")


def _rows(path: Path, delimiter: str | None, comments: str, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cells of each line, the missing ones empty."""
    line = 0
    try:
        with _opened(path) as raw, TextIOWrapper(raw, encoding="utf-8-sig") as file:
            for line, text in enumerate(file, start=1):
                if text.startswith(comments) or not text.strip():
                    continue
                row = [cell.strip() for cell in text.split(delimiter)]
                if len(row) < 2 or not row[0] or not row[1]:
                    raise DataError(f"{path}, line {line}: {text.strip()!r} does not name two nodes")
                if len(row) > 2 + len(names):
                    raise DataError(
                        f"{path}, line {line}: {len(row)} cells, but only {2 + len(names)} have a name; "
                        "name the further columns"
                    )
                yield row + [""] * (2 + len(names) - len(row))
    except UnicodeDecodeError as error:
        raise DataError(f"{path}, line {line + 1}: this is not UTF-8 text ({error.reason})") from None
    except _UNREADABLE as error:
        raise DataError(f"{path} is damaged and can not be unpacked: {error}") from None
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror or error}") from None


def _named(columns: Sequence[pa.Array]) -> list[pa.Array]:
    """Return columns that name nodes of one kind: whole numbers if all are, else text."""
    both = cells.inferred_column(pa.chunked_array(columns).combine_chunks())
    if not pa.types.is_integer(both.type):
        return list(columns)
    return [column.cast(pa.int64()) for column in columns]
