"""The story of a night in the feed, and as a notice: once, when the trophies are settled, in no quiet hour."""

from __future__ import annotations

import datetime
from xml.etree import ElementTree

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from clubs.members.privacy import hide_name
from clubs.models import Award, Club, Delivery, Member
from clubs.notices.announcing import tell_stories
from clubs.outbox.deliver import expand_events
from clubs.server import daily_jobs
from tests.club_factories import TrophyFactory
from tests.clubs.night_played import Evening, an_evening
from tests.clubs.notices.hearing import announced, has_mail, told
from tests.clubs.outbox.sending import deliver_due
from tests.clubs.trophy_night import play_to_the_end, take_last_hand_back
from tests.clubs.visitors import account
from tests.scoresheets.link_previews.test_sheet_preview import UNFURLER

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
A_WHILE = datetime.timedelta(minutes=5)


@pytest.fixture
def evening() -> Evening:
    evening = an_evening(visibility="link")
    evening.table(hands=None)
    return evening


@pytest.fixture
def flo(evening: Evening, settings: Settings) -> Member:
    settings.ADDRESS = "https://cards.example"
    _, flo = account(evening.club, name="Florence")
    has_mail(flo, "flo@mail.example", ["story"])
    return flo


def later() -> None:
    """Some minutes after it was announced."""
    while expand_events():
        pass
    with time_machine.travel(timezone.now() + A_WHILE, tick=False):
        deliver_due()


def test_who_wants_it_gets_the_story_once_by_mail(evening: Evening, flo: Member) -> None:
    _, other = account(evening.club, name="Gus")
    has_mail(other, "gus@mail.example", ["planned"])
    assert [tell_stories(), tell_stories()] == [1, 0]
    later()
    later()
    (letter,) = mail.outbox
    assert (letter.subject, letter.to) == ("The Trumps: the story of the night", ["flo@mail.example"])
    assert "Ann won with 26 points." in letter.body
    assert f"https://cards.example{evening.url('night_story', evening.night.pk)}?key={evening.club.key}" in letter.body


def test_no_name_waits_in_what_is_to_be_sent_and_a_name_that_was_hidden_since_is_not_mailed(
    evening: Evening, flo: Member
) -> None:
    tell_stories()
    assert "Ann" not in str(told("mail"))
    assert "Ann" not in str(list(Delivery.objects.values_list("message", flat=True)))
    hide_name(evening.members[0], by=None)
    later()
    (letter,) = mail.outbox
    assert "Somebody won with 26 points." in letter.body
    assert "Ann" not in letter.body


def test_it_waits_until_the_trophies_are_settled(evening: Evening, flo: Member) -> None:
    award = Award.objects.create(
        trophy=TrophyFactory(club=evening.club), member=evening.members[0], on=evening.night.on, source="sheet",
        table=evening.night.tables.get(),
    )  # fmt: skip
    assert tell_stories() == 0
    award.confirmed_at = timezone.now()
    award.save()
    assert tell_stories() == 1


def test_it_waits_for_the_last_table_and_for_a_game_that_is_open_again(evening: Evening, flo: Member) -> None:
    table = evening.table(hands=2, seats=slice(4, 8))
    assert tell_stories() == 0
    play_to_the_end(table)
    assert tell_stories() == 1
    told("mail")
    take_last_hand_back(table)
    later()
    assert mail.outbox == []
    play_to_the_end(table)
    with time_machine.travel(timezone.now() + 4 * A_WHILE, tick=False):
        deliver_due()
    assert len(mail.outbox) == 1


def test_quiet_hours_are_kept(evening: Evening, flo: Member) -> None:
    now = timezone.now().astimezone(evening.club.zone)
    flo.notice_settings.quiet_from = (now - datetime.timedelta(hours=1)).time()
    flo.notice_settings.quiet_until = (now + datetime.timedelta(hours=2)).time()
    flo.notice_settings.save()
    tell_stories()
    later()
    assert mail.outbox == []
    with time_machine.travel(now + datetime.timedelta(hours=2, minutes=1), tick=False):
        deliver_due()
    assert len(mail.outbox) == 1


def test_night_of_last_week_and_an_archived_club_are_no_news(evening: Evening) -> None:
    Club.objects.update(archived_at=timezone.now())
    assert tell_stories() == 0
    Club.objects.update(archived_at=None)
    evening.night.on -= datetime.timedelta(days=7)
    evening.night.save()
    assert tell_stories() == 0


def test_open_site_looks_by_itself(evening: Evening) -> None:
    looks = iter([False, True])
    daily_jobs.run_daily(lambda: next(looks), close=lambda: None)
    (event,) = announced("story")
    assert event.night == evening.night


def test_feed_has_the_story_before_the_games_of_its_night_and_shows_no_hidden_name(evening: Evening) -> None:
    Club.objects.update(visibility="public")
    for name in ("Ann", "Somebody"):
        content = Client(headers=UNFURLER).get(f"/api/v1/clubs/{evening.club.slug}/results.atom").content
        entries = list(ElementTree.fromstring(content).iter(f"{ATOM}entry"))
        assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
            f"The story of {evening.night}", f"Dirty Dog: {name} won",
        ]  # fmt: skip
        assert f"{name} won with 26 points." in str(entries[0].findtext(f"{ATOM}summary"))
        link = entries[0].find(f"{ATOM}link")
        assert link is not None
        assert link.get("href") == f"http://testserver{evening.url('night_story', evening.night.pk)}"
        assert entries[0].findtext(f"{ATOM}id") == f"tag:box-and-circle,2026:{evening.night.uid}/story"
        hide_name(evening.members[0], by=None)


def test_feed_has_no_story_as_long_as_a_table_plays(evening: Evening) -> None:
    Club.objects.update(visibility="public")
    evening.table(hands=1, seats=slice(4, 8))
    content = Client(headers=UNFURLER).get(f"/api/v1/clubs/{evening.club.slug}/results.atom").content
    entries = list(ElementTree.fromstring(content).iter(f"{ATOM}entry"))
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Dirty Dog: Ann won"]
