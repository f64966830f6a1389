"""What must or must not share a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphmine.errors import ConstraintError

__all__ = ["FREE", "Constraints", "Links"]


def _no_pairs() -> NDArray[np.int64]:
    return np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Links:
    """Pairs of node positions that must, or must not, share a cluster.

    Examples
    --------
    >>> len(Links(must=[[0, 1], [1, 2]]))
    2
    """

    must: NDArray[np.int64] = field(default_factory=_no_pairs)
    cannot: NDArray[np.int64] = field(default_factory=_no_pairs)

    def __post_init__(self) -> None:
        """Bring both to arrays of pairs."""
        for name in ("must", "cannot"):
            object.__setattr__(self, name, _as_pairs(name, getattr(self, name)))

    def __len__(self) -> int:
        return len(self.must) + len(self.cannot)


def _as_pairs(name: str, given: ArrayLike) -> NDArray[np.int64]:
    try:
        pairs = np.asarray(given)
    except ValueError as error:  # rows of different lengths
        raise ConstraintError(f"{name}-links must be pairs of node positions") from error
    if pairs.size == 0:
        return _no_pairs()
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or pairs.min() < 0:
        raise ConstraintError(f"{name}-links must be pairs of node positions")
    return pairs.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Constraints:
    """Links within kinds and across them.

    Examples
    --------
    >>> bool(FREE), bool(Constraints(within={"Author": Links(must=[[0, 1]])}))
    (False, True)
    """

    within: Mapping[str, Links] = field(default_factory=dict)
    across: Mapping[tuple[str, str], Links] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(map(len, self.within.values())) or any(map(len, self.across.values()))


FREE = Constraints()
