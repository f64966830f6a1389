"""Davis, Gardner and Gardner's Southern women: 18 women, 14 social events, who came to what."""

import pyarrow as pa

from graphmine.datasets.network import Edges, Network

__all__ = ["davis"]


def davis() -> Network:
    """Return the Southern women network: kinds ``Woman`` and ``Event``, type ``ATTENDED``.

    References
    ----------
    A. Davis, B. B. Gardner and M. R. Gardner, *Deep South*, University of Chicago Press, 1941.

    Examples
    --------
    >>> davis()
    Network(Woman 18, Event 14; Woman-ATTENDED->Event 89)
    """
    import networkx as nx

    graph = nx.davis_southern_women_graph()
    women, events = graph.graph["top"], graph.graph["bottom"]
    attended = [(woman, event) for woman in women for event in events if graph.has_edge(woman, event)]
    sources, targets = zip(*attended, strict=True)
    return Network(
        {"Woman": pa.table({"name": women}), "Event": pa.table({"name": events})},
        (Edges("Woman", "ATTENDED", "Event", pa.table({"source": sources, "target": targets})),),
    )
