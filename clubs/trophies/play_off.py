"""Who takes the trophies home after a play-off (Rule 14): for the register, and as a sentence to read aloud.

What the finals come to is proposed for the trophies, if the night follows its play-off. Whatever changes it afterwards
changes a proposal, and of an award that is confirmed it makes a question: no trophy moves by itself.
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
from clubs.trophies.proposals import Decision, Named, look_at, why_nothing
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
class Crowning:
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
        others = [one for one in table.people if self.winner is None or one.player != self.winner.player]
        return tuple(one for one in others if one.total == min(other.total for other in others))

    @property
    def beaten(self) -> tuple[Seated, ...]:
        if self.winner is None or self.winner.fate == "gone":
            return ()
        here = (one for one in self.top.people if one.fate != "gone")
        return tuple(one for one in here if one != self.winner and one.total == self.winner.total)

    @property
    def level(self) -> tuple[Seated, ...]:
        return tuple(one for one in self.lowest_of(self.loses_at) if one != self.loser) if self.loser else ()


def crowning_of(state: PlayOffNow) -> Crowning | None:
    """What it comes to; None as long as a hand is still to be played, or somebody is to be seated."""
    found, top, bottom = state.outcome, state.final(Side.WINNERS), state.final(Side.LOSERS)
    if found is None or top is None or state.due or not all(stage.is_over for stage in state.stages):
        return None
    tables = [stage.tables[0] for stage in (top, bottom) if stage]
    people = {one.player: one for table in tables for one in table.people}
    compared = {
        one.player: one for table in (state.unequal.counted if state.unequal else tables) for one in table.people
    }
    return Crowning(
        top=tables[0], bottom=tables[1] if bottom else None, crossed=found.crossed, unequal=state.unequal,
        winner=None if found.winner is None else people.get(found.winner),
        loser=None if found.loser is None else compared.get(found.loser),
        drawing=tuple(compared[player] for player in found.draw if player in compared),
        runners_up=tuple(people[player] for player in found.runners_up if player in people),
    )  # fmt: skip


# For the register


def look_at_play_off(night: Night, only: Trophy | None = None) -> None:
    """Compare what the night's play-off has come to with what stands: propose, award, or ask.

    Of all trophies, or of one `only`. It may come as often as one likes, in the transaction of whatever changed.
    """
    play_off = night.play_offs.order_by(F("called_off_at").desc(nulls_first=True), "-pk").first()
    if play_off is None or play_off.game not in trophy_games():
        return
    play_off.night = night
    decision = decision_of(play_off)
    wanted = (Goes.WINNER, Goes.LOSER)
    trophies = Trophy.objects.filter(club=night.club, goes__in=wanted).defer("picture").select_related("club")
    with transaction.atomic():
        for trophy in trophies.filter(pk=only.pk) if only else trophies:
            with alone_with(trophy):
                look_at(trophy, decision)


def decision_of(play_off: PlayOff) -> Decision:
    """What the play-off decides about the trophies of its night."""
    night = play_off.night
    whose = f"The play-off of {date_format(night.on, 'j F Y')}"
    because = why_not(play_off)
    state = None if because else now(play_off)
    return Decision(
        night, Award.Source.PLAY_OFF, Award.objects.filter(table__night=night, source=Award.Source.PLAY_OFF),
        because=because, whose=whose, named=named_by(state) if state else {},
        nobody="names nobody now." if state and state.is_played else "is open again.",
    )  # fmt: skip


def why_not(play_off: PlayOff) -> str:
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
    return play_off.game in trophy_games() and not why_not(play_off)


def named_by(state: PlayOffNow) -> dict[str, Named]:
    """Whom the play-off names for which kind of trophy; nobody as long as anything of it is open on a sheet."""
    found = crowning_of(state)
    if found is None or not all(stage.is_settled for stage in state.stages):
        return {}
    named: dict[str, Named] = {}
    for goes, one, table in ((Goes.WINNER, found.winner, found.top), (Goes.LOSER, found.loser, found.loses_at)):
        if one is not None:
            named[goes] = Named(one.member, one.name, why(found, one, table), table.table)
    return named


def why(found: Crowning, one: Seated, table: TableNow) -> str:
    """Why they won it, in a line of the register."""
    where = f"{'won' if one == found.winner else 'lowest of'} {called(found, table)}"
    said = f"Play-off: {where} with {bare(one.total)}"
    if one == found.winner:
        return said + (", after a blind hand" if found.beaten else "")
    bottom = found.counted[1]
    if found.crossed and bottom:
        said += f", below the {bare(lowest(found, bottom))} of {called(found, bottom)}"
    if found.unequal and found.unequal.choice == COMPARED:
        said += f", both compared after hand {found.unequal.last_of_both}"
    return said + (", by the lowest card" if found.level else "")


def called(found: Crowning, table: TableNow) -> str:
    """The table within a sentence."""
    if found.bottom is None:
        return "the final"
    return "the winners’ table" if table.table == found.top.table else "the losers’ table"


def lowest(found: Crowning, table: TableNow) -> int:
    """The lowest total there."""
    return found.lowest_of(table)[0].total


# To read aloud


def sentence(state: PlayOffNow) -> SafeString:
    """Who takes which trophy from whom, and who is second, to be read aloud; "" as long as nobody has won.

    Two queries where trophies follow the play-off.
    """
    found = crowning_of(state)
    if found is None or found.winner is None:
        return SafeString()
    things = trophies_of(state.play_off)
    return joined([
        winner_said(found, found.winner, things[Goes.WINNER]),
        hands_said(found, things[Goes.LOSER]) if found.unequal else "",
        loser_said(found, found.loser, things[Goes.LOSER]) if found.loser else "",
        draw_said(found, things[Goes.LOSER]) if found.drawing else "",
        second_said(state, found.runners_up) if found.runners_up else "",
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


def shown(one: Seated) -> SafeString:
    """What somebody is called on pages."""
    return name_shown(one.shown)


def names(people: Sequence[Seated]) -> SafeString:
    return listed([shown(one) for one in people])


def winner_said(found: Crowning, winner: Seated, things: Things) -> SafeString:
    """ "After a blind hand with Flo, Di takes The Cup from Bo." """
    said = format_html("{} {}.", shown(winner), deed(winner, things) or "wins")
    return format_html("After a blind hand with {}, {}", names(found.beaten), said) if found.beaten else said


def loser_said(found: Crowning, loser: Seated, things: Things) -> SafeString:
    """ "Joe, lowest of the winners’ table with −7 and below Cy’s −5, takes The Bone from Ann." """
    below, level, drew = SafeString(), SafeString(), SafeString()
    top, bottom = found.counted
    if found.crossed and bottom:
        others = listed([format_html("{}’s", shown(one)) for one in found.lowest_of(bottom)])
        below = format_html(" and below {} {}", others, bare(lowest(found, bottom)))
    if found.level:
        card = "lower" if len(found.level) == 1 else "lowest"
        drew = format_html(
            ": {} had {} too, and drew the higher card{}", names(found.level), bare(loser.total),
            "" if card == "lower" else "s",
        )  # fmt: skip
    if bottom and not found.crossed and lowest(found, top) == loser.total:
        up = names(found.lowest_of(top))
        level = format_html(" {} at the winners’ table, with {} too, stays above.", up, bare(loser.total))
    return format_html(
        "{}, lowest of {} with {}{}, {}{}.{}",
        shown(loser), called(found, found.loses_at), bare(loser.total), below, deed(loser, things) or "loses", drew,
        level,
    )  # fmt: skip


def hands_said(found: Crowning, things: Things) -> SafeString:
    """ "4 hands were played here, 6 there: who takes The Bone waits for the organiser’s decision." """
    if found.unequal is None or not found.waits:
        return found.unequal.decided if found.unequal else SafeString()
    what = listed([thing(trophy) for trophy, _ in things])
    return format_html(
        "{}: who {} waits for the organiser’s decision.",
        found.unequal.in_short, format_html("takes {}", what) if what else "loses",
    )  # fmt: skip


def draw_said(found: Crowning, things: Things) -> SafeString:
    """ "Cy and Dee draw cards for The Bone: the lowest takes it." """
    total = bare(found.drawing[0].total)
    what = listed([thing(trophy) for trophy, _ in things])
    return format_html(
        "{}, {} with {}, draw a card each{}: the lowest {}.",
        names(found.drawing), "both" if len(found.drawing) == 2 else "all", total,
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


def deed(one: Seated, things: Things) -> SafeString:
    """What they do with the trophies of one kind: "keeps The Cup", "takes The Bone from Ann"; "" without one."""
    own = person_of(one.member, one.name)
    kept = [thing(trophy) for trophy, before in things if before and before.person == own]
    taken: dict[str, list[Trophy]] = {}
    holders: dict[str, SafeString] = {}
    for trophy, before in things:
        if before is None or before.person != own:
            person = before.person if before else ""
            taken.setdefault(person, []).append(trophy)
            holders[person] = format_html(" from {}", name_shown(before.shown)) if before else SafeString()
    said = [format_html("keeps {}", listed(kept))] if kept else []
    what = [
        format_html("{}{}", listed([thing(trophy) for trophy in theirs]), holders[person])
        for person, theirs in taken.items()
    ]
    return listed([*said, *([format_html("takes {}", listed(what))] if what else [])])
