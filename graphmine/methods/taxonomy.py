"""Taxonomies: clusters within clusters, from a method that is asked again and again to split one in two."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from graphmine.checks import check_integer
from graphmine.methods.base import Method, generator
from graphmine.methods.bisection import Bisection, Path, Split
from graphmine.methods.catalog import maker
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Members, Star
from graphmine.progress import Progress, silent

__all__ = ["Branch", "Taxonomy", "taxonomy"]


@dataclass(frozen=True, eq=False)
class Branch:
    """Some nodes of a star, and how they were split.

    Parameters
    ----------
    number
        Its label on its own level and, if it is a leaf, on those below.
    level
        How many splits led to it; 0 for the root, which holds all nodes that have a place.
    members
        The positions of its nodes in the whole star.
    split
        What the method found when it was asked for two clusters of these nodes; None for a leaf.
    children
        Two, or none; the first has more nodes and the same number.
    """

    number: int
    level: int
    members: Members
    split: Clustering | None = None
    children: tuple["Branch", ...] = ()

    @property
    def size(self) -> int:
        """How many nodes it has, of all kinds."""
        return sum(map(len, self.members.values()))

    def walk(self) -> Iterator["Branch"]:
        """Give the branch and all below it, each before its children."""
        waiting = [self]
        while waiting:
            branch = waiting.pop()
            yield branch
            waiting += reversed(branch.children)


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """A star's nodes split in two, and these again, as far as was asked or as there is structure.

    Parameters
    ----------
    root
        All nodes with a place, and all branches below.
    n_nodes
        How many nodes each kind has.

    Examples
    --------
    See `taxonomy`.
    """

    root: Branch
    n_nodes: Mapping[str, int]

    @property
    def leaves(self) -> tuple[Branch, ...]:
        """The branches that were not split, by their numbers."""
        return tuple(sorted((each for each in self.root.walk() if not each.children), key=lambda each: each.number))

    @cached_property
    def levels(self) -> tuple[Clustering, ...]:
        """The partition of every level from 1 down: branches of the level, and leaves that ended above it.

        The last one is that of the leaves. Only the first comes of one fit, and has its objective and its trust in
        links; the branches have those of all splits.
        """
        depth = max(1, *(each.level for each in self.root.walk()))
        return tuple(map(self._level, range(1, depth + 1)))

    def _level(self, level: int) -> Clustering:
        labels = {kind: np.full(count, UNPLACED, dtype=np.int64) for kind, count in self.n_nodes.items()}
        for branch in self.root.walk():  # children come after their parents
            if branch.level <= level:
                for kind, members in branch.members.items():
                    labels[kind][members] = branch.number
        fits = [each.split for each in self.root.walk() if each.split is not None and each.level < level]
        return Clustering(
            labels,
            trace=fits[0].trace if level == 1 and fits else (),
            converged=all(fit.converged for fit in fits),
            seconds=sum(fit.seconds for fit in fits),
            trust=fits[0].trust if level == 1 and fits else {},
        )


def taxonomy(
    star: Star,
    method_for_k: str | Callable[[int], Method],
    n_leaves: int,
    constraints: Constraints = FREE,
    *,
    seed: int | None = None,
    progress: Progress = silent,
) -> Taxonomy:
    """Split a star in two, then the heaviest part of it, and so on, until there are so many leaves.

    Parameters
    ----------
    star
        One relation, or several around a centre.
    method_for_k
        Gives the method for a number of clusters, such as `graphmine.methods.Loom`; or the name of one, such as
        ``loom``. It is asked for two clusters each time.
    n_leaves
        How many leaves to stop at, 2 or more. Fewer come back where the method finds no more to split.
    constraints
        What the fits are to honour. A split knows the links whose ends are both in the branch, and of groups the
        members that are.
    seed
        The same seed gives the same taxonomy; more leaves with the same seed only add splits to it.

    Notes
    -----
    - The first split is the fit of the whole star with two clusters and this seed. The other seeds are drawn from it
      by the place of the branch, whenever its turn comes.
    - The leaf that is split next is the one whose nodes have the most relationship weight among themselves. Before all
      others come those that hold nodes which hard cannot-links part, as two clusters can not always do that at once,
      if the split that they come of has parted some. A leaf that the method can not split, because it has too few
      linked nodes or is all alike, stays one.
    - Of two children the one with more nodes, over all kinds, keeps the number of its parent, the other one gets the
      next number that is free, level by level. So every level has the numbers 0, 1, ... without gaps, a number never
      moves from one branch to another, and a leaf that ended above a level keeps its number on it.
    - Nodes that the first split leaves `UNPLACED` are in no branch. A node that has no link left inside its branch
      follows those that hard must-links tie it to, or else the larger child.

    The cost is that of the fits: on each level at most that of one fit with two clusters of the whole star.

    Examples
    --------
    >>> from graphmine.gallery import nested
    >>> found = taxonomy(nested(seed=1)[0], "loom", 4, seed=0)
    >>> [(level.n_clusters, level.sizes("Venue").tolist()) for level in found.levels]
    [(2, [24, 24]), (4, [12, 12, 12, 12])]
    >>> [(leaf.number, leaf.level) for leaf in found.leaves]
    [(0, 2), (1, 2), (2, 2), (3, 2)]
    """
    check_integer("n_leaves", n_leaves, least=2)
    first = int(generator(None).integers(2**32)) if seed is None else check_integer("seed", seed, least=0)
    bisection = Bisection(star, constraints, maker(method_for_k)(2), first)
    return Taxonomy(_grown(bisection, n_leaves, progress), {nodes.kind: len(nodes) for nodes in star.kinds})


def _grown(bisection: Bisection, n_leaves: int, progress: Progress) -> Branch:
    """Return the root of a tree with so many leaves, or as many as there can be."""
    progress("splits", 0, n_leaves - 1)
    placed, found = bisection.first()
    path: Path = ()
    members, splits = {path: placed}, dict[Path, Split]()
    waiting: list[tuple[tuple[bool, float], Path]] = []
    while True:
        if found is not None:
            splits[path] = found
            turns = _turns(bisection, members[path], found)
            for side, half in enumerate(found.halves):
                members[*path, side] = half
                heappush(waiting, (turns[side], (*path, side)))
        progress("splits", len(splits), n_leaves - 1)
        if not waiting or len(splits) == n_leaves - 1:
            return _rooted(members, splits)
        _, path = heappop(waiting)
        found = bisection.split(path, members[path])


def _turns(bisection: Bisection, parent: Members, split: Split) -> list[tuple[bool, float]]:
    """Return what puts the two halves of a branch in their places among those that wait: the first is split next.

    What still holds nodes that must be apart comes first, as long as splits do part such nodes, and then what is heavy.
    """
    crowds = [bisection.crowd(half) for half in split.halves]
    helped = sum(crowds) < bisection.crowd(parent)
    return [(not (helped and crowd), -bisection.weight(half)) for half, crowd in zip(split.halves, crowds, strict=True)]


def _rooted(members: Mapping[Path, Members], splits: Mapping[Path, Split]) -> Branch:
    """Return the root of the tree that some splits make, with a number for every branch."""
    numbers, branches = _numbers(splits), dict[Path, Branch]()
    for path in sorted(members, key=len, reverse=True):  # children before their parents
        children = tuple(branches[*path, side] for side in (0, 1)) if path in splits else ()
        fit = splits[path].fit if path in splits else None
        branches[path] = Branch(numbers[path], len(path), members[path], fit, children)
    return branches[()]


def _numbers(splits: Mapping[Path, Split]) -> dict[Path, int]:
    """Return a number for every branch: level by level, and on each in the order of the parents' numbers."""
    numbers: dict[Path, int] = {(): 0}
    level: list[Path] = [()]
    while level:
        parents = sorted((path for path in level if path in splits), key=numbers.__getitem__)
        for path in parents:
            numbers[*path, 0] = numbers[path]
            numbers[*path, 1] = 1 + max(numbers.values())
        level = [(*path, side) for path in parents for side in (0, 1)]
    return numbers
