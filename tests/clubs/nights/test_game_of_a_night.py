"""Which game a night plays: the club's main game, another that more can play, or the one an organiser chooses."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.club.founding import create_club
from clubs.models import Attendance, Club, Night
from clubs.nights.nights import game_for, main_game, wanted_game
from clubs.tables.draft import Drawing
from rules import all_games, find_game
from scoresheets.opening.game_cards import by_size
from tests.club_factories import NightFactory, UserFactory, played
from tests.clubs.evenings import A_WEEK, THURSDAY, called, calls, drawn, night_page, organiser_of, people, press

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]

GAMES = [game.slug for game in all_games()]


def sizes(client: Client, night: Night) -> list[tuple[str, int]]:
    """The drawn tables: their game and how many sit there."""
    return [(table.game.slug, len(table.people)) for table in drawn(client, night).tables]


def guessed(night: Night, number: int) -> str:
    """What so many are asked to play."""
    return game_for(number, night, wanted_game(night)).slug


def brought_hotdog(club: Club) -> list[int]:
    """Last week two of the club kept a Hotdog of their own, and its sheet was brought in."""
    two = people(club, 2)
    table = played(NightFactory(club=club, on=THURSDAY - A_WEEK), two, game="hotdog")
    table.source = "brought"
    table.save()
    return [member.pk for member in two]


def test_sheet_that_was_brought_in_does_not_say_what_the_club_plays(club: Club, night: Night) -> None:
    twos = brought_hotdog(club)
    called(night, people(club, 17))
    client = organiser_of(club)
    client.post(night_page(night, "roll-call"), dict.fromkeys((f"call-{pk}" for pk in twos), "not") | {"do": "keep"})
    assert sizes(client, night) == [("dirty-dog", 9), ("dirty-dog", 8)]
    tally = client.get(night_page(night, "roll-call")).context["tally"]
    assert (tally["game"].slug, tally["sizes"]) == ("dirty-dog", [9, 8])


@pytest.mark.thorough
def test_club_plays_its_main_game_and_before_one_is_chosen_what_it_drew_most(club: Club) -> None:
    assert main_game(club) == by_size()[0]
    last = NightFactory(club=club, on=THURSDAY - A_WEEK)
    four = people(club, 4)
    for game in ("dingo", "dingo", "dirty-deals"):
        played(last, four, game=game)
    assert main_game(club).slug == "dingo"
    club.main_game = "dirty-deals"
    assert main_game(club).slug == "dirty-deals"
    # A file of another site can bring a game that nobody here knows.
    club.main_game = "whist"
    assert main_game(club).slug == "dingo"


@pytest.mark.parametrize(
    ("main", "number", "game"),
    [
        ("dirty-dog", 13, "dirty-dog"),
        ("dirty-dog", 3, "dirty-dog"),
        ("dirty-dog", 1, "dirty-dog"),
        ("dingo", 12, "dingo"),
        ("dingo", 13, "dirty-dog"),
        ("hotdog", 17, "dirty-dog"),
        ("hotdog", 1, "hotdog"),
    ],
)
def test_guess_looks_at_how_many_they_are(club: Club, night: Night, main: str, number: int, game: str) -> None:
    Club.objects.update(main_game=main)
    night.refresh_from_db()
    assert guessed(night, number) == game


def test_guess_for_three_whose_game_is_made_for_four_is_a_game_made_for_three(club: Club, night: Night) -> None:
    Club.objects.update(main_game="dingo")
    night.refresh_from_db()
    assert 3 not in find_game("dingo").made_for
    assert 3 in find_game(guessed(night, 3)).made_for


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [1, 5, 17])
def test_no_table_of_one_is_ever_drawn(club: Club, night: Night, number: int, game: str) -> None:
    night.club.main_game = game
    called(night, people(club, number))
    drawing = Drawing(night)
    for other in all_games():
        assert 1 not in [len(table.people) for table in drawing.tables]
        seated = [person for table in drawing.tables for person in table.people]
        assert len(seated) == len(set(seated))
        drawing.have(other, more=True)


def test_game_is_chosen_with_one_post_at_the_roll_call_or_at_the_tables(club: Club, night: Night) -> None:
    members = people(club, 12)
    client = organiser_of(club)
    there = client.post(night_page(night, "roll-call"), calls(members) | {"do": "game-dingo"})
    assert (there.status_code, there["Location"]) == (
        303,
        night_page(night, "roll-call") + "?open=night-game#night-game",
    )
    tally = client.get(night_page(night, "roll-call")).context["tally"]
    assert (tally["game"].slug, tally["here"], tally["sizes"]) == ("dingo", 12, [4, 4, 4])
    assert sizes(client, night) == [("dingo", 4)] * 3
    press(client, night, "game-bird-dog")
    assert sizes(client, night) == [("bird-dog", 3)] * 4
    # It was chosen: a number at which it does not come out changes nothing.
    client.post(night_page(night, "roll-call"), {f"call-{members[0].pk}": "not", "do": "keep"})
    assert sizes(client, night) == [("bird-dog", 3)] * 3
    assert len(drawn(client, night).outside) == 2
    # The next tables of the night, and no other night, are for it.
    assert press(client, night, "open").status_code == 303
    assert client.get(night_page(night, "roll-call")).context["tally"]["game"].slug == "bird-dog"
    other = NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    assert client.get(night_page(other, "roll-call")).context["tally"]["game"].slug == "bird-dog"
    Club.objects.update(main_game="dirty-dog")
    assert client.get(night_page(other, "roll-call")).context["tally"]["game"].slug == "dirty-dog"


def test_table_that_is_held_keeps_its_game_and_its_people(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    press(client, night, "game-dingo")
    kept = drawn(client, night).tables[1].people
    press(client, night, "hold-1")
    press(client, night, "game-hotdog")
    assert sizes(client, night) == [("dingo", 4), *[("hotdog", 2)] * 4]
    assert drawn(client, night).tables[0].people == kept


def test_another_game_takes_the_place_of_a_planned_play_off(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    client.post(night_page(night, "play-off/plan"), {"saw": plan_mark(client, night), "do": "draw"})
    assert drawn(client, night).play_off is not None
    client.post(night_page(night, "roll-call"), {"do": "game-bird-dog"})
    assert drawn(client, night).play_off is None
    assert sizes(client, night) == [("bird-dog", 3)] * 4


def plan_mark(client: Client, night: Night) -> str:
    mark: str = client.get(night_page(night, "play-off/plan")).context["drawing"].mark
    return mark


def test_one_answer_says_what_so_many_play(club: Club, night: Night) -> None:
    Club.objects.update(main_game="dingo")
    members = people(club, 5)
    called(night, members[:4])
    client = organiser_of(club)
    there = client.post(reverse("call", args=[club.slug, night.pk, members[4].pk]), {f"call-{members[4].pk}": "here"})
    assert there.context["tally"]["game"].slug == "dirty-dog"
    assert "Game tonight: <b>Dirty Dog</b>" in there.content.decode()


@pytest.mark.parametrize(("number", "words"), [(1, "1 person"), (2, "2 people"), (5, "5 people")])
def test_one_is_a_person_and_more_are_people(club: Club, night: Night, number: int, words: str) -> None:
    members = people(club, 5)
    called(night, members)
    client = organiser_of(club)
    press(client, night, "out", who=[member.pk for member in members[number:]])
    said = " ".join(client.get(night_page(night, "draw")).content.decode().replace("</b>", "").split())
    assert f'<b class="num">{words}' in said
    assert "1 people" not in said


def test_club_is_founded_with_the_largest_game_unless_another_is_chosen() -> None:
    client, user = Client(), UserFactory(is_superuser=True)
    client.force_login(user)
    form = {"name": "The Aces", "called": "Ann", "place": "", "time_zone": "UTC"}
    assert 'value="dirty-dog"' in client.get("/clubs/found/").content.decode()
    client.post("/clubs/found/", form)
    assert Club.objects.get().main_game == by_size()[0].slug == "dirty-dog"
    client.post("/clubs/found/", form | {"name": "The Twos", "main_game": "hotdog"})
    assert Club.objects.get(slug="the-twos").main_game == "hotdog"
    assert client.post("/clubs/found/", form | {"main_game": "whist"}).status_code == 422
    club = create_club(user, code="", name="X", called="Ann", place="", time_zone="UTC", main_game="dingo")
    assert club
    assert find_game(club.main_game).slug == "dingo"


def test_main_game_is_changed_in_the_settings_and_written_into_the_audit_log(club: Club) -> None:
    client = organiser_of(club)
    page = f"/clubs/{club.slug}/settings/"
    form = client.get(page).context["form"]
    kept = {name: form.initial[name] for name in ("name", "slug", "place", "about", "time_zone", "visibility")}
    client.post(page, kept | {"main_game": "dingo"})
    club.refresh_from_db()
    assert club.main_game == "dingo"
    assert club.audit_entries.get().says == "The main game of the club is Dingo."
    client.post(page, kept | {"main_game": ""})
    assert club.audit_entries.first().says == "The main game of the club is what it plays most."


def test_no_table_is_laid_for_those_who_come_too_late_to_join_it(club: Club, night: Night) -> None:
    members = people(club, 6)
    called(night, members[:4])
    called(night, members[4:], "coming")
    client = organiser_of(club)
    press(client, night, "game-hotdog")
    assert sizes(client, night) == [("hotdog", 2), ("hotdog", 2)]
    assert [line.member for line in drawn(client, night).outside] == members[4:]
    assert client.get(night_page(night, "roll-call")).context["tally"]["sizes"] == [2, 2]
    press(client, night, "game-dirty-dog")
    assert sizes(client, night) == [("dirty-dog", 6)]
    # Who was only coming is here now, and has a table.
    press(client, night, "game-hotdog")
    Attendance.objects.update(says="here")
    assert sizes(client, night) == [("hotdog", 2)] * 3
