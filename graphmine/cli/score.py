"""``graphmine score``: how well a run agrees with what is known."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import warn
from graphmine.cli.options import Db, Format, FormatOption, NamedRun, command
from graphmine.cli.output import show
from graphmine.errors import GraphmineError

if TYPE_CHECKING:
    from graphmine.metrics import Scores

__all__ = ["app"]

app = typer.Typer()

Truth = Annotated[str, typer.Option(metavar="PROPERTY", help="The node property that holds the known classes.")]


@command(app, "graphmine score last --truth known_area", "graphmine score area --truth known_area --format json")
def score(run: NamedRun, truth: Truth, db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """Compare the labels of a run with known classes.

    NMI, AMI, ARI, purity and accuracy, kind by kind; nodes without a label or a class are left out and counted. For a
    run with constraints also on those nodes alone that no rule names.
    """
    from graphmine.exchange.runs import find_named
    from graphmine.report.pages.score import scores_page
    from graphmine.verbs.score import score as compare

    with open_database(db) as store:
        found = find_named(store, run, clusters=True)
        scores = compare(store, found, truth)
        free: dict[str, Scores] = {}
        if found.constraints:
            try:
                free = compare(store, found, truth, unconstrained=True)
            except GraphmineError as error:
                warn(f"how well unconstrained nodes agree can not be told: {error}")
    page = scores_page(found.id, truth, scores, free)
    show(page, form)
