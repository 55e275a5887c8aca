"""What comes in several steps is told once, as it is in the end; and in which order it reaches somebody."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from clubs.members.merge import merge
from clubs.models import Award, Chair, Club, Delivery, Event, Member, Night, NoticeSettings, Table
from clubs.nights.nights import plan_nights
from clubs.notices.audience import NEWER, SETTLES, has_newer
from clubs.notices.choices import NOT_WANTED
from clubs.notices.mail import MailChannel
from clubs.notices.texts import LOOK_AGAIN, NOT_TRUE, NOT_YET
from clubs.outbox.deliver import expand_events, is_expanded
from clubs.outbox.events import announce
from clubs.trophies.awards import answer, award, put_back, raise_dispute, undo
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TableFactory, TrophyFactory, played
from tests.clubs.notices.hearing import (
    ALL,
    Phone,
    PushService,
    has_mail,
    has_phone,
    told,
    trophy_given,
    trophy_of,
    wants,
)
from tests.clubs.outbox.sending import deliver_due
from tests.clubs.trophy_night import first_wins, play_to_the_end, take_last_hand_back, third_wins
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db
Kind = Event.Kind

#: Eight in the evening in Berlin.
EIGHT = datetime.datetime(2026, 7, 9, 18, 0, tzinfo=datetime.UTC)
DECIDED, CHANGED = "are decided", "has changed"


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", visibility="link", time_zone="Europe/Berlin")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(EIGHT, tick=False) as clock:
        yield clock


@pytest.fixture
def flo(club: Club) -> Member:
    """She has mail."""
    _, flo = account(club, name="Flo")
    has_mail(flo, "flo@mail.example")
    return flo


def mails_after(clock: time_machine.Traveller, **later: float) -> list[str]:
    """What the mails say that come meanwhile."""
    before = len(mail.outbox)
    deliver_due()
    clock.shift(datetime.timedelta(**later))
    deliver_due()
    return [letter.body.splitlines()[0] for letter in mail.outbox[before:]]


# Corrections


def test_corrections_that_are_typed_one_by_one_are_one_mail_with_the_last_result(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    assert mails_after(clock, minutes=5) == []
    third_wins(table)
    assert mails_after(clock, minutes=1) == []
    first_wins(table)
    assert mails_after(clock, minutes=1) == []
    third_wins(table)
    assert mails_after(clock, minutes=1.9) == []
    (said,) = mails_after(clock, minutes=0.2)
    assert said.endswith("Now: place 3 with 19.")
    rows = Delivery.objects.filter(channel="mail").order_by("pk")
    assert [(row.problem, row.seen_at is not None) for row in rows] == [(NEWER, True), (NEWER, True), ("", False)]
    assert not Delivery.objects.exclude(message={}).exists(), "no name waits any longer"


def test_corrections_of_two_tables_are_two_mails(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    night = NightFactory(club=club, on=club.today())
    for number in (1, 2):
        third_wins(played(night, [flo, *four[1:]], number=number))
    assert len(mails_after(clock, minutes=3)) == 2


def test_correction_that_comes_by_mail_and_on_a_phone_waits_on_both_and_drops_its_own_alone(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    has_phone(four[1])
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    third_wins(table)
    expand_events()
    first_wins(table)
    expand_events()
    rows = Delivery.objects.filter(event__kind="corrected").order_by("pk")
    waiting = [(row.channel, row.given_up_at is None) for row in rows]
    assert sorted(waiting) == [("mail", False), ("mail", True), ("push", False), ("push", True)]
    assert {row.not_before - EIGHT for row in rows} == {SETTLES[Kind.CORRECTED]}


def test_correction_waits_for_quiet_hours_that_begin_before_it_is_told(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    wants(flo, mail=ALL, quiet_from=datetime.time(20, 1), quiet_until=datetime.time(8))
    third_wins(played(NightFactory(club=club, on=club.today()), [flo, *four[1:]]))
    assert mails_after(clock, hours=11) == []
    assert len(mails_after(clock, hours=1)) == 1


def test_correction_that_comes_due_while_the_game_is_open_again_is_told_when_it_has_ended(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    third_wins(table)
    assert mails_after(clock, minutes=1) == []
    take_last_hand_back(table)
    assert mails_after(clock, minutes=3) == []
    row = Delivery.objects.filter(channel="mail").latest("pk")
    assert (row.given_up_at, row.problem) == (None, NOT_YET)
    assert row.not_before > EIGHT + SETTLES[Kind.CORRECTED] + datetime.timedelta(seconds=LOOK_AGAIN)
    events = Event.objects.count()
    play_to_the_end(table)
    assert Event.objects.count() == events, "it ended as it was announced"
    (said,) = mails_after(clock, minutes=2)
    assert said.endswith("Now: place 1 with 26.")
    assert mails_after(clock, hours=4) == []


def test_correction_that_is_written_down_while_the_game_is_open_again_reaches_who_sits_there(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    take_last_hand_back(table)
    announce(club, Kind.CORRECTED, "1", night=table.night, table=table)
    expand_events()
    play_to_the_end(table)
    (said,) = mails_after(clock, minutes=3)
    assert "Now: place " in said


def test_correction_of_a_table_that_is_open_again_and_taken_away_is_over(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    third_wins(table)
    expand_events()
    take_last_hand_back(table)
    Table.objects.filter(pk=table.pk).update(withdrawn_at=timezone.now())
    clock.shift(datetime.timedelta(minutes=3))
    assert mails_after(clock, minutes=1) == []
    row = Delivery.objects.filter(channel="mail").latest("pk")
    assert (row.problem, row.seen_at == row.given_up_at) == (NOT_TRUE, True)


def test_correction_of_a_game_that_stays_open_is_given_up_after_two_days(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    third_wins(table)
    expand_events()
    take_last_hand_back(table)
    clock.shift(MailChannel.lasts)
    assert mails_after(clock, minutes=5) == []
    row = Delivery.objects.filter(channel="mail").latest("pk")
    assert (row.given_up_at is None, row.problem) == (False, NOT_YET)


@pytest.mark.parametrize("meanwhile", ["nothing", "delivered"])
def test_later_correction_that_is_written_down_first_is_told_alone(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller, meanwhile: str
) -> None:
    table = played(NightFactory(club=club, on=club.today()), [flo, *four[1:]])
    third_wins(table)
    first = Event.objects.get(kind=Kind.CORRECTED)
    first_wins(table)
    second = Event.objects.filter(kind=Kind.CORRECTED).latest("pk")
    assert is_expanded(second.pk)
    if meanwhile == "delivered":
        Delivery.objects.filter(event=second).update(delivered_at=timezone.now(), message={})
    assert is_expanded(first.pk)
    assert len(mails_after(clock, minutes=3)) == (0 if meanwhile == "delivered" else 1)
    assert Delivery.objects.get(event=first).problem == NEWER
    assert Delivery.objects.get(event=second).delivered_at is not None


def test_later_correction_on_one_phone_keeps_back_no_other_phone(
    club: Club, four: list[Member], clock: time_machine.Traveller
) -> None:
    has_phone(four[0])
    has_phone(four[0], Phone("https://push.example/for/another"))
    third_wins(played(NightFactory(club=club, on=club.today()), four))
    expand_events()
    one, other = Delivery.objects.select_related("event").order_by("pk")
    later = Event.objects.create(club=club, kind=Kind.CORRECTED, night=one.event.night, table=one.event.table, key="1")
    Delivery.objects.create(event=later, channel="push", member=four[0], subscription=one.subscription)
    assert (has_newer(one), has_newer(other)) == (True, False)


# Trophies


def test_trophies_that_are_confirmed_one_after_the_other_are_told_once(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), four)
    for name in ("The Cup", "The Boot"):
        trophy_of(table, four[0], TrophyFactory(club=club, goes="other", name=name))
    (said,) = mails_after(clock, minutes=3)
    assert DECIDED in said


def test_trophy_that_is_taken_back_and_put_back_is_told_each_time(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    won = trophy_of(played(NightFactory(club=club, on=club.today()), four), four[0])
    assert len(mails_after(clock, minutes=3)) == 1
    for change in (undo, put_back, undo):
        for _ in range(2):
            change(won, by=None)
        (said,) = mails_after(clock, minutes=3)
        assert CHANGED in said, change


def test_what_is_given_and_taken_back_meanwhile_is_told_to_nobody(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), four)
    undo(trophy_of(table, four[0]), by=None)
    assert mails_after(clock, minutes=3) == []
    won = trophy_of(table, four[0], TrophyFactory(club=club, goes="other", name="The Boot"))
    assert len(mails_after(clock, minutes=3)) == 1
    undo(won, by=None)
    deliver_due()
    put_back(won, by=None)
    assert mails_after(clock, minutes=3) == []
    assert Delivery.objects.filter(problem=NOT_TRUE, seen_at__isnull=False).exists()


def test_trophy_that_a_correction_moves_is_told_once(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    won = trophy_of(played(NightFactory(club=club, on=club.today()), four), four[0])
    assert len(mails_after(clock, minutes=3)) == 1
    raise_dispute(won, "The sheet names {} now.", member=four[1])
    answer(won.disputes.get(), "move", by=None)
    (said,) = mails_after(clock, minutes=3)
    assert CHANGED in said


def test_trophy_that_is_given_to_somebody_else_on_the_same_day_is_told_again(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    first = trophy_given(club)
    assert len(mails_after(clock, minutes=3)) == 1
    undo(first, by=None)
    award(first.trophy, four[1], on=club.today(), source=Award.Source.TYPED, confirmed=True)
    (said,) = mails_after(clock, minutes=3)
    assert CHANGED in said


def cup_told_to_flo_alone(club: Club, four: list[Member], clock: time_machine.Traveller) -> Table:
    """A table whose winner has The Cup: Flo was told, Gus has quiet hours for another seven minutes."""
    _, gus = account(club, name="Gus")
    has_mail(gus, "gus@mail.example")
    wants(gus, mail=ALL, quiet_from=datetime.time(19), quiet_until=datetime.time(20, 10))
    table = played(NightFactory(club=club, on=club.today()), four)
    trophy_of(table, four[0], TrophyFactory(club=club, goes="other", name="The Cup"))
    assert len(mails_after(clock, minutes=3)) == 1
    return table


def test_whoever_was_not_told_of_the_trophies_yet_hears_of_them_when_a_change_is_undone(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = cup_told_to_flo_alone(club, four, clock)
    assert [letter.to for letter in mail.outbox] == [["flo@mail.example"]]
    boot = trophy_of(table, four[1], TrophyFactory(club=club, goes="other", name="The Boot"))
    assert mails_after(clock, minutes=1) == []
    undo(boot, by=None)
    (said,) = mails_after(clock, minutes=20)
    assert mail.outbox[-1].to == ["gus@mail.example"]
    assert DECIDED in said


def test_trophies_have_changed_for_those_alone_who_were_told_before(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = cup_told_to_flo_alone(club, four, clock)
    trophy_of(table, four[1], TrophyFactory(club=club, goes="other", name="The Boot"))
    assert len(mails_after(clock, minutes=20)) == 2
    said = {letter.to[0]: letter.body.splitlines()[0] for letter in mail.outbox[1:]}
    assert CHANGED in said["flo@mail.example"]
    assert DECIDED in said["gus@mail.example"]


def test_whoever_was_told_of_the_trophies_under_a_record_that_was_merged_hears_of_a_change(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    table = played(NightFactory(club=club, on=club.today()), four)
    won = trophy_of(table, four[0])
    assert len(mails_after(clock, minutes=3)) == 1
    double = MemberFactory(club=club, name="Florence")
    Delivery.objects.filter(member=flo).update(member=double)
    merge(double, flo, by=None)
    undo(won, by=None)
    (said,) = mails_after(clock, minutes=3)
    assert CHANGED in said


def test_trophies_of_two_nights_do_not_drop_one_another(
    club: Club, flo: Member, four: list[Member], clock: time_machine.Traveller
) -> None:
    for days in (0, 1):
        table = played(NightFactory(club=club, on=club.today() - datetime.timedelta(days=days)), four)
        trophy_of(table, four[0], TrophyFactory(club=club, goes="other", name=f"Cup {days}"))
    assert len(mails_after(clock, minutes=3)) == 2


# Whose choice counts


def test_choice_of_a_record_that_was_merged_away_does_not_count_any_more(club: Club, flo: Member) -> None:
    double = MemberFactory(club=club, name="Florence")
    wants(double, mail=["planned"])
    plan_nights(Night(club=club, on=club.today() + datetime.timedelta(days=3)))
    assert set(told("mail")) == {"Flo"}
    merge(double, flo, by=None)
    NoticeSettings.objects.filter(member=flo).update(mail=["drawn"])
    deliver_due()
    assert mail.outbox == []
    assert Delivery.objects.get(channel="mail").problem == NOT_WANTED


# The order


def test_notices_of_one_evening_come_in_the_order_in_which_they_are_true(
    club: Club, four: list[Member], clock: time_machine.Traveller, service: PushService
) -> None:
    ann, phone = four[0], service.phone()
    has_phone(ann, phone)
    wants(ann, push=ALL, quiet_from=datetime.time(22), quiet_until=datetime.time(8))
    night = NightFactory(club=club, on=club.today())
    seats = [TableFactory(night=night, number=number) for number in (8, 9)]
    for table in seats:
        Chair.objects.create(table=table, place=1, member=ann)

    def passes(**time: float) -> None:
        deliver_due()
        clock.shift(datetime.timedelta(**time))
        deliver_due()

    played_out = played(night, four)
    passes(minutes=10)
    third_wins(played_out)
    passes(seconds=30)
    announce(club, Kind.DRAWN, "1", night=night, tables=[seats[0].pk])
    passes(minutes=10)
    first_wins(played_out)
    passes(hours=2)
    # In quiet hours: the final comes at once, what can wait waits.
    trophy_of(played_out, ann)
    passes(minutes=1)
    announce(club, Kind.FINALS, "2", night=night, tables=[seats[1].pk])
    passes(minutes=5)
    plan_nights(Night(club=club, on=club.today() + datetime.timedelta(days=7)))
    passes(hours=9)
    assert timezone.now().astimezone(club.zone).hour == 7
    assert len(service.requests) == 4
    passes(hours=1)
    assert [phone.read(body)["title"].removeprefix("The Trumps: ") for _, _, body in service.requests] == [
        "Tables are drawn", "your result was corrected", "your result was corrected", "Finals are drawn",
        "the trophies moved", "A night is planned",
    ]  # fmt: skip
