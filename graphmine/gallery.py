"""Small networks with known answers, for doctests, tests and benchmarks.

Those with an answer return ``(star, truth)``, where truth has an array for each kind. Nodes are sorted by key, as in a
pull.
"""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_integer, check_number
from graphmine.errors import ParameterError
from graphmine.model import Nodes, Relation, Star

__all__ = [
    "davis", "drifting", "full", "islands", "karate", "lonely", "nested", "planted", "planted_graph", "planted_star",
    "single_edge", "toy_one", "toy_two", "vast",
]  # fmt: skip

TrueLabels = dict[str, Ints]

_ARMS = ("Term", "Category", "Author", "Venue", "Reader", "Year")
_TOY_ONE = (
    ("12", "12"), ("12", "13"), ("123", "13"), ("12", "234"), ("3", "4"), ("3", "46"), ("", "6"), ("23", "5"),
)  # fmt: skip


def planted(
    n_rows: int = 60, n_cols: int = 40, n_clusters: int = 3, degree: int = 8, noise: float = 0.1, seed: int = 0
) -> tuple[Star, TrueLabels]:
    """Return authors who publish in the venues of their own field, with some noise.

    Fields are of equal size and drawn at random; each author has ``degree`` papers, each of them in a venue of the
    author's field, or with probability ``noise`` in any venue. It costs O(n_rows · degree).

    >>> star, truth = planted(6, 4, n_clusters=2, degree=5, noise=0, seed=1)
    >>> star.arms[0]
    Relation(Author × Venue, 6 × 4, 11 nonzeros)
    >>> truth["Author"].tolist(), truth["Venue"].tolist()
    ([0, 0, 0, 1, 1, 1], [1, 0, 1, 0])
    """
    check_integer("n_clusters", n_clusters, least=1)
    check_integer("n_rows", n_rows, least=n_clusters)
    check_integer("n_cols", n_cols, least=n_clusters)
    check_integer("degree", degree, least=1)
    check_number("noise", noise, least=0, most=1)
    rng = np.random.default_rng(seed)
    row_truth, col_truth = (rng.permutation(np.arange(n) % n_clusters) for n in (n_rows, n_cols))
    return _star(_published(rng, row_truth, col_truth, degree, noise)), {"Author": row_truth, "Venue": col_truth}


def planted_graph(
    n_nodes: int = 60, n_clusters: int = 2, degree: int = 8, noise: float = 0.1, seed: int = 0
) -> tuple[Star, TrueLabels]:
    """Return people who know people of their own circle, with some noise: a graph of one kind.

    Circles are of equal size and drawn at random; each person names ``degree`` others, each of them of the same circle,
    or with probability ``noise`` anybody, and who is named knows who names. It costs O(n_nodes · degree).

    >>> star, truth = planted_graph(6, degree=2, noise=0, seed=1)
    >>> star.arms[0]
    Relation(Person × Person, 6 × 6, 10 nonzeros)
    >>> truth["Person"].tolist()
    [0, 0, 0, 1, 1, 1]
    """
    check_integer("n_clusters", n_clusters, least=1)
    check_integer("n_nodes", n_nodes, least=n_clusters)
    check_integer("degree", degree, least=1)
    check_number("noise", noise, least=0, most=1)
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n_nodes) % n_clusters)
    people = Nodes("Person", _keys("p", n_nodes))
    named = Relation(people, people, _published(rng, truth, truth, degree, noise), "Person-KNOWS-Person")
    return Star((named,)), {"Person": truth}


def planted_star(
    n_centre: int = 120,
    sizes: Sequence[int] = (80, 6),
    n_clusters: int = 3,
    degree: int | Sequence[int] = 8,
    noise: float | Sequence[float] = 0.1,
    seed: int = 0,
) -> tuple[Star, TrueLabels]:
    """Return a star of documents with terms, categories, authors and more, each of one field, with some noise.

    Each arm is a network as `planted` makes it, and the fields of the documents are the same in all of them.
    ``sizes`` has a number of nodes an arm; ``degree`` and ``noise`` one value for all arms, or one an arm.

    >>> star, truth = planted_star(8, (6, 2), n_clusters=2, degree=(5, 1), noise=0, seed=1)
    >>> star, star.arms[1]
    (Star(Document: Term, Category), Relation(Document × Category, 8 × 2, 8 nonzeros))
    >>> {kind: classes.tolist() for kind, classes in truth.items()}
    {'Document': [1, 0, 1, 0, 0, 0, 1, 1], 'Term': [1, 1, 0, 1, 0, 0], 'Category': [1, 0]}
    """
    check_integer("n_clusters", n_clusters, least=1)
    check_integer("n_centre", n_centre, least=n_clusters)
    check_integer("how many sizes there are", len(sizes), least=1, most=len(_ARMS))
    kinds = _ARMS[: len(sizes)]
    degrees, noises = _one_an_arm("degree", degree, kinds), _one_an_arm("noise", noise, kinds)
    for kind, size, papers, strays in zip(kinds, sizes, degrees, noises, strict=True):
        check_integer(f"the size of {kind}", size, least=n_clusters)
        check_integer(f"degree of {kind}", papers, least=1)
        check_number(f"noise of {kind}", strays, least=0, most=1)
    rng = np.random.default_rng(seed)
    centre, *ends = (rng.permutation(np.arange(n) % n_clusters) for n in (n_centre, *sizes))
    drawn = zip(ends, map(int, degrees), noises, strict=True)
    blocks = [_published(rng, centre, end, papers, strays) for end, papers, strays in drawn]
    return _around("Document", kinds, blocks), dict(zip(("Document", *kinds), (centre, *ends), strict=True))


def drifting(
    n_snapshots: int = 6,
    n_rows: int = 120,
    n_cols: int = 24,
    n_clusters: int = 3,
    degree: int = 3,
    noise: float = 0.2,
    drift: float = 0.1,
    away: float = 0.2,
    seed: int = 0,
) -> list[tuple[Star, TrueLabels]]:
    """Return snapshots of a planted network whose members change their fields, come and go.

    Each snapshot is a network as `planted` makes it, of fresh papers. From one to the next a share ``drift`` of the
    authors, and of the venues, is dealt new fields at random, of which some are the old ones: with 1 the fields of two
    snapshots have nothing to do with each other. In each snapshot a share ``away`` of the authors, drawn anew, is
    missing. Fields keep their sizes; keys name the same nodes in all snapshots.

    >>> first, second = drifting(2, 10, 4, n_clusters=2, drift=0, away=0.2, seed=1)
    >>> first[0].arms[0], first[0].nodes("Author").keys.to_pylist() == second[0].nodes("Author").keys.to_pylist()
    (Relation(Author × Venue, 8 × 4, 14 nonzeros), False)
    """
    check_integer("n_snapshots", n_snapshots, least=1)
    check_integer("degree", degree, least=1)
    check_integer("n_clusters", n_clusters, least=1)
    check_integer("n_rows", n_rows, least=n_clusters)
    check_integer("n_cols", n_cols, least=n_clusters)
    for name, share in (("noise", noise), ("drift", drift), ("away", away)):
        check_number(name, share, least=0, most=1 if name != "away" else 0.9)
    rng = np.random.default_rng(seed)
    row_truth, col_truth = (rng.permutation(np.arange(n) % n_clusters) for n in (n_rows, n_cols))
    snapshots = []
    for number in range(n_snapshots):
        if number:
            row_truth, col_truth = (_dealt(rng, truth, drift) for truth in (row_truth, col_truth))
        there = np.sort(rng.permutation(n_rows)[round(away * n_rows) :])
        star = _star(_published(rng, row_truth[there], col_truth, degree, noise), there, n_rows)
        snapshots.append((star, {"Author": row_truth[there], "Venue": col_truth}))
    return snapshots


def davis() -> Star:
    """Return the 18 women and 14 events of Davis, Gardner and Gardner (1941), as networkx has them.

    Two groups of women are agreed on by most analyses, with Pearl and Ruth between them (Freeman 2003).

    >>> davis().arms[0]
    Relation(Woman × Event, 18 × 14, 89 nonzeros)
    """
    # networkx takes long to import and nothing else here needs it.
    from networkx import davis_southern_women_graph

    graph = davis_southern_women_graph()
    women, events = (sorted(node for node, side in graph.nodes(data="bipartite") if side == each) for each in (0, 1))
    block = csr_array([[float(graph.has_edge(woman, event)) for event in events] for woman in women])
    return Star((Relation(Nodes("Woman", women), Nodes("Event", events), block, "Woman-ATTENDED->Event"),))


def karate() -> tuple[Star, TrueLabels]:
    """Return Zachary's karate club, 34 members and how often each two met, and the clubs it split into.

    >>> star, truth = karate()
    >>> star.arms[0], np.bincount(truth["Member"]).tolist()
    (Relation(Member × Member, 34 × 34, 156 nonzeros), [17, 17])
    """
    import networkx as nx

    graph = nx.karate_club_graph()
    members = Nodes("Member", list(graph))
    clubs = [graph.nodes[member]["club"] for member in graph]
    met = Relation(members, members, csr_array(nx.to_scipy_sparse_array(graph)), "Member-MET{times}-Member")
    return Star((met,)), {"Member": np.unique(clubs, return_inverse=True)[1]}


def toy_one() -> tuple[Star, TrueLabels]:
    """Return a star like Toy Problem I of Gao et al. (KDD 2005): 3 X, 8 Y and 6 Z, of weight 1, Y the centre.

    The drawing is ours, as the paper's is a picture without numbers: y7 has no X, so that the X–Y side is unconnected,
    and hangs on z6 alone; two clusters are meant, through all three kinds. It was chosen among many so that the graph
    of all three kinds is cut best with all X on one side, however Z is weighed, as the paper says of its own.

    >>> star, truth = toy_one()
    >>> star.arms
    (Relation(Y × X, 8 × 3, 13 nonzeros), Relation(Y × Z, 8 × 6, 14 nonzeros))
    >>> {kind: classes.tolist() for kind, classes in truth.items()}
    {'Y': [0, 0, 0, 0, 1, 1, 1, 1], 'X': [0, 0, 1], 'Z': [0, 0, 0, 1, 1, 1]}
    """
    blocks = [
        csr_array([[float(str(at) in ends) for at in range(1, size + 1)] for ends in arm])
        for size, arm in zip((3, 6), zip(*_TOY_ONE, strict=True), strict=True)
    ]
    truth = {"Y": np.repeat([0, 1], [4, 4]), "X": np.repeat([0, 1], [2, 1]), "Z": np.repeat([0, 1], [3, 3])}
    return _around("Y", ("X", "Z"), blocks, first=1), truth


def toy_two() -> tuple[Star, TrueLabels]:
    """Return a star like Toy Problem II of Gao et al. (KDD 2005): 16 X, 20 Y and 21 Z, of weights 0 to 9, Y the centre.

    X and Z are of two clusters each, and agree on y1 to y8 and y13 to y20. The other four, whose truth is -1, belong to
    the first by their X and to the second by their Z. The weights are drawn by us, from 2 to 9 within a cluster and
    from 0 to 3 without, as the paper shows its own by the sizes of circles.

    >>> star, truth = toy_two()
    >>> star.arms
    (Relation(Y × X, 20 × 16, 278 nonzeros), Relation(Y × Z, 20 × 21, 367 nonzeros))
    >>> truth["Y"].tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    rng = np.random.default_rng(2)
    x, z = np.repeat([0, 1], [7, 9]), np.repeat([0, 1], [11, 10])
    by_x, by_z = np.repeat([0, 1], [12, 8]), np.repeat([0, 1], [8, 12])
    blocks = []
    for rows, cols in ((by_x, x), (by_z, z)):
        within, without = rng.integers(2, 10, (20, len(cols))), rng.integers(4, size=(20, len(cols)))
        blocks.append(csr_array(np.where(rows[:, None] == cols, within, without).astype(np.float64)))
    return _around("Y", ("X", "Z"), blocks, first=1), {"Y": np.where(by_x == by_z, by_x, -1), "X": x, "Z": z}


def islands() -> tuple[Star, TrueLabels]:
    """Return three fields that share nothing, of 6, 4 and 3 authors in 4, 3 and 2 venues.

    >>> star, truth = islands()
    >>> star.arms[0], np.bincount(truth["Author"]).tolist()
    (Relation(Author × Venue, 13 × 9, 42 nonzeros), [6, 4, 3])
    """
    truth = {"Author": np.repeat([0, 1, 2], [6, 4, 3]), "Venue": np.repeat([0, 1, 2], [4, 3, 2])}
    return _star(csr_array(_together(truth))), truth


def lonely() -> tuple[Star, TrueLabels]:
    """Return two fields joined by one paper, among authors and venues without any link, whose truth is -1.

    >>> star, truth = lonely()
    >>> truth["Author"].tolist(), truth["Venue"].tolist()
    ([-1, 0, 0, 0, 0, -1, 1, 1, 1, -1], [0, 0, 0, -1, 1, 1, -1])
    """
    truth = {"Author": np.array([-1, 0, 0, 0, 0, -1, 1, 1, 1, -1]), "Venue": np.array([0, 0, 0, -1, 1, 1, -1])}
    together = _together(truth)
    together[4, 4] = 1.0
    return _star(csr_array(together)), truth


def single_edge() -> Star:
    """Return the smallest network there is.

    >>> single_edge().arms[0]
    Relation(Author × Venue, 1 × 1, 1 nonzeros)
    """
    return full(1, 1)


def full(n_rows: int = 5, n_cols: int = 4) -> Star:
    """Return authors who have all published everywhere once: a network without any structure.

    >>> full(3, 2).arms[0]
    Relation(Author × Venue, 3 × 2, 6 nonzeros)
    """
    return _star(csr_array(np.ones((n_rows, n_cols))))


def vast(n_nodes: int = 100_000, seed: int = 0) -> tuple[Star, TrueLabels]:
    """Return a planted network of four fields that would take 80 GB if its block were dense.

    >>> vast(1000)[0].arms[0]
    Relation(Author × Venue, 1000 × 1000, 7927 nonzeros)
    """
    return planted(n_nodes, n_nodes, n_clusters=4, degree=8, noise=0.2, seed=seed)


def _together(truth: TrueLabels) -> Floats:
    rows, cols = truth["Author"][:, None], truth["Venue"]
    return np.where((rows == cols) & (rows >= 0), 1.0, 0.0)


def _published(rng: np.random.Generator, row_truth: Ints, col_truth: Ints, degree: int, noise: float) -> csr_array:
    """Draw the venues of ``degree`` papers of each author: of the author's field, or a share ``noise`` of them any."""
    n_rows, n_cols = len(row_truth), len(col_truth)
    rows = np.repeat(np.arange(n_rows), degree)
    own = _venues(rng, row_truth[rows], col_truth)
    cols = np.where(rng.random(len(rows)) < noise, rng.integers(n_cols, size=len(rows)), own)
    return csr_array((np.ones(len(rows)), (rows, cols)), shape=(n_rows, n_cols))


def _venues(rng: np.random.Generator, fields: Ints, col_truth: Ints) -> Ints:
    """Draw a venue of each of some fields."""
    by_field = np.argsort(col_truth, kind="stable")
    sizes = np.bincount(col_truth)
    venues: Ints = by_field[(np.cumsum(sizes) - sizes)[fields] + rng.integers(sizes[fields])]
    return venues


def _dealt(rng: np.random.Generator, truth: Ints, share: float) -> Ints:
    """Return classes in which a share of the nodes have exchanged theirs at random."""
    some = rng.permutation(len(truth))[: round(share * len(truth))]
    dealt = truth.copy()
    dealt[some] = truth[rng.permutation(some)]
    return dealt


def _star(block: csr_array, there: Ints | None = None, n_all: int = 0) -> Star:
    """Return authors and venues named by number; where only some authors are there, by their numbers among all."""
    n_rows, n_cols = block.shape
    names = _keys("a", n_rows if there is None else n_all)
    authors = names if there is None else [names[number] for number in there.tolist()]
    rows, cols = Nodes("Author", authors), Nodes("Venue", _keys("v", n_cols))
    return Star((Relation(rows, cols, block, "Author-PUBLISHED->Venue"),))


def _one_an_arm(name: str, given: float | Sequence[float], kinds: Sequence[str]) -> list[float]:
    """Return one value an arm, where one for all of them may be given."""
    values = list(given) if isinstance(given, Sequence) else list(repeat(given, len(kinds)))
    if len(values) != len(kinds):
        raise ParameterError(f"{name} must be one number, or one for each of {', '.join(kinds)}, was {given!r}")
    return values


def _around(centre: str, kinds: Sequence[str], blocks: Sequence[csr_array], first: int = 0) -> Star:
    """Return the star of blocks whose rows are the centre, nodes named by the first letter of their kind."""
    sized = zip((centre, *kinds), (blocks[0].shape[0], *(block.shape[1] for block in blocks)), strict=True)
    rows, *ends = (Nodes(kind, _keys(kind[0].lower(), size, first)) for kind, size in sized)
    arms = (Relation(rows, end, block, f"{centre}-HAS->{end.kind}") for end, block in zip(ends, blocks, strict=True))
    return Star(tuple(arms))


def _keys(letter: str, count: int, first: int = 0) -> list[str]:
    width = len(str(first + count - 1))
    return [f"{letter}{number:0{width}}" for number in range(first, first + count)]


def nested(
    n_rows: int = 120,
    n_cols: int = 48,
    n_fields: int = 2,
    n_topics: int = 2,
    degree: int = 10,
    noise: float = 0.1,
    kinship: float = 0.3,
    seed: int = 0,
) -> tuple[Star, tuple[TrueLabels, TrueLabels]]:
    """Return authors who publish in the venues of their topic, and next to that in those of their field.

    Each of ``n_fields`` fields has ``n_topics`` topics, all of equal size and drawn at random. Each author has
    ``degree`` papers, each of them in a venue of the author's topic; or with probability ``kinship`` in any venue of
    the field; or with probability ``noise`` in any at all. The truth is that of the fields, then that of the topics.

    >>> star, (fields, topics) = nested(8, 8, degree=20, noise=0, kinship=0.5, seed=1)
    >>> star.arms[0]
    Relation(Author × Venue, 8 × 8, 30 nonzeros)
    >>> fields["Venue"].tolist(), topics["Venue"].tolist()
    ([0, 1, 1, 1, 1, 0, 0, 0], [1, 2, 3, 2, 3, 0, 1, 0])
    """
    check_integer("n_fields", n_fields, least=1)
    check_integer("n_topics", n_topics, least=1)
    check_integer("n_rows", n_rows, least=n_fields * n_topics)
    check_integer("n_cols", n_cols, least=n_fields * n_topics)
    check_integer("degree", degree, least=1)
    check_number("noise", noise, least=0, most=1)
    check_number("kinship", kinship, least=0, most=1 - noise)
    rng = np.random.default_rng(seed)
    row_topics, col_topics = (rng.permutation(np.arange(n) % (n_fields * n_topics)) for n in (n_rows, n_cols))
    topics = {"Author": row_topics, "Venue": col_topics}
    truths = {kind: each // n_topics for kind, each in topics.items()}, topics
    return _star(_published_nearby(rng, truths, degree, noise, kinship)), truths


def _published_nearby(
    rng: np.random.Generator, truths: tuple[TrueLabels, TrueLabels], degree: int, noise: float, kinship: float
) -> csr_array:
    """Draw papers: a share ``noise`` of them anywhere, a share ``kinship`` in the field, the rest in the topic."""
    n_rows, n_cols = (len(topics) for topics in truths[1].values())
    rows = np.repeat(np.arange(n_rows), degree)
    field, topic = (_venues(rng, truth["Author"][rows], truth["Venue"]) for truth in truths)
    chance = rng.random(len(rows))
    cols = np.where(chance < noise + kinship, field, topic)
    cols = np.where(chance < noise, rng.integers(n_cols, size=len(rows)), cols)
    return csr_array((np.ones(len(rows)), (rows, cols)), shape=(n_rows, n_cols))
