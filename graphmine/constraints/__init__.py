"""Constraints drawn from the graph: rules, what they make of a network, and how far a clustering meets it."""

from graphmine.constraints.rules import Rule

__all__ = ["Rule"]
