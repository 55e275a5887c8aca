"""What people type: names and short notes, in any script, and never anything but text."""

from __future__ import annotations

import unicodedata

from rules.core.problems import Problem
from scoresheets.models.sheet import LONGEST_NAME

#: Characters that are no text: controls and halves of characters.
NO_TEXT = {"Cc", "Cs"}
#: Characters nobody sees, which emoji and some scripts need inside a word but of which no name consists.
UNSEEN = {"Cf", "Mn", "Me", "Zs", "Zl", "Zp"}


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
    if any(unicodedata.category(character) in NO_TEXT for character in text):
        return Problem("unreadable-text", "There is a character in it that is no text.", field)
    return text


def clean_name(value: object, *, field: str | None = None) -> str | Problem:
    """A name of 1 to 40 code points, or what is wrong with it. Codes: `no-name` and those of `clean_text`."""
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
