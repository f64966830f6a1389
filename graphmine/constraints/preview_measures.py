"""Which nodes must-links tie together when they are followed to the end, and which wishes that makes vain."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from graphmine.arrays import Floats, Ints
from graphmine.closure.components import must_link_components
from graphmine.closure.conflicts import contradictions
from graphmine.constraints.pair_counts import Named, cells, named, row_dots
from graphmine.model import Constraints, Groups, Links, Star

__all__ = ["Rows", "likeness", "some_pairs", "tied_sets", "unit_rows", "vain"]


def tied_sets(musts: Iterable[Named], counts: Mapping[str, int]) -> dict[str, Ints]:
    """Return for every node the set that must-links tie it into, over all kinds; -1 if it stays alone.

    Sets are numbered from the largest on; whether the links are hard does not matter.

    Examples
    --------
    >>> from graphmine.model import Groups, Links
    >>> musts = Links.of_pairs([[0, 1]]) + Links.tying(Groups.of([[2, 3, 4]]))
    >>> tied_sets([(("Author",), musts)], {"Author": 6})["Author"].tolist()
    [1, 1, 0, 0, 0, -1]
    """
    ties = must_link_components(_hard(musts))
    named_ones = {kind: ties.of(kind) for kind in ties.starts}
    sizes = np.bincount(ties.component)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    numbers = np.where(sizes > 1, rank, -1)
    sets = {kind: np.full(count, -1, dtype=np.int64) for kind, count in counts.items()}
    for kind, components in named_ones.items():
        sets[kind][: len(components)] = numbers[components][: counts[kind]]
    return sets


def vain(constraints: Constraints) -> int:
    """Return how many soft cannot-links wish apart what hard must-links tie together.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> hard = Links.of_pairs([[0, 1], [1, 2]], hard=True)
    >>> soft = Links.of_pairs([[0, 2], [0, 4]], must=False)
    >>> vain(Constraints({"Author": hard + soft}))
    1
    """
    chosen = constraints.select(lambda links: links.hard == links.must)  # hard must-links and soft cannot-links
    return len(contradictions(_hard(named(chosen))).each())


def _hard(every: Iterable[Named]) -> Constraints:
    """Return links as if all of them were hard."""
    within, across = {}, {}
    for kinds, links in every:
        firm = replace(links, hard=np.ones(len(links), dtype=np.bool_), rule=np.full(len(links), -1))
        if len(kinds) == 2:
            across[kinds[0], kinds[1]] = firm
        else:
            within[kinds[0]] = firm
    return Constraints(within, across)


Rows = Mapping[str, csr_array]
Likeness = tuple[float | None, float | None]


def unit_rows(star: Star, kind: str) -> csr_array:
    """Return what every node of a kind is related with, over all arms side by side, each row of length 1 or empty."""
    blocks = zip(star.arms, star.weights, strict=True)
    sides = [
        arm.block * weight if kind == arm.rows.kind else csr_array(arm.block.T) * weight
        for arm, weight in blocks
        if kind in (arm.rows.kind, arm.cols.kind)
    ]
    rows = csr_array(hstack(sides))
    rows.eliminate_zeros()  # an arm may weigh nothing
    return csr_array(diags_array(_inverse(np.sqrt(np.asarray(rows.power(2).sum(axis=1))))) @ rows)


def likeness(star: Star, rows: Rows, kinds: tuple[str, ...], links: Links, most: int, seed: int) -> Likeness:
    """Return how alike linked nodes are, and how alike nodes are that chance brings together; None where none can be.

    Parameters
    ----------
    rows
        `unit_rows` of the kinds.
    most
        Of more pairs than these, so many are drawn at random.

    Notes
    -----
    Within a kind it is the mean cosine of the two nodes' rows. Across two kinds that an arm relates it is the mean of
    w_ij / √(d_i d_j), the weight between the two over the root of the product of their degrees in those arms; across
    two other kinds, the mean cosine of their rows over the centre. Nodes without any link in the relation are left out.
    What chance gives is no sample but the mean over all pairs, from the sum of all rows.

    Examples
    --------
    >>> from graphmine.gallery import islands
    >>> star, _ = islands()
    >>> rows = {"Author": unit_rows(star, "Author")}
    >>> alike, chance = likeness(star, rows, ("Author",), Links.of_pairs([[0, 1], [0, 12]]), most=100, seed=0)
    >>> round(alike, 3), round(chance, 3)
    (0.5, 0.308)
    """
    left, right = some_pairs(links, most, np.random.default_rng(seed))
    between = _between(star, kinds) if len(kinds) == 2 else None
    if between is not None:
        return _by_weight(between, left, right)
    return _by_rows(rows[kinds[0]], rows[kinds[-1]], left, right, len(kinds) == 1)


def some_pairs(links: Links, most: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return all pairs that links stand for or, of more than ``most``, so many different ones drawn at random.

    >>> left, right = some_pairs(Links.tying(Groups.of([[3, 5, 8]])), 10, np.random.default_rng(0))
    >>> left.tolist(), right.tolist()
    ([5, 8, 8], [3, 3, 5])
    """
    ends = np.cumsum(links.n_pairs)
    total = int(ends[-1]) if len(ends) else 0
    numbers = np.arange(total) if total <= most else np.sort(rng.choice(total, most, replace=False, shuffle=False))
    link = np.searchsorted(ends, numbers, side="right")
    rest = numbers - (ends - links.n_pairs)[link]
    left, right = links.left[link], links.right[link]
    loops = (left == right) & (links.others is None)
    width = np.ones(len(link), dtype=np.int64)
    width[right < 0] = links.right_groups.sizes[-1 - right[right < 0]]
    row = np.where(loops, _triangle(rest), rest // width)
    return _member(left, row, links.groups), _member(
        right, np.where(loops, rest - row * (row - 1) // 2, rest % width), links.right_groups
    )


def _by_rows(first: csr_array, second: csr_array, left: Ints, right: Ints, one_kind: bool) -> Likeness:
    sums = [np.asarray(each.sum(axis=0)) for each in (first, second)]
    linked = [np.diff(each.indptr) > 0 for each in (first, second)]
    n, m = (int(np.count_nonzero(each)) for each in linked)
    kept = linked[0][left] & linked[1][right]
    alike = row_dots(first, left[kept], second, right[kept])
    together, pairs = float(sums[0] @ sums[1]), n * m
    if one_kind:  # without the pairs of nodes with themselves, whose rows are of length 1
        together, pairs = together - n, n * (n - 1)
    return _mean(alike), together / pairs if pairs else None


def _by_weight(block: csr_array, left: Ints, right: Ints) -> Likeness:
    degrees = [np.asarray(block.sum(axis=1)), np.asarray(block.sum(axis=0))]
    scaled = csr_array(diags_array(_inverse(np.sqrt(degrees[0]))) @ block @ diags_array(_inverse(np.sqrt(degrees[1]))))
    pairs = int(np.count_nonzero(degrees[0])) * int(np.count_nonzero(degrees[1]))
    kept = (degrees[0][left] > 0) & (degrees[1][right] > 0)
    alike = cells(scaled, left[kept], right[kept])
    return _mean(alike), float(scaled.sum()) / pairs if pairs else None


def _between(star: Star, kinds: tuple[str, ...]) -> csr_array | None:
    """Return the weight of the arms between two kinds, if there are any, from the first kind to the second."""
    found = None
    for arm, weight in zip(star.arms, star.weights, strict=True):
        if {arm.rows.kind, arm.cols.kind} == set(kinds):
            block = csr_array((arm.block if arm.rows.kind == kinds[0] else arm.block.T) * weight)
            found = block if found is None else csr_array(found + block)
    return found


def _triangle(numbers: Ints) -> Ints:
    """Return i of the pair (i, j), j < i, that has a number when pairs are counted row by row."""
    row = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) // 2).astype(np.int64)
    row -= row * (row - 1) // 2 > numbers  # the root of a large number may be rounded up, or down
    row += row * (row + 1) // 2 <= numbers
    return row


def _member(units: Ints, numbers: Ints, groups: Groups) -> Ints:
    """Return the member of that number of each unit."""
    found = units.copy()
    grouped = units < 0
    found[grouped] = groups.members[groups.starts[-1 - units[grouped]] + numbers[grouped]]
    return found


def _inverse(values: Floats) -> Floats:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
