"""What a database holds, and what of it can be mined."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import pyarrow as pa

from graphmine.checks import nearest
from graphmine.errors import DataError, ParameterError
from graphmine.model import Pattern, Similarity, Step
from graphmine.model.naming import RESERVED
from graphmine.store import Reader, Store

__all__ = [
    "Kind",
    "Link",
    "Schema",
    "View",
    "all_kinds",
    "find_key",
    "find_kinds",
    "find_link_properties",
    "find_properties",
    "find_types",
    "link_property_type",
    "property_type",
    "schema",
]

# The names that databases have for types, brought to one word each.
_TYPES = {
    "integer": r"U?INT(EGER|\d+)?|SERIAL",
    "float": r"FLOAT|DOUBLE",
    "text": r"STRING",
    "boolean": r"BOOL(EAN)?",
    "date": r"DATE",
    "mixed": r"mixed",
}


@dataclass(frozen=True)
class Kind:
    """A kind of node: how many there are, what names them, what they carry."""

    name: str
    count: int
    key: str | None
    properties: Mapping[str, str]


@dataclass(frozen=True)
class Link:
    """A relationship type between two kinds."""

    source: str
    type: str
    target: str
    count: int
    properties: Mapping[str, str]

    def step_from(self, kind: str) -> Step:
        """Return the step over this link that begins at ``kind``."""
        if kind == self.source:
            return Step(self.source, self.type, self.target)
        return Step(self.target, self.type, self.source, "in")


@dataclass(frozen=True)
class View:
    """Something that can be mined: one pattern is bipartite or, of a kind with itself, a graph; several are a star."""

    patterns: tuple[Pattern, ...]

    @property
    def shape(self) -> str:
        """``bipartite``, ``graph``, ``path`` or ``star``."""
        if len(self.patterns) > 1:
            return "star"
        if self.of_one_kind:
            return "graph"
        return "bipartite" if len(self.patterns[0].steps) == 1 else "path"

    @property
    def of_one_kind(self) -> bool:
        """Whether a relation in it is of a kind with itself."""
        return any(pattern.rows == pattern.cols for pattern in self.patterns)


@dataclass(frozen=True)
class Schema:
    """The kinds and relationship types of a database."""

    kinds: tuple[Kind, ...]
    links: tuple[Link, ...]

    def views(self) -> tuple[View, ...]:
        """Return the bipartite relations, the graphs, the two-step paths and the stars that the links make.

        Nodes without any links may be alike in the numbers that they carry; whole ones name or count as often as not.
        """
        joined = [link for link in self.links if link.source != link.target]
        within = [link for link in self.links if link.source == link.target]
        single = [View((Pattern((link.step_from(link.source),)),)) for link in joined]
        single += [View((Pattern((Step(link.source, link.type, link.target, "both"),)),)) for link in within]
        paths, stars = [], []
        linked = {kind for link in self.links for kind in (link.source, link.target)}
        for kind in self.kinds:
            numbers = tuple(name for name, type_ in kind.properties.items() if type_ == "float" and name != kind.key)
            if numbers and kind.name not in linked:
                single.append(View((Pattern((_alike(kind.name, numbers),)),)))
            touching = [link.step_from(kind.name) for link in joined if kind.name in (link.source, link.target)]
            for one, other in combinations(touching, 2):
                if one.target != other.target:
                    # Along the arrows where they allow it: Author-WROTE->Paper-IN->Conference, not the way back.
                    first, second = (other, one) if other.direction == "in" and one.direction == "out" else (one, other)
                    paths.append(View((Pattern((_reversed(first), second)),)))
            if len({step.target for step in touching}) > 1:
                stars.append(View(tuple(Pattern((step,)) for step in touching)))
        return tuple(single + paths + stars)


def schema(store: Store) -> Schema:
    """Read what a database holds; graphmine's own kinds are left out."""
    return store.reading(_schema)


def find_kinds(tx: Reader) -> list[str]:
    """Return the names of all kinds but graphmine's own."""
    return [kind for kind in all_kinds(tx) if not kind.startswith(RESERVED)]


def all_kinds(tx: Reader) -> list[str]:
    """Return the names of all kinds, graphmine's own among them."""
    return _names(tx, kinds=True)


def find_types(tx: Reader) -> list[str]:
    """Return the names of all relationship types."""
    return _names(tx, kinds=False)


def property_type(tx: Reader, kind: str, name: str) -> str | None:
    """Return the type of a property of a kind in one word, None where no node has it.

    Where properties are known from a sample, one that is not in it is looked for in all nodes.
    """
    known = find_properties(tx, kind)
    return known.get(name) or _first_type(tx.query("schema_has_property", {"kind": kind, "property": name}))


def link_property_type(tx: Reader, type_: str, name: str) -> str | None:
    """Return the type of a property of a relationship type in one word, None where no relationship has it."""
    known = find_link_properties(tx, type_)
    return known.get(name) or _first_type(tx.query("schema_link_has_property", {"type": type_, "property": name}))


def find_key(tx: Reader, kind: str, named: str | None = None) -> str:
    """Return the property that names the nodes of a kind: the one the user named, else the unique one."""
    if named is not None:
        if property_type(tx, kind, named) is None:
            known = find_properties(tx, kind)
            raise ParameterError(f"{kind} has no property {named!r} to serve as its key{nearest(named, known)}")
        return named
    unique = _unique(tx, kind)
    if len(unique) == 1:
        return unique[0]
    if unique:
        several = f"{kind} has several keys ({', '.join(unique)})"
        raise ParameterError(f"{several}; name one, as in `key='{kind}.{unique[0]}'`")
    raise DataError(f"{kind} has no uniqueness constraint, so its key is not known; name it, as in `key='{kind}.name'`")


def find_properties(tx: Reader, kind: str) -> dict[str, str]:
    """Return the properties of a kind and their types, in one word each."""
    return _named_types(tx.query("schema_properties", {"kind": kind}))


def find_link_properties(tx: Reader, type_: str) -> dict[str, str]:
    """Return the properties of a relationship type and their types, in one word each."""
    return _named_types(tx.query("schema_link_properties", {"type": type_}))


def _names(tx: Reader, *, kinds: bool) -> list[str]:
    """Return the names of kinds or of relationship types, in the same order on both databases."""
    return sorted(row["name"] for row in tx.query("schema_names").to_pylist() if row["is_kind"] == kinds)


def _schema(tx: Reader) -> Schema:
    kinds, names = [], find_kinds(tx)
    counts = tx.counts([("count_nodes", {"kind": name}) for name in names])
    for name, count in zip(names, counts, strict=True):
        unique = _unique(tx, name)
        kinds.append(Kind(name, count, unique[0] if unique else None, find_properties(tx, name)))
    links = []
    for type_ in find_types(tx):
        rows = tx.query("schema_links", {"type": type_}).to_pylist()
        properties = find_link_properties(tx, type_)
        links += [Link(row["source"], type_, row["target"], row["n"], properties) for row in rows]
    return Schema(tuple(kinds), tuple(links))


def _unique(tx: Reader, kind: str) -> list[str]:
    rows = tx.query("schema_keys", {"kind": kind}).to_pylist()
    return [row["key"] for row in rows if row["kind"] == kind and row["key"] is not None]


def _named_types(found: pa.Table) -> dict[str, str]:
    return {row["name"]: _type_name(row["type"]) for row in found.to_pylist()}


def _first_type(found: pa.Table) -> str | None:
    return _type_name(found["type"][0].as_py()) if found.num_rows else None


def _type_name(given: str) -> str:
    for name, pattern in _TYPES.items():
        if re.fullmatch(pattern, given):
            return name
    return given.lower()


def _alike(kind: str, properties: tuple[str, ...]) -> Step:
    return Step(kind, "", kind, similarity=Similarity("knn", properties))


def _reversed(step: Step) -> Step:
    return Step(step.target, step.type, step.source, "out" if step.direction == "in" else "in")
