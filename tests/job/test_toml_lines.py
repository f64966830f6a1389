"""The line of a value is the one it was written on, however it was written."""

import json
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from graphmine.job.toml_lines import Place, line_of, lines_of

ODD = '''\
# a comment with = and [brackets]
seed = 1
"a b".'c.d' = """first
 \\""" second"""
relation = [ # why
  "A-T->B",   # one
  'A-#]->C',
  ["deep", [1,
    2]],
  {x = 1, "y z".w = [1, 2]},
]
long = \'\'\'it's
over\'\'\'\'
day = 1979-05-27 07:32:00 # with a space
empty = []
none = {}

[param]
delta = 2
[ "odd . table" . inner ]
x = 1
[[fit]]
method = "scm"
[fit.param]
delta = 3
[[fit]]
param = {lambda = "path", solver = "auto"}
[[fit.sub]]
k = 1
[[ fit . sub ]]
k = 2
'''


def places(value: object, place: Place = ()) -> Iterator[Place]:
    """Give the way to everything in what tomllib reads."""
    if place:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in items:
        yield from places(each, (*place, name))


def test_everything_has_a_line() -> None:
    assert set(lines_of(ODD)) == set(places(tomllib.loads(ODD)))


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("seed",), 2),
        (("a b", "c.d"), 3),
        (("relation",), 5),
        (("relation", 0), 6),
        (("relation", 1), 7),
        (("relation", 2, 1, 1), 9),
        (("relation", 3, "y z", "w", 1), 10),
        (("long",), 12),
        (("day",), 14),
        (("param", "delta"), 19),
        (("odd . table", "inner", "x"), 21),
        (("fit",), 22),
        (("fit", 0, "method"), 23),
        (("fit", 0, "param", "delta"), 25),
        (("fit", 1, "param", "lambda"), 27),
        (("fit", 1, "sub", 1, "k"), 31),
        (("fit", 1, "not there"), 26),
        (("not there",), None),
    ],
)
def test_odd_ways_to_write(place: Place, line: int | None) -> None:
    assert line_of(lines_of(ODD), place) == line
    assert line_of(lines_of(ODD.replace("\n", "\r\n")), place) == line


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5)
scalars = st.one_of(st.integers(-9, 9), st.booleans(), names)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@given(st.lists(st.tuples(names, values, st.integers(0, 2)), max_size=6, unique_by=lambda each: each[0]))
def test_any_fields_are_found_where_they_were_written(fields: list[tuple[str, object, int]]) -> None:
    lines: list[str] = []
    expected: dict[Place, int] = {}
    for name, value, blank in fields:
        lines += ["# [x] = 1"] * blank
        lines.append(f"{text_of(name)} = {'[' if isinstance(value, list) else text_of(value)}")
        expected[name,] = len(lines)
        if isinstance(value, list):
            for number, each in enumerate(value):
                lines.append(f"  {text_of(each)}, # ]")
                expected[name, number] = len(lines)
            lines.append("]")
    text = "\n".join(lines)
    found = lines_of(text)
    assert set(found) == set(places(tomllib.loads(text)))
    assert {place: found[place] for place in expected} == expected
