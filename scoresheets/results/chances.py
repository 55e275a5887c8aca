"""Chances in sentences: who can still win or lose a running game, as soon as some player cannot any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.engine.chances import chances
from scoresheets.log.state import SheetReading
from scoresheets.results.qualification import now_said
from scoresheets.wording.markup import names_shown


def chances_said(reading: SheetReading) -> list[SafeString]:
    """Who can still win, and who can still take the circle; nothing of what everybody still can. No query.

    Of a group of a play-off: how it stands, and who can still go on.
    """
    open_ends, sentences = chances(reading.sheet), list(now_said(reading))
    if open_ends is None:
        return sentences
    seated = reading.sheet.table.seats
    for able, what in (
        (open_ends.win, "win"), (open_ends.lose, "take the circle"), (open_ends.through, "go through"),
        (open_ends.below, "go to the losers"),
    ):  # fmt: skip
        if able is not None:
            sentences += who_can(seated, able, reading.names, what)
    return sentences


def who_can(seated: Sequence[int], able: Sequence[int], names: Mapping[int, str], what: str) -> Iterator[SafeString]:
    """The sentence, by whichever of both lists is shorter: those who can, or those who cannot."""
    unable = [seat for seat in seated if seat not in able]
    if not unable:
        return
    if len(unable) < len(able):
        yield format_html("Everybody but {} can still {}.", names_shown(names, unable), what)
    elif len(able) == 1:
        yield format_html("Only {} can still {}.", names_shown(names, able), what)
    else:
        yield format_html("{} can still {}.", names_shown(names, able), what)
