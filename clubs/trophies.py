"""The club's trophies: who holds them, in whose hands they are, and who comes as the champion.

Won and handed over are two things. The holder is who won last; the trophy itself stands where it was last handed to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from clubs.models import Award, Placing, Table, Trophy
from rules import all_games

if TYPE_CHECKING:
    from clubs.models import Club, Member


def trophy_games() -> list[str]:
    """The games (slugs) that are played for the trophies: those in which a champion defends."""
    return [game.slug for game in all_games() if game.first_dealer_by.champion]


def holders(club: Club) -> list[tuple[Trophy, Award | None]]:
    """Every trophy of the register with the award by which its holder holds it; None: nobody has won it yet.

    In the order of the register. Two queries.
    """
    return [(trophy, held) for trophy, held, _ in holdings(club)]


def carriers(club: Club) -> list[tuple[Trophy, Award | None]]:
    """Who brings what: every trophy with the award by which somebody has it in his hands (`award.shown`,
    `award.who`); None: nobody has. Two queries.
    """
    return [(trophy, kept) for trophy, _, kept in holdings(club)]


def holdings(club: Club) -> list[tuple[Trophy, Award | None, Award | None]]:
    """Every trophy with its holder's award, and the award of who has it in his hands. Two queries."""
    won = Award.objects.confirmed().filter(trophy=OuterRef("pk")).order_by("-on", "-pk")
    kept = Award.objects.was_handed().filter(trophy=OuterRef("pk")).order_by("-handed_at", "-pk")
    trophies = Trophy.objects.filter(club=club, archived_at__isnull=True).defer("picture")
    asked = list(trophies.annotate(won=Subquery(won.values("pk")[:1]), kept=Subquery(kept.values("pk")[:1])))
    wanted = {pk for trophy in asked for pk in (trophy.won, trophy.kept)}
    awards = Award.objects.select_related("member__same_as").in_bulk(wanted - {None})
    return [(trophy, awards.get(trophy.won), awards.get(trophy.kept)) for trophy in asked]


def champion(club: Club) -> Member | None:
    """Who won last time, and so deals first: as the latest night tells it, or else the winner's trophy.

    Where several tables played on that night and no trophy followed one of them, there is no last winner, and the
    trophy tells. At most four queries.
    """
    last = (
        Award.objects.standing()
        .filter(trophy__club=club, trophy__goes=Trophy.Goes.WINNER, trophy__archived_at__isnull=True)
        .select_related("member__same_as")
        .order_by("-on", "-pk")
        .first()
    )
    games = Table.objects.counting().filter(night__club=club, game__in=trophy_games())
    won = Placing.objects.filter(table__in=games, winner=True)
    latest = won.order_by("-table__night__on").values_list("table__night__on", flat=True).first()
    if latest is not None and (last is None or last.on < latest):
        winners = {
            placing.member.who for placing in won.filter(table__night__on=latest).select_related("member__same_as")
        }
        if len(winners) == 1:
            return winners.pop()
    return last.who if last else None
