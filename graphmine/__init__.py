"""Mine heterogeneous networks that live in a graph database.

The nouns and verbs below are imported on first use, so that ``import graphmine`` costs nothing.

>>> import graphmine as gm
>>> with gm.connect(":memory:") as store:
...     loaded = gm.load(store, gm.davis())
...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
>>> mined.clustering.sizes("Woman").tolist()
[9, 9]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names for type checkers and editors; a test keeps the two lists equal
    from graphmine.closure import closed as closed, conflicts as conflicts
    from graphmine.constraints.met import met as met
    from graphmine.constraints.rules import Rule as Rule
    from graphmine.constraints.saved import (
        constraints_from_networkx as constraints_from_networkx,
        constraints_from_pandas as constraints_from_pandas,
        load_constraints as load_constraints,
        save_constraints as save_constraints,
    )
    from graphmine.datasets import (
        Edges as Edges,
        Network as Network,
        academic as academic,
        dataset as dataset,
        davis as davis,
        from_networkx as from_networkx,
        from_tables as from_tables,
        karate as karate,
        read_csv as read_csv,
        read_dblp as read_dblp,
        read_edges as read_edges,
        read_gexf as read_gexf,
        read_graphml as read_graphml,
        read_parquet as read_parquet,
    )
    from graphmine.errors import (
        ConstraintError as ConstraintError,
        DataError as DataError,
        GraphmineError as GraphmineError,
        LockedError as LockedError,
        ParameterError as ParameterError,
        RunError as RunError,
        SizeError as SizeError,
        StoreError as StoreError,
    )
    from graphmine.exchange.load import load as load
    from graphmine.exchange.parts import load_parts as load_parts
    from graphmine.exchange.pull import pull as pull
    from graphmine.exchange.push import push as push, resume as resume, undo as undo
    from graphmine.exchange.runs import (
        Run as Run,
        find_run as find_run,
        list_runs as list_runs,
        unfinished_runs as unfinished_runs,
    )
    from graphmine.exchange.schema import Schema as Schema, schema as schema
    from graphmine.job import (
        Job as Job,
        Mistake as Mistake,
        check_job as check_job,
        read_job as read_job,
        read_jobs as read_jobs,
    )
    from graphmine.methods import CATALOG as CATALOG, Method as Method, method as method
    from graphmine.methods.choosing import Choice as Choice, choose_k as choose_k
    from graphmine.methods.taxonomy import Branch as Branch, Taxonomy as Taxonomy, taxonomy as taxonomy
    from graphmine.model import (
        FREE as FREE,
        Clustering as Clustering,
        Constraints as Constraints,
        Filter as Filter,
        Groups as Groups,
        Links as Links,
        Nodes as Nodes,
        Pattern as Pattern,
        Relation as Relation,
        Star as Star,
    )
    from graphmine.report.plots import plot as plot
    from graphmine.sets import DATASETS as DATASETS, Dataset as Dataset
    from graphmine.store import Store as Store, connect as connect
    from graphmine.verbs import (
        Compared as Compared,
        Estimate as Estimate,
        Evolved as Evolved,
        Mined as Mined,
        Recalled as Recalled,
        broken as broken,
        compare as compare,
        constrain as constrain,
        doubtful as doubtful,
        estimate as estimate,
        evolve as evolve,
        flow as flow,
        link_trust as link_trust,
        mine as mine,
        mine_all as mine_all,
        plan as plan,
        preview as preview,
        queries as queries,
        query as query,
        query_text as query_text,
        recall as recall,
        score as score,
        settle as settle,
        unwind as unwind,
    )
    from graphmine.verbs.exporting import Exported as Exported, export as export
    from graphmine.verbs.tables import to_arrow as to_arrow, to_networkx as to_networkx, to_pandas as to_pandas

__version__ = "0.1.0"

_HOMES = {
    "graphmine.closure": ("closed", "conflicts"),
    "graphmine.constraints.met": ("met",),
    "graphmine.constraints.rules": ("Rule",),
    "graphmine.constraints.saved": (
        "constraints_from_networkx",
        "constraints_from_pandas",
        "load_constraints",
        "save_constraints",
    ),
    "graphmine.datasets": (
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
    ),
    "graphmine.errors": (
        "ConstraintError",
        "DataError",
        "GraphmineError",
        "LockedError",
        "ParameterError",
        "RunError",
        "SizeError",
        "StoreError",
    ),
    "graphmine.exchange.load": ("load",),
    "graphmine.exchange.parts": ("load_parts",),
    "graphmine.exchange.pull": ("pull",),
    "graphmine.exchange.push": ("push", "resume", "undo"),
    "graphmine.exchange.runs": ("Run", "find_run", "list_runs", "unfinished_runs"),
    "graphmine.exchange.schema": ("Schema", "schema"),
    "graphmine.job": ("Job", "Mistake", "check_job", "read_job", "read_jobs"),
    "graphmine.methods": ("CATALOG", "Method", "method"),
    "graphmine.methods.choosing": ("Choice", "choose_k"),
    "graphmine.methods.taxonomy": ("Branch", "Taxonomy", "taxonomy"),
    "graphmine.verbs": (
        "Compared",
        "Estimate",
        "Evolved",
        "Mined",
        "Recalled",
        "broken",
        "compare",
        "constrain",
        "doubtful",
        "estimate",
        "evolve",
        "flow",
        "link_trust",
        "mine",
        "mine_all",
        "plan",
        "preview",
        "queries",
        "query",
        "query_text",
        "recall",
        "score",
        "settle",
        "unwind",
    ),
    "graphmine.verbs.exporting": ("Exported", "export"),
    "graphmine.verbs.tables": ("to_arrow", "to_networkx", "to_pandas"),
    "graphmine.model": (
        "FREE",
        "Clustering",
        "Constraints",
        "Filter",
        "Groups",
        "Links",
        "Nodes",
        "Pattern",
        "Relation",
        "Star",
    ),
    "graphmine.report.plots": ("plot",),
    "graphmine.sets": ("DATASETS", "Dataset"),
    "graphmine.store": ("Store", "connect"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'graphmine' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
