"""What is told when a game is over: up to three superlatives from its hands, and the trophies that were won there.

A superlative is kind: nobody is teased, whoever takes the circle has enough with that, and what means little is left
out. They are chosen by the same rule for every game. A sheet knows no club: who has trophies answers the signal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.dispatch import Signal
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.numbers import spelled
from rules.core.placings import place_of
from rules.core.table import Row
from scoresheets.log.publish import count
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet
from scoresheets.wording.markup import listed, name_shown, with_names

#: Sent with the `sheet` of a finished game at a table of a club. The answer is a list of `Prize`.
what_was_won = Signal()

#: So many superlatives are told.
MOST = 3
#: A run has so many hands at least, a bold bid is so high, and a place of earlier than that hand means nothing yet.
LEAST_RUN, LEAST_BID, FIRST_PLACES = 3, 3, 3
#: A streak is told while it lasts from so many hands on: of three hands there is often one.
LEAST_STREAK = 4
#: So many places are a long way; of two or three players one, from or to the first.
LEAST_PLACES, FEW = 2, 3
#: So many may share one: of more it says nothing.
MOST_SHARE = 2
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Prize:
    """A trophy that was won at the table: its name, and its drawing or picture, safe to put into a page."""

    name: str
    drawing: SafeString


@dataclass(frozen=True)
class Run:
    """Hands in a row that were good for a seat, from `first` to `last`."""

    seat: int
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class Bid:
    """A bid that was made: so many tricks of `cards` in that hand."""

    seat: int
    hand: int
    bid: int
    cards: int


@dataclass(frozen=True)
class Way:
    """From the place `was` after a hand to the place at the end."""

    seat: int
    hand: int
    was: int
    ended: int

    @property
    def gained(self) -> int:
        return self.was - self.ended


def prizes_of(sheet: Sheet) -> list[Prize]:
    """The trophies that were won at the table. No query without a club."""
    if not sheet.home or sheet.finished_at is None:
        return []
    answers: Sequence[tuple[object, Any]] = what_was_won.send(Sheet, sheet=sheet)
    return [prize for _, prizes in answers for prize in prizes]


def superlatives_of(reading: SheetReading) -> list[SafeString]:
    """Up to three sentences about a finished game; none of one that goes on, or was only a few hands long."""
    if not reading.finished:
        return []
    return list(sentences_of(reading))[:MOST]


def club_sentences(reading: SheetReading) -> list[SafeString]:
    """What the club of the sheet tells of a finished game, such as a personal best: it knows what was played before.

    It stands on the sheet a moment after the end (`scoresheets.results.being_counted`). No query.
    """
    if not reading.finished:
        return []
    return [
        with_names(str(called["sentence"]), listed([named(reading, seat) for seat in called["seats"]]))
        for called in reading.record.also_called
        if "sentence" in called and set(called["seats"]) <= reading.names.keys()
    ]


def current_streaks(reading: SheetReading) -> list[SafeString]:
    """Who has made so many bids in a row up to the last hand of a running game, the longest streak first.

    Nothing where nobody bids a number, where the totals are withheld, and of a quiet sheet.
    """
    rows = reading.sheet.rows
    if reading.finished or reading.record.quiet or reading.withheld is not None or not reading.game.has_bids:
        return []
    last = rows[-1].hand.number if rows else 0
    runs = [run for seat in seats_of(reading) for run in runs_of(reading, seat) if run.last == last]
    longest = sorted((run for run in runs if run.length >= LEAST_STREAK), key=lambda run: (-run.length, run.seat))
    return [
        format_html("{} bids made in a row: {}.", spelled(length).capitalize(), listed(
            [named(reading, run.seat, run.last) for run in streaks]
        ))
        for length, streaks in groupby(longest, lambda run: run.length)
    ]  # fmt: skip


def sentences_of(reading: SheetReading) -> Iterator[SafeString]:
    """All that there are, what everybody likes to hear first."""
    made = "bids made" if reading.game.has_bids else "hands won"
    for run in longest_runs(reading):
        yield format_html(
            "{} {} in a row for {}, hands {} to {}.", spelled(run.length).capitalize(), made,
            named(reading, run.seat, run.last), run.first, run.last,
        )  # fmt: skip
    for bid in boldest_bids(reading)[:1]:
        yield format_html(
            "The boldest bid that was made: {} of {} for {} in hand {}.", bid.bid, bid.cards,
            named(reading, bid.seat, bid.hand), bid.hand,
        )  # fmt: skip
    for way in best_comebacks(reading):
        yield format_html(
            "{} came from {} place after hand {} to {} at the end.", named(reading, way.seat), ordinal(way.was),
            way.hand, ordinal(way.ended),
        )  # fmt: skip
    for way in deepest_falls(reading):
        yield format_html(
            "{} was in {} place after hand {}, before their luck turned.", named(reading, way.seat), ordinal(way.was),
            way.hand,
        )  # fmt: skip


def named(reading: SheetReading, seat: int, hand: int | None = None) -> SafeString:
    """Who sat there in that hand, or sits there at the end."""
    names = reading.names if hand is None else reading.names_at(hand)
    return format_html("<b>{}</b>", name_shown(names[seat]))


def ordinal(place: int) -> str:
    """A place in words.

    >>> ordinal(2), ordinal(12)
    ('second', '12th')
    """
    return ORDINALS[place - 1] if place <= len(ORDINALS) else f"{place}th"


def longest_runs(reading: SheetReading) -> list[Run]:
    """The longest run of made bids, or of hands won where nobody bids a number; those of two who share it."""
    runs = [run for seat in seats_of(reading) for run in runs_of(reading, seat) if run.length >= LEAST_RUN]
    longest = max((run.length for run in runs), default=0)
    best = [run for run in runs if run.length == longest]
    return sorted(best, key=lambda run: (run.last, run.seat)) if len(best) <= MOST_SHARE else []


def runs_of(reading: SheetReading, seat: int) -> Iterator[Run]:
    """All runs of a seat. Somebody who takes the seat over begins anew."""
    good = [row.hand.number for row in reading.sheet.rows if is_good(reading, row, seat)]
    # Numbers in a row are as far from their places in the list.
    placed = [(reading.sitting.at(number)[seat].player, number - at, number) for at, number in enumerate(good)]
    for _, hands in groupby(placed, lambda hand: hand[:2]):
        numbers = [number for *_, number in hands]
        yield Run(seat, numbers[0], numbers[-1])


def is_good(reading: SheetReading, row: Row, seat: int) -> bool:
    """Whether the seat made its bid; where nobody bids a number, whether the hand brought it more than anybody else, or
    less where the lowest wins.
    """
    if row.spoiled or seat not in row.points:
        return False
    if reading.game.has_bids:
        return made_bid(row, seat) is not None
    is_alone = list(row.points.values()).count(row.points[seat]) == 1
    is_best = place_of(row.points, seat, lowest_wins=lowest_wins(reading)) == 1
    return is_alone and is_best and (row.points[seat] > 0 or lowest_wins(reading))


def made_bid(row: Row, seat: int) -> int | None:
    """The bid of the seat, if it took as many tricks; else None."""
    bid, tricks = count(row.hand, f"bid-{seat}", "bid"), count(row.hand, "tricks", f"tricks-{seat}")
    return bid if bid is not None and bid == tricks else None


def boldest_bids(reading: SheetReading) -> list[Bid]:
    """The bids that were made, from three tricks on, the boldest first: the highest, of the fewest cards, the first."""
    bids = [
        Bid(seat, row.hand.number, bid, row.hand.cards)
        for row in reading.sheet.rows if not row.spoiled
        for seat in row.points
        if (bid := made_bid(row, seat)) is not None and bid >= LEAST_BID
    ]  # fmt: skip
    return sorted(bids, key=lambda bid: (-bid.bid, bid.cards, bid.hand, bid.seat))


def best_comebacks(reading: SheetReading) -> list[Way]:
    """The longest way up to the end; nobody's where more than two came so far."""
    return longest_ways(reading, up=True)


def deepest_falls(reading: SheetReading) -> list[Way]:
    """The longest way down to the end, but not of who takes the circle."""
    return longest_ways(reading, up=False)


def longest_ways(reading: SheetReading, *, up: bool) -> list[Way]:
    """The longest ways in that direction that mean something, at most one."""
    ways = [way for way in ways_of(reading, up=up) if is_long(reading, way)]
    if not up:
        ways = [way for way in ways if way.seat != reading.sheet.loser]
    most = max((abs(way.gained) for way in ways), default=0)
    best = [way for way in ways if abs(way.gained) == most]
    return best if len(best) == 1 else []


def is_long(reading: SheetReading, way: Way) -> bool:
    """Whether it is told. Where few play, the way between the first place and the next is long enough."""
    few = len(reading.sheet.placings) <= FEW
    return abs(way.gained) >= (1 if few and 1 in (way.was, way.ended) else LEAST_PLACES)


def ways_of(reading: SheetReading, *, up: bool) -> Iterator[Way]:
    """Of everybody the way from their lowest (`up`), or their highest place so far, to the end.

    Where legs are won, places of one leg say nothing of the match. Who sat there only later has no earlier place.
    """
    sheet = reading.sheet
    if reading.game.has_legs(sheet.table):
        return
    now = reading.sitting.now
    for placing in sheet.placings:
        after = [
            (place_of(row.totals, placing.seat, lowest_wins=lowest_wins(reading)), row.hand.number)
            for row in sheet.rows[FIRST_PLACES - 1 : -1]
            if placing.seat in row.totals
            and reading.sitting.at(row.hand.number)[placing.seat].player == now[placing.seat].player
        ]
        moved = [(was, hand) for was, hand in after if (was > placing.place if up else was < placing.place)]
        if moved:
            was, hand = max(moved) if up else min(moved, key=lambda pair: (pair[0], -pair[1]))
            yield Way(placing.seat, hand, was, placing.place)


def lowest_wins(reading: SheetReading) -> bool:
    return reading.game.lowest_wins(reading.table)


def seats_of(reading: SheetReading) -> list[int]:
    """Everybody who played a hand, by seat."""
    return sorted({seat for row in reading.sheet.rows for seat in row.points})
