"""Reuters-21578: stories of a news agency of 1987, many of them under several topics, as a star around documents."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.checks import check_choice, check_integer, nearest
from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.texts import commonest, counted_words, has_edges, information_gain, most
from graphmine.errors import DataError, ParameterError

__all__ = ["NAME", "SPLITS", "Story", "reuters", "stories", "story_of", "whole"]

NAME = "reuters21578"
"""What the archive is called, see `graphmine.datasets.archives`."""

SPLITS = ("all", "train", "test")
"""All stories, or one side of the split that is called ModApte."""

_STORY = re.compile(r"<REUTERS([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>")
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)
_UNMARKED = re.compile(r'<TEXT TYPE="UNPROC">(.*?)</TEXT>', re.DOTALL)
_SIGNATURE = re.compile(r"\s*\breuter\s*\x03?\s*\Z", re.IGNORECASE)


class Story(NamedTuple):
    """A story: its number, its topics, its title and body, either of which may be empty, and its side of the split."""

    number: int
    topics: tuple[str, ...]
    title: str
    body: str
    split: str


def reuters(
    topics: Collection[str] | None = None,
    *,
    each: int | None = None,
    least: int = 3,
    words: int | None = None,
    split: str = "all",
    seed: int = 0,
    every: Iterable[Story] | None = None,
    untold: bool = False,
    informed: bool = True,
) -> Network:
    """Return documents with their topics and their words, as a star: category–document–term.

    Parameters
    ----------
    topics
        Which topics; all if not given. Documents that have none of them are left out, and of the others every topic
        but these.
    each
        So many documents of each topic, drawn at random; all if not given. Those of a topic are more where documents
        drawn for another have it too.
    least
        In how many documents a word must be, at least.
    words
        So many words, those that tell most about the topics (`graphmine.datasets.texts.information_gain`) or, unless
        ``informed``, those in the most documents; all if not given.
    split
        One of `SPLITS`.
    seed
        For the documents drawn.
    every
        The stories to take them from; read from the archive if not given.
    untold
        Whether documents without a topic are kept.
    informed
        Whether the topics may be looked at when words are chosen.

    Notes
    -----
    ``Document(id, title, known_class)``, ``Category(name)``, ``Term(word)``; ``ABOUT`` (Document to Category,
    ``share``: one over the number of the document's topics) and ``HAS`` (Document to Term, ``count``). ``known_class``
    is the topic of a document that has one alone, null for others. Words are counted in title and body as
    `graphmine.datasets.texts.counted_words` does.
    """
    check_choice("split", split, SPLITS)
    every = [story for story in every or stories() if split in ("all", story.split)]
    chosen = _drawn([story for story in every if story.topics], topics, each, seed)
    if untold:
        chosen = sorted([*chosen, *(story for story in every if not story.topics)])
    names = sorted({topic for story in chosen for topic in story.topics})
    shares = _shares(chosen, {name: at for at, name in enumerate(names)})
    known, block = counted_words([f"{story.title}\n{story.body}" for story in chosen], least=least)
    if words is not None:
        kept = most(information_gain(block, shares), words) if informed else commonest(block, words)
        known, block = [known[at] for at in kept.tolist()], csr_array(block[:, kept])
    ids = pa.array([story.number for story in chosen])
    single = pa.array([story.topics[0] if len(story.topics) == 1 else None for story in chosen], pa.string())
    return Network(
        {
            "Document": pa.table({"id": ids, "title": [story.title for story in chosen], "known_class": single}),
            "Category": pa.table({"name": names}),
            "Term": pa.table({"word": known}),
        },
        (
            _about(ids, names, shares),
            has_edges(ids, known, block),
        ),
    )


def whole(
    topics: Collection[str] | None = None,
    each: int | None = None,
    least: int = 5,
    words: int | None = 2000,
    split: str = "all",
    seed: int = 0,
) -> Network:
    """Return the set as a whole, documents without a topic among the others, or the part that is asked for.

    The parameters are those of `reuters`, but words are chosen by the number of their documents, so that nothing is
    told of the topics. Where topics are named or drawn from, documents without any are left out.
    """
    asked = {"each": each, "least": least, "words": words, "split": split, "seed": seed}
    return reuters(topics, **asked, untold=topics is None and each is None, informed=False)  # type: ignore[arg-type]


def stories() -> Iterator[Story]:
    """Give all stories in the order of the archive, those without a topic too."""
    for name, content in archives.members(NAME, NAME):
        if name.endswith(".sgm"):
            for marked in _STORY.finditer(content.decode("latin-1")):
                yield story_of(dict(_ATTRIBUTE.findall(marked[1])), marked[2])


def story_of(attributes: Mapping[str, str], marked: str) -> Story:
    """Read one story; a topic that is named twice counts once.

    >>> text = "<TOPICS><D>corn</D><D>grain</D></TOPICS><TITLE>U.S. CORN</TITLE><BODY>Up &lt;3 pct>. Reuter &#3;</BODY>"
    >>> story_of({"NEWID": "7", "LEWISSPLIT": "TEST", "TOPICS": "YES"}, text)
    Story(number=7, topics=('corn', 'grain'), title='U.S. CORN', body='Up <3 pct>.', split='test')
    """
    listed, body = _TOPICS.search(marked), _BODY.search(marked) or _UNMARKED.search(marked)
    topics = tuple(dict.fromkeys(_TOPIC.findall(listed[1]))) if listed else ()
    title = _TITLE.search(marked)
    split = attributes["LEWISSPLIT"].lower() if attributes["TOPICS"] == "YES" else ""
    plain = _SIGNATURE.sub("", unescape(body[1])) if body else ""
    return Story(int(attributes["NEWID"]), topics, unescape(title[1]).strip() if title else "", plain, split)


def _drawn(every: Sequence[Story], topics: Collection[str] | None, each: int | None, seed: int) -> list[Story]:
    """Return stories of some topics, with those topics alone, sorted by number."""
    known = {topic for story in every for topic in story.topics}
    for topic in topics or ():
        if topic not in known:
            raise ParameterError(f"topic {topic!r} has no story{nearest(topic, known)}")
    wanted = known if topics is None else set(topics)
    some = [story._replace(topics=tuple(filter(wanted.__contains__, story.topics))) for story in every]
    some = sorted(story for story in some if story.topics)
    if not some:
        raise DataError("no story has any of the topics; name some that are in the set")
    if each is None:
        return some
    check_integer("each", each, least=1)
    rng = np.random.default_rng(seed)
    kept: set[int] = set()
    for topic in sorted(wanted):
        of_topic = [at for at, story in enumerate(some) if topic in story.topics]
        kept.update(rng.permutation(of_topic)[:each].tolist())
    return [some[at] for at in sorted(kept)]


def _shares(chosen: Sequence[Story], at: Mapping[str, int]) -> csr_array:
    counts = np.array([len(story.topics) for story in chosen])
    cols = [at[topic] for story in chosen for topic in story.topics]
    starts = np.concatenate([[0], np.cumsum(counts)])
    return csr_array(
        (np.repeat(1 / np.maximum(counts, 1), counts), np.array(cols, dtype=np.int64), starts),
        shape=(len(chosen), len(at)),
    )


def _about(ids: pa.Array, names: Sequence[str], shares: csr_array) -> Edges:
    entries = shares.tocoo()
    targets = pa.array(names, pa.string()).take(pa.array(entries.col))
    table = {"source": ids.take(pa.array(entries.row)), "target": targets, "share": entries.data}
    return Edges("Document", "ABOUT", "Category", pa.table(table))
