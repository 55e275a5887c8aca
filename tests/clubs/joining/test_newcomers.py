"""A name that is typed at the pad of a club's table is a member's, a guest's, or waits for an organiser."""

from __future__ import annotations

import re

import pytest

from clubs.members.identity import members_of_players
from clubs.members.merge import merge
from clubs.members.people import claim_code, players_of
from clubs.members.privacy import hide_name
from clubs.models import Attendance, Member, Placing, PlayerAlias, Table
from scoresheets.access.scorekeepers import hashed
from scoresheets.history.restore import restore
from scoresheets.models import Player, Sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import arrive as come
from scoresheets.roster.change import place_now
from scoresheets.roster.change import substitute as take_over
from tests.club_factories import ClubFactory, MemberFactory
from tests.clubs.night_played import THE_PHONE, Evening, scorer_of
from tests.factories import ScorekeeperFactory, Scorer, new_key, sure_of
from tests.scoresheets.plain import SECRET, Plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(evening: Evening) -> Table:
    """Ann, Bo, Cy and Di have played one hand."""
    return evening.table(hands=1)


@pytest.fixture
def rosa(evening: Evening) -> Member:
    return MemberFactory(club=evening.club, name="Rosa Klein", nickname="Rosa")


@pytest.fixture
def phone(table: Table) -> Plain:
    """The phone of the table, without a script."""
    table.sheet.scorekeepers.filter(browser=hashed(THE_PHONE)).update(browser=hashed(SECRET))
    return Plain.before(table.sheet, SECRET)


def arrives(phone: Plain, label: str, **tapped: str) -> None:
    """What is tapped on the page of arrivals, as far as the button with this label, which is tapped too."""
    send(phone, "arrive", tapped)
    confirm(phone, "arrive", label, tapped)


def send(phone: Plain, kind: str, tapped: dict[str, str]) -> None:
    """What was typed and tapped so far, with the button that only looks."""
    seen = html(phone) if hasattr(phone, "page") else ""
    unseen = re.findall(r'<input type="hidden" name="(meant_of)" value="([^"]*)"', seen)
    phone.show(phone.client.post(phone.url(kind), dict(unseen) | tapped))


def confirm(phone: Plain, kind: str, label: str, tapped: dict[str, str]) -> None:
    assert phone.page.button(label)
    unseen = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html(phone)))
    phone.show(phone.client.post(phone.url(kind), unseen | tapped))
    assert phone.status == 303, phone.page.text


def html(phone: Plain) -> str:
    return str(phone.response.content.decode())


def typed(phone: Plain, name: str, kind: str = "arrive", **tapped: str) -> str:
    """What the page says to a name that was typed."""
    phone.look(phone.url(kind))
    send(phone, kind, {"name": name, **tapped})
    return str(phone.page.text)


def write(table: Table | Scorer, name: str, **more: object) -> None:
    """The name is written without a question being answered."""
    scorer = table if isinstance(table, Scorer) else scorer_of(table)
    place = place_now(scorer.reading)
    assert place
    sure_of(come(scorer.sheet, Somebody(name, **more), *place, key=new_key(), by=scorer.by, sure=True))


def who_sits(table: Table, seat: int) -> Member | None:
    """As whom the club knows who sits on that seat."""
    reading = scorer_of(table).reading if table.sheet.scorekeepers.filter(browser=hashed(THE_PHONE)).exists() else None
    reading = reading or Scorer(table.sheet, table.sheet.scorekeepers.get(browser=hashed(SECRET))).reading
    player = reading.sitting.now[seat].player
    return members_of_players(table.night.club, [player]).get(player)


# A member


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", ["Rosa", "rosa", "ROSA", "Rösa", " Rosa  Klein ", "rosa klein", "Rsoa", "Rossa"])
def test_a_name_like_a_members_is_asked_about_and_one_tap_says_yes(
    phone: Plain, table: Table, rosa: Member, name: str
) -> None:
    assert "Is it Rosa? Yes, Rosa" in typed(phone, name)
    assert "joins" not in " ".join(button.label for button in phone.page.buttons)
    arrives(phone, "Rosa joins", name=name, meant=str(rosa.player_id))
    assert phone.scorer.reading.names[5] == "Rosa"
    assert who_sits(table, 5) == rosa
    assert not Member.objects.filter(role="guest").exists()


def test_no_somebody_else_makes_a_guest_of_the_same_name(phone: Plain, table: Table, rosa: Member) -> None:
    assert "Is it Rosa?" in typed(phone, "Rosa")
    arrives(phone, "Rosa joins", name="Rosa", meant="stranger")
    guest = Member.objects.get(role="guest")
    assert who_sits(table, 5) == guest
    assert (guest.name, guest.pk != rosa.pk, len(claim_code(guest))) == ("Rosa", True, 9)


def test_an_answer_is_for_the_name_it_was_given_to(phone: Plain, rosa: Member, evening: Evening) -> None:
    MemberFactory(club=evening.club, name="Karl")
    typed(phone, "Rosa", meant="stranger", meant_of="rosa")
    assert phone.page.button("Rosa joins")
    assert "Is it Karl?" in typed(phone, "Carl", meant="stranger", meant_of="rosa")


def test_without_an_answer_the_page_asks_again_and_writes_nothing(phone: Plain, rosa: Member) -> None:
    typed(phone, "Zoe")
    unseen = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html(phone)))
    phone.show(phone.client.post(phone.url("arrive"), unseen | {"name": "Rosa", "key": new_key()}))
    assert phone.status == 422
    assert "Is it Rosa?" in phone.page.text
    assert 5 not in phone.scorer.reading.names


def test_of_two_with_like_names_one_is_tapped(phone: Plain, table: Table, evening: Evening) -> None:
    people = [MemberFactory(club=evening.club, name=name) for name in ("Rosa Klein", "Rosa Lang")]
    said = typed(phone, "Rosa")
    assert "Is it one of them? Rosa Klein Rosa Lang No, somebody else" in said
    arrives(phone, "Rosa Lang joins", name="Rosa", meant=str(people[1].player_id))
    assert who_sits(table, 5) == people[1]


def test_who_sits_here_already_is_not_proposed(phone: Plain, table: Table, evening: Evening) -> None:
    evening.members[0].nickname = "Annie"
    evening.members[0].save()
    assert "Is it" not in typed(phone, "Annie")
    arrives(phone, "Annie joins", name="Annie")
    assert who_sits(table, 5).role == "guest"


def test_who_plays_at_another_table_is_asked_for_with_that_table(phone: Plain, evening: Evening) -> None:
    evening.table(hands=1, seats=slice(4, 8))
    assert "Is it Hal? Yes, Hal plays at Table 2" in typed(phone, "hal")


def test_who_takes_over_a_seat_is_asked_about_too(phone: Plain, table: Table, rosa: Member) -> None:
    assert "Is it Rosa?" in typed(phone, "rosa", "substitute", seat="2")
    tapped = {"seat": "2", "name": "rosa", "meant": str(rosa.player_id)}
    send(phone, "substitute", tapped)
    confirm(phone, "substitute", "Rosa takes over", tapped)
    assert who_sits(table, 2) == rosa


def test_a_guest_who_takes_over_has_the_result(phone: Plain, table: Table) -> None:
    typed(phone, "Zoe", "substitute", seat="2")
    confirm(phone, "substitute", "Zoe takes over", {"seat": "2", "name": "Zoe"})
    phone.scorer.clear_game()
    assert {placing.member.name for placing in Placing.objects.all()} == {"Ann", "Zoe", "Cy", "Di"}


def test_members_of_another_club_and_those_who_left_are_not_proposed(
    phone: Plain, rosa: Member, evening: Evening
) -> None:
    MemberFactory(club=ClubFactory(), name="Zoe")
    MemberFactory(club=evening.club, name="Kim", left_at=evening.night.begun_at)
    MemberFactory(club=evening.club, name="Lou", approved_at=None)
    for name in ("Zoe", "Kim", "Lou"):
        assert "Is it" not in typed(phone, name)


def test_a_hidden_name_is_not_given_away(phone: Plain, table: Table, rosa: Member) -> None:
    hide_name(rosa, by=None)
    said = typed(phone, "Rosa")
    assert "Is it" not in said
    arrives(phone, "Rosa joins", name="Rosa")
    # Whose name it is, an organiser says.
    assert who_sits(table, 5) is None
    assert not Member.objects.filter(role="guest").exists()


def test_somebody_under_a_hidden_name_is_asked_for_by_it(phone: Plain, table: Table, rosa: Member) -> None:
    hide_name(rosa, by=None)
    assert "Is it Somebody?" in typed(phone, "somebody")
    arrives(phone, "Somebody joins", name="somebody", meant=str(rosa.player_id))
    assert who_sits(table, 5) == rosa
    assert phone.scorer.reading.names[5] == "Somebody"


def test_of_merged_records_every_name_leads_to_the_person(
    phone: Plain, table: Table, rosa: Member, evening: Evening
) -> None:
    other = MemberFactory(club=evening.club, name="Roswitha")
    assert merge(other, rosa, by=None) == []
    assert "Is it Rosa?" in typed(phone, "Roswitha")
    arrives(phone, "Rosa joins", name="Roswitha", meant=str(rosa.player_id))
    assert who_sits(table, 5) == rosa


# A guest


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", ["Zoe", "Z" * 40, "<b>Zoe</b>", "Ζωή"])
def test_every_other_name_is_a_guest_with_a_code_who_has_the_result(phone: Plain, table: Table, name: str) -> None:
    assert "Is it" not in typed(phone, name)
    arrives(phone, "", name=name)
    guest = Member.objects.get(role="guest")
    assert (guest.name, len(claim_code(guest)), guest.club) == (name, 9, table.night.club)
    assert Attendance.objects.get(member=guest).says == "here"
    phone.scorer.clear_game()
    assert Placing.objects.get(member=guest).players == 5


def test_a_guest_is_no_right_over_the_sheets_of_a_player_who_was_picked(table: Table) -> None:
    """The phone knows somebody from a kitchen table, who is picked there by a tap."""
    scorer = scorer_of(table)
    known = Player.objects.create(name="Zoe")
    kitchen = Sheet.objects.create(game="dirty-dog", opened_at=table.sheet.opened_at)
    kitchen.seats.create(number=1, player=known, name="Zoe")
    ScorekeeperFactory(sheet=kitchen, browser=scorer.by.browser)
    write(scorer, "Zoe", player=known.pk)
    guest = Member.objects.get(role="guest")
    assert who_sits(table, 5) == guest
    assert guest.player_id != known.pk
    assert known.pk in players_of(guest)


def test_the_same_new_name_by_two_scorekeepers_at_one_table_is_one_guest(table: Table) -> None:
    ann = scorer_of(table)
    bo = Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet))
    place = place_now(ann.reading)
    for scorer in (ann, bo):
        sure_of(come(table.sheet, Somebody("Zoe"), *place, key=new_key(), by=scorer.by, sure=True))
    assert Member.objects.filter(role="guest").count() == 1


def test_the_same_new_name_at_two_tables_is_one_guest_and_a_name_that_waits(table: Table, evening: Evening) -> None:
    other = evening.table(hands=1, seats=slice(4, 8))
    write(table, "Zoe")
    write(other, "Zoe")
    assert Member.objects.filter(role="guest").count() == 1
    assert (who_sits(table, 5) is None, who_sits(other, 5) is None) == (False, True)


def test_a_name_like_a_members_without_an_answer_waits(table: Table, rosa: Member) -> None:
    write(table, "rosa")
    assert who_sits(table, 5) is None
    assert not Member.objects.filter(role="guest").exists()


def test_who_was_asked_about_and_is_somebody_else_waits_for_nobody(table: Table, rosa: Member) -> None:
    write(table, "rosa", is_stranger=True)
    assert who_sits(table, 5).role == "guest"


# Taking it back


def test_an_arrival_that_is_taken_back_leaves_no_guest_and_the_way_back_makes_one(table: Table) -> None:
    write(table, "Zoe")
    scorer = scorer_of(table)
    sure_of(scorer.undo())
    assert not Member.objects.filter(role="guest").exists()
    assert not PlayerAlias.objects.exists()
    assert not Attendance.objects.exists()
    version = scorer.reading.version
    sure_of(restore(table.sheet, version, seen=version, key=new_key(), by=scorer.by))
    assert who_sits(table, 5).name == "Zoe"


def test_a_guest_with_anything_else_stays_when_an_arrival_is_taken_back(table: Table) -> None:
    write(table, "Zoe")
    guest = Member.objects.get(role="guest")
    Member.objects.filter(pk=guest.pk).update(role="member")
    sure_of(scorer_of(table).undo())
    assert Member.objects.filter(pk=guest.pk).exists()


def test_a_member_stays_when_their_arrival_is_taken_back(table: Table, rosa: Member) -> None:
    write(table, "Rosa", player=rosa.player_id)
    sure_of(scorer_of(table).undo())
    assert Member.objects.filter(pk=rosa.pk).exists()


def test_at_a_kitchen_table_nobody_asks_and_nobody_becomes_a_guest(rosa: Member) -> None:
    phone = Plain(4)
    phone.scorer.clear_hand()
    assert "Is it" not in typed(phone, "Rosa")
    arrives(phone, "Rosa joins", name="Rosa")
    assert not Member.objects.filter(role="guest").exists()


def test_a_substitute_who_is_taken_back_leaves_no_guest(table: Table) -> None:
    scorer = scorer_of(table)
    place = place_now(scorer.reading)
    sure_of(take_over(table.sheet, 2, Somebody("Zoe"), *place, key=new_key(), by=scorer.by))
    assert who_sits(table, 2).name == "Zoe"
    sure_of(scorer.undo())
    assert who_sits(table, 2).name == "Bo"
    assert not Member.objects.filter(role="guest").exists()


# A name that is corrected later


def corrected(phone: Plain, seat: int, name: str, **more: str) -> str:
    """The name on a seat is corrected on the page of the set-up; what the page says."""
    where = f"name-0-sits-{seat}"
    phone.look(phone.url("set_up"))
    fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', html(phone)))
    fields |= {"first_dealer": fields["was-first_dealer"], where: name}
    fields.pop("house", None)
    if "answer" in more:
        fields |= {f"who-{where}": more["answer"], f"of-{where}": name.lower()}
    phone.show(phone.client.post(phone.url("set_up"), fields | {"do": "look"}))
    said = str(phone.page.text)
    if any(button.label.strip() == "Confirm" for button in phone.page.buttons):
        unseen = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', html(phone)))
        phone.show(phone.client.post(phone.url("set_up"), unseen | {"do": "write"}))
        assert phone.status == 303, phone.page.text
    return said


def test_a_spelling_of_the_members_own_name_asks_nothing(phone: Plain, table: Table, evening: Evening) -> None:
    said = corrected(phone, 1, "Anna")
    assert "Who was it?" not in said
    assert phone.scorer.reading.names[1] == "Anna"
    assert who_sits(table, 1) == evening.members[0]


def test_a_name_that_becomes_another_members_asks_who_it_was(
    phone: Plain, table: Table, rosa: Member, evening: Evening
) -> None:
    said = corrected(phone, 2, "Rosa")
    assert phone.status == 200
    assert "Who was it? Rosa Bo only the name was wrong Somebody else" in said
    assert phone.scorer.reading.names[2] == "Bo"
    corrected(phone, 2, "Rosa", answer=str(rosa.player_id))
    assert who_sits(table, 2) == rosa
    phone.scorer.clear_game()
    assert set(Placing.objects.values_list("member__name", flat=True)) == {"Ann", "Rosa Klein", "Cy", "Di"}


def test_still_the_same_member_under_another_name(phone: Plain, table: Table, rosa: Member, evening: Evening) -> None:
    bo = evening.members[1]
    corrected(phone, 2, "Rosa", answer=str(bo.player_id))
    assert who_sits(table, 2) == bo
    assert phone.scorer.reading.names[2] == "Rosa"


def test_somebody_else_is_a_guest_from_the_start(phone: Plain, table: Table) -> None:
    assert "Who was it? Bo only the name was wrong Somebody else" in corrected(phone, 2, "Zoe")
    corrected(phone, 2, "Zoe", answer="stranger")
    guest = Member.objects.get(role="guest")
    assert (who_sits(table, 2), guest.name) == (guest, "Zoe")


def test_a_finished_game_counts_for_who_it_was(phone: Plain, table: Table, rosa: Member, evening: Evening) -> None:
    phone.scorer.clear_game()
    corrected(phone, 2, "Rosa", answer=str(rosa.player_id))
    assert Placing.objects.filter(member=rosa).count() == 1
    assert not Placing.objects.filter(member=evening.members[1]).exists()


def test_the_name_of_a_guest_is_corrected_on_the_list_too(phone: Plain, table: Table) -> None:
    arrives(phone, "Zoe joins", name="Zoe")
    phone.scorer.clear_game()
    corrected(phone, 5, "Zelda")
    guest = Member.objects.get(role="guest")
    assert (guest.name, who_sits(table, 5)) == ("Zelda", guest)


def test_a_guest_who_was_a_member_after_all_is_no_guest_any_more(phone: Plain, table: Table, rosa: Member) -> None:
    arrives(phone, "Zoe joins", name="Zoe")
    phone.scorer.clear_game()
    assert "Who was it? Rosa Zoe only the name was wrong Somebody else" in corrected(phone, 5, "Rosa")
    corrected(phone, 5, "Rosa", answer=str(rosa.player_id))
    assert Placing.objects.get(member=rosa).players == 5
    assert not Member.objects.filter(role="guest").exists()


def test_who_hides_their_name_and_was_meant_is_kept_by_it_and_shown_without(
    phone: Plain, table: Table, rosa: Member
) -> None:
    hide_name(rosa, by=None)
    corrected(phone, 2, "Somebody", answer=str(rosa.player_id))
    assert phone.scorer.reading.names[2] == "Somebody"
    assert phone.scorer.reading.standing[0, "sits-2"].data["name"] == "Rosa Klein"


def test_nobody_who_is_not_known_here_is_put_on_a_seat(phone: Plain, rosa: Member) -> None:
    other = MemberFactory(club=ClubFactory(), name="Rosa")
    assert "Who was it?" in corrected(phone, 2, "Rosa", answer=str(other.player_id))
    assert phone.scorer.reading.names[2] == "Bo"


def test_a_mistyped_name_at_a_kitchen_table_asks_nothing(rosa: Member) -> None:
    phone = Plain(4)
    assert "Who was it?" not in corrected(phone, 2, "Rosa")
    assert phone.scorer.reading.names[2] == "Rosa"
