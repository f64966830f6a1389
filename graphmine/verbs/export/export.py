"""A run as files that other tools read."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from graphmine.checks import check_choice, nearest
from graphmine.errors import ParameterError
from graphmine.files import placing
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.export.contents import Contents, contents_of
from graphmine.verbs.export.formats import FOLDERS, LABELS, WHOLE, file_names
from graphmine.verbs.recall import Recalled, Result, recall

__all__ = ["FORMATS", "Exported", "check_export", "export"]

FORMATS = ("csv", "parquet", "graphml", "json")


@dataclass(frozen=True)
class Exported:
    """What was written.

    Parameters
    ----------
    path, form
        Where to, and in which format.
    nodes, links
        How many nodes of each kind, and how many links of each relation; none of a file with labels alone.
    files
        Of a folder, the file of each kind and each relation, by the name that ``graphmine load`` takes for it.
    recalled
        The run that was brought back for it, if it was.
    """

    path: Path
    form: str
    nodes: Mapping[str, int]
    links: Mapping[str, int]
    files: Mapping[str, str] = field(default_factory=dict)
    recalled: Recalled | None = None


def export(
    source: Store | Result,
    path: str | Path,
    *,
    run: str = "last",
    form: str | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Exported:
    """Write the nodes of a run with their clusters, and its links, to a file or a folder.

    Parameters
    ----------
    source
        A database, whose nodes come with all their properties; or what `recall` or `mine` returned, or a star and a
        clustering.
    path
        A ``.graphml`` or ``.json`` file for nodes and links; a ``.csv`` or ``.parquet`` file for labels alone; a folder
        for a CSV or Parquet file a kind and a relation, which ``graphmine load`` reads again.
    run
        Which run of a database.
    form
        ``csv``, ``parquet``, ``graphml`` or ``json``, where the path does not say it; ``csv`` for a folder.
    overwrite
        Whether files that are there may be replaced. Other files in a folder are left alone.

    Notes
    -----
    What is written appears whole or not at all.
    """
    path = Path(path)
    chosen, is_folder = check_export(path, form, overwrite=overwrite)
    here = Path(str(getattr(source, "name", "")))  # of a server it names no file
    if path.is_file() and here.is_file() and path.samefile(here):
        raise ParameterError(f"output {str(path)!r} is the database itself; name another")
    recalled = recall(cast("Store", source), run, progress=progress) if hasattr(source, "reading") else None
    out = contents_of(recalled, cast("Store", source)) if recalled else contents_of(cast("Result", source))
    labels_alone = not is_folder and chosen in LABELS
    write = FOLDERS[chosen] if is_folder else LABELS[chosen] if labels_alone else WHOLE[chosen]
    with placing(path) as there:
        write(out, there)
        if chosen == "csv" and labels_alone and out.record is not None:
            with placing(_beside(path)) as beside:
                beside.write_text(json.dumps(out.record, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
    return Exported(
        path,
        chosen,
        {kind: len(nodes) for kind, nodes in out.nodes.items()},
        {} if labels_alone else _counts(out),
        file_names(out, f".{chosen}") if is_folder else {},
        recalled,
    )


def check_export(path: Path, form: str | None, *, overwrite: bool = False) -> tuple[str, bool]:
    """Return the format, and whether it is a folder; refuse what can not be written, before anything is read."""
    suffix = path.suffix[1:].lower()
    if str(path) == "-":
        raise ParameterError("an export can not go to stdout; name a file or a folder")
    if form is not None:
        check_choice("as", form, FORMATS)
    is_folder = path.is_dir() or (suffix not in FORMATS and form in (None, *FOLDERS))
    if suffix and form is None and suffix not in FORMATS and not path.is_dir():
        known = ", ".join(f".{each}" for each in FORMATS)
        hint = nearest(suffix, FORMATS)
        raise ParameterError(
            f"output must end in {known}, or be a folder, was {str(path)!r}{hint}; say what it is with `form=`"
        )
    chosen = form or (suffix if suffix in FORMATS and not is_folder else "csv")
    if is_folder and chosen not in FOLDERS:
        raise ParameterError(f"{str(path)!r} is a folder, and {chosen} is one file; name the file")
    if not is_folder and suffix in FORMATS and suffix != chosen:
        raise ParameterError(f"output {str(path)!r} ends in .{suffix}, and `form=` says {chosen}; name one of them")
    _check_place(path, is_folder, overwrite=overwrite)
    if chosen == "csv" and not is_folder:
        _check_place(_beside(path), False, overwrite=overwrite)
    return chosen, is_folder


def _check_place(path: Path, is_folder: bool, *, overwrite: bool) -> None:
    parent = path.absolute().parent
    if not parent.is_dir():
        raise ParameterError(f"output {str(path)!r}: its folder does not exist")
    exists = path.exists() or path.is_symlink()
    if exists and not (path.is_dir() if is_folder else path.is_file()):
        raise ParameterError(f"output {str(path)!r} can not be written there: something else is in its place")
    if not os.access(parent, os.W_OK) or (exists and not os.access(path, os.W_OK)):
        raise ParameterError(f"output {str(path)!r} can not be written there")
    if exists and not overwrite and not (is_folder and not any(path.iterdir())):
        what = "is a folder that holds files" if is_folder else "is there already"
        raise ParameterError(f"output {str(path)!r} {what}; say `overwrite=True` to replace it, or name another")


def _beside(path: Path) -> Path:
    """Return where the record of a run goes that is exported as labels alone."""
    return path.with_name(f"{path.stem}.run.json")


def _counts(out: Contents) -> dict[str, int]:
    return {links.name: links.arm.nnz // 2 if links.arm.of_one_kind else links.arm.nnz for links in out.relations}
