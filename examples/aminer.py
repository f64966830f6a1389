"""Which fields do authors work in, by the venues of their papers? And what is gained by telling the fields of a few?

Run it with ``python examples/aminer.py``, or with the address of an empty Neo4j after it; it needs
the set aminer_hetgnn.
"""

import sys

import graphmine as gm
from graphmine.verbs.mine_all import score_all

PUBLISHED = "Author-WROTE->Paper-IN->Venue"
TOGETHER = "must Author-WROTE->Paper<-WROTE-Author >= 3"  # who wrote three papers together
TOLD = "known Author.known_class; fraction 0.1; hard"  # a tenth of the fields that are known
FITS = {"venues alone": [], "and co-authors": [TOGETHER], "and some fields": [TOGETHER, TOLD]}


def main(database: str = ":memory:") -> None:
    """Fit with more and more of what is known, score each fit on authors nothing was said of, and see who moved."""
    network = gm.dataset("aminer_hetgnn")
    jobs = [
        gm.Job(PUBLISHED, 4, constrain=rules, name=name, write=f"field_{at}")
        for at, (name, rules) in enumerate(FITS.items())
    ]
    with gm.connect(database) as store:
        gm.load(store, network)
        fits = gm.mine_all(store, jobs)
        scored = [each for each in score_all(store, fits, "known_class") if each.kind == "Author"]
        compared = gm.compare(store, "field_0", "field_2", examples=4)

    print(f"{'fit':<16} {'authors':<24}   NMI   ARI  right")
    for each in sorted(scored, key=lambda each: each.unconstrained):
        which = f"{each.scores.compared} {'that no rule names' if each.unconstrained else 'known'}"
        score = each.scores
        print(f"{each.fit:<16} {which:<24} {score.nmi:>5.2f} {score.ari:>5.2f}  {score.accuracy:>4.0%}")

    print("\nFrom venues alone to all that is known:")
    for change in compared.changes:
        print(f"  {change.kind:<6} {change.stayed:>5} stayed, {change.moved:>4} moved")
    for move in compared.moves[:3]:
        some = ", ".join(map(str, move.keys))
        print(f"  {move.nodes:>5} {move.kind}s from cluster {move.source} to {move.target}, such as {some}")

    # Is the largest move right? Look at the known fields of the clusters it joins, and of those who moved.
    frame = network.nodes["Author"].to_pandas().set_index("id")
    for at in (0, 2):
        found = gm.to_pandas(fits[at])
        frame[f"fit {at}"] = found[found["kind"] == "Author"].set_index("key")["cluster"]
    move = compared.moves[0]
    moved = (frame["fit 0"] == move.source) & (frame["fit 2"] == move.target)
    frame["where"] = frame["fit 2"].map("cluster {}".format).mask(moved, f"moved, {move.source} to {move.target}")
    counts = frame.astype({"known_class": "Int64"}).groupby(["where", "known_class"]).size().unstack(fill_value=0)
    print("\nKnown fields of the authors in each cluster now, and of those who made the largest move:")
    print(counts.rename_axis(None).rename_axis(None, axis=1).to_string())

    trust = fits[1].met[0].trust or 0
    print("\nVenues alone leave two fields in one cluster; a tenth of the fields told is enough to part them.")
    print(f"Co-authors change nothing by themselves: the fit puts a trust of {trust:.2f} in their links.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except gm.GraphmineError as error:
        print(f"graphmine: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
