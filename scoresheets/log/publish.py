"""Publishing a finished sheet: final placings, and facts and marks of each seat in each hand.

These rows are copies and can be made again from the entries at any time. Placings are written in the transaction that
finishes a sheet or changes a finished one. The hundreds of rows of the hands are written after it by the receiver of
`sheet_published` (`replace_facts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.dispatch import Signal

from rules.core.table import Hand
from scoresheets.log.prepared import add_rows
from scoresheets.log.state import SheetReading
from scoresheets.models import FinalPlacing, HandFact, HandMark, Sheet

#: Sent in the transaction that finished a sheet, changed a finished one or opened it again, with
#: `reading`, the sheet as it is now: `reading.finished` tells which; `was_published`: it was finished before;
#: `corrected`: its result is another one now. Sender: `Sheet`.
sheet_published = Signal()


def publish(reading: SheetReading, *, was_published: bool) -> None:
    """Replace where each ended: by nothing, where it is running again; and let everybody hear of it."""
    before = list(FinalPlacing.objects.filter(sheet=reading.record)) if was_published and reading.finished else []
    replace_placings(reading, was_published=was_published)
    corrected = bool(before) and is_other_result(before, final_placings(reading))
    sheet_published.send(sender=Sheet, reading=reading, was_published=was_published, corrected=corrected)


def is_other_result(before: Iterable[FinalPlacing], after: Iterable[FinalPlacing]) -> bool:
    """Whether totals or places differ: of anybody, or who has which. That a name was put right is no other result."""
    was, now = results_of(before), results_of(after)
    changed = any(was[player] != now[player] for player in was.keys() & now.keys())
    return changed or Counter(was.values()) != Counter(now.values())


def results_of(rows: Iterable[FinalPlacing]) -> dict[int, tuple[object, ...]]:
    """How everybody ended, by players (ids)."""
    return {row.player_id: (row.place, row.score, row.winner, row.loser) for row in rows}


def republish(reading: SheetReading) -> None:
    """Replace everything the sheet has told, without a signal."""
    replace_placings(reading)
    replace_facts(reading)


def replace_placings(reading: SheetReading, *, was_published: bool = True) -> None:
    """Replace where each ended."""
    if was_published:
        FinalPlacing.objects.filter(sheet=reading.record).delete()
    if reading.finished and not reading.is_held_back:
        add_rows(list(final_placings(reading)))


def replace_facts(reading: SheetReading) -> None:
    """Replace what it has told of its hands."""
    sheet = reading.record
    HandFact.objects.filter(sheet=sheet).delete()
    HandMark.objects.filter(sheet=sheet).delete()
    if reading.finished and not reading.is_held_back:
        HandFact.objects.bulk_create(hand_facts(reading))
        HandMark.objects.bulk_create(hand_marks(reading))


def is_published(reading: SheetReading) -> bool:
    """Whether its places and facts, and whether it counts as finished, are what stands on the sheet. A result that is
    held back is not published.
    """
    sheet = reading.record
    is_shown = reading.finished and not reading.is_held_back
    places = [plain(row) for row in final_placings(reading)] if is_shown else []
    facts = [plain(row) for row in hand_facts(reading)] if is_shown else []
    marks = [plain(row) for row in hand_marks(reading)] if is_shown else []
    return (
        (sheet.finished_at is not None) == is_shown
        and same_rows(places, [plain(row) for row in FinalPlacing.objects.filter(sheet=sheet)])
        and same_rows(facts, [plain(row) for row in HandFact.objects.filter(sheet=sheet)])
        and same_rows(marks, [plain(row) for row in HandMark.objects.filter(sheet=sheet)])
    )


def plain(row: FinalPlacing | HandFact | HandMark) -> dict[str, object]:
    """A row without its id."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key}


def same_rows(rows: list[dict[str, object]], kept: list[dict[str, object]]) -> bool:
    """Whether both are the same rows in any order."""
    return sorted(map(repr, rows)) == sorted(map(repr, kept))


def final_placings(reading: SheetReading) -> Iterator[FinalPlacing]:
    """Where everybody ended; after the seated, who went home, without a place."""
    sheet, chairs = reading.sheet, reading.sitting.now
    ended: list[tuple[int, int | None, int]] = [(p.seat, p.place, p.score) for p in sheet.placings]
    ended += [(seat, None, total) for seat, total in sheet.table.gone.items()]
    for seat, place, score in ended:
        chair = chairs[seat]
        yield FinalPlacing(
            sheet=reading.record, seat_id=chair.pk, player_id=chair.player, place=place, score=score,
            winner=seat == sheet.winner, loser=seat == sheet.loser,
        )  # fmt: skip


def hand_facts(reading: SheetReading) -> Iterator[HandFact]:
    """Every seat in every scored hand. Blind hands and draws are none: their points order the tied only."""
    for row in reading.sheet.rows:
        chairs = reading.sitting.at(row.hand.number)
        best = row.totals[row.boxed[0]]
        for seat, points in row.points.items():
            chair = chairs[seat]
            yield HandFact(
                sheet=reading.record, seat_id=chair.pk, player_id=chair.player, hand=row.hand.number,
                cards=row.hand.cards, bid=count(row.hand, f"bid-{seat}", "bid"),
                tricks=count(row.hand, "tricks", f"tricks-{seat}"), points=points, total=row.totals[seat],
                behind=abs(best - row.totals[seat]), box=seat in row.boxed, circle=seat in row.circled,
            )  # fmt: skip


def hand_marks(reading: SheetReading) -> Iterator[HandMark]:
    """What the game tells of every seat in every scored hand."""
    for row in reading.sheet.rows:
        chairs = reading.sitting.at(row.hand.number)
        for seat, marks in reading.game.marks(row).items():
            for mark, value in marks.items():
                yield HandMark(
                    sheet=reading.record, seat_id=chairs[seat].pk, player_id=chairs[seat].player, hand=row.hand.number,
                    mark=mark, value=value,
                )  # fmt: skip


def count(hand: Hand, ask: str, field: str) -> int | None:
    """A count of the hand, where this game writes such a thing down."""
    value = hand.steps.get(ask, {}).get(field)
    return value if isinstance(value, int) else None
