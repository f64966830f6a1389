"""What Gao et al. (KDD 2005) say of their results in section 5, and whether it holds of ours."""

from collections.abc import Callable, Sequence
from statistics import fmean

from graphmine.experiments.base import Claim, TaskResult, Verdict
from graphmine.experiments.star_measures import cluster_words

__all__ = ["ALPHAS", "BETAS", "CLAIMS", "PRINTED", "by_cbgc", "by_printed", "by_tsc"]

BETAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1.0)
PRINTED = (0.3, 0.5, 0.6, 0.9)
"""The β at which the paper's problem (17) is solved as well."""
ALPHAS = (1e-10, 0.01, 0.1, 1.0, 10.0, 100.0, 1e10)


def by_cbgc(beta: float | str) -> str:
    """Return what CBGC with a share of the first arm is called."""
    return f"cbgc β={beta}"


def by_printed(beta: float) -> str:
    """Return what it is called where the paper's problem (17) is solved."""
    return f"cbgc (17) β={beta}"


def by_tsc(alpha: float) -> str:
    """Return what TSC with a weight of the second arm is called."""
    return f"tsc α={alpha:g}"


def _alone(tasks: Sequence[TaskResult]) -> Verdict:
    """Judge whether all X of Toy I are together, whatever α."""
    shares = {alpha: tasks[0].mean(by_tsc(alpha), "together") for alpha in _among(tasks[0], by_tsc, ALPHAS)}
    always = sum(share == 1 for share in shares.values())
    return Verdict(f"all X in one cluster at {always} of {len(shares)} α", always == len(shares))


def _wanted(tasks: Sequence[TaskResult]) -> Verdict:
    betas, printed = _among(tasks[0], by_cbgc, BETAS), _among(tasks[0], by_printed, PRINTED)
    methods = [*map(by_cbgc, betas), *map(by_printed, printed)]
    right = [each for each in methods if min(tasks[0].mean(each, name) for name in ("split", "nmi")) == 1]
    return Verdict(f"X and Y are parted as wanted by {', '.join(right) or 'none'}", by_cbgc(0.3) in right)


def _other_x(tasks: Sequence[TaskResult]) -> Verdict:
    one, three = (cluster_words(tasks[0].found[by_cbgc(beta)][0], "x") for beta in (0.1, 0.3))
    return Verdict(f"X at β = .1: {_side_by_side(one)}; at .3: {_side_by_side(three)}", one != three)


def _picked_out(tasks: Sequence[TaskResult]) -> Verdict:
    found = {name: tasks[0].found[name][0] for name in (by_cbgc(0.9), by_printed(0.9))}
    told = "; ".join(f"{name}: {each}" for name, each in found.items())
    return Verdict(told, any(["y7", "z6"] in cluster_words(each) for each in found.values()))


def _degraded(tasks: Sequence[TaskResult]) -> Verdict:
    none, all_ = (tasks[0].found[by_cbgc(beta)][0] for beta in (0.0, 1.0))
    x, z = cluster_words(none, "x"), cluster_words(all_, "z")
    told = f"X at β = 0: {_side_by_side(x)}; Z at β = 1: {_side_by_side(z)}"
    return Verdict(told, max(len(x), len(z)) <= 1)


def _by_one_arm(tasks: Sequence[TaskResult]) -> Verdict:
    by_z, by_x = (_y(tasks[1], beta) for beta in (0.0, 1.0))
    told = f"Y at β = 0: {_side_by_side(by_z)}; at 1: {_side_by_side(by_x)}"
    return Verdict(told, by_z == [["y01–y08"], ["y09–y20"]] and by_x == [["y01–y12"], ["y13–y20"]])


def _trade_off(tasks: Sequence[TaskResult]) -> Verdict:
    between = {beta: _y(tasks[1], beta) for beta in _among(tasks[1], by_cbgc, BETAS)}
    own = [beta for beta, found in between.items() if found not in (between[0.0], between[1.0])]
    printed = cluster_words(tasks[1].found[by_printed(0.6)][0], "y")
    told = (
        f"Y at .6: {_side_by_side(between[0.6])}, by (17) {_side_by_side(printed)}; neither as at 0 nor as at 1 at "
        f"β = {', '.join(map(str, own)) or 'none'}"
    )
    return Verdict(told, 0.6 in own)


def _never_right(tasks: Sequence[TaskResult]) -> Verdict:
    shares = {alpha: tasks[2].mean(by_tsc(alpha), "split") for alpha in _among(tasks[2], by_tsc, ALPHAS)}
    best = max(shares, key=lambda alpha: shares[alpha])
    return Verdict(f"at best in {shares[best]:.0%} of the draws (α = {best:g})", shares[best] < _SELDOM)


def _one_cluster(tasks: Sequence[TaskResult]) -> Verdict:
    there = [alpha for alpha in _among(tasks[2], by_tsc, ALPHAS) if alpha >= 0.1]
    shares = {alpha: tasks[2].mean(by_tsc(alpha), "together") for alpha in there}
    told = ", ".join(f"α = {alpha:g}: {share:.0%}" for alpha, share in shares.items())
    return Verdict(f"of the draws, {told}", min(shares.values()) > 1 - _SELDOM)


def _one_apart(tasks: Sequence[TaskResult]) -> Verdict:
    shares = {
        alpha: fmean(sorted(map(len, cluster_words(found))) == [1, 4] for found in tasks[2].found[by_tsc(alpha)])
        for alpha in (1e-10, 0.01)
    }
    told = ", ".join(f"α = {alpha:g}: {share:.0%}" for alpha, share in shares.items())
    return Verdict(f"of the draws, {told}", min(shares.values()) > 1 - _SELDOM)


def _half(tasks: Sequence[TaskResult]) -> Verdict:
    methods = (by_cbgc(0.5), by_printed(0.5))
    shares, nmis = ([tasks[2].mean(each, name) for each in methods] for name in ("split", "nmi"))
    told = "; ".join(
        f"{method} in {share:.0%} of the draws, NMI of the documents {nmi:.2f}"
        for method, share, nmi in zip(methods, shares, nmis, strict=True)
    )
    return Verdict(told, max(shares) > 1 - _SELDOM)


def _both_ends(tasks: Sequence[TaskResult]) -> Verdict:
    shares = [tasks[2].mean(by_cbgc(beta), "split") for beta in (0.0, 0.5, 1.0)]
    told = ", ".join(f"{share:.0%}" for share in shares)
    return Verdict(f"categories as wanted at β = 0, .5 and 1 in {told} of the draws", max(shares[::2]) < shares[1])


def _better(tasks: Sequence[TaskResult]) -> Verdict:
    of_tsc = tasks[2].best([by_tsc(alpha) for alpha in _among(tasks[2], by_tsc, ALPHAS)], "nmi")
    half, auto = (tasks[2].mean(by_cbgc(beta), "nmi") for beta in (0.5, "auto"))
    told = f"NMI of the documents {half:.2f} at β = .5 and {auto:.2f} at β = auto; TSC {of_tsc:.2f} at its best α"
    return Verdict(told, half > of_tsc + _GREATLY)


def _among(task: TaskResult, name: Callable[[float], str], values: Sequence[float]) -> list[float]:
    """Return those values of a parameter that were tried: a quick run has fewer."""
    return [each for each in values if name(each) in task.measures]


def _y(task: TaskResult, beta: float) -> list[list[str]]:
    return cluster_words(task.found[by_cbgc(beta)][0], "y")


def _side_by_side(found: Sequence[Sequence[str]]) -> str:
    return " | ".join(map(" ".join, found))


_SELDOM = 0.1
"""What happens in a smaller share of the draws is seldom."""
_GREATLY = 0.1
"""An NMI that is higher by more is greatly better."""

CLAIMS = (
    Claim("5.1.1", "On Toy I TSC puts all of X into one cluster, whatever α.", _alone),
    Claim("5.1.2", "On Toy I CBGC with β = .3 gives the partition wanted.", _wanted),
    Claim("5.1.2", "With β = .1 X is parted in another way.", _other_x),
    Claim("5.1.2", "With β = .9 y7 and z6 are picked out from all others.", _picked_out),
    Claim("5.1.2", "With β very close to 0 or 1 the partitioning of X or of Z fails.", _degraded),
    Claim("5.2", "On Toy II Y is parted as Z wants it with β = 0, and as X wants it with β = 1.", _by_one_arm),
    Claim("5.2", "With β = .6 Y is parted in a way between the two.", _trade_off),
    Claim("5.3.1", "On the newsgroups TSC never finds {C1, C2} and {C3, C4, C5}, whatever α.", _never_right),
    Claim("5.3.1", "With α of .1 or more TSC puts all categories into one cluster.", _one_cluster),
    Claim("5.3.1", "With α of .01 or less TSC parts one category from the other four.", _one_apart),
    Claim("5.3.2", "CBGC with β = .5 finds {C1, C2} and {C3, C4, C5} with their documents.", _half),
    Claim("5.3.2", "With β = 0 and β = 1 the result degrades.", _both_ends),
    Claim("5.3.2", "CBGC greatly outperforms spectral clustering of the tripartite graph.", _better),
)
