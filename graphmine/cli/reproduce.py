"""``graphmine reproduce``: a paper's experiment done again, our figures beside the paper's."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.errors import done_already
from graphmine.cli.options import Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
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
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Write NAME.json and NAME.png there, or NAME-quick.json and .png. Until all sets are done, what is done "
        "of them is in NAME.part.json, and an earlier result stays as it was.",
    ),
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
    stem = None if save is None else _stem(experiment, save, quick)
    show(reproduction_page(experiment, _done(experiment, quick, quiet, stem)), form)


def _stem(experiment: "Experiment", folder: str, quick: bool) -> Path:
    """Return the path to save to, without the suffix; a quick run never replaces a full one."""
    from graphmine.report.figures.style import check_picture

    if not folder or not Path(folder).is_dir():
        raise ParameterError(f"save must be a folder that exists, was {folder!r}")
    stem = Path(folder) / f"{experiment.name}{'-quick' if quick else ''}"
    check_picture(stem.with_suffix(".png"))
    return stem


def _done(experiment: "Experiment", quick: bool, quiet: bool, stem: Path | None) -> "Reproduction":
    """Run the experiment; save partial results after every set, and move them into place at the end."""
    from graphmine.experiments import reproduced
    from graphmine.experiments.records import write_reproduction

    part = None if stem is None else stem.with_suffix(".part.json")
    with ExitStack() as kept, progress_bar(quiet) as progress:
        for done in reproduced(experiment, quick=quick, progress=progress):
            if part is not None:
                write_reproduction(part, experiment, done)
                if len(done.tasks) == 1:
                    kept.enter_context(done_already(f"what is done of it is in {part}"))
        if stem is not None:
            _put_in_place(experiment, done, stem)
    return done


def _put_in_place(experiment: "Experiment", done: "Reproduction", stem: Path) -> None:
    """Draw the picture, then let it and the figures replace those of an earlier time."""
    from graphmine.report.reproduction.picture import draw_reproduction

    draw_reproduction(experiment, done, stem.with_suffix(".part.png"))
    for suffix in (".json", ".png"):
        stem.with_suffix(f".part{suffix}").replace(stem.with_suffix(suffix))
