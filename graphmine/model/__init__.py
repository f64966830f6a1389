"""The model: nodes, relations, stars, patterns, links, constraints and clusterings as frozen values."""

from graphmine.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
