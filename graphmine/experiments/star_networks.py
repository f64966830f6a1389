"""Networks for experiments on stars: categories, documents and terms, each with the side that it should be found on."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array, hstack

from graphmine.datasets.network import Edges, Network
from graphmine.datasets.texts import counted_words, information_gain, most
from graphmine.errors import DataError
from graphmine.model import Nodes, Relation, Star

__all__ = ["CATEGORIES", "SIDE", "TERMS", "categorised", "network_of", "outlying", "with_sides"]

SIDE = "side"
"""The property that holds the class of a node, null where it has none."""

CATEGORIES, TERMS = "Document-ABOUT{share}->Category", "Document-HAS{count}->Term"
"""The relations of a star of categories, documents and terms."""

_HEAVY = 5  # a private term weighs so many times what all other terms of its document weigh together


def network_of(star: Star, truth: Mapping[str, np.ndarray]) -> Network:
    """Return a star as a network that can be loaded: kinds of ``key`` and side, relationships ``HAS`` with ``weight``.

    >>> from graphmine import gallery
    >>> network_of(*gallery.toy_one())
    Network(Y 8, X 3, Z 6; Y-HAS->X 13, Y-HAS->Z 14)
    """
    tables = {
        nodes.kind: pa.table({"key": nodes.keys, SIDE: pa.array(truth[nodes.kind], mask=truth[nodes.kind] < 0)})
        for nodes in star.kinds
    }
    return Network(tables, tuple(_edges(arm, "HAS", "weight") for arm in star.arms))


def outlying(star: Star, documents: int, rng: np.random.Generator) -> Star:
    """Return a star in which some documents have one more node of the first arm each, of their own and heavy.

    A document and its private term are parted from the rest by a cheap cut, as a mistyped or quoted text may be.
    """
    arm = star.arms[0]
    some = np.sort(rng.permutation(len(arm.rows))[:documents])
    heavy = csr_array(
        (_HEAVY * arm.block.sum(axis=1)[some], (some, np.arange(documents))), shape=(len(arm.rows), documents)
    )
    names = [*arm.cols.keys.to_pylist(), *(f"x{at:02}" for at in range(documents))]
    wider = Relation(arm.rows, Nodes(arm.cols.kind, names), csr_array(hstack([arm.block, heavy])), arm.name)
    return Star((wider, *star.arms[1:]), star.weights)


def categorised(texts: Mapping[str, str], groups: Sequence[str], each: int, words: int, seed: int) -> Network:
    """Return messages of some groups, so many of each, drawn at random, as a star of categories, documents and terms.

    Parameters
    ----------
    texts
        Messages, named ``group/number``.
    words
        So many terms, of those in two documents at least: the ones with the largest information gain.

    Notes
    -----
    ``Document(id, side)``, ``Category(name, side)``, ``Term(word)``; the side is the first word of the group.
    """
    rng = np.random.default_rng(seed)
    documents: list[str] = []
    for group in groups:
        of_group = sorted(name for name in texts if name.startswith(f"{group}/"))
        if len(of_group) < each:
            raise DataError(f"there are {len(of_group)} messages of {group}, and {each} are needed; get the set anew")
        documents += (of_group[at] for at in rng.permutation(len(of_group))[:each])
    documents.sort()
    belongs = csr_array(
        (
            np.ones(len(documents)),
            ([*range(len(documents))], [groups.index(name.partition("/")[0]) for name in documents]),
        ),
        shape=(len(documents), len(groups)),
    )
    known, block = counted_words([texts[name] for name in documents])
    kept = most(information_gain(block, belongs), words)
    centre, terms = Nodes("Document", documents), Nodes("Term", [known[at] for at in kept.tolist()])
    arms = (
        Relation(centre, Nodes("Category", list(groups)), belongs),
        Relation(centre, terms, csr_array(block[:, kept])),
    )
    network = Network(
        {
            "Document": pa.table({"id": documents}),
            "Category": pa.table({"name": list(groups)}),
            "Term": pa.table({"word": terms.keys}),
        },
        (_edges(arms[0], "ABOUT", "share"), _edges(arms[1], "HAS", "count")),
    )
    return with_sides(network, {group: group.partition(".")[0] for group in groups})


def with_sides(network: Network, sides: Mapping[str, str]) -> Network:
    """Return a network whose categories have the sides given, and its documents that of their categories, if one."""
    about = next(edges for edges in network.relationships if edges.type == "ABOUT").table
    found: dict[object, set[str]] = {}
    for document, category in zip(about["source"].to_pylist(), about["target"].to_pylist(), strict=True):
        found.setdefault(document, set()).add(sides[category])
    documents, categories = network.nodes["Document"], network.nodes["Category"]
    of_document = [
        next(iter(found[each])) if len(found[each]) == 1 else None for each in documents.column(0).to_pylist()
    ]
    of_category = [sides[each] for each in categories.column(0).to_pylist()]
    tables = {
        **network.nodes,
        "Document": documents.append_column(SIDE, pa.array(of_document, pa.string())),
        "Category": categories.append_column(SIDE, pa.array(of_category, pa.string())),
    }
    return Network(tables, network.relationships)


def _edges(arm: Relation, type: str, weight: str) -> Edges:
    block = arm.block.tocoo()
    table = pa.table({
        "source": arm.rows.keys.take(pa.array(block.row)),
        "target": arm.cols.keys.take(pa.array(block.col)),
        weight: block.data,
    })
    return Edges(arm.rows.kind, type, arm.cols.kind, table)
