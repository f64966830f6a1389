"""What in a GraphML or GEXF file is not of the type that it declares, for a file that networkx could not read.

networkx hands on what Python says of a value, and not where it stands. So such a file is looked through again.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from graphmine.datasets.declared import Bytes, stream
from graphmine.errors import DataError

__all__ = ["check_values"]

_WHOLE, _NUMBER, _TRUTH, _TEXT = "a whole number", "a number", "true or false", "text"
_NUMBERS = {"int": _WHOLE, "integer": _WHOLE, "long": _WHOLE, "float": _NUMBER, "double": _NUMBER}
_GRAPHML = _NUMBERS | {"boolean": _TRUTH, "string": _TEXT}
_GEXF = _NUMBERS | {"boolean": _TRUTH, "string": _TEXT, "liststring": _TEXT, "anyURI": _TEXT}
_TRUTHS = {"true", "false", "0", "1"}
_OWNERS = ("node", "edge", "graph")


def check_values(file: Bytes, form: str) -> None:
    """Refuse the first value that is not of its type, and a type that is none; what is wrong begins with its line.

    A file in which nothing of this is wrong is passed over.
    """
    found = _GraphML() if form == "GraphML" else _GEXFValues()
    stream(file, found.start, found.end, found.text)


class _Values(ABC):
    """The attributes that a file declares, whose they are, and the value that has begun."""

    types: Mapping[str, str]

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], tuple[str, str]] = {}  # what of, and its id: its name and its type
        self._last = "", "string"  # the attribute that was declared last
        self._owners: list[tuple[str, str]] = []
        self._begun: tuple[str, str, int] | None = None
        self._pieces: list[str] = []

    def start(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Take in the beginning of an element."""
        self._begun = None  # what has elements inside is no value
        if name in _OWNERS:
            edge = f"the edge from {given.get('source')!r} to {given.get('target')!r}"
            told = {"node": f"the node {given.get('id')!r}", "edge": edge, "graph": "the graph"}
            self._owners.append((name, told[name]))
        self.take(name, given, line)

    @abstractmethod
    def take(self, name: str, given: Mapping[str, str], line: int) -> None:
        """Take in what an element declares or holds."""

    def end(self, name: str) -> None:
        """Take in the end of an element, and look at the value that stood in it."""
        begun, self._begun = self._begun, None
        text = "".join(self._pieces)
        if begun is not None and name == "default":
            self.check(*begun, text, "by default")
        elif begun is not None and text and self._owners:  # an empty value is none
            self.check(*begun, text, f"of {self._owners[-1][1]}")
        if name in _OWNERS:
            self._owners.pop()

    def text(self, text: str) -> None:
        """Take in what stands in an element."""
        if self._begun is not None:
            self._pieces.append(text)

    def begin(self, name: str, type_: str, line: int) -> None:
        """Wait for the value of an attribute."""
        self._begun, self._pieces = (name, type_, line), []

    def check(self, name: str, type_: str, line: int, text: str, where: str) -> None:
        """Refuse a value that is not of its type."""
        self.check_type(name, type_, line)
        if not _is(self.types[type_], text):
            raise DataError(
                f"line {line}: the attribute {name!r} {where} is {text!r}, but it is declared {type_}, "
                f"{self.types[type_]}; mend the value, or declare the attribute string"
            )

    def check_type(self, name: str, type_: str, line: int) -> None:
        """Refuse a type that can not be read."""
        if type_ not in self.types:
            known = ", ".join(self.types)
            raise DataError(
                f"line {line}: the attribute {name!r} is declared {type_}, which can not be read; take one of {known}"
            )


class _GraphML(_Values):
    types = _GRAPHML

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


class _GEXFValues(_Values):
    types = _GEXF
    _of = ""  # what the attributes are of that are being declared

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
    """Whether a text is what is meant, as networkx reads it."""
    if meant in (_TRUTH, _TEXT):
        return meant == _TEXT or text.lower() in _TRUTHS
    try:
        int(text) if meant == _WHOLE else float(text)
    except ValueError:
        return False
    return True
