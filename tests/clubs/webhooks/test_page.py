"""The page on which an organiser names webhooks."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import AuditEntry, Club, Delivery, Event, Webhook
from clubs.outbox.channels import NotDelivered
from clubs.outbox.deliver import attempt, claim, expand_events, failed
from clubs.outbox.events import announce
from clubs.outbox.http_post import PRIVATE
from clubs.views.api import webhooks
from clubs.views.club.menu import waiting_in
from clubs.webhooks.channel import signature
from scoresheets.models.sheet import new_token
from tests.clubs.outbox.sending import deliver_due
from tests.clubs.visitors import account, get, post, text
from tests.receiver import receiving

pytestmark = pytest.mark.django_db
HOOK = "https://9.9.9.9/hooks/a"


@pytest.fixture
def flo(club: Club) -> Client:
    organiser, _ = account(club, "organiser", name="Flo")
    return organiser


@pytest.fixture
def hook(club: Club) -> Webhook:
    return Webhook.objects.create(club=club, form="signed", url=HOOK, secret="s" * 43)


def given_up(hook: Webhook) -> Delivery:
    event, now = Event.objects.create(club=hook.club, kind="result", key="1"), timezone.now()
    more = {"message": {}, "attempts": 9, "given_up_at": now, "problem": "It answered 500."}
    return Delivery.objects.create(event=event, channel="webhook", webhook=hook, **more)


def test_address_is_saved_and_its_secret_shown_for_the_signed_form_alone(club: Club, flo: Client) -> None:
    for form in ("discord", "signed"):
        assert post(flo, "webhooks", club, do="save", form=form, url=f" {HOOK} ").status_code == 303
    page = text(get(flo, "webhooks", club))
    discord, signed = Webhook.objects.order_by("form")
    assert page.count(HOOK) == 2
    assert signed.secret in page
    assert discord.secret not in page
    assert len(signed.secret) == 43
    assert AuditEntry.objects.filter(says="Named a webhook for Discord.").exists()


def test_address_of_a_private_network_is_refused_with_what_was_typed(club: Club, flo: Client) -> None:
    answer = post(flo, "webhooks", club, do="save", form="signed", url="https://192.168.1.9/x")
    assert answer.status_code == 422
    assert PRIVATE in text(answer)
    assert "https://192.168.1.9/x" in text(answer)
    assert not Webhook.objects.exists()


def test_what_waits_goes_to_an_address_that_is_mended_at_once_and_in_order(
    club: Club, flo: Client, hook: Webhook, settings: Any
) -> None:
    """Also what has let others go first; only its secret stays as it was."""
    settings.PRIVATE_WEBHOOKS = True
    hook.url = "http://127.0.0.1:9/typo"
    hook.save()
    for key in ("1", "2"):
        announce(club, Event.Kind.TEST, key, webhook=hook.pk)
    expand_events()
    later = timezone.now() + datetime.timedelta(hours=3)
    Delivery.objects.update(not_before=later, attempts=9, turn=1, problem="It answered with status 404.")
    Delivery.objects.filter(event__key__endswith="-2").update(turn=0)
    page = text(get(flo, "webhooks", club))
    assert "2 messages wait. They are sent to the address that is saved here." in page
    with receiving() as receiver:
        post(flo, "webhooks", club, do="save", form="signed", url=receiver.url())
        while deliver_due():
            pass
        ids = [json.loads(each.body)["id"] for each in receiver.got]
    assert ids == list(Event.objects.order_by("pk").values_list("pk", flat=True))
    now = Webhook.objects.get()
    assert (now.pk, now.url, now.secret, now.made_at) == (hook.pk, receiver.url(), hook.secret, hook.made_at)
    assert AuditEntry.objects.filter(says="Changed the address of the webhook for another program.").exists()


def test_attempt_at_the_old_address_says_nothing_about_the_new_one(club: Club, flo: Client, hook: Webhook) -> None:
    announce(club, Event.Kind.TEST, "1", webhook=hook.pk)
    expand_events()
    delivery = Delivery.objects.get()
    assert claim(delivery)
    under_way = Delivery.objects.select_related("event").get()
    post(flo, "webhooks", club, do="save", form="signed", url="https://9.9.9.9/other")
    failed(under_way, 0, NotDelivered("It answered with status 410.", for_good=True), datetime.timedelta(days=3))
    row = Delivery.objects.get()
    assert (row.given_up_at, row.attempts, row.problem) == (None, 0, "")


def test_message_is_signed_with_the_secret_of_the_moment(club: Club, flo: Client, hook: Webhook, settings: Any) -> None:
    settings.PRIVATE_WEBHOOKS = True
    with receiving() as receiver:
        Webhook.objects.update(url=receiver.url())
        announce(club, Event.Kind.TEST, "1", webhook=hook.pk)
        expand_events()
        old = Delivery.objects.select_related("webhook", "event__club").get()
        post(flo, "webhooks", club, do="secret", form="signed")
        attempt(old)
    (got,) = receiver.got
    secret = Webhook.objects.get().secret
    assert got.headers["X-Signature"] == f"sha256={signature(secret, got.headers['X-Timestamp'], got.body)}"
    assert secret != hook.secret


def test_addresses_are_not_looked_up_without_end(club: Club, flo: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(webhooks, "look_up", looked.append)
    statuses = {post(flo, "webhooks", club, do="save", form="signed", url=f"{HOOK}{k}").status_code for k in range(30)}
    assert statuses == {303, 429}
    assert len(looked) == 20


def test_page_says_by_what_a_program_sorts(club: Club, flo: Client, hook: Webhook) -> None:
    assert "Sort by <code>id</code> in the body" in text(get(flo, "webhooks", club))


def test_same_address_again_changes_nothing(club: Club, flo: Client, hook: Webhook) -> None:
    post(flo, "webhooks", club, do="save", form="signed", url=HOOK)
    assert Webhook.objects.get() == hook
    assert not AuditEntry.objects.filter(says__contains="webhook").exists()


def test_webhook_is_removed_with_what_still_waits(club: Club, flo: Client, hook: Webhook) -> None:
    given_up(hook)
    post(flo, "webhooks", club, do="remove", form="signed")
    assert not Webhook.objects.exists()
    assert not Delivery.objects.exists()


def test_new_secret_replaces_the_old_one(club: Club, flo: Client, hook: Webhook) -> None:
    post(flo, "webhooks", club, do="secret", form="signed")
    assert Webhook.objects.get().secret != hook.secret


def test_test_goes_the_way_of_everything_else_and_once_a_tap(club: Club, flo: Client, hook: Webhook) -> None:
    key = new_token()
    for _ in range(2):
        post(flo, "webhooks", club, do="test", form="signed", key=key)
    event = Event.objects.get()
    assert (event.kind, event.details) == ("test", {"webhook": hook.pk})
    for bad in ("", "x", "?" * 22):
        post(flo, "webhooks", club, do="test", form="signed", key=bad)
    assert Event.objects.count() == 1


def test_form_that_is_none_is_refused(club: Club, flo: Client) -> None:
    assert post(flo, "webhooks", club, do="save", form="carrier-pigeon", url=HOOK).status_code == 422


def test_organiser_is_told_what_was_given_up_until_they_have_read_it(club: Club, flo: Client, hook: Webhook) -> None:
    given_up(hook)
    assert [way.does for way in waiting_in(club)] == ["1 message to a webhook was given up"]
    page = text(get(flo, "webhooks", club))
    assert "A message was given up" in page
    assert "Given up. It answered 500." in page
    post(flo, "webhooks", club, do="read")
    assert waiting_in(club) == []
    assert "A message was given up" not in text(get(flo, "webhooks", club))


def test_delivery_that_failed_says_when_it_is_tried_again(club: Club, flo: Client, hook: Webhook) -> None:
    delivery = given_up(hook)
    Delivery.objects.filter(pk=delivery.pk).update(given_up_at=None, attempts=2)
    assert "It answered 500. Tried 2 times, again at " in text(get(flo, "webhooks", club))


@pytest.mark.parametrize("role", ["member", "guest", None])
def test_only_organisers_see_it(club: Club, role: str | None, hook: Webhook) -> None:
    visitor = account(club, role, name="Gus")[0] if role else Client()
    assert get(visitor, "webhooks", club).status_code in (302, 403)
    assert post(visitor, "webhooks", club, do="remove", form="signed").status_code in (302, 403)
    assert Webhook.objects.exists()


def test_page_asks_the_same_however_much_was_sent(
    club: Club, flo: Client, hook: Webhook, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        event = Event.objects.create(club=club, kind="result", key=f"{number}")
        Delivery.objects.create(event=event, channel="webhook", webhook=hook, message={})
    get(flo, "webhooks", club)
    with django_assert_max_num_queries(8):
        get(flo, "webhooks", club)
