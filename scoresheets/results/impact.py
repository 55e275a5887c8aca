"""The impact of a change, in sentences with names: for its preview, and for later readers.

`previewed` is the changed sheet; `moves` compares any two states of a sheet. Games are asked for points, totals, places
and pending decisions, and for nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.fields import SHEET, Address
from rules.core.numbers import bare, signed
from rules.core.table import Row
from scoresheets.log.answers import Refused
from scoresheets.log.append import Change, entries_made
from scoresheets.log.state import SheetReading
from scoresheets.results.causes import (
    counting_again,
    counting_no_more,
    fate_by,
    loser_by,
    starts_moved,
    ties_left,
    winner_by,
)
from scoresheets.results.marks import marks_passed
from scoresheets.results.qualification import fate_of, settled_aloud
from scoresheets.wording.entry_diff import EntryDiff
from scoresheets.wording.entry_text import EntryText, where_of
from scoresheets.wording.markup import capital, hands_text, joined, listed, name_shown, names_shown, verb, with_commas

#: So many new dealers are named; where the whole rest of the deal turns, nobody reads more of them.
DEALERS_NAMED = 3


@dataclass(frozen=True)
class Impact:
    """What a change moves, each part a tuple of sentences, empty where it moves nothing.

    `written` what stands otherwise; `points` hand by hand, everybody touched; `totals` as they are now; `marks` where
    box and circle pass; `deals` who deals what instead; `counting` hands that no longer count, or count again; `ends`
    places, winner, loser, what is open again; `unread` what stays standing without meaning, and `again` what has
    one again. `consequences` are those in the club of the table (`scoresheets.results.consequences`). All of it is safe
    to put into a page.
    """

    written: tuple[SafeString, ...] = ()
    points: tuple[SafeString, ...] = ()
    totals: tuple[SafeString, ...] = ()
    marks: tuple[SafeString, ...] = ()
    deals: tuple[SafeString, ...] = ()
    counting: tuple[SafeString, ...] = ()
    ends: tuple[SafeString, ...] = ()
    unread: tuple[SafeString, ...] = ()
    again: tuple[SafeString, ...] = ()
    consequences: tuple[SafeString, ...] = ()

    @property
    def moved(self) -> tuple[SafeString, ...]:
        """What it moves, in the order a table wants to hear it, but for what is written and what is left unread."""
        return (*self.points, *self.counting, *self.totals, *self.marks, *self.deals, *self.ends)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of everything that is said: a confirm carries what its preview said."""
        parts = (self.written, self.moved, self.unread, self.again, self.consequences)
        return hashlib.sha256("\n\n".join("\n".join(part) for part in parts).encode()).hexdigest()


@dataclass(frozen=True)
class OutdatedPreview(Refused):
    """It would move something else than its preview said, because the sheet has moved on. Nothing was written.

    `moves` is what it would move now.
    """

    moves: Impact | None = None


def previewed(reading: SheetReading, change: Change) -> SheetReading:
    """The sheet as it would be after the change. Nothing touches the database: what is new has the id 0."""
    new = entries_made(change, write_id=0, version=reading.version + 1, by="", at=timezone.now())
    return reading.changed([entry.address for entry in change.withdrawn], new, change.chairs, change.aliases)


def moves(before: SheetReading, after: SheetReading, *, is_written_told: bool = True) -> Impact:
    """What lies between two readings of a sheet, in sentences; what is written too, unless nobody asks for that."""
    return Impact(
        written=tuple(written(before, after)) if is_written_told else (),
        points=tuple(points_moved(before, after)),
        totals=tuple(totals_moved(before, after)),
        marks=tuple(marks_passed(before, after)),
        deals=tuple(deals_moved(before, after)),
        counting=tuple(hands_that_count(before, after)),
        ends=tuple(ends_moved(before, after)),
        unread=tuple(left_without(before, after)),
        again=tuple(left_without(after, before)),
    )


# What stands otherwise


def written(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Row by row of the sheet, what stands there instead of what; and who is called otherwise."""
    rows: dict[str, list[SafeString]] = {}
    differences = EntryDiff(before, after)
    for address in sorted(before.standing.keys() | after.standing.keys(), key=in_order):
        old, new = before.standing.get(address), after.standing.get(address)
        if old is None or new is None or not old.says(new.data):
            rows.setdefault(where_of(address), []).extend(differences.at(address))
    for where, texts in rows.items():
        if texts:
            yield format_html("{}: {}.", capital(where), with_commas(texts))
    for seat, name in after.names.items():
        if seat in before.names and before.names[seat] != name:
            yield format_html("{} instead of {}.", name_shown(name), name_shown(before.names[seat]))


def in_order(address: Address) -> tuple[bool, int, list[tuple[int, str]]]:
    """Hand by hand, what belongs to the sheet last; seats within an ask by number."""
    parts = [(int(part), "") if part.isdecimal() else (0, part) for part in address[1].split("-")]
    return address[0] == SHEET, address[0], parts


# Points and totals


def rows_of(reading: SheetReading) -> dict[str, Row]:
    """Every scored row by what it is called: the hands, then the blind hands."""
    settlement = reading.sheet.settlement
    ties = settlement.ties if settlement else ()
    return {f"hand {row.hand.number}": row for row in reading.sheet.rows} | {
        where_of((SHEET, f"{row.hand.prefix}tricks")): row for row in ties
    }


def points_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Every hand whose points are others, with everybody touched: "Hand 4: Ann −2 to +6, Bo +6 to −2."."""
    old_rows, new_rows = rows_of(before), rows_of(after)
    for where in [where for where in old_rows if where in new_rows]:
        old, new = old_rows[where].points, new_rows[where].points
        names = after.names_at(new_rows[where].hand.number)
        touched = [seat for seat in {**old, **new} if old.get(seat) != new.get(seat)]
        if touched:
            changes = [from_to(names, seat, old.get(seat), new.get(seat)) for seat in touched]
            yield format_html("{}: {}.", capital(where), with_commas(changes))


def from_to(names: Mapping[int, str], seat: int, old: int | None, new: int | None) -> SafeString:
    """One seat's points before and after."""
    name = name_shown(names.get(seat, ""))
    if old is None or new is None:
        return format_html("{} {}", name, signed(new) if new is not None else "no longer in it")
    return format_html("{} {} to {}", name, signed(old), signed(new))


def totals_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """The totals that are others now."""
    old, new = all_totals(before), all_totals(after)
    moved = [seat for seat in new if old.get(seat) != new[seat]]
    yield from starts_moved(before, after)
    if moved:
        changes = [
            format_html("{} {} instead of {}", name_shown(after.names[seat]), bare(new[seat]), bare(old[seat]))
            if seat in old
            else format_html("{} {}", name_shown(after.names[seat]), bare(new[seat]))
            for seat in moved
        ]
        yield format_html("Totals now: {}.", with_commas(changes))
    yield from legs_moved(before, after)


def legs_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Rubbers, or games, that somebody else wins, after another hand, or that are not won any more."""
    if not after.game.has_legs(after.sheet.table):
        return
    what, old, new = capital(after.game.leg_name), legs_of(before), legs_of(after)
    for number in range(1, max(len(old), len(new)) + 1):
        had, has = (legs[number - 1] if number <= len(legs) else None for legs in (old, new))
        if had == has:
            continue
        if has is None:
            yield format_html("{} {} is not won yet.", what, number)
            continue
        seat, hand = has
        name = name_shown(after.names[seat])
        if had is None:
            yield format_html("{} {} goes to {}, after hand {}.", what, number, name, hand)
        elif had[0] == seat:
            yield format_html("{} {} goes to {} after hand {} instead of hand {}.", what, number, name, hand, had[1])
        else:
            yield format_html(
                "{} {} goes to {} instead of {}, after hand {}.",
                what, number, name, name_shown(before.names[had[0]]), hand,
            )  # fmt: skip


def legs_of(reading: SheetReading) -> list[tuple[int, int]]:
    """Who won each leg, and the hand after which."""
    return [(leg.winner, leg.hand) for leg in reading.sheet.table.legs]


def all_totals(reading: SheetReading) -> dict[int, int]:
    return {**reading.sheet.table.gone, **reading.sheet.totals}


# The hands


def deals_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Hands that somebody else deals, that have other cards, and how many hands there are now."""
    old, new = deals_of(before), deals_of(after)
    both = sorted(old.keys() & new.keys())
    cards: dict[tuple[int, int], list[int]] = {}
    for number in both:
        if old[number][1] != new[number][1]:
            cards.setdefault((old[number][1], new[number][1]), []).append(number)
    for (had, has), numbers in cards.items():
        have, unit = verb(numbers, "has", "have"), "card" if has == 1 else "cards"
        yield format_html("{} {} {} {} instead of {}.", capital(hands_text(numbers)), have, has, unit, had)
    dealt = [number for number in both if old[number][0] != new[number][0]]
    changes = [
        format_html(
            "{} hand {} instead of {}",
            name_shown(after.names_at(number)[new[number][0]]),
            number,
            name_shown(before.names_at(number)[old[number][0]]),
        )
        for number in dealt[:DEALERS_NAMED]
    ]
    if changes:
        rest = escape(" and so on") if len(dealt) > DEALERS_NAMED else SafeString()
        yield format_html("Dealing: {}{}.", with_commas(changes), rest)
    had_hands, has_hands = (reading.game.planned_hands(reading.sheet.table) for reading in (before, after))
    if had_hands != has_hands:
        unit = "hand" if has_hands == 1 else "hands"
        yield format_html("{} {} instead of {}.", has_hands, unit, had_hands)


def deals_of(reading: SheetReading) -> dict[int, tuple[int, int]]:
    """Which seat deals how many cards, in every hand that was scored or is still to come."""
    sheet = reading.sheet
    hands = [row.hand for row in sheet.rows] + (list(sheet.coming()) if sheet.open else [])
    return {hand.number: (hand.dealer, hand.cards) for hand in hands}


def hands_that_count(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Scored hands that are none any more, and why; those that are scored again."""
    old, new = ({row.hand.number for row in reading.sheet.rows} for reading in (before, after))
    lost, gained = sorted(old - new), sorted(new - old)
    opened = after.next_hand if after.sheet.open else None
    whole = before.next_hand if before.sheet.open else None
    there = {hand for hand, _ in after.entries}
    waits = [number for number in lost if opened is not None and number > opened and number in there]
    off = [number for number in lost if number != opened and number not in waits]
    if opened in lost:
        yield format_html("Hand {} is open again.", opened)
    if waits:
        count = verb(waits, "does", "do")
        yield format_html("{} {} not count until hand {} is complete.", capital(hands_text(waits)), count, opened)
    if off:
        why = counting_no_more(before, after)
        yield format_html("{} no longer {}{}.", capital(hands_text(off)), verb(off, "counts", "count"), why)
    if gained == [whole]:
        yield format_html("Hand {} is complete.", whole)
    elif gained:
        gained = [number for number in gained if number != whole]
        why = counting_again(before, after)
        yield format_html("{} {} again{}.", capital(hands_text(gained)), verb(gained, "counts", "count"), why)


# How it ends


def ends_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Winner, loser and places of a finished sheet; that it is open again, or finished now, and what it waits for."""
    if after.finished:
        yield from winners_moved(before, after)
    elif before.finished:
        yield joined([format_html("The game is open again: {}.", waits_for(after)), ties_left(before, after)])
    elif after.sheet.settlement and before.sheet.settlement and waits_for(before) != waits_for(after):
        yield joined([format_html("At the end there is now {}.", waits_for(after)), ties_left(before, after)])
    elif before.sheet.settlement and not after.sheet.settlement:
        yield format_html("The game is not over then: {}.", waits_for(after))


def winners_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Who wins, who loses, who stands where: what stays is said too, for that is what everybody asks."""
    if not before.finished:
        yield escape("That settles the game.")
    yield from cut_moved(before, after)
    for what, had, has, why in (
        ("winner", before.sheet.winner, after.sheet.winner, winner_by),
        ("loser", before.sheet.loser, after.sheet.loser, loser_by),
    ):
        if has is None:
            if had is not None:
                yield format_html("There is no {} now.", what)
            continue
        name = name_shown(after.names[has])
        if had is None:
            yield format_html("The {} is {}, {}.", what, name, why(after))
        elif had == has:
            yield format_html("The {} stays {}.", what, name)
        else:
            instead = name_shown(before.names[had])
            yield format_html("The {} is now {} instead of {}, {}.", what, name, instead, why(after))
    if before.finished:
        old, new = ({p.seat: p.place for p in reading.sheet.placings} for reading in (before, after))
        changes = [
            format_html("{} {} instead of {}", name_shown(after.names[seat]), place, old[seat])
            for seat, place in new.items()
            if seat in old and old[seat] != place
        ]
        if changes:
            yield format_html("Places: {}.", with_commas(changes))


def cut_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Who goes on from a group, and who does instead of whom."""
    old, new = (reading.sheet.settlement.cut if reading.sheet.settlement else None for reading in (before, after))
    if new is None:
        return
    if old is None or not before.finished:
        yield settled_aloud(after)
        return
    fates = {"through": "goes through", "below": "goes to the losers", "out": "is done"}
    changes = [
        format_html("{} {} ({})", name_shown(after.names[seat]), fates[fate_of(new, seat)], fate_by(after, seat))
        for seat in after.sheet.table.seats
        if fate_of(new, seat) and fate_of(old, seat) != fate_of(new, seat)
    ]
    if changes:
        yield format_html("Now {}.", with_commas(changes))
    else:
        yield escape("Who goes on stays as it is.")


def waits_for(reading: SheetReading) -> SafeString:
    """What a sheet waits for: "a blind hand for Ann and Bo", "hand 7"."""
    sentences = []
    for waiting in reading.sheet.waiting:
        tied = names_shown(reading.names, waiting.seats)
        if waiting.what == "hand":
            sentences.append(format_html("hand {}", waiting.number))
        else:
            what = {"tie-break": "a blind hand", "ruling": "a ruling"}.get(waiting.what, "a draw")
            sentences.append(format_html("{} for {}", what, tied))
    return listed(sentences)


def left_without(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """What is read on the sheet of `before` and stands unread on that of `after`, in words."""
    known, texts = set(before.sheet.unread), EntryText(after)
    for address in sorted(after.sheet.unread, key=in_order):
        if address not in known:
            yield texts.there(address)
