"""Blocks and sizes as text, for a terminal: shades of grey, and bars."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graphmine.model import UNPLACED
from graphmine.report.figures.blocks import Blocks, ClusterSizes
from graphmine.report.page import counted

__all__ = ["ASCII", "BLOCKS", "Ink", "bar_lines", "block_lines", "legend"]

_WIDTH = 100
_MOST = 64  # clusters a side; the others are too small to matter
_BAR = 50
_STEPS = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Ink:
    """What a terminal can show: four shades, a whole and half a piece of a bar, a dash, the signs for times and ½."""

    shades: str
    bar: str
    half: str
    dash: str
    times: str
    half_sign: str

    @property
    def signs(self) -> str:
        """Everything that must be in the terminal's encoding."""
        return f"{self.shades}{self.bar}{self.half}{self.dash}{self.times}{self.half_sign}"


BLOCKS = Ink("░▒▓█", "█", "▌", "–", "×", "½")
ASCII = Ink(".:+#", "#", "", "-", "x", "0.5")


def block_lines(found: Blocks, ink: Ink = BLOCKS) -> Iterator[str]:
    """Give a block as lines of text: one row for each cluster, as dark as its density is above the mean.

    The clusters' sizes stand at the margins. Of very many clusters only the largest are shown.
    """
    rows, cols = _largest(found.rows), _largest(found.cols)
    pairs = int(found.links.sum()) // (2 if found.rows.kind == found.cols.kind else 1)
    ends = [f"{side.n_nodes} {side.kind}" for side in (found.rows, found.cols)]
    yield f"{found.relation}: {counted(pairs, 'pair')} of {f' {ink.times} '.join(ends)}"
    yield ""
    numbers = [[_number(side.clusters[at], ink) for at in places] for side, places in _both(found, rows, cols)]
    sizes = [[str(side.sizes[at]) for at in places] for side, places in _both(found, rows, cols)]
    first = max([len(found.rows.kind), *map(len, numbers[0])])
    second = max(map(len, sizes[0]), default=0)
    margin = first + 2 + second + 2
    width, gap = _cell(margin, numbers[1], sizes[1])
    yield " " * margin + found.cols.kind
    for place, header in enumerate(_headers(numbers[1], sizes[1], width, gap)):
        yield f"{found.rows.kind if place == 1 else '':<{margin}}" + header
    relative = found.relative
    for place, at in enumerate(rows):
        shades = gap.join(_shade(relative[at, other], ink) * width for other in cols)
        yield f"{numbers[0][place]:>{first}}  {sizes[0][place]:>{second}}  {shades}".rstrip()
    for side, places in _both(found, rows, cols):
        if len(places) < len(side.clusters):
            yield f"{counted(len(side.clusters) - len(places), 'smaller cluster')} of {side.kind} left out"


def legend(ink: Ink = BLOCKS) -> str:
    """Say what the shades mean.

    >>> legend()
    'density over its mean: ░ below ½, ▒ up to 1, ▓ up to 2, █ above; blank for no link'
    """
    low, mid, high, top = tuple(ink.shades)
    steps = f"{low} below {ink.half_sign}, {mid} up to 1, {high} up to 2, {top} above"
    return f"density over its mean: {steps}; blank for no link"


def bar_lines(sides: Sequence[ClusterSizes], ink: Ink = BLOCKS) -> Iterator[str]:
    """Give the sizes of clusters as bars, kind by kind."""
    for place, side in enumerate(sides):
        if place:
            yield ""
        yield f"{side.kind}: {counted(side.n_nodes, 'node')}"
        shown = _largest(side)
        widest = max((side.sizes[at] for at in shown), default=1)
        numbers = [_number(side.clusters[at], ink) for at in shown]
        first, second = (max(map(len, each), default=0) for each in (numbers, [str(size) for size in side.sizes]))
        for number, at in zip(numbers, shown, strict=True):
            size = side.sizes[at]
            yield f"{number:>{first + 2}}  {size:>{second}}  {_bar(size / widest, ink)}".rstrip()
        if len(shown) < len(side.clusters):
            yield f"{counted(len(side.clusters) - len(shown), 'smaller cluster')} left out"


def _both(
    found: Blocks, rows: list[int], cols: list[int]
) -> tuple[tuple[ClusterSizes, list[int]], tuple[ClusterSizes, list[int]]]:
    return (found.rows, rows), (found.cols, cols)


def _largest(side: ClusterSizes) -> list[int]:
    """Return the places of the largest clusters, in their own order."""
    order = np.argsort(-np.array(side.sizes), kind="stable")[:_MOST]
    places: list[int] = np.sort(order).tolist()
    return places


def _number(cluster: int, ink: Ink) -> str:
    return ink.dash if cluster == UNPLACED else str(cluster)


def _cell(margin: int, numbers: Sequence[str], sizes: Sequence[str]) -> tuple[int, str]:
    """Return how wide a cell is, and what stands between two of them."""
    whole = max([2, *map(len, numbers), *map(len, sizes)])
    if margin + len(numbers) * (whole + 1) <= _WIDTH:
        return whole, " "
    return (2, "") if margin + 2 * len(numbers) <= _WIDTH else (1, "")


def _headers(numbers: Sequence[str], sizes: Sequence[str], width: int, gap: str) -> list[str]:
    """Return the numbers of the columns and their sizes; from top to bottom, where cells are narrow."""
    if gap:
        return [gap.join(f"{each:>{width}}" for each in row).rstrip() for row in (numbers, sizes)]
    tall = max(map(len, numbers), default=0)
    return ["".join(f"{each:>{tall}}"[line].ljust(width) for each in numbers).rstrip() for line in range(tall)]


def _shade(relative: float, ink: Ink) -> str:
    return ink.shades[int(np.searchsorted(_STEPS, relative, side="right"))] if relative > 0 else " "


def _bar(share: float, ink: Ink) -> str:
    halves = max(1, round(share * _BAR * 2)) if share else 0
    whole = ink.bar * (halves // 2)
    return whole + (ink.half if halves % 2 else "") or (ink.bar if halves else "")
