"""Who comes and who goes, as a scorekeeper taps it: for the tests of those verbs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rules.core.files.results import result_document
from rules.core.files.sheet_file import score_document
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.state import SheetReading
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster import change
from scoresheets.roster.change import place_after, place_now
from scoresheets.views.public.sheet import sheet_file_of
from tests.factories import Scorer, new_key


def place(p: Scorer, *, after: bool = False) -> tuple[int, int]:
    """Hand and event number as the page has them; `after`: for the hand after the open one."""
    found = (place_after if after else place_now)(p.reading)
    assert found is not None, "nothing can happen there"
    return found


def arrive(p: Scorer, name: str, *, after: bool = False, sure: bool = True, **more: object) -> Answer:
    at = more.pop("at", None) or place(p, after=after)
    who = Somebody(name, more.pop("player", None))
    return change.arrive(p.sheet, who, *at, key=new_key(), by=p.by, sure=sure, **more)


def leave(p: Scorer, seat: int, *, after: bool = False, sure: bool = True, **more: object) -> Answer:
    at = more.pop("at", None) or place(p, after=after)
    return change.leave(p.sheet, seat, *at, key=new_key(), by=p.by, sure=sure, **more)


def substitute(p: Scorer, seat: int, name: str, *, after: bool = False, **more: object) -> Answer:
    at = more.pop("at", None) or place(p, after=after)
    who = Somebody(name, more.pop("player", None))
    return change.substitute(p.sheet, seat, who, *at, key=new_key(), by=p.by, **more)


def reseat(p: Scorer, order: Sequence[int], *, after: bool = False, **more: object) -> Answer:
    at = more.pop("at", None) or place(p, after=after)
    return change.reseat(p.sheet, order, *at, key=new_key(), by=p.by, **more)


def refused(answer: Answer) -> str:
    """The code of a refusal, which it must be."""
    assert isinstance(answer, Refused), answer
    return answer.code


def result_of(reading: SheetReading) -> dict[str, object]:
    """The result as the site has it."""
    names_at = {row.hand.number: reading.names_at(row.hand.number) for row in reading.sheet.rows}
    return result_document(reading.sheet, reading.names, names_at)


def scored_from_its_file(reading: SheetReading) -> dict[str, object]:
    """What `manage.py score` says of the sheet file: read again, from the first hand on."""
    return score_document(json.dumps(sheet_file_of(reading)))
