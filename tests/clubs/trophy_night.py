"""Trophies to test with: who has won them, and sheets that name somebody else."""

from __future__ import annotations

import datetime

from clubs.models import Award, Club, Member, Night, Table, Trophy
from clubs.trophies.awards import award
from clubs.trophies.register import holdings
from scoresheets.corrections import correct as correction
from scoresheets.corrections.correct import correct
from scoresheets.log.append import Change
from scoresheets.results.impact import moves, previewed
from tests.club_factories import NightFactory
from tests.factories import Scorer, new_key, sure_of

FIRST = datetime.date(2026, 3, 5)


def given(trophy: Trophy, member: Member | None, week: int = 0, *, handed: bool = True, **more: object) -> Award:
    """The trophy was won so many weeks after the first night, and handed over on the spot."""
    on = FIRST + datetime.timedelta(weeks=week)
    won = award(trophy, member, on=on, source="sheet", confirmed=True, **more)
    if handed:
        won.handed_at = datetime.datetime.combine(on, datetime.time(22), tzinfo=datetime.UTC)
        won.save()
    return won


def holders(club: Club) -> list[tuple[Trophy, Award | None]]:
    """Every trophy of the register with the award by which its holder holds it; None: nobody has won it yet."""
    return [(holding.trophy, holding.won) for holding in holdings(club)]


def night(club: Club, week: int = 0, **more: object) -> Night:
    """The night so many weeks after the first."""
    return NightFactory(club=club, on=FIRST + datetime.timedelta(weeks=week), **more)


def scorer_of(table: Table) -> Scorer:
    """The scorekeeper of the table."""
    return Scorer(table.sheet, table.sheet.scorekeepers.first())


def take_last_hand_back(table: Table) -> None:
    """The last hand of the finished sheet is opened again, and with it whatever was corrected last."""
    scorer = scorer_of(table)
    while scorer.reading.finished:
        sure_of(scorer.undo())
    table.refresh_from_db()


def play_to_the_end(table: Table) -> None:
    """The last hand is written down once more, as it was."""
    scorer_of(table).clear_game()
    table.refresh_from_db()


def third_wins(table: Table) -> None:
    """The last hand of a table of four is corrected: the third seat has won, with two points more than the first."""
    scorer = scorer_of(table)
    changes = {(4, "bid-3"): {"bid": 1}, (4, "tricks"): {"tricks-1": 0, "tricks-2": 0, "tricks-3": 1, "tricks-4": 0}}
    write(scorer, changes)
    table.refresh_from_db()


def first_wins(table: Table) -> None:
    """The correction is put right again."""
    scorer = scorer_of(table)
    changes = {(4, "bid-3"): {"bid": 0}, (4, "tricks"): {"tricks-1": 1, "tricks-2": 0, "tricks-3": 0, "tricks-4": 0}}
    write(scorer, changes)
    table.refresh_from_db()


def write(scorer: Scorer, changes: dict) -> None:
    """A correction as a scorekeeper makes it, having seen its preview."""
    reading = scorer.reading
    saw = {address: scorer.saw(address) for address in changes}
    change = correction.correcting(reading, changes, saw, sure=True)
    assert isinstance(change, Change), change
    digest = moves(reading, previewed(reading, change)).digest
    sure_of(correct(scorer.sheet, changes, saw=saw, digest=digest, key=new_key(), by=scorer.by))
