"""Readable names for generated networks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count as counting, islice, product

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints

__all__ = ["OPENINGS", "affiliations", "area", "categories", "conferences", "people", "terms"]

OPENINGS = ("On", "Towards", "Revisiting", "A survey of", "Learning", "The limits of", "Scaling", "Rethinking")

_AREAS = {
    "Databases": "query index transaction join schema storage cube provenance view key",
    "Machine learning": "kernel gradient classifier prior feature ensemble margin bandit embedding loss",
    "Theory": "bound reduction automaton proof lattice oracle circuit matroid entropy grammar",
    "Networks": "router packet latency topology congestion wireless multicast overlay spectrum gateway",
    "Vision": "pixel segmentation contour stereo texture camera saliency depth motion silhouette",
    "Security": "cipher malware password attack firewall signature privacy intrusion sandbox credential",
    "Graphics": "shading mesh rendering animation ray surface particle illumination avatar curve",
    "Robotics": "gripper odometry manipulator gait controller actuator swarm planner sensor drone",
    "Software engineering": "refactoring defect requirement commit build testing merge debugger contract module",
    "Human–computer interaction": "gesture usability interface tooltip prototype gaze menu keyboard wearable accent",
    "Bioinformatics": "genome protein alignment pathway phylogeny mutation microarray motif transcript cell",
    "Operating systems": "scheduler page thread file cache driver semaphore hypervisor interrupt boot",
}
_NAMES = tuple(_AREAS)
_MODIFIERS = (
    "adaptive", "approximate", "distributed", "dynamic", "efficient", "hierarchical", "incremental", "optimal",
    "parallel", "probabilistic", "robust", "scalable", "semantic", "sparse", "temporal", "uncertain",
)  # fmt: skip
_MEETINGS = (
    "Conference on {}", "Symposium on {}", "Workshop on {}", "European Conference on {}", "Asian Conference on {}",
    "Foundations of {}", "Advances in {}", "{} in Practice", "{} and Applications", "Nordic Symposium on {}",
)  # fmt: skip
_TOWNS = (
    "Aarhus", "Bologna", "Coimbra", "Delft", "Edinburgh", "Fukuoka", "Ghent", "Heidelberg", "Irbid", "Jyväskylä",
    "Kyoto", "Lund", "Minas Gerais", "Nairobi", "Oulu", "Pune", "Québec", "Reykjavík", "Seoul", "Tartu", "Uppsala",
    "Valparaíso", "Warsaw", "Xi'an", "Ypsilanti", "Zürich",
)  # fmt: skip
_GIVEN = (
    "Ada", "Amir", "Ana", "Anders", "Aoife", "Bao", "Beatriz", "Boris", "Chen", "Chiara", "Daniel", "Divya", "Elena",
    "Emeka", "Farid", "Grace", "Hana", "Hugo", "Ines", "Ivan", "Jin", "Jonas", "Kavya", "Kofi", "Lena", "Lucía",
    "Marek", "Mei", "Nadia", "Noah", "Olga", "Omar", "Paula", "Priya", "Ravi", "Rosa", "Sanna", "Sven", "Tariq", "Yuki",
)  # fmt: skip
_FAMILY = (
    "Abe", "Adeyemi", "Almeida", "Andersen", "Banerjee", "Bauer", "Becker", "Bianchi", "Castro", "Costa", "Dubois",
    "Eriksson", "Fischer", "Fontaine", "García", "Haddad", "Hansen", "Horvat", "Ibrahim", "Ito", "Ivanov", "Jansen",
    "Kim", "Kowalski", "Kumar", "Larsen", "Laurent", "Li", "Lopez", "Mensah", "Meyer", "Moreau", "Müller", "Nakamura",
    "Nguyen", "Novak", "Okafor", "Olsen", "Park", "Patel", "Petrov", "Reyes", "Rossi", "Sato", "Schmidt", "Shah",
    "Silva", "Singh", "Suzuki", "Svensson", "Tanaka", "Torres", "Virtanen", "Wagner", "Walker", "Wang", "Weber",
    "Yilmaz", "Zhang", "Zimmermann",
)  # fmt: skip
# Letters and apostrophes that careless software stumbles over: in every network, however small.
_ODD = ("Zoë O'Neill", "Łukasz Nuñez")


def area(number: int) -> str:
    """Return the name of an area, counted from 0.

    >>> area(1), area(12)
    ('Machine learning', 'Area 13')
    """
    return _NAMES[number] if number < len(_NAMES) else f"Area {number + 1}"


def people(rng: np.random.Generator, count: int) -> pa.Array:
    """Return sorted names of people, namesakes told apart by a number as DBLP does it.

    >>> people(np.random.default_rng(0), 2).to_pylist()
    ["Zoë O'Neill", 'Łukasz Nuñez']
    """
    plain = [" ".join(names) for names in product(_GIVEN, _FAMILY)]
    names = [*_ODD, *(plain[position] for position in rng.permutation(len(plain)))]
    return pa.array(sorted(islice(_endless(names, "{} {:04d}"), count)))


def affiliations(count: int) -> list[str]:
    """Return the names of places to work at.

    >>> affiliations(2)
    ['University of Aarhus', 'University of Bologna']
    """
    return list(islice(_endless([f"University of {town}" for town in _TOWNS], "{}, Campus {}"), count))


def conferences(areas: Ints) -> list[str]:
    """Return a name for the conference of each area given.

    >>> conferences(np.array([1, 0, 1]))
    ['Conference on Machine Learning', 'Conference on Databases', 'Symposium on Machine Learning']
    """
    return _one_each(areas, lambda number: [meeting.format(area(number).title()) for meeting in _MEETINGS])


def terms(areas: Ints) -> list[str]:
    """Return a term for each area given.

    >>> terms(np.array([0, 0, 2]))
    ['query', 'index', 'bound']
    """
    return _one_each(areas, _vocabulary)


def categories(areas: Ints) -> list[str]:
    """Return a name for the category of each area given.

    >>> categories(np.array([0, 0, 2]))
    ['Databases: query', 'Databases: index', 'Theory: bound']
    """
    return _one_each(areas, lambda number: [f"{area(number)}: {word}" for word in _vocabulary(number)])


def _vocabulary(number: int) -> list[str]:
    plain = _AREAS[area(number)].split() if number < len(_AREAS) else [f"topic {number + 1}"]
    return [*plain, *(f"{modifier} {word}" for modifier, word in product(_MODIFIERS, plain))]


def _one_each(areas: Ints, names_of: Callable[[int], list[str]]) -> list[str]:
    """Hand out the names of every area in turn."""
    left = {number: _endless(names_of(number), "{} {}") for number in np.unique(areas).tolist()}
    return [next(left[number]) for number in areas.tolist()]


def _endless(names: Sequence[str], again: str) -> Iterator[str]:
    """Give the names, then the names with 2 behind them, and so on."""
    yield from names
    for number in counting(2):
        yield from (again.format(name, number) for name in names)
