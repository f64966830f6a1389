"""One way to number clusters, so that the same partition always has the same numbers."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from graphmine.model import UNPLACED

__all__ = ["renumbered"]


def renumbered(labels: Mapping[str, NDArray[np.int64]]) -> dict[str, NDArray[np.int64]]:
    """Return the same clusters numbered from 0 by decreasing size, without gaps.

    The size of a cluster is its number of nodes over all kinds; of two equal ones the first comes first that appears
    first, kind by kind in the order given. Nodes without a cluster stay without.

    Examples
    --------
    >>> found = renumbered({"Author": np.array([7, 3, 3]), "Venue": np.array([-1, 3])})
    >>> found["Author"].tolist(), found["Venue"].tolist()
    ([1, 0, 0], [-1, 0])
    """
    together = np.concatenate([np.empty(0, dtype=np.int64), *labels.values()])
    placed = together != UNPLACED
    _, first, cluster, sizes = np.unique(together[placed], return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    together[placed] = number[cluster]
    ends = np.cumsum([len(given) for given in labels.values()], dtype=np.int64)
    return dict(zip(labels, np.split(together, ends[:-1]), strict=True)) if labels else {}
