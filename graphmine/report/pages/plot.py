"""Pictures of a run as text and numbers, and the messages about those drawn to a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphmine.report.figures.blocks import blocks, sizes_of_kinds
from graphmine.report.figures.terminal import BLOCKS, Ink, bar_lines, block_lines, legend
from graphmine.report.page import Page, Sheet
from graphmine.verbs.recall import Recalled

__all__ = ["drawn_page", "matrix_page", "sizes_page"]


def matrix_page(found: Recalled, ink: Ink = BLOCKS) -> Page:
    """Return the densities between clusters, arm by arm: shaded as text, and as numbers."""
    cuts = blocks(found.star, found.clustering)
    parts = ["\n".join([*block_lines(cut, ink), ""]) for cut in cuts]
    data = {
        "run": found.run.id,
        "relations": [
            {"relation": cut.relation, "rows": cut.rows.kind, "cols": cut.cols.kind, "mean": cut.mean}
            | {"cells": list(cut.cells())}
            for cut in cuts
        ],
    }
    names = ("row_cluster", "row_size", "col_cluster", "col_size", "links", "weight", "density", "relative")
    rows = ((cut.relation, cut.rows.kind, cut.cols.kind, *cell.values()) for cut in cuts for cell in cut.cells())
    return Page(data, (*parts, legend(ink)), Sheet(("relation", "row_kind", "col_kind", *names), rows))


def sizes_page(found: Recalled, only: str | None = None, ink: Ink = BLOCKS) -> Page:
    """Return the sizes of clusters, kind by kind: as bars of text, and as numbers."""
    sides = sizes_of_kinds(found.star, found.clustering, only)
    rows = [
        (side.kind, None if cluster < 0 else cluster, size)
        for side in sides
        for cluster, size in zip(side.clusters, side.sizes, strict=True)
    ]
    data = {"run": found.run.id, "sizes": [dict(zip(("kind", "cluster", "size"), row, strict=True)) for row in rows]}
    return Page(data, ("\n".join(bar_lines(sides, ink)),), Sheet(("kind", "cluster", "size"), rows))


def drawn_page(path: Path, kind: str, names: Sequence[str]) -> Page:
    """Say that a picture was drawn, of what, and where it is."""
    data: dict[str, Any] = {"picture": str(path), "kind": kind, "runs": list(names)}
    told = f"{kind} of {', '.join(names)} drawn to {path}"
    return Page(data, (told,), Sheet(("picture", "kind", "runs"), [(str(path), kind, ", ".join(names))]))
