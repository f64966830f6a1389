"""The language of rules: what is written is read, what is read is written, and the rest is refused in a sentence."""

import re

import pytest
from hypothesis import given, strategies as st

from graphmine.constraints.rule_types import Distance, Known, Order, Path, Runs, Same, Saved, Shared, Text, These
from graphmine.constraints.rules import Rule
from graphmine.errors import ParameterError
from graphmine.model import Filter, Pattern

COAUTHORS = Pattern.parse("Author-WROTE->Paper<-WROTE-Author")
ODD = Pattern.parse("`odd; kind`-`a >= 3`->`odd; kind`")
VENUES = Pattern.parse("Author-WROTE->Paper-IN->Venue")

READ = {
    "must Author-WROTE->Paper<-WROTE-Author >= 3": Rule(Path(COAUTHORS, 3), "must"),
    "cannot Author-WROTE->Paper<-WROTE-Author": Rule(Path(COAUTHORS), "cannot"),
    "must User-FOLLOWS->User; mutual": Rule(Path(Pattern.parse("User-FOLLOWS->User"), mutual=True), "must"),
    "must `odd; kind`-`a >= 3`->`odd; kind` >= 2": Rule(Path(ODD, 2), "must"),
    "must Author-[my pairs.cypher]->Author": Rule(Path(Pattern.parse("Author-[my pairs.cypher]->Author")), "must"),
    "must shared Author-WROTE->Paper-IN->Venue >= 2": Rule(Shared(VENUES, 2), "must"),
    "cannot jaccard Author-WROTE->Paper-IN->Venue >= .5": Rule(Shared(VENUES, 0.5, jaccard=True), "cannot"),
    "must same Author.affiliation": Rule(Same("Author", "affiliation"), "must"),
    'must same Author.country in ["DE; x", "FR"]': Rule(Same("Author", "country", values=("DE; x", "FR")), "must"),
    "cannot different `naïve kind`.`a.b`": Rule(Same("naïve kind", "a.b", different=True), "cannot"),
    "must distance Author.age <= 2": Rule(Distance("Author", "age", "<=", 2), "must"),
    "cannot distance Author.age >= 2.5": Rule(Distance("Author", "age", ">=", 2.5), "cannot"),
    "must text Author.name <= 2": Rule(Text("Author", "name", "<=", 2), "must"),
    "must text Author.name Author.`a b` <= 2": Rule(Text("Author", "name", "<=", 2, ("Author", "a b")), "must"),
    "must across text Author.x Venue.y <= 1": Rule(Text("Author", "x", "<=", 1, ("Venue", "y")), "must", True),
    "known Author.area; fraction .05; seed 3": Rule(Known("Author", "area", 0.05), seed=3),
    "cannot known Author.area": Rule(Known("Author", "area"), "cannot"),
    "run last; weight .5": Rule(Runs("last"), weight=0.5),
    "must run area; last 3; decay .5": Rule(Runs("area", 3, 0.5), "must"),
    "must across Author-CHAIRED->Venue": Rule(Path(Pattern.parse("Author-CHAIRED->Venue")), "must", True),
    'must these {"Author": ["Ann; \\"A\\"", "Bob"]}': Rule(These({"Author": ('Ann; "A"', "Bob")}), "must"),
    'cannot across these {"A": [1], "B": ["KDD"]}': Rule(These({"A": (1,), "B": ("KDD",)}), "cannot", True),
    "file saved links.parquet": Rule(Saved("saved links.parquet")),
    "order Paper.year": Rule(Order("Paper", "year")),
    "must same Author.town; hard; limit 10; sample .5; seed 1; where A.b >= 3; where A.c != 'x; y'; name near": Rule(
        Same("Author", "town"), "must", hard=True, limit=10, sample=0.5, seed=1, name="near",
        where=(Filter("A", "b", ">=", 3), Filter("A", "c", "!=", "x; y")),
    ),
    "must same A.b; name Bob's; where A.c = 'x'": Rule(
        Same("A", "b"), "must", where=(Filter("A", "c", "=", "x"),), name="Bob's"
    ),
    "must same A.b; name 'tis; where A.c = it's; hard": Rule(
        Same("A", "b"), "must", hard=True, where=(Filter("A", "c", "=", "it's"),), name="'tis"
    ),
    'must same A.b; name "a;b" ; hard': Rule(Same("A", "b"), "must", hard=True, name="a;b"),
    "must same A.b; name 'it\\'s; \"so\"'": Rule(Same("A", "b"), "must", name="it's; \"so\""),
    "must same A.b; where `a;b`.`c;d` >= 3; where A.b in ['x;y', \"it's;\"]; hard": Rule(
        Same("A", "b"), "must", hard=True,
        where=(Filter("a;b", "c;d", ">=", 3), Filter("A", "b", "in", ["x;y", "it's;"])),
    ),
    "must same `a in [b`.c in ['x;y', 'z']": Rule(Same("a in [b", "c", values=("x;y", "z")), "must"),
    "must same A.b in [2000, 2001.5]": Rule(Same("A", "b", values=(2000.0, 2001.5)), "must"),
    "must Author-[Bob's; pairs.cypher]->Author; hard": Rule(
        Path(Pattern.parse("Author-[Bob's; pairs.cypher]->Author")), "must", hard=True
    ),
    "file Bob's `links`.parquet; name saved": Rule(Saved("Bob's `links`.parquet"), name="saved"),
    "must run it's [so; weight 2": Rule(Runs("it's [so"), "must", weight=2),
    'must these{"A": ["a`;", "it\'s;"]};hard': Rule(These({"A": ("a`;", "it's;")}), "must", hard=True),
    "must same - X -> same": Rule(Path(Pattern.parse("same-X->same")), "must"),
    "must run <-X- run": Rule(Path(Pattern.parse("run<-X-run")), "must"),
    "must same A.b;\tweight\t1e9;; sample 1e15;": Rule(Same("A", "b"), "must", weight=1e9, sample=1e15),
    "must text A.b <= 1e3": Rule(Text("A", "b", "<=", 1000), "must"),
    "must same-X->same": Rule(Path(Pattern.parse("same-X->same")), "must"),
    "must same A.b; repeats; where A.c = 1": Rule(
        Same("A", "b"), "must", repeats=True, where=(Filter("A", "c", "=", 1),)
    ),
    "must same A.b; hard; independent; name x": Rule(Same("A", "b"), "must", hard=True, repeats=False, name="x"),
    "file saved.json; repeats": Rule(Saved("saved.json"), repeats=True),
    "must Wine~knn(hue, `a;)b`; neighbours 1) >= 0.9; hard": Rule(
        Path(Pattern.parse("Wine~knn(hue, `a;)b`; neighbours 1)"), 0.9), "must", hard=True
    ),
    "cannot run ~ rbf(hue; sigma 2; scale no)": Rule(Path(Pattern.parse("run~rbf(hue; sigma 2; scale no)")), "cannot"),
    "must shared Wine~knn(hue; neighbours 5) >= 2": Rule(
        Shared(Pattern.parse("Wine~knn(hue; neighbours 5)"), 2), "must"
    ),
    "file ~/saved.parquet": Rule(Saved("~/saved.parquet")),
    "must must-X->must": Rule(Path(Pattern.parse("must-X->must")), "must"),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_every_rule_is_read_and_written(text: str) -> None:
    rule = Rule.parse(text)
    assert rule == READ[text]
    assert Rule.parse(str(rule)) == rule


WORDS = (
    "a rule is must or cannot, then a path or one of shared, jaccard, same, different, distance, text, known, run, "
    "these, or order, file"
)
REFUSED = {
    "": "a rule is empty",
    "Author-WROTE->Paper<-WROTE-Author": "must begin with must or cannot",
    "must cannot same Author.town": "says must and cannot",
    "must Author-WROTE->Paper": "links Author with Paper, which are two kinds; say must across if that is meant",
    "must across Author-WROTE->Paper<-WROTE-Author": "links Author with itself; leave out across",
    "must across same Author.town": "can not link across kinds",
    "must Author-WROTE->Paper<-WROTE-Author >= -1": "the threshold of Author-WROTE->Paper<-WROTE-Author must be",
    "must Author-WROTE->Paper<-WROTE-Author >= 0": "must be a number above 0 and at most 1e+15, was 0",
    "must A-T->A >= inf": "must be a number above 0 and at most 1e+15, was inf",
    "must shared A-T->B >= 1e16": "must be a number above 0 and at most 1e+15, was 1e+16",
    "must shared >= 2": "the rule 'shared >= 2' can not be read; write it as shared Kind-TYPE->Kind >= 2",
    "must Author-WROTE->Paper<-WROTE-Author <= 2": "takes a least number, as in … >= 3",
    "must jaccard Author-WROTE->Paper >= 2": "a share is at most 1, was 2",
    "must distance Author.age": "write it as distance Kind.property <= 2, or >= 10",
    "must distance Author.age <= -2": "must be a number from 0 to 1e+300, was -2",
    "must distance Author.age <= inf": "must be a number from 0 to 1e+300, was inf",
    "must text Author.name <= 1.5": "must be a whole number, was 1.5",
    "must same Author": "'Author' can not be read; write it as Kind.property",
    "must same Author.town in [": "can not be read",
    "must order Paper.year": "takes neither must nor cannot",
    "order Paper.year; hard": "takes no other option than where and name",
    "order Paper.year; independent": "takes no other option than where and name",
    "file saved.json; weight 2": "takes no other option than where, name and repeats",
    "must same A.b; repeats; independent": "says repeats and independent; leave one of them out",
    "must same A.b; repeats; repeats": "says repeats twice",
    "must same A.b; repeats often": "has a bad repeats: 'often'",
    "must same A.b; repeat": "(did you mean 'repeats'?)",
    "known Author.area; fraction 0": "fraction must be a number above 0 and at most 1, was 0",
    "known Author.area; fraction 2": "fraction must be a number above 0 and at most 1, was 2",
    "must same Author.town; fraction .5": "takes no fraction",
    "must same Author.town; weight 0": "weight must be a number from 1e-09 to 1e+09, was 0",
    "must same Author.town; weight 2e9": "weight must be a number from 1e-09 to 1e+09, was 2000000000.0",
    "must same Author.town; weight inf": "weight must be a number from 1e-09 to 1e+09, was inf",
    "must same Author.town; weight nan": "weight must be a number",
    "must same Author.town; weight much": "has a bad weight: 'much'",
    "must same Author.town; weight": "has a bad weight: ''",
    "must same Author.town; hard; weight 2": "is hard, so it takes no weight",
    "must same Author.town; hrad": "(did you mean 'hard'?)",
    "must same Author.town; hard; hard": "says hard twice",
    "must same Author.town; limit 0": "limit must be a whole number of at least 1, was 0",
    "must same Author.town; sample 1.5": "sample must be a whole number of links, or a share below 1, was 1.5",
    "must same Author.town; sample 0": "sample must be a number above 0 and at most 1e+15, was 0",
    "must same Author.town; sample inf": "sample must be a number above 0 and at most 1e+15, was inf",
    "known A.b; sample 1e400": "sample must be a number above 0 and at most 1e+15, was inf",
    "known A.b; sample nan": "sample must be a number above 0 and at most 1e+15, was nan",
    "must text Author.name <= inf": "must be a whole number, was inf",
    "must text Author.name <= nan": "must be a whole number, was nan",
    "must text Author.name <= 1e16": "must be a whole number from 0 to 1000000000000000, was 10000000000000000",
    "must text <= 1": "the rule 'text <= 1' can not be read; write it as text Kind.property <= 2, or >= 10",
    "must text Author.name": "the rule 'text Author.name' can not be read; write it as text Kind.property <= 2",
    "must": f"the rule 'must' can not be read; {WORDS}",
    "must same": "the rule 'same' can not be read; write it as same Kind.property",
    "must known ; hard": "the rule 'known' can not be read; write it as known Kind.property",
    "must run": "the rule 'run' can not be read; write it as run last",
    "MUST same A.b": f"the rule 'MUST same A.b' can not be read; {WORDS} (did you mean 'must'?)",
    "musst same A.b": f"the rule 'musst same A.b' can not be read; {WORDS} (did you mean 'must'?)",
    "must smae A.b": f"the rule 'must smae A.b' can not be read; {WORDS} (did you mean 'same'?)",
    "must SAME A.b": f"{WORDS} (did you mean 'same'?)",
    "must Author >= 3": f"the rule 'must Author >= 3' can not be read; {WORDS}",
    "must Author.name": "relation 'Author.name' can not be read at '.name'",
    "must same A.b in []": "the rule same A.b: the list is empty; write at least one value",
    'cannot different A.b in [1, "a"]': "the rule different A.b: the list must hold values of one type",
    "must same A.b in 3": "the rule 'same A.b in 3' can not be read; write its values as in [a, b]",
    "must same A.b in": "the rule 'same A.b in' can not be read; write its values as in [a, b]",
    "must same ` `.b": "kind must be a name, was ' '",
    "must same A.b\udc80": "the rule 'must same A.b\\udc80' holds characters that are no text; write it in UTF-8",
    'must same A.b in ["\\ud800"]': "the rule same A.b: the value '\\ud800' holds characters that are no text",
    'must same A.b; where A.c = "\\ud800"': "filter A.c: the value '\\ud800' holds characters that are no text",
    'must same A.b; name "a\\ud800"': "name must not hold control characters, was 'a\\ud800'",
    'must these {"A": ["\\ud800", "b"]}': "the keys of A: the value '\\ud800' holds characters that are no text",
    'must these {"A": ["a"], "A": ["b"]}': "names a kind twice; put its keys into one list",
    'must these {"A": [true]}': "a key of A must be text or a whole number, was True",
    'must these {"A": [1.5]}': "a key of A must be text or a whole number, was 1.5",
    'must these {"A": {"B": [1]}}': 'can not be read; write it as these {"Kind": ["key", "key"]}',
    "file -saved.parquet": "relation 'file -saved.parquet' can not be read at ' -saved.parquet'",
    "must same Author.town; where nonsense": "filter 'nonsense' can not be read",
    "must these [1, 2]": 'the rule \'these [1, 2]\' can not be read; write it as these {"Kind": ["key", "key"]}',
    "must these {broken": "can not be read at 'broken'; write it as these {",
    'must these {"Author": []}': "takes one kind or two",
    "run area; last 0": "last must be a whole number of at least 1, was 0",
    "run area; decay 0": "decay must be a number above 0 and at most 1, was 0",
    "must across Author-CHAIRED->Venue; mutual": "so it can not be mutual",
    "must Author-->Author": "can not be read",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_makes_no_rule_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(REFUSED[text])) as raised:
        Rule.parse(text)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_what_is_nested_too_deep_is_refused() -> None:
    deep = "[" * 100_000
    for text, wanted in (
        (f"must these {deep}", r"^the rule 'these \[+…' can not be read; write it as these \{"),
        (f'must these {{"A": {deep}', r"can not be read; write it as these \{"),
        (f"must same A.b in {deep}", r"^the value \[+… can not be read; write a number, true, 'text' or \[a, b\]$"),
        (f"must same A.b; where A.c in {deep}", r"^the value \[+… can not be read"),
    ):
        with pytest.raises(ParameterError, match=wanted) as raised:
            Rule.parse(text)
        assert len(str(raised.value)) < 500


def test_what_a_rule_gives() -> None:
    assert Rule.parse("known Author.area").gives == {"must", "cannot"}
    assert Rule.parse("must across Author-CHAIRED->Venue").gives == {"must", "across"}
    assert Rule.parse("order Paper.year").gives == {"order"}
    assert Rule.parse("run last").kinds == ()


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_one_sentence(text: str) -> None:
    try:
        rule = Rule.parse(text)
    except ParameterError:
        return
    assert Rule.parse(str(rule)) == rule


WIDE = st.one_of(st.floats(0, 1e15, exclude_min=True), st.integers(1, 10**15), st.floats(0.1, 10))
SHARES = st.floats(0, 1, exclude_min=True)
WHOLE = st.integers(1, 2**80)
NAMES = st.text(
    st.sampled_from("ab '\"`;\\[]{}=,:.é") | st.characters(categories=["L", "N", "P", "S"]), min_size=1
).filter(lambda name: bool(name.strip()) and name.isprintable())
FREE = NAMES.map(lambda name: name.replace(";", ",").strip()).filter(lambda name: not name.startswith(("-", "<-")))
TEXTS = st.text(st.sampled_from("ab ;'\"`\\[]{},\n") | st.characters(exclude_categories=["Cs"]))
BODIES = st.one_of(
    st.builds(Path, st.just(COAUTHORS), st.none() | WIDE, st.booleans()),
    st.builds(Shared, st.just(VENUES), SHARES, st.booleans()),
    st.builds(Distance, st.just("Author"), st.just("age"), st.sampled_from(["<=", ">="]), WIDE),
    st.builds(Text, st.just("Author"), NAMES, st.sampled_from(["<=", ">="]), st.integers(0, 10**15)),
    st.builds(Known, st.just("Author"), st.just("area"), SHARES),
    st.builds(Runs, FREE, WHOLE, SHARES),
    st.builds(Same, NAMES, NAMES, st.booleans(), st.none() | st.lists(TEXTS, min_size=1).map(tuple)),
    st.builds(These, st.dictionaries(NAMES, st.lists(TEXTS, min_size=1).map(tuple), min_size=1, max_size=1)),
)
RULES = st.builds(
    Rule, BODIES, sense=st.sampled_from(["must", "cannot"]), weight=st.floats(1e-9, 1e9), limit=st.none() | WHOLE,
    sample=st.none() | SHARES | st.integers(1, 10**15), seed=st.integers(0, 2**80), name=st.just("") | NAMES,
    repeats=st.none() | st.booleans(),
    where=st.lists(
        st.builds(Filter, NAMES, NAMES, st.just("<"), WIDE | TEXTS)
        | st.builds(Filter, st.just("A"), NAMES, st.just("in"), st.lists(TEXTS, min_size=1))
    ).map(tuple),
)  # fmt: skip


@given(RULES)
def test_numbers_names_and_values_survive_their_text(rule: Rule) -> None:
    assert Rule.parse(str(rule)) == rule


def test_numbers_are_written_in_full() -> None:
    known = Rule(Known("Author", "area", 0.1234567), seed=1234567890123, limit=10**12)
    assert str(known) == "known Author.area; fraction 0.1234567; limit 1000000000000; seed 1234567890123"
    assert str(Rule(Runs("area", 10**6), weight=3.0)) == "run area; last 1000000; weight 3"


@pytest.mark.parametrize("name", ["a; b", " a", "a ", "-a", "<-a", "~knn(a)"])
def test_what_would_end_a_rule_early_is_refused(name: str) -> None:
    wanted = re.escape(
        f"must not hold a semicolon, begin with -, <- or a similarity, or begin or end with a space, was {name!r}"
    )
    for make in (lambda: Runs(name), lambda: Saved(name)):
        with pytest.raises(ParameterError, match=wanted):
            make()


def test_flags_and_senses_from_python_are_checked() -> None:
    body = Same("Author", "town")
    with pytest.raises(ParameterError, match=r"^sense must be one of must, cannot, was 'maybe'"):
        Rule(body, "maybe")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"^across must be True or False, was 'yes'$"):
        Rule(body, "must", across="yes")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"^hard must be True or False, was 1$"):
        Rule(body, "must", hard=1)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"^mutual must be True or False, was 1$"):
        Path(COAUTHORS, mutual=1)  # type: ignore[arg-type]


def test_values_and_keys_from_python_are_checked() -> None:
    with pytest.raises(
        ParameterError, match=r"^the rule same Author\.town: the value '\\ud800' holds characters that are"
    ):
        Same("Author", "town", values=("\ud800",))
    with pytest.raises(
        ParameterError, match=r"the value '\\udc80' holds characters that are no text; write it in UTF-8$"
    ):
        These({"Author": ("Ann", "\udc80")})
    with pytest.raises(ParameterError, match=r"^the rule these takes a list of keys of Author, was 'Ann'$"):
        These({"Author": "Ann"})  # type: ignore[dict-item]
    with pytest.raises(ParameterError, match=r"^the file of a rule must be a name, was ''$"):
        Saved("")
    with pytest.raises(
        ParameterError, match=r"^the threshold of .* must be a number above 0 and at most 1e\+15, was 1"
    ):
        Path(COAUTHORS, 10**400)


PIECES = [
    "must", "cannot", "across", "MUST", "same", "different", "shared", "jaccard", "distance", "text", "known", "run",
    "these", "file", "order", "A.b", "`a;b`.c", "A-T->A", "A-[f;'.cypher]->A", "A-T{w}->B", "<-", "-", "in", "[", "]",
    "['x;y', \"z\"]", "[1, 2.5]", "[]", '{"A": ["a;", "it\'s"]}', "{", "}", ">=", "<=", "=", "<", "2", "0.5", "1e400",
    "nan", "-1", ";", "; hard", "; weight", "; limit", "; sample", "; seed", "; name", "; where", "; mutual", "; last",
    "; fraction", "; decay", "'", '"', "`", "Bob's", "last", "\\", ",", ":", " ", "\n", "\ud800", "\\ud800",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from([" ", " ", ""]))
def test_any_pieces_of_the_language_are_a_rule_or_one_sentence(pieces: list[str], between: str) -> None:
    try:
        rule = Rule.parse(between.join(pieces))
    except ParameterError:
        return
    assert Rule.parse(str(rule)) == rule
