"""More people than one table has seats for, and no club: an evening that a phone without an account runs."""

from __future__ import annotations

import datetime
import re
from http.cookies import SimpleCookie

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.access.visit import host_token
from clubs.evening.without_club import forget_unplayed
from clubs.models import Club, Member, Night, Placing, Standing, Table
from clubs.projections.rebuild import made_anew
from scoresheets.models import Player, Scorekeeper, Sheet
from scoresheets.models.sheet import new_token
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.factories import Scorer

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", "Mo"]


def form_of(names: list[str], *, do: str, game: str = "dirty-dog", key: str = "", **more: object) -> dict[str, object]:
    fields = {"do": do, "game": game, "asked": game, "key": key or new_token()}
    return fields | {"name": names, "pick": [""] * len(names)} | more


def opened(client: Client, do: str = "play-off", names: list[str] = NAMES, **more: object) -> HttpResponse:
    client.get(reverse("open_sheet"))
    return client.post(reverse("open_evening"), form_of(names, do=do, **more))


def mark_on(page: HttpResponse) -> str:
    found = re.search(r'name="saw" value="([^"]+)"', page.content.decode())
    assert found
    return found[1]


def play(client: Client, do: str = "play-off") -> tuple[Night, HttpResponse]:
    """The evening opened by its host in three taps: the night, and the page after the last."""
    there = opened(client, do)["Location"]
    if do == "play-off":
        plan = client.get(there)
        there = client.post(there, {"do": "draw", "saw": mark_on(plan)})["Location"]
    page = client.post(there, {"do": "open", "saw": mark_on(client.get(there))}, follow=True)
    return Night.objects.get(club__is_evening=True), page


# The offer


def offer_on(client: Client, people: int, game: str = "dirty-dog") -> str:
    data = form_of(NAMES[:people], do="look", game=game)
    return client.post(reverse("open_sheet"), data).content.decode()


def test_more_people_than_seats_are_offered_a_play_off_and_several_tables(client):
    page = offer_on(client, 13)
    assert "More than one table?" in page
    assert "Groups of 7 and 6, top three each, finals of 6 and 7." in page
    assert "Tables of 7 and 6, each with its own game." in page
    assert page.count(f'formaction="{reverse("open_evening")}"') == 2


def test_as_many_as_a_table_has_seats_for_are_offered_nothing(client):
    assert "More than one table?" not in offer_on(client, 10)


def test_script_of_the_page_gets_the_offer_with_the_other_parts(client):
    page = client.post(reverse("open_look"), form_of(NAMES, do="look")).content.decode()
    assert "More than one table?" in page


def test_who_would_have_to_wait_is_said(client):
    assert "One would have to wait." in offer_on(client, 13, "bird-dog")


# Opening


@pytest.mark.parametrize("do", ["play-off", "tables"])
def test_three_taps_lead_from_the_opening_page_to_the_codes_of_the_tables(client, do):
    night, page = play(client, do)
    assert page.status_code == 200
    assert page.redirect_chain[-1][0] == reverse("table_codes", args=[night.club.slug, night.pk])
    assert "The scorekeeper scans this" in page.content.decode()
    assert sorted(sheet.seats.count() for sheet in Sheet.objects.all()) == [6, 7]
    assert night.play_offs.count() == (do == "play-off")


def test_everybody_in_the_form_has_a_seat_once(client):
    night, _ = play(client)
    seated = [seat.name for sheet in Sheet.objects.all() for seat in sheet.seats.all()]
    assert sorted(seated) == sorted(NAMES)
    assert sorted(night.club.members.values_list("name", flat=True)) == sorted(NAMES)


def test_same_tap_twice_opens_one_evening(client):
    key = new_token()
    first, second = (opened(client, key=key)["Location"] for _ in range(2))
    assert first == second
    assert Club.objects.count() == 1


def test_house_rules_of_the_form_are_kept(client):
    there = opened(client, "tables", **{"house-replan": "on"})["Location"]
    assert Night.objects.get().drawn["house_rules"] == {"dirty-dog": {"replan": True}}
    client.post(there, {"do": "open", "saw": mark_on(client.get(there))})
    assert {str(table.house_rules) for table in Table.objects.all()} == {"{'replan': True}"}


def test_who_is_still_coming_has_a_chair_too(client):
    there = opened(client, "tables", coming=["Ned", "Pat"])["Location"]
    night = Night.objects.get()
    says = {call.member.name: call.says for call in night.attendances.select_related("member")}
    assert {name for name, answer in says.items() if answer == "coming"} == {"Ned", "Pat"}
    page = client.get(there).content.decode()
    client.post(there, {"do": "open", "saw": mark_on(client.get(there))})
    assert "Ned" in page
    assert sorted(name for sheet in Sheet.objects.all() for name in sheet.coming) == ["Ned", "Pat"]


@pytest.mark.parametrize(
    ("names", "more", "sentence"),
    [
        ([*NAMES[:11], "ann"], {}, "There is a second ann here: add an initial."),
        ([*NAMES[:11], ""], {}, "name"),
        (NAMES, {"typed": "Ned"}, "This name is not at the table yet"),
        (NAMES[:10], {}, "One table is enough for so few."),
    ],
)
def test_what_is_wrong_is_said_in_the_form_and_nothing_is_opened(client, names, more, sentence):
    response = opened(client, "tables", names, **more)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not Club.objects.exists()


def test_button_that_no_page_has_is_refused(client):
    assert opened(client, "banquet").status_code == 400


def test_site_that_wants_accounts_opens_no_evening_without_one(client, settings):
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    assert opened(client).status_code == 403


# The host, and everybody else


def test_host_writes_on_every_sheet_and_nobody_else_does(client):
    play(client)
    codes = [sheet.code for sheet in Sheet.objects.all()]
    assert [client.get(reverse("pad", args=[code])).status_code for code in codes] == [200, 200]
    stranger = Client()
    assert {stranger.get(reverse("pad", args=[code])).status_code for code in codes} <= {302, 403}
    assert not Scorekeeper.objects.filter(browser__in=[""]).exists()


def test_host_announces_the_last_hand_to_all_tables(client):
    night, _ = play(client, "tables")
    response = client.post(
        reverse("announce_last", args=[night.club.slug, night.pk]), {"do": "last", "key": new_token()}, follow=True
    )
    assert response.status_code == 200


def test_evening_is_open_by_its_link_and_to_nobody_else(client):
    night, _ = play(client)
    stranger = Client()
    assert stranger.get(night.get_absolute_url()).status_code == 403
    link = reverse("come_in", args=[night.club.slug, night.club.key])
    assert stranger.get(link, follow=True).redirect_chain[-1][0] == night.get_absolute_url()
    assert stranger.get(reverse("table_codes", args=[night.club.slug, night.pk])).status_code in (302, 403)


def test_second_phone_runs_the_evening_by_the_host_link(client):
    night, _ = play(client)
    page = client.get(reverse("share_evening", args=[night.club.slug])).content.decode()
    link = reverse("host_evening", args=[night.club.slug, host_token(night.club)])
    assert link in page
    second = Client()
    assert second.get(reverse("host_evening", args=[night.club.slug, "0" * 32])).status_code == 404
    second.get(link)
    assert second.get(reverse("control", args=[night.club.slug, night.pk])).status_code == 200
    sheet = Sheet.objects.first()
    assert second.get(reverse("pad", args=[sheet.code])).status_code == 200


def test_evening_has_the_pages_of_a_night_and_no_others(client):
    night, _ = play(client)
    for name in ("standings", "trophies", "seasons", "members", "club_settings", "invite", "export_club", "records"):
        assert client.get(reverse(name, args=[night.club.slug])).status_code == 404, name
    assert 'class="tabs"' not in client.get(night.get_absolute_url()).content.decode()


def test_every_link_on_the_pages_of_an_evening_leads_somewhere(client):
    night, _ = play(client)
    here = night.get_absolute_url()
    seen, ahead, broken, found_on = {here}, [here], [], {}
    while ahead:
        path = ahead.pop()
        page = client.get(path, follow=True)
        if page.status_code != 200:
            broken.append((found_on[path], path))
        elif "html" in page["Content-Type"]:
            links = set(re.findall(r'href="(/[^"#?]*)', page.content.decode())) - seen
            ahead += [link for link in links if link.startswith(f"/clubs/{night.club.slug}/")]
            seen |= links
            found_on |= dict.fromkeys(links, path)
    assert not broken
    assert len(seen) > 15


def test_evening_stands_in_no_list_of_clubs(client):
    night, _ = play(client)
    assert night.club.name not in Client().get(reverse("clubs")).content.decode()
    assert not Club.objects.real().exists()
    assert night.club.name in client.get(reverse("clubs")).content.decode()


def test_cookie_of_one_evening_is_no_right_at_another(client):
    play(client)
    other = Client()
    there = opened(other, "tables", [f"{name} B" for name in NAMES])["Location"]
    club = Club.objects.order_by("pk").first()
    forged = SimpleCookie()
    forged[f"host-{Club.objects.order_by('pk').last().pk}"] = host_token(club)
    stranger = Client()
    stranger.cookies = forged
    assert stranger.get(there).status_code == 403


HOST_ONLY = (
    "roll_call", "draw_tables", "table_codes", "table_signs", "control", "change_night", "plan_play_off", "draw_next",
    "close_night", "call_off", "announce_last",
)  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", HOST_ONLY)
def test_whoever_came_by_the_link_of_the_evening_only_looks(client, name):
    night, _ = play(client)
    looker = Client()
    looker.get(reverse("come_in", args=[night.club.slug, night.club.key]))
    address = reverse(name, args=[night.club.slug, night.pk])
    assert {looker.get(address).status_code, looker.post(address).status_code} <= {403, 405}
    assert looker.get(reverse("share_evening", args=[night.club.slug])).status_code == 403
    assert looker.get(reverse("take_evening_in", args=[night.club.slug])).status_code == 403


# Forgetting


def test_evening_at_which_no_table_was_opened_is_forgotten_after_two_days(client, django_capture_on_commit_callbacks):
    opened(client)
    club = Club.objects.get()
    assert forget_unplayed(club.created + datetime.timedelta(hours=47)) == 0
    assert forget_unplayed(club.created + datetime.timedelta(hours=49)) == 1
    assert not Club.objects.exists()
    assert not Player.objects.exists()


def test_evening_with_tables_is_never_forgotten(client):
    night, _ = play(client)
    assert forget_unplayed(night.club.created + datetime.timedelta(days=999)) == 0


# A club takes it in


@pytest.fixture
def organiser(client):
    night, _ = play(client)
    club = ClubFactory(name="Thursdays", visibility="link")
    me = MemberFactory(club=club, name="Ann", user=UserFactory(), role="organiser")
    client.force_login(me.user)
    return night, club, me


def lines_for(night: Night, **chosen: str) -> dict[str, str]:
    return {
        f"who-{member.player_id}": chosen.get(member.name, "guest") for member in Member.objects.filter(club=night.club)
    }


def test_people_with_the_name_of_a_member_are_proposed(client, organiser):
    night, _, me = organiser
    page = client.get(reverse("take_evening_in", args=[night.club.slug])).content.decode()
    assert f'<option value="{me.pk}" selected>Ann</option>' in page
    assert page.count("<select") == len(NAMES)


def test_club_takes_the_evening_in_and_its_results_count_there(client, organiser, django_capture_on_commit_callbacks):
    night, club, me = organiser
    evening, address = night.club, night.get_absolute_url()
    here = reverse("take_evening_in", args=[evening.slug])
    response = client.post(here, {"club": club.slug, **lines_for(night, Ann=str(me.pk), Bo="new")})
    night = Night.objects.get()
    assert response["Location"] == night.get_absolute_url()
    assert night.club == club
    records = {member.name: member for member in Member.objects.filter(club=club).exclude(pk=me.pk)}
    assert sorted(records) == sorted(NAMES)
    assert records["Ann"].main_record == me
    assert (records["Bo"].role, records["Cy"].role) == ("member", "guest")
    assert records["Cy"].claim_hash
    assert {sheet.club_name for sheet in Sheet.objects.all()} == {"Thursdays"}
    assert all(sheet.home.startswith(f"/clubs/{club.slug}/") for sheet in Sheet.objects.all())
    page = client.get(address)
    assert (page.status_code, page["Location"]) == (302, night.get_absolute_url())
    assert Client().get(address).status_code == 403


def test_results_and_the_play_off_of_the_evening_count_in_the_club(client: Client, organiser) -> None:
    night, club, me = organiser
    for sheet in Sheet.objects.all():
        Scorer(sheet, sheet.scorekeepers.first()).any_game()
    next_tables = reverse("draw_next", args=[night.club.slug, night.pk])
    page = client.get(next_tables)
    stages = re.findall(r'name="stage" value="([^"]+)"', page.content.decode())
    opened_finals = client.post(next_tables, {"do": "open", "saw": mark_on(page), "stage": stages})
    assert opened_finals["Location"].startswith(reverse("table_codes", args=[night.club.slug, night.pk]))
    for sheet in Sheet.objects.filter(finished_at__isnull=True):
        Scorer(sheet, sheet.scorekeepers.first()).clear_game()
    assert night.play_offs.get().decided_at
    here = reverse("take_evening_in", args=[night.club.slug])
    client.post(here, {"club": club.slug, **lines_for(night, Ann=str(me.pk))})
    assert {placing.member.identity for placing in Placing.objects.filter(member__club=club)} >= {me.pk}
    standing = Standing.objects.filter(club=club, season__isnull=True)
    assert standing.count() == len(NAMES)
    assert not Standing.objects.exclude(club=club).exists()
    assert made_anew(club)[1] == []
    for name in ("standings", "members", "club", "honours", "records"):
        assert client.get(reverse(name, args=[club.slug])).status_code == 200
    assert client.get(Night.objects.get().play_offs.get().get_absolute_url()).status_code == 200


def test_taking_it_in_twice_changes_nothing(client, organiser):
    night, club, _ = organiser
    here, data = reverse("take_evening_in", args=[night.club.slug]), {"club": club.slug, **lines_for(night)}
    client.post(here, data)
    people = Member.objects.count()
    assert client.post(here, data).status_code == 302
    assert Member.objects.count() == people


@pytest.mark.parametrize("wrong", ["two", "nobody", "stranger"])
def test_answer_that_cannot_be_is_refused_and_nothing_is_moved(client, organiser, wrong):
    night, club, me = organiser
    stranger = MemberFactory(name="Zoe")
    chosen = {
        "two": {"Ann": str(me.pk), "Bo": str(me.pk)}, "nobody": {"Ann": ""}, "stranger": {"Ann": str(stranger.pk)},
    }[wrong]  # fmt: skip
    here = reverse("take_evening_in", args=[night.club.slug])
    response = client.post(here, {"club": club.slug, **lines_for(night, **chosen)})
    assert response.status_code == 422
    assert Night.objects.get().club.is_evening
    if wrong == "two":
        assert "Ann and Bo both played that evening: they are two people." in response.content.decode()


def test_club_of_somebody_else_takes_nothing_in(client, organiser):
    night, _, _ = organiser
    other = ClubFactory()
    here = reverse("take_evening_in", args=[night.club.slug])
    client.post(here, {"club": other.slug, **lines_for(night)})
    assert Night.objects.get().club.is_evening


def test_host_without_account_is_told_who_can_move_it(client):
    night, _ = play(client)
    page = client.get(reverse("take_evening_in", args=[night.club.slug])).content.decode()
    assert "An organiser of the club does this." in page


def test_organiser_who_is_no_host_moves_nothing(client, organiser):
    night, club, me = organiser
    other = Client()
    other.force_login(me.user)
    here = reverse("take_evening_in", args=[night.club.slug])
    assert other.post(here, {"club": club.slug, **lines_for(night)}).status_code == 403
    assert not Standing.objects.filter(club=club).exists()
