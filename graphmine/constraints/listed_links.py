"""Links between nodes that are listed by their keys, and links loaded from a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from rapidfuzz import fuzz, process

from graphmine.arrays import Bools, Ints
from graphmine.clock import importing
from graphmine.constraints.pair_sampling import sample_nodes
from graphmine.constraints.rule_context import RuleContext, RuleResult, links_across
from graphmine.constraints.rule_types import Key, Saved, These
from graphmine.errors import ParameterError
from graphmine.model import UNRANKED, Constraints, Groups, Links, Nodes

__all__ = ["saved_links", "these_links"]


def these_links(context: RuleContext, body: These) -> RuleResult:
    """Link the nodes with the listed keys: all pairs within one kind, or each with each across two kinds."""
    sides = [_chosen_nodes(context, kind, keys) for kind, keys in body.keys.items()]
    options = {"must": context.rule.sense == "must", "hard": context.rule.hard}
    if len(sides) == 1:
        (kind,) = body.keys
        links = Links.tying(Groups.of(sides), **options, weight=context.rule.weight)
        return RuleResult(Constraints({kind: links}), "fewer than two of them pass the filters and the sample")
    first, second = map(Groups.of, ([side] for side in sides))
    pairs = [[0, 0]] if all(map(len, sides)) else []
    links = Links.between(first, second, pairs, **options, weight=context.rule.weight)
    one, other = body.keys
    return RuleResult(links_across(context, (one, other), links), "the filters leave nothing of one side")


def saved_links(context: RuleContext, body: Saved) -> RuleResult:
    """Return saved constraints, restricted to the nodes of the star."""
    with importing():
        from graphmine.constraints.files import load_constraints

    loaded = load_constraints(body.path, context.nodes)
    if not context.rule.where:
        return RuleResult(loaded)
    passing = {}
    for kind, nodes in context.nodes.items():
        passing[kind] = np.zeros(len(nodes), dtype=np.bool_)
        passing[kind][context.passing(kind)] = True
    return RuleResult(_filter_constraints(loaded, passing), "its links are not between nodes that pass the filters")


def _chosen_nodes(context: RuleContext, kind: str, keys: Sequence[Key]) -> Ints:
    places = np.unique(_positions_of(context, context.nodes[kind], keys))
    if len(context.rule.kinds) == 1 and len(places) < 2:
        raise ParameterError(f"the rule '{context.rule.name}' names one {kind}, and one node can not be linked alone")
    return sample_nodes(context.rule, places[np.isin(places, context.passing(kind))])


def _positions_of(context: RuleContext, nodes: Nodes, keys: Sequence[Key]) -> Ints:
    text = pa.types.is_string(nodes.keys.type)
    for key in keys:
        if isinstance(key, str) != text:
            raise ParameterError(
                f"the rule '{context.rule.name}' names {nodes.kind} {key!r}, and its keys are "
                f"{'text' if text else 'whole numbers'}"
            )
    places = nodes.positions(pa.array([key if text or _fits(key) else None for key in keys], nodes.keys.type))
    if len(unknown := np.flatnonzero(places < 0)):
        key = keys[unknown[0]]
        close = process.extractOne(str(key), map(str, nodes.keys.to_pylist()), scorer=fuzz.ratio, score_cutoff=50)
        hint = f" (did you mean {close[0] if not text else repr(close[0])}?)" if close else ""
        raise ParameterError(f"the rule '{context.rule.name}': the star has no {nodes.kind} {key!r}{hint}")
    return places


def _fits(key: Key) -> bool:
    return isinstance(key, int) and -(2**63) <= key < 2**63


def _filter_constraints(loaded: Constraints, passing: Mapping[str, Bools]) -> Constraints:
    """Remove the nodes that do not pass the filters."""
    return Constraints(
        {kind: _filter_links(links, passing[kind], passing[kind]) for kind, links in loaded.within.items()},
        {kinds: _filter_links(links, *(passing[kind] for kind in kinds)) for kinds, links in loaded.across.items()},
        {kind: np.where(passing[kind], ranks, UNRANKED) for kind, ranks in loaded.order.items()},
        loaded.rules,
        loaded.repeats,
    )


def _filter_links(links: Links, left: Bools, right: Bools) -> Links:
    groups = _filter_groups(links.groups, left)
    others = None if links.others is None else _filter_groups(links.others, right)
    links = replace(links, groups=groups, others=others)
    lone = [(units >= 0) & ~there[np.maximum(units, 0)] for units, there in ((links.left, left), (links.right, right))]
    return links.only(~lone[0] & ~lone[1] & (links.n_pairs > 0))


def _filter_groups(groups: Groups, wanted: Bools) -> Groups:
    kept = np.concatenate([[0], np.cumsum(wanted[groups.members])])
    return Groups(kept[groups.starts].astype(np.int64), groups.members[wanted[groups.members]])
