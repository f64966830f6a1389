"""Real networks with known classes, for the benchmark of quality: read from the archives that GRAPHMINE_DATA names.

Each function returns ``(star, truth)`` as the gallery does: a star of one arm without empty rows or columns, and the
class of each row, -1 for a row of which none is known. Texts are prepared in one way, that of
`graphmine.datasets.newsgroups`: plain counts of words that are in two documents or more and are no stop words.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from scipy.sparse import csr_array, hstack

from graphmine.arrays import Labels
from graphmine.datasets import archives, classic4 as smart, cstr, newsgroups
from graphmine.datasets.acm import classes, relation_pairs
from graphmine.datasets.aminer import _Pairs, pairs
from graphmine.datasets.classic3 import matrix
from graphmine.model import Nodes, Relation, Star

__all__ = ["LEFT_OUT", "SETS", "Truth", "documents", "linked"]

Truth = dict[str, Labels]

TOPICS = 10
"""How many topics of Reuters are taken."""


def documents(name: str) -> tuple[Star, Truth]:
    """Return the word counts of documents, of classic3 or cstr as a matrix, and the class of each document."""
    return linked("Document", "Word", *(cstr.weights() if name == cstr.NAME else matrix(name)))


def classic4() -> tuple[Star, Truth]:
    """Return MED, CRAN, CISI and CACM from their texts: titles and abstracts, where there are any."""
    texts = {f"{each.file}/{each.number}": each.text for each in smart.abstracts() if each.text.strip()}
    return _worded(newsgroups.count_words(list(texts), list(texts.values())))


def reuters() -> tuple[Star, Truth]:
    """Return the documents of Reuters-21578 in a single topic, one of the ten largest, and that topic."""
    files = [f"reut2-{number:03}.sgm" for number in range(22)]
    stories = [story for content in archives.contents("reuters21578", *files) for story in _stories(content)]
    largest = {topic for topic, _ in Counter(topic for topic, _ in stories).most_common(TOPICS)}
    texts = {f"{topic}/{number}": text for number, (topic, text) in enumerate(stories) if topic in largest}
    return _worded(newsgroups.count_words(list(texts), list(texts.values())))


def news(*groups: str) -> tuple[Star, Truth]:
    """Return the messages of some of the 20 Newsgroups, or of all of them, and the group of each."""
    return _worded(newsgroups.counts(groups or None))


def aminer(*, papers: bool = False, known: bool = False) -> tuple[Star, Truth]:
    """Return authors and venues of AMiner, joined by papers, and the fields of authors.

    ``known`` leaves out authors without a field; ``papers`` returns authors and the papers themselves.
    """
    wrote, venue, field = pairs()
    block = _block(wrote) if papers else csr_array(_block(wrote) @ _block(venue, n_rows=1 + max(p for _, p in wrote)))
    truth = np.array([field.get(author, -1) for author in range(block.shape[0])])
    rows = truth >= 0 if known else np.ones(len(truth), dtype=bool)
    return linked("Author", "Paper" if papers else "Venue", csr_array(block[rows]), truth[rows])


def acm(*relations: str) -> tuple[Star, Truth]:
    """Return the papers of ACM with their authors (p-a), their one subject each (p-s), or both side by side."""
    known = classes()
    blocks = [_block(relation_pairs(relation), n_rows=1 + max(known)) for relation in relations]
    kinds = {"p-a": "Author", "p-s": "Subject"}
    cols = "Feature" if len(relations) > 1 else kinds[relations[0]]
    truth = np.array([known.get(paper, -1) for paper in range(1 + max(known))])
    return linked("Paper", cols, csr_array(hstack(blocks)), truth)


def linked(rows: str, cols: str, block: csr_array, classes: Sequence[int] | Labels) -> tuple[Star, Truth]:
    """Return a star of those rows and columns that have a link, and the class of each row.

    >>> star, truth = linked("Author", "Venue", csr_array([[1.0, 0.0], [0.0, 0.0], [2.0, 0.0]]), [5, 6, 7])
    >>> star.arms[0], truth["Author"].tolist()
    (Relation(Author × Venue, 2 × 1, 2 nonzeros), [5, 7])
    """
    block = block.astype(np.float64)
    there = [np.flatnonzero(block.sum(axis=side)) for side in (1, 0)]
    kept = csr_array(block[there[0]][:, there[1]])
    n_rows, n_cols = kept.shape
    relation = Relation(Nodes(rows, range(n_rows)), Nodes(cols, range(n_cols)), kept)
    return Star((relation,)), {rows: np.asarray(classes, dtype=np.int64)[there[0]]}


def _worded(texts: newsgroups.WordCounts) -> tuple[Star, Truth]:
    return linked("Document", "Word", texts.counts, np.unique(texts.groups, return_inverse=True)[1])


def _block(pairs: _Pairs, n_rows: int | None = None) -> csr_array:
    rows, cols = np.array(pairs).T
    shape = (n_rows or int(rows.max()) + 1, int(cols.max()) + 1)
    return csr_array((np.ones(len(rows)), (rows, cols)), shape=shape)


def _stories(content: bytes) -> Iterator[tuple[str, str]]:
    """Return the topic and the text of each story that has one topic and a body."""
    for story in content.decode("latin-1").split("</REUTERS>"):
        topics = re.findall(r"<D>(.*?)</D>", "".join(re.findall(r"<TOPICS>(.*?)</TOPICS>", story)))
        parts = re.findall(r"<(TITLE|BODY)>(.*?)</\1>", story, flags=re.DOTALL)
        if len(topics) == 1 and "BODY" in dict(parts):
            yield topics[0], html.unescape(" ".join(text for _, text in parts))


SETS: Mapping[str, Callable[[], tuple[Star, Truth]]] = {
    "classic3": partial(documents, "classic3"),
    "cstr": partial(documents, "cstr"),
    "classic4": classic4,
    "reuters, 10 topics": reuters,
    "newsgroups, all 20": news,
    "newsgroups, 2": partial(news, "alt.atheism", "comp.graphics"),
    "newsgroups, 2 alike": partial(news, "talk.politics.mideast", "talk.politics.misc"),
    "newsgroups, 3": partial(news, "comp.graphics", "rec.sport.hockey", "sci.crypt"),
    "newsgroups, 5": partial(
        news, "comp.graphics", "rec.motorcycles", "rec.sport.baseball", "sci.space", "talk.politics.mideast"
    ),
    "newsgroups, 5 alike": partial(
        news, "rec.sport.baseball", "rec.sport.hockey", "talk.politics.guns", "talk.politics.mideast",
        "talk.politics.misc",
    ),
    "aminer, authors and venues": partial(aminer, known=True),
    "aminer, all authors": aminer,
    "aminer, authors and papers": partial(aminer, papers=True, known=True),
    "acm, papers and authors": partial(acm, "p-a"),
    "acm, papers and subjects": partial(acm, "p-s"),
    "acm, papers and both": partial(acm, "p-a", "p-s"),
}  # fmt: skip
"""The real sets by their names."""

LEFT_OUT: Mapping[str, str] = {
    "imdb5000": "genres are listed by the alphabet and most films have several, so that no one class is theirs",
    "uci, yeast": "measurements, no relation that counts anything",
}
"""The archives that are not used, and why."""
