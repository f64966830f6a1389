"""Every method by its name, and the ways to make one from a name and parameters."""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any

from graphmine.checks import check_choice, nearest
from graphmine.errors import ParameterError
from graphmine.methods.base import Method
from graphmine.methods.cbgc.cbgc import CBGC
from graphmine.methods.fcsc import FCSC
from graphmine.methods.inforco import InforCO
from graphmine.methods.l1.l1 import L1
from graphmine.methods.loom.loom import Loom
from graphmine.methods.spectral.lcm import LCM
from graphmine.methods.spectral.row_only import RowOnly
from graphmine.methods.spectral.scm import SCM
from graphmine.methods.spectral.sco import SCO
from graphmine.methods.spectral.vcm import VCM
from graphmine.methods.tsc import TSC

__all__ = ["CATALOG", "maker", "method"]

_METHODS: tuple[type[Method], ...] = (SCO, InforCO, TSC, CBGC, RowOnly, LCM, VCM, FCSC, L1, SCM, Loom)
CATALOG: dict[str, type[Method]] = {each.traits.name: each for each in _METHODS}
"""Every method by the name that a job or a command gives it."""


def method(name: str, **params: object) -> Method:
    """Return a method by its name, with its parameters checked.

    >>> method("s-co", n_clusters=3)
    SCO(n_clusters=3)
    >>> method("l1", n_clusters=2, **{"lambda": 0.3})
    L1(n_clusters=2, lam=0.3, solver='auto', groups='pairs')
    >>> method("s-co", clusters=3)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: s-co has no parameter 'clusters', only n_clusters (did you mean 'n_clusters'?)
    >>> method("s-co")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: s-co needs the parameter n_clusters
    """
    known = fields(CATALOG[check_choice("method", name, CATALOG)])
    names = [each.name for each in known]
    aliases = CATALOG[name].traits.aliases
    for given, meant in aliases.items():
        if given in params and meant in params:
            raise ParameterError(f"{given} and {meant} are one parameter of {name}; give it once")
    params = {aliases.get(given, given): value for given, value in params.items()}
    for given in params:
        if given not in names:
            raise ParameterError(f"{name} has no parameter {given!r}, only {', '.join(names)}{nearest(given, names)}")
    for each in known:
        if each.name not in params and _required(each):
            raise ParameterError(f"{name} needs the parameter {each.name}")
    make: Callable[..., Method] = CATALOG[name]
    return make(**params)


def maker(method_for_k: str | Callable[[int], Method]) -> Callable[[int], Method]:
    """Return what gives the method for a number of clusters, of a name too; refuse what does not.

    >>> maker("s-co")(3), maker(SCO)(4)
    (SCO(n_clusters=3), SCO(n_clusters=4))
    """
    if isinstance(method_for_k, str):
        name = check_choice("method", method_for_k, CATALOG)
        return lambda k: method(name, n_clusters=k)
    if not callable(method_for_k):
        raise ParameterError(
            f"method_for_k must be the name of a method or give one for a number of clusters, was {method_for_k!r}; "
            "pass Loom, say, not Loom(3)"
        )
    return method_for_k


def _required(parameter: Field[Any]) -> bool:
    return parameter.default is MISSING and parameter.default_factory is MISSING
