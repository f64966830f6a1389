"""What the fields of a job mean, in a sentence each: for drafts of jobs, and for editors."""

from collections.abc import Mapping

__all__ = ["ABOUT", "EXAMPLES"]

ABOUT: Mapping[str, str] = {
    "relation": "What to cluster: a relationship type, a path of them, or several that share a kind.",
    "n_clusters": "How many clusters: a number, 'auto' to choose it from the data, or a number for each kind.",
    "db": "The database: a path, or an address such as neo4j://localhost; without it GRAPHMINE_DB and NEO4J_URI say.",
    "where": "Filters: only nodes that pass them are read.",
    "key": "What names the nodes of a kind, where the database does not say.",
    "constrain": "Rules for who belongs together and who does not; docs/constraints.md has them all.",
    "on_conflict": "What gives way where hard rules contradict each other: error, drop-cannot, drop-must or weaken.",
    "method": "How to cluster: a name that `graphmine methods` lists.",
    "param": "Other parameters of the method.",
    "seed": "The same seed gives the same labels.",
    "hierarchy": "Whether to split in two again and again, into n_clusters leaves: a taxonomy.",
    "write": "The node property to write the labels to; without it nothing is written.",
    "overwrite": "Whether values may be replaced that graphmine did not write.",
    "align": "The run whose cluster numbers to follow; 'none' for as they come. Without it, the last of that property.",
    "name": "What the fit is called where several are compared; without it, its method.",
    "by": "For `graphmine evolve`: the property that holds the time, a number.",
    "window": "For `graphmine evolve`: how many units of time a snapshot covers; 'all' for all so far.",
    "step": "For `graphmine evolve`: how many units lie between two snapshots.",
    "since": "For `graphmine evolve`: the first unit of time; without it, the first there is.",
    "until": "For `graphmine evolve`: the last unit of time; without it, the last there is.",
    "memory": "For `graphmine evolve`: how much a node's cluster in the snapshot before weighs; 0 for none.",
    "fit": "Fits to compare, one a table: what stands above them is for all that do not say it themselves.",
}

EXAMPLES: Mapping[str, object] = {
    "where": "Paper.year >= 2000",
    "key": "Author.name",
    "constrain": "must Author-WROTE->Paper<-WROTE-Author >= 3",
    "write": "area",
    "by": "Paper.year",
    "since": 2000,
    "until": 2025,
    "align": "last",
    "name": "plain",
    "db": "graphmine.lbug",
}
"""What a field without a default may look like."""
