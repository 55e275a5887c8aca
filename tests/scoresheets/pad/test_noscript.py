"""A game is kept without a script: every key is a button that sends a form."""

import pytest

from scoresheets.models import Entry
from scoresheets.pad.tally import Tally
from tests.factories import sure_of
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db


def bid(phone: Plain, *bids: tuple[str, int]) -> None:
    for name, number in bids:
        phone.tap(f"{name} bids {number}")
        assert phone.status == 200, phone.page.text


def test_a_hand_is_bid_counted_and_scored() -> None:
    phone = Plain(4, plan={"peak": 3})
    assert "Bo bids … 0 bid of 1" in phone.page.text
    bid(phone, ("Bo", 0), ("Cy", 1), ("Di", 0))
    assert "The Rule: you cannot bid 0." in phone.page.text
    bid(phone, ("Ann", 1))
    assert "Overbid: 2 bid of 1. Bo leads and deals next." in phone.page.text
    assert "+6" not in phone.page.text
    phone.tap("Cy one fewer")
    assert "1 of 1 trick. Set: Cy. Everyone else made it." in phone.page.text
    phone.tap("Score hand 1")
    assert "Hand 2 of 8" in phone.page.text
    assert phone.scorer.reading.sheet.totals == {1: 6, 2: 5, 3: -1, 4: 5}


def test_no_count_changes_that_nobody_touched_but_the_last() -> None:
    phone = Plain(4, plan={"hands": 3})
    phone.scorer.any_hand()
    phone.look()
    bid(phone, ("Cy", 1), ("Di", 1), ("Ann", 0), ("Bo", 1))
    phone.tap("Cy one more")
    assert "Two too many: who took fewer?" in phone.page.text
    phone.tap("Cy one fewer")
    phone.tap("Di one fewer")
    assert "2 of 2 tricks. Set: Di. Everyone else made it." in phone.page.text
    phone.tap("Di one more")
    phone.tap("Ann one more")
    phone.tap("Ann one fewer")
    # Only Bo is left, and what is left is theirs.
    assert "2 of 2 tricks. Set: Bo. Everyone else made it." in phone.page.text


def test_the_forbidden_key_can_be_tapped_and_shows_the_sum() -> None:
    phone = Plain(4)
    bid(phone, ("Bo", 0), ("Cy", 0), ("Di", 0))
    struck = phone.page.button("Ann bids 1")
    assert struck.attributes["aria-disabled"] == "true"
    assert struck.attributes["aria-describedby"] == "reason"
    phone.tap("Ann bids 1")
    assert phone.status == 422
    assert "The Rule: 0 + 1 would make 1." in phone.page.text
    bid(phone, ("Ann", 0))


def test_tricks_that_do_not_come_out_keep_the_counts_and_ask() -> None:
    phone = Plain(4)
    bid(phone, ("Bo", 1), ("Cy", 1), ("Di", 0), ("Ann", 0))
    phone.tap("Di one more")
    phone.tap("Score hand 1")
    assert phone.status == 422
    assert "Two too many: who took fewer?" in phone.page.text
    assert ("f-tricks-4", "1") in [(name, value) for _, name, value in phone.page.inputs]


def test_the_latest_bid_is_taken_back_and_then_the_hand_before() -> None:
    phone = Plain(4)
    phone.scorer.any_hand()
    phone.look()
    bid(phone, ("Cy", 1))
    phone.tap("Take back Cy’s 1")
    assert "Cy bids …" in phone.page.text
    phone.tap("Back to hand 1")
    assert "Score hand 1" in phone.page.text
    phone.tap("Take back")
    assert "Ann bids …" in phone.page.text


def test_a_dealer_whose_bid_is_final_is_not_offered_to_take_it_back() -> None:
    phone = Plain(4, house_rules={"dealer_bid_final": True})
    bid(phone, ("Bo", 1), ("Cy", 1), ("Di", 0), ("Ann", 1))
    assert phone.page.button("Take back").attributes["aria-disabled"] == "true"


def test_trump_is_chosen_changed_and_folded_into_the_heading() -> None:
    phone = Plain(4)
    phone.tap("Hearts")
    assert "Hearts" not in [button.attributes.get("aria-label") for button in phone.page.buttons]
    bid(phone, ("Bo", 1))
    phone.look(phone.url("pad") + "?open=trump")
    assert phone.page.button("Hearts").attributes["aria-pressed"] == "true"
    phone.tap("Ace: no trump")
    assert phone.scorer.reading.entries[1, "trump"] == {"suit": "NT"}
    # A trump that was noted does not stand in the way of taking back the bid before it.
    phone.tap("Take back Bo’s 1")
    phone.tap("Take back Ace")
    phone.tap("Take back ♥")
    assert (1, "trump") not in phone.scorer.reading.entries


def test_the_turned_card_is_noted_exactly() -> None:
    phone = Plain(4)
    address, data = phone.body("Save")
    phone.client.post(address, data | {"f-turned": ["AS"]})
    phone.look()
    assert phone.scorer.reading.entries[1, "trump"] == {"turned": "AS"}
    assert "A♠" in phone.page.text


def test_a_bid_that_was_typed_wrong_is_typed_again_and_only_the_dealer_is_asked_again() -> None:
    phone = Plain(4)
    bid(phone, ("Bo", 1), ("Cy", 1), ("Di", 0), ("Ann", 0))
    phone.look(phone.url("pad") + "?open=retype-3")
    phone.tap("Cy bid 0")
    assert "Ann bids … 1 bid of 1" in phone.page.text
    assert "The Rule: you cannot bid 0." in phone.page.text
    bid(phone, ("Ann", 1))
    assert phone.scorer.reading.sheet.open.hand.steps["bid-3"] == {"bid": 0}


@pytest.mark.parametrize("after", [1, 4])
def test_a_misdeal_sweeps_the_hand_and_is_taken_back_with_one_tap(after: int) -> None:
    phone = Plain(4)
    bid(phone, *[("Bo", 1), ("Cy", 1), ("Di", 0), ("Ann", 0)][:after])
    phone.tap("Misdeal")
    assert "Bo bids … 0 bid of 1" in phone.page.text
    phone.tap("Take back the misdeal")
    assert ("Score hand 1" if after == 4 else "Cy bids …") in phone.page.text


def test_the_game_is_stopped_here_and_played_on() -> None:
    phone = Plain(4)
    phone.scorer.hand({1: 0, 2: 0, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})
    phone.look()
    phone.tap("Stop here")
    assert phone.scorer.reading.sheet.table.stopped
    # Three are tied for the lead.
    assert "Blind hand for the lead" in phone.page.text
    phone.tap("Play on")
    assert "Hand 2 of 4" in phone.page.text


def tied_at_both_ends() -> Plain:
    """Four hands of one card, after which Cy and Di lead with 20 and Ann and Bo trail with 8."""
    phone = Plain(4, plan={"peak": 1})
    for taker in (1, 1, 2, 2):
        phone.scorer.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    phone.look()
    return phone


def test_the_blind_hand_says_so_and_counts_only_the_tied() -> None:
    phone = tied_at_both_ends()
    assert "Blind hand for the lead" in phone.page.text
    assert "Nobody looks! Bids first" in phone.page.text
    # Ann and Bo are tied as well, for the other end.
    assert "deals, plays along, doesn’t count" in phone.page.text
    assert "leads, plays along, doesn’t count" in phone.page.text
    assert "Grey: plays along, doesn’t count." in phone.page.text
    assert "not tied" not in phone.page.text
    assert "Trump" not in phone.page.text.split("More")[0]
    bid(phone, ("Bo", 0), ("Cy", 1), ("Di", 0), ("Ann", 0))
    for _ in range(4):
        phone.tap("Bo one more")
    phone.tap("Score the blind hand")
    sheet = phone.scorer.reading.sheet
    assert sheet.winner == 3
    assert sheet.totals == {1: 8, 2: 8, 3: 20, 4: 20}
    # Two are tied at the bottom: the page of the draw goes on.
    assert phone.response.request["PATH_INFO"] == phone.url("draw")


def test_the_last_hand_is_taken_back_from_the_blind_hand() -> None:
    phone = tied_at_both_ends()
    phone.tap("Back to hand 4")
    assert "Score hand 4" in phone.page.text


def test_call_outs_are_switched_off_and_on() -> None:
    phone = Plain(4)
    phone.tap("Quiet: off")
    assert phone.scorer.reading.record.quiet
    phone.tap("Quiet: on")
    assert not phone.scorer.reading.record.quiet


def test_names_are_text_in_any_script() -> None:
    phone = Plain(["<b>Bo</b>", "محمد", "Zoë", "李"])
    assert "<b>Bo</b>" not in phone.response.content.decode()
    assert "<b>Bo</b> deals" in phone.page.text
    assert sure_of(phone.scorer.bid(2, 0))


def test_what_stands_and_no_longer_fits_is_asked_again_and_replaced() -> None:
    phone = Plain(4)
    bid(phone, ("Bo", 1))
    Entry.objects.filter(sheet=phone.scorer.sheet, ask="bid-2").update(data={"bid": 7})
    phone.look()
    assert "Bo bids …" in phone.page.text
    bid(phone, ("Bo", 0))
    assert phone.scorer.reading.entries[1, "bid-2"] == {"bid": 0}


def test_a_count_is_never_moved_out_of_what_there_is() -> None:
    tally = Tally.of(1, {1: 0, 2: 1})
    assert tally.moved(1, -1) == tally
    assert tally.moved(2, 1) == tally


@pytest.mark.parametrize(
    ("counts", "question", "could"),
    [
        ({1: 2, 2: 1, 3: 0}, "One too many: who took fewer?", (1, 2)),
        ({1: 0, 2: 0, 3: 0}, "Two missing: who took more?", (1, 2, 3)),
        ({1: 2, 2: 0, 3: 0}, "", ()),
    ],
)
def test_who_could_have_taken_another_number_is_asked(
    counts: dict[int, int], question: str, could: tuple[int, ...]
) -> None:
    tally = Tally(2, {1: 0, 2: 0, 3: 0}, counts)
    assert (tally.question, tally.could) == (question, could)
