"""What `mine` found, and what it would do."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Any

from graphmine.constraints.satisfaction import as_records
from graphmine.job import Job
from graphmine.model import UNPLACED
from graphmine.report.page import Page, Sheet, counted, fact
from graphmine.report.pages.constraints import met_parts
from graphmine.report.pages.quality import quality_facts
from graphmine.report.pages.selection import chosen_parts, figure_facts
from graphmine.report.pages.taxonomy import path_sheet, taxonomy_data, taxonomy_facts, tree_sheet
from graphmine.verbs.members import ClusterMembers, cluster_members, isolated, members_record
from graphmine.verbs.mine import Plan
from graphmine.verbs.result import Alignment, Mined
from graphmine.verbs.sequences import property_of

__all__ = ["mined_page", "plan_page"]


def mined_page(mined: Mined, top: int = 5) -> Page:
    """Return clusters with their sizes and top members, and everything that says how well it went.

    Of a taxonomy all branches are shown; what says how well it went is about its leaves.
    """
    clusters, tree = cluster_members(mined.star, mined.clustering, top), mined.taxonomy
    alone = isolated(mined.star)
    lines = "\n".join(_facts(mined, alone))
    links = met_parts(mined.met, mined.constraints.repeats)
    tried = chosen_parts(mined.parameters)
    data = _data(mined, clusters, alone)
    if tree is None:
        labels = Sheet(("kind", "key", "label"), _labels(mined))
        return Page(data | {"taxonomy": None}, (_clusters(clusters), *tried, *links, lines), labels)
    data |= {"taxonomy": taxonomy_data(mined, tree, top)}
    return Page(data, (tree_sheet(mined.star, tree, top), *links, lines), path_sheet(mined.star, tree))


def plan_page(plan: Plan) -> Page:
    """Return what a job would read, fit and write."""
    job = plan.job
    read = [("nodes", kind, count) for kind, count in plan.nodes.items()]
    read += [("relationships", type_, count) for type_, count in plan.relationships.items()]
    properties = repr(plan.written)
    if job.write is not None and job.hierarchy:
        properties += f", {property_of(job.write, 2)!r}, …"
    there = f"in {plan.written!r}" if job.hierarchy else "there"
    writes = [
        f"would write {properties} to the {plan.nodes[kind]} {kind} nodes, of which {held} hold a value {there} now"
        for kind, held in plan.writes.items()
    ]
    lines = [
        fact("would pull", ", ".join(map(str, job.patterns))),
        *(fact("would keep", str(each)) for each in job.filters),
        *(fact("would draw", str(each)) for each in job.rules),
        fact("would fit", f"{_method(job)} with seed {job.seed}"),
        *([] if plan.follows is None else [fact("would follow", f"the cluster numbers of run {plan.follows.id}")]),
        *(writes or ["would write nothing: no --write"]),
        "nothing was changed",
    ]
    data = {
        "relations": [str(pattern) for pattern in job.patterns],
        "filters": [str(each) for each in job.filters],
        "rules": [str(each) for each in job.rules],
        "method": job.method,
        "parameters": {"n_clusters": job.n_clusters, **job.param},
        "seed": job.seed,
        "reads": {"nodes": dict(plan.nodes), "relationships": dict(plan.relationships)},
        "hierarchy": job.hierarchy,
        "writes": {kind: {"property": plan.written, "values_now": held} for kind, held in plan.writes.items()},
        "overwrite": job.overwrite,
        "aligned_to": plan.follows and plan.follows.id,
    }
    columns = ("would read", "name", "count")
    rows = [(*row, None) for row in read] + [
        ("values now", kind, held, plan.written) for kind, held in plan.writes.items()
    ]
    sheet = Sheet(("what", "name", "count", "property"), rows)
    return Page(data, (Sheet(columns, read, right=frozenset({"count"})), "\n".join(lines)), sheet)


def _method(job: Job) -> str:
    if job.hierarchy:
        return f"a taxonomy of {job.n_clusters} leaves by {job.fitter_for(2)}"
    if not job.chooses:
        return str(job.fitter)
    return f"{job.method} with {', '.join(['k chosen from the data', *(f'{n}={v!r}' for n, v in job.param.items())])}"


def _clusters(clusters: list[ClusterMembers]) -> Sheet:
    rows = []
    for cluster, group in groupby(clusters, key=lambda part: part.cluster):
        for position, part in enumerate(group):
            members = ", ".join(str(member.key) for member in part.top)
            rows.append((None if position else cluster, part.kind, part.size, members))
    columns = ("cluster", "kind", "size", "top members")
    return Sheet(columns, rows, right=frozenset({"cluster", "size"}))


def _facts(mined: Mined, alone: Mapping[str, int]) -> Iterator[str]:
    good = mined.quality
    yield fact("pulled", ", ".join(f"{arm.name or arm}: {arm.nnz} pairs" for arm in mined.star.arms))
    yield from quality_facts(good)
    yield from figure_facts(mined.parameters)
    counts = (f"{kind} {count} ({alone[kind]} without links)" for kind, count in good.unplaced.items())
    yield fact("unplaced", ", ".join(counts))
    yield fact("seconds", ", ".join(f"{name} {seconds:.2f}" for name, seconds in mined.seconds.items()))
    if mined.taxonomy is not None:
        yield from taxonomy_facts(mined, mined.taxonomy)
    if mined.alignment is not None:
        yield fact("numbers", _numbers(mined.alignment))
    if mined.run is None:
        yield fact("run", "none: nothing was written, as there is no --write")
        return
    for name in ("gone", "changed"):
        yield fact(name, ", ".join(f"{kind} {counts[name]}" for kind, counts in mined.run.counts.items()))
    yield fact("run", f"{mined.run.id}, labels in {mined.run.property!r}")


def _numbers(alignment: Alignment) -> str:
    clusters = f"follow run {alignment.run}: {alignment.followed} of {counted(alignment.clusters, 'cluster')}"
    if not alignment.nodes:
        return f"{clusters}, as no node has a cluster in both"
    return f"{clusters}, {alignment.kept} of {counted(alignment.nodes, 'node')} keep theirs"


def _data(mined: Mined, clusters: list[ClusterMembers], alone: Mapping[str, int]) -> dict[str, Any]:
    job, star, clustering, run = mined.job, mined.star, mined.clustering, mined.run
    return {
        "relations": [
            {"pattern": arm.name, "rows": arm.rows.kind, "cols": arm.cols.kind, "pairs": arm.nnz, "weight": weight}
            for arm, weight in zip(star.arms, star.weights, strict=True)
        ],
        "filters": [str(each) for each in job.filters],
        "constraints": {
            "rules": [str(each) for each in job.rules],
            "on_conflict": job.on_conflict,
            "given_up": mined.given_up,
            "repeats": sorted(mined.constraints.repeats),
            "met": as_records(mined.met),
        },
        "method": job.method,
        "parameters": mined.parameters,
        "seed": job.seed,
        "n_clusters": clustering.n_clusters,
        "converged": clustering.converged,
        "objective": clustering.objective,
        "cut": mined.quality.cut,
        "modularity": mined.quality.modularity,
        "kinds": {
            nodes.kind: {
                "nodes": len(nodes),
                "isolated": alone[nodes.kind],
                "unplaced": mined.quality.unplaced[nodes.kind],
                "balance": mined.quality.balance[nodes.kind],
            }
            for nodes in star.kinds
        },
        "clusters": [
            {"cluster": cluster, "kinds": {part.kind: members_record(part) for part in group}}
            for cluster, group in groupby(clusters, key=lambda part: part.cluster)
        ],
        "aligned": mined.alignment and asdict(mined.alignment),
        "seconds": dict(mined.seconds),
        "run": run and {"id": run.id, "property": run.property, "state": run.state, "counts": run.counts},
    }


def _labels(mined: Mined) -> Iterator[tuple[str, str | int, int | None]]:
    for nodes in mined.star.kinds:
        labels = mined.clustering.labels[nodes.kind].tolist()
        for key, label in zip(nodes.keys.to_pylist(), labels, strict=True):
            yield nodes.kind, key, None if label == UNPLACED else label
