"""What was given up is told to the owner of the site: on their page, and once a day in the journal."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Delivery, Event
from clubs.outbox.given_up import SAID, given_up_since, note_given_up
from clubs.server import daily_jobs
from tests.club_factories import UserFactory
from tests.clubs.outbox.sending import webhook_of

pytestmark = pytest.mark.django_db
A_DAY = datetime.timedelta(days=1)
REFUSED, NO_CONTACT = "The mail server refused the address.", "It answered with status 403."


def gave_up(club: Club, channel: str, problem: str, *, days: float = 0.0, is_over: bool = False, **more: Any) -> None:
    """So many days ago."""
    at = timezone.now() - days * A_DAY
    event = Event.objects.create(club=club, kind="result", key=f"{Event.objects.count()}")
    seen = {"seen_at": at} if is_over else {}
    Delivery.objects.create(event=event, channel=channel, problem=problem, given_up_at=at, **seen, **more)


@pytest.fixture
def several(club: Club) -> Club:
    """Given up in a week: three mails, a notice, a message to a webhook of which an organiser knows."""
    gave_up(club, "mail", REFUSED, days=0.5)
    gave_up(club, "mail", "The email could not be sent: TimeoutError.", days=2)
    gave_up(club, "mail", "The email could not be sent: TimeoutError.", days=6.9)
    gave_up(club, "push", NO_CONTACT, days=3)
    gave_up(club, "webhook", "It answered with status 410.", days=4, webhook=webhook_of(club))
    Delivery.objects.filter(channel="webhook").update(seen_at=timezone.now())
    gave_up(club, "mail", "Long ago.", days=7.1)
    gave_up(club, "push", "It came too late to be told.", is_over=True)
    event = Event.objects.create(club=club, kind="result", key="waits")
    Delivery.objects.create(event=event, channel="push", problem="It waits.")
    Delivery.objects.create(event=event, channel="mail", delivered_at=timezone.now())
    return club


def test_it_is_counted_by_channel_with_the_last_reason(several: Club, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        rows = given_up_since(timezone.now() - 7 * A_DAY)
    assert [(str(row), row.reason) for row in rows] == [
        ("3 emails", REFUSED), ("1 notice on a phone", NO_CONTACT),
        ("1 message to a webhook", "It answered with status 410."),
    ]  # fmt: skip


def test_owner_reads_it_on_their_page(several: Club, client: Client) -> None:
    client.force_login(UserFactory(email="ona@example.org", is_superuser=True))
    page = " ".join(client.get("/owner/").text.split())
    assert f"<b>3 emails</b>. The last reason: {REFUSED} <br> <b>1 notice on a phone</b>. {NO_CONTACT}" in page
    Delivery.objects.all().delete()
    assert "Given up" not in client.get("/owner/").text


def test_journal_has_one_line_a_day(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    cache.delete_many([daily_jobs.DONE, SAID])
    gave_up(club, "mail", REFUSED)
    gave_up(club, "push", NO_CONTACT)
    now = timezone.now()
    for hours in (0, 1, 12, 22, 23.5):
        with time_machine.travel(now + datetime.timedelta(hours=hours), tick=False):
            daily_jobs.run_if_due()
    lines = [record.getMessage() for record in caplog.records if "Given up" in record.getMessage()]
    (line,) = lines
    assert line == (
        "Given up since yesterday: 1 email (the last because: The mail server refused the address); "
        "1 notice on a phone (the last because: It answered with status 403)."
    )
    caplog.clear()
    with time_machine.travel(now + 2 * A_DAY, tick=False):
        daily_jobs.run_if_due()
    assert "Given up" not in caplog.text, "nothing new"


def test_day_on_which_nothing_was_given_up_has_no_line(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    gave_up(club, "push", "It was not true any more.", is_over=True)
    note_given_up()
    assert caplog.text == ""
