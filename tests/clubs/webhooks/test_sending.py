"""Webhooks that are sent to a real receiver on this machine."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.conf import settings

from clubs.models import Club, Delivery, Event, Webhook
from clubs.outbox import deliver
from clubs.outbox.events import announce
from clubs.outbox.worker import Worker
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.receiver import Receiver, receiving
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "a secret of the club"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver on this machine, which the owner allows."""
    settings.PRIVATE_WEBHOOKS = True
    with receiving() as opened:
        yield opened


@pytest.fixture
def start() -> Iterator[Callable[[], Worker]]:
    """Starts workers, which end with the test."""
    workers: list[Worker] = []

    def started() -> Worker:
        workers.append(Worker())
        return workers[-1]

    yield started
    for worker in workers:
        worker.stop()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again a moment later."""
    monkeypatch.setattr(deliver, "pause_after", lambda attempts: datetime.timedelta(0))
    monkeypatch.setattr("clubs.outbox.worker.LOOK", 0.05)


def hook_of(club: Club, receiver: Receiver, form: str = "signed") -> Webhook:
    return Webhook.objects.create(club=club, form=form, url=receiver.url(), secret=SECRET)


def say(club: Club, text: str) -> None:
    """Something happens in the club."""
    night = club.nights.first() or NightFactory(club=club)
    announce(club, Event.Kind.LAST_HAND, text, night=night, hand=text)


def told(receiver: Receiver) -> list[str]:
    """What has arrived, in a word each."""
    return [json.loads(each.body)["text"].removeprefix("All tables stop after hand ") for each in receiver.got]


def is_genuine(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """As README.md tells whoever writes a receiver."""
    code = re.search(r"```python\n(import hashlib\n.*?)```", (settings.BASE_DIR / "README.md").read_text(), re.DOTALL)
    assert code
    names: dict[str, Any] = {}
    exec(code[1], names)
    return bool(names["is_genuine"](headers, body, secret))


def test_result_arrives_in_both_forms_and_is_signed(receiver: Receiver, start: Callable[[], Worker]) -> None:
    club = ClubFactory()
    for form in ("signed", "discord"):
        hook_of(club, receiver, form)
    played(
        NightFactory(club=club, on=club.today()),
        [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")],
    )
    start()
    until(lambda: len(receiver.got) == 2)
    signed, discord = sorted(receiver.got, key=lambda each: "X-Signature" not in each.headers)
    assert is_genuine(signed.headers, signed.body, SECRET)
    assert not is_genuine(signed.headers, signed.body + b" ", SECRET)
    assert not is_genuine(signed.headers, signed.body, "another secret")
    assert json.loads(signed.body)["title"] == "Table 1: Ann wins with 26 points."
    assert json.loads(discord.body)["embeds"][0]["title"] == "Table 1\\: Ann wins with 26 points."
    until(lambda: Delivery.objects.filter(delivered_at__isnull=False).count() == 2)


def test_what_a_broken_receiver_missed_comes_in_order(receiver: Receiver, start: Callable[[], Worker]) -> None:
    club = ClubFactory()
    hook_of(club, receiver)
    receiver.answers = [(500, {}), (502, {}), (503, {})]
    for text in ("1", "2", "3"):
        say(club, text)
    start()
    until(lambda: Delivery.objects.filter(delivered_at__isnull=False).count() == 3)
    assert told(receiver) == ["1.", "1.", "1.", "1.", "2.", "3."]
    ids = [each.headers["X-Delivery"] for each in receiver.got]
    assert len(set(ids)) == 3
    assert ids[0] == ids[3]


def test_receiver_that_hangs_holds_up_nobody_else(receiver: Receiver, start: Callable[[], Worker]) -> None:
    slow, quick = ClubFactory(), ClubFactory()
    with receiving() as other:
        receiver.open.clear()
        hook_of(slow, receiver)
        hook_of(quick, other)
        start()
        for text in ("1", "2"):
            say(slow, text)
        until(lambda: receiver.got)
        night = NightFactory(club=quick, on=quick.today())
        people = [MemberFactory(club=quick, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
        # A whole game is written meanwhile.
        played(night, people)
        until(lambda: other.got)
        assert len(receiver.got) == 1, "one at a time"
        receiver.open.set()
        until(lambda: told(receiver) == ["1.", "2."])


def test_restart_loses_nothing(receiver: Receiver, start: Callable[[], Worker]) -> None:
    club = ClubFactory()
    hook_of(club, receiver)
    first = start()
    say(club, "1")
    until(lambda: told(receiver) == ["1."])
    first.stop()
    say(club, "2")
    say(club, "3")
    start()
    until(lambda: told(receiver) == ["1.", "2.", "3."])


def test_address_that_is_gone_is_given_up_and_told(receiver: Receiver, start: Callable[[], Worker]) -> None:
    club = ClubFactory()
    hook_of(club, receiver)
    receiver.answers = [(410, {})]
    say(club, "1")
    start()
    until(lambda: Delivery.objects.filter(given_up_at__isnull=False).exists())
    assert Delivery.objects.get().problem == "It answered with status 410."


@pytest.mark.parametrize("status", [400, 404, 405, 422, 503])
def test_program_that_is_being_deployed_misses_nothing(
    receiver: Receiver, start: Callable[[], Worker], status: int
) -> None:
    club = ClubFactory()
    hook_of(club, receiver)
    receiver.answers = [(status, {})] * 3
    say(club, "1")
    start()
    until(lambda: Delivery.objects.filter(delivered_at__isnull=False).exists())
    assert told(receiver) == ["1."] * 4


@pytest.mark.parametrize("status", [400, 401, 404])
def test_webhook_that_was_deleted_in_discord_is_given_up_at_once(
    receiver: Receiver, start: Callable[[], Worker], status: int
) -> None:
    club = ClubFactory()
    hook_of(club, receiver, "discord")
    receiver.answers = [(status, {})]
    say(club, "1")
    start()
    until(lambda: Delivery.objects.filter(given_up_at__isnull=False).exists())
    assert len(receiver.got) == 1


def test_redirect_is_a_failure(receiver: Receiver, start: Callable[[], Worker]) -> None:
    club = ClubFactory()
    hook_of(club, receiver)
    receiver.answers = [(302, {"Location": "/elsewhere"})]
    say(club, "1")
    start()
    until(lambda: len(receiver.got) == 2)
    assert {each.path for each in receiver.got} == {"/hook"}


def test_private_receiver_gets_nothing_unless_the_owner_allows_it(
    receiver: Receiver, start: Callable[[], Worker], settings: Any
) -> None:
    settings.PRIVATE_WEBHOOKS = False
    club = ClubFactory()
    Webhook.objects.create(club=club, form="signed", url=receiver.url().replace("http", "https"), secret=SECRET)
    say(club, "1")
    start()
    until(lambda: Delivery.objects.filter(given_up_at__isnull=False).exists())
    assert "private network" in Delivery.objects.get().problem
    assert receiver.got == []


def test_two_workers_send_everything_once(receiver: Receiver, start: Callable[[], Worker]) -> None:
    clubs = [ClubFactory() for _ in range(6)]
    for club in clubs:
        hook_of(club, receiver)
    start()
    start()
    for club in clubs:
        say(club, "1")
    until(lambda: Delivery.objects.filter(delivered_at__isnull=False).count() == 6)
    assert len(receiver.got) == 6
