"""Eigenvalue problems of several blocks that share their rows: pencils, balanced weights and certificates."""
