"""Rulings of organisers: a tie across a line, drawn cards, finals of different length.

Each has a reason, an author and a time, and can be undone. A ruling counts as long as its subject is there: its entry
on the group's sheet, or, for cards, the same players who had to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.models import Member, PlayOff, Ruling, Stage, Table
from clubs.play_off_rounds.corrections import day, locked, moved_by, put_down, take_redraw_back
from clubs.play_offs.next_round import Ahead, ahead_in
from clubs.play_offs.state import PlayOffNow, now
from clubs.play_offs.table_state import Seated, TableNow
from clubs.play_offs.unequal_hands import COMPARED, PLAY_ON, STANDS, fits
from rules.core.cards import RANKS, rank_shown
from rules.core.fields import SHEET
from rules.core.playoffs.cut import outcome
from rules.core.playoffs.group_end import RULING
from scoresheets.commands.enter import play_on, undo
from scoresheets.commands.ruling import rule_cut as rule_on_the_sheet
from scoresheets.log.answers import Answer, Done
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry, Revision, Scorekeeper, Sheet
from scoresheets.wording.markup import as_text, capital, listed

Kind = Ruling.Kind

NOT_ALL_DREW = "Everybody who is asked draws a card: say which each of them drew."
ONLY_FOUR = "There are only four cards of one rank."
TAKEN_BACK = "It was taken back on the sheet."
WITHDRAWN = "Taken back."
NO_FIT = "It does not count: after a correction others would have to draw."
OTHER_HANDS = "It does not count: the numbers of hands on the sheets have changed."
PLAYED_SINCE = "This table has played on since. Stop it on its own sheet instead."
NO_TIE = "It does not count: the sheet has no such tie any more."
#: So many people can draw one rank.
SUITS = 4


class BadCards(Exception):
    """What was drawn cannot be so. The message is for the page."""


# Ties across a line


def rule(
    table: Table,
    seats: Collection[int],
    *,
    edge: str | None,
    reason: str,
    key: str,
    keeper: Scorekeeper,
    by: Member | None,
) -> Answer:
    """An organiser rules which seats of those who are tied go over the line; it stands on the group's sheet.

    Once for each key. The answer is that of the sheet.
    """
    if table.sheet is None or table.stage is None:
        raise ValueError("A ruling is about a sheet of a play-off.")
    with transaction.atomic():
        answer = rule_on_the_sheet(table.sheet, seats, key=key, by=keeper, edge=edge, why=reason)
        if not isinstance(answer, Done) or answer.again or answer.verb == Revision.Verb.AGREE:
            return answer
        play_off, says = table.stage.play_off, {"table": table.pk, "version": answer.version}
        done = f"Decided the tie in {table} of {day(play_off)}: {reason}."
        put_down(play_off, Kind.CUT, says, done, reason=reason, by=by)
    return answer


def stands_on(reading: SheetReading, version: int) -> bool:
    """Whether the ruling that was written with that version of the sheet counts there now."""
    settlement = reading.sheet.settlement
    entries = (entry for (hand, ask), entry in reading.standing.items() if hand == SHEET and ask.startswith(RULING))
    return settlement is not None and any(
        entry.first == version and entry.address in settlement.read for entry in entries
    )


# Cards for the loser's trophy


def who_draws(state: PlayOffNow) -> tuple[Seated, ...]:
    """Who has to draw a card now, for the loser's trophy; nobody while a final is played or its lead is open."""
    result = state.outcome
    if result is None or not all(stage.is_settled for stage in state.stages):
        return ()
    return tuple(state.people[player] for player in result.draw)


def mark_of_draw(state: PlayOffNow) -> str:
    """It tells one draw from the next, so that a tap that comes twice draws once."""
    drawn = [ruling.pk for ruling in state.rulings if ruling.kind == Kind.DRAW and ruling.withdrawn_at is None]
    return "-".join(str(number) for number in [*sorted(person.player for person in who_draws(state)), 0, *drawn])


def draw(play_off: PlayOff, drawn: Mapping[int, str], *, saw: str, by: Member | None) -> Ruling:
    """Those who have to have drawn these ranks, by players (ids). `saw` is the mark of the page.

    Raises `NotNow` where others have to draw now, and `BadCards`.
    """
    with transaction.atomic():
        play_off = locked(play_off)
        state = now(play_off)
        if saw != mark_of_draw(state):
            known = [ruling for ruling in state.rulings if ruling.kind == Kind.DRAW and ruling.withdrawn_at is None]
            if known and known[-1].says == {str(player): rank for player, rank in drawn.items()}:
                return known[-1]
            raise NotNow
        people = who_draws(state)
        if not people or drawn.keys() != {person.player for person in people} or not set(drawn.values()) <= set(RANKS):
            raise BadCards(NOT_ALL_DREW)
        if any(list(drawn.values()).count(rank) > SUITS for rank in drawn.values()):
            raise BadCards(ONLY_FOUR)
        says = {str(player): rank for player, rank in drawn.items()}
        cards = ", ".join(f"{person.shown} {rank_shown(drawn[person.player])}" for person in people)
        done = f"Cards drawn in the play-off of {day(play_off)}: {cards}."
        return put_down(play_off, Kind.DRAW, says, done, by=by)


def draws_that_count(state: PlayOffNow) -> set[int]:
    """The draws (ids) that those drew who had to; another is left as it is and counts for nothing."""
    if state.outcome is None:
        return set()
    winners, losers = state.final(Stage.Side.WINNERS), state.final(Stage.Side.LOSERS)
    if winners is None or (losers is None and winners.tables[0].reading.setup.decides.bottom):
        return set()
    if state.unequal and not state.unequal.choice:
        return set()
    tables = state.unequal.counted if state.unequal else (winners.tables[0], losers.tables[0] if losers else None)
    finals = (tables[0].as_final, tables[1].as_final if tables[1] else None)
    counts: set[int] = set()
    before: list[Mapping[int, str]] = []
    for ruling in state.rulings:
        if ruling.kind != Kind.DRAW or ruling.withdrawn_at is not None:
            continue
        drawn = {int(player): str(rank) for player, rank in ruling.says.items()}
        if set(outcome(*finals, before).draw) == drawn.keys():
            counts.add(ruling.pk)
        before.append(drawn)
    return counts


# Finals of different length


def rule_hands(
    play_off: PlayOff, choice: str, *, saw: str, reason: str, key: str, keeper: Callable[[Sheet], Scorekeeper],
    by: Member | None,
) -> Ruling | None:  # fmt: skip
    """How finals that played different numbers of hands are compared for the loser's trophy; or the shorter plays on.

    `keeper` says as whom it is written on that sheet. Raises `NotNow` where something has been played since, or where
    that cannot be chosen. None: it was decided already, in the same words.
    """
    with transaction.atomic():
        play_off = locked(play_off)
        unequal = now(play_off).unequal
        if unequal and unequal.choice == choice and unequal.ruling and unequal.ruling.reason == reason:
            return None
        if unequal is None or unequal.mark != saw or choice not in unequal.choices:
            raise NotNow
        says: dict[str, Any] = {"choice": choice, "hands": list(unequal.hands)}
        done = f"{DECIDED[choice]} in the play-off of {day(play_off)}: {reason}."
        if choice == PLAY_ON and unequal.shorter.table.sheet is not None:
            sheet = unequal.shorter.table.sheet
            answer = play_on(sheet, key=key, by=keeper(sheet))
            if not isinstance(answer, Done):
                raise NotNow
            says |= {"table": unequal.shorter.table.pk, "version": answer.version}
        return put_down(play_off, Kind.HANDS, says, done, reason=reason, by=by)


DECIDED = {
    STANDS: "Finals of different length count as they stand",
    COMPARED: "Finals of different length are compared after the last hand of both",
    PLAY_ON: "The shorter final plays on",
}


def text_of_hands(state: PlayOffNow, ruling: Ruling) -> RulingText:
    """What was decided about finals of different length; it counts while as many hands stand there."""
    top, bottom = ruling.says.get("hands") or (0, 0)
    choice = ruling.says.get("choice")
    after = f" after hand {min(top, bottom)}" if choice == COMPARED else ""
    title = {STANDS: "Counts as it stands", COMPARED: f"Compared{after}", PLAY_ON: "The shorter final plays on"}
    says = f"The winners’ table had played {top}, the losers’ table {bottom} hands."
    counts = choice == PLAY_ON or (state.unequal is not None and fits(ruling, state.unequal))
    why_not = WITHDRAWN if ruling.withdrawn_at else "" if counts else OTHER_HANDS
    return RulingText(ruling, title.get(str(choice), "Finals of different length"), says, why_not)


def stop_again(ruling: Ruling, *, key: str, keeper: Scorekeeper | None) -> None:
    """The final that was to play on is stopped where it was. Raises `NotNow` where hands were played since."""
    if keeper is None or ruling.withdrawn_at is not None or ruling.says.get("choice") != PLAY_ON:
        return
    if not isinstance(undo(keeper.sheet, int(ruling.says.get("version", 0)), key=key, by=keeper), Done):
        raise NotNow(PLAYED_SINCE)


# In words


@dataclass(frozen=True)
class RulingText:
    """A ruling as it is shown: what was decided, and whether it counts; `why_not` says why it does not."""

    ruling: Ruling
    title: str
    says: str = ""
    why_not: str = ""
    drawn: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> bool:
        return not self.why_not

    @property
    def is_withdrawn(self) -> bool:
        return self.ruling.withdrawn_at is not None


def ruling_texts(state: PlayOffNow) -> list[RulingText]:
    """Every ruling of the play-off, in order, the withdrawn ones too. A query for those that were taken off a sheet."""
    stages = (*state.abandoned, *state.stages)
    aheads = [(stage, ahead_in(state, stage)) for stage in stages]
    tables = {table.table.pk: (table, ahead) for stage, ahead in aheads for table in stage.tables}
    written = ruled(state, {pk: table for pk, (table, _) in tables.items()})
    counting = draws_that_count(state)
    rows = []
    for ruling in state.rulings:
        if ruling.kind == Kind.CUT:
            rows.append(text_of_cut(ruling, written.get(ruling.pk), *tables.get(table_of(ruling), (None, None))))
        elif ruling.kind == Kind.HANDS:
            rows.append(text_of_hands(state, ruling))
        elif ruling.kind == Kind.DRAW:
            rows.append(text_of_draw(state, ruling, counting))
        else:
            rows.append(text_of_moves(state, ruling))
    return rows


def table_of(ruling: Ruling) -> int:
    """The table (id) whose tie was ruled on; 0: that is not known any more."""
    table = ruling.says.get("table")
    return table if type(table) is int else 0


def ruled(state: PlayOffNow, tables: Mapping[int, TableNow]) -> dict[int, Mapping[str, Any]]:
    """What each ruling on a tie says, by its id, as it was written on its sheet: one that was taken off it too."""
    written: dict[int, Mapping[str, Any]] = {}
    gone: dict[tuple[int, int], int] = {}
    for ruling in state.rulings:
        table, version = tables.get(table_of(ruling)), ruling.says.get("version", 0)
        if ruling.kind != Kind.CUT or table is None:
            continue
        entry = ruling_entry(table.reading, version)
        if entry is not None:
            written[ruling.pk] = entry.data
        else:
            gone[table.reading.record.pk, version] = ruling.pk
    if gone:
        sheets, versions = ({at[where] for at in gone} for where in (0, 1))
        rows = Entry.objects.filter(sheet__in=sheets, first_by__version__in=versions, hand=SHEET)
        rows = rows.filter(ask__startswith=RULING)
        for sheet, version, data in rows.values_list("sheet", "first_by__version", "data"):
            if (sheet, version) in gone:
                written[gone[sheet, version]] = data
    return written


def text_of_moves(state: PlayOffNow, ruling: Ruling) -> RulingText:
    """What a correction after the draw came to: nobody moved, or the tables were drawn again."""
    movers, why_not = as_text(moved_by(state, ruling).movers_text), WITHDRAWN if ruling.withdrawn_at else ""
    if ruling.kind == Kind.KEEP:
        sentence = f"Nobody has moved, although the sheets say that {movers}." if movers else "Nobody has moved."
        return RulingText(ruling, "Kept as played", sentence, why_not)
    return RulingText(ruling, "Drawn again", f"{capital(movers)}." if movers else "Nobody has moved.", why_not)


def text_of_cut(
    ruling: Ruling, written: Mapping[str, Any] | None, table: TableNow | None, ahead: Ahead | None
) -> RulingText:
    """Who was let through, on which sheet; or had been, as long as it counted."""
    if table is None or ahead is None:
        return RulingText(ruling, "Tie decided", why_not=WITHDRAWN if ruling.withdrawn_at else NO_TIE)
    reading, version = table.reading, ruling.says.get("version", 0)
    if ruling_entry(reading, version):
        why_not = "" if stands_on(reading, version) else NO_TIE
    else:
        why_not = WITHDRAWN if ruling.withdrawn_at else TAKEN_BACK
    says = "" if written is None else who_goes(written, table, ahead, counts=not why_not)
    return RulingText(ruling, f"Tie decided in {table.table}", says, why_not)


def who_goes(written: Mapping[str, Any], table: TableNow, ahead: Ahead, *, counts: bool) -> str:
    """ "Cy goes through."; "Cy was to go through." where it counts no more."""
    names = {person.seat: person.shown for person in table.people}
    goes = [int(name.removeprefix("goes-")) for name, value in written.items() if name.startswith("goes-") and value]
    names_text = as_text(listed([names.get(seat, "") for seat in goes]))
    verb = ("goes" if len(goes) == 1 else "go") if counts else ("was to go" if len(goes) == 1 else "were to go")
    return f"{names_text} {verb} {'through' if written.get('edge') == 'through' else f'to {ahead.below}'}."


def ruling_entry(reading: SheetReading, version: object) -> LogEntry | None:
    """The entry of a ruling that was written with that version of the sheet; None where it was taken off."""
    rulings = (entry for (hand, ask), entry in reading.standing.items() if hand == SHEET and ask.startswith(RULING))
    return next((entry for entry in rulings if entry.first == version), None)


def text_of_draw(state: PlayOffNow, ruling: Ruling, counting: Collection[int]) -> RulingText:
    """Who drew which card."""
    drawn = tuple(
        (state.people[int(player)].shown if int(player) in state.people else "", rank_shown(str(rank)))
        for player, rank in ruling.says.items()
    )
    why_not = WITHDRAWN if ruling.withdrawn_at else "" if ruling.pk in counting else NO_FIT
    return RulingText(ruling, "Cards drawn for the loser’s trophy", why_not=why_not, drawn=drawn)


# The way back


def withdraw(ruling: Ruling, *, key: str, keeper: Scorekeeper | None, by: Member | None) -> None:
    """Take a ruling back: of a tie on its sheet too, where `keeper` writes; of a redraw the old tables count again.

    Raises `NotNow` where that cannot be done any more. A second time it does nothing.
    """
    with transaction.atomic():
        # Before the sheet, as everybody waits who changes more than one.
        play_off = locked(ruling.play_off)
        if ruling.kind == Kind.CUT:
            take_off_the_sheet(ruling, key=key, keeper=keeper)
        elif ruling.kind == Kind.HANDS:
            stop_again(ruling, key=key, keeper=keeper)
        ruling.refresh_from_db()
        ruling.play_off = play_off
        if ruling.withdrawn_at is not None:
            return
        if ruling.kind == Kind.REDRAW:
            take_redraw_back(ruling)
        ruling.withdrawn_at = timezone.now()
        ruling.save(update_fields=["withdrawn_at"])
        write_down(play_off.night.club, f"{TOOK_BACK[Kind(ruling.kind)]} {day(play_off)}.", by=by)


TOOK_BACK = {
    Kind.CUT: "Took back a ruling about a tie in the play-off of",
    Kind.DRAW: "Took back cards drawn in the play-off of",
    Kind.HANDS: "Took back a decision about finals of different length in the play-off of",
    Kind.KEEP: "Took back that a correction leaves the tables as they are in the play-off of",
    Kind.REDRAW: "Took back a new draw after a correction in the play-off of",
}


def take_off_the_sheet(ruling: Ruling, *, key: str, keeper: Scorekeeper | None) -> None:
    """The entry of a ruling goes; where it went already, nothing is done. Raises `NotNow`."""
    if keeper is None or ruling.withdrawn_at is not None:
        return
    answer = undo(keeper.sheet, int(ruling.says.get("version", 0)), key=key, by=keeper)
    reading = None if isinstance(answer, Done) else answer.reading
    if reading and ruling_entry(reading, ruling.says.get("version")):
        raise NotNow("Something has been entered on its sheet since. Take that back first, on the sheet.")
