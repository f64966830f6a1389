"""The draft of a run: what to record of a clustering that is about to be pushed."""

import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from graphmine.exchange.runs import COUNTS, Run
from graphmine.metrics import quality
from graphmine.model import Clustering, Star

__all__ = ["completed", "versions"]

_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")


def completed(draft: Run, star: Star, clustering: Clustering) -> Run:
    """Return the draft of a run, completed from the clustering and its star.

    The relations and filters are left as they are: a star does not know how it was pulled.
    """
    if draft.method == COUNTS:  # its labels are no clusters
        return draft
    seconds = {"fit": round(clustering.seconds, 3)} if clustering.seconds else {}
    by_a_method = versions() if clustering.method else {}
    return replace(
        draft,
        method=draft.method or clustering.method,
        parameters=draft.parameters or _parameters(clustering),
        seed=clustering.seed if draft.seed is None else draft.seed,
        objective=clustering.objective if draft.objective is None else draft.objective,
        converged=draft.converged and clustering.converged,
        n_clusters=draft.n_clusters or clustering.n_clusters,
        seconds=draft.seconds or seconds,
        versions=draft.versions or by_a_method,
        quality=draft.quality or quality(star, clustering),
    )


def versions() -> dict[str, str]:
    """Return the versions of Python, graphmine and the packages that shape a result."""
    return {"python": platform.python_version()} | {name: version(name) for name in _SHAPE_THE_RESULT}


def _parameters(clustering: Clustering) -> Mapping[str, Any]:
    """Return the parameters of the method, and what the data made of those that were left open."""
    found: dict[str, Any] = dict(clustering.parameters)
    if clustering.tried:
        found["tried"] = [dict(each) for each in clustering.tried]
    if clustering.figures:
        found["figures"] = dict(clustering.figures)
    return found
