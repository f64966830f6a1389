"""What must or must not share a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

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
            pairs = np.asarray(getattr(self, name), dtype=np.int64)
            if pairs.size == 0:
                pairs = _no_pairs()
            if pairs.ndim != 2 or pairs.shape[1] != 2 or (pairs.size and pairs.min() < 0):
                raise ConstraintError(f"{name}-links must be pairs of node positions")
            object.__setattr__(self, name, pairs)

    def __len__(self) -> int:
        return len(self.must) + len(self.cannot)


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
