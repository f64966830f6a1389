"""The linear sum assignment problem, with the solutions of `scipy.optimize.linear_sum_assignment`, ties too.

Importing `scipy.optimize` takes longer than a small fit, and all that a fit needs of it is to match a few clusters.
"""

import numpy as np

from graphmine.arrays import Bools, Floats, Ints

__all__ = ["assignment"]


def assignment(costs: Floats) -> tuple[Ints, Ints]:
    """Return the rows and the columns of a one-to-one matching with the least sum of costs, in the order of the rows.

    As many pairs are matched as the shorter side has members.

    References
    ----------
    D. F. Crouse: On implementing 2D rectangular assignment algorithms. IEEE Transactions on Aerospace and Electronic
    Systems 52, 2016.

    Examples
    --------
    >>> [side.tolist() for side in assignment(np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]]))]
    [[0, 1, 2], [1, 0, 2]]
    """
    if costs.shape[1] < costs.shape[0]:
        cols, rows = assignment(costs.T)
        order = np.argsort(rows)
        return rows[order], cols[order]
    matching = _Matching(np.ascontiguousarray(costs, dtype=np.float64))
    for row in range(len(costs)):
        matching.add(row)
    return np.arange(len(costs)), matching.col_of


class _Matching:
    """A matching of the first rows with the least sum of costs, and the dual variables that prove it."""

    def __init__(self, costs: Floats) -> None:
        n_rows, n_cols = costs.shape
        self.costs, self.row_dual, self.col_dual = costs, np.zeros(n_rows), np.zeros(n_cols)
        self.col_of, self.row_of = np.full(n_rows, -1), np.full(n_cols, -1)

    def add(self, row: int) -> None:
        """Match one row more, along the shortest path to a column that is free."""
        length, before, rows, cols = self._paths_from(row)
        sink = cols[-1]
        self.row_dual[row] += length[sink]
        others = rows[1:]
        self.row_dual[others] += length[sink] - length[self.col_of[others]]
        self.col_dual[cols] -= length[sink] - length[cols]
        col = sink
        while col >= 0:
            on_path = before[col]
            self.row_of[col] = on_path
            self.col_of[on_path], col = col, self.col_of[on_path]

    def _paths_from(self, row: int) -> tuple[Floats, Ints, list[int], list[int]]:
        """Return each column's distance, the row before it, and the rows and columns reached until one is free."""
        n_cols = len(self.row_of)
        length, before = np.full(n_cols, np.inf), np.full(n_cols, -1)
        left = np.arange(n_cols)[::-1].copy()  # from the last on, so that equal costs match row i with column i
        rows, cols, reached = [row], [], 0.0
        while True:
            own = reached + self.costs[row, left] - self.row_dual[row] - self.col_dual[left]
            shorter = left[own < length[left]]
            before[shorter] = row
            length[left] = np.minimum(length[left], own)
            at = _nearest(length[left], self.row_of[left] < 0)
            col = int(left[at])
            cols.append(col)
            if self.row_of[col] < 0:
                return length, before, rows, cols
            row, reached = int(self.row_of[col]), length[col]
            rows.append(row)
            left[at] = left[-1]
            left = left[:-1]


def _nearest(lengths: Floats, free: Bools) -> int:
    """Return where the shortest length is: the last of those that are free, or the first if none is."""
    equal = lengths == lengths.min()
    ends = np.flatnonzero(equal & free)
    return int(ends[-1]) if len(ends) else int(equal.argmax())
