"""No sentence comes out ungrammatical, with whatever numbers and names it is put together."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club
from rules import all_games, find_game
from scoresheets.models import Sheet
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    SeasonFactory,
    TrophyFactory,
    UserFactory,
    played,
)
from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.grammar import faults_in, faults_on
from tests.scoresheets.plain import Plain

NAMES = [
    "James",
    "Bo",
    "O’Neil",
    "Di",
    "X",
    "Anne-Marie",
    "Gus",
    "Maximiliana Bartholomew-Featherstone",
    "Ida",
    "Jo",
    "Kit",
]
GAMES = [game.slug for game in all_games()]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("1 hands", "1 hand"), ("2 hand", "2 hands"), ("0 card", "0 cards"), ("a 8", "an 8"), ("an dealer", "a dealer"),
        ("Ann and and Bo", "Ann and Bo"), ("Ann and Bo has 3", "Ann and Bo have 3"), ("Done .", "Done."),
        ("Done..", "Done …"), ("Bo, , Cy", "Bo, Cy"), ("Cards ()", "Cards"), ("None deals", "Nobody deals"),
        ("It is over. the next", "It is over. The next"),
    ],
)  # fmt: skip
def test_checker_finds_a_fault_and_lets_what_is_right_alone(wrong: str, right: str) -> None:
    assert list(faults_in(wrong))
    assert not list(faults_in(right))


def test_checker_reads_round_what_a_program_says() -> None:
    assert faults_on("<p>Send <code>{uid}</code> to it.</p><p>The header (<code>If-None-Match</code>).</p>") == []
    assert faults_on("<p>Send <code>{uid}</code> .</p>") != []


# Sheets


def pages_of_sheet(phone: Plain) -> list[str]:
    names = ("pad", "sheet", "history", "links", "read_back", "rules_page", "set_up", "type_in", "blank_sheet")
    return [phone.client.get(phone.url(name)).content.decode() for name in names]


@pytest.mark.thorough(but=2)
@pytest.mark.django_db
@pytest.mark.parametrize("hands", [0, 1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_pages_of_a_sheet_after_no_hand_one_and_two(game: str, hands: int) -> None:
    made_for = find_game(game).made_for
    for players in {made_for[0], made_for[-1]}:
        phone = Plain(players, game=game, plan={})
        for _ in range(hands):
            phone.scorer.any_hand()
        assert [fault for page in pages_of_sheet(phone) for fault in faults_on(page)] == []


@pytest.mark.thorough(but=1)
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_pages_of_a_finished_sheet(client: Client, game: str, seed: int) -> None:
    phone = Plain(find_game(game).made_for[0], game=game, plan={})
    while phone.scorer.reading.sheet.open:
        phone.scorer.any_hand(seed)
    phone.scorer.settle()
    sheet = Sheet.objects.get()
    watched = [client.get(reverse(name, args=[sheet.watch])).content.decode() for name in ("watch", "watch_history")]
    pages = [*pages_of_sheet(phone), phone.client.get(phone.url("result")).content.decode(), *watched]
    assert [fault for page in pages for fault in faults_on(page)] == []


@pytest.mark.thorough(but=2)
@pytest.mark.django_db
@pytest.mark.parametrize("people", [0, 1, 2, 3, 4, 10, 11])
@pytest.mark.parametrize("game", GAMES)
def test_opening_page_with_so_many_people(client: Client, game: str, people: int) -> None:
    data = {"do": "look", "game": game, "asked": game, "name": NAMES[:people], "pick": [""] * people}
    assert faults_on(client.post(reverse("open_sheet"), data).content.decode()) == []


# A club

CLUB_PAGES = (
    "club", "members", "nights", "standings", "trophies", "records", "games", "hands", "honours", "seasons", "organise",
    "audit_log", "club_settings", "invite", "export_club", "import_club", "import_past", "match_names", "bring_in",
    "add_members", "merge_members", "plan_night", "apart",
)  # fmt: skip
NIGHT_PAGES = (
    "night", "roll_call", "draw_tables", "table_codes", "table_signs", "control", "change_night", "bringing",
    "plan_play_off",
)  # fmt: skip


def club_with(many: int) -> tuple[Club, Client]:
    """A club with so many of everything, and its organiser."""
    club = ClubFactory(name="The Nine")
    user = UserFactory()
    MemberFactory(club=club, name="Zoe", user=user, role="organiser")
    members = [MemberFactory(club=club, name=NAMES[at]) for at in range(max(many, 4 if many else 0))]
    for _ in range(many):
        TrophyFactory(club=club)
        SeasonFactory(club=club)
        night = NightFactory(club=club)
        played(night, members[:4], hands=many)
        MemberFactory(club=club, name=f"Guest {night.pk}", role="guest")
    NightFactory(club=club)
    organiser = Client()
    organiser.force_login(user)
    return club, organiser


@pytest.mark.thorough(but=1)
@pytest.mark.django_db
@pytest.mark.parametrize("many", [0, 1, 2, 7])
def test_pages_of_a_club_with_so_many_of_everything(many: int) -> None:
    club, organiser = club_with(many)
    pages = [(name, reverse(name, args=[club.slug])) for name in CLUB_PAGES]
    pages += [(name, reverse(name, args=[club.slug, night.pk])) for night in club.nights.all() for name in NIGHT_PAGES]
    faults = []
    for name, address in pages:
        page = organiser.get(address, follow=True)
        assert page.status_code == 200, address
        faults += [f"{name}: {fault}" for fault in faults_on(page.content.decode())]
    assert faults == []


@pytest.mark.django_db
def test_every_page_of_a_club_with_something_of_everything() -> None:
    house = FullClub()
    organiser = house.browser("organiser")
    faults = []
    for route, name in ROUTES:
        page = organiser.get(house.address(route), house.more(name, "GET")) if name else None
        if page is not None and page.status_code == 200 and "html" in page["Content-Type"]:
            faults += [f"{name}: {fault}" for fault in faults_on(page.content.decode())]
    assert faults == []
