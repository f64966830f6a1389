"""Numbers that nodes carry, and how alike nodes are by them."""

import warnings
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Floats
from graphmine.errors import DataError
from graphmine.linalg.similarity import fill_missing, gaussian, nearest_gaussian, standardise, total_deviation
from graphmine.model import Pattern, Similarity

__all__ = ["alike", "numbers"]

_LARGEST = 1e150  # its square is still a number


def numbers(what: str, values: pa.Array) -> Floats:
    """Return what nodes hold in a property, a row each: one number, or a list of them; NaN where there is nothing.

    >>> numbers("Wine.hue", pa.array([1, None])).tolist(), numbers("Wine.place", pa.array([[1.5, 2], None])).tolist()
    ([[1.0], [nan]], [[1.5, 2.0], [nan, nan]])
    >>> numbers("Wine.place", pa.array([[1.5], [1.5, 2]]))
    Traceback (most recent call last):
    graphmine.errors.DataError: Wine.place holds lists of 1 and of 2 numbers; they must be equally long
    """
    there = np.asarray(values.is_valid(), dtype=np.bool_)
    present = values.drop_null()
    if not len(present):
        return np.full((len(values), 1), np.nan)
    width = 1
    if _is_list(present.type):
        width, present = _width(what, present), pc.list_flatten(present)
    found = np.full((len(values), width), np.nan)
    found[there] = _floats(what, present).reshape(-1, width)
    return found


def alike(pattern: Pattern, similarity: Similarity, columns: Mapping[str, Floats]) -> csr_array:
    """Return how alike nodes are by their numbers, and warn of what is missing or tells nothing.

    Parameters
    ----------
    pattern
        For messages.
    columns
        What the nodes hold in each property, see `numbers`.

    Notes
    -----
    The weights are (5.13) of Kawale and Boley (SDM 2013), exp(-‖xᵢ - xⱼ‖² / 2σ²). Their σ² is "the variance present in
    the respective dataset", which is taken for the total variance of the properties as they are used: with ``scale``,
    which the paper does not speak of, that is the number of properties. A list counts as one property and is scaled as
    a whole, so that distances within it keep their proportions. Variances divide by the number of nodes.
    """
    kind = pattern.rows
    some = ~np.all([_missing(column) for column in columns.values()], axis=0)
    if np.count_nonzero(some) < 2:
        raise DataError(
            f"{pattern} needs two nodes with a value at least, and {np.count_nonzero(some)} of {len(some)} {kind} "
            "nodes have one"
        )
    used = {name: column for name, column in columns.items() if not _is_constant(column)}
    if not used:
        raise DataError(f"{pattern} has nothing to compare by: all {kind} nodes that have a value have the same ones")
    if len(used) < len(columns):
        names = ", ".join(name for name in columns if name not in used)
        warnings.warn(f"{pattern}: {names} tells no two nodes apart and was left out", stacklevel=2)
    there = _warned_of_missing(pattern, np.array([_missing(column) for column in used.values()]))
    points = [fill_missing(column[there]) for column in used.values()]
    block = _block(similarity, np.hstack([standardise(each) for each in points] if similarity.scale else points))
    return _spread(block, there)


def _block(similarity: Similarity, points: Floats) -> csr_array:
    sigma = total_deviation(points) if similarity.sigma is None else similarity.sigma
    if similarity.neighbours is None:
        return gaussian(points, sigma)
    return nearest_gaussian(points, sigma, similarity.neighbours)


def _spread(block: csr_array, there: Bools) -> csr_array:
    """Return a block of some nodes as one of all, the others being isolated."""
    if there.all():
        return block
    starts = np.zeros(len(there) + 1, dtype=block.indptr.dtype)
    starts[1:][there] = np.diff(block.indptr)
    places = np.flatnonzero(there).astype(block.indices.dtype)
    return csr_array((block.data, places[block.indices], np.cumsum(starts)), shape=(len(there), len(there)))


def _warned_of_missing(pattern: Pattern, missing: Bools) -> Bools:
    """Return which nodes have a value in some property, and say what the others and those with gaps come to."""
    there: Bools = np.logical_not(np.all(missing, axis=0))
    gaps, alone = missing[:, there], np.count_nonzero(~there)
    said = []
    if gaps.any():
        lacking = np.count_nonzero(gaps.any(axis=0))
        said.append(
            f"missing values: {np.count_nonzero(gaps)} in {lacking} of {len(there)} nodes; "
            "the mean of the property stands for each"
        )
    if alone:
        said.append(f"nodes without any value, left isolated: {alone}")
    if said:
        warnings.warn(f"{pattern}: {'; '.join(said)}", stacklevel=3)
    return there


def _missing(column: Floats) -> Bools:
    return np.isnan(column[:, 0])


def _is_constant(column: Floats) -> bool:
    present = column[~_missing(column)]
    return not len(present) or bool(np.all(present == present[0]))


def _is_list(given: pa.DataType) -> bool:
    return bool(pa.types.is_list(given) or pa.types.is_large_list(given) or pa.types.is_fixed_size_list(given))


def _width(what: str, lists: pa.Array) -> int:
    widths = np.unique(np.asarray(pc.list_value_length(lists))).tolist()
    if len(widths) > 1:
        raise DataError(f"{what} holds lists of {widths[0]} and of {widths[1]} numbers; they must be equally long")
    if not widths[0]:
        raise DataError(f"{what} holds empty lists, and a similarity is made of numbers")
    return int(widths[0])


def _floats(what: str, values: pa.Array) -> Floats:
    given = values.type
    if not (pa.types.is_integer(given) or pa.types.is_floating(given) or pa.types.is_decimal(given)):
        word = {"string": "text", "bool": "truth values"}.get(str(given), str(given))
        raise DataError(f"{what} holds {word}, and a similarity is made of numbers or lists of them")
    found = np.asarray(values.cast(pa.float64(), safe=False).fill_null(np.nan), dtype=np.float64)
    wrong = found[~(np.abs(found) <= _LARGEST)]
    if len(wrong):
        raise DataError(f"{what} holds {wrong[0]:g}; a similarity is made of numbers of at most 1e150")
    return found
