"""Array types, each under one name."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["AnyArray", "Bools", "Floats", "Floats32", "Ints", "Labels"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[np.int64]
"""Cluster numbers, one per node; -1 for a node that has none."""
AnyArray: TypeAlias = NDArray[Any]
