"""Networks to load: real, generated, from files and from networkx."""

from collections.abc import Callable, Mapping

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.dblp import read_dblp
from graphmine.datasets.files import read_csv
from graphmine.datasets.graphs import read_edges, read_gexf, read_graphml
from graphmine.datasets.karate import karate
from graphmine.datasets.named import dataset
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.networkx import from_networkx
from graphmine.datasets.tables import from_tables, read_parquet

__all__ = [
    "BUILT_IN",
    "Edges",
    "Network",
    "academic",
    "dataset",
    "davis",
    "from_networkx",
    "from_tables",
    "karate",
    "read_csv",
    "read_dblp",
    "read_edges",
    "read_gexf",
    "read_graphml",
    "read_parquet",
]

BUILT_IN: Mapping[str, Callable[..., Network]] = {"davis": davis, "karate": karate, "academic": academic}
"""Networks that come with graphmine, by the name a user gives."""
