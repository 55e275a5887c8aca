"""The page of a night for a big screen in the room."""

from __future__ import annotations

import datetime
import re
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.members.privacy import cover_sheet, hide_name
from clubs.models import Attendance, Award, Club, PendingUpdate, Table
from clubs.standings.store import keep_standings
from scoresheets.models import Sheet
from scoresheets.sheet.summary import shown_readings
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, scored
from tests.clubs.evening.test_without_club import play
from tests.clubs.night_played import Evening, an_evening, scorer_of
from tests.clubs.play_offs.evening import FIRST, LOSERS, SECOND, WINNERS, PlayOffEvening, play_off
from tests.clubs.visitors import account, phone
from tests.factories import sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_nine() -> Any:
    """It does not become another minute in the middle of a test."""
    with time_machine.travel(datetime.datetime(2026, 3, 5, 21, 0, 5, tzinfo=datetime.UTC), tick=False) as clock:
        yield clock


def there(evening: Evening | PlayOffEvening, name: str = "wall") -> str:
    return reverse(name, args=[evening.club.slug, evening.night.pk])


def html_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def text_of(html: str) -> str:
    return " ".join(unescape(strip_tags(html)).split())


def views(html: str) -> dict[str, str]:
    """What each view says, by its name, in their order."""
    parts = html.partition('<p class="wall-old')[0].split('data-view="')[1:]
    return {part.split('"')[0]: text_of(part.partition(">")[2]) for part in parts}


def news_of(html: str) -> str:
    return unescape(html.split('hx-get="')[1].split('"')[0])


# What hangs there


def test_before_it_begins_it_says_when_where_and_who_comes(client):
    evening = an_evening(begun_at=None, begins=datetime.time(19, 30), place="The bakery")
    for member, says in zip(evening.members, ("coming", "here", "not"), strict=False):
        Attendance.objects.create(night=evening.night, member=member, says=says)
    html = html_of(client, there(evening))
    shown = views(html)
    assert list(shown) == ["ahead", "coming"]
    assert "Thursday 5 March, 19:30 The bakery 2 people so far" in shown["ahead"]
    assert "Scan it to follow on your phone" in shown["ahead"]
    assert shown["coming"].startswith("Who is coming Bo here Ann coming later")
    assert "Cy" not in shown["coming"]
    assert 'class="qr"' in html


def test_before_it_begins_it_says_which_trophies_are_at_stake(client):
    evening = an_evening(begun_at=None)
    cup = TrophyFactory(club=evening.club, name="The Cup")
    last_week = evening.night.on - datetime.timedelta(days=7)
    Award.objects.create(
        trophy=cup, member=evening.members[3], on=last_week, source="typed", confirmed_at=timezone.now()
    )
    assert "Di defends The Cup." in views(html_of(client, there(evening)))["ahead"]


def test_a_night_without_tables_says_so(client, evening):
    assert views(html_of(client, there(evening))) == {"waiting": "Soon The night has begun. No table has opened yet."}


def test_table_shows_its_hand_who_deals_who_bids_next_and_all_totals_with_box_and_circle(client, evening):
    evening.table(hands=1)
    html = html_of(client, there(evening))
    shown = views(html)["tables"]
    assert "Table 1 Dirty Dog Hand 2 of 4" in shown
    assert "Cy bids next 2 cards Bo deals" in shown
    assert re.search(r"Ann 6, in the box Bo −1, in the circle Cy 5 Di 5", shown), shown
    assert html.count('class="now"') == 1
    assert re.search(r'class="now">\s*<span class="name"><bdi>Cy</bdi>', html)


def test_table_says_when_it_is_done_and_the_head_when_all_are(client, at_nine):
    evening = an_evening()
    table = evening.table()
    for _ in range(3):
        at_nine.shift(datetime.timedelta(minutes=3))
        scorer_of(table).clear_hand()
    text = text_of(html_of(client, there(evening)))
    assert re.search(r"all done about \d\d:\d\d 21:09", text), text
    assert re.search(r"done about \d\d:\d\d", views(html_of(client, there(evening)))["tables"])


def test_clock_of_a_table_runs_down_on_the_wall(client, evening):
    table = evening.table(game="dirty-deals")
    assert "data-ends" not in html_of(client, there(evening))
    sure_of(scorer_of(table).enter(1, "negotiation-1"))
    html = html_of(client, there(evening))
    assert "until 21:03" in text_of(html)
    assert 'data-ends="2026-03-05T21:03:05+00:00"' in html


def test_finished_table_says_who_won_and_a_tie_who_is_level(client, evening):
    evening.table(hands=None)
    scorer = scorer_of(evening.table(seats=slice(4, 8)))
    for seat, cards in enumerate((1, 2, 2, 1), 1):
        scorer.hand(dict.fromkeys(range(1, 5), 0), dict.fromkeys(range(1, 5), 0) | {seat: cards})
    shown = views(html_of(client, there(evening)))["tables"]
    assert "Table 1 Dirty Dog finished Ann wins with 26 points. Bo takes the circle with −4 points." in shown
    assert "A tie for the lead: Ed and Hal have 14" in shown


def test_table_of_the_past_has_its_places(client, evening):
    scored(evening.night, [(evening.members[0], 30), (evening.members[1], -4)])
    shown = views(html_of(client, there(evening)))
    assert "Ann won, Bo took the circle." in shown["result"]
    assert "Ann 30, in the box Bo −4, in the circle" in shown["tables"]


def test_table_that_asks_stands_above_everything_until_it_is_answered(client, evening):
    tables = [evening.table(hands=1) for _ in range(2)]
    assert 'role="alert"' not in html_of(client, there(evening))
    Sheet.objects.filter(pk=tables[1].sheet_id).update(asks_since=timezone.now())
    html = html_of(client, there(evening))
    head = html.split('role="alert"')[1].split("wall-stage")[0]
    assert "Table 2 has been calling the organiser since 21:00" in text_of(head)
    Sheet.objects.filter(pk=tables[0].sheet_id).update(asks_since=timezone.now() + datetime.timedelta(seconds=9))
    assert "Table 2 and Table 1 have been calling the organiser" in text_of(html_of(client, there(evening)))
    for table in tables:
        evening.organiser().post(evening.url("answer_table", evening.night.pk, table.pk))
    assert "ask" not in text_of(html_of(client, there(evening)))


def test_groups_of_a_play_off_hang_there_with_their_line(client):
    evening = play_off()
    evening.play(evening.groups[0], FIRST, hands=3)
    evening.play(evening.groups[1], SECOND, hands=3)
    shown = views(html_of(client, there(evening)))
    assert list(shown)[:2] == ["tables", "play-off"]
    assert "Play-off · 2 groups, hand 4 of 4" in shown["play-off"]
    assert (
        "The first three of each group go to the winners’ table, all others to the losers’ table." in shown["play-off"]
    )
    assert "Ann 2 above 5 Three to the winners’ table 4 Cy 2 behind 3" in shown["play-off"]


def test_between_groups_and_finals_it_says_what_comes(client):
    evening = play_off()
    evening.finish(evening.groups[0], FIRST)
    evening.finish(evening.groups[1], SECOND)
    shown = views(html_of(client, there(evening)))
    assert "tables" not in shown
    assert "Play-off · The finals are to be drawn." in shown["play-off"]


def with_finals():
    """A play-off whose groups are over and whose finals are open."""
    evening = play_off()
    evening.finish(evening.groups[0], FIRST)
    evening.finish(evening.groups[1], SECOND)
    evening.open_next()
    return evening


def test_finals_say_who_would_take_the_trophies(client):
    evening = with_finals()
    evening.play(evening.final(), WINNERS, hands=3)
    evening.play(evening.final("losers"), LOSERS, hands=3)
    shown = views(html_of(client, there(evening)))
    assert "If it ended now The winner’s trophy Ann 21, in the box The loser’s trophy Flo −7" in shown["play-off"]
    # The groups are over: only the finals hang there.
    assert "Group 1" not in " ".join(shown.values())


def test_finals_that_are_over_say_who_takes_the_trophies(client):
    evening = with_finals()
    evening.finish(evening.final(), WINNERS)
    evening.finish(evening.final("losers"), LOSERS)
    shown = views(html_of(client, there(evening)))
    assert list(shown)[:2] == ["result", "play-off"]
    assert "The result Ann wins." in shown["result"]
    assert "Flo, lowest of the winners’ table" in shown["result"]


def test_after_the_end_it_says_who_takes_what_and_when_the_club_meets_next(client, evening):
    table = evening.table(hands=None)
    cup = TrophyFactory(club=evening.club, name="The Cup")
    Award.objects.create(trophy=cup, member=evening.members[0], on=evening.night.on, source="sheet", table=table)
    NightFactory(club=evening.club, on=evening.night.on + datetime.timedelta(days=7), begun_at=None)
    assert "The result to the winner The Cup Ann to be confirmed" in views(html_of(client, there(evening)))["result"]
    Award.objects.update(confirmed_at=timezone.now())
    evening.night.closed_at = timezone.now()
    evening.night.save()
    shown = views(html_of(client, there(evening)))
    assert shown["result"].startswith("The night is over Next: Thursday 12 March. to the winner The Cup Ann Table 1")
    assert "to be confirmed" not in shown["result"]


def test_night_that_was_closed_too_early_says_so(client, evening):
    evening.table(hands=1)
    assert "result" not in views(html_of(client, there(evening)))
    evening.night.closed_at = timezone.now()
    evening.night.save()
    assert "Not every table was played to its end." in views(html_of(client, there(evening)))["result"]


def test_standings_and_trophies_come_after_the_tables(client, evening):
    last_week = NightFactory(club=evening.club, on=evening.night.on - datetime.timedelta(days=7))
    scored(last_week, [(evening.members[0], 30), (evening.members[1], 20), (evening.members[2], 10)])
    keep_standings(evening.club)
    TrophyFactory(club=evening.club, name="The Boot", goes="loser")
    evening.table(hands=1)
    shown = views(html_of(client, there(evening)))
    assert list(shown) == ["tables", "standings", "trophies"]
    assert re.search(r"all time 1 new Ann \d+ 2 new Bo", shown["standings"]), shown["standings"]
    assert shown["trophies"] == "Trophies to the loser The Boot Nobody yet"


def test_hidden_names_stay_hidden(client):
    evening = an_evening(begun_at=None)
    shy = MemberFactory(club=evening.club, name="Zed")
    Attendance.objects.create(night=evening.night, member=shy, says="here")
    hide_name(shy, by=None)
    assert "Somebody here" in views(html_of(client, there(evening)))["coming"]
    evening.night.begun_at = timezone.now()
    evening.night.save()
    scored(evening.night, [(shy, 30), (evening.members[1], 3)])
    evening.members[2] = shy
    table = evening.table(hands=1)
    keep_standings(evening.club)
    cup = TrophyFactory(club=evening.club)
    Award.objects.create(trophy=cup, member=shy, on=evening.night.on, source="typed", confirmed_at=timezone.now())
    cover_sheet(table.sheet, evening.club)
    html = html_of(client, there(evening))
    shown = views(html)
    assert "Somebody bids next" in shown["tables"]
    assert "Somebody" in shown["trophies"]
    assert "Zed" not in html


# Who sees it


def test_members_club_shows_it_to_its_members_alone_and_tells_nobody_its_key():
    evening = an_evening(visibility="members", begun_at=None)
    for stranger in (Client(), phone(evening.club)):
        assert stranger.get(there(evening)).status_code == 403
        assert stranger.get(there(evening, "wall_now")).status_code == 403
    html = html_of(account(evening.club)[0], there(evening))
    assert "Scan it and sign in" in html
    assert evening.club.key not in html


def test_club_by_link_shows_it_to_who_came_by_the_link():
    evening = an_evening(visibility="link", begun_at=None)
    assert Client().get(there(evening)).status_code == 403
    response = phone(evening.club).get(there(evening))
    assert response.status_code == 200
    assert response["Referrer-Policy"] == "strict-origin"


def test_code_opens_the_club_on_another_phone(monkeypatch):
    drawn: list[str] = []
    monkeypatch.setattr("clubs.views.nights.wall.qr_of", lambda address: drawn.append(address) or "")
    evening = an_evening(visibility="link", begun_at=None)
    html_of(phone(evening.club), there(evening))
    Club.objects.update(visibility="public")
    html_of(phone(evening.club), there(evening))
    html_of(Client(), there(evening))
    club = evening.club
    with_key, door = (f"http://testserver/clubs/{club.slug}/{page}/" for page in (f"in/{club.key}", "door"))
    assert drawn == [with_key, with_key, door]


def test_night_of_another_club_is_not_here(client, evening):
    other = NightFactory()
    assert client.get(evening.url("wall", other.pk)).status_code == 404
    assert client.get(evening.url("wall_now", other.pk)).status_code == 404


def test_evening_without_a_club_has_a_wall_without_standings_and_trophies(client):
    night, _ = play(client, "tables")
    shown = views(html_of(client, reverse("wall", args=[night.club.slug, night.pk])))
    assert list(shown) == ["tables"]
    assert Client().get(reverse("wall", args=[night.club.slug, night.pk])).status_code == 403


def test_night_and_control_page_lead_to_it(client, evening):
    evening.table(hands=1)
    for visitor, address in ((client, evening.page), (evening.organiser(), evening.control)):
        html = html_of(visitor, address)
        assert f'<a href="{there(evening)}">Show on a big screen' in html


# It follows


def test_nothing_is_sent_while_nothing_changes_and_the_rest_stops_when_the_night_is_closed(client, evening):
    table = evening.table(hands=1)
    html = html_of(client, there(evening))
    assert 'hx-trigger="every 5s, visibilitychange from:document"' in html
    news = news_of(html)
    assert client.get(news).status_code == 204
    scorer_of(table).bid(3, 1)
    answer = client.get(news)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert "Di bids next" in text_of(answer.content.decode())
    evening.night.closed_at = timezone.now()
    evening.night.save()
    answer = client.get(news)
    assert answer.status_code == 286
    assert "every 5s" not in answer.content.decode()


def test_every_minute_is_news(client, evening, at_nine):
    evening.table(hands=1)
    news = news_of(html_of(client, there(evening)))
    at_nine.shift(datetime.timedelta(minutes=1))
    assert client.get(news).status_code == 200


def test_a_closed_night_is_followed_until_everything_is_counted(client, evening):
    evening.table(hands=None)
    evening.night.closed_at = timezone.now()
    evening.night.save()
    waiting = PendingUpdate.objects.create(club=evening.club, subject=0, details={})
    news = news_of(html_of(client, there(evening)))
    assert client.get(news).status_code == 204
    assert "Being counted" in text_of(html_of(client, there(evening)))
    waiting.delete()
    assert client.get(news).status_code == 286


# What it costs


def asked(client: Client, address: str) -> int:
    """How many queries it asks in a process that has read nothing yet."""
    shown_readings.clear()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_it_costs_the_same_with_twenty_tables_as_with_two(client):
    evening = an_evening()
    TrophyFactory(club=evening.club)
    for _ in range(2):
        evening.table(hands=1)
    few = asked(client, there(evening))
    for _ in range(18):
        evening.table(hands=1)
    assert Table.objects.count() == 20
    assert asked(client, there(evening)) == few
    assert few <= 9


def test_a_play_off_costs_the_same_with_200_people_as_with_12(client):
    few, many = (asked(client, there(play_off(sizes))) for sizes in ([6, 6], [10] * 20))
    assert few == many
    assert few <= 20


def test_screen_that_has_the_news_costs_three_queries_and_no_sheet_is_read(client, evening, django_assert_num_queries):
    for _ in range(5):
        evening.table(hands=1)
    news = news_of(html_of(client, there(evening)))
    with django_assert_num_queries(3):
        assert client.get(news).status_code == 204
