"""Steps of conjugate gradients for several right-hand sides at once, each column by itself."""

import numpy as np

from graphmine.arrays import AnyArray, Bools

__all__ = ["column_dots", "column_ratios"]


def column_dots(x: AnyArray, y: AnyArray) -> AnyArray:
    """Return the dot product of each column of one array with the same column of another.

    >>> column_dots(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])).tolist()
    [4.0, 4.0]
    """
    dots: AnyArray = np.einsum("i...,i...->...", x, y)
    return dots


def column_ratios(top: AnyArray, bottom: AnyArray, wanted: Bools) -> AnyArray:
    """Return top / bottom for the columns that are wanted, and 0 for the others, which then do not change any more.

    >>> column_ratios(np.array([1.0, 1.0, 1.0]), np.array([2.0, 0.0, 4.0]), np.array([True, True, False])).tolist()
    [0.5, 0.0, 0.0]
    """
    return np.divide(top, bottom, out=np.zeros_like(top), where=wanted & (bottom > 0))
