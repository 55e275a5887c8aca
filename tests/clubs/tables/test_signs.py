"""The codes and signs of a night's tables, pairs kept apart, what to bring, and who may see it."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client

from clubs.access.visit import COOKIE
from clubs.models import AuditEntry, Club, Member, Night
from clubs.tables.signs import signs_of
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.evenings import A_WEEK, THURSDAY, called, drawn, night_page, organiser_of, people, press

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]


# Codes and signs


def test_each_table_has_a_code_for_its_scorekeeper_that_stays_the_same(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    press(client, night, "open", follows="nothing")
    pages = [client.get(night_page(night, "codes"), {"table": number}) for number in ("1", "2", "2", "9")]
    keeps = [page.context["sign"].keep for page in pages]
    assert keeps[1] == keeps[2] != keeps[0] == keeps[3]
    phone = Client()
    token = keeps[1].rsplit("/keep/")[1].strip("/")
    assert phone.post(f"/keep/{token}/", {"name": "Bo"}).status_code == 303
    sheet = night.tables.get(number=2).sheet
    assert phone.get(f"/sheets/{sheet.code}/pad/").status_code == 200
    sheet.links.update(revoked_at=datetime.datetime(2026, 11, 26, 20, tzinfo=datetime.UTC))
    assert (
        "There is no code for a scorekeeper now"
        in client.get(night_page(night, "codes"), {"table": "2"}).content.decode()
    )
    for _ in range(2):
        client.post(night_page(night, "codes"), {"table": "2", "do": "codes"})
    new = client.get(night_page(night, "codes"), {"table": "2"}).context["sign"].keep
    assert new not in ("", keeps[1])
    assert sheet.links.count() == 2


def test_new_codes_for_the_signs_lead_to_the_signs(club: Club, night: Night) -> None:
    answer = organiser_of(club).post(night_page(night, "codes"), {"do": "codes-on-signs"})
    assert (answer.status_code, answer.headers["Location"]) == (303, night_page(night, "signs"))


def test_signs_have_both_codes_of_every_table_and_names_nobody_keeps_apart(club: Club, night: Night) -> None:
    members = people(club, 12)
    called(night, members)
    client = organiser_of(club)
    press(client, night, "open", follows="nothing")
    page = client.get(night_page(night, "signs"))
    assert page["Referrer-Policy"]
    assert [bool(sign.keep) and bool(sign.watch) for sign in page.context["signs"]] == [True, True]
    assert page.content.decode().count('class="qr"') == 4
    assert signs_of([], str) == []


# Pairs kept apart


def test_pairs_kept_apart_sit_apart_and_no_page_of_others_tells(club: Club, night: Night) -> None:
    members = people(club, 12)
    Member.objects.filter(pk=members[0].pk).update(name="Ida-Apart")
    Member.objects.filter(pk=members[1].pk).update(name="Edo-Apart")
    client = organiser_of(club)
    pair = {"one": members[0].pk, "other": members[1].pk}
    for _ in range(2):
        assert client.post("/clubs/trumps/apart/", pair).status_code == 303
    client.post("/clubs/trumps/apart/", {"one": members[1].pk, "other": members[0].pk})
    assert club.kept_apart.count() == 1
    called(night, members)
    for _ in range(8):
        press(client, night, "again")
        tables = drawn(client, night).tables
        assert not any({members[0].pk, members[1].pk} <= set(table.people) for table in tables)
    press(client, night, "bring-0", who=list(pair.values()))
    page = client.get(night_page(night, "draw")).content.decode()
    assert "1 pair you keep apart sits at one table" in " ".join(page.split())
    assert not any("Apart" in line.says for line in AuditEntry.objects.all())
    press(client, night, "open", follows="nothing")
    phone = Client()
    phone.cookies[COOKIE.format(club.pk)] = f"{club.key}.{members[0].pk}"
    assert phone.get("/clubs/trumps/apart/").status_code in (302, 303, 403)
    for page in ("", "bring/"):
        shown = phone.get(f"{night.get_absolute_url()}{page}").content.decode()
        assert "apart" not in shown.replace("-Apart", "")
    line = club.kept_apart.get()
    for _ in range(2):
        assert client.post("/clubs/trumps/apart/", {"line": line.pk}).status_code == 303
    assert not club.kept_apart.exists()


@pytest.mark.parametrize("pair", [{}, {"one": "1"}, {"one": "x", "other": "y"}, {"one": "same", "other": "same"}])
def test_pair_needs_two_people_of_the_club(club: Club, pair: dict[str, str]) -> None:
    (ann,) = people(club, 1)
    client = organiser_of(club)
    page = client.post(
        "/clubs/trumps/apart/", {name: ann.pk if value == "same" else value for name, value in pair.items()}
    )
    assert (page.status_code, club.kept_apart.count()) == (422, 0)


# What to bring


def test_what_to_bring_is_counted_by_the_tables_and_ticked_off(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    cup = TrophyFactory(club=club, name="The Cup")
    client, address = organiser_of(club), night_page(night, "bring")
    page = client.get(address).content.decode()
    assert "4 decks of cards" in page
    assert "4 pencils" in page
    assert "players across" in page
    assert "a column for every hand" in page
    assert "The Cup" in page
    for _ in range(2):
        client.post(address, {"thing": f"trophy-{cup.pk}", "packed": "1"})
    assert [packed.thing for packed in night.packed.all()] == [f"trophy-{cup.pk}"]
    client.post(address, {"thing": "a piano", "packed": "1"})
    client.post(address, {"thing": f"trophy-{cup.pk}", "packed": "0"})
    assert not night.packed.exists()
    assert Client().get(address).status_code == 200
    assert Client().post(address, {"thing": "decks", "packed": "1"}).status_code in (302, 303, 403)
    assert not night.packed.exists()


# Who may, and what it costs

PAGES = ("change", "roll-call", "draw", "draw/rules/dirty-dog", "chair", "codes", "signs")


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("page", PAGES)
def test_pages_of_the_organiser_are_theirs_alone(club: Club, night: Night, page: str) -> None:
    stranger = organiser_of(ClubFactory())
    member, user = Client(), UserFactory()
    MemberFactory(club=club, user=user, role="scorekeeper")
    member.force_login(user)
    for client in (stranger, member, Client()):
        for method in (client.get, client.post):
            assert method(night_page(night, page)).status_code in (302, 303, 403, 405), (client, page)
    other = NightFactory(club=ClubFactory())
    for pk in (other.pk, 10**24):
        assert organiser_of(club).get(f"/clubs/trumps/nights/{pk}/{page}/").status_code == 404


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("page", "most"), [("roll-call", 17), ("draw", 18), ("codes", 11), ("signs", 11), ("bring", 8)]
)
def test_pages_take_few_queries_however_many_come(
    club: Club, night: Night, page: str, most: int, django_assert_max_num_queries: Any
) -> None:
    members = people(club, 40)
    before = NightFactory(club=club, on=THURSDAY - A_WEEK)
    for first in range(0, 40, 8):
        played(before, members[first : first + 8], hands=0)
    called(night, members[:39])
    client = organiser_of(club)
    press(client, night, "open", follows="nothing")
    called(night, members[39:])
    with django_assert_max_num_queries(most):
        assert client.get(night_page(night, page)).status_code == 200
