"""Cleaning of typed text: names and short notes, in any script."""

from __future__ import annotations

import re
import unicodedata

from rules.core.problems import Problem
from scoresheets.models.sheet import LONGEST_NAME

#: Kinds of characters that are no text: controls and halves of characters.
NO_TEXT = {"Cc", "Cs"}
#: What no character will ever be (Unicode 23.7), and the last two of every plane. Two of them break any XML they get
#: into, such as a feed.
NEVER_A_CHARACTER = range(0xFDD0, 0xFDF0)
LAST_TWO = 0xFFFE
#: Characters nobody sees, which emoji and some scripts need inside a word but of which no name consists.
UNSEEN = {"Cf", "Mn", "Me", "Zs", "Zl", "Zp"}
#: Letters of some languages that no accent tells from a plain one.
OF_TWO_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
#: Nobody pastes a longer name with an address.
MOST_PASTED = 2000
#: In a shorter name every typing error makes another name: Bo and Jo.
LEAST_WITH_TYPO = 4

#: An email address, with the brackets round it.
ADDRESS = re.compile(r"[<(\[\"']*(?:mailto:)?[^\s<>()\[\]\"',;:@]{1,64}@[^\s<>()\[\]\"',;:@]{1,190}[>)\]\"']*")


def without_address(text: str) -> str:
    """What is left of a text without the email addresses in it: they stand on no page.

    >>> without_address("Ann Smith <ann@example.org>"), without_address("ann@example.org"), without_address("Ann @ 8")
    ('Ann Smith', '', 'Ann @ 8')
    """
    return " ".join(ADDRESS.sub(" ", text).split()) if "@" in text else text


def clean_text(value: object, most: int, *, field: str | None = None) -> str | Problem:
    """`value` as a single line of text without outer or doubled blanks, at most `most` code points; or what is wrong.

    "" stays "". Codes: `not-text`, `unreadable-text`, `too-long`.
    """
    if not isinstance(value, str):
        return Problem("not-text", "Text belongs here.", field)
    # Blanks may be many, but nobody types this many of them: do not even look at it.
    text = " ".join(value.split()) if len(value) <= 50 * most else value
    if len(text) > most:
        return Problem("too-long", f"At most {most} characters fit here.", field, params={"most": most})
    if not all(is_text(character) for character in text):
        return Problem("unreadable-text", "There is a character in it that is no text.", field)
    return text


def shortened(text: str, most: int) -> str:
    """The text in at most so many code points, with a mark where something is missing.

    >>> shortened("The bakery", 10), shortened("The bakery", 5)
    ('The bakery', 'The …')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def is_text(character: str) -> bool:
    r"""Whether the character can stand in a text.

    >>> [is_text(character) for character in ("a", "\U0001f436", "\t", "\ufffe", "\ufdd0", "\U0001ffff")]
    [True, True, False, False, False, False]
    """
    point = ord(character)
    never = point in NEVER_A_CHARACTER or point & LAST_TWO == LAST_TWO
    return not never and unicodedata.category(character) not in NO_TEXT


def clean_name(value: object, *, field: str | None = None) -> str | Problem:
    """A name of 1 to 40 code points, or what is wrong with it. Codes: `no-name` and those of `clean_text`.

    An email address in it is taken off.
    """
    plain = without_address(value) if isinstance(value, str) and len(value) <= MOST_PASTED else value
    if value and not plain:
        return Problem("no-name", "That is an email address. Type a name.", field)
    return readable_name(plain, field=field)


def readable_name(value: object, *, field: str | None = None) -> str | Problem:
    """The same of a name that was written before: an email address in it is left."""
    text = clean_text(value, LONGEST_NAME, field=field)
    if isinstance(text, str) and all(unicodedata.category(character) in UNSEEN for character in text):
        return Problem("no-name", "A name is missing here.", field)
    return text


def same_name(name: str) -> str:
    """What two names have in common that nobody at a table could tell apart.

    >>> same_name("ANN") == same_name("ann"), same_name("Zo\u00eb") == same_name("Zoe\u0308")
    (True, True)
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def plain_name(name: str) -> str:
    """A name without case, accents, and signs between its words.

    >>> plain_name("Zoë  van-Dam"), plain_name("JØRGEN")
    ('zoe van dam', 'jorgen')
    """
    letters = unicodedata.normalize("NFKD", same_name(name).translate(OF_TWO_LETTERS))
    plain = "".join(" " if not letter.isalnum() else letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.split()) or same_name(name)


def is_like(name: str, other: str) -> bool:
    """Whether two names may be meant for one person: alike but for case and accents, by one typing error, or the first
    name of the other.

    >>> is_like("rosa", "Rosa"), is_like("Rsoa", "Rosa"), is_like("Rosa", "Rosa Klein"), is_like("Joerg", "Jörg")
    (True, True, True, True)
    >>> is_like("Bo", "Jo"), is_like("Rosa Lang", "Rosa Klein"), is_like("Ann", "Dan")
    (False, False, False)
    """
    mine, theirs = plain_name(name), plain_name(other)
    if mine == theirs or plain_name(with_umlauts(name)) == plain_name(with_umlauts(other)):
        return True
    words, their_words = mine.split(), theirs.split()
    if min(len(words), len(their_words)) == 1 and words[0] == their_words[0]:
        return True
    return max(len(mine), len(theirs)) >= LEAST_WITH_TYPO and is_one_typo(mine, theirs)


def with_umlauts(name: str) -> str:
    """A name with one letter where two stand for it: "Joerg" is a way to write "Jörg"."""
    return same_name(name).replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")


def is_one_typo(name: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too many, or changed places with the next.

    >>> is_one_typo("anna", "ana"), is_one_typo("karl", "carl"), is_one_typo("rsoa", "rosa")
    (True, True, True)
    >>> is_one_typo("rosa", "rolf"), is_one_typo("ab", "abcd")
    (False, False)
    """
    short, long = sorted((name, other), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((k for k, (mine, theirs) in enumerate(zip(short, long, strict=False)) if mine != theirs), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    changed = long[at + 1 : at + 2] + long[at : at + 1] + long[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or short[at:] == changed
