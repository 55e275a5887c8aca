"""The colour and the initial of a member: chosen once, the same on page and sheet, gone with who is erased."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.archive.export import document_of, packed
from clubs.archive.parse import NotTaken, unpacked
from clubs.archive_import.apply import take_in
from clubs.erasure.member import erase_member
from clubs.members.badges import choose_badge, read_initial, wish_of
from clubs.members.data_export import held_about
from clubs.members.merge import merge
from clubs.members.people import new_guest
from clubs.members.privacy import hide_name
from clubs.models import AuditEntry, Member
from clubs.tables.open import Laid, open_laid
from rules import find_game
from rules.core.problems import Problem
from scoresheets.log.occupants import NO_WISH
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import arrive, place_now
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.wording.badges import badge_of, badges_of
from tests.club_factories import MemberFactory
from tests.clubs.archive.years import forgotten
from tests.clubs.night_played import Evening, scorer_of
from tests.clubs.visitors import account, get, post, text
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


def opened(evening: Evening, *people: Member) -> Sheet:
    """The sheet of a table that the club opens for these."""
    laid = Laid(find_game("dirty-dog"), people, None, "chosen", {"hands": 4}, {})
    sheet = open_laid(evening.night, [laid], user=None, keeper="")[0].sheet
    assert sheet is not None
    return sheet


def badges(reading: SheetReading) -> dict[str, tuple[int, str]]:
    worn = badges_of(reading)
    return {name: (worn[seat].colour, worn[seat].initial) for seat, name in reading.names.items()}


def test_member_chooses_colour_and_initial_and_so_does_an_organiser_for_them(evening: Evening) -> None:
    me, member = account(evening.club)
    organiser = evening.organiser()
    for client, colour, initial in ((me, 4, "ZK"), (organiser, 9, "Ö")):
        page = post(client, "member_settings", evening.club, member.pk, do="badge", colour=colour, initial=initial)
        assert page.status_code == 303
        member.refresh_from_db()
        assert (member.colour, member.initial) == (colour, initial)
        for view, args in (("member", [member.pk]), ("members", []), ("member_settings", [member.pk])):
            assert badge_of(colour, initial).html in text(get(client, view, evening.club, *args)), view
    says = AuditEntry.objects.filter(club=evening.club).values_list("says", flat=True)
    assert f"{member.name} has the colour grey now." in says


def test_nobody_else_chooses_for_a_member(evening: Evening) -> None:
    me, _ = account(evening.club)
    assert post(me, "member_settings", evening.club, evening.members[0].pk, do="badge", colour=3).status_code == 403
    assert Member.objects.get(pk=evening.members[0].pk).colour == 0


@pytest.mark.parametrize("sent", [{"colour": "11"}, {"colour": "0"}, {"initial": "ABC"}, {"initial": "-"}])
def test_what_is_no_colour_or_initial_is_refused_and_kept_in_the_form(evening: Evening, sent: dict[str, str]) -> None:
    me, member = account(evening.club)
    page = post(me, "member_settings", evening.club, member.pk, do="badge", **{"colour": "2", "initial": "Q", **sent})
    assert page.status_code == 422
    assert 'role="alert"' in text(page)
    member.refresh_from_db()
    assert (member.colour, member.initial) == (0, "")


def test_initial_has_one_or_two_letters_however_many_code_points() -> None:
    assert [read_initial(typed) for typed in ("", " é ", "7")] == ["", "é", "7"]
    assert isinstance(read_initial("e\u0308z\u0308"), str)
    assert all(isinstance(read_initial(typed), Problem) for typed in ("abc", "<", "a b", "\u2660"))


def test_colour_follows_from_the_member_until_they_choose_and_a_guest_has_none(evening: Evening) -> None:
    ann = evening.members[0]
    assert ann.badge is not None
    assert ann.badge == Member.objects.get(pk=ann.pk).badge
    assert 1 <= ann.badge.colour <= 10
    guest = new_guest(evening.club, "Gus")
    assert guest.badge is None
    assert wish_of(guest) == NO_WISH
    choose_badge(guest, colour=6, initial="", by=None)
    assert guest.badge == badge_of(6, "G")


def test_sheet_of_the_club_shows_what_its_people_chose_and_keeps_it(evening: Evening, client: Client) -> None:
    ann, bo, cy, *_ = evening.members
    for member, colour, initial in ((ann, 7, ""), (bo, 7, "X"), (cy, 2, "x")):
        choose_badge(member, colour=colour, initial=initial, by=None)
    sheet = opened(evening, ann, bo, cy)
    told = {"Ann": (7, "A"), "Bo": (8, "X"), "Cy": (2, "C")}
    assert badges(read_sheet(sheet)) == told
    choose_badge(ann, colour=1, initial="Q", by=None)
    assert badges(read_sheet(Sheet.objects.get(pk=sheet.pk))) == told
    assert {line.name: line.badge.colour for line in ScoreCurve(read_sheet(sheet)).lines} == {
        "Ann": 7,
        "Bo": 8,
        "Cy": 2,
    }
    page = text(client.get(f"/watch/{sheet.watch}/"))
    assert all(badge_of(colour, initial).html in page for colour, initial in told.values())


def test_opening_tables_of_a_club_asks_nothing_more_for_badges(evening: Evening, monkeypatch) -> None:
    people = evening.members[:3]
    choose_badge(people[0], colour=7, initial="Q", by=None)
    with CaptureQueriesContext(connection) as queries:
        assert opened(evening, *people).badges
    monkeypatch.setattr("clubs.tables.open.wish_of", lambda member: NO_WISH)
    with CaptureQueriesContext(connection) as without:
        assert not opened(evening, *people).badges
    assert len(queries) == len(without)


def test_latecomer_of_the_club_brings_their_colour_and_nobody_else_changes(evening: Evening) -> None:
    ann, bo, _, di, *_ = evening.members
    for member, colour in ((ann, 3), (di, 8)):
        choose_badge(member, colour=colour, initial="", by=None)
    choose_badge(bo, colour=9, initial="", by=None)
    table = evening.table(seats=slice(3))
    Sheet.objects.filter(pk=table.sheet_id).update(badges={str(ann.player_id): wish_of(ann)})
    p = scorer_of(table)
    before = badges(p.reading)
    assert before["Ann"] == (3, "A")
    place = place_now(p.reading)
    assert place
    sure_of(arrive(p.sheet, Somebody(di.name, di.player_id), *place, key=new_key(), by=p.by, sure=True))
    after = badges(p.reading)
    assert before.items() <= after.items()
    assert after["Di"] == (8, "D")
    assert Sheet.objects.get(pk=p.sheet.pk).badges[str(di.player_id)] == [8, "", True]


def test_chosen_initial_does_not_give_away_a_hidden_name(evening: Evening, client: Client) -> None:
    ann, bo, *_ = evening.members
    choose_badge(ann, colour=7, initial="ÄÖ", by=None)
    sheet = opened(evening, ann, bo)
    hide_name(ann, by=None)
    ann.refresh_from_db()
    assert ann.badge == badge_of(7, "S")
    assert badges(read_sheet(Sheet.objects.get(pk=sheet.pk)))["Somebody"] == (7, "S")
    # No token of an address has such letters.
    for path in (f"/watch/{sheet.watch}/", ann.get_absolute_url(), f"/clubs/{evening.club.slug}/members/"):
        assert "ÄÖ" not in text(client.get(path)), path


def test_file_of_the_club_keeps_them_for_members_and_on_sheets(evening: Evening) -> None:
    ann, bo, cy, *_ = evening.members
    choose_badge(ann, colour=7, initial="QZ", by=None)
    sheet = opened(evening, ann, bo, cy)
    before, derived = badges(read_sheet(sheet)), bo.badge
    document = document_of(evening.club)
    file = packed(evening.club)
    forgotten(evening.club)
    club = take_in(unpacked(file), None).club
    assert club is not None
    assert document_of(club) == document
    again = club.members.get(name="Ann")
    assert (again.colour, again.initial) == (7, "QZ")
    assert club.members.get(name="Bo").badge == derived
    assert badges(read_sheet(Sheet.objects.get(table__night__club=club))) == before


@pytest.mark.parametrize("badge", [[99, 1, "A", True], [1, 11, "A", True], [1, 1, "A" * 9, True], [1, 1, "A"]])
def test_file_with_a_badge_that_cannot_be_is_refused(evening: Evening, badge: list[object]) -> None:
    opened(evening, *evening.members[:3])
    document = json.loads(json.dumps(document_of(evening.club)))
    document["sheets"][0]["sheet"]["badges"] = [badge]
    with pytest.raises(NotTaken):
        unpacked(json.dumps(document).encode())


def test_merged_record_gives_its_choice_to_one_that_has_none(evening: Evening) -> None:
    bob, robert = (MemberFactory(club=evening.club, name=name) for name in ("Bob", "Robert"))
    choose_badge(robert, colour=5, initial="R", by=None)
    assert merge(robert, bob, by=None) == []
    bob.refresh_from_db()
    assert (bob.colour, bob.initial) == (5, "R")
    rob = MemberFactory(club=evening.club, name="Rob", colour=6, initial="B")
    assert merge(rob, bob, by=None) == []
    bob.refresh_from_db()
    assert (bob.colour, bob.initial) == (5, "R")


def test_nothing_of_a_choice_is_left_of_who_is_erased(evening: Evening) -> None:
    ann, bo, *_ = evening.members
    choose_badge(ann, colour=7, initial="QZ", by=None)
    choose_badge(bo, colour=2, initial="An", by=None)
    sheet = opened(evening, ann, bo)
    assert erase_member(ann, by=None) == ""
    ann.refresh_from_db()
    assert (ann.colour, ann.initial) == (0, "")
    kept = Sheet.objects.get(pk=sheet.pk).badges
    assert kept == {str(ann.player_id): [7, "", True], str(bo.player_id): [2, "An", True]}
    assert not AuditEntry.objects.filter(club=evening.club, says__contains="QZ").exists()


def test_file_about_a_person_says_what_they_chose(evening: Evening) -> None:
    ann = evening.members[0]
    assert json.loads(held_about(ann, str))["you"]["your colour"] == "none chosen"
    choose_badge(ann, colour=7, initial="QZ", by=None)
    you = json.loads(held_about(ann, str))["you"]
    assert (you["your colour"], you["your initial"]) == ("plum", "QZ")
