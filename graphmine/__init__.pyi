"""The public names, by the modules that they are in; graphmine imports each on first use."""

from graphmine.closure.conflicts import conflicts as conflicts
from graphmine.closure.hard_links import closed as closed
from graphmine.constraints.files import (
    constraints_from_networkx as constraints_from_networkx,
    constraints_from_pandas as constraints_from_pandas,
    load_constraints as load_constraints,
    save_constraints as save_constraints,
)
from graphmine.constraints.rules import Rule as Rule
from graphmine.constraints.satisfaction import met as met
from graphmine.dataset_catalog import DATASETS as DATASETS, Dataset as Dataset
from graphmine.datasets.academic import academic as academic
from graphmine.datasets.by_name import dataset as dataset
from graphmine.datasets.csv_files import read_csv as read_csv
from graphmine.datasets.davis import davis as davis
from graphmine.datasets.dblp import read_dblp as read_dblp
from graphmine.datasets.graph_files import (
    read_edges as read_edges,
    read_gexf as read_gexf,
    read_graphml as read_graphml,
)
from graphmine.datasets.karate import karate as karate
from graphmine.datasets.network import Edges as Edges, Network as Network
from graphmine.datasets.networkx import from_networkx as from_networkx
from graphmine.datasets.tables import from_tables as from_tables, read_parquet as read_parquet
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
from graphmine.exchange.load_parts import load_parts as load_parts
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
    PreviewJob as PreviewJob,
    check_job as check_job,
    read_job as read_job,
    read_jobs as read_jobs,
)
from graphmine.methods.base import Method as Method
from graphmine.methods.catalog import CATALOG as CATALOG, method as method
from graphmine.methods.selection.choose_k import Choice as Choice, choose_k as choose_k
from graphmine.methods.taxonomy.taxonomy import Branch as Branch, Taxonomy as Taxonomy, taxonomy as taxonomy
from graphmine.metrics import quality as quality
from graphmine.model import (
    FREE as FREE,
    Clustering as Clustering,
    Constraints as Constraints,
    Filter as Filter,
    Groups as Groups,
    Links as Links,
    Nodes as Nodes,
    Pattern as Pattern,
    Quality as Quality,
    Relation as Relation,
    Star as Star,
)
from graphmine.questions.run import queries as queries, query as query, query_text as query_text
from graphmine.report.plot import plot as plot
from graphmine.store import Store as Store, connect as connect
from graphmine.verbs.compare import Compared as Compared, compare as compare
from graphmine.verbs.constrain import (
    broken as broken,
    constrain as constrain,
    link_trust as link_trust,
    preview as preview,
    settle as settle,
)
from graphmine.verbs.doubtful import doubtful as doubtful
from graphmine.verbs.estimate import Estimate as Estimate, estimate as estimate
from graphmine.verbs.evolve import Evolved as Evolved, evolve as evolve
from graphmine.verbs.export.export import Exported as Exported, export as export
from graphmine.verbs.export.frames import to_arrow as to_arrow, to_networkx as to_networkx, to_pandas as to_pandas
from graphmine.verbs.flow import flow as flow
from graphmine.verbs.mine import mine as mine, plan as plan
from graphmine.verbs.mine_all import mine_all as mine_all
from graphmine.verbs.recall import Recalled as Recalled, recall as recall
from graphmine.verbs.result import Mined as Mined
from graphmine.verbs.score import score as score
from graphmine.verbs.sequences import unwind as unwind

__version__: str
