"""Qualification in a group of a play-off, in sentences: who goes on, ties across a line, and how they were settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.engine.replay import settle
from rules.core.numbers import spelled
from rules.core.outcome import Cut, Ruled, Waiting
from rules.core.stakes import Decides
from scoresheets.log.state import SheetReading
from scoresheets.wording.markup import listed, name_shown, names_shown

THROUGH, BELOW = "through", "below"


@dataclass(frozen=True)
class Lines:
    """Where the lines of a group are drawn: after so many from the top; `lower` is after how many the second one is.

    None: there is no such line.
    """

    upper: int | None
    lower: int | None


def lines_of(decides: Decides, players: int) -> Lines:
    """The lines among so many players, of whom nobody has gone home.

    >>> from rules.core.stakes import group
    >>> lines_of(group(3), 7), lines_of(group(3, 3), 8), lines_of(group(3), 3)
    (Lines(upper=3, lower=None), Lines(upper=3, lower=5), Lines(upper=None, lower=None))
    """
    upper = min(decides.through or 0, players)
    lower = upper if decides.below is None else max(upper, players - decides.below)
    return Lines(upper if 0 < upper < players else None, lower if upper < lower < players else None)


def plan_said(decides: Decides) -> str:
    """What a group is played for: "The top three go through, all others to the losers."."""
    through, below = decides.through or 0, decides.below
    top = "" if not through else "The best goes through" if through == 1 else f"The top {spelled(through)} go through"
    if below is None:
        bottom = "all others go to the losers" if not top else "all others to the losers"
    elif below:
        goes = "" if top else " goes" if below == 1 else " go"
        bottom = f"the {'lowest' if below == 1 else f'bottom {spelled(below)}'}{goes} to the losers"
    else:
        bottom = ""
    text = ", ".join(part for part in (top, bottom) if part)
    return f"{text[:1].upper()}{text[1:]}."


# Ties across a line


def for_what(waiting: Waiting) -> str:
    """What is played for by those who are tied, so short that it fits beside "Blind hand 2" on a phone."""
    if waiting.edge == BELOW:
        return "at the lower line"
    return "for a place" if waiting.places == 1 else f"for {spelled(waiting.places or 0)} places"


def tie_said(reading: SheetReading, waiting: Waiting) -> SafeString:
    """Who is tied across which line: "Bo and Cy are tied for the last place through."."""
    tied, places = names_shown(reading.names, waiting.seats), waiting.places or 0
    if waiting.edge == BELOW:
        goes = "one of them goes" if places == 1 else f"{spelled(places)} of them go"
        return format_html("{} are tied: {} to the losers.", tied, goes)
    what = "the last place" if places == 1 else f"the last {spelled(places)} places"
    return format_html("{} are tied for {} through.", tied, what)


def ties_said(reading: SheetReading) -> list[SafeString]:
    """The same of every line; nothing where no line is in question."""
    return [tie_said(reading, waiting) for waiting in reading.sheet.waiting if waiting.edge]


def card_said(reading: SheetReading, waiting: Waiting) -> str:
    """Where the cards that are drawn send the tied: "the highest card goes through, the other to the losers"."""
    places, others = waiting.places or 0, len(waiting.seats) - (waiting.places or 0)
    which, where = ("lowest", "to the losers") if waiting.edge == BELOW else ("highest", "through")
    text = f"the {which} card goes {where}" if places == 1 else f"the {spelled(places)} {which} cards go {where}"
    if waiting.edge == BELOW or reading.sheet.table.decides.below is not None:
        return text
    return f"{text}, the other{'' if others == 1 else 's'} to the losers"


def cards_said(reading: SheetReading) -> list[str]:
    """The same of every line."""
    return [card_said(reading, waiting) for waiting in reading.sheet.waiting if waiting.edge]


def ruled_said(reading: SheetReading, ruled: Ruled) -> SafeString:
    """What the organiser has ruled."""
    goes, stays = (names_shown(reading.names, seats) for seats in (ruled.goes, ruled.stays))
    where = "through" if ruled.edge == THROUGH else "to the losers"
    verb_goes, verb_stays = (" goes" if len(seats) == 1 else " go" for seats in (ruled.goes, ruled.stays))
    nots = "does" if verb_stays == " goes" else "do"
    return format_html("{}{} {}, {} {} not.", goes, verb_goes, where, stays, nots)


# Who goes on


def cut_now(reading: SheetReading) -> Cut | None:
    """Who would go where if the group ended now. None: it is no group, or nothing is scored yet."""
    sheet = reading.sheet
    if not sheet.table.decides.is_group or not sheet.table.hands_done:
        return None
    if sheet.settlement is not None:
        return sheet.settlement.cut
    return settle(sheet.game, sheet.table, {}).cut


def now_said(reading: SheetReading) -> Iterator[SafeString]:
    """How a group stands while it is played: "If it ended now: Ann through; Cy and Di level for the last place."."""
    cut = cut_now(reading)
    if reading.sheet.open is None or cut is None:
        return
    names, parts = reading.names, list[SafeString]()
    if cut.through:
        parts.append(format_html("{} through", names_shown(names, cut.through)))
    for tie in cut.ties:
        what = "the last place" if tie.places == 1 else f"the last {spelled(tie.places)} places"
        where = f"for {what}" if tie.edge == THROUGH else "at the line to the losers"
        parts.append(format_html("{} tied {}", names_shown(names, tie.players), where))
    if cut.below:
        parts.append(format_html("{} to the losers", names_shown(names, cut.below)))
    if parts:
        yield format_html("If it ended now: {}.", semicolons(parts))


def settled_aloud(reading: SheetReading) -> SafeString:
    """Who goes on, as far as it is certain: "Through: Ann, Bo and Cy; to the losers: Di and Ed."."""
    sheet = reading.sheet
    cut = sheet.settlement.cut if sheet.settlement else None
    if cut is None:
        return SafeString()
    # At the losers' groups nobody goes through: they are on that side already.
    lower, others = ("to the losers", "Done") if sheet.table.decides.through else ("Going on", "Safe")
    parts = [
        format_html("{}: {}", head, bold(reading, seats))
        for head, seats in (("Through", cut.through), (lower, cut.below), (others, cut.out))
        if seats
    ]
    if not parts:
        return SafeString()
    text = semicolons([*parts[:1], *(SafeString(part[:1].lower() + part[1:]) for part in parts[1:])])
    return format_html("{}{}.", text[:1].upper(), SafeString(text[1:]))


def fate_of(cut: Cut, seat: int) -> str:
    """Where a seat goes: `through`, `below`, `out`, `tied`, or "" for who is not in it."""
    if any(seat in tie.players for tie in cut.ties):
        return "tied"
    return next((name for name in ("through", "below", "out") if seat in getattr(cut, name)), "")


def bold(reading: SheetReading, seats: Iterable[int]) -> SafeString:
    return listed([format_html("<b>{}</b>", name_shown(reading.names[seat])) for seat in seats])


def semicolons(parts: Sequence[SafeString]) -> SafeString:
    """The parts one after the other."""
    text = escape("")
    for at, part in enumerate(parts):
        text = format_html("{}; {}", text, part) if at else part
    return text
