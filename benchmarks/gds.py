"""Mine a network in Neo4j, beside its Graph Data Science library: ``python -m benchmarks.gds``.

In one server, in turns: graphmine's whole path against the library's projection, algorithm and write. The network is
planted, so that what each finds can be held against the truth; every label that is written differs from the one before.
``scripts/bench gds`` starts a server with the library for it. Without the library graphmine is measured alone.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import neo4j
import numpy as np
import psutil

from benchmarks import server
from benchmarks.library import PEERS, Contestant, contestants, labels_in, library_version, unlike
from benchmarks.measure import whole
from benchmarks.networks import AUTHOR, VENUE, Planted
from benchmarks.table import replace_table
from graphmine.metrics import nmi
from graphmine.model import UNPLACED

__all__ = ["main"]

MOST = {PEERS[0]: 1.2, PEERS[-1]: 0.7}
"""The largest ratio of graphmine's time to a peer's that is good enough."""

METHODS = ("loom", "scm", "s-co")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN = "<!-- results: written by benchmarks.gds --markdown -->"


@dataclass(frozen=True)
class Turn:
    """What one contestant did in one round.

    Parameters
    ----------
    seconds, parts
        By the clock, in all and for each part.
    busy
        Seconds of the processor, of this process and of the server together.
    others
        The share of the machine's processors that went to other processes meanwhile.
    nmi
        Of each kind, with the planted fields.
    found
        How many clusters.
    """

    seconds: float
    parts: Mapping[str, float]
    busy: float
    others: float
    nmi: Mapping[str, float]
    found: int


Turns = dict[str, list[Turn]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if no method of graphmine meets all targets, 2 if nothing could be measured."""
    asked = _parse(arguments)
    where = server.Server.from_environment()
    if where is None:
        print("benchmarks.gds: no Neo4j: set NEO4J_URI, or run scripts/bench gds.", file=sys.stderr)
        return 2
    network = Planted(asked.relationships, asked.clusters, asked.noise)
    print(f"... loading {asked.relationships:,} relationships", file=sys.stderr, flush=True)
    try:
        with server.network(where, network), where.session() as session, where.store() as store:
            peer = library_version(session)
            if peer is None:
                print("The server has no Graph Data Science library; graphmine is measured alone.", file=sys.stderr)
            who = contestants(store, session, network, tuple(asked.methods))
            turns = _raced(who, where.url, session, network, asked.repeats)
    except server.Refused as error:
        print(f"benchmarks.gds: {error}.", file=sys.stderr)
        return 2
    results = {
        "neo4j": where.version(), "gds": peer, "cores": os.cpu_count(), "repeats": asked.repeats,
        "network": asdict(network), "turns": {name: [asdict(turn) for turn in own] for name, own in turns.items()},
    }  # fmt: skip
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n")
    table = as_markdown(results, turns)
    print(table)
    if asked.markdown:
        replace_table(PAGE, table, BEGIN)
    return 0 if any(all(met for *_, met in verdicts(turns, ours)) for ours in _ours(turns)) else 1


def _raced(who: Sequence[Contestant], url: str, session: neo4j.Session, network: Planted, repeats: int) -> Turns:
    """Let each contestant have its turn once a round; the first round, which writes where nothing was, is left out."""
    keys = {kind: network.keys(kind) for kind in network.nodes}
    processes = [psutil.Process(), *_listening(url)]
    turns: Turns = {each.name: [] for each in who}
    for number in range(repeats + 1):
        for each in (*who[number % len(who) :], *who[: number % len(who)]):  # nobody always follows the same one
            unlike(session, each)
            before = {kind: labels_in(session, kind, each.property, own) for kind, own in keys.items()}
            gc.collect()
            start, spent, all_spent = time.perf_counter(), _spent(processes), _all_spent()
            parts = each.run(number)
            seconds, busy, everything = (
                time.perf_counter() - start, _spent(processes) - spent, _all_spent() - all_spent,
            )  # fmt: skip
            after = {kind: labels_in(session, kind, each.property, own) for kind, own in keys.items()}
            same = sum(int(np.sum((after[kind] == before[kind]) & (after[kind] != UNPLACED))) for kind in keys)
            assert not same, f"{same} labels of {each.name} are what they were, and all should change"
            others = max(everything - busy, 0.0) / (seconds * (os.cpu_count() or 1))
            agreed = {kind: nmi(after[kind], network.truth[kind]) for kind in keys}
            found = len(np.unique(np.concatenate([*after.values()])))
            turn = Turn(seconds, parts, busy, others, agreed, found)
            print(f"... round {number}: {each.name}: {_line(turn)}", file=sys.stderr, flush=True)
            if number:
                turns[each.name].append(turn)
    return turns


def _line(turn: Turn) -> str:
    parts = ", ".join(f"{name} {seconds:.2f}" for name, seconds in turn.parts.items())
    agreed = ", ".join(f"{value:.3f}" for value in turn.nmi.values())
    return f"{turn.seconds:.2f} s ({parts}), processor {turn.busy:.2f} s, others {turn.others:.0%}, NMI {agreed}"


def _listening(url: str) -> list[psutil.Process]:
    """Return the server's process, if it is on this machine and may be asked."""
    port = urlsplit(url).port
    try:
        listening = [each for each in psutil.net_connections("tcp") if each.status == psutil.CONN_LISTEN]
    except psutil.AccessDenied:
        return []
    found = {each.pid for each in listening if each.laddr and each.laddr.port == port}
    return [psutil.Process(pid) for pid in found if pid]


def _spent(processes: Sequence[psutil.Process]) -> float:
    """Return the processor's seconds that some processes have used."""
    return float(sum(sum(each.cpu_times()[:2]) for each in processes))


def _all_spent() -> float:
    """Return the processor's seconds that all processes have used."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def ratio(turns: Turns, ours: str, theirs: str, what: str = "seconds") -> float:
    """Return the median over rounds of how many times a peer's cost ours is."""
    rounds = zip(turns[ours], turns[theirs], strict=True)
    return float(statistics.median(getattr(one, what) / getattr(other, what) for one, other in rounds))


def verdicts(turns: Turns, ours: str) -> list[tuple[str, str, str, bool]]:
    """Return what was promised of graphmine, what it came to with one of its methods, and whether that is enough."""
    rows = []
    for peer in _peers(turns):
        own, their = (statistics.median(turn.nmi[AUTHOR] for turn in turns[name]) for name in (ours, peer))
        if peer in MOST:
            found = ratio(turns, ours, peer)
            rows.append((f"time over that of {peer}", f"{found:.2f}", f"≤ {MOST[peer]:g}", found <= MOST[peer]))
        rows.append((f"authors' NMI beside {peer}", f"{own:.3f}", f"> {their:.3f}", own > their))
    return rows


def _peers(turns: Turns) -> list[str]:
    return [name for name in turns if name in PEERS]


def _ours(turns: Turns) -> list[str]:
    return [name for name in turns if name not in PEERS]


def as_markdown(results: Mapping[str, Any], turns: Turns) -> str:
    """Return the tables of a run."""
    library = f" with Graph Data Science {results['gds']}" if results["gds"] else ""
    others = max(turn.others for own in turns.values() for turn in own)
    network, ours = results["network"], _ours(turns) if _peers(turns) else []
    where = f"{results['cores']} cores, Neo4j {results['neo4j']}{library}"
    what = f"{network['relationships']:,} relationships, {network['clusters']} fields, noise {network['noise']:g}"
    busy = f"Medians of {results['repeats']} rounds, in which other processes had up to {others:.0%} of the machine"
    heads = ["who", "parts, s", "time", "processor", *(f"{each} / it" for each in ours)]
    lines = [f"{where}; {what}. {busy}.", "", _row([*heads, "NMI authors", "venues", "clusters"])]
    lines.append(_row(["---", "---", *["---:"] * (len(heads) + 1)]))
    for name, own in turns.items():
        parts = ", ".join(
            f"{part} {statistics.median(turn.parts[part] for turn in own):.2f}"
            for part in own[0].parts
            if part != "drop"
        )
        seconds, busy = (statistics.median(getattr(turn, what) for turn in own) for what in ("seconds", "busy"))
        ratios = [f"{ratio(turns, each, name):.2f}" for each in ours]
        agreed = [f"{statistics.median(turn.nmi[kind] for turn in own):.3f}" for kind in (AUTHOR, VENUE)]
        found = f"{statistics.median(turn.found for turn in own):.0f}"
        lines.append(_row([name, parts, f"{seconds:.2f} s", f"{busy:.2f} s", *ratios, *agreed, found]))
    if ours:
        lines += ["", _row(["who", "what", "found", "target", "met"]), _row(["---", "---", "---:", "---:", "---"])]
    for each in ours:
        for what, found, most, met in verdicts(turns, each):
            lines.append(_row([each, what, found, most, "yes" if met else "no"]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gds", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--relationships", type=whole, default=1_000_000, metavar="N", help="papers, ten an author (default: 1000000)")
    add("--clusters", type=whole, default=10, metavar="K", help="planted fields (default: 10)")
    add("--noise", type=float, default=0.6, metavar="P", help="the share of papers in any venue (default: .6)")
    add("--repeats", type=whole, default=3, metavar="N", help="rounds, of which the median is taken (default: 3)")
    add("--methods", type=lambda text: text.split(","), default=METHODS, metavar="A,B", help=f"({','.join(METHODS)})")
    add("--json", type=Path, metavar="FILE", help="write every round there")
    add("--markdown", action="store_true", help="write the tables into docs/benchmarks.md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
