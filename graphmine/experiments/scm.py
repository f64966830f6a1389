"""Shi, Fan and Yu (ICDM 2010): co-clustering of documents and words with constraints, their Table II and Fig. 4."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmine.datasets import newsgroups
from graphmine.datasets.network import Network
from graphmine.experiments.base import MEASURES, Claim, Experiment, Measured, TaskResult, Verdict
from graphmine.experiments.measures import with_and_without_labels
from graphmine.experiments.newsgroup_tasks import TaskSizes, drawn_network, topic_of
from graphmine.job import Job
from graphmine.methods.catalog import CATALOG
from graphmine.store import Store
from graphmine.verbs.mine import mine
from graphmine.verbs.result import Mined

__all__ = ["SCM_TEXTS"]

_TABLE_2 = (
    (("comp", "rec"), 982, 358),
    (("comp", "sci"), 786, 441),
    (("comp", "talk"), 897, 536),
    (("rec", "sci"), 793, 492),
    (("rec", "talk"), 734, 569),
    (("sci", "talk"), 675, 561),
    (("comp", "rec", "sci", "talk"), 1657, 781),
)
_METHODS = ("infor-co", "s-co", "row-only", "lcm", "vcm", "scm", "loom")
_FREE = ("infor-co", "s-co")
_ROWS_ONLY = frozenset({"row-only"})
_LABELLED = 0.05
_PAGES = 0.05
_DRAWS, _QUICK_DRAWS = 10, 2
_QUICK_DOCUMENTS, _QUICK_WORDS = 60, 150  # of each topic, and of the task
_RELATION = "Document-HAS{count}->Word"
_SUBJECT = "subject"


@dataclass(frozen=True)
class _Texts:
    """Documents of two or four topics, a twentieth of which have a known topic, and words that belong together."""

    number: int
    topics: tuple[str, ...]
    printed: Mapping[str, int]
    sizes: TaskSizes
    texts: Mapping[str, str] = field(repr=False)
    redrawn: bool = False
    once: bool = False

    @property
    def name(self) -> str:
        """As in Table II, with its number."""
        return f"{self.number} {' vs. '.join(map(str.capitalize, self.topics))}"

    def network(self, draw: int) -> Network:
        """Make the network; the documents are the same in all draws."""
        return drawn_network(self.texts, self.topics, self.sizes, seed=self.number)

    def prepare(self, store: Store, draw: int) -> None:
        """Co-cluster the pages of the draw, whose topics are known, and write on each word what it is about."""
        job = Job(
            relation="Page-HAS{count}->Word",
            n_clusters=len(self.topics),
            where=f"Page.draw = {draw}",
            constrain="must same Page.topic",
            method="scm",
            seed=draw,
            write=_SUBJECT,
        )
        mine(store, job)

    def labelled(self, draw: int) -> str:
        """Tie documents of the same topic, a twentieth of them drawn at random."""
        return f"must same Document.topic; sample {_LABELLED}; seed {draw}"

    def jobs(self, draw: int) -> dict[str, Job]:
        """Mine documents and words by every method, with the rules that it takes."""
        rules = {method: self._rules(method, draw) for method in _METHODS}
        return {
            method: Job(
                relation=_RELATION, n_clusters=len(self.topics), constrain=rules[method], method=method, seed=draw
            )
            for method in _METHODS
        }

    def measured(self, store: Store, draw: int, mined: Mined) -> Measured:
        """Compare the documents with their topics, and those of them that have no label."""
        return Measured(with_and_without_labels(store, mined, "Document", "topic", self.labelled(draw)))

    def _rules(self, method: str, draw: int) -> list[str]:
        if not CATALOG[method].traits.constraints:
            return []
        words = [] if method in _ROWS_ONLY else [f"must same Word.{_SUBJECT}"]
        return [self.labelled(draw), *words]


def _tasks(quick: bool) -> list[_Texts]:
    """Read the messages and make the seven tasks."""
    wanted = [group for group in newsgroups.GROUPS if topic_of(group) in _TABLE_2[-1][0]]
    texts = dict(newsgroups.read_messages(wanted))
    tasks = []
    for number, (topics, documents, words) in enumerate(_TABLE_2, 1):
        sizes = TaskSizes(documents, words, _PAGES, _DRAWS)
        if quick:
            sizes = TaskSizes(_QUICK_DOCUMENTS * len(topics), _QUICK_WORDS, _PAGES, _QUICK_DRAWS)
        tasks.append(_Texts(number, topics, {"Document": documents, "Word": words}, sizes, texts))
    return tasks


def _constrained_win(tasks: Sequence[TaskResult]) -> Verdict:
    wins = {
        method: sum(each.mean(method, "nmi") > each.best([*_FREE, "row-only"], "nmi") for each in tasks)
        for method in ("lcm", "vcm", "scm")
    }
    told = ", ".join(f"{method} {won}" for method, won in wins.items())
    return Verdict(
        f"sets of {len(tasks)} with a higher mean NMI than all three: {told}", min(wins.values()) == len(tasks)
    )


def _sixth_set(tasks: Sequence[TaskResult]) -> Verdict:
    """Judge against the better of the two free methods, and tell both."""
    sixth = tasks[5]
    told = "; ".join(
        f"{MEASURES[name]} {sixth.mean('scm', name):.3f}, Infor-CO {sixth.mean('infor-co', name):.3f}, "
        f"S-CO {sixth.mean('s-co', name):.3f}"
        for name in ("purity", "nmi")
    )
    purer = sixth.mean("scm", "purity") > 1.6 * sixth.best(_FREE, "purity")
    return Verdict(told, purer and sixth.mean("scm", "nmi") >= 11 * sixth.best(_FREE, "nmi"))


def _second_set(tasks: Sequence[TaskResult]) -> Verdict:
    second = tasks[1]
    seconds, nmis = ([second.mean(method, name) for method in ("vcm", "scm")] for name in ("seconds", "nmi"))
    told = f"VCM {seconds[0]:.2f} s, SCM {seconds[1]:.2f} s; NMI {nmis[0]:.3f} and {nmis[1]:.3f}"
    return Verdict(told, seconds[1] <= seconds[0] / 16 and abs(nmis[0] - nmis[1]) <= _ALIKE)


def _fastest(tasks: Sequence[TaskResult]) -> Verdict:
    first = sum(each.mean("scm", "seconds") <= min(each.mean(m, "seconds") for m in ("lcm", "vcm")) for each in tasks)
    return Verdict(f"on {first} of {len(tasks)} sets SCM took the least time of the three", first == len(tasks))


def _small_differences(tasks: Sequence[TaskResult]) -> Verdict:
    methods = ("lcm", "vcm", "scm")
    gaps = [each.best(methods, "nmi") - min(each.mean(m, "nmi") for m in methods) for each in tasks[:6]]
    return Verdict(f"NMIs of the three differ by at most {max(gaps):.3f} on sets 1 to 6", max(gaps) <= _ALIKE)


def _seventh_set(tasks: Sequence[TaskResult]) -> Verdict:
    scm, other = tasks[6].mean("scm", "nmi"), tasks[6].best(("lcm", "vcm"), "nmi")
    return Verdict(f"NMI {scm:.3f} against {other:.3f}", scm >= other + _ALIKE)


def _as_quick_as_free(tasks: Sequence[TaskResult]) -> Verdict:
    ratios = sorted(each.mean("scm", "seconds") / each.mean("s-co", "seconds") for each in tasks)
    told = f"{ratios[0]:.1f} to {ratios[-1]:.1f} times the seconds of S-CO, median {ratios[len(ratios) // 2]:.1f}"
    return Verdict(told, ratios[-1] <= 2)


_ALIKE = 0.05
"""NMIs that differ by no more are alike; by more, one is substantially better."""

SCM_TEXTS = Experiment(
    name="scm",
    title="Co-clustering of documents and words with constraints on both",
    paper="X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010.",
    tasks=_tasks,
    n_tasks=len(_TABLE_2),
    draws=_DRAWS,
    quick_draws=_QUICK_DRAWS,
    ours=frozenset({"loom"}),
    settings={
        "data": "20 Newsgroups, the 19,997 messages; subject and body, English stop words left out, raw word counts",
        "documents": "as many as in Table II, equally many of each topic, drawn once at random",
        "words": "as many as in Table II: those in the most documents",
        "labelled documents": "5%, drawn anew each time; those of the same topic are linked: must same Document.topic",
        "word constraints": "5% of the messages of the topics, none of them a document, drawn anew each time, are "
        "co-clustered with the words by SCM, their topics known; words of a cluster are linked: must same Word.subject",
        "links": "soft, weight 1; no cannot-links",
        "clusters": "as many as topics, for documents and for words",
        "methods": "their defaults; the same seed in the same draw; one that takes no constraints is given none",
        "verdicts": "alike is an NMI within .05, substantially better one higher by .05, a comparable time at most "
        "twice as long; the paper gives no such bounds, and these were set before the whole experiment was first run",
        "verdicts on time": "they do not last: in a first run, on a busier machine and with earlier solvers, SCM took "
        "1.7 to 3.1 times as long as S-CO, and that claim did not hold; all other verdicts were the same",
        "measures": "purity, divided by n; NMI over the mean entropy; on all documents, and on those without a label",
    },
    left_open=(
        "Which messages were drawn: the 1657 of set 7 may be those of sets 1 and 6 together; ours are drawn anew.",
        "How much depends on which: over ten other draws of documents S-CO had an NMI of .00 to .29 on set 6.",
        "How words were chosen and weighed: the words in the most documents and their counts are taken.",
        "δ, the weight of constraints: the default of each method is taken.",
        "Of what the well-classified documents are 5%: of all messages of the topics is taken.",
        "Whether the classes of these were used when they were co-clustered: they are.",
        "How LCM and VCM were programmed: ours keep a group of nodes as its members, not as all of its pairs.",
        (
            "What else was tried before, in three draws of sets 1 and 6 with other documents (NMI of SCM): as taken "
            ".50 and .34; words present or not for counts .48 and .37; δ = .3 for 3: .18 and .31; pages co-clustered "
            "by S-CO, their classes not used, .49 and .19."
        ),
        "How many word clusters Infor-CO had: its default is taken.",
        "Purity and NMI as printed in the paper lack their normalisation; the usual forms are taken.",
    ),
    missing=(
        "Fig. 4 is a picture without numbers, so the table has no column of the paper's; its claims are compared.",
        "The chemical graphs of Table I and Fig. 3 are not to be had, and are not done again.",
    ),
    claims=(
        Claim(
            "IV-B",
            "The constrained methods (LCM, VCM, SCM) outperform Infor-CO, S-CO and row constraints alone.",
            _constrained_win,
        ),
        Claim(
            "IV-B",
            "On the 6th set purity improves over 60% and NMI by 11 times, against Infor-CO and S-CO.",
            _sixth_set,
        ),
        Claim("IV-B", "On the 2nd set SCM is as good as VCM in 5 seconds instead of 80.", _second_set),
        Claim("IV-B", "Among the three constrained methods SCM is the most efficient.", _fastest),
        Claim("IV-B", "On sparse text the three constrained methods differ little.", _small_differences),
        Claim("IV-B", "On the 7th set, of four topics, SCM does substantially better than LCM and VCM.", _seventh_set),
        Claim(
            "V", "SCM takes a time comparable to that of spectral co-clustering without constraints.", _as_quick_as_free
        ),
    ),
)
