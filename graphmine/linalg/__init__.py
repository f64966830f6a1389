"""Operators and solvers: arrays in, arrays out, no domain nouns."""

from graphmine.linalg.bipartite import components, degrees, part_of, scaled
from graphmine.linalg.bonds import Bonds, Coupled, bonded_parts, in_precision, tempered
from graphmine.linalg.kmeans import kmeans
from graphmine.linalg.metric import Metric
from graphmine.linalg.partition import Weights, cluster_weights, normalised_cut
from graphmine.linalg.triplets import Triplets, leading_triplets

__all__ = [
    "Bonds",
    "Coupled",
    "Metric",
    "Triplets",
    "Weights",
    "bonded_parts",
    "cluster_weights",
    "components",
    "degrees",
    "in_precision",
    "kmeans",
    "leading_triplets",
    "normalised_cut",
    "part_of",
    "scaled",
    "tempered",
]
