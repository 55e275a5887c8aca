"""The page of a sheet: what everyone who has its address sees, and what its scorekeeper can do there."""

import re

import pytest
from django.test import Client

from scoresheets.models import Entry
from tests.factories import hashed, scorer
from tests.scoresheets.laid import SECRET, document, hand, laid_down

pytestmark = pytest.mark.django_db

FIRST = hand("Bo Cy Di Ann", "0000", "1000")


@pytest.fixture
def p():
    """A table of four that has scored one hand of four."""
    kept = scorer(4, browser=hashed(SECRET))
    kept.any_hand()
    return kept


@pytest.fixture
def keeper() -> Client:
    """The browser of the scorekeeper."""
    client = Client()
    client.cookies["pencil"] = SECRET
    return client


def page_of(client: Client, sheet, *, query: str = "") -> str:
    response = client.get(f"/sheets/{sheet.code}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def words(html: str) -> str:
    """The page as it is read: without tags, with single blanks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_totals_are_said_with_box_and_circle(p, client):
    page = re.sub(r"\s+", "", page_of(client, p.sheet))
    assert '5<spanclass="visually-hidden">,inthebox</span>' in page
    assert '−1<spanclass="visually-hidden">,inthecircle</span>' in page


def test_bid_and_tricks_are_said_with_what_they_are(p, client):
    assert "bid 0, took 1, set" in words(page_of(client, p.sheet))


def test_row_opens_by_a_link_where_there_is_no_script(p, client):
    assert f'href="/sheets/{p.sheet.code}/?open=1#hand-1"' in page_of(client, p.sheet)
    opened = page_of(client, p.sheet, query="?open=1")
    assert '<tbody id="hand-1" class="open">' in opened
    assert f'href="/sheets/{p.sheet.code}/#hand-1"' in opened


@pytest.mark.parametrize("asked", ["x", "-1", "1" * 5000, "٣", "1.5", ""])
def test_row_that_is_none_opens_nothing(p, client, asked):
    assert 'class="open"' not in page_of(client, p.sheet, query=f"?open={asked}")


def test_names_are_text_whatever_they_are(client):
    names = ["<script>alert(1)</script>", "محمد", "👩‍👩‍👧‍👦", 'O\'Neill & "Co"']
    page = page_of(client, scorer(names).sheet)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "محمد" in page


def test_who_only_looks_finds_nothing_to_press(p, client):
    page = page_of(client, p.sheet)
    assert "<form" not in page
    assert "Take back" not in page


def test_scorekeeper_is_offered_to_take_back_what_was_written_last(p, keeper):
    page = page_of(keeper, p.sheet)
    assert "Take back the tricks of hand 1" in page
    assert f'name="version" value="{p.reading.last_write}"' in page


def test_latest_bid_is_taken_back_by_name(p, keeper):
    p.bid(3, 0)
    assert "Take back Cy’s bid in hand 2" in words(page_of(keeper, p.sheet)).replace("Cy ’s", "Cy’s")


def test_nothing_is_taken_back_from_an_empty_sheet(keeper):
    assert "Take back" not in page_of(keeper, scorer(4, browser=hashed(SECRET)).sheet)


def test_any_number_of_steps_is_taken_back_and_stays_so_when_the_page_is_loaded_again(p, keeper):
    p.bid(3, 0)
    for _ in range(6):
        page = page_of(keeper, p.sheet)
        posted = dict(re.findall(r'name="(key|version)" value="([^"]+)"', page))
        response = keeper.post(f"/sheets/{p.sheet.code}/undo/", posted)
        assert response.status_code == 303
    page = page_of(keeper, p.sheet)
    assert "Take back" not in page
    assert "next: hand 1 of 4" in words(page)


def test_table_may_stop_after_a_scored_hand_only(p, keeper):
    assert "Stop here" in page_of(keeper, p.sheet)
    assert "Stop here" not in page_of(keeper, scorer(4, browser=hashed(SECRET)).sheet)


def test_stop_is_said_on_the_sheet_and_taken_back_by_play_on(p, keeper):
    posted = {"key": "a-key-of-22-characters", "hand": p.reading.next_hand, "event": p.reading.next_event}
    assert keeper.post(f"/sheets/{p.sheet.code}/stop/", posted).status_code == 303
    page = page_of(keeper, p.sheet)
    assert "The table stops here after hand 1 of 4." in words(page)
    assert "Stop here" not in page
    assert "Play on" in page
    keeper.post(f"/sheets/{p.sheet.code}/play-on/", {"key": "another-key-of-its-own"})
    page = page_of(keeper, p.sheet)
    assert "The table stops here" not in page
    assert "next: hand 2 of 4" in words(page)


def test_house_rules_are_told_where_they_differ(client):
    page = words(page_of(client, scorer(4, house_rules={"dealer_bid_final": True, "bottom_buddies_gap": 10}).sheet))
    assert "The dealer cannot take their bid back." in page
    assert "Bottom Buddies and everyone else" not in page


def test_plan_that_breaks_rule_4_is_told(client):
    page = words(page_of(client, scorer(4, plan={"hands": 5}).sheet))
    assert "5 hands for 4 players: the deal does not come out even (Rule 4)." in page


def test_call_out_of_the_last_hand_stands_above_the_sheet(p, client):
    assert "Hand 1: Dog Pile for Bo" in re.sub(r" +", " ", words(page_of(client, p.sheet)).replace(" .", "."))


def test_sheet_of_somebody_else_is_not_there(client):
    assert client.get("/sheets/nothing-of-that-name-he/").status_code == 404
    assert client.get("/sheets/x/").status_code == 404


def test_page_is_loaded_with_three_queries(p, keeper, statements):
    for _ in range(3):
        p.any_hand()
    with statements(exactly=3):
        page_of(keeper, p.sheet)


def test_page_is_nobody_elses_and_not_for_search_engines(p, client):
    response = client.get(f"/sheets/{p.sheet.code}/")
    assert "noindex" in response["X-Robots-Tag"]
    assert response["Cache-Control"] == "private, no-cache"
    assert not response.cookies.get("sessionid")


def test_who_left_early_is_named_with_their_total(client):
    sheet = laid_down(document(hands=[FIRST, {"leaves": "Cy"}], plan={"hands": 4}))
    page = words(page_of(client, sheet))
    assert "Cy goes home with 5." in page
    assert "(went home)" in page


def test_eleven_columns_are_pushed_sideways_and_can_be_reached_by_keyboard(client):
    sheet = laid_down(document(" ".join(f"P{n}" for n in range(11)), plan={"hands": 11}))
    assert 'class="sheet-frame sideways" tabindex="0"' in page_of(client, sheet)


def test_what_no_longer_fits_is_said_and_asked_again(client):
    sheet = laid_down(document(hands=[FIRST, {"bids": {"Cy": 1}}], plan={"hands": 4}))
    write = sheet.revisions.get(version=1)
    Entry.objects.create(sheet=sheet, hand=2, ask="bid-4", data={"bid": 99}, added_by=write, first_by=write)
    page = words(page_of(client, sheet))
    assert "What was entered in hand 2 no longer fits; nothing is lost. The number here can be 0 to 2." in page
