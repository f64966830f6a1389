"""The nouns: frozen values that every layer above speaks in."""

from graphmine.model.clustering import UNPLACED, Clustering, clusters_of
from graphmine.model.constraints import FREE, UNRANKED, Constraints
from graphmine.model.induced import Members, induced, restricted
from graphmine.model.links import Groups, Links
from graphmine.model.nodes import Nodes
from graphmine.model.pattern import Filter, Pattern, Step, parse_property
from graphmine.model.quality import Quality
from graphmine.model.relation import Relation, Star
from graphmine.model.similarity import Similarity

__all__ = [
    "FREE",
    "UNPLACED",
    "UNRANKED",
    "Clustering",
    "Constraints",
    "Filter",
    "Groups",
    "Links",
    "Members",
    "Nodes",
    "Pattern",
    "Quality",
    "Relation",
    "Similarity",
    "Star",
    "Step",
    "clusters_of",
    "induced",
    "parse_property",
    "restricted",
]
