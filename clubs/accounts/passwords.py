"""Passwords that somebody would guess: common ones, also with digits behind them, and the words of this site."""

from __future__ import annotations

import re
import string

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

from clubs.models import User
from rules import all_games

#: What is tried first against a site like this one, beside the names of the games. SECURITY.md has the list too.
OUR_WORDS = (
    "box", "circle", "card", "club", "score", "sheet", "table", "night", "trophy", "member", "organiser", "password",
)  # fmt: skip
GAME_WORDS = [word for game in all_games() for word in game.name.lower().split()]
OURS = re.compile(rf"(?:{'|'.join([*OUR_WORDS, *GAME_WORDS])})s?")
#: What is no word of its own between them.
BETWEEN = r"and|the|my|[\W\d_]+"
SIGNS = string.digits + string.punctuation + " "
#: So many letters beside our words are somebody's own idea.
OWN_LETTERS = 4


class NotEasilyGuessed(CommonPasswordValidator):
    """Refuses them. Which signs a password is made of is not asked."""

    def validate(self, password: str, user: User | None = None) -> None:
        super().validate(password, user)
        typed = password.lower()
        if not self.passwords.isdisjoint([*without_signs(typed), half_of(typed)]):
            raise ValidationError(self.get_error_message(), code="password_too_common")
        if OURS.search(typed) and len(own_letters(typed)) < OWN_LETTERS:
            raise ValidationError("That is made of words of this site. Choose others.", code="password_of_our_words")


def without_signs(text: str) -> list[str]:
    """What is left of a text with letters without digits and signs at its end or beginning, or some of them.

    >>> without_signs("dog12"), without_signs("!dog")
    (['dog1', 'dog'], ['dog'])
    """
    if not any(sign.isalpha() for sign in text):
        return []
    end, begin = len(text.rstrip(SIGNS)), len(text) - len(text.lstrip(SIGNS))
    return [text[:n] for n in range(len(text) - 1, end - 1, -1)] + [text[n:] for n in range(1, begin + 1)]


def half_of(text: str) -> str:
    """What stands in it twice, "" if nothing does."""
    half = text[: len(text) // 2]
    return half if half * 2 == text else ""


def own_letters(text: str) -> str:
    """The letters that are left beside the words of this site.

    >>> own_letters("Box & Circle 2026".lower()), own_letters("three of a box")
    ('', 'threeofa')
    """
    return re.sub(BETWEEN, "", OURS.sub("", text))
