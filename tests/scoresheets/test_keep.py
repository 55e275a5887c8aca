"""A keeper link: looking at it consumes nothing, taking the pencil does what it says."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client

from scoresheets.models import Keeper, Link
from scoresheets.sharing import make_link, revoke_link
from tests.factories import Pencil, pencil
from tests.scoresheets.test_open import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(ann: Pencil) -> str:
    """The address that hands on Ann's pencil."""
    return f"/keep/{make_link(ann.sheet, by=ann.by)}/"


def test_link_says_whose_table_it_is_and_has_a_button(client, link):
    page = client.get(link)
    assert page.status_code == 200
    assert "Dirty Dog with Ann, Bo, Cy and Di." in text(page)
    assert "Take the pencil" in text(page)


def test_link_of_a_sheet_with_a_name_says_it(client):
    table = pencil(["<b>Kay</b>", "עדי"], title="Thursday, table 2")
    page = client.get(f"/keep/{make_link(table.sheet, by=table.by)}/")
    assert "Thursday, table 2" in text(page)
    assert "&lt;b&gt;Kay&lt;/b&gt;" in page.content.decode()


def test_looking_consumes_nothing(client, link):
    for _ in range(3):
        client.get(link)
        client.head(link)
    assert Keeper.objects.count() == 1
    assert "pencil" not in client.cookies
    assert client.post(link).status_code == 303


def test_taking_the_pencil_leads_to_the_pad_where_this_phone_may_write(client, ann, link):
    pad = f"/sheets/{ann.sheet.code}/pad/"
    answer = client.post(link)
    assert (answer.status_code, answer["Location"]) == (303, pad)
    assert client.cookies["pencil"]["httponly"]
    assert client.get(pad).status_code == 200
    assert Keeper.objects.filter(sheet=ann.sheet, revoked_at=None).count() == 2


def test_script_is_told_where_to_go(client, ann, link):
    answer = client.post(link, headers={"Accept": "application/json"})
    assert answer.json() == {"to": f"/sheets/{ann.sheet.code}/pad/"}
    assert "pencil" in answer.cookies


def test_taking_it_twice_makes_one_scorekeeper(client, ann, link):
    client.post(link)
    client.post(link)
    assert Keeper.objects.filter(sheet=ann.sheet).count() == 2


def test_two_phones_may_come_by_one_link(client, ann, link):
    client.post(link)
    Client().post(link)
    assert Keeper.objects.filter(sheet=ann.sheet).count() == 3


def test_phone_keeps_the_pencil_it_has(client, link):
    client.cookies["pencil"] = "the-pencil-of-a-phone1"
    answer = client.post(link)
    assert answer.cookies["pencil"].value == "the-pencil-of-a-phone1"


@pytest.mark.parametrize("token", ["x", "A" * 22, "x" * 400, "%00", "é"])
def test_link_that_never_was_is_not_found(client, token):
    for answer in (client.get(f"/keep/{token}/"), client.post(f"/keep/{token}/")):
        assert answer.status_code == 404
        assert "Ask the scorekeeper for a new one." in text(answer)


def test_link_that_was_revoked_or_has_run_out_opens_nothing(client, ann, link):
    revoke_link(Link.objects.get())
    assert client.get(link).status_code == 404
    assert client.post(link).status_code == 404
    old = make_link(ann.sheet, by=ann.by, lifetime=datetime.timedelta(seconds=-1))
    assert client.post(f"/keep/{old}/").status_code == 404
    assert Keeper.objects.count() == 1


def test_post_of_another_site_takes_no_pencil(link):
    assert Client(enforce_csrf_checks=True).post(link).status_code == 403
    assert Keeper.objects.count() == 1


def test_link_is_kept_neither_by_the_browser_nor_by_search_engines(client, link):
    page = client.get(link)
    assert "no-store" in page["Cache-Control"]
    assert "noindex" in page["X-Robots-Tag"]
