"""Draw constraints from a database, preview them before a fit, and list what a run breaks."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from graphmine.checks import nearest
from graphmine.closure.cliques import clusters_needed, find_clique
from graphmine.closure.conflicts import conflicts, describe
from graphmine.closure.resolve import resolve_conflicts
from graphmine.constraints.draw import draw
from graphmine.constraints.preview import Preview, preview as look_at
from graphmine.constraints.rules import Rule, read_rules
from graphmine.constraints.satisfaction import Broken, broken as find_broken, broken_counts
from graphmine.constraints.trust import trust_again
from graphmine.errors import ConstraintError, GraphmineError, ParameterError, RunError
from graphmine.exchange.journal import Written, labels_of
from graphmine.exchange.link_trust import read_trust
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push
from graphmine.exchange.rule_source import StoreSource
from graphmine.exchange.runs import COUNTS, Run, find_named
from graphmine.job import Job
from graphmine.methods.n_clusters import checked_clusters, most_clusters
from graphmine.model import UNPLACED, Clustering, Constraints, Nodes, Pattern, Relation, Star
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.known_classes import known_classes

__all__ = ["Previewed", "broken", "constrain", "draw_again", "link_trust", "preview", "settle", "write_broken"]

_CONFLICTS = 10  # how many contradictions a preview tells of


@dataclass(frozen=True)
class Previewed:
    """What rules make of a network, before any fit.

    Parameters
    ----------
    star, constraints
        What they were drawn for, and what they made.
    preview
        How much each rule says, and how far it agrees with the network.
    n_conflicts, conflicts
        How many hard cannot-links contradict must-links, and a sentence on each of the first few.
    crowded
        Cannot-links that so few clusters can not meet, in a sentence.
    """

    star: Star
    constraints: Constraints
    preview: Preview
    n_conflicts: int
    conflicts: tuple[str, ...]
    crowded: tuple[str, ...]


def constrain(
    store: Store,
    star: Star | Mapping[str, Nodes],
    rules: str | Rule | Sequence[Rule | str],
    *,
    keys: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Constraints:
    """Draw constraints on the nodes of a star from a database, by rules.

    A rule that makes nothing is a warning. Contradictions are left in; see `settle`. Rules whose links come from the
    same records as the relations of the star are named in `Constraints.repeats`.
    """
    relations = [arm.name for arm in star.arms] if isinstance(star, Star) else []
    return _drawn(StoreSource(store, keys or {}, progress=progress), star, rules, relations, progress)


def settle(
    constraints: Constraints, star: Star, on_conflict: str = "error", n_clusters: int | None = None
) -> tuple[Constraints, int]:
    """Resolve contradictions among hard links; return what is left, and how many links were dropped or weakened.

    With ``error`` a contradiction is refused, with its shortest chain. With ``n_clusters``, cannot-links that so few
    clusters can not meet are a warning, if they are seen.
    """
    nodes = {each.kind: each for each in star.kinds}
    left, given_up = resolve_conflicts(constraints, on_conflict) if on_conflict != "error" else (constraints, 0)
    for each in conflicts(left, 1):
        sentence = describe(each, nodes, constraints.rules)
        raise ConstraintError(f"{sentence}; say what gives way with `on_conflict=`, or change a rule")
    for sentence in _crowd(left, nodes, n_clusters):
        warnings.warn(sentence, UserWarning, stacklevel=2)
    return left, given_up


def preview(
    store: Store, job: Job, *, truth: str | None = None, seed: int = 0, progress: Progress = silent
) -> Previewed:
    """Say what the rules of a job would make of its relation, without fitting anything.

    Parameters
    ----------
    job
        A `PreviewJob` will do. Where it says how many clusters there are to be, cannot-links that so few can not meet
        are looked for.
    truth
        A property with known classes, to hold the links against.
    seed
        Draws the pairs of nodes that links are compared with.
    """
    with store.snapshot():
        star = pull(store, job.patterns, where=job.filters, keys=job.relation_keys, progress=progress)
        constraints = constrain(store, star, job.rules, keys=job.keys, progress=progress)
    nodes = {each.kind: each for each in star.kinds}
    told = tuple(describe(each, nodes, constraints.rules) for each in conflicts(constraints, _CONFLICTS))
    n_conflicts = len(told) if len(told) < _CONFLICTS else resolve_conflicts(constraints, "drop-cannot")[1]
    classes = known_classes(store, nodes, job.keys, truth) if truth else None
    found = look_at(constraints, star, truth=classes, seed=seed)
    most = None if job.chooses else most_clusters(checked_clusters(job.n_clusters))
    crowd = () if told else _crowd(constraints, nodes, most)
    return Previewed(star, constraints, found, n_conflicts, told, crowd)


def broken(store: Store, name: str | Run, most: int = 1000) -> tuple[Broken, dict[str, Nodes], Constraints]:
    """List the links that the labels of a run break: its rules are drawn again, from the network as it is now.

    Where trust in a link is on record with the run, it is told.
    """
    run = find_named(store, name, clusters=True)
    written = labels_of(store, run.id)
    nodes = {kind: each.nodes for kind, each in written.items()}
    constraints, known = draw_again(store, run, written), read_trust(store, run)
    trust = trust_again(known, constraints, nodes) if known is not None else {}
    return find_broken(constraints, replace(_clustering(written), trust=trust), most), nodes, constraints


def link_trust(store: Store, name: str | Run, rule: str | None = None) -> pa.Table:
    """Return the links of a run with the probability, as the method estimated it, that each of them is right.

    Parameters
    ----------
    rule
        The name of the only rule that is asked for.

    Notes
    -----
    A row is a link: ``rule`` (empty for none), ``kind``, ``other_kind``, ``must``, ``hard``, on either side ``key`` and
    ``size`` (of a group its first few keys, and how many nodes it has), ``weight``, ``trust``, and how many of its
    ``pairs`` of nodes are ``broken`` or ``unplaced``. All of it is as it was when the run was written.
    """
    run = find_named(store, name, clusters=True)
    found = read_trust(store, run) if run.state == "complete" else None
    if found is None:
        raise RunError(_why_no_trust(run))
    if rule is None:
        return found
    rules = pc.unique(found["rule"]).to_pylist()
    if rule not in rules:
        raise ParameterError(f"run {run.id} judges no links of a rule {rule!r}{nearest(rule, rules) or _only(rules)}")
    return found.filter(pc.equal(found["rule"], rule))


def write_broken(
    store: Store, name: str | Run, property_: str, *, overwrite: bool = False, progress: Progress = silent
) -> Run:
    """Write on every node that a rule names how many of its links are broken, as a run that can be undone."""
    run = find_named(store, name, clusters=True)
    if property_ == run.property:
        raise ParameterError(f"{property_!r} holds the clusters of run {run.id}; name another property for the counts")
    written = labels_of(store, run.id)
    counts = broken_counts(draw_again(store, run, written), _clustering(written))
    counts = {kind: each for kind, each in counts.items() if np.any(each != UNPLACED)}
    if not counts:
        raise RunError(f"the rules of run {run.id} make no links any more, so there is nothing to write")
    star = _bare([written[kind].nodes for kind in counts])
    draft = Run(property_, method=COUNTS, parameters={"run": run.id}, relations=run.relations)
    keys = {kind: written[kind].key for kind in counts}
    return push(store, star, Clustering(counts), draft, overwrite=overwrite, keys=keys, progress=progress)


def _drawn(
    source: StoreSource,
    star: Star | Mapping[str, Nodes],
    rules: str | Rule | Sequence[Rule | str],
    relations: Sequence[str],
    progress: Progress,
) -> Constraints:
    nodes = {each.kind: each for each in star.kinds} if isinstance(star, Star) else star
    found = draw(read_rules(rules), nodes, source, progress, relations=_patterns(relations))
    for sentence in found.warnings:
        warnings.warn(sentence, UserWarning, stacklevel=3)
    return found.constraints


def _patterns(relations: Sequence[str]) -> list[Pattern]:
    """Return relations as patterns; a relation that was not pulled may have any name, or none."""
    found = []
    for name in relations:
        with suppress(ParameterError):
            found.append(Pattern.parse(name))
    return found


def draw_again(store: Store, run: Run, written: Mapping[str, Written]) -> Constraints:
    """Draw the rules of a run once more, from the network as it is now, for the nodes it labelled."""
    if run.state != "complete":
        raise RunError(f"run {run.id} is {run.state}; only of a complete run can broken links be told")
    if not run.constraints.get("rules"):
        raise RunError(f"run {run.id} had no constraints, so none of them is broken")
    source = StoreSource(store, _keys(run), before=run)
    nodes = {kind: each.nodes for kind, each in written.items()}
    try:
        drawn = _drawn(source, nodes, run.constraints["rules"], run.relations, silent)
    except GraphmineError as error:
        raise type(error)(f"the rules of run {run.id} can not be drawn any more: {error}") from error
    return resolve_conflicts(drawn, run.constraints["on_conflict"])[0]


def _why_no_trust(run: Run) -> str:
    if run.state != "complete":
        return f"run {run.id} is {run.state}; only of a complete run can the trust of links be told"
    if not run.constraints.get("rules"):
        return f"run {run.id} had no constraints, so there are no links to trust"
    if "taxonomy" in run.parameters and run.parameters["level"] > 1:
        level = f"level {run.parameters['level']} of a taxonomy"
        return f"run {run.id} is {level}; only with the first level is trust on record, if its method judges links"
    return f"run {run.id} has no trust of links: its method, {run.method}, does not judge them; mine with one that does"


def _only(rules: Sequence[str]) -> str:
    return f", only of {', '.join(map(repr, rules))}"


def _keys(run: Run) -> dict[str, str]:
    return dict(run.constraints.get("keys", {}))


def _clustering(written: Mapping[str, Written]) -> Clustering:
    return Clustering({kind: each.labels for kind, each in written.items()})


def _bare(kinds: Sequence[Nodes]) -> Star:
    """Return a star of these nodes without any link: enough to write to them."""
    centre, *others = kinds
    return Star.of(*(Relation(centre, each, csr_array((len(centre), len(each)))) for each in others or [centre]))


def _crowd(constraints: Constraints, nodes: Mapping[str, Nodes], k: int | None) -> tuple[str, ...]:
    found = () if k is None else find_clique(constraints, k)
    if not found:
        return ()
    enough = f"{k} cluster{'' if k == 1 else 's'} can not do that"
    needed = clusters_needed(constraints)
    # Methods refuse more clusters than the smallest kind has nodes.
    more_clusters = f"take `n_clusters={needed}` or more, or " if needed <= min(map(len, nodes.values())) else ""
    way_out = f"{more_clusters}make a rule soft"
    some = ", ".join(f"{kind} {nodes[kind][position]!r}" for kind, position in found[:4])
    more = ", …" if len(found) > 4 else ""
    return (f"{len(found)} nodes ({some}{more}) must all be apart, and {enough}; {way_out}",)
