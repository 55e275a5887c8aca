"""The placings of a play-off: one game of the club, however many tables it had (Rule 14).

Nothing counts before both trophies have a winner. Then everybody has one placing, at their last table, with the score
they had there and the place of the whole evening; hands, boxes, circles and bids are those of all their tables. A stage
that was drawn again does not count.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils import timezone

from clubs.members.identity import members_of_players
from clubs.models import Club, Event, Honour, Member, PersonalBest, Placing, PlayOff, Stage, Table
from clubs.outbox.events import announce
from clubs.play_offs.state import PlayOffNow, now
from clubs.play_offs.table_state import Seated, StageNow, TableNow
from clubs.records.bests import CLEAN_RUN, PlayedHands, table_bests
from clubs.records.honours import BACK_TO_BACK, GAME, PlayerCallout, called_at, honours_of
from clubs.records.table_copies import keep_copies
from clubs.standings.placings import FIGURES, HAND_FIGURES
from rules.core.playoffs.cut import Outcome
from scoresheets.log.state import read_sheet
from scoresheets.models import HandFact, HandMark

Side = Stage.Side
#: What was decided longer ago came with a file.
NEWS = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Finish:
    """How the evening ended for somebody: where they sat last, and their `place` of the whole evening.

    None: they went home early, in the middle of a table or before the next one, to which they belonged.
    """

    seated: Seated
    table: Table
    place: int | None


def keep_play_off(play_off: PlayOff) -> PlayOffNow | None:
    """Make everything again that the club keeps of the tables of a play-off: placings, personal bests and honours.

    The play-off as it stands; None where it was called off: its tables are games of their own then. As many queries for
    many groups as for two, unless it was called off.
    """
    tables = Table.objects.filter(stage__play_off=play_off)
    if play_off.called_off_at is not None:
        mark_decided(play_off, None)
        for table in tables.select_related("night__club", "sheet"):
            keep_as_single(table)
        return None
    state = now(play_off)
    mark_decided(play_off, state if state.is_over else None)
    Placing.objects.filter(table__in=tables).delete()
    PersonalBest.objects.filter(table__in=tables).delete()
    Honour.objects.filter(table__in=tables).exclude(tag=BACK_TO_BACK).delete()
    if state.outcome is not None and state.is_over:
        keep_evening(state, state.outcome)
    return state


def mark_decided(play_off: PlayOff, state: PlayOffNow | None) -> None:
    """Remember that it counts, as it stands, and since when: since its last table was over. None: it does not."""
    tables = [table for stage in state.stages for table in stage.tables] if state else []
    moments = [table.reading.record.finished_at for table in tables]
    since = max((moment for moment in moments if moment is not None), default=None)
    if play_off.decided_at != since:
        play_off.decided_at = since
        PlayOff.objects.filter(pk=play_off.pk).update(decided_at=since)
    if state and state.outcome and since:
        announce_outcome(play_off, since, state.outcome)


def announce_outcome(play_off: PlayOff, since: datetime.datetime, outcome: Outcome) -> None:
    """Announce who has won and who lost the play-off, and again where a correction names others. One query."""
    night, ends = play_off.night, [outcome.winner, outcome.loser]
    latest = Event.objects.filter(kind=Event.Kind.DECIDED, night=night, details__play_off=play_off.pk).last()
    if latest is None and since <= timezone.now() - NEWS:
        return
    if latest and is_same_outcome(night.club, latest.details.get("ends", ends), ends):
        return
    key = f"{play_off.pk}-{latest.pk if latest else 0}-{outcome.winner}-{outcome.loser}"
    announce(
        night.club, Event.Kind.DECIDED, key, night=night, play_off=play_off.pk, ends=ends, corrected=latest is not None
    )  # fmt: skip


def is_same_outcome(club: Club, before: list[int | None], ends: list[int | None]) -> bool:
    """Whether the same people are meant: somebody may sit there as another player since. One query, or none."""
    if before == ends:
        return True
    members = members_of_players(club, [player for player in (*before, *ends) if player is not None])
    former, latter = ([members[end].identity if end in members else end for end in row] for row in (before, ends))
    return former == latter


def keep_as_single(table: Table) -> None:
    """The table counts for itself, as any other does."""
    keep_copies(table, read_sheet(table.sheet) if table.sheet else None)


def keep_evening(state: PlayOffNow, outcome: Outcome) -> None:
    """The placings, personal bests and honours of an evening that is over."""
    club = state.play_off.night.club
    tables = {table.table.sheet_id: table for stage in state.stages for table in stage.tables}
    facts = list(HandFact.objects.filter(sheet__in=tables).order_by("sheet", "hand", "pk"))
    marks = list(HandMark.objects.filter(sheet__in=tables).order_by("sheet", "hand", "pk"))
    called = {pk: list(called_at(table.reading)) for pk, table in tables.items()}
    ended = finishes(state)
    players = {fact.player_id for fact in facts} | {ending.seated.player for ending in ended}
    members = members_of_players(club, players | {callout.player for some in called.values() for callout in some})
    placings = Placing.objects.bulk_create(placings_of(ended, outcome, members, evening_figures(tables, members)))
    placed = {placing.member.identity for placing in placings}
    member_ids = {player: member.pk for player, member in members.items() if member.identity in placed}
    at = {pk: [placing for placing in placings if placing.table_id == table.table.pk] for pk, table in tables.items()}
    PersonalBest.objects.bulk_create(
        best
        for pk, table in tables.items()
        for best in table_bests(
            table.table,
            at[pk],
            PlayedHands(member_ids, [f for f in facts if f.sheet_id == pk], [m for m in marks if m.sheet_id == pk]),
        )
    )
    clean = {placing.member.identity for placing in placings if 0 < placing.bids == placing.made == placing.hands}
    last = {ending.seated.player: ending.table.sheet_id for ending in ended}
    winners = state.final(Side.WINNERS)
    final = winners.tables[0].table.sheet_id if winners else None
    Honour.objects.bulk_create(
        honour
        for pk, table in tables.items()
        for honour in honours_of(
            table.table,
            (callout for callout in called[pk] if is_honour(callout, pk, members, clean=clean, last=last, final=final)),
            members,
        )
    )  # fmt: skip


def is_honour(
    callout: PlayerCallout, sheet: int | None, members: Mapping[int, Member], *, clean: set[int],
    last: Mapping[int, int | None], final: int | None,
) -> bool:  # fmt: skip
    """Whether a call-out is an honour: of a hand always, of a game where it is one of the whole evening.

    Every bid made is every bid at all tables, said once at the last of them; what else a game is called counts of the
    final that has the winner.
    """
    if callout.hand != GAME:
        return True
    if callout.tag == CLEAN_RUN:
        member = members.get(callout.player)
        return member is not None and member.identity in clean and last.get(callout.player) == sheet
    return sheet == final


# Where everybody ended


def finishes(state: PlayOffNow) -> list[Finish]:
    """How the evening ended for everybody, the first first; who went home early comes last.

    First the winners' final by its places. Then who was out in between: of further rounds of the winners' side, the
    later the better, and of the groups; then who was safe at a further round of the losers' side, the earlier the
    better; and then the losers' final. Of several tables the place at the own table counts, and of equal places the
    score; who has both the same shares a place.
    """
    last: dict[tuple[str, int], tuple[StageNow, TableNow, Seated]] = {}
    for stage in state.stages:
        for table in stage.tables:
            for seated in table.people:
                key = seated.keys[-1]
                here = last.get(key)
                if here is None or here[0] is not stage or here[2].place is None:
                    last[key] = (stage, table, seated)
    keys = {key: rank_of(stage, seat) for key, (stage, _, seat) in last.items() if not has_gone(state, stage, seat)}
    order = sorted(keys, key=keys.__getitem__)
    before = Counter(keys.values())
    place_of: dict[tuple[int, int, int], int] = {}
    reached = 1
    for rank in sorted(before):
        place_of[rank] = reached
        reached += before[rank]
    gone = [key for key in last if key not in keys]
    return [
        Finish(last[key][2], last[key][1].table, place_of[keys[key]] if key in keys else None)
        for key in [*order, *gone]
    ]


def rank_of(stage: StageNow, seated: Seated) -> tuple[int, int, int]:
    """By what somebody is ranked who ended there: the smaller the better."""
    side, number = stage.stage.side, stage.stage.number
    rank = -number if side == Side.WINNERS else number if side == Side.LOSERS else 0
    return rank, seated.place or 0, -seated.total


def has_gone(state: PlayOffNow, stage: StageNow, seated: Seated) -> bool:
    """Whether they went home early: in the middle of the table, or before the next one that was drawn for them."""
    later = (other.stage for other in state.stages if other.stage.number > stage.stage.number)
    return seated.place is None or any(seated.player in other.drawn_for for other in later)


def placings_of(
    ended: Iterable[Finish], outcome: Outcome, members: Mapping[int, Member], figures: Mapping[int, Counter[str]]
) -> Iterator[Placing]:
    """The placings; a stranger has none. Winner and loser are those who take the trophies."""
    ended = list(ended)
    players = sum(ending.place is not None for ending in ended)
    at_place: Counter[int | None] = Counter(ending.place for ending in ended if ending.place is not None)
    for ending in ended:
        member = members.get(ending.seated.player)
        if member is not None:
            yield Placing(
                table=ending.table, member=member, place=ending.place, score=ending.seated.total, players=players,
                winner=ending.seated.player == outcome.winner, loser=ending.seated.player == outcome.loser,
                sharing=max(0, at_place[ending.place] - 1),
                **{name: figures[member.identity][name] for name in FIGURES},
            )  # fmt: skip


def evening_figures(sheets: Iterable[int | None], members: Mapping[int, Member]) -> dict[int, Counter[str]]:
    """Hands, boxes, circles, bids and bids made at all these sheets, by person (id). One query."""
    figures: defaultdict[int, Counter[str]] = defaultdict(Counter)
    rows = HandFact.objects.filter(sheet__in=list(sheets)).values("player").annotate(**HAND_FIGURES)
    for row in rows.order_by("player"):
        member = members.get(row["player"])
        if member is not None:
            figures[member.identity].update({name: row[name] for name in FIGURES})  # type: ignore[literal-required]
    return figures
