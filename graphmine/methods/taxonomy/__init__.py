"""Taxonomies: clusters within clusters, by splitting in two again and again."""
