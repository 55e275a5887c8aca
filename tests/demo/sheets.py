"""The demo sheets, played: each sheet file of `fixtures/demo/` is entered as a scorekeeper does it, post by post."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction

from clubs.demo.sheets import THE_DEMO, Script, key_of, scripts
from clubs.models import User
from rules.core.fields import SHEET, Address, Value
from rules.core.files.sheet_file import ReadDocument, read_object
from rules.core.options import chosen_of
from scoresheets.commands import enter
from scoresheets.log.answers import Answer, Done
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet

Steps = Mapping[Address, Mapping[str, Value]]


def play_sheets() -> None:
    """Play all demo sheets."""
    for script in scripts():
        # One transaction, so that hundreds of posts do not wait for the disk one by one.
        with transaction.atomic():
            play(script)


def play(script: Script) -> None:
    """Open the sheet and write on it what its script says."""
    document = read_object(script.sheet)
    players = [Somebody(document.names[seat]) for seat in document.table.seats]
    dealer = document.table.seats.index(document.table.first_dealer)
    found_by = document.game.first_dealer_by.word
    table = document.table
    chosen = chosen_of(document.game.house_rules, table.house_rules)
    set_up = SetUp(script.game, players, dealer, found_by, table.plan, chosen, title=script.title)
    # The site opens it itself, also where an account is needed to open a sheet.
    opened = open_sheet(set_up, browser=THE_DEMO, key=key_of(script, 0), user=User(), keeper_name="The demo")
    if not isinstance(opened, Opened):
        raise DemoError(opened)
    reading, taps = read_sheet(opened.sheet), 0
    written = dict(taps_of(script, document))
    while address := due(reading, written):
        taps += 1
        key = key_of(script, taps)
        reading = done(enter.enter(opened.sheet, address, written[address], saw=None, key=key, by=opened.keeper))
    if script.says:
        hand, seat = int(script.says["hand"] or 0), script.says["seat"]
        tag, text = str(script.says.get("tag", "")), str(script.says.get("text", ""))
        seat = seat if isinstance(seat, int) else None
        key = key_of(script, taps + 1)
        done(enter.note(opened.sheet, hand, tag=tag, seat=seat, text=text, key=key, by=opened.keeper))


class DemoError(Exception):
    """A post of the demo was not accepted."""


def done(answer: Answer) -> SheetReading:
    """The sheet as the post left it."""
    if not isinstance(answer, Done):
        raise DemoError(answer)
    return answer.reading


def taps_of(script: Script, document: ReadDocument) -> Iterator[tuple[Address, Mapping[str, Value]]]:
    """What is written of the sheet file."""
    hand = script.until["hand"] if script.until else None
    left = script.until["asks"] if script.until else 0
    for (number, ask), step in document.entries.items():
        if hand is None or number < hand:
            yield (number, ask), step
        elif number == hand and left:
            left -= 1
            yield (number, ask), step


def due(reading: SheetReading, written: Steps) -> Address | None:
    """Where the sheet wants something written next that the script has; None when it has no more."""
    opened, settlement = reading.sheet.open, reading.sheet.settlement
    if opened:
        asks = reading.game.asks(reading.sheet.table, opened.hand)
        addresses = [opened.hand.address(ask.name) for ask in asks if ask.name not in opened.hand.steps]
    else:
        addresses = [(SHEET, ask.name) for ask in settlement.asks] if settlement else []
    return next((address for address in addresses if address in written), None)
