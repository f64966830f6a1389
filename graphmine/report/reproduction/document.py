"""The document of all experiments that were done again, written from their stored results.

``python -m graphmine.report.reproduction.document docs/reproduction > docs/reproduction.md`` renews it.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from graphmine.experiments import EXPERIMENTS, Experiment, Reproduction
from graphmine.experiments.records import read_reproduction
from graphmine.report.reproduction.tables import findings, machine, measured, sizes_of_sets, verdict

__all__ = ["document"]

_HEAD = """\
# Reproduction

The papers' experiments, done again by `graphmine reproduce NAME` through an embedded database: each set is loaded, its
constraints are drawn by rules where it has any, and every method mines it with its defaults but for what is named.
Means and standard deviations are over the draws. "Unlabelled" are the nodes that no rule names: what a method makes of
its constraints, not of the labels themselves.

Written from the results in `docs/reproduction` by
`python -m graphmine.report.reproduction.document docs/reproduction > docs/reproduction.md`.
"""


def document(folder: Path) -> str:
    """Return the results in a folder as Markdown, experiment by experiment."""
    stored = ((each, folder / f"{each.name}.json") for each in EXPERIMENTS.values())
    sections = (_section(experiment, read_reproduction(path)) for experiment, path in stored if path.exists())
    return _HEAD + "".join(f"\n{section}" for section in sections)


def _section(experiment: Experiment, done: Reproduction) -> str:
    return "\n".join([
        f"## {experiment.name}: {experiment.title}\n",
        f"{experiment.paper}\n",
        f"![{_pictured(experiment)}, set by set](reproduction/{experiment.name}.png)\n",
        f"### What the paper says, and what we found\n\n{_claims(experiment, done)}",
        *(f"### {title}\n\n{_measure(experiment, done, name)}" for name, title in experiment.measures.items()),
        *_findings(done),
        f"### Sizes\n\n{_sizes(experiment, done)}",
        f"### Settings\n\n{_items(f'{name}: {told}' for name, told in _settings(experiment, done).items())}",
        f"### The fits, each of the first set that has it, in the first draw\n\n{_items(_fits(done))}",
        f"### What the paper leaves open, and what was taken\n\n{_items(experiment.left_open)}",
        f"### Not done again\n\n{_items(experiment.missing)}",
    ])


def _pictured(experiment: Experiment) -> str:
    curves = experiment.curves
    return "All measures" if curves is None else f"{experiment.measures[curves.solid]} over {curves.axis}"


def _settings(experiment: Experiment, done: Reproduction) -> Mapping[str, str]:
    versions = ", ".join(f"{name} {version}" for name, version in done.versions.items())
    quick = "; quick, so that these are not the figures of the experiment" if done.quick else ""
    took = f"{done.seconds:.0f} s with {versions}, on a machine with {machine(done)}; seconds are those of a clock"
    return {**experiment.settings, "draws": f"{done.draws}{quick}", "took": took}


def _fits(done: Reproduction) -> list[str]:
    return [f"`{told}`" for told in done.fits.values()]


def _measure(experiment: Experiment, done: Reproduction, measure: str) -> str:
    names = [f"{method} (ours)" if method in experiment.ours else method for method in done.methods]
    figures = [[measured(task, each, measure) for each in done.methods] for task in done.tasks]
    sets = [task.name for task in done.tasks]
    if len(names) > len(sets):  # the longer of the two goes down
        return _table(["method", *sets], ([name, *row] for name, *row in zip(names, *figures, strict=True)))
    return _table(["set", *names], ([name, *row] for name, row in zip(sets, figures, strict=True)))


def _findings(done: Reproduction) -> list[str]:
    """Return what was found in words as a section, where tasks have them."""
    found = findings(done)
    return (
        [f"### What was found\n\n{_table(['set', 'method', 'found, and in how many draws'], found)}"] if found else []
    )


def _claims(experiment: Experiment, done: Reproduction) -> str:
    judged = experiment.verdicts(done)
    rows = ([f"{claim.says} ({claim.where})", found.measured, verdict(found.holds)] for claim, found in judged)
    return _table(["the paper", "ours", ""], rows)


def _sizes(experiment: Experiment, done: Reproduction) -> str:
    return _table(["set", "in the paper", "ours"], sizes_of_sets(experiment, done))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    """Return a text that does not end its cell."""
    return text.replace("|", "\\|")


def _items(texts: Iterable[str]) -> str:
    return "".join(f"{fill(text, 120, initial_indent='- ', subsequent_indent='  ')}\n" for text in texts)


if __name__ == "__main__":
    sys.stdout.write(document(Path(sys.argv[1])))
