"""Progress bars on stderr, where somebody watches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from graphmine.progress import Progress, silent

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Draw what the work inside tells of its progress; nothing if quiet, or if stderr is no terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress as Bars, TaskProgressColumn, TextColumn, TimeElapsedColumn

    words = TextColumn("{task.description}", markup=False)  # a pattern may hold square brackets
    columns = words, BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=None)

        def draw(what: str, done: int, total: int | None = None) -> None:
            bars.update(task, description=what, completed=done, total=total)

        yield draw
