"""The register of a club's trophies: who holds them, who has them at home, and who comes as the champion.

Winning and handing over are two things. The holder is the last winner; the trophy itself is where it was last handed
to.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace
from itertools import groupby

from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Award, Chair, Club, Dispute, Member, Night, Placing, Trophy
from clubs.nights.replies import answers_of
from clubs.trophies.holders import lineages_of, times
from rules import all_games
from scoresheets.wording.markup import name_shown

#: The awards of so long a time are read to tell since when a holder has had a trophy.
RECENT = datetime.timedelta(days=400)


def trophy_games() -> list[str]:
    """The games (slugs) that are played for the trophies."""
    return [game.slug for game in all_games() if game.play_off.for_trophies]


@dataclass
class Holding:
    """A trophy: the award by which its holder holds it, and the award of who has it in their hands; None: nobody.

    `first` is the award by which the holder took it, `times` how often they have won it since, running.
    `waiting` are awards that wait for an organiser's yes, `disputes` what a correction has made a question.
    """

    trophy: Trophy
    won: Award | None = None
    kept: Award | None = None
    first: Award | None = None
    times: int = 0
    waiting: list[Award] = field(default_factory=list)
    disputes: list[Dispute] = field(default_factory=list)
    #: Whether the page asks here about the handover of `won`: that it happened, or that it was ticked by mistake.
    asks_for_won: bool = True

    @property
    def is_elsewhere(self) -> bool:
        """Whether somebody else still has it in their hands: "won by Joe, still with Ann"."""
        return self.won is not None and self.kept is not None and self.won.person != self.kept.person

    @property
    def is_to_be_handed_over(self) -> bool:
        """Whether its holder has not got it yet."""
        return self.won is not None and (self.kept is None or self.is_elsewhere)

    @property
    def waits(self) -> bool:
        """Whether an organiser has to answer something."""
        return bool(self.waiting or self.disputes or (self.asks_for_won and self.is_to_be_handed_over))

    def of_night(self, night: Night) -> Holding:
        """The same with what is asked about awards of that night alone."""
        return replace(
            self,
            waiting=[award for award in self.waiting if is_of(award, night)],
            disputes=[dispute for dispute in self.disputes if is_of(dispute.award, night)],
            asks_for_won=self.won is not None and is_of(self.won, night),
        )

    @property
    def running(self) -> str:
        """How often its holder has won it running: "twice running"; "" for once."""
        return f"{times(self.times)} running" if self.times > 1 else ""


def holdings(club: Club) -> list[Holding]:
    """Every trophy of the register, in its order. Three queries, and two more where somebody has had one for longer
    than a year.
    """
    won = Award.objects.confirmed().filter(trophy=OuterRef("pk")).order_by("-on", "-pk")
    kept = Award.objects.was_handed().filter(trophy=OuterRef("pk")).order_by("-handed_at", "-pk")
    trophies = Trophy.objects.filter(club=club, archived_at__isnull=True).defer("picture")
    annotated = trophies.annotate(
        last=Subquery(won.values("on")[:1]), oldest=Subquery(won.reverse().values("on")[:1]),
        kept=Subquery(kept.values("pk")[:1]),
    )  # fmt: skip
    rows = {trophy.pk: trophy for trophy in annotated}
    since = min((trophy.last for trophy in rows.values() if trophy.last), default=club.today()) - RECENT
    recent = Award.objects.confirmed().filter(trophy__in=rows, on__gte=since).select_related("member__same_as", "table")
    awards: dict[int, list[Award]] = {}
    for award in recent.order_by("-on", "-pk"):
        awards.setdefault(award.trophy_id, []).append(award)
    handed = Award.objects.select_related("member__same_as", "table")
    in_hands = handed.in_bulk([trophy.kept for trophy in rows.values()])
    register, for_long = [], []
    for pk, trophy in rows.items():
        trophy.club = club
        held = Holding(trophy, kept=in_hands.get(trophy.kept))
        register.append(held)
        if pk not in awards:
            continue
        run = list(next(groupby(awards[pk], key=lambda award: award.person))[1])
        held.won, held.first, held.times = run[0], run[-1], len(run)
        # All that was read is one person's, who may have had it for longer.
        if len(run) == len(awards[pk]) and trophy.oldest < since:
            for_long.append(held)
    lineages = lineages_of([held.trophy for held in for_long])
    for held in for_long:
        if whole := lineages[held.trophy.pk].holder:
            held.first, held.times = whole.first, whole.times
    return register


def holdings_with_questions(club: Club) -> list[Holding]:
    """The same with what waits for an organiser. Five queries."""
    register = holdings(club)
    by_trophy = {holding.trophy.pk: holding for holding in register}
    waiting = Award.objects.standing().filter(trophy__in=by_trophy, confirmed_at__isnull=True)
    for award in waiting.select_related("member__same_as", "table__night", "table__sheet").order_by("on", "pk"):
        by_trophy[award.trophy_id].waiting.append(award)
    disputes = Dispute.objects.filter(award__trophy__in=by_trophy, answered_at__isnull=True)
    people = ("member__same_as", "award__member__same_as", "award__table__sheet")
    for dispute in disputes.select_related(*people).order_by("raised_at", "pk"):
        by_trophy[dispute.award.trophy_id].disputes.append(dispute)
    return register


def is_of(award: Award, night: Night) -> bool:
    """Whether it was won on that night: at one of its tables, or on its day where it was at none."""
    return award.on == night.on if award.table is None else award.table.night_id == night.pk


def open_questions(club: Club, *, night: Night | None = None) -> list[Holding]:
    """The trophies that wait for an organiser: for their yes, their answer, or the tick that they were handed over.

    With `night` what is asked about awards of that night alone.
    """
    register = holdings_with_questions(club)
    return [held for held in (holding.of_night(night) if night else holding for holding in register) if held.waits]


def carriers(club: Club) -> list[tuple[Trophy, Award | None]]:
    """Who brings what: every trophy with the award by which somebody has it in their hands (`award.shown`,
    `award.recipient`); None: nobody has.
    """
    return [(holding.trophy, holding.kept) for holding in holdings(club)]


def champion(club: Club) -> Member | None:
    """Who won last time, and so deals first: as the latest night tells it, or else the winner's trophy.

    Where several tables played on that night and no trophy followed one of them, there is no last winner, and the
    trophy tells. Of a night with a play-off its winner alone is asked for. At most four queries.
    """
    last = (
        Award.objects.standing()
        .filter(trophy__club=club, trophy__goes=Trophy.Goes.WINNER, trophy__archived_at__isnull=True)
        .select_related("member__same_as")
        .order_by("-on", "-pk")
        .first()
    )
    won = Placing.objects.filter(
        table__game__in=trophy_games(), table__withdrawn_at__isnull=True, table__ended_at__isnull=False, winner=True
    )
    # Who wins a game beside the play-off has not won the night.
    won = won.filter(~Q(table__night__trophies=Night.Follows.PLAY_OFF) | Q(table__stage__isnull=False)).annotate(
        in_play_off=F("table__stage__play_off__decided_at")
    )
    nights = Night.objects.standing().filter(Exists(won.filter(table__night=OuterRef("pk"))), club=club, for_fun=False)
    latest = nights.order_by("-on").values_list("on", flat=True).first()
    if latest is not None and (last is None or last.on < latest):
        placings = won.filter(table__night__in=nights.filter(on=latest)).select_related("member__same_as")
        # Beside a play-off nobody else has won the night.
        tops = [placing for placing in placings if placing.in_play_off] or placings
        winners = {placing.member.main_record for placing in tops}
        if len(winners) == 1:
            return winners.pop()
    return last.recipient if last else None


# The night before


def next_night(club: Club, today: datetime.date) -> Night | None:
    """The night that comes next, or is on."""
    coming = Night.objects.standing().filter(club=club, on__gte=today, closed_at__isnull=True)
    return coming.order_by("on", "pk").first()


def defences(night: Night, held: list[Holding] | None = None) -> list[SafeString]:
    """What the night means for those who hold a trophy, a sentence each: "Ann defends The Cup."

    `held` are the club's `holdings`, where they are known already. Nothing where nothing can change hands, nor of a
    trophy of which nobody knows yet whose it is.
    """
    held_awards = [
        (holding, holding.won)
        for holding in (holdings(night.club) if held is None else held)
        if holding.won is not None and not holding.waiting and holding.trophy.goes != Trophy.Goes.OTHER
        # Who won it on this very night has nothing to defend there.
        and not is_of(holding.won, night)
    ]  # fmt: skip
    if not held_awards:
        return []
    if night.for_fun or night.trophies == Night.Follows.NOTHING:
        return [SafeString("No trophies on this night: they stay where they are.")]
    absent, elsewhere = absent_from(night), elsewhere_on(night)
    return [
        format_html(
            "{} is not at {}: <bdi>{}</bdi> goes to somebody else.",
            name_shown(won.shown), night.trophies_table, holding.trophy.name,
        )
        if won.recipient in elsewhere
        else defence_sentence(holding, won, absent=won.recipient in absent)
        for holding, won in held_awards
    ]  # fmt: skip


def bringing(night: Night, held: list[Holding]) -> list[tuple[Award, SafeString]]:
    """Who brings what to the night, a sentence each with the award of whom it is about. One query.

    What was won on this very night is there already.
    """
    absent = absent_from(night)
    return [
        (
            holding.kept,
            format_html(
                "{} has <bdi>{}</bdi> but is not coming: somebody has to fetch it."
                if holding.kept.recipient in absent
                else "{} brings <bdi>{}</bdi>.",
                name_shown(holding.kept.shown), holding.trophy.name,
            ),
        )
        for holding in held
        if holding.kept and not is_of(holding.kept, night)
    ]  # fmt: skip


def absent_from(night: Night) -> set[Member]:
    """Who said not to come, before the night or at its roll call. Two queries."""
    return answers_of([night])[night.pk].absent


def elsewhere_on(night: Night) -> set[Member]:
    """Who sits at tables of the night, and not at the one that the trophies follow. One query, if there is one."""
    if night.trophies != Night.Follows.TABLE or night.trophies_table_id is None:
        return set()
    chairs = Chair.objects.filter(table__night=night, table__withdrawn_at__isnull=True)
    sat: dict[Member, set[int]] = {}
    for chair in chairs.select_related("member__same_as"):
        sat.setdefault(chair.member.main_record, set()).add(chair.table_id)
    return {member for member, tables in sat.items() if night.trophies_table_id not in tables}


def defence_sentence(holding: Holding, won: Award, *, absent: bool) -> SafeString:
    """What the night means for one of them; `absent`: they do not come."""
    name, trophy = name_shown(won.shown), holding.trophy
    if absent:
        return format_html("{} is not coming: <bdi>{}</bdi> goes to somebody else.", name, trophy.name)
    if trophy.goes == Trophy.Goes.LOSER:
        return format_html("{} may pass <bdi>{}</bdi> on.", name, trophy.name)
    running = format_html(", won {}", holding.running) if holding.running else ""
    return format_html("{} defends <bdi>{}</bdi>{}.", name, trophy.name, running)
