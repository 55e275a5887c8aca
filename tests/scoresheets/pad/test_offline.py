"""What a phone keeps to begin a sheet without network: the hands it foretells are those that are dealt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from rules import all_games
from rules.core.game import Game
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Sheet
from scoresheets.models.sheet import is_token
from scoresheets.pad.build import pad_of, page_of
from scoresheets.pad.offline import CODE, DATA, WATCH, blank_reading, numbers_of_players, place_of_name, state_before
from scoresheets.pad.state import as_json
from scoresheets.views.table.offline import pads_of, prepared_pads
from tests.factories import new_key, scorer

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
#: What the site knows of a sheet, and no phone before it was sent.
OF_THE_SITE = ("when", "names", "badges", "brings", "whole")


def named(state: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    """A prepared state with names in their places."""
    return {**state, "names": {seat: names[seat] for seat in state["names"]}}


def opened_by_the_form(client: Client, game: Game, players: int, dealer: int) -> SheetReading:
    names = [f"Player {seat}" for seat in range(1, players + 1)]
    post = {"game": game.slug, "name": names, "pick": [""] * players, "dealer": dealer, "key": new_key(), "asked": ""}
    seen = ["few-players", "many-players"]
    answer = client.post(reverse("open_sheet"), {**post, "do": "open", "seen": seen})
    assert answer.status_code == 303, [problem.message for problem in answer.context["form"].problems]
    return read_sheet(Sheet.objects.latest("pk"))


@GAMES
@pytest.mark.django_db
def test_prepared_state_is_that_of_a_sheet_opened_with_the_network(client: Client, game: Game) -> None:
    fewest, most, all_of_them = game.made_for[0], game.made_for[-1], [*numbers_of_players(game)][-1]
    for players, dealer in {(fewest, 2), (most, most), (all_of_them, 1)}:
        reading = opened_by_the_form(client, game, players, dealer)
        prepared = as_json(state_before(blank_reading(game, players, dealer)))
        real = as_json(pad_of(reading))
        assert {key: value for key, value in prepared.items() if key not in OF_THE_SITE} == {
            key: value for key, value in real.items() if key not in OF_THE_SITE
        }
        assert named(prepared, real["names"])["names"] == real["names"]
        assert {seat: colour for seat, (colour, _) in prepared["badges"].items()} == {
            seat: colour for seat, (colour, _) in real["badges"].items()
        }
        signs = [initial for _, initial in prepared["badges"].values()]
        assert signs == [place_of_name(seat)[0] for seat in range(1, players + 1)], "the phone makes the initials"
        assert prepared["whole"]


@GAMES
def test_tables_of_the_page_are_the_same_whoever_deals_first(game: Game) -> None:
    for players in numbers_of_players(game):
        pages = [page_of(blank_reading(game, players, dealer)) for dealer in range(1, players + 1)]
        assert all(page == pages[0] for page in pages)


@GAMES
@pytest.mark.django_db
def test_hands_dealt_later_are_those_the_phone_was_told_before_the_first(game: Game) -> None:
    players = game.made_for[0]
    made = scorer(players, game=game.slug, plan=blank_reading(game, players, 1).setup.plan, first_dealer=players - 1)
    prepared = as_json(state_before(blank_reading(game, players, players)))
    for number in range(1, 7):
        now = as_json(pad_of(made.reading))
        assert now["hands"][0] == prepared["hands"][number - 1]
        assert now.get("asks") == prepared.get("asks"), f"asks of hand {number}"
        if "begins" in now:
            assert now["begins"]["shut"] == prepared["begins"]["shut"]
        made.any_hand(seed=number)
        if made.reading.finished:
            break


@GAMES
def test_prepared_page_has_nobody_in_it_and_comes_out_the_same_twice(game: Game) -> None:
    first, second = pads_of(game), pads_of(game)
    assert first == second
    for players, pad in first["pads"].items():
        page = pad["html"]
        assert all(place_of_name(seat) in page for seat in range(1, players + 1))
        assert page.count(f'"{DATA}"') == 1
        assert CODE in page
        assert WATCH in page
        assert "csrfmiddlewaretoken" not in page
        assert len(pad["states"]) == players


def test_no_sheet_has_the_addresses_of_a_prepared_page() -> None:
    assert len(CODE) == len(WATCH) == 22
    assert not is_token(CODE)
    assert not is_token(WATCH)


@pytest.mark.django_db
def test_pads_are_fetched_again_only_where_they_have_changed(client: Client, django_assert_num_queries: Any) -> None:
    address = reverse("offline_pads", args=["hotdog"])
    with django_assert_num_queries(0):
        answer = client.get(address)
        assert answer.status_code == 200
        again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert client.get(reverse("offline_pads", args=["chess"])).status_code == 404
    assert not Sheet.objects.exists()


def test_what_a_phone_keeps_of_all_games_is_below_a_megabyte() -> None:
    assert sum(len(prepared_pads(game)[0]) for game in all_games()) < 1_000_000


def test_whoever_signs_in_or_out_leaves_no_pages_kept_for_later() -> None:
    worker = Path(finders.find("js/sw.js")).read_text()
    (place,) = re.findall(r'pathname\.startsWith\("(/acc[^"]*)"\)', worker)
    assert all(reverse(name).startswith(place) for name in ("account_login", "account_logout"))
