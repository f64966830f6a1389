"""The benchmark of singular vectors runs; how fast it is, is not asserted here."""

import numpy as np
import pytest

from benchmarks import spectral


def test_a_tiny_run_measures_everything(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--edges", "20000", "--k", "3", "--dense", "60", "--least", "4000", "--steps", "2", "--repeats", "1"]
    assert spectral.main(asked) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [" = " in line and line.startswith("spectral") for line in lines] == [True] * 13
    assert all("allowed" not in line or line.endswith(": yes") for line in lines)
    assert sum("peak memory" in line for line in lines) == 1


def test_links_are_those_that_are_said() -> None:
    network = spectral.Network.of_size(20_000, 3)
    for constraints in (network.groups(), network.pairs()):
        links = constraints.within["Row"]
        rows = links.groups.members if len(links.groups) else np.concatenate([links.left, links.right])
        assert 0.4 < len(np.unique(rows)) / len(network.classes) <= 0.5
    groups = network.groups().within["Row"].groups
    mixed = sum(len(np.unique(network.classes[groups[number]])) > 1 for number in range(len(groups)))
    assert mixed <= 2  # where one class ends and the next begins


@pytest.mark.parametrize("arguments", [["--edges", "0"], ["--k", "x"]])
def test_wrong_options_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        spectral.main(arguments)
    assert stopped.value.code == 2
