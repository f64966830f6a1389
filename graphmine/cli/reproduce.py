"""``graphmine reproduce``: a paper's experiment done again, our figures beside the paper's."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.bars import bar
from graphmine.cli.commands import Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.experiments import Experiment, Reproduction

__all__ = ["app"]

app = typer.Typer()


def _names(incomplete: str) -> list[str]:
    from graphmine.experiments import EXPERIMENTS

    return [name for name in EXPERIMENTS if name.startswith(incomplete)]


Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Which experiment; without it, all are listed.", autocompletion=_names),
]
Quick = Annotated[bool, typer.Option("--quick", help="Small sets and few draws, in a minute: to see that it works.")]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Write NAME.json there, after every set, and at the end NAME.png."),
]


@command(app, "graphmine reproduce", "graphmine reproduce scm --quick --save .")
def reproduce(
    name: Name = None,
    quick: Quick = False,
    save: Save = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Do a paper's experiment again and show our figures beside the paper's.

    Every set goes through an embedded database of its own, which is gone afterwards. The data are looked for in
    GRAPHMINE_DATA, then in the user's cache; where they are missing, a sentence says where they can be had.
    """
    from graphmine.checks import check_choice
    from graphmine.experiments import EXPERIMENTS
    from graphmine.report.reproduction.tables import experiments_page, reproduction_page

    if name is None:
        show(experiments_page(EXPERIMENTS), form)
        return
    experiment = EXPERIMENTS[check_choice("experiment", name, EXPERIMENTS)]
    _check_folder(experiment, save)
    show(reproduction_page(experiment, _done(experiment, quick, quiet, save)), form)


def _check_folder(experiment: "Experiment", folder: Path | None) -> None:
    from graphmine.report.picture import check_picture

    if folder is not None:
        if not folder.is_dir():
            raise ParameterError(f"save must be a folder that exists, was {str(folder)!r}")
        check_picture(folder / f"{experiment.name}.png")


def _done(experiment: "Experiment", quick: bool, quiet: bool, folder: Path | None) -> "Reproduction":
    """Do the experiment, and save what is done of it after every set."""
    from graphmine.experiments import reproduced
    from graphmine.experiments.stored import write_reproduction
    from graphmine.report.reproduction.picture import draw_reproduction

    with bar(quiet) as progress:
        for done in reproduced(experiment, quick=quick, progress=progress):
            if folder is not None:
                write_reproduction(folder / f"{experiment.name}.json", experiment, done)
    if folder is not None:
        draw_reproduction(experiment, done, folder / f"{experiment.name}.png")
    return done
