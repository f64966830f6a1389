"""Which package opens which address: a small table by the scheme, the part of an address before ``://``.

Each package of ``graphmine.store`` has ``SCHEMES`` and ``open_store`` in its ``__init__``, and is found by itself; a
store that lives elsewhere calls `register`.
"""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from graphmine.store.base import Store

__all__ = ["Address", "Opener", "openers", "register"]


@dataclass(frozen=True)
class Address:
    """Where a database is, and how it is to be opened.

    Parameters
    ----------
    url
        A path, for which the scheme is empty, or an address with a scheme.
    create, read_only, memory, environ
        As `graphmine.store.connect.connect` takes them.
    """

    url: str
    create: bool
    read_only: bool
    memory: int | None
    environ: Mapping[str, str]


Opener = Callable[[Address], Store]
_openers: dict[str, Opener] = {}


def register(open_store: Opener, *schemes: str) -> None:
    """Let a function open the addresses with some schemes."""
    _openers.update(dict.fromkeys(schemes, open_store))


def openers() -> Mapping[str, Opener]:
    """Return the function that opens the addresses of each scheme.

    >>> sorted(openers())[:3]
    ['', 'bolt', 'bolt+s']
    """
    if "" not in _openers:  # the packages have not been looked at yet; none of them imports its driver for this
        for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
            if module.ispkg:
                package = import_module(f"graphmine.store.{module.name}")
                register(package.open_store, *package.SCHEMES)
    return _openers
