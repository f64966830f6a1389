"""Spectral co-clustering of one relation: S-CO, SCM and the methods that SCM is compared with."""
