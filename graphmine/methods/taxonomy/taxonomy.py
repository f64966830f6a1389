"""The function `taxonomy`: clusters within clusters, by splitting in two with any method."""

from collections.abc import Callable

from graphmine.checks import check_integer
from graphmine.methods.base import Method
from graphmine.methods.catalog import maker
from graphmine.methods.taxonomy.branches import Branch, Taxonomy, grow
from graphmine.model import FREE, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["Branch", "Taxonomy", "taxonomy"]


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
        Gives the method for a number of clusters, such as `Loom`; or the name of one, such as
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
    return grow(star, constraints, maker(method_for_k)(2), n_leaves, seed=seed, progress=progress)
