"""Editors of a news agency filed stories under topics. Do the words of the stories bear them out, and where not?

Run it with ``python examples/reuters.py``, or with the address of an empty Neo4j after it; it needs
the set reuters21578.
"""

import sys
from collections import Counter

import graphmine as gm

TOPICS = ["crude", "grain", "money-fx", "ship", "trade"]
ABOUT, WORDS = "Document-ABOUT{share}->Category", "Document-HAS{count}->Term"


def main(database: str = ":memory:") -> None:
    """Find themes in topics and words together, list stories between them, and doubt what editors said."""
    stories = gm.dataset("reuters21578", topics=TOPICS, each=150, words=1000, seed=0)
    told = {row["id"]: row for row in stories.nodes["Document"].to_pylist()}
    with gm.connect(database) as store:
        gm.load(store, stories)
        star = gm.mine(store, gm.Job([ABOUT, WORDS], 5, method="cbgc", write="theme"))
        signs = gm.query(store, "telling", relation=WORDS, limit=100).to_pylist()
        between = gm.query(store, "bridges", kind="Document", relation=ABOUT, limit=1000).to_pylist()
        both = gm.score(store, "last", "known_class")["Document"]
        gm.mine(store, gm.Job(WORDS, 5, write="words"))
        alone = gm.score(store, "last", "known_class")["Document"]
        filed = gm.Job(WORDS, 5, constrain="must known Document.known_class", seed=0)
        doubted = gm.doubtful(store, filed)

    print("Themes of topics, stories and words together:")
    frame = gm.to_pandas(star)
    for theme, rows in frame.groupby("cluster"):
        topics = ", ".join(rows[rows["kind"] == "Category"]["key"]) or "no topic"
        # A word that most themes have, such as "said", tells none from the others.
        words = [row["node"] for row in signs if row["cluster"] == theme and row["share_of_node"] > 0.5]
        print(f"  {theme}  {topics:<8} {(rows['kind'] == 'Document').sum():>4} stories  {', '.join(words[:6])}")

    print(f"\n{len(between)} of {len(told)} stories are under topics of several themes, such as:")
    for row in between[:4]:
        print(f"  {row['clusters']} themes, in {row['cluster']}: {told[row['node']]['title']}")

    doubts = [told[each.key] for each in doubted.doubts.found if each.key in told]
    counts = Counter(row["known_class"] for row in doubts).most_common()
    print(f"\nLabels that words contradict: {', '.join(f'{n} of {topic}' for topic, n in counts)}, such as:")
    for row in doubts[:8]:
        print(f"  {row['known_class']}: {row['title']}")

    print(f"\nWith topics in the star NMI is {both.nmi:.2f}, no merit, as the topic of a story is its class.")
    print(f"Words alone reach {alone.nmi:.2f}: {alone.accuracy:.0%} of {alone.compared} stories as editors filed them.")
    print("Doubts are what to read first, not mistakes: no second opinion on these stories is in the set.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except gm.GraphmineError as error:
        print(f"graphmine: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
