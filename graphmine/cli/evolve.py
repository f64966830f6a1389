"""``graphmine evolve``: one clustering a snapshot, each remembering the one before; and what became of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmine.cli import job_options, runs
from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already, warn
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.verbs.evolve import Evolved

__all__ = ["app"]

app = typer.Typer()

JobFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="JOB.toml",
        help="A file with the fields of a job for `graphmine mine`, and by, window, step, since, until and memory, "
        "which mean what the flags do.",
    ),
]
By = Annotated[str | None, typer.Option(metavar="KIND.PROPERTY", help="The property that holds the time: a number.")]
WindowOption = Annotated[
    str | None,
    typer.Option(metavar="NUMBER|all", help="How many units of time a snapshot covers; all for all so far; else 1."),
]
Step = Annotated[int | None, typer.Option(metavar="NUMBER", help="How many units lie between two snapshots; else 1.")]
Since = Annotated[int | None, typer.Option(metavar="NUMBER", help="The first unit of time; else the first there is.")]
Until = Annotated[int | None, typer.Option(metavar="NUMBER", help="The last unit of time; else the last there is.")]
Memory = Annotated[
    float | None,
    typer.Option(
        metavar="WEIGHT",
        help="How much a node's cluster in the snapshot before weighs; 0 for none, else .5.",
    ),
]
Top = Annotated[int, typer.Option(min=0, metavar="NUMBER", help="How many of the largest moves to show.")]
Evolution = Annotated[
    str, typer.Argument(metavar="EVOLUTION", help="The name of an evolution, the beginning of one, or 'last'.")
]
Sequence = Annotated[
    str,
    typer.Argument(metavar="SEQUENCE", help="The name of an evolution or a taxonomy, the beginning of one, or 'last'."),
]
KindOption = Annotated[str | None, typer.Option(metavar="KIND", help="Only the nodes of this kind.")]


@command(
    app,
    "graphmine evolve --relation 'Author-WROTE->Paper-IN->Conference' --by Paper.year --since 2006 --until 2025 \\",
    "  --window 10 --step 10 --method scm -k 3 --write topic",
    "graphmine evolve job.toml --by Paper.year --since 2006 --until 2025 --window 10 --step 5 --memory 0",
)
def evolve(
    job: JobFile = None,
    relation: job_options.Relation = None,
    by: By = None,
    window: WindowOption = None,
    step: Step = None,
    since: Since = None,
    until: Until = None,
    memory: Memory = None,
    where: job_options.Where = None,
    key: job_options.Key = None,
    constrain: job_options.Constrain = None,
    on_conflict: job_options.OnConflict = None,
    method: job_options.MethodName = None,
    n_clusters: job_options.Clusters = None,
    seed: job_options.Seed = None,
    param: job_options.Param = None,
    write: job_options.Write = None,
    overwrite: job_options.Overwrite = None,
    top: Top = 5,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Cluster snapshots of a network in time, each of which remembers the one before.

    With --write area, the snapshot 2005 goes to the property area_2005. Clusters keep their numbers. Said again, it
    goes on where it stopped, or adds what is new; a run that was interrupted while it was being written has to be
    ended first, by `runs resume` or `runs undo`. docs/evolution.md shows it.
    """
    flags: dict[str, Any] = {
        "relation": relation, "by": by, "window": _window(window), "step": step, "since": since, "until": until,
        "memory": memory, "where": where, "key": key, "constrain": constrain, "on_conflict": on_conflict,
        "method": method, "n_clusters": job_options.read_clusters(n_clusters), "seed": seed,
        "param": job_options.read_parameters(param), "write": write, "overwrite": overwrite, "db": db,
    }  # fmt: skip
    _evolve(job, job_options.given_only(flags), form, quiet, top)


@command(runs.app, "graphmine runs flow last", "graphmine runs flow last --kind Author --format csv")
def flow(evolution: Evolution, kind: KindOption = None, db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """Count the nodes that went from cluster to cluster in an evolution.

    From what stands in its properties now; a node without a cluster before is new, one without a cluster after gone.
    """
    from graphmine.report.pages.evolve import flow_page
    from graphmine.verbs.flow import flow as flow_of

    with open_database(db) as store:
        page = flow_page(flow_of(store, evolution, kind))
    show(page, form)


@command(runs.app, "graphmine runs unwind last")
def unwind(sequence: Sequence, db: Db = None, form: FormatOption = Format.TABLE, quiet: Quiet = False) -> None:
    """Undo all runs of an evolution or of a taxonomy, the last first.

    Those that were interrupted are undone as well.
    """
    from graphmine.report.pages.evolve import unwound_page
    from graphmine.verbs.sequences import unwind as take_back

    with open_database(db, write=True, unwinding=sequence) as store, progress_bar(quiet) as progress:
        undone = take_back(store, sequence, progress=progress)
    with done_already(f"{len(undone)} runs are undone all the same"):
        show(unwound_page(undone), form)


def _evolve(path: Path | None, given: dict[str, Any], form: Format, quiet: bool, top: int) -> None:
    from graphmine.report.pages.evolve import evolved_page
    from graphmine.verbs.evolve import evolve, read_evolution

    job, cut = read_evolution(path, **given)
    with open_database(job.db, write=job.write is not None) as store, progress_bar(quiet) as progress:
        evolved = evolve(store, job, **cut, progress=progress)
    _warn(evolved)
    with done_already(f"what is complete of {evolved.name} stays written" if job.write else "nothing was written"):
        show(evolved_page(evolved, top), form)


def _warn(evolved: "Evolved") -> None:
    for name, why in evolved.skipped.items():
        warn(f"snapshot {name} was skipped: {why}")
    for stage in evolved.stages:
        if not stage.converged and not stage.kept:
            warn(
                f"{evolved.job.method} stopped before it converged on snapshot {stage.name}; take its labels with care"
            )
    if evolved.timeline.left_over is not None:
        warn(f"what is after {evolved.timeline.left_over} is in no snapshot, as another step would go beyond the end")


def _window(text: str | None) -> int | str | None:
    if text is None or text == "all":
        return text
    try:
        return int(text)
    except ValueError:
        raise ParameterError(f"window must be a whole number of at least 1, or all, was {text!r}") from None
