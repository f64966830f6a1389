"""Links from what nodes carry: equal and different values, known classes, clusters of earlier runs; and orders.

All of them link groups of nodes, so that a class of m nodes costs m numbers.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Bools, Ints
from graphmine.constraints.pair_sampling import sample_nodes
from graphmine.constraints.rule_context import RuleContext, RuleResult, comparable, group_positions, type_name
from graphmine.constraints.rule_types import Known, Order, Runs, Same, Scalar
from graphmine.errors import ParameterError
from graphmine.model import FREE, UNRANKED, Constraints, Groups, Links
from graphmine.model.pattern import write_property

__all__ = ["known_links", "order_of", "run_links", "same_links"]

MOST_GROUPS = 2000
"""More groups than this are not parted from one another: the links grow with their square."""
_SCALARS = ("text", "numbers", "truth values")


def same_links(context: RuleContext, body: Same) -> RuleResult:
    """Tie the nodes that have the same value in a property, or part those that have different ones."""
    places, values = context.values(body.kind, body.property)
    if not len(places):
        return RuleResult(why=context.missing(body.kind, body.property))
    if type_name(values) == "lists":
        if body.different:
            raise context.refuse(body.kind, body.property, values, "one value a node")
        lists, places = places, places[np.asarray(pc.list_parent_indices(values))]
        values = pc.list_flatten(values)
        valid = comparable(values)
        places, values = places[valid], values.filter(pa.array(valid))
        if not len(places):
            return RuleResult(why=f"the lists in {write_property(body.kind, body.property)} are empty")
    else:
        lists = places
    if type_name(values) not in _SCALARS:
        raise context.refuse(body.kind, body.property, values, "text, numbers or truth values")
    values = _one_zero(values)
    wanted = np.isin(places, sample_nodes(context.rule, lists))
    if body.values is not None:
        wanted &= _is_wanted(context, body, values, body.values)
    groups = _largest_groups(context, group_positions(places[wanted], _codes(values)[wanted]))
    must = context.rule.sense == "must"
    links = _links_between(context, groups, must=must) if body.different else _links_within(context, groups, must=must)
    return RuleResult(Constraints({body.kind: links}), _too_few(groups, different=body.different))


def known_links(context: RuleContext, body: Known) -> RuleResult:
    """Link the nodes of each known class, and separate the classes; for a fraction of the nodes, if given."""
    places, values = context.values(body.kind, body.property)
    if not len(places):
        return RuleResult(why=context.missing(body.kind, body.property))
    if type_name(values) not in _SCALARS:
        raise context.refuse(body.kind, body.property, values, "text, numbers or truth values")
    size = math.ceil(body.fraction * len(places))
    rng = np.random.default_rng(context.rule.seed)
    drawn = np.sort(rng.choice(len(places), size, replace=False))
    places, codes = places[drawn], _codes(_one_zero(values))[drawn]
    kept = np.isin(places, sample_nodes(context.rule, places, rng))
    groups = _largest_groups(context, group_positions(places[kept], codes[kept]))
    links = _class_links(context, groups)
    return RuleResult(Constraints({body.kind: links}), f"it was given {_counted(int(kept.sum()), 'node')}")


def run_links(context: RuleContext, body: Runs) -> RuleResult:
    """Tie the nodes of each cluster of earlier runs, and part the clusters; the older a run, the less it weighs."""
    made, passing = FREE, {kind: context.passing(kind) for kind in context.nodes}
    for age, earlier in enumerate(context.source.earlier(body.run, body.last)):
        for kind in (kind for kind in context.nodes if kind in earlier.labels):
            nodes, labels = earlier.labels[kind]
            places = context.places(nodes)
            kept = (labels >= 0) & np.isin(places, passing[kind])
            order = np.flatnonzero(kept)[np.argsort(places[kept], kind="stable")]
            chosen = order[np.isin(places[order], sample_nodes(context.rule, places[order]))]
            groups = _largest_groups(context, group_positions(places[chosen], labels[chosen]))
            made += Constraints({kind: _class_links(context, groups, body.decay**age)})
    return RuleResult(made, "its runs labelled no two nodes of the star")


def order_of(context: RuleContext, body: Order) -> RuleResult:
    """Rank the nodes of a kind by a property; equal values have the same rank."""
    places, values = context.values(body.kind, body.property)
    if not len(places):
        return RuleResult(why=context.missing(body.kind, body.property))
    if type_name(values) in ("lists", "truth values"):
        raise context.refuse(body.kind, body.property, values, "text or numbers")
    ranks = np.full(len(context.nodes[body.kind]), UNRANKED, dtype=np.int64)
    ranks[places] = np.asarray(pc.rank(values, tiebreaker="dense"), dtype=np.int64) - 1
    return RuleResult(Constraints(order={body.kind: ranks}))


def _class_links(context: RuleContext, groups: Groups, weight: float = 1.0) -> Links:
    """Tie the nodes of each group, part the groups, or both, as the rule says."""
    links = Links()
    if context.rule.sense != "cannot":
        links += _links_within(context, groups, must=True, weight=weight)
    if context.rule.sense != "must":
        links += _links_between(context, groups, must=False, weight=weight)
    return links


def _links_within(context: RuleContext, groups: Groups, *, must: bool, weight: float = 1.0) -> Links:
    return Links.tying(groups, must=must, hard=context.rule.hard, weight=weight * context.rule.weight)


def _links_between(context: RuleContext, groups: Groups, *, must: bool, weight: float = 1.0) -> Links:
    if len(groups) > MOST_GROUPS:
        raise ParameterError(
            f"the rule '{context.rule.name}' finds {len(groups)} different values, and it can part {MOST_GROUPS} at "
            "most; name the values with in […], or keep the largest groups with limit"
        )
    return Links.parting(groups, must=must, hard=context.rule.hard, weight=weight * context.rule.weight)


def _one_zero(values: pa.Array) -> pa.Array:
    """Make 0 of -0, which is the same number and would be taken for another value."""
    return pc.add(values, 0.0) if pa.types.is_floating(values.type) else values


def _codes(values: pa.Array) -> Ints:
    """Number the different values, in the order in which they come."""
    return np.asarray(values.dictionary_encode().indices, dtype=np.int64)


def _largest_groups(context: RuleContext, groups: Groups) -> Groups:
    limit = context.rule.limit
    if limit is None or len(groups) <= limit:
        return groups
    kept = np.sort(np.argsort(-groups.sizes, kind="stable")[:limit])
    return Groups.of(groups[i] for i in kept.tolist())


def _is_wanted(context: RuleContext, body: Same, values: pa.Array, wanted: tuple[Scalar, ...]) -> Bools:
    """Return which values are among those that the rule names."""
    try:
        given = pa.array(wanted)
    except OverflowError:
        raise ParameterError(
            f"the rule '{context.rule.name}' names a number that is too large for a database"
        ) from None
    named = type_name(given)
    if named != type_name(values):
        raise context.refuse(body.kind, body.property, values, f"{named}, as it names {named}")
    if named == "numbers":
        given = _exact_values(wanted, values.type)
    return np.asarray(pc.is_in(values.cast(given.type), value_set=given), dtype=np.bool_)


def _exact_values(numbers: Iterable[Any], like: pa.DataType) -> pa.Array:
    """Return those of some numbers that a property can hold, in the widest type of its sort."""
    if pa.types.is_floating(like):
        return pa.array([float(number) for number in numbers if float(number) == number], pa.float64())
    wide, lowest, highest = (pa.uint64(), 0, 2**64) if pa.types.is_uint64(like) else (pa.int64(), -(2**63), 2**63)
    whole = [int(number) for number in numbers if float(number).is_integer()]
    return pa.array([number for number in whole if lowest <= number < highest], wide)


def _too_few(groups: Groups, *, different: bool) -> str:
    if different:
        return f"there {'are' if len(groups) != 1 else 'is'} only {_counted(len(groups), 'different value')}"
    return "no two nodes have the same value"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
