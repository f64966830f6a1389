"""Labels of an earlier snapshot: links that remember its clusters, and the earlier clusters of nodes."""

from collections.abc import Mapping

import numpy as np

from graphmine.arrays import Bools, Labels
from graphmine.model import FREE, UNPLACED, Constraints, Groups, Links, Nodes

__all__ = ["labels_before", "memory_links"]


def memory_links(
    nodes: Mapping[str, Nodes],
    before: Mapping[str, tuple[Nodes, Labels]],
    there: Mapping[str, Bools],
    *,
    weight: float,
    rule: str,
) -> Constraints:
    """Return soft must-links between nodes that shared a cluster before; each cluster is one group.

    Parameters
    ----------
    nodes
        The nodes of each kind now.
    before
        The nodes of each kind then, and their clusters.
    there
        The nodes that take part now; the others are not linked, so that memory does not keep old clusters alive.
    weight
        How much all the links of a node weigh together: a link of a node in a group of m weighs 1 / (m - 1) of it, or
        the largest clusters would never change again.
    rule
        What reports call it.

    Examples
    --------
    >>> now = {"Author": Nodes("Author", ["ann", "bob", "cyd", "dan"])}
    >>> then = {"Author": (Nodes("Author", ["bob", "cyd", "dan", "eve"]), np.array([0, 0, 0, 1]))}
    >>> links = memory_links(now, then, {"Author": np.ones(4, dtype=bool)}, weight=1, rule="2005").within["Author"]
    >>> links.groups[0].tolist(), links.weight.tolist()
    ([1, 2, 3], [0.5])
    """
    made = FREE
    for kind in (kind for kind in nodes if kind in before):
        labels = np.where(there[kind], labels_before(nodes[kind], *before[kind]), UNPLACED)
        groups = Groups.by_value(labels)
        links = Links.tying(groups, weight=weight / np.maximum(groups.sizes - 1, 1), rule=0)
        if len(links):
            made += Constraints({kind: links}, rules=(rule,))
    return made


def labels_before(nodes: Nodes, earlier: Nodes, labels: Labels) -> Labels:
    """Return the earlier clusters of nodes, `UNPLACED` for those without one.

    >>> now, then = Nodes("Author", ["ann", "bob"]), Nodes("Author", ["bob", "cyd"])
    >>> labels_before(now, then, np.array([3, 1])).tolist()
    [-1, 3]
    """
    # The type of keys is unknown without nodes; and if keys changed between text and numbers, no node is the same.
    if not len(earlier) or not len(nodes) or earlier.keys.type != nodes.keys.type:
        return np.full(len(nodes), UNPLACED, dtype=np.int64)
    at = earlier.positions(nodes.keys)
    return np.where(at >= 0, labels[at], UNPLACED)
