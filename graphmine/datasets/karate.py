"""Zachary's karate club: 34 members, how often each two met outside it, and the clubs it split into."""

import pyarrow as pa

from graphmine.datasets.network import Edges, Network

__all__ = ["karate"]


def karate() -> Network:
    """Return the karate club: kind ``Member``, type ``MET`` with ``times``; ``known_club`` is the one each joined.

    References
    ----------
    W. W. Zachary: An information flow model for conflict and fission in small groups. J. Anthropol. Res. 1977.

    Examples
    --------
    >>> karate()
    Network(Member 34; Member-MET->Member 78)
    """
    import networkx as nx

    graph = nx.karate_club_graph()
    sources, targets, times = zip(*graph.edges(data="weight"), strict=True)
    clubs = [graph.nodes[member]["club"] for member in graph]
    met = pa.table({"source": sources, "target": targets, "times": times})
    return Network(
        {"Member": pa.table({"number": list(graph), "known_club": clubs})}, (Edges("Member", "MET", "Member", met),)
    )
