"""Texts as a network: documents, their words, and how often each has each."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.datasets.network import Edges, Network
from graphmine.datasets.terms import commonest, counted_words

__all__ = ["has_edges", "worded"]


def worded(
    ids: Sequence[str],
    texts: Sequence[str],
    properties: Mapping[str, Sequence[str | None]],
    *,
    least: int,
    words: int | None,
) -> Network:
    """Return ``Document(id, ...)``, ``Term(word)`` and ``HAS`` (Document to Term, ``count``) of some texts.

    Parameters
    ----------
    ids, texts
        The key of each document, and what it says.
    properties
        What else is known of each document.
    least
        In how many documents a word must be, at least.
    words
        So many words, those in the most documents; None for all of them.

    Examples
    --------
    >>> worded(["a", "b"], ["a pill a day", "day by day"], {"known_class": ["x", "y"]}, least=1, words=1)
    Network(Document 2, Term 1; Document-HAS->Term 2)
    """
    known, block = counted_words(texts, least=least)
    if words is not None:
        kept = commonest(block, words)
        known, block = [known[at] for at in kept.tolist()], csr_array(block[:, kept])
    keys = pa.array(ids)
    columns = {name: pa.array(values, pa.string()) for name, values in properties.items()}
    return Network(
        {"Document": pa.table({"id": keys} | columns), "Term": pa.table({"word": known})},
        (has_edges(keys, known, block),),
    )


def has_edges(ids: pa.Array, words: Sequence[str], block: csr_array) -> Edges:
    """Return how often each document has each word."""
    entries = block.tocoo()
    targets = pa.array(words, pa.string()).take(pa.array(entries.col))
    table = {"source": ids.take(pa.array(entries.row)), "target": targets, "count": entries.data.astype(np.int64)}
    return Edges("Document", "HAS", "Term", pa.table(table))
