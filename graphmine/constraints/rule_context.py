"""The context in which a rule is evaluated, its result, and helpers that turn nodes and values into links."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike

from graphmine.arrays import Bools, Ints
from graphmine.constraints.rules import Rule
from graphmine.constraints.source import Source
from graphmine.errors import DataError, ParameterError
from graphmine.model import FREE, Constraints, Filter, Groups, Links, Nodes
from graphmine.model.pattern import write_property
from graphmine.progress import Progress, silent

__all__ = [
    "RuleContext",
    "RuleResult",
    "comparable",
    "group_positions",
    "group_units",
    "links_across",
    "links_of_rule",
    "type_name",
]


@dataclass(frozen=True)
class RuleResult:
    """The constraints that a rule makes, the reason if it makes none, and further notes."""

    constraints: Constraints = FREE
    why: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RuleContext:
    """A rule, the nodes that it links, and the source of facts about them.

    Parameters
    ----------
    rule
        The rule.
    nodes
        The nodes of a star; links hold positions among them.
    source
        The source of relations, values and earlier labels.
    """

    rule: Rule
    nodes: Mapping[str, Nodes]
    source: Source
    progress: Progress = field(default=silent, repr=False)

    def filters(self, kind: str) -> tuple[Filter, ...]:
        """Return the filters on a kind."""
        return tuple(each for each in self.rule.where if each.kind == kind)

    def places(self, nodes: Nodes) -> Ints:
        """Return the positions of nodes in the star, -1 for those that are not in it."""
        ours = self.nodes[nodes.kind]
        if len(nodes) and nodes.keys.type != ours.keys.type:
            raise DataError(
                f"the keys of {nodes.kind} are {nodes.keys.type} where the rule '{self.rule.name}' looks, and "
                f"{ours.keys.type} in the star; name the same key for both"
            )
        return ours.positions(nodes.keys.cast(ours.keys.type))

    def values(self, kind: str, property_: str) -> tuple[Ints, pa.Array]:
        """Return the positions of the nodes that have a value of a property, in order, and the values."""
        nodes, values = self.source.values(kind, property_, self.filters(kind))
        values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        places = self.places(nodes)
        kept = np.flatnonzero(comparable(values) & (places >= 0))
        kept = kept[np.argsort(places[kept])]
        return places[kept], values.take(pa.array(kept))

    def passing(self, kind: str) -> Ints:
        """Return the positions of the nodes of a kind that pass the filters."""
        filters = self.filters(kind)
        if not filters:
            return np.arange(len(self.nodes[kind]))
        places = self.places(self.source.values(kind, filters[0].property, filters)[0])
        return np.sort(places[places >= 0])

    def missing(self, kind: str, property_: str) -> str:
        """Return the sentence on a property without values."""
        those = " that passes the filters" if self.filters(kind) else ""
        return f"no {kind} of the star{those} has a value in {write_property(kind, property_)}"

    def refuse(self, kind: str, property_: str, values: pa.Array, wanted: str) -> ParameterError:
        """Return the sentence on a property of the wrong type."""
        return ParameterError(
            f"the rule '{self.rule.name}' needs {wanted}, "
            f"and {write_property(kind, property_)} holds {type_name(values)}"
        )


def comparable(values: pa.Array) -> Bools:
    """Return which values can be compared: those that are not null, and for numbers, finite.

    >>> comparable(pa.array([1.5, None, float("nan")])).tolist()
    [True, False, False]
    """
    if pa.types.is_floating(values.type):
        values = pc.is_finite(values.fill_null(np.nan))
        return np.asarray(values, dtype=np.bool_)
    return np.asarray(values.is_valid(), dtype=np.bool_)


def type_name(values: pa.Array) -> str:
    """Return a word for the type of the values of an array.

    >>> type_name(pa.array([1.5])), type_name(pa.array([["a"], []]))
    ('numbers', 'lists')
    """
    given = values.type
    if pa.types.is_string(given) or pa.types.is_large_string(given):
        return "text"
    if pa.types.is_integer(given) or pa.types.is_floating(given):
        return "numbers"
    if pa.types.is_boolean(given):
        return "truth values"
    if pa.types.is_list(given) or pa.types.is_large_list(given) or pa.types.is_fixed_size_list(given):
        return "lists"
    return str(given)


def links_of_rule(
    rule: Rule,
    left: Ints,
    right: Ints,
    *,
    groups: Groups | None = None,
    others: Groups | None = None,
    weight: ArrayLike = 1.0,
) -> Links:
    """Make links between units with the sense of a rule; ``weight`` is a factor of the rule's weight."""
    n = len(left)
    return Links(
        left=left,
        right=right,
        must=np.full(n, rule.sense == "must"),
        hard=np.full(n, rule.hard),
        weight=np.broadcast_to(rule.weight * np.asarray(weight, dtype=np.float64), n).copy(),
        rule=np.full(n, -1, dtype=np.int64),
        groups=groups or Groups(),
        others=others,
    )


def group_positions(places: Ints, codes: Ints) -> Groups:
    """Make a group of the nodes that share a code, in the order of the codes; a node may have several codes.

    >>> group_positions(np.array([4, 2, 4, 4]), np.array([7, 7, 0, 7]))[1].tolist()
    [2, 4]
    """
    order = np.lexsort((places, codes))
    codes, places = codes[order], places[order]
    new = np.ones(len(codes), dtype=np.bool_)
    new[1:] = codes[1:] != codes[:-1]
    once = new.copy()
    once[1:] |= places[1:] != places[:-1]
    return Groups(np.append(np.flatnonzero(new[once]), once.sum()).astype(np.int64), places[once])


def group_units(groups: Groups) -> Ints:
    """Return the unit that stands for each group in a link: the node itself for a group of one node."""
    return np.where(groups.sizes > 1, -1 - np.arange(len(groups)), groups.members[groups.starts[:-1]])


def links_across(context: RuleContext, kinds: tuple[str, str], links: Links) -> Constraints:
    """Return links across two kinds, with sides exchanged if the star names the second kind first."""
    order = list(context.nodes)
    if order.index(kinds[0]) < order.index(kinds[1]):
        return Constraints(across={kinds: links})
    return Constraints(across={kinds[::-1]: links.turned()})
