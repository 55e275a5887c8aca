"""The trophies after a play-off (Rule 14): for the register, and as a sentence to read aloud.

The result of the finals is proposed for the trophies, if the night follows its play-off. A later change changes a
proposal; about a confirmed award it asks a question. No confirmed trophy moves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils.dateformat import format as date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Award, Night, PlayOff, Stage, Trophy
from clubs.models.trophy import person_of
from clubs.play_offs.state import PlayOffNow, now
from clubs.play_offs.table_state import Seated, TableNow
from clubs.play_offs.unequal_hands import COMPARED, UnequalHands
from clubs.trophies.awards import alone_with
from clubs.trophies.proposals import Decision, Nominee, look_at, why_nothing
from clubs.trophies.register import trophy_games
from rules.core.numbers import bare
from scoresheets.wording.markup import joined, listed, name_shown

#: Trophies of one kind, each with the award by which somebody held it before.
Things = list[tuple[Trophy, Award | None]]

Goes = Trophy.Goes
Side = Stage.Side
#: The call-out of who is second: games that have a word for it say it.
SECOND = "first-place-loser"


@dataclass(frozen=True)
class FinalsResult:
    """What the finals come to, with the people: `top` is the winners' table, or the only final; `bottom` the losers'.

    `drawing` have to draw a card for the loser's trophy now. `beaten` were level with the winner before a blind hand,
    `level` with the loser before cards were drawn.
    """

    top: TableNow
    bottom: TableNow | None
    winner: Seated | None
    loser: Seated | None
    crossed: bool | None
    drawing: tuple[Seated, ...] = ()
    runners_up: tuple[Seated, ...] = ()
    #: Where the finals played different numbers of hands: what was decided about that, or that it waits.
    unequal: UnequalHands | None = None

    @property
    def waits(self) -> bool:
        """Whether the loser's trophy waits for a decision."""
        return self.unequal is not None and not self.unequal.choice

    @property
    def counted(self) -> tuple[TableNow, TableNow | None]:
        """Both tables with the totals that are compared."""
        return self.unequal.counted if self.unequal else (self.top, self.bottom)

    @property
    def loses_at(self) -> TableNow:
        """The table the loser's trophy goes to."""
        top, bottom = self.counted
        return top if bottom is None or self.crossed else bottom

    def lowest_of(self, table: TableNow) -> tuple[Seated, ...]:
        """Who has the lowest total there, but for the winner."""
        others = [seated for seated in table.people if self.winner is None or seated.player != self.winner.player]
        return tuple(seated for seated in others if seated.total == min(other.total for other in others))

    @property
    def beaten(self) -> tuple[Seated, ...]:
        if self.winner is None or self.winner.fate == "gone":
            return ()
        here = (seated for seated in self.top.people if seated.fate != "gone")
        return tuple(seated for seated in here if seated != self.winner and seated.total == self.winner.total)

    @property
    def level(self) -> tuple[Seated, ...]:
        return tuple(seated for seated in self.lowest_of(self.loses_at) if seated != self.loser) if self.loser else ()


def finals_result(state: PlayOffNow) -> FinalsResult | None:
    """What it comes to; None as long as a hand is still to be played, or somebody is to be seated."""
    outcome, top, bottom = state.outcome, state.final(Side.WINNERS), state.final(Side.LOSERS)
    if outcome is None or top is None or state.due or not all(stage.is_over for stage in state.stages):
        return None
    tables = [stage.tables[0] for stage in (top, bottom) if stage]
    people = {seated.player: seated for table in tables for seated in table.people}
    counted = state.unequal.counted if state.unequal else tables
    compared = {seated.player: seated for table in counted for seated in table.people}
    return FinalsResult(
        top=tables[0], bottom=tables[1] if bottom else None, crossed=outcome.crossed, unequal=state.unequal,
        winner=None if outcome.winner is None else people.get(outcome.winner),
        loser=None if outcome.loser is None else compared.get(outcome.loser),
        drawing=tuple(compared[player] for player in outcome.draw if player in compared),
        runners_up=tuple(people[player] for player in outcome.runners_up if player in people),
    )  # fmt: skip


# For the register


def look_at_play_off(night: Night, only: Trophy | None = None, *, known: PlayOffNow | None = None) -> None:
    """Compare what the night's play-off has come to with what stands: propose, award, or ask.

    Of all trophies, or of one `only`. It may come as often as one likes, in the transaction of whatever changed.
    `known`: a play-off that was just read.
    """
    play_off = night.play_offs.order_by(F("called_off_at").desc(nulls_first=True), "-pk").first()
    if play_off is None or play_off.game not in trophy_games():
        return
    wanted = (Goes.WINNER, Goes.LOSER)
    trophies = Trophy.objects.filter(club=night.club, goes__in=wanted).defer("picture").select_related("club")
    looked_at = list(trophies.filter(pk=only.pk) if only else trophies)
    if not looked_at:
        return
    play_off.night = night
    decision = decision_of(play_off, known if known and known.play_off.pk == play_off.pk else None)
    with transaction.atomic():
        for trophy in looked_at:
            with alone_with(trophy):
                look_at(trophy, decision)


def decision_of(play_off: PlayOff, known: PlayOffNow | None) -> Decision:
    """What the play-off decides about the trophies of its night; `known`: as it stands, where that was read already."""
    night = play_off.night
    whose = f"The play-off of {date_format(night.on, 'j F Y')}"
    because = why_play_off_does_not_decide(play_off)
    state = None if because else known or now(play_off)
    return Decision(
        night, Award.Source.PLAY_OFF, Award.objects.filter(table__night=night, source=Award.Source.PLAY_OFF),
        because=because, whose=whose, named=named_by(state) if state else {},
        nobody="names nobody now." if state and state.is_played else "is open again.",
    )  # fmt: skip


def why_play_off_does_not_decide(play_off: PlayOff) -> str:
    """Why the play-off does not decide about the trophies, in a sentence; "" where it does."""
    night = play_off.night
    if because := why_nothing(night):
        return because
    day = date_format(night.on, "j F Y")
    if play_off.called_off_at is not None:
        return f"The play-off of {day} was called off."
    if night.trophies == Night.Follows.TABLE and night.trophies_table:
        return f"On {day} the trophies follow {night.trophies_table}."
    return "" if night.trophies == Night.Follows.PLAY_OFF else f"On {day} the trophies follow no play-off."


def is_for_trophies(play_off: PlayOff) -> bool:
    """Whether trophies follow it: otherwise somebody wins and somebody loses, and that is all."""
    return play_off.game in trophy_games() and not why_play_off_does_not_decide(play_off)


def named_by(state: PlayOffNow) -> dict[str, Nominee]:
    """Whom the play-off names for which kind of trophy; nobody as long as anything of it is open on a sheet."""
    result = finals_result(state)
    if result is None or not all(stage.is_settled for stage in state.stages):
        return {}
    named: dict[str, Nominee] = {}
    ends = ((Goes.WINNER, result.winner, result.top), (Goes.LOSER, result.loser, result.loses_at))
    for goes, seated, table in ends:
        if seated is not None:
            named[goes] = Nominee(seated.member, seated.name, award_reason(result, seated, table), table.table)
    return named


def award_reason(result: FinalsResult, seated: Seated, table: TableNow) -> str:
    """Why they won it, in a line of the register."""
    where = f"{'won' if seated == result.winner else 'lowest of'} {table_name(result, table)}"
    text = f"Play-off: {where} with {bare(seated.total)}"
    if seated == result.winner:
        return text + (", after a blind hand" if result.beaten else "")
    bottom = result.counted[1]
    if result.crossed and bottom:
        text += f", below the {bare(lowest(result, bottom))} of {table_name(result, bottom)}"
    if result.unequal and result.unequal.choice == COMPARED:
        text += f", both compared after hand {result.unequal.last_of_both}"
    return text + (", by the lowest card" if result.level else "")


def table_name(result: FinalsResult, table: TableNow) -> str:
    """The table within a sentence."""
    if result.bottom is None:
        return "the final"
    return "the winners’ table" if table.table == result.top.table else "the losers’ table"


def lowest(result: FinalsResult, table: TableNow) -> int:
    """The lowest total there."""
    return result.lowest_of(table)[0].total


# To read aloud


def sentence(state: PlayOffNow) -> SafeString:
    """Who takes which trophy from whom, and who is second, to be read aloud; "" as long as nobody has won.

    Two queries where trophies follow the play-off.
    """
    result = finals_result(state)
    if result is None or result.winner is None:
        return SafeString()
    things = trophies_of(state.play_off)
    return joined([
        winner_said(result, result.winner, things[Goes.WINNER]),
        hands_said(result, things[Goes.LOSER]) if result.unequal else "",
        loser_said(result, result.loser, things[Goes.LOSER]) if result.loser else "",
        draw_said(result, things[Goes.LOSER]) if result.drawing else "",
        second_said(state, result.runners_up) if result.runners_up else "",
    ])  # fmt: skip


def trophies_of(play_off: PlayOff) -> dict[str, Things]:
    """The trophies that are played for, by kind, each with the award by which it was held before this night."""
    things: dict[str, Things] = {Goes.WINNER: [], Goes.LOSER: []}
    night = play_off.night
    if not is_for_trophies(play_off):
        return things
    before = Award.objects.confirmed().filter(trophy=OuterRef("pk"), on__lte=night.on).exclude(table__night=night)
    trophies = Trophy.objects.filter(club=night.club, goes__in=things, archived_at__isnull=True).defer("picture")
    rows = list(trophies.annotate(before=Subquery(before.order_by("-on", "-pk").values("pk")[:1])))
    awards = Award.objects.select_related("member__same_as").in_bulk([row.before for row in rows if row.before])
    for trophy in rows:
        # Which is younger than the night was not played for.
        if trophy.added_at.astimezone(night.club.zone).date() <= night.on:
            things[trophy.goes].append((trophy, awards.get(trophy.before)))
    return things


def seated_name(seated: Seated) -> SafeString:
    """What somebody is called on pages."""
    return name_shown(seated.shown)


def names(people: Sequence[Seated]) -> SafeString:
    return listed([seated_name(seated) for seated in people])


def winner_said(result: FinalsResult, winner: Seated, things: Things) -> SafeString:
    """ "After a blind hand with Flo, Di takes The Cup from Bo." """
    text = format_html("{} {}.", seated_name(winner), deed(winner, things) or "wins")
    return format_html("After a blind hand with {}, {}", names(result.beaten), text) if result.beaten else text


def loser_said(result: FinalsResult, loser: Seated, things: Things) -> SafeString:
    """ "Joe, lowest of the winners’ table with −7 and below Cy’s −5, takes The Bone from Ann." """
    below, level, drew = SafeString(), SafeString(), SafeString()
    top, bottom = result.counted
    if result.crossed and bottom:
        others = listed([format_html("{}’s", seated_name(seated)) for seated in result.lowest_of(bottom)])
        below = format_html(" and below {} {}", others, bare(lowest(result, bottom)))
    if result.level:
        card = "lower" if len(result.level) == 1 else "lowest"
        drew = format_html(
            ": {} had {} too, and drew the higher card{}", names(result.level), bare(loser.total),
            "" if card == "lower" else "s",
        )  # fmt: skip
    if bottom and not result.crossed and lowest(result, top) == loser.total:
        up = names(result.lowest_of(top))
        level = format_html(" {} at the winners’ table, with {} too, stays above.", up, bare(loser.total))
    return format_html(
        "{}, lowest of {} with {}{}, {}{}.{}",
        seated_name(loser), table_name(result, result.loses_at), bare(loser.total), below,
        deed(loser, things) or "loses", drew, level,
    )  # fmt: skip


def hands_said(result: FinalsResult, things: Things) -> SafeString:
    """ "4 hands were played here, 6 there: who takes The Bone waits for the organiser’s decision." """
    if result.unequal is None or not result.waits:
        return result.unequal.decided if result.unequal else SafeString()
    what = listed([thing(trophy) for trophy, _ in things])
    return format_html(
        "{}: who {} waits for the organiser’s decision.",
        result.unequal.in_short, format_html("takes {}", what) if what else "loses",
    )  # fmt: skip


def draw_said(result: FinalsResult, things: Things) -> SafeString:
    """ "Cy and Dee draw cards for The Bone: the lowest takes it." """
    total = bare(result.drawing[0].total)
    what = listed([thing(trophy) for trophy, _ in things])
    return format_html(
        "{}, {} with {}, draw a card each{}: the lowest {}.",
        names(result.drawing), "both" if len(result.drawing) == 2 else "all", total,
        format_html(" for {}", what) if what else "",
        "takes it" if len(things) == 1 else "takes them" if things else "loses",
    )  # fmt: skip


def second_said(state: PlayOffNow, people: Sequence[Seated]) -> SafeString:
    """ "First Place Loser: Flo." """
    word = next((word.term for word in state.game.words if word.call == SECOND), "Second")
    many = "s" if len(people) > 1 and word != "Second" else ""
    return format_html("{}{}: {}.", word, many, names(people))


def thing(trophy: Trophy) -> SafeString:
    return format_html("<bdi>{}</bdi>", trophy.name)


def deed(seated: Seated, things: Things) -> SafeString:
    """What they do with the trophies of one kind: "keeps The Cup", "takes The Bone from Ann"; "" without one."""
    own = person_of(seated.member, seated.name)
    kept = [thing(trophy) for trophy, before in things if before and before.person == own]
    taken: dict[str, list[Trophy]] = {}
    holders: dict[str, SafeString] = {}
    for trophy, before in things:
        if before is None or before.person != own:
            person = before.person if before else ""
            taken.setdefault(person, []).append(trophy)
            holders[person] = format_html(" from {}", name_shown(before.shown)) if before else SafeString()
    parts = [format_html("keeps {}", listed(kept))] if kept else []
    what = [
        format_html("{}{}", listed([thing(trophy) for trophy in theirs]), holders[person])
        for person, theirs in taken.items()
    ]
    return listed([*parts, *([format_html("takes {}", listed(what))] if what else [])])
