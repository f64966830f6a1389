"""Pictures of a run, by their kind: of its blocks, its network, its sizes, and of what went where between runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from graphmine.checks import check_choice
from graphmine.errors import ParameterError
from graphmine.report.figures.blocks import sizes_of_kinds
from graphmine.report.figures.matrix import matrix_figure
from graphmine.report.figures.style import check_picture, save, styled
from graphmine.store import Store
from graphmine.verbs.evolve import Evolved
from graphmine.verbs.flow import Flow, flows
from graphmine.verbs.recall import Recalled, Result, parts_of, recall
from graphmine.verbs.stages import Stage, of_kind, read_stages, stages_of_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "flowed", "plot", "plot_figure"]

KINDS = ("matrix", "network", "sizes", "flow")


def plot(
    source: Store | Result | Evolved | Sequence[Recalled],
    path: str | Path | None = None,
    kind: str = "matrix",
    *,
    run: str | Sequence[str] = "last",
    only: str | None = None,
    seed: int = 0,
) -> "Figure":
    """Draw a run, and return the matplotlib figure, which a notebook shows by itself.

    Parameters
    ----------
    source
        A database; or what `recall` or `mine` returned, or a star and a clustering; for a flow also what `evolve`
        returned, or several of what `recall` did.
    path
        A PNG or SVG file to write it to as well.
    kind
        ``matrix`` for the blocks reordered by cluster, ``network`` for nodes and links, ``sizes`` for bars, ``flow``
        for the nodes that went from cluster to cluster between runs.
    run
        Which run of a database; for a flow several, or an evolution or a taxonomy.
    only
        Of sizes and of a flow, only this kind of nodes.
    seed
        For where a network's nodes are put.

    Examples
    --------
    >>> import graphmine as gm
    >>> with gm.connect(":memory:") as store:
    ...     loaded = gm.load(store, gm.davis())
    ...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2))
    >>> len(plot(mined, kind="sizes").axes)
    2
    """
    check_choice("kind", kind, KINDS)
    if path is not None:
        check_picture(Path(path))
    if kind == "flow":
        found: Result | Sequence[Flow] = flowed(source, run, only)
    elif isinstance(source, Evolved):
        raise ParameterError(f"an evolution is drawn as a flow, not as {kind}; name one of its runs for that")
    else:
        found = _result(source, run)
    figure = plot_figure(found, kind, only=only, seed=seed)
    if path is not None:
        save(figure, path)
    return figure


def plot_figure(found: Result | Sequence[Flow], kind: str, *, only: str | None = None, seed: int = 0) -> "Figure":
    """Return the figure of a result or, for a flow, of what went where."""
    with styled():
        if kind == "flow":
            from graphmine.report.figures.alluvial import flow_figure

            return flow_figure(cast("Sequence[Flow]", found))
        star, clustering, _ = parts_of(cast("Result", found))
        if kind == "network":
            from graphmine.report.figures.network import network_figure

            return network_figure(star, clustering, seed)
        if kind == "sizes":
            from graphmine.report.figures.bars import sizes_figure

            return sizes_figure(sizes_of_kinds(star, clustering, only))
        return matrix_figure(star, clustering)


def flowed(source: object, run: str | Sequence[str] = "last", only: str | None = None) -> list[Flow]:
    """Return what went where between runs, from a database or from results in memory."""
    if isinstance(source, Evolved):
        stages: Sequence[Stage] = source.stages
    elif isinstance(source, Sequence) and all(isinstance(each, Recalled) for each in source):
        stages = stages_of_results(source)
    elif hasattr(source, "reading"):
        stages = read_stages(cast("Store", source), [run] if isinstance(run, str) else run)
    else:
        raise ParameterError("a flow is drawn from a database, an evolution, or a list of recalled runs")
    return flows(of_kind(stages, only))


def _result(source: object, run: str | Sequence[str]) -> Result:
    if not hasattr(source, "reading"):
        return cast("Result", source)
    names = [run] if isinstance(run, str) else list(run)
    if len(names) != 1:
        raise ParameterError("only a flow is drawn of several runs; name one")
    return recall(cast("Store", source), names[0])
