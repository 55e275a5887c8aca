"""Two phones write different things in one place: both are shown, one stands, and nobody sees an error page."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest
from django.http import HttpResponse

from rules import all_games, find_game
from scoresheets.commands import enter
from scoresheets.corrections.conflict import conflict_of
from scoresheets.log.answers import Conflict
from tests.factories import ScorekeeperFactory, Scorer, new_key, sure_of
from tests.rules.dice import whole_hand
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


@dataclass
class Place:
    """Somewhere on a sheet: a phone and its neighbour Marge, who has written `theirs`; this phone posts `mine`."""

    phone: Plain
    hand: int
    ask: str
    theirs: dict[str, object]
    mine: dict[str, object]
    said: str
    open: bool = True

    @property
    def marge(self) -> Scorer:
        return Scorer(self.phone.scorer.sheet, ScorekeeperFactory(sheet=self.phone.scorer.sheet))

    def post(self, **headers: str) -> HttpResponse:
        body = {"key": new_key(), "hand": self.hand, "ask": self.ask, "saw": ""}
        body |= {f"f-{name}": value for name, value in self.mine.items()}
        return self.phone.client.post(self.phone.url("enter"), body, headers=headers)


def bid() -> Place:
    said = "Bo’s bid: Marge entered 0 at "
    return Place(Plain(), 1, "bid-2", {"bid": 0}, {"bid": 1}, said)


def trump() -> Place:
    return Place(Plain(), 1, "trump", {"suit": "H"}, {"suit": "S"}, "The trump: Marge entered hearts at ")


def tricks() -> Place:
    phone = Plain()
    phone.scorer.bids({2: 0, 3: 0, 4: 0, 1: 0})
    ann, bo = ({f"tricks-{seat}": int(seat == taker) for seat in (1, 2, 3, 4)} for taker in (1, 2))
    said = "Hand 1, the tricks: Marge entered Ann 1, Bo 0 at "
    return Place(phone, 1, "tricks", ann, bo, said, open=False)


def earlier_bid() -> Place:
    """The hand was played to its end by Marge meanwhile."""
    phone = Plain()
    phone.scorer.any_hand()
    return Place(phone, 1, "bid-2", {"bid": 0}, {"bid": 1}, "Hand 1, Bo’s bid: Marge entered 0 at ", open=False)


def tied() -> Plain:
    """Ann and Cy lead and are asked for a blind hand."""
    phone = Plain(3, plan={"hands": 1})
    phone.scorer.hand({2: 0, 3: 0, 1: 0}, {2: 1, 3: 0, 1: 0})
    return phone


def blind_bid() -> Place:
    phone = tied()
    first = phone.scorer.reading.sheet.settlement.hand.order[0]
    name = phone.scorer.reading.names[first]
    return Place(phone, 0, f"tie-1-bid-{first}", {"bid": 0}, {"bid": 1}, f"{name}’s bid: Marge entered 0 at ")


def blind_tricks() -> Place:
    phone = tied()
    hand = phone.scorer.reading.sheet.settlement.hand
    bids = dict.fromkeys(hand.order, 0) | {hand.order[0]: 1, hand.order[1]: 1}
    if sum(bids.values()) == hand.cards:
        bids[hand.order[1]] = 0
    for seat in hand.order:
        sure_of(phone.scorer.enter(0, f"tie-1-bid-{seat}", bid=bids[seat]))
    one, other = (
        {f"tricks-{seat}": hand.cards * int(seat == taker) for seat in hand.order} for taker in (1, 3)
    )  # fmt: skip
    return Place(phone, 0, "tie-1-tricks", one, other, "The tricks: Marge entered Ann ", open=False)


def draw() -> Place:
    """Cy and Di are at the bottom; Bo leads."""
    phone = Plain(5, plan={"hands": 1})
    phone.scorer.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    one, other = {"rank-3": "Q", "rank-4": "7"}, {"rank-3": "7", "rank-4": "Q"}
    said = "The cards that were drawn: Marge entered Cy queen, Di seven at "
    return Place(phone, 0, "draw-1", one, other, said, open=False)


PLACES = (bid, trump, tricks, earlier_bid, blind_bid, blind_tricks, draw)


def occupied(make) -> Place:
    """A place on which Marge has written."""
    place = make()
    if make is earlier_bid:
        return place_of_marge(place)
    sure_of(enter.enter(place.phone.scorer.sheet, (place.hand, place.ask), place.theirs, saw=None, key=new_key(),
                           by=place.marge.by))  # fmt: skip
    return place


def place_of_marge(place: Place) -> Place:
    """All of it was written by the one phone: call that one Marge."""
    place.phone.scorer.by.name = "Marge"
    place.phone.scorer.by.save()
    return place


@pytest.mark.parametrize("make", PLACES, ids=lambda make: make.__name__)
def test_page_shows_both_and_who_wrote_the_other(make) -> None:
    place = occupied(make)
    before = place.phone.scorer.reading
    place.phone.show(place.post())
    assert place.phone.status == 409
    assert place.said in place.phone.page.text
    assert "this phone entered" in place.phone.page.text
    after = place.phone.scorer.reading
    assert (after.version, after.entries) == (before.version, before.entries)


@pytest.mark.parametrize("make", PLACES, ids=lambda make: make.__name__)
def test_script_is_told_both_and_how_to_write_the_other_after_all(make) -> None:
    place = occupied(make)
    answer = place.post(**JSON)
    assert answer.status_code == 409
    conflict = answer.json()["conflict"]
    assert conflict["says"].startswith(place.said)
    assert conflict["by"] == "Marge"
    assert (conflict["verb"] == "retype") is place.open
    if place.open:
        body = {
            "key": new_key(),
            "hand": place.hand,
            "ask": place.ask,
            "saw": conflict["saw"],
            **dict(conflict["fields"]),
        }
        assert place.phone.client.post(conflict["action"], body, headers=JSON).status_code == 200
        assert place.phone.scorer.reading.entries[place.hand, place.ask] == place.mine


@pytest.mark.parametrize("make", PLACES, ids=lambda make: make.__name__)
def test_the_same_from_both_is_agreement(make) -> None:
    place = occupied(make)
    place.mine = place.theirs
    answer = place.post(**JSON)
    assert answer.status_code == 200
    assert answer.json()["verb"] == "agree"
    assert place.post().status_code == 303


@pytest.mark.parametrize("make", [bid, trump, blind_bid], ids=lambda make: make.__name__)
def test_without_a_script_this_phone_can_write_its_own_after_all(make) -> None:
    place = occupied(make)
    place.phone.show(place.post())
    assert "Keep" in " ".join(place.phone.page.links)
    place.phone.tap("Use")
    assert place.phone.status == 200
    assert place.phone.scorer.reading.entries[place.hand, place.ask] == place.mine


def test_a_phone_without_a_name_is_another_phone() -> None:
    phone = Plain()
    other = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet, name=""))
    sure_of(other.bid(2, 0))
    body = {"key": new_key(), "hand": 1, "ask": "bid-2", "f-bid": 1}
    said = phone.client.post(phone.url("enter"), body, headers=JSON).json()["conflict"]["says"]
    assert said.startswith("Bo’s bid: another phone entered 0 at ")


@pytest.mark.parametrize("verb", ["misdeal", "stop"])
def test_two_phones_that_report_the_same_agree(verb: str) -> None:
    phone = Plain()
    phone.scorer.any_hand()
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    body = {"hand": 2, "event": 1}
    report = {"misdeal": lambda: enter.misdeal(marge.sheet, 2, 1, key=new_key(), by=marge.by),
              "stop": lambda: enter.stop(marge.sheet, 2, key=new_key(), by=marge.by)}  # fmt: skip
    sure_of(report[verb]())
    answer = phone.client.post(phone.url(verb), body | {"key": new_key()}, headers=JSON)
    assert (answer.status_code, answer.json()["verb"]) == (200, "agree")
    assert phone.client.post(phone.url(verb), body | {"key": new_key()}).status_code == 303


@pytest.mark.parametrize("verb", ["misdeal", "stop", "undo"])
def test_what_comes_too_late_says_why_on_a_page(verb: str) -> None:
    """Marge has scored the hand that this phone wants to deal again, to stop before, to take a bid back from."""
    phone = Plain()
    bid = sure_of(phone.scorer.bid(2, 0))
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    for seat in (3, 4, 1):
        sure_of(marge.bid(seat, 0))
    sure_of(marge.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    body = {"hand": 1, "event": 1, "version": bid.version}
    for headers in ({}, JSON):
        answer = phone.client.post(phone.url(verb), body | {"key": new_key()}, headers=headers)
        assert answer.status_code == 422
    assert answer.json()["problem"].endswith(".")
    assert phone.scorer.reading.next_hand == 2


# A hand that is scored is corrected on a page of its own


def test_scored_hand_leads_on_to_its_correction() -> None:
    place = occupied(tricks)
    address = f"/sheets/{place.phone.code}/correct/1/?from=pad"
    assert place.post(**JSON).json()["conflict"]["correct"] == address
    place.phone.show(place.post())
    page = place.phone.look(place.phone.page.links["Use Ann 0, Bo 1"])
    # What this phone entered is filled in, and what it changes is shown before anything is written.
    assert "Ann" in page.text
    assert place.phone.scorer.reading.entries[1, "tricks"] == place.theirs
    place.phone.tap("Confirm")
    assert place.phone.scorer.reading.entries[1, "tricks"] == place.mine
    assert place.phone.response.request["PATH_INFO"] == place.phone.url("pad")
    assert "Hand 1 was changed: " in place.phone.page.text


@pytest.mark.parametrize("make", [blind_tricks, draw], ids=lambda make: make.__name__)
def test_blind_hand_and_draw_lead_on_to_theirs(make) -> None:
    place = occupied(make)
    address = place.post(**JSON).json()["conflict"]["use"]
    place.phone.show(place.post())
    assert address in place.phone.page.links.values()
    place.phone.look(address)
    place.phone.tap("Confirm")
    assert place.phone.scorer.reading.entries[place.hand, place.ask] == place.mine


# What differs, in one line


@pytest.mark.parametrize(("make", "line"), [
    (bid, "Hand 1: Bo’s bid 0 or 1?"),
    (trump, "Hand 1: the trump hearts or spades?"),
    (tricks, "Hand 1: Ann 1 or 0? Bo 0 or 1?"),
    (earlier_bid, "Hand 1: Bo’s bid 0 or 1?"),
    (draw, "The draw: Cy queen or seven? Di seven or queen?"),
], ids=lambda value: getattr(value, "__name__", None))  # fmt: skip
def test_line_names_hand_and_players_and_only_what_differs(make, line: str) -> None:
    told = occupied(make).post(**JSON).json()["conflict"]
    assert "".join(told["line"]) == line
    assert "Keep" in told["keep"]
    assert "Use" in told["write"]


def test_line_says_three_numbers_of_many_and_that_there_are_more() -> None:
    phone = Plain(9, plan={"peak": 5})
    order = phone.scorer.reading.sheet.open.hand.order
    for seat in order:
        sure_of(phone.scorer.bid(seat, 0))
    one, other = ({f"tricks-{seat}": int(seat == taker) for seat in order} for taker in (1, 2))
    place = Place(phone, 1, "tricks", one, {**other, "tricks-3": 1, "tricks-4": 1}, "", open=False)
    sure_of(place.marge.tricks({seat: one[f"tricks-{seat}"] for seat in order}))
    told = place.post(**JSON).json()["conflict"]
    assert "".join(told["line"]) == "Hand 1: Ann 1 or 0? Bo 0 or 1? Cy 0 or 1? + 1 more"
    assert (told["keep"], told["write"]) == ("Keep what Marge entered", "Use what this phone entered")


def test_buttons_say_no_numbers_where_the_names_would_make_them_too_long() -> None:
    phone = Plain([letter * 40 for letter in "ABCD"], plan={"peak": 5})
    order = phone.scorer.reading.sheet.open.hand.order
    for seat in order:
        sure_of(phone.scorer.bid(seat, 0))
    one, other = ({f"tricks-{seat}": int(seat == taker) for seat in order} for taker in (1, 2))
    place = Place(phone, 1, "tricks", one, other, "", open=False)
    sure_of(place.marge.tricks({seat: one[f"tricks-{seat}"] for seat in order}))
    told = place.post(**JSON).json()["conflict"]
    assert (told["keep"], told["write"]) == ("Keep what Marge entered", "Use what this phone entered")


# Who was overruled hears of it


def overruled(phone: Plain) -> dict[str, object] | None:
    return phone.client.get(phone.url("state"), {"v": ""}).json()["overruled"]


def test_phone_hears_what_another_one_wrote_in_the_place_of_its_own() -> None:
    phone = Plain()
    sure_of(phone.scorer.bid(2, 0))
    assert overruled(phone) is None
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    saw = phone.scorer.reading.standing[1, "bid-2"].pk
    sure_of(enter.retype(marge.sheet, (1, "bid-2"), {"bid": 1}, saw=saw, key=new_key(), by=marge.by))
    told = overruled(phone)
    assert told["says"] == "Hand 1: Marge changed Bo’s bid: 0 → 1."
    assert told["parts"][1::2] == ["Marge", "Bo"]
    # Who wrote it is told nothing, and what was put right here is no news any more.
    saw = phone.scorer.reading.standing[1, "bid-2"].pk
    sure_of(enter.retype(phone.scorer.sheet, (1, "bid-2"), {"bid": 0}, saw=saw, key=new_key(), by=phone.scorer.by))
    assert overruled(phone) is None


def test_phone_that_was_away_hears_what_was_corrected_in_a_hand_it_scored() -> None:
    phone = Plain()
    phone.scorer.any_hand()
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    sure_of(corrected(marge, {(1, "tricks"): {"tricks-1": 0, "tricks-2": 0, "tricks-3": 0, "tricks-4": 1}}))
    sure_of(marge.bid(3, 0))
    assert overruled(phone)["says"].startswith("Hand 1: Marge changed the tricks: ")


def test_conflict_is_a_value_with_both(ann: Scorer, marge: Scorer) -> None:
    sure_of(marge.bid(2, 0))
    answer = ann.bid(2, 1)
    assert isinstance(answer, Conflict)
    assert (dict(answer.standing.data), dict(answer.refused)) == ({"bid": 0}, {"bid": 1})


# Every game


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_whatever_two_phones_differ_in_is_said_in_a_line_and_leads_to_what_it_would_change(
    game: str, seed: int
) -> None:
    phone = Plain(find_game(game).made_for[0], game=game)
    p = phone.scorer
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet))
    opened = p.reading.sheet.open
    mine = whole_hand(random.Random(f"mine {seed}"), p.reading.game, p.reading.sheet.table, opened.hand)
    marge.any_hand(f"theirs {seed}")
    stands = p.reading.standing
    for ask, step in mine.items():
        answer = enter.enter(p.sheet, (1, ask), step, saw=None, key=new_key(), by=p.by, sure=True)
        if not isinstance(answer, Conflict):
            continue
        told = conflict_of(p.reading, answer)
        line = "".join(told["line"])
        assert re.fullmatch(r"Hand 1: .+ or .+(\?|\+ \d+ more)", line), line
        assert "<" not in line
        assert told["keep"] != told["write"].replace("Use", "Keep")
        if told["use"]:
            assert phone.client.get(told["use"]).status_code == 200
    assert p.reading.standing == stands
