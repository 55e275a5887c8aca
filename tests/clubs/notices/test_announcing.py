"""What the notices announce themselves: corrections, nights that are planned or tomorrow, and trophies that moved."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from clubs.models import Club, Event, Member, Night, PlayOff
from clubs.nights.nights import plan_nights
from clubs.notices.announcing import tell_tomorrow
from clubs.play_offs.state import now
from clubs.projections.play_off import mark_decided
from clubs.projections.worker import catch_up
from clubs.server import daily_jobs
from clubs.trophies.awards import award, confirm, lay_aside
from clubs.webhooks.messages import message_of
from scoresheets.log.publish import publish
from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, NightFactory, TrophyFactory, played
from tests.clubs.notices.hearing import announced
from tests.clubs.play_offs.evening import at_the_finals
from tests.clubs.play_offs.test_corrections import put_right
from tests.clubs.trophy_night import first_wins, play_to_the_end, take_last_hand_back, third_wins
from tests.counted import not_counted

pytestmark = pytest.mark.django_db

#: A Thursday in summer, at six in the evening in Berlin.
SIX = datetime.datetime(2026, 7, 9, 16, 0, tzinfo=datetime.UTC)


@pytest.fixture
def berlin() -> Club:
    return ClubFactory(name="The Trumps", time_zone="Europe/Berlin")


def friday(club: Club, **more: object) -> Night:
    planned = {"created": SIX - datetime.timedelta(days=3), **more}
    return NightFactory(**{"club": club, "on": datetime.date(2026, 7, 10), "begun_at": None} | planned)


# Corrections


def test_correction_that_moves_places_is_announced_with_its_table(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    assert announced("corrected") == []
    third_wins(table)
    (event,) = announced("corrected")
    assert (event.club, event.table, event.night) == (club, table, table.night)
    first_wins(table)
    assert len(announced("corrected")) == 2


def test_end_of_a_game_is_no_correction_nor_is_one_that_is_opened_again(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    take_last_hand_back(table)
    play_to_the_end(table)
    assert announced("corrected") == []


def test_result_that_is_published_again_as_it_was_is_no_correction(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    publish(read_sheet(table.sheet), was_published=True)
    assert announced("corrected") == []


def test_correction_of_a_sheet_of_no_club_is_told_to_nobody(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    table.withdrawn_at = table.created
    table.save()
    third_wins(table)
    assert announced("corrected") == []


# Play-offs


def test_play_off_that_a_correction_gives_to_somebody_else_is_announced_again_each_time() -> None:
    evening = at_the_finals()
    final = evening.final()
    evening.finish_finals()
    catch_up()
    first, second = (chair.member.shown for chair in final.chairs.order_by("place")[:2])
    for more in (15, -1, -14):
        put_right(final, **{second: more})
        catch_up()
    events = announced("decided")
    assert [event.details["corrected"] for event in events] == [False, True, True]
    assert events[0].details["ends"] == events[2].details["ends"] != events[1].details["ends"]
    assert message_of(events[0]).title.startswith(f"{first} wins the play-off")
    assert message_of(events[2]).title.startswith(f"Corrected: {first} wins the play-off")


def test_play_off_of_long_ago_that_was_told_is_told_again_when_a_correction_names_another() -> None:
    evening = at_the_finals()
    final = evening.final()
    evening.finish_finals()
    catch_up()
    Sheet.objects.update(finished_at=timezone.now() - datetime.timedelta(days=20))
    put_right(final, **{final.chairs.get(place=2).member.shown: 15})
    catch_up()
    assert [event.details["corrected"] for event in announced("decided")] == [False, True]


def test_play_off_that_is_open_again_and_ends_alike_is_announced_once() -> None:
    evening = at_the_finals()
    evening.finish_finals()
    catch_up()
    state = now(PlayOff.objects.get())
    mark_decided(state.play_off, None)
    mark_decided(state.play_off, state)
    assert len(announced("decided")) == 1


def test_play_off_of_long_ago_is_no_news() -> None:
    evening = at_the_finals()
    with not_counted():
        evening.finish_finals()
    Sheet.objects.update(finished_at=timezone.now() - datetime.timedelta(days=3))
    catch_up()
    assert announced("decided") == []


# Nights


def test_night_that_is_planned_is_announced_once_and_a_series_by_its_first(club: Club) -> None:
    like = Night(club=club, on=club.today() + datetime.timedelta(days=3), title="Spring")
    days = [like.on + datetime.timedelta(weeks=week) for week in range(3)]
    first, *others = plan_nights(like, days)
    (event,) = announced("planned")
    assert event.night == first
    assert event.details == {"nights": [first.pk, *(night.pk for night in others)]}
    plan_nights(like, days)
    assert len(announced("planned")) == 1


def test_night_of_the_past_is_no_news(club: Club) -> None:
    plan_nights(Night(club=club, on=club.today() - datetime.timedelta(days=1)))
    plan_nights(Night(club=club, on=club.today()))
    assert announced("planned") == []


@pytest.mark.parametrize(("minutes", "told"), [(-1, 0), (0, 1), (5 * 60 + 59, 1), (6 * 60, 0)])
def test_night_is_told_on_the_evening_before_by_the_clock_of_its_club(berlin: Club, minutes: int, told: int) -> None:
    friday(berlin)
    with time_machine.travel(SIX + datetime.timedelta(minutes=minutes), tick=False):
        assert tell_tomorrow() == told


def test_night_is_told_once_and_again_if_it_is_moved_to_another_day(berlin: Club) -> None:
    night = friday(berlin)
    with time_machine.travel(SIX, tick=False):
        assert [tell_tomorrow(), tell_tomorrow()] == [1, 0]
        night.on = datetime.date(2026, 7, 11)
        night.save(update_fields=["on"])
        assert tell_tomorrow() == 0
    with time_machine.travel(SIX + datetime.timedelta(days=1, hours=2), tick=False):
        assert tell_tomorrow() == 1
    assert [event.details["on"] for event in announced("tomorrow")] == ["2026-07-10", "2026-07-11"]


def test_night_that_is_planned_on_that_very_evening_is_not_told_twice(berlin: Club) -> None:
    friday(berlin, created=SIX + datetime.timedelta(minutes=1))
    with time_machine.travel(SIX + datetime.timedelta(minutes=20), tick=False):
        assert tell_tomorrow() == 0


@pytest.mark.parametrize("change", [
    {"archived_at": SIX}, {"begun_at": SIX}, {"closed_at": SIX}, {"on": datetime.date(2026, 7, 9)},
])  # fmt: skip
def test_night_that_is_not_to_come_is_not_told(berlin: Club, change: dict[str, object]) -> None:
    friday(berlin, **change)
    with time_machine.travel(SIX, tick=False):
        assert tell_tomorrow() == 0


def test_night_of_an_archived_club_is_not_told(berlin: Club) -> None:
    friday(berlin)
    Club.objects.update(archived_at=SIX)
    with time_machine.travel(SIX, tick=False):
        assert tell_tomorrow() == 0


def test_clubs_on_both_sides_of_the_world_have_their_own_evening() -> None:
    # Six in the evening of the ninth, and already of the tenth.
    for zone, on in (("Pacific/Honolulu", 10), ("Pacific/Kiritimati", 11)):
        friday(ClubFactory(time_zone=zone), on=datetime.date(2026, 7, on))
    with time_machine.travel(datetime.datetime(2026, 7, 10, 4, 0, tzinfo=datetime.UTC), tick=False):
        assert tell_tomorrow() == 2


def test_open_site_looks_by_itself(berlin: Club) -> None:
    friday(berlin)
    looks = iter([False, True])
    with time_machine.travel(SIX, tick=False):
        daily_jobs.run_daily(lambda: next(looks), close=lambda: None)
    assert len(announced("tomorrow")) == 1


def test_look_that_breaks_ends_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> int:
        raise RuntimeError

    monkeypatch.setattr(daily_jobs, "tell_tomorrow", broken)
    looks = iter([False, False, True])
    daily_jobs.run_daily(lambda: next(looks), close=lambda: None)
    assert caplog.text.count("Tomorrow's nights could not be announced") == 2


def test_look_of_an_evening_with_nothing_new_asks_twice(berlin: Club, django_assert_num_queries: object) -> None:
    friday(berlin)
    with time_machine.travel(SIX, tick=False):
        tell_tomorrow()
        with django_assert_num_queries(2):  # type: ignore[operator]
            tell_tomorrow()


# Trophies


def test_trophies_are_announced_when_they_are_confirmed_and_not_before(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    won = award(TrophyFactory(club=club, goes="other"), four[0], on=table.night.on, source="sheet", table=table)
    assert announced("trophies") == []
    for _ in range(2):
        confirm(won, by=None)
    assert [(event.night, event.details) for event in announced("trophies")] == [
        (table.night, {"on": "", "awards": [won.pk]})
    ]


def test_award_that_waits_and_is_set_aside_is_no_news(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    lay_aside(award(TrophyFactory(club=club, goes="other"), four[0], on=table.night.on, source="sheet", table=table))
    assert announced("trophies") == []


def test_holders_of_the_past_are_no_news_but_what_is_given_by_hand_today_is(club: Club, four: list[Member]) -> None:
    trophy = TrophyFactory(club=club, goes="other")
    award(trophy, four[0], on=datetime.date(1998, 1, 1), source="typed", confirmed=True)
    assert announced("trophies") == []
    won = award(trophy, four[1], on=club.today(), source="typed", confirmed=True)
    assert len(announced("trophies")) == 1
    won.handed_at = won.created
    won.save(update_fields=["handed_at"])
    assert Event.objects.count() == 1
