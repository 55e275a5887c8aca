"""The mark of what a page showed, and what is said where that is no more."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from clubs.access.outdated import mark_for

CLUBS = Path(__file__).parents[3] / "clubs"


def test_mark_is_the_same_for_the_same_content_in_whatever_order_it_was_kept() -> None:
    day = datetime.date(2026, 3, 1)
    assert mark_for({"a": 1, "b": [day, None]}) == mark_for({"b": (day, None), "a": 1})
    contents = [(1, 2), (2, 1), ([1, 2],), ("12",), (None,), ({},), ({"a": None},), (day,)]
    assert len({mark_for(*content) for content in contents}) == len(contents)


def test_pages_have_their_marks_and_sentences_from_one_place() -> None:
    own = re.compile(r"since (this page was shown|you looked)\.|hexdigest\(\)\[:22\]")
    assert [file.name for file in CLUBS.rglob("*.py") if own.search(file.read_text())] == ["outdated.py"]
