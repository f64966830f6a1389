"""Loom: graphmine's own method, a spectral start refined by what each node's neighbours say without it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import Bools, Labels
from graphmine.checks import check_integer
from graphmine.clock import now
from graphmine.closure.conflicts import conflicts, describe
from graphmine.errors import ConstraintError, DataError, ParameterError
from graphmine.linalg.matching import partners
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.labels import renumber
from graphmine.methods.loom.hard_links import HardLinks
from graphmine.methods.loom.refinement import Refined, Refiner
from graphmine.methods.loom.relation_weights import weigh_relations
from graphmine.methods.loom.soft_links import SoftLinks
from graphmine.methods.loom.start import embedding, place_by_centre, starts
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["Loom", "refined"]


_FIRST, _MORE = 2, 6
"""Passes from each start, and the most from the better of them."""


@dataclass(frozen=True)
class Loom(Method):
    """graphmine's own method: a spectral start, leave-one-out refinement, and links weighed by their trust.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes: of the centre of a star, or of the smaller kind of
        a single relation. Fewer come back where there are fewer distinct profiles than that, or where the refinement
        leaves a cluster without nodes.

    Notes
    -----
    **Start.** With B the block of a relation, D_r and D_c its row and column sums, and τ_r and τ_c their means,

        A = (D_r + τ_r)^-½ B (D_c + τ_c)^-½ = U Σ Vᵀ,

    for a star the A of all relations side by side, each times the root of its weight and divided by about the singular
    value that chance alone gives it, so that one of many sparse columns does not lead. τ keeps small, nearly
    disconnected parts from taking the leading vectors. The q = min(2k, k + 10) first vectors, times Σ², with rows
    brought to length one, are clustered by k-means twice: all kinds together; and the centre alone, every other node
    then going to the cluster that has most of it for its size. Beside a part of the network that is more than half of
    it, others that weigh less than a twentieth of what a cluster does, and hang together with nothing else, say
    nothing about the others: each of them is put into one cluster or another as a whole, and that its nodes are in the
    same one is all that their label says. Where as many parts as clusters are larger than that, they are the clusters,
    all but the k - 1 heaviest sharing one.

    **Refinement.** M_ja is the weight of column j in row cluster a, d_j its sum, π_a the share of a in everything, and
    Π_ba its share in column cluster b. Every row goes to the cluster with the greatest

        Σ_j B_ij log[(M_ja - B_ij [a = a_i] + s Π_b(j)a) / π_a],

    summed over the relations it takes part in, each times its weight and as far as what it says of the first start's
    clusters can be relied on (see `graphmine.methods.loom.relation_weights`); then the other kinds alike. Each entry is
    judged by the others of its column, and the column's own profile is shrunk towards that of its cluster: as s grows
    this is information-theoretic co-clustering, or the degree-corrected block model; as s shrinks, naive Bayes. s is
    chosen for each pass, relation and side, from 1, 3, ... 10,000, as the one under which the entries, each left out,
    are likeliest: of all entries, or of 20,000 drawn by the seed where there are more. Two passes are made from each
    start, then up to six from the one that is worth more. Where every s is 100 or more, so that nodes of a cluster
    differ in little but their degrees, up to ten soft passes follow, in which a node is in every cluster as far as it
    fits, and each neighbour hears it without what that one told it (see `graphmine.linalg.belief_propagation`): belief
    propagation, as s grows. Above 2²¹ entries times clusters all hear the same, and every s has to be 1,000 or more.

    **Hard links.** Nodes that must-links tie are one row, summed, and move as one; tied across kinds they move by the
    sum of their scores. Clusters that hold a node's opposite are closed to it: nodes that clash take the best cluster
    that is open, the surest first, and change places where all gain. That does not always find clusters where
    there are some; the report counts what is broken. Contradictions are refused.

    **Soft links** may be wrong. The trust in each rule, and in each link, is estimated from how far they agree with the
    relation; see `graphmine.methods.loom.soft_links.SoftLinks`. What a link says is weighed against a node's own
    entries in nats. Entries that hang together, as the words of a text do, are worth less than they seem;
    how much less is found by holding one half of the entries against the other. Of links that repeat the relation,
    such as co-authors of the very papers it counts, the columns that both ends have in common are left out, on both
    sides, and all such links of a node count together about as one. What the two starts come to without links is a
    third start, if it bears out any rule: links that say little then do not lead far from there.

    **Trace.** The mean log-likelihood ratio of a left-out entry in nats, over both sides, and that of the links as
    they are met, divided by the same weight: after the first two passes from the better start, and after each further
    one. It is to be large. A pass need not raise it: nothing proves so, and on texts late passes lower it a little.
    Such a pass is taken back and is the last, so that the trace does not fall; but soft passes, which come last, can
    cost a little of it. Where the sixth pass still gains more than a thousandth, the result says that it has not
    converged.

    - s is in units of counts, so weights are first divided by their mean, and their scale does not matter.
    - The clusters of the kinds are numbered apart; in the end they are matched one to one with those of the centre,
      so that Σ N_ab / √(N_a N_b) over matched pairs, with N the weight of blocks, is greatest. Links across kinds,
      hard or soft, count on the numbers as they are from the start on.
    - k-means keeps the start of the least inertia, which is not always the one that refines best.
    - All passes begin with the centre, so that a relation turned round can give other clusters where they are vague.
    - A node without relationships is placed by its must-links, if they lead to a node that has some; else it is left
      `UNPLACED`. Equal rows without links share a cluster.

    The cost is O(nnz + n k) a Lanczos step, O(n k²) a pass of k-means and O(nnz k) a pass of the refinement, for n
    nodes of all kinds, and O(k) a pair of soft links and pass; the memory is O(nnz + n k) and O(k) a pair.

    References
    ----------
    A. A. Amini, A. Chen, P. J. Bickel, E. Levina: Pseudo-likelihood methods for community detection in large sparse
    networks. Annals of Statistics 2013: the regularised spectral start, and refinement by likelihood.
    I. S. Dhillon, S. Mallela, D. S. Modha: Information-theoretic co-clustering. KDD 2003.
    A. Decelle, F. Krzakala, C. Moore, L. Zdeborová: Asymptotic analysis of the stochastic block model for modular
    networks and its algorithmic applications. Physical Review E 2011: belief propagation, and what can be known.
    B. Karrer, M. E. J. Newman: Stochastic blockmodels and community structure in networks. Physical Review E 2011.

    Examples
    --------
    >>> from graphmine.model import Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> found = Loom(n_clusters=2).fit(Star((wrote,)), seed=0)
    >>> found.labels["Author"].tolist(), found.labels["Venue"].tolist()
    ([0, 0, 1, -1], [0, 0, 1])
    """

    n_clusters: int
    traits: ClassVar[Traits] = Traits(
        name="loom",
        title="Spectral start, leave-one-out refinement, trusted links",
        paper="graphmine's own, after Dhillon et al. (KDD 2003), Karrer and Newman (2011) and Amini et al. (2013).",
        cost=Cost(13e6, a_pair=100, a_node=60, a_node_cluster=80, a_pair_cluster=24, microseconds=3),
        max_arms=None,
        constraints=frozenset({"must", "cannot", "across"}),
    )

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters."""
        check_integer("n_clusters", self.n_clusters, least=1)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of all kinds of a star."""
        _check_enough(self.n_clusters, star)
        _check_sound(constraints, star)
        rng = generator(seed)
        graph = UnitGraph.of(star, constraints, rng)
        progress("singular vectors", 0, 3)
        points, converged = embedding(graph, self.n_clusters, rng)  # A = U Σ Vᵀ
        progress("k-means", 1, 3)
        initial = starts(graph, points, self.n_clusters, rng)
        first = next(initial)
        progress("refinement", 2, 3)
        refiner, result = _refine(_refiner(graph, constraints, first, self.n_clusters), chain([first], initial), rng)
        progress("refinement", 3, 3)
        labels: Sequence[Labels] = result.state.labels
        if not any(map(len, constraints.across.values())):  # links across kinds count on the numbers as they are
            labels = _match_kinds(graph, labels, self.n_clusters)
        named = renumber(graph.spread(labels, _units_with_place(graph, refiner.soft_links)))
        found = Clustering(named, result.trace, converged and result.converged)
        if not any(map(len, constraints.values())):
            return found
        return replace(found, trust=refiner.soft_links.of_links(constraints, refiner.trust(result.state)))


def refined(star: Star, n_clusters: int, labels: Mapping[str, Labels], *, seed: int | None = None) -> Clustering:
    """Return what the refinement alone makes of given labels of the centre: how far from there a start leads.

    >>> from graphmine import gallery
    >>> star, truth = gallery.islands()
    >>> refined(star, 3, truth).labels["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    """
    started, rng = now(), generator(seed)
    graph = UnitGraph.of(star, FREE, rng)
    given = labels[star.centre.kind]
    centre = np.where(given < 0, np.arange(len(given)) % n_clusters, given)  # those without a label anywhere
    initial = place_by_centre(graph, centre, n_clusters)
    _, result = _refine(_refiner(graph, FREE, initial, n_clusters), [initial], rng)
    found = graph.spread(_match_kinds(graph, result.state.labels, n_clusters), graph.linked)
    return Clustering(renumber(found), result.trace, result.converged, now() - started)


def _check_enough(n_clusters: int, star: Star) -> None:
    """Refuse an empty star, and more clusters than there are nodes with links; arms of a star may have fewer."""
    if not any(arm.nnz for arm in star.arms):
        arm = star.arms[0]
        raise DataError(
            f"no {arm.rows.kind} is linked to any {arm.cols.kind}, so there is nothing to cluster; "
            "check the direction of the arrows and the filters"
        )
    if not any(arm.nnz and weight for arm, weight in zip(star.arms, star.weights, strict=True)):
        raise ParameterError("the weights of all relations that have links are 0; give one of them a weight above 0")
    linked = np.zeros(len(star.centre), dtype=np.bool_)
    for arm in star.arms:
        linked |= np.diff(arm.block.indptr) > 0
    sides = [(int(linked.sum()), star.centre.kind)]
    if len(star.arms) == 1:
        (arm,) = star.arms
        sides.append((len(np.unique(arm.block.indices)), arm.cols.kind))
    n_linked, kind = min(sides, key=lambda side: side[0])
    if n_clusters > n_linked:
        raise ParameterError(
            f"n_clusters must be at most {n_linked}, the number of {kind} nodes with links, was {n_clusters}"
        )


def _check_sound(constraints: Constraints, star: Star) -> None:
    for conflict in conflicts(constraints, 1):
        raise ConstraintError(describe(conflict, {each.kind: each for each in star.kinds}, constraints.rules))


def _refiner(graph: UnitGraph, constraints: Constraints, labels: Sequence[Labels], n_clusters: int) -> Refiner:
    """Return all that passes need, the relations weighed by clusters that they are to begin with."""
    soft_links, hard_links = SoftLinks.of(constraints, graph), HardLinks.of(constraints, graph)
    weighed = weigh_relations(graph, labels, n_clusters)
    return Refiner(weighed, soft_links, hard_links, n_clusters, (1.0,) * len(graph.kinds))


def _refine(refiner: Refiner, initial: Iterable[Sequence[Labels]], rng: np.random.Generator) -> tuple[Refiner, Refined]:
    """Return the refinement of the best start and the soft passes; what there is without soft links can be a start."""
    if len(refiner.soft_links):
        initial = list(initial)
        scaled = refiner.with_evidence_scales(refiner.start_state(initial[0]), rng)
        without = _best(refiner.without_soft_links(), initial).state.labels
        refiner = scaled
        if refiner.supports_rules(without):
            initial = [*initial, without]
    result = _best(refiner, initial)
    soft = refiner.soft_passes(result.state)
    if soft is not result.state:
        result = result._replace(state=soft, trace=(*result.trace, soft.value / refiner.weight))
    return refiner, result


def _best(refiner: Refiner, initial: Iterable[Sequence[Labels]]) -> Refined:
    """Return what passes make of the start that is worth most after the first of them."""
    return refiner.passes(refiner.best_start(initial, _FIRST), _MORE)


def _units_with_place(graph: UnitGraph, soft_links: SoftLinks) -> list[Bools]:
    """Return which units have a place: those with relationships, and those that must-links lead to some that have."""
    first = np.cumsum([0, *(len(units) for units in graph.kinds)])
    must = np.flatnonzero(soft_links.must)
    heads, tails = (first[soft_links.kinds[end][must]] + soft_links.ends[end][must] for end in (0, 1))
    component = np.concatenate([units.component for units in graph.kinds])
    _, same = np.unique(component, return_inverse=True)
    n_units, n = int(first[-1]), int(first[-1]) + int(same.max()) + 1
    heads, tails = np.concatenate([heads, np.arange(n_units)]), np.concatenate([tails, n_units + same])
    links = csr_array((np.ones(len(heads), dtype=np.int8), (heads, tails)), shape=(n, n))
    _, part = connected_components(links, directed=False)
    reached = np.zeros(n, dtype=np.bool_)
    reached[part[:n_units][np.concatenate(graph.linked)]] = True
    return np.split(reached[part[:n_units]], first[1:-1])


def _match_kinds(graph: UnitGraph, labels: Sequence[Labels], n_clusters: int) -> list[Labels]:
    """Return one numbering of the clusters of all kinds: the centre keeps its own, the others take their partners'."""
    found = list(labels)
    for kind in range(1, len(labels)):
        likeness = np.zeros((n_clusters, n_clusters))
        for arm, seen in zip(graph.arms, graph.profiles(0, labels, n_clusters), strict=True):
            if arm.kind == kind:
                size = np.sqrt(np.outer(seen.blocks.sum(axis=1), seen.blocks.sum(axis=0)))
                likeness += arm.weight * np.divide(seen.blocks, size, out=np.zeros_like(size), where=size > 0)
        found[kind] = partners(likeness)[labels[kind]]
    return found
