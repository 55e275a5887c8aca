"""What people can be told, in the words of the page on which they choose it (`clubs.notices`)."""

from __future__ import annotations

from clubs.models import Event

Kind = Event.Kind

#: In the order of the page; a call is for organisers alone.
NOTICE_KINDS = {
    Kind.CALLED: "A table calls an organiser", Kind.DRAWN: "Your table is drawn",
    Kind.FINALS: "Your final is drawn", Kind.CORRECTED: "Your result is corrected", Kind.PLANNED: "A night is planned",
    Kind.TOMORROW: "A night is tomorrow", Kind.TROPHIES: "The trophies moved",
    Kind.STORY: "The story of a night",
}  # fmt: skip


def in_words(kind: str) -> str:
    """A kind as it is called there; one that can no longer be chosen is its own word."""
    return next((words for known, words in NOTICE_KINDS.items() if known == kind), kind)
