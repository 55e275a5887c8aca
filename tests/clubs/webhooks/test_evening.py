"""What one evening, and one bad day, looks like to a program that a webhook leads to."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from clubs.models import Club, Delivery, Event, Member, Night, Stage, Webhook
from clubs.outbox.deliver import IN_A_ROW, PAUSES
from clubs.outbox.events import announce
from clubs.projections.worker import catch_up
from clubs.views.club.menu import waiting_in
from tests.club_factories import NightFactory, played
from tests.clubs.outbox.sending import deliver_due
from tests.clubs.play_offs.evening import play_off
from tests.clubs.visitors import account, get, text
from tests.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db
AT_EIGHT = datetime.datetime(2026, 3, 5, 20, tzinfo=datetime.UTC)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.PRIVATE_WEBHOOKS = True
    with receiving() as there:
        yield there


def ids(receiver: Receiver) -> list[int]:
    return [json.loads(each.body)["id"] for each in receiver.got]


def hook_of(club: Club, receiver: Receiver) -> Webhook:
    return Webhook.objects.create(club=club, form="signed", url=receiver.url(), secret="s", made_at=AT_EIGHT)


def deliver_all() -> None:
    while deliver_due():
        pass


def test_messages_of_an_evening_arrive_in_order(receiver: Receiver) -> None:
    evening = play_off((4, 4), places=2)
    hook_of(evening.club, receiver)
    deliver_all()
    for table in evening.groups:
        evening.finish(table, [40, 30, 20, 10])
    evening.open_next()
    evening.finish(evening.final(Stage.Side.WINNERS), [40, 30, 20, 10])
    # The last two come together, and all wait a little.
    evening.finish(evening.final(Stage.Side.LOSERS), [40, 30, 20, 10])
    catch_up()
    deliver_all()
    kinds = [each.headers["X-Event"] for each in receiver.got]
    assert kinds == ["drawn", "result", "result", "finals", "result", "result", "decided"]
    assert ids(receiver) == sorted(ids(receiver))
    assert [json.loads(each.body)["event"] for each in receiver.got] == kinds


def while_waiting(until: datetime.datetime, clock: Any) -> None:
    """Let the time pass, with the real pauses: each time to the moment at which something is due."""
    while True:
        deliver_all()
        due = Delivery.objects.waiting().order_by("not_before").values_list("not_before", flat=True)
        # One that waits for its turn is due all the time.
        due_next = min((at for at in due if at > timezone.now()), default=until)
        if due_next >= until:
            clock.move_to(until)
            return
        clock.move_to(due_next)


def test_receiver_that_answers_500_for_a_whole_day_misses_nothing(
    night: Night, four: list[Member], receiver: Receiver
) -> None:
    club = night.club
    with time_machine.travel(AT_EIGHT, tick=False) as clock:
        webhook = hook_of(club, receiver)
        receiver.usual = 500
        night.on = club.today()
        night.save()
        tables = [played(night, four) for _ in range(3)]
        while_waiting(AT_EIGHT + datetime.timedelta(hours=12), clock)
        announce(club, Event.Kind.TEST, "at noon", webhook=webhook.pk)
        while_waiting(AT_EIGHT + datetime.timedelta(days=1), clock)
        first, second, third, test = Event.objects.order_by("pk")
        assert [event.table for event in (first, second, third)] == tables
        assert ids(receiver)[:IN_A_ROW] == [first.pk] * IN_A_ROW, "one after another"
        assert set(ids(receiver)) == {first.pk, second.pk, third.pk, test.pk}
        assert len(receiver.got) < 60, "longer and longer pauses"
        assert Delivery.objects.waiting().count() == 4
        assert waiting_in(club) == []
        receiver.usual = 204
        receiver.got.clear()
        turns = {row.event_id: row.turn for row in Delivery.objects.all()}
        while_waiting(timezone.now() + PAUSES[-1] + datetime.timedelta(hours=1), clock)
        # As it is promised: who has failed least often has its turn first, and of those the eldest.
        assert ids(receiver) == sorted(turns, key=lambda event: (turns[event], event))
        assert Delivery.objects.filter(delivered_at__isnull=False).count() == 4


def test_what_a_receiver_missed_for_days_is_given_up_with_a_line_for_the_organiser(
    night: Night, four: list[Member], receiver: Receiver
) -> None:
    club = night.club
    with time_machine.travel(AT_EIGHT, tick=False) as clock:
        hook_of(club, receiver)
        receiver.usual = 500
        night.on = club.today()
        night.save()
        played(night, four)
        while_waiting(AT_EIGHT + datetime.timedelta(days=3), clock)
        assert Delivery.objects.waiting().count() == 1
        while_waiting(AT_EIGHT + datetime.timedelta(days=3, hours=4), clock)
        assert Delivery.objects.filter(given_up_at__isnull=False).count() == 1
        assert [way.does for way in waiting_in(club)] == ["1 message to a webhook was given up"]
        organiser, _ = account(club, "organiser", name="Flo")
        page = text(get(organiser, "webhooks", club))
        assert "A message was given up: it could not be delivered." in page
        assert "Given up. It answered with status 500." in page
        # What happens next is sent as ever.
        receiver.usual = 204
        played(NightFactory(club=club, on=club.today()), four)
        deliver_all()
        assert Delivery.objects.filter(delivered_at__isnull=False).count() == 1
