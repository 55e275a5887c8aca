"""A scorekeeper link: looking at it uses nothing up, and starting to score does what it says."""

from __future__ import annotations

import datetime
import logging
import re

import pytest
from django.test import Client
from django.utils import timezone

from scoresheets.access.scorekeepers import make_link, revoke_link
from scoresheets.models import Revision, Scorekeeper, ShareLink
from tests.factories import Scorer, scorer
from tests.scoresheets.opening.test_open import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(ann: Scorer) -> str:
    """The scorekeeper link of Ann's sheet."""
    return f"/keep/{make_link(ann.sheet, by=ann.by)}/"


def test_link_says_whose_table_it_is_and_has_a_button(client, link):
    page = client.get(link)
    assert page.status_code == 200
    assert "Dirty Dog with Ann, Bo, Cy and Di." in text(page)
    assert "Start scoring" in text(page)


def test_link_of_a_sheet_with_a_name_says_it(client):
    table = scorer(["<b>Kay</b>", "עדי"], title="Thursday, table 2")
    page = client.get(f"/keep/{make_link(table.sheet, by=table.by)}/")
    assert "Thursday, table 2" in text(page)
    assert "&lt;b&gt;Kay&lt;/b&gt;" in page.content.decode()


def test_looking_consumes_nothing(client, link):
    for _ in range(3):
        client.get(link)
        client.head(link)
    assert Scorekeeper.objects.count() == 1
    assert "pencil" not in client.cookies
    assert client.post(link).status_code == 303


def test_starting_to_score_leads_to_the_pad_where_this_phone_may_write(client, ann, link):
    pad = f"/sheets/{ann.sheet.code}/pad/"
    answer = client.post(link)
    assert (answer.status_code, answer["Location"]) == (303, pad)
    assert client.cookies["pencil"]["httponly"]
    assert client.get(pad).status_code == 200
    assert Scorekeeper.objects.filter(sheet=ann.sheet, revoked_at=None).count() == 2


def test_script_is_told_where_to_go(client, ann, link):
    answer = client.post(link, headers={"Accept": "application/json"})
    assert answer.json() == {"to": f"/sheets/{ann.sheet.code}/pad/"}
    assert "pencil" in answer.cookies


def test_taking_it_twice_makes_one_scorekeeper(client, ann, link):
    client.post(link)
    client.post(link)
    assert Scorekeeper.objects.filter(sheet=ann.sheet).count() == 2


def test_two_phones_may_come_by_one_link(client, ann, link):
    client.post(link)
    Client().post(link)
    assert Scorekeeper.objects.filter(sheet=ann.sheet).count() == 3


def test_phone_keeps_the_cookie_it_has(client, link):
    client.cookies["pencil"] = "the-secret-of-a-phone1"
    answer = client.post(link)
    assert answer.cookies["pencil"].value == "the-secret-of-a-phone1"


@pytest.mark.parametrize("token", ["x", "A" * 22, "x" * 400, "%00", "é"])
def test_link_that_never_was_is_not_found(client, token):
    for answer in (client.get(f"/keep/{token}/"), client.post(f"/keep/{token}/")):
        assert answer.status_code == 404
        assert "Ask the scorekeeper for a new one." in text(answer)


def test_link_that_was_revoked_or_has_run_out_opens_nothing(client, ann, link):
    revoke_link(ShareLink.objects.get())
    assert client.get(link).status_code == 404
    assert client.post(link).status_code == 404
    old = make_link(ann.sheet, by=ann.by, lifetime=datetime.timedelta(seconds=-1))
    assert client.post(f"/keep/{old}/").status_code == 404
    assert Scorekeeper.objects.count() == 1


def test_post_of_another_site_starts_no_scoring(link):
    assert Client(enforce_csrf_checks=True).post(link).status_code == 403
    assert Scorekeeper.objects.count() == 1


def test_name_is_asked_for_and_stands_beside_what_is_written(client, ann, link):
    assert "Your name" in text(client.get(link))
    client.post(link, {"name": " Marge "})
    assert list(Scorekeeper.objects.values_list("name", flat=True).order_by("pk")) == ["", "Marge"]


def test_phone_that_said_its_name_once_is_not_asked_again(client, link):
    client.post(link, {"name": "Marge"})
    other = scorer(4)
    page = client.get(f"/keep/{make_link(other.sheet, by=other.by)}/")
    assert 'value="Marge"' in page.content.decode()
    assert "data-at-once" in page.content.decode()
    assert "data-at-once" not in Client().get(link).content.decode()


def test_name_that_is_none_keeps_nobody_from_the_table(client, ann, link):
    assert client.post(link, {"name": "x" * 500}).status_code == 303
    assert Scorekeeper.objects.latest("pk").name == ""


def test_link_that_nobody_handed_over_is_opened_at_once(client, ann):
    page = client.get(f"/keep/{make_link(ann.sheet, by=None)}/").content.decode()
    assert "data-at-once" in page


def test_the_same_tap_sent_twice_starts_scoring_once(client, ann, link):
    key = re.search(r'name="key" value="([\w-]+)"', client.get(link).content.decode())[1]
    for _ in range(2):
        client.post(link, {"key": key})
    assert Revision.objects.filter(sheet=ann.sheet, verb="pencil").count() == 1


def test_link_that_is_good_no_more_says_why(client, ann):
    revoked, old = make_link(ann.sheet, by=ann.by), make_link(ann.sheet, by=ann.by, lifetime=-datetime.timedelta(1))
    ShareLink.objects.filter(expires__gt=timezone.now()).update(revoked_at=timezone.now())
    said = text(client.get(f"/keep/{revoked}/"))
    assert "This link was revoked" in said
    assert "used up" not in said
    assert "This link was revoked and no longer works" in said
    assert "This link worked for one evening and has expired." in text(client.get(f"/keep/{old}/"))


def test_who_came_by_a_link_that_has_run_out_is_led_to_the_pad(client, ann, link):
    client.post(link)
    ShareLink.objects.update(expires=timezone.now())
    assert client.get(link)["Location"] == f"/sheets/{ann.sheet.code}/pad/"


def test_its_address_travels_in_no_referer_and_its_form_is_still_taken(client, ann, link):
    """With "no-referrer" a browser says that the form comes from nowhere, and it would be refused."""
    for answer in (client.get(link), client.post(link)):
        assert answer["Referrer-Policy"] == "strict-origin"


def test_journal_says_neither_the_link_nor_where_it_led(client, ann, link, caplog):
    with caplog.at_level(logging.INFO):
        client.get(link)
        client.post(link)
        client.get(f"/keep/{'A' * 22}/")
        revoke_link(ShareLink.objects.get())
        client.get(link)
    token = link.split("/")[2]
    assert "GET keep 200" in caplog.text
    assert token not in caplog.text
    assert ann.sheet.code not in caplog.text
    assert "A" * 22 not in caplog.text


def test_link_is_kept_neither_by_the_browser_nor_by_search_engines(client, link):
    page = client.get(link)
    assert "no-store" in page["Cache-Control"]
    assert "noindex" in page["X-Robots-Tag"]
