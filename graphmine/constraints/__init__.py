"""Constraints drawn from the graph: rules, the links they make, previews, and how far a clustering meets them."""

from graphmine.constraints.rules import Rule

__all__ = ["Rule"]
