"""Tasks made of 20 Newsgroups: documents of a few topics, their words, and separate pages to learn words from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphmine.datasets import newsgroups
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.newsgroups import WordCounts
from graphmine.errors import DataError

__all__ = ["TaskSizes", "drawn_network", "topic_of"]


@dataclass(frozen=True)
class TaskSizes:
    """How large a task is: documents and words, and the share of all other messages that are the pages of a draw."""

    documents: int
    words: int
    pages: float
    draws: int


def topic_of(document: str) -> str:
    """Return the topic of a document named ``group/number``: the first word of its group.

    >>> topic_of("comp.sys.mac.hardware/50418")
    'comp'
    """
    return document.partition(".")[0]


def drawn_network(texts: Mapping[str, str], topics: Sequence[str], sizes: TaskSizes, seed: int) -> Network:
    """Return documents of some topics drawn at random, equally many of each, with their words and pages.

    Parameters
    ----------
    texts
        Messages, named ``group/number``.
    topics
        The first words of the groups.

    Notes
    -----
    ``Document(id, topic)``, ``Word(text)``, ``Page(id, topic, draw)``; ``HAS`` from documents and from pages to words,
    with ``count``. The words are those in the most documents, in two at least. Pages are messages of the same topics
    that are no documents; each has the number of the draw that it is for, and none is in two draws.
    """
    rng = np.random.default_rng(seed)
    of_topic = {topic: sorted(name for name in texts if topic_of(name) == topic) for topic in topics}
    orders = {topic: rng.permutation(len(names)) for topic, names in of_topic.items()}
    share, more = divmod(sizes.documents, len(topics))
    cuts = {topic: share + (at < more) for at, topic in enumerate(topics)}
    for topic, names in of_topic.items():
        if len(names) < cuts[topic]:
            raise DataError(
                f"there are {len(names)} messages of {topic}, and {cuts[topic]} are needed; get the set anew"
            )
    documents = sorted(of_topic[topic][at] for topic in topics for at in orders[topic][: cuts[topic]])
    others = sorted(of_topic[topic][at] for topic in topics for at in orders[topic][cuts[topic] :])
    each = round(sizes.pages * (len(documents) + len(others)))
    chosen = rng.permutation(len(others))[: each * sizes.draws]
    pages = [others[at] for at in chosen]
    counts = newsgroups.count_words(documents, [texts[name] for name in documents], words=sizes.words)
    of_pages = newsgroups.count_words(pages, [texts[name] for name in pages], vocabulary=counts.words)
    return Network(
        {
            "Document": pa.table({"id": documents, "topic": list(map(topic_of, documents))}),
            "Word": pa.table({"text": counts.words}),
            "Page": pa.table({
                "id": pages,
                "topic": list(map(topic_of, pages)),
                "draw": np.arange(len(pages)) // max(each, 1),
            }),
        },
        (_has("Document", counts), _has("Page", of_pages)),
    )


def _has(kind: str, counts: WordCounts) -> Edges:
    block = counts.counts.tocoo()
    documents, words = pa.array(counts.documents, pa.string()), pa.array(counts.words, pa.string())
    return Edges(
        kind,
        "HAS",
        "Word",
        pa.table({
            "source": documents.take(pa.array(block.row)),
            "target": words.take(pa.array(block.col)),
            "count": block.data.astype(np.int64),
        }),
    )
