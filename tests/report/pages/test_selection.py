"""What was tried is shown as far as it says something."""

from graphmine.report.pages.selection import chosen_parts


def row(k: int, value: float, modularity: float | None = None) -> dict[str, float | None]:
    of_pairs = {"pairs_value": 0.1, "pairs_gap": None, "pairs_edge": 0.2}
    return {"k": k, "singular_value": value, "gap": 0.01, "chance_edge": 0.2, **of_pairs, "modularity": modularity}


def test_rows_are_shown_up_to_a_few_behind_the_last_sign() -> None:
    rows = [row(1, 0.6), row(2, 0.5), *(row(k, 0.1) for k in range(3, 20))]
    (sheet,) = chosen_parts({"n_clusters": "auto", "chosen": {"n_clusters": 2, "why": "so it is", "tried": rows}})
    shown = list(sheet.rows)
    assert [each[0] for each in shown] == ["1", "2", "3", "4", "5"]
    assert sheet.title == "k = 2: so it is"
    assert dict(zip(sheet.columns, shown[0], strict=True)) == {
        "k": "1", "value": "0.6", "gap": "0.01", "chance": "0.2", "of pairs": "0.1", "gap of pairs": "–",
        "chance of pairs": "0.2", "modularity": "–",
    }  # fmt: skip
    rows[9] = row(10, 0.1, 0.4)
    (sheet,) = chosen_parts({"chosen": {"n_clusters": 2, "why": "so it is", "tried": rows}})
    assert len(list(sheet.rows)) == 13


def test_other_parameters_may_have_been_tried_as_well() -> None:
    (sheet,) = chosen_parts({"tried": [{"delta": 1.0, "met": 0.5}, {"delta": 3.0, "met": 0.25}]})
    assert (sheet.columns, list(sheet.rows)) == (("delta", "met"), [["1", "0.5"], ["3", "0.25"]])


def test_nothing_tried_is_nothing_shown() -> None:
    assert chosen_parts({"n_clusters": 4, "delta": 3.0}) == ()
