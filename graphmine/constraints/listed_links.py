"""Links between nodes that are named one by one, and links saved before."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from rapidfuzz import fuzz, process

from graphmine.arrays import Bools, Ints
from graphmine.constraints.pair_sampling import sampled
from graphmine.constraints.rule_context import Asked, Made, across
from graphmine.constraints.rule_types import Key, Saved, These
from graphmine.errors import ParameterError
from graphmine.model import UNRANKED, Constraints, Groups, Links, Nodes

__all__ = ["saved_links", "these_links"]


def these_links(asked: Asked, body: These) -> Made:
    """Link the nodes with these keys: of one kind all with one another, of two each with each."""
    sides = [_chosen(asked, kind, keys) for kind, keys in body.keys.items()]
    options = {"must": asked.rule.sense == "must", "hard": asked.rule.hard}
    if len(sides) == 1:
        (kind,) = body.keys
        links = Links.tying(Groups.of(sides), **options, weight=asked.rule.weight)
        return Made(Constraints({kind: links}), "fewer than two of them pass the filters and the sample")
    first, second = map(Groups.of, ([side] for side in sides))
    pairs = [[0, 0]] if all(map(len, sides)) else []
    links = Links.between(first, second, pairs, **options, weight=asked.rule.weight)
    one, other = body.keys
    return Made(across(asked, (one, other), links), "the filters leave nothing of one side")


def saved_links(asked: Asked, body: Saved) -> Made:
    """Return constraints saved before, as far as they are on nodes of the star."""
    from graphmine.constraints.files import load_constraints

    loaded = load_constraints(body.path, asked.nodes)
    if not asked.rule.where:
        return Made(loaded)
    passing = {}
    for kind, nodes in asked.nodes.items():
        passing[kind] = np.zeros(len(nodes), dtype=np.bool_)
        passing[kind][asked.passing(kind)] = True
    return Made(_passed(loaded, passing), "its links are not between nodes that pass the filters")


def _chosen(asked: Asked, kind: str, keys: Sequence[Key]) -> Ints:
    places = np.unique(_places(asked, asked.nodes[kind], keys))
    if len(asked.rule.kinds) == 1 and len(places) < 2:
        raise ParameterError(f"the rule '{asked.rule.name}' names one {kind}, and one node can not be linked alone")
    return sampled(asked.rule, places[np.isin(places, asked.passing(kind))])


def _places(asked: Asked, nodes: Nodes, keys: Sequence[Key]) -> Ints:
    text = pa.types.is_string(nodes.keys.type)
    for key in keys:
        if isinstance(key, str) != text:
            raise ParameterError(
                f"the rule '{asked.rule.name}' names {nodes.kind} {key!r}, and its keys are "
                f"{'text' if text else 'whole numbers'}"
            )
    places = nodes.positions(pa.array([key if text or _fits(key) else None for key in keys], nodes.keys.type))
    if len(unknown := np.flatnonzero(places < 0)):
        key = keys[unknown[0]]
        close = process.extractOne(str(key), map(str, nodes.keys.to_pylist()), scorer=fuzz.ratio, score_cutoff=50)
        hint = f" (did you mean {close[0] if not text else repr(close[0])}?)" if close else ""
        raise ParameterError(f"the rule '{asked.rule.name}': the star has no {nodes.kind} {key!r}{hint}")
    return places


def _fits(key: Key) -> bool:
    return isinstance(key, int) and -(2**63) <= key < 2**63


def _passed(loaded: Constraints, passing: Mapping[str, Bools]) -> Constraints:
    """Leave out the nodes that do not pass the filters."""
    return Constraints(
        {kind: _between(links, passing[kind], passing[kind]) for kind, links in loaded.within.items()},
        {kinds: _between(links, *(passing[kind] for kind in kinds)) for kinds, links in loaded.across.items()},
        {kind: np.where(passing[kind], ranks, UNRANKED) for kind, ranks in loaded.order.items()},
        loaded.rules,
        loaded.repeats,
    )


def _between(links: Links, left: Bools, right: Bools) -> Links:
    groups = _some(links.groups, left)
    others = None if links.others is None else _some(links.others, right)
    links = replace(links, groups=groups, others=others)
    lone = [(units >= 0) & ~there[np.maximum(units, 0)] for units, there in ((links.left, left), (links.right, right))]
    return links.only(~lone[0] & ~lone[1] & (links.n_pairs > 0))


def _some(groups: Groups, wanted: Bools) -> Groups:
    kept = np.concatenate([[0], np.cumsum(wanted[groups.members])])
    return Groups(kept[groups.starts].astype(np.int64), groups.members[wanted[groups.members]])
