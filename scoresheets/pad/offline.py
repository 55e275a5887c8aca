"""Pads of sheets that are opened on a phone without network: prepared here, filled in by the phone.

The phone knows no rule. For every game and number of players it keeps the page of a pad and, for each seat that can
deal first, the state before the first hand: every hand that is planned with its cards, dealer and order, as `pad_of`
says it of any new sheet. `static/js/pages/open_offline.js` puts names and the code of the sheet in their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.utils import timezone

from rules.core.game import Game
from scoresheets.log.entries import LogEntry
from scoresheets.log.occupants import Chair
from scoresheets.log.state import SET_UP, SheetReading
from scoresheets.models import Revision, Sheet
from scoresheets.opening.defaults import Past
from scoresheets.opening.form import Opening, PlayerRow
from scoresheets.opening.open_sheet import set_up_data
from scoresheets.pad.build import pad_of
from scoresheets.pad.state import PadState

#: Stand in a prepared page for what the phone puts there. No sheet has these addresses: their last letters cannot be.
CODE, WATCH = "address-drawn-by-phone", "watchers-drawn-by-site"
DATA = "data-of-the-pad"
#: The block of signs that mean nothing.
FIRST_SIGN = 0xE000
#: A phone keeps pads for so many players: larger tables are opened with the network.
MOST_PLAYERS = 12


def numbers_of_players(game: Game) -> Iterator[int]:
    """For how many players pads of the game are kept."""
    return (number for number in game.players if number <= MOST_PLAYERS)


def place_of_name(seat: int) -> str:
    """What stands for the name at a seat: nobody types that. Its first sign, of a block that has no letters, is another
    one at each seat. So it is the initial of the badge there, which the phone makes of the name as well.

    >>> place_of_name(3)
    '\ue003⟦3⟧'
    """
    return f"{chr(FIRST_SIGN + seat)}⟦{seat}⟧"


def blank_reading(game: Game, players: int, first_dealer: int) -> SheetReading:
    """A sheet as the form opens it for so many who change nothing of hands and house rules; not in the database."""
    form = Opening(Past(), game)
    form.rows = [PlayerRow(place_of_name(seat)) for seat in range(1, players + 1)]
    form.dealer = form.rows[first_dealer - 1]
    names = {seat: row.name for seat, row in enumerate(form.rows, 1)}
    verb, now = str(Revision.Verb.OPEN), timezone.now()
    opening = LogEntry(
        0, SET_UP, set_up_data(list(names), first_dealer, form.set_up(), ""), 0, 1, "", now, verb, 0, 1, verb
    )
    record = Sheet(code=CODE, watch=WATCH, game=game.slug, version=1, opened_at=now)
    return SheetReading(record, 1, {seat: Chair(0, 0, name) for seat, name in names.items()}, {SET_UP: opening})


def state_before(reading: SheetReading) -> PadState:
    """The state of its pad. Nothing was saved yet, and there is no way back that the phone does not know."""
    return replace(pad_of(reading), when=None, brings={}, whole=True)
