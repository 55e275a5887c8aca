"""What a sheet asks for next, and what is answered to an entry: for programs that score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clubs.api.shapes import Named
from rules.core.fields import SHEET, Ask, Choice, Count, Field, SeatChoice
from rules.core.files.schema import Among, AnyObject, Flag, ListOf, Members, OrNull, Shape, Text, Whole
from rules.core.problems import Problem
from scoresheets.log.answers import Answer, Conflict, Done, Refused
from scoresheets.log.append import BAD_KEY, KEY_USED
from scoresheets.log.state import SheetReading
from scoresheets.views.table.entry import answer_data

FIELD = Named("Field", Members(
    {"name": Text(), "kind": Among(("count", "choice", "seat", "tick")), "optional": Flag(), "seat": OrNull(Whole(1))},
    {"low": Whole(), "high": Whole(), "choices": ListOf(Text()), "seats": ListOf(Whole(1))},
))  # fmt: skip
ASK = Named("Ask", Members(
    {
        "ask": Text(), "optional": Flag(), "seat": OrNull(Whole(1)), "saw": OrNull(Whole(1)),
        "step": OrNull(AnyObject()), "fields": ListOf(FIELD),
    },
    {},
))  # fmt: skip
OF_THE_SHEET: dict[str, Shape] = {
    "version": Whole(0), "finished": Flag(), "hand": Whole(0), "due": OrNull(Text()), "asks": ListOf(ASK),
    "players": ListOf(Named("SeatedPlayer", Members({"seat": Whole(1), "name": Text(), "total": Whole()}, {}))),
}  # fmt: skip
ASKED = Named("Asked", Members(OF_THE_SHEET, {}))
ENTRY = Named("Entry", Members(
    {"hand": Whole(0), "ask": Text(), "step": AnyObject()}, {"saw": OrNull(Whole()), "sure": Flag()}
))  # fmt: skip
WRITTEN = Named("Written", Members({**OF_THE_SHEET, "wrote": Whole(1), "verb": Text(), "when": Text()}, {}))
REFUSED = Named("Refused", Members(
    {
        "problem": Text(), "unwise": Flag(), "problems": ListOf(Named("Misfit", Members(
            {"code": Text(), "message": Text(), "field": OrNull(Text()), "seat": OrNull(Whole())}, {}
        ))),
        **OF_THE_SHEET,
    },
    {},
))  # fmt: skip
CONFLICT = Named("Conflict", Members(
    {
        "problem": Text(), "conflict": Named("SomebodyElses", Members(
            {"hand": Whole(0), "ask": Text(), "saw": Whole(1), "by": Text(), "step": AnyObject()}, {}
        )),
        **OF_THE_SHEET,
    },
    {},
))  # fmt: skip

#: What is said to programs instead of what the pad says of its taps, by the code.
NO_IDEMPOTENCY_KEY = Problem(
    BAD_KEY.code, "Send a new Idempotency-Key with every request: 16 to 64 letters, digits, hyphens and underscores."
)
KEY_SENT_BEFORE = Problem(KEY_USED.code, "Something else was sent with this Idempotency-Key. Send this with a new one.")
TO_PROGRAMS = {problem.code: problem for problem in (NO_IDEMPOTENCY_KEY, KEY_SENT_BEFORE)}


def asked_document(reading: SheetReading) -> dict[str, object]:
    """What may be written down now, in the order in which it is asked; `due` is the ask that holds the hand up.

    `hand` is 0 where it is about the sheet itself: a blind hand, a draw; and where nothing is asked any more.
    """
    opened, settlement = reading.sheet.open, reading.sheet.settlement
    due: Ask | None = None
    asks: Sequence[Ask] = ()
    if opened:
        asks, due = list(reading.game.asks(reading.sheet.table, opened.hand)), opened.missing
    elif settlement:
        asks = settlement.asks
        due = next((ask for ask in asks if not ask.optional), None)
    hand = opened.hand.number if opened else SHEET
    names, totals = reading.names, reading.sheet.totals
    return {
        "version": reading.version, "finished": reading.finished, "hand": hand, "due": due.name if due else None,
        "asks": [ask_document(reading, hand, ask) for ask in asks],
        "players": [{"seat": seat, "name": names[seat], "total": total} for seat, total in totals.items()],
    }  # fmt: skip


def ask_document(reading: SheetReading, hand: int, ask: Ask) -> dict[str, object]:
    """An ask with what stands there; `saw` is to be sent with what is to take its place."""
    standing = reading.standing.get((hand, ask.name))
    return {
        "ask": ask.name, "optional": ask.optional, "seat": ask.seat, "saw": standing.pk if standing else None,
        "step": dict(standing.data) if standing else None, "fields": [field_document(field) for field in ask.fields],
    }  # fmt: skip


def field_document(field: Field) -> dict[str, object]:
    field_data: dict[str, object] = {"name": field.name, "optional": field.optional, "seat": field.seat}
    match field:
        case Count():
            return field_data | {"kind": "count", "low": field.low, "high": field.high}
        case Choice():
            return field_data | {"kind": "choice", "choices": list(field.values)}
        case SeatChoice():
            return field_data | {"kind": "seat", "seats": list(field.seats)}
    return field_data | {"kind": "tick"}


def answer_document(reading: SheetReading, answer: Answer) -> dict[str, object]:
    """What the pad is answered to the same post, with what is asked now in the place of the state of the pad."""
    if isinstance(answer, Refused):
        answer = replace(answer, problems=tuple(TO_PROGRAMS.get(problem.code, problem) for problem in answer.problems))
    data: Mapping[str, Any] = answer_data(reading, answer)
    if isinstance(answer, Done):
        return {**asked_document(reading), **{name: data[name] for name in ("wrote", "verb", "when")}}
    if isinstance(answer, Conflict):
        theirs = {name: data["conflict"][name] for name in ("hand", "ask", "saw", "by")}
        conflict = {**theirs, "step": dict(answer.standing.data)}
        return {"problem": data["problem"], "conflict": conflict, **asked_document(reading)}
    return {**{name: data[name] for name in ("problem", "problems", "unwise")}, **asked_document(reading)}
