"""Cuts of a graph in two with absolute penalties for pairs, and the quadratic programs within them."""
