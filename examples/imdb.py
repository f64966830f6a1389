"""What sorts of film are there, who stands for each, and which actors are at home in many?

Run it with ``python examples/imdb.py``, or with the address of an empty Neo4j after it; it needs
the set imdb5000.
"""

import sys
from collections import Counter

import networkx as nx

import graphmine as gm

GENRES, WORDS, ACTORS = "Movie-OF->Genre", "Movie-HAS->Keyword", "Movie<-ACTED_IN-Person"


def main(database: str = ":memory:") -> None:
    """Let the data choose how many sorts there are, tell each by its signs, and go on in networkx and pandas."""
    films = gm.dataset("imdb5000")
    with gm.connect(database) as store:
        gm.load(store, films)
        three = [gm.Job([GENRES, WORDS, ACTORS], 3, write="three"), gm.Job([WORDS, ACTORS], 3, write="blind")]
        gm.mine_all(store, three)
        right = [gm.score(store, run, "known_class")["Movie"] for run in gm.compare(store, "three", "blind").runs]
        mined = gm.mine(store, gm.Job([GENRES, WORDS, ACTORS], "auto", write="sort"))
        signs = [gm.query(store, "telling", relation=each, limit=10_000).to_pylist() for each in (GENRES, WORDS)]
        graph = gm.to_networkx(mined, store=store)

    print(f"{mined.clustering.n_clusters} sorts of film, chosen from the data:")
    for sort, size in enumerate(mined.clustering.sizes("Movie").tolist()):
        inside = graph.subgraph(node for node, told in graph.nodes.items() if told.get("cluster") == sort)
        rank = nx.pagerank(inside)
        actor = max((node for node in inside if node[0] == "Person"), key=lambda node: (rank[node], node))
        genres, words = ([row["node"] for row in rows if row["cluster"] == sort][:3] for rows in signs)
        print(f"{sort}  {size:>4} films  {', '.join(genres)}: {', '.join(words)}; {actor[1]}")

    # Actors of twelve films or more: over how many sorts are they spread? One over the sum of squared shares.
    frame = gm.to_pandas(mined)
    sort_of = frame[frame["kind"] == "Movie"].set_index("key")["cluster"]
    roles = films.relationships[3].table.to_pandas().assign(sort=lambda each: each["target"].map(sort_of))
    counts = roles.groupby(["source", "sort"]).size().unstack(fill_value=0)
    counts = counts[counts.sum(axis=1) >= 12]
    spread = (1 / counts.div(counts.sum(axis=1), axis=0).pow(2).sum(axis=1)).sort_index().sort_values(kind="stable")
    for title, some in (("all over", spread[::-1][:4]), ("at home in one sort", spread[:4])):
        print(f"{title}: " + ", ".join(f"{name} ({value:.1f})" for name, value in some.items()))

    known = Counter(films.nodes["Movie"]["known_class"].drop_null().to_pylist())
    seen, blind = right
    most = max(known.values()) / sum(known.values())
    print(f"\nAsked for three sorts, {seen.accuracy:.0%} of the films are with action, comedy or drama as is known,")
    print(
        f"but their genres were in the star. Without these it is {blind.accuracy:.0%} (NMI {blind.nmi:.2f}), where one"
    )
    print(f"sort for all would have {most:.0%}: it is the genres, not keywords or actors, that make these sorts.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except gm.GraphmineError as error:
        print(f"graphmine: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
