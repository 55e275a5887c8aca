"""The front page of a club: the trophies, tonight's tables, and the way to everything else."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Award
from tests.club_factories import ClubFactory, NightFactory, TrophyFactory
from tests.clubs.night_played import Evening, an_evening, page

pytestmark = pytest.mark.django_db


def front(client, evening: Evening):
    return page(client.get(evening.url("club")))


def test_front_page_says_whose_club_it_is(client):
    club = ClubFactory(name="The Tuesday Trumps", about="Cards above the bakery.")
    page = client.get(f"/clubs/{club.slug}/").content.decode()
    assert "The Tuesday Trumps" in page
    assert "Cards above the bakery." in page
    assert 'aria-current="page">Tonight' in page


def test_both_trophies_their_holders_and_since_when_are_seen_without_a_tap(client, evening):
    cup, _dog = (
        TrophyFactory(club=evening.club, name=name, goes=goes)
        for name, goes in (("The Cup", "winner"), ("The Old Dog", "loser"))
    )
    day = datetime.date(2026, 3, 5)
    Award.objects.create(trophy=cup, member=evening.members[0], on=day, source="typed", confirmed_at=timezone.now())
    text = front(client, evening).text
    assert "The Cup Ann since 5 March 2026" in text
    assert "The Old Dog Nobody yet" in text


def test_tables_of_tonight_are_seen_and_lead_to_their_sheets(client, evening):
    table = evening.table(hands=1)
    evening.table(seats=slice(4, 8))
    found = front(client, evening)
    assert "Table 1 Dirty Dog Hand 2 of 4" in found.text
    assert "Table 2 Dirty Dog not begun" in found.text
    assert reverse("watch", args=[table.sheet.watch]) in found.links.values()


def test_a_night_that_began_yesterday_and_was_not_closed_is_still_on(client, evening):
    evening.night.on = evening.club.today() - datetime.timedelta(days=1)
    evening.night.save()
    evening.table(hands=1)
    assert "Hand 2 of 4" in front(client, evening).text
    evening.night.closed_at = timezone.now()
    evening.night.save()
    text = front(client, evening).text
    assert "Hand 2 of 4" not in text
    assert "No cards tonight." in text
    assert "Last time:" in text


def test_on_the_way_home_the_tables_of_the_evening_are_still_seen(client, evening):
    evening.table()
    evening.night.closed_at = timezone.now()
    evening.night.save()
    found = front(client, evening)
    assert "It is over." in found.text
    assert "Table 1 Dirty Dog" in found.text
    assert "No cards tonight." not in found.text
    assert "Last time:" not in found.text
    links = front(evening.organiser(), evening).links
    assert links["Control page"] == evening.control
    assert "Roll call" not in links


def test_a_night_of_yesterday_is_over_tomorrow(client, evening):
    yesterday = timezone.now() - datetime.timedelta(days=1)
    evening.table()
    type(evening.night).objects.update(on=evening.club.today() - datetime.timedelta(days=1), closed_at=yesterday)
    text = front(client, evening).text
    assert "No cards tonight." in text
    assert "Last time:" in text


def test_the_next_night_is_named(client, evening):
    NightFactory(
        club=evening.club, on=evening.club.today() + datetime.timedelta(days=7), begun_at=None, title="Spring Dog"
    )
    NightFactory(club=evening.club, on=evening.club.today() + datetime.timedelta(days=30), begun_at=None)
    assert "Next: Spring Dog" in front(client, evening).text


def test_a_night_that_was_put_away_is_not_on(client, evening):
    evening.night.archived_at = timezone.now()
    evening.night.save()
    assert "No cards tonight." in front(client, evening).text


def test_organisers_alone_are_led_to_the_control_page(client, evening):
    assert evening.control not in front(client, evening).links.values()
    assert front(evening.organiser(), evening).links["Control page"] == evening.control


def test_front_page_asks_the_same_however_many_tables_play(client, evening, django_assert_max_num_queries):
    for _ in range(4):
        evening.table(hands=1)
    TrophyFactory(club=evening.club)
    with django_assert_max_num_queries(10):
        assert client.get(evening.url("club")).status_code == 200


def test_members_club_shows_its_front_page_to_nobody_else(client):
    evening = an_evening(visibility="members")
    for address in (evening.url("club"), evening.page, evening.url("night_tables", evening.night.pk)):
        assert client.get(address).status_code == 403
    assert evening.organiser("member").get(evening.page).status_code == 200
