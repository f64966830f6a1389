"""Operators and solvers: arrays in, arrays out, no domain nouns."""
