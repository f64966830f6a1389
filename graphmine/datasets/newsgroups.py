"""The 20 Newsgroups: messages of 1993, twenty groups of them, as word counts."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from scipy.sparse import csr_array

from graphmine.checks import check_choice, check_integer
from graphmine.dataset_catalog import GROUPS
from graphmine.datasets import archives
from graphmine.datasets.network import Network
from graphmine.datasets.texts import commonest, counted_words, worded
from graphmine.errors import ParameterError

__all__ = ["GROUPS", "NAME", "WordCounts", "count_words", "counts", "newsgroups", "read_messages", "readable"]

NAME = "ng20_original"
"""What the archive is called, see `graphmine.datasets.archives`."""

_SUBJECT = re.compile(r"^Subject:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)


class WordCounts(NamedTuple):
    """Documents, their words, how often each has each, and the group of each document."""

    documents: list[str]
    words: list[str]
    counts: csr_array
    groups: list[str]


def newsgroups(groups: Collection[str] | None = None, least: int = 5, words: int | None = 1000) -> Network:
    """Return messages with their words and their group.

    Parameters
    ----------
    groups
        Names out of `GROUPS`; all of them if not given.
    least
        In how many messages a word must be, at least.
    words
        So many words, those in the most messages; None for all of them.

    Notes
    -----
    ``Document(id, known_class, known_topic, subject)``, ``Term(word)`` and ``HAS`` (Document to Term, ``count``).
    ``id`` is ``group/number``, ``known_class`` the group and ``known_topic`` its first word, of which there are seven.
    All headers are dropped, as many of them name the group; the subject is kept to be read, and its words do not
    count. A message that was posted to several groups is one document in each. All words that are in five messages or
    more, instead of a thousand, would have 1.7 million relationships.
    """
    chosen = GROUPS if groups is None else [check_choice("group", each, GROUPS) for each in groups]
    if not chosen:
        raise ParameterError("name at least one group, or none for all of them")
    texts = dict(sorted(read_messages(chosen)))
    subjects, bodies = zip(*(text.split("\n", 1) for text in texts.values()), strict=True) if texts else ((), ())
    known = {
        "known_class": [each.partition("/")[0] for each in texts],
        "known_topic": [each.partition(".")[0] for each in texts],
        "subject": subjects,
    }
    return worded(list(texts), bodies, known, least=least, words=words)


def counts(groups: Collection[str] | None = None, *, least: int = 2, words: int | None = None) -> WordCounts:
    """Count the words of the messages of some groups, or of all, as it is usually done.

    Parameters
    ----------
    groups
        Names out of `GROUPS`; all of them if not given.
    least
        In how many documents a word must be, at least.
    words
        So many words, those in the most documents; all of them if not given.

    Notes
    -----
    Of the headers, most of which name the group, only the subject is kept. A word is two letters or more, in lower
    case, and no stop word of scikit-learn's English list. Documents are named ``group/number`` and sorted by that;
    those without a word are kept. A message that was posted to several groups is one document in each.
    """
    check_integer("least", least, least=1)
    chosen = GROUPS if groups is None else [check_choice("group", each, GROUPS) for each in groups]
    texts = dict(read_messages(chosen))
    documents = sorted(texts)
    return count_words(documents, [texts[each] for each in documents], least=least, words=words)


def count_words(
    documents: Sequence[str],
    texts: Sequence[str],
    *,
    least: int = 2,
    words: int | None = None,
    vocabulary: Sequence[str] | None = None,
) -> WordCounts:
    """Count the words of texts that are named ``group/number``: those in the most of them, or those of a vocabulary.

    >>> found = count_words(["sci.med/1", "sci.space/2"], ["a pill a day", "Day of the rocket"], least=1, words=2)
    >>> found.words, found.counts.toarray().tolist(), found.groups
    (['day', 'pill'], [[1.0, 1.0], [1.0, 0.0]], ['sci.med', 'sci.space'])
    """
    known, block = counted_words(texts, least=least, vocabulary=vocabulary)
    if words is not None:
        kept = commonest(block, words)
        block, known = csr_array(block[:, kept]), [known[at] for at in kept.tolist()]
    return WordCounts(list(documents), known, block, [each.partition("/")[0] for each in documents])


def read_messages(groups: Collection[str] = GROUPS) -> Iterator[tuple[str, str]]:
    """Give each message of some groups as its name, ``group/number``, and its text, in the order of the archive."""
    wanted = set(groups)
    for name, content in archives.members(NAME, "20_newsgroups"):
        if name.partition("/")[0] in wanted:
            yield name, readable(content)


def readable(message: bytes) -> str:
    r"""Return the subject and the body of a message; what the other headers say is left out.

    >>> readable(b"Newsgroups: sci.med\nSubject: Re: pills\nLines: 1\n\nTwo a day.\n")
    'Re: pills\nTwo a day.\n'
    >>> readable(b"no header at all")
    '\n'
    """
    head, _, body = message.decode("latin-1").replace("\r\n", "\n").partition("\n\n")
    subject = _SUBJECT.search(head)
    return f"{subject[1] if subject else ''}\n{body}"
