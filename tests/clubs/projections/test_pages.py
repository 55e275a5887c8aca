"""Pages say that a result is being counted, show it by themselves, and name what could not be counted."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, PendingUpdate, Table
from clubs.projections import worker
from scoresheets.models import Sheet
from tests import counted
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.projections.test_worker import fails_at
from tests.counted import not_counted

pytestmark = pytest.mark.django_db

CALLED = "Back-to-Back"


@pytest.fixture
def club() -> Club:
    return ClubFactory(visibility="public")


def again_won(club: Club) -> Table:
    """The second of two games that the same person has won, which is not counted yet."""
    people = MemberFactory.create_batch(4, club=club)
    played(NightFactory(club=club, on=datetime.date(2026, 3, 1)), people)
    with not_counted():
        table = played(NightFactory(club=club, on=datetime.date(2026, 3, 8)), people)
    Sheet.objects.filter(pk=table.sheet_id).update(home=table.night.get_absolute_url())
    return table


def test_page_says_so_until_it_is_counted_and_then_fetches_itself(club: Club, client: Client) -> None:
    again_won(club)
    page = client.get(reverse("standings", args=[club.slug])).content.decode()
    asks = reverse("being_counted", args=[club.slug])
    assert "Being counted …" in page
    assert f'hx-get="{asks}"' in page
    assert client.get(asks).status_code == 204
    worker.catch_up()
    told = client.get(asks, headers={"hx-current-url": f"http://testserver{club.get_absolute_url()}?a=b"})
    assert f'hx-get="{club.get_absolute_url()}?a=b"' in told.content.decode()
    assert "Being counted" not in client.get(reverse("standings", args=[club.slug])).content.decode()


def test_every_page_on_which_the_result_will_be_says_that_it_is_being_counted(club: Club, client: Client) -> None:
    night = again_won(club).night
    pages = [reverse(name, args=[club.slug]) for name in ("club", "standings", "records", "games", "trophies")]
    for page in (night.get_absolute_url(), reverse("night_story", args=[club.slug, night.pk]), *pages):
        assert "<b>Being counted …</b>" in client.get(page).content.decode(), page


@pytest.mark.thorough
def test_result_asks_until_all_that_the_club_calls_is_on_it(club: Club, client: Client) -> None:
    table = again_won(club)
    assert table.sheet is not None
    result = reverse("result", args=[table.sheet.code])
    page = client.get(result).content.decode()
    assert "Being counted …" in page
    assert f'hx-get="{result}"' in page
    assert CALLED not in page
    worker.catch_up()
    page = client.get(result).content.decode()
    assert "Being counted" not in page
    assert "hx-get" not in page
    assert CALLED in page


def test_who_watches_is_told_to_ask_on_until_all_is_called(club: Club, client: Client) -> None:
    table = again_won(club)
    assert table.sheet is not None
    rows = reverse("watch_rows", args=[table.sheet.watch])
    first = client.get(rows, {"v": "0"})
    assert first.status_code == 200, "the page goes on asking"
    assert "Being counted …" in first.content.decode()
    assert "every 1s" in first.content.decode()
    shown = first.content.decode().partition("?v=")[2].partition('"')[0]
    assert client.get(rows, {"v": shown}).status_code == 204
    worker.catch_up()
    last = client.get(rows, {"v": shown})
    assert last.status_code == 286
    assert CALLED in last.content.decode()
    assert 'hx-trigger="visibilitychange from:document"' in last.content.decode(), "it asks no more"


def test_result_at_a_kitchen_table_is_whole_at_once(club: Club, client: Client) -> None:
    with not_counted():
        table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club))
        assert table.sheet is not None
        assert table.sheet.home == ""
        assert "Being counted" not in client.get(reverse("result", args=[table.sheet.code])).content.decode()


@pytest.fixture
def _failing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of the eighth of March cannot be counted."""
    table = again_won(club)
    monkeypatch.setattr(worker, "put_off", counted.put_off)
    with monkeypatch.context() as broken:
        fails_at(broken, table, ValueError())
        for _ in range(3):
            worker.catch_up()
            PendingUpdate.objects.update(not_before=None)
    PendingUpdate.objects.update(not_before=datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC))


@pytest.mark.usefixtures("_failing")
def test_result_that_cannot_be_counted_is_named_and_led_to(club: Club, client: Client) -> None:
    table = club.nights.get(on=datetime.date(2026, 3, 8)).tables.get()
    assert table.sheet is not None
    page = client.get(reverse("standings", args=[club.slug])).content.decode()
    watch = reverse("watch", args=[table.sheet.watch])
    assert f'<a href="{watch}"><bdi>table {table.number} of 8 March 2026</bdi></a>' in page
    assert "Try again now" not in page, "this is for organisers"
    result = client.get(reverse("result", args=[table.sheet.code])).content.decode()
    assert "Being counted" not in result, "nobody waits for what has failed again and again"
    assert client.get(reverse("watch_rows", args=[table.sheet.watch])).status_code == 286


@pytest.mark.usefixtures("_failing")
def test_organiser_has_it_counted_again_at_once(club: Club) -> None:
    user, client = UserFactory(), Client()
    MemberFactory(club=club, user=user, role="organiser")
    client.force_login(user)
    here = reverse("standings", args=[club.slug]) + "?x=1"
    page = client.get(here).content.decode()
    again = reverse("count_again", args=[club.slug])
    assert f'action="{again}"' in page
    assert f'name="next" value="{here}"' in page
    response = client.post(again, {"next": here})
    assert (response.status_code, response["Location"]) == (303, here)
    assert not PendingUpdate.objects.exists()
    assert "could not be counted" not in client.get(here).content.decode().lower()


@pytest.mark.usefixtures("_failing")
def test_member_cannot_have_it_counted_again(club: Club) -> None:
    user, client = UserFactory(), Client()
    MemberFactory(club=club, user=user)
    client.force_login(user)
    assert client.post(reverse("count_again", args=[club.slug])).status_code == 403
    assert PendingUpdate.objects.get().failures == 3
