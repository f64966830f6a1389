"""Filling a question's text: names quoted, relations written as paths, weights as sums.

A path is written step by step, each in a ``MATCH`` of its own: Neo4j would not go over a relationship twice within one,
LadybugDB would, and a relation that is pulled counts every walk.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphmine.errors import ParameterError
from graphmine.model import Filter, Pattern, Step
from graphmine.store import Database, Raw
from graphmine.store.cypher import literal
from graphmine.store.tokens import Piece, replaced, sums

__all__ = ["QuestionLinks", "filled", "inlined"]

_DIGITS = 9
"""Sums of weights are rounded to so many: databases add in different orders."""


@dataclass(frozen=True)
class QuestionLinks:
    """A relation as a question follows it.

    Parameters
    ----------
    pattern
        From which kind over which steps to which kind.
    key
        What names the nodes it begins with.
    filters
        Tests on nodes that it passes.
    """

    pattern: Pattern
    key: str
    filters: tuple[Filter, ...] = ()

    @property
    def weighted(self) -> bool:
        """Whether links have weights other than 1."""
        return any(step.weight is not None for step in self.pattern.steps)

    @property
    def of_one_kind(self) -> bool:
        """Whether both ends are of one kind."""
        return self.pattern.rows == self.pattern.cols


@dataclass
class _Filling:
    database: Database
    names: Mapping[str, str]
    links: Mapping[str, QuestionLinks]
    matched: dict[tuple[str, str], QuestionLinks] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)

    def piece(self, match: Piece) -> str | None:
        if match["path"]:
            return self._path(match["match"].upper(), match["path"], match["path_start"], match["path_end"])
        if match["ends"]:
            return self._ends(match["ends"].lower(), match["start"], match["end"])
        if match["name"]:
            value = self.names[match["name"]]
            return value if isinstance(value, Raw) else self.database.quote(value, match["name"])
        return None

    def _path(self, keyword: str, name: str, start: str, end: str) -> str:
        if name not in self.links:
            raise ParameterError(f"@{name}({start}, {end}) stands for links, and {name} is no pattern")
        links = self.matched[start, end] = self.links[name]
        steps = links.pattern.steps
        nodes = [start, *(f"{start}_{end}_{number}" for number in range(1, len(steps))), end]
        written = []
        for number, step in enumerate(steps):
            near = f"({start}:{self.database.quote(step.source)})" if number == 0 else f"({nodes[number]})"
            far = f"({nodes[number + 1]}:{self.database.quote(step.target)})"
            arrow = self._arrow(step, _link(start, end, number, len(steps)))
            # Nodes at the ends that were filtered out have no cluster; those between them must be left out here.
            tests = self._tests(links, step.target, nodes[number + 1]) if number < len(steps) - 1 else ""
            written.append(f"{keyword} {near}{arrow}{far}{tests}")
        return "\n".join(written)

    def _tests(self, links: QuestionLinks, kind: str, node: str) -> str:
        tests = []
        for each in (each for each in links.filters if each.kind == kind):
            name = f"where_{len(self.values) + 1}"
            self.values[name] = each.value
            tests.append(f"{node}.{self.database.quote(each.property)} {Raw.operator(each.operator)} ${name}")
        return f" WHERE {' AND '.join(tests)}" if tests else ""

    def _ends(self, what: str, start: str, end: str) -> str:
        if (start, end) not in self.matched:
            raise ParameterError(f"@{what}({start}, {end}) needs a MATCH @relation({start}, {end}) before it")
        links = self.matched[start, end]
        if what == "weight":
            return self._weight(links, start, end)
        if not links.of_one_kind:
            return "true"
        key = self.database.quote(links.key)
        return f"{start} <> {end}" if what == "apart" else f"{start}.{key} < {end}.{key}"

    def _weight(self, links: QuestionLinks, start: str, end: str) -> str:
        steps = links.pattern.steps
        weights = [
            self.database.number(f"{_link(start, end, number, len(steps))}.{self.database.quote(step.weight)}")
            for number, step in enumerate(steps)
            if step.weight is not None
        ]
        return " * ".join(weights) or "1"

    def _arrow(self, step: Step, name: str) -> str:
        body = f"[{name}:{self.database.quote(step.type)}]"
        return f"{'<' if step.direction == 'in' else ''}-{body}-{'>' if step.direction == 'out' else ''}"

    def sum(self, inside: str) -> str:
        if any(each.weighted for each in self.links.values()):
            return f"round(sum({inside}), {_DIGITS})"
        return self.database.whole_sum(inside)


def filled(
    text: str, database: Database, names: Mapping[str, str], links: Mapping[str, QuestionLinks]
) -> tuple[str, dict[str, object]]:
    """Return the text of a question with its names and relations filled in, and the values that filters brought along.

    >>> from graphmine.store.neo4j.database import NEO4J
    >>> links = {"relation": QuestionLinks(Pattern.parse("A-IS->B-HAS{w}->A"), "name")}
    >>> text = "MATCH @relation(x, y) WHERE @apart(x, y) RETURN x.@key AS node, @sum(@weight(x, y)) AS weight"
    >>> print(filled(text, NEO4J, {"key": "odd `key`"}, links)[0])
    MATCH (x:`A`)-[x_to_y_1:`IS`]->(x_y_1:`B`)
    MATCH (x_y_1)-[x_to_y_2:`HAS`]->(y:`A`) WHERE x <> y RETURN x.`odd ``key``` AS node,
    round(sum(toFloat(x_to_y_2.`w`)), 9) AS weight
    """
    filling = _Filling(database, names, links)
    done = replaced(sums(replaced(text, lambda _: None), filling.sum), filling.piece)
    lines = (line.rstrip() for line in done.splitlines())
    return "\n".join(line for line in lines if line).rstrip(";"), filling.values


def inlined(text: str, values: Mapping[str, object]) -> str:
    r"""Return a filled text with its values written out, for a console that knows no parameters.

    >>> inlined("WHERE n.name = $name AND n.rank IN $ranks LIMIT $limit", {"name": "it's", "ranks": [1, 2], "limit": 5})
    "WHERE n.name = 'it\\'s' AND n.rank IN [1, 2] LIMIT 5"
    """
    return replaced(text, lambda match: _written(values[match["value"]]) if match["value"] in values else None)


def _written(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return literal(value) if value else "''"
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case _:
            return str(value)


def _link(start: str, end: str, number: int, steps: int) -> str:
    return f"{start}_to_{end}" + (f"_{number + 1}" if steps > 1 else "")
