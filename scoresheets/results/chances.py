"""Chances in sentences: who can still win or lose a running game, and what each needs in its last hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.engine.chances import chances
from rules.core.engine.needs import needs
from rules.core.numbers import bare
from rules.core.outcome import Need
from scoresheets.log.state import SheetReading
from scoresheets.results.qualification import now_said
from scoresheets.wording.markup import name_shown, names_shown


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


def needs_said(reading: SheetReading) -> dict[int, SafeString]:
    """What each seat needs to leave the circle, where it is in it, else to reach the box, where it is not. No query.

    By seat, and of those alone of whom there is something to say; how it is meant says `rules.core.outcome.Need`. Of
    hands that are kept from those who look on there is nothing to say.
    """
    if reading.withheld:
        return {}
    sheet, by_seat = reading.sheet, dict[int, Need]()
    for need in needs(sheet, reading.last_hand):
        is_circle = need.aim == "circle"
        if (need.seat in sheet.circled) if is_circle else (need.seat not in {*sheet.boxed, *by_seat}):
            by_seat[need.seat] = need
    return {seat: need_said(reading, need) for seat, need in by_seat.items()}


def need_said(reading: SheetReading, need: Need) -> SafeString:
    """One need as a sentence, or two: "Di needs 6 in the last hand to leave the circle: a bid of 1 made."."""
    opened = reading.sheet.open
    last = reading.last_hand or reading.game.planned_hands(reading.sheet.table)
    is_last = opened is not None and opened.hand.number == last
    when = "in the last hand" if is_last else "in the last two hands" if need.hands > 1 else "in this hand"
    name = name_shown(reading.names[need.seat])
    rival = format_html(" more than {}", name_shown(reading.names[need.rival])) if need.rival else ""
    verb, what = ("reach", "the box") if need.aim == "box" else ("leave", "the circle")
    if need.least is None:
        by = f": {need.by_enough}" if need.by_enough else ""
        sure = f"{'reaches' if need.aim == 'box' else 'leaves'} {what}, whatever the others do{by}"
        return format_html("With {}{} {} {} {}.", bare(need.enough or 0), rival, when, name, sure)
    by = f": {need.by_least}" if need.by_least else ""
    sentence = format_html("{} needs {}{} {} to {} {}{}.", name, bare(need.least), rival, when, verb, what, by)
    if need.enough is None:
        return sentence
    if need.enough == need.least:
        return format_html("{} That is enough, whatever the others do.", sentence)
    return format_html("{} With {} it is certain.", sentence, bare(need.enough))
