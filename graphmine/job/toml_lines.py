"""On which line of a TOML file each of its values stands; `tomllib` does not tell."""

import re
import tomllib
from collections.abc import Callable, Mapping

__all__ = ["Place", "line_of", "lines_of"]

Place = tuple[str | int, ...]
"""The way to a value: names of tables and fields, and positions in lists."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+|[ \t]*\.[ \t]*)+""")
_TEXT = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*\'''',
    re.DOTALL,
)
_BARE = re.compile(r"[^,\]}#\n]*")


def lines_of(text: str) -> dict[Place, int]:
    r"""Return the line, from 1, of every field, table and item of a list in a text that is TOML.

    >>> found = lines_of("seed = 1\nrelation = [\n  'A-T->B',\n  'A-T->C',\n]\n[[fit]]\nparam.delta = 2\n")
    >>> found["relation", 1], found["fit", 0], found["fit", 0, "param", "delta"]
    (4, 6, 7)
    """
    return _Scan(text).lines


def line_of(lines: Mapping[Place, int], place: Place) -> int | None:
    """Return the line of a value, or of the nearest thing around it that has one.

    >>> line_of({("fit", 0): 6}, ("fit", 0, "n_clusters")), line_of({}, ("seed",))
    (6, None)
    """
    known = (lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines)
    return next(known, None)


class _Scan:
    """One walk through a text that `tomllib` has read already, so that it needs no checks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Place, int] = {}
        self._counts: dict[Place, int] = {}  # how many tables a list of tables has so far
        self._line, self._counted = 1, 0
        table: Place = ()
        self._skip()
        while self.at < len(text):
            if text[self.at] == "[":
                table = self._header()
            else:
                self._field(table)
            self._skip()

    def _header(self) -> Place:
        """Read ``[a.b]`` or ``[[a.b]]`` and return the table that what follows belongs to."""
        listed = self.text.startswith("[[", self.at)
        line = self._here()
        self.at += 2 if listed else 1
        self._skip()
        names = self._key()
        self._skip()
        self.at += 2 if listed else 1
        place = self._inside(names, line)
        self.lines.setdefault(place, line)
        if not listed:
            return place
        number = self._counts[place] = self._counts.get(place, -1) + 1
        self.lines[(*place, number)] = line
        return (*place, number)

    def _inside(self, names: tuple[str, ...], line: int) -> Place:
        """Return where names lead: on the way, a list of tables means its last one."""
        place: Place = ()
        for name in names[:-1]:
            place = (*place, name)
            self.lines.setdefault(place, line)
            place = (*place, self._counts[place]) if place in self._counts else place
        return (*place, names[-1])

    def _field(self, table: Place) -> None:
        line, place = self._here(), table
        for name in self._key():
            place = (*place, name)
            self.lines.setdefault(place, line)
        self._skip()
        self.at += 1  # the equals sign
        self._skip()
        self._value(place)

    def _value(self, place: Place) -> None:
        opening = self.text[self.at]
        if opening == "[":
            self._between("]", lambda number: self._item((*place, number)))
        elif opening == "{":
            self._between("}", lambda _: self._field(place))
        else:
            match = _TEXT.match(self.text, self.at) if opening in "\"'" else _BARE.match(self.text, self.at)
            assert match is not None  # tomllib has read it
            self.at = match.end()

    def _item(self, place: Place) -> None:
        self.lines[place] = self._here()
        self._value(place)

    def _between(self, end: str, read: Callable[[int], None]) -> None:
        """Read what stands in brackets, with commas between."""
        self.at += 1
        number = 0
        self._skip()
        while self.text[self.at] != end:
            read(number)
            number += 1
            self._skip()
            if self.text[self.at] == ",":
                self.at += 1
                self._skip()
        self.at += 1

    def _key(self) -> tuple[str, ...]:
        """Read a key, dotted and quoted as it may be; `tomllib` knows what its parts are."""
        match = _KEY.match(self.text, self.at)
        assert match is not None  # tomllib has read it
        self.at = match.end()
        inner: object = tomllib.loads(f"{match[0]} = 0")
        names: list[str] = []
        while isinstance(inner, dict):
            ((name, inner),) = inner.items()
            names.append(name)
        return tuple(names)

    def _skip(self) -> None:
        """Go on past blanks, line ends and comments."""
        match = _BLANK.match(self.text, self.at)
        assert match is not None  # it may be empty
        self.at = match.end()

    def _here(self) -> int:
        """Return the line we are on; it only grows, so that all of a text is counted once."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
