"""Operators and solvers: arrays in, arrays out, no domain nouns."""

from graphmine.linalg.bipartite import components, degrees, scaled
from graphmine.linalg.kmeans import kmeans
from graphmine.linalg.partition import Weights, cluster_weights, normalised_cut
from graphmine.linalg.triplets import Triplets, leading_triplets

__all__ = [
    "Triplets",
    "Weights",
    "cluster_weights",
    "components",
    "degrees",
    "kmeans",
    "leading_triplets",
    "normalised_cut",
    "scaled",
]
