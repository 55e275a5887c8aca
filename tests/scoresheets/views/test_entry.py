"""What the site answers to a post, to a form and to the script alike, and what it makes of broken ones."""

import secrets
import types
from collections.abc import Mapping
from typing import Any

import pytest

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Revision
from tests.factories import ScorekeeperFactory, Scorer, new_key, sure_of
from tests.scoresheets.conftest import Counts
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}
#: The sheet is in sight on that phone.
SHOWS_SHEET = {"Prefer": "return=representation"}


@pytest.fixture
def phone() -> Plain:
    return Plain(4)


def post(
    phone: Plain, verb: str = "enter", *, key: str = "", headers: Mapping[str, str] = types.MappingProxyType({}),
    **fields: Any,
) -> Any:  # fmt: skip
    """The script's own post."""
    body = {name.replace("_", "-"): value for name, value in fields.items()}
    return phone.client.post(phone.url(verb), {"key": key or new_key(), **body}, headers=JSON | dict(headers))


def bid(phone: Plain, seat: int, number: int, hand: int = 1, **more: Any) -> Any:
    return post(phone, hand=hand, ask=f"bid-{seat}", saw="", f_bid=number, **more)


def marge_bids(phone: Plain, seat: int, number: int) -> None:
    """Somebody else writes on the same sheet."""
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet, name="Marge"))
    sure_of(marge.bid(seat, number))


def test_the_answer_has_the_next_pad_and_one_row_of_a_sheet_that_is_shown(phone: Plain) -> None:
    answer = bid(phone, 2, 1, headers=SHOWS_SHEET)
    assert answer.status_code == 200
    said = answer.json()
    assert said["version"] == said["wrote"] == said["pad"]["version"] == 2
    assert said["pad"]["steps"] == {"bid-2": {"bid": 1}}
    assert said["entries"] == {"1 bid-2": said["pad"]["entries"]["bid-2"]}
    assert said["row"].count("<tbody") == 1
    assert 'id="hand-1"' in said["row"]
    assert len(said["at"]) == 5


def test_a_bid_brings_no_row_where_nobody_looks_at_the_sheet(phone: Plain) -> None:
    assert bid(phone, 2, 1).json()["row"] == ""


def test_whatever_is_no_bid_brings_its_row(phone: Plain) -> None:
    version = bid(phone, 2, 1).json()["version"]
    undone = post(phone, "undo", version=version).json()
    assert 'id="hand-1"' in undone["row"]
    entry = bid(phone, 2, 1).json()["entries"]["1 bid-2"][0]
    changed = post(phone, "retype", hand=1, ask="bid-2", saw=entry, f_bid=0).json()
    assert 'id="hand-1"' in changed["row"]


def test_the_row_of_a_scored_hand_has_its_totals(phone: Plain) -> None:
    phone.scorer.bids(dict.fromkeys(range(1, 5), 0))
    said = post(phone, hand=1, ask="tricks", saw="", f_tricks_1=1, f_tricks_2=0, f_tricks_3=0, f_tricks_4=0).json()
    assert "in the circle" in said["row"]
    assert said["pad"]["totals"] == {"1": -1, "2": 5, "3": 5, "4": 5}
    assert said["pad"]["hands"][0]["number"] == 2
    assert said["pad"]["back"][0]["points"] == {"1": -1, "2": 5, "3": 5, "4": 5}


def test_the_same_key_again_gets_the_same_answer_and_writes_nothing(phone: Plain) -> None:
    key = new_key()
    first = bid(phone, 2, 1, key=key).json()
    bid(phone, 3, 1)
    again = bid(phone, 2, 1, key=key).json()
    assert (again["wrote"], again["entries"]) == (first["wrote"], first["entries"])
    assert again["version"] == 3
    assert Revision.objects.filter(sheet=phone.scorer.sheet).count() == 3


def test_the_same_key_with_another_body_is_refused(phone: Plain) -> None:
    key = new_key()
    bid(phone, 2, 1, key=key)
    assert bid(phone, 2, 0, key=key).status_code == 422


def test_the_same_bid_from_two_phones_is_agreement(phone: Plain) -> None:
    marge_bids(phone, 2, 1)
    assert bid(phone, 2, 1).json()["verb"] == "agree"


def test_two_different_bids_are_both_shown_and_nothing_is_lost(phone: Plain) -> None:
    marge_bids(phone, 2, 1)
    answer = bid(phone, 2, 0)
    assert answer.status_code == 409
    conflict = answer.json()["conflict"]
    assert conflict["by"] == "Marge"
    assert conflict["says"].startswith("Bo’s bid: Marge entered 1 at ")
    assert conflict["says"].endswith(", this phone entered 0.")
    assert phone.scorer.reading.entries[1, "bid-2"] == {"bid": 1}
    over = post(phone, conflict["verb"], hand=1, ask="bid-2", saw=conflict["saw"], f_bid=0)
    assert over.status_code == 200
    assert phone.scorer.reading.entries[1, "bid-2"] == {"bid": 0}


def test_a_form_shows_both_values_and_writes_the_one_that_is_chosen(phone: Plain) -> None:
    marge_bids(phone, 2, 1)
    phone.tap("Bo bids 0")
    assert phone.status == 409
    assert "Bo’s bid: Marge entered 1" in phone.page.text
    assert phone.page.links["Keep 1"] == phone.url("pad")
    phone.tap("Use 0")
    assert phone.scorer.reading.entries[1, "bid-2"] == {"bid": 0}


def test_a_post_for_a_scored_hand_is_refused_with_a_sentence(phone: Plain) -> None:
    phone.scorer.any_hand()
    answer = bid(phone, 2, 1)
    assert answer.status_code in (409, 422)
    assert answer.json()["problem"]


def test_undo_names_the_write_it_takes_back_and_does_so_once(phone: Plain) -> None:
    wrote = bid(phone, 2, 1).json()["wrote"]
    for _ in range(2):
        assert post(phone, "undo", version=wrote).status_code == 200
    assert phone.scorer.reading.entries == {}


def test_undo_leads_back_to_the_page_it_was_tapped_on(phone: Plain) -> None:
    wrote = bid(phone, 2, 1).json()["wrote"]
    answer = phone.client.post(phone.url("undo"), {"key": new_key(), "version": wrote, "next": "sheet"})
    assert (answer.status_code, answer["Location"]) == (303, phone.url("sheet"))


def test_undo_is_never_led_to_another_place(phone: Plain) -> None:
    answer = phone.client.post(phone.url("play_on"), {"key": new_key(), "next": "https://elsewhere.example"})
    assert answer["Location"] == phone.url("pad")


BROKEN: list[dict[str, Any]] = [
    {},
    {"hand": 1},
    {"hand": "one", "ask": "bid-2", "f-bid": 1},
    {"hand": 1, "ask": "bid-2"},
    {"hand": 1, "ask": "bid-2", "f-bid": -1},
    {"hand": 1, "ask": "bid-2", "f-bid": "9" * 5000},
    {"hand": 1, "ask": "bid-2", "f-bid": "٣"},
    {"hand": 1, "ask": "bid-2", "f-bid": "1.5"},
    {"hand": 1, "ask": "bid-2", "f-bid": "true"},
    {"hand": 1, "ask": "bid-2", "f-bid": "1\0"},
    {"hand": 1, "ask": "bid-2", "f-bid": ["1", "0"]},
    {"hand": 1, "ask": "bid-2", "f-bid": 1, "f-more": 1},
    {"hand": 1, "ask": "bid-3", "f-bid": 1},
    {"hand": 2, "ask": "bid-2", "f-bid": 1},
    {"hand": "9" * 5000, "ask": "bid-2", "f-bid": 1},
    {"hand": 1, "ask": "bid-" + "9" * 5000, "f-bid": 1},
    {"hand": 1, "ask": "bid-99", "f-bid": 1},
    {"hand": 0, "ask": "draw-1", "f-rank-1": "7"},
    {"hand": 1, "ask": "misdeal-1"},
    {"hand": 1, "ask": "trump", "f-suit": "X"},
    {"hand": 1, "ask": "tricks", **{f"f-tricks-{seat}": 0 for seat in range(1, 70)}},
]


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("verb", ["enter", "retype", "undo", "misdeal", "stop"])
@pytest.mark.parametrize("broken", BROKEN, ids=[str(index) for index in range(len(BROKEN))])
@pytest.mark.parametrize("as_form", [False, True], ids=["script", "form"])
def test_a_broken_post_is_refused_with_a_sentence_and_writes_nothing(
    phone: Plain, verb: str, broken: dict[str, Any], as_form: bool
) -> None:
    if verb in ("misdeal", "stop"):
        broken = {**broken, "event": "one"}
    before = phone.scorer.reading.version
    answer = phone.client.post(phone.url(verb), {"key": new_key(), **broken}, headers={} if as_form else JSON)
    assert answer.status_code == 422, answer.content[:300]
    if as_form:
        phone.show(answer)
        assert "bids …" in phone.page.text
    else:
        assert answer.json()["problem"].endswith((".", "?"))
    assert phone.scorer.reading.version == before


def test_a_post_without_a_key_is_refused(phone: Plain) -> None:
    answer = phone.client.post(phone.url("enter"), {"hand": 1, "ask": "bid-2", "f-bid": 1}, headers=JSON)
    assert answer.status_code == 422


@pytest.mark.parametrize("verb", ["enter", "retype", "undo", "misdeal", "stop", "play_on", "quiet"])
def test_who_does_not_keep_score_may_not_write(phone: Plain, verb: str) -> None:
    phone.client.cookies[BROWSER_COOKIE] = secrets.token_urlsafe(16)
    for headers in ({}, JSON):
        answer = phone.client.post(phone.url(verb), {"key": new_key()}, headers=headers)
        assert answer.status_code == 403
    assert answer.json()["problem"]


def test_a_revoked_scorekeeper_cannot_write_any_more(phone: Plain) -> None:
    phone.scorer.sheet.scorekeepers.update(revoked_at="2026-01-01T00:00:00Z")
    assert bid(phone, 2, 1).status_code == 403
    assert phone.client.get(phone.url("state")).status_code == 403


def test_no_sheet_has_that_address(phone: Plain) -> None:
    for verb in ("pad", "state"):
        assert phone.client.get(phone.url(verb).replace(phone.code, "x" * 22)).status_code == 404
    for verb in ("enter", "undo"):
        assert phone.client.post(phone.url(verb).replace(phone.code, "x" * 22)).status_code == 404


def test_writing_is_no_matter_of_looking(phone: Plain) -> None:
    for verb in ("enter", "retype", "undo", "misdeal", "stop", "play_on", "quiet"):
        assert phone.client.get(phone.url(verb)).status_code == 405


def test_a_form_without_its_token_is_refused(phone: Plain) -> None:
    phone.client.handler.enforce_csrf_checks = True
    assert bid(phone, 2, 1).status_code == 403


# What it costs


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("players", [2, 6, 10])
def test_a_scoring_post_asks_the_database_ten_times_at_most(players: int, statements: Counts) -> None:
    phone = Plain(players, plan={"hands": 2 * players})
    for number in range(1, 2 * players + 1):
        order, cards = phone.scorer.reading.sheet.open.hand.order, phone.scorer.reading.sheet.open.hand.cards
        with statements(most=10):
            assert bid(phone, order[0], 0, hand=number).status_code == 200
        for seat in order[1:]:
            sure_of(phone.scorer.bid(seat, 0))
        tricks = {f"f_tricks_{seat}": cards if seat == order[0] else 0 for seat in order}
        with statements(most=10):
            assert post(phone, hand=number, ask="tricks", saw="", **tricks).status_code == 200


@pytest.mark.thorough
def test_other_sheets_and_what_was_taken_back_cost_nothing(phone: Plain, statements: Counts) -> None:
    for _ in range(20):
        Plain(6).scorer.any_hand()
    for _ in range(5):
        post(phone, "undo", version=bid(phone, 2, 1).json()["wrote"])
    with statements(most=10):
        bid(phone, 2, 1)


def test_the_pad_and_its_status_are_cheap_to_load(phone: Plain, statements: Counts) -> None:
    phone.scorer.any_hand()
    with statements(exactly=4):
        phone.client.get(phone.url("pad"))
    version = phone.scorer.reading.version
    with statements(exactly=1):
        assert phone.client.get(f"{phone.url('state')}?v={version}").status_code == 204


def test_the_status_says_who_wrote_what(phone: Plain) -> None:
    marge_bids(phone, 2, 1)
    said = phone.client.get(f"{phone.url('state')}?v=1").json()
    assert said["news"] == "Marge entered Bo’s bid: 1."
    assert said["pad"]["steps"] == {"bid-2": {"bid": 1}}


def test_who_may_only_look_is_led_to_the_sheet(phone: Plain) -> None:
    phone.client.cookies[BROWSER_COOKIE] = secrets.token_urlsafe(16)
    assert phone.client.get(phone.url("pad"))["Location"] == phone.url("sheet")


def test_the_pad_renews_the_cookie_for_another_year_and_is_not_stored(phone: Plain) -> None:
    answer = phone.client.get(phone.url("pad"))
    assert answer.cookies[BROWSER_COOKIE]["max-age"] > 300 * 24 * 3600
    assert "no-store" in answer["Cache-Control"]
    assert hashed(answer.cookies[BROWSER_COOKIE].value) == phone.scorer.by.browser
