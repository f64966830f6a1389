"""The benchmark of closing runs; how fast it is, is not asserted here."""

import pytest

from benchmarks import closure


def test_a_tiny_run_measures_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert closure.main(["--pairs", "4000", "--nodes", "6000", "--repeats", "1"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert [" = " in line and line.startswith("closure") for line in lines] == [True] * 4
    assert "close 4,000 pairs among 6,000 nodes" in lines[0]
    assert [line.count("bytes a pair") for line in lines] == [0, 0, 1, 1]


def test_components_are_those_that_are_said() -> None:
    blocks = closure._blocks(30_000)
    assert max(int((blocks == label).sum()) for label in range(3)) == 5_000


@pytest.mark.parametrize("arguments", [["--pairs", "0"], ["--nodes", "x"]])
def test_wrong_options_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        closure.main(arguments)
    assert stopped.value.code == 2
