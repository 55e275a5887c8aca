"""What Bird Dog says of itself, and what its pages show of a hand."""

import random

import pytest

from rules.bird_dog.words import RULES, WORDS
from rules.core.files.sheet_file import read_object
from rules.core.table import Hand
from tests.rules.bird_dog_paper import GAME, NAMES, SEATS, document, hand
from tests.rules.deals.bird_dog import play

TABLE = GAME.open_table(SEATS, 3)
TEXTS = [
    *(rule.text for rule in RULES),
    *(word.meaning for word in WORDS),
    *(rule.sentence for rule in GAME.house_rules),
]


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_whole_sentences_with_curly_apostrophes(text):
    assert text[0].isupper()
    assert text.endswith(".")
    assert "'" not in text
    assert "  " not in text


@pytest.mark.parametrize(
    ("number", "about"),
    [(1, "seven cards"), (2, "third card"), (3, "same rank"), (5, "pair"), (6, "the most"), (7, "nil"), (8, "eleven")],
)
def test_rules_stand_under_the_number_the_sheet_calls_them_by(number, about):
    assert RULES[number - 1].number == number
    assert about in RULES[number - 1].text


def test_no_word_stands_there_twice():
    terms = [word.term.casefold() for word in WORDS]
    assert len(terms) == len(set(terms))


def written(**steps):
    """A hand that seat 3 deals, with this written down."""
    return Hand(1, 3, (1, 2, 3), steps=steps)


def turned(*cards):
    """The step of turned cards."""
    return {f"card-{k}": card for k, card in enumerate(cards, 1)}


FACES = {"j-1": 3, "q-1": 1, "k-1": 0, "j-2": 0, "q-2": 2, "k-2": 2, "j-3": 0, "q-3": 1, "k-3": 2}


def test_before_a_card_is_turned_only_the_tricks_are_known():
    shown = GAME.shows(TABLE, written())
    assert list(shown) == ["tricks-possible"]
    assert len(shown["tricks-possible"].split()) == 36


def test_bird_dog_is_shown_as_soon_as_a_card_is_turned():
    shown = GAME.shows(TABLE, written(turned=turned("9S", "TH")))
    assert (shown["trump-red"], shown["trump-black"], shown["trump-words"]) == ("10♥", "", "ten of hearts")
    assert (shown["bird-dog-red"], shown["bird-dog-words"]) == ("10♦", "ten of diamonds")
    assert shown["faces-least"] == "11"


def test_faces_in_play_are_those_that_were_not_turned():
    shown = GAME.shows(TABLE, written(turned=turned("JS", "JH", "KD")))
    assert [shown[f"in-play-{face}"] for face in "jqk"] == ["2", "4", "3"]
    assert "310" in shown["pairs-possible"].split()
    assert "500" not in shown["pairs-possible"].split()


def test_pairs_are_shown_with_the_bonus_and_its_reason_before_the_hand_is_scored():
    steps = {"turned": turned("JS") | {"caller": 1}, "nil": {"nil": 1}, "faces": FACES}
    shown = GAME.shows(TABLE, written(**steps))
    assert [shown[f"worth-{seat}"] for seat in SEATS] == ["1 pair ± 3 nil", "2 pairs + 1", "1 pair"]
    assert shown["bonus"] == "Bonus (most pairs, not the caller)"


@pytest.mark.parametrize(
    ("played", "house_rules", "said"),
    [
        (hand(caller="Bo", pairs="3 1 1"), {}, "bonus (most pairs, not the caller)"),
        (hand("9H TH AH", None, pairs="3 1 1"), {}, "bonus (most pairs, nobody called)"),
        (hand(caller="Ann", pairs="3 1 1"), {}, "no bonus (most pairs: the caller)"),
        (hand(caller="Cy", pairs="2 2 1"), {}, "no bonus (most pairs: shared)"),
        (
            hand(caller="Cy", pairs="2 2 1"),
            {"bonus_for_tied": True},
            "bonus (shared, not the caller)",
        ),
        (
            hand("9H TH AH", None, pairs="3 1 1"),
            {"no_bonus_without_caller": True},
            "no bonus (house rule: no caller)",
        ),
        (hand("JH", pairs="0 0 0"), {}, "no bonus (nobody has a pair)"),
    ],
)
def test_bonus_of_the_last_hand_is_told_with_its_reason(played, house_rules, said):
    sheet = read_object(document(played, house_rules=house_rules)).sheet
    assert GAME.shows(sheet.table, sheet.open.hand)["last"] == f"Hand 1: {said}"


def test_tricks_that_cannot_hold_the_faces_are_not_possible():
    steps = {"turned": turned("JS") | {"caller": 1}, "nil": {}, "faces": FACES}
    # Seats 1 and 2 have four faces each, and so two tricks at least; seat 3 has three.
    found = GAME.shows(TABLE, written(**steps))["tricks-possible"].split()
    assert found == ["223", "232", "241", "322", "331", "421"]


def test_tricks_that_no_layout_of_the_pairs_fits_are_not_possible():
    steps = {"turned": turned("9H"), "nil": {}, "faces": {"pairs-1": 3, "pairs-2": 0, "pairs-3": 0}}
    found = GAME.shows(TABLE, written(**steps))["tricks-possible"].split()
    assert "700" not in found
    assert "502" in found


def test_next_hand_tells_what_the_last_one_came_to():
    sheet = read_object(document(hand("TH", "Bo", "Cy", pairs="3 1 0", tricks="4 2 1"))).sheet
    shown = GAME.shows(sheet.table, sheet.open.hand)
    assert [shown[f"last-{seat}"] for seat in SEATS] == ["3 + 1", "1", "0 − 3 nil"]
    assert "tied" not in shown


def test_level_at_the_top_is_said_before_the_tied_hand():
    sheet = read_object(document(hand("9H", "Cy", pairs="2 2 1"), house_rules={"target": 2})).sheet
    assert GAME.shows(sheet.table, sheet.open.hand)["tied"].startswith("Level after hand 1")


@pytest.mark.parametrize("seed", range(60))
def test_tables_for_the_page_say_of_turned_cards_what_the_game_says(seed):
    cards = play(random.Random(seed), SEATS).turned
    shown = GAME.shows(TABLE, written(turned=turned(*cards)))
    tables = GAME.look_up(TABLE)["shown"]["turned"]
    found = {}
    for card in cards:
        found |= tables["alone"][card]
    found |= tables["together"]["".join(sorted(tables["kinds"][card] for card in cards))]
    assert found == {name: said for name, said in shown.items() if name != "tricks-possible"}


@pytest.mark.parametrize(
    ("steps", "shut"),
    [
        ({}, set()),
        ({"turned": turned("9H"), "nil": {}}, set()),
        ({"turned": turned("9H"), "nil": {"nil": 2}}, {"tricks left out"}),
    ],
)
def test_what_cannot_be_is_not_offered(steps, shut):
    assert GAME.shut(TABLE, written(**steps)) == shut


def row(*hands, **keys):
    """The last row of a sheet with these hands."""
    return read_object(document(*hands, **keys)).sheet.rows[-1]


def test_running_sheet_has_the_trump_card_and_what_points_are_made_of():
    words = GAME.beside(row(hand("TH", "Bo", "Cy", pairs="3 1 0", tricks="4 2 1")))
    assert words.head == "10♥"
    assert words.cells == {1: "3 + 1", 2: "1", 3: "0 − 3 nil"}
    assert words.missed == {3}
    assert words.aloud[1].startswith("3 pairs")


def test_running_sheet_tells_a_nil_that_was_made():
    words = GAME.beside(row(hand("TH", "Bo", "Cy", pairs="4 1 0", tricks="4 3 0")))
    assert words.cells[3] == "0 + 3 nil"
    assert words.missed == frozenset()


def test_running_sheet_shows_pairs_of_the_open_hand_at_once():
    words = GAME.beside_now(TABLE, written(turned=turned("9H"), faces=FACES))
    assert (words.head, words.cells) == ("9♥", {1: "1", 2: "2", 3: "1"})
    assert GAME.beside_now(TABLE, written()).head == ""


def test_numbers_of_a_hand_name_what_is_known():
    steps = {"turned": turned("JS") | {"caller": 2}, "nil": {"nil": 1}}
    found = {one.label: one.value or one.seat for one in GAME.hand_numbers(TABLE, written(**steps))}
    assert found == {
        "Dealer": 3,
        "Calls first": 1,
        "Trump card": "jack of spades",
        "Bird Dog": "jack of clubs",
        "Caller": 2,
        "Nil": 1,
        "Faces in play": "3 jacks, 4 queens, 4 kings",
    }
    assert GAME.trump(written(**steps)) == "S"
    assert GAME.trump(written()) is None


def test_game_knows_no_names():
    assert not any(name in text for name in NAMES for text in TEXTS)
