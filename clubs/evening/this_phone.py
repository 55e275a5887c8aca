"""The context of a phone that knows a club: its night, its table, and candidates when it opens a sheet."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from clubs.access.known_clubs import known_by
from clubs.access.visit import Visit, account_of, cookie_of
from clubs.evening.summary import Seen, tonight
from clubs.models import Club, Member, Night, Table
from scoresheets.access.scorekeepers import browser_of
from scoresheets.models import Player, Scorekeeper, Sheet
from scoresheets.sheet.summary import Glance, read_sheets

A_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class OnNow:
    """A night of a club this phone knows, and the table of who uses it, where they sit at one. `to`: where it leads."""

    night: Night
    table: Table | None
    to: str

    @property
    def club(self) -> Club:
        return self.night.club

    @property
    def place(self) -> str:
        """The table within a sentence."""
        return Seen(self.table).within if self.table else ""

    @property
    def is_on(self) -> bool:
        return self.night.begun_at is not None


def go_on(sheets: Iterable[Sheet]) -> list[Glance]:
    """The games among these sheets that this phone is in the middle of: whose latest tap was made last comes first.

    A game that was left a day ago is no longer what somebody comes back for.
    """
    begun = [sheet for sheet in sheets if sheet.begun and sheet.finished_at is None]
    readings = read_sheets(begun) if begun else {}
    glances = [Glance(reading) for reading in readings.values()]
    since = timezone.now() - A_DAY
    running = [
        (glance.last_at, glance)
        for glance in glances
        if glance.last_at and glance.last_at > since and not glance.is_finished
    ]
    return [glance for _, glance in sorted(running, key=lambda pair: pair[0], reverse=True)]


def visits_of(request: HttpRequest) -> list[Visit]:
    """The visits to all clubs this browser is shown because it knows them, by its cookies or by who is signed in.

    No query where it knows none; else one, and one for who is signed in.
    """
    numbers, user = known_by(request), account_of(request)
    if not numbers and user is None:
        return []
    records = Member.objects.of_account(user.pk).select_related("same_as") if user else ()
    mine = {record.club_id: record.main_record for record in records}
    clubs = Club.objects.open().filter(pk__in={*numbers, *mine}).order_by("name")
    visits = [Visit(club, mine.get(club.pk), marked=cookie_of(request, club)[1]) for club in clubs]
    return [visit for visit in visits if visit.member or is_known(request, visit.club)]


def is_known(request: HttpRequest, club: Club) -> bool:
    """Whether the browser came in by the club's own link, which still opens it."""
    return cookie_of(request, club)[0] == club.key and club.visibility != Club.Visibility.MEMBERS


def on_now(request: HttpRequest, visits: list[Visit]) -> list[OnNow]:
    """Tonight's nights of these clubs. One query for each club, two more for each night that is on."""
    nights = []
    for visit in visits:
        for night in tonight(visit.club):
            night.club = visit.club
            table = table_of(request, visit, night) if night.begun_at else None
            nights.append(OnNow(night, table, way_to(request, night, table)))
    return nights


def table_of(request: HttpRequest, visit: Visit, night: Night) -> Table | None:
    """The table at which whoever uses this phone sits, or whose sheet they keep on it; one that still plays first."""
    me, browser = visit.me, browser_of(request)
    own = Q(pk=None)
    if me:
        own |= Q(chairs__member=me) | Q(chairs__member__same_as=me)
        own |= Q(sheet__seats__player__memberships=me) | Q(sheet__seats__player__aliases__member=me)
    if browser:
        own |= Q(sheet__scorekeepers__browser=browser, sheet__scorekeepers__revoked_at__isnull=True)
    tables = Table.objects.standing().filter(own, night=night).select_related("sheet")
    return tables.order_by(F("sheet__finished_at").desc(nulls_first=True), "-number").first()


def way_to(request: HttpRequest, night: Night, table: Table | None) -> str:
    """To the pad for who keeps the sheet of the table on this phone, to its sheet for everybody else at it."""
    if table is None or table.sheet is None:
        return night.get_absolute_url()
    browser, sheet = browser_of(request), table.sheet
    if browser and Scorekeeper.objects.filter(sheet=sheet, browser=browser, revoked_at__isnull=True).exists():
        return reverse("pad", args=[sheet.code])
    return reverse("watch", args=[sheet.watch])


def people_of_its_clubs(request: HttpRequest, **signal: Any) -> list[Player]:  # noqa: ARG001 - Django gives sender
    """The receiver of `scoresheets.opening.candidates.who_may_be_picked`.

    The people of the clubs this phone knows, by name. Nobody who hides their name. One query more for all of them.
    """
    visits = visits_of(request)
    if not visits:
        return []
    clubs = [visit.club.pk for visit in visits if not visit.club.is_evening]
    members = Member.objects.current().filter(club__in=clubs, hidden=False)
    players = []
    for member in members.exclude(role=Member.Role.GUEST).select_related("player").order_by("name", "pk"):
        # As the club calls them: nothing of it is saved.
        member.player.name = member.shown
        players.append(member.player)
    return players
