"""Measures for previews of constraints: sets tied by must-links, contradicted links, similarity of linked nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from graphmine.arrays import Floats, Ints
from graphmine.closure.components import must_link_components
from graphmine.closure.conflicts import contradictions
from graphmine.constraints.pair_counts import LinksOfKinds, links_by_kinds, row_products
from graphmine.linalg.bipartite import entries_at
from graphmine.model import Constraints, Groups, Links, Star

__all__ = ["UnitRows", "contradicted_soft_links", "mean_similarity", "must_link_sets", "sample_pairs", "unit_rows"]


def must_link_sets(musts: Iterable[LinksOfKinds], counts: Mapping[str, int]) -> dict[str, Ints]:
    """Return the set of each node that must-links tie together, over all kinds; -1 for single nodes.

    Sets are numbered by decreasing size; soft links count as hard ones.

    Examples
    --------
    >>> from graphmine.model import Groups, Links
    >>> musts = Links.of_pairs([[0, 1]]) + Links.tying(Groups.of([[2, 3, 4]]))
    >>> must_link_sets([(("Author",), musts)], {"Author": 6})["Author"].tolist()
    [1, 1, 0, 0, 0, -1]
    """
    ties = must_link_components(_as_hard(musts))
    named_ones = {kind: ties.of(kind) for kind in ties.starts}
    sizes = np.bincount(ties.component)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    numbers = np.where(sizes > 1, rank, -1)
    sets = {kind: np.full(count, -1, dtype=np.int64) for kind, count in counts.items()}
    for kind, components in named_ones.items():
        sets[kind][: len(components)] = numbers[components][: counts[kind]]
    return sets


def contradicted_soft_links(constraints: Constraints) -> int:
    """Return the number of soft cannot-links between nodes that hard must-links tie together.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> hard = Links.of_pairs([[0, 1], [1, 2]], hard=True)
    >>> soft = Links.of_pairs([[0, 2], [0, 4]], must=False)
    >>> contradicted_soft_links(Constraints({"Author": hard + soft}))
    1
    """
    chosen = constraints.select(lambda links: links.hard == links.must)  # hard must-links and soft cannot-links
    return len(contradictions(_as_hard(links_by_kinds(chosen))).each())


def _as_hard(every: Iterable[LinksOfKinds]) -> Constraints:
    """Return the same links, all of them hard."""
    within, across = {}, {}
    for kinds, links in every:
        firm = replace(links, hard=np.ones(len(links), dtype=np.bool_), rule=np.full(len(links), -1))
        if len(kinds) == 2:
            across[kinds[0], kinds[1]] = firm
        else:
            within[kinds[0]] = firm
    return Constraints(within, across)


UnitRows = Mapping[str, csr_array]
Similarities = tuple[float | None, float | None]


def unit_rows(star: Star, kind: str) -> csr_array:
    """Return the rows of all nodes of a kind over all arms side by side, scaled to length 1 unless empty."""
    blocks = zip(star.arms, star.weights, strict=True)
    sides = [
        arm.block * weight if kind == arm.rows.kind else csr_array(arm.block.T) * weight
        for arm, weight in blocks
        if kind in (arm.rows.kind, arm.cols.kind)
    ]
    rows = csr_array(hstack(sides))
    rows.eliminate_zeros()  # the weight of an arm may be 0
    return csr_array(diags_array(_inverse(np.sqrt(np.asarray(rows.power(2).sum(axis=1))))) @ rows)


def mean_similarity(
    star: Star, rows: UnitRows, kinds: tuple[str, ...], links: Links, most: int, seed: int
) -> Similarities:
    """Return the mean similarity of linked nodes, and that of random pairs; None where it is undefined.

    Parameters
    ----------
    rows
        `unit_rows` of the kinds.
    most
        The largest number of pairs; of more pairs, this many are drawn at random.

    Notes
    -----
    Within a kind, the similarity is the cosine of the two nodes' rows. Across two kinds that an arm relates, it
    is w_ij / √(d_i d_j), the weight between the two over the root of the product of their degrees in those arms. Across
    two other kinds, it is the cosine of their rows over the centre. Nodes without any link in the relation are left
    out. The mean over random pairs is exact: it is computed from the sum of all rows.

    Examples
    --------
    >>> from graphmine.gallery import islands
    >>> star, _ = islands()
    >>> rows = {"Author": unit_rows(star, "Author")}
    >>> alike, chance = mean_similarity(star, rows, ("Author",), Links.of_pairs([[0, 1], [0, 12]]), most=100, seed=0)
    >>> round(alike, 3), round(chance, 3)
    (0.5, 0.308)
    """
    left, right = sample_pairs(links, most, np.random.default_rng(seed))
    between = _between(star, kinds) if len(kinds) == 2 else None
    if between is not None:
        return _by_weight(between, left, right)
    return _by_rows(rows[kinds[0]], rows[kinds[-1]], left, right, len(kinds) == 1)


def sample_pairs(links: Links, most: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return all pairs that links stand for, or ``most`` distinct ones drawn at random if there are more.

    >>> left, right = sample_pairs(Links.tying(Groups.of([[3, 5, 8]])), 10, np.random.default_rng(0))
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
    # Within a link, rest = row * width + column; for a group with itself, rest = row (row - 1) / 2 + column.
    row = np.where(loops, _triangle(rest), rest // width)
    return _member(left, row, links.groups), _member(
        right, np.where(loops, rest - row * (row - 1) // 2, rest % width), links.right_groups
    )


def _by_rows(first: csr_array, second: csr_array, left: Ints, right: Ints, one_kind: bool) -> Similarities:
    sums = [np.asarray(each.sum(axis=0)) for each in (first, second)]
    linked = [np.diff(each.indptr) > 0 for each in (first, second)]
    n, m = (int(np.count_nonzero(each)) for each in linked)
    kept = linked[0][left] & linked[1][right]
    alike = row_products(first, left[kept], second, right[kept])
    together, pairs = float(sums[0] @ sums[1]), n * m
    if one_kind:  # without pairs of a node with itself, whose rows have length 1
        together, pairs = together - n, n * (n - 1)
    return _mean(alike), together / pairs if pairs else None


def _by_weight(block: csr_array, left: Ints, right: Ints) -> Similarities:
    degrees = [np.asarray(block.sum(axis=1)), np.asarray(block.sum(axis=0))]
    scaled = csr_array(diags_array(_inverse(np.sqrt(degrees[0]))) @ block @ diags_array(_inverse(np.sqrt(degrees[1]))))
    pairs = int(np.count_nonzero(degrees[0])) * int(np.count_nonzero(degrees[1]))
    kept = (degrees[0][left] > 0) & (degrees[1][right] > 0)
    alike = entries_at(scaled, left[kept], right[kept])
    return _mean(alike), float(scaled.sum()) / pairs if pairs else None


def _between(star: Star, kinds: tuple[str, ...]) -> csr_array | None:
    """Return the weight between two kinds over all arms, as a block from the first to the second; None for none."""
    found = None
    for arm, weight in zip(star.arms, star.weights, strict=True):
        if {arm.rows.kind, arm.cols.kind} == set(kinds):
            block = csr_array((arm.block if arm.rows.kind == kinds[0] else arm.block.T) * weight)
            found = block if found is None else csr_array(found + block)
    return found


def _triangle(numbers: Ints) -> Ints:
    """Return i of the pair (i, j), j < i, with number i (i - 1) / 2 + j: pairs are counted row by row."""
    row = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) // 2).astype(np.int64)
    row -= row * (row - 1) // 2 > numbers  # the square root of a large number may be rounded up or down
    row += row * (row + 1) // 2 <= numbers
    return row


def _member(units: Ints, numbers: Ints, groups: Groups) -> Ints:
    """Return the member with a given number of each unit."""
    found = units.copy()
    grouped = units < 0
    found[grouped] = groups.members[groups.starts[-1 - units[grouped]] + numbers[grouped]]
    return found


def _inverse(values: Floats) -> Floats:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
