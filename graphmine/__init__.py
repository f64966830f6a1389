"""Mine heterogeneous networks that live in a graph database.

The nouns and verbs below are imported on first use, so that ``import graphmine`` costs nothing.
"""

__version__ = "0.1.0"
