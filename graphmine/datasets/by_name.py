"""Networks by name: those that come with graphmine, and real ones that are read from archives."""

from importlib import import_module
from typing import Any

from graphmine.checks import check_choice, nearest
from graphmine.dataset_catalog import DATASETS
from graphmine.datasets.network import Network
from graphmine.errors import ParameterError

__all__ = ["dataset"]


def dataset(name: str, **options: Any) -> Network:
    """Return the network of that name.

    Parameters
    ----------
    name
        One of `graphmine.DATASETS`, which says what each holds and whether it is here.
    options
        What its reader can be told: ``graphmine.DATASETS[name].options``, the flags of ``graphmine load NAME``.

    Examples
    --------
    >>> dataset("davis")
    Network(Woman 18, Event 14; Woman-ATTENDED->Event 89)
    >>> dataset("academic", author=50)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the set academic takes authors, ..., categories, and no 'author'
    (did you mean 'authors'?)
    """
    described = DATASETS[check_choice("set", name, DATASETS)]
    for option in options:
        if option not in described.options:
            known = ", ".join(described.options) or "no options"
            raise ParameterError(f"the set {name} takes {known}, and no {option!r}{nearest(option, described.options)}")
    module, _, function = described.reader.partition(":")
    read = getattr(import_module(f"graphmine.datasets.{module}"), function)
    network: Network = read(**options)
    return network
