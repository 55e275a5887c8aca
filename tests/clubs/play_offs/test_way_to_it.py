"""How far a play-off is, where the night and the club show the way to it."""

from __future__ import annotations

import pytest

from clubs.models import Night
from clubs.play_offs import rulings
from clubs.tonight import evenings, mark_of, tables_of
from tests.clubs.play_offs.evening import PlayOffEvening, play_off

pytestmark = pytest.mark.django_db


def said(evening: PlayOffEvening) -> str:
    (found,) = evenings(Night.objects.filter(pk=evening.night.pk).select_related("club"))
    return found.play_off_said


def test_way_to_a_play_off_says_what_it_waits_for() -> None:
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    assert said(evening) == "2 groups, not begun"
    evening.finish(first, [20, 9, 9, 4, -3])
    evening.finish(second, [12, 10, 3, -8])
    assert said(evening) == "a tie is to be settled"
    evening.blind(first, made=["Bo"])
    assert said(evening) == "the next tables are to be drawn"
    evening.open_next()
    assert said(evening) == "the finals, not begun"
    evening.finish(evening.final(), [20, 9, 4, -3])
    evening.finish(evening.final("losers"), [20, 9, 8, -3, -3])
    assert said(evening) == "all hands are played"
    mark = mark_of(evening.night, tables_of([evening.night]))
    lowest = [one.player for one in rulings.who_draws(evening.now)]
    drawn = dict(zip(lowest, "2K", strict=True))
    rulings.draw(evening.play_off, drawn, mark=rulings.mark_of_draw(evening.now), by=None)
    assert said(evening) == "over"
    assert mark_of(evening.night, tables_of([evening.night])) != mark, "cards are on no sheet"
