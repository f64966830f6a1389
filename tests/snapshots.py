"""Planted networks that drift, as a database holds them, and how well an evolution follows them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from graphmine.constraints.previous_labels import labels_before
from graphmine.datasets.network import Edges, Network
from graphmine.gallery import TrueLabels
from graphmine.metrics import nmi
from graphmine.model import Star
from graphmine.verbs.stages import Stage

PUBLISHED = "Author-WROTE->Paper-IN->Venue"


def papers(snapshots: Sequence[tuple[Star, TrueLabels]], first: int = 2000, years: Sequence[int] = ()) -> Network:
    """Return a network with a paper for every publication of every snapshot, which is a year."""
    author: list[str] = []
    venue: list[str] = []
    year: list[int] = []
    authors: set[str] = set()
    for number, (star, _) in enumerate(snapshots):
        block = star.arms[0].block.tocoo()
        rows, cols = (np.repeat(each, block.data.astype(np.int64)) for each in (block.row, block.col))
        author += star.nodes("Author").keys.take(pa.array(rows)).to_pylist()
        venue += star.nodes("Venue").keys.take(pa.array(cols)).to_pylist()
        year += [years[number] if years else first + number] * len(rows)
        authors |= set(star.nodes("Author").keys.to_pylist())
    ids = list(range(len(year)))
    return Network(
        {
            "Author": pa.table({"name": sorted(authors)}),
            "Paper": pa.table({"id": ids, "year": year}),
            "Venue": pa.table({"name": snapshots[0][0].nodes("Venue").keys}),
        },
        (
            Edges("Author", "WROTE", "Paper", pa.table({"source": author, "target": ids})),
            Edges("Paper", "IN", "Venue", pa.table({"source": ids, "target": venue})),
        ),
    )


def accuracy(stages: Sequence[Stage], snapshots: Sequence[tuple[Star, TrueLabels]]) -> float:
    """The mean NMI of authors with their fields, over all snapshots but the first, which has nothing to remember."""
    return float(np.mean([_nmi(stage, *snapshot) for stage, snapshot in zip(stages, snapshots, strict=True)][1:]))


def restlessness(stages: Sequence[Stage], snapshots: Sequence[tuple[Star, TrueLabels]]) -> float:
    """The share of authors in two neighbouring snapshots whose field is the same, and whose number is not."""
    changed = []
    for (before, then), (after, now) in pairwise(zip(stages, snapshots, strict=True)):
        nodes, field = now[0].nodes("Author"), now[1]["Author"]
        same = labels_before(nodes, then[0].nodes("Author"), then[1]["Author"]) == field
        numbers = [labels_before(nodes, *stage.labels["Author"])[same] for stage in (before, after)]
        changed.append(np.mean(numbers[0] != numbers[1]))
    return float(np.mean(changed))


def _nmi(stage: Stage, star: Star, truth: TrueLabels) -> float:
    return nmi(labels_before(star.nodes("Author"), *stage.labels["Author"]), truth["Author"])
