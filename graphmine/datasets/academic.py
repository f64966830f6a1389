"""A planted academic network: authors, papers, conferences, terms and categories, each with a known area."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_integer, check_number
from graphmine.datasets import generated_names
from graphmine.datasets.network import Edges, Network

__all__ = ["academic"]


_FIRST_YEAR, _LAST_YEAR = 2000, 2025
_MOST_AUTHORS = 8  # of one paper
_ISOLATED = 100  # one author in so many has no paper
_MENTIONS = 8  # words drawn a paper; a word drawn twice is mentioned twice
_SEATS = 5  # affiliations an area
_CHAIRS = 3  # authors drawn a conference
_CATEGORIES = 3  # an area
_FILED = (0.6, 0.3, 0.1)  # the shares of papers for which one, two and three categories are drawn
_CHECKED = 10  # of one author in so many somebody has looked up the area


def academic(
    authors: int = 1000,
    papers: int | None = None,
    conferences: int = 20,
    terms: int = 500,
    areas: int = 4,
    noise: float = 0.1,
    seed: int = 0,
    categories: int | None = None,
) -> Network:
    """Return a network in which everything has a ``known_area``, for finding it again.

    Authors write papers, alone or together; papers appear in conferences, mention terms and are filed under one, two or
    three categories. The areas are of unequal size, and a few authors write much more than the rest.

    Parameters
    ----------
    authors, conferences, terms, areas
        How many there are; of everything at least one an area, and at least two authors. One author in a hundred has
        no paper.
    papers
        How many papers; twice as many as authors if not given.
    noise
        The share of links that lead out of the area: a paper outside its first author's area, a co-author, conference,
        term or category outside the paper's.
    seed
        The same seed gives the same network.
    categories
        How many categories, at least one an area; three an area if not given.

    Notes
    -----
    ``Author(name, known_area, affiliation, since, checked_area)``, ``Paper(id, title, year, known_area)``,
    ``Conference(name, known_area)``, ``Term(word, known_area)``, ``Category(name, known_area)``; ``WROTE`` (Author to
    Paper), ``IN`` (Paper to Conference), ``MENTIONS`` (Paper to Term, ``count``), ``COAUTHOR`` (Author to Author, once
    a pair, from the name that sorts first; ``papers`` written together), ``CHAIRED`` (Author to Conference) and
    ``ABOUT`` (Paper to Category, ``share``: one over the number of the paper's categories).

    ``affiliation``, text, and ``CHAIRED`` keep to the area but for twice, and once, the share that ``noise`` says.
    ``since`` is the year of an author's first paper, null without one. ``checked_area`` is the area of one author in
    ten, null elsewhere.

    Examples
    --------
    >>> network = academic(authors=100, terms=60, seed=1)
    >>> {kind: len(table) for kind, table in network.nodes.items()}
    {'Author': 100, 'Paper': 200, 'Conference': 20, 'Term': 60, 'Category': 12}
    >>> sorted(set(network.nodes["Author"]["known_area"].to_pylist()))
    ['Databases', 'Machine learning', 'Networks', 'Theory']
    """
    check_integer("areas", areas, least=1)
    check_integer("authors", authors, least=max(2, areas))
    papers = 2 * authors if papers is None else check_integer("papers", papers, least=1)
    check_integer("conferences", conferences, least=areas)
    check_integer("terms", terms, least=areas)
    categories = _CATEGORIES * areas if categories is None else check_integer("categories", categories, least=areas)
    check_number("noise", noise, least=0, most=1)
    rng = np.random.default_rng(check_integer("seed", seed, least=0))

    people = _Members.drawn(rng, authors, areas, isolated=authors // _ISOLATED)
    venues = _Members.drawn(rng, conferences, areas)
    vocabulary = _Members.drawn(rng, terms, areas)

    leads = _leads(rng, people, papers)
    paper_area = _strayed(rng, people.area[leads], areas, noise)
    author, paper = _teams(rng, people, leads, paper_area, noise)
    venue = venues.draw(rng, _strayed(rng, paper_area, areas, noise))
    tokens = np.repeat(paper_area, _MENTIONS)
    word = vocabulary.draw(rng, _strayed(rng, tokens, areas, noise))
    mentioned, counts = np.unique(np.repeat(np.arange(papers), _MENTIONS) * terms + word, return_counts=True)
    pairs, together = _coauthors(author, paper, authors)

    names = generated_names.people(rng, authors)
    area_names = pa.array([generated_names.area(number) for number in range(areas)])
    ids = pa.array(np.arange(1, papers + 1))
    venue_names = pa.array(generated_names.conferences(venues.area))
    term_words = pa.array(generated_names.terms(vocabulary.area))
    paper_table = _papers(rng, ids, paper_area, area_names, word.reshape(papers, _MENTIONS), term_words)
    # All that is drawn from here on leaves what is above as it was.
    first_years = _first_years(author, np.asarray(paper_table["year"])[paper], authors)
    seat = _SEATS * _strayed(rng, people.area, areas, min(1.0, 2 * noise)) + rng.integers(_SEATS, size=authors)
    checked = np.sort(rng.choice(authors, -(-authors // _CHECKED), replace=False))
    chair, chaired = _chairs(rng, people, venues, noise)
    subjects = _Members.drawn(rng, categories, areas)
    filed, subject, share = _filed(rng, subjects, paper_area, noise)
    subject_names = pa.array(generated_names.categories(subjects.area))
    person_areas = area_names.take(pa.array(people.area))
    return Network(
        {
            "Author": pa.table({
                "name": names,
                "known_area": person_areas,
                "affiliation": pa.array(generated_names.affiliations(_SEATS * areas)).take(pa.array(seat)),
                "since": first_years,
                "checked_area": pc.if_else(np.isin(np.arange(authors), checked), person_areas, None),
            }),
            "Paper": paper_table,
            "Conference": pa.table({"name": venue_names, "known_area": area_names.take(pa.array(venues.area))}),
            "Term": pa.table({"word": term_words, "known_area": area_names.take(pa.array(vocabulary.area))}),
            "Category": pa.table({"name": subject_names, "known_area": area_names.take(pa.array(subjects.area))}),
        },
        (
            _edges("Author", "WROTE", "Paper", names, author, ids, paper),
            _edges("Paper", "IN", "Conference", ids, np.arange(papers), venue_names, venue),
            _edges("Paper", "MENTIONS", "Term", ids, mentioned // terms, term_words, mentioned % terms, count=counts),
            _edges("Author", "COAUTHOR", "Author", names, pairs // authors, names, pairs % authors, papers=together),
            _edges("Author", "CHAIRED", "Conference", names, chair, venue_names, chaired),
            _edges("Paper", "ABOUT", "Category", ids, filed, subject_names, subject, share=share),
        ),
    )


@dataclass(frozen=True, eq=False)
class _Members:
    """Who belongs to which area, and how often each is drawn."""

    area: Ints
    weight: Floats

    @classmethod
    def drawn(cls, rng: np.random.Generator, count: int, areas: int, isolated: int = 0) -> "_Members":
        """Spread members over areas of unequal size, with weights that have a heavy tail; every area gets one."""
        share = 1 / np.sqrt(np.arange(1, areas + 1))
        area = np.concatenate([np.arange(areas), rng.choice(areas, size=count - areas, p=share / share.sum())])
        weight = 1 + rng.pareto(1.5, size=count)
        weight[count - min(isolated, count - areas) :] = 0  # never one of the first, which keep their area alive
        order = rng.permutation(count)
        return cls(area[order], weight[order])

    def draw(self, rng: np.random.Generator, wanted: Ints) -> Ints:
        """Draw a member of each wanted area, the heavier the likelier."""
        order = np.argsort(self.area, kind="stable")
        total = np.cumsum(self.weight[order])
        last = np.cumsum(np.bincount(self.area)) - 1
        high = total[last]
        low = np.concatenate([[0.0], high[:-1]])
        spot = low[wanted] + rng.random(len(wanted)) * (high - low)[wanted]
        # Rounding may carry a spot to the very end of its area.
        position = np.minimum(np.searchsorted(total, spot, side="right"), last[wanted])
        drawn: Ints = order[position]
        return drawn


def _strayed(rng: np.random.Generator, area: Ints, areas: int, noise: float) -> Ints:
    """Return the areas, a share of them replaced by another one."""
    if areas == 1:
        return area
    strays = rng.random(len(area)) < noise
    return np.where(strays, (area + rng.integers(1, areas, size=len(area))) % areas, area)


def _leads(rng: np.random.Generator, people: _Members, papers: int) -> Ints:
    """Draw the first author of every paper; each active author leads once before any leads twice."""
    active = rng.permutation(np.flatnonzero(people.weight))[:papers]
    rest = rng.choice(len(people.weight), size=papers - len(active), p=people.weight / people.weight.sum())
    return rng.permutation(np.concatenate([active, rest]))


def _teams(
    rng: np.random.Generator, people: _Members, leads: Ints, paper_area: Ints, noise: float
) -> tuple[Ints, Ints]:
    """Return authors and their papers, sorted by paper, the first authors among them and nobody twice."""
    more = np.minimum(rng.poisson(1.6, size=len(leads)), _MOST_AUTHORS - 1)
    paper = np.repeat(np.arange(len(leads)), more)
    others = people.draw(rng, _strayed(rng, paper_area[paper], int(people.area.max()) + 1, noise))
    n_people = len(people.area)
    links = np.unique(np.concatenate([np.arange(len(leads)) * n_people + leads, paper * n_people + others]))
    return links % n_people, links // n_people  # link = paper * n_people + person


def _coauthors(author: Ints, paper: Ints, n_authors: int) -> tuple[Ints, Ints]:
    """Return pairs of authors of one paper, packed into one number each, and how many papers they share."""
    pairs = [
        author[:-gap][same] * n_authors + author[gap:][same]
        for gap in range(1, min(_MOST_AUTHORS, len(paper)))
        for same in [paper[:-gap] == paper[gap:]]
    ]
    found, together = np.unique(np.concatenate([np.empty(0, np.int64), *pairs]), return_counts=True)
    return found, together


def _first_years(author: Ints, year: Ints, n_authors: int) -> pa.Array:
    """Return the year of each author's first paper, null where there is none."""
    first = np.full(n_authors, _LAST_YEAR + 1)
    np.minimum.at(first, author, year)
    return pa.array(first, mask=first > _LAST_YEAR)


def _chairs(rng: np.random.Generator, people: _Members, venues: _Members, noise: float) -> tuple[Ints, Ints]:
    """Return authors and the conferences they chaired, nobody twice."""
    venue = np.repeat(np.arange(len(venues.area)), _CHAIRS)
    author = people.draw(rng, _strayed(rng, venues.area[venue], int(people.area.max()) + 1, noise))
    links = np.unique(venue * len(people.area) + author)
    return links % len(people.area), links // len(people.area)


def _filed(rng: np.random.Generator, subjects: _Members, paper_area: Ints, noise: float) -> tuple[Ints, Ints, Floats]:
    """Return papers, the categories they are filed under, none twice, and what share of its paper each category has."""
    drawn = rng.choice(len(_FILED), size=len(paper_area), p=_FILED) + 1
    paper = np.repeat(np.arange(len(paper_area)), drawn)
    subject = subjects.draw(rng, _strayed(rng, paper_area[paper], int(subjects.area.max()) + 1, noise))
    links = np.unique(paper * len(subjects.area) + subject)
    filed = links // len(subjects.area)
    return filed, links % len(subjects.area), 1 / np.bincount(filed)[filed]


def _papers(
    rng: np.random.Generator,
    ids: pa.Array,
    area: Ints,
    area_names: pa.Array,
    mentioned: Ints,
    term_words: pa.Array,
) -> pa.Table:
    """Return the papers, named after what they mention, more of them in later years."""
    openings = pa.array(generated_names.OPENINGS).take(
        pa.array(rng.integers(len(generated_names.OPENINGS), size=len(ids)))
    )
    one, two = (term_words.take(pa.array(mentioned[:, column])) for column in (0, 1))
    topic = pc.if_else(pc.equal(one, two), one, pc.binary_join_element_wise(one, "and", two, " "))
    years = _FIRST_YEAR + (rng.random(len(ids)) ** 0.7 * (_LAST_YEAR + 1 - _FIRST_YEAR)).astype(np.int64)
    title = pc.binary_join_element_wise(openings, topic, " ")
    return pa.table({"id": ids, "title": title, "year": years, "known_area": area_names.take(pa.array(area))})


def _edges(
    source: str,
    type: str,
    target: str,
    sources: pa.Array,
    source_at: Ints,
    targets: pa.Array,
    target_at: Ints,
    **properties: Ints | Floats,
) -> Edges:
    ends = {"source": sources.take(pa.array(source_at)), "target": targets.take(pa.array(target_at))}
    return Edges(source, type, target, pa.table(ends | properties))
