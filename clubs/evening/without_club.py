"""An evening without a club: several tables or a play-off for one night, run by a phone without an account.

It is a club of one night (`Club.is_evening`) that no list shows. The phone that opens it is its host
(`clubs.access.visit`). A club can take it in later (`clubs.evening.take_in`).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import is_host
from clubs.members.people import new_members
from clubs.models import Attendance, Club, Night
from clubs.nights.seating import fewest_tables, sizes_of
from clubs.play_offs.plan import proposed
from clubs.play_offs.plan_text import finals_said, goes_on_said, groups_said
from clubs.tables.draft import Drawing
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.numbers import spelled
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Player, Sheet
from scoresheets.opening.several_tables import Offer
from scoresheets.opening.sweep import forget_players

#: What is posted as `do`.
PLAY_OFF, TABLES = "play-off", "tables"
#: An evening at which no table was opened within that time is forgotten.
FORGOTTEN_AFTER = datetime.timedelta(days=2)
CHARACTERS_OF_A_SLUG = 10


def offers_of_an_evening(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *, request: HttpRequest, game: Game, people: int, **signal: Any,  # noqa: ARG001
) -> list[Offer]:  # fmt: skip
    """The receiver of `scoresheets.opening.several_tables.who_has_more_tables`: a play-off, and plain tables."""
    return list(offers(game, people))


def offers(game: Game, people: int) -> Iterator[Offer]:
    """What so many people can play, with the game that was chosen."""
    path = reverse("open_evening")
    planned = proposed(people, game)
    if planned and planned.game == game:
        plan = planned.plan
        parts = [f"Groups of {groups_said(plan.sizes)}", goes_on_said(plan), finals_said(plan)]
        yield Offer(path, PLAY_OFF, "Play-off", f"{', '.join(parts)}.")
    tables = fewest_tables(people, game.made_for)
    if tables > 1:
        sizes = sizes_of(people, [game.made_for] * tables)
        left = people - sum(sizes)
        out = f" {spelled(left).capitalize()} would have to wait." if left else ""
        yield Offer(
            path,
            TABLES,
            f"{spelled(tables).capitalize()} tables",
            f"Tables of {groups_said(sizes)}, each with its own game.{out}",
        )


def open_evening(
    names: Sequence[str], game: Game, *, do: str, key: str, browser: str, house_rules: Mapping[str, Value],
    coming: Sequence[str] = (),
) -> Night:  # fmt: skip
    """Open an evening for people of these clean names, who are here, and those still `coming`; draw their tables.

    `do` says whether they are the groups of a play-off. The same `key` from the same `browser` finds the same evening.
    """
    slug = f"evening-{hashed(f'{browser} {key}')[:CHARACTERS_OF_A_SLUG]}"
    known = night_at(slug)
    if known:
        return known
    try:
        with transaction.atomic():
            return new_evening(slug, names, coming, game, do=do, house_rules=house_rules)
    except IntegrityError:
        # The same tap twice at the same moment: the other one was first.
        known = night_at(slug)
        if known is None:
            raise
        return known


def night_at(slug: str) -> Night | None:
    """The night of the evening at that address."""
    return Night.objects.select_related("club").filter(club__slug=slug, club__is_evening=True).order_by("pk").first()


def new_evening(
    slug: str, names: Sequence[str], coming: Sequence[str], game: Game, *, do: str, house_rules: Mapping[str, Value]
) -> Night:
    """The rows of an evening, its tables drawn and not yet opened."""
    today = timezone.localdate()
    club = Club.objects.create(
        name=f"Evening of {today.day} {today:%B %Y}", slug=slug, is_evening=True, main_game=game.slug
    )
    people = new_members(club, [*names, *coming])
    night = Night.objects.create(club=club, on=club.today(), game=game.slug)
    says = [Attendance.Says.HERE] * len(names) + [Attendance.Says.COMING] * len(coming)
    Attendance.objects.bulk_create(
        Attendance(night=night, member=member, says=answer) for member, answer in zip(people, says, strict=True)
    )
    drawing = Drawing(night)
    drawing.house_rules[game.slug] = dict(house_rules)
    planned = proposed(drawing.chairs_wanted, game) if do == PLAY_OFF else None
    if planned:
        drawing.plan(planned)
    drawing.keep()
    return night


def runs_its_table(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *, request: HttpRequest, sheet: Sheet, **signal: Any,  # noqa: ARG001
) -> bool:  # fmt: skip
    """The receiver of `scoresheets.access.scorekeepers.who_runs_the_table`: the host of an evening does.

    No query where the browser is the host of none.
    """
    if not any(name.startswith("host-") for name in request.COOKIES):
        return False
    at_table = {"nights__tables__sheet": sheet, "nights__tables__withdrawn_at__isnull": True}
    return any(is_host(request, club) for club in Club.objects.filter(**at_table, is_evening=True))


def forget_unplayed(now: datetime.datetime) -> int:
    """Remove evenings at which no table was ever opened, once they are two days old; how many they were."""
    unplayed = Club.objects.filter(
        is_evening=True, moved_to__isnull=True, created__lt=now - FORGOTTEN_AFTER, nights__tables__isnull=True
    )
    pks = list(unplayed.values_list("pk", flat=True))
    players = list(Player.objects.filter(memberships__club__in=pks).values_list("pk", flat=True))
    Club.objects.filter(pk__in=pks).delete()
    forget_players(players)
    return len(pks)
