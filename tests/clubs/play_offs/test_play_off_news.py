"""The page of a play-off asks what is new, for little, and is rendered once for everybody."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.play_off_page import cache as told
from clubs.play_off_page.cache import rendered_pages
from scoresheets.sheet.summary import shown_readings
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.clubs.play_offs.test_play_off_page import html_of, known_as, news_of

pytestmark = pytest.mark.django_db


def test_nothing_is_sent_while_nothing_changes_and_the_fragment_when_it_does(evening):
    client = Client()
    news = news_of(html_of(evening, client))
    assert client.get(news).status_code == 204
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    answer = client.get(news)
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert "1 behind" in answer.content.decode()
    assert client.get(news_of(answer.content.decode())).status_code == 204
    evening.night.closed_at = timezone.now()
    evening.night.save()
    assert client.get(news).status_code == 286


def test_it_is_rendered_once_for_everybody(evening, monkeypatch):
    many = []
    render = told.render_to_string
    monkeypatch.setattr(told, "render_to_string", lambda *a, **k: many.append(1) or render(*a, **k))
    rendered_pages.clear()
    for client in (Client(), known_as(evening, "Cy"), evening.organiser()):
        html_of(evening, client)
    assert len(many) == 1


def cost(evening: PlayOffEvening, address: str, client: Client | None = None) -> int:
    rendered_pages.clear()
    shown_readings.clear()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert (client or Client()).get(address).status_code in (200, 204)
    return len(asked)


@pytest.mark.thorough
def test_page_costs_the_same_for_twenty_groups_as_for_two():
    few, many = play_off([7, 6], places=3), play_off([10] * 20, places=1)
    assert cost(few, few.url("play_off")) == cost(many, many.url("play_off")) <= 14
    assert cost(few, few.url("play_off"), few.organiser()) == cost(many, many.url("play_off"), many.organiser()) <= 18


def test_a_page_that_has_the_news_asks_seven_questions_and_reads_no_sheet(evening, django_assert_num_queries):
    news = news_of(html_of(evening))
    rendered_pages.clear()
    with django_assert_num_queries(7):
        assert Client().get(news).status_code == 204
    assert not len(rendered_pages)


# Whom it is shown to
