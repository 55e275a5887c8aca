"""The state of a pad of prompts: the hands ahead, the answers in words, the controls that are shut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scoresheets.access.scorekeepers import BROWSER_COOKIE
from scoresheets.pad.build import AHEAD, pad_of
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.conftest import Counts
from tests.scoresheets.plain import SECRET, Plain
from tests.sixth.visit import HERE, sixth_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def marbles(tmp_path: Path) -> Iterator[None]:
    with sixth_game(tmp_path, (HERE / "marbles.html").read_text()):
        yield


@pytest.fixture
def p() -> Scorer:
    return scorer(3, game="marbles", plan={})


def ring(p: Scorer, *kept: int) -> None:
    hand = p.reading.next_hand
    sure_of(p.enter(hand, "shooter"))
    sure_of(p.enter(hand, "ring", card="2"))
    sure_of(p.enter(hand, "marbles", **{f"marbles_{seat}": count for seat, count in enumerate(kept, 1)}))


def test_a_race_tells_who_deals_and_leads_for_many_hands_ahead(p: Scorer) -> None:
    ring(p, 7, 0, 0)
    hands = pad_of(p.reading).hands
    assert len(hands) == 1 + AHEAD >= 13
    assert [(hand.number, hand.dealer, hand.order[0]) for hand in hands[:4]] == [
        (2, 2, 3),
        (3, 3, 1),
        (4, 1, 2),
        (5, 2, 3),
    ]


def test_asks_come_in_order_with_the_optional_ones(p: Scorer) -> None:
    state = pad_of(p.reading).asks
    assert [(ask.name, ask.optional) for ask in state] == [
        ("shooter", False),
        ("ring", False),
        ("slip", True),
        ("marbles", False),
    ]


def test_a_new_game_of_the_match_has_no_box_before_its_first_hand(p: Scorer) -> None:
    ring(p, 7, 0, 0)
    assert pad_of(p.reading).marked
    ring(p, 7, 0, 0)
    state = pad_of(p.reading)
    assert state.legs == {1: 1, 2: 0, 3: 0}
    assert state.totals == {1: 0, 2: 0, 3: 0}
    assert not state.marked
    ring(p, 0, 7, 0)
    assert pad_of(p.reading).marked


def test_what_completed_the_hand_is_what_was_written_last(p: Scorer) -> None:
    ring(p, 7, 0, 0)
    assert pad_of(p.reading).back[0].last == "marbles"


def test_an_ask_is_not_opened_before_its_time() -> None:
    phone = Plain(3, game="marbles", plan={})
    phone.look(phone.url("pad") + "?again=marbles")
    assert is_due(phone) == "shooter"
    phone.tap("Bo")
    phone.look(phone.url("pad") + "?again=slip")
    assert is_due(phone) == "ring"
    phone.look(phone.url("pad") + "?again=shooter")
    assert is_due(phone) == "shooter"
    phone.look(phone.url("pad") + "?again=nonsense")
    assert is_due(phone) == "ring"


def is_due(phone: Plain) -> str:
    """The ask whose section is shown."""
    text = phone.response.content.decode()
    return text.partition(" data-due>")[0].rpartition('data-name="')[2].partition('"')[0]


def test_impossible_choices_are_shut_and_answers_are_in_the_page() -> None:
    phone = Plain(3, game="marbles", plan={})
    phone.tap("Bo")
    page = phone.response.content.decode()
    assert 'data-shut="slipped 2" disabled' in page
    assert 'data-shut="slipped 3"' in page
    assert 'data-shut="slipped 3" disabled' not in page
    assert '<span data-answer="shooter"><bdi>Bo</bdi></span>' in page
    assert '<span data-shows="rings">0</span>' in page
    assert 'data-when="shows lay" hidden' in page
    assert 'data-unless="answered shooter" hidden' in page


def test_a_form_that_is_opened_again_has_what_stands_there() -> None:
    phone = Plain(3, game="marbles", plan={})
    phone.tap("Nobody")
    sure_of(phone.scorer.enter(1, "ring", card="7", rain=True, glass=2))
    phone.look(phone.url("pad") + "?again=ring")
    chosen = {(name, value) for _, name, value in phone.page.inputs if name.startswith("f-")}
    assert {("f-card", "7"), ("f-rain", ""), ("f-glass", "2")} <= chosen


def test_the_page_costs_four_queries_and_a_post_as_many_as_any(statements: Counts, client) -> None:
    phone = Plain(3, game="marbles", plan={})
    client.cookies[BROWSER_COOKIE] = SECRET
    client.get(phone.url("pad"))
    with statements(exactly=4):
        assert client.get(phone.url("pad")).status_code == 200
    body = {"key": "k" * 20, "hand": "1", "ask": "shooter", "saw": "", "f-first": "2"}
    with statements(exactly=8):
        answer = client.post(phone.url("enter"), body, headers={"Accept": "application/json"})
    assert answer.status_code == 200
