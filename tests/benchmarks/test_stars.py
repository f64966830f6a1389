"""The benchmark of stars runs; how fast it is, is not asserted here."""

import numpy as np
import pytest

from benchmarks import stars


def test_a_tiny_run_measures_everything(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stars, "SEEDS", 1)
    assert stars.main(["--nodes", "400", "2000", "--planted", "80", "--paper", "12", "--repeats", "1"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith("stars") and " = " in line for line in lines] == [True] * (4 + 2 * 4 + 1 + 1 + 4 * 3)
    assert [line.endswith(": yes") for line in lines if " gap " in line or "apart" in line] == [True] * 4
    assert sum("peak memory" in line for line in lines) == 1


def test_svds_is_given_the_star_that_is_searched() -> None:
    star = stars._planted(400)
    block = stars._side_by_side(star)
    assert block.shape == (200, sum(arm.block.shape[1] for arm in stars._pencil(star).arms))
    assert np.linalg.svd(block.toarray(), compute_uv=False)[0] == pytest.approx(1)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(SystemExit) as stopped:
        stars.main(["--nodes", "0"])
    assert stopped.value.code == 2
