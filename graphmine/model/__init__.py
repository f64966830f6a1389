"""The nouns: frozen values that every layer above speaks in."""

from graphmine.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
