"""More than two clusters by L1: the trust in each link, and the belonging of each node, over all splits."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from graphmine.arrays import Floats
from graphmine.methods.taxonomy.branches import Taxonomy
from graphmine.model import Constraints, Links, Star, restricted

__all__ = ["belonging_over_splits", "trust_over_splits"]

_Trust = Mapping[tuple[str, str], Floats]


def trust_over_splits(tree: Taxonomy, star: Star, constraints: Constraints) -> dict[tuple[str, str], Floats]:
    """Return how far the splits of a tree believe each link.

    A link takes part in the splits of all branches that have both of its ends. What must be together has to stay so in
    each of them, so that the least trust counts; what must be apart has to be parted in one of them, so that the
    greatest does.

    >>> from graphmine.gallery import nested
    >>> from graphmine.methods.taxonomy.branches import grow
    >>> from graphmine.methods.l1.l1 import L1
    >>> from graphmine.model import Links
    >>> from graphmine.progress import silent
    >>> star, (fields, topics) = nested(seed=1)
    >>> one, two = (np.flatnonzero(topics["Author"] == topic)[:2].tolist() for topic in (0, 1))  # topics of one field
    >>> apart = Links.of_pairs([[one[0], two[0]]], must=False)
    >>> known = Constraints({"Author": Links.of_pairs([one]) + apart})
    >>> tree = grow(star, known, L1(2), 4, seed=0, progress=silent)
    >>> tree.root.split.trust["Author", "Author"].round(2).tolist()  # at first the topics of a field stay together
    [1.0, 0.29]
    >>> trust_over_splits(tree, star, known)["Author", "Author"].round(2).tolist()
    [1.0, 1.0]
    """
    numbered = _numbered(constraints)
    least = {kinds: np.ones(len(links)) for kinds, links in constraints.items()}
    most = {kinds: np.zeros(len(links)) for kinds, links in constraints.items()}
    for branch in tree.root.walk():
        if branch.split is not None:
            own = restricted(numbered, star, branch.members) if branch.level else numbered  # the first has them all
            numbers = dict(own.items())
            for kinds, trust in branch.split.trust.items():
                at = numbers[kinds].weight.astype(np.int64) - 1
                least[kinds][at] = np.minimum(least[kinds][at], trust)
                most[kinds][at] = np.maximum(most[kinds][at], trust)
    return {kinds: np.where(links.must, least[kinds], most[kinds]) for kinds, links in constraints.items()}


def belonging_over_splits(tree: Taxonomy) -> dict[str, Floats]:
    """Return how near each node comes to the groups that it must be with, in the split where that is least.

    >>> from graphmine.gallery import nested
    >>> from graphmine.methods.taxonomy.branches import grow
    >>> from graphmine.methods.l1.l1 import L1
    >>> from graphmine.model import Groups, Links
    >>> from graphmine.progress import silent
    >>> star, (_, topics) = nested(seed=1)
    >>> group = [*np.flatnonzero(topics["Author"] == 0)[:5], np.flatnonzero(topics["Author"] == 1)[0]]  # of one field
    >>> known = Constraints({"Author": Links.tying(Groups.of([group]))})
    >>> tree = grow(star, known, L1(2, groups="members"), 4, seed=0, progress=silent)
    >>> near = (tree.root.split.belonging["Author"], belonging_over_splits(tree)["Author"])
    >>> [[float(each[author].round(1)) for author in (group[0], group[-1])] for each in near]  # the last is of another
    [[1.0, 1.0], [1.0, 0.1]]
    """
    least = {kind: np.ones(count) for kind, count in tree.n_nodes.items()}
    for branch in tree.root.walk():
        if branch.split is None:
            continue
        for kind, near in branch.split.belonging.items():
            at = branch.members[kind] if branch.level else slice(None)  # the first has all nodes
            least[kind][at] = np.minimum(least[kind][at], near)
    return least


def _numbered(constraints: Constraints) -> Constraints:
    """Return links whose weights are their numbers, from 1 up, by which they are known again among fewer."""

    def counted(links: Links) -> Links:
        return replace(links, weight=np.arange(1.0, 1.0 + len(links)))

    return replace(
        constraints,
        within={kind: counted(links) for kind, links in constraints.within.items()},
        across={kinds: counted(links) for kinds, links in constraints.across.items()},
    )
