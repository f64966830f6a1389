"""Several fits of one pull, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from graphmine.constraints.satisfaction import as_records
from graphmine.job import titles
from graphmine.report.page import Page, Sheet, fact, number, three_digits
from graphmine.report.pages.mine import plan_page
from graphmine.verbs.mine import Plan
from graphmine.verbs.mine_all import FitAgreement, Scored
from graphmine.verbs.result import Mined

__all__ = ["fits_page", "plans_page"]

_FITTING = ("constrain", "choose", "fit")
_MEASURES = ("nmi", "ami", "ari")


def fits_page(
    fits: Sequence[Mined], agreed: Sequence[FitAgreement], truth: str | None, scored: Sequence[Scored]
) -> Page:
    """Return what each fit gave, how far every two agree, and how far each agrees with known classes."""
    records = [_record(title, mined) for title, mined in zip(titles([each.job for each in fits]), fits, strict=True)]
    data = {
        "relations": [str(pattern) for pattern in fits[0].job.patterns],
        "filters": [str(each) for each in fits[0].job.filters],
        "seconds": {"pull": fits[0].seconds.get("pull")},
        "fits": records,
        "agreement": [asdict(each) for each in agreed],
        "truth": truth,
        "scores": [{**asdict(each), "scores": asdict(each.scores)} for each in scored],
    }
    parts: tuple[Sheet | str, ...] = (
        _fits(records),
        _agreement(agreed),
        *_scores(truth, scored),
        "\n".join(_facts(fits, records)),
    )
    columns = ("fit", "measure", "kind", "against", "nodes", "value")
    return Page(data, parts, Sheet(columns, list(_rows(records, agreed, truth, scored))))


def plans_page(plans: Sequence[Plan]) -> Page:
    """Return what each fit of a job would read, fit and write; what is read is read once."""
    pages = [plan_page(plan) for plan in plans]
    names = titles([plan.job for plan in plans])
    parts: list[Sheet | str] = [pages[0].parts[0]]
    for name, page in zip(names, pages, strict=True):
        parts += [fact("fit", name), *page.parts[1:]]
    data = [{"fit": name, **_mapping(page.data)} for name, page in zip(names, pages, strict=True)]
    rows = [(name, *row) for name, page in zip(names, pages, strict=True) for row in page.sheet.rows]
    return Page(data, tuple(parts), Sheet(("fit", *pages[0].sheet.columns), rows))


def _mapping(data: object) -> dict[str, Any]:
    assert isinstance(data, dict)  # a plan's page is one
    return data


def _record(title: str, mined: Mined) -> dict[str, Any]:
    job, clustering = mined.job, mined.clustering
    pairs = sum(each.pairs - each.unplaced for each in mined.met)
    return {
        "fit": title,
        "method": job.method,
        "parameters": mined.parameters,
        "seed": job.seed,
        "n_clusters": clustering.n_clusters,
        "objective": clustering.objective,
        **asdict(mined.quality),
        "rules": [str(rule) for rule in job.rules],
        "met": as_records(mined.met),
        "pairs": pairs,
        "share_met": sum(each.met for each in mined.met) / pairs if pairs else None,
        "converged": clustering.converged,
        "seconds": sum(mined.seconds.get(name, 0.0) for name in _FITTING),
        "run": mined.run and mined.run.id,
        "property": mined.run and mined.run.property,
    }


def _fits(records: Sequence[dict[str, Any]]) -> Sheet:
    ruled = any(each["rules"] for each in records)
    met = ("met",) if ruled else ()
    columns = ("fit", "method", "clusters", "objective", "cut", "modularity", *met, "converged")
    rows = []
    for each in records:
        told = (None if each["share_met"] is None else f"{each['share_met']:.1%}",) if ruled else ()
        numbers = (number(each[name]) for name in ("objective", "cut", "modularity"))
        converged = "yes" if each["converged"] else "no"
        rows.append((each["fit"], each["method"], each["n_clusters"], *numbers, *told, converged))
    return Sheet(columns, rows, "fits", right=frozenset(columns[2:-1]))


def _agreement(agreed: Sequence[FitAgreement]) -> Sheet:
    rows = [(each.fit, each.other, each.kind, three_digits(each.ami), three_digits(each.ari)) for each in agreed]
    columns = ("fit", "and", "kind", "ami", "ari")
    return Sheet(columns, rows, "how far they agree with each other", right=frozenset(columns[3:]))


def _scores(truth: str | None, scored: Sequence[Scored]) -> tuple[Sheet, ...]:
    if truth is None:
        return ()
    rows = [
        (
            each.fit,
            each.kind,
            _nodes(each),
            *(three_digits(getattr(each.scores, name)) for name in _MEASURES),
            each.scores.compared,
        )
        for each in scored
    ]
    columns = ("fit", "kind", "nodes", *_MEASURES, "compared")
    return (Sheet(columns, rows, f"how far they agree with {truth}", right=frozenset(columns[3:])),)


def _facts(fits: Sequence[Mined], records: Sequence[dict[str, Any]]) -> Iterator[str]:
    star = fits[0].star
    yield fact("pulled", ", ".join(f"{arm.name or arm}: {arm.nnz} pairs" for arm in star.arms))
    took = ", ".join(f"{each['fit']} {each['seconds']:.2f}" for each in records)
    yield fact("seconds", f"pull {fits[0].seconds.get('pull', 0.0):.2f}, {took}")
    for title, mined in zip(titles([each.job for each in fits]), fits, strict=True):
        for run in mined.levels or ((mined.run,) if mined.run else ()):
            yield fact("run", f"{run.id}, labels of {title} in {run.property!r}")
    if not any(mined.run for mined in fits):
        yield fact("run", "none: nothing was written, as no fit names a property to write")


def _rows(
    records: Sequence[dict[str, Any]], agreed: Sequence[FitAgreement], truth: str | None, scored: Sequence[Scored]
) -> Iterator[tuple[object, ...]]:
    """Give every number on a line of its own: of which fit it is, what it measures, and against what."""
    for each in records:
        for name in ("n_clusters", "objective", "cut", "modularity", "share_met", "converged", "seconds", "run"):
            yield each["fit"], name, None, None, None, each[name]
    for pair in agreed:
        for name in ("ami", "ari"):
            yield pair.fit, name, pair.kind, pair.other, "all", getattr(pair, name)
    for score in scored:
        for name in (*_MEASURES, "compared"):
            yield score.fit, name, score.kind, truth, _nodes(score), getattr(score.scores, name)


def _nodes(scored: Scored) -> str:
    return "unconstrained" if scored.unconstrained else "all"
