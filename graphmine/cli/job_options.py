"""The flags of commands that take a job, each for one of its fields, and the job that they or a file make."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.job import Job
    from graphmine.methods.n_clusters import RequestedClusters

__all__ = [
    "Align",
    "Clusters",
    "Constrain",
    "Hierarchy",
    "JobFile",
    "Key",
    "MethodName",
    "OnConflict",
    "Overwrite",
    "Param",
    "Relation",
    "Seed",
    "Where",
    "Write",
    "given_only",
    "read_clusters",
    "read_job_or_flags",
    "read_jobs_or_flags",
    "read_parameters",
]


def _method_names(incomplete: str) -> list[str]:
    from graphmine.methods.catalog import CATALOG

    return [name for name in CATALOG if name.startswith(incomplete)]


def _ways_out(incomplete: str) -> list[str]:
    from graphmine.closure.resolve import RESOLUTIONS

    return [name for name in RESOLUTIONS if name.startswith(incomplete)]


JobFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="JOB.toml",
        help="A file with the fields relation, where, key, constrain, on_conflict, method, n_clusters, seed, param, "
        "hierarchy, write, overwrite, align, name and db, which mean what the flags do; the other flags are no fields. "
        "[[fit]] tables in it are fits to compare. docs/jobs.md has it all.",
    ),
]
Relation = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="As in 'Author-WROTE->Paper-IN->Conference'; several make a star."),
]
Where = Annotated[list[str] | None, typer.Option(metavar="FILTER", help="As in 'Paper.year >= 2000'. Repeatable.")]
Key = Annotated[
    list[str] | None,
    typer.Option(metavar="KIND.PROPERTY", help="What names the nodes, where the database does not say. Repeatable."),
]
Constrain = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="As in 'must Author-WROTE->Paper<-WROTE-Author >= 3; weight 2' or 'known Author.area; fraction 0.1'; "
        "docs/constraints.md has them all. Repeatable.",
    ),
]
OnConflict = Annotated[
    str | None,
    typer.Option(
        metavar="error|drop-cannot|drop-must|weaken",
        help="What gives way where hard links contradict each other; error without it.",
        autocompletion=_ways_out,
    ),
]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="NAME", help="One of `graphmine methods`; loom without it.", autocompletion=_method_names
    ),
]
Clusters = Annotated[
    list[str] | None,
    typer.Option(
        "--n-clusters",
        "-k",
        metavar="NUMBER|auto|KIND=NUMBER",
        help="How many clusters; auto chooses it from the data. For a number for each kind, repeat it: "
        "-k Author=4 -k Venue=3.",
    ),
]
Seed = Annotated[int | None, typer.Option(metavar="NUMBER", help="The same seed gives the same labels; 0 without it.")]
Param = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="Another parameter of the method. Repeatable.")
]
Hierarchy = Annotated[
    bool | None,
    typer.Option(
        "--hierarchy/--no-hierarchy",
        help="Split in two, then the heaviest part again, into -k leaves: a taxonomy; --write topic then writes a "
        "property for each level, topic_1, topic_2, ….",
    ),
]
Write = Annotated[
    str | None, typer.Option(metavar="PROPERTY", help="Write the labels to this node property; else nothing is.")
]
Overwrite = Annotated[
    bool | None, typer.Option("--overwrite/--no-overwrite", help="Replace values that graphmine did not write.")
]
Align = Annotated[
    str | None,
    typer.Option(
        metavar="RUN|none",
        help="Number the clusters as in this run, by most nodes in common; none for as they come. Without it, as in "
        "the last complete run of the property that --write names.",
    ),
]


def read_jobs_or_flags(path: Path | None, given: dict[str, Any]) -> "list[Job]":
    """Return the jobs that a file holds, with the flags in place of their fields, or the one that flags make."""
    from graphmine.job import read_jobs

    return [read_job_or_flags(None, given)] if path is None else read_jobs(path, **given)


def read_job_or_flags(path: Path | None, given: dict[str, Any]) -> "Job":
    """Return the job that flags make, or that a file holds with the flags in place of its fields."""
    from graphmine.job import Job, read_job

    if path is not None:
        return read_job(path, **given)
    for name, flag in (("relation", "--relation 'Kind-TYPE->Kind'"), ("n_clusters", "-k NUMBER or -k auto")):
        if name not in given:
            raise ParameterError(f"{name} is missing; say {flag}, or name a job file")
    return Job(**given)


def read_clusters(given: list[str] | None) -> "RequestedClusters | None":
    """Read how many clusters are asked for; None where nothing is."""
    from graphmine.methods.n_clusters import read_clusters

    return read_clusters(given) if given else None


def given_only(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags that were given."""
    return {name: value for name, value in flags.items() if value not in (None, [], {})}


def read_parameters(given: list[str] | None) -> dict[str, object]:
    """Read ``name=value``; a value is a number, true, false or a list as in JSON, else text."""
    values: dict[str, object] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ParameterError(f"--param {text!r} can not be read; write it as name=value")
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return values
