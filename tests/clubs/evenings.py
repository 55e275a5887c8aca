"""An organiser and a night, for the tests of what happens from roll call to opened tables."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.test import Client

from clubs.models import Attendance, Club, Member, Night
from tests.club_factories import MemberFactory, UserFactory

THURSDAY = datetime.date(2026, 11, 26)
A_WEEK = datetime.timedelta(weeks=1)
#: At seven on that Thursday.
SEVEN = datetime.datetime(2026, 11, 26, 19, tzinfo=datetime.UTC)


def organiser_of(club: Club) -> Client:
    client, user = Client(), UserFactory()
    MemberFactory(club=club, user=user, role="organiser", name="Olga")
    client.force_login(user)
    return client


def people(club: Club, count: int) -> list[Member]:
    return [MemberFactory(club=club, name=f"P{number:02}") for number in range(1, count + 1)]


def night_page(night: Night, page: str) -> str:
    return f"/clubs/{night.club.slug}/nights/{night.pk}/{page}/"


def calls(members: Sequence[Member], says: str = "here") -> dict[str, str]:
    return {f"call-{member.pk}": says for member in members}


def drawn(client: Client, night: Night) -> Any:
    return client.get(night_page(night, "draw")).context["drawing"]


def press(client: Client, night: Night, do: str, **more: Any) -> Any:
    """A button on the page of the drawn tables, as it stands."""
    return client.post(night_page(night, "draw"), {"saw": drawn(client, night).mark, "do": do, **more})


def called(night: Night, members: Sequence[Member], says: str = "here") -> None:
    """The roll of the night has these."""
    for member in members:
        Attendance.objects.create(night=night, member=member, says=says)
