"""Drawing cards at the bottom: tapped as they were drawn, one form for everybody."""

import re

import pytest
from django.test import Client

from scoresheets.commands import enter
from tests.factories import Scorer, hashed, new_key, scorer, sure_of
from tests.scoresheets.laid import SECRET, document, hand, laid_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def p() -> Scorer:
    """Five have played their one hand: Cy and Di are at the bottom with −1, Bo leads."""
    kept = scorer(5, browser=hashed(SECRET), plan={"hands": 1})
    kept.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    return kept


@pytest.fixture
def keeper() -> Client:
    client = Client()
    client.cookies["pencil"] = SECRET
    return client


def page_of(keeper: Client, sheet) -> str:
    response = keeper.get(f"/sheets/{sheet.code}/draw/")
    assert response.status_code == 200
    return response.content.decode()


def posted(page: str, **ranks: str) -> dict[str, str]:
    """What the form on the page sends when these cards were tapped."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    return hidden | {f"f-rank-{seat[1:]}": rank for seat, rank in ranks.items()}


def send(keeper: Client, sheet, **ranks: str):
    return keeper.post(f"/sheets/{sheet.code}/enter/", posted(page_of(keeper, sheet), **ranks))


def test_everybody_who_draws_has_thirteen_cards_to_tap_and_nobody_else_has(p, keeper):
    page = page_of(keeper, p.sheet)
    assert re.findall(r"<legend>\s*<bdi>(\w+)</bdi> draws", page) == ["Cy", "Di"]
    assert page.count('type="radio"') == 26
    assert 'aria-label="ten"' in page


def test_lowest_card_takes_the_circle_and_the_page_goes_on_to_the_result(p, keeper):
    response = send(keeper, p.sheet, s3="Q", s4="7")
    assert response.status_code == 303
    assert p.reading.sheet.loser == 4
    followed = keeper.get(response["Location"], follow=True)
    assert followed.redirect_chain[-1][0].endswith("/result/")
    assert "having drawn the lowest card" in followed.content.decode()


def test_equal_lowest_draw_again(p, keeper):
    response = send(keeper, p.sheet, s3="7", s4="7")
    page = keeper.get(response["Location"], follow=True).content.decode()
    assert "Same rank: draw again." in page
    assert 'name="ask" value="draw-2"' in page


def test_draw_is_taken_back_like_anything_else(p, keeper):
    send(keeper, p.sheet, s3="Q", s4="7")
    sheet_page = keeper.get(f"/sheets/{p.sheet.code}/").content.decode()
    assert "Take back the cards that were drawn" in sheet_page
    p.undo()
    assert 'name="ask" value="draw-1"' in page_of(keeper, p.sheet)


def test_who_went_home_draws_through_somebody_else(keeper):
    one, two = hand("Bo Cy Di Ann", "0011", "0001"), hand("Di Ann Bo", "110", "100")
    sheet = laid_down(document(hands=[one, {"leaves": "Cy"}, two], plan={"hands": 2}))
    page = page_of(keeper, sheet)
    assert page.count("went home: somebody else draws this card") == 1
    assert page.index("<bdi>Di</bdi> draws") < page.index("<bdi>Cy</bdi> draws") < page.index("went home")


def test_card_that_is_missing_or_none_is_refused_and_what_was_tapped_stays(p, keeper):
    response = send(keeper, p.sheet, s3="Q")
    assert response.status_code == 422
    assert p.reading.sheet.loser is None
    page = response.content.decode()
    assert re.search(r'value="Q"[^>]*checked', page)
    assert send(keeper, p.sheet, s3="Q", s4="1").status_code == 422


def test_page_of_the_draw_is_the_result_where_no_draw_is_due(keeper):
    sheet = scorer(4, browser=hashed(SECRET)).sheet
    response = keeper.get(f"/sheets/{sheet.code}/draw/")
    assert response["Location"] == f"/sheets/{sheet.code}/result/"


def test_who_may_not_write_does_not_draw(p, client):
    assert client.get(f"/sheets/{p.sheet.code}/draw/").status_code == 302
    assert client.post(f"/sheets/{p.sheet.code}/enter/", {"hand": 0, "ask": "draw-1"}).status_code == 403


def test_page_of_the_draw_takes_three_queries(p, keeper, statements):
    with statements(exactly=3):
        page_of(keeper, p.sheet)


def test_page_says_so_where_the_table_stopped_early(keeper):
    kept = scorer(5, browser=hashed(SECRET), plan={"hands": 4})
    kept.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    sure_of(enter.stop(kept.sheet, 2, key=new_key(), by=kept.by))
    assert "The table stopped after hand 1 of 4." in page_of(keeper, kept.sheet)
