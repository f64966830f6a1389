"""What came of the benchmark of quality: scores of every method on every set, what was promised, and tables of both."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.peers import PEERS, TRUTH, TUNED

__all__ = ["Outcome", "Standings", "Verdict", "as_lines", "as_markdown"]

OURS, BASE = "loom", "scikit-learn"
SCORES = ("nmi", "ami", "ari")

NMI: Mapping[str, float] = {
    "classic3": 0.95,
    "cstr": 0.76,
    "aminer, authors and venues": 0.88,
    "newsgroups, all 20": 0.62,
}
"""The least row NMI that was promised."""

AHEAD = 0.02
"""A peer whose AMI is higher by more than this is ahead."""

MANY = 1_000_000
"""From so many links on, time is promised to be nearer to scikit-learn's."""


@dataclass(frozen=True)
class Outcome:
    """One fit: of what, by what, how good and how long."""

    set: str
    planted: bool
    n_rows: int
    n_cols: int
    links: int
    n_clusters: int
    method: str
    seed: int
    nmi: float
    ami: float
    ari: float
    found: int
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """One promise: what it is about, what was measured, what was promised, and whether it holds."""

    what: str
    measured: str
    target: str
    met: bool | None

    def __str__(self) -> str:
        return f"{self.what}: {self.measured} (target {self.target}: {_said(self.met)})"


@dataclass(frozen=True)
class Standings:
    """All outcomes of a run.

    >>> one = Outcome("toy", True, 6, 4, 9, 2, "loom", 0, nmi=0.5, ami=0.4, ari=0.3, found=2, seconds=1.0)
    >>> Standings((one,)).mean("toy", "loom", "ami")
    0.4
    """

    outcomes: tuple[Outcome, ...]

    @property
    def sets(self) -> list[str]:
        """The sets, in the order they were measured."""
        return list(dict.fromkeys(each.set for each in self.outcomes))

    @property
    def methods(self) -> list[str]:
        """The methods, in the order they were fitted."""
        return list(dict.fromkeys(each.method for each in self.outcomes))

    def of(self, name: str, method: str) -> list[Outcome]:
        """Return the outcomes of a method on a set, one a seed; none if it was not fitted there."""
        return [each for each in self.outcomes if each.set == name and each.method == method]

    def mean(self, name: str, method: str, score: str) -> float:
        """Return the mean of a score over the seeds."""
        return statistics.fmean(getattr(each, score) for each in self.of(name, method))

    def spread(self, name: str, method: str, score: str) -> float:
        """Return the standard deviation of a score over the seeds."""
        return float(statistics.pstdev(getattr(each, score) for each in self.of(name, method)))

    def seconds(self, name: str, method: str) -> float:
        """Return the median time of a fit."""
        return statistics.median(each.seconds for each in self.of(name, method))

    def ratio(self, name: str, method: str) -> float | None:
        """Return how many times scikit-learn's time a method takes; None where one of them was not fitted."""
        if not (self.of(name, method) and self.of(name, BASE)):
            return None
        return self.seconds(name, method) / self.seconds(name, BASE)

    def ahead(self, *peers: str) -> list[tuple[str, str, float]]:
        """Return the sets where one of the peers is ahead of ours, the best of them, and by how much."""
        leads = []
        for name in self._shared():
            fitted = [each for each in peers if self.of(name, each)]
            if not fitted:
                continue
            best = max(fitted, key=lambda peer, name=name: self.mean(name, peer, "ami"))  # type: ignore[misc]
            lead = self.mean(name, best, "ami") - self.mean(name, OURS, "ami")
            if lead > AHEAD:
                leads.append((name, best, lead))
        return leads

    def verdicts(self) -> list[Verdict]:
        """Return what was promised of the default method, as far as it was measured."""
        return [*self._qualities(), *self._shortfalls(), *self._leads(), *self._times()]

    def _shared(self) -> list[str]:
        """Return the sets that ours and some peer were fitted on."""
        return [name for name in self.sets if self.of(name, OURS) and any(self.of(name, peer) for peer in PEERS)]

    def _qualities(self) -> Iterator[Verdict]:
        for name, least in NMI.items():
            if self.of(name, OURS):
                reached = self.mean(name, OURS, "nmi")
                yield Verdict(f"row NMI, {name}", f"{reached:.3f}", f"≥ {least}", reached >= least)

    def _shortfalls(self) -> Iterator[Verdict]:
        both = [name for name in self.sets if self.of(name, OURS) and self.of(name, TRUTH)]
        if both:
            gaps = {name: self.mean(name, TRUTH, "nmi") - self.mean(name, OURS, "nmi") for name in both}
            worst = max(gaps, key=lambda name: gaps[name])
            what = f"row NMI short of the refinement of the truth, worst of {len(both)} planted families"
            yield Verdict(what, f"{gaps[worst]:.3f} ({worst})", f"≤ {AHEAD}", gaps[worst] <= AHEAD)

    def _leads(self) -> Iterator[Verdict]:
        """Count the sets where a peer is ahead; those that are told the number of clusters are counted apart."""
        shared, plain = self._shared(), [peer for peer in PEERS if peer not in TUNED]
        if not shared:
            return
        most = len(shared) // 8
        leads = self.ahead(*plain)
        named = "".join(f"; {name}: {peer} by {lead:.3f}" for name, peer, lead in leads)
        what = f"sets of {len(shared)} where a peer is ahead by more than {AHEAD} AMI"
        yield Verdict(what, f"{len(leads)}{named}", f"≤ {most}", len(leads) <= most)
        if any(self.of(name, peer) for name in shared for peer in TUNED):
            near = len(self.ahead(*PEERS))
            yield Verdict("the same, with the peers at resolutions tuned to the true k", f"{near}", "–", None)

    def _times(self) -> Iterator[Verdict]:
        ratios = {name: ratio for name in self.sets if (ratio := self.ratio(name, OURS)) is not None}
        if ratios:
            middle = statistics.median(ratios.values())
            yield Verdict("time over scikit-learn's, median of the sets", f"{middle:.2f}", "≤ 2.5", middle <= 2.5)
        large = {each.set for each in self.outcomes if each.links >= MANY} & set(ratios)
        if large:
            worst = max(ratios[name] for name in large)
            what = f"time over scikit-learn's, worst of {len(large)} sets of a million links and more"
            yield Verdict(what, f"{worst:.2f}", "≤ 1.5", worst <= 1.5)


Cell = Callable[[Standings, str, str], str]


def as_lines(standings: Standings, name: str) -> Iterator[str]:
    """Return a set and what each method reached on it, as lines for a terminal."""
    first = next(each for each in standings.outcomes if each.set == name)
    yield f"{name}: {first.n_rows:,} × {first.n_cols:,}, {first.links:,} links, k = {first.n_clusters}"
    for method in standings.methods:
        if runs := standings.of(name, method):
            scores = "  ".join(f"{score.upper()} {_score(standings, name, method, score)}" for score in SCORES)
            ratio = standings.ratio(name, method)
            times = "" if ratio is None else f", {ratio:.2f} × scikit-learn"
            found = statistics.median(each.found for each in runs)
            yield f"  {method:20}  {scores}  {found:4g} clusters  {standings.seconds(name, method):.3g} s{times}"


def as_markdown(machine: Mapping[str, Any], seeds: int, standings: Standings) -> str:
    """Return the machine, what was promised and the tables of a run."""
    packages = ", ".join(f"{name} {number}" for name, number in machine["packages"].items())
    where = f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}"
    promised = [[each.what, each.measured, each.target, _said(each.met)] for each in standings.verdicts()]
    return "\n".join([
        f"{where}; {packages}. {seeds} seeds.",
        "",
        *_table(["what", "measured", "target", "met"], promised),
        "",
        "Row AMI, mean ± standard deviation over the seeds:",
        "",
        *_table(["set", "k", "links", *standings.methods], _rows(standings, _ami)),
        "",
        "Row NMI / ARI, means:",
        "",
        *_table(["set", "k", "links", *standings.methods], _rows(standings, _both)),
        "",
        "Seconds, medians; in brackets how many times scikit-learn's:",
        "",
        *_table(["set", "k", "links", *standings.methods], _rows(standings, _timed)),
    ])


def _rows(standings: Standings, cell: Cell) -> Iterator[list[str]]:
    for name in standings.sets:
        first = next(each for each in standings.outcomes if each.set == name)
        cells = (cell(standings, name, method) if standings.of(name, method) else "–" for method in standings.methods)
        yield [name, str(first.n_clusters), f"{first.links:,}", *cells]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join(['---'] * len(head))} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _ami(standings: Standings, name: str, method: str) -> str:
    text = _score(standings, name, method, "ami")
    best = max(standings.mean(name, each, "ami") for each in standings.methods if standings.of(name, each))
    return f"**{text}**" if standings.mean(name, method, "ami") >= best - 0.0005 else text


def _both(standings: Standings, name: str, method: str) -> str:
    return " / ".join(f"{standings.mean(name, method, score):.3f}" for score in ("nmi", "ari"))


def _timed(standings: Standings, name: str, method: str) -> str:
    ratio = standings.ratio(name, method)
    return f"{standings.seconds(name, method):.2g}" + ("" if ratio is None else f" ({ratio:.2f})")


def _score(standings: Standings, name: str, method: str, score: str) -> str:
    return f"{standings.mean(name, method, score):.3f} ± {standings.spread(name, method, score):.3f}"


def _said(met: bool | None) -> str:
    return {True: "yes", False: "no", None: "–"}[met]
