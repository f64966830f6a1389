"""Links from relationships, paths and query files, and from neighbours in common."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.constraints.pair_sampling import MOST_LINKS, PairSampler, ScoredPairs, unordered_pairs
from graphmine.constraints.rule_context import RuleContext, RuleResult, links_across, links_of_rule
from graphmine.constraints.rule_types import Path, Shared
from graphmine.model import Constraints, Groups, Links
from graphmine.model.naming import written_number

__all__ = ["path_links", "shared_links"]

_ROOM = 4_000_000  # about so many meetings of two rows are looked at together
_VERIFY = 4  # looking up one pair of rows costs so many times what multiplying two entries does


def path_links(context: RuleContext, body: Path) -> RuleResult:
    """Link nodes that a path, a relationship or a query file joins often enough."""
    pattern = body.pattern
    relation = context.source.relation(pattern, context.rule.where)
    entries = relation.block.tocoo()
    first, second = context.places(relation.rows)[entries.row], context.places(relation.cols)[entries.col]
    within = pattern.rows == pattern.cols
    kept = (first >= 0) & (second >= 0) & ((first != second) | (not within))
    found = ScoredPairs(first, second, entries.data).only(kept)
    least = 0.0 if body.least is None else body.least
    strong = found.only(found.strength >= least)
    sampler = PairSampler(context.rule)
    pairs = unordered_pairs(strong, mutual=body.mutual) if within else strong
    sampler.add(pairs.first, pairs.second, pairs.strength)
    links = _links(context, sampler.pairs(), own_weights=pattern.steps[0].file is not None, within=within)
    if within:
        return RuleResult(Constraints({pattern.rows: links}), _reason(body, found, strong))
    return RuleResult(links_across(context, (pattern.rows, pattern.cols), links), _reason(body, found, strong))


def _reason(body: Path, found: ScoredPairs, strong: ScoredPairs) -> str:
    if not len(found):
        return f"{body.pattern} joins no two different nodes of the star"
    if not len(strong):
        return f"the largest weight is {written_number(found.strength.max())}"
    return "no link goes both ways"


def _links(context: RuleContext, pairs: ScoredPairs, *, own_weights: bool, within: bool) -> Links:
    weight = pairs.strength if own_weights else 1.0
    return links_of_rule(context.rule, pairs.first, pairs.second, weight=weight, others=None if within else Groups())


def shared_links(context: RuleContext, body: Shared) -> RuleResult:
    """Link nodes that have enough neighbours in common at the end of a path."""
    relation = context.source.relation(body.pattern, context.rule.where)
    places = context.places(relation.rows)
    rows = np.flatnonzero(places >= 0)
    rows = rows[np.argsort(places[rows])]
    block = relation.block[rows]
    block.data = np.ones(block.nnz)
    degree = np.diff(block.indptr)
    sampler = PairSampler(context.rule)
    for first, second, common in _common_counts(block, _needed(body, degree)):
        strength = _alike(body, degree, first, second, common)
        kept = strength >= body.least
        sampler.add(places[rows[first[kept]]], places[rows[second[kept]]], strength[kept])
        context.progress(context.rule.name, int(first[-1]) if len(first) else 0, len(rows))
    pairs = sampler.pairs()
    links = links_of_rule(context.rule, pairs.first, pairs.second)
    return RuleResult(Constraints({body.pattern.rows: links}), "" if len(links) else _reason_shared(body, block))


def _alike(body: Shared, degree: Ints, first: Ints, second: Ints, common: Floats) -> Floats:
    return common / (degree[first] + degree[second] - common) if body.jaccard else common


def _reason_shared(body: Shared, block: csr_array) -> str:
    """Say how near two rows come to having enough in common, where that is quickly found."""
    if _costs(block).sum() > MOST_LINKS:
        return "no two nodes of the star have so much in common"
    degree = np.diff(block.indptr)
    most = [_alike(body, degree, *met).max(initial=0) for met in _products(block)]
    return f"the largest value seen is {written_number(round(max(most, default=0), 6))}"


def _needed(body: Shared, degree: Ints) -> Ints:
    """Return how many neighbours a row must at least have in common with another one."""
    if not body.jaccard:
        return np.full(len(degree), np.ceil(body.least), dtype=np.int64)
    # Slightly less, so that no pair is lost to rounding; an exact test follows.
    needed: Ints = np.maximum(1, np.ceil(body.least * degree - 1e-9)).astype(np.int64)
    return needed


def _common_counts(block: csr_array, needed: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Give the pairs of rows that may have enough columns in common, and how many they have.

    Of rows that have t columns in common at least one is not among the t - 1 most frequent ones of the first row, nor
    of the second. Where it pays, only pairs that meet in the others are looked at, so that hubs do not count.
    """
    rare = _rarest(block, needed)
    degree = block.nnz / max(1, block.shape[0])
    if _costs(rare).sum() * (1 + _VERIFY * degree) >= _costs(block).sum():
        yield from _products(block)
        return
    sizes = np.diff(block.indptr)
    for first, second, _ in _products(rare):
        for part in _parts(sizes[first] + sizes[second]):
            one, other = first[part], second[part]
            yield one, other, np.asarray(block[one].multiply(block[other]).sum(axis=1)).ravel()


def _rarest(block: csr_array, needed: Ints) -> csr_array:
    """Return the block without the needed - 1 most frequent columns of each row."""
    degree = np.diff(block.indptr)
    row = np.repeat(np.arange(block.shape[0]), degree)
    frequency = np.bincount(block.indices, minlength=block.shape[1])
    order = np.lexsort((block.indices, frequency[block.indices], row))
    rank = np.arange(block.nnz) - block.indptr[row]
    kept = order[rank < (degree - needed + 1)[row]]
    return csr_array((np.ones(len(kept)), (row[kept], block.indices[kept])), shape=block.shape)


def _costs(block: csr_array) -> Ints:
    """Return how many entries each row meets in the block."""
    frequency = np.bincount(block.indices, minlength=block.shape[1])
    sums = np.concatenate([[0], np.cumsum(frequency[block.indices])])
    return np.diff(sums[block.indptr])


def _products(block: csr_array) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Give every two rows that have columns in common, the first below the second, in pieces of bounded size."""
    columns = csr_array(block.T)
    for part in _parts(_costs(block)):
        met = csr_array(block[part] @ columns)
        met.sort_indices()
        first = np.repeat(np.arange(part.start, part.stop), np.diff(met.indptr))
        second = met.indices.astype(np.int64)
        later = second > first
        yield first[later], second[later], met.data[later]


def _parts(costs: Ints) -> Iterator[slice]:
    """Cut things that cost something into parts that cost about as much as there is room for."""
    starts = np.flatnonzero(np.diff(np.cumsum(costs) // _ROOM, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(costs)]):
        yield slice(start, end)
