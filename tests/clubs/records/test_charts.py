"""Charts of bars, however many there are: labels that would touch each other are left out."""

from __future__ import annotations

import pytest

from clubs.records.charts import Bar, Bars


def labels(*names: str) -> list[str]:
    chart = Bars("x", "X", "", ("", ""), tuple(Bar(name, "1", 0.5) for name in names))
    return [one.label for one in chart.drawn if one.label]


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        pytest.param(1, ["1."], id="one"),
        pytest.param(8, ["1.", "2.", "3.", "4.", "5.", "6.", "7.", "8."], id="there is room for all"),
        pytest.param(24, ["1.", "5.", "10.", "15.", "20.", "24."], id="twenty-four places"),
        pytest.param(25, ["1.", "5.", "10.", "15.", "20.", "25."], id="the last is one of the fives"),
        pytest.param(11, ["2.", "4.", "6.", "8.", "10."], id="the first would touch the second"),
    ],
)
def test_labels_that_would_touch_are_left_out(places: int, shown: list[str]) -> None:
    assert labels(*(f"{place}." for place in range(1, places + 1))) == shown


def test_bars_without_numbers_are_told_apart_by_their_place() -> None:
    assert labels(*("a very long label" for _ in range(3))) == ["a very long label"] * 2


def test_every_bar_is_drawn_and_stands_in_the_table() -> None:
    chart = Bars("x", "X", "", ("", ""), tuple(Bar(f"{place}.", "1", 0.5) for place in range(1, 25)))
    assert len(chart.drawn) == len(chart.rows) == 24
