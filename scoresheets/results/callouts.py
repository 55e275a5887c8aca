"""Call-outs on a page: which ones are shown, and their text.

A hand gets one line at most, the rarest; a few are a sign beside a total, in the last third of the game. With quiet
call-outs a scorekeeper sees none before the result, which has all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.game import Game
from rules.core.table import Row
from rules.core.texts import CallOut
from scoresheets.log.state import SheetReading
from scoresheets.wording.markup import listed, name_shown, names_shown


@dataclass(frozen=True)
class HandCallOut:
    """A call-out for a page: the term, its slug (the anchor on the page of words), and the rest of the line.

    `names` are the names it is about, "" where it is about the hand; `meaning` explains the term.
    """

    call: str
    term: str
    names: SafeString
    reason: str
    meaning: str
    hand: int


@dataclass(frozen=True)
class Sign:
    """What stands beside a total, what it says aloud, and its slug (the anchor on the page of words)."""

    sign: str
    term: str
    reason: str
    call: str


@dataclass(frozen=True)
class Collected:
    """One term with everything that was called by it in a game: in which hands, and for whom."""

    call: str
    term: str
    meaning: str
    times: tuple[SafeString, ...]


def loudest(reading: SheetReading, row: Row) -> CallOut | None:
    """The rarest call-out that is new after the hand of `row`; None where there is none, or the sheet is quiet."""
    if reading.record.quiet:
        return None
    return min((call for call in reading.game.new_callouts(row) if call.aloud), key=by_rank, default=None)


def hand_callout(reading: SheetReading, row: Row) -> HandCallOut | None:
    """The one call-out to show after the hand of `row`; None where there is none, or the sheet is quiet."""
    called = loudest(reading, row)
    if called is None:
        return None
    return HandCallOut(
        called.call,
        term_of(reading.game, called.call),
        names_shown(reading.names_at(row.hand.number), called.seats),
        called.reason,
        meaning_of(reading.game, called.call),
        row.hand.number,
    )


def last_line(reading: SheetReading) -> HandCallOut | None:
    """The call-out of the last scored hand."""
    rows = reading.sheet.rows
    return hand_callout(reading, rows[-1]) if rows else None


def signs_of(reading: SheetReading, row: Row) -> dict[int, tuple[Sign, ...]]:
    """The signs beside the totals of `row`, by seat: in the last third of the planned hands only."""
    if reading.record.quiet or not is_late(reading.game, row):
        return {}
    signs: dict[int, tuple[Sign, ...]] = {}
    for call in reading.game.hand_callouts(row):
        if call.sign:
            sign = Sign(call.sign, term_of(reading.game, call.call), call.reason, call.call)
            signs |= {seat: (*signs.get(seat, ()), sign) for seat in call.seats}
    return signs


def is_late(game: Game, row: Row) -> bool:
    """Whether the hand is one of the last third of those planned. A race has no last third."""
    return 3 * row.hand.number > 2 * game.planned_hands(row.table) > 0


def collected(reading: SheetReading) -> list[Collected]:
    """Every call-out of the game, quiet or not, the rarest first: "Ann in hands 2 and 7" for each it was about.

    What lasts stands with the hands in which it began.
    """
    hands: dict[str, dict[str, list[int]]] = {}
    ranks: dict[str, int] = {}
    for row in reading.sheet.rows:
        names = reading.names_at(row.hand.number)
        for call in reading.game.new_callouts(row):
            ranks[call.call] = call.rank
            for name in [names[seat] for seat in call.seats] or [""]:
                hands.setdefault(call.call, {}).setdefault(name, []).append(row.hand.number)
    times = {
        call: tuple(in_hands(name, numbers) for name, numbers in by_name.items()) for call, by_name in hands.items()
    }
    for call in end_callouts(reading):
        ranks[call.call] = call.rank
        times[call.call] = (names_shown(reading.names, call.seats),)
    return [
        Collected(call, term_of(reading.game, call), meaning_of(reading.game, call), times[call])
        for call in sorted(times, key=ranks.__getitem__)
    ]


def end_callouts(reading: SheetReading) -> tuple[CallOut, ...]:
    """What is called at the end: by the rules, and by the club of the sheet, which knows what was played before."""
    if not reading.finished:
        return reading.sheet.callouts
    of_club = [
        CallOut(str(call["call"]), tuple(call["seats"]), rank=0, text=str(call["said"]))
        for call in reading.record.also_called
        if "call" in call
    ]
    return (*of_club, *reading.sheet.callouts)


def in_hands(name: str, numbers: list[int]) -> SafeString:
    """In which hands something was called, for whom if for anybody."""
    where = format_html("hand{} {}", "" if len(numbers) == 1 else "s", listed([str(number) for number in numbers]))
    return format_html("{} in {}", name_shown(name), where) if name else where


def by_rank(call: CallOut) -> int:
    return call.rank


def term_of(game: Game, call: str) -> str:
    """What the club calls it; a game without a word for it is called by its slug."""
    return next((word.term for word in game.words if word.call == call), call.replace("-", " ").capitalize())


def meaning_of(game: Game, call: str) -> str:
    """The club's sentence for the term, "" without one."""
    return next((word.meaning for word in game.words if word.call == call), "")
