"""Names and literals can say only themselves, whatever they hold."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphmine.errors import ParameterError, StoreError
from graphmine.store import Database, Store
from graphmine.store.cypher import Raw, fill, literal, quote
from graphmine.store.ladybug.database import column_type
from tests.databases import read
from tests.store.test_contract import HOSTILE

PRINTABLE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(
    lambda text: text.strip() and text.isprintable()
)
TRICKY = st.lists(
    st.sampled_from([*HOSTILE, "'", "\\'", "*/", "//", "\\u0060", "\\u", "\\\\u0060", "RETURN", "@name", "$x"])
).map("".join)
NAMES = (PRINTABLE | TRICKY).filter(str.strip)


def unquoted(text: str) -> str:
    """Read a quoted name as Cypher does: up to the first backtick that is not doubled, which must be the last."""
    assert text[0] == text[-1] == "`"
    inner = text[1:-1].replace("``", "\0")
    assert "`" not in inner
    return inner.replace("\0", "`")


@settings(max_examples=2000)
@given(name=NAMES)
def test_a_quoted_name_ends_where_it_should(name: str) -> None:
    assert unquoted(quote(name)) == name


@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=NAMES)
def test_a_database_reads_a_quoted_name_as_it_was_meant(store: Store, name: str) -> None:
    assert read(store, store.database.fill("RETURN 1 AS @name", {"name": name})).column_names == [name]


@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=NAMES)
def test_a_database_reads_a_literal_as_it_was_meant(store: Store, text: str) -> None:
    assert read(store, fill("RETURN @text AS x", {"text": literal(text)}))["x"].to_pylist() == [text]


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "\x1b[31m", "a\u2028b"])
def test_names_that_nobody_could_read_are_refused(name: str) -> None:
    with pytest.raises(ParameterError):
        quote(name)


def test_names_are_filled_once_so_that_a_name_can_not_name_another() -> None:
    assert fill("@kind.@key", {"kind": "@key", "key": "k"}) == "`@key`.`k`"


def test_only_listed_operators_and_types_go_in_raw() -> None:
    assert Raw.operator("!=") == "<>"
    with pytest.raises(ParameterError, match="operator must be one of"):
        Raw.operator("= 1 OR 1")
    with pytest.raises(ParameterError, match="column type must be one of"):
        column_type("INT64); DROP TABLE x")


def test_a_missing_query_file_is_named() -> None:
    with pytest.raises(StoreError, match=r"no_such\.cypher is missing"):
        Database().text("no_such", {})
