"""``graphmine constraints``: what rules make of a network, before any fit."""

from pathlib import Path
from typing import Annotated, Any

import typer

from graphmine.cli.bars import bar
from graphmine.cli.commands import Db, Format, FormatOption, Quiet, command
from graphmine.cli.mine import Clusters, Constrain, JobFile, Key, Relation, Where, given_only, read_clusters
from graphmine.cli.opening import opened
from graphmine.cli.output import show
from graphmine.cli.telling import warn
from graphmine.errors import ParameterError

__all__ = ["app"]

app = typer.Typer()

Truth = Annotated[str | None, typer.Option(metavar="PROPERTY", help="Known classes to hold the links against.")]
Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the links as .parquet or .json, for a rule 'file FILE'.")
]


@command(
    app,
    "graphmine constraints --relation 'Author-WROTE->Paper-IN->Conference' \\",
    "  --constrain 'must Author-WROTE->Paper<-WROTE-Author >= 3' --truth known_area",
    "graphmine constraints job.toml --format json",
)
def constraints(
    job: JobFile = None,
    relation: Relation = None,
    where: Where = None,
    key: Key = None,
    constrain: Constrain = None,
    n_clusters: Clusters = None,
    truth: Truth = None,
    save: Save = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show what rules say, before trusting them: how much, of whom, and how far the network agrees.

    Nothing is fitted and nothing is written to the database. What the columns mean stands in docs/constraints.md.
    """
    flags = {
        "relation": relation,
        "where": where,
        "key": key,
        "constrain": constrain,
        "n_clusters": read_clusters(n_clusters),
        "db": db,
    }
    _preview(_asked(job, given_only(flags)), truth, save, form, quiet)


def _preview(asked: dict[str, Any], truth: str | None, save: Path | None, form: Format, quiet: bool) -> None:
    from graphmine.constraints.saved import save_constraints
    from graphmine.report.constraints import preview_page
    from graphmine.verbs import preview

    with opened(asked.pop("db", None)) as store, bar(quiet) as progress:
        found = preview(store, asked.pop("relation"), asked.pop("constrain"), **asked, truth=truth, progress=progress)
    if save is not None:
        save_constraints(found.constraints, {nodes.kind: nodes for nodes in found.star.kinds}, save)
    show(preview_page(found), form)
    for sentence in (*found.conflicts, *found.crowded, *found.preview.warnings) if form is Format.CSV else ():
        warn(sentence)  # the table and the JSON say it themselves
    if found.conflicts:
        raise typer.Exit(3)


def _asked(path: Path | None, given: dict[str, Any]) -> dict[str, Any]:
    """Return what to look at: from the flags, or from a job file with the flags in place of its fields."""
    from graphmine.job import read_fields, read_keys, texts

    asked = {**(read_fields(path) if path else {}), **given}
    for name, flag in (("relation", "--relation 'Kind-TYPE->Kind'"), ("constrain", "--constrain 'RULE'")):
        if not asked.get(name):
            raise ParameterError(f"{name} is missing; say {flag}, or name a job file that has it")
    lists = {name: texts(name, asked.get(name, ())) for name in ("relation", "where", "constrain")}
    keys = read_keys(texts("key", asked.get("key", ())))
    return {**lists, "keys": keys, "n_clusters": _most(asked.get("n_clusters")), "db": asked.get("db")}


def _most(n_clusters: object) -> int | None:
    """Return the greatest number of clusters of a kind; None where it is not given, or left to the data."""
    from graphmine.methods.asked import AUTO
    from graphmine.methods.clusters import checked_clusters, most_clusters

    return None if n_clusters in (None, AUTO) else most_clusters(checked_clusters(n_clusters))
