"""IMDB 5000: films with their genres, keywords, directors and actors."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from graphmine.datasets import archives, cells
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError

__all__ = ["CLASSES", "NAME", "imdb"]

NAME = "imdb5000"
"""What the archive is called, see `graphmine.datasets.archives`."""

CLASSES = ("Action", "Comedy", "Drama")
"""The genres that are taken for classes, as is usual with this set."""

_FILE = "movie_metadata.csv"
_ID = re.compile(r"tt[0-9]+")
_PROPERTIES: Mapping[str, tuple[str, str | None]] = {
    "title": ("movie_title", None),
    "year": ("title_year", "int"),
    "country": ("country", None),
    "language": ("language", None),
    "rating": ("content_rating", None),
    "colour": ("color", None),
    "minutes": ("duration", "int"),
    "budget": ("budget", "int"),
    "gross": ("gross", "int"),
    "score": ("imdb_score", "float"),
    "votes": ("num_voted_users", "int"),
    "reviews": ("num_user_for_reviews", "int"),
    "critics": ("num_critic_for_reviews", "int"),
    "likes": ("movie_facebook_likes", "int"),
}
_ACTORS = ("actor_1_name", "actor_2_name", "actor_3_name")
_NEEDED = ("movie_imdb_link", "genres", "plot_keywords", "director_name", *_ACTORS)

_Row = Mapping[str, str]


def imdb() -> Network:
    """Return films with their genres, keywords and people.

    Notes
    -----
    ``Movie(id, title, year, country, language, rating, colour, minutes, budget, gross, score, votes, reviews, critics,
    likes, known_class)``, ``Genre(name)``, ``Keyword(word)``, ``Person(name)``; ``OF`` (Movie to Genre), ``HAS`` (Movie
    to Keyword), ``DIRECTED`` and ``ACTED_IN`` (Person to Movie, the latter with ``billing`` 1 to 3).

    ``id`` is IMDB's own. The file has 5,043 rows for 4,919 films, two of which share their title with another: rows of
    one film are one node, with the properties of the first and the genres, keywords and people of all. Titles come
    without the non-breaking spaces that the file has behind each. ``known_class`` is the one of `CLASSES` that a film
    has among its genres, null where it has none or several of them.
    """
    films: dict[str, list[_Row]] = {}
    for row in _rows():
        films.setdefault(_id(row), []).append(row)
    genres, words, directed = (_links(films, each) for each in ("genres", "plot_keywords", "director_name"))
    acted = [(*link, at) for at, column in enumerate(_ACTORS, start=1) for link in _links(films, column)]
    first = [rows[0] for rows in films.values()]
    properties = {name: _column(first, *where) for name, where in _PROPERTIES.items()}
    people = sorted({name for _, name in directed} | {name for _, name, _ in acted})
    return Network(
        {
            "Movie": pa.table({"id": list(films)} | properties | {"known_class": _known(films, genres)}),
            "Genre": pa.table({"name": pa.array(sorted({genre for _, genre in genres}), pa.string())}),
            "Keyword": pa.table({"word": pa.array(sorted({word for _, word in words}), pa.string())}),
            "Person": pa.table({"name": pa.array(people, pa.string())}),
        },
        (
            _edges("Movie", "OF", "Genre", genres),
            _edges("Movie", "HAS", "Keyword", words),
            _edges("Person", "DIRECTED", "Movie", [(name, film) for film, name in directed]),
            _edges("Person", "ACTED_IN", "Movie", [(name, film) for film, name, _ in acted], [at for *_, at in acted]),
        ),
    )


def _rows() -> Iterator[_Row]:
    (content,) = archives.contents(NAME, _FILE)
    reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig", errors="replace")), strict=True)
    columns = [*_NEEDED, *(column for column, _ in _PROPERTIES.values())]
    try:
        lacking = [column for column in columns if column not in (reader.fieldnames or ())]
        if lacking:
            raise DataError(f"the archive {NAME} is not the set meant: {_FILE} has no column {lacking[0]}")
        for row in reader:
            # A row that ends early has no values at its end; what is empty is no value either.
            yield {column: " ".join((row[column] or "").split()) for column in columns}
    except csv.Error as error:
        raise DataError(f"the archive {NAME} is not the set meant: {_FILE}, line {reader.line_num}: {error}") from error


def _id(row: _Row) -> str:
    match = _ID.search(row["movie_imdb_link"])
    if match is None:
        raise DataError(f"the archive {NAME} is not the set meant: {row['movie_title']!r} has no link to IMDB")
    return match[0]


def _links(films: Mapping[str, Sequence[_Row]], column: str) -> list[tuple[str, str]]:
    """Return each film with each name that any of its rows has in a column, once."""
    links = ((film, name.strip()) for film, rows in films.items() for row in rows for name in row[column].split("|"))
    return list(dict.fromkeys((film, name) for film, name in links if name))


def _known(films: Mapping[str, Sequence[_Row]], genres: Sequence[tuple[str, str]]) -> pa.Array:
    of_film: dict[str, list[str]] = {film: [] for film in films}
    for film, genre in genres:
        if genre in CLASSES:
            of_film[film].append(genre)
    return pa.array([each[0] if len(each) == 1 else None for each in of_film.values()], pa.string())


def _column(rows: Sequence[_Row], column: str, type: str | None) -> pa.Array:
    texts = cells.text_column([row[column] for row in rows])
    return texts if type is None else cells.typed_column(texts, type)


def _edges(
    source: str, type: str, target: str, links: Sequence[tuple[str, str]], billing: list[int] | None = None
) -> Edges:
    ends = {"source": [one for one, _ in links], "target": [other for _, other in links]}
    table = {name: pa.array(keys, pa.string()) for name, keys in ends.items()}
    return Edges(source, type, target, pa.table(table | ({} if billing is None else {"billing": billing})))
