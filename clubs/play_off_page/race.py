"""The races of both finals: the running standing, and who would win the trophies if it ended now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Stage
from clubs.play_off_page.cut_card import TableShown, settled_at
from clubs.play_offs.state import PlayOffNow
from clubs.play_offs.table_state import Seated, TableNow
from rules.core.numbers import bare
from rules.core.playoffs.cut import Outcome
from scoresheets.wording.markup import listed, name_shown

Side = Stage.Side


@dataclass(frozen=True)
class Racer:
    """Somebody at a final: whether they would win, or take the circle, if it ended now; or do."""

    key: str
    seated: Seated
    boxed: bool
    circled: bool
    #: What settled a tie of theirs: "blind hand +5".
    settled: tuple[str, ...] = ()


@dataclass(frozen=True)
class FinalShown(TableShown):
    """One final with its standing. `side` is that of its stage."""

    side: str
    boxed: frozenset[int]
    circled: frozenset[int]
    #: That it plays more or fewer hands than the other.
    length: str = ""

    @property
    def rows(self) -> list[Racer]:
        """The standing, who went home early at its end."""
        return [self.row_of(person) for person in [*self.seated, *self.gone]]

    def row_of(self, seated: Seated) -> Racer:
        key = f"t{self.now.table.pk}-{seated.seat}"
        return Racer(
            key, seated, seated.player in self.boxed, seated.player in self.circled, settled_at(self.now, seated)
        )


@dataclass(frozen=True)
class Races:
    """Both finals, or the one there is, as they stand."""

    followed: PlayOffNow
    winners: TableNow
    losers: TableNow | None
    #: Whether there is to be a losers' table that was not drawn yet.
    is_waiting: bool = False
    #: What is said, by sheets (ids), of one that plays more or fewer hands than the other.
    lengths: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def is_over(self) -> bool:
        """Whether the last hand is played at every final."""
        return all(table.is_over for table in self.tables)

    @property
    def tables(self) -> list[TableNow]:
        return [table for table in (self.winners, self.losers) if table]

    @property
    def is_blank(self) -> bool:
        """Whether nothing was scored yet at one of them: nothing can be said of both."""
        return self.followed.if_it_ended_now is None

    @cached_property
    def people(self) -> dict[int, Seated]:
        return {person.player: person for table in self.tables for person in table.people}

    @cached_property
    def now(self) -> Outcome:
        """What it comes to, if it ended now; what is certain, when it has."""
        return self.followed.if_it_ended_now or Outcome(None, None, None, (), ())

    # -- who would take what ---------------------------------------------------------------------------

    @property
    def first(self) -> list[Seated]:
        """Who would win: several where they are equal."""
        if self.now.winner is not None:
            return [self.people[self.now.winner]]
        return [self.people[player] for player in self.winners.as_final.lead]

    @property
    def last(self) -> list[Seated]:
        """Who would take the loser's trophy: several where they would draw cards for it; nobody where there is none."""
        if not self.followed.has_loser:
            return []
        people = {person.player: person for table in self.counted if table for person in table.people}
        if self.now.loser is not None:
            return [people[self.now.loser]]
        return [people[player] for player in self.now.draw]

    @property
    def counted(self) -> tuple[TableNow, TableNow | None]:
        """Both finals with the totals that are compared for the loser's trophy."""
        unequal = self.followed.unequal
        return unequal.counted if unequal else (self.winners, self.losers)

    @property
    def first_says(self) -> SafeString:
        if not self.first:
            return SafeString()
        with_what = bare(self.first[0].total)
        if len(self.first) == 1:
            return format_html("{} with {}", bold(self.first), with_what)
        parts = "separates" if self.winners.is_over else "would separate"
        return format_html("{}, tied at {}: a blind hand {} them", bold(self.first), with_what, parts)

    @property
    def last_says(self) -> SafeString:
        unequal = self.followed.unequal
        if unequal and not unequal.choice:
            return format_html("waits for the organiser’s decision: {}", unequal.in_short)
        if not self.last:
            return SafeString("not clear yet: everybody at the winners’ table is tied")
        with_what = bare(self.last[0].total)
        if len(self.last) == 1:
            return format_html("{} with {}", bold(self.last), with_what)
        verb = "they draw cards for it" if self.is_over else "they would draw cards for it"
        return format_html("{}, tied at {}: {}", bold(self.last), with_what, verb)

    @property
    def shown(self) -> list[FinalShown]:
        """The finals with their standings; box and circle as if it ended now."""
        sides = [Side.WINNERS, Side.LOSERS]
        blank = self.is_blank
        boxed: frozenset[int] = frozenset() if blank else frozenset(person.player for person in self.first)
        circled: frozenset[int] = frozenset() if blank else frozenset(person.player for person in self.last)
        finals = []
        for side, table in zip(sides, (self.winners, self.losers), strict=True):
            if table:
                finals.append(FinalShown(table, side, boxed, circled, self.lengths.get(table.reading.record.pk, "")))
        return finals

    # -- the crossing rule -----------------------------------------------------------------------------

    @property
    def crossing(self) -> SafeString:
        """The crossing rule in a sentence, where it bites, is one hand from biting, or where both are equal."""
        if self.losers is None or self.is_blank or self.now.crossed is None:
            return SafeString()
        top, bottom = self.counted
        high, low = top.as_final, (bottom or self.losers).as_final
        above, below = high.bottom, low.bottom
        ups, downs = high.candidates(self.now.winner), low.candidates(self.now.winner)
        if above is None or below is None or not ups:
            return SafeString()
        names, other = bold(self.of(ups)), bold(self.of(downs))
        lowest = self.lowest(ups)
        if self.now.crossed:
            verb = "crosses over" if self.is_over else "would cross over"
            is_below = "is" if len(ups) == 1 else "are"
            return format_html(
                "{}, {} of the winners’ table with {}, {} below {} {}: so the loser’s trophy {} to the winners’ table.",
                names, lowest, bare(above), is_below, possessive(other), bare(below), verb,
            )  # fmt: skip
        if above == below:
            verb = "stays" if self.is_over else "would stay"
            return format_html(
                "{}, {} of the winners’ table, and {}, {} of the losers’ table, are tied at {}: the loser’s trophy "
                "{} at the losers’ table. It crosses over only to somebody strictly lower.",
                names, lowest, other, self.lowest(downs), bare(above), verb,
            )  # fmt: skip
        if not self.is_over and above - below < self.one_hand:
            return format_html(
                "{}, {} of the winners’ table with {}, {} {} above {} {}. Below it, and the loser’s trophy would "
                "cross over.",
                names, lowest, bare(above), "is" if len(ups) == 1 else "are", above - below,
                possessive(other), bare(below),
            )  # fmt: skip
        return SafeString()

    @property
    def one_hand(self) -> int:
        """What a hand that goes wrong costs at the winners' table: a point for each card; 0 where none comes."""
        coming = self.winners.glance.ahead
        return coming[0].cards if coming else 0

    def of(self, players: Iterable[int]) -> list[Seated]:
        return [self.people[player] for player in players]

    @staticmethod
    def lowest(players: Sequence[int]) -> str:
        return "lowest" if len(players) == 1 else "together lowest"


def bold(people: Iterable[Seated]) -> SafeString:
    """Their names as a list in a sentence."""
    return listed([format_html("<b>{}</b>", name_shown(person.shown)) for person in people])


def possessive(names: SafeString) -> SafeString:
    """Whose it is: "Cy's".

    >>> possessive(SafeString("Cy"))
    'Cy’s'
    """
    return format_html("{}’s", names)
