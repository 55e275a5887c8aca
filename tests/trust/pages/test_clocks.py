"""Clocks that jump, change for summer time, or pass midnight of a year: order by version, and the right days."""

from __future__ import annotations

import calendar
import datetime
import random
import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Night, Season, Standing
from clubs.nights.times import hour_of
from clubs.views.nights.night import STOP_POLLING
from rules import all_games
from scoresheets.models import Revision
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.visitors import account
from tests.factories import Scorer, scorer
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.django_db, pytest.mark.promise(14), pytest.mark.timeout(7200)]

HOUR = datetime.timedelta(hours=1)
JUMPS = (HOUR, -HOUR, datetime.timedelta(minutes=10), datetime.timedelta(minutes=-10), datetime.timedelta(seconds=20))
#: "-3 minutes", "in -1 h": no page says that.
NEGATIVE = re.compile(r"(?<![\w–-])[-−]\s?\d+\s?(?:s|sec|seconds?|min|minutes?|h|hours?|days?)\b")
#: A day in full, as pages have it; and that of an event of a calendar.
DAY = re.compile(rf"\b\d{{1,2}} (?:{'|'.join(calendar.month_name[1:])}) \d{{4}}\b")
BEGINS = re.compile(r"DTSTART;TZID=[^:]+:(\d{8})T")
SHEET_PAGES = ("sheet", "history", "pad", "result", "export_sheet", "export_csv")
WATCH_PAGES = ("watch", "watch_history", "watch_rows")
#: Nights on which clocks change or something ends, by the time zone of the club.
NIGHTS = (
    ("Europe/Vienna", datetime.date(2026, 3, 28)),
    ("Europe/Vienna", datetime.date(2026, 10, 24)),
    ("America/New_York", datetime.date(2026, 10, 31)),
    ("Australia/Lord_Howe", datetime.date(2026, 4, 4)),
    ("Pacific/Auckland", datetime.date(2028, 2, 28)),
    ("Europe/Vienna", datetime.date(2028, 2, 29)),
    ("Europe/Vienna", datetime.date(2026, 12, 31)),
)


class JumpingScorer(Scorer):
    """Writes while the clock of the server jumps before every entry."""

    def __init__(self, like: Scorer, clock: time_machine.Coordinates, dice: random.Random) -> None:
        super().__init__(like.sheet, like.by)
        self.clock, self.dice = clock, dice

    def enter_step(self, hand, ask, step):  # type: ignore[no-untyped-def]  # as the scorer has it
        self.clock.shift(self.dice.choice(JUMPS))
        return super().enter_step(hand, ask, step)


def says_no_negative_time(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code in (200, 204, STOP_POLLING), address
    assert not answer.request["PATH_INFO"].startswith("/account/"), f"{address} asks who it is"
    page = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = re.sub(r"<[^>]+>", " ", page.decode())
    found = NEGATIVE.search(text)
    assert found is None, f"{address} says {found and text[max(0, found.start() - 60) : found.end() + 20]!r}"
    return text


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_sheet_goes_by_its_versions_and_not_by_the_clock(game: str, attempt: Attempt) -> None:
    hands, dice = attempt.size(3, 12), random.Random(f"jumps {game}")
    with time_machine.travel(datetime.datetime(2026, 3, 5, 20, tzinfo=datetime.UTC), tick=False) as clock:
        steady, jumping = scorer(game=game), scorer(game=game)
        writer = JumpingScorer(jumping, clock, dice)
        for _ in range(hands):
            if steady.reading.sheet.open and not steady.reading.sheet.noted:
                steady.any_hand()
                writer.any_hand()
        reading = writer.reading
        assert reading.entries.keys() == steady.reading.entries.keys()
        assert reading.sheet.totals == steady.reading.sheet.totals
        versions = Revision.objects.filter(sheet=jumping.sheet).order_by("pk").values_list("version", "at")
        assert [version for version, _ in versions] == list(range(1, len(versions) + 1))
        assert [at for _, at in versions] != sorted(at for _, at in versions), "the clock did not jump"
        client, sheet = Client(), jumping.sheet
        for page in SHEET_PAGES:
            says_no_negative_time(client, reverse(page, args=[sheet.code]))
        for page in WATCH_PAGES:
            says_no_negative_time(client, reverse(page, args=[sheet.watch]))
    attempt.count(len(versions), "writes of all games, each after a jump of the clock")


def moments(zone: str, on: datetime.date) -> Iterator[datetime.datetime]:
    """Every quarter of an hour from eight in the evening to five in the morning, as it goes by."""
    at = datetime.datetime.combine(on, datetime.time(20), ZoneInfo(zone)).astimezone(datetime.UTC)
    for _ in range(36):
        yield at
        at += datetime.timedelta(minutes=15)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("zone", "on"), NIGHTS)
def test_night_keeps_its_day_while_clocks_change(zone: str, on: datetime.date, attempt: Attempt) -> None:
    club = ClubFactory(slug="trumps", visibility="public", time_zone=zone)
    seasons = [Season.objects.create(club=club, name=str(year), begins=f"{year}-01-01", ends=f"{year}-12-31",
                                     scheme="won", order=["won"]) for year in (on.year, on.year + 1)]  # fmt: skip
    members = MemberFactory.create_batch(4, club=club)
    night = NightFactory(club=club, on=on, begins=datetime.time(20), begun_at=next(moments(zone, on)))
    pages, days = 0, 0
    with time_machine.travel(next(moments(zone, on)), tick=False) as clock:
        # Whoever signed in today is not signed in any more then.
        organiser, _ = account(club, role="organiser")
        table = played(night, members, hands=2)
        for number, at in enumerate(moments(zone, on)):
            clock.move_to(at)
            if number == 30:
                finish(table)
            if number % attempt.size(6, 1) == 0:
                for page in pages_of(club, night):
                    said = day_on(says_no_negative_time(organiser, page))
                    assert said in (None, on), page
                    pages, days = pages + 1, days + (said is not None)
    night.refresh_from_db()
    table.refresh_from_db()
    assert night.on == on
    assert hour_of(night, datetime.time(0, 30)) > hour_of(night, datetime.time(23, 30))
    assert table.ended_at is not None
    assert table.ended_at.astimezone(ZoneInfo(zone)).date() == on + datetime.timedelta(days=1)
    counted = {season.name: Standing.objects.filter(season=season).count() for season in seasons}
    assert counted == {str(on.year): 4, str(on.year + 1): 0}
    attempt.count(1, "nights in which clocks change, a year begins or ends, or that are the 29th of February")
    assert days >= pages // 3
    attempt.count(pages, "pages of them")
    attempt.count(days, "that say a day: the right one")


def day_on(page: str) -> datetime.date | None:
    """The only day that a page of a night, or a calendar, says in full; None where it says none."""
    days = {datetime.datetime.strptime(day, "%d %B %Y").date() for day in DAY.findall(page)}
    days |= {datetime.datetime.strptime(day, "%Y%m%d").date() for day in BEGINS.findall(page)}
    assert len(days) <= 1, days
    return next(iter(days), None)


def finish(table: object) -> None:
    """Play the table's sheet to its end."""
    sheet = table.sheet  # type: ignore[attr-defined]
    Scorer(sheet, sheet.scorekeepers.first()).any_game()


def pages_of(club: Club, night: Night) -> Iterator[str]:
    for name in ("night", "control", "night_story", "wall", "roll_call", "night_tables"):
        yield reverse(name, args=[club.slug, night.pk])
    for name in ("club", "nights", "standings", "records", "trophies", "members"):
        yield reverse(name, args=[club.slug])
    yield reverse("calendar", args=[club.calendar_key])
