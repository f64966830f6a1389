"""Eigenvalue problems of several blocks that share their rows."""
