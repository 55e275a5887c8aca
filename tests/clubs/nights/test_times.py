"""The hours of a night by its club's clock."""

from __future__ import annotations

import datetime

import pytest
import time_machine

from clubs.models import Club, Night
from clubs.nights.roll_call import Line
from clubs.nights.times import begins_at, gone_by, hour_of, minutes_of_tables, to_five
from clubs.play_offs.plan import Planned
from clubs.play_offs.plan_text import TO_DRAW, hours_of, rounds
from rules import find_game
from rules.core.playoffs.plan import PlayOffPlan
from tests.club_factories import ClubFactory

BERLIN = Club(slug="b", name="B", time_zone="Europe/Berlin")
NIGHT = Night(club=BERLIN, on=datetime.date(2026, 11, 26))
DOG = find_game("dirty-dog")


@pytest.mark.parametrize(
    ("at", "said"),
    [("22:38:00", "22:40"), ("22:37:29", "22:35"), ("22:37:31", "22:40"), ("23:58:00", "00:00"), ("22:40:00", "22:40")],
)
def test_hours_are_said_to_five_minutes(at: str, said: str) -> None:
    moment = datetime.datetime.combine(NIGHT.on, datetime.time.fromisoformat(at))
    assert to_five(moment).strftime("%H:%M") == said


def test_small_hours_belong_to_the_evening_before() -> None:
    assert hour_of(NIGHT, datetime.time(1)) - hour_of(NIGHT, datetime.time(23)) == datetime.timedelta(hours=2)
    leaves = {"Ann": 21, "Bo": 1, "Cy": 23}
    lines = [Line(member=name, says="here", leaves=datetime.time(hour)) for name, hour in leaves.items()]  # type: ignore[arg-type]
    end = hour_of(NIGHT, datetime.time(0, 30))
    assert [line.member for line in gone_by(NIGHT, lines, end)] == ["Ann", "Cy"]
    assert len(gone_by(NIGHT, lines, None)) == 3


def test_tables_begin_at_the_hour_of_the_night_or_now() -> None:
    with time_machine.travel(datetime.datetime(2026, 11, 26, 18, tzinfo=datetime.UTC), tick=False):
        assert str(begins_at(NIGHT)) == "2026-11-26 19:00:00+01:00"
        later = Night(club=BERLIN, on=NIGHT.on, begins=datetime.time(20))
        assert str(begins_at(later)) == "2026-11-26 20:00:00+01:00"
        assert begins_at(Night(club=BERLIN, on=NIGHT.on + datetime.timedelta(days=1))) is None
    with time_machine.travel(datetime.datetime(2026, 11, 26, 23, tzinfo=datetime.UTC), tick=False):
        # Past midnight the night goes on.
        assert str(begins_at(NIGHT)) == "2026-11-27 00:00:00+01:00"


@pytest.mark.django_db
def test_slowest_table_counts_and_a_game_without_hands_has_no_end() -> None:
    seven, six = (minutes_of_tables(BERLIN, DOG, [size], {"hands": 12}, {}) for size in (7, 6))
    assert minutes_of_tables(BERLIN, DOG, [6, 7, 6], {"hands": 12}, {}) == seven
    assert (seven or 0) > (six or 0)
    assert minutes_of_tables(ClubFactory(), find_game("hotdog"), [2], {}, {}) is None
    assert minutes_of_tables(BERLIN, DOG, [1], {"hands": 12}, {}) is None


def test_another_round_takes_its_time_and_a_pause_before_each() -> None:
    plan = PlayOffPlan((8, 8, 8), 4, None, 8, 12)
    assert [sizes for sizes, _ in rounds(plan)] == [[8, 8, 8], [6, 6, 6, 6], [6, 6]]
    with time_machine.travel(datetime.datetime(2026, 11, 26, 18, tzinfo=datetime.UTC), tick=False):
        hours = hours_of(NIGHT, Planned(DOG, plan), {})
    lasts = [minutes_of_tables(BERLIN, DOG, sizes, length, {}) or 0 for sizes, length in rounds(plan)]
    assert hours.minutes == sum(lasts) + 2 * TO_DRAW
