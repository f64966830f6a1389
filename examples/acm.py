"""Papers of five conferences are of three fields. What gives a field away: who wrote a paper, its subject, or both?

Run it with ``python examples/acm.py``, or with the address of an empty Neo4j after it; it needs
the set acm_hin.
"""

import sys
from collections import Counter

import graphmine as gm

SUBJECTS, AUTHORS = "Paper-ABOUT->Subject", "Paper<-WROTE-Author"
FITS = {
    "subjects": gm.Job(SUBJECTS, 3, write="subjects"),
    "authors": gm.Job(AUTHORS, 3, write="authors"),
    "both, loom": gm.Job([AUTHORS, SUBJECTS], 3, write="both_loom"),
    "both, cbgc": gm.Job([AUTHORS, SUBJECTS], 3, method="cbgc", write="both_cbgc"),
    "both, tsc": gm.Job([AUTHORS, SUBJECTS], 3, method="tsc", write="both_tsc"),
}


def main(database: str = ":memory:") -> None:
    """Fit the same papers in five ways, and hold each against the fields that are known."""
    papers = gm.dataset("acm_hin")
    with gm.connect(database) as store:
        gm.load(store, papers)
        found = gm.mine_all(store, list(FITS.values()))
        compared = gm.compare(store, *(str(job.write) for job in FITS.values()), kind="Paper")
        scores = [gm.score(store, run, "known_class")["Paper"] for run in compared.runs]

    # Of each fit: how near the known fields, how near the fit to subjects alone, and how even its clusters are.
    alike = {each.second: each.ami for each in compared.agreements if each.first == compared.runs[0].id}
    print("fit to       NMI   ARI  right  like subjects  papers in each cluster")
    for name, mined, run, score in zip(FITS, found, compared.runs, scores, strict=True):
        sizes = ", ".join(map(str, sorted(mined.clustering.sizes("Paper").tolist(), reverse=True)))
        agreement = alike.get(run.id, 1.0)
        print(f"{name:<10} {score.nmi:>5.2f} {score.ari:>z5.2f}  {score.accuracy:>4.0%} {agreement:>14.2f}  {sizes}")
    fields = Counter(papers.nodes["Paper"]["known_class"].to_pylist())
    print(f"{'in truth':<43}  {', '.join(str(size) for _, size in fields.most_common())}")

    # Which fields are together? Known fields of the papers in each cluster of the two best fits.
    frame = papers.nodes["Paper"].to_pandas().set_index("id")
    for name in ("both, loom", "both, cbgc"):
        labels = gm.to_pandas(found[list(FITS).index(name)])
        frame[name] = labels[labels["kind"] == "Paper"].set_index("key")["cluster"]
        counts = frame.groupby([name, "known_class"]).size().unstack(fill_value=0)
        print(f"\n{name}: papers of field 0, 1 and 2 in its clusters")
        print(counts.to_string(header=False, index_names=False))

    subjects, authors, loom, cbgc, tsc = (f"{score.nmi:.2f}" for score in scores)
    print(f"\nAuthors say next to nothing of a field (NMI {authors}), subjects more ({subjects}). A star of both is")
    print(f"better than either if loom ({loom}) or cbgc ({cbgc}) fits it, and worthless if tsc does ({tsc}).")
    print("None parts all three: cbgc, best by every score, has fields 0 and 2 in one cluster, loom both in two.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except gm.GraphmineError as error:
        print(f"graphmine: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
