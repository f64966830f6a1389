"""What a GraphML or GEXF file declares: each node once, and both ends of every edge.

networkx makes one node of two that share an id, and a new one of an end that is none's. So the file is looked through
before, as a stream: what is held are the ids, each with its line. Elements count where networkx reads them: of several
graphs the first, of nested ones those that it takes in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from graphmine.errors import DataError

__all__ = ["check_declared", "stream"]

_CHUNK = 1 << 16
_CONTAINERS = {"graph", "nodes", "edges"}  # of these only the first inside of an element is read
_INSIDE: Mapping[str, Mapping[str, set[str]]] = {
    "GraphML": {"": {"graph"}, "graph": {"node", "edge"}, "node": {"graph"}},
    "GEXF": {"": {"graph"}, "graph": {"nodes", "edges"}, "nodes": {"node"}, "node": {"nodes"}, "edges": {"edge"}},
}
"""The elements that are read inside of each; the one that holds all others has any name."""


class Bytes(Protocol):
    """A file, packed or not."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes at most."""


@dataclass
class _Open:
    """An element that has begun: its name, whether networkx reads it, and which containers it has had."""

    name: str
    is_read: bool
    is_group: bool = False
    had: set[str] = field(default_factory=set)


def check_declared(file: Bytes, form: str) -> None:
    """Refuse a file that gives two nodes the same id, or has an edge from or to an id that no node has.

    What is wrong begins with its line; whoever calls puts the file's name before it.
    """
    found = _Declared(form)
    stream(file, found.start, found.end)
    found.check()


def stream(
    file: Bytes,
    start: Callable[[str, Mapping[str, str], int], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    """Hand over an XML file, element by element: names, attributes and lines, and what stands between them.

    Names in the namespace of the first element are without it.
    """
    parser, space = expat.ParserCreate(namespace_separator=" "), [""]

    def begin(name: str, given: Mapping[str, str]) -> None:
        if not space[0]:
            space[0] = name.rpartition(" ")[0] + " "
        start(name.removeprefix(space[0]), given, parser.CurrentLineNumber)

    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: end(name.removeprefix(space[0]))
    if text is not None:
        parser.CharacterDataHandler = text
    while chunk := file.read(_CHUNK):
        parser.Parse(chunk, False)
    parser.Parse(b"", True)


class _Declared:
    """The ids of a file, as far as it has been read."""

    def __init__(self, form: str) -> None:
        self._inside = _INSIDE[form]
        self._open: list[_Open] = []
        self._nodes: dict[str, int] = {}
        self._unread: set[str] = set()  # nodes in graphs that networkx passes over are still nodes of the file
        self._again: dict[str, int] = {}
        self._ends: dict[str, int] = {}

    def start(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Take in the beginning of an element."""
        if not self._open:
            self._open.append(_Open("", True))
            return
        parent = self._open[-1]
        is_read = parent.is_read and name in self._inside.get(parent.name, ()) and name not in parent.had
        if name == "graph" and parent.name == "node" and not parent.is_group:
            is_read = False  # networkx knows the nested graphs of yEd alone
        if name in _CONTAINERS:
            parent.had.add(name)
        if name == "node":
            self._node(given.get("id"), line, is_read)
        elif name == "edge" and is_read:
            self._edge(given, line)
        self._open.append(_Open(name, is_read, given.get("yfiles.foldertype") == "group"))

    def end(self, name: str) -> None:
        """Take in the end of an element."""
        self._open.pop()

    def check(self) -> None:
        """Say which ids are given twice, and which ends are none's."""
        if self._again:
            first, line = next(iter(self._again.items()))
            raise DataError(
                f"line {line}: the node id {first!r} was already given on line {self._nodes[first]}"
                f"{_in_all(len(self._again))}; give each node an id of its own"
            )
        missing = {end: line for end, line in self._ends.items() if end not in self._nodes and end not in self._unread}
        if missing:
            first, line = next(iter(missing.items()))
            raise DataError(
                f"line {line}: an edge ends at {first!r}, which is the id of no node{_in_all(len(missing))}; "
                "add what is missing to the nodes, or take such edges out"
            )

    def _node(self, id_: str | None, line: int, is_read: bool) -> None:
        if not is_read:
            self._unread.add(id_ or "")
        elif id_ is None:
            raise DataError(f"line {line}: a node has no id; give each node one of its own")
        elif id_ in self._nodes:
            self._again.setdefault(id_, line)
        else:
            self._nodes[id_] = line

    def _edge(self, given: Mapping[str, str], line: int) -> None:
        for end in ("source", "target"):
            if end not in given:
                raise DataError(f"line {line}: an edge has no {end}; name the node's id there, or take the edge out")
            if given[end] not in self._nodes:
                self._ends.setdefault(given[end], line)


def _in_all(count: int) -> str:
    return f" ({count} such ids in all)" if count > 1 else ""
