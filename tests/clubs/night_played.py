"""An evening of a club, for the tests of its pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Member, Night, Table
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.factories import NAMES, Scorer
from tests.scoresheets.plain import Page

#: The phone that opened all sheets of `tests.club_factories.played`.
THE_PHONE = "the phone"


@dataclass
class Evening:
    """A club with its members, and the night that is on."""

    club: Club
    members: list[Member]
    night: Night

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.club.slug, *args])

    @property
    def page(self) -> str:
        return self.url("night", self.night.pk)

    @property
    def control(self) -> str:
        return self.url("control", self.night.pk)

    def table(self, *, hands: int | None = 0, game: str = "dirty-dog", seats: slice = slice(4)) -> Table:
        """Another table, at which so many hands were played; it leads home, as all sheets of a night do."""
        table = played(self.night, self.members[seats], game=game, hands=hands)
        Sheet.objects.filter(pk=table.sheet_id).update(home=self.page, club_name=self.club.name)
        table.refresh_from_db()
        return table

    def organiser(self, role: str = Member.Role.ORGANISER) -> Client:
        """A browser in which somebody of that role is signed in."""
        client = Client()
        user = UserFactory()
        MemberFactory(club=self.club, name="Ida", user=user, role=role)
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client


def an_evening(*, people: int = 8, visibility: str = "public", **night: object) -> Evening:
    """A club of so many people whose night has begun."""
    club = ClubFactory(name="The Trumps", visibility=visibility)
    members = [MemberFactory(club=club, name=name) for name in NAMES[:people]]
    on = {"on": club.today(), "begun_at": timezone.now(), **night}
    return Evening(club, members, NightFactory(club=club, **on))


def scorer_of(table: Table) -> Scorer:
    """The scorer on the phone that opened it."""
    assert table.sheet is not None
    return Scorer(table.sheet, table.sheet.scorekeepers.get(browser=hashed(THE_PHONE)))


def page(response: HttpResponse) -> Page:
    """What a page says; it must be there."""
    assert response.status_code == 200, response.status_code
    return Page(response.content.decode())


def with_the_cookie(client: Client, secret: str) -> Client:
    client.cookies[BROWSER_COOKIE] = secret
    return client
