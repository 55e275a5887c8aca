"""What a link to a page of a club shows in a chat, without a cookie: a sentence and a picture."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from clubs.access.club_key import KEY
from clubs.models import Award, PlayOff, Stage
from tests.club_factories import TrophyFactory
from tests.clubs.night_played import Evening, an_evening
from tests.scoresheets.link_previews.test_sheet_preview import UNFURLER, picture_at, tags

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """A public club with one finished game and one that runs."""
    evening = an_evening()
    evening.table(hands=None)
    evening.table(hands=2, seats=slice(4, 8))
    return evening


def preview(address: str) -> dict[str, str]:
    answer = Client(headers=UNFURLER).get(address)
    assert answer.status_code == 200
    return tags(answer.text)


def test_night_says_who_plays_and_who_leads(evening: Evening) -> None:
    told = preview(evening.page)
    assert told["og:title"].endswith("1 of 2 tables still playing")
    assert "Table 1: " in told["og:description"]
    assert "Table 2: " in told["og:description"]
    assert picture_at(told["og:image"]).size == (1200, 630)


def test_closed_night_says_that_there_is_a_result(evening: Evening) -> None:
    evening.night.closed_at = timezone.now()
    evening.night.save()
    told = preview(evening.page)
    assert told["og:title"].endswith("the result")
    assert told["og:description"].count("Table 1: ") == 2


@pytest.mark.parametrize("name", ["club", "standings"])
def test_pages_have_a_picture(evening: Evening, name: str) -> None:
    told = preview(evening.url(name))
    assert told["og:title"]
    assert picture_at(told["og:image"]).size == (1200, 630)


def test_member_and_trophy_have_one(evening: Evening) -> None:
    trophy = TrophyFactory(club=evening.club, name="The Boot")
    assert preview(trophy.get_absolute_url())["og:description"] == "Nobody has won it yet."
    Award.objects.create(
        trophy=trophy, member=evening.members[0], on=evening.club.today(), source=Award.Source.TYPED,
        confirmed_at=timezone.now(),
    )  # fmt: skip
    told = preview(trophy.get_absolute_url())
    assert told["og:title"] == f"{evening.members[0].shown} holds The Boot"
    assert picture_at(told["og:image"]).size == (1200, 630)
    told = preview(evening.members[0].get_absolute_url())
    assert told["og:title"] == evening.members[0].shown
    assert "Games 1" in told["og:description"]
    assert picture_at(told["og:image"]).size == (1200, 630)


def test_play_off_has_one() -> None:
    evening = an_evening()
    table = evening.table(hands=2)
    play_off = PlayOff.objects.create(night=evening.night, game="dirty-dog", places=2)
    table.stage = Stage.objects.create(play_off=play_off, number=1, side="all", hands=4, places=2)
    table.save()
    told = preview(evening.url("play_off", evening.night.pk))
    assert told["og:title"] == "1 group, hand 3 of 4"
    assert picture_at(told["og:image"]).size == (1200, 630)


# By link, and for members


def test_picture_of_a_club_by_link_opens_with_the_key_that_the_page_came_with() -> None:
    evening = an_evening(visibility="link")
    evening.table(hands=1)
    told = preview(f"{evening.page}?{KEY}={evening.club.key}")
    assert f"key={evening.club.key}" in told["og:image"]
    assert f"key={evening.club.key}" in told["og:url"]
    assert picture_at(told["og:image"]).size == (1200, 630)
    without = told["og:image"].replace(evening.club.key, "x" * 22).removeprefix("http://testserver")
    assert Client().get(without).status_code == 403


def test_share_button_sends_the_address_with_the_key() -> None:
    evening = an_evening(visibility="link")
    somebody = Client()
    shared = f"http://testserver{evening.page}?{KEY}={evening.club.key}"
    somebody.get(shared.removeprefix("http://testserver"))
    assert f'data-share-page="{shared}"' in somebody.get(evening.page).text
    assert Client().get(shared.removeprefix("http://testserver")).status_code == 200


def test_members_club_tells_its_name_and_nothing_else() -> None:
    evening = an_evening(visibility="members")
    evening.table(hands=1)
    answer = Client(headers=UNFURLER).get(f"{evening.page}?{KEY}={evening.club.key}")
    assert tags(answer.text) == {}
    assert "<title>The Trumps" in answer.text
    assert not any(f"{member.name}<" in answer.text for member in evening.members)
    for name, args in (("club_preview", ()), ("night_preview", (evening.night.pk,))):
        assert Client().get(evening.url(name, *args)).status_code == 403


def test_picture_is_a_png_and_kept_by_the_browser_for_its_version(evening: Evening) -> None:
    told = preview(evening.page)
    answer = Client().get(told["og:image"].removeprefix("http://testserver"))
    assert "max-age=86400" in answer["Cache-Control"]
    assert Image.open(BytesIO(answer.content)).format == "PNG"
    assert "max-age=0" in Client().get(evening.url("night_preview", evening.night.pk))["Cache-Control"]
