"""The nouns: frozen values that every layer above speaks in."""

from graphmine.model.clustering import UNPLACED, Clustering
from graphmine.model.constraints import FREE, Constraints, Links
from graphmine.model.nodes import Nodes
from graphmine.model.pattern import Filter, Pattern, Step, parse_property
from graphmine.model.relation import Relation, Star

__all__ = [
    "FREE",
    "UNPLACED",
    "Clustering",
    "Constraints",
    "Filter",
    "Links",
    "Nodes",
    "Pattern",
    "Relation",
    "Star",
    "Step",
    "parse_property",
]
