"""Every set by its name. The counts are those of the set read without options; a test compares them with the sets."""

from collections.abc import Iterable, Mapping

from graphmine.dataset_catalog.base import Dataset, Option

__all__ = ["DATASETS", "GROUPS"]

GROUPS = (
    "alt.atheism", "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware",
    "comp.windows.x", "misc.forsale", "rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey",
    "sci.crypt", "sci.electronics", "sci.med", "sci.space", "soc.religion.christian", "talk.politics.guns",
    "talk.politics.mideast", "talk.politics.misc", "talk.religion.misc",
)  # fmt: skip
"""The twenty groups of 20 Newsgroups."""


def _some(what: str, *choices: str) -> Option:
    """Return an option that takes names, more than once."""
    return Option(f"{what} Repeatable; without it all.", "NAME", str, several=True, choices=choices)


_EACH = Option("So many documents of each, drawn at random; without it all.")
_LEAST = Option("In how many documents a word must be, at least.", default=5)
_WORDS = Option("So many words, those in the most documents; without it all.")
_SEED = Option("For what is drawn: the same seed draws the same.", default=0)


def _by_name(sets: Iterable[Dataset]) -> Mapping[str, Dataset]:
    return {each.name: each for each in sets}


DATASETS: Mapping[str, Dataset] = _by_name((
    Dataset(
        "davis",
        "Davis' Southern women: who came to what event.",
        "18 women and 14 social events in Natchez, Mississippi, in the 1930s: a real network.",
        "davis:davis",
        {"Woman": 18, "Event": 14},
        {"Woman-ATTENDED->Event": 89},
        examples=("graphmine load davis", "graphmine load davis --db women.lbug --format json"),
    ),
    Dataset(
        "karate",
        "Zachary's karate club: who met whom, and how often.",
        "34 members, and the one of two clubs that each joined when it split: a real network of one kind.",
        "karate:karate",
        {"Member": 34},
        {"Member-MET->Member": 78},
        truth=("Member.known_club",),
        examples=("graphmine load karate",),
    ),
    Dataset(
        "academic",
        "a generated network of authors, papers and venues.",
        "Authors, papers, conferences, terms and categories all have a known area, for finding it again.",
        "academic:academic",
        {"Author": 1000, "Paper": 2000, "Conference": 20, "Term": 500, "Category": 12},
        {
            "Author-WROTE->Paper": 5234, "Paper-IN->Conference": 2000, "Paper-MENTIONS->Term": 13528,
            "Author-COAUTHOR->Author": 5153, "Author-CHAIRED->Conference": 58, "Paper-ABOUT->Category": 2515,
        },
        truth=tuple(f"{kind}.known_area" for kind in ("Author", "Paper", "Conference", "Term", "Category")),
        options={
            "authors": Option("How many authors.", default=1000),
            "papers": Option("How many papers; without it twice as many as authors."),
            "conferences": Option("How many conferences.", default=20),
            "terms": Option("How many terms.", default=500),
            "areas": Option("How many research areas, each with some of everything.", default=4),
            "noise": Option("The share of links that lead out of their area.", "SHARE", float, 0.1),
            "seed": Option("The same seed gives the same network.", default=0),
            "categories": Option("How many categories; without it three an area."),
        },
        examples=(
            "graphmine load academic",
            "graphmine load academic --authors 2000 --areas 6 --seed 1 --db big.lbug",
        ),
    ),
    Dataset(
        "aminer_hetgnn",
        "authors, papers and venues of AMiner.",
        "Computer science of ten years, as numbers without names; 11,360 of the authors are known to be in one of four "
        "fields. Read from an archive.",
        "aminer:aminer",
        {"Author": 28645, "Paper": 21044, "Venue": 18},
        {"Author-WROTE->Paper": 69308, "Paper-IN->Venue": 21044, "Paper-CITES->Paper": 21357},
        truth=("Author.known_class",),
        source="papers, authors and venues of AMiner, with HetGNN (github.com/chuxuzhang/KDD2019_HetGNN)",
        examples=("graphmine load aminer_hetgnn --db aminer.lbug",),
    ),
    Dataset(
        "acm_hin",
        "papers, authors and subjects of the ACM library.",
        "Papers of five conferences in three fields, as numbers without names. Read from an archive.",
        "acm:acm",
        {"Paper": 4019, "Author": 7167, "Subject": 60},
        {"Author-WROTE->Paper": 13407, "Paper-ABOUT->Subject": 4019},
        truth=("Paper.known_class",),
        source="papers, authors and subjects of the ACM library, with OpenHINE (github.com/BUPT-GAMMA/OpenHINE)",
        examples=("graphmine load acm_hin --db acm.lbug",),
    ),
    Dataset(
        "imdb5000",
        "films, their genres, keywords and people.",
        "3,088 of the films have one genre alone out of action, comedy and drama, which is their known class. "
        "Read from an archive.",
        "imdb:imdb",
        {"Movie": 4919, "Genre": 26, "Keyword": 8086, "Person": 8491},
        {
            "Movie-OF->Genre": 14133, "Movie-HAS->Keyword": 23494,
            "Person-DIRECTED->Movie": 4817, "Person-ACTED_IN->Movie": 14715,
        },
        truth=("Movie.known_class",),
        source="the IMDB 5000 movie data set (kaggle.com/datasets/carolzhangdc/imdb-5000-movie-dataset)",
        examples=("graphmine load imdb5000 --db imdb.lbug",),
    ),
    Dataset(
        "reuters21578",
        "stories of a news agency, their topics and words.",
        "21,578 stories of 1987, of which 11,367 have one topic or several. With --topics or --each, stories without "
        "any of the topics are left out. Read from an archive.",
        "reuters:whole",
        {"Document": 21578, "Category": 120, "Term": 2000},
        {"Document-ABOUT->Category": 14300, "Document-HAS->Term": 757579},
        truth=("Document.known_class",),
        source="Reuters-21578 as SGML (archive.ics.uci.edu/dataset/137)",
        options={
            "topics": _some("A topic."),
            "each": Option("So many documents of each topic, drawn at random; without it all."),
            "least": _LEAST,
            "words": Option("So many words, those in the most documents; a large number for all.", default=2000),
            "split": Option(
                "All stories, or one side of the split ModApte.",
                "all|train|test", str, "all", choices=("all", "train", "test"),
            ),
            "seed": _SEED,
        },
        examples=(
            "graphmine load reuters21578 --db reuters.lbug",
            "graphmine load reuters21578 --topics grain --topics crude --words 1000 --db two.lbug",
        ),
    ),
    Dataset(
        "ng20_original",
        "messages of 20 newsgroups and their words.",
        "19,997 messages of 1993; their headers, many of which name the group, are dropped. Read from an archive.",
        "newsgroups:newsgroups",
        {"Document": 19997, "Term": 1000},
        {"Document-HAS->Term": 772292},
        truth=("Document.known_class", "Document.known_topic"),
        source="the 19,997 messages of 20 Newsgroups (archive.ics.uci.edu/dataset/113, 20_newsgroups.tar.gz)",
        options={
            "groups": _some("A group.", *GROUPS),
            "least": _LEAST,
            "words": Option("So many words, those in the most documents; a large number for all.", default=1000),
        },
        examples=(
            "graphmine load ng20_original --db news.lbug",
            "graphmine load ng20_original --groups sci.med --groups sci.space --words 1000 --db two.lbug",
        ),
    ),
    Dataset(
        "classic3",
        "abstracts of medicine, information science and aeronautics.",
        "Documents of MED, CISI and CRAN and their words, with counts and TF/IDF. Read from an archive.",
        "classic3:classic3",
        {"Document": 3891, "Term": 4303},
        {"Document-HAS->Term": 176347},
        truth=("Document.known_class",),
        source="the matrix of the SMART collections MED, CISI and CRAN, as published with coclust "
        "(github.com/franrole/cclust_package)",
        options={"classes": _some("A collection.", "medline", "cisi", "cranfield"), "each": _EACH, "seed": _SEED},
        examples=(
            "graphmine load classic3 --db classic3.lbug",
            "graphmine load classic3 --classes medline --classes cisi --each 2 --db drawn.lbug",
        ),
    ),
    Dataset(
        "classic4_raw",
        "abstracts of four collections and their words.",
        "MED, CISI, CRAN and CACM from their texts; of half of CACM there is the title only. Read from an archive.",
        "classic4:classic4",
        {"Document": 7097, "Term": 6873},
        {"Document-HAS->Term": 266446},
        truth=("Document.known_class",),
        source="the SMART collections MED, CISI, CRAN and CACM as text (ftp.cs.cornell.edu/pub/smart)",
        options={"least": _LEAST, "words": _WORDS},
        examples=("graphmine load classic4_raw --words 2000 --db classic4.lbug",),
    ),
    Dataset(
        "cstr",
        "abstracts of technical reports of four fields.",
        "Documents and their words, which are numbers, as no names are known, with weights. Read from an archive.",
        "cstr:cstr",
        {"Document": 475, "Term": 1000},
        {"Document-HAS->Term": 16157},
        truth=("Document.known_class",),
        source="the matrix of technical reports of Rochester, as published with coclust "
        "(github.com/franrole/cclust_package)",
        examples=("graphmine load cstr --db cstr.lbug",),
    ),
    Dataset(
        "uci",
        "six sets of things with numbers and a class.",
        "Wine, glass, ionosphere (Signal), hepatitis (Patient), wdbc (Mass) and pima (Woman), a kind each, for "
        "relations such as Wine~knn(alcohol, hue). Read from an archive.",
        "uci:together",
        {"Wine": 178, "Glass": 214, "Signal": 351, "Patient": 155, "Mass": 569, "Woman": 768},
        truth=tuple(f"{kind}.known_class" for kind in ("Wine", "Glass", "Signal", "Patient", "Mass", "Woman")),
        source="wine, glass, ionosphere, hepatitis, pima and wdbc (archive.ics.uci.edu)",
        options={"only": _some("A set.", "wine", "glass", "ionosphere", "hepatitis", "wdbc", "pima")},
        examples=("graphmine load uci --db uci.lbug", "graphmine load uci --only wine --only glass --db two.lbug"),
    ),
    Dataset(
        "yeast",
        "genes of yeast: five time courses and 173 conditions.",
        "The values of time courses are properties of genes; under which conditions a gene rose or fell, and by how "
        "much, are relationships. Read from an archive.",
        "yeast:yeast",
        {"Gene": 5161, "Condition": 173},
        {"Gene-ROSE->Condition": 240087, "Gene-FELL->Condition": 257331},
        source="the time courses of yeast of Tavazoie, Spellman and Prelić (github.com/padilha/biclustlib)",
        options={
            "only": _some("An experiment.", "tavazoie", "alpha", "cdc15", "cdc28", "elutriation", "prelic"),
        },
        examples=("graphmine load yeast --db yeast.lbug", "graphmine load yeast --only alpha --db alpha.lbug"),
    ),
))  # fmt: skip
"""The sets by name: first those that come with graphmine, then those that are read from archives."""
