"""Sheets that were opened and left blank are swept away, and nothing else ever is."""

import datetime
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command

from scoresheets.access.scorekeepers import hashed, make_link
from scoresheets.commands import enter
from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet
from scoresheets.opening.open_sheet import SetUp, Somebody, known_players, open_sheet
from scoresheets.opening.sweep import sweep
from tests.factories import new_key, opened, scorer, sure_of

pytestmark = pytest.mark.django_db

PHONE = hashed("the phone")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime.datetime(2026, 11, 20, 20, tzinfo=datetime.UTC), tick=False) as traveller:
        yield traveller


def test_a_blank_sheet_is_swept_after_a_day_with_everything_of_it(clock: Any) -> None:
    made = opened(4)
    make_link(made.sheet, by=made.keeper)
    clock.shift(datetime.timedelta(hours=24))
    assert sweep() == 0
    clock.shift(datetime.timedelta(seconds=1))
    assert sweep() == 1
    for rows in (Sheet, Seat, Scorekeeper, Revision, Entry, Player):
        assert not rows.objects.exists(), rows


def test_a_day_is_a_setting(clock: Any, settings: Any) -> None:
    settings.BLANK_SHEETS_STAY_HOURS = 2
    opened(4)
    clock.shift(datetime.timedelta(hours=2, seconds=1))
    assert sweep() == 1


def test_what_was_ever_written_on_stays(clock: Any) -> None:
    bid, noted, taken_back = scorer(4), scorer(4), scorer(4)
    sure_of(bid.bid(2, 0))
    sure_of(enter.note(noted.sheet, 1, text="Well.", key=new_key(), by=noted.by))
    sure_of(taken_back.bid(2, 0))
    sure_of(taken_back.undo())
    clock.shift(datetime.timedelta(days=1000))
    assert sweep() == 0
    assert Sheet.objects.count() == 3


def test_who_sits_elsewhere_too_stays_known(clock: Any) -> None:
    sure_of(scorer(("Ann", "Bo", "Cy", "Di"), browser=PHONE).bid(2, 0))
    people = [Somebody(player.name, player.pk) for player in known_players(PHONE)[:3]]
    open_sheet(SetUp("dirty-dog", [*people, Somebody("Ed")]), browser=PHONE, key=new_key())
    clock.shift(datetime.timedelta(days=2))
    assert sweep() == 1
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Ann", "Bo", "Cy", "Di"]


def test_opening_a_sheet_sweeps_a_few_on_the_way(clock: Any) -> None:
    for _ in range(7):
        opened(4)
    clock.shift(datetime.timedelta(days=2))
    opened(4)
    assert Sheet.objects.count() == 3
    opened(4)
    assert Sheet.objects.count() == 2


def test_the_command_sweeps_all_and_says_how_many(clock: Any) -> None:
    for _ in range(7):
        opened(4)
    clock.shift(datetime.timedelta(days=2))
    out = StringIO()
    call_command("sweep_sheets", stdout=out)
    assert out.getvalue() == "7 blank sheets deleted.\n"
    assert not Sheet.objects.exists()
    out = StringIO()
    call_command("sweep_sheets", stdout=out)
    assert out.getvalue() == "0 blank sheets deleted.\n"
