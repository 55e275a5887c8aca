"""The next tables of a play-off before they are opened: seating, number of hands, and players who leave early."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.utils import timezone

from clubs.access.outdated import mark_for
from clubs.models import Night, Stage
from clubs.nights.times import clock, hour_of, minutes_of_tables
from clubs.play_off_rounds.stages import Proposed, draw_next
from clubs.play_offs.next_round import Ahead, ahead_in
from clubs.play_offs.plan import MOST_HANDS, length
from clubs.play_offs.plan_text import TO_DRAW, finals_of
from clubs.play_offs.state import PlayOffNow
from clubs.play_offs.table_state import Seated, StageNow, TableNow
from rules.core.outcome import Tie
from rules.core.playoffs.cut import MOST_AT_A_TABLE, sizes_of_groups
from rules.core.playoffs.plan import hands_for, length_sentence

#: What a number of hands is for: the finals, or another round before one.
FINAL, ROUND = "final", "round"
MOST_DRAWINGS = 999
MOST_TIMES = 8


@dataclass(frozen=True)
class Wish:
    """What the organiser has changed about what is proposed: `again` counts drawings, `out` are players (ids).

    `hands` of the finals and of another round, `places` by side: how many of each of its tables go on from that.
    """

    again: int = 0
    out: frozenset[int] = frozenset()
    hands: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, fields: Iterable[tuple[str, str]]) -> Wish:
        """As a form says it, the last of a name counting; what cannot be read is not wished."""
        again, out, hands, places = 0, set[int](), {}, {}
        for name, text in fields:
            number = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
            if number is None:
                continue
            if name == "again" and number <= MOST_DRAWINGS:
                again = number
            elif name in ("hands-final", "hands-round") and 1 <= number <= MOST_HANDS:
                hands[name.removeprefix("hands-")] = number
            elif name in ("places-winners", "places-losers") and 1 <= number <= MOST_AT_A_TABLE:
                places[name.removeprefix("places-")] = number
            elif name == "out":
                out.add(number)
            elif name == "plays":
                out.discard(number)
        return cls(again, frozenset(out), hands, places)

    def fields(self) -> list[tuple[str, int]]:
        """The same for the form of the next tap."""
        hands = [(f"hands-{kind}", number) for kind, number in sorted(self.hands.items())]
        places = [(f"places-{side}", number) for side, number in sorted(self.places.items())]
        return [("again", self.again), *(("out", player) for player in sorted(self.out)), *hands, *places]


@dataclass(frozen=True)
class Leaver:
    """Somebody who would sit at one of the tables, and leaves at that hour. `is_out`: they are left out of it."""

    person: Seated
    hour: datetime.time
    before_the_end: bool
    is_out: bool


@dataclass(frozen=True)
class Number:
    """A number under the thumb, with the next below and above; `says` what it comes to."""

    name: str
    words: str
    value: int
    less: int | None
    more: int | None
    says: list[str]


@dataclass(frozen=True)
class Waits:
    """A table that must be settled first. `ties` are those across its lines, each with who is level there."""

    now: TableNow
    ahead: Ahead
    ties: Sequence[tuple[Tie, list[Seated]]]

    @property
    def plays_it_out(self) -> bool:
        """Whether the game itself settles a tie: otherwise the organiser alone does."""
        return self.now.reading.game.play_off.losers_table


class Finals:
    """What can be drawn now, as it is proposed with what was wished. Nothing of it is kept until it is opened."""

    def __init__(self, state: PlayOffNow, wish: Wish) -> None:
        self.state = state
        # Nobody is left out who does not belong there.
        belongs = {person.player for due in state.due for person in due.players}
        self.wish = replace(wish, out=wish.out & belongs)
        self.drawn: list[Proposed] = (
            draw_next(state, leaving=self.wish.out, again=wish.again, places=wish.places) if state.due else []
        )

    @property
    def night(self) -> Night:
        return self.state.play_off.night

    @property
    def mark(self) -> str:
        """It tells two drawings apart, so that nobody opens what they have not seen."""
        return mark_for([drawn.mark for drawn in self.drawn])

    @property
    def is_blocked(self) -> bool:
        return any(drawn.is_blocked for drawn in self.drawn)

    @property
    def tables(self) -> int:
        return sum(len(drawn.tables) for drawn in self.drawn)

    # -- how long ------------------------------------------------------------------------------------

    def sizes(self, kind: str) -> list[int]:
        """The sizes of the tables for which that number of hands is."""
        return [len(table.people) for drawn in self.drawn if kind_of(drawn) == kind for table in drawn.tables]

    def hands_of(self, kind: str) -> int:
        """As it was wished, else as it was planned; 0: as the game has it."""
        play_off, groups = self.state.play_off, self.state.groups.stage
        if not groups.hands:
            return 0
        planned = groups.hands if kind == ROUND else play_off.final_hands or hands_for(self.sizes(kind))
        return self.wish.hands.get(kind, planned)

    @property
    def hands(self) -> dict[str, int]:
        """So many are played on each side that is drawn."""
        return {drawn.side: self.hands_of(kind_of(drawn)) for drawn in self.drawn}

    @property
    def numbers(self) -> list[Number]:
        """What can be changed here: of hands those numbers are offered at which one of the tables deals evenly."""
        numbers = []
        for kind in (FINAL, ROUND):
            sizes, now = self.sizes(kind), self.hands_of(kind)
            if not sizes or not now:
                continue
            offered = {size * times for size in sizes for times in range(1, MOST_TIMES + 1)}
            less = max((hands for hands in offered if 2 < hands < now), default=None)
            more = min((hands for hands in offered if now < hands <= MOST_HANDS), default=None)
            says = [length_sentence(self.state.game, size, now) for size in sorted(set(sizes), reverse=True)]
            words = "Hands in the finals" if kind == FINAL else "Hands in this round"
            numbers.append(Number(f"hands-{kind}", words, now, less, more, [sentence for sentence in says if sentence]))
        return numbers + [self.places_of(drawn) for drawn in self.drawn if drawn.places]

    def places_of(self, drawn: Proposed) -> Number:
        """How many go on from each table of another round."""
        now, most = drawn.places or 1, min(len(table.people) for table in drawn.tables) - 1
        on_top = drawn.side == Stage.Side.WINNERS
        words = f"{'Highest' if on_top else 'Lowest'} of each {'winners’' if on_top else 'losers’'} group that go on"
        next_sizes = sizes_of_groups(now * len(drawn.tables))
        whose = "winners’" if on_top else "losers’"
        less, more = (now - 1 if now > 1 else None), (now + 1 if now < most else None)
        return Number(f"places-{drawn.side}", words, now, less, more, [f"Then {finals_of(next_sizes, whose)}."])

    @cached_property
    def done(self) -> datetime.datetime | None:
        """When the last of it may be over if the tables begin now: another round is followed by a final."""
        rules = self.state.groups.tables[0].table.house_rules
        longest = 0
        for drawn in self.drawn:
            hands = self.hands_of(kind_of(drawn))
            rounds = [([len(table.people) for table in drawn.tables], hands)]
            if drawn.places:
                go_on = sizes_of_groups(drawn.places * len(drawn.tables))
                rounds.append((list(go_on), self.hands_of(FINAL) if len(go_on) == 1 else hands))
            lasts = [
                minutes_of_tables(self.night.club, self.state.game, sizes, length(hands), rules)
                for sizes, hands in rounds
            ]
            if None in lasts:
                return None
            longest = max(longest, sum(minutes or 0 for minutes in lasts) + TO_DRAW * (len(lasts) - 1))
        now = timezone.now().astimezone(self.night.club.zone)
        return now + datetime.timedelta(minutes=longest) if longest else None

    @property
    def done_at(self) -> str:
        """ "22:40"; "" where that cannot be told."""
        return clock(self.done) if self.done else ""

    # -- who -----------------------------------------------------------------------------------------

    @cached_property
    def leaves(self) -> dict[int, datetime.time]:
        """When somebody leaves, by members (ids). One query."""
        calls = self.night.attendances.filter(leaves__isnull=False).select_related("member")
        return {call.member.identity: call.leaves for call in calls if call.leaves}

    @property
    def leavers(self) -> list[Leaver]:
        """Who leaves before it may be over, and whoever was left out."""
        leavers = []
        for due in self.state.due:
            for person in due.players:
                hour = self.leaves.get(person.member.identity) if person.member else None
                is_out = person.player in self.wish.out
                early = hour is not None and (self.done is None or hour_of(self.night, hour) < self.done)
                if hour is not None and (early or is_out):
                    leavers.append(Leaver(person, hour, early, is_out))
        return leavers

    @property
    def belong(self) -> list[Seated]:
        """Everybody who belongs at one of the tables and was not left out, by name."""
        people = [person for due in self.state.due for person in due.players if person.player not in self.wish.out]
        return sorted(people, key=lambda person: person.shown.casefold())

    @property
    def left_out(self) -> list[Seated]:
        """Who was left out without having said that they leave."""
        announced = {leaver.person.player for leaver in self.leavers}
        return [person for drawn in self.drawn for person in drawn.leaving if person.player not in announced]

    @property
    def done_early(self) -> list[Seated]:
        """Who has played after the groups: none of the next tables is theirs."""
        return done_after_groups(self.state)

    # -- what it waits for ---------------------------------------------------------------------------

    @property
    def waits_for(self) -> list[Waits]:
        """The tables that must be settled before more can be drawn; none where all is drawn."""
        stages = [(stage, ahead_in(self.state, stage)) for stage in last_stages(self.state)]
        return [waits_of(table, ahead) for stage, ahead in stages for table in stage.tables if not table.is_settled]


def kind_of(drawn: Proposed) -> str:
    return FINAL if drawn.places is None else ROUND


def last_stages(state: PlayOffNow) -> list[StageNow]:
    """The last stage of each side, the groups where nothing came after them."""
    sides = [stage for stage in (state.last_of("winners"), state.last_of("losers")) if stage]
    return [stage for stage in sides if not stage.is_final] if sides else list(state.stages[:1])


def waits_of(table: TableNow, ahead: Ahead) -> Waits:
    people = {person.player: person for person in table.people}
    ties = [(tie, [people[player] for player in tie.players]) for tie in table.cut.ties] if table.is_over else []
    return Waits(table, ahead, ties)


def done_after_groups(state: PlayOffNow) -> list[Seated]:
    """Who is out after the groups, once all of them are settled."""
    if not state.stages or not state.groups.is_settled:
        return []
    return [person for table in state.groups.tables for person in table.people if person.fate == "out"]
