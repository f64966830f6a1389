"""Which rules say again what the relation says."""

from pathlib import Path

import numpy as np
import pytest

from graphmine.constraints.draw import draw
from graphmine.constraints.files import save_constraints
from graphmine.constraints.redundant_rules import repeats_relation
from graphmine.constraints.rules import Rule
from graphmine.model import FREE, Pattern
from tests.constraints.source_in_memory import Memory

VENUES = "Author-WROTE->Paper-IN->Venue"
REPEATS = {
    "must Author-WROTE->Paper<-WROTE-Author": True,
    "must Author-WROTE{order}->Paper<-WROTE-Author >= 2": True,
    "must shared Author-WROTE->Paper-MENTIONS->Term >= 2": True,
    "must jaccard Venue<-IN-Paper >= 0.5": True,
    "must Venue-IN-Paper-IN-Venue": True,
    "must across Author-WROTE->Paper-IN->Venue": True,
    "must Author-COAUTHOR->Author": False,
    "must Author-WROTE->Book<-WROTE-Author": False,
    "must Author-[pairs.cypher]->Author": False,
    "must same Author.town": False,
    "must text Author.name <= 1": False,
    "known Author.area": False,
    "run last": False,
    'must these {"Author": ["a", "b"]}': False,
    "must Author-COAUTHOR->Author; repeats": True,
    "must same Author.town; repeats": True,
    "must Author-WROTE->Paper<-WROTE-Author; independent": False,
}


@pytest.mark.parametrize("text", REPEATS)
def test_a_rule_over_the_relationships_of_the_relation_repeats_it(text: str) -> None:
    relations = [Pattern.parse("Author-LIVES->Town"), Pattern.parse(VENUES)]
    assert repeats_relation(Rule.parse(text), FREE, relations) is REPEATS[text]
    assert repeats_relation(Rule.parse(text), FREE, []) is ("; repeats" in text)


def test_a_query_file_repeats_the_relation_of_the_same_file() -> None:
    rule = Rule.parse("must Author-[pairs.cypher]->Author")
    for file, same in {"pairs.cypher": True, "others.cypher": False}.items():
        assert repeats_relation(rule, FREE, [Pattern.parse(f"Author-[{file}]->Venue")]) is same


@pytest.mark.parametrize(
    ("rule", "repeated"),
    [
        ("must Wine~knn(hue; neighbours 1)", True),
        ("must Wine~rbf(ash, hue) >= 0.9", True),
        ("must distance Wine.hue <= 0.1", True),
        ("cannot different Wine.ash", True),
        ("must Wine~knn(malt)", False),
        ("must Beer~knn(hue)", False),
        ("must distance Beer.hue <= 0.1", False),
        ("must Wine-hue->Wine", False),
    ],
)
def test_a_rule_on_what_nodes_are_compared_by_repeats_the_relation(rule: str, repeated: bool) -> None:
    assert repeats_relation(Rule.parse(rule), FREE, [Pattern.parse("Wine~rbf(ash, hue)")]) is repeated


def test_constraints_name_the_rules_that_repeat_the_relation(tmp_path: Path) -> None:
    source = Memory({"A": {"key": ["x", "y", "z"], "one": [1, 1, 2]}}, {"A-KNOWS->A": np.ones((3, 3))})
    known = [Pattern.parse("A-KNOWS->A")]

    def repeated(*rules: str) -> frozenset[str]:
        return draw(list(map(Rule.parse, rules)), source.nodes, source, relations=known).constraints.repeats

    assert repeated("must A-KNOWS->A; name knows", "must same A.one; name one") == {"knows"}
    for rules, all_repeat in ((["must A-KNOWS->A"], True), (["must A-KNOWS->A", "must same A.one"], False)):
        first = draw(list(map(Rule.parse, rules)), source.nodes, source, relations=known)
        save_constraints(first.constraints, source.nodes, tmp_path / "saved.json")
        file = f"file {tmp_path / 'saved.json'}"
        assert repeated(f"{file}; name f") == ({"f"} if all_repeat else set())
        assert repeated(f"{file}; name f; where A.one >= 1") == ({"f"} if all_repeat else set())
        assert repeated(f"{file}; repeats; name f") == {"f"}
        assert repeated(f"{file}; independent; name f") == set()
