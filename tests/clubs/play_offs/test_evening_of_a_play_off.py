"""The tables of the tests' play-offs are played to the totals that were wished for."""

from __future__ import annotations

import pytest

from tests.clubs.play_offs.evening import play_off, reading_of

pytestmark = pytest.mark.django_db


def test_groups_are_opened_and_played_to_the_totals_that_were_wished_for() -> None:
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    assert [evening.names_at(table) for table in (first, second)] == [
        ["Ann", "Bo", "Cy", "Di", "Ed"], ["Flo", "Gus", "Hal", "Ivy"],
    ]  # fmt: skip
    evening.finish(first, [9, 8, 7, -3, 0])
    evening.play(second, {"Gus": 4, "Flo": -2, "Ivy": 0, "Hal": 12}, hands=3)
    assert list(reading_of(first).sheet.totals.values()) == [9, 8, 7, -3, 0]
    assert reading_of(first).sheet.open is None
    reading = reading_of(second)
    assert (list(reading.sheet.totals.values()), reading.next_hand) == ([-2, 4, 12, 0], 4)
