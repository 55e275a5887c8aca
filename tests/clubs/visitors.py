"""Browsers of people at a club: who has signed in, and phones that came by its link."""

from __future__ import annotations

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.models import Club, Member
from tests.club_factories import MemberFactory, UserFactory


def account(club: Club, role: str = "member", **more: object) -> tuple[Client, Member]:
    """Somebody of the club who has signed in."""
    user = UserFactory()
    member = MemberFactory(club=club, user=user, role=role, **more)
    return signed_in(user), member


def signed_in(user: object) -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    return client


def came_in_now(client: Client) -> None:
    """They are asked for no other proof that it is they."""
    session = client.session
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session["account_authentication_methods"] = [{"method": "code", "at": timezone.now().timestamp()}]
    session.save()


def phone(club: Club, me: Member | None = None) -> Client:
    """A phone that came by the club's link, and that is used by `me`."""
    client = Client()
    client.cookies[COOKIE.format(club.pk)] = f"{club.key}.{me.pk if me else 0}"
    return client


def post(client: Client, view: str, club: Club, *args: object, **data: object) -> HttpResponse:
    """What a form of that page sends."""
    return client.post(reverse(view, args=[club.slug, *args]), data)  # type: ignore[return-value]


def get(client: Client, view: str, club: Club, *args: object, **data: object) -> HttpResponse:
    return client.get(reverse(view, args=[club.slug, *args]), data)  # type: ignore[return-value]


def text(response: HttpResponse) -> str:
    return response.content.decode()
