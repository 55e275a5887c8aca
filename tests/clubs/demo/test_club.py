"""The demo club: two seasons of nights, made by dice and the rules."""

import datetime
import random

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.demo import club as demo_club
from clubs.evening.summary import evenings
from clubs.models import Award, Club, Member, Night, Placing, PlayOff, Table, User
from clubs.play_offs.state import now
from rules import find_game
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Sheet
from scoresheets.opening.sweep import sweep
from tests.clubs.accounts.test_sign_in import ASK, sign_in
from tests.demo.random_games import whole_game
from tests.factories import scorer

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_club_of_twenty_has_forty_nights_in_five_games():
    assert demo_club.load() is True
    assert demo_club.load() is False
    club = Club.objects.get()
    assert club.is_demo
    assert club.members.count() == 20
    assert club.nights.count() == 40
    assert club.seasons.count() == 2
    assert len({table.game for table in Table.objects.all()}) == 5
    tonight = Night.objects.first()
    assert (tonight.on, tonight.closed_at) == (club.today(), None)
    assert [table.ended_at for table in tonight.tables.all()] == [None, None]
    assert not Table.objects.exclude(night=tonight).filter(ended_at=None).exists()
    for table in Table.objects.select_related("sheet"):
        assert read_sheet(table.sheet).sheet.unread == ()
    for member in Member.objects.all():
        assert member.placings.count() >= 3, member
    assert Placing.objects.filter(winner=True).count() >= 60
    over, running = PlayOff.objects.order_by("night__on")
    state = now(over)
    assert state.is_over
    assert (running.night, now(running).due) == (tonight, ())
    # What is seldom seen: a blind hand for a place, and the loser's trophy at the winners' table.
    assert any(ask.startswith("tie-") for group in state.groups.tables for _, ask in group.reading.entries)
    assert state.outcome is not None
    assert state.outcome.crossed
    took = Award.objects.confirmed().filter(source=Award.Source.PLAY_OFF, table__night=over.night)
    assert {award.trophy.goes for award in took} == {"winner", "loser"}
    for award in took:
        before = Award.objects.confirmed().filter(trophy=award.trophy, on__lt=over.night.on).order_by("-on").first()
        assert before is not None
        assert before.member != award.member, "the trophies move"
        assert Award.objects.confirmed().filter(trophy=award.trophy).earliest("on").on < over.night.on
    tables = Table.objects.filter(stage__play_off=over)
    assert sum(table.placings.count() for table in tables) == over.night.attendances.filter(says="here").count()


@pytest.mark.thorough
def test_nobody_at_the_demo_tables_breaks_a_rule_without_noticing():
    demo_club.load()
    remarks = [
        (table.game, row.hand.number, read.game.remark(row.hand))
        for table in Table.objects.select_related("sheet")
        for read in [read_sheet(table.sheet)]
        for row in read.sheet.rows
    ]
    assert len(remarks) > 40
    assert [one for one in remarks if one[2]] == []


@pytest.mark.thorough
def test_who_says_to_take_no_trick_now_and_then_takes_none():
    game, dice, made = find_game("bird-dog"), random.Random(7), []
    for _ in range(8):
        table = game.open_table(range(1, 4), 1, {})
        steps = whole_game(dice, game, table, steady={})
        for (hand, ask), step in steps.items():
            if ask == "nil" and (seat := step.get("nil")):
                made.append(steps[hand, "tricks"][f"tricks-{seat}"] == 0)
    assert len(made) / 4 < made.count(True) < len(made)


@pytest.mark.thorough
def test_demo_club_goes_without_a_trace_and_leaves_everything_else():
    mine = scorer(["Ann", "Gus", "Zoe"])
    demo_club.load()
    assert demo_club.remove() is True
    assert demo_club.remove() is False
    assert list(Sheet.objects.all()) == [mine.sheet]
    assert Player.objects.count() == 3
    assert (Club.objects.count(), Member.objects.count(), User.objects.count()) == (0, 0, 0)


@pytest.mark.thorough
def test_sheet_that_was_brought_into_the_demo_club_stays_when_it_goes():
    mine = scorer(["Ann", "Gus", "Zoe"])
    demo_club.load()
    night = Night.objects.first()
    Table.objects.create(night=night, number=99, game="dirty-dog", sheet=mine.sheet, source=Table.Source.BROUGHT)
    Sheet.objects.filter(pk=mine.sheet.pk).update(home=night.get_absolute_url(), members_only=True)
    demo_club.remove()
    left = Sheet.objects.get()
    assert (left.pk, left.home, left.members_only) == (mine.sheet.pk, "", False)
    assert Player.objects.count() == 3


@pytest.mark.thorough
def test_organiser_of_the_demo_comes_in_by_a_code_from_the_terminal(client):
    assert demo_club.demo_access() is None
    demo_club.load()
    access = demo_club.demo_access()
    assert client.get(access.path, follow=True).status_code == 200
    assert access.sign_in == ASK
    sign_in(client, access.organiser)
    assert client.get(reverse("organise", args=["the-kennel"])).status_code == 200


@pytest.mark.thorough
def test_times_of_a_past_night_are_those_of_that_night():
    demo_club.load()
    table = Table.objects.order_by("night__on").first()
    assert table.sheet.opened_at == table.night.begun_at
    assert table.night.begun_at < table.ended_at < table.night.begun_at + datetime.timedelta(hours=4)
    assert timezone.localdate(table.ended_at) == table.night.on


@pytest.mark.thorough
def test_blank_sheet_of_a_night_is_not_swept(settings):
    demo_club.load()
    night = Night.objects.first()
    sheet = scorer(4).sheet
    Table.objects.create(night=night, number=9, game=sheet.game, sheet=sheet)
    scorer(4)
    settings.BLANK_SHEETS_STAY_HOURS = 0
    assert sweep() == 1
    assert Sheet.objects.filter(pk=sheet.pk).exists()


@pytest.mark.thorough
def test_tables_of_tonight_have_played_since_it_began_and_have_half_an_hour_before_them():
    demo_club.load()
    (evening,) = evenings([Night.objects.get(closed_at=None)])
    for seen in evening.running:
        assert seen.idle is not None
        assert seen.idle <= 5
        assert seen.done_at is not None
        assert seen.done_at - timezone.now() > datetime.timedelta(minutes=30)
    assert len(evening.running) == 2
