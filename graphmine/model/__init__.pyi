"""The names of the model, by the modules that they are in; each is imported on first use."""

from graphmine.model.clustering import UNPLACED as UNPLACED, Clustering as Clustering, clusters_of as clusters_of
from graphmine.model.constraints import FREE as FREE, UNRANKED as UNRANKED, Constraints as Constraints
from graphmine.model.links import Groups as Groups, Links as Links
from graphmine.model.nodes import Nodes as Nodes
from graphmine.model.pattern import Filter as Filter, Pattern as Pattern, Step as Step, parse_property as parse_property
from graphmine.model.quality import Quality as Quality
from graphmine.model.relation import Relation as Relation, Star as Star
from graphmine.model.similarity import Similarity as Similarity
from graphmine.model.subnetworks import NodePositions as NodePositions, induced as induced, restricted as restricted
