"""Links that the data speak against."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from graphmine.constraints.doubtful import Doubt
from graphmine.report.page import Page, Sheet, counted, fact
from graphmine.report.pages.selection import chosen_parts, figure_facts
from graphmine.verbs.doubtful import Doubted

__all__ = ["doubts_page"]


def doubts_page(doubted: Doubted, most: int, truth: str | None = None) -> Page:
    """Return the doubtful links, the least trusted first, at most so many; and how many of the doubts are right.

    Parameters
    ----------
    truth
        The property that the doubts were held against, if any.
    """
    doubts, mined = doubted.doubts, doubted.mined
    some = doubts.found[:most]
    columns = (
        "kind",
        "key",
        "sense",
        "other kind",
        "other key",
        "trust",
        "state",
        *(("truth",) if truth else ()),
        "rule",
    )
    rows = [_row(each, truth is not None) for each in some]
    table = Sheet(columns, rows, right=frozenset({"trust"}))
    data = {
        "total": len(doubts.found),
        "precision": doubts.precision,
        "recall": doubts.recall,
        "method": mined.job.method,
        "parameters": mined.parameters,
        "links": [asdict(each) for each in some],
    }
    names = tuple(Doubt.__dataclass_fields__)
    sheet = Sheet(names, [tuple(asdict(each).values()) for each in some])
    lines = "\n".join(_facts(doubted, len(some), truth))
    return Page(data, (*((table,) if rows else ()), *chosen_parts(mined.parameters), lines), sheet)


def _row(doubt: Doubt, judged: bool) -> tuple[object, ...]:
    verdict = {None: "not known", True: "wrong", False: "right"}[doubt.wrong]
    return (
        doubt.kind,
        doubt.key,
        "must" if doubt.must else "cannot",
        doubt.other_kind,
        doubt.other_key,
        f"{doubt.trust:.2f}",
        "broken" if doubt.broken else "strained",
        *((verdict,) if judged else ()),
        doubt.rule or "no rule",
    )


def _facts(doubted: Doubted, listed: int, truth: str | None) -> Iterator[str]:
    doubts = doubted.doubts
    links = sum(int(np.count_nonzero(~each.hard)) for each in doubted.mined.constraints.values())
    more = f", the first {listed} of them listed" if listed < len(doubts.found) else ""
    yield fact("doubtful", f"{len(doubts.found)}{more}; there are {counted(links, 'soft link')}, a group being one")
    if truth is not None:
        why = f"none of them has nodes with {truth}" if doubts.found else "there is no doubtful link"
        yield fact("precision", _told(doubts.precision, why))
        yield fact("recall", _told(doubts.recall, f"no link is wrong by {truth}"))
    yield from figure_facts(doubted.mined.parameters)


def _told(share: float | None, why: str) -> str:
    return f"none: {why}" if share is None else f"{share:.1%}"
