"""Classic3: abstracts of medicine, information science and aeronautics, as counts of words."""

import io
from collections.abc import Collection

import numpy as np
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Ints
from graphmine.checks import check_choice, check_integer
from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError

__all__ = ["CLASSES", "NAME", "PAIR", "classic3", "matrix", "names", "tf_idf"]


NAME = "classic3"
"""What the archive is called, see `graphmine.datasets.archives`."""

CLASSES = ("medline", "cisi", "cranfield")
"""The three collections, by the number that the archive gives them."""

PAIR = ("medline", "cranfield")
"""The collections that Kawale and Boley (2013) used, with 200 documents of each."""


def matrix(name: str) -> tuple[csr_array, Ints]:
    """Return the word counts of a data set, documents by words, and the class of each document."""
    listed, classes = _texts(name, "coo", "doc")
    shape, _, cells = listed.partition("\n")
    try:
        n_rows, n_cols = map(int, shape.split())
        labels = np.array(classes.split(), dtype=np.int64)
        row, col, count = np.loadtxt(io.StringIO(cells), delimiter=",", ndmin=2).T
        block = csr_array(coo_array((count, (row.astype(np.int64), col.astype(np.int64))), shape=(n_rows, n_cols)))
    except ValueError as error:
        raise DataError(f"the archive {name} is not the set meant: {error}") from error
    if len(labels) != n_rows:
        raise DataError(f"the archive {name} has classes of {len(labels)} documents, not of {n_rows}")
    return block, labels


def names(name: str, count: int) -> list[str]:
    """Return the words of a data set, whose number must be ``count``."""
    (terms,) = _texts(name, "term")
    words = terms.split()
    if len(words) != count:
        raise DataError(f"the archive {name} names {len(words)} words, not {count}")
    return words


def _texts(name: str, *parts: str) -> list[str]:
    files = (f"{name}_coclustFormat_{part}.csv" for part in parts)
    return [content.decode("utf-8", errors="replace") for content in archives.contents(name, *files)]


def classic3(classes: Collection[str] = CLASSES, *, each: int | None = None, seed: int = 0) -> Network:
    """Return documents with their words and their collection.

    Parameters
    ----------
    classes
        Some of `CLASSES`.
    each
        The number of documents drawn at random from each class; all by default.
    seed
        The seed for drawing documents.

    Notes
    -----
    ``Document(id, known_class)``, ``Term(word)`` and ``HAS`` (Document to Term; ``count``, and ``tfidf`` by `tf_idf`
    over the documents taken). ``id`` is the row of the archive's matrix, from 1; words that no document taken has are
    left out.

    ``classic3(PAIR, each=200)`` is the set of section 5.2 of Kawale and Boley (SDM 2013), as far as they describe it:
    400 documents, TF/IDF as weights. They have 3,141 words and 20,720 edges, and leave open which documents they drew,
    how they chose the words, and which TF/IDF they mean. The archive's words are chosen already, 4,303 over all three
    collections: the draws of the seeds 0 to 7 have 3,271 to 3,391 words and 18,213 to 19,810 edges.
    """
    wanted = [CLASSES.index(check_choice("class", name, CLASSES)) for name in dict.fromkeys(classes)]
    if not wanted:
        raise ParameterError(f"name at least one class out of {', '.join(CLASSES)}")
    block, labels = matrix(NAME)
    words = names(NAME, block.shape[1])
    rows = np.concatenate([_drawn(np.flatnonzero(labels == number), each, seed, number) for number in sorted(wanted)])
    block = csr_array(block[rows])
    used = np.flatnonzero(np.bincount(block.indices, minlength=len(words)))
    block = csr_array(block[:, used])
    entries = block.tocoo()
    ids = pa.array(rows + 1)
    known = [CLASSES[number] for number in labels[rows].tolist()]
    terms = pa.array([words[at] for at in used.tolist()])
    has = {
        "source": ids.take(pa.array(entries.row)),
        "target": terms.take(pa.array(entries.col)),
        "count": entries.data.astype(np.int64),
        "tfidf": tf_idf(block).data,
    }
    return Network(
        {"Document": pa.table({"id": ids, "known_class": known}), "Term": pa.table({"word": terms})},
        (Edges("Document", "HAS", "Term", pa.table(has)),),
    )


def tf_idf(counts: csr_array) -> csr_array:
    """Return TF/IDF weights: counts times log(number of documents / number of documents with the word).

    >>> tf_idf(csr_array([[2.0, 1.0], [0.0, 1.0]])).toarray().round(3).tolist()
    [[1.386, 0.0], [0.0, 0.0]]
    """
    rarity = np.log(counts.shape[0] / np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1))
    return csr_array((counts.data * rarity[counts.indices], counts.indices, counts.indptr), shape=counts.shape)


def _drawn(rows: Ints, each: int | None, seed: int, number: int) -> Ints:
    """Return the drawn rows of a class in order; they do not depend on the other classes."""
    if each is None:
        return rows
    if check_integer("each", each, least=1) > len(rows):
        raise ParameterError(f"each must be at most {len(rows)}, the documents of {CLASSES[number]}, was {each}")
    return np.sort(np.random.default_rng([seed, number]).permutation(rows)[:each])
