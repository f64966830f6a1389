"""Files that appear whole or not at all."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["placing"]


@contextmanager
def placing(path: str | Path) -> Iterator[Path]:
    """Yield a path beside a file to write to; what is written there replaces the file when all went well.

    Whatever ends the writing before that, a full disk or Ctrl-C, leaves what was there before, and nothing half done.
    A folder may be made of the name as well; its files then go into the folder of the path, one by one.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with placing(Path(folder, "a.txt")) as there:
    ...         there.write_text("whole") and None
    ...     [each.name for each in Path(folder).iterdir()]
    ['a.txt']
    """
    path = Path(path)
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield aside
        if aside.is_dir() and path.is_dir():
            for file in sorted(aside.iterdir()):
                os.replace(file, path / file.name)
            aside.rmdir()
        else:
            os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            if aside.is_dir():
                shutil.rmtree(aside)
            else:
                aside.unlink(missing_ok=True)
        raise
