"""The parameter beta of CBGC, the share of each arm of a star: its checks, and the shares that ``auto`` tries."""

import warnings
from collections.abc import Sequence
from typing import Literal

import numpy as np

from graphmine.arrays import Floats
from graphmine.checks import check_number
from graphmine.errors import DataError, ParameterError
from graphmine.model import Star

__all__ = ["AUTO", "Beta", "arm_names", "checked_beta", "grid", "shares_of"]


AUTO: Literal["auto"] = "auto"
Beta = float | tuple[float, ...] | Literal["auto"] | None
"""The share of the first of two arms, one share an arm, one to be chosen from the data, or those of the star."""


def checked_beta(beta: object) -> Beta:
    """Return shares of arms, none of them negative; refuse others.

    >>> checked_beta([1, 3]), checked_beta(0.3), checked_beta(None)
    ((1.0, 3.0), 0.3, None)
    >>> checked_beta("equal")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: beta must be a number from 0 to 1, a list of one number an arm, or auto, was ...
    """
    if beta is None or beta == AUTO:
        return beta
    if isinstance(beta, Sequence) and not isinstance(beta, str):
        shares = tuple(check_number("beta", each, least=0) for each in beta)
        if not np.isfinite(sum(shares)) or not sum(shares) > 0:
            raise ParameterError(f"beta must have a finite sum above 0, was {list(shares)}")
        return shares
    try:
        return check_number("beta", beta, least=0, most=1)
    except ParameterError:
        raise ParameterError(
            f"beta must be a number from 0 to 1, a list of one number an arm, or {AUTO}, was {beta!r}"
        ) from None


def shares_of(star: Star, beta: Beta) -> Floats:
    """Return the share of each arm, all together 1: 0 for one that does not count, or has no relationships.

    >>> from graphmine import gallery
    >>> shares_of(gallery.davis(), None).tolist()
    [1.0]
    """
    n_arms = len(star.arms)
    given = star.weights if beta is None or beta == AUTO else beta
    if isinstance(given, float):
        if n_arms > 2:
            raise ParameterError(f"beta must be {n_arms} numbers, one an arm, was {given:g}")
        given = (given, 1 - given)[:n_arms] if n_arms == 2 else (1.0,)
    if len(given) != n_arms:
        raise ParameterError(f"beta must be {n_arms} numbers, one an arm, were {len(given)}")
    shares = np.asarray(given, dtype=np.float64)
    there = np.array([arm.nnz > 0 for arm in star.arms])
    if not there.any():
        arm = star.arms[0]
        raise DataError(
            f"no {arm.rows.kind} is linked to any {arm.cols.kind}, so there is nothing to cluster; "
            "check the direction of the arrows and the filters"
        )
    for name, empty in zip(arm_names(star), ~there, strict=True):
        if empty:
            warnings.warn(f"no {star.centre.kind} is linked to any {name}, so that arm does not count", stacklevel=4)
    if not shares[there].sum() > 0:
        raise ParameterError("the weights of all relations that have links are 0; give one of them a weight above 0")
    counting: Floats = np.where(there, shares, 0.0) / shares[there].sum()
    return counting


def grid(n_arms: int) -> list[Floats]:
    """Return the shares that are tried where none are given: equal ones first, then each arm more, and less.

    >>> [each.tolist() for each in grid(2)]
    [[0.5, 0.5], [0.1, 0.9], [0.3, 0.7], [0.7, 0.3], [0.9, 0.1]]
    """
    tried = [np.full(n_arms, 1 / n_arms)]
    if n_arms == 2:
        return [*tried, *(np.array([share, 1 - share]).round(9) for share in (0.1, 0.3, 0.7, 0.9))]
    if n_arms == 1:
        return tried
    for share in (0.1, 0.7):
        tried += [np.where(np.arange(n_arms) == arm, share, (1 - share) / (n_arms - 1)) for arm in range(n_arms)]
    return tried


def arm_names(star: Star) -> list[str]:
    """Return what to call each arm: its kind, and its number where it shares that with another.

    >>> from graphmine import gallery
    >>> arm_names(gallery.davis())
    ['Event']
    """
    kinds = [arm.cols.kind for arm in star.arms]
    return [kind if kinds.count(kind) == 1 else f"{kind} {number}" for number, kind in enumerate(kinds, start=1)]
