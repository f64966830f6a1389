"""Row-only is SCM with the links of rows, and says so where there are others."""

import numpy as np
import pytest

from graphmine import gallery
from graphmine.errors import ConstraintError
from graphmine.methods.spectral.row_only import RowOnly
from graphmine.methods.spectral.scm import SCM
from graphmine.model import Constraints, Links
from tests.methods.dense import random_constraints, random_star


@pytest.mark.parametrize("k", [3, {"Row": 4, "Col": 2}])
def test_it_is_scm_with_the_links_of_rows(k: int | dict[str, int]) -> None:
    star, everything = random_star(40, 25, seed=1), random_constraints(40, 25, seed=1, sort="all")
    rows = Constraints({"Row": everything.within["Row"]})
    found, expected = (each.fit(star, rows, seed=0) for each in (RowOnly(k), SCM(k)))
    assert all(np.array_equal(found.labels[kind], expected.labels[kind]) for kind in ("Row", "Col"))
    assert found.trace == expected.trace
    assert found.trace != SCM(k).fit(star, everything, seed=0).trace


def test_links_of_columns_are_refused_and_empty_ones_are_none() -> None:
    star = gallery.davis()
    RowOnly(2).fit(star, Constraints({"Event": Links()}), seed=0)
    with pytest.raises(
        ConstraintError,
        match=r"^RowOnly takes links of Woman nodes alone, .* links of Event nodes; use SCM or leave them out$",
    ):
        RowOnly(2).fit(star, Constraints({"Event": Links.of_pairs([[0, 1]])}))
    with pytest.raises(ConstraintError, match=r"^RowOnly takes no links across kinds"):
        RowOnly(2).fit(star, Constraints(across={("Woman", "Event"): Links.of_pairs([[0, 1]], across=True)}))
