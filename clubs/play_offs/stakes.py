"""Stakes at the head of the sheets of a play-off, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clubs.models import Stage, Table, Trophy
from clubs.play_offs.next_round import Ahead, ahead_of
from rules.core.numbers import spelled
from scoresheets.wording.markup import as_text, capital, listed

Side = Stage.Side
LONGEST_STAKES = 160
WINNER, LOSER = "the winner’s trophy", "the loser’s trophy"


def stakes_of_play_off(
    table: Table, stages: Mapping[Stage, Sequence[int]], trophies: Sequence[Trophy] | None,
    *, crossed: bool | None = None,
) -> str:  # fmt: skip
    """What is played for at a table of a play-off, whose `stages` stand, each with how many sit at its tables.

    `trophies` None: it is not for trophies. Once two finals are decided it is what that came to: whether the loser's
    trophy `crossed` over to the winners' table. Nobody is named: names may be hidden later.
    """
    stage = table.stage
    if stage is None:
        return ""
    if trophies is None and stage.is_final:
        what = "" if crossed is None else f" {decided(stage, '', 'the circle', crossed=crossed)}"
        return f"{table} of the play-off.{what}"
    wins, loses = names_of(trophies or (), "winner"), names_of(trophies or (), "loser")
    for called in ((wins or WINNER, loses or LOSER), (WINNER, LOSER)):
        if stage.is_final and crossed is not None:
            text = decided(stage, *called, crossed=crossed)
        else:
            text = said_at(table, stage, stages, *called)
        if len(text) <= LONGEST_STAKES:
            break
    return text


def decided(stage: Stage, wins: str, loses: str, *, crossed: bool) -> str:
    """What the two finals came to, as it concerns one of them."""
    if stage.side == Side.LOSERS:
        if crossed:
            return f"{capital(loses)} crossed over to the winners’ table: its lowest is lower still."
        return f"{capital(loses)} stayed here, with the lowest."
    won = f"Won here: {wins}. " if wins else ""
    where = "crossed over to the lowest here" if crossed else "stayed at the losers’ table"
    return f"{won}{capital(loses)} {where}."


def said_at(table: Table, stage: Stage, stages: Mapping[Stage, Sequence[int]], wins: str, loses: str) -> str:
    """The same, with the trophies called so."""
    if not stage.is_final:
        ahead = ahead_of(stage, stages.get(stage, ()), stages)
        if stage.side == Side.ALL:
            return f"{table}: {of_group(stage.places or 0, stage.play_off.losers_count, ahead)}"
        if stage.side == Side.WINNERS:
            return f"{table}: {so_many('top', stage.places or 0)} on to {ahead.through}; the others are done."
        return f"{table}: {so_many('bottom', stage.places or 0)} on to {ahead.below}; the others are safe."
    if stage.side == Side.LOSERS:
        return f"Played for {loses}, unless the lowest of the winners’ table is lower still."
    if any(other.side == Side.LOSERS for other in stages):
        return f"Played for {wins}. Whoever is lowest of both tables takes {loses}."
    return f"Played for {wins} and {loses}."


def of_group(places: int, losers_count: int | None, ahead: Ahead) -> str:
    """Where a group sends its people."""
    top = f"{so_many('top', places)} to {ahead.through}"
    if losers_count == 0:
        return f"{top}."
    if losers_count is None:
        return f"{top}, the others to {ahead.below}."
    return f"{top}, {so_many('bottom', losers_count)} to {ahead.below}."


def so_many(which: str, count: int) -> str:
    """How many go on.

    >>> so_many("top", 3), so_many("bottom", 1)
    ('the top three go', 'the last goes')
    """
    if count == 1:
        return f"the {'first' if which == 'top' else 'last'} goes"
    return f"the {which} {spelled(count)} go"


def names_of(trophies: Sequence[Trophy], goes: str) -> str:
    """The trophies that go to the winner, or to the loser, as they are called."""
    return as_text(listed([as_text(trophy.name) for trophy in trophies if trophy.goes == goes]))
