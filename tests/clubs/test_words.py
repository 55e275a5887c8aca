"""The pages of a club are said in words of a card club, also where every other site says something else.

What no page of the site says stands in `tests/test_words_on_screen.py`; this is about the club's pages alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.visible_words import PROJECT, is_said, sentences_of_module, texts_of_template

PAGES = sorted((PROJECT / "templates" / "clubs").rglob("*.html")) + sorted(
    (PROJECT / "templates" / "account").rglob("*.html")
)
MODULES = [
    file
    for file in sorted((PROJECT / "clubs").rglob("*.py"))
    if not {"migrations", "management", "sqlite", "models"} & set(file.parts)
    and file.stem not in ("settings", "backups", "house", "secret", "staticfiles")
]

#: What other sites say, and what the club does.
NOT_THE_CLUBS = {
    r"admins?|administrators?|moderators?": "organiser",
    r"profiles?": "page of a member",
    r"log ?ins?|log(ged|ging)? (in|out)|logout": "sign in, sign out",
    r"uploads?|uploaded": "take in",
    r"leader ?boards?|rankings?": "standing",
    r"tournaments?|brackets?": "play-off",
    r"events?|sessions?|meetings?": "night",
    r"participants?|attendees?|competitors?": "people, members",
    r"void(ed)?|keepers?|peaks?": "misdeal, scorekeeper, most cards",
    r"e-?mail address book|notifications?|dashboards?|configure|configuration": "nothing",
    r"playoffs?|play offs?": "play-off",
    r"okay|please": "nothing",
}


def wrong_words(text: str) -> list[str]:
    """Which words of the text no card club uses, and what it says instead."""
    found = [
        (word[0], instead)
        for pattern, instead in NOT_THE_CLUBS.items()
        for word in re.finditer(rf"\b(?:{pattern})\b", text, re.I)
    ]
    return [f"“{word}” in “{text}”: say {instead}" for word, instead in found]


def name_of(file: Path) -> str:
    return str(file.relative_to(PROJECT))


@pytest.mark.parametrize("template", PAGES, ids=name_of)
def test_page_of_the_club_speaks_its_words(template: Path) -> None:
    assert [wrong for text in texts_of_template(template.read_text("utf-8")) for wrong in wrong_words(text)] == []


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_sentence_of_the_club_speaks_its_words(module: Path) -> None:
    said = [text for text in sentences_of_module(module.read_text("utf-8")) if is_said(text)]
    assert [wrong for text in said for wrong in wrong_words(text)] == []


@pytest.mark.parametrize(
    "text", ["Ask an admin", "Log in first", "Upload a file", "The leaderboard", "The keeper", "A playoff"]
)
def test_words_of_other_sites_are_found(text: str) -> None:
    assert wrong_words(text)


def test_words_of_the_club_are_left_alone() -> None:
    assert wrong_words("The organiser puts the night away; the scorekeeper signs in for the play-off.") == []


def test_pages_are_found() -> None:
    assert len(PAGES) > 30
    assert len(MODULES) > 40
