"""The benchmark of penalised cuts runs; how fast it is, is not asserted here."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from benchmarks import l1


def test_a_tiny_run_measures_everything(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l1, "SETS", l1.SETS[:1])
    asked = ["--nodes", "400", "600", "--pairs", "20", "--dual", "200", "--repeats", "1"]
    assert l1.main(asked) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith("l1") and " = " in line for line in lines] == [True] * (2 + 1 + 2 * 3 * 3)
    assert [line.endswith(": yes") for line in lines if " / allowed" in line] == [True] * (1 + 1 + 2 * 3 * 2)


def test_the_sets_are_as_large_as_in_the_paper() -> None:
    wine, wdbc = (l1._similar(load, 50) for load in (load_wine, load_breast_cancer))
    assert (len(wine.degrees), len(wdbc.degrees)) == (119, 569)
    assert wine.graph.nnz == 119 * 118
    assert 0 < wine.alike.sum() < 50


def test_planted_pairs_are_wrong_as_often_as_said() -> None:
    cut = l1._planted(20_000, 20, 0.1)
    classes = np.arange(20_000) % 2
    right = (classes[cut.ends[:, 0]] == classes[cut.ends[:, 1]]) == cut.alike
    assert len(right) == 2000
    assert right.mean() == pytest.approx(1 - l1.WRONG, abs=0.03)
    assert cut.graph.sum() / 20_000 == pytest.approx(20)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(SystemExit) as stopped:
        l1.main(["--nodes", "0"])
    assert stopped.value.code == 2
