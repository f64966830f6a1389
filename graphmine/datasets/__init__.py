"""Networks to load: real, generated, from files and from networkx."""

from collections.abc import Callable, Mapping

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.files import read_csv
from graphmine.datasets.karate import karate
from graphmine.datasets.named import dataset
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.networkx import from_networkx

__all__ = ["BUILT_IN", "Edges", "Network", "academic", "dataset", "davis", "from_networkx", "karate", "read_csv"]

BUILT_IN: Mapping[str, Callable[..., Network]] = {"davis": davis, "karate": karate, "academic": academic}
"""Networks that come with graphmine, by the name a user gives."""
