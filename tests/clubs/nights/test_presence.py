"""The nights of the last year that a member came to."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Attendance, Club, Member
from clubs.nights.presence import presence_of
from tests.club_factories import MemberFactory, NightFactory, scored

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)


def there(club: Club, member: Member) -> list[bool]:
    """Whether they came, night by night."""
    presence = presence_of(club, member, {member.pk})
    return [was_there for _, was_there in presence.nights] if presence else []


@pytest.fixture
def ann(club: Club) -> Member:
    return MemberFactory(club=club, name="Ann", joined_at=timezone.now() - 900 * DAY)


def test_night_counts_by_the_roll_call_or_by_a_game(club: Club, ann: Member) -> None:
    today = club.today()
    other = MemberFactory(club=club)
    nights = [NightFactory(club=club, on=today - days * DAY) for days in (40, 30, 20, 10)]
    Attendance.objects.create(night=nights[0], member=ann, says="here")
    Attendance.objects.create(night=nights[1], member=ann, says="not")
    Attendance.objects.create(night=nights[2], member=ann, says="coming")
    scored(nights[3], [(ann, 5), (other, 3)])
    assert there(club, ann) == [True, False, False, True]


def test_only_nights_of_the_last_year_that_were_held_count(club: Club, ann: Member) -> None:
    today = club.today()
    NightFactory(club=club, on=today - 400 * DAY)
    NightFactory(club=club, on=today + DAY)
    NightFactory(club=club, on=today - 3 * DAY, begun_at=None)
    NightFactory(club=club, on=today - 4 * DAY, archived_at=timezone.now())
    assert presence_of(club, ann, {ann.pk}) is None
    NightFactory(club=club, on=today - 5 * DAY)
    assert there(club, ann) == [False]


def test_nights_before_somebody_joined_and_after_they_left_do_not_count(club: Club, ann: Member) -> None:
    today = club.today()
    nights = [NightFactory(club=club, on=today - days * DAY) for days in (40, 30, 20, 10)]
    ann.joined_at, ann.left_at = timezone.now() - 25 * DAY, timezone.now() - 15 * DAY
    ann.save()
    assert there(club, ann) == [False]
    # A result of the past, from before they joined here.
    scored(nights[1], [(ann, 5), (MemberFactory(club=club), 3)])
    assert there(club, ann) == [True, False]


def test_erased_person_has_no_row_of_nights(club: Club, ann: Member) -> None:
    NightFactory(club=club, on=club.today() - DAY)
    ann.erased_at = timezone.now()
    assert presence_of(club, ann, {ann.pk}) is None


def test_member_page_has_a_mark_for_each_night_and_the_share_in_words(client: Client, club: Club, ann: Member) -> None:
    today = club.today()
    other = MemberFactory(club=club)
    scored(NightFactory(club=club, on=today - 9 * DAY), [(ann, 5), (other, 3)])
    scored(NightFactory(club=club, on=today - 6 * DAY), [(other, 5)])
    scored(NightFactory(club=club, on=today - 3 * DAY), [(ann, 5), (other, 3)])
    html = client.get(ann.get_absolute_url()).content.decode()
    marks = html[html.index('class="marks"') :].split("</p>")[0]
    assert (marks.count("<span"), marks.count('class="there"')) == (3, 2)
    assert re.search(r"There on 67\xa0% of the nights\s+2 of 3", strip_tags(html))
