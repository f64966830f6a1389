"""Every method by its name, and the ways to make one from a name and parameters."""

from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import MISSING, Field, dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphmine.checks import check_choice, nearest
from graphmine.errors import ParameterError

if TYPE_CHECKING:  # a method is imported when it is asked for
    from graphmine.methods.base import Method

__all__ = ["CATALOG", "DEFAULT_METHOD", "Catalog", "maker", "method", "takers"]


@dataclass(frozen=True)
class _Line:
    """Where a method is, and which relations it takes beside one between two kinds, as its traits say too."""

    module: str
    name: str
    stars: bool = False
    graphs: bool = False


class Catalog(MutableMapping[str, "type[Method]"]):
    """The methods by their names; each is imported on first use."""

    def __init__(self, lines: dict[str, _Line]) -> None:
        self.lines: dict[str, _Line | type[Method]] = {**lines}

    def __getitem__(self, name: str) -> "type[Method]":
        line = self.lines[name]
        if not isinstance(line, _Line):
            return line
        found: type[Method] = getattr(import_module(f"graphmine.methods.{line.module}"), line.name)
        return found

    def __setitem__(self, name: str, method: "type[Method]") -> None:
        self.lines[name] = method

    def __delitem__(self, name: str) -> None:
        del self.lines[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


_CATALOG = Catalog({
    "s-co": _Line("spectral.sco", "SCO"),
    "infor-co": _Line("inforco", "InforCO"),
    "tsc": _Line("tsc", "TSC", stars=True),
    "cbgc": _Line("cbgc.cbgc", "CBGC", stars=True),
    "row-only": _Line("spectral.row_only", "RowOnly"),
    "lcm": _Line("spectral.lcm", "LCM"),
    "vcm": _Line("spectral.vcm", "VCM"),
    "fcsc": _Line("fcsc", "FCSC", graphs=True),
    "l1": _Line("l1.l1", "L1", graphs=True),
    "scm": _Line("spectral.scm", "SCM"),
    "loom": _Line("loom.loom", "Loom", stars=True),
})
CATALOG: MutableMapping[str, "type[Method]"] = _CATALOG
"""Every method by the name that a job or a command gives it."""
DEFAULT_METHOD = "loom"
"""What a job is fitted by that names no method."""


def takers(n_relations: int, *, one_kind: bool) -> list[str]:
    """Return the methods that take so many relations, of which one may be of a kind with itself.

    >>> takers(2, one_kind=False)
    ['tsc', 'cbgc', 'loom']
    """
    return [name for name, line in _CATALOG.lines.items() if _takes(line, n_relations, one_kind=one_kind)]


def _takes(line: "_Line | type[Method]", n_relations: int, *, one_kind: bool) -> bool:
    if isinstance(line, _Line):
        return (line.stars or n_relations == 1) and (line.graphs or not one_kind)
    return line.traits.takes(n_relations, one_kind=one_kind)


def method(name: str, **params: object) -> "Method":
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


def maker(method_for_k: "str | Callable[[int], Method]") -> "Callable[[int], Method]":
    """Return what gives the method for a number of clusters, of a name too; refuse what does not.

    >>> maker("s-co")(3), maker(CATALOG["s-co"])(4)
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
