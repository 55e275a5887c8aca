"""Empty sheets to be filled in by hand, and grids: of Dirty Dog, and of a game nobody has thought of."""

import re

import pytest

from rules import find_game
from rules.core.engine.replay import read
from rules.core.formats import Race
from scoresheets.paper.grid import Grid
from scoresheets.paper.layout import EMPTY, Blank, OnPaper, row_height
from scoresheets.sheet.table import RunningSheet
from scoresheets.wording.graphemes import initials
from tests.factories import scorer, sure_of
from tests.rules.test_races import Toy
from tests.scoresheets.laid import document, hand, reading_of
from tests.scoresheets.people import leave

HAND = hand("Bo Cy Di Ann", "0000", "1000")


def toy() -> Toy:
    game = Toy()
    game.length = Race(10, 2)
    return game


def blank_of(players: int, **plan: int) -> Blank:
    game = find_game("dirty-dog")
    table = game.open_table(range(1, players + 1), 1, plan, {})
    return Blank.of_table(game, table, dict.fromkeys(table.seats, ""), "players")


def test_every_planned_hand_has_its_cards_and_its_dealer():
    blank = blank_of(5, peak=3)
    assert [(hand.number, hand.cards, dealer) for hand, dealer in blank.rows] == [
        (1, 1, "1"), (2, 2, "2"), (3, 3, "3"), (4, 2, "4"), (5, 1, "5")
    ]  # fmt: skip
    assert list(blank.words) == ["bid", "tricks"]
    assert [head.word for head in blank.extras] == ["trump"]


def test_race_has_empty_rows_with_a_dealer_and_its_own_words():
    game = toy()
    blank = Blank.of_table(game, game.open_table((1, 2, 3), 2), {1: "Ann", 2: "Al", 3: "Bo"}, "hands")
    assert len(blank.rows) == EMPTY
    assert [dealer for _, dealer in blank.rows[:4]] == ["Al", "B", "An", "Al"]
    assert list(blank.words) == ["points", "wins"]
    assert not blank.has_cards


def test_blank_sheet_of_a_running_one_goes_on_where_that_is():
    blank = Blank.of_sheet(reading_of(document(hands=[HAND], plan={"hands": 4})), "players")
    assert [hand.number for hand, _ in blank.rows] == [2, 3, 4]
    assert [total for *_, total in blank.players] == ["5", "−1", "5", "5"]
    assert blank.about == "hands 2 to 4"


def test_grid_of_another_game_asks_what_that_game_declares():
    reading, game = reading_of(document("Ann Bo", plan={"hands": 2})), toy()
    table = game.open_table((1, 2), 1)
    reading.__dict__.update(game=game, table=table, sheet=read(game, table, {}))
    grid = Grid(reading, {"1.scored-1.points": "4", "1.scored-1.wins": "true", "1.scored-2.points": "-3"})
    assert [column.word for column in grid.columns] == ["points", "wins"]
    assert grid.typed == {1: {"scored-1": {"points": 4, "wins": True}, "scored-2": {"points": -3, "wins": False}}}
    assert grid.walk.problems == []
    assert [(one.name, one.kind) for one in grid.rows[0].people[1].inputs] == [
        ("1.scored-2.points", "count"), ("1.scored-2.wins", "tick")
    ]  # fmt: skip
    assert grid.data["worth"] is None


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Ann", "Bo"], ["A", "B"]),
        (["Ann", "Al"], ["An", "Al"]),
        (["Maria", "Marie", "Bo"], ["1", "2", "B"]),
        (["", ""], ["1", "2"]),
        (["👩‍👩‍👧‍👦 family", "👩 alone"], ["👩‍👩‍👧‍👦", "👩"]),
    ],
)
def test_initials_tell_everybody_apart(names: list[str], short: list[str]):
    assert initials(names) == short


def test_rows_get_lower_the_more_there_are_and_never_unreadably_low():
    heights = [int(row_height(200, rows).removeprefix("mm-")) for rows in (10, 20, 30, 40, 90)]
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] == 10


def test_notes_and_misdeals_make_the_rows_of_a_print_lower():
    cards = [hand("Bo Ann", "00", "10"), hand("Ann Bo", "00", "10")] * 12
    plan = {"peak": 1, "extra_rounds": 11}
    plain = reading_of(document("Ann Bo", cards, plan=plan))
    told = reading_of(document("Ann Bo", [{"void": True}] * 15 + cards, plan=plan))
    heights = [OnPaper(RunningSheet(reading, "/")).row_height for reading in (plain, told)]
    assert heights == ["mm-17", "mm-12"]


# The pages


@pytest.mark.django_db
def test_sheet_page_leads_to_a_blank_sheet_with_names_dealers_and_qr(client):
    p = scorer(["Ann", "Bo", "Cy", "Ängström <b>"])
    page = client.get(f"/sheets/{p.sheet.code}/blank/?layout=hands").content.decode()
    assert "Ängström &lt;b&gt;" in page
    assert page.count('class="slots"') == 4 * 4
    assert 'class="qr"' in page
    assert "Scan with the scorekeeper’s phone to type this sheet in afterwards" in page
    assert "Made: 5 and 1 for each trick. Set: the greater of bid and tricks comes off." in page


@pytest.mark.django_db
def test_finished_sheet_has_nothing_to_fill_in(client):
    p = scorer(4, plan={"hands": 1})
    p.any_game()
    page = client.get(f"/sheets/{p.sheet.code}/blank/").content.decode()
    assert "<table" not in page


def test_blank_sheet_for_people_without_one_needs_no_account_and_keeps_nothing(client):
    page = client.get("/blank/").content.decode()
    assert page.count('class="slots"') == 18 * 6
    page = client.get("/blank/", {"names": "Ann\n\nBo\r\nCy", "amount": "2"}).content.decode()
    assert "<bdi>Ann</bdi>" in page
    assert re.search(r'name="players"[^>]*value="3"', page)
    assert not client.cookies


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"players": "1"}, "Dirty Dog is for 2 to 25 players."),
        ({"players": "99999"}, "Dirty Dog is for 2 to 25 players."),
        ({"players": "x"}, "Dirty Dog is for 2 to 25 players."),
        ({"amount": "99"}, "With 6 players the most cards can be 1 to 8."),
        ({"amount": "x"}, "That is not a number of hands or cards."),
        ({"names": "Ann\nann"}, "There is a second ann here: add an initial."),
    ],
)
def test_what_cannot_be_drawn_is_said(client, asked: dict[str, str], sentence: str):
    response = client.get("/blank/", asked)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert client.get("/blank/", {"game": "none"}).status_code == 404


# The running sheet on paper


@pytest.mark.django_db
def test_paper_says_beside_the_table_who_went_home_and_takes_the_trophy(client):
    p = scorer(5)
    p.clear_hand()
    tall = OnPaper(RunningSheet(p.reading, "/"))
    sure_of(leave(p, 2))
    told = OnPaper(RunningSheet(p.reading, "/"))
    assert told.beside > tall.beside
    page = client.get(f"/sheets/{p.sheet.code}/").content.decode()
    foot = page.split('class="on-paper paper-foot"')[1].split("</footer>")[0]
    assert "takes the loser’s trophy unless somebody ends lower." in foot


@pytest.mark.django_db
def test_page_of_a_sheet_carries_what_only_paper_shows(client, statements):
    p = scorer(4, plan={"hands": 2}, title="Thursday")
    p.clear_game()
    with statements(exactly=3):
        page = client.get(f"/sheets/{p.sheet.code}/").content.decode()
    head = page.split('class="on-paper paper-head"')[1].split("</header>")[0]
    assert "Thursday" in head
    assert "<b><bdi>Ann</bdi></b> wins with" in head
    assert "<b><bdi>Bo</bdi></b> takes the circle with" in head
    assert "Scan to see this sheet on the site." in page
