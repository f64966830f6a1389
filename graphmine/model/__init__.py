"""The nouns: frozen values that every layer above speaks in."""

from graphmine.model.closure import closed
from graphmine.model.clustering import UNPLACED, Clustering
from graphmine.model.conflicts import Conflict, conflicts, describe
from graphmine.model.constraints import FREE, UNRANKED, Constraints
from graphmine.model.crowding import crowded
from graphmine.model.links import Groups, Links
from graphmine.model.nodes import Nodes
from graphmine.model.pattern import Filter, Pattern, Step, parse_property
from graphmine.model.relation import Relation, Star
from graphmine.model.settling import WAYS_OUT, settled

__all__ = [
    "FREE",
    "UNPLACED",
    "UNRANKED",
    "WAYS_OUT",
    "Clustering",
    "Conflict",
    "Constraints",
    "Filter",
    "Groups",
    "Links",
    "Nodes",
    "Pattern",
    "Relation",
    "Star",
    "Step",
    "closed",
    "conflicts",
    "crowded",
    "describe",
    "parse_property",
    "settled",
]
