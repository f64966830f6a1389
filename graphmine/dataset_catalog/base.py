"""What a set is called, what it holds, which options its reader has, and where it is looked for.

Nothing here imports more than the standard library, so that help and completion of ``graphmine load`` are quick.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Dataset", "Option", "folders"]

_SUFFIXES = (".tar.xz", ".tar.gz", ".tgz")


@dataclass(frozen=True)
class Option:
    """One option of a set: a parameter of its reader, and a flag of ``graphmine load``.

    Parameters
    ----------
    help, metavar
        For the help of the command.
    takes
        The type of one value.
    default
        What the reader takes without it; None is nothing, all or what the help says.
    several
        Whether it may be given more than once, and is a list in Python.
    choices
        The only values it takes, if they are few; completed by the shell, and checked by the reader.
    """

    help: str
    metavar: str = "NUMBER"
    takes: type[int] | type[float] | type[str] = int
    default: int | float | str | None = None
    several: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """A network that can be loaded by its name.

    Parameters
    ----------
    name
        As in ``graphmine load NAME``; that of the archive, too, if it has one.
    title, about
        What it is: a sentence for a list, and what else somebody who wants to mine it should know.
    reader
        The module of `graphmine.datasets` and the function in it that reads it.
    nodes, relationships
        How many of each kind and relation it holds when it is read without options.
    truth
        The properties that say what is known: ``Kind.property``.
    source
        Where it can be had; empty for one that comes with graphmine.
    options
        What its reader can be told, by name.
    examples
        Commands that load it.
    """

    name: str
    title: str
    about: str
    reader: str
    nodes: Mapping[str, int]
    relationships: Mapping[str, int] = field(default_factory=dict)
    truth: tuple[str, ...] = ()
    source: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    examples: tuple[str, ...] = ()

    @property
    def built_in(self) -> bool:
        """Whether it comes with graphmine."""
        return not self.source

    @property
    def path(self) -> Path | None:
        """Where its archive is, None if it is nowhere; None for what comes with graphmine, which needs none."""
        if self.built_in:
            return None
        paths = (folder / f"{self.name}{suffix}" for folder in folders() for suffix in _SUFFIXES)
        return next((path for path in paths if path.is_file()), None)

    @property
    def here(self) -> bool:
        """Whether it can be loaded."""
        return self.built_in or self.path is not None

    @property
    def how_to_get(self) -> str:
        """What to do to have it here."""
        looked = " or ".join(map(str, folders()))
        return f"get {self.source} and put it as {self.name}.tar.xz or {self.name}.tar.gz into {looked}"


def folders() -> list[Path]:
    """Return the folders where archives are looked for: ``$GRAPHMINE_DATA`` if it is set, then the user's cache."""
    given = os.environ.get("GRAPHMINE_DATA")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphmine"
    return [Path(given), cache] if given else [cache]
