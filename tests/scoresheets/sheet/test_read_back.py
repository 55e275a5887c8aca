"""The last hand in large type, and what a voice would say."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import Scorer, scorer
from tests.scoresheets.conftest import Counts
from tests.scoresheets.opening.test_open import text

pytestmark = pytest.mark.django_db


def page(table: Scorer, client: Client) -> str:
    answer = client.get(f"/sheets/{table.sheet.code}/read-back/")
    assert answer.status_code == 200
    return answer.content.decode()


def aloud(html: str) -> list[str]:
    return re.findall(r'data-say="([^"]*)"', html)


def test_before_the_first_hand_there_is_nothing_to_read(client, ann: Scorer):
    assert "No hand has been scored yet." in page(ann, client)
    assert "data-aloud" not in page(ann, client)


def test_last_hand_says_who_bid_and_took_what_and_where_everybody_stands(client, ann: Scorer):
    ann.enter(1, "trump", suit="H")
    ann.hand({2: 1, 3: 0, 4: 0, 1: 1}, {1: 0, 2: 1, 3: 0, 4: 0})
    said = text(client.get(f"/sheets/{ann.sheet.code}/read-back/"))
    assert "Hand 1 hearts Ann −1 bid 1, took 0, set −1 Bo +6 bid 1, took 1 6 Cy +5 bid 0, took 0 5 Di +5" in said


def test_voice_reads_signs_as_words(client, ann: Scorer):
    ann.hand({2: 1, 3: 0, 4: 0, 1: 1}, {1: 0, 2: 1, 3: 0, 4: 0})
    assert aloud(page(ann, client))[:3] == [
        "Hand 1.",
        "Ann bid 1, took 0, set: minus 1. minus 1 now.",
        "Bo bid 1, took 1: plus 6. 6 now.",
    ]


def test_hand_that_is_being_bid_is_not_the_last(client, ann: Scorer):
    ann.any_hand()
    ann.bid(3, 1)
    assert aloud(page(ann, client))[0] == "Hand 1."


def test_blind_hand_is_the_last_when_it_was(client):
    tied = scorer(3, plan={"hands": 1})
    tied.hand({2: 0, 3: 0, 1: 0}, {2: 1, 3: 0, 1: 0})
    tied.settle()
    assert tied.reading.sheet.settlement.ties
    assert aloud(page(tied, client))[0] == "Blind hand."


def test_names_are_text(client):
    table = scorer(["<b>Kay</b>", "Bo", "Cy"])
    table.any_hand()
    assert "&lt;b&gt;Kay&lt;/b&gt;" in page(table, client)
    assert "<b>Kay" not in page(table, client)


def test_page_takes_three_questions(client, ann: Scorer, statements: Counts):
    ann.any_hand()
    with statements(exactly=3):
        page(ann, client)
