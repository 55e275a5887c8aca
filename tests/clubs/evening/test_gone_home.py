"""Trophies of who went home, and of whom a control page asks."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Attendance, Award, Club, Member, Night, Placing, Table
from tests.club_factories import NightFactory, TrophyFactory, played
from tests.clubs.visitors import account, get, post, text

pytestmark = pytest.mark.django_db
WENT_HOME = "went home</b> and is due"


def won(table: Table, member: Member, name: str = "The Cup", **more: object) -> Award:
    trophy = table.night.club.trophies.filter(name=name).first() or TrophyFactory(
        club=table.night.club, name=name, goes="other"
    )
    more.setdefault("confirmed_at", timezone.now())
    return Award.objects.create(trophy=trophy, member=member, on=table.night.on, source="sheet", table=table, **more)


@pytest.fixture
def today(club: Club) -> Night:
    return NightFactory(club=club, on=club.today())


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("way", ["said so", "in the middle of the table", "at their hour"])
@pytest.mark.parametrize("confirmed", [True, False])
def test_who_went_home_and_is_due_a_trophy_is_seen(
    club: Club, today: Night, four: list[Member], flo: Client, way: str, *, confirmed: bool
) -> None:
    award = won(played(today, four), four[1], confirmed_at=timezone.now() if confirmed else None)
    everywhere = [reverse("club", args=[club.slug]), reverse("control", args=[club.slug, today.pk])]
    for page in everywhere:
        assert WENT_HOME not in flo.get(page).text
    if way == "said so":
        Attendance.objects.create(night=today, member=four[1], says="not")
    elif way == "at their hour":
        Attendance.objects.create(night=today, member=four[1], says="here", leaves=datetime.time(0, 0))
    else:
        Placing.objects.filter(member=four[1]).update(place=None)
    for page in everywhere:
        assert f"Bo</bdi> {WENT_HOME} <bdi>The Cup" in " ".join(flo.get(page).text.split())
    Award.objects.filter(pk=award.pk).update(confirmed_at=timezone.now(), handed_at=timezone.now())
    for page in everywhere:
        assert WENT_HOME not in flo.get(page).text


def test_who_came_after_all_has_not_gone_home(club: Club, today: Night, four: list[Member], flo: Client) -> None:
    Attendance.objects.create(night=today, member=four[1], says="not")
    won(played(today, four), four[1])
    assert WENT_HOME not in text(get(flo, "club", club))
    Attendance.objects.update(at=timezone.now())
    assert WENT_HOME in text(get(flo, "club", club))


def test_nobody_is_due_a_trophy_that_was_archived(club: Club, today: Night, four: list[Member], flo: Client) -> None:
    won(played(today, four), four[1])
    Attendance.objects.create(night=today, member=four[1], says="not")
    assert WENT_HOME in text(get(flo, "club", club))
    club.trophies.update(archived_at=timezone.now())
    assert WENT_HOME not in text(get(flo, "club", club))


def test_who_has_it_from_last_time_is_due_nothing(club: Club, today: Night, four: list[Member], flo: Client) -> None:
    before = NightFactory(club=club, on=club.today() - datetime.timedelta(days=7))
    won(played(before, four), four[1], handed_at=timezone.now())
    won(played(today, four), four[1])
    Attendance.objects.create(night=today, member=four[1], says="not")
    assert WENT_HOME not in text(get(flo, "club", club))


@pytest.mark.thorough
def test_old_control_page_shows_its_own_awards_only(club: Club, today: Night, four: list[Member], flo: Client) -> None:
    before = NightFactory(club=club, on=club.today() - datetime.timedelta(days=7))
    won(played(before, four), four[0], confirmed_at=None)
    won(played(before, four), four[2], "The Dog")
    won(played(today, four), four[1])
    old, new = (text(get(flo, "control", club, night.pk)) for night in (before, today))
    assert "Ann</bdi> won it" in old
    assert "Cy</bdi> has it now" in old
    assert "Bo</bdi> has it now" not in old
    assert "Bo</bdi> has it now" in new
    assert "Ann</bdi> won it" in new, "what still waits is asked where the club plays now"


def test_another_night_of_the_same_day_asks_for_its_own(
    club: Club, today: Night, four: list[Member], flo: Client
) -> None:
    other = NightFactory(club=club, on=today.on, closed_at=timezone.now())
    won(played(today, four), four[1])
    played(other, four)
    assert "has it now" not in text(get(flo, "control", club, other.pk))


def test_handed_over_names_whom_it_is_about(club: Club, today: Night, four: list[Member]) -> None:
    before = NightFactory(club=club, on=club.today() - datetime.timedelta(days=7))
    flo, _ = account(club, "organiser", name="Flo")
    won(played(before, four), four[0], handed_at=timezone.now())
    new = won(played(today, four), four[1], confirmed_at=None)
    page = " ".join(text(get(flo, "trophies", club)).split())
    assert "Bo</bdi> won it" in page
    assert "✓ Handed over to <bdi>Ann</bdi>" in page, "and not to Bo, who waits above it"
    post(flo, "change_award", club, new.pk, "confirm")
    assert "Handed over to" not in text(get(flo, "trophies", club))
    post(flo, "change_award", club, new.pk, "hand-over")
    assert "✓ Handed over to <bdi>Bo</bdi>" in text(get(flo, "trophies", club))
