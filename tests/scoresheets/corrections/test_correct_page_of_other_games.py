"""Correcting a hand of Dingo, Dirty Deals, Bird Dog or Hotdog, as a phone without a script has it."""

from __future__ import annotations

import pytest

from rules import find_game
from rules.core.game import Game
from tests.rules.examples import accepted_documents, games_with_examples
from tests.scoresheets.laid import SECRET, laid_down
from tests.scoresheets.other_games import GIVEN_UP, bird, claim, deals, dingo, hotdog, hunted, pairs, picked
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

HUNT, HELD = (find_game("dingo").written[ask].fields for ask in ("hunt", "held"))


def at(said: dict[str, object]) -> Plain:
    return Plain.before(laid_down(said), SECRET)


def page_of(phone: Plain, part: object) -> str:
    return f"/sheets/{phone.code}/correct/{part}/"


def looked(phone: Plain, part: object, **typed: str) -> None:
    """Open the row, change what is `typed` (`claim__suit="H"`), and look at what that moves."""
    phone.look(page_of(phone, part))
    address, data = phone.body("See what changes")
    fields = {f"f:{name.replace('__', ':').replace('_', '-')}": [value] for name, value in typed.items()}
    phone.show(phone.client.post(address, data | fields))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "game", [game for game in games_with_examples() if game.pad == "prompts"], ids=lambda game: game.slug
)
def test_every_hand_opens_as_it_was_entered_and_says_that_nothing_is_different(game: Game) -> None:
    for said in [document for document in accepted_documents(game) if document["hands"]][:6]:
        phone = at(said)
        for row in phone.scorer.reading.sheet.rows:
            phone.look(page_of(phone, row.hand.number))
            phone.tap("See what changes")
            assert phone.status == 422
            assert "Nothing here differs from the sheet." in phone.page.text, row.hand


def test_hand_of_many_asks_is_folded_and_says_of_each_what_stands_there() -> None:
    phone = at(dingo(hunted(four="Ann Bo", six="Cy Di Ann")))
    page = phone.look(page_of(phone, 1))
    assert f"The hunt for the 4 {HUNT['dingo']} Ann, {HUNT['wolf']} Bo" in page.text
    assert f"The hunt for the 6 {HUNT['dingo']} Cy, {HUNT['second']} Ann, {HUNT['first']} Di" in page.text
    assert "The hunt for the 7 nobody" in page.text
    text = phone.response.content.decode()
    assert text.count("data-group=") == 14
    assert " open>" not in text


def test_dingo_that_somebody_else_played_moves_points_and_opens_its_hunt_where_something_is_wrong() -> None:
    phone = at(dingo(hunted(four="Ann Bo")))
    looked(phone, 1, hunt_4__dingo="3")
    assert f"Hand 1: the hunt for the 4: {HUNT['dingo']} Cy instead of Ann." in phone.page.text
    assert "Hand 1: Ann" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[1, "hunt-4"] == {"dingo": 3, "wolf": 2}
    looked(phone, 1, hunt_4__dingo="2")
    assert phone.status == 422
    assert '<details class="group new' in phone.response.content.decode()


def test_nobody_is_an_answer_like_any_other() -> None:
    phone = at(dingo(hunted(four="Ann")))
    looked(phone, 1, hunt_4__dingo="")
    assert f"no longer: {HUNT['dingo']} Ann" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[1, "hunt-4"] == {}
    assert len(phone.scorer.reading.sheet.rows) == 1


def test_red_card_that_was_held_is_put_right() -> None:
    phone = at(dingo(hunted() | {"held_hearts": {"Bo": ["7"]}}))
    looked(phone, 1, held__heart_7="3")
    assert f"{HELD['heart-7']} Cy instead of Bo" in phone.page.text


def test_claim_is_changed_in_all_its_parts_with_cards_as_ticks() -> None:
    cards = ["9H", "TH", "JH", "QH", "KH", "AH", "9C"]
    phone = at(deals(claim("Ann", surplus=1) | {"cards": cards}, GIVEN_UP))
    page = phone.look(page_of(phone, 1))
    ticked = [name for _, name, value in page.inputs if name.startswith("f:claim:card-") and value]
    assert len(ticked) == 7
    looked(phone, 1, claim__card_TC="1", claim__surplus="2")
    assert "cards besides the six 2 instead of 1, ten of clubs" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.sheet.row(1).points[1] == 7


def test_deal_that_was_given_up_was_a_claim_after_all() -> None:
    phone = at(deals(GIVEN_UP))
    phone.look(page_of(phone, 1))
    address, data = phone.body("See what changes")
    typed = {"claimer": "2", "suit": "S", "surplus": "0", "bower": "3"}
    data |= {f"f:claim:{name}": [value] for name, value in typed.items()}
    del data["f:claim:given-up"]
    phone.show(phone.client.post(address, data))
    assert "no longer: given up" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.sheet.row(1).points == {1: 0, 2: 9, 3: 3, 4: 0}


def test_turned_card_caller_and_nil_are_chosen_from_cards_and_seats() -> None:
    phone = at(bird(pairs(4, 0, 0), pairs(3, 0, 0, nil="Cy")))
    looked(phone, 2, turned__card_1="9D", nil__nil="", turned__caller="2")
    assert "first card nine of diamonds instead of nine of hearts" in phone.page.text
    assert "no longer: nil Cy" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[2, "nil"] == {}
    assert phone.scorer.reading.entries[2, "turned"] == {"card-1": "9D", "caller": 2}


def test_tricks_nobody_counted_are_no_question_and_those_that_were_come_out() -> None:
    uncounted = {key: value for key, value in pairs(4, 0, 0).items() if key != "tricks"}
    phone = at(bird(uncounted, pairs(4, 0, 0)))
    assert "missing" not in phone.look(page_of(phone, 1)).text
    phone.look(page_of(phone, 2))
    phone.tap("Bo took: one fewer")
    assert "One missing: who took it?" in phone.page.text
    assert "was: took 1" in phone.page.text
    phone.tap("Cy took: one more")
    assert "missing" not in phone.page.text


def test_number_that_may_be_left_out_goes_below_the_lowest_and_comes_back() -> None:
    phone = at(bird(pairs(4, 0, 0)))
    phone.look(page_of(phone, 1))
    phone.tap("Bo pairs: one fewer")
    assert ("f:faces:pairs-2", "") in [(name, value) for _, name, value in phone.page.inputs]
    phone.tap("Bo pairs: one more")
    assert ("f:faces:pairs-2", "0") in [(name, value) for _, name, value in phone.page.inputs]


def test_bid_and_relish_of_a_round_are_put_right() -> None:
    phone = at(hotdog(picked("Ann", 10), picked("Bo", 12)))
    looked(phone, 1, bid__topping="works", bid__trump="", relish__relish="7")
    assert "topping The Works instead of Ketchup" in phone.page.text
    assert "no longer: trump hearts" in phone.page.text
    assert "relish 7" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[1, "bid"] == {"picker": 1, "topping": "works"}


def test_refused_form_keeps_what_was_chosen() -> None:
    phone = at(hotdog(picked("Ann", 10)))
    looked(phone, 1, bid__topping="works")
    assert phone.status == 422
    assert ("f:bid:topping", "works") in [(name, value) for _, name, value in phone.page.inputs]
    assert "The Works" in phone.page.text


def test_hands_after_the_end_of_the_match_stay_unread_and_are_named_and_taken_off_at_once() -> None:
    phone = at(hotdog(picked("Ann", 9), picked("Ann", 9), picked("Bo", 15), picked("Bo", 9), picked("Ann", 9)))
    assert phone.scorer.reading.sheet.table.legs_won() == {1: 0, 2: 1}
    looked(phone, 1, tricks__tricks_1="2", tricks__tricks_2="15")
    text = phone.page.text
    assert "Game 1 goes to Bo after hand 1 instead of hand 3." in text
    assert "Game 2 goes to Bo, after hand 3." in text
    assert "Hands 4 and 5 no longer count: the game ends with hand 3." in text
    assert "This no longer fits on the sheet, but is kept:" in text
    phone.tap("Confirm")
    reading = phone.scorer.reading
    assert (reading.finished, reading.sheet.winner) == (True, 2)
    assert {hand for hand, _ in reading.sheet.unread} == {4, 5}
    left = phone.look(f"/sheets/{phone.code}/left-over/")
    assert "1 of 6" in left.text
    assert "picker Bo" in left.text
    phone.tap("Remove all of hand 4")
    assert {hand for hand, _ in phone.scorer.reading.sheet.unread} == {5}
    assert phone.scorer.reading.version == reading.version + 1


def test_rubber_that_was_won_goes_to_somebody_else() -> None:
    phone = at(deals(claim("Ann"), claim("Bo"), claim("Cy")))
    assert phone.scorer.reading.sheet.table.legs_won()[1] == 1
    looked(phone, 1, claim__claimer="2")
    assert "Rubber 1 goes to Bo instead of Ann, after hand 1." in phone.page.text
    looked(phone, 1, claim__surplus="4")
    assert "Rubber 1 goes to Bo instead of Ann, after hand 2." in phone.page.text


def test_open_hand_is_changed_before_it_is_complete() -> None:
    phone = at(hotdog(picked("Ann", 10)))
    phone.scorer.enter_step(2, "bid", {"picker": 2, "topping": "mustard", "trump": "C"})
    looked(phone, "open", bid__trump="S")
    assert "trump spades instead of clubs" in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.sheet.open.hand.steps["bid"]["trump"] == "S"
