"""Yeast: the expression of each gene at each time of five time courses, and under each of 173 conditions."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from graphmine.arrays import Floats
from graphmine.checks import check_choice
from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError

__all__ = ["EXPERIMENTS", "NAME", "yeast"]

NAME = "yeast"
"""What the archive is called, see `graphmine.datasets.archives`."""

_MISSING = -1
_CONDITIONS = "prelic"


class _Measured(NamedTuple):
    """One experiment: genes, conditions, and a value for each of both, NaN where there is none."""

    genes: list[str]
    conditions: list[str]
    values: Floats


def yeast(only: Collection[str] | None = None) -> Network:
    """Return genes with their time courses as numbers, and the conditions under which they rose and fell.

    Parameters
    ----------
    only
        Some of `EXPERIMENTS`; all if not given.

    Notes
    -----
    ``Gene(name)`` with a property for each time of each course: ``tavazoie_01`` to ``tavazoie_17`` (levels, whole
    numbers as Cheng and Church (2000) scaled them; 34 that are missing, -1 in the file, are null), and
    ``alpha_000`` to ``alpha_119``, ``cdc15_010`` to ``cdc15_290``, ``cdc28_000`` to ``cdc28_160`` and
    ``elutriation_000`` to ``elutriation_390`` (minutes; logarithms of ratios). So genes can be compared by their
    profiles, ``Gene~knn(alpha_000, ...)``; a gene that a course leaves out has nulls there.

    ``Condition(name)``, ``ROSE`` and ``FELL`` (Gene to Condition, ``by``, above zero): the 2,993 genes under 173
    conditions of Prelić et al. (2006). Weights can not be negative, so what rose and what fell are two relations; a
    gene that did neither, a value of 0, has no relationship. No class is known of any gene.
    """
    wanted = list(EXPERIMENTS) if only is None else [check_choice("experiment", each, EXPERIMENTS) for each in only]
    if not wanted:
        raise ParameterError(f"name at least one experiment out of {', '.join(EXPERIMENTS)}")
    measured = {name: read() for name, read in EXPERIMENTS.items() if name in wanted}
    genes = sorted({gene for each in measured.values() for gene in each.genes})
    at = {gene: position for position, gene in enumerate(genes)}
    columns: dict[str, pa.Array] = {"name": pa.array(genes)}
    for name, each in measured.items():
        if name != _CONDITIONS:
            columns |= _profiles(name, each, at)
    tables = {"Gene": pa.table(columns)}
    if _CONDITIONS not in measured:
        return Network(tables)
    changed = measured[_CONDITIONS]
    tables["Condition"] = pa.table({"name": changed.conditions})
    return Network(tables, (_edges("ROSE", changed, changed.values), _edges("FELL", changed, -changed.values)))


def _profiles(name: str, measured: _Measured, at: Mapping[str, int]) -> dict[str, pa.Array]:
    """Return a column for each condition, one value a gene, null for genes that were not measured."""
    whole = name == "tavazoie"
    block = np.full((len(at), len(measured.conditions)), np.nan)
    block[[at[gene] for gene in measured.genes]] = measured.values
    return {
        f"{name}_{condition}": pa.array(block[:, col], from_pandas=True).cast(pa.int64() if whole else pa.float64())
        for col, condition in enumerate(measured.conditions)
    }


def _edges(type: str, measured: _Measured, values: Floats) -> Edges:
    row, col = np.nonzero(values > 0)
    ends = {"source": pa.array(measured.genes).take(pa.array(row))}
    ends["target"] = pa.array(measured.conditions).take(pa.array(col))
    return Edges("Gene", type, "Condition", pa.table(ends | {"by": values[row, col]}))


def _tavazoie() -> _Measured:
    named, listed = (_rows(content, None) for content in _contents("genes_yeast_tavazoie.txt", "yeast_tavazoie.txt"))
    values = _numbers("yeast_tavazoie.txt", listed)
    values[values == _MISSING] = np.nan
    return _checked([row[0] for row in named], [f"{time:02}" for time in range(1, values.shape[1] + 1)], values)


def _course(file: str) -> Callable[[], _Measured]:
    """Return a reader of a file whose lines are a number, a gene and values, and whose header has the minutes."""

    def read() -> _Measured:
        (content,) = _contents(file)
        times, *rows = _rows(content, "\t")
        values = _numbers(file, [row[2:] for row in rows])
        return _checked([row[1] for row in rows], [f"{time:0>3}" for time in times[2:]], values)

    return read


def _prelic() -> _Measured:
    (content,) = _contents("prelic_yeast_2993x173.txt")
    (_, *conditions), *rows = _rows(content, "\t")
    return _checked([row[0] for row in rows], conditions, _numbers("prelic_yeast_2993x173.txt", [r[1:] for r in rows]))


EXPERIMENTS: Mapping[str, Callable[[], _Measured]] = {
    "tavazoie": _tavazoie,
    "alpha": _course("01_alpha_factor.csv"),
    "cdc15": _course("02_cdc_15.csv"),
    "cdc28": _course("03_cdc_28.csv"),
    "elutriation": _course("04_elutriation.csv"),
    _CONDITIONS: _prelic,
}
"""The experiments by name, and what reads each."""


def _contents(*files: str) -> list[str]:
    return [content.decode("utf-8", errors="replace") for content in archives.contents(NAME, *files)]


def _rows(content: str, separator: str | None) -> list[list[str]]:
    rows = [[cell.strip() for cell in line.split(separator)] for line in content.splitlines() if line.strip()]
    if not rows:
        raise DataError(f"the archive {NAME} is not the set meant: one of its files is empty")
    return rows


def _numbers(file: str, rows: list[list[str]]) -> Floats:
    try:
        return np.array(rows, dtype=np.float64, ndmin=2)
    except ValueError as error:
        raise DataError(f"the archive {NAME} is not the set meant: {file}: {error}") from error


def _checked(genes: list[str], conditions: list[str], values: Floats) -> _Measured:
    if values.shape != (len(genes), len(conditions)):
        wanted, shape = f"{len(genes)} x {len(conditions)}", " x ".join(map(str, values.shape))
        raise DataError(f"the archive {NAME} is not the set meant: it has {shape} values, where {wanted} should be")
    return _Measured(genes, conditions, values)
