"""Who can still win and who can still lose: said to those who watch, and on the sheet."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.people import leave

pytestmark = pytest.mark.django_db


def near_the_end(ann: Scorer) -> None:
    """Three of four hands: Ann has 20, Bo −3, the others 15; the last hand has one card."""
    for _ in range(3):
        ann.clear_hand()


def test_watchers_are_told_as_soon_as_somebody_cannot_any_more(ann: Scorer, client: Client) -> None:
    there = reverse("watch", args=[ann.sheet.watch])
    ann.clear_hand()
    assert "can still" not in client.get(there).content.decode()
    ann.clear_hand()
    ann.clear_hand()
    page = client.get(there).content.decode()
    assert "Everybody but <bdi>Bo</bdi> can still win." in page
    assert "Only <bdi>Bo</bdi> can still take the circle." in page


@pytest.mark.parametrize("page", ["watch_rows", "watch_top", "watch_table"])
def test_every_page_for_watchers_says_it(ann: Scorer, client: Client, page: str) -> None:
    near_the_end(ann)
    assert "can still win" in client.get(reverse(page, args=[ann.sheet.watch])).content.decode()


def test_the_sheet_says_it_and_the_result_does_not(ann: Scorer, client: Client) -> None:
    near_the_end(ann)
    there = reverse("sheet", args=[ann.sheet.code])
    assert "can still win" in client.get(there).content.decode()
    ann.clear_hand()
    assert "can still win" not in client.get(there).content.decode()


def test_it_costs_no_query(ann: Scorer, client: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    there = reverse("watch", args=[ann.sheet.watch])
    ann.clear_hand()
    with django_assert_num_queries(3):
        client.get(there)
    ann.clear_hand()
    ann.clear_hand()
    with django_assert_num_queries(3):
        assert "can still win" in client.get(there).content.decode()


def test_who_went_home_lowest_can_still_take_the_circle(client: Client) -> None:
    table = scorer(5, plan={"hands": 5})
    for _ in range(3):
        table.clear_hand()
    sure_of(leave(table, 2))
    page = client.get(reverse("watch", args=[table.sheet.watch])).content.decode()
    assert "Only <bdi>Bo</bdi> can still take the circle." in page
