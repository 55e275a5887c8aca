"""The fourteen rules and the words of a Dirty Dog table."""

import re

import pytest

from rules.core.table import Hand
from rules.dirty_dog import DirtyDog
from rules.dirty_dog.callouts import RARITY
from rules.dirty_dog.scoring import points
from rules.dirty_dog.words import CALLED_BY_THE_CLUB, HOW_TO_PLAY, RULES, TAGS, WORDS

TEXTS = [
    *(passage.text for passage in HOW_TO_PLAY),
    *(rule.text for rule in RULES),
    *(rule.default for rule in RULES if rule.default),
    *(word.meaning for word in WORDS),
    *(rule.sentence for rule in DirtyDog.house_rules),
]


def test_rules_are_numbered_from_one_to_fourteen():
    assert [rule.number for rule in RULES] == list(range(1, 15))


@pytest.mark.parametrize(
    ("number", "about"),
    [
        (1, "waits for nobody"),
        (1, "lowest total"),
        (2, "without jokers"),
        (3, "defending champion"),
        (3, "first jack"),
        (4, "first dealer’s right"),
        (5, "turned up: its suit is trump"),
        (5, "Nobody may look at the other cards"),
        (6, "bids first and leads"),
        (7, "last bidder"),
        (8, "until the player on your left has bid"),
        (9, "Follow the suit"),
        (10, "goes home early"),
        (11, "the larger of your bid and your tricks"),
        (12, "until the next player has played"),
        (13, "draw a card"),
        (14, "groups"),
    ],
)
def test_rules_that_tables_call_by_number_stand_under_that_number(number, about):
    assert about in RULES[number - 1].text


def test_every_call_out_has_exactly_one_word():
    called_by_the_club = [word.call for word in CALLED_BY_THE_CLUB]
    assert sorted(word.call for word in WORDS if word.call) == sorted([*RARITY, *called_by_the_club])


def test_no_word_and_no_tag_stands_there_twice():
    terms = [word.term.casefold() for word in WORDS]
    assert len(terms) == len(set(terms))
    assert len(TAGS) == len(set(TAGS))


def test_every_tag_is_a_word_that_the_sheet_does_not_call_itself():
    words = {word.term: word for word in WORDS}
    assert [tag for tag in TAGS if tag not in words or words[tag].call] == []
    assert {"Kobayashi Maru", "Dirt Bag"} <= set(TAGS)


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_whole_sentences_with_curly_apostrophes(text):
    assert text[0].isupper()
    assert text.endswith(".")
    assert "'" not in text
    assert "  " not in text


def test_no_person_is_named():
    """Inside a sentence only the terms themselves are written with a capital letter."""
    terms = {part for word in WORDS for part in word.term.split()} | {"Rule"}
    inside = {name for text in TEXTS for name in re.findall(r"(?<![.:?!] )(?<!^)\b[A-Z][a-zA-Z’]+", text)}
    assert inside <= terms


def test_game_shows_its_rules_words_and_tags():
    game = DirtyDog()
    assert (game.rules_text, game.words, game.tags) == (RULES, WORDS, TAGS)


def numbers(**steps):
    """The numbers of a hand of 5 cards that seat 3 of 3 deals, by what they are."""
    hand = Hand(1, 3, (1, 2, 3), 5, steps)
    return {number.label: number.value or number.seat for number in DirtyDog().hand_numbers(TABLE, hand)}


TABLE = DirtyDog().open_table((1, 2, 3), 3, {"peak": 5})


def test_numbers_of_a_hand_name_dealer_first_and_last_bidder():
    found = numbers()
    assert (found["Cards each"], found["Dealer"], found["First bidder"], found["Last bidder"]) == ("5", 3, 1, 3)
    assert "Trump" not in found


@pytest.mark.parametrize(
    ("bids", "said"),
    [
        ((), "not yet known (0 bid of 5)"),
        ((2,), "not yet known (2 bid of 5)"),
        ((2, 2), "1 (4 bid of 5)"),
        ((0, 5), "0 (5 bid of 5)"),
        ((5, 1), "none (6 bid of 5)"),
        ((2, 2, 3), "1 (4 bid of 5)"),
    ],
)
def test_numbers_of_a_hand_say_what_the_rule_forbids(bids, said):
    assert numbers(**{f"bid-{seat}": {"bid": bid} for seat, bid in enumerate(bids, 1)})["Forbidden bid"] == said


def test_numbers_of_a_hand_own_up_to_a_missed_rule():
    assert "missed" in numbers(**{"rule-missed": {"missed": True}})["Forbidden bid"]


def test_numbers_of_a_hand_name_the_trump_where_it_was_noted():
    assert numbers(trump={"turned": "AS"})["Trump"] == "no trump"


def test_worth_of_every_bid_agrees_with_the_points():
    for cards in range(1, 27):
        worth = DirtyDog().worth(TABLE, Hand(1, 3, (1, 2, 3), cards))
        assert [row.label for row in worth] == [str(bid) for bid in range(cards + 1)]
        for bid, row in enumerate(worth):
            missed = {points(bid, tricks) for tricks in range(cards + 1) if tricks != bid}
            ends = [-int(end) for end in re.findall(r"−(\d+)", row.missed)]
            assert int(row.made) == points(bid, bid)
            assert (max(ends), min(ends)) == (max(missed), min(missed))


#: What the club's paper lists, and two that its rules need.
TERMS = """
Being Set, The Rule, No Trump, Overbid, Floater, Float’age, You cannot bid one, SBR, Dog Pile, NGTH, Plan A, Plan B,
Plan C, Plan D, Clean Run, No Hitter, Door Knob, In the box, Circled, First Place Loser, Back-to-Back, Spooning,
Proximity Alert, Bottom Buddies, Kobayashi Maru, Singleton Trump, DAAWG, Dirt Bag, Rascal, Scurvy Dog, Overtrump,
First-Trump Maneuver, Return Maneuver, Whap, Reaching for it, Dumb Dog, Easy Chico, Ice Fishing, Dirty Dog Limbo,
Dirty Dog, Bring out your dead, Get under that, I’ll take one, Game Time, Not that card, Wrong color,
Play the right card, Take that, Trick, Trump, What led, Blind hand, Defending champion
"""


def test_every_word_of_the_club_has_a_meaning_and_no_other_is_invented():
    terms = " ".join(TERMS.split()).split(", ")
    assert sorted(word.term for word in WORDS) == sorted(terms)
    assert len(terms) == 51 + 2
