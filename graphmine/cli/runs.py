"""``graphmine runs``: what was written into a database, and taking it back."""

from typing import Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already
from graphmine.cli.options import Db, Format, FormatOption, NamedRun, Quiet, RunName, command, examples
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar

__all__ = ["app"]

Force = Annotated[bool, typer.Option("--force", help="Even if a living process seems to be writing the run.")]

Most = Annotated[int, typer.Option(min=1, max=10**9, metavar="NUMBER", help="How many to list.")]
WriteCounts = Annotated[
    str | None,
    typer.Option(
        "--write", metavar="PROPERTY", help="Write on each node how many of its links are broken, as a run of its own."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace values that graphmine did not write.")]

OfRule = Annotated[str | None, typer.Option("--rule", metavar="NAME", help="Only the links of this rule.")]
LeastTrusted = Annotated[bool, typer.Option("--least-trusted", help="The least trusted first; else rule by rule.")]

app = typer.Typer(
    help="See what was written, undo it, or end what was interrupted.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples("graphmine runs list", "graphmine runs undo last"),
)


@command(app, "graphmine runs list", "graphmine runs list --format csv", name="list")
def list_(db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """List every run on record, the oldest first."""
    from graphmine.exchange.runs import list_runs
    from graphmine.report.pages.runs import runs_page

    with open_database(db) as store:
        page = runs_page(list_runs(store))
    show(page, form)


@command(app, "graphmine runs show last", "graphmine runs show area --format json", name="show")
def show_(run: NamedRun, db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """Show everything on record of one run."""
    from graphmine.exchange.runs import find_named
    from graphmine.report.pages.runs import run_page

    with open_database(db) as store:
        page = run_page(find_named(store, run))
    show(page, form)


@command(app, "graphmine runs undo last")
def undo(
    run: RunName, force: Force = False, db: Db = None, form: FormatOption = Format.TABLE, quiet: Quiet = False
) -> None:
    """Put back what stood in the property before a run.

    Values that somebody has changed since are left alone and counted.
    """
    from graphmine.exchange.push import undo as take_back
    from graphmine.report.pages.runs import ended_page

    with open_database(db, write=True, ending=run) as store, progress_bar(quiet) as progress:
        ended = take_back(store, run, force=force, progress=progress)
    with done_already(f"run {ended.id} is undone all the same"):
        show(ended_page(ended, "is undone: what stood there before is back"), form)


@command(app, "graphmine runs resume last")
def resume(
    run: RunName, force: Force = False, db: Db = None, form: FormatOption = Format.TABLE, quiet: Quiet = False
) -> None:
    """Bring an interrupted run to its end.

    A run that had not begun to change anything is forgotten instead.
    """
    from graphmine.exchange.push import resume as go_on
    from graphmine.report.pages.runs import ended_page

    with open_database(db, write=True, ending=run) as store, progress_bar(quiet) as progress:
        ended = go_on(store, run, force=force, progress=progress)
    forgotten = "had not begun to change anything and was forgotten; mine again"
    with done_already(f"run {ended.id} is {ended.state} all the same"):
        show(ended_page(ended, "is complete" if ended.state == "complete" else forgotten), form)


@command(
    app,
    "graphmine runs broken last",
    "graphmine runs broken last --most 100000 --format csv",
    "graphmine runs broken last --write area_broken",
)
def broken(
    run: NamedRun,
    most: Most = 100,
    write: WriteCounts = None,
    overwrite: Overwrite = False,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """List the constraints that a run did not meet.

    Its rules are drawn again, from the network as it is now.
    """
    from graphmine.report.pages.constraints import broken_page
    from graphmine.report.pages.runs import ended_page
    from graphmine.verbs.constrain import broken as find_broken, write_broken

    with open_database(db, write=write is not None) as store, progress_bar(quiet) as progress:
        if write is None:
            found, nodes, constraints = find_broken(store, run, most)
            page = broken_page(found, nodes, constraints.rules)
        else:
            written = write_broken(store, run, write, overwrite=overwrite, progress=progress)
            page = ended_page(written, "is complete: how many links of a node are broken")
    show(page, form)


@command(
    app,
    "graphmine runs links last",
    "graphmine runs links last --least-trusted --most 20",
    "graphmine runs links last --rule 'must Author-WROTE->Paper<-WROTE-Author' --most 1000000 --format csv",
)
def links(
    run: NamedRun,
    rule: OfRule = None,
    least_trusted: LeastTrusted = False,
    most: Most = 100,
    db: Db = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the links of a run, how far its method trusts each, and whether it is met.

    That is on record for methods that judge links; a group is one link, told by its first few keys.
    """
    from graphmine.report.pages.constraints import links_page
    from graphmine.verbs.constrain import link_trust

    with open_database(db) as store:
        page = links_page(link_trust(store, run, rule), most, least_trusted=least_trusted)
    show(page, form)
