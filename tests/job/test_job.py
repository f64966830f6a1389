"""A job is checked whole before a database is opened."""

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from graphmine.constraints.rules import Rule
from graphmine.errors import GraphmineError, ParameterError
from graphmine.job import Job, read_job
from graphmine.model import Filter, Pattern

WHOLE = """
db = "graph.lbug"
relation = ["Author-WROTE->Paper-IN->Conference"]
where = ["Paper.year >= 2000"]
key = "Author.name"
method = "scm"
n_clusters = 4
seed = 3
write = "area"
overwrite = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "job.toml"


def test_a_file_holds_all_of_a_job(file: Path) -> None:
    file.write_text(WHOLE)
    job = read_job(file)
    assert (job.db, job.n_clusters, job.seed, job.write, job.overwrite) == ("graph.lbug", 4, 3, "area", True)
    assert (job.keys, str(job.filters[0])) == ({"Author": "name"}, "Paper.year >= 2000")
    assert job == Job(
        relation=("Author-WROTE->Paper-IN->Conference",), n_clusters=4, db="graph.lbug", where=("Paper.year >= 2000",),
        key=("Author.name",), method="scm", seed=3, write="area", overwrite=True,
    )  # fmt: skip


def test_flags_replace_fields(file: Path) -> None:
    file.write_text(WHOLE)
    assert read_job(file, n_clusters=2, write=None).n_clusters == 2
    assert read_job(file, write=None).write == "area"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("relation = 3\nn_clusters = 2", "relation must be text or a list of texts, was 3"),
        ("relation = []\nn_clusters = 2", "relation is missing"),
        ("relation = 'A-T->B'", "needs a field 'n_clusters'; 'auto' chooses it from the data"),
        ("relation = 'A-T->B'\nn_clusters = {A = 2}", "n_clusters has no number for B"),
        ("relation = 'A-T->B'\nn_clusters = {A = 2, B = 3, C = 1}", "given for 'C', and the relation has only A, B"),
        ("relation = 'A-T->M-T->B'\nn_clusters = {A = 2, M = 2, B = 3}", "given for 'M'"),
        ("relation = 'A-T->B'\nn_clusters = {A = 2, B = 'auto'}", "n_clusters of B can not be auto"),
        ("relation = 'A-T->B'\nn_clusters = {A = 2, B = 0}", "n_clusters of B must be a whole number of at least 1"),
        ("relation = 'A-T->B'\nn_clusters = {A = 2, B = 3}", "not one for each; .* such as scm$"),
        ("relation = ['A-T->B', 'A-T->C']\nn_clusters = {A = 2, B = 3, C = 1}", "not one for each; .* such as cbgc$"),
        ("relation = 'A-T->B'\nn_clusters = [3, 4]", "at least 1, 'auto', or a table .* each kind, was .3, 4.$"),
        ("relation = 'A-T->B'\nn_clusters = 2\nby = 'A.x'", "'by', which is a field of evolve; run `graphmine evolve`"),
        ("relation = 'A-T->B'\nn_clusters = 'auto'\nparam = {delta = 1}", "loom has no parameter 'delta'"),
        ("relation = 'A-T->B'\nn_clusters = 'auto'\nparam = {n_clusters = 1}", "field of its own"),
        ("n_clusters = 2", "needs a field 'relation'"),
        ("relation = 'A-T->B'\nn_clusters = 'two'", "a whole number of at least 1, or 'auto', was 'two'"),
        ("relation = 'A-T->B'\nn_clusters = true", "n_clusters must be a whole number"),
        ("relation = 'A-T->B'\nn_cluster = 2", "unknown field 'n_cluster' .*did you mean 'n_clusters'"),
        ("relation = 'A->B'\nn_clusters = 2", "can not be read at '->B'"),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 's-co'\nconstrain = 'must same A.x'",
            "s-co takes no constraints",
        ),
        ("relation = 'A-T->B'\nn_clusters = 2\nmethod = 'scm'\nconstrain = ['same A.x']", "must begin with must or"),
        ("relation = 'A-T->B'\nn_clusters = 2\nmethod = 'scm'\nconstrain = ['order A.x']", "scm takes across, cannot"),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 'lcm'\nconstrain = ['cannot same A.x']",
            "lcm takes across, must and the rule 'cannot same A.x' gives cannot; .* such as loom$",
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 'scm'\nconstrain = [1]",
            "constrain must be a rule or a list of rules",
        ),
        (
            "relation = 'A-T->B'\nn_clusters = 2\nmethod = 'scm'\nconstrain = ['must same A.x', 'must same A.x']",
            "there are two rules 'must same A.x'",
        ),
        ("relation = 'A-T->B'\nn_clusters = 2\non_conflict = 'drop'", "on_conflict must be one of error, drop-cannot"),
        ("relation = ['A-T->B', 'A-T->C']\nn_clusters = 2\nmethod = 's-co'", "not a star of 2; .* such as loom$"),
        ("relation = 'A-T->B'\nn_clusters = 2\nmethod = 'sco'", "did you mean 's-co'"),
        ("relation = 'A-T->B'\nn_clusters = 2\nseed = -1", "seed must be a whole number of at least 0"),
        ("relation = 'A-T->B'\nn_clusters = 2\nwrite = ''", "write must be a name"),
        ("relation = 'A-T->B'\nn_clusters = 2\noverwrite = 'yes'", "overwrite must be true or false"),
        ("relation = 'A-T->B'\nn_clusters = 2\nwhere = 'Paper.year'", "filter 'Paper.year' can not be read"),
        ("relation = 'A-T->B'\nn_clusters = 2\nkey = 'Author'", "write it as Kind.property"),
        ("relation = 'A-T->B'\nn_clusters = 2\nparam = {delta = 1}", "loom has no parameter 'delta'"),
        ("relation = 'A-T->B'\nn_clusters = 2\nparam = {n_clusters = 1}", "field of its own"),
        ("relation = 'A-T->B'\nk = 2", "unknown field 'k' .*did you mean 'n_clusters'"),
        ("relation = 'A-T->B'\nn_clusters = 2\nkey = ['A.x', 'A.y']", "key names a kind twice"),
        ("relation = 'A-T->B'\nn_clusters = 2\nwhere = 'A.x > 99999999999999999999'", "too large a number"),
        ("relation = ", "is no TOML"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(file: Path, text: str, sentence: str) -> None:
    file.write_text(text)
    with pytest.raises(GraphmineError, match=sentence) as caught:
        read_job(file)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_one_sentence(file: Path) -> None:
    with pytest.raises(ParameterError, match="can not be read: No such file"):
        read_job(file)


def test_rules_may_be_texts_or_rules() -> None:
    rule = Rule.parse("must same Author.town")
    by_rule = Job(relation="Author-IN->Venue", n_clusters=2, method="scm", constrain=rule)
    by_text = Job(relation="Author-IN->Venue", n_clusters=2, method="scm", constrain=["must same Author.town"])
    assert by_rule == by_text
    assert by_rule.rules == (rule,)


def test_the_number_of_clusters_may_be_one_for_each_kind_or_left_to_the_data(file: Path) -> None:
    file.write_text("relation = '`a b`-T->Venue'\nmethod = 'scm'\nn_clusters = {Venue = 3, 'a b' = 4}")
    job = read_job(file)
    assert job.n_clusters == {"a b": 4, "Venue": 3} == job.fitter.n_clusters
    assert not job.chooses
    job = read_job(file, n_clusters="auto")
    assert job.chooses
    assert job.fitter_for(3).n_clusters == 3
    with pytest.raises(ParameterError, match="still to be chosen from the data"):
        _ = job.fitter


def test_fields_are_parsed_once_when_a_job_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = Pattern.parse

    def recorded(text: str) -> Pattern:
        read.append(text)
        return parse(text)

    monkeypatch.setattr(Pattern, "parse", recorded)
    job = Job(relation=["A-T->B", "A-U->C"], n_clusters=2, key=["A.name", "D.name"], constrain="must A-V->D<-V-A")
    assert read == ["A-T->B", "A-U->C", "A-V->D<-V-A"]
    assert (len(job.patterns), job.kinds, len(job.rules), dict(job.keys)) == (
        2,
        ("A", "B", "C"),
        1,
        {"A": "name", "D": "name"},
    )
    assert job.relation_keys == {"A": "name"}
    assert len(read) == 3


def test_a_job_is_compared_copied_and_replaced_by_its_fields() -> None:
    job = Job(relation="A-T->B", n_clusters=2, where="A.year > 2000", constrain="must A-V->D<-V-A")
    assert job.patterns
    for other in (copy.deepcopy(job), pickle.loads(pickle.dumps(job)), replace(job)):
        assert (other, other.rules, repr(other)) == (job, job.rules, repr(job))
    assert replace(job, where="A.year > 2010").filters == (Filter.parse("A.year > 2010"),)


def test_a_key_that_nothing_goes_through_is_refused_when_keys_are_asked_for() -> None:
    job = Job(relation="A-T->B", n_clusters=2, key="C.name")
    with pytest.raises(ParameterError, match=r"^key C\.name: no relation and no rule goes through a kind 'C'$"):
        _ = job.relation_keys
