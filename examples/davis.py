"""Eighteen women of a Southern town came to fourteen events. Who kept company with whom, and who with both circles?

Run it with ``python examples/davis.py``, or with the address of an empty Neo4j after it.
"""

import sys

import graphmine as gm


def main(database: str = ":memory:") -> None:
    """Find two circles, draw who came to what, and name those between the circles."""
    with gm.connect(database) as store:
        gm.load(store, gm.davis())
        mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
        core = gm.query(store, "core", kind="Woman").to_pylist()
        brokers = gm.query(store, "brokers", kind="Woman", one=0, other=1).to_pylist()
        shared = gm.query(store, "bridges", kind="Event").to_pylist()

    # Women by circle, the firmest member first; events by circle, as they are numbered.
    women = sorted(core, key=lambda row: row["cluster"])
    graph = gm.to_networkx(mined)
    circle = {key: told["cluster"] for (kind, key), told in graph.nodes.items() if kind == "Event"}
    events = sorted(circle, key=lambda event: (circle[event], int(event[1:])))
    print(f"{'':<20}" + "".join(f"{event[1:]:>3}" for event in events))
    for row in women:
        came = (graph.has_edge(("Woman", row["node"]), ("Event", event)) for event in events)
        print(f"{row['cluster']}  {row['node']:<17}" + "".join("  █" if each else "  ·" for each in came))

    print("\nEvents that women of both circles came to:")
    for row in shared:
        print(f"  {row['node']:<3} {row['weight']:>2} women, {row['outside']} of them of the other circle")

    print("\nWomen who came to events of both circles more than once:")
    for row in (each for each in brokers if each["weaker"] > 1):
        print(f"  {row['node']:<17} {row['to_one']} events of circle 0, {row['to_other']} of circle 1")

    faithful = len(women) - len(brokers)
    meet = ", ".join(row["node"] for row in shared)
    print(f"\n{faithful} of {len(women)} women never went to an event of the other circle; the circles meet at {meet}.")
    print("Attendance is all this rests on: who came because of whom, the table does not say.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except gm.GraphmineError as error:
        print(f"graphmine: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
