"""Whether a method takes what a job asks of it: its parameters, relations, rules and number of clusters."""

from collections.abc import Callable, Mapping, Sequence

from graphmine.constraints.rules import Rule
from graphmine.errors import ConstraintError, GraphmineError, ParameterError
from graphmine.job.mistakes import Noted
from graphmine.job.toml_lines import Place
from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import CATALOG, method as method_named, takers
from graphmine.methods.n_clusters import AUTO, RequestedClusters
from graphmine.model import Pattern

__all__ = ["check_method", "check_parameters", "make_method", "takes_number"]


def make_method(name: str, n_clusters: object, param: Mapping[str, object]) -> Method:
    """Return a method with its parameters, for a number of clusters."""
    if "n_clusters" in param:
        raise ParameterError("n_clusters is a field of its own, not one of param")
    return method_named(name, n_clusters=n_clusters, **param)


def check_parameters(noted: Noted, name: str, asked: RequestedClusters, param: Mapping[str, object]) -> None:
    """Note every parameter that a method does not take.

    A method names one that is wrong at a time. It belongs to the parameter without which nothing, or something else, is
    wrong; that one is left out, and the rest looked at again.
    """
    left = dict(param)
    while (wrong := _refused(name, asked, left)) is not None:
        without = {each: {other: value for other, value in left.items() if other != each} for each in left}
        culprit = next((each for each in left if str(_refused(name, asked, without[each])) != str(wrong)), None)
        noted.note(("n_clusters",) if culprit is None else ("param", culprit), wrong)
        if culprit is None:
            return
        left = without[culprit]


def _refused(name: str, asked: RequestedClusters, param: Mapping[str, object]) -> GraphmineError | None:
    try:
        make_method(name, 1 if asked == AUTO else asked, param)
    except GraphmineError as error:
        return error
    return None


def check_method(noted: Noted, name: str, patterns: Sequence[Pattern], rules: Mapping[Place, Rule]) -> None:
    """Note relations and rules that a method does not take."""
    traits, takers = CATALOG[name].traits, _Takers(patterns)
    most = traits.max_arms
    if most is not None and len(patterns) > most:
        instead = takers.instead(lambda _: True)  # all that is asked is to take the relations
        noted.note(("method",), ParameterError(f"{name} takes {most} relation, not a star of {len(patterns)}{instead}"))
    for pattern in patterns:
        if pattern.rows == pattern.cols and not traits.one_kind:
            told = f"{name} takes a relation between two kinds, and {pattern} is of {pattern.rows} with itself"
            noted.note(("method",), ParameterError(told + takers.instead(lambda each: each.one_kind)))
    for place, rule in rules.items():
        noted.attempt(place, _check_rule, name, rule, takers)


def takes_number(noted: Noted, name: str, patterns: Sequence[Pattern], asked: RequestedClusters) -> bool:
    """Whether a method takes such a number of clusters; noted, if it takes one for all kinds and not one for each."""
    if not isinstance(asked, Mapping) or CATALOG[name].traits.k_per_kind:
        return True
    instead = _Takers(patterns).instead(lambda traits: traits.k_per_kind) or "; give one number"
    told = f"{name} takes one number of clusters for all kinds, not one for each{instead}"
    noted.note(("n_clusters",), ParameterError(told))
    return False


def _check_rule(name: str, rule: Rule, takers: "_Takers") -> None:
    taken = CATALOG[name].traits.constraints
    if not taken:
        raise ConstraintError(f"{name} takes no constraints; name a method that does, such as loom")
    if not rule.gives <= taken:
        instead = takers.instead(lambda traits: rule.gives <= traits.constraints) or "; leave it out"
        raise ConstraintError(
            f"{name} takes {', '.join(sorted(taken))} and the rule '{rule.name}' gives "
            f"{', '.join(sorted(rule.gives))}{instead}"
        )


class _Takers:
    """The methods that take all of some relations."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        one_kind = any(pattern.rows == pattern.cols for pattern in patterns)
        self.names = takers(len(patterns), one_kind=one_kind)

    def instead(self, can: Callable[[Traits], bool]) -> str:
        """Return the way out of a method that can not: one that can, if there is any."""
        able = [name for name in self.names if can(CATALOG[name].traits)]
        return f"; name a method that does, such as {able[-1]}" if able else ""
