"""Events and their deliveries: written with what happened, tried until they are made, and given up with a reason."""

from __future__ import annotations

import datetime
import threading
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any
from unittest.mock import Mock

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.utils import DNS_NAME
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Club, Delivery, Event, Member, Night, Webhook
from clubs.outbox import deliver, http_post
from clubs.outbox.channels import NotDelivered
from clubs.outbox.deliver import (
    IN_A_ROW,
    PAUSES,
    SPARE,
    attempt,
    claim,
    expand_events,
    forget_old,
    longest_attempt,
)
from clubs.outbox.events import announce
from clubs.server.daily_jobs import tidy
from tests.club_factories import ClubFactory, NightFactory
from tests.clubs.outbox.conftest import Told
from tests.clubs.outbox.sending import deliver_due, happens, webhook_of

pytestmark = pytest.mark.django_db
AT_EIGHT = datetime.datetime(2026, 3, 5, 20, tzinfo=datetime.UTC)
DOWN = "It answered with status 500."


@pytest.fixture
def clock() -> Any:
    with time_machine.travel(AT_EIGHT, tick=False) as travel:
        yield travel


def test_event_is_one_statement(club: Club) -> None:
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        transaction.atomic(),
    ):
        announce(club, Event.Kind.DRAWN, "1")
    assert len([each for each in queries if "SAVEPOINT" not in each["sql"]]) == 1


def test_event_of_a_transaction_that_is_rolled_back_is_none(club: Club, webhook: Webhook, told: Told) -> None:
    with transaction.atomic():
        announce(club, Event.Kind.DRAWN, "1")
        transaction.set_rollback(True)
    assert deliver_due() == 0
    assert not Event.objects.exists()


def test_same_key_is_announced_once_in_each_club(club: Club) -> None:
    for each in (club, club, ClubFactory()):
        announce(each, Event.Kind.DRAWN, "1")
    assert Event.objects.count() == 2


def test_evening_without_a_club_tells_nobody() -> None:
    announce(ClubFactory(is_evening=True), Event.Kind.DRAWN, "1")
    assert not Event.objects.exists()


def test_event_is_expanded_once(club: Club, webhook: Webhook, told: Told) -> None:
    happens(club)
    assert (expand_events(), expand_events()) == (1, 0)
    assert Delivery.objects.count() == 1


def test_channel_that_breaks_takes_nothing_from_the_others(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Told):
        def deliveries_of(self, event: Event) -> Any:
            raise ValueError(secret())

    monkeypatch.setattr(deliver, "channels", {Delivery.Channel.MAIL: Broken(), Delivery.Channel.WEBHOOK: told})
    happens(club)
    assert deliver_due() == 1
    assert "ValueError" in caplog.text
    assert "Ann" not in caplog.text
    assert expand_events() == 0


def test_each_event_is_expanded_in_a_transaction_of_its_own(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a slow one is looked at, those before it are written, and no transaction is open."""
    events = [happens(club, str(k)) for k in range(3)]
    depth, seen = len(connection.savepoint_ids), []
    slow = told.deliveries_of

    def look(event: Event) -> Any:
        seen.append((Event.objects.filter(expanded_at__isnull=False).count(), len(connection.savepoint_ids) - depth))
        return slow(event)

    monkeypatch.setattr(told, "deliveries_of", look)
    assert expand_events() == len(events)
    assert seen == [(0, 0), (1, 0), (2, 0)]


def test_event_that_the_database_does_not_take_now_keeps_no_other_waiting(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = happens(club, "1"), happens(club, "2")
    usual = told.deliveries_of

    def look(event: Event) -> Any:
        if event.pk == first.pk:
            raise OperationalError("database is locked")
        return usual(event)

    monkeypatch.setattr(told, "deliveries_of", look)
    assert expand_events() == 1
    assert Delivery.objects.get().event == second
    assert "locked" in caplog.text
    monkeypatch.setattr(told, "deliveries_of", usual)
    assert expand_events() == 1
    assert Delivery.objects.count() == 2


def test_many_events_are_expanded_with_few_statements_each(
    club: Club, webhook: Webhook, told: Told, django_assert_max_num_queries: Any
) -> None:
    for k in range(60):
        happens(club, str(k))
    with django_assert_max_num_queries(1 + 60 * 9):
        assert expand_events() == 60


@pytest.mark.django_db(transaction=True)
def test_receiver_that_is_removed_while_an_event_is_expanded_takes_nothing_from_the_others(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other = webhook_of(club, Webhook.Form.DISCORD)
    happens(club)
    usual = told.deliveries_of

    def look(event: Event) -> Any:
        found = list(usual(event))
        Webhook.objects.filter(pk=webhook.pk).delete()
        return found

    monkeypatch.setattr(told, "deliveries_of", look)
    assert expand_events() == 1
    assert Delivery.objects.get().webhook == other
    assert caplog.text == ""


@pytest.mark.django_db(transaction=True)
def test_event_whose_receivers_change_all_the_time_stays_for_the_next_look(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    happens(club)
    usual = told.deliveries_of
    monkeypatch.setattr(told, "deliveries_of", lambda event: [Delivery(event=event, channel="webhook", webhook_id=0)])
    assert expand_events() == 0
    assert "its receivers change all the time" in caplog.text
    monkeypatch.setattr(told, "deliveries_of", usual)
    assert expand_events() == 1


def test_night_that_is_deleted_while_its_event_is_expanded_is_told_to_nobody(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    announce(club, Event.Kind.LAST_HAND, "1", night=NightFactory(club=club))

    def look(event: Event) -> Any:
        Night.objects.all().delete()
        event.refresh_from_db()

    monkeypatch.setattr(told, "deliveries_of", look)
    assert expand_events() == 0
    assert not Delivery.objects.exists()
    assert caplog.text == ""


@pytest.mark.parametrize(("misses", "is_found"), [(1, 2), (99, 1)])
def test_channel_that_misses_a_row_is_asked_once_more_and_takes_nothing_from_the_others(
    club: Club, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, misses: int,
    is_found: int,
) -> None:  # fmt: skip
    class Forgetful(Told):
        def deliveries_of(self, event: Event) -> Any:
            nonlocal misses
            misses -= 1
            if misses >= 0:
                raise Member.DoesNotExist
            return [Delivery(event=event, channel="mail")]

    webhook_of(club)
    monkeypatch.setattr(deliver, "channels", {Delivery.Channel.MAIL: Forgetful(), Delivery.Channel.WEBHOOK: told})
    happens(club)
    assert expand_events() == 1
    assert Delivery.objects.count() == is_found
    assert ("DoesNotExist" in caplog.text) is (is_found == 1), "nobody is told of what happens now and then"
    assert expand_events() == 0


def test_what_is_delivered_is_not_kept_in_words(club: Club, webhook: Webhook, told: Told) -> None:
    happens(club)
    deliver_due()
    row = Delivery.objects.get()
    assert row.delivered_at is not None
    assert (row.message, row.problem, row.attempts) == ({}, "", 1)
    assert deliver_due() == 0


def test_failure_is_tried_again_after_longer_and_longer_pauses(
    club: Club, webhook: Webhook, told: Told, clock: Any
) -> None:
    happens(club)
    for k in range(12):
        told.fails.append(NotDelivered(DOWN))
        assert deliver_due() == 1
        row = Delivery.objects.get()
        pause = PAUSES[min(k, len(PAUSES) - 1)]
        assert row.not_before == timezone.now() + pause
        assert (row.problem, row.message) == (DOWN, {"text": "Di wins."})
        clock.shift(pause - datetime.timedelta(seconds=1))
        assert deliver_due() == 0
        clock.shift(1)
    assert deliver_due() == 1
    assert told.sent == [Event.objects.get().pk]


@pytest.mark.thorough
def test_receiver_that_fails_for_a_day_loses_nothing(club: Club, webhook: Webhook, told: Told, clock: Any) -> None:
    events = [happens(club, str(k)).pk for k in range(4)]
    told.when_sent = fail
    end = timezone.now() + datetime.timedelta(days=1)
    while timezone.now() < end:
        deliver_due()
        clock.shift(60)
    assert told.sent == []
    told.when_sent = pass_on
    for _ in range(5 * 60):
        clock.shift(60)
        deliver_due()
    assert sorted(told.sent) == events


def secret() -> str:
    """What stands in no journal: messages of errors quote rows."""
    return "of " + "Ann"


def fail(_: Delivery) -> None:
    raise NotDelivered(DOWN)


def pass_on(_: Delivery) -> None:
    pass


def test_failure_is_given_up_when_it_is_too_old(club: Club, webhook: Webhook, told: Told, clock: Any) -> None:
    happens(club)
    told.when_sent = fail
    clock.shift(told.lasts)
    deliver_due()
    assert Delivery.objects.waiting().exists(), "it has lasted just so long"
    clock.shift(datetime.timedelta(hours=4))
    deliver_due()
    row = Delivery.objects.get()
    assert row.given_up_at == timezone.now()
    assert (row.problem, row.message) == (DOWN, {})


def test_failure_for_good_is_given_up_at_once(club: Club, webhook: Webhook, told: Told) -> None:
    happens(club)
    told.fails.append(NotDelivered("x" * 500, for_good=True))
    deliver_due()
    row = Delivery.objects.get()
    assert row.given_up_at is not None
    assert row.problem == "x" * 200
    assert deliver_due() == 0


def test_nobody_misses_what_could_not_even_be_prepared(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    happens(club)
    monkeypatch.setattr(told, "prepare", Mock(side_effect=NotDelivered("Not wanted any more.", for_good=True)))
    deliver_due()
    row = Delivery.objects.get()
    assert row.given_up_at is not None
    assert row.seen_at == row.given_up_at


@pytest.mark.parametrize("when", ["prepared", "sent"])
def test_night_that_is_deleted_meanwhile_is_told_to_nobody_and_no_fault(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    when: str,
) -> None:  # fmt: skip
    announce(club, Event.Kind.LAST_HAND, "1", night=NightFactory(club=club))
    expand_events()
    delivery = Delivery.objects.get()

    def is_gone(_: Delivery) -> Any:
        Night.objects.all().delete()
        if when == "prepared":
            Night.objects.get()
        raise NotDelivered(DOWN)

    monkeypatch.setattr(told, "prepare" if when == "prepared" else "when_sent", is_gone)
    attempt(delivery)
    assert not Delivery.objects.exists()
    assert caplog.text == ""


def test_what_a_message_is_about_that_is_gone_is_over(
    club: Club, webhook: Webhook, told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    happens(club)
    monkeypatch.setattr(told, "prepare", Mock(side_effect=Night.DoesNotExist))
    deliver_due()
    row = Delivery.objects.get()
    assert (row.problem, row.seen_at == row.given_up_at) == (deliver.GONE, True)
    assert caplog.text == ""


def test_delivery_is_read_again_before_it_is_sent(
    club: Club, webhook: Webhook, told: Told, django_assert_max_num_queries: Any
) -> None:
    happens(club)
    expand_events()
    old = Delivery.objects.select_related("webhook", "event__club").get()
    Webhook.objects.update(url="https://9.9.9.9/new", secret="new")
    Club.objects.update(visibility="members")
    seen: list[Any] = []
    told.when_sent = lambda each: seen.append((each.webhook.url, each.webhook.secret, each.event.club.visibility))  # type: ignore[union-attr]
    assert claim(old)
    with django_assert_max_num_queries(2):
        attempt(old)
    assert seen == [("https://9.9.9.9/new", "new", "members")]


def test_receiver_that_asks_for_time_gets_it(club: Club, webhook: Webhook, told: Told, clock: Any) -> None:
    happens(club)
    told.fails += [NotDelivered("Wait.", wait=90), NotDelivered("Wait.", wait=1)]
    for seconds in (90, 30):
        deliver_due()
        assert Delivery.objects.get().not_before == timezone.now() + datetime.timedelta(seconds=seconds)
        clock.shift(seconds)


def test_fault_of_the_site_is_put_off_like_any_other(
    club: Club, webhook: Webhook, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    happens(club)
    told.fails.append(ValueError(secret()))
    deliver_due()
    row = Delivery.objects.get()
    assert (row.problem, row.attempts) == (deliver.FAULT, 1)
    assert row.not_before < timezone.now() + datetime.timedelta(seconds=6)
    assert "ValueError" in caplog.text
    assert "Ann" not in caplog.text


def test_delivery_is_claimed_once(club: Club, webhook: Webhook, told: Told) -> None:
    happens(club)
    expand_events()
    first, second = Delivery.objects.get(), Delivery.objects.get()
    assert (claim(first), claim(second)) == (True, False)
    assert Delivery.objects.get().attempts == 1


def test_claim_of_a_process_that_is_gone_runs_out(club: Club, webhook: Webhook, told: Told, clock: Any) -> None:
    happens(club)
    expand_events()
    assert claim(Delivery.objects.get())
    clock.shift(SPARE + datetime.timedelta(seconds=9))
    assert deliver_due() == 0
    clock.shift(1)
    assert deliver_due() == 1
    assert Delivery.objects.get().attempts == 2


@pytest.mark.parametrize("channel", Delivery.Channel)
def test_claim_lasts_longer_than_the_longest_attempt(club: Club, clock: Any, channel: Delivery.Channel) -> None:
    delivery = Delivery.objects.create(event=happens(club), channel=channel)
    assert claim(delivery)
    assert Delivery.objects.get().not_before == timezone.now() + longest_attempt(channel) + SPARE


def test_attempt_by_mail_may_take_every_step_its_whole_time(settings: Any) -> None:
    """As many waits as there are answers of a mail server that takes only the last way to log in.

    Beside them: three more addresses to connect to, STARTTLS, handshake, EHLO again, and the name, three times as long.
    """
    answers = answers_of_a_mail_server()
    settings.EMAIL_TIMEOUT = 7
    assert longest_attempt(Delivery.Channel.MAIL) >= datetime.timedelta(seconds=7 * (answers + 4 + 3 + 3))
    assert longest_attempt(Delivery.Channel.PUSH) == datetime.timedelta(seconds=http_post.SECONDS)


def answers_of_a_mail_server() -> int:
    """How many an email takes that is sent as the site does."""
    given: list[bytes] = []
    takes = {
        b"EHLO": b"250-here\r\n250 AUTH CRAM-MD5 PLAIN LOGIN",
        b"AUTH": b"334 ",
        b"DATA": b"354 ",
        b"QUIT": b"221 ",
    }

    class Server(StreamRequestHandler):
        def say(self, line: bytes) -> None:
            given.append(line)
            self.wfile.write(line + b"\r\n")

        def handle(self) -> None:
            self.say(b"220 here")
            way, is_text = b"", False
            while given[-1] != b"221 " and (line := self.rfile.readline()):
                verb = line.split()[0].upper() if line.strip() else b""
                if is_text and line != b".\r\n":
                    continue
                is_text = verb == b"DATA"
                if verb == b"AUTH":
                    way = line.split()[1]
                is_last = way == b"LOGIN" and verb != b"AUTH" and given[-1].startswith(b"334")
                refused = b"535 no" if way in (b"PLAIN", b"CRAM-MD5") and verb not in (b"EHLO", b"AUTH") else b""
                refused = b"535 no" if verb == b"AUTH" and way == b"PLAIN" else refused
                self.say(refused or (b"235 yes" if is_last else takes.get(verb, b"250 yes")))

    with ThreadingTCPServer(("127.0.0.1", 0), Server) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        host, port = server.server_address[:2]
        # The machine's own name, which may be one that a name server is asked for.
        DNS_NAME._fqdn = "localhost"
        backend = EmailBackend(host=host, port=port, username="cards", password="secret", use_tls=False, use_ssl=False)
        mail = EmailMessage("A night", "It is planned.", "cards@trumps.example", ["ann@mail.example"])
        try:
            assert backend.send_messages([mail]) == 1
        finally:
            server.shutdown()
            thread.join(10)
    return len(given)


def test_webhook_gets_one_after_another_and_others_do_not_wait(club: Club, told: Told, clock: Any) -> None:
    first, other = webhook_of(club), webhook_of(ClubFactory())
    events = [happens(club, str(k)).pk for k in range(3)]
    elsewhere = happens(other.club).pk
    told.fails.append(NotDelivered(DOWN))
    assert deliver_due() == 2, "the first of each"
    assert told.sent == [elsewhere]
    assert deliver_due() == 0, "the second one waits for the first"
    clock.shift(5)
    while deliver_due():
        pass
    assert told.sent == [elsewhere, *events]
    assert not Delivery.objects.waiting().filter(webhook=first).exists()


def test_webhook_gets_messages_as_things_happened_however_they_were_written(club: Club, told: Told, clock: Any) -> None:
    webhook = webhook_of(club)
    first, second = happens(club, "1"), happens(club, "2")
    for event in (second, first):  # two processes expand them at once
        Delivery.objects.create(event=event, channel="webhook", webhook=webhook)
    Event.objects.update(expanded_at=timezone.now())
    while deliver_due():
        pass
    assert told.sent == [first.pk, second.pk]


def test_message_that_always_fails_makes_room_for_the_next(club: Club, told: Told, clock: Any) -> None:
    webhook_of(club)
    bad, good = happens(club, "1"), happens(club, "2")
    told.when_sent = lambda delivery: fail(delivery) if delivery.event_id == bad.pk else None
    for pause in PAUSES[: IN_A_ROW - 1]:
        deliver_due()
        assert told.sent == []
        clock.shift(pause)
    deliver_due()
    deliver_due()
    assert told.sent == [good.pk]


def test_message_that_waits_for_its_game_lets_the_next_go_at_once(club: Club, told: Told, clock: Any) -> None:
    webhook_of(club)
    early, good = happens(club, "1"), happens(club, "2")
    told.fails = [NotDelivered("The game is open again.", wait=60, makes_room=True)]
    deliver_due()
    deliver_due()
    assert told.sent == [good.pk]
    clock.shift(datetime.timedelta(minutes=1))
    deliver_due()
    assert told.sent == [good.pk, early.pk]


def test_what_is_long_ago_is_forgotten_with_its_deliveries(
    club: Club, webhook: Webhook, told: Told, clock: Any
) -> None:
    happens(club, "old")
    clock.shift(datetime.timedelta(days=1))
    new = happens(club, "new")
    deliver_due()
    clock.shift(datetime.timedelta(days=29, seconds=1))
    forget_old(timezone.now())
    assert list(Event.objects.all()) == [new]
    assert Delivery.objects.get().event == new


def test_daily_jobs_forget_what_is_long_ago(club: Club) -> None:
    happens(club)
    Event.objects.update(at=timezone.now() - datetime.timedelta(days=31))
    tidy()
    assert not Event.objects.exists()


def test_attempt_of_a_delivery_that_was_deleted_meanwhile_is_none(club: Club, webhook: Webhook, told: Told) -> None:
    happens(club)
    expand_events()
    delivery = Delivery.objects.select_related("event").get()
    webhook.delete()
    attempt(delivery)
    assert not Delivery.objects.exists()


def test_idle_look_takes_two_queries(club: Club, webhook: Webhook, told: Told, django_assert_num_queries: Any) -> None:
    happens(club)
    deliver_due()
    with django_assert_num_queries(2):
        deliver_due()
