"""The verbs, put together from stores and methods, which do not know each other."""

from graphmine.verbs.comparing import Compared, compare
from graphmine.verbs.constraining import Previewed, broken, constrain, link_trust, preview, settle, write_broken
from graphmine.verbs.doubting import Doubted, doubtful
from graphmine.verbs.estimating import Estimate, estimate
from graphmine.verbs.evolving import Evolved, evolve, read_evolution
from graphmine.verbs.fits import Agreement, Scored, agreements, mine_all, score_all
from graphmine.verbs.flows import Change, Flow, changes, flow, flows
from graphmine.verbs.mined import Mined
from graphmine.verbs.mining import Plan, mine, plan
from graphmine.verbs.querying import queries, query, query_text
from graphmine.verbs.recalling import Recalled, recall
from graphmine.verbs.scoring import score
from graphmine.verbs.sequences import unwind
from graphmine.verbs.stages import Stage

__all__ = [
    "Agreement",
    "Change",
    "Compared",
    "Doubted",
    "Estimate",
    "Evolved",
    "Flow",
    "Mined",
    "Plan",
    "Previewed",
    "Recalled",
    "Scored",
    "Stage",
    "agreements",
    "broken",
    "changes",
    "compare",
    "constrain",
    "doubtful",
    "estimate",
    "evolve",
    "flow",
    "flows",
    "link_trust",
    "mine",
    "mine_all",
    "plan",
    "preview",
    "queries",
    "query",
    "query_text",
    "read_evolution",
    "recall",
    "score",
    "score_all",
    "settle",
    "unwind",
    "write_broken",
]
