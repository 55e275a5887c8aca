"""Of which game a play-off is proposed, and how long one takes that does not plan its hands."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from clubs.models import Attendance, Club, Member, Night, Table
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, NightFactory, played
from tests.clubs.evenings import A_WEEK, SEVEN, THURSDAY, called, drawn, night_page, organiser_of, people
from tests.clubs.play_offs.test_plan_page import kept, plan_page, tap

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]

NO_DINGO = "A play-off of Dingo does not work with {}: groups and a final of 4 only work with 8 or 16."
NOBODY_KNOWS = "nobody can say yet how long that takes"


def dingo_played(members: Sequence[Member], *minutes: int) -> None:
    """Last week four of them played Dingo, so long at each table."""
    last = NightFactory(club=members[0].club, on=THURSDAY - A_WEEK)
    for lasted in minutes:
        table = played(last, members[:4], game="dingo")
        assert table.sheet
        Table.objects.filter(pk=table.pk).update(ended_at=SEVEN)
        Sheet.objects.filter(pk=table.sheet.pk).update(opened_at=SEVEN - datetime.timedelta(minutes=lasted))


# Another game than was wanted


@pytest.mark.thorough
def test_another_game_than_the_club_plays_is_not_proposed_without_a_word(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members)
    dingo_played(members, 60)
    client = organiser_of(club)
    page = plan_page(client, night)
    says = f"{NO_DINGO.format(13)} Dirty Dog is suggested instead."
    assert page["instead"] == says
    assert page["says"].startswith("13 players: 7 and 6")
    assert says in client.get(night_page(night, "play-off/plan")).content.decode()
    tally = client.get(night_page(night, "roll-call")).context["tally"]
    short = "Dirty Dog, because Dingo does not work with 13: 7 and 6, top three each"
    assert tally["instead"].startswith(short)
    assert short in client.get(night_page(night, "draw")).content.decode()
    # Whoever has taken it knows.
    tap(client, night, do="keep")
    assert plan_page(client, night)["instead"] == ""


def test_eight_of_whom_the_club_plays_it_with_are_proposed_its_own_game(club: Club, night: Night) -> None:
    members = people(club, 8)
    called(night, members)
    dingo_played(members, 60)
    page = plan_page(organiser_of(club), night)
    assert (page["instead"], page["planned"].game.slug) == ("", "dingo")


def test_a_plan_that_others_than_were_there_cannot_play_says_so(club: Club, night: Night) -> None:
    members = people(club, 16)
    called(night, members)
    client = organiser_of(club)
    tap(client, night, game="dingo")
    Attendance.objects.filter(member=members[0]).update(says="not")
    assert plan_page(client, night)["instead"] == f"{NO_DINGO.format(15)} Dirty Dog is suggested instead."
    assert "Dirty Dog, because Dingo does not work with 15" in client.get(night_page(night, "draw")).content.decode()
    assert kept(night)["game"] == "dingo"
    # It is there again as soon as they come.
    Attendance.objects.filter(member=members[0]).update(says="here")
    assert (plan_page(client, night)["instead"], drawn(client, night).play_off.game.slug) == ("", "dingo")


def test_plain_tables_that_take_the_place_of_a_planned_play_off_say_so(club: Club, night: Night) -> None:
    members = people(club, 8)
    called(night, members)
    client = organiser_of(club)
    tap(client, night, do="keep")
    Attendance.objects.filter(member=members[0]).update(says="not")
    page = client.get(night_page(night, "draw")).content.decode()
    assert "A play-off of Dirty Dog does not work with 7: it takes 8 or more. These are plain tables." in page
    assert plan_page(client, night).get("planned") is None


def test_who_comes_too_late_for_the_groups_is_not_counted_among_those_who_could_play_them(
    club: Club, night: Night
) -> None:
    members = people(club, 9)
    called(night, members[1:])
    called(night, members[:1], "coming")
    dingo_played(members[1:], 60)
    client = organiser_of(club)
    tap(client, night, do="keep")
    assert kept(night)["game"] == "dingo"
    Attendance.objects.filter(member=members[1]).update(says="not")
    page = client.get(night_page(night, "draw")).content.decode()
    assert f"{NO_DINGO.format(7)} These are plain tables." in page


# How long it takes


@pytest.mark.thorough
def test_a_game_without_planned_hands_takes_as_long_as_it_took_the_club(club: Club, night: Night) -> None:
    members = people(club, 8)
    called(night, members)
    dingo_played(members, 60, 90, 70)
    page = plan_page(organiser_of(club), night)
    # 70 minutes, a pause of ten, and 70 again.
    assert page["says"] == (
        "8 players: two groups of 4, top two each, one final of 4, done about 21:30; "
        "the other four are done and may open a table just for fun"
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "lasted",
    [(60, 90), (60, 90, 9), (60, 90, 361), ()],
    ids=["two games", "written down afterwards", "never ended", "no game"],
)
def test_before_the_club_has_played_three_of_it_nobody_can_say(
    club: Club, night: Night, lasted: tuple[int, ...]
) -> None:
    members = people(club, 8)
    called(night, members)
    dingo_played(members, *lasted)
    dingo_played(people(ClubFactory(), 4), 60, 60, 60)
    client = organiser_of(club)
    tap(client, night, game="dingo")
    page = plan_page(client, night)
    assert page["hours"].minutes is None
    assert f"one final of 4, and {NOBODY_KNOWS}; the other four" in page["says"]


@pytest.mark.thorough
def test_a_game_that_was_taken_away_says_nothing_about_how_long_one_takes(club: Club, night: Night) -> None:
    members = people(club, 8)
    called(night, members)
    dingo_played(members, 60, 90, 70)
    Table.objects.filter(sheet__opened_at=SEVEN - datetime.timedelta(minutes=90)).update(withdrawn_at=SEVEN)
    client = organiser_of(club)
    tap(client, night, game="dingo")
    assert NOBODY_KNOWS in plan_page(client, night)["says"]
