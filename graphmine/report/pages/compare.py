"""Runs side by side: how far they agree, what moved, which clusters are alike."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from graphmine.constraints.previous_labels import labels_before
from graphmine.model import UNPLACED, Nodes
from graphmine.report.page import Page, Sheet, counted, fact, three_digits
from graphmine.verbs.compare import Agreement, Compared

__all__ = ["compared_page"]

_MEASURES = ("ami", "ari", "nmi")


def compared_page(compared: Compared, moves: int = 5) -> Page:
    """Return agreements, what stayed and moved, the largest moves, and what each cluster is most like.

    As CSV: every node that has a cluster in any of the runs, with its number in each.
    """
    runs = [f"{number}  {run.id}, {_told(run.property, run.n_clusters)}" for number, run in enumerate(compared.runs, 1)]
    agreements = _pair(compared) if len(compared.runs) == 2 else _matrices(compared)
    parts: tuple[Sheet | str, ...] = ("\n".join(runs) + "\n", *agreements, _changes(compared))
    if compared.moves and moves:
        parts += (_moves(compared, moves),)
    parts += (_overlaps(compared),)
    if compared.left_out:
        parts += ("\n".join(fact("left out", why) for why in compared.left_out.values()),)
    columns = ("kind", "key", *(run.id for run in compared.runs))
    return Page(_data(compared), parts, Sheet(columns, _labels(compared)))


def _told(property_: str, clusters: int) -> str:
    return f"{counted(clusters, 'cluster')} in {property_!r}"


def _pair(compared: Compared) -> tuple[Sheet]:
    rows = [
        (each.kind, each.nodes, *(three_digits(getattr(each, name)) for name in _MEASURES))
        for each in compared.agreements
    ]
    columns = ("kind", "nodes in both", *(name.upper() for name in _MEASURES))
    return (Sheet(columns, rows, "agreement", right=frozenset(columns[1:])),)


def _matrices(compared: Compared) -> Iterator[Sheet]:
    """Return the agreements of each kind as a matrix of the runs: AMI above the diagonal, ARI below it."""
    places = range(len(compared.runs))
    numbers = [str(place + 1) for place in places]
    for kind in compared.kinds:
        found = _by_places(compared, kind)
        rows = [(row + 1, *(_cell(found, row, col) for col in places)) for row in places]
        yield Sheet((kind, *numbers), rows, "AMI above, ARI below", right=frozenset((kind, *numbers)))


def _by_places(compared: Compared, kind: str) -> dict[tuple[int, int], Agreement]:
    """Return the agreements of a kind by the places of the two runs; a run may stand in several."""
    having = [at for at, stage in enumerate(compared.stages) if kind in stage.labels]
    places = [(one, two) for one in having for two in having if one < two]
    return dict(zip(places, (each for each in compared.agreements if each.kind == kind), strict=True))


def _cell(found: dict[tuple[int, int], Agreement], row: int, col: int) -> str | None:
    if row < col:
        return three_digits(found[row, col].ami) if (row, col) in found else "–"
    if row > col:
        return three_digits(found[col, row].ari) if (col, row) in found else "–"
    return None


def _changes(compared: Compared) -> Sheet:
    one = len(compared.runs) == 2
    columns = ("kind", "stayed", "moved", "only in 1", "only in 2" if one else "only in it")
    rows = [(each.kind, each.stayed, each.moved, each.gone, each.new) for each in compared.changes]
    return _sheet(compared, columns, rows, [each.after for each in compared.changes], "nodes", frozenset(columns[1:]))


def _moves(compared: Compared, most: int) -> Sheet:
    found = sorted(compared.moves, key=lambda each: -each.nodes)[:most]
    rows = [
        (each.kind, each.source, each.target, each.nodes, ", ".join(map(str, each.keys)) + _more(each.nodes, each.keys))
        for each in found
    ]
    columns = ("kind", "from", "to", "nodes", "such as")
    return _sheet(compared, columns, rows, [each.after for each in found], "largest moves", frozenset(columns[1:4]))


def _more(nodes: int, keys: tuple[object, ...]) -> str:
    return ", …" if keys and nodes > len(keys) else ""


def _overlaps(compared: Compared) -> Sheet:
    rows = [
        (each.kind, each.cluster, each.size, each.match, each.match_size, each.shared, f"{each.jaccard:.3f}")
        for each in compared.overlaps
    ]
    columns = ("kind", "cluster of 1", "size", "most like", "its size", "shared", "Jaccard")
    after = [each.after for each in compared.overlaps]
    return _sheet(compared, columns, rows, after, "clusters", frozenset(columns[1:]))


def _sheet(
    compared: Compared,
    columns: tuple[str, ...],
    rows: list[tuple[Any, ...]],
    after: list[str],
    title: str,
    right: frozenset[str],
) -> Sheet:
    """Return a table of the other runs against the first; where there are several others, with the number of each."""
    if len(compared.runs) == 2:
        return Sheet(columns, rows, title, right)
    number = {run.id: place for place, run in enumerate(compared.runs[1:], 2)}
    numbered = [(number[name], *row) for name, row in zip(after, rows, strict=True)]
    return Sheet(("run", *columns), numbered, f"{title}, against 1", right | {"run"})


def _data(compared: Compared) -> dict[str, Any]:
    return {
        "runs": [
            {"id": run.id, "property": run.property, "method": run.method, "n_clusters": run.n_clusters}
            for run in compared.runs
        ],
        "agreements": [asdict(each) for each in compared.agreements],
        "followers": [
            {"before": compared.runs[0].id, "after": run.id, "clusters": {str(two): one for two, one in each.items()}}
            for run, each in zip(compared.runs[1:], compared.followers, strict=True)
        ],
        "changes": [asdict(each) for each in compared.changes],
        "moves": [asdict(each) for each in compared.moves],
        "overlaps": [asdict(each) for each in compared.overlaps],
        "left_out": dict(compared.left_out),
    }


def _labels(compared: Compared) -> Iterator[tuple[object, ...]]:
    for kind in compared.kinds:
        having = [stage.labels[kind] for stage in compared.stages if kind in stage.labels]
        if not any(len(nodes) for nodes, _ in having):
            continue
        keys = pc.unique(pa.chunked_array([nodes.keys for nodes, _ in having if len(nodes)]))
        nodes = Nodes(kind, keys.take(pc.sort_indices(keys)))
        columns = [
            labels_before(nodes, *stage.labels[kind]).tolist() if kind in stage.labels else [UNPLACED] * len(nodes)
            for stage in compared.stages
        ]
        for key, *numbers in zip(nodes.keys.to_pylist(), *columns, strict=True):
            if any(number != UNPLACED for number in numbers):
                yield kind, key, *(None if number == UNPLACED else number for number in numbers)
