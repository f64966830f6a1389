"""What leaves of a taxonomy are worth beside as many clusters at once; the figures stand in docs/taxonomies.md."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pytest

from graphmine.arrays import Ints
from graphmine.datasets.newsgroups import NAME, counts
from graphmine.gallery import TrueLabels, nested, planted
from graphmine.methods.catalog import method
from graphmine.methods.taxonomy.taxonomy import Taxonomy, taxonomy
from graphmine.metrics import nmi
from graphmine.model import Nodes, Relation, Star
from tests.real import there

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

METHODS = ("loom", "s-co")
NETWORKS = 10
GROUPS = (
    "rec.sport.baseball", "rec.sport.hockey", "talk.politics.guns", "talk.politics.mideast", "talk.politics.misc",
)  # fmt: skip


class Compared(NamedTuple):
    """The mean NMI of authors with their classes, in the leaves of a taxonomy and in clusters found at once."""

    leaves: float
    at_once: float


def _nested(n_rows: int, n_cols: int, n_fields: int, seed: int) -> tuple[Star, TrueLabels]:
    star, (_, topics) = nested(n_rows, n_cols, n_fields=n_fields, degree=6, noise=0.15, kinship=0.35, seed=seed)
    return star, topics


FAMILIES: Mapping[str, tuple[int, Callable[[int], tuple[Star, TrueLabels]]]] = {
    "2 fields of 2 topics": (4, lambda seed: _nested(400, 80, 2, seed)),
    "3 fields of 2 topics": (6, lambda seed: _nested(600, 120, 3, seed)),
    "5 fields, no topics": (5, lambda seed: planted(400, 80, n_clusters=5, degree=4, noise=0.3, seed=seed)),
}


def compared(family: str, name: str) -> Compared:
    k, make = FAMILIES[family]
    found = []
    for seed in range(NETWORKS):
        star, truth = make(seed)
        both = taxonomy(star, name, k, seed=0).levels[-1], method(name, n_clusters=k).fit(star, seed=0)
        found.append([nmi(each.labels["Author"], truth["Author"]) for each in both])
    leaves, at_once = np.mean(found, axis=0).tolist()
    print(f"{family}, {name}: leaves {leaves:.3f}, at once {at_once:.3f}")
    return Compared(leaves, at_once)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("family", ["2 fields of 2 topics", "3 fields of 2 topics"])
def test_leaves_are_as_good_where_clusters_nest(family: str, name: str) -> None:
    found = compared(family, name)
    assert found.leaves == pytest.approx(found.at_once, abs=0.02)


@pytest.mark.parametrize("name", METHODS)
def test_leaves_are_worse_where_clusters_do_not_nest(name: str) -> None:
    found = compared("5 fields, no topics", name)
    assert found.leaves < found.at_once - 0.01


@pytest.fixture(scope="module")
def messages() -> tuple[Star, Ints]:
    there(NAME)
    found = counts(GROUPS)
    star = Star.of(Relation(Nodes("Document", found.documents), Nodes("Word", found.words), found.counts))
    return star, np.array([GROUPS.index(each) for each in found.groups])


def splits(found: Taxonomy, group: Ints) -> Compared:
    """The NMI of the first split with sport and politics, and that of the leaves with the groups."""
    top, leaves = (level.labels["Document"] for level in (found.levels[0], found.levels[-1]))
    return Compared(nmi(top, np.asarray(group > 1, dtype=np.int64)), nmi(leaves, group))


def test_the_first_split_of_newsgroups_is_sport_and_politics(messages: tuple[Star, Ints]) -> None:
    star, group = messages
    for n_leaves in (5, 8):
        first, leaves = splits(taxonomy(star, "loom", n_leaves, seed=0), group)
        at_once = nmi(method("loom", n_clusters=n_leaves).fit(star, seed=0).labels["Document"], group)
        print(f"{n_leaves} leaves: first split {first:.3f}, leaves {leaves:.3f}, at once {at_once:.3f}")
        assert first > 0.9
        assert leaves < at_once


def test_the_plain_cut_of_newsgroups_splits_off_a_few(messages: tuple[Star, Ints]) -> None:
    star, group = messages
    found = taxonomy(star, "s-co", 5, seed=0)
    smaller = found.root.children[1]
    print(f"s-co: first split {splits(found, group)[0]:.3f}, {len(smaller.members['Document'])} documents in one part")
    assert len(smaller.members["Document"]) < 100
