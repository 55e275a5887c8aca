"""The state of a play-off table: who is above and below its lines, and everybody's destination."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from clubs.members.identity import NOBODY_KNOWN, Identities
from clubs.models import Member, Stage, Table
from clubs.play_offs.fates import NOBODY, fates_of, of_players
from rules.core.engine.replay import settle
from rules.core.outcome import Cut
from rules.core.playoffs.cut import Final
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.log.state import SheetReading
from scoresheets.sheet.summary import Glance

Side = Stage.Side


@dataclass(frozen=True)
class Seated:
    """Somebody at a table of a play-off, as it stands now.

    `fate` is where they go from there, if it ended now: "through", "below" (to the losers' side), "out" (they have
    played), "tied" across a line, "gone" home; "" at a final. It is certain once the table is settled, but for "tied".
    """

    player: int
    name: str
    seat: int
    total: int
    place: int | None
    fate: str = ""
    identities: Identities = field(default_factory=lambda: NOBODY_KNOWN, compare=False, repr=False)

    @property
    def member(self) -> Member | None:
        """Who they are in the club; None: a stranger."""
        return self.identities.members.get(self.player)

    @property
    def shown(self) -> str:
        """What they are called on pages of the club: a stranger as on their sheet."""
        return self.identities.shown.get(self.player, self.name)

    @property
    def identity(self) -> tuple[str, int]:
        """The same for all players that are one person of the club (`Member.identity`)."""
        return ("member", self.member.identity) if self.member else ("player", self.player)

    @property
    def keys(self) -> tuple[tuple[str, int], ...]:
        """By each of these it is the same person: as a player, and as somebody of the club."""
        return tuple(dict.fromkeys([("player", self.player), self.identity]))


@dataclass(frozen=True)
class TableNow:
    """A table with its `people`, the first first; who went home comes last. `cut` says by players where they go."""

    table: Table
    glance: Glance
    people: tuple[Seated, ...]
    cut: Cut

    @property
    def reading(self) -> SheetReading:
        return self.glance.reading

    @property
    def as_called(self) -> SheetReading:
        """Its reading in which everybody is called as on pages of the club."""
        names = {person.player: person.shown for person in self.people}
        return replace(self.reading, aliases={**self.reading.aliases, **names})

    @property
    def is_over(self) -> bool:
        """Whether its last hand is played."""
        return self.reading.sheet.settlement is not None

    @property
    def is_settled(self) -> bool:
        """Whether everybody knows where they go, or what they have won."""
        return self.reading.sheet.finished

    @property
    def hands_done(self) -> int:
        return self.reading.sheet.table.hands_done

    @property
    def as_final(self) -> Final:
        """What counts of it for the trophies, as it stands."""
        settlement, seats = self.reading.sheet.settlement, {person.seat: person.player for person in self.people}
        won = settlement.winner if settlement else None
        lead = (won,) if won is not None else tuple(person.seat for person in self.people if person.place == 1)
        here = [person for person in self.people if person.fate != "gone"]
        return Final(
            totals={person.player: person.total for person in here},
            lead=tuple(seats[seat] for seat in lead),
            gone={person.player: person.total for person in self.people if person.fate == "gone"},
            places={person.player: person.place for person in here if person.place is not None} if self.is_over else {},
        )


@dataclass(frozen=True)
class StageNow:
    """A stage with its tables, in their order."""

    stage: Stage
    tables: tuple[TableNow, ...]

    @property
    def is_over(self) -> bool:
        return bool(self.tables) and all(table.is_over for table in self.tables)

    @property
    def is_settled(self) -> bool:
        return bool(self.tables) and all(table.is_settled for table in self.tables)

    @property
    def is_final(self) -> bool:
        return self.stage.is_final

    def sent(self, side: str) -> Iterator[Seated]:
        """Who is certain to go on to the next stage of that side, table by table, the first first."""
        for table in self.tables:
            people = {person.player: person for person in table.people}
            for player in table.cut.through if side == Side.WINNERS else table.cut.below:
                yield people[player]


@dataclass(frozen=True)
class Stood:
    """Who is where at a table, and where they go, whoever they are in the club."""

    people: tuple[Seated, ...]
    cut: Cut


#: Tables that were looked at last, and have not changed since: by the people at them, some hundred bytes each.
tables_seen: VersionedCache[Stood] = VersionedCache(2000)


def stood_at(reading: SheetReading) -> Stood:
    """How a table stands by a reading of `read_sheets`: told once as long as nothing is written on its sheet."""
    if not reading.known:
        # What may never have been written is not remembered (`scoresheets.sheet.summary`).
        return how_it_stands(reading)
    # It is the same as long as nothing was written on it, and no name hidden.
    record = reading.record
    version = (reading.version, record.generation, record.aliases_version, reading.withheld)
    stood = tables_seen.get(record.code, version)
    if stood is None:
        stood = how_it_stands(reading)
        tables_seen.put(record.code, stood, version=version, size=len(stood.people))
    return stood


def how_it_stands(reading: SheetReading) -> Stood:
    sheet, chairs = reading.sheet, reading.sitting.now
    settlement = sheet.settlement or settle(reading.game, sheet.table, {})
    by_seat = settlement.cut if settlement.cut is not None else NOBODY
    fates = fates_of(by_seat)
    seated = {chairs[placing.seat].player for placing in settlement.placings}
    people = []
    for placing in settlement.placings:
        chair, fate = chairs[placing.seat], fates.get(placing.seat, "")
        people.append(Seated(chair.player, chair.name, placing.seat, placing.score, placing.place, fate))
    people += [
        Seated(chairs[seat].player, chairs[seat].name, seat, total, None, "gone")
        for seat, total in sheet.table.gone.items() if chairs[seat].player not in seated
    ]  # fmt: skip
    return Stood(tuple(people), of_players(by_seat, chairs))


def table_now(table: Table, reading: SheetReading, identities: Identities, stood: Stood | None = None) -> TableNow:
    """One table, as its sheet stands, or would stand; `stood` is how, where that is known already."""
    there = stood or how_it_stands(reading)
    people = tuple(replace(person, identities=identities) for person in there.people)
    return TableNow(table, Glance(reading), people, there.cut)
