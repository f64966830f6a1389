"""A package whose names are imported on first use."""

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package whose stub beside it lists its names as imports.

    Type checkers and editors read the stub as it is. No name may be that of a module of the package.

    >>> import graphmine
    >>> __getattr__, __dir__, __all__ = lazy_names("graphmine", graphmine.__file__)
    >>> __getattr__("DataError")
    <class 'graphmine.errors.DataError'>
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [line for line in stub.body if isinstance(line, ast.ImportFrom)]
    homes = {alias.name: str(line.module) for line in imports for alias in line.names}
    names = sorted(homes)

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return get, lambda: names, names
