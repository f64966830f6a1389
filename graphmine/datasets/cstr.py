"""CSTR: abstracts of technical reports of a computer science department, as weights of words that have no names."""

import io
import zlib

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.arrays import Ints
from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError

__all__ = ["NAME", "cstr", "weights"]

NAME = "cstr"
"""What the archive is called, see `graphmine.datasets.archives`."""


def cstr() -> Network:
    """Return documents with their words and their class.

    Notes
    -----
    ``Document(id, known_class)``, ``Term(id)`` and ``HAS`` (Document to Term, ``weight``); the ids are the rows and
    columns of the archive's matrix, from 1. Which word a column is, how it was weighed, and which field a class from 1
    to 4 is, the archive does not say. Its file of counts is the matrix with all behind the point cut off.
    """
    block, classes = weights()
    entries = block.tocoo()
    has = {"source": entries.row + 1, "target": entries.col + 1, "weight": entries.data}
    rows, cols = (np.arange(1, size + 1) for size in block.shape)
    return Network(
        {"Document": pa.table({"id": rows, "known_class": classes}), "Term": pa.table({"id": cols})},
        (Edges("Document", "HAS", "Term", pa.table(has)),),
    )


def weights() -> tuple[csr_array, Ints]:
    """Return how much each word weighs in each document, documents by words, and the class of each document."""
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    (content,) = archives.contents(NAME, f"{NAME}.mat")
    try:
        matrices = loadmat(io.BytesIO(content))  # type: ignore[arg-type]  # it reads open files as well
        block = csr_array(matrices["fea"], dtype=np.float64)
        classes = np.asarray(matrices["gnd"], dtype=np.int64).ravel()
    except (MatReadError, ValueError, KeyError, TypeError, OSError, zlib.error) as error:
        raise DataError(f"the archive {NAME} is not the set meant: {NAME}.mat can not be read: {error}") from error
    if len(classes) != block.shape[0]:
        raise DataError(f"the archive {NAME} has classes of {len(classes)} documents, not of {block.shape[0]}")
    return block, classes
