"""Six data sets of the UCI repository: items with numbers and a known class, one kind each, without relationships."""

import io
from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple

import pyarrow as pa
from pyarrow import csv

from graphmine.checks import check_choice
from graphmine.datasets import archives
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError
from graphmine.model import Filter, Pattern, Similarity, Step

__all__ = ["NAME", "SETS", "Set", "UciRelation", "asked", "together", "uci"]

NAME = "uci"
"""What the archive is called, see `graphmine.datasets.archives`."""

CLASS = "known_class"
_MISSING = "?"


class Set(NamedTuple):
    """A set: its file, the kind its rows are, and the columns of the file, of which ``id`` may be one."""

    file: str
    kind: str
    columns: tuple[str, ...]
    classes: tuple[int | str, ...] = ()
    """The classes that the paper took; all if empty."""
    unused: tuple[str, ...] = ()
    """The attributes that the paper left out."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The numeric properties, in order."""
        return tuple(each for each in self.columns if each not in ("id", CLASS))


def _words(text: str, *, first: str = "", last: str = "") -> tuple[str, ...]:
    return tuple(f"{first} {text} {last}".split())


_CELLS = "radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension"

SETS: Mapping[str, Set] = {
    "wine": Set(
        "wine.csv", "Wine",
        _words("alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols "
               "proanthocyanins color_intensity hue od280_od315 proline", last=CLASS),
        classes=(2, 3),
    ),
    "glass": Set("glass.data", "Glass", _words("RI Na Mg Al Si K Ca Ba Fe", first="id", last=CLASS), classes=(1, 2)),
    "ionosphere": Set(
        "ionosphere.csv", "Signal", (*(f"a{number:02}" for number in range(1, 35)), CLASS), unused=("a01", "a02")
    ),
    "hepatitis": Set(
        "hepatitis.data", "Patient",
        _words("age sex steroid antivirals fatigue malaise anorexia liver_big liver_firm spleen_palpable spiders "
               "ascites varices bilirubin alk_phosphate sgot albumin protime histology", first=CLASS),
    ),
    "wdbc": Set(
        "wdbc.data", "Mass",
        ("id", CLASS, *(f"{which}_{what}" for which, what in product(("mean", "se", "worst"), _CELLS.split()))),
    ),
    "pima": Set(
        "pima-indians-diabetes.csv", "Woman",
        _words("pregnancies glucose blood_pressure skin_thickness insulin bmi pedigree age", last=CLASS),
    ),
}  # fmt: skip
"""The sets by name, in the order of Table 1 of Kawale and Boley (2013), who call the last two breast cancer and
diabetes."""


class UciRelation(NamedTuple):
    """What to pull of a set once it is in a database."""

    relation: Pattern
    where: tuple[Filter, ...]


def uci(name: str) -> Network:
    """Return a set as a network of one kind: the key ``id``, the attributes, and the class as ``known_class``.

    Parameters
    ----------
    name
        One of `SETS`.

    Notes
    -----
    ``id`` is that of the file or, where it has none, the number of the row from 1. Classes are as in the file: 1 to 3
    (wine), 1 to 7 without 4 (glass), g and b (ionosphere), 1 for those who died and 2 for those who lived (hepatitis),
    M and B (wdbc), 0 and 1 (pima). Of hepatitis 167 values are missing and come as null; the zeros of pima that stand
    for a blood pressure or a body mass index nobody measured are left as they are, as is usual.
    """
    chosen = SETS[check_choice("set", name, SETS)]
    (content,) = archives.contents(NAME, chosen.file)
    try:
        table = csv.read_csv(
            io.BytesIO(content),
            read_options=csv.ReadOptions(column_names=list(chosen.columns)),
            convert_options=csv.ConvertOptions(null_values=[_MISSING], strings_can_be_null=True),
        )
    except pa.ArrowInvalid as error:
        raise DataError(f"{chosen.file} in the archive {NAME} is not the set meant: {error}") from error
    ids = table["id"] if "id" in chosen.columns else pa.array(range(1, len(table) + 1))
    return Network({chosen.kind: table.select([*chosen.attributes, CLASS]).add_column(0, "id", ids)})


def together(only: Collection[str] | None = None) -> Network:
    """Return some of the sets, or all, as one network with a kind each; see `uci`.

    Parameters
    ----------
    only
        Names out of `SETS`; all of them if not given.
    """
    wanted = list(SETS) if only is None else [check_choice("set", each, SETS) for each in only]
    if not wanted:
        raise ParameterError(f"name at least one set out of {', '.join(SETS)}")
    return Network({kind: table for name in SETS if name in wanted for kind, table in uci(name).nodes.items()})


def asked(name: str) -> UciRelation:
    """Return the relation of a set that Kawale and Boley clustered, and which of its nodes they took.

    Notes
    -----
    The paper gives the sizes only (Table 1), and they tell the rest: of wine it must be the classes 2 and 3 (71 + 48 =
    119), of glass 1 and 2 (70 + 76 = 146). Of the 34 attributes of ionosphere it used 32: the second is 0 everywhere,
    and the first is 0 or 1, where all others take 204 values or more; these two are left out. Whether it brought the
    attributes to one scale it does not say; here they are.

    Examples
    --------
    >>> relation, where = asked("glass")
    >>> print(relation, *where)
    Glass~rbf(RI, Na, Mg, Al, Si, K, Ca, Ba, Fe) Glass.known_class in [1, 2]
    """
    chosen = SETS[check_choice("set", name, SETS)]
    used = tuple(each for each in chosen.attributes if each not in chosen.unused)
    step = Step(chosen.kind, "", chosen.kind, similarity=Similarity("rbf", used))
    where = (Filter(chosen.kind, CLASS, "in", list(chosen.classes)),) if chosen.classes else ()
    return UciRelation(Pattern((step,)), where)
