"""Which parts of one partition go on as which parts of another."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from graphmine.arrays import Ints

__all__ = ["successors"]


def successors(shared: Ints) -> Ints:
    """Return for each row the column it goes on from, each column at most once; -1 where there is none.

    Parameters
    ----------
    shared
        How many elements each part of a partition (row) has in common with each part of an earlier one (column).

    Notes
    -----
    The pairs are those that have the most elements in common in all. A pair counts only if the row has no more in
    common with another column, or the column with another row: so a part that has dissolved into others does not hand
    its name to a stranger. Rows and columns that have nothing in common with anything stay alone.

    Examples
    --------
    >>> successors(np.array([[1, 8, 0], [6, 2, 0], [0, 1, 0]])).tolist()
    [1, 0, -1]
    """
    most = (shared == shared.max(axis=1, keepdims=True, initial=0)) | (shared == shared.max(axis=0, initial=0))
    fit = np.where(most, shared, 0)
    found = np.full(len(shared), -1, dtype=np.int64)
    row, col = linear_sum_assignment(fit, maximize=True)
    met = fit[row, col] > 0
    found[row[met]] = col[met]
    return found
