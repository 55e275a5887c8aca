"""The pages of who comes and who goes: what they say before anything is written, and what they refuse."""

from __future__ import annotations

import re

import pytest
from django.utils.html import strip_tags

from scoresheets.models import Entry, Player, Seat
from scoresheets.opening.open_sheet import Somebody
from scoresheets.results.callouts import collected
from scoresheets.roster.change import Prospect, Wish, place_after, place_now, prospect
from scoresheets.roster.preview import RosterPreview
from scoresheets.sheet.occupancy import called_at
from scoresheets.sheet.table import RunningSheet
from tests.factories import ScorekeeperFactory, Scorer, scorer, sure_of
from tests.scoresheets.conftest import Counts
from tests.scoresheets.people import arrive, leave, substitute
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

KINDS = ("arrive", "leave", "substitute", "reseat")


def said(p: Scorer, kind: str, *, after: bool = False, **more: object) -> str:
    """What the page would say of it."""
    place = (place_after if after else place_now)(p.reading)
    looked = prospect(p.reading, Wish(kind, *place, **more))
    assert isinstance(looked, Prospect), looked
    forecast = RosterPreview(p.reading, looked)
    return strip_tags(" ".join([*forecast.sentences, *forecast.unwise]))


@pytest.fixture
def six() -> Scorer:
    """Six with five hands behind them; Bo is lowest with −5."""
    p = scorer(6, plan={})
    for _ in range(5):
        p.clear_hand()
    return p


# What is said


def test_late_arrival_is_said_in_full(six: Scorer) -> None:
    assert said(six, "arrive", person=Somebody("Joe")) == (
        "Joe starts with −5, the lowest now (Bo). Joe is dealt in at hand 6."
        " Hands 8 to 11 have 7 cards instead of 8. Still 18 hands."
    )


def test_where_they_deal_next_is_said_and_where_they_sit(six: Scorer) -> None:
    words = said(six, "arrive", person=Somebody("Joe"), left_of=5)
    assert "Joe deals hand 6 instead of Flo." in words
    looked = prospect(six.reading, Wish("arrive", *place_now(six.reading), person=Somebody("Joe"), left_of=5))
    assert strip_tags(RosterPreview(six.reading, looked).where) == "Joe sits between Ed and Flo."


def test_house_rule_that_adds_hands_says_how_many(db: None) -> None:
    p = scorer(4, house_rules={"replan": True}, plan={"peak": 3})
    p.any_hand()
    words = said(p, "arrive", person=Somebody("Joe"))
    assert words.endswith("Now 10 hands instead of 8. From hand 2 on they have 2, 3, 3, 3, 3, 3, 3, 2 and 1 cards.")


def test_eleventh_player_is_advised_against(db: None) -> None:
    assert said(scorer(10), "arrive", person=Somebody("Joe")).endswith("11 players: two tables are better.")


def test_leaving_says_who_deals_and_what_it_means_for_the_trophy(six: Scorer) -> None:
    dealer = six.reading.sheet.open.hand.dealer
    following = six.reading.names[six.reading.sheet.table.left_of(dealer)]
    assert f"{following} deals hand 6." in said(six, "leave", seat=dealer)
    totals = six.reading.sheet.totals
    lowest, best = min(totals, key=totals.get), max(totals, key=totals.get)
    assert "takes the loser’s trophy unless somebody ends lower" in said(six, "leave", seat=lowest)
    assert "trophy" not in said(six, "leave", seat=best)


def test_leaving_now_says_that_the_hand_is_dealt_again(six: Scorer) -> None:
    hand = six.reading.sheet.open.hand
    sure_of(six.bid(hand.order[0], 0))
    words = said(six, "leave", seat=hand.order[1])
    dealer = six.reading.names[hand.dealer]
    assert "Everything entered for hand 6 is removed: it is dealt again." in words
    assert f"{dealer} deals 6 again." in words
    after = said(six, "leave", seat=hand.order[1], after=True)
    assert after.startswith(
        f"{six.reading.names[hand.order[1]]} goes home after hand 6, with their total at that point (now "
    )


def test_cards_come_back_when_enough_have_gone(six: Scorer) -> None:
    sure_of(arrive(six, "Joe"))
    assert "Hands 8 to 11 have 8 cards instead of 7." in said(six, "leave", seat=1)


def test_two_hands_with_other_cards_are_named_with_an_and(six: Scorer) -> None:
    for _ in range(3):
        six.clear_hand()
    six.bid(six.reading.sheet.open.hand.order[0], 0)
    assert "Hands 10 and 11 have 7 cards instead of 8." in said(six, "arrive", after=True, person=Somebody("Joe"))


def test_four_who_become_three_are_asked(ann: Scorer) -> None:
    ann.any_hand()
    assert said(ann, "leave", seat=1).endswith("Only 3 would go on.")


# The pages


def confirm(phone: Plain, kind: str, label: str, **tapped: object) -> None:
    """Tap the button on the page as it stands, with what was tapped and all that the page carries unseen."""
    assert phone.page.button(label)
    unseen = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', phone.response.content.decode())
    phone.show(phone.client.post(phone.url(kind), dict(unseen) | tapped))


def table(**more: object) -> Plain:
    phone = Plain(4, **more)
    phone.scorer.clear_hand()
    return phone


@pytest.mark.parametrize("kind", KINDS)
def test_page_asks_one_question_and_leads_to_the_others(kind: str) -> None:
    phone = table()
    page = phone.look(phone.url(kind))
    assert phone.status == 200
    assert {"Joining", "Leaving", "Substitute", "Seats", "To the pad"} <= set(page.links)
    assert page.button("Next: see what changes")


def test_every_place_at_the_table_can_be_chosen(db: None) -> None:
    phone = table()
    phone.look(phone.url("arrive"))
    gaps = re.findall(r'name="left_of" value="(\d+)"[^>]*><span>(.*?)</span>', phone.response.content.decode())
    pairs = ("Ann and Bo", "Bo and Cy", "Cy and Di", "Di and Ann")
    assert [(seat, strip_tags(where)) for seat, where in gaps] == [
        (str(seat), f"between {pair}") for seat, pair in enumerate(pairs, 1)
    ]


def test_more_leads_there(db: None) -> None:
    phone = table()
    assert phone.look(phone.url("pad") + "?open=more").links["Players in and out"] == phone.url("arrive")


def test_first_tap_says_what_it_means_and_only_the_second_writes(db: None) -> None:
    phone = table()
    address = phone.url("arrive")
    phone.show(phone.client.post(address, {"name": "Joe", "key": "k" * 20}))
    assert phone.status == 200
    assert "Joe starts with −1, the lowest now (Bo)." in phone.page.text
    assert "Who is it?" not in phone.page.text
    assert Entry.objects.filter(ask="arrive-1").count() == 0
    confirm(phone, "arrive", "Joe joins", name="Joe")
    assert phone.status == 303
    assert phone.response["Location"] == phone.url("pad")
    assert phone.scorer.reading.names[5] == "Joe"
    assert "Take back: Joe joins" in phone.look().text
    assert "Take back: Joe joins" in phone.look(phone.url("sheet")).text


@pytest.mark.parametrize("after", [False, True], ids=["before the hand", "after the open hand"])
def test_second_substitute_takes_over_from_the_first(db: None, *, after: bool) -> None:
    phone = table()
    if after:
        sure_of(phone.scorer.bid(phone.scorer.reading.sheet.open.hand.order[0], 0))
    sure_of(substitute(phone.scorer, 2, "Gil", after=after))
    phone.show(phone.client.post(phone.url("substitute"), {"seat": "2", "name": "bo", "key": "k" * 20}))
    assert "Bo takes over from Gil at hand" in phone.page.text


def test_take_back_is_about_what_was_written_last_although_more_was_noted_for_later(db: None) -> None:
    phone = Plain(5)
    phone.scorer.clear_hand()
    order = phone.scorer.reading.sheet.open.hand.order
    sure_of(phone.scorer.bid(order[0], 0))
    sure_of(arrive(phone.scorer, "Joe", after=True))
    sure_of(leave(phone.scorer, order[0]))
    gone = phone.scorer.reading.names[order[0]]
    for page in (phone.look(), phone.look(phone.url("sheet"))):
        assert f"Take back: {gone} goes home" in page.text
        assert "Take back: Joe joins" not in page.text


def test_nobody_named_is_asked_for(db: None) -> None:
    phone = table()
    phone.show(phone.client.post(phone.url("arrive"), {"key": "k" * 20}))
    assert phone.status == 200
    assert "Who is it?" in phone.page.text


def test_who_is_waited_for_known_here_or_gone_home_is_there_to_tap(db: None) -> None:
    phone = table(coming=["Joe", "Kim"])
    scorer(["Gil", "Bo"], browser=phone.scorer.by.browser)
    sure_of(leave(phone.scorer, 1))
    page = phone.look(phone.url("arrive"))
    offered = re.findall(r"Ann back again|Joe|Kim|Gil|Bo", page.text.split("Who is joining?")[1])
    assert offered[:4] == ["Ann back again", "Joe", "Kim", "Gil"]


def test_who_is_waited_for_is_the_same_person_when_their_name_is_typed(db: None) -> None:
    phone = table(coming=["Joe", "Kim"])
    phone.show(phone.client.post(phone.url("arrive"), {"name": "  kim ", "key": "k" * 20}))
    confirm(phone, "arrive", "kim joins", name="  kim ")
    assert phone.status == 303
    (kim,) = Player.objects.filter(name__iexact="kim")
    assert phone.scorer.reading.sitting.now[5].player == kim.pk


def test_only_one_who_is_waited_for_is_chosen_already(db: None) -> None:
    phone = table(coming=["Joe"])
    assert phone.look(phone.url("arrive")).button("Joe joins")


def test_what_has_moved_on_is_said_again_before_it_is_written(db: None) -> None:
    phone = table()
    phone.show(phone.client.post(phone.url("arrive"), {"name": "Joe", "key": "k" * 20}))
    phone.scorer.clear_hand()
    confirm(phone, "arrive", "Joe joins", name="Joe")
    assert phone.status == 409
    assert "The sheet has changed." in phone.page.text
    assert "Joe is dealt in at hand 3." in phone.page.text
    assert 5 not in phone.scorer.reading.names


TAPPED = [
    ("arrive", {"name": "Kim"}, "Kim joins"),
    ("arrive", {"who": "back-4"}, "Di joins"),
    ("arrive", {}, "Joe joins"),
    ("leave", {"seat": "1"}, "Yes, Ann goes home"),
    ("substitute", {"seat": "1", "who": "late-0"}, "Joe takes over"),
    ("reseat", {"swap": ["1", "2"]}, "Change the seats"),
]


@pytest.mark.parametrize(("kind", "tapped", "label"), TAPPED)
def test_the_same_tap_again_is_led_on_and_writes_nothing(kind: str, tapped: dict, label: str) -> None:
    phone = table(coming=["Joe"])
    sure_of(leave(phone.scorer, 4))
    phone.show(phone.client.post(phone.url(kind), tapped))
    page, response = phone.page, phone.response
    for _ in range(2):
        phone.page, phone.response = page, response
        confirm(phone, kind, label, **tapped)
        assert phone.status == 303
    assert Entry.objects.filter(sheet=phone.scorer.sheet, ask=f"{kind}-2").count() == 1


def test_before_the_first_hand_leaving_is_a_change_of_seats(db: None) -> None:
    phone = Plain(4)
    page = phone.look(phone.url("leave") + "?seat=1")
    assert "Nobody can go home early before the first hand is scored" in page.text
    assert "Ann goes home after hand 1" in page.text


def test_after_the_last_hand_nothing_can_happen_any_more(db: None) -> None:
    phone = table()
    phone.scorer.clear_game()
    for kind in KINDS:
        assert "No hand is left to be dealt." in phone.look(phone.url(kind)).text
        phone.show(phone.client.post(phone.url(kind), {"key": "k" * 20, "seen": "x", "name": "Joe", "seat": "1"}))
        assert phone.status == 422


def test_who_may_not_write_does_not_see_them(client) -> None:
    code = scorer(4).sheet.code
    for kind in (*KINDS, "swapped"):
        assert client.get(f"/sheets/{code}/{kind}/").status_code == 403
        assert client.post(f"/sheets/{code}/{kind}/", {}).status_code == 403
        assert client.get(f"/sheets/{code}/{kind}/look/").status_code == 403
        assert client.get(f"/sheets/{'a' * 22}/{kind}/").status_code == 404
    assert client.get(f"/sheets/{code}/misdeal/look/").status_code == 404


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["", "-1", "9" * 40, "\0", "x" * 100_000, "1.5", "é", "\u202e", "None"])
def test_whatever_is_posted_nothing_breaks_and_nothing_is_half_written(kind: str, value: str) -> None:
    phone = table()
    before = Entry.objects.count(), Seat.objects.count(), Player.objects.count()
    fields = ("seat", "who", "name", "left_of", "when", "at", "swap", "place-1")
    for field in fields:
        data = {"seat": "1", "name": "x" * 41, "swap": ["1"], "seen": "x", "key": "k" * 20} | {field: value}
        response = phone.client.post(phone.url(kind), data)
        assert response.status_code in (200, 409, 422)
        assert phone.client.get(f"{phone.url(kind)}look/", {field: value}).status_code == 200
    assert (Entry.objects.count(), Seat.objects.count(), Player.objects.count()) == before


@pytest.mark.parametrize(("kind", "queries"), [("arrive", 4), ("leave", 3), ("substitute", 4), ("reseat", 3)])
def test_page_takes_few_queries(kind: str, queries: int, statements: Counts) -> None:
    phone = table()
    with statements(exactly=queries):
        phone.client.get(phone.url(kind))


def test_arrival_takes_few_queries(statements: Counts) -> None:
    phone = table()
    phone.show(phone.client.post(phone.url("arrive"), {"name": "Joe", "key": "k" * 20}))
    with statements(most=13):
        confirm(phone, "arrive", "Joe joins", name="Joe")
    assert phone.status == 303


# Beside the totals


def test_every_page_says_what_going_home_lowest_means_as_long_as_it_is_so(client) -> None:
    phone = Plain(5, plan={})
    phone.scorer.clear_hand()
    sure_of(leave(phone.scorer, 2))
    sentence = "Bo went home after hand 1 with −1 and takes the loser’s trophy unless somebody ends lower."
    watch = f"/watch/{phone.scorer.sheet.watch}/"
    pages = (phone.url("pad"), phone.url("sheet"), watch, f"{watch}table/", f"{watch}rows/", f"{watch}table/top/")
    for address in pages:
        assert sentence in phone.look(address).text
    while min(phone.scorer.reading.sheet.totals.values()) >= -1:
        hand = phone.scorer.reading.sheet.open.hand
        bids = dict.fromkeys(hand.order, hand.cards)
        phone.scorer.hand(bids, dict.fromkeys(hand.order, 0) | {hand.order[0]: hand.cards})
    for address in pages:
        assert "loser’s trophy" not in phone.look(address).text.split('{"pad"')[0]


def test_what_was_noted_is_said_while_the_hand_is_played(client) -> None:
    phone = Plain(5)
    phone.scorer.clear_hand()
    sure_of(phone.scorer.bid(3, 0))
    sure_of(leave(phone.scorer, 1, after=True))
    sure_of(arrive(phone.scorer, "Joe", after=True))
    for address in (phone.url("pad"), phone.url("sheet"), f"/watch/{phone.scorer.sheet.watch}/"):
        text = phone.look(address).text
        assert "Ann goes home after this hand." in text
        assert "Joe is dealt in at hand 3." in text


# Two seats found swapped


def test_preview_says_what_moves_before_it_is_put_right(db: None) -> None:
    phone = table()
    phone.scorer.clear_hand()
    tapped = {"swap": ["1", "2"], "what": "numbers", "since": "1", "until": "2", "key": "k" * 20}
    phone.show(phone.client.post(phone.url("swapped"), tapped))
    assert phone.status == 200
    assert "Hand 1: Ann +6 to −1, Bo −1 to +6." in phone.page.text
    action, data = phone.body("Confirm")
    phone.show(phone.client.post(action, data | tapped))
    assert phone.status == 303
    assert phone.scorer.reading.sheet.totals[2] == 13
    phone.show(phone.client.post(action, data | tapped | {"key": "l" * 20}))
    assert phone.status == 409, "it would swap them back"


def test_page_of_swapped_seats_takes_three_queries(statements: Counts) -> None:
    phone = table()
    with statements(exactly=3):
        phone.client.get(phone.url("swapped"))


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("value", ["", "-1", "9" * 40, "\0", "x" * 100_000, "99999"])
def test_whatever_is_posted_nothing_is_swapped(value: str) -> None:
    phone = table()
    before = Entry.objects.count()
    for field in ("swap", "what", "since", "until"):
        data = {"swap": ["1", "2"], "since": "1", "until": "1", "seen": "x", "key": "k" * 20} | {field: value}
        assert phone.client.post(phone.url("swapped"), data).status_code in (200, 409, 422)
        assert phone.client.get(phone.url("swapped") + "look/", {field: value}).status_code == 200
    assert Entry.objects.count() == before


def test_other_phone_hears_who_came(db: None) -> None:
    phone = table()
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet, name="Marge"))
    version = phone.scorer.reading.version
    sure_of(arrive(marge, "Joe"))
    news = phone.client.get(f"{phone.url('state')}?v={version}").json()
    assert news["news"] == "Marge entered who came: Joe joins."
    assert news["pad"]["happened"]["says"] == ["", "Joe", " joins"]


# On the sheet


def test_each_hand_names_who_played_it(db: None) -> None:
    phone = table(plan={})
    sure_of(substitute(phone.scorer, 3, "Gil"))
    phone.scorer.clear_hand()
    page = phone.look(phone.url("sheet"))
    assert "Gil takes over the seat and the total of Cy." in page.text
    assert re.search(r"Gil *for Cy *from hand 2", page.text)
    assert "Cy, Hand 1" in phone.look(f"{phone.url('sheet')}why/1/3/").text
    assert "Gil, Hand 2" in phone.look(f"{phone.url('sheet')}why/2/3/").text
    called = {one.term: strip_tags("; ".join(one.times)) for one in collected(phone.scorer.reading)}
    assert called["Proximity Alert"] == "Ann in hand 1; Cy in hand 1; Di in hand 1"


def test_column_of_who_went_home_has_dashes_and_that_of_a_latecomer_is_empty_before(db: None) -> None:
    phone = table(plan={})
    sure_of(leave(phone.scorer, 2))
    sure_of(arrive(phone.scorer, "Joe"))
    phone.scorer.any_hand()
    running = RunningSheet(phone.scorer.reading, "/")
    cells = {(part.key, cell.seat): cell.kind for part in running.parts if part.line for cell in part.line.cells}
    assert [cells[f"hand-{hand}", 2] for hand in (1, 2, 3)] == ["total", "left", "left"]
    assert [cells[f"hand-{hand}", 5] for hand in (1, 2, 3)] == ["absent", "total", "next"]
    # Twice in the column; once in what is said below it, and once in what only paper shows.
    text = phone.look(phone.url("sheet")).text
    assert (text.count("gone home"), text.count("went home after hand")) == (2, 2)


def test_sheet_takes_back_what_was_written_last_be_it_a_bid_or_who_goes(db: None) -> None:
    phone = table(plan={})
    for written, offered in (
        (lambda p: p.bid(3, 0), "Take back Cy’s bid in hand 2"),
        (lambda p: leave(p, 1, after=True), "Take back: Ann goes home"),
        (lambda p: p.bid(4, 0), "Take back Di’s bid in hand 2"),
    ):
        sure_of(written(phone.scorer))
        assert offered in phone.look(phone.url("sheet")).text
        assert offered.replace("’s bid in hand 2", "’s 0") in phone.look().text


def test_list_of_sheets_calls_those_who_sit_there_and_nobody_who_was_taken_back(db: None) -> None:
    p = scorer(4)
    p.clear_hand()
    sure_of(arrive(p, "Joe"))
    sure_of(p.undo())
    sure_of(arrive(p, "Flo"))
    sure_of(substitute(p, 2, "Gil"))
    assert called_at([p.sheet])[p.sheet.pk] == ["Ann", "Gil", "Cy", "Di", "Flo"]
