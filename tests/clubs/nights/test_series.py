"""A usual evening is filled in where a night is planned, and a series is shown before it is planned."""

from __future__ import annotations

import datetime
import itertools
import zoneinfo
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import AuditEntry, Club, Night
from clubs.nights.nights import next_usual_day
from clubs.nights.repetition import EVERY_WEEKS, IN_A_MONTH, LAST, RHYTHMS, days_of, take_days
from clubs.nights.times import hour_of
from tests.club_factories import NightFactory
from tests.clubs.evenings import A_WEEK, THURSDAY, organiser_of

NEW = "/clubs/trumps/nights/new/"
A_DAY = datetime.timedelta(days=1)
days = st.dates(datetime.date(2000, 1, 1), datetime.date(2080, 1, 1))
monthly = st.sampled_from([*IN_A_MONTH, LAST])

# Which days


@given(days, st.sampled_from(list(RHYTHMS)))
def test_all_days_of_a_series_are_the_weekday_of_the_first_and_come_in_order(first: datetime.date, rhythm: str) -> None:
    series = list(itertools.islice(days_of(first, rhythm), 20))
    assert {day.weekday() for day in series} == {first.weekday()}
    assert series[0] >= first
    assert all(one < other for one, other in itertools.pairwise(series))


@given(days, st.sampled_from(list(EVERY_WEEKS)))
def test_series_by_weeks_begins_on_its_day_and_has_equal_steps(first: datetime.date, rhythm: str) -> None:
    series = list(itertools.islice(days_of(first, rhythm), 20))
    assert series[0] == first
    assert {other - one for one, other in itertools.pairwise(series)} == {int(rhythm) * A_WEEK}


@given(days, monthly)
def test_monthly_series_has_one_day_in_each_month_and_leaves_none_out(first: datetime.date, which: str) -> None:
    series = list(itertools.islice(days_of(first, which), 30))
    months = [12 * day.year + day.month for day in series]
    assert months == list(range(months[0], months[0] + 30))
    assert months[0] - (12 * first.year + first.month) in (0, 1)
    for day in series:
        if which == LAST:
            assert (day + A_WEEK).month != day.month
        else:
            assert (day.day - 1) // 7 == IN_A_MONTH[which]


@given(days, monthly)
def test_monthly_series_misses_no_such_day_before_it_begins(first: datetime.date, which: str) -> None:
    begins = next(days_of(first, which))
    between = (first + number * A_DAY for number in range((begins - first).days))
    assert all(next(days_of(day, which)) != day for day in between if day.weekday() == first.weekday())


@given(days, st.sampled_from(list(RHYTHMS)), st.integers(1, 60), st.integers(0, 800))
def test_series_ends_by_number_or_by_day_whichever_comes_first(
    first: datetime.date, rhythm: str, times: int, length: int
) -> None:
    until = first + length * A_DAY
    by_both = take_days(first, rhythm, times=times, until=until, most=52)
    assert len(by_both) <= min(times, 52)
    assert all(day <= until for day in by_both)
    by_number = take_days(first, rhythm, times=times, until=None, most=52)
    by_day = take_days(first, rhythm, times=None, until=until, most=52)
    assert len(by_number) == min(times, 52)
    assert by_both == min(by_number, by_day, key=len)


@given(days, st.sampled_from(list(RHYTHMS)), st.sampled_from(["Europe/Berlin", "America/New_York", "Pacific/Auckland"]))
def test_hour_of_a_series_stays_the_same_by_the_clock_through_summer_time(
    first: datetime.date, rhythm: str, zone: str
) -> None:
    club = Club(time_zone=zone)
    for day in itertools.islice(days_of(first, rhythm), 15):
        begins = hour_of(Night(club=club, on=day), datetime.time(19, 30))
        there = begins.astimezone(datetime.UTC).astimezone(zoneinfo.ZoneInfo(zone))
        assert (there.date(), there.time()) == (day, datetime.time(19, 30))


# The pages


@pytest.fixture
def olga(club: Club, at_seven: object) -> Any:
    return organiser_of(club)


def preview(page: Any) -> dict[str, str]:
    """What the form of the preview sends for its days."""
    return {f"day-{number}": line["typed"] for number, line in enumerate(page.context["lines"], 1)}


@pytest.mark.django_db
def test_every_first_thursday_of_a_season_is_shown_moved_left_out_and_planned(club: Club, olga: Any) -> None:
    asked = {"on": "2026-11-26", "begins": "19:30", "weeks": "first", "until": "2027-05-31", "place": "At the mill"}
    page = olga.post(NEW, asked)
    assert page.status_code == 200
    assert "Every first Thursday of the month" in page.text
    found = preview(page)
    assert list(found.values()) == [
        "2026-12-03", "2027-01-07", "2027-02-04", "2027-03-04", "2027-04-01", "2027-05-06",
    ]  # fmt: skip
    assert not Night.objects.exists()
    found["day-2"] = "2027-01-14"
    answer = olga.post(NEW, asked | found | {"do": "plan", "keep": ["1", "2", "4", "5", "6"]})
    assert answer.status_code == 303
    nights = Night.objects.order_by("on")
    assert [f"{night.on:%d.%m.}" for night in nights] == ["03.12.", "14.01.", "04.03.", "01.04.", "06.05."]
    assert {(night.begins, night.place) for night in nights} == {(datetime.time(19, 30), "At the mill")}
    assert AuditEntry.objects.latest("pk").says == "Planned 5 nights from 2026-12-03 on."
    # One of them is moved, another one cancelled: the calendar hears of both.
    moved, cancelled = nights[1], nights[2]
    olga.post(f"{moved.get_absolute_url()}change/", {"on": "2027-01-21", "begins": "19:30"})
    olga.post(f"{cancelled.get_absolute_url()}change/", {"do": "put-away"})
    feed = olga.get(f"/calendar/{club.calendar_key}.ics").text
    assert "DTSTART;TZID=UTC:20270121T193000" in feed or "DTSTART:20270121T193000Z" in feed
    assert feed.count("STATUS:CANCELLED") == 1
    assert feed.count("BEGIN:VEVENT") == 5


@pytest.mark.django_db
def test_day_with_a_night_already_is_named_and_not_ticked(club: Club, olga: Any) -> None:
    NightFactory(club=club, on=THURSDAY + A_WEEK, title="Cup", begun_at=None)
    page = olga.post(NEW, {"on": "2026-11-26", "times": "3"})
    assert [line["is_kept"] for line in page.context["lines"]] == [True, False, True]
    assert "there is a night already" in page.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "chosen", [{"keep": []}, {"keep": ["1", "2"], "day-2": "2026-13-40"}, {"keep": ["1"], "day-1": "1066-10-14"}]
)
def test_preview_with_no_good_day_is_shown_again_and_plans_nothing(
    club: Club, olga: Any, chosen: dict[str, Any]
) -> None:
    asked = {"on": "2026-11-26", "times": "2", "do": "plan", "day-1": "2026-11-26", "day-2": "2026-12-03"}
    page = olga.post(NEW, asked | chosen)
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert not Night.objects.exists()


@pytest.mark.django_db
def test_way_back_from_the_preview_keeps_what_was_typed(olga: Any) -> None:
    page = olga.post(NEW, {"on": "2026-11-26", "weeks": "last", "times": "4", "title": "Cards", "do": "edit"})
    form = page.context["form"]
    assert page.status_code == 200
    assert [form[name].value() for name in ("on", "weeks", "times", "title")] == ["2026-11-26", "last", "4", "Cards"]


# A usual evening


@pytest.mark.django_db
def test_usual_evening_is_saved_in_the_settings_and_filled_in_where_a_night_is_planned(club: Club, olga: Any) -> None:
    NightFactory(club=club, on=THURSDAY, begins=datetime.time(18), begun_at=None)
    asked = {
        "name": "The Trumps", "slug": "trumps", "place": "The Mill", "time_zone": "UTC", "visibility": "link",
        "main_game": "dirty-dog", "usual_day": "1", "usual_begins": "20:15", "usual_trophies": "play-off",
    }  # fmt: skip
    assert olga.post("/clubs/trumps/settings/", asked).status_code == 303
    club.refresh_from_db()
    assert (club.usual_day, club.usual_begins, club.usual_trophies) == (1, datetime.time(20, 15), "play-off")
    log = [entry.says for entry in AuditEntry.objects.all()]
    for sentence in ("on a Tuesday", "begins at 20:15", "has a play-off for the trophies"):
        assert any(sentence in line for line in log), sentence
    page = olga.get(NEW)
    form = page.context["form"]
    assert form["on"].value() == datetime.date(2026, 12, 1), "the first Tuesday after the last night"
    assert form["begins"].value() == datetime.time(20, 15)
    assert form["trophies"].value() == "play-off"
    assert "The Mill" in page.text
    assert "the main game: Dirty Dog" in page.text
    olga.post(NEW, {"on": "2026-12-01", "begins": "20:15", "trophies": "play-off", "game": "dingo"})
    night = Night.objects.get(on="2026-12-01")
    assert (night.trophies, night.game) == ("play-off", "dingo")
    # What another page does not ask stays.
    olga.post(f"{night.get_absolute_url()}change/", {"on": "2026-12-02"})
    night.refresh_from_db()
    assert (night.trophies, night.game) == ("play-off", "dingo")


@given(days, days, st.integers(0, 6))
def test_usual_weekday_is_proposed_after_today_and_after_the_last_night(
    today: datetime.date, last: datetime.date, usual: int
) -> None:
    for known in (None, last):
        proposed = next_usual_day(usual, today, known)
        assert proposed.weekday() == usual
        assert proposed >= today
        assert known is None or proposed > known
        assert proposed - max(today, known + A_DAY if known else today) < A_WEEK
