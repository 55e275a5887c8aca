"""A sheet of a night says what is played for, leads home, asks for the organiser and hears when to stop."""

import datetime
from html import unescape

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from rules import all_games
from scoresheets.commands.last_hand import announce
from scoresheets.models import Sheet
from scoresheets.pad.help_call import answer, call_of
from tests.factories import new_key, sure_of
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

HOME = "/clubs/trumps/nights/7/"
STAKES = "This table plays for the Cup."


def of_a_night(players=4, *, hands: int = 0, **more) -> Plain:
    phone = Plain(players, **more)
    Sheet.objects.filter(code=phone.code).update(home=HOME, stakes=STAKES, club_name="The Trumps")
    for _ in range(hands):
        phone.scorer.any_hand()
    phone.look()
    return phone


def announced(phone: Plain, hand: int | None = None) -> None:
    sure_of(announce(phone.scorer.sheet, hand, key=new_key(), by=phone.scorer.by))
    phone.look()


def watched(phone: Plain, name: str = "watch") -> str:
    return reverse(name, args=[phone.scorer.sheet.watch])


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_what_is_played_for_stands_on_every_page_of_the_sheet_and_each_leads_home(game):
    phone = of_a_night(None, game=game, hands=1)
    for address in (phone.url("pad"), phone.url("sheet"), watched(phone)):
        page = phone.look(address)
        assert STAKES in page.text, address
        assert any(href.startswith(HOME) for href in page.links.values()), address
    assert watched(phone, "watch_table") in phone.page.links.values()
    assert f"{HOME}?from={phone.scorer.sheet.watch}" in phone.look(watched(phone, "watch_table")).links.values()


def test_the_result_says_what_was_played_for_and_leads_home():
    phone = of_a_night()
    phone.scorer.clear_game()
    page = phone.look(phone.url("result"))
    assert STAKES in page.text
    assert page.links["The night"] == f"{HOME}?from={phone.scorer.sheet.watch}"


def test_paper_says_what_was_played_for():
    phone = of_a_night(hands=1)
    head = phone.client.get(phone.url("sheet")).content.decode().split("paper-head")[1].split("</header>")[0]
    assert STAKES in head


@pytest.mark.parametrize(("page", "shows"), [("watch", True), ("watch_table", False)])
def test_another_prize_is_seen_by_who_watches_before_the_next_tap(page, shows):
    phone = of_a_night(hands=1)

    def polls() -> str:
        return unescape(phone.client.get(watched(phone, page)).content.decode().split('hx-get="')[1].split('"')[0])

    asks = polls()
    assert phone.client.get(asks).status_code == 204
    Sheet.objects.filter(code=phone.code).update(stakes="No trophies tonight.")
    news = phone.client.get(asks)
    assert news.status_code == 200
    assert ("No trophies tonight." in news.content.decode()) is shows
    assert polls() != asks
    assert phone.client.get(polls()).status_code == 204


def test_a_table_of_no_club_asks_for_nobody():
    phone = Plain(4)
    assert "organiser" not in phone.page.text
    phone.client.post(phone.url("ask_for_organiser"), {"asks": "1"})
    assert Sheet.objects.get(code=phone.code).asks_since is None


def test_a_table_asks_for_the_organiser_and_says_never_mind():
    phone = of_a_night()
    version = phone.scorer.sheet.version
    phone.look(f"{phone.url('pad')}?open=more")
    phone.tap("Call the organiser")
    asked = Sheet.objects.get(code=phone.code)
    assert asked.asks_since is not None
    assert asked.asks_since <= timezone.now()
    # The second tap of the same button asks no later.
    phone.client.post(phone.url("ask_for_organiser"), {"asks": "1"})
    assert Sheet.objects.get(code=phone.code).asks_since == asked.asks_since
    phone.look()
    phone.tap("Cancel the call to the organiser")
    assert Sheet.objects.get(code=phone.code).asks_since is None
    assert Sheet.objects.get(code=phone.code).version == version


@pytest.mark.parametrize("game", ["dirty-dog", "dingo"])
def test_the_pad_says_that_the_organiser_was_called_and_that_they_are_on_their_way(game):
    phone = of_a_night(None, game=game)

    def line() -> str:
        top = phone.client.get(phone.url("pad")).content.decode().split("</header>")[0]
        return " ".join(top.split('role="status"')[2].split(">", 1)[1].split("</p>")[0].split())

    def says(asks: str) -> None:
        phone.client.post(phone.url("ask_for_organiser"), {"asks": asks})

    says("1")
    assert line().startswith("organiser called at ")
    says("0")
    assert "organiser" not in phone.client.get(phone.url("pad")).content.decode().split("</header>")[0]
    says("1")
    assert answer(Sheet.objects.get(code=phone.code))
    assert line() == "the organiser is on their way"
    says("1")
    assert line().startswith("organiser called at ")
    says("0")
    assert "organiser" not in phone.client.get(phone.url("pad")).content.decode().split("</header>")[0]


def test_each_table_calls_and_is_answered_by_itself():
    tables = [of_a_night(), of_a_night()]
    one, other = (Sheet.objects.get(code=phone.code) for phone in tables)

    def says(at: int, asks: str) -> list[bool]:
        tables[at].client.post(tables[at].url("ask_for_organiser"), {"asks": asks})
        return [Sheet.objects.get(pk=sheet.pk).asks_since is not None for sheet in (one, other)]

    assert says(0, "1") == [True, False]
    assert not answer(other)
    assert call_of(other)["says"] == "", "nobody comes who was not called"
    assert says(1, "1") == [True, True]
    assert says(0, "0") == [False, True]
    assert says(0, "1") == [True, True]
    assert answer(one)
    assert says(1, "1") == [False, True]


def test_another_phone_hears_of_it_by_polling_and_is_sent_nothing_while_nothing_changes():
    phone = of_a_night()

    def news(mark: str) -> dict | None:
        seen = phone.client.get(phone.url("state"), {"v": phone.scorer.sheet.version, "called": mark})
        return seen.json()["called"] if seen.status_code == 200 else None

    assert news("") is None
    with time_machine.travel(timezone.now(), tick=False) as clock:
        phone.client.post(phone.url("ask_for_organiser"), {"asks": "1"})
        asks = news("")
        assert asks["asks"]
        assert "organiser called" in asks["says"]
        assert news(asks["mark"]) is None
        answer(Sheet.objects.get(code=phone.code))
        comes = news(asks["mark"])
        assert (comes["asks"], comes["says"]) == (False, "the organiser is on their way")
        assert news(comes["mark"]) is None
        # After some minutes they are there, or were called away; nobody is told for the whole evening.
        clock.shift(datetime.timedelta(minutes=11))
        assert news(comes["mark"]) == {"asks": False, "says": "", "mark": ""}


def test_who_only_watches_asks_for_nobody(client):
    phone = of_a_night()
    assert client.post(phone.url("ask_for_organiser"), {"asks": "1"}).status_code == 403


# When to stop


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_the_pad_says_that_the_hand_is_the_last_and_stops_in_one_tap_when_it_is_scored(game):
    phone = of_a_night(None, game=game, hands=1)
    announced(phone)
    assert "the last" in phone.page.text.lower()
    assert not [button for button in phone.page.buttons if button.label == "Stop here"]
    phone.scorer.any_hand()
    assert phone.scorer.reading.sheet.open is not None, "the dice have ended the game by themselves"
    phone.look()
    assert "Hand 2 was the last one." in phone.page.text
    phone.tap("Stop here")
    reading = phone.scorer.reading
    assert (reading.sheet.table.stopped, reading.sheet.table.hands_done) == (True, 2)


def test_a_later_hand_is_named_before_it_comes():
    phone = of_a_night(hands=1)
    announced(phone, 3)
    assert "stops after hand 3" in phone.look(watched(phone)).text
    phone.scorer.any_hand()
    assert "the last hand" in phone.look(watched(phone)).text


def test_other_phones_and_watchers_hear_of_it_when_they_ask_for_news():
    phone = of_a_night(hands=1)
    before = phone.scorer.reading.version
    announced(phone)
    assert phone.client.get(f"{phone.url('state')}?v={before}").json()["pad"]["last"] == 2
    assert "the last hand" in phone.client.get(f"{watched(phone, 'watch_rows')}?v={before}").content.decode()
    assert "the last hand" in phone.client.get(f"{watched(phone, 'watch_top')}?v={before}").content.decode()


def test_the_history_tells_who_announced_what():
    phone = of_a_night(hands=1)
    phone.scorer.by.name = "Ida"
    phone.scorer.by.save()
    announced(phone)
    assert "Ida announced: the table stops after hand 2" in phone.look(phone.url("history")).text


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_every_page_of_a_sheet_opens_with_the_end_announced(game):
    phone = of_a_night(None, game=game, hands=1)
    announced(phone)
    for name in ("sheet", "history", "export_sheet", "export_csv", "set_up", "links", "note", "read_back", "picture"):
        assert phone.client.get(phone.url(name)).status_code == 200, name
    assert phone.client.get(reverse("way_back", args=[phone.code, phone.scorer.reading.version])).status_code == 200
    assert phone.client.get(reverse("correct", args=[phone.code, "1"])).status_code == 200
    assert phone.client.get(watched(phone, "watch_history")).status_code == 200
