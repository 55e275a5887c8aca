"""Corrections after the draw (Rule 14): who would sit at another table of the play-off, and how that is answered.

The players of a stage are compared with those who belong there by the current sheets of the stages before it. Nothing
moves by itself: an organiser keeps it as played, or has it drawn again, and can undo either. If the sheet is corrected
back, the question is gone.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow, mark_for
from clubs.models import Club, Member, Night, PlayOff, Ruling, Stage, User
from clubs.play_off_rounds.stages import abandon, draw_next, open_next, restore
from clubs.play_offs.next_round import called
from clubs.play_offs.state import SIDES, PlayOffNow, now
from clubs.play_offs.table_state import Seated, StageNow, TableNow
from clubs.tables.open import CLOSED
from clubs.trophies.play_off import seated_name
from scoresheets.models import Sheet
from scoresheets.results.impact import waits_for
from scoresheets.wording.markup import listed

Kind = Ruling.Kind
Side = Stage.Side

#: About nights that began longer ago than that nobody is asked at the front; their own page still asks.
LONG_OVER = datetime.timedelta(days=14)
CALLED_OFF = "The play-off was called off. Bring it back first."
OPEN_AGAIN = "An earlier sheet is open again. Settle that first: then it is clear who would change tables."
DRAWN_SINCE = "It was drawn again since. Take that back first."


@dataclass(frozen=True)
class StageMoves:
    """Who would come to a stage that is drawn (`comes`), and who would go from it (`goes`)."""

    stage: StageNow
    comes: tuple[Seated, ...]
    goes: tuple[Seated, ...]
    #: What was drawn from it since, and would go with it.
    later: tuple[StageNow, ...] = ()

    @property
    def played(self) -> list[tuple[StageNow, int]]:
        """How many hands are played there and at what comes after it: at the table that is furthest."""
        stages = (self.stage, *self.later)
        hands = [(stage, max((table.hands_done for table in stage.tables), default=0)) for stage in stages]
        return [(stage, many) for stage, many in hands if many]

    @property
    def called(self) -> str:
        """What the stage is called within a sentence: "the winners’ table"."""
        return within(self.stage)

    @property
    def text(self) -> SafeString:
        """Who comes and who goes, apart from those who change tables."""
        return comes_and_goes(self.called, self.comes, self.goes)

    @property
    def as_data(self) -> dict[str, Any]:
        return {
            "stage": self.stage.stage.uid,
            "comes": sorted(person.player for person in self.comes),
            "goes": sorted(person.player for person in self.goes),
        }


@dataclass(frozen=True)
class Moves:
    """What the sheets, as they stand now, would move at stages that are drawn.

    `unsettled` are tables that are open again behind a drawn stage: as long as there are any, nobody knows.
    """

    stages: tuple[StageMoves, ...]
    unsettled: tuple[TableNow, ...] = ()

    @property
    def as_data(self) -> list[dict[str, Any]]:
        """What a ruling about it remembers."""
        return [stage.as_data for stage in self.stages]

    @cached_property
    def mark(self) -> str:
        """It tells one question from another, so that nobody answers what they were not asked."""
        return mark_for(self.as_data, [table.table.pk for table in self.unsettled])

    @property
    def sentence(self) -> SafeString:
        """ "Cid and Dee change tables; the winners’ table has 2 hands played." """
        if self.unsettled:
            return listed([open_again(table) for table in self.unsettled])
        return format_html("{}; {}.", self.movers_text, self.what_is_played)

    @property
    def movers_text(self) -> SafeString:
        """Who changes tables, who comes to one and who leaves one."""
        coming = {person.player for stage in self.stages for person in stage.comes}
        going = {person.player for stage in self.stages for person in stage.goes}
        change = {person.player: person for stage in self.stages for person in stage.goes if person.player in coming}
        parts = []
        if change:
            several = "change tables" if len(change) > 1 else "changes tables"
            parts.append(format_html("{} {}", names(tuple(change.values())), several))
        for stage in self.stages:
            comes = tuple(person for person in stage.comes if person.player not in going)
            goes = tuple(person for person in stage.goes if person.player not in coming)
            if comes or goes:
                parts.append(comes_and_goes(stage.called, comes, goes))
        return listed(parts)

    @property
    def what_is_played(self) -> SafeString:
        """How many hands each table in question has played."""
        played = {stage.stage.pk: (stage, many) for move in self.stages for stage, many in move.played}
        if not played:
            return SafeString("no hand is played there yet")
        parts = [
            format_html("{} has {} {} played", within(stage), many, "hand" if many == 1 else "hands")
            for stage, many in played.values()
        ]
        return listed(parts)


def within(stage: StageNow) -> str:
    """What a stage after the groups is called within a sentence."""
    own = stage.stage
    return called(own.play_off.losers_count, own.side, own.number, is_final=own.is_final)


def names(people: Sequence[Seated]) -> SafeString:
    return listed([seated_name(person) for person in people])


def comes_and_goes(where: str, comes: Sequence[Seated], goes: Sequence[Seated]) -> SafeString:
    """ "Cid moves to the winners’ table instead of Dee", "Dee leaves the losers’ table"."""
    if not comes:
        return format_html("{} {} {}", names(goes), "leaves" if len(goes) == 1 else "leave", where)
    arrival = format_html("{} {} to {}", names(comes), "moves" if len(comes) == 1 else "move", where)
    return format_html("{} instead of {}", arrival, names(goes)) if goes else arrival


def open_again(table: TableNow) -> SafeString:
    """Why nobody can say: "Group 1 waits for a blind hand for Cy and Di."."""
    return format_html("<bdi>{}</bdi> is open again and waits for {}.", str(table.table), waits_for(table.as_called))


# What it would move


def moves(state: PlayOffNow) -> Moves | None:
    """What an organiser is to be asked about: None where everybody sits where they belong, or it was kept as played."""
    question = moved(state)
    if question is None or (not question.unsettled and kept_by(state, question)):
        return None
    return question


def moved(state: PlayOffNow) -> Moves | None:
    """The same, whether or not it was kept as played."""
    if state.play_off.called_off_at is not None:
        return None
    drawn = [stage for stage in state.stages if stage.stage.side != Side.ALL]
    drawn.sort(key=lambda stage: (stage.stage.number, SIDES.index(stage.stage.side)))
    before = {id(earlier): earlier for earlier in (before_of(state, stage) for stage in drawn) if earlier is not None}
    unsettled = tuple(table for stage in before.values() for table in stage.tables if not table.is_settled)
    if unsettled:
        return Moves((), unsettled)
    stages = tuple(move for move in (moves_of(state, stage) for stage in drawn) if move.comes or move.goes)
    return Moves(stages) if stages else None


def before_of(state: PlayOffNow, stage: StageNow) -> StageNow | None:
    """The stage from which people came to this one."""
    number = stage.stage.number
    return state.groups if number == 2 else state.stage_of(stage.stage.side, number - 1)


def moves_of(state: PlayOffNow, stage: StageNow) -> StageMoves:
    """Who would come to one stage, and who would go: by person, under whichever name they sit."""
    people = everybody(state)
    belongs = {person.identity: person for person in state.sent_to(stage.stage.side, stage.stage.number)}
    drawn = {people[player].identity: player for player in stage.stage.drawn_for if player in people}
    comes = tuple(person for key, person in belongs.items() if key not in drawn)
    goes = tuple(people[player] for key, player in drawn.items() if key not in belongs)
    side, number = stage.stage.side, stage.stage.number
    later = tuple(other for other in state.stages if other.stage.side == side and other.stage.number > number)
    return StageMoves(stage, comes, goes, later)


def everybody(state: PlayOffNow) -> dict[int, Seated]:
    """Everybody who sat anywhere in the play-off, abandoned tables included, by their player (id)."""
    people = {person.player: person for stage in state.abandoned for table in stage.tables for person in table.people}
    return people | state.people


def moved_by(state: PlayOffNow, ruling: Ruling) -> Moves:
    """What a ruling to keep or to redraw was about, with the people as they are called today."""
    stages = {stage.stage.uid: stage for stage in (*state.stages, *state.abandoned)}
    people = everybody(state)

    def known(players: Iterable[int]) -> tuple[Seated, ...]:
        return tuple(people[player] for player in sorted(players) if player in people)

    recorded = [(uid, comes, goes) for uid, comes, goes in told_in(ruling) if uid in stages]
    return Moves(tuple(StageMoves(stages[uid], known(comes), known(goes)) for uid, comes, goes in recorded))


def told_in(ruling: Ruling) -> list[tuple[str, frozenset[int], frozenset[int]]]:
    """What a ruling remembers: of which stages (uid) which players came and went. It may have come from a file."""
    rows = ruling.says.get("stages")
    stages = []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and isinstance(row.get("stage"), str):
            comes, goes = (frozenset(player for player in as_list(row.get(key)) if type(player) is int) for key in WAYS)
            stages.append((row["stage"], comes, goes))
    return stages


WAYS = ("comes", "goes")


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def stages_in(ruling: Ruling, name: str) -> list[Stage]:
    """The stages that a redraw closed (`old`) or opened (`new`), in the order in which it did."""
    stages = {stage.uid: stage for stage in ruling.play_off.stages.all()}
    return [stages[uid] for uid in as_list(ruling.says.get(name)) if isinstance(uid, str) and uid in stages]


def kept_by(state: PlayOffNow, question: Moves) -> Ruling | None:
    """The ruling by which exactly that is kept as played."""
    kept = (ruling for ruling in state.rulings if ruling.kind == Kind.KEEP and ruling.withdrawn_at is None)
    wanted = sorted((move.stage.stage.uid, ids(move.comes), ids(move.goes)) for move in question.stages)
    return next((ruling for ruling in kept if sorted(told_in(ruling)) == wanted), None)


def ids(people: Iterable[Seated]) -> frozenset[int]:
    return frozenset(person.player for person in people)


# What an organiser does about it


def locked(play_off: PlayOff) -> PlayOff:
    """The play-off, which nobody else changes meanwhile. Raises `NotNow` where it was called off."""
    # In the order in which everybody else waits for them: the night, its sheets, the play-off.
    list(Night.objects.select_for_update(of=("self",)).filter(pk=play_off.night_id).values_list("pk"))
    sheets = Sheet.objects.filter(table__stage__play_off=play_off).order_by("pk")
    list(sheets.select_for_update(of=("self",)).values_list("pk"))
    fresh = PlayOff.objects.select_for_update(of=("self",)).select_related("night__club").get(pk=play_off.pk)
    if fresh.called_off_at is not None:
        raise NotNow(CALLED_OFF)
    return fresh


def question_or_answer(play_off: PlayOff, kind: str, mark: str) -> tuple[PlayOffNow, Moves] | Ruling:
    """What the organiser answers; the ruling that they have made already, where the tap came twice. Raises `NotNow`."""
    state = now(play_off)
    answered = (ruling for ruling in state.rulings if ruling.kind == kind and ruling.withdrawn_at is None)
    known = next((ruling for ruling in answered if ruling.says.get("mark") == mark), None)
    question = moves(state)
    if known is not None and (question is None or question.mark != mark):
        return known
    if question is None or question.mark != mark:
        raise NotNow
    if question.unsettled:
        raise NotNow(OPEN_AGAIN)
    return state, question


def keep(play_off: PlayOff, mark: str, *, reason: str, by: Member | None) -> Ruling:
    """Everybody stays where they sit. `mark` is that of the question. Raises `NotNow`."""
    with transaction.atomic():
        play_off = locked(play_off)
        result = question_or_answer(play_off, Kind.KEEP, mark)
        if isinstance(result, Ruling):
            return result
        _, question = result
        says = {"stages": question.as_data, "mark": mark}
        done = f"Kept the play-off of {day(play_off)} as played: {reason}."
        return put_down(play_off, Kind.KEEP, says, done, reason=reason, by=by)


def redraw(play_off: PlayOff, mark: str, *, reason: str, by: Member | None, user: User | None, keeper: str) -> Ruling:
    """The stages in question are closed as abandoned, and drawn and opened anew for those who belong there now.

    `user`, who is called `keeper`, may write on the new sheets. Raises `NotNow`, and `clubs.tables.open.NotOpened`
    where they cannot be opened.
    """
    with transaction.atomic():
        play_off = locked(play_off)
        result = question_or_answer(play_off, Kind.REDRAW, mark)
        if isinstance(result, Ruling):
            return result
        if play_off.night.closed_at is not None:
            raise NotNow(CLOSED)
        state, question = result
        old = [move.stage for move in question.stages]
        gone = {player for stage in old for player in stage.stage.drawn_for} - {
            person.player for stage in old for table in stage.tables for person in table.people
        }
        for stage in old:
            abandon(stage.stage)
        state = now(play_off)
        due = [due for due in state.due if any((due.side, due.number) == place_of(stage.stage) for stage in old)]
        places = {stage.stage.side: stage.stage.places for stage in reversed(old) if stage.stage.places}
        proposed = draw_next(state, due, leaving=gone, places=places)
        # Of a side on which two stages are drawn anew the earlier one is opened now.
        hands = {stage.stage.side: stage.stage.hands for stage in reversed(old)}
        new = open_next(play_off, proposed, hands=hands, user=user, keeper=keeper) if proposed else []
        says = {
            "stages": question.as_data, "mark": mark, "old": [stage.stage.uid for stage in old],
            "new": [stage.uid for stage in new],
        }  # fmt: skip
        done = f"Drew {' and '.join(within(stage) for stage in old)} of {day(play_off)} again: {reason}."
        return put_down(play_off, Kind.REDRAW, says, done, reason=reason, by=by)


def put_down(
    play_off: PlayOff, kind: str, says: Mapping[str, Any], done: str, *, by: Member | None, reason: str = ""
) -> Ruling:
    """A ruling, with what was `done` for the audit log; what depends on it follows."""
    ruling = Ruling.objects.create(play_off=play_off, kind=kind, says=says, reason=reason, by=by)
    write_down(play_off.night.club, done, by=by)
    return ruling


def place_of(stage: Stage) -> tuple[str, int]:
    return stage.side, stage.number


def day(play_off: PlayOff) -> str:
    return f"{play_off.night.on:%-d %B %Y}"


def why_it_stays(ruling: Ruling) -> str:
    """Why a redraw cannot be taken back, in a sentence; "" where it can."""
    old, new = stages_in(ruling, "old"), stages_in(ruling, "new")
    if any(stage.abandoned_at is not None for stage in new):
        return DRAWN_SINCE
    others = ruling.play_off.stages.standing().exclude(pk__in=[stage.pk for stage in new])
    standing = {place_of(stage) for stage in others}
    if any(stage.abandoned_at is None or place_of(stage) in standing for stage in old):
        return DRAWN_SINCE
    return ""


def take_redraw_back(ruling: Ruling) -> None:
    """The old stages count again, and the new ones are abandoned. Raises `NotNow`."""
    if why := why_it_stays(ruling):
        raise NotNow(why)
    for stage in stages_in(ruling, "old"):
        restore(stage)


# For whom it waits


def asks_of(club: Club) -> list[tuple[PlayOff, Moves]]:
    """The play-offs of a club about which its organisers are asked: of nights that are on, or not long over.

    One query where there is none.
    """
    since = timezone.now() - LONG_OVER
    wanted = PlayOff.objects.standing().filter(night__club=club, stages__number__gte=2)
    questions = []
    for play_off in wanted.filter(night__begun_at__gte=since).select_related("night__club").distinct():
        if question := moves(now(play_off)):
            questions.append((play_off, question))
    return questions
