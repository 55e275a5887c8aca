"""The grid for what was kept on paper, as plain pages."""

import re

import pytest

from scoresheets.access.scorekeepers import hashed
from tests.factories import Scorer, new_key, scorer
from tests.scoresheets.laid import SECRET

pytestmark = pytest.mark.django_db

ORDER = (2, 3, 4, 1)


@pytest.fixture
def p(client) -> Scorer:
    client.cookies["pencil"] = SECRET
    return scorer(4, browser=hashed(SECRET))


def fields(hand: int, bids: str, tricks: str) -> dict[str, str]:
    """A hand as the form sends it, seat by seat."""
    found = {f"{hand}.bid-{seat}.bid": bid for seat, bid in enumerate(bids, 1)}
    return found | {f"{hand}.tricks.tricks-{seat}": count for seat, count in enumerate(tricks, 1)}


def post(client, p: Scorer, typed: dict[str, str], **more: str):
    return client.post(f"/sheets/{p.sheet.code}/type/", {"key": new_key(), "do": "write", **typed, **more})


def value_in(page: str, name: str) -> str:
    return re.search(rf'name="{re.escape(name)}"\s+value="([^"]*)"', page)[1]


def test_grid_has_a_row_for_every_hand_to_come_and_shows_what_stands(client, p):
    p.any_hand()
    p.bid(3, 1)
    page = client.get(f"/sheets/{p.sheet.code}/type/").content.decode()
    assert re.findall(r'data-hand="(\d+)"', page) == ["2", "3", "4"]
    assert value_in(page, "2.bid-3.bid") == "1"
    assert page.count("readonly") == 1
    assert 'aria-label="Ann bid, hand 2"' in page


def test_hands_are_written_and_it_goes_on_to_the_sheet(client, p):
    response = post(client, p, fields(1, "0000", "0100") | fields(2, "0010", "0011"))
    assert (response.status_code, response["Location"]) == (303, f"/sheets/{p.sheet.code}/")
    assert len(p.reading.sheet.rows) == 2


def test_last_hand_leads_to_the_result(client, p):
    for _ in range(3):
        p.clear_hand()
    response = post(client, p, fields(4, "1100", "1000"))
    assert response["Location"] == f"/sheets/{p.sheet.code}/result/"
    assert client.get(f"/sheets/{p.sheet.code}/type/")["Location"] == f"/sheets/{p.sheet.code}/result/"


def test_what_is_refused_comes_back_as_it_was_typed_beside_what_is_wrong(client, p):
    typed = fields(1, "0100", "0100") | fields(2, "00x0", "0011") | {"1.trump.suit": "H"}
    response = post(client, p, typed)
    page = response.content.decode()
    assert response.status_code == 422
    assert "The Rule: you cannot bid 0." in page
    assert "Cy: A whole number belongs here." in page
    assert {name: value_in(page, name) for name in typed if "suit" not in name} == {
        name: value for name, value in typed.items() if "suit" not in name
    }
    assert re.search(r'<option value="H"\s+selected>', page)
    assert p.reading.version == 1


def test_the_rule_that_was_missed_is_offered_and_with_it_the_hand_stands(client, p):
    typed = fields(1, "0100", "0100")
    page = post(client, p, typed).content.decode()
    assert re.search(r'class="tick">\s*<input type="checkbox"\s+name="1.rule-missed.missed"', page)
    response = post(client, p, typed, **{"1.rule-missed.missed": "true"})
    assert response.status_code == 303
    assert p.reading.sheet.rows[0].hand.steps["rule-missed"] == {"missed": True}


def test_looking_it_over_shows_totals_with_box_and_circle_and_writes_nothing(client, p):
    page = post(client, p, fields(1, "0000", "0100"), do="look").content.decode()
    assert page.count("in the box") == 3
    assert page.count("in the circle") == 1
    assert p.reading.version == 1


def test_who_may_not_write_sees_the_sheet_and_cannot_send(client, p):
    del client.cookies["pencil"]
    assert client.get(f"/sheets/{p.sheet.code}/type/")["Location"] == f"/sheets/{p.sheet.code}/"
    assert post(client, p, fields(1, "0000", "0100")).status_code == 403


def test_long_game_of_many_comes_in_two_pages_so_that_no_form_is_too_large(client):
    client.cookies["pencil"] = SECRET
    p = scorer([f"P{n}" for n in range(11)], plan={"hands": 33}, browser=hashed(SECRET))
    page = client.get(f"/sheets/{p.sheet.code}/type/").content.decode()
    assert len(re.findall(r"<(?:input|select)[^>]*name=", page)) < 500
    assert "You can type in later hands once these are saved." in page


def test_page_costs_three_queries_and_a_post_few_more(client, p, statements):
    with statements(exactly=3):
        client.get(f"/sheets/{p.sheet.code}/type/")
    with statements(most=11):
        post(client, p, fields(1, "0000", "0100"))


@pytest.mark.parametrize(
    "typed", [{"1.bid-2.bid": "9" * 300}, {"9999.x.y": "1"}, {"1..x": "1"}, {"1.bid-2.bid": "\x00"}]
)
def test_nonsense_is_refused_and_writes_nothing(client, p, typed):
    assert post(client, p, typed).status_code == 422
    assert p.reading.version == 1


# Going on in the middle


def resume(client, p: Scorer, do: str = "look", **more: str):
    typed = {"next": "3", "dealer": "", "total-1": "6", "total-2": "3", "below-2": "1", "total-3": "0", "total-4": "12"}
    return client.post(f"/sheets/{p.sheet.code}/resume/", {"key": new_key(), "do": do, **typed, **more})


def test_what_comes_next_is_said_before_anything_is_written(client, p):
    page = resume(client, p).content.decode()
    assert "Hand 3 of 4: 2 cards, <bdi>Cy</bdi> deals, <bdi>Di</bdi> bids first." in page
    assert "as it goes round: Bo" in page
    assert p.reading.version == 1


def test_totals_are_brought_along_and_the_pad_goes_on(client, p):
    response = resume(client, p, "write")
    assert response["Location"] == f"/sheets/{p.sheet.code}/pad/"
    assert p.reading.sheet.totals == {1: 6, 2: -3, 3: 0, 4: 12}
    page = client.get(f"/sheets/{p.sheet.code}/resume/").content.decode()
    assert re.search(r'name="below-2"\s+value="1"\s+checked', page)
    assert resume(client, p, "write", saw=str(p.saw((0, "carried"))), dealer="4").status_code == 303
    assert p.reading.sheet.open.hand.dealer == 1


def test_totals_of_somebody_else_are_not_overwritten_unseen(client, p):
    resume(client, p, "write")
    response = resume(client, p, "write", next="4")
    assert response.status_code == 409
    assert "Somebody else has entered other totals in the meantime." in response.content.decode()
    assert p.reading.sheet.open.hand.number == 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"next": ""}, "A number from 2 to 5 belongs here."),
        ({"next": "1"}, "A number from 2 to 5 belongs here."),
        ({"next": "6"}, "A number from 2 to 5 belongs here."),
        ({"total-3": ""}, "A whole number belongs here."),
        ({"total-3": "many"}, "A whole number belongs here."),
        ({"dealer": "9"}, "The player in that seat cannot be chosen here."),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field(client, p, wrong, sentence):
    response = resume(client, p, "write", **wrong)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert p.reading.version == 1


def test_sheet_with_hands_takes_no_totals(client, p):
    p.any_hand()
    response = client.get(f"/sheets/{p.sheet.code}/resume/")
    assert "Totals can only go onto an empty sheet" in response.content.decode()
    assert resume(client, p, "write").status_code == 422


def test_opening_leads_to_where_the_paper_is_typed_in(client):
    seats = {"name": ["Ann", "Bo", "Cy", "Di"], "pick": [""] * 4, "dealer": "1", "do": "open", "key": new_key()}
    response = client.post("/open/", {**seats, "then": "resume"})
    assert response["Location"].endswith("/resume/")
    response = client.post("/open/", {**seats, "key": new_key(), "then": "https://example.org"})
    assert response["Location"].endswith("/pad/")
