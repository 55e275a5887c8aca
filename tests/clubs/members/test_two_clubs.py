"""Taking a sheet in gives a club no right over anybody's other sheets."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client
from django.utils import timezone

from clubs.archive.export import packed
from clubs.archive.parse import unpacked
from clubs.archive_import.apply import take_in
from clubs.evening.adopt import bring_in, take_out
from clubs.joining.match import matches_of
from clubs.members.merge import merge, unmerge
from clubs.members.people import own_players, players_of, rename
from clubs.members.privacy import hide_name, show_name
from clubs.members.roles import come_back, leave_club
from clubs.models import Club, Member, Table
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.state import read_sheet
from scoresheets.models import GlossaryTerm, Player, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.visitors import account, get, post
from tests.factories import Scorer, new_key

pytestmark = pytest.mark.django_db

#: The phone that has opened every sheet here: of the first club, of a kitchen table, and the one that is taken in.
PHONE = hashed("the phone")


@dataclass
class Two:
    """Rosa plays in the first club and at a kitchen table; one of her sheets was taken in by the second club."""

    first: Club
    second: Club
    rosa: Member
    at_home: Sheet
    kitchen: Sheet
    taken: Sheet
    table: Table
    #: Who she was matched with there.
    theirs: Member


def sheet_of(rosa: Player) -> Sheet:
    """A sheet of the phone on which she was picked, and three others typed."""
    people = [Somebody(rosa.name, rosa.pk), *(Somebody(name) for name in ("Ann", "Bo", "Cy"))]
    key = new_key()
    opened = open_sheet(
        SetUp("dirty-dog", people, plan={"peak": 2}),
        browser=PHONE, key=key, address=key, sure=True, candidates=[rosa.pk],
    )  # fmt: skip
    assert isinstance(opened, Opened)
    Scorer(opened.sheet, opened.keeper).clear_game()
    return opened.sheet


def brought(sheet: Sheet, club: Club, chosen: object) -> Table:
    """The sheet is taken in by the club, in which who sits first is `chosen` and everybody else a guest."""
    sheet.refresh_from_db()
    matches = matches_of(read_sheet(sheet), club)
    first, *others = [line for line in matches.lines if not line.known]
    first.chosen = str(getattr(chosen, "pk", chosen))
    for line in others:
        line.chosen = "guest"
    return bring_in(sheet, None, matches, by=None)


@pytest.fixture(params=["a member", "guest", "new"])
def two(request: pytest.FixtureRequest) -> Two:
    first, second = ClubFactory(name="First"), ClubFactory(name="Second")
    people = [MemberFactory(club=first, name=name) for name in ("Rosa", "Di", "Ed", "Flo")]
    at_home = played(NightFactory(club=first), people).sheet
    rosa = people[0]
    kitchen, taken = sheet_of(rosa.player), sheet_of(rosa.player)
    assert at_home
    # All scorekeepers here are called as she is, so that a change of theirs would be seen too.
    for sheet in (at_home, kitchen, taken):
        sheet.scorekeepers.update(name="Rosa")
    bob = MemberFactory(club=second, name="Bob")
    table = brought(taken, second, bob if request.param == "a member" else request.param)
    player = taken.seats.get(number=1).player_id
    theirs = next(one for one in second.members.all() if player in players_of(one))
    return Two(first, second, rosa, at_home, kitchen, taken, table, theirs)


def names(sheet: Sheet) -> tuple[str, str]:
    """What she is called on a sheet, and its scorekeeper."""
    fresh = Sheet.objects.get(pk=sheet.pk)
    return read_sheet(fresh).names[1], fresh.scorekeepers.get(browser=PHONE).name


def untouched(two: Two) -> bool:
    """Whether her other sheets, and what she is offered as, say what they did."""
    player = Player.objects.get(pk=two.rosa.player_id)
    same = [names(sheet) == ("Rosa", "Rosa") for sheet in (two.at_home, two.kitchen)]
    return all(same) and (player.name, player.shown_as) == ("Rosa", "")


@pytest.mark.thorough(but=1)
def test_the_club_that_took_a_sheet_in_calls_people_on_it_as_it_likes(two: Two) -> None:
    hide_name(two.theirs, by=None)
    assert names(two.taken) == ("Somebody", "Somebody")
    assert untouched(two)
    show_name(two.theirs, by=None)
    assert names(two.taken)[0] == "Rosa"
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_a_name_somebody_left_under_is_on_the_sheets_of_that_club_alone(two: Two) -> None:
    assert leave_club(two.theirs, "Stinky", by=None) == ""
    assert names(two.taken)[0] == "Stinky"
    assert untouched(two)
    come_back(two.theirs, by=None)
    assert names(two.taken)[0] == "Rosa"
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_a_corrected_name_is_the_clubs_alone(two: Two) -> None:
    rename(two.theirs, name="Stinky", nickname="Stink", by=None)
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_a_merge_with_somebody_who_hides_covers_no_other_sheet(two: Two) -> None:
    hidden = MemberFactory(club=two.second, name="Zed")
    hide_name(hidden, by=None)
    hidden.refresh_from_db()
    two.theirs.refresh_from_db()
    assert merge(two.theirs, hidden, by=None) == []
    assert names(two.taken)[0] == "Somebody"
    assert untouched(two)
    two.theirs.refresh_from_db()
    unmerge(two.theirs, by=None)
    assert names(two.taken)[0] == "Rosa"
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_an_account_in_two_clubs_is_called_by_each_on_its_own_sheets(two: Two) -> None:
    user = UserFactory()
    Member.objects.filter(pk__in=[two.rosa.pk, two.theirs.pk]).update(user=user)
    for sheet in (two.at_home, two.kitchen, two.taken):
        sheet.scorekeepers.create(user=user, name="Rosa K.", created=timezone.now())
    two.theirs.refresh_from_db()
    hide_name(two.theirs, by=None)
    called = [sheet.scorekeepers.get(user=user).name for sheet in (two.at_home, two.kitchen, two.taken)]
    assert called == ["Rosa K.", "Rosa K.", "Somebody"]


@pytest.mark.thorough(but=1)
def test_what_one_club_holds_about_them_says_nothing_of_the_other(two: Two) -> None:
    user = UserFactory(first_name="", last_name="")
    Member.objects.filter(pk__in=[two.rosa.pk, two.theirs.pk]).update(user=user)
    Member.objects.filter(pk=two.theirs.pk).update(name="Stinky", nickname="Stink")
    for sheet, name in ((two.at_home, "Rosa at home"), (two.kitchen, "Rosa at a table"), (two.taken, "Stinky there")):
        sheet.scorekeepers.create(user=user, name=name, created=timezone.now())
        Sheet.objects.filter(pk=sheet.pk).update(title=f"Title of {name}")
    GlossaryTerm.objects.create(term="Stinkyword", folded="stinkyword", meaning="", user=user, added_at=timezone.now())
    Club.objects.filter(pk=two.second.pk).update(name="Secret Second")
    organiser, _ = account(two.first, "organiser", name="Flora")
    told = get(organiser, "held_about_member", two.first, two.rosa.pk).content.decode()
    assert "Rosa at home" in told
    for name in ("Stink", "Rosa at a table", "Secret Second"):
        assert name not in told
    herself = Client()
    herself.force_login(user)
    own = get(herself, "held_about_member", two.first, two.rosa.pk).content.decode()
    assert "Stinkyword" in own
    assert "Stinky there" not in own
    theirs = get(herself, "held_about_member", two.second, two.theirs.pk).content.decode()
    assert "Stinky there" in theirs
    assert "Rosa at home" not in theirs


@pytest.mark.thorough(but=1)
def test_account_of_two_clubs_writes_under_the_name_of_the_club_whose_sheet_it_is(two: Two) -> None:
    user = UserFactory(first_name="", last_name="")
    Member.objects.filter(pk__in=[two.rosa.pk, two.theirs.pk]).update(user=user)
    Member.objects.filter(pk=two.theirs.pk).update(name="Stinky")
    assert [user.name_on(sheet) for sheet in (two.at_home, two.kitchen, two.taken)] == ["Rosa", "", "Stinky"]
    assert user.get_full_name() == "", "the clubs call her differently"
    two.theirs.refresh_from_db()
    hide_name(two.theirs, by=None)
    assert [user.name_on(sheet) for sheet in (two.at_home, two.taken)] == ["Rosa", "Somebody"]
    leave_club(two.theirs, "Stinky", by=None)
    assert (user.get_full_name(), user.name_on(two.kitchen)) == ("Rosa", "Rosa")


@pytest.mark.thorough(but=1)
def test_a_sheet_that_is_taken_out_again_calls_them_by_their_name(two: Two) -> None:
    hide_name(two.theirs, by=None)
    take_out(two.table, by=None)
    assert names(two.taken)[0] == "Rosa"
    hide_name(two.theirs, by=None)
    assert names(two.taken)[0] == "Rosa"
    brought(two.taken, two.second, two.theirs)
    assert names(two.taken)[0] == "Somebody"
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_their_own_club_hides_them_on_its_own_sheets_and_wherever_they_are_picked(two: Two) -> None:
    hide_name(two.rosa, by=None)
    assert [names(sheet)[0] for sheet in (two.at_home, two.kitchen, two.taken)] == ["Somebody", "Rosa", "Rosa"]
    assert Player.objects.get(pk=two.rosa.player_id).called == "Somebody"
    later = sheet_of(Player.objects.get(pk=two.rosa.player_id))
    assert read_sheet(Sheet.objects.get(pk=later.pk)).names[1] == "Somebody"
    show_name(two.rosa, by=None)
    assert read_sheet(Sheet.objects.get(pk=later.pk)).names[1] == "Rosa"
    assert untouched(two)


@pytest.mark.thorough(but=1)
def test_matching_them_elsewhere_does_not_show_a_name_they_hide(two: Two) -> None:
    hide_name(two.rosa, by=None)
    later = sheet_of(Player.objects.get(pk=two.rosa.player_id))
    for _ in range(2):
        table = brought(later, two.second, two.theirs)
        assert names(later)[0] == "Somebody"
        take_out(table, by=None)
        assert names(later)[0] == "Somebody"


@pytest.mark.thorough(but=1)
def test_a_file_of_the_club_changes_no_other_sheet(two: Two) -> None:
    document = unpacked(packed(two.second))
    for row in document["players"]:
        row.update(name="Stinky", shown_as="Stinky")
    for row in document["members"]:
        row.update(name="Stinky", shown_as="Stinky", hidden=True, joined_at="1990-01-01T00:00:00.000000Z")
    take_in(document, two.second, file_speaks=True)
    assert untouched(two)
    assert two.rosa.player_id not in own_players(list(two.second.members.all()))


@pytest.mark.thorough(but=1)
def test_an_organiser_of_another_club_reaches_nobody_by_the_pages(two: Two) -> None:
    organiser, _ = account(two.second, "organiser", name="Olga")
    mallory = organiser
    for do in ("hide", "leave"):
        post(mallory, "member_settings", two.second, two.theirs.pk, do=do, under="Stinky")
        post(mallory, "member_settings", two.first, two.rosa.pk, do=do, under="Stinky")
    post(mallory, "member_settings", two.second, two.theirs.pk, do="name", name="Stinky", nickname="")
    assert untouched(two)
