"""Draw constraints from rules: each rule makes links from the facts of a network."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphmine.checks import nearest
from graphmine.constraints.distances import distance_links
from graphmine.constraints.listed_links import saved_links, these_links
from graphmine.constraints.paths import path_links, shared_links
from graphmine.constraints.properties import known_links, order_of, run_links, same_links
from graphmine.constraints.redundant_rules import repeats_relation
from graphmine.constraints.rule_context import RuleContext, RuleResult
from graphmine.constraints.rule_types import Distance, Known, Order, Path, Runs, Same, Saved, Shared, Text, These
from graphmine.constraints.rules import Rule, read_rules
from graphmine.constraints.source import Source
from graphmine.constraints.texts import text_links
from graphmine.errors import ParameterError
from graphmine.model import Constraints, Links, Nodes, Pattern
from graphmine.progress import Progress, silent

__all__ = ["Drawn", "check_rule_kinds", "draw"]


@dataclass(frozen=True)
class Drawn:
    """The constraints that rules made, and a sentence on each rule that made nothing."""

    constraints: Constraints
    warnings: tuple[str, ...] = ()


def draw(
    rules: Sequence[Rule],
    nodes: Mapping[str, Nodes],
    source: Source,
    progress: Progress = silent,
    *,
    relations: Sequence[Pattern] = (),
) -> Drawn:
    """Draw constraints on the nodes of a star.

    Parameters
    ----------
    rules
        The rules; no two of them may have the same name.
    nodes
        The nodes of each kind of the star. Links hold positions among them, and other nodes are left out.
    source
        The source of facts: a database, or anything else that answers.
    relations
        The relations that are clustered, to find the rules that repeat them.

    Notes
    -----
    The rules of the constraints are the names of the rules, in order. Links that contradict each other are kept.

    Examples
    --------
    >>> authors = {"Author": Nodes("Author", ["ann", "bob", "cyd"])}
    >>> rule = Rule.parse('cannot these {"Author": ["ann", "cyd"]}; hard; name rivals')
    >>> drawn = draw([rule], authors, source=None)
    >>> drawn.constraints.rules, drawn.constraints.within["Author"].n_pairs.tolist()
    (('rivals',), [1])
    """
    rules = read_rules(rules)
    names = tuple(rule.name for rule in rules)
    for rule in rules:
        check_rule_kinds(rule, nodes)
    constraints, warnings = Constraints(rules=names), []
    for number, rule in enumerate(rules):
        progress(f"draw {rule.name}", number, len(rules))
        made = _links_of(RuleContext(rule, nodes, source, progress))
        if not made.constraints:
            why = f": {made.why}" if made.why else ""
            warnings.append(f"the rule '{rule.name}' makes no {_product_name(rule)}{why}")
        warnings += made.notes
        constraints += _with_rule_number(made.constraints, names, number)
        if repeats_relation(rule, made.constraints, relations):
            constraints = replace(constraints, repeats=constraints.repeats | {rule.name})
    progress("draw", len(rules), len(rules))
    return Drawn(constraints, tuple(warnings))


def check_rule_kinds(rule: Rule, nodes: Collection[str]) -> None:
    """Refuse a rule on kinds that the star does not have, and filters on kinds that the rule does not use."""
    for kind in rule.kinds:
        if kind not in nodes:
            hint = nearest(kind, nodes) or f", only {', '.join(nodes)}"
            raise ParameterError(f"the rule '{rule.name}' links {kind!r}, and the star has no such kind{hint}")
    known = rule.reads or tuple(nodes)
    for each in rule.where:
        if each.kind not in known:
            hint = nearest(each.kind, known)
            raise ParameterError(f"the rule '{rule.name}' filters {each.kind!r}, which it does not go through{hint}")


def _links_of(context: RuleContext) -> RuleResult:
    match context.rule.body:
        case Path() as body:
            return path_links(context, body)
        case Shared() as body:
            return shared_links(context, body)
        case Same() as body:
            return same_links(context, body)
        case Distance() as body:
            return distance_links(context, body)
        case Text() as body:
            return text_links(context, body)
        case Known() as body:
            return known_links(context, body)
        case Runs() as body:
            return run_links(context, body)
        case These() as body:
            return these_links(context, body)
        case Saved() as body:
            return saved_links(context, body)
        case Order() as body:
            return order_of(context, body)


def _product_name(rule: Rule) -> str:
    return "order" if isinstance(rule.body, Order) else "links"


def _with_rule_number(made: Constraints, names: tuple[str, ...], number: int) -> Constraints:
    """Return constraints whose links have the number of their rule."""

    def numbered(links: Links) -> Links:
        return replace(links, rule=np.full(len(links), number, dtype=np.int64))

    within = {kind: numbered(links) for kind, links in made.within.items() if len(links)}
    across = {kinds: numbered(links) for kinds, links in made.across.items() if len(links)}
    return Constraints(within, across, made.order, names)
