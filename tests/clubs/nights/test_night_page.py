"""The page of a night, for members and for whoever comes from a table of it."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Attendance, Award, Club, Night, Placing, Table
from clubs.nights.nights import put_away
from clubs.tables.open import give_chair
from scoresheets.access.scorekeepers import hashed
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import arrive
from tests.club_factories import MemberFactory, NightFactory, TableFactory, TrophyFactory, played
from tests.clubs.night_played import Evening, an_evening, page, scorer_of
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


def test_who_comes_and_who_brings_what_is_told_before_it_begins(client):
    evening = an_evening(begun_at=None, begins=datetime.time(19, 30), place="The bakery")
    for member, says in zip(evening.members, ("here", "coming", "not"), strict=False):
        Attendance.objects.create(night=evening.night, member=member, says=says)
    cup = TrophyFactory(club=evening.club, name="The Cup")
    Award.objects.create(
        trophy=cup, member=evening.members[3], on=evening.night.on, source="typed", confirmed_at=timezone.now(),
        handed_at=timezone.now(),
    )  # fmt: skip
    text = page(client.get(evening.page)).text
    assert "19:30" in text
    assert "The bakery" in text
    assert "Here (1): Ann" in text
    assert "Coming later (1): Bo" in text
    assert "Absent (1): Cy" in text
    assert "The Cup Di" in text


def test_who_hides_their_name_is_somebody_at_the_roll_call(client):
    evening = an_evening(begun_at=None)
    shy = MemberFactory(club=evening.club, name="Zed", hidden=True)
    Attendance.objects.create(night=evening.night, member=shy, says="here")
    text = page(client.get(evening.page)).text
    assert "Zed" not in text
    assert "Somebody" in text


def test_tables_are_followed_and_nothing_is_sent_while_nothing_changes(client, evening):
    table = evening.table(hands=1)
    found = client.get(evening.page).content.decode()
    news = found.split('hx-get="')[1].split('"')[0]
    assert client.get(news).status_code == 204
    scorer_of(table).bid(3, 1)
    answer = client.get(news)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert "Hand 2 of 4" in answer.content.decode()
    assert "The night is over." not in client.get(evening.page).content.decode()
    evening.night.closed_at = timezone.now()
    evening.night.save()
    assert client.get(news).status_code == 286
    assert "The night is over." in client.get(evening.page).content.decode()


def test_who_has_a_chair_and_comes_later_stands_at_their_table_until_they_sit_there(client, evening):
    table = evening.table(hands=1)

    def says(address: str = evening.page) -> str:
        return " ".join(strip_tags(client.get(address).content.decode()).split())

    news = client.get(evening.page).content.decode().split('hx-get="')[1].split('"')[0]
    assert "coming:" not in says()
    assert give_chair(table, evening.members[4])
    assert give_chair(table, evening.members[5])
    assert "coming: Ed, Flo" in says(news)
    assert "coming: Ed, Flo" in says(evening.url("club"))
    Attendance.objects.create(night=evening.night, member=evening.members[5], says="not")
    assert "coming: Ed" in says()
    assert "coming: Ed," not in says()
    scorer = scorer_of(table)
    ed = Somebody("Ed", evening.members[4].player_id)
    sure_of(arrive(table.sheet, ed, 2, 1, left_of=4, key=new_key(), by=scorer.by, sure=True))
    assert "coming:" not in says()


def test_who_played_another_game_or_night_is_awaited_all_the_same(client, evening):
    yesterday = NightFactory(
        club=evening.club, on=evening.night.on - datetime.timedelta(days=1), begun_at=timezone.now()
    )
    played(yesterday, evening.members[4:8], hands=1)
    evening.table(hands=None, seats=slice(4, 8))
    assert give_chair(evening.table(hands=1), evening.members[4])
    assert "coming: Ed" in page(client.get(evening.page)).text
    assert "coming: Ed" in page(client.get(evening.url("club"))).text


def test_who_won_is_told_when_a_table_is_done(client, evening):
    evening.table(hands=None)
    text = page(client.get(evening.page)).text
    assert "Ann wins with" in text
    assert "Bo takes the circle with" in text


def test_a_result_of_the_past_is_shown_without_a_sheet(client, evening):
    table = TableFactory(night=evening.night, source=Table.Source.PAST, ended_at=timezone.now())
    Placing.objects.create(table=table, member=evening.members[0], place=1, score=31, winner=True, players=2)
    Placing.objects.create(table=table, member=evening.members[1], place=2, score=-4, loser=True, players=2)
    assert "1. Ann 31 2. Bo −4" in page(client.get(evening.page)).text


@pytest.mark.parametrize(
    ("follows", "says"),
    [("play-off", "A play-off decides who takes the trophies."), ("nothing", "No trophies tonight."),
     ("table", "Table 1 plays for the trophies.")],
)  # fmt: skip
def test_what_the_trophies_follow_stands_on_the_page(client, evening, follows, says):
    table = evening.table()
    news = client.get(evening.page).content.decode().split('hx-get="')[1].split('"')[0]
    evening.night.trophies, evening.night.trophies_table = follows, table
    evening.night.save()
    assert says in page(client.get(evening.page)).text
    assert says in " ".join(strip_tags(client.get(news).content.decode()).split())


def test_a_phone_that_keeps_score_is_led_to_the_pad(client, evening):
    table = evening.table()
    secret = "a-phone-at-the-table--"
    table.sheet.scorekeepers.create(browser=hashed(secret), created=timezone.now())
    client.cookies["pencil"] = secret
    links = page(client.get(evening.page)).links.values()
    assert reverse("pad", args=[table.sheet.code]) in links
    assert reverse("watch", args=[table.sheet.watch]) in page(Client().get(evening.page)).links.values()


def test_page_asks_the_same_however_many_tables_play(client, evening, django_assert_max_num_queries):
    for _ in range(5):
        evening.table(hands=1)
    with django_assert_max_num_queries(6):
        assert client.get(evening.page).status_code == 200


def test_a_page_that_has_the_news_costs_three_questions_and_no_sheet_is_read(
    client, evening, django_assert_num_queries
):
    for _ in range(5):
        evening.table(hands=1)
    news = client.get(evening.page).content.decode().split('hx-get="')[1].split('"')[0]
    with django_assert_num_queries(3):
        assert client.get(news).status_code == 204


def test_night_of_another_club_is_not_here(client, evening):
    other = NightFactory()
    assert client.get(evening.url("night", other.pk)).status_code == 404
    assert client.get(evening.url("night_tables", other.pk)).status_code == 404


# Who comes from a table of it


def watched(evening: Evening) -> str:
    return f"{evening.page}?from={evening.table().sheet.watch}"


def test_watcher_of_a_club_by_link_is_told_to_ask_for_its_link_and_goes_back_to_the_table():
    evening = an_evening(visibility="link")
    there = watched(evening)
    answer = Client().get(there)
    assert answer.status_code == 403
    said = answer.content.decode()
    assert "Ask somebody in the club for the link" in said
    assert f'href="/watch/{there.split("=")[1]}/"' in said
    assert "Ann" not in said
    assert evening.club.key not in said


@pytest.mark.parametrize("wrong", ["", "%00", "x" * 23, "/../"])
def test_what_is_no_address_of_a_table_leads_to_none(wrong):
    answer = Client().get(f"{an_evening(visibility='link').page}?from={wrong}")
    assert answer.status_code == 403
    assert "Back to the table" not in answer.content.decode()


def test_a_sheet_leads_home_to_a_page_that_is_there(evening):
    table = evening.table(hands=1)
    links = page(Client().get(reverse("watch", args=[table.sheet.watch]))).links
    assert links["The Trumps"] == f"{evening.page}?from={table.sheet.watch}"
    assert Client().get(links["The Trumps"]).status_code == 200


def test_sheet_of_a_night_that_was_put_away_leads_to_the_club(client, evening):
    sheet = evening.table(hands=1).sheet
    put_away(evening.night)
    assert client.get(sheet.home)["Location"] == evening.club.get_absolute_url()
    Club.objects.update(visibility="link")
    assert Client().get(f"{sheet.home}?from={sheet.watch}").status_code == 403
    assert Client().get(sheet.home).status_code == 403
    assert Night.objects.count() == 1
