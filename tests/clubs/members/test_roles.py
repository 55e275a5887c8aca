"""Hidden names, leaving a club and coming back, and what it holds about somebody."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from clubs.access.audit_log import write_down
from clubs.members.merge import merge
from clubs.members.people import new_guest
from clubs.members.privacy import cover, hide_name, show_name
from clubs.members.roles import come_back, leave_club
from clubs.models import Club, Member, PlayerAlias
from clubs.tables.open import give_chair
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.log.state import read_sheet
from scoresheets.models import Player
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import arrive, place_now
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.visitors import account, get, phone, post, text
from tests.factories import PlayerFactory, Scorer, new_key, sure_of

pytestmark = pytest.mark.django_db


def at_a_table(club: Club, *names: str) -> tuple[list[Member], object]:
    members = [MemberFactory(club=club, name=name) for name in names]
    table = played(NightFactory(club=club), members)
    return members, table.sheet


def names_on(sheet: object) -> list[str]:
    sheet.refresh_from_db()  # type: ignore[attr-defined]
    return list(read_sheet(sheet).names.values())  # type: ignore[arg-type]


def test_hidden_name_is_on_no_page_and_no_sheet_and_comes_back(club: Club) -> None:
    (ann, *_), sheet = at_a_table(club, "Zebediah", "Bo", "Cy", "Di")
    hide_name(ann, by=None)
    assert names_on(sheet) == ["Somebody", "Bo", "Cy", "Di"]
    assert "Zebediah" not in text(get(phone(club), "members", club))
    assert "Zebediah" not in Client().get(reverse("watch", args=[sheet.watch])).content.decode()  # type: ignore[attr-defined]
    show_name(ann, by=None)
    assert names_on(sheet)[0] == "Zebediah"
    assert "Zebediah" in text(get(phone(club), "members", club))


def test_two_who_hide_are_told_apart(club: Club) -> None:
    (ann, bo, *_), sheet = at_a_table(club, "Ann", "Bo", "Cy", "Di")
    hide_name(ann, by=None)
    hide_name(bo, by=None)
    assert names_on(sheet) == ["Somebody", "Somebody 2", "Cy", "Di"]
    show_name(ann, by=None)
    assert names_on(sheet) == ["Ann", "Somebody 2", "Cy", "Di"]


def test_place_in_the_list_does_not_tell_who_hides(club: Club, flo: Client) -> None:
    ann, bo = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="Zed")
    hide_name(ann, by=None)
    page, of_the_organiser = text(get(phone(club), "members", club)), text(get(flo, "members", club))
    assert page.index(f"<bdi>{bo.name}") < page.index("<bdi>Somebody")
    assert of_the_organiser.index("<bdi>Ann") < of_the_organiser.index("<bdi>Zed")


def test_hiding_twice_does_no_harm(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    hide_name(ann, by=None)
    hide_name(ann, by=None)
    assert ann.shown == "Somebody"
    assert club.audit_entries.count() == 1


def test_everybody_they_are_known_as_is_hidden(club: Club) -> None:
    (ann, robert, *_), sheet = at_a_table(club, "Ann", "Robert", "Cy", "Di")
    typed = PlayerFactory(name="Annie")
    sheet.seats.filter(number=3).update(player=typed, name="Annie")  # type: ignore[attr-defined]
    Member.objects.filter(pk=robert.pk).update(same_as=ann)
    hide_name(ann, by=None)
    PlayerAlias.objects.create(club=club, player=typed, member=robert)
    robert.refresh_from_db()
    cover(robert)
    assert names_on(sheet) == ["Somebody", "Somebody 2", "Somebody 3", "Di"]
    own = Player.objects.filter(shown_as="Somebody")
    assert set(own.values_list("pk", flat=True)) == {ann.player_id, robert.player_id}


def test_member_hides_and_shows_themselves(club: Club) -> None:
    browser, ann = account(club, name="Ann")
    post(browser, "member_settings", club, ann.pk, do="hide")
    page = text(get(browser, "member_settings", club, ann.pk))
    assert "Somebody" in page
    assert "Ann" in page
    post(browser, "member_settings", club, ann.pk, do="show")
    ann.refresh_from_db()
    assert (ann.hidden, ann.shown) == (False, "Ann")


def test_scorekeeper_who_hides_is_on_no_history_and_on_no_later_sheet(club: Club) -> None:
    keeper, bo = account(club, "scorekeeper", name="Zebediah")
    _, sheet = at_a_table(club, "Ann", "Bo", "Cy", "Di")
    keepers = sheet.scorekeepers  # type: ignore[attr-defined]
    keepers.create(user=bo.user, name="Zebediah", created=club.created)
    other = keepers.create(name="Marge", created=club.created)
    hide_name(bo, by=None)
    assert [one.name for one in keepers.order_by("pk")][1:] == ["Somebody", "Marge"]
    assert bo.user.get_full_name() == "Somebody"  # type: ignore[union-attr]
    show_name(bo, by=None)
    assert [one.name for one in keepers.order_by("pk")][1:] == ["Zebediah", other.name]
    assert bo.user.get_full_name() == "Zebediah"  # type: ignore[union-attr]
    assert keeper


def test_scorekeeper_without_an_account_who_hides_is_on_no_history(club: Club) -> None:
    (goose, *_), sheet = at_a_table(club, "Zebediah", "Bo", "Cy", "Di")
    _, elsewhere = at_a_table(club, "Flo", "Gus", "Hal", "Ida")
    sheet.scorekeepers.update(name="zebediah")  # type: ignore[attr-defined]
    elsewhere.scorekeepers.update(name="Zebediah")  # type: ignore[attr-defined]
    history = reverse("watch_history", args=[sheet.watch])  # type: ignore[attr-defined]
    assert "zebediah" in Client().get(history).content.decode()
    hide_name(goose, by=None)
    assert "zebediah" not in Client().get(history).content.decode().lower()
    assert elsewhere.scorekeepers.get().name == "Zebediah", "another of that name"  # type: ignore[attr-defined]
    assert leave_club(goose, "Zorro", by=None) == ""
    assert sheet.scorekeepers.get().name == "Zorro"  # type: ignore[attr-defined]
    come_back(goose, by=None)
    show_name(goose, by=None)
    assert sheet.scorekeepers.get().name == "Zebediah"  # type: ignore[attr-defined]


def test_latecomer_who_hides_is_waited_for_without_their_name(club: Club, client: Client) -> None:
    members = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di", "Zebediah")]
    hide_name(members[4], by=None)
    table = played(NightFactory(club=club), members[:4], hands=1)
    assert table.sheet
    assert give_chair(table, members[4])
    table.sheet.refresh_from_db()
    table.sheet.home = club.get_absolute_url()
    table.sheet.save()
    client.cookies[BROWSER_COOKIE] = "p" * 22
    table.sheet.scorekeepers.update(browser=hashed("p" * 22))
    address = reverse("arrive", args=[table.sheet.code])
    page = client.get(address).content.decode()
    assert "Somebody" in page
    assert "Zebediah" not in page
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    place = place_now(scorer.reading)
    assert place
    who = Somebody("Somebody", members[4].player_id)
    sure_of(arrive(table.sheet, who, *place, key=new_key(), by=scorer.by, sure=True))
    assert scorer.reading.names[5] == "Somebody"
    assert scorer.reading.sitting.first[5].player == members[4].player_id


# Leaving


def test_who_leaves_keeps_their_results_under_a_name_of_their_choice_and_can_come_back(club: Club) -> None:
    (ann, *_), sheet = at_a_table(club, "Ann", "Bo", "Cy", "Di")
    assert leave_club(ann, "Zorro", by=None) == ""
    assert ann not in club.members.current()
    assert ann.placings.count() == 1
    assert names_on(sheet)[0] == ann.shown == "Zorro"
    come_back(ann, by=None)
    assert ann in club.members.current()
    assert names_on(sheet)[0] == ann.shown == "Ann"


@pytest.mark.parametrize(("hidden", "under", "shown"), [
    (False, "", "Ann"), (False, "Ann", "Ann"), (True, "", "Somebody"), (True, "Ann", "Ann"), (True, "Zorro", "Zorro"),
])  # fmt: skip
def test_name_of_who_left_is_what_they_chose(club: Club, hidden: bool, under: str, shown: str) -> None:
    ann = MemberFactory(club=club, name="Ann")
    if hidden:
        hide_name(ann, by=None)
    leave_club(ann, under, by=None)
    assert ann.shown == shown
    come_back(ann, by=None)
    assert ann.shown == ("Somebody" if hidden else "Ann")


def test_name_can_be_chosen_again_later(club: Club, flo: Client) -> None:
    ann = MemberFactory(club=club, name="Ann")
    leave_club(ann, "Zorro", by=None)
    post(flo, "member_settings", club, ann.pk, do="leave", under="Ann")
    ann.refresh_from_db()
    assert ann.shown == "Ann"
    assert club.audit_entries.filter(says="Ann left the club.").count() == 1


def test_who_left_comes_in_no_more_and_an_organiser_brings_them_back(club: Club, flo: Client) -> None:
    Club.objects.update(visibility="members")
    browser, ann = account(club, name="Ann")
    assert post(browser, "member_settings", club, ann.pk, do="leave", under="Zorro").status_code == 303
    assert get(browser, "members", club).status_code == 403
    page = text(get(flo, "members", club))
    assert "Former members" in page
    assert "others see <bdi>Zorro</bdi>" in page
    post(flo, "member_settings", club, ann.pk, do="back")
    assert get(browser, "members", club).status_code == 200


def test_wrong_name_is_refused_and_they_stay(club: Club) -> None:
    browser, ann = account(club, name="Ann")
    answer = post(browser, "member_settings", club, ann.pk, do="leave", under="x" * 41)
    assert answer.status_code == 422
    assert "x" * 41 in text(answer)
    assert ann in club.members.current()


def test_account_that_came_in_anew_meanwhile_stays_with_one(club: Club) -> None:
    user = UserFactory()
    ann = MemberFactory(club=club, name="Ann", user=user)
    leave_club(ann, "", by=None)
    again = MemberFactory(club=club, name="Anna", user=user)
    come_back(ann, by=None)
    assert list(club.members.filter(user=user)) == [again]


# What the club holds


def test_file_of_a_member_has_everything_the_club_holds_and_nothing_of_others(club: Club) -> None:
    browser, ann = account(club, name="Ann", nickname="Ace")
    rest = [MemberFactory(club=club, name=name) for name in ("Zebediah", "Cy", "Di")]
    night = NightFactory(club=club, on="2026-03-05")
    played(night, [ann, *rest])
    night.attendances.create(member=ann, says="here")
    TrophyFactory(club=club, name="The Mug").awards.create(member=ann, on="2026-03-05", source="typed")
    club.kept_apart.create(one=ann, other=rest[0])
    # The same of somebody else, who is in no line of it.
    night.attendances.create(member=rest[0], says="not")
    TrophyFactory(club=club, name="The Boot").awards.create(member=rest[0], on="2026-03-05", source="typed")
    write_down(club, "Moved the piano.", by=rest[0])
    old = new_guest(club, "Annie")
    merge(old, ann, by=ann)
    answer = get(browser, "held_about_member", club, ann.pk)
    held = json.loads(answer.content)
    assert answer["Content-Disposition"] == 'attachment; filename="about-me-trumps.json"'
    assert held["you"]["nickname"] == "Ace"
    assert [record["name"] for record in held["records that are you"]] == ["Ann", "Annie"]
    assert held["accounts"][0]["address"] == ann.user.email  # type: ignore[union-attr]
    (game,) = held["games"]
    assert (game["night"], game["place"], game["of"], game["won"]) == ("2026-03-05", 1, 4, True)
    assert game["hands"][0] == {"hand": 1, "bid": 1, "tricks": 1, "points": 6, "total": 6, "box": True}
    assert game["sheet"].startswith("http://")
    assert [one["trophy"] for one in held["trophies"]] == ["The Mug"]
    assert [one["you said"] for one in held["nights you answered for"]] == ["here"]
    (done,) = held["activity log: what you did"]
    assert "Merged Annie" in done["says"]
    assert [hand["hand"] for hand in game["hands"]] == [1, 2, 3, 4]
    assert "Zebediah" not in answer.content.decode()
    assert "\n  " in answer.content.decode()


def test_file_of_a_member_has_the_audit_entries_about_them_and_nobody_else(club: Club) -> None:
    browser, ann = account(club, name="Ann", nickname="Ace (1)")
    for name in ("Ann Marie", "Zebediah"):
        MemberFactory(club=club, name=name)
    for says in ("Added Ann.", "Added Ann Marie.", "Ace (1) won.", "The Cup goes from Ann to Zebediah.", "Annie."):
        write_down(club, says, by=None)
    held = json.loads(get(browser, "held_about_member", club, ann.pk).content)
    assert [line["says"] for line in held["activity log: what names you"]] == ["Added Ann.", "Ace (1) won."]


def test_file_is_for_the_member_and_for_organisers(club: Club, flo: Client) -> None:
    ann = MemberFactory(club=club, name="Ann")
    bo, _ = account(club, name="Bo")
    assert get(flo, "held_about_member", club, ann.pk).status_code == 200
    assert get(bo, "held_about_member", club, ann.pk).status_code == 403
    assert get(phone(club, ann), "held_about_member", club, ann.pk).status_code == 302
