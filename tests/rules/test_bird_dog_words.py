"""What Bird Dog says of itself, and what its pages show of a hand."""

import pytest

from rules.bird_dog.words import RULES, WORDS
from rules.core.documents import read_object
from rules.core.hands import Hand
from tests.rules.bird_dog_paper import GAME, NAMES, SEATS, document, hand

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


def test_nothing_is_shown_before_a_card_is_turned():
    assert GAME.shows(TABLE, written()) == {}


def test_bird_dog_is_shown_as_soon_as_a_card_is_turned():
    shown = GAME.shows(TABLE, written(turned=turned("9S", "TH")))
    assert (shown["trump"], shown["trump-words"]) == ("10♥", "ten of hearts")
    assert (shown["bird-dog"], shown["bird-dog-words"]) == ("10♦", "ten of diamonds")
    assert (shown["turned"], shown["turned-place"]) == ("9♠ 10♥", "second")
    assert shown["unseen"] == "1"


def test_faces_in_play_are_those_that_were_not_turned():
    shown = GAME.shows(TABLE, written(turned=turned("JS", "JH", "KD")))
    assert [shown[f"in-play-{face}"] for face in "jqk"] == ["2", "4", "3"]


def test_pairs_are_shown_once_they_are_counted_either_way():
    shown = GAME.shows(TABLE, written(turned=turned("JS"), faces=FACES))
    assert [shown[f"pairs-{seat}"] for seat in SEATS] == ["1", "2", "1"]
    assert shown["faces-1"] == "3J 1Q"
    paired = GAME.shows(TABLE, written(turned=turned("JS"), faces={"pairs-1": 0, "pairs-2": 3, "pairs-3": 1}))
    assert [paired[f"pairs-{seat}"] for seat in SEATS] == ["0", "3", "1"]
    assert "faces-1" not in paired


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


def test_look_up_names_the_bird_dog_and_the_kind_of_every_card():
    tables = GAME.look_up(TABLE)
    assert len(tables["bird_dog"]) == len(tables["kinds"]) == 24
    assert tables["bird_dog"]["JH"] == "JD"
    assert tables["kinds"]["JH"] == "j"
    assert tables["pairs"]["jkq"][0] == "000"


def test_game_knows_no_names():
    assert not any(name in text for name in NAMES for text in TEXTS)
