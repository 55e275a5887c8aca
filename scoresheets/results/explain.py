"""The explanation of a number on the sheet: a small sum, and the sentences behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.cards import RANK_NAMES, lowest_cards
from rules.core.fields import SHEET
from rules.core.numbers import bare, signed
from rules.core.table import Row
from scoresheets.log.state import SheetReading
from scoresheets.results.callouts import term_of
from scoresheets.results.marks import ends_of
from scoresheets.results.match import Match
from scoresheets.wording.markup import capital, name_shown, names_shown

KEY = re.compile(r"(?:(tie|draw)-)?([1-9][0-9]{0,4})")


@dataclass(frozen=True)
class Reason:
    """The reason for one number.

    `where` is the row ("Hand 7"); `sum` has lines of what and how much, the last one the number itself, marked
    as it is on the sheet; `sentences` say the rest.
    """

    key: str
    where: str
    name: str
    total: int
    boxed: bool
    circled: bool
    sum: tuple[tuple[str, str], ...]
    sentences: tuple[SafeString, ...]


def why_of(reading: SheetReading, key: str, seat: int) -> Reason | None:
    """The reason for the number of `seat` in a row of the sheet, by the key of its part; None where there is none."""
    if key == "carried":
        return why_carried(reading, seat)
    match = KEY.fullmatch(key)
    if match is None:
        return None
    kind, number = match[1], int(match[2])
    if kind == "tie":
        return why_tie(reading, number, seat)
    if kind == "draw":
        return why_draw(reading, number, seat)
    row = reading.sheet.row(number)
    return why_hand(reading, row, seat) if row and seat in row.totals else None


def why_hand(reading: SheetReading, row: Row, seat: int) -> Reason:
    """The total before, the points of the hand, box and circle."""
    number, before = row.hand.number, row.table.totals[seat]
    names = reading.names_at(number)
    sentences = [
        format_html("{}.", capital(reading.game.why(row.table, row.hand, seat))),
        *leg_explained(reading, row, seat),
        *marks_explained(names, row, ends_of(reading.game, row.table), seat),
    ]
    lifted = row.totals[seat] - before - row.points[seat]
    for call in reading.game.hand_callouts(row):
        if seat in call.seats:
            sentences.append(format_html("{}: {}.", term_of(reading.game, call.call), call.reason))
    return Reason(
        f"hand-{number}",
        f"Hand {number}",
        names[seat],
        row.totals[seat],
        seat in row.boxed,
        seat in row.circled,
        (
            (total_before(reading, row, seat), bare(before)),
            (f"Hand {number}", signed(row.points[seat])),
            *([(f"The {reading.game.leg_name}, won at once", signed(lifted))] if lifted else []),
            (f"After hand {number}", bare(row.totals[seat])),
        ),
        tuple(sentences),
    )


def total_before(reading: SheetReading, row: Row, seat: int) -> str:
    """Where the total before a hand comes from."""
    number = row.hand.number
    if any(event.kind == "arrive" and event.step.get("seat") == seat for event in row.events) and number > 1:
        return "Came in with the lowest total"
    if number == 1:
        return "At the start"
    earlier = reading.sheet.row(number - 1)
    if earlier and len(earlier.table.legs) < len(row.table.legs):
        return f"{capital(Match(reading).leg(len(row.table.legs) + 1))}, at the start"
    if earlier is None:
        return "From hands scored elsewhere"
    return f"After hand {number - 1}"


def leg_explained(reading: SheetReading, row: Row, seat: int) -> Iterator[SafeString]:
    """That the hand won a rubber or a game, and from where everybody goes on."""
    leg = Match(reading).won_by(row) if reading.game.has_legs(row.table) else None
    if leg is None:
        return
    winner = "" if leg.seat == seat else name_shown(reading.names_at(row.hand.number)[leg.seat])
    sentence = (
        format_html("{} wins {} by this hand", winner, leg.name) if winner else format_html("That wins {}", leg.name)
    )
    is_last = reading.sheet.finished and row is reading.sheet.rows[-1]
    goes_on = "." if is_last else f"; the next {reading.game.leg_name} begins at 0."
    yield format_html("{}{}", sentence, goes_on)


def marks_explained(names: Mapping[int, str], row: Row, ends: Mapping[str, str], seat: int) -> Iterator[SafeString]:
    """Why a total has a box or a circle. `ends` are what the totals in them are."""
    totals, total = row.totals, row.totals[seat]
    if row.boxed == row.circled:
        yield format_html("Everybody has {}: box and circle are round all of them.", bare(total))
        return
    for mark, seats in (("box", row.boxed), ("circle", row.circled)):
        if seat not in seats:
            continue
        end = ends[mark]
        others = [other for other in totals if totals[other] == total and other != seat]
        if others:
            yield format_html(
                "{} is the {} total, so it is in the {}, shared with {}.",
                bare(total),
                end,
                mark,
                names_shown(names, others),
            )
        else:
            yield format_html("{} is the {} total, so it is in the {}.", bare(total), end, mark)


def why_tie(reading: SheetReading, k: int, seat: int) -> Reason | None:
    """The points of a blind hand, and what they do to the total: nothing, unless the house has them count."""
    settlement = reading.sheet.settlement
    if settlement is None or k > len(settlement.ties):
        return None
    row, tied = settlement.ties[k - 1], settlement.tied[k - 1]
    if seat not in row.hand.order:
        return None
    sentences = [format_html("{}.", capital(reading.game.why(row.table, row.hand, seat)))]
    where = "Blind hand" if k == 1 else f"Blind hand {k}"
    total = row.totals[seat]
    if seat in tied:
        counts = bool(settlement.added)
        before = {other: row.totals[other] - row.points[other] * counts for other in tied}
        group = [other for other in tied if before[other] == before[seat]]
        does = "and count: they are added to the total" if counts else "and change no total"
        sentences.append(
            format_html(
                "{} are tied at {}. The points of the blind hand decide between them {}.",
                names_shown(reading.names, group), bare(before[seat]), does,
            )
        )  # fmt: skip
        stays = "Tied total" if counts else "Tied total, which stays"
        lines = [(stays, bare(before[seat])), (where, signed(row.points[seat]))]
    else:
        sentences.append(
            format_html(
                "Only {} were tied: for everybody else the blind hand does not count.", names_shown(reading.names, tied)
            )
        )
        lines = [("Total", bare(total))]
    return Reason(
        f"tie-{k}",
        where,
        reading.names[seat],
        total,
        seat in row.boxed,
        seat in row.circled,
        tuple(lines),
        tuple(sentences),
    )


def why_draw(reading: SheetReading, k: int, seat: int) -> Reason | None:
    """The card somebody drew, and what it means."""
    settlement = reading.sheet.settlement
    if settlement is None or k > len(settlement.draws) or seat not in settlement.draws[k - 1]:
        return None
    drawn = settlement.draws[k - 1]
    low = lowest_cards(drawn)
    total = {**reading.sheet.table.gone, **reading.sheet.table.totals}[seat]
    if reading.sheet.table.decides.is_group:
        return why_high_card(reading, k, seat, drawn)
    sentences = [
        format_html("{} drew {}.", name_shown(reading.names[seat]), card_in_words(drawn[seat])),
        escape("The lowest card takes the circle; two is low, the ace is high, and suits do not count."),
    ]
    if seat not in low:
        sentences.append(format_html("{} drew lower.", names_shown(reading.names, low)))
    elif len(low) > 1:
        sentences.append(format_html("{} share the lowest card and draw again.", names_shown(reading.names, low)))
    else:
        sentences.append(escape("Nobody drew lower."))
    return Reason(
        f"draw-{k}",
        "Draw" if k == 1 else f"Draw {k}",
        reading.names[seat],
        total,
        boxed=False,
        circled=seat in low,
        sum=(("Tied total, which stays", bare(total)),),
        sentences=tuple(sentences),
    )


def why_high_card(reading: SheetReading, k: int, seat: int, drawn: Mapping[int, str]) -> Reason:
    """The card somebody drew for a place in a group, and what it means."""
    sheet = reading.sheet
    total = sheet.table.totals[seat]
    tied = [other for other in drawn if sheet.table.totals[other] == total]
    sentences = [
        format_html("{} drew {}.", name_shown(reading.names[seat]), card_in_words(drawn[seat])),
        format_html(
            "{} are tied at {}. They drew for a place, and the higher card goes first; two is low, the ace is high,"
            " and suits do not count.",
            names_shown(reading.names, tied), bare(total),
        ),
    ]  # fmt: skip
    return Reason(
        f"draw-{k}",
        "Draw" if k == 1 else f"Draw {k}",
        reading.names[seat],
        total,
        boxed=seat in sheet.boxed,
        circled=seat in sheet.circled,
        sum=(("Tied total, which stays", bare(total)),),
        sentences=tuple(sentences),
    )


def why_carried(reading: SheetReading, seat: int) -> Reason | None:
    """A total that was brought along."""
    carried = reading.game.carried_ask(reading.table)
    step = reading.entries.get((SHEET, carried.name)) if carried else None
    total = step.get(f"total-{seat}") if step else None
    if step is None or not isinstance(total, int):
        return None
    hands = step["hands"]
    span = "Hand 1 was" if hands == 1 else f"Hands 1 to {hands} were"
    return Reason(
        "carried",
        "Scored elsewhere",
        reading.names_at(1)[seat],
        total,
        boxed=False,
        circled=False,
        sum=(("Carried over", bare(total)),),
        sentences=(format_html("{} scored elsewhere; the totals were carried over to this sheet.", span),),
    )


def card_in_words(rank: str) -> str:
    """A rank with its article.

    >>> card_in_words("A"), card_in_words("8"), card_in_words("Q")
    ('an ace', 'an eight', 'a queen')
    """
    name = RANK_NAMES[rank]
    return f"an {name}" if name[0] in "ae" else f"a {name}"
