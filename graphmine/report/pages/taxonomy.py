"""A taxonomy as a tree: sizes and top members of each branch, and the path of each node."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphmine.methods.taxonomy.taxonomy import Branch, Taxonomy
from graphmine.model import UNPLACED, Clustering, Star
from graphmine.report.page import Sheet, counted, fact, number
from graphmine.verbs.members import ClusterMembers, cluster_members, members_record
from graphmine.verbs.result import Mined

__all__ = ["path_sheet", "taxonomy_data", "taxonomy_facts", "tree_sheet"]

_Parts = dict[tuple[int, int], list[ClusterMembers]]


def tree_sheet(star: Star, taxonomy: Taxonomy, top: int) -> Sheet:
    """Return every branch under the one it came of, one row for each kind, with the objective of its split."""
    found, rows = _parts_of(star, taxonomy, top), []
    for branch, head, rest in _drawn(taxonomy.root):
        split = None if branch.split is None else number(branch.split.objective)
        for place, part in enumerate(found[branch.level, branch.number]):
            members = ", ".join(str(member.key) for member in part.top)
            rows.append((rest if place else head, None if place else split, part.kind, part.size, members))
    columns = ("branch", "objective", "kind", "size", "top members")
    return Sheet(columns, rows, right=frozenset({"objective", "size"}))


def path_sheet(star: Star, taxonomy: Taxonomy) -> Sheet:
    """Return the labels of every node from the first level down, and that of its leaf."""
    names = tuple(f"level_{level}" for level in range(1, len(taxonomy.levels) + 1))
    return Sheet(("kind", "key", *names, "label"), _paths(star, taxonomy))


def taxonomy_facts(mined: Mined, taxonomy: Taxonomy) -> Iterator[str]:
    """Say how many clusters the levels have, and where they were written."""
    *above, leaves = (level.n_clusters for level in taxonomy.levels)
    yield fact("levels", ", ".join([*map(str, above), counted(leaves, "cluster")]))
    if not mined.levels:
        return
    properties = [run.property for run in mined.levels]
    if mined.kept:
        yield fact("kept", f"{', '.join(properties[: mined.kept])}: on record already, not written again")
    yield fact("taxonomy", f"{mined.levels[0].parameters['taxonomy']}, labels in {', '.join(properties)}")


def taxonomy_data(mined: Mined, taxonomy: Taxonomy, top: int) -> dict[str, Any]:
    """Return a taxonomy as plain values, each branch within the one it came of."""
    found = _parts_of(mined.star, taxonomy, top)
    runs = mined.levels or (None,) * len(taxonomy.levels)
    return {
        "name": mined.levels[0].parameters["taxonomy"] if mined.levels else None,
        "kept": mined.kept,
        "levels": [
            {
                "level": place,
                "clusters": level.n_clusters,
                "run": run and {"id": run.id, "property": run.property, "state": run.state, "counts": run.counts},
            }
            for place, (level, run) in enumerate(zip(taxonomy.levels, runs, strict=True), start=1)
        ],
        "root": _branch_data(taxonomy.root, found),
    }


def _branch_data(branch: Branch, found: _Parts) -> dict[str, Any]:
    split = branch.split
    return {
        "cluster": branch.number,
        "level": branch.level,
        "objective": split and split.objective,
        "converged": split and split.converged,
        "kinds": {part.kind: members_record(part) for part in found[branch.level, branch.number]},
        "children": [_branch_data(child, found) for child in branch.children],
    }


def _parts_of(star: Star, taxonomy: Taxonomy, top: int) -> _Parts:
    """Return the nodes of each branch, kind by kind, by its level and number."""
    placed = {kind: np.where(each == UNPLACED, UNPLACED, 0) for kind, each in taxonomy.levels[0].labels.items()}
    found: _Parts = {}
    for level, clustering in enumerate([Clustering(placed), *taxonomy.levels]):
        for part in cluster_members(star, clustering, top):
            found.setdefault((level, part.cluster), []).append(part)
    return found


def _drawn(root: Branch) -> Iterator[tuple[Branch, str, str]]:
    """Give each branch with what stands before its first row, and before the others."""
    waiting = [(root, "all", "")]
    while waiting:
        branch, head, lead = waiting.pop()
        yield branch, head, lead + ("│" if branch.children else "")
        for last, child in zip((True, False), reversed(branch.children), strict=False):
            corner, bar = ("└─ ", "   ") if last else ("├─ ", "│  ")
            waiting.append((child, f"{lead}{corner}{child.number}", lead + bar))


def _paths(star: Star, taxonomy: Taxonomy) -> Iterator[tuple[object, ...]]:
    for nodes in star.kinds:
        levels = [level.labels[nodes.kind].tolist() for level in taxonomy.levels]
        for key, *path in zip(nodes.keys.to_pylist(), *levels, strict=True):
            shown = [None if label == UNPLACED else label for label in path]
            yield (nodes.kind, key, *shown, shown[-1])
