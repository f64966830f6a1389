"""The tree of a taxonomy: a star's nodes split in two by a method, and the heaviest branch split again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from graphmine.checks import check_integer
from graphmine.methods.base import Method, generator
from graphmine.methods.taxonomy.bisection import Bisection, BranchPath, Split
from graphmine.model import UNPLACED, Clustering, Constraints, NodePositions, Star
from graphmine.progress import Progress

__all__ = ["Branch", "Taxonomy", "grow"]


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
    members: NodePositions
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
    See `graphmine.methods.taxonomy.taxonomy.taxonomy`.
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


def grow(
    star: Star, constraints: Constraints, method: Method, n_leaves: int, *, seed: int | None, progress: Progress
) -> Taxonomy:
    """Return the tree of so many leaves, or as many as there can be, that a method for two clusters grows.

    `graphmine.methods.taxonomy.taxonomy.taxonomy` says how, and has an example.
    """
    first = int(generator(None).integers(2**32)) if seed is None else check_integer("seed", seed, least=0)
    bisection = Bisection(star, constraints, method, first)
    return Taxonomy(_grow(bisection, n_leaves, progress), {nodes.kind: len(nodes) for nodes in star.kinds})


def _grow(bisection: Bisection, n_leaves: int, progress: Progress) -> Branch:
    """Return the root of a tree with so many leaves, or as many as there can be."""
    progress("splits", 0, n_leaves - 1)
    placed, found = bisection.first()
    path: BranchPath = ()
    members, splits = {path: placed}, dict[BranchPath, Split]()
    waiting: list[tuple[tuple[bool, float], BranchPath]] = []
    while True:
        if found is not None:
            splits[path] = found
            turns = _priorities(bisection, members[path], found)
            for side, half in enumerate(found.halves):
                members[*path, side] = half
                heappush(waiting, (turns[side], (*path, side)))
        progress("splits", len(splits), n_leaves - 1)
        if not waiting or len(splits) == n_leaves - 1:
            return _build_tree(members, splits)
        _, path = heappop(waiting)
        found = bisection.split(path, members[path])


def _priorities(bisection: Bisection, parent: NodePositions, split: Split) -> list[tuple[bool, float]]:
    """Return what puts the two halves of a branch in their places among those that wait: the first is split next.

    What still holds nodes that must be apart comes first, as long as splits do part such nodes, and then what is heavy.
    """
    crowds = [bisection.crowd(half) for half in split.halves]
    helped = sum(crowds) < bisection.crowd(parent)
    return [(not (helped and crowd), -bisection.weight(half)) for half, crowd in zip(split.halves, crowds, strict=True)]


def _build_tree(members: Mapping[BranchPath, NodePositions], splits: Mapping[BranchPath, Split]) -> Branch:
    """Return the root of the tree that some splits make, with a number for every branch."""
    numbers, branches = _numbers(splits), dict[BranchPath, Branch]()
    for path in sorted(members, key=len, reverse=True):  # children before their parents
        children = tuple(branches[*path, side] for side in (0, 1)) if path in splits else ()
        fit = splits[path].fit if path in splits else None
        branches[path] = Branch(numbers[path], len(path), members[path], fit, children)
    return branches[()]


def _numbers(splits: Mapping[BranchPath, Split]) -> dict[BranchPath, int]:
    """Return a number for every branch: level by level, and on each in the order of the parents' numbers."""
    numbers: dict[BranchPath, int] = {(): 0}
    level: list[BranchPath] = [()]
    while level:
        parents = sorted((path for path in level if path in splits), key=numbers.__getitem__)
        for path in parents:
            numbers[*path, 0] = numbers[path]
            numbers[*path, 1] = 1 + max(numbers.values())
        level = [(*path, side) for path in parents for side in (0, 1)]
    return numbers
