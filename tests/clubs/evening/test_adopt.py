"""A sheet that was opened outside of a night is brought in, name by name, and taken out again."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import AuditEntry, Chair, Member, Night, Placing, PlayerAlias, Table
from clubs.nights.nights import put_away
from clubs.tables.open import take_back
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed, make_link
from scoresheets.log.cache import written_readings
from scoresheets.models import Player, Scorekeeper, ShareLink, Sheet
from tests.club_factories import MemberFactory, NightFactory, TableFactory
from tests.clubs.night_played import Evening, an_evening, page
from tests.factories import Scorer, opened

pytestmark = pytest.mark.django_db

SECRET = "the-organisers-phone--"


@pytest.fixture
def organiser(evening) -> Client:
    """They have opened the sheets on the phone on which they are signed in."""
    client = evening.organiser()
    client.cookies[BROWSER_COOKIE] = SECRET
    return client


def kept(*names: str, done: bool = True, browser: str = SECRET) -> Scorer:
    """A game that was kept on a phone, by names that were typed."""
    made = opened(names or ("Ann", "Bo", "Cyril", "Xaver"), browser=hashed(browser))
    scorer = Scorer(made.sheet, made.keeper)
    if done:
        scorer.clear_game()
    return scorer


def address(evening: Evening) -> str:
    return evening.url("bring_in")


def who(scorer: Scorer, **said: object) -> dict[str, str]:
    """What the form posts: by the names on the sheet."""
    players = {seat.name: seat.player_id for seat in scorer.sheet.seats.all()}
    fields = {f"who-{players[name]}": str(getattr(member, "pk", member)) for name, member in said.items()}
    return {"sheet": scorer.sheet.code, **fields}


def everybody(evening: Evening, scorer: Scorer, **more: object) -> dict[str, str]:
    ann, bo, cy = evening.members[:3]
    chosen = {"Ann": ann, "Bo": bo, "Cyril": cy, "Xaver": "guest"} | more
    return who(scorer, **chosen) | {"night": str(evening.night.pk)}


def test_sheets_of_this_phone_are_offered_and_no_other(organiser, evening):
    mine, theirs = kept(), kept(browser="another-phone-at-home-")
    text = organiser.get(address(evening)).content.decode()
    assert mine.sheet.code in text
    assert theirs.sheet.code not in text


def test_names_are_matched_one_by_one_and_alike_ones_proposed(organiser, evening):
    scorer = kept()
    said = organiser.get(f"{address(evening)}?sheet={scorer.sheet.code}").content.decode()
    ann, xaver = (scorer.sheet.seats.get(name=name).player_id for name in ("Ann", "Xaver"))
    chosen = said.split(f'name="who-{ann}"')[1].split("</select>")[0]
    assert f'<option value="{evening.members[0].pk}" selected>Ann' in chosen
    assert " selected" not in said.split(f'name="who-{xaver}"')[1].split("</select>")[0]
    assert f'<option value="{evening.night.pk}" selected>' in said


def test_a_sheet_that_is_brought_in_counts_for_the_people_of_the_club(organiser, evening):
    scorer = kept()
    answer = organiser.post(address(evening), everybody(evening, scorer))
    assert (answer.status_code, answer["Location"]) == (303, evening.control)
    table = Table.objects.get(sheet=scorer.sheet)
    assert (table.night, table.number, table.source) == (evening.night, 1, "brought")
    guest = Member.objects.get(club=evening.club, name="Xaver")
    assert (guest.role, guest.claim_hash != "") == ("guest", True)
    placed = {placing.member.name: placing.place for placing in Placing.objects.filter(table=table)}
    assert set(placed) == {"Ann", "Bo", "Cy", "Xaver"}
    assert placed["Ann"] == 1
    sheet = Sheet.objects.get(pk=scorer.sheet.pk)
    assert (sheet.home, sheet.club_name) == (evening.page, "The Trumps")
    assert AuditEntry.objects.get().says.startswith("Brought a sheet into")


def test_a_running_sheet_counts_once_it_is_done(organiser, evening):
    scorer = kept(done=False)
    organiser.post(address(evening), everybody(evening, scorer))
    assert "Table 1" in page(organiser.get(evening.control)).text
    assert not Placing.objects.exists()
    scorer.clear_game()
    assert Placing.objects.count() == 4


def test_a_stranger_has_no_place_in_the_club(organiser, evening):
    scorer = kept()
    organiser.post(address(evening), everybody(evening, scorer, Xaver="nobody"))
    assert Placing.objects.count() == 3
    assert not Member.objects.filter(name="Xaver").exists()


def test_every_name_must_be_said_and_what_was_said_is_kept(organiser, evening):
    scorer = kept()
    answer = organiser.post(address(evening), everybody(evening, scorer, Xaver=""))
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "Who is Xaver?" in said
    cyril = scorer.sheet.seats.get(name="Cyril").player_id
    assert (
        f'<option value="{evening.members[2].pk}" selected>'
        in said.split(f'name="who-{cyril}"')[1].split("</select>")[0]
    )
    assert not Table.objects.exists()
    assert not PlayerAlias.objects.exists()


def test_two_who_sat_together_are_not_one_person(organiser, evening):
    scorer = kept()
    answer = organiser.post(address(evening), everybody(evening, scorer, Cyril=evening.members[0]))
    assert answer.status_code == 422
    assert "Ann and Cyril sat at this table together: they are two people." in answer.content.decode()
    assert not PlayerAlias.objects.exists()


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("wrong", ["-1", "999999", "x", "new\x00", "¾"])
def test_nobody_of_another_club_is_taken(organiser, evening, wrong):
    other = MemberFactory()
    scorer = kept()
    for said in (wrong, other):
        assert organiser.post(address(evening), everybody(evening, scorer, Xaver=said)).status_code == 422
    assert not Table.objects.exists()


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("wrong", ["", "0", "999999", "x"])
def test_a_night_must_be_chosen(organiser, evening, wrong):
    answer = organiser.post(address(evening), everybody(evening, kept()) | {"night": wrong})
    assert answer.status_code == 422
    assert "Which night does it belong to?" in answer.content.decode()
    assert not Table.objects.exists()


def test_night_of_another_club_cannot_be_chosen(organiser, evening):
    other = NightFactory(on=evening.club.today())
    answer = organiser.post(address(evening), everybody(evening, kept()) | {"night": str(other.pk)})
    assert answer.status_code == 422


def test_it_can_have_a_night_of_its_own(organiser, evening):
    scorer = kept()
    Sheet.objects.filter(pk=scorer.sheet.pk).update(played_on=datetime.date(2025, 12, 30))
    organiser.post(address(evening), everybody(evening, scorer) | {"night": "own"})
    night = Table.objects.get(sheet=scorer.sheet).night
    assert night != evening.night
    assert (night.on, night.closed_at is not None) == (datetime.date(2025, 12, 30), True)


def test_the_second_tap_does_no_harm(organiser, evening):
    scorer = kept()
    for _ in range(2):
        answer = organiser.post(address(evening), everybody(evening, scorer))
        assert answer["Location"] == evening.control
    assert Table.objects.count() == 1
    assert Member.objects.filter(name="Xaver").count() == 1


def test_members_who_were_picked_by_their_chips_need_no_answer(organiser, evening):
    table = evening.table(hands=None)
    Table.objects.all().delete()
    table.sheet.scorekeepers.create(browser=hashed(SECRET), created=timezone.now())
    said = organiser.get(f"{address(evening)}?sheet={table.sheet.code}").content.decode()
    assert "<select" not in said.split('name="night"')[0].rsplit("<select", 1)[0]
    organiser.post(address(evening), {"sheet": table.sheet.code, "night": str(evening.night.pk)})
    assert Placing.objects.count() == 4


# Who may bring it in


def test_a_sheet_of_another_phone_needs_a_link_of_its_scorekeeper(organiser, evening):
    scorer = kept(browser="another-phone-at-home-")
    asked = organiser.get(f"{address(evening)}?sheet={scorer.sheet.code}")
    assert asked.status_code == 422
    (field,) = re.findall(r'<input[^>]* name="link"[^>]*>', asked.content.decode())
    assert 'inputmode="url"' in field, "a phone shows the keys of an address"
    watch = reverse("watch", args=[scorer.sheet.watch])
    assert organiser.get(address(evening), {"link": f"http://testserver{watch}"}).status_code == 422
    link = f"http://testserver{reverse('keep', args=[make_link(scorer.sheet, by=scorer.by)])}"
    said = organiser.get(address(evening), {"link": link})
    assert said.status_code == 200
    assert "Who is who?" in said.content.decode()
    body = everybody(evening, scorer) | {"link": link}
    assert organiser.post(address(evening), body).status_code == 303
    assert Table.objects.get().sheet == scorer.sheet


def test_who_only_knows_the_address_brings_nothing_in(organiser, evening):
    scorer = kept(browser="another-phone-at-home-")
    for link in ("", "x" * 500, "/keep/AAAAAAAAAAAAAAAAAAAAAA/"):
        assert organiser.post(address(evening), everybody(evening, scorer) | {"link": link}).status_code == 422
    assert not Table.objects.exists()


def test_sheet_at_a_table_of_another_club_stays_there(organiser, evening):
    other = an_evening()
    table = other.table(hands=1)
    table.sheet.scorekeepers.create(browser=hashed(SECRET), created=timezone.now())
    answer = organiser.get(f"{address(evening)}?sheet={table.sheet.code}")
    assert answer.status_code == 422
    assert "another club" in answer.content.decode()


def test_sheet_of_a_night_that_was_put_away_waits_for_its_night(organiser, evening):
    table = evening.table(hands=1)
    table.sheet.scorekeepers.create(browser=hashed(SECRET), created=timezone.now())
    put_away(evening.night)
    answer = organiser.get(f"{address(evening)}?sheet={table.sheet.code}")
    assert answer.status_code == 422
    assert "bring the night back" in answer.content.decode()


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_bring_sheets_in(evening, role):
    client = evening.organiser(role)
    assert client.get(address(evening)).status_code == 403
    assert client.post(address(evening)).status_code == 403
    assert Client().get(address(evening)).status_code == 302


# The way back


def test_it_is_taken_out_again_and_counts_for_nothing(organiser, evening):
    scorer = kept()
    organiser.post(address(evening), everybody(evening, scorer))
    table = Table.objects.get()
    # What only the club's own sheets have.
    assert Sheet.objects.filter(pk=scorer.sheet.pk).update(members_only=True, asks_since=timezone.now())
    out = evening.url("take_out", table.pk)
    assert "Take it out" in organiser.get(out).content.decode()
    for _ in range(2):
        assert organiser.post(out).status_code == 303
    assert not Placing.objects.exists()
    sheet = Sheet.objects.get(pk=scorer.sheet.pk)
    assert (sheet.home, sheet.stakes, sheet.club_name) == ("", "", "")
    assert (sheet.members_only, sheet.asks_since) == (False, None)
    assert "Table 1" not in page(organiser.get(evening.control)).text
    assert AuditEntry.objects.count() == 2


@pytest.mark.thorough
def test_it_comes_back_with_who_everybody_is(organiser, evening):
    scorer = kept()
    organiser.post(address(evening), everybody(evening, scorer))
    organiser.post(evening.url("take_out", Table.objects.get().pk))
    said = organiser.get(f"{address(evening)}?sheet={scorer.sheet.code}").content.decode()
    cyril = scorer.sheet.seats.get(name="Cyril").player_id
    assert (
        f'<option value="{evening.members[2].pk}" selected>'
        in said.split(f'name="who-{cyril}"')[1].split("</select>")[0]
    )
    organiser.post(address(evening), everybody(evening, scorer))
    assert (Table.objects.count(), Placing.objects.count()) == (1, 4)


def test_sheet_of_another_phone_comes_back_without_its_link(organiser, evening):
    scorer = kept(browser="another-phone-at-home-")
    link = f"http://testserver{reverse('keep', args=[make_link(scorer.sheet, by=scorer.by)])}"
    organiser.post(address(evening), everybody(evening, scorer) | {"link": link})
    organiser.post(evening.url("take_out", Table.objects.get().pk))
    ShareLink.objects.update(revoked_at=timezone.now())
    assert f"?sheet={scorer.sheet.code}" in organiser.get(address(evening)).content.decode()
    elsewhere = an_evening()
    assert elsewhere.organiser().get(f"{address(elsewhere)}?sheet={scorer.sheet.code}").status_code == 422
    assert organiser.post(address(evening), everybody(evening, scorer)).status_code == 303
    assert (Table.objects.counting().count(), Placing.objects.count()) == (1, 4)


@pytest.mark.thorough
def test_a_match_that_was_wrong_is_put_right_at_every_table(organiser, evening):
    first = kept()
    organiser.post(address(evening), everybody(evening, first))
    # The same people on the same phone again, so that they are the same players.
    players = {seat.name: seat.player_id for seat in first.sheet.seats.all()}
    second = kept(done=False)
    for seat in second.sheet.seats.all():
        seat.player = Player.objects.get(pk=players[seat.name])
        seat.save()
    written_readings.clear()
    second.clear_game()
    di = evening.members[3]
    body = everybody(evening, second, Cyril=di)
    assert organiser.post(address(evening), body).status_code == 303
    assert Placing.objects.filter(member=di).count() == 2
    assert not Placing.objects.filter(member=evening.members[2]).exists()


def test_only_what_was_brought_in_is_taken_out(organiser, evening):
    table = evening.table(hands=1)
    assert organiser.get(evening.url("take_out", table.pk)).status_code == 404
    assert organiser.post(evening.url("take_out", table.pk)).status_code == 404
    assert Table.objects.get().withdrawn_at is None
    assert Night.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("day", [datetime.date(1, 1, 1), datetime.date(9999, 12, 31)])
def test_sheet_of_a_day_nobody_can_mean_was_played_when_it_was_opened(evening, organiser, day: datetime.date) -> None:
    scorer = kept()
    Sheet.objects.filter(pk=scorer.sheet.pk).update(played_on=day)
    assert organiser.get(address(evening), {"sheet": scorer.sheet.code}).status_code == 200
    organiser.post(address(evening), everybody(evening, scorer) | {"night": "own"})
    assert Table.objects.get(sheet=scorer.sheet).night.on == evening.club.today()
    assert organiser.get(evening.url("plan_night")).status_code == 200


def test_table_that_was_taken_back_and_is_brought_in_after_all_is_taken_out_again(evening, organiser) -> None:
    table = evening.table(hands=0)
    assert take_back(evening.night) == 1
    Scorekeeper.objects.filter(sheet=table.sheet).update(browser=hashed(SECRET))
    Scorer(table.sheet, table.sheet.scorekeepers.get(browser=hashed(SECRET))).clear_hand()
    fields = {"sheet": table.sheet.code, "night": str(evening.night.pk)}
    assert organiser.post(address(evening), fields).status_code == 303
    table.refresh_from_db()
    assert table.withdrawn_at is None
    organiser.post(evening.url("take_out", table.pk))
    table.refresh_from_db()
    assert table.withdrawn_at is not None


def test_chairs_of_another_club_do_not_come_with_a_sheet(evening, organiser) -> None:
    scorer = kept()
    elsewhere = TableFactory(sheet=scorer.sheet, withdrawn_at=timezone.now())
    Chair.objects.create(table=elsewhere, place=1, member=MemberFactory(name="Zed", club=elsewhere.night.club))
    organiser.post(address(evening), everybody(evening, scorer))
    table = Table.objects.get(sheet=scorer.sheet)
    assert table.night == evening.night
    assert not table.chairs.exists()
