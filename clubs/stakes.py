"""What stands at the head of the sheets of a play-off: what is played for there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clubs.models import Stage, Trophy
from scoresheets.speech import as_text, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clubs.models import Table

Side = Stage.Side
LONGEST_STAKES = 160
NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def stakes_of_play_off(table: Table, stages: Sequence[Stage], trophies: Sequence[Trophy]) -> str:
    """What is played for at a table of a play-off, whose `stages` stand."""
    stage = table.stage
    if stage is None:
        return ""
    for wins, loses in ((names_of(trophies, "winner"), names_of(trophies, "loser")), ("", "")):
        said = said_at(table, stage, stages, wins or "the winner trophy", loses or "the loser trophy")
        if len(said) <= LONGEST_STAKES:
            return said
    return said[:LONGEST_STAKES]


def said_at(table: Table, stage: Stage, stages: Sequence[Stage], wins: str, loses: str) -> str:
    """The same, with the trophies called so."""
    play_off = stage.play_off
    has_losers = any(other.side == Side.LOSERS for other in stages) or play_off.losers_count != 0
    if stage.side == Side.ALL:
        return f"{table}: {of_group(stage.places or 0, play_off.losers_count)}"
    if not stage.is_final:
        top = stage.side == Side.WINNERS
        goes = "top" if top else "bottom"
        rest = "the others have played" if top else "the others are safe"
        return f"{table}: {so_many(goes, stage.places or 0, 'on')}; {rest}."
    if stage.side == Side.LOSERS:
        return f"{capital(loses)} is played for here, unless the lowest of the winners’ table is below all of us."
    if has_losers and any(other.side == Side.LOSERS for other in stages):
        return f"{capital(wins)} is played for here. Whoever is lowest here and below both tables takes {loses}."
    return f"Played for {wins} and {loses}."


def of_group(places: int, losers_count: int | None) -> str:
    """Where a group sends its people."""
    if losers_count == 0:
        return f"{so_many('top', places, 'to the final')}."
    winners = so_many("top", places, "to the winners’ table")
    if losers_count is None:
        return f"{winners}, the others to the losers’ table."
    return f"{winners}, {so_many('bottom', losers_count, 'to the losers’ table').replace(' goes', '').replace(' go', '')}."


def so_many(which: str, count: int, where: str) -> str:
    """ "the top three go to the winners’ table"."""
    if count == 1:
        return f"the {'first' if which == 'top' else 'last'} goes {where}"
    return f"the {which} {NUMBERS[count] if count < len(NUMBERS) else count} go {where}"


def names_of(trophies: Sequence[Trophy], goes: str) -> str:
    """The trophies that go to the winner, or to the loser, as they are called."""
    return as_text(listed([as_text(trophy.name) for trophy in trophies if trophy.goes == goes]))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
