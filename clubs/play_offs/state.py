"""The state of a play-off: who is above and below each line, who goes on, and the outcome.

It is read from the sheets each time, in a fixed number of queries. Nothing depends on the order in which tables finish.
People are identified by their players (ids): the one who sits on the seat at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from clubs.members.identity import Identities
from clubs.models import Night, PlayOff, Ruling, Stage, Table
from clubs.play_offs.fates import places_for
from clubs.play_offs.table_state import Seated, StageNow, TableNow, stood_at, table_now
from clubs.play_offs.unequal_hands import UnequalHands, unequal_hands_of
from rules import find_game
from rules.core.game import Game
from rules.core.playoffs.cut import Outcome, outcome
from scoresheets.sheet.summary import read_sheets

Side = Stage.Side
#: The two ways out of the groups, in the order in which people are sent on: nobody goes both.
SIDES = (Side.WINNERS, Side.LOSERS)


@dataclass(frozen=True)
class Due:
    """A stage that can be drawn now: for whom, in the order of the tables they come from.

    `places` is how many are proposed to go on from each of its tables; None: it is one table, and its side's final.
    """

    side: str
    number: int
    players: tuple[Seated, ...]
    places: int | None

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(person.player for person in self.players)


@dataclass(frozen=True)
class PlayOffNow:
    """A play-off as one moment found it. `stages` are those that stand, `abandoned` were drawn anew since."""

    play_off: PlayOff
    stages: tuple[StageNow, ...]
    abandoned: tuple[StageNow, ...]
    rulings: tuple[Ruling, ...]

    @property
    def game(self) -> Game:
        return find_game(self.play_off.game)

    @property
    def groups(self) -> StageNow:
        return self.stages[0]

    def stage_of(self, side: str, number: int) -> StageNow | None:
        """The stage that stands there."""
        return next((stage for stage in self.stages if (stage.stage.side, stage.stage.number) == (side, number)), None)

    def last_of(self, side: str) -> StageNow | None:
        """The last stage of a side that was drawn."""
        return next((stage for stage in reversed(self.stages) if stage.stage.side == side), None)

    def final(self, side: str = Side.WINNERS) -> StageNow | None:
        """The final of the side, once it is drawn."""
        last = self.last_of(side)
        return last if last and last.is_final else None

    @cached_property
    def people(self) -> dict[int, Seated]:
        """Everybody by their player (id), as they stand at their latest table; who sits before who went home."""
        people: dict[int, Seated] = {}
        for stage in self.stages:
            here = [person for table in stage.tables for person in table.people]
            people |= {person.player: person for person in sorted(here, key=lambda person: person.fate != "gone")}
        return people

    # -- who goes on ---------------------------------------------------------------------------------

    def sent_to(self, side: str, number: int) -> tuple[Seated, ...]:
        """Who belongs at that stage by the sheets before it, as far as that is certain. Nobody belongs at two."""
        before = self.groups if number == 2 else self.stage_of(side, number - 1)
        if before is None or before.is_final:
            return ()
        others = self.groups.sent(Side.WINNERS) if number == 2 and side == Side.LOSERS else ()
        taken = {key for person in others for key in person.keys}
        people = []
        for person in before.sent(side):
            if not taken.intersection(person.keys):
                taken.update(person.keys)
                people.append(person)
        return tuple(people)

    @property
    def has_loser(self) -> bool:
        """Whether the game has a trophy for the loser at all."""
        return self.game.play_off.losers_table

    @property
    def has_losers(self) -> bool:
        """Whether the losers have a table of their own: nobody plays alone."""
        return self.last_of(Side.LOSERS) is not None or (
            self.play_off.losers_count != 0 and len(self.sent_to(Side.LOSERS, 2)) > 1
        )

    @cached_property
    def due(self) -> tuple[Due, ...]:
        """What can be drawn now."""
        due = []
        for side in SIDES if self.stages else ():
            before = self.last_of(side) or self.groups
            if before.is_final or not before.is_settled or (side == Side.LOSERS and not self.has_losers):
                continue
            number = before.stage.number + 1
            players = self.sent_to(side, number)
            if players:
                due.append(Due(side, number, players, places_for(len(players), self.game.made_for[-1])))
        return tuple(due)

    # -- what it comes to ----------------------------------------------------------------------------

    @property
    def draws(self) -> tuple[Mapping[int, str], ...]:
        """The cards that were drawn for the loser's trophy, by players."""
        drawn = (ruling for ruling in self.rulings if ruling.kind == Ruling.Kind.DRAW and ruling.withdrawn_at is None)
        return tuple({int(player): str(rank) for player, rank in ruling.says.items()} for ruling in drawn)

    @property
    def outcome(self) -> Outcome | None:
        """Who takes the trophies, once the last hand of both finals is played."""
        winners, losers = (self.final(side) for side in SIDES)
        if winners is None or not winners.is_over or (losers and not losers.is_over):
            return None
        return self.if_it_ended_now

    @property
    def if_it_ended_now(self) -> Outcome | None:
        """The same, if the finals ended as they stand; None as long as one of them has no hand yet."""
        winners, losers = (self.final(side) for side in SIDES)
        if winners is None or (losers is None and self.has_losers):
            return None
        tables = [stage.tables[0] for stage in (winners, losers) if stage and stage.tables]
        if len(tables) < 1 + self.has_losers or not all(table.hands_done for table in tables):
            return None
        top, *bottom = tables
        if not bottom and top.reading.setup.decides.bottom:
            return of_one_final(top)
        if self.unequal and not self.unequal.choice:
            return outcome(top.as_final, None).without_loser
        counted = self.unequal.counted if self.unequal else (top, bottom[0] if bottom else None)
        finals = [table.as_final if table else None for table in counted]
        return outcome(finals[0] or top.as_final, finals[1], self.draws if self.is_played else ())

    @cached_property
    def unequal(self) -> UnequalHands | None:
        """Both finals, where they are over and played different numbers of hands."""
        finals = [self.final(side) for side in (Side.WINNERS, Side.LOSERS)]
        return unequal_hands_of(finals, self.rulings)

    @property
    def is_played(self) -> bool:
        """Whether the last hand of all its tables is played."""
        return bool(self.stages) and not self.due and all(stage.is_over for stage in self.stages)

    @property
    def is_over(self) -> bool:
        """Whether both trophies have found who takes them, and nothing is open any more.

        Where the game has no trophy for the loser it is over with the final, of which several may be the first.
        """
        result = self.outcome
        settled = bool(self.stages) and not self.due and all(stage.is_settled for stage in self.stages)
        return settled and result is not None and not (self.has_loser and None in (result.winner, result.loser))


def of_one_final(final: TableNow) -> Outcome:
    """What one final comes to, on whose sheet both ends are settled."""
    people = {person.seat: person.player for person in final.people}
    settlement = final.reading.sheet.settlement
    as_final = final.as_final
    if settlement is None:
        return outcome(as_final, None)
    loser = people.get(settlement.loser) if settlement.loser is not None else None
    return Outcome(as_final.winner, loser, None, (), as_final.runners_up)


# Reading it


def play_off_of(night: Night) -> PlayOff | None:
    """The play-off of the night that was not called off."""
    return night.play_offs.filter(called_off_at__isnull=True).select_related("night__club").first()


def now(play_off: PlayOff) -> PlayOffNow:
    """The play-off as it stands. At most ten queries, however many groups it has."""
    stages = {stage.pk: stage for stage in play_off.stages.all()}
    # An abandoned stage has taken its tables out of the night.
    rows = Table.objects.filter(stage__in=stages, sheet__isnull=False).select_related("sheet").order_by("number", "pk")
    tables: dict[int, list[Table]] = {pk: [] for pk in stages}
    for table in rows:
        stage = stages[table.stage_id or 0]
        if (table.withdrawn_at is None) == (stage.abandoned_at is None):
            table.stage, table.night = stage, play_off.night
            tables[stage.pk].append(table)
    used = [table for here in tables.values() for table in here]
    readings = read_sheets(table.sheet for table in used if table.sheet)
    stood = {pk: stood_at(reading) for pk, reading in readings.items()}
    people = Identities(play_off.night.club, {person.player for there in stood.values() for person in there.people})
    states = {table.pk: table_now(table, readings[pk], people, stood[pk]) for table in used if (pk := table.sheet_id)}
    stages_now = {pk: StageNow(stage, tuple(states[table.pk] for table in tables[pk])) for pk, stage in stages.items()}
    rulings = tuple(play_off.rulings.select_related("by"))
    for stage in stages.values():
        stage.play_off = play_off
    return PlayOffNow(
        play_off,
        tuple(stage for stage in stages_now.values() if stage.stage.abandoned_at is None),
        tuple(stage for stage in stages_now.values() if stage.stage.abandoned_at is not None),
        rulings,
    )
