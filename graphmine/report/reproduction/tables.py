"""Our figures beside the paper's, for the command line."""

from collections import Counter
from collections.abc import Iterator, Mapping

from graphmine.experiments import Experiment, Reproduction, TaskResult
from graphmine.experiments.base import Spread
from graphmine.experiments.records import reproduction_record
from graphmine.report.page import Page, Sheet, counted, fact

__all__ = [
    "experiments_page",
    "findings",
    "machine",
    "mean_text",
    "measured",
    "reproduction_page",
    "sizes_of_sets",
    "sizes_text",
    "verdict",
]  # fmt: skip

_QUICK = ", quick: smaller sets, not the figures of the experiment"


def experiments_page(experiments: Mapping[str, Experiment]) -> Page:
    """Return which experiments there are."""
    names = ("name", "title", "paper", "tasks", "draws")
    rows = [(each.name, each.title, each.paper, each.n_tasks, each.draws) for each in experiments.values()]
    sheet = Sheet(names, rows, right=frozenset(names[3:]))
    return Page([dict(zip(names, row, strict=True)) for row in rows], (sheet,), sheet)


def reproduction_page(experiment: Experiment, done: Reproduction) -> Page:
    """Return every task and method with its measures, what the paper claims, and all settings."""
    measures = tuple(experiment.measures.values())
    columns = ("set", "method", *measures)
    shown = [(task, method, *map(mean_text, spreads)) for task, method, spreads in _rows(experiment, done)]
    parts: tuple[Sheet | str, ...] = (
        f"{experiment.title}\n{experiment.paper}",
        Sheet(columns, shown, "ours, mean ± standard deviation over the draws", frozenset(measures)),
        *_findings(done),
        Sheet(("set", "in the paper", "ours"), sizes_of_sets(experiment, done), "sizes"),
        _claims(experiment, done),
        Sheet(("setting", "taken"), list(experiment.settings.items()), "settings"),
        Sheet(("method", "fit of the first set that has it, in the first draw"), list(done.fits.items())),
        Sheet(("left open by the paper, and what was taken",), [(each,) for each in experiment.left_open]),
        Sheet(("not done again",), [(each,) for each in experiment.missing]),
        fact("draws", f"{done.draws}{_QUICK if done.quick else ''}"),
        fact("seconds", f"{done.seconds:.0f} on a machine with {machine(done)}"),
    )
    return Page(reproduction_record(experiment, done), parts, _sheet(experiment, done))


def mean_text(values: Spread) -> str:
    """Return a mean with its deviation.

    >>> mean_text(Spread((0.25, 0.75)))
    '0.500 ± 0.250'
    """
    return f"{values.mean:.3f} ± {values.deviation:.3f}"


def measured(task: TaskResult, method: str, measure: str) -> str:
    """Return a method's mean of a measure with its deviation, and a dash where a task does without the method."""
    return mean_text(task.measures[method][measure]) if method in task.measures else "–"


def findings(done: Reproduction) -> list[tuple[str, str, str]]:
    """Return what was found in words: for each set that has it and each method, and how often of several draws."""
    return [(task.name, method, _often(found)) for task in done.tasks for method, found in task.found.items()]


def _often(found: tuple[str, ...]) -> str:
    """Return what was found, the most frequent first, with the number of draws where it differs from draw to draw."""
    counts = Counter(found).most_common()
    return "; ".join(f"{text} ({count})" for text, count in counts) if len(counts) > 1 else counts[0][0]


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Return how large something is.

    >>> sizes_text({"Document": 982, "Word": 358})
    '982 Document, 358 Word'
    """
    return ", ".join(f"{count} {what}" for what, count in sizes.items())


def sizes_of_sets(experiment: Experiment, done: Reproduction) -> list[tuple[str, str, str]]:
    """Return how large each set is in the paper, and here; tasks that are points of one curve are one set."""
    told: dict[str, tuple[str, str, str]] = {}
    for task in done.tasks:
        name = task.name if experiment.curves is None else experiment.curves.place(task.name)[0]
        told.setdefault(name, (name, sizes_text(task.printed), sizes_text(task.sizes)))
    return list(told.values())


def machine(done: Reproduction) -> str:
    """Return what the seconds depend on."""
    return ", ".join(f"{what} {value:g}" for what, value in done.machine.items()) or "nothing known of it"


def verdict(holds: bool) -> str:
    """Return whether a claim holds."""
    return "holds" if holds else "does not hold"


def _rows(experiment: Experiment, done: Reproduction) -> Iterator[tuple[str, str, list[Spread]]]:
    for task in done.tasks:
        for method, measures in task.measures.items():
            name = f"{method} (ours)" if method in experiment.ours else method
            yield task.name, name, [measures[each] for each in experiment.measures]


def _sheet(experiment: Experiment, done: Reproduction) -> Sheet:
    columns = [f"{name} {what}" for name in experiment.measures.values() for what in ("mean", "deviation")]
    rows = [
        (task, method, *(number for each in spreads for number in (each.mean, each.deviation)))
        for task, method, spreads in _rows(experiment, done)
    ]
    return Sheet(("set", "method", *columns), rows)


def _findings(done: Reproduction) -> list[Sheet]:
    found = findings(done)
    return [Sheet(("set", "method", "found"), found, "what was found, and in how many draws")] if found else []


def _claims(experiment: Experiment, done: Reproduction) -> Sheet | str:
    judged = experiment.verdicts(done)
    if not judged:
        told = f"{counted(len(done.tasks), 'task')} of {experiment.expected(done.quick)} done"
        return f"{told}; no claim can be judged yet"
    rows = [(claim.says, claim.where, found.measured, verdict(found.holds)) for claim, found in judged]
    title = f"what the paper claims{', looked at on small sets only' if done.quick else ''}"
    return Sheet(("the paper says", "section", "ours", "verdict"), rows, title)
