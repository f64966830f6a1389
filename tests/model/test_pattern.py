"""Patterns and filters survive being written and read again, whatever their names; half-made ones are refused."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from graphmine.errors import ParameterError
from graphmine.model import Filter, Pattern, Similarity, Step
from graphmine.model.pattern import OPERATORS, Direction

# Letters of all scripts, and every character that means something to the pattern language.
CHARACTERS = st.one_of(st.characters(exclude_categories=["C", "Z"]), st.sampled_from("`-<>[]{}.=!' \"\\_a1~(),;"))
NAMES = st.text(CHARACTERS, min_size=1, max_size=8).filter(lambda name: name.isprintable() and bool(name.strip()))
FILES = NAMES.filter(lambda name: "]" not in name and name == name.strip())
DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")


@st.composite
def similarities(draw: st.DrawFn) -> Similarity:
    properties = tuple(draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)))
    sigma, scale = draw(st.none() | st.floats(1e-150, 1e150)), draw(st.booleans())
    if draw(st.booleans()):
        return Similarity("rbf", properties, sigma=sigma, scale=scale)
    return Similarity("knn", properties, draw(st.none() | st.integers(1, 10**30)), sigma, scale)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    if draw(st.booleans()):
        return Pattern((Step(draw(NAMES), "", draw(NAMES), file=draw(FILES)),))
    if draw(st.booleans()):
        kind = draw(NAMES)
        return Pattern((Step(kind, "", kind, similarity=draw(similarities())),))
    kinds = draw(st.lists(NAMES, min_size=2, max_size=4))
    steps = (
        Step(source, draw(NAMES), target, draw(st.sampled_from(DIRECTIONS)), draw(st.none() | NAMES))
        for source, target in pairwise(kinds)
    )
    return Pattern(tuple(steps))


WHOLE = st.integers(-(2**63), 2**63 - 1)
ONE_VALUE = [st.text(), WHOLE, st.floats(allow_nan=False, allow_infinity=False), st.booleans()]


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    operator = draw(st.sampled_from(OPERATORS))
    value = draw(st.sampled_from(ONE_VALUE))
    chosen = draw(st.lists(value, min_size=1, max_size=3) if operator == "in" else value)
    return Filter(draw(NAMES), draw(NAMES), operator, chosen)  # type: ignore[arg-type]


@given(patterns())
def test_a_pattern_reads_what_it_writes(pattern: Pattern) -> None:
    assert Pattern.parse(str(pattern)) == pattern


@given(filters())
def test_a_filter_reads_what_it_writes(written: Filter) -> None:
    again = Filter.parse(str(written))
    assert again == written
    assert type(again.value) is type(written.value)


@given(st.text(CHARACTERS, max_size=30))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    for noun in (Pattern, Filter):
        try:
            read = noun.parse(text)
        except ParameterError:
            continue
        assert noun.parse(str(read)) == read


def test_the_forms_of_a_pattern() -> None:
    assert Pattern.parse("Author-WROTE->Paper<-IN{ n }-Venue").steps == (
        Step("Author", "WROTE", "Paper"),
        Step("Paper", "IN", "Venue", "in", "n"),
    )
    assert Pattern.parse(" Person - KNOWS - Club ").steps == (Step("Person", "KNOWS", "Club", "both"),)
    assert Pattern.parse("A-[ my file.cypher ]->B").steps == (Step("A", "", "B", file="my file.cypher"),)
    path = Pattern.parse("`a``b`-T->B-T->C")
    assert (path.rows, path.cols, path.kinds) == ("a`b", "C", ("a`b", "B", "C"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"^relation '' can not be read at ''; write it as Kind-TYPE->Kind"),
        ("Author", r"^relation 'Author' can not be read"),
        ("Author->Paper", r"can not be read at '->Paper'"),
        ("Author-WROTE->Paper-IN", r"can not be read at '-IN'"),
        ("A<-T->B", r"can not be read at '<-T->B'"),
        ("A-``->B", r"can not be read"),
        ("A-` `->B", r"^relationship type must be a name, was ' '$"),
        ("A-T{``}->B", r"can not be read"),
        ("A-`x\ny`->B", r"^relationship type must not hold control characters"),
        ("A<-[f.cypher]-B", r"^a query file is written Kind-\[file\.cypher\]->Kind$"),
        ("A-[f.cypher]->B-T->C", r"mixes a query file with other steps; a file is a whole relation$"),
        ("A-[ ]->B", r"^query file must be a name"),
        ("A~", r"^relation 'A~' can not be read at '~'; write it as Kind~rbf\(property, property\), or for example"),
        ("A~rbf", r"can not be read at '~rbf'; write it as Kind~rbf"),
        ("A~rbf()", r"can not be read at '\)'"),
        ("A~rbf(x,, y)", r"can not be read at ', y\)'"),
        ("A~rbf(x y)", r"can not be read at 'x y\)'"),
        ("A~rbf(x; sigma)", r"can not be read at ' sigma\)'"),
        ("A~rbf(x", r"can not be read at 'x'"),
        ("A~rfb(x)", r"^the similarity in relation 'A~rfb\(x\)' must be one of rbf, knn.*did you mean 'rbf'\?\)$"),
        ("A~knn(x; neighbors 3)", r"must be one of neighbours, sigma, scale.*did you mean 'neighbours'\?\)$"),
        ("A~knn(x; neighbours 3; neighbours 3)", r"says neighbours twice$"),
        ("A~knn(x; neighbours 0)", r"^neighbours must be a whole number of at least 1, was 0$"),
        ("A~knn(x; neighbours few)", r"has a bad neighbours: 'few'$"),
        ("A~rbf(x; neighbours 3)", r"^~rbf relates every two nodes and takes no neighbours; write ~knn$"),
        ("A~rbf(x; sigma 0)", r"^sigma must be a number from 1e-150 to 1e\+150, was 0"),
        ("A~rbf(x; sigma nan)", r"^sigma must be a number from"),
        ("A~rbf(x; scale maybe)", r"has a bad scale: 'maybe'$"),
        ("A~rbf(x, `x`)", r"^~rbf names the property 'x' twice$"),
        ("A~rbf(` `)", r"^property must be a name"),
        ("A~rbf(x)-T->B", r"can not be read at '-T->B'; a similarity is a whole relation$"),
        ("A-T->B~rbf(x)", r"can not be read at '~rbf\(x\)'; a similarity is a whole relation$"),
    ],
)
def test_patterns_that_can_not_be_read(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Pattern.parse(text)


@pytest.mark.parametrize(
    ("text", "similarity", "again"),
    [
        ("A~rbf(x)", Similarity("rbf", ("x",)), "A~rbf(x)"),
        (" A ~ rbf ( x , `odd, name` ) ", Similarity("rbf", ("x", "odd, name")), "A~rbf(x, `odd, name`)"),
        ("A~knn(x)", Similarity("knn", ("x",), 10), "A~knn(x)"),
        ("A~knn(x; neighbours 10; scale yes)", Similarity("knn", ("x",)), "A~knn(x)"),
        (
            "A~knn(x; scale no; sigma 2.50; neighbours 3)",
            Similarity("knn", ("x",), 3, 2.5, scale=False),
            "A~knn(x; neighbours 3; sigma 2.5; scale no)",
        ),
    ],
)
def test_the_forms_of_a_similarity(text: str, similarity: Similarity, again: str) -> None:
    pattern = Pattern.parse(text)
    assert pattern.steps == (Step("A", "", "A", similarity=similarity),)
    assert (pattern.rows, pattern.cols, str(pattern)) == ("A", "A", again)


def test_patterns_and_steps_that_can_not_be_made() -> None:
    with pytest.raises(ParameterError, match=r"^a relation needs at least one step$"):
        Pattern(())
    with pytest.raises(ParameterError, match=r"^a path that comes to 'B' can not go on from 'C'$"):
        Pattern((Step("A", "T", "B"), Step("C", "T", "D")))
    with pytest.raises(ParameterError, match=r"^query file must not hold \]"):
        Step("A", "", "B", file="a]b")
    with pytest.raises(ParameterError, match=r"^a query file is written"):
        Step("A", "T", "B", file="f.cypher")
    with pytest.raises(ParameterError, match=r"^direction must be one of out, in, both, was 'up'"):
        Step("A", "T", "B", "up")  # type: ignore[arg-type]
    for type_, target in (("", "B"), ("T", "A")):
        with pytest.raises(ParameterError, match=r"^a similarity relates a kind with itself and is written"):
            Step("A", type_, target, similarity=Similarity("rbf", ("x",)))
    alike = Step("A", "", "A", similarity=Similarity("rbf", ("x",)))
    with pytest.raises(ParameterError, match=r"mixes a similarity with other steps; a similarity is a whole relation$"):
        Pattern((alike, Step("A", "T", "B")))
    with pytest.raises(ParameterError, match=r"^~rbf names no property; write for example ~rbf\(age\)$"):
        Similarity("rbf", ())
    with pytest.raises(ParameterError, match=r"^weight property must be a name"):
        Step("A", "T", "B", weight="")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A.x = 3", 3),
        ("A.x=-2.5e3", -2500.0),
        ("A.x != true", True),
        ("A.x = true story", "true story"),
        ("A.x = 'it\\'s'", "it's"),
        ("A.x = 'say \"hi\"'", 'say "hi"'),
        ('A.x = "it\'s"', "it's"),
        ("A.x in ['a', \"it's\"]", ["a", "it's"]),
        ("A.x in [1, 2]", [1, 2]),
        ("A.x in [1, 2.5]", [1.0, 2.5]),
        ("A.x = 'a\\\\\"b'", 'a\\"b'),
        ("A.x = NaN", "NaN"),
        ("A.x = 007", "007"),
        ("A.x > '>'", ">"),
    ],
)
def test_the_values_of_a_filter(text: str, value: object) -> None:
    read = Filter.parse(text).value
    assert read == value
    assert type(read) is type(value)
    assert not isinstance(read, list) or len({type(each) for each in read}) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("year >= 2000", r"^filter 'year >= 2000' can not be read; write it as Kind.property >= value$"),
        ("A.x == 3", r"can not be read"),
        ("A.x =", r"can not be read"),
        ("A.x ~ 3", r"can not be read"),
        ("A.x = [1]", r"^filter A\.x: 'in', and only 'in', takes a list"),
        ("A.x in 3", r"^filter A\.x: 'in', and only 'in', takes a list"),
        ("A.x in []", r"^filter A\.x: the list is empty; write at least one value$"),
        ("A.x in [1, true]", r"the list must hold values of one type$"),
        ("A.x = \ud800", r"^filter A\.x: the value '\\ud800' holds characters that are no text; write it in UTF-8$"),
        ('A.x in ["b", "\\udc80"]', r"the value '\\udc80' holds characters that are no text"),
        ("A.x in [1, 'a']", r"the list must hold values of one type$"),
        ("A.x in [null]", r"a value must be text, a number or a truth value, was None$"),
        ("A.x = null", r"a value must be text, a number or a truth value, was None$"),
        ("A.x = 1e999", r"a value must be text, a number or a truth value, was inf$"),
        ("A.x in [[1]]", r"a value must be text, a number or a truth value, was \[1\]$"),
        ("A.x = 'open", r"^the value 'open can not be read"),
        ("A.x = {}", r"^filter A\.x: a value must be text, a number or a truth value, was {}$"),
        ("A.` ` = 1", r"^property must be a name"),
    ],
)
def test_filters_that_can_not_be_read(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Filter.parse(text)


def test_values_too_deep_or_too_large_are_refused_in_a_short_sentence() -> None:
    for value, sentence in (
        ("[" * 100_000, r"^the value \[{79}… can not be read; write a number, true, 'text' or \[a, b\]$"),
        ("[" * 500 + "]" * 500, r"a value must be text, a number or a truth value, was \[+\.\.\.\]+$"),
        (f"[{10**1000}]", r"^filter A\.x: 10+\.\.\.0+ is too large a number for a database$"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            Filter.parse(f"A.x in {value}")
