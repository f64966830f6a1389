"""The language of rules: what is written is read, what is read is written, and the rest is refused in a sentence."""

import re

import pytest
from hypothesis import given, strategies as st

from graphmine.constraints.bodies import Distance, Known, Order, Path, Runs, Same, Saved, Shared, Text, These
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
    "must same-X->same": Rule(Path(Pattern.parse("same-X->same")), "must"),
    "must must-X->must": Rule(Path(Pattern.parse("must-X->must")), "must"),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_every_rule_is_read_and_written(text: str) -> None:
    rule = Rule.parse(text)
    assert rule == READ[text]
    assert Rule.parse(str(rule)) == rule


REFUSED = {
    "": "a rule is empty",
    "Author-WROTE->Paper<-WROTE-Author": "must begin with must or cannot",
    "must cannot same Author.town": "says must and cannot",
    "must Author-WROTE->Paper": "links Author with Paper, which are two kinds; say must across if that is meant",
    "must across Author-WROTE->Paper<-WROTE-Author": "links Author with itself; leave out across",
    "must across same Author.town": "can not link across kinds",
    "must Author-WROTE->Paper<-WROTE-Author >= -1": "the threshold of Author-WROTE->Paper<-WROTE-Author must be",
    "must Author-WROTE->Paper<-WROTE-Author >= 0": "must be a number above 0, was 0",
    "must Author-WROTE->Paper<-WROTE-Author <= 2": "takes a least number, as in … >= 3",
    "must jaccard Author-WROTE->Paper >= 2": "a share is at most 1, was 2",
    "must distance Author.age": "write it as distance Kind.property <= 2, or >= 10",
    "must distance Author.age <= -2": "must be a number from 0 to inf, was -2",
    "must text Author.name <= 1.5": "must be a whole number, was 1.5",
    "must same Author": "'Author' can not be read; write it as Kind.property",
    "must same Author.town in [": "can not be read",
    "must order Paper.year": "takes neither must nor cannot",
    "order Paper.year; hard": "takes no other option than where and name",
    "known Author.area; fraction 0": "fraction must be above 0, was 0",
    "known Author.area; fraction 2": "fraction must be a number from 0 to 1, was 2",
    "must same Author.town; fraction .5": "takes no fraction",
    "must same Author.town; weight 0": "weight must be a number above 0, was 0",
    "must same Author.town; weight nan": "weight must be a number",
    "must same Author.town; weight much": "has a bad weight: 'much'",
    "must same Author.town; weight": "has a bad weight: ''",
    "must same Author.town; hard; weight 2": "is hard, so it takes no weight",
    "must same Author.town; hrad": "(did you mean 'hard'?)",
    "must same Author.town; hard; hard": "says hard twice",
    "must same Author.town; limit 0": "limit must be a whole number of at least 1, was 0",
    "must same Author.town; sample 1.5": "sample must be a whole number of links, or a share below 1, was 1.5",
    "must same Author.town; sample 0": "sample must be above 0, was 0",
    "must same Author.town; sample inf": "sample must be a whole number of links, or a share below 1, was inf",
    "must text Author.name <= inf": "must be a whole number, was inf",
    "must same Author.town; where nonsense": "filter 'nonsense' can not be read",
    "must these [1, 2]": 'write {"Kind": ["key", "key"]}',
    "must these {broken": "can not be read",
    'must these {"Author": []}': "takes one kind or two",
    "run area; last 0": "last must be a whole number of at least 1, was 0",
    "run area; decay 0": "decay must be above 0, was 0",
    "must across Author-CHAIRED->Venue; mutual": "so it can not be mutual",
    "must Author-->Author": "can not be read",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_makes_no_rule_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(REFUSED[text])) as raised:
        Rule.parse(text)
    assert "\n" not in str(raised.value)


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


WIDE = st.one_of(st.floats(0, exclude_min=True, allow_infinity=False), st.integers(1, 2**80), st.floats(0.1, 10))
SHARES = st.floats(0, 1, exclude_min=True)
WHOLE = st.integers(1, 2**80)
NAMES = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters=";"), min_size=1).filter(
    lambda name: name == name.strip()
)
BODIES = st.one_of(
    st.builds(Path, st.just(COAUTHORS), st.none() | WIDE, st.booleans()),
    st.builds(Shared, st.just(VENUES), SHARES, st.booleans()),
    st.builds(Distance, st.just("Author"), st.just("age"), st.sampled_from(["<=", ">="]), WIDE),
    st.builds(Text, st.just("Author"), st.just("name"), st.sampled_from(["<=", ">="]), WHOLE),
    st.builds(Known, st.just("Author"), st.just("area"), SHARES),
    st.builds(Runs, st.just("area"), WHOLE, SHARES),
)
RULES = st.builds(
    Rule, BODIES, sense=st.sampled_from(["must", "cannot"]), weight=WIDE, limit=st.none() | WHOLE,
    sample=st.none() | SHARES | WHOLE, seed=st.integers(0, 2**80), name=st.just("") | NAMES,
    where=st.lists(st.builds(Filter, st.just("A"), st.just("b"), st.just("<"), WIDE.filter(lambda x: x < 2**63)))
    .map(tuple),
)  # fmt: skip


@given(RULES)
def test_numbers_survive_their_text(rule: Rule) -> None:
    assert Rule.parse(str(rule)) == rule


def test_numbers_are_written_in_full() -> None:
    known = Rule(Known("Author", "area", 0.1234567), seed=1234567890123, limit=10**12)
    assert str(known) == "known Author.area; fraction 0.1234567; limit 1000000000000; seed 1234567890123"
    assert str(Rule(Runs("area", 10**6), weight=3.0)) == "run area; last 1000000; weight 3"


@pytest.mark.parametrize("name", ["a; b", " a", "a "])
def test_what_would_end_a_rule_early_is_refused(name: str) -> None:
    wanted = re.escape(f"must not hold a semicolon, or begin or end with a space, was {name!r}")
    for make in (lambda: Rule(Order("Paper", "year"), name=name), lambda: Runs(name), lambda: Saved(name)):
        with pytest.raises(ParameterError, match=wanted):
            make()
