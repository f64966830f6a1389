"""Kawale and Boley (SDM 2013): spectral clustering with links that may be wrong, their section 5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.datasets.classic3 import PAIR, classic3
from graphmine.datasets.network import Network
from graphmine.datasets.uci import SETS, asked, uci
from graphmine.exchange.load import load
from graphmine.experiments.base import Curves, Experiment, Measured
from graphmine.experiments.l1_claims import (
    ABSTRACTS,
    AUTO,
    BOTH,
    CLAIMS,
    DEFAULT,
    FCSC,
    FLIPPED,
    FREE,
    LOOSE,
    LOW,
    MEMBERS,
    MIDDLE,
    SCM,
    at_share,
    placed,
)
from graphmine.experiments.measures import with_and_without_labels
from graphmine.job import Job
from graphmine.store import Store
from graphmine.verbs.result import Mined

__all__ = ["L1_LABELS"]

_TABLE_1 = (
    ("wine", "wine", 119), ("glass", "glass", 146), ("ionosphere", "ionosphere", 351),
    ("hepatitis", "hepatitis", 155), ("WDBC", "wdbc", 569), ("diabetes", "pima", 768),
)  # fmt: skip
"""What the paper calls a set, what we do, and how many instances it has there."""

_SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
_DRAWS = 20
_QUICK_SETS, _QUICK_SHARES, _QUICK_DRAWS, _QUICK_EACH = ("wine", "glass"), (0.1, 0.5), 2, 40
_EACH = 200
_WRONG = 0.1
_TRUTH, _TOLD = "known_class", "told_class"
_SMALL = 400  # instances; on larger sets a second λ takes too many seconds


class _Fit(NamedTuple):
    """A method, its parameters, and which links it gets of the nodes that are known."""

    method: str
    param: Mapping[str, float | str] = MappingProxyType({})
    links: str = "known"


_NO_LABELS = _Fit("l1", links="")
_UCI = {
    DEFAULT: _Fit("l1"),
    MIDDLE: _Fit("l1", {"lam": 1.0}),
    MEMBERS: _Fit("l1", {"groups": "members"}),
    FCSC: _Fit("fcsc", {"alpha": 0.5}),
    LOOSE: _Fit("fcsc", {"alpha": -1.0}),
    FREE: _NO_LABELS,
}
_LARGE = {name: fit for name, fit in _UCI.items() if name != MIDDLE}
_NOISY = {
    DEFAULT: _Fit("l1"),
    LOW: _Fit("l1", {"lam": 0.01}),
    AUTO: _Fit("l1", {"lam": "auto"}),
    MEMBERS: _UCI[MEMBERS],
    FCSC: _UCI[FCSC],
    LOOSE: _UCI[LOOSE],
    FREE: _NO_LABELS,
}
_TEXTS = {
    DEFAULT: _Fit("l1"),
    SCM: _Fit("scm", links="must known"),
    BOTH: _Fit("scm"),
    FCSC: _UCI[FCSC],
    FREE: _NO_LABELS,
}


@dataclass(frozen=True)
class _Known:
    """Nodes of two classes, of which a share is known, mined by several methods with what is known."""

    data: str
    share: float
    printed: Mapping[str, int]
    kind: str
    relation: str
    where: tuple[str, ...]
    fits: Mapping[str, _Fit]
    make: Callable[[int], Network] = field(repr=False)
    told: Callable[[int], Network] | None = field(default=None, repr=False)
    redrawn: bool = False
    once: bool = False

    @property
    def name(self) -> str:
        """As the paper calls the set, with the share."""
        return at_share(self.data, self.share)

    def network(self, draw: int) -> Network:
        """Make the network of a draw, or of all of them."""
        return self.make(draw)

    def prepare(self, store: Store, draw: int) -> None:
        """Write what is told of the nodes where it is not the truth."""
        if self.told is not None:
            load(store, self.told(draw))

    def jobs(self, draw: int) -> dict[str, Job]:
        """Mine two clusters by every method, with the links that it gets."""
        return {
            name: Job(
                relation=self.relation,
                where=self.where,
                n_clusters=2,
                method=fit.method,
                param=fit.param,
                constrain=self._rule(fit.links, draw) if fit.links else (),
                seed=draw,
            )
            for name, fit in self.fits.items()
        }

    def measured(self, store: Store, draw: int, mined: Mined) -> Measured:
        """Compare all nodes with their classes, and those of which nothing is told."""
        return Measured(with_and_without_labels(store, mined, self.kind, _TRUTH, self._rule("known", draw)))

    def _rule(self, links: str, draw: int) -> str:
        told = _TRUTH if self.told is None else _TOLD
        return f"{links} {self.kind}.{told}; fraction {self.share}; seed {draw}"


def _tasks(quick: bool) -> list[_Known]:
    """Read the sets of UCI and Classic3, and make the tasks, set by set and share by share."""
    shares = _QUICK_SHARES if quick else _SHARES
    named = [each for each in _TABLE_1 if not quick or each[0] in _QUICK_SETS]
    return [
        *(task for name, ours, printed in named for task in _of_uci(name, ours, printed, shares)),
        *_of_uci(FLIPPED, "wine", _TABLE_1[0][2], shares, wrong=True),
        *_of_abstracts(shares, _QUICK_EACH if quick else _EACH),
    ]


def _of_uci(name: str, ours: str, printed: int, shares: Sequence[float], *, wrong: bool = False) -> Iterator[_Known]:
    network, (relation, where), kind = uci(ours), asked(ours), SETS[ours].kind
    fits = _UCI if printed <= _SMALL else _LARGE
    told = None
    if wrong:
        fits, told = _NOISY, partial(_partly_wrong, network.nodes[kind], kind, SETS[ours].classes)
    for share in shares:
        yield _Known(
            name, share, {kind: printed}, kind, str(relation), tuple(map(str, where)), fits, lambda _: network, told
        )


def _of_abstracts(shares: Sequence[float], each: int) -> Iterator[_Known]:
    make = cache(lambda draw: classic3(PAIR, each=each, seed=draw))  # all shares have the same documents
    printed = {"Document": 2 * _EACH, "Term": 3141, "links": 20720}
    for share in shares:
        yield _Known(ABSTRACTS, share, printed, "Document", "Document-HAS{tfidf}->Term", (), _TEXTS, make, redrawn=True)


def _partly_wrong(nodes: pa.Table, kind: str, classes: tuple[int | str, ...], draw: int) -> Network:
    """Return what is told of the nodes of two classes: their class or, with a probability of .1, the other one."""
    one, other = classes
    nodes = nodes.filter(pc.is_in(nodes[_TRUTH], pa.array(classes)))
    wrong = np.random.default_rng(draw).random(len(nodes)) < _WRONG
    told = pc.if_else(pc.xor(pc.equal(nodes[_TRUTH], one), pa.array(wrong)), one, other)
    return Network({kind: pa.table({"id": nodes["id"], _TOLD: told})})


L1_LABELS = Experiment(
    name="l1",
    title="Two classes, some of them known: graphs of numbers, and documents with their words",
    paper="J. Kawale, D. Boley: Constrained spectral clustering using L1 regularization. SDM 2013.",
    tasks=_tasks,
    n_tasks=(len(_TABLE_1) + 2) * len(_SHARES),
    n_quick=(len(_QUICK_SETS) + 2) * len(_QUICK_SHARES),
    draws=_DRAWS,
    quick_draws=_QUICK_DRAWS,
    ours=frozenset({AUTO, MEMBERS, LOOSE, BOTH}),
    settings={
        "graphs": "every two instances of a set of UCI, by the paper's RBF kernel (5.13), attributes brought to mean 0 "
        "and variance 1, σ² their total variance; missing values of hepatitis are the mean of the attribute",
        "instances": "as many as in Table 1: classes 2 and 3 of wine, 1 and 2 of glass, all of the others; of "
        "ionosphere 32 of the 34 attributes, as there",
        "Classic3 pair": "200 documents of Medline and 200 of Cranfield, drawn anew each time, and their words, "
        "weighed by TF/IDF; labels are of documents",
        "labels": "5, 10, 20, 30 and 50% of the nodes, drawn anew each time; every two of these are linked, by a "
        "must-link within a class and a cannot-link between classes: known Wine.known_class; fraction 0.05",
        "wine, 10% wrong": "each label is the other class with a probability of .1, drawn anew each time; measured "
        "against the true classes",
        "l1": "λ = .1 as by default, in units of √vol / n, which is .64 to .75 for these sets of UCI: λ = 1 is within "
        "the paper's range of .1 to 10, and .1 somewhat below it; auto chooses λ by links that are hidden, and holds "
        "nodes without labels where they are without any unless they surely move; members is λ = .1 with "
        "groups=members, by which a label weighs as much as a link or two, and not as all pairs that it is part of",
        "fcsc": "α is the share of the largest eigenvalue of D^-½ Q D^-½ by which the links have to be met at least: "
        ".5 as in the program of its authors, -1 as by default here, which asks for nothing",
        "scm": "with must-links only, as the paper says of it, and with both; δ = 3 as by default; cannot-links that "
        "outweigh the relationships of a node are scaled down to what these bear",
        "no labels": "l1 without links, which is the normalised cut; measured on the same unlabelled nodes",
        "links": "soft, weight 1",
        "verdicts": "alike is an NMI within .05, much better one higher by more than .1, high one higher than the poor "
        "ones by as much, nearly perfect one of .9; enough labels are 20%; more robust is a higher NMI at all shares, "
        "by more than .05 on average, at λ = .1 or at .01. The paper gives no such bounds; these were set before the "
        "whole experiment was run, after a look at one other draw",
        "time": "one set after another in one run, with one thread of dense algebra, on a busy machine",
        "measures": "purity, divided by n; NMI over the mean entropy; on all nodes, and on those without a label",
    },
    left_open=(
        "Whether attributes were brought to one scale, and of what σ² is the variance: they are, and of all together.",
        "How links were made of labels: all pairs of known nodes are taken.",
        (
            "Which λ was taken where: the text has a range, from which λ was chosen “to give the desired performance”. "
            "Here one is the same for all sets, and none is chosen by what comes out."
        ),
        (
            "α of FCSC: the text says the largest eigenvalue, at which no choice between vectors is left; half of it, "
            "as in the program of its authors, is taken."
        ),
        "How x becomes two clusters: by the threshold, then the moves of single nodes, that make the objective least.",
        "Whether NMI was measured on all nodes, the known ones included: it seems so, and both are shown.",
        "Which documents of Classic3, which words and which TF/IDF: see the reader of the set.",
        "Whether 10% of the labels were wrong exactly, or on average: on average.",
    ),
    missing=(
        (
            "Figures 2 to 4 are pictures without numbers, so the tables have no column of the paper's; its claims are "
            f"compared. They are means over 100 draws, ours over {_DRAWS}."
        ),
        (
            "That α has to be huge (Tables 2 and 3): this α, up to 4e34, is the largest eigenvalue of D^-½ Q D^-½. It "
            "is large only where a known node is next to unlike all others, and so tells how the graph was made, not "
            "how links are met. On ours it is .44 to .72 with 20% known labels in the first draw, but for 27.7 on "
            "glass, where a node has a degree of .0008, and .97 to 2.1 with 50%."
        ),
        (
            "That 6 to 8 steps are enough at μ = 1 (4.4): measured with the method, see `graphmine.methods.l1.l1.L1`. "
            "On wine and WDBC it took 80 to 107 to a relative 1e-10."
        ),
        "λ = auto is left to the wine with wrong labels, for its time, and λ = 1 to sets of up to 400 instances.",
    ),
    claims=CLAIMS,
    curves=Curves("known labels, %", placed, "nmi", "free_nmi"),
)
