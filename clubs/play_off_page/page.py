"""The page of a play-off: its rounds, both races, open questions, rulings, and the result."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Max
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.access.outdated import mark_for
from clubs.evening.summary import how_far
from clubs.models import Member, Night, PlayOff, Stage, Table, Trophy
from clubs.play_off_page.cut_card import CutShown, Row
from clubs.play_off_page.race import FinalShown, Races
from clubs.play_off_rounds.corrections import Moves, moves
from clubs.play_off_rounds.rulings import RulingText, ruling_texts
from clubs.play_offs.lengths import lengths_of
from clubs.play_offs.next_round import Ahead, ahead_in
from clubs.play_offs.state import PlayOffNow
from clubs.play_offs.table_state import Seated, StageNow, TableNow
from clubs.projections.play_off import Finish, finishes, has_gone
from clubs.trophies.play_off import is_for_trophies, sentence
from rules import find_game
from rules.core.numbers import spelled
from scoresheets.results.verdict import End, verdict_of
from scoresheets.sheet.summary import Glance
from scoresheets.wording.markup import capital

Side = Stage.Side


@dataclass(frozen=True)
class Round:
    """A stage of several tables, each with its line; of one that is a final, its standing alone."""

    stage: StageNow
    ahead: Ahead
    cuts: tuple[CutShown, ...] = ()
    finals: tuple[FinalShown, ...] = ()

    @property
    def name(self) -> str:
        """What it is called over its tables."""
        return self.stage.stage.called(len(self.stage.tables))

    @property
    def goes_on(self) -> str:
        """Who goes on from here, in a sentence."""
        stage, places = self.stage.stage, self.stage.stage.places
        if not places or self.finals:
            return ""
        of = "each group" if len(self.stage.tables) > 1 else "the group"
        through, below = self.ahead.through, self.ahead.below
        goes = "goes" if places == 1 else "go"
        if stage.side == Side.WINNERS:
            return f"The {ordinal(places, 'highest')} of {of} {goes} on to {through}."
        if stage.side == Side.LOSERS:
            return f"The {ordinal(places, 'lowest')} of {of} {goes} on to {below}; the others are safe."
        low = stage.play_off.losers_count
        if all(len(table.people) <= places for table in self.stage.tables):
            return f"Everybody goes to {through}."
        first = f"{spelled(places)} of {of} go" if places > 1 else f"of {of} goes"
        to = f"The first {first} to {through}"
        if low is None:
            return f"{to}, all others to {below}."
        return f"{to}, the last {spelled(low)} to {below}." if low else f"{to}; the others are done."


def ends_of(table: TableNow) -> list[End]:
    """What was settled after the last hand of a table, and what is open there; nothing while hands are played."""
    verdict = verdict_of(table.as_called) if table.is_over else None
    return verdict.ends if verdict else []


def ordinal(many: int, which: str) -> str:
    """The highest, or the three highest."""
    return which if many == 1 else f"{spelled(many)} {which}"


@dataclass(frozen=True)
class Followed:
    """What the page shows of it."""

    now: PlayOffNow

    @property
    def play_off(self) -> PlayOff:
        return self.now.play_off

    @property
    def game(self) -> str:
        return find_game(self.play_off.game).name

    @property
    def is_for_trophies(self) -> bool:
        return is_for_trophies(self.play_off)

    # -- what is played --------------------------------------------------------------------------------

    @cached_property
    def races(self) -> Races | None:
        """Both finals, as soon as there is a winners' table."""
        winners, losers = self.final(Side.WINNERS), self.final(Side.LOSERS)
        if winners is None:
            return None
        return Races(self.now, winners, losers, self.now.has_losers and losers is None, self.lengths)

    def final(self, side: str) -> TableNow | None:
        stage = self.now.final(side)
        return stage.tables[0] if stage and stage.tables else None

    @cached_property
    def rounds(self) -> list[Round]:
        """Everything but the finals of the races, the latest first, and the winners' side before the losers'."""
        rounds = []
        for stage in sorted(self.now.stages, key=lambda stage: (-stage.stage.number, stage.stage.side == Side.LOSERS)):
            ahead = ahead_in(self.now, stage)
            if not stage.stage.is_final:
                rounds.append(
                    Round(
                        stage,
                        ahead,
                        cuts=tuple(CutShown(table, stage, ahead, self.length(table)) for table in stage.tables),
                    )
                )
            elif self.races is None:
                nobody: frozenset[int] = frozenset()
                shown = (
                    FinalShown(table, stage.stage.side, nobody, nobody, self.length(table)) for table in stage.tables
                )
                rounds.append(Round(stage, ahead, finals=tuple(shown)))
        return rounds

    @property
    def finals(self) -> list[FinalShown]:
        return self.races.shown if self.races else []

    @cached_property
    def playing(self) -> list[TableNow]:
        """The tables at which hands are played."""
        return [table for stage in self.now.stages for table in stage.tables if not table.is_over]

    @cached_property
    def of_stages(self) -> list[tuple[Stage, Glance]]:
        """Every table with its stage."""
        return [(stage.stage, table.glance) for stage in self.now.stages for table in stage.tables]

    @cached_property
    def lengths(self) -> dict[int, str]:
        """What is said, by sheets (ids), of tables that play more or fewer hands than the others."""
        return lengths_of(self.of_stages)

    def length(self, table: TableNow) -> str:
        return self.lengths.get(table.reading.record.pk, "")

    @property
    def headline(self) -> str:
        """How far it is, in a few words."""
        if self.now.is_over:
            return "It is over."
        playing = how_far(self.of_stages)
        if playing or self.unsettled:
            return playing or "The groups are to be settled."
        if self.now.due:
            what = what_is_due(self.now)
            return f"{capital(what)} {'are' if what.endswith('s') else 'is'} to be drawn."
        if not self.races:
            return "The groups are to be settled."
        return f"The final{'s are' if self.races.losers else ' is'} to be settled."

    @property
    def done_at(self) -> datetime.datetime | None:
        """When the last of the tables that play is done, where that can be told of every one."""
        times = [table.glance.done_at(timezone.now()) for table in self.playing]
        return max((time for time in times if time), default=None) if all(times) else None

    @property
    def unsettled(self) -> list[CutShown]:
        """The groups that wait for a tie to be settled."""
        return [cut for round_ in self.rounds for cut in round_.cuts if cut.ties]

    @property
    def aloud(self) -> SafeString:
        """How it ended, to read out; what is still to be drawn for."""
        return sentence(self.now)

    @property
    def ended(self) -> list[Finish]:
        """The whole evening's places when it is over, the first first: a stranger has theirs, too."""
        return finishes(self.now) if self.now.is_over else []

    # -- what was decided by hand ----------------------------------------------------------------------

    @property
    def rulings(self) -> list[RulingText]:
        """What the organisers have decided, in order, with reasons."""
        return ruling_texts(self.now)

    @cached_property
    def moves(self) -> Moves | None:
        """What a correction has moved, as long as no organiser has said what becomes of it."""
        return moves(self.now)

    @property
    def tie_breaks(self) -> list[SafeString]:
        """What blind hands and cards have settled, table by table: "Group 2, blind hand: Joe +5 and Kit −5."."""
        return [
            format_html("<bdi>{}</bdi>, {}: {}", table.table, end.title.lower(), end.text)
            for stage in self.now.stages
            for table in stage.tables
            for end in ends_of(table)
            if end.state == "done"
        ]

    @property
    def abandoned(self) -> list[TableNow]:
        """The tables that were closed because a stage was drawn anew."""
        return [table for stage in self.now.abandoned for table in stage.tables]

    # -- who reads it ----------------------------------------------------------------------------------

    def keys_of(self, players: Collection[int]) -> list[str]:
        """The reader's own rows of the page."""
        return [
            f"t{table.table.pk}-{person.seat}"
            for stage in self.now.stages
            for table in stage.tables
            for person in table.people
            if person.player in players
        ]

    def says_to(self, players: Collection[int]) -> tuple[str, str] | None:
        """Where the reader stands, at the last table they came to, and the place of it on the page.

        None for who does not play, and when it is over.
        """
        if self.now.is_over or not players:
            return None
        for final in [*self.finals, *(final for round_ in self.rounds for final in round_.finals)]:
            for racer in final.rows:
                if racer.seated.player in players:
                    return self.says_of_final(final, racer.seated), f"table-{final.now.table.pk}"
        for cut in (cut for round_ in self.rounds for cut in round_.cuts):
            for row in cut.rows:
                if row.seated.player in players and not self.is_left_out(cut, row):
                    return self.says_of_group(cut, row), f"table-{cut.now.table.pk}"
            if any(person.player in players for person in cut.now.people):
                return "You went home early.", f"table-{cut.now.table.pk}"
        return None

    def is_left_out(self, cut: CutShown, row: Row) -> bool:
        """Whether the next table was drawn for them too, and they had gone by then."""
        return cut.now.is_settled and has_gone(self.now, cut.stage, row.seated)

    @staticmethod
    def says_of_final(final: FinalShown, seated: Seated) -> str:
        if seated.place is None:
            return "You went home early."
        alone = final.now.reading.setup.decides.bottom
        where = "in the final" if alone else f"at the {final.side}’ table"
        if final.is_blank:
            return f"You play {where}."
        return f"You are {nth(seated.place)} of {len(final.seated)} {where}."

    @staticmethod
    def says_of_group(cut: CutShown, row: Row) -> str:
        if cut.now.is_settled or (cut.now.is_over and row.seated.fate):
            fate = FATES.get((cut.stage.stage.side, row.seated.fate), FATES["", row.seated.fate])
            return fate.format(through=cut.ahead.through, below=cut.ahead.below)
        if cut.is_blank or row.seated.place is None:
            return f"You play in {cut.name}."
        far = f", {row.margin} the line" if row.margin.endswith(("above", "behind")) else ""
        far = ", tied across the line" if row.tied else far
        return f"You are {nth(row.seated.place)} in {cut.name}{far}."


#: Where somebody goes, by the side they play on and their fate there.
FATES = {
    (Side.LOSERS, "out"): "You are safe, and done in the play-off.",
    ("", "through"): "You go to {through}.",
    ("", "below"): "You go to {below}.",
    ("", "out"): "You are done: no final for you tonight.",
    ("", "tied"): "You are tied across the line.",
    ("", "gone"): "You went home early.",
    ("", ""): "You are done in the play-off.",
}


def nth(place: int) -> str:
    """A place as it is said.

    >>> nth(1), nth(2), nth(3), nth(11), nth(22)
    ('1st', '2nd', '3rd', '11th', '22nd')
    """
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def mark_of_play_off(play_off: PlayOff, night: Night) -> str:
    """Another one whenever something that its page shows may have changed. Five queries."""
    seen: list[object] = [night.closed_at, play_off.uid, play_off.called_off_at, play_off.places, play_off.losers_count]
    seen += [night.on, night.for_fun, night.trophies, night.trophies_table_id]
    seen += play_off.stages.values_list("pk", "abandoned_at", "places", "hands")
    seen += play_off.rulings.values_list("pk", "withdrawn_at", "reason")
    for table in Table.objects.standing().filter(stage__play_off=play_off).select_related("sheet"):
        sheet = table.sheet
        seen += [table.pk, str(table), sheet and (sheet.code, sheet.edition, sheet.aliases_version, sheet.asks_since)]
    # What everybody is called, and who is the same person as somebody else.
    people = Member.objects.filter(club=night.club_id).order_by("pk", "aliases__pk")
    seen += people.values_list("pk", "name", "nickname", "hidden", "shown_as", "same_as", "aliases__player")
    # Who held what before, and what waits for an organiser: the sentences of the end speak of it.
    trophies = Trophy.objects.filter(club=night.club_id).order_by("pk")
    awards = [Max("awards__pk"), Max("awards__confirmed_at"), Max("awards__handed_at"), Count("awards__set_aside_at")]
    seen += trophies.values_list("pk", "name", "goes", "archived_at", *awards)
    return mark_for(seen)


def what_is_due(now: PlayOffNow) -> str:
    """What can be drawn now: the finals, the winners' table, the next round."""
    due = now.due
    if any(stage.places is not None for stage in due):
        return "the next round"
    if len(due) > 1:
        return "the finals"
    if not now.has_losers:
        return "the final"
    return "the losers’ table" if due[0].side == Stage.Side.LOSERS else "the winners’ table"
