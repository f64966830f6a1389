"""The verbs, put together from stores and methods, which do not know each other."""

from graphmine.verbs.constraining import Previewed, broken, constrain, link_trust, preview, settle, write_broken
from graphmine.verbs.mining import Mined, Plan, mine, plan
from graphmine.verbs.scoring import score

__all__ = [
    "Mined",
    "Plan",
    "Previewed",
    "broken",
    "constrain",
    "link_trust",
    "mine",
    "plan",
    "preview",
    "score",
    "settle",
    "write_broken",
]
