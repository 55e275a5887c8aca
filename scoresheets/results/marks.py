"""Box and circle hand by hand: where they pass to another player, and the total that decides it."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.game import Game
from rules.core.numbers import bare
from rules.core.table import Row, Table
from scoresheets.log.state import SheetReading
from scoresheets.wording.markup import hands_text, names_shown, verb


def ends_of(game: Game, table: Table) -> dict[str, str]:
    """What the total in box and circle is: the highest or the lowest."""
    ends = ("lowest", "highest") if game.lowest_wins(table) else ("highest", "lowest")
    return dict(zip(("box", "circle"), ends, strict=True))


def marks_passed(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """From which hand on, or in which hands, box and circle are round somebody else's total, and what that total is."""
    pairs = [
        (row.hand.number, old, row)
        for row in after.sheet.rows
        if (old := before.sheet.row(row.hand.number)) is not None
    ]
    for mark in ("box", "circle"):
        held = [(number, marked(old, mark), marked(new, mark)) for number, old, new in pairs]
        runs: list[tuple[list[int], frozenset[int], frozenset[int]]] = []
        for at, (number, had, has) in enumerate(held):
            if had == has:
                continue
            if runs and at and runs[-1][0][-1] == held[at - 1][0] and runs[-1][1:] == (had, has):
                runs[-1][0].append(number)
            else:
                runs.append(([number], had, has))
        for numbers, had, has in runs:
            to_the_end = numbers[-1] == held[-1][0]
            when = f"From hand {numbers[0]} on" if to_the_end else f"In {hands_text(numbers)}"
            passed = passes(before, after, numbers[0], mark, had, has)
            yield format_html("{} {}: {}.", when, passed, top_or_bottom(after, numbers[0], mark))


def marked(row: Row, mark: str) -> frozenset[int]:
    return frozenset(row.boxed if mark == "box" else row.circled)


def passes(
    before: SheetReading, after: SheetReading, hand: int, mark: str, had: frozenset[int], has: frozenset[int]
) -> SafeString:
    """How a mark goes from some to others."""
    names = {**before.names_at(hand), **after.names_at(hand)}
    lost, got = sorted(had - has), sorted(has - had)
    if not had & has:
        return format_html("the {} passes from {} to {}", mark, names_shown(names, lost), names_shown(names, got))
    if not got:
        return format_html("{} no longer {} the {}", names_shown(names, lost), verb(lost, "has", "have"), mark)
    shares = format_html("{} share the {}", names_shown(names, sorted(has)), mark)
    if not lost:
        return shares
    return format_html("{}, and {} no longer {} it", shares, names_shown(names, lost), verb(lost, "has", "have"))


def top_or_bottom(reading: SheetReading, hand: int, mark: str) -> SafeString:
    """The total that has the mark after a hand: "11 is the highest total after hand 2"."""
    row = next(row for row in reading.sheet.rows if row.hand.number == hand)
    total = row.totals[min(marked(row, mark))]
    return format_html("{} is the {} total after hand {}", bare(total), ends_of(reading.game, row.table)[mark], hand)
