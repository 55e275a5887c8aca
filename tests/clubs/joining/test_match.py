"""Names at tables that nobody knows wait in one place; an organiser says who it is, and the results follow at once."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from clubs.joining.match import count_waiting
from clubs.members.identity import members_of_players
from clubs.members.privacy import hide_name
from clubs.models import AuditEntry, Member, Placing, PlayerAlias, Standing, Table
from clubs.nights.nights import put_away
from clubs.tables.open import give_chair
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import place_now
from scoresheets.roster.change import substitute as take_over
from tests.club_factories import ClubFactory, MemberFactory
from tests.clubs.joining.test_newcomers import who_sits, write
from tests.clubs.night_played import Evening, page, scorer_of
from tests.clubs.visitors import account
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa(evening: Evening) -> Member:
    return MemberFactory(club=evening.club, name="Rosa")


@pytest.fixture
def table(evening: Evening, rosa: Member) -> Table:
    """Ann, Bo, Cy and Di have played one hand; then "rosa" was typed, and the game is over."""
    table = evening.table(hands=1)
    write(table, "rosa")
    scorer_of(table).clear_game()
    table.refresh_from_db()
    return table


@pytest.fixture
def organiser(evening: Evening) -> Client:
    return evening.organiser()


def player_at(table: Table, seat: int = 5) -> int:
    return scorer_of(table).reading.sitting.now[seat].player


def says(client: Client, evening: Evening, answers: dict[int, object], **more: object) -> HttpResponse:
    """The form is sent with these answers, by players."""
    fields = {f"who-{player}": str(getattr(answer, "pk", answer)) for player, answer in answers.items()}
    return client.post(evening.url("match_names"), fields | more)


def test_a_name_that_waits_is_told_where_an_organiser_looks(organiser, evening, table) -> None:
    said = "1 name at a table is not matched"
    assert f"{said} yet" in page(organiser.get(evening.url("organise"))).text
    for address in (evening.control, f"{evening.control}tables/", evening.url("bring_in")):
        assert f"{said} with anybody of the club yet. Match names" in page(organiser.get(address)).text
    assert evening.url("match_names") in organiser.get(evening.control).content.decode()


def test_nothing_is_told_where_nothing_waits(organiser, evening) -> None:
    evening.table()
    for address in (evening.url("organise"), evening.control, evening.url("bring_in")):
        assert "not matched" not in page(organiser.get(address)).text
    assert "Everybody at the tables is matched" in page(organiser.get(evening.url("match_names"))).text


def test_the_page_names_the_sheet_and_proposes_who_it_may_be(organiser, evening, table, rosa) -> None:
    response = organiser.get(evening.url("match_names"))
    assert "Table 1" in page(response).text
    assert "rosa is" in page(response).text
    text = response.content.decode()
    assert f'<option value="{rosa.pk}" selected>Rosa' in text.split("Names like it")[1].split("</optgroup>")[0]
    assert text.count(f'<option value="{rosa.pk}"') == 1


def test_a_member_who_is_chosen_has_the_result_at_once(organiser, evening, table, rosa) -> None:
    assert Placing.objects.count() == 4
    assert says(organiser, evening, {player_at(table): rosa}).status_code == 303
    placing = Placing.objects.get(member=rosa)
    assert (placing.table, placing.players, placing.hands) == (table, 5, 3)
    assert Standing.objects.get(member=rosa, season=None).games == 1
    assert count_waiting(evening.club) == 0
    assert AuditEntry.objects.get().says == f"Matched rosa at Table 1 of {evening.night}: Rosa."


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("choice", "role"), [("guest", "guest"), ("new", "member")])
def test_a_guest_and_a_new_member_have_it_too(organiser, evening, table, choice, role) -> None:
    player = player_at(table)
    assert says(organiser, evening, {player: choice}).status_code == 303
    member = Member.objects.get(name="rosa")
    assert (member.role, member.claim_hash != "") == (role, role == "guest")
    assert member.player_id != player
    assert Placing.objects.filter(member=member).count() == 1


def test_nobody_the_club_keeps_waits_no_more_and_has_no_place(organiser, evening, table) -> None:
    says(organiser, evening, {player_at(table): "nobody"})
    assert count_waiting(evening.club) == 0
    assert Placing.objects.count() == 4
    assert Member.objects.filter(role="guest").count() == 0


def test_what_is_not_decided_yet_waits_on(organiser, evening, table) -> None:
    assert says(organiser, evening, {player_at(table): ""}).status_code == 303
    assert count_waiting(evening.club) == 1
    assert not AuditEntry.objects.exists()


@pytest.mark.databases_differ
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("wrong", ["-1", "999999", "x", "new\x00", "¾"])
def test_nobody_of_another_club_is_taken(organiser, evening, table, wrong) -> None:
    other = MemberFactory(club=ClubFactory(), name="rosa")
    for choice in (wrong, other):
        assert says(organiser, evening, {player_at(table): choice}).status_code == 422
    assert count_waiting(evening.club) == 1


def test_nobody_is_two_people_at_one_table(organiser, evening, table) -> None:
    answer = says(organiser, evening, {player_at(table): evening.members[0]})
    assert answer.status_code == 422
    assert "Ann and rosa sat at this table together: they are two people." in answer.content.decode()
    assert not PlayerAlias.objects.exists()


def test_a_choice_can_be_changed_from_the_control_page(organiser, evening, table, rosa) -> None:
    player = player_at(table)
    says(organiser, evening, {player: "guest"})
    links = page(organiser.get(evening.control)).links
    assert links["Who is who"] == f"{evening.url('match_names')}?table={table.pk}"
    there = organiser.get(links["Who is who"]).content.decode()
    guest = Member.objects.get(role="guest")
    assert f'<option value="{guest.pk}" selected>' in there
    answer = says(organiser, evening, {player: rosa}, table=table.pk)
    assert answer["Location"] == evening.control
    assert who_sits(table, 5) == rosa
    assert Placing.objects.get(member=rosa).table == table
    # Who was nothing but that name is nobody any more.
    assert not Member.objects.filter(role="guest").exists()


def test_the_table_of_another_club_is_not_there(organiser, evening, table) -> None:
    other = ClubFactory()
    assert organiser.get(f"/clubs/{other.slug}/names/").status_code == 403
    theirs = evening.url("match_names").replace(evening.club.slug, other.slug)
    assert account(other, "organiser")[0].get(f"{theirs}?table={table.pk}").status_code == 404
    for wrong in ("0", "x", "9" * 30):
        assert organiser.get(f"{evening.url('match_names')}?table={wrong}").status_code == 404


def test_a_substitute_waits_and_has_the_result(organiser, evening, rosa) -> None:
    table = evening.table(hands=1)
    scorer = scorer_of(table)
    sure_of(take_over(table.sheet, 2, Somebody("rosa"), *place_now(scorer.reading), key=new_key(), by=scorer.by))
    assert count_waiting(evening.club) == 1
    says(organiser, evening, {player_at(table, 2): rosa})
    scorer.clear_game()
    assert Placing.objects.filter(member=rosa).count() == 1


def test_a_hidden_name_is_covered_as_soon_as_it_is_matched(organiser, evening, rosa) -> None:
    hide_name(rosa, by=None)
    table = evening.table(hands=1)
    write(table, "rosa")
    assert scorer_of(table).reading.names[5] == "rosa"
    says(organiser, evening, {player_at(table): rosa})
    assert scorer_of(table).reading.names[5] == "Somebody"


def test_names_of_a_night_that_was_put_away_wait_for_nobody(evening, table) -> None:
    put_away(evening.night)
    assert count_waiting(evening.club) == 0


def test_two_organisers_match_the_same_name_once(organiser, evening, table) -> None:
    player = player_at(table)
    for _ in range(2):
        assert says(organiser, evening, {player: "guest"}).status_code == 303
    assert Member.objects.filter(role="guest").count() == 1


def test_the_same_name_at_two_tables_is_two_names(organiser, evening, table, rosa) -> None:
    other = evening.table(hands=1, seats=slice(4, 8))
    write(other, "rosa")
    assert count_waiting(evening.club) == 2
    says(organiser, evening, {player_at(table): rosa, player_at(other): "guest"})
    found = members_of_players(evening.club, [player_at(table), player_at(other)])
    assert len({member.pk for member in found.values()}) == 2


def test_somebody_who_was_expected_and_typed_in_is_waited_for_no_more(organiser, evening, rosa) -> None:
    table = evening.table(hands=1)
    assert give_chair(table, rosa)
    write(table, "Rossa")
    assert "Rosa" in page(organiser.get(evening.page)).text.split("Rossa")[1]
    says(organiser, evening, {player_at(table): rosa})
    assert "Rosa" not in page(organiser.get(evening.page)).text.replace("Rossa", "")


def test_nobody_is_two_people_at_another_table_of_the_same_player(organiser, evening, table, rosa) -> None:
    player = player_at(table)
    evening.members.append(rosa)
    other = evening.table(hands=1, seats=slice(5, 9))
    write(other, "Rosi", player=player)
    guest = who_sits(other, 5)
    assert guest is not None
    assert guest == who_sits(table, 5), "whoever sits beside Rosa is a guest"
    answer = says(organiser, evening, {player: rosa}, table=table.pk)
    assert answer.status_code == 422
    assert "rosa sat at another table with Rosa: they are two people." in answer.content.decode()
    assert who_sits(table, 5) == guest
