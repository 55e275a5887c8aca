"""Everything that hangs on the wall of a night, view by view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString

from clubs.evening.summary import Evening
from clubs.models import Attendance, Award, Club, Night
from clubs.play_off_page.cut_card import CutShown
from clubs.play_off_page.page import Followed, Round
from clubs.play_off_page.race import FinalShown
from clubs.play_off_page.report import what_comes
from clubs.play_offs.state import now
from clubs.standings.league import League, league_now
from clubs.trophies.register import Holding, defences, holdings
from clubs.wall.boards import Board, Call, boards_of, call_of


@dataclass(frozen=True)
class Wall:
    """A night for everybody in the room. What is empty has no view.

    `standing` and `register` are those of the club; an evening without a club has neither.
    """

    evening: Evening
    standing: League | None
    register: Sequence[Holding]
    followed: Followed | None

    @property
    def night(self) -> Night:
        return self.evening.night

    @property
    def is_ahead(self) -> bool:
        """Whether the night has not begun."""
        return self.night.begun_at is None and not self.evening.tables

    @property
    def is_over(self) -> bool:
        """Whether it was closed, or nothing is open at any table nor in its play-off."""
        if self.night.closed_at or not self.evening.tables:
            return self.night.closed_at is not None
        decides = self.followed is None or self.followed.now.is_over
        return decides and all(seen.is_over for seen in self.evening.tables)

    @cached_property
    def call(self) -> Call | None:
        """Who asks for the organiser."""
        return call_of(self.evening.tables)

    @cached_property
    def boards(self) -> list[Board]:
        """The tables; between two rounds of a play-off not those that are done: they stand there with their lines."""
        boards = boards_of(self.evening)
        if self.followed and all(board.seen.is_over for board in boards):
            return [board for board in boards if board.seen.table.stage is None]
        return boards

    # -- before and after ------------------------------------------------------------------------------

    @cached_property
    def coming(self) -> list[Attendance]:
        """Who has said to come, those who are here before those who come later. One query."""
        says = [Attendance.Says.HERE, Attendance.Says.COMING]
        calls = Attendance.objects.filter(night=self.night, says__in=says).select_related("member__same_as")
        return sorted(calls, key=lambda call: (call.says != Attendance.Says.HERE, call.pk))

    @cached_property
    def at_stake(self) -> list[SafeString]:
        """What the night means for those who hold a trophy. Two queries where somebody does."""
        return defences(self.night, list(self.register)) if self.register else []

    @cached_property
    def awards(self) -> list[Award]:
        """What was won tonight, confirmed or not, the winner's trophies first. One query."""
        won = Award.objects.standing().filter(table__night=self.night).select_related("trophy", "member__same_as")
        return sorted(won, key=lambda award: (award.trophy.goes == "loser", award.trophy_id))

    @property
    def results(self) -> list[Board]:
        """The tables that were played for themselves, each with who won it."""
        singles = [board for board in self.boards if self.followed is None or board.seen.table.stage is None]
        return [board for board in singles if board.result]

    @property
    def what_comes(self) -> str:
        """When the club meets next; "" of an evening without a club. One query."""
        return "" if self.night.club.is_evening else what_comes(self.night)

    # -- the play-off ----------------------------------------------------------------------------------

    @cached_property
    def rounds(self) -> list[Round]:
        """What is played, or was last: the rounds of the latest number. None once both finals are drawn."""
        if self.followed is None or self.followed.races:
            return []
        rounds = self.followed.rounds
        latest = max((round_.stage.stage.number for round_ in rounds), default=0)
        return [round_ for round_ in rounds if round_.stage.stage.number == latest]

    @property
    def groups(self) -> list[CutShown]:
        """The groups with their lines."""
        return [cut for round_ in self.rounds for cut in round_.cuts]

    @property
    def finals(self) -> list[FinalShown]:
        """The finals with their standings."""
        if self.followed is None:
            return []
        return [*self.followed.finals, *(final for round_ in self.rounds for final in round_.finals)]


def wall_of(evening: Evening) -> Wall:
    """The wall of that night: the same number of queries however many tables, people and groups there are."""
    club: Club = evening.night.club
    play_off = evening.play_off
    if play_off:
        play_off.night = evening.night
    standing, register = (None, []) if club.is_evening else (league_now(club), holdings(club))
    return Wall(evening, standing, register, Followed(now(play_off)) if play_off else None)
