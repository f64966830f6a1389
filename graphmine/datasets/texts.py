"""Texts as a network of documents and words: word counts, stop words, and the choice of words."""

import re
import runpy
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_integer
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError

__all__ = ["commonest", "counted_words", "has_edges", "information_gain", "most", "stop_words", "worded", "words_in"]


_WORD = r"(?u)\b[a-z]{2,}\b"
_FIND_WORD = re.compile(_WORD)


@cache
def stop_words() -> frozenset[str]:
    """Return scikit-learn's English stop words, read from its file: all of scikit-learn would take sixty megabytes.

    >>> "the" in stop_words(), "graph" in stop_words()
    (True, False)
    """
    found = find_spec("sklearn")
    path = Path(found.origin).parent / "feature_extraction" / "_stop_words.py" if found and found.origin else None
    if path is None or not path.is_file():
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    return frozenset(runpy.run_path(str(path))["ENGLISH_STOP_WORDS"])


def words_in(text: str) -> list[str]:
    """Return the words of a text in their order, split as in `counted_words`.

    >>> words_in("On the Mining of Graphs: a graph-mining survey.")
    ['mining', 'graphs', 'graph', 'mining', 'survey']
    """
    ignored = stop_words()
    return [word for word in _FIND_WORD.findall(text.lower()) if word not in ignored]


def counted_words(
    texts: Sequence[str], *, least: int = 2, vocabulary: Sequence[str] | None = None
) -> tuple[list[str], csr_array]:
    """Count the words of texts: those in ``least`` texts or more, or those of a vocabulary.

    A word has at least two letters, is in lower case, and is not one of scikit-learn's English stop words. Texts
    without words are kept.

    >>> words, block = counted_words(["a pill a day", "Day of the rocket", "day, day"], least=1)
    >>> words, block.toarray().tolist()
    (['day', 'pill', 'rocket'], [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [2.0, 0.0, 0.0]])
    """
    from sklearn.feature_extraction.text import CountVectorizer

    least = 1 if vocabulary is not None else check_integer("least", least, least=1)
    counter = CountVectorizer(
        stop_words="english", token_pattern=_WORD, min_df=least, vocabulary=vocabulary, dtype=np.float64
    )
    try:
        block = csr_array(counter.fit_transform(texts))
    except ValueError as error:  # the only error of scikit-learn here is that no word is left
        raise DataError(f"the {len(texts)} documents have no word that is in {least} of them") from error
    return counter.get_feature_names_out().tolist(), block


def commonest(block: csr_array, words: int) -> Ints:
    """Return the columns of the ``words`` words that occur in the most texts, in ascending order.

    >>> commonest(csr_array([[1.0, 0, 2], [3, 1, 0]]), words=1).tolist()
    [0]
    """
    return most(np.bincount(block.indices, minlength=block.shape[1]), words)


def most(values: Floats | Ints, words: int) -> Ints:
    """Return the positions of the ``words`` largest values in ascending order; of equal values, the first.

    >>> most(np.array([0.2, 0.7, 0.7, 0.9]), 2).tolist()
    [1, 3]
    """
    return np.sort(np.argsort(-values, kind="stable")[: check_integer("words", words, least=1)])


def information_gain(block: csr_array, shares: csr_array) -> Floats:
    """Return the information gain of each word about the class of a text, in bits.

    Parameters
    ----------
    block
        Texts by words; only the presence of a word counts.
    shares
        Texts by classes: the share of each class in a text, one over their number if a text has several.

    Notes
    -----
    G(t) = H(c) − P(t) H(c | t) − P(¬t) H(c | ¬t), the measure that Yang and Pedersen (ICML 1997) found best beside χ².
    It costs no more than the product of the two blocks.

    Examples
    --------
    >>> classes = csr_array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> information_gain(csr_array([[1.0, 1, 1], [3, 0, 1], [0, 0, 1], [0, 1, 1]]), classes).tolist()
    [1.0, 0.0, 0.0]
    """
    present = csr_array((np.ones(block.nnz), block.indices, block.indptr), shape=block.shape)
    together = csr_array(present.T @ shares)
    of_class, with_word = _sums(shares, axis=0), _sums(together, axis=1)
    total = np.sum(of_class)
    rows, left = np.repeat(np.arange(len(with_word)), np.diff(together.indptr)), of_class[together.indices]
    there = np.bincount(rows, _n_log_n(together.data), minlength=len(with_word))
    change = np.bincount(rows, _n_log_n(left - together.data) - _n_log_n(left), minlength=len(with_word))
    classes = np.sum(_n_log_n(of_class))
    conditional = _n_log_n(with_word) - there + _n_log_n(total - with_word) - (classes + change)
    gain: Floats = (total * np.log2(total) - classes - conditional) / total
    return np.maximum(gain, 0.0)


def _sums(block: csr_array, axis: int) -> Floats:
    return np.asarray(block.sum(axis=axis), dtype=np.float64).ravel()


def _n_log_n(numbers: Floats) -> Floats:
    numbers = np.maximum(numbers, 0.0)  # a difference of equal shares may come out below zero
    product: Floats = numbers * np.log2(np.where(numbers > 0, numbers, 1.0))
    return product


def worded(
    ids: Sequence[str],
    texts: Sequence[str],
    properties: Mapping[str, Sequence[str | None]],
    *,
    least: int,
    words: int | None,
) -> Network:
    """Return texts as a network: ``Document(id, ...)``, ``Term(word)`` and ``HAS`` (Document to Term; ``count``).

    Parameters
    ----------
    ids, texts
        The key and the text of each document.
    properties
        Further properties of each document.
    least
        The smallest number of documents that a word must occur in.
    words
        The number of words to keep, those in the most documents; None for all.

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
    """Return the relationships between documents and words, with counts."""
    entries = block.tocoo()
    targets = pa.array(words, pa.string()).take(pa.array(entries.col))
    table = {"source": ids.take(pa.array(entries.row)), "target": targets, "count": entries.data.astype(np.int64)}
    return Edges("Document", "HAS", "Term", pa.table(table))
