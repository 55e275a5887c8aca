"""History, restoring, conflicts and corrections of the set-up in the words of the games without bids."""

from __future__ import annotations

import pytest

from scoresheets.commands import enter
from scoresheets.corrections.conflict import conflict_of
from scoresheets.files.csv import csv_of
from scoresheets.models import Entry
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.markup import as_text
from tests.factories import ScorekeeperFactory, Scorer, hashed, new_key, scorer, sure_of
from tests.scoresheets.laid import SECRET, laid_down
from tests.scoresheets.other_games import GIVEN_UP, bird, claim, deals, dingo, hotdog, hunted, pairs, picked
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db


def at(said: dict[str, object]) -> Plain:
    """A phone at the table of a sheet file."""
    return Plain.before(laid_down(said), SECRET)


@pytest.mark.parametrize(
    ("said", "sentences"),
    [
        pytest.param(
            dingo(hunted(four="Ann Bo", six="Cy Di Ann")),
            ["the hunt for the 4: dingo", "the hunt for the 7 nobody", "the red cards still held none"],
            id="dingo",
        ),
        pytest.param(
            deals(claim("Ann", surplus=2), GIVEN_UP),
            ["the claim: who claims Ann, suit ♥", "cards besides the six 2", "the claim given up"],
            id="dirty-deals",
        ),
        pytest.param(
            bird(pairs(4, 0, 0, nil="Cy")),
            [
                "the turned cards: first card nine of hearts, caller Ann",
                "the pairs Ann pairs 4; Bo pairs 0",
            ],
            id="bird-dog",
        ),
        pytest.param(
            hotdog(picked("Ann", 10)),
            ["the bid: picker Ann, topping Ketchup, trump hearts", "the relish no relish", "the tricks Ann 10, Bo 7"],
            id="hotdog",
        ),
    ],
)
def test_history_reads_what_was_written_in_the_words_of_the_game(said: dict, sentences: list[str]) -> None:
    phone = at(said)
    text = phone.look(phone.url("history")).text
    for sentence in sentences:
        assert sentence in text, text


def test_wolf_that_was_not_noted_is_called_so_and_is_nobody_only_where_none_was_played() -> None:
    phone = at(dingo(hunted()))
    two = {"dingo": 3, "second": 1}
    said = EntryText(phone.scorer.reading)
    assert as_text(said.changed((1, "hunt-5"), two, two | {"first": 4})).endswith("first wolf by not noted → Di")
    assert as_text(said.changed((1, "hunt-5"), {"dingo": 3}, {"dingo": 3, "wolf": 4})).endswith("wolf by nobody → Di")
    assert "not noted" in phone.look(f"/sheets/{phone.code}/correct/1/").text


def test_way_back_says_what_it_discards() -> None:
    phone = at(hotdog(picked("Ann", 10), picked("Bo", 12)))
    page = phone.look(f"/sheets/{phone.code}/history/{phone.scorer.reading.version}/")
    assert "the tricks Ann 5, Bo 12" in page.text
    assert "Hand 2 is open again." in page.text
    phone.tap("Go back")
    assert phone.scorer.reading.next_hand == 2
    assert phone.scorer.reading.sheet.open.hand.steps["bid"]["picker"] == 2


def test_two_phones_that_differ_are_shown_both_in_words() -> None:
    p = scorer(game="hotdog")
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet))
    marge.enter_step(1, "bid", {"picker": 1, "topping": "ketchup", "trump": "H"})
    mine = {"picker": 2, "topping": "works", "smothered": True}
    answer = enter.enter(p.sheet, (1, "bid"), mine, saw=None, key=new_key(), by=p.by)
    told = conflict_of(p.reading, answer)
    assert "entered picker Ann, topping Ketchup, trump hearts" in as_text(told["says"])
    assert "this phone entered picker Bo, topping The Works, smothered" in as_text(told["says"])


def test_negotiations_stand_in_the_history_and_nowhere_on_the_sheet() -> None:
    phone = at(deals(claim("Ann")))
    sheet = phone.scorer.sheet
    before = phone.look(f"/sheets/{phone.code}/").text
    write = phone.scorer.reading.standing[1, "claim"].added_id
    for k in (1, 2):
        Entry.objects.create(sheet=sheet, hand=1, ask=f"negotiation-{k}", data={}, added_by_id=write, first_by_id=write)
    assert len(phone.scorer.reading.sheet.rows[0].events) == 2
    assert phone.look(f"/sheets/{phone.code}/").text == before
    assert "a negotiation" in phone.look(phone.url("history")).text
    assert b"egotiation" not in csv_of(phone.scorer.reading)
    assert "egotiation" not in phone.client.get(f"/sheets/{phone.code}/export.json").content.decode()


def test_corrected_first_dealer_turns_the_deal_and_says_nothing_of_a_number_of_hands_in_a_race() -> None:
    phone = at(deals(claim("Ann"), claim("Bo")))
    phone.look(phone.url("set_up"))
    assert "How many hands?" not in phone.page.text
    assert "its house rules stay as they were agreed" in phone.page.text
    address, data = phone.body("See what changes")
    phone.show(phone.client.post(address, data | {"first_dealer": ["3"]}))
    assert "Dealing: Cy hand 1 instead of Ann" in phone.page.text
    assert "Still" not in phone.page.text
    phone.tap("Confirm")
    assert phone.scorer.reading.sheet.row(1).hand.dealer == 3


def test_length_of_a_session_is_still_said_where_it_is_fixed() -> None:
    phone = at(dingo(hunted()))
    phone.look(phone.url("set_up"))
    address, data = phone.body("See what changes")
    phone.show(phone.client.post(address, data | {"first_dealer": ["2"]}))
    assert "Still 2 hands." in phone.page.text


def test_corrected_house_rule_is_read_in_its_own_words() -> None:
    phone = at(hotdog())
    phone.look(phone.url("set_up"))
    address, data = phone.body("See what changes")
    phone.show(phone.client.post(address, data | {"house-target": ["7"]}))
    phone.tap("Confirm")
    assert phone.scorer.reading.table.house_rules["target"] == 7
    text = phone.look(phone.url("history")).text
    sentence = next(rule.sentence for rule in phone.scorer.reading.game.house_rules if rule.key == "target")
    assert sentence.removesuffix(".") in text


def test_name_is_mended_at_every_table() -> None:
    for said in (dingo(hunted()), deals(claim("Ann")), bird(pairs(4, 0, 0)), hotdog(picked("Ann", 10))):
        phone = at(said)
        phone.look(phone.url("set_up"))
        address, data = phone.body("See what changes")
        field = next(name for name, value in data.items() if value == ["Bo"] and name.startswith("name-"))
        phone.show(phone.client.post(address, data | {field: ["Bob"]}))
        phone.tap("Confirm")
        assert "Bob" in phone.scorer.reading.names.values()


def test_what_goes_at_once_is_read_as_the_game_asks_for_it() -> None:
    p = scorer(game="bird-dog", browser=hashed(SECRET))
    p.enter_step(1, "turned", {"card-1": "9H", "caller": 1})
    p.enter_step(1, "nil", {"nil": 3})
    sure_of(enter.misdeal(p.sheet, 1, 1, key=new_key(), by=p.by))
    text = Plain.before(p.sheet, SECRET).look(f"/sheets/{p.sheet.code}/history/").text
    assert "no longer the turned cards: first card nine of hearts, caller Ann, who goes nil Cy" in text
