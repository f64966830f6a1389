"""Measure how good clusters are, and how fast, beside other libraries: ``python -m benchmarks.quality``.

Every set is fitted by every method once a seed, in turns, in one process with one thread; a planted network is drawn
anew for each seed. Rows are scored against their known classes; what a method leaves out counts as one more cluster.
"""

import argparse
import gc
import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

from benchmarks.families import FAMILIES
from benchmarks.measure import whole
from benchmarks.peers import PEERS, TRUTH, TUNED, fit_of, from_truth, unavailable
from benchmarks.sets import LEFT_OUT, SETS, Truth
from benchmarks.standings import Outcome, Standings, as_lines, as_markdown
from benchmarks.table import replace_table
from graphmine import gallery
from graphmine.arrays import Labels
from graphmine.errors import DataError
from graphmine.metrics import ami, ari, nmi
from graphmine.model import Star

__all__ = ["main"]

Draw = Callable[[int], tuple[Star, Truth]]

METHODS = ("loom", TRUTH, "s-co", *PEERS)
QUICK = ("planted, noise .4", "power law, k = 2")
PACKAGES = ("graphmine", "scikit-learn", "scikit-network", "igraph", "numpy", "scipy")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN = "<!-- quality: written by benchmarks.quality --markdown -->"

TUNED_LINKS = 600_000
"""Above so many links no resolution is searched for: it would take longer than all the rest."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if a target was missed."""
    asked = _parse(arguments)
    methods = [name for name in asked.methods if _told(unavailable(name))]
    known = _known(asked.known, methods, asked.seeds) if asked.known else ()
    standings = Standings(())
    _warm_up(methods)
    for name in asked.sets:
        earlier = [each for each in known if each.set == name]
        standings = Standings((*standings.outcomes, *_measured(name, methods, asked.seeds), *earlier))
        if name in standings.sets:
            print("\n".join(as_lines(standings, name)), flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(_results(standings, asked.seeds), indent=1) + "\n")
    verdicts = standings.verdicts()
    print("\n".join(map(str, verdicts)))
    if asked.markdown:
        replace_table(PAGE, as_markdown(_machine(), asked.seeds, standings), BEGIN)
    return 1 if any(each.met is False for each in verdicts) else 0


def _measured(name: str, methods: Sequence[str], seeds: int) -> Iterator[Outcome]:
    """Fit a set by every method once a seed; a set whose archive is not there is left out with a line."""
    try:
        draw = _draw(name)
    except DataError as error:
        _told(f"{name} is left out: {error}")
        return
    for seed in range(seeds):
        star, truth = draw(seed)
        for method in methods:
            if _sensible(method, name, star):
                yield _fitted(name, star, truth[star.centre.kind], method, seed)


def _draw(name: str) -> Draw:
    """Return what draws a planted network, or gives the real one whatever the seed."""
    if name in FAMILIES:
        return FAMILIES[name]
    real = SETS[name]()
    return lambda seed: real


def _sensible(method: str, name: str, star: Star) -> bool:
    """Tell whether to fit: the truth is a start where it was planted, and tuning is for what is not too large."""
    if method == TRUTH:
        return name in FAMILIES
    return method not in TUNED or star.arms[0].nnz <= TUNED_LINKS


def _fitted(name: str, star: Star, truth: Labels, method: str, seed: int) -> Outcome:
    there, arm = truth >= 0, star.arms[0]
    n_clusters = len(np.unique(truth[there]))
    fit = partial(from_truth, truth) if method == TRUTH else fit_of(method)
    labels, seconds = _timed(partial(fit, star, n_clusters, seed))
    compared = (labels[there] + 1, truth[there])  # from 0 on, as -1 would be left out of the scores
    return Outcome(
        name, name in FAMILIES, len(arm.rows), len(arm.cols), arm.nnz, n_clusters, method, seed,
        nmi=nmi(*compared), ami=ami(*compared), ari=ari(*compared), found=len(np.unique(labels)), seconds=seconds,
    )  # fmt: skip


def _timed(fit: Callable[[], Labels]) -> tuple[Labels, float]:
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what peers say of vague data is theirs, and the scores show it
        gc.collect()
        start = time.process_time()  # with one thread the same as time, but for what else the machine does
        labels = fit()
        return labels, time.process_time() - start


def _warm_up(methods: Sequence[str]) -> None:
    """Fit something tiny, so that no method is timed while it is being imported."""
    star, truth = gallery.planted()
    for method in methods:
        _fitted("", star, truth["Author"], method, 0)


def _known(file: Path, methods: Sequence[str], seeds: int) -> tuple[Outcome, ...]:
    """Return the outcomes of an earlier run, with the same seeds, of methods that are not fitted now."""
    earlier = (Outcome(**each) for each in json.loads(file.read_text())["outcomes"])
    return tuple(each for each in earlier if each.seed < seeds and each.method not in methods)


def _results(standings: Standings, seeds: int) -> dict[str, Any]:
    return {
        "machine": _machine(),
        "seeds": seeds,
        "verdicts": [asdict(each) for each in standings.verdicts()],
        "outcomes": [asdict(each) for each in standings.outcomes],
    }


def _machine() -> dict[str, Any]:
    """Describe the machine in general words."""
    return {
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "packages": dict(_versions()),
    }


def _versions() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        with suppress(PackageNotFoundError):  # the peers are no dependencies
            yield name, version(name)


def _told(why: str | None) -> bool:
    """Say what is left out, if anything is; whether nothing is."""
    if why is not None:
        print(f"... {why}", file=sys.stderr, flush=True)
    return why is None


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    every = (*SETS, *FAMILIES)
    unused = "; ".join(f"{name}: {why}" for name, why in LEFT_OUT.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.quality",
        description=(__doc__ or "").partition("\n")[0],
        epilog=f"Sets: {'; '.join(every)}. Not used: {unused}.",
    )
    add = parser.add_argument
    add("--sets", type=_several(every), default=every, metavar="A;B", help="sets, or the beginnings of their names")
    add("--methods", type=_several(), default=METHODS, metavar="A;B", help=f"default: {'; '.join(METHODS)}")
    add("--seeds", type=whole, default=5, metavar="N", help="fits of each (default: 5)")
    add("--quick", action="store_true", help="two small planted families and two seeds")
    add("--json", type=Path, metavar="FILE", help="write every fit there, after every set")
    add("--known", type=Path, metavar="FILE", help="take methods that are not fitted now from such a file")
    add("--markdown", action="store_true", help="write the tables into docs/benchmarks.md")
    asked = parser.parse_args(arguments)
    if asked.quick:
        asked.sets, asked.seeds = QUICK, 2
    return asked


def _several(known: Sequence[str] = ()) -> Callable[[str], tuple[str, ...]]:
    """Return what parts a text at semicolons, as names have commas; beginnings stand for all that begin so."""

    def parted(text: str) -> tuple[str, ...]:
        given = [part.strip() for part in text.split(";")]
        for part in given:
            if known and not any(name.startswith(part) for name in known):
                raise argparse.ArgumentTypeError(f"{part} is none of: {'; '.join(known)}")
        return tuple(name for name in known if name.startswith(tuple(given))) if known else tuple(given)

    return parted


if __name__ == "__main__":
    sys.exit(main())
