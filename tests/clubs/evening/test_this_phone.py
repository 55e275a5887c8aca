"""A phone that knows a club finds its night on the front page, and its people when it opens a sheet."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.members.people import new_guest
from clubs.models import Chair, Club, Member, PlayerAlias
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet
from tests.clubs.night_played import Evening, an_evening, page
from tests.factories import ScorekeeperFactory
from tests.factories import opened as opened_sheet
from tests.scoresheets.opening.test_open import filled, post

pytestmark = pytest.mark.django_db

SECRET = "a-phone-at-the-table--"


@pytest.fixture
def evening() -> Evening:
    return an_evening(visibility="link")


def phone(evening: Evening, me: Member | None = None, key: str = "") -> Client:
    """A phone that came in by the club's link; `me` uses it."""
    client = Client()
    client.cookies[COOKIE.format(evening.club.pk)] = f"{key or evening.club.key}.{me.pk if me else 0}"
    return client


def front(client: Client):
    return page(client.get("/"))


def test_the_night_that_is_on_stands_above_keep_score_now(evening):
    found = front(phone(evening))
    assert found.text.index(f"{evening.night} is on The Trumps") < found.text.index("Keep score now")
    assert evening.page in found.links.values()


def test_who_said_this_is_me_is_led_to_their_table(evening):
    first, second = evening.table(hands=1), evening.table(seats=slice(4, 8))
    found = front(phone(evening, evening.members[5]))
    assert f"{evening.night} is on: table 2" in found.text
    assert found.links[f"{evening.night} is on: table 2 The Trumps"] == reverse("watch", args=[second.sheet.watch])
    assert "is on: table 1" in front(phone(evening, evening.members[0])).text
    assert first.sheet.watch != second.sheet.watch


def test_phone_that_was_revoked_sits_at_no_table(evening):
    table, client = evening.table(hands=1), phone(evening)
    client.cookies["pencil"] = SECRET
    keeper = ScorekeeperFactory(sheet=table.sheet, browser=hashed(SECRET))
    assert "is on: table 1" in front(client).text
    keeper.revoked_at = timezone.now()
    keeper.save()
    assert "is on: table" not in front(client).text


def test_a_chair_that_was_drawn_is_theirs_before_they_are_dealt_in(evening):
    table = evening.table()
    Chair.objects.create(table=table, place=5, member=evening.members[7])
    assert "is on: table 1" in front(phone(evening, evening.members[7])).text


def test_who_is_known_by_another_name_on_a_sheet_is_found(evening):
    table = evening.table()
    late = evening.members[7]
    PlayerAlias.objects.create(club=evening.club, player=evening.members[0].player, member=late)
    assert "is on: table 1" in front(phone(evening, late)).text
    assert table.number == 1


def test_the_phone_that_keeps_score_is_led_to_the_pad(evening):
    table = evening.table()
    table.sheet.scorekeepers.create(browser=hashed(SECRET), created=timezone.now())
    client = phone(evening)
    client.cookies["pencil"] = SECRET
    assert reverse("pad", args=[table.sheet.code]) in front(client).links.values()


def test_a_table_that_still_plays_comes_before_one_that_is_done(evening):
    evening.table(hands=None)
    evening.table(hands=1)
    assert "is on: table 2" in front(phone(evening, evening.members[0])).text


def test_a_night_that_has_not_begun_is_told_with_its_hour():
    evening = an_evening(visibility="link", begun_at=None, begins=datetime.time(19, 30))
    assert f"{evening.night} is today, 19:30" in front(phone(evening)).text


def test_who_is_signed_in_needs_no_cookie_of_the_club():
    evening = an_evening(visibility="members")
    assert f"{evening.night} is on" in front(evening.organiser("member")).text


@pytest.mark.parametrize("change", [{"key": "k" * 22}, {"visibility": "members"}, {"archived_at": timezone.now()}])
def test_a_link_that_opens_nothing_any_more_tells_nothing(evening, change):
    client = phone(evening)
    Club.objects.update(**change)
    assert "The Trumps" not in front(client).text


def test_a_cookie_of_no_club_of_this_site_does_no_harm(evening):
    for value in ("", "x", f"{evening.club.key}.99999999999999", "²", ".1"):
        client = Client()
        client.cookies[COOKIE.format(evening.club.pk)] = value
        client.cookies[COOKIE.format(999)] = value
        assert client.get("/").status_code == 200
        assert client.get("/open/").status_code == 200


def test_front_page_asks_a_handful_of_questions(evening, django_assert_max_num_queries):
    for _ in range(3):
        evening.table(hands=1)
    client = phone(evening, evening.members[0])
    with django_assert_max_num_queries(3):
        assert "is on: table" in front(client).text


# Opening a sheet


def test_people_of_the_club_can_be_picked_when_a_sheet_is_opened(evening):
    client = phone(evening)
    said = client.get("/open/").content.decode()
    assert f'value="pick-{evening.members[0].player_id}"' in said
    assert f'value="pick-{evening.members[0].player_id}"' not in Client().get("/open/").content.decode()


def test_who_is_picked_sits_down_as_who_they_are(evening):
    picks = [str(member.player_id) for member in evening.members[:4]]
    answer = post(phone(evening), filled(4, pick=picks))
    sheet = Sheet.objects.get(code=answer["Location"].split("/")[2])
    assert [seat.player_id for seat in sheet.seats.order_by("number")] == [m.player_id for m in evening.members[:4]]
    assert set(read_sheet(sheet).names.values()) == {"Ann", "Bo", "Cy", "Di"}
    # No table of the club by that alone.
    assert sheet.home == ""


def test_a_stranger_picks_nobody_of_the_club(evening):
    picks = [str(member.player_id) for member in evening.members[:4]]
    answer = post(Client(), filled(4, pick=picks))
    sheet = Sheet.objects.get(code=answer["Location"].split("/")[2])
    assert not set(sheet.seats.values_list("player", flat=True)) & {member.player_id for member in evening.members}


def test_who_hides_their_name_or_left_is_offered_to_nobody(evening):
    Member.objects.filter(pk=evening.members[0].pk).update(hidden=True)
    Member.objects.filter(pk=evening.members[1].pk).update(left_at=timezone.now())
    said = phone(evening).get("/open/").content.decode()
    assert f'value="pick-{evening.members[0].player_id}"' not in said
    assert f'value="pick-{evening.members[1].player_id}"' not in said
    assert f'value="pick-{evening.members[2].player_id}"' in said


def test_guest_of_one_night_is_offered_to_nobody(evening):
    guest = new_guest(evening.club, "Gus")
    assert f'value="pick-{guest.player_id}"' not in phone(evening).get("/open/").content.decode()


def test_nicknames_are_what_chips_say(evening):
    Member.objects.filter(pk=evening.members[0].pk).update(nickname="Annie")
    assert 'data-name="Annie"' in phone(evening).get("/open/").content.decode()


def test_who_has_played_on_this_phone_comes_first_and_once(evening):
    client = phone(evening)
    client.cookies["pencil"] = SECRET
    opened_sheet(["Zoe", "Yan", "Xia"], browser=hashed(SECRET))
    said = client.get("/open/").content.decode()
    names = [part.split('"')[0] for part in said.split('data-name="')[1:]]
    assert names[:3] == ["Zoe", "Yan", "Xia"]
    assert len(names) == len(set(names))


def test_people_of_the_club_cost_two_queries_more(evening, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        assert phone(evening).get("/open/").status_code == 200
