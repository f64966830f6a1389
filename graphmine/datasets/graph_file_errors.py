"""Errors in GraphML and GEXF files that networkx does not report: duplicate ids, unknown ends, and wrong values.

networkx merges two nodes with the same id, and creates a node for an unknown end of an edge. So a file is checked
first, as a stream that keeps only ids and their lines. Only the elements that networkx reads are checked: the first of
several graphs, and the nested graphs that it supports.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from graphmine.errors import DataError

__all__ = ["check_attribute_values", "check_ids", "stream"]

_CHUNK = 1 << 16
_CONTAINERS = {"graph", "nodes", "edges"}  # of these only the first inside of an element is read
_INSIDE: Mapping[str, Mapping[str, set[str]]] = {
    "GraphML": {"": {"graph"}, "graph": {"node", "edge"}, "node": {"graph"}},
    "GEXF": {"": {"graph"}, "graph": {"nodes", "edges"}, "nodes": {"node"}, "node": {"nodes"}, "edges": {"edge"}},
}
"""The elements that networkx reads inside each element; the root element may have any name."""

_WHOLE, _NUMBER, _TRUTH, _TEXT = "a whole number", "a number", "true or false", "text"
_NUMBERS = {"int": _WHOLE, "integer": _WHOLE, "long": _WHOLE, "float": _NUMBER, "double": _NUMBER}
_GRAPHML_TYPES = _NUMBERS | {"boolean": _TRUTH, "string": _TEXT}
_GEXF_TYPES = _NUMBERS | {"boolean": _TRUTH, "string": _TEXT, "liststring": _TEXT, "anyURI": _TEXT}
_TRUTHS = {"true", "false", "0", "1"}
_OWNERS = ("node", "edge", "graph")


class Bytes(Protocol):
    """A binary file, compressed or not."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes."""


@dataclass
class _Element:
    """An open element: its name, whether networkx reads it, and the containers seen in it."""

    name: str
    is_read: bool
    is_group: bool = False
    had: set[str] = field(default_factory=set)


def check_ids(file: Bytes, form: str) -> None:
    """Refuse a file with two nodes of the same id, or with an edge from or to an unknown id.

    The message begins with the line; the caller adds the name of the file.
    """
    found = _Ids(form)
    stream(file, found.start, found.end)
    found.check()


def stream(
    file: Bytes,
    start: Callable[[str, Mapping[str, str], int], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    """Parse an XML file and call a function for each start, end and text, with names, attributes and lines.

    The namespace of the first element is removed from names.
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


class _Ids:
    """The ids of nodes and the ends of edges in a file."""

    def __init__(self, form: str) -> None:
        self._inside = _INSIDE[form]
        self._open: list[_Element] = []
        self._nodes: dict[str, int] = {}
        self._unread: set[str] = set()  # nodes in graphs that networkx ignores are still nodes of the file
        self._again: dict[str, int] = {}
        self._ends: dict[str, int] = {}

    def start(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Take in the beginning of an element."""
        if not self._open:
            self._open.append(_Element("", True))
            return
        parent = self._open[-1]
        is_read = parent.is_read and name in self._inside.get(parent.name, ()) and name not in parent.had
        if name == "graph" and parent.name == "node" and not parent.is_group:
            is_read = False  # networkx supports only the nested graphs of yEd
        if name in _CONTAINERS:
            parent.had.add(name)
        if name == "node":
            self._node(given.get("id"), line, is_read)
        elif name == "edge" and is_read:
            self._edge(given, line)
        self._open.append(_Element(name, is_read, given.get("yfiles.foldertype") == "group"))

    def end(self, name: str) -> None:
        """Take in the end of an element."""
        self._open.pop()

    def check(self) -> None:
        """Raise an error for duplicate ids and for unknown ends."""
        if self._again:
            first, line = next(iter(self._again.items()))
            raise DataError(
                f"line {line}: the node id {first!r} was already given on line {self._nodes[first]}"
                f"{_count_text(len(self._again))}; give each node an id of its own"
            )
        missing = {end: line for end, line in self._ends.items() if end not in self._nodes and end not in self._unread}
        if missing:
            first, line = next(iter(missing.items()))
            raise DataError(
                f"line {line}: an edge ends at {first!r}, which is the id of no node{_count_text(len(missing))}; "
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


def _count_text(count: int) -> str:
    return f" ({count} such ids in all)" if count > 1 else ""


def check_attribute_values(file: Bytes, form: str) -> None:
    """Refuse the first value that does not have its declared type, and unknown types.

    The message begins with the line.
    """
    found = _GraphMLValues() if form == "GraphML" else _GEXFValues()
    stream(file, found.start, found.end, found.text)


class _AttributeValues(ABC):
    """The attributes that a file declares, their owners, and the value that is being read."""

    types: Mapping[str, str]

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], tuple[str, str]] = {}  # (class of the owner, id): name and type
        self._last = "", "string"  # the attribute that was declared last
        self._owners: list[tuple[str, str]] = []
        self._begun: tuple[str, str, int] | None = None
        self._pieces: list[str] = []

    def start(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Take in the beginning of an element."""
        self._begun = None  # an element with children is no value
        if name in _OWNERS:
            edge = f"the edge from {given.get('source')!r} to {given.get('target')!r}"
            told = {"node": f"the node {given.get('id')!r}", "edge": edge, "graph": "the graph"}
            self._owners.append((name, told[name]))
        self.take(name, given, line)

    @abstractmethod
    def take(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Process the declarations or values of an element."""

    def end(self, name: str) -> None:
        """Process the end of an element, and check the value in it."""
        begun, self._begun = self._begun, None
        text = "".join(self._pieces)
        if begun is not None and name == "default":
            self.check(*begun, text, "by default")
        elif begun is not None and text and self._owners:  # an empty value is none
            self.check(*begun, text, f"of {self._owners[-1][1]}")
        if name in _OWNERS:
            self._owners.pop()

    def text(self, text: str) -> None:
        """Collect the text of an element."""
        if self._begun is not None:
            self._pieces.append(text)

    def begin(self, name: str, type_: str, line: int) -> None:
        """Start to collect the value of an attribute."""
        self._begun, self._pieces = (name, type_, line), []

    def check(self, name: str, type_: str, line: int, text: str, where: str) -> None:
        """Refuse a value that does not have its declared type."""
        self.check_type(name, type_, line)
        if not _is(self.types[type_], text):
            raise DataError(
                f"line {line}: the attribute {name!r} {where} is {text!r}, but it is declared {type_}, "
                f"{self.types[type_]}; mend the value, or declare the attribute string"
            )

    def check_type(self, name: str, type_: str, line: int) -> None:
        """Refuse an unknown type."""
        if type_ not in self.types:
            known = ", ".join(self.types)
            raise DataError(
                f"line {line}: the attribute {name!r} is declared {type_}, which can not be read; take one of {known}"
            )


class _GraphMLValues(_AttributeValues):
    types = _GRAPHML_TYPES

    def take(self, name: str, given: Mapping[str, str], line: int) -> None:
        if name == "key":
            type_ = "string" if "yfiles.type" in given else given.get("attr.type", "string")
            self._last = given.get("attr.name", ""), type_
            self.check_type(*self._last, line)
            self._declared["", given.get("id", "")] = self._last
        elif name == "default":
            self.begin(*self._last, line)
        elif name == "data" and ("", given.get("key", "")) in self._declared:
            self.begin(*self._declared["", given.get("key", "")], line)


class _GEXFValues(_AttributeValues):
    types = _GEXF_TYPES
    _of = ""  # the class of the attributes that are being declared

    def take(self, name: str, given: Mapping[str, str], line: int) -> None:
        owner, told = self._owners[-1] if self._owners else ("", "")
        if name == "attributes":
            self._of = given.get("class", "")
            if self._of not in ("node", "edge"):
                raise DataError(f"line {line}: attributes are of the class {self._of!r}; it must be node or edge")
        elif name == "attribute":
            self._last = given.get("title", ""), given.get("type", "")
            self._declared[self._of, given.get("id", "")] = self._last
        elif name == "default":
            self.begin(*self._last, line)
        elif name == "attvalue" and (owner, given.get("for", "")) in self._declared:
            self.check(*self._declared[owner, given.get("for", "")], line, given.get("value", ""), f"of {told}")
        elif name == "edge" and not _is(_NUMBER, given.get("weight", "1")):
            raise DataError(f"line {line}: the weight of {told} is {given['weight']!r}, which is no number; mend it")


def _is(meant: str, text: str) -> bool:
    """Return whether networkx can read a text as a value of a type."""
    if meant in (_TRUTH, _TEXT):
        return meant == _TEXT or text.lower() in _TRUTHS
    number = int if meant == _WHOLE else float
    try:
        number(text)
    except ValueError:
        return False
    return True
