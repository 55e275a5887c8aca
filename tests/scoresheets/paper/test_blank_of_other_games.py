"""Empty sheets of the games without bids, and their tables for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re

import pytest

from rules import all_games, find_game
from scoresheets.files.csv import csv_of
from scoresheets.paper.layout import Blank
from tests.scoresheets.laid import laid_down, reading_of
from tests.scoresheets.other_games import GIVEN_UP, bird, claim, deals, dingo, hotdog, hunted, pairs, picked

OTHER = [game.slug for game in all_games() if game.pad == "prompts"]


def blank_of(slug: str, layout: str = "players") -> Blank:
    game = find_game(slug)
    seats = range(1, game.made_for[0] + 1)
    return Blank.of_table(game, game.open_table(seats, 1), dict.fromkeys(seats, ""), layout)


def table_of(said: dict[str, object]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_of(reading_of(said)).decode("utf-8-sig"))))


@pytest.mark.parametrize(
    ("slug", "heads", "words"),
    [
        pytest.param(
            "dirty-deals",
            ["who claims", "suit", "who holds the bower", "cards besides the six", "given up"], [], id="dirty-deals",
        ),
        pytest.param(
            "bird-dog", ["turned cards", "caller", "nil"], ["pairs", "jacks", "queens", "kings", "tricks"],
            id="bird-dog",
        ),
        pytest.param(
            "hotdog", ["picker", "topping", "trump", "smothered", "Footlong", "relish", "first trick by"], ["tricks"],
            id="hotdog",
        ),
    ],
)  # fmt: skip
def test_columns_of_a_blank_sheet_are_what_is_written_down_in_a_hand(slug: str, heads: list[str], words: list[str]):
    blank = blank_of(slug)
    assert [head.word for head in blank.extras] == heads
    assert list(blank.words) == words


def test_race_has_room_for_hands_and_for_the_legs_that_are_won():
    assert blank_of("dirty-deals").about == "room for 20 hands"
    assert (blank_of("dirty-deals").legs, blank_of("hotdog").legs, blank_of("bird-dog").legs) == (
        "rubbers",
        "games",
        "",
    )
    assert blank_of("dingo").about == "4 hands"


def test_hand_of_many_numbers_lies_in_no_column():
    across = {"bird-dog": False, "dingo": False, "dirty-deals": True, "hotdog": True, "dirty-dog": True}
    assert {slug: blank_of(slug, "hands").is_across for slug in across} == across


@pytest.mark.parametrize("slug", OTHER)
def test_page_of_blank_sheets_draws_each_game_and_asks_only_what_it_leaves_open(client, slug: str):
    page = client.get("/blank/", {"game": slug}).content.decode()
    assert ("How many play?" in page) is (len(find_game(slug).players) > 1)
    assert find_game(slug).scoring_in_short.split(".")[0] in page
    # The numbers of the game that was looked at before are not those of this one.
    again = client.get("/blank/", {"game": slug, "asked": "dirty-dog", "players": "9", "amount": "3"})
    assert again.status_code == 200


@pytest.mark.django_db
def test_name_and_total_lie_above_all_the_numbers_of_their_player(client):
    sheet = laid_down(bird(pairs(3, 1, 0)))
    page = client.get(f"/sheets/{sheet.code}/blank/").content.decode()
    columns = len(re.findall(r"<col[ >]", page))
    head, _, so_far, *hands = [widths_of(row) for row in re.findall(r"<tr\b.*?</tr>", page, re.DOTALL)]
    assert hands
    assert sum(head) == sum(so_far) == columns
    assert {len(row) for row in hands} == {columns}
    assert head[-3:] == so_far[-3:] == [6, 6, 6], "pairs, jacks, queens, kings, tricks and the total"


def widths_of(row: str) -> list[int]:
    """Over how many columns each cell of a row of a page lies."""
    cells = re.findall(r"<t[hd]\b([^>]*)>", row)
    return [int(width[1]) if (width := re.search(r'colspan="(\d+)"', cell)) else 1 for cell in cells]


def test_dingo_has_a_row_for_dingoes_and_wolves_under_every_rank(client):
    page = client.get("/blank/", {"game": "dingo", "names": "Ann\nBo\nCy\nDi"}).content.decode()
    assert page.count('class="blank hunt"') == 4
    first = page.split('class="blank hunt"')[1]
    for said in ('<th scope="col">2</th>', '<th scope="col">10</th>', "second wolf", "A♦ held by", "<bdi>Ann</bdi>"):
        assert said in first


@pytest.mark.django_db
def test_sheet_that_was_agreed_otherwise_says_so_on_paper(client):
    sheet = laid_down(deals(claim("Ann", surplus=3), house_rules={"target": 12}))
    page = client.get(f"/sheets/{sheet.code}/blank/").content.decode()
    assert "House rules: Points that win a rubber: 12." in page
    assert "so far" in page
    assert "Rubbers won" in page
    dingoes = laid_down(dingo(hunted(four="Ann Bo")))
    assert "So far:" in client.get(f"/sheets/{dingoes.code}/blank/").content.decode()


def test_spreadsheet_says_of_a_claim_who_and_what_and_which_rubber():
    rows = table_of(deals(claim("Ann"), GIVEN_UP, claim("Bo", "S", 2, "Bo")))
    assert [row["rubber"] for row in rows] == ["1", "2", "2"]
    assert (rows[0]["who claims"], rows[0]["suit"], rows[0]["Ann points"], rows[0]["Ann total"]) == (
        "Ann",
        "♥",
        "9",
        "9",
    )
    assert rows[0]["remarks"] == "Ann wins the rubber."
    assert (rows[1]["given up"], rows[1]["who claims"]) == ("yes", "")
    assert "trump" not in rows[0]


def test_spreadsheet_lists_the_cards_of_a_hand_that_was_taken_down():
    cards = ["9H", "TH", "JH", "QH", "KH", "AH", "9C"]
    assert table_of(deals(claim("Ann", surplus=1) | {"cards": cards}))[0]["cards"].split() == sorted(
        cards, key=lambda card: ("CDHS".index(card[1]), "9TJQKA".index(card[0]))
    )


def test_spreadsheet_has_a_column_for_each_hunt():
    row = table_of(dingo(hunted(four="Ann Bo")))[0]
    assert row["the hunt for the 4"].count("Ann") == row["the hunt for the 4"].count("Bo") == 1
    assert "Ann" in row["the ace hunt"]


def test_spreadsheet_of_bird_dog_and_hotdog_has_the_trump_once():
    assert table_of(bird(pairs(4, 0, 0)))[0]["trump"] == "H"
    row = table_of(hotdog(picked("Ann", 10)))[0]
    assert (row["trump"], row["topping"], row["game"], row["Bo tricks"]) == ("H", "Ketchup", "1", "7")
    assert sum(head.endswith("trump") for head in row) == 1
