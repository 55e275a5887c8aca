"""From a number on a page to the form that changes it, and back to that page with what was changed."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from rules import all_games, find_game
from scoresheets.corrections.correct import opened_row
from scoresheets.corrections.links import RETURN_PAGES, return_address
from scoresheets.corrections.row_form import RowForm, Tapped
from scoresheets.corrections.swap import NUMBERS, Swap, swap_change
from scoresheets.history.change_text import numbers_swapped
from scoresheets.log.append import Change
from scoresheets.results.impact import previewed
from tests.factories import scorer
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Plain:
    """Two hands are scored: in the first Bo took the one trick, in the second Cy took both. Hand 3 is open."""
    plain = Plain(4)
    plain.scorer.any_hand()
    plain.scorer.any_hand()
    return plain


def at(phone: Plain, part: object) -> str:
    return f"/sheets/{phone.code}/correct/{part}/"


def links_to(phone: Plain, part: object) -> list[str]:
    """What the links of the page to the form of a row ask for."""
    found = re.findall(rf'href="{at(phone, part)}\?([^"]+)"', phone.response.content.decode())
    return [unescape(query) for query in found]


def focused(phone: Plain) -> list[str]:
    """The names of the inputs that have the focus when the page opens."""
    page = phone.response.content.decode()
    return [
        re.findall(r'name="([^"]+)"', tag)[0] for tag in re.findall(r"<(?:input|select)[^>]*\sautofocus[^>]*>", page)
    ]


def lit(phone: Plain) -> int:
    return len(re.findall(r'class="[^"]*\blit\b', phone.response.content.decode()))


# To the number


def test_reason_of_a_number_leads_to_the_number(phone: Plain) -> None:
    phone.look(f"/sheets/{phone.code}/why/1/2/")
    assert links_to(phone, 1) == ["seat=2&from=sheet"]
    phone.look(f"/sheets/{phone.code}/why/1/2/?from=pad")
    assert links_to(phone, 1) == ["seat=2&from=pad"]
    phone.look(f"/sheets/{phone.code}/why/1/2/?from=//evil.test/")
    assert links_to(phone, 1) == ["seat=2&from=sheet"]


def test_sheet_beside_the_pad_leads_to_a_reason_that_leads_back_to_the_pad(phone: Plain) -> None:
    """Without a script too: the address says where the number stands."""
    phone.look(phone.url("pad"))
    page = phone.response.content.decode()
    reasons = re.findall(r'href="(/sheets/[^"]+/why/[^"]+)"', page)
    assert reasons
    for reason in reasons:
        phone.look(unescape(reason))
        assert [query.partition("from=")[2] for query in links_to(phone, reason.split("/why/")[1].split("/")[0])] == [
            "pad"
        ]
    assert phone.page.links["Back to the table"].startswith(phone.url("pad"))
    phone.look(phone.page.links["Change"])
    assert phone.page.links["Cancel, change nothing"].startswith(phone.url("pad"))


def test_row_that_follows_a_tap_leads_back_to_the_pad_as_the_page_does(phone: Plain) -> None:
    page = phone.client.get(phone.url("pad")).content.decode()
    tricks = phone.scorer.reading.standing[2, "tricks"]
    body = {"hand": 2, "ask": "tricks", "saw": tricks.pk, "key": "k" * 20}
    body |= {f"f-{name}": value for name, value in tricks.data.items()}
    answer = phone.client.post(phone.url("enter"), body, headers={"Accept": "application/json"}).json()
    row = re.findall(r'href="([^"]+/why/2/1/[^"]*)"', answer["row"])
    assert row == re.findall(r'href="([^"]+/why/2/1/[^"]*)"', page) != []


def test_history_leads_from_each_number_to_it(phone: Plain) -> None:
    phone.look(f"/sheets/{phone.code}/history/")
    assert "seat=3&ask=bid-3&from=history" in links_to(phone, 1)
    assert "seat=2&ask=tricks&from=history" in links_to(phone, 2)
    assert len(links_to(phone, 1)) == len(links_to(phone, 2)) == 8


def test_history_leads_nowhere_from_what_stands_no_more(phone: Plain) -> None:
    phone.scorer.undo()
    phone.look(f"/sheets/{phone.code}/history/")
    assert [query for query in links_to(phone, 2) if "tricks" in query] == []
    assert len(links_to(phone, 2)) == 4


def test_read_back_leads_from_each_line_to_its_numbers(phone: Plain) -> None:
    phone.look(f"/sheets/{phone.code}/read-back/")
    assert links_to(phone, 2) == [f"seat={seat}&from=read_back" for seat in (1, 2, 3, 4)]


def test_result_leads_from_each_total_to_the_last_hand() -> None:
    phone = Plain(4, plan={"hands": 2})
    phone.scorer.clear_game()
    phone.look(phone.url("result"))
    assert set(links_to(phone, 2)) == {f"seat={seat}&from=result" for seat in (1, 2, 3, 4)}


def test_wrong_bid_on_the_pad_leads_to_that_player(phone: Plain) -> None:
    order = phone.scorer.reading.sheet.open.hand.order
    phone.scorer.bid(order[0], 0)
    phone.look(f"{phone.url('pad')}?open=retype-{order[0]}")
    assert phone.page.links["More of this hand was wrong"] == f"{at(phone, 'open')}?from=pad&seat={order[0]}"


@pytest.mark.parametrize("page", ["history", "read-back", "result", "why/2/1", ""])
def test_who_only_looks_finds_no_way_to_a_form(page: str) -> None:
    phone = Plain(4, plan={"hands": 2})
    phone.scorer.clear_game()
    guest = Client().get(f"/sheets/{phone.code}/{page}/".replace("//", "/"))
    assert guest.status_code == 200
    assert "/correct/" not in guest.content.decode()


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("seat=2", "f:bid-2:bid"),
        ("seat=3&ask=tricks", "f:tricks:tricks-3"),
        ("ask=bid-4", "f:bid-4:bid"),
        ("seat=3&ask=gone", "f:bid-3:bid"),
    ],
)
def test_form_opens_with_the_number_that_was_tapped(phone: Plain, query: str, name: str) -> None:
    phone.look(f"{at(phone, 1)}?{query}&from=sheet")
    assert focused(phone) == [name]
    assert lit(phone) == 1


@pytest.mark.parametrize("query", ["", "seat=9", "seat=0", "seat=x", "seat=99999999999", "ask=%00", "seat=%D9%A3"])
def test_form_opens_with_no_number_where_none_was_tapped(phone: Plain, query: str) -> None:
    phone.look(f"{at(phone, 1)}?{query}")
    assert phone.status == 200
    assert (focused(phone), lit(phone)) == ([], 0)


def test_number_stays_lit_through_question_preview_and_back(phone: Plain) -> None:
    phone.look(f"{at(phone, 1)}?seat=2&ask=tricks&from=history")
    phone.tap("Bo took: one fewer")
    assert (focused(phone), lit(phone)) == (["f:tricks:tricks-2"], 1)
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    phone.tap("Back")
    assert (focused(phone), lit(phone)) == (["f:tricks:tricks-2"], 1)


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_every_player_of_every_game_has_a_number_that_is_lit_if_the_hand_has_one_of_theirs(game: str) -> None:
    phone = Plain(find_game(game).made_for[0], game=game)
    phone.scorer.any_hand()
    reading = phone.scorer.reading
    row = opened_row(reading, "1")
    assert row is not None
    for seat in reading.table.seats:
        focus = RowForm.of(reading, row, Tapped(seat)).focus
        phone.look(f"{at(phone, 1)}?seat={seat}")
        assert focused(phone) == ([focus] if focus else []), seat


# And back


@pytest.mark.parametrize("page", RETURN_PAGES)
def test_every_page_that_is_led_back_to_has_an_address(page: str) -> None:
    assert return_address("A" * 22, page) == reverse(page, args=["A" * 22])


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("page", ["pad", "sheet", "history", "read_back"])
def test_confirm_leads_back_with_what_was_changed(phone: Plain, page: str) -> None:
    changed(phone, 1, f"seat=2&from={page}")
    assert phone.response.request["PATH_INFO"] == phone.url(page)
    assert "Hand 1 was changed: the tricks Bo 1 → 0, Cy 0 → 1." in phone.page.text


def changed(phone: Plain, part: int, query: str) -> None:
    phone.look(f"{at(phone, part)}?{query}")
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    phone.tap("Confirm")


def finished() -> Plain:
    """Ann has won after three hands of 1, 2 and 1 cards."""
    phone = Plain(4, plan={"hands": 3})
    phone.scorer.clear_game()
    return phone


def test_confirm_leads_back_to_the_result() -> None:
    phone = finished()
    phone.look(f"{at(phone, 2)}?seat=3&from=result")
    phone.tap("Di bid: one more")
    phone.tap("See what changes")
    phone.tap("Confirm")
    assert phone.response.request["PATH_INFO"] == phone.url("result")
    assert "Hand 2 was changed: Di’s bid 0 → 1." in phone.page.text


def test_page_that_leads_on_takes_the_sentence_along() -> None:
    phone = finished()
    phone.look(f"{at(phone, 2)}?seat=3&from=pad")
    phone.tap("Di bid: one more")
    phone.tap("See what changes")
    phone.tap("Confirm")
    assert phone.response.request["PATH_INFO"] == phone.url("result")
    assert "Hand 2 was changed: Di’s bid 0 → 1." in phone.page.text


def mend(phone: Plain, came_from: str, **fields: str) -> None:
    """Put the set-up right, with what a link to its page says of the page it stands on."""
    phone.look(phone.url("set_up") + (f"?from={came_from}" if came_from else ""))
    address, data = phone.body("See what changes")
    names = {value[0]: name for name, value in data.items() if name.startswith("name-")}
    typed = {names.get(name, name): [value] for name, value in fields.items()}
    phone.show(phone.client.post(address, data | typed))
    phone.tap("Confirm")


@pytest.mark.parametrize(("came_from", "page"), [("", "sheet"), ("sheet", "sheet"), ("history", "history")])
def test_mended_set_up_leads_back_with_what_was_changed(phone: Plain, came_from: str, page: str) -> None:
    mend(phone, came_from, Bo="Bob", first_dealer="3")
    assert phone.response.request["PATH_INFO"] == phone.url(page)
    assert "Bo is called Bob. The set-up: first dealer Ann → Cy." in phone.page.text


def test_mended_set_up_says_so_where_something_lost_its_place(phone: Plain) -> None:
    phone.scorer.bid(phone.scorer.reading.sheet.open.hand.order[0], 0)
    mend(phone, "sheet", first_dealer="3")
    assert phone.response.request["PATH_INFO"] == phone.url("left_over")
    assert "The set-up: first dealer Ann → Cy." in phone.page.text


@pytest.mark.parametrize("page", ["set_up", "swapped"])
@pytest.mark.parametrize(("came_from", "back"), [("", "sheet"), ("history", "history"), ("pad", "pad"), ("x", "sheet")])
def test_who_changes_nothing_is_back_where_they_came_from(phone: Plain, page: str, came_from: str, back: str) -> None:
    phone.look(f"{phone.url(page)}?from={came_from}")
    assert phone.page.links["Cancel, change nothing"] == phone.url(back)


def test_preview_of_a_mended_set_up_leads_back_too(phone: Plain) -> None:
    phone.look(f"{phone.url('set_up')}?from=history")
    address, data = phone.body("See what changes")
    phone.show(phone.client.post(address, data | {"first_dealer": ["3"]}))
    assert phone.page.links["Cancel, change nothing"] == phone.url("history")


@pytest.mark.parametrize(("page", "place"), [("sheet", "set_up"), ("sheet", "swapped"), ("history", "set_up")])
def test_link_to_what_is_put_right_says_where_it_stands(phone: Plain, page: str, place: str) -> None:
    phone.look(phone.url(page))
    assert f"{phone.url(place)}?from={page}" in phone.page.links.values()


def swap(phone: Plain, what: str, since: int, until: int, query: str = "") -> None:
    """Cy and Bo were swapped."""
    tapped = {"swap": ["2", "3"], "what": what, "since": str(since), "until": str(until), "key": "k" * 20}
    phone.look(f"{phone.url('swapped')}{query}")
    address, data = phone.body("See what changes")
    phone.show(phone.client.post(address, data | tapped))
    address, data = phone.body("Confirm")
    phone.show(phone.client.post(address, data | tapped))
    phone.look(phone.response["Location"])


@pytest.mark.parametrize(("since", "until", "where"), [(1, 1, "hand 1"), (2, 2, "hand 2"), (1, 2, "hands 1 and 2")])
def test_swapped_numbers_lead_back_with_who_and_where(phone: Plain, since: int, until: int, where: str) -> None:
    swap(phone, "numbers", since, until)
    assert phone.response.request["PATH_INFO"] == phone.url("sheet")
    assert f"Swapped: the numbers of Bo and Cy in {where}." in phone.page.text


@pytest.mark.parametrize("since", [1, 2])
def test_swapped_places_lead_back_with_who_and_since_when(phone: Plain, since: int) -> None:
    swap(phone, "seats", since, 2, "?from=pad")
    assert phone.response.request["PATH_INFO"] == phone.url("pad")
    assert f"Swapped: the seats of Bo and Cy from hand {since} on." in phone.page.text


def test_swap_is_said_as_it_was_whatever_has_been_written_since(phone: Plain) -> None:
    swap(phone, "numbers", 1, 2)
    version = phone.scorer.reading.version
    phone.client.post(phone.url("undo"), {"version": version, "key": "u" * 20})
    phone.look(f"{phone.url('sheet')}?changed={version}")
    assert "Swapped: the numbers of Bo and Cy in hands 1 and 2." in phone.page.text


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_swapped_numbers_of_every_game_are_told_by_two_names(game: str) -> None:
    phone = Plain(find_game(game).made_for[0], game=game)
    phone.scorer.any_hand()
    reading = phone.scorer.reading
    for other in reading.table.seats[1:]:
        found = swap_change(reading, Swap(NUMBERS, 1, other, 1, 1))
        if isinstance(found, Change):
            after = previewed(reading, found)
            assert numbers_swapped(reading, after, [1]) == {1, other}


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("word", ["", "//evil.test/", "https://evil.test/", "links", "front", "correct", "undo"])
def test_no_other_page_is_ever_led_to(phone: Plain, word: str) -> None:
    assert word not in RETURN_PAGES
    version = phone.scorer.reading.version
    phone.look(f"{at(phone, 1)}?seat=2&from={word}")
    assert phone.page.links["Cancel, change nothing"] == f"/sheets/{phone.code}/?open=1#hand-1"
    assert [value for _, name, value in phone.page.inputs if name == "from"] == []
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    address, data = phone.body("Confirm")
    answer = phone.client.post(address, data | {"from": [word]})
    assert answer["Location"] == f"/sheets/{phone.code}/?open=1&changed={version + 1}#hand-1"


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("page", ["pad", "sheet", "history", "read_back"])
@pytest.mark.parametrize("version", ["0", "1", "2", "999", "-1", "x", "9" * 30, "%00", "٣"])
def test_what_was_no_correction_is_not_said(phone: Plain, page: str, version: str) -> None:
    phone.look(f"{phone.url(page)}?changed={version}")
    assert phone.status == 200
    assert "was changed" not in phone.page.text


def test_who_only_looks_is_told_nothing(phone: Plain) -> None:
    changed(phone, 1, "")
    version = phone.scorer.reading.version
    for page in ("", "history/", "read-back/"):
        answer = Client().get(f"/sheets/{phone.code}/{page}?changed={version}")
        assert answer.status_code == 200
        assert "was changed" not in answer.content.decode()


def test_names_in_the_sentence_are_text_and_nothing_else() -> None:
    phone = Plain(["<b>A</b>", "Bo", "Cy", "Di"])
    phone.scorer.any_hand()
    changed(phone, 1, "from=history")
    assert "<b>A</b>" not in phone.response.content.decode()


def test_another_sheet_says_nothing_of_it(phone: Plain) -> None:
    changed(phone, 1, "")
    version = phone.scorer.reading.version
    other = scorer(4, browser=phone.scorer.by.browser)
    other.any_hand()
    other.any_hand()
    answer = phone.client.get(f"/sheets/{other.sheet.code}/?changed={version}")
    assert "was changed" not in answer.content.decode()


def test_the_sentence_costs_two_queries_where_it_is_asked_for(phone: Plain, django_assert_num_queries) -> None:
    changed(phone, 1, "")
    version = phone.scorer.reading.version
    with django_assert_num_queries(6):
        phone.client.get(f"/sheets/{phone.code}/?changed={version}")
    with django_assert_num_queries(4):
        phone.client.get(f"/sheets/{phone.code}/")
