"""Hard cannot-links between nodes and groups, lifted to the components of the hard must-links.

A link between two nodes becomes a link between their components. A group becomes the set of its members' components, so
that one link stays one link, however many components and single nodes it touches. Sets are split only by the kinds
that their components span, so that the same set has members in each of these kinds.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.closure.components import CannotLinks, expand_ranges
from graphmine.model.links import Groups

__all__ = ["LiftedCannotLinks", "lift_cannot_links"]


@dataclass(frozen=True, eq=False)
class LiftedCannotLinks:
    """Links between classes of nodes, each pair once.

    Parameters
    ----------
    left, right
        Two classes that exclude each other; below `n` a component, from there on a set of them. Where both are the
        same set, its components, each a single node, exclude one another.
    rule
        The rule of all links that made it; -1 where several rules or none did.
    sets
        The components of each set, at least two; all of them span the same kinds.
    n
        How many components there are.
    """

    left: Ints
    right: Ints
    rule: Ints
    sets: Groups
    n: int


def lift_cannot_links(cannot_links: CannotLinks, rule: Ints, sizes: Ints, spanned: Ints) -> LiftedCannotLinks:
    """Lift cannot-links without contradictions, given the rule of each link and the size and kinds of each component.

    Notes
    -----
    A group whose r components all exclude each other is not written as r²/2 links. The components are halved again
    and again, with a cannot-link between the two halves. That makes r links, and every node is in log r sets.
    """
    left, right, rule, keys = _split_loops(cannot_links, rule, sizes)
    classes, first, sets = _pieces(keys, cannot_links.n, spanned)
    ends = [_ranges(end, first, len(classes) - cannot_links.n, cannot_links.n) for end in (left, right)]
    counts = [stop - start for start, stop in ends]
    which, pair = expand_ranges(np.zeros(len(left), dtype=np.int64), counts[0] * counts[1])
    # pair = (position among the classes of the left end) * counts[1] + (position among those of the right end)
    lefts = classes[ends[0][0][which] + pair // counts[1][which]]
    rights = classes[ends[1][0][which] + pair % counts[1][which]]
    return LiftedCannotLinks(
        *_merge_pairs(lefts, rights, rule[which], cannot_links.n + len(sets)), sets, cannot_links.n
    )


def _split_loops(cannot_links: CannotLinks, rule: Ints, sizes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return ends, rules and set keys, with groups whose members exclude each other split into halves if needed."""
    n, keys = cannot_links.n, cannot_links.keys
    cut = np.zeros(len(cannot_links.left), dtype=np.bool_)
    end = int(max(cannot_links.left.max(initial=n), cannot_links.right.max(initial=n)))
    links, new = [], [keys]
    for link in np.flatnonzero(cannot_links.loops).tolist():
        start, stop = np.searchsorted(keys, [cannot_links.left[link] * n, (cannot_links.left[link] + 1) * n])
        components = keys[start:stop] % n
        if np.all(sizes[components] == 1):
            continue
        cut[link] = True
        for half, other in _halves(components, sizes[components] > 1):
            new += [(end + 1) * n + half, (end + 2) * n + other]
            links.append((end + 1, end + 2 if other is not half else end + 1, int(rule[link])))
            end += 2
    added = np.array(links, dtype=np.int64).reshape(-1, 3).T
    old = (cannot_links.left, cannot_links.right, rule)
    left, right, rules = (np.concatenate([column[~cut], more]) for column, more in zip(old, added, strict=True))
    every = np.unique(np.concatenate(new))
    return left, right, rules, every[np.isin(every // max(n, 1), np.concatenate([left, right]))]


def _halves(components: Ints, several: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs of sets that together separate all components; single nodes stay one set, paired with itself."""
    loose, waiting = components[~several], [components[several]]
    if len(loose) > 1:
        yield loose, loose
    if len(loose):
        yield loose, waiting[0]
    while waiting:
        part = waiting.pop()
        if len(part) > 1:
            half, other = np.split(part, [len(part) // 2])
            yield half, other
            waiting += [half, other]


def _pieces(keys: Ints, n: int, spanned: Ints) -> tuple[Ints, Ints, Groups]:
    """Split each set by the kinds that its components span.

    Returns
    -------
    tuple
        The class of each piece, followed by that of each component; the set that each piece belongs to, in the order
        that `_ranges` expects; and the components that the classes from n on stand for.
    """
    owner, component = np.divmod(keys, max(n, 1))
    order = np.lexsort((component, spanned[component], owner))
    owner, component = owner[order], component[order]
    changes = (np.diff(owner, prepend=-1) != 0) | (np.diff(spanned[component], prepend=-1) != 0)
    cuts = np.flatnonzero(changes)
    pieces = np.split(component, cuts[1:]) if len(cuts) else []
    contents = sorted({piece.tobytes() for piece in pieces if len(piece) > 1})
    number = {content: n + i for i, content in enumerate(contents)}
    found = [number[piece.tobytes()] if len(piece) > 1 else int(piece[0]) for piece in pieces]
    sets = Groups.of([np.frombuffer(content, dtype=np.int64) for content in contents])
    return np.concatenate([np.array(found, dtype=np.int64), np.arange(n)]), owner[cuts], sets


def _ranges(ends: Ints, owners: Ints, n_pieces: int, n: int) -> tuple[Ints, Ints]:
    """Return where the classes of each end begin and stop, given the set that each piece belongs to."""
    single = ends < n
    start = np.where(single, n_pieces + ends, np.searchsorted(owners, ends))
    return start, np.where(single, start + 1, np.searchsorted(owners, ends, side="right"))


def _merge_pairs(left: Ints, right: Ints, rule: Ints, n: int) -> tuple[Ints, Ints, Ints]:
    """Return every pair of classes once, the smaller first; a rule is kept where all duplicates agree on it."""
    pairs, which = np.unique(np.minimum(left, right) * n + np.maximum(left, right), return_inverse=True)
    least, most = np.full(len(pairs), np.iinfo(np.int64).max), np.full(len(pairs), -1)
    np.minimum.at(least, which, rule)
    np.maximum.at(most, which, rule)
    first, second = np.divmod(pairs, max(n, 1))
    return first, second, np.where(least == most, most, -1)
