"""What a fit costs, roughly, before it is made: memory at its peak, and processor time.

The numbers were measured, not derived: fits of planted networks of 10,000 to 400,000 pairs in three shapes (many nodes
by few, square, dense), with 4 and 16 clusters, and stars and graphs where a method takes them. The memory of each is
the plane that lies on or above all of them and nearest to them; `benchmarks.estimates` compares it with other jobs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["COSTS", "Cost"]


@dataclass(frozen=True)
class Cost:
    """The memory of a fit in bytes: so much always, and so much more a pair, a node, and each of them a cluster.

    ``microseconds`` of processor time are a pair, or a tenth of a node, of an ordinary network.

    Examples
    --------
    >>> Cost(10e6, a_pair=40, a_node_cluster=40, microseconds=2).memory(pairs=1_000_000, nodes=1000, clusters=10)
    50400000.0
    """

    always: float
    a_pair: float
    a_node: float = 0.0
    a_node_cluster: float = 0.0
    a_pair_cluster: float = 0.0
    microseconds: float = 2.0

    def memory(self, pairs: float, nodes: int, clusters: int) -> float:
        """Return the bytes that a fit adds at its peak to those of the network itself."""
        return (
            self.always
            + (self.a_pair + self.a_pair_cluster * clusters) * pairs
            + (self.a_node + self.a_node_cluster * clusters) * nodes
        )

    def seconds(self, pairs: float, nodes: int) -> float:
        """Return the processor time of a fit, to an order of magnitude."""
        return 1e-6 * self.microseconds * (pairs + 10 * nodes)


_SPECTRAL = Cost(13e6, a_pair=40, a_node_cluster=40, microseconds=2)

COSTS: Mapping[str, Cost] = {
    "s-co": _SPECTRAL,
    "row-only": _SPECTRAL,
    "lcm": _SPECTRAL,
    "vcm": _SPECTRAL,
    "scm": _SPECTRAL,
    "infor-co": Cost(14e6, a_pair=130, a_node=55, a_node_cluster=35, microseconds=3),
    "tsc": Cost(20e6, a_pair=40, a_node=125, a_node_cluster=45, microseconds=2),
    "loom": Cost(13e6, a_pair=100, a_node=60, a_node_cluster=80, a_pair_cluster=24, microseconds=3),
    "l1": Cost(17e6, a_pair=95, a_node=900, a_node_cluster=10, microseconds=22),
    "fcsc": Cost(13e6, a_pair=30, a_node_cluster=60, microseconds=5),
    "cbgc": Cost(16e6, a_pair=30, a_node=100, a_node_cluster=80, microseconds=24),
}
"""The cost of each method of the catalog, without constraints."""
