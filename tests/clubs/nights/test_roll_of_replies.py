"""The roll call begins with what members answered, and an organiser confirms what is right."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from clubs.models import Attendance, Club, Member, Night
from clubs.nights.replies import check_in, check_out, reply, take_back
from clubs.nights.roll_call import Line, answer, close_roll, roll
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, scored
from tests.clubs.night_played import page
from tests.clubs.visitors import account, get, phone, post, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Trumps", visibility="link", time_zone="UTC")


@pytest.fixture
def people(club: Club) -> list[Member]:
    return [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")]


@pytest.fixture
def night(club: Club, people: list[Member]) -> Night:
    """Di and Ed were there last time; Ann said yes, Bo comes late, Cy and Di do not come."""
    scored(NightFactory(club=club, on=club.today() - datetime.timedelta(days=7)), [(people[3], 1), (people[4], 2)])
    tonight = NightFactory(club=club, on=club.today(), begun_at=None)
    ann, bo, cy, di, _ = people
    reply(tonight, ann, "yes", source="phone")
    reply(tonight, bo, "late", source="phone", comes=datetime.time(20, 30))
    for member in (cy, di):
        reply(tonight, member, "no", source="phone")
    return tonight


def lines(night: Night) -> dict[str, Line]:
    return {line.member.name: line for line in roll(night)}


def written(night: Night) -> dict[str, str]:
    return dict(Attendance.objects.filter(night=night).values_list("member__name", "says"))


def newest_on(page: HttpResponse) -> int:
    """The newest reply (id) that the page shows, by its hidden field."""
    (newest,) = re.findall(r'<input[^>]*name="newest"[^>]*value="(\d+)"', text(page))
    return int(newest)


def confirm(organiser: Client, night: Night) -> HttpResponse:
    """What the button on the page as it stands does."""
    newest = newest_on(get(organiser, "roll_call", night.club, night.pk))
    return post(organiser, "roll_call", night.club, night.pk, do="confirm", newest=newest)


def test_replies_are_proposed_and_come_before_what_last_time_suggests(night: Night) -> None:
    proposed = {name: (line.says, line.note, line.is_proposed) for name, line in lines(night).items()}
    assert proposed == {
        "Ann": ("here", "said yes", True), "Bo": ("coming", "late, 20:30", True), "Cy": ("not", "said no", True),
        "Di": ("not", "said no", True), "Ed": ("here", "", False),
    }  # fmt: skip
    assert written(night) == {}


def test_one_tap_confirms_what_was_answered_and_nobody_else(club: Club, night: Night) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    assert "Confirm 4 answers" in page(get(organiser, "roll_call", club, night.pk)).text
    assert confirm(organiser, night).status_code == 303
    assert written(night) == {"Ann": "here", "Bo": "coming", "Cy": "not", "Di": "not"}
    assert "Confirm" not in page(get(organiser, "roll_call", club, night.pk)).text


def test_what_was_changed_before_the_tap_is_kept(club: Club, night: Night, people: list[Member]) -> None:
    ann = people[0]
    close_roll(night, {ann.pk: "not"}, replies_only=True)
    assert written(night) == {"Ann": "not", "Bo": "coming", "Cy": "not", "Di": "not"}
    line = lines(night)["Ann"]
    assert (line.says, line.note, line.is_proposed) == ("not", "said yes", False)


def test_tap_on_what_is_chosen_confirms_one(club: Club, night: Night, people: list[Member]) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    ann = people[0]
    answer = post(organiser, "call", club, night.pk, ann.pk, **{f"call-{ann.pk}": "here"})
    assert written(night) == {"Ann": "here"}
    assert "Confirm 3 answers" in text(answer)
    assert "unconfirmed" not in text(answer)


def test_organisers_word_stays_when_somebody_changes_their_mind_and_the_note_says_so(
    club: Club, night: Night, people: list[Member]
) -> None:
    close_roll(night, {}, replies_only=True)
    reply(night, people[0], "no", source="phone")
    line = lines(night)["Ann"]
    assert (line.says, line.note, line.is_proposed) == ("here", "said no", False)


def test_who_was_missed_and_checks_in_waits_to_be_confirmed(club: Club, night: Night, people: list[Member]) -> None:
    close_roll(night, {}, replies_only=True)
    check_in(night, people[2], source="phone")
    line = lines(night)["Cy"]
    assert (line.says, line.is_proposed) == ("not", True)
    assert line.note.startswith("checked in ")
    close_roll(night, {}, replies_only=True)
    assert written(night)["Cy"] == "here"


def test_drawing_the_tables_writes_down_who_said_no_as_well(night: Night) -> None:
    close_roll(night, {})
    assert written(night) == {"Ann": "here", "Bo": "coming", "Cy": "not", "Di": "not", "Ed": "here"}


def test_roll_hears_live_who_checks_in(club: Club, night: Night, people: list[Member]) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    newest = max(row.pk for row in night.replies.all())
    assert get(organiser, "arrivals", club, night.pk, v=newest).status_code == 204
    check_in(night, people[4], source="phone")
    told = text(get(organiser, "arrivals", club, night.pk, v=newest))
    assert f'id="line-{people[4].pk}"' in told
    assert f'id="line-{people[0].pk}"' not in told
    assert "checked in" in told
    newest += 1
    assert f"?v={newest}" in told
    check_out(night, people[4], source="phone")
    told = text(get(organiser, "arrivals", club, night.pk, v=newest))
    assert f'id="line-{people[4].pk}"' in told
    assert "checked in" not in told
    Night.objects.update(closed_at=timezone.now())
    assert get(organiser, "arrivals", club, night.pk, v=newest).status_code == 286


def test_wrong_place_to_hear_from_is_the_beginning(club: Club, night: Night) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    for v in ("", "x", "-1", "9" * 30):
        assert get(organiser, "arrivals", club, night.pk, v=v).status_code == 200


def test_only_an_organiser_hears_it(club: Club, night: Night, people: list[Member]) -> None:
    assert get(phone(club, people[0]), "arrivals", club, night.pk).status_code == 302
    assert get(Client(), "arrivals", club, night.pk).status_code == 403


def test_nothing_new_costs_few_queries(club: Club, night: Night, django_assert_num_queries: Any) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    newest = max(row.pk for row in night.replies.all())
    with django_assert_num_queries(6):
        assert get(organiser, "arrivals", club, night.pk, v=newest).status_code == 204


# Who speaks last


def test_organisers_word_after_a_check_in_stays(club: Club, night: Night, people: list[Member]) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    ann = people[0]
    check_in(night, ann, source="phone")
    post(organiser, "call", club, night.pk, ann.pk, **{f"call-{ann.pk}": "not"})
    line = lines(night)["Ann"]
    assert (line.says, line.is_proposed) == ("not", False)
    confirm(organiser, night)
    assert written(night)["Ann"] == "not"
    # Whoever goes and comes again is there.
    check_out(night, ann, source="phone")
    check_in(night, ann, source="phone")
    assert lines(night)["Ann"].is_proposed


def test_later_word_of_the_organiser_has_its_own_time(night: Night, people: list[Member]) -> None:
    ann = people[0]
    for says in ("here", "not"):
        before = timezone.now()
        close_roll(night, {ann.pk: says})
        assert Attendance.objects.get(member=ann).at >= before
    before = timezone.now()
    answer(night, ann, "here")
    assert Attendance.objects.get(member=ann).at >= before


# What the organiser has not seen


@pytest.mark.parametrize("do", ["confirm", "draw", ""])
def test_roll_that_has_changed_since_it_was_shown_is_shown_again(
    club: Club, night: Night, people: list[Member], do: str
) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    newest = newest_on(get(organiser, "roll_call", club, night.pk))
    ann, bo, *_ = people
    reply(night, ann, "no", source="phone")
    taps = {f"was-{bo.pk}": "coming", f"call-{bo.pk}": "not", f"was-{ann.pk}": "here", f"call-{ann.pk}": "coming"}
    answer = post(organiser, "roll_call", club, night.pk, do=do, newest=newest, **taps)
    assert answer.status_code == 409
    assert "<bdi>Ann</bdi> has answered since this page was shown. Look at the list, then go on." in text(answer)
    # What was tapped of others is kept.
    assert written(night) == {"Bo": "not"}
    answer = post(organiser, "roll_call", club, night.pk, do=do, newest=newest_on(answer))
    assert answer.status_code == 303
    assert written(night)["Ann"] == "not"


def test_undone_answer_and_one_of_who_left_do_not_hold_the_roll_up(
    club: Club, night: Night, people: list[Member]
) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    take_back(night, people[0], source="phone")
    newest = newest_on(get(organiser, "roll_call", club, night.pk))
    assert newest == max(row.pk for row in night.replies.all())
    reply(night, people[4], "yes", source="phone")
    Member.objects.filter(pk=people[4].pk).update(left_at=timezone.now())
    assert post(organiser, "roll_call", club, night.pk, do="confirm", newest=newest).status_code == 303


def test_page_that_hears_who_checks_in_has_seen_them(club: Club, night: Night, people: list[Member]) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    newest = newest_on(get(organiser, "roll_call", club, night.pk))
    check_in(night, people[4], source="phone")
    heard = newest_on(get(organiser, "arrivals", club, night.pk, v=newest))
    assert heard == newest + 1
    assert post(organiser, "roll_call", club, night.pk, do="confirm", newest=heard).status_code == 303
