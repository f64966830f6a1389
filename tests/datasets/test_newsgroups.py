"""Messages become word counts: headers gone, stop words gone, rare words gone; the real set has its known size."""

from pathlib import Path

import numpy as np
import pytest

from graphmine.datasets import archives, newsgroups
from graphmine.errors import DataError, ParameterError
from tests.datasets.made_archives import small_newsgroups


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_newsgroups(tmp_path, each=4)


@pytest.mark.usefixtures("small")
def test_counts_of_some_groups() -> None:
    documents, words, counts, groups = newsgroups.counts(["sci.med", "rec.autos"])
    assert documents == [f"{group}/{number}" for group in ("rec.autos", "sci.med") for number in range(4)]
    assert groups == ["rec.autos"] * 4 + ["sci.med"] * 4
    assert counts.shape == (8, len(words))
    assert (counts > 0).sum(axis=0).min() >= 2
    assert set(counts.sum(axis=1).tolist()) <= set(range(20, 26))  # 24 words and the subject, but for the rare ones
    assert not {"newsgroups", "lines", "sci", "med"} & set(words)


@pytest.mark.usefixtures("small")
def test_words_of_the_most_documents_are_kept() -> None:
    every, some = newsgroups.counts(least=1), newsgroups.counts(least=1, words=10)
    spread = dict(zip(every.words, (every.counts > 0).sum(axis=0).tolist(), strict=True))
    assert len(some.words) == 10
    assert min(spread[word] for word in some.words) >= max(spread[word] for word in set(every.words) - set(some.words))
    columns = [every.words.index(word) for word in some.words]
    assert np.array_equal(every.counts.toarray()[:, columns], some.counts.toarray())


@pytest.mark.usefixtures("small")
def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"group must be one of .*did you mean 'sci.med'"):
        newsgroups.counts(["sci.medicine"])


def test_no_words_are_one_sentence() -> None:
    with pytest.raises(DataError, match=r"the 2 documents have no word that is in 2 of them"):
        newsgroups.count_words(["a/1", "a/2"], ["the pill", "a rocket"])


def test_the_real_set_has_its_size() -> None:
    try:
        archives.archive(newsgroups.NAME)
    except DataError as error:
        pytest.skip(str(error))
    documents, words, counts, groups = newsgroups.counts(["alt.atheism", "comp.graphics"])
    assert (len(documents), len(words)) == (2000, 14070)
    assert counts.shape == (2000, 14070)
    assert groups.count("alt.atheism") == 1000
