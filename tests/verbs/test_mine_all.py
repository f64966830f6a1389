"""Several fits of one pull: pulled once, fitted from one state, written all or none, and compared honestly."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from graphmine.datasets.academic import academic
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.runs import list_runs
from graphmine.job import Job
from graphmine.model import UNPLACED, Star
from graphmine.store import Store
from graphmine.verbs.mine import mine
from graphmine.verbs.mine_all import fit_agreements, mine_all, score_all
from graphmine.verbs.score import score
from tests.cli.program import VENUES
from tests.databases import all_values, write

PLAIN = Job(relation=VENUES, n_clusters=3, method="s-co")
TOLD = replace(PLAIN, method="scm", constrain="must known Author.known_area; fraction 0.2", name="told")


@pytest.fixture
def authors(store: Store) -> Store:
    load(store, academic(authors=60, conferences=8, terms=20, areas=3, noise=0.2))
    return store


def test_one_pull_gives_what_each_job_gives_alone(authors: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [mine(authors, job) for job in (PLAIN, TOLD)]
    pulls: list[object] = []

    def counted(*args: Any, **named: Any) -> Star:
        pulls.append(args)
        return pull(*args, **named)

    monkeypatch.setattr("graphmine.verbs.mine.pull", counted)
    plain, told, other = mine_all(authors, [PLAIN, TOLD, replace(PLAIN, where="Paper.year >= 2010")])
    assert len(pulls) == 2
    assert plain.star is told.star
    assert other.star is not plain.star
    for together, one in zip((plain, told), alone, strict=True):
        for kind in ("Author", "Conference"):
            assert together.clustering.labels[kind].tolist() == one.clustering.labels[kind].tolist()
    assert mine_all(authors, []) == []


def test_those_that_say_where_are_written(authors: Store) -> None:
    fits = mine_all(authors, [replace(PLAIN, write="one"), TOLD, replace(TOLD, write="two")])
    assert [fit.run and fit.run.property for fit in fits] == ["one", None, "two"]
    assert sorted(run.property for run in list_runs(authors)) == ["one", "two"]


def test_nothing_is_written_where_one_could_not_be(authors: Store) -> None:
    write(authors, "MATCH (a:Author) SET a.since = 3")
    before = all_values(authors)
    with pytest.raises(RunError):
        mine_all(authors, [replace(PLAIN, write="one"), replace(TOLD, write="since")])
    with pytest.raises(ParameterError, match="two jobs write to one property"):
        mine_all(authors, [replace(PLAIN, write="one"), replace(TOLD, write="one")])
    assert all_values(authors) == before
    assert list_runs(authors) == []


def test_how_far_fits_agree(authors: Store) -> None:
    fits = mine_all(authors, [PLAIN, TOLD])
    found = fit_agreements(fits)
    assert [(each.fit, each.other, each.kind) for each in found] == [
        ("s-co", "told", "Author"),
        ("s-co", "told", "Conference"),
    ]
    for each in found:
        one, two = (fit.clustering.labels[each.kind] for fit in fits)
        both = (one != UNPLACED) & (two != UNPLACED)
        assert each.ami == pytest.approx(adjusted_mutual_info_score(one[both], two[both]))
        assert each.ari == pytest.approx(adjusted_rand_score(one[both], two[both]))
        assert each.ari is not None
        assert each.ari < 1


def test_scores_are_those_of_the_runs_and_all_fits_are_judged_by_the_same_nodes(authors: Store) -> None:
    fits = mine_all(authors, [replace(PLAIN, write="one"), replace(TOLD, write="two")])
    scored = score_all(authors, fits, "known_area")
    for fit, title in zip(fits, ("s-co", "told"), strict=True):
        assert fit.run
        whole = {each.kind: each.scores for each in scored if each.fit == title and not each.unconstrained}
        assert whole == score(authors, fit.run, "known_area")
    free = {each.fit: each.scores for each in scored if each.unconstrained and each.kind == "Author"}
    assert fits[1].run
    assert free["told"] == score(authors, fits[1].run, "known_area", unconstrained=True)["Author"]
    assert free["s-co"].compared == free["told"].compared < len(fits[0].star.nodes("Author"))
    named = fits[1].constraints.touched("Author", len(fits[0].star.nodes("Author")))
    assert np.count_nonzero(named) == 12


def test_without_constraints_there_is_nothing_unconstrained(authors: Store) -> None:
    fits = mine_all(authors, [PLAIN, replace(PLAIN, seed=1)])
    scored = score_all(authors, fits, "known_area")
    assert {(each.fit, each.unconstrained) for each in scored} == {("s-co 1", False), ("s-co 2", False)}
    with pytest.raises(ParameterError, match="none of Author, Conference has a property 'nothing'"):
        score_all(authors, fits, "nothing")
