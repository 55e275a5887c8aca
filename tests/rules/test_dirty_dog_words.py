"""The fourteen rules and the words of a Dirty Dog table."""

import re

import pytest

from rules.dirty_dog import DirtyDog
from rules.dirty_dog.callouts import RARITY
from rules.dirty_dog.words import RULES, TAGS, WORDS

TEXTS = [
    *(rule.text for rule in RULES),
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
        (4, "first dealer’s right"),
        (7, "last bidder"),
        (8, "change your bid"),
        (10, "goes home early"),
        (13, "draw a card"),
        (14, "groups"),
    ],
)
def test_rules_that_tables_call_by_number_stand_under_that_number(number, about):
    assert about in RULES[number - 1].text


def test_every_call_out_has_exactly_one_word():
    assert sorted(word.call for word in WORDS if word.call) == sorted(RARITY)


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
