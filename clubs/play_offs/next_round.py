"""The next round after a stage: the final of each side, or another round before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.models import Stage
from clubs.models.play_off import nth_round
from clubs.play_offs.state import PlayOffNow
from clubs.play_offs.table_state import StageNow
from rules import find_game

Side = Stage.Side


@dataclass(frozen=True)
class Ahead:
    """What is next, within a sentence, for who goes `through`, and for who goes `below`: "the winners’ table"."""

    through: str
    below: str


def ahead_of(stage: Stage, sizes: Sequence[int], stages: Iterable[Stage]) -> Ahead:
    """What comes after the stage, at whose tables so many sit; `stages` are those that stand.

    What is drawn is known. Before that more people than one table is made for play another round.
    """
    play_off, places = stage.play_off, stage.places or 0
    high = [min(places, size) if stage.side != Side.LOSERS else 0 for size in sizes]
    wanted = places if stage.side == Side.LOSERS else play_off.losers_count
    low = [size - up if wanted is None else min(wanted, size - up) for size, up in zip(sizes, high, strict=True)]
    most, number = find_game(play_off.game).made_for[-1], stage.number + 1
    drawn = {(other.side, other.number): other for other in stages}

    def next_for(side: Side, many: int) -> str:
        known = drawn.get((side, number))
        is_final = known.is_final if known else many <= most
        return called(play_off.losers_count, side, number, is_final=is_final)

    return Ahead(next_for(Side.WINNERS, sum(high)), next_for(Side.LOSERS, sum(low)))


def ahead_in(state: PlayOffNow, stage: StageNow) -> Ahead:
    """The same by the sheets of a stage of this play-off: who went home early counts nowhere."""
    sizes = [sum(person.fate != "gone" for person in table.people) for table in stage.tables]
    return ahead_of(stage.stage, sizes, [other.stage for other in state.stages])


def called(losers_count: int | None, side: str, number: int, *, is_final: bool) -> str:
    """What a stage is called within a sentence.

    >>> called(None, "winners", 2, is_final=True), called(0, "winners", 2, is_final=True)
    ('the winners’ table', 'the final')
    >>> called(None, "losers", 2, is_final=False)
    'the losers’ second round'
    """
    alone = losers_count == 0 and side == Side.WINNERS
    whose = "" if alone else f"{side}’ "
    if is_final:
        return "the final" if alone else f"the {whose}table"
    return f"the {whose}{nth_round(number)}"
