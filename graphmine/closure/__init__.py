"""What follows from hard links: what they tie and part, where they contradict each other, and how that is settled."""

from graphmine.closure.closing import closed
from graphmine.closure.contradictions import Conflict, conflicts, describe
from graphmine.closure.crowding import clusters_needed, crowded
from graphmine.closure.settling import WAYS_OUT, settled

__all__ = ["WAYS_OUT", "Conflict", "closed", "clusters_needed", "conflicts", "crowded", "describe", "settled"]
