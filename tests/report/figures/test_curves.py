"""Curves of what was tried: drawn where there is something, and not where nothing is."""

from pathlib import Path

import numpy as np
import pytest

from graphmine.report.figures.curves import _figure, _tried, draw_curves

PATH = [{"lambda": lam, "cut": cut, "violated": 5 - at, "chosen": at == 1} for at, (lam, cut) in
        enumerate([(0.0, 0.1), (0.01, 0.2), (0.1, 0.3)])]  # fmt: skip
CHOICE = {"n_clusters": 2, "tried": [{"k": 1, "gap": 0.5, "modularity": None}, {"k": 2, "gap": 0.2, "modularity": 0.3}]}


@pytest.mark.parametrize("suffix", [".png", ".svg"])
@pytest.mark.parametrize("parameters", [{"tried": PATH}, {"chosen": CHOICE}])
def test_what_was_tried_is_drawn_the_same_every_time(
    tmp_path: Path, parameters: dict[str, object], suffix: str
) -> None:
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    assert draw_curves(parameters, one)
    assert draw_curves(parameters, two)
    assert one.read_bytes() == two.read_bytes()
    assert len(one.read_bytes()) > 1000


def test_each_measure_has_a_panel_and_the_value_that_was_taken_a_mark() -> None:
    name, rows, taken = _tried({"tried": PATH})
    assert (name, taken) == ("lambda", 0.01)
    panels = [axes for axes in _figure(name, rows, taken).axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in panels] == ["cut", "violated"]
    curve, mark = panels[0].get_lines()
    assert np.array_equal(curve.get_ydata(), [0.1, 0.2, 0.3])
    assert np.array_equal(mark.get_xdata(), [1, 1])


def test_values_that_are_missing_are_left_out() -> None:
    _, rows, taken = _tried({"chosen": CHOICE})
    assert taken == 2
    gap, modularity = _figure("k", rows, taken).axes
    assert np.array_equal(gap.get_lines()[0].get_xdata(), [0, 1])
    assert np.array_equal(modularity.get_lines()[0].get_ydata(), [0.3])


def test_where_nothing_was_tried_nothing_is_drawn(tmp_path: Path) -> None:
    assert not draw_curves({"n_clusters": 2}, tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()
