"""Outdated pages of a club: the marks of what they showed, and what they say where that has changed (409).

A form carries the mark in a hidden field `saw`. What it asks for is not done then, and the page shows what is there.
"""

from __future__ import annotations

import hashlib
import json

HAS_CHANGED = "It has changed since this page was shown. This is how it is now."
PLAY_OFF_HAS_CHANGED = "The play-off has changed since this page was shown. This is how it is now."
TABLES_HAVE_CHANGED = "The tables have changed since this page was shown. This is how they are now."
CLUB_HAS_CHANGED = "Something has changed in the club since you looked. Look again at what {}."


class NotNow(Exception):
    """What was tapped cannot be done any more, because something else was done since. The message is for the page."""

    def __init__(self, message: str = HAS_CHANGED) -> None:
        super().__init__(message)


def mark_for(*content: object) -> str:
    """What tells the content of a page from any other content: plain values, lists and dicts."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:22]
