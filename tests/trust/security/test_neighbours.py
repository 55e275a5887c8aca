"""What is nearly a good link, key, cookie or code opens nothing; the good one still does, after all that was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.access.visit import COOKIE, HOST_COOKIE, host_token
from clubs.api.keys import make_key
from clubs.api.rate import reading
from clubs.club.founding import new_code
from clubs.members.people import claim_code, give_code
from clubs.members.personal_links import token_of
from clubs.notices.links import stop_token
from clubs.owner.sign_in import sign_in_token
from scoresheets.access.scorekeepers import BROWSER_COOKIE
from scoresheets.models.sheet import new_token
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.clubs.full_club import SECRET, FullClub
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(10), pytest.mark.django_db]

#: Asks with a text where the secret belongs; whoever asks comes with this client, in a network of its own or not.
Ask = Callable[[Client, str], HttpResponse]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: ... with which nobody types the same code: those are left out that are read as others.
TYPED = "ABCDEFGHJKMNPQRSTUVWXYZ2345679"
#: The network that tries too often.
BUSY = "192.0.2.66"
SIGN_IN = "/account/login/"


@dataclass(frozen=True)
class Key:
    """A good secret, and how one asks with it. `typed`: it is read however it is typed, and guessing it is refused."""

    secret: str
    ask: Ask
    typed: bool = False

    def neighbours(self) -> Iterator[str]:
        """Texts that differ in one letter, and unless it is typed those that are shorter, longer, or in other case."""
        secret = self.secret
        for place, old in enumerate(secret):
            others = TYPED if self.typed else LETTERS
            if not (self.typed and old == "-"):
                yield from (secret[:place] + new + secret[place + 1 :] for new in others if new != old)
        changed = (secret.swapcase(), secret[::-1], secret.upper(), secret.lower())
        more = () if self.typed else tuple(text for text in changed if text != secret)
        yield from (secret[:-1], secret + "A", secret[1:], *more)


def get(view: str, *args: object, **query: str) -> Ask:
    """Asks for a page with the secret in the place of `{}`, in its path or its query."""

    def ask(client: Client, text: str) -> HttpResponse:
        sent = {name: value.format(text) for name, value in query.items()}
        return client.get(reverse(view, args=[text if arg == "{}" else arg for arg in args]), sent)  # type: ignore[return-value]

    return ask


def with_cookie(name: str, value: str, path: str) -> Ask:
    """Asks for a page with the secret in the place of `{}` in a cookie."""

    def ask(client: Client, text: str) -> HttpResponse:
        client.cookies[name] = value.format(text)
        return client.get(path)  # type: ignore[return-value]

    return ask


def with_key(path: str) -> Ask:
    """Asks as a program does."""
    return lambda client, text: client.get(path, headers={"Authorization": f"Bearer {text}"})  # type: ignore[return-value]


def founding(client: Client, text: str) -> HttpResponse:
    """Starts a club with a code, from an account that is nobody's yet."""
    client.force_login(UserFactory())
    typed = {"code": text, "name": "The Thursday Club", "called": "Ann", "place": "", "time_zone": "Europe/Berlin"}
    return client.post(reverse("found_club"), typed)  # type: ignore[return-value]


def keys_of(house: FullClub) -> dict[str, Key]:
    """What opens something to whoever has it, by what it is."""
    club, sheet, member = house.club, house.sheet, house.members[0]
    read_key, personal = make_key(club, "A program", uid=new_token(), by=None), token_of(house.personal_link)
    assert isinstance(read_key, str)
    evening = ClubFactory(is_evening=True, visibility="link")
    guest = MemberFactory(club=club, role="guest")
    give_code(guest)
    session = house.browser("organiser").cookies[settings.SESSION_COOKIE_NAME].value
    state, page = reverse("state", args=[sheet.code]), reverse("club", args=[club.slug])
    return {
        "address of a sheet": Key(sheet.code, get("sheet", "{}")),
        "file of a sheet": Key(sheet.code, get("export_sheet", "{}")),
        "watch link": Key(sheet.watch, get("watch", "{}")),
        "preview of a sheet": Key(sheet.watch, get("watch_preview", "{}")),
        "scorekeeper link": Key(house.link, get("keep", "{}")),
        "scorekeeper link that is posted to": Key(
            house.link, lambda client, text: client.post(reverse("keep", args=[text])),  # type: ignore[arg-type, return-value]
        ),
        "scorekeeper link of a program": Key(house.link, with_key("/api/v1/sheets/mine/entries/")),
        "phone of a scorekeeper": Key(SECRET, with_cookie(BROWSER_COOKIE, "{}", state)),
        "browser that is signed in": Key(session, with_cookie(settings.SESSION_COOKIE_NAME, "{}", "/account/")),
        "invitation": Key("i" * 22, get("accept_invitation", "{}")),
        "personal link": Key(personal, get("my_nights", "{}")),
        "calendar of a member": Key(personal, get("my_calendar", "{}")),
        "calendar of a club": Key(club.calendar_key, get("calendar", "{}")),
        "link that stops notices": Key(stop_token(member), get("stop_notices", "{}")),
        "club link": Key(club.key, get("come_in", club.slug, "{}")),
        "club key in an address": Key(club.key, get("club", club.slug, key="{}")),
        "phone that came by the club link": Key(club.key, with_cookie(COOKIE.format(club.pk), "{}.0", page)),
        "key of a program": Key(read_key, with_key(reverse("api_club", args=[club.slug]))),
        "key of a program in an address": Key(read_key, get("api_results", club.slug, key="{}")),
        "host link of an evening": Key(host_token(evening), get("host_evening", evening.slug, "{}")),
        "phone of a host": Key(
            host_token(evening),
            with_cookie(HOST_COOKIE.format(evening.pk), "{}", reverse("club", args=[evening.slug])),
        ),
        "sign-in link of the owner": Key(sign_in_token(house.users["superuser"]), get("owner_sign_in", "{}")),
        "code of a guest": Key(
            claim_code(guest),
            lambda client, text: client.post(reverse("claim", args=[club.slug]), {"code": text}),  # type: ignore[arg-type, return-value]
            typed=True,
        ),
        "code that starts a club": Key(new_code(), founding, typed=True),
    }  # fmt: skip


def opened(answer: HttpResponse) -> bool:
    """Whether it was no refusal, and did not lead to where one signs in."""
    return answer.status_code in (200, 302, 303) and not answer.headers.get("Location", "").startswith(SIGN_IN)


def tried(key: Key, text: str, network: str) -> bool:
    """Whether a text opens something, from a network; nothing stays of it but what the limits count."""
    before = transaction.savepoint()
    answer = key.ask(Client(REMOTE_ADDR=network), text)
    is_open = opened(answer)
    if is_open:
        transaction.savepoint_rollback(before)
    else:
        transaction.savepoint_commit(before)
        assert answer.status_code < 500
    return is_open


def network(number: int) -> str:
    return f"198.{number // 62_500 + 18}.{number // 250 % 250}.{number % 250 + 1}"


@pytest.fixture(autouse=True)
def nobody_asked_before() -> Iterator[None]:
    reading.clear()
    yield
    reading.clear()


def test_neighbours_of_what_is_good_open_nothing_and_it_still_opens(attempt: Attempt) -> None:
    """Every other one is tried from one network, the rest from as many. A code that is typed opens in another one."""
    house, dice, guesses, found = FullClub(), Random(10), 0, list[tuple[str, str]]()
    keys = keys_of(house)
    for kind, key in keys.items():
        assert tried(key, key.secret, network(0)), f"{kind}: good until then"
        near = list(key.neighbours())
        few = attempt.size(6, 180)
        near = list(dict.fromkeys(near[-few // 3 :] + dice.sample(near, min(few, len(near)))))
        for number, text in enumerate(near):
            found += [(kind, text)] * tried(key, text, network(guesses + number) if number % 2 else BUSY)
        guesses += len(near)
        assert tried(key, key.secret, network(0) if key.typed else BUSY), f"{kind}: still good"
    assert found == []
    attempt.saw(
        f"{guesses:,} neighbours of {len(keys)} kinds of links, keys, cookies and codes: they open nothing, also"
        " where the limit stops whoever tries from one network"
    )
