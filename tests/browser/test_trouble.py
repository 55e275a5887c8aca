"""The site cannot write for a while: what was tapped without script waits on the page, and is written once."""

import os
from unittest.mock import patch

import pytest
from django.db import OperationalError
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import make_link
from scoresheets.models import Revision
from tests.factories import Pencil, pencil


@pytest.fixture
def ann(transactional_db: None) -> Pencil:
    return pencil(4)


@pytest.mark.journey
@pytest.mark.allow_statuses(503)
def test_tap_that_could_not_be_written_is_sent_again_from_the_page_that_says_so(plain_phone: Page, ann: Pencil):
    page = plain_phone
    page.goto(f"/keep/{make_link(ann.sheet, by=ann.by)}/")
    page.get_by_role("button").first.click()
    page.wait_for_url("**/pad/")
    with patch("scoresheets.commands.enter.append_revision", side_effect=OperationalError("database is locked")):
        page.locator(".pad .keys button[value='1']").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not just now")
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/trouble.png")
        page.get_by_role("button", name="Send it again").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not just now")
    page.get_by_role("button", name="Send it again").click()
    page.wait_for_url("**/pad/")
    assert Revision.objects.filter(sheet=ann.sheet, verb="enter").count() == 1


@pytest.mark.allow_statuses(503)
def test_page_that_could_not_be_read_can_be_tried_again(dark_phone: Page, ann: Pencil, axe) -> None:
    with patch("scoresheets.views.public.sheet.read_for", side_effect=OperationalError("database is locked")):
        dark_phone.goto(f"/sheets/{ann.sheet.code}/")
        axe(dark_phone)
        if folder := os.environ.get("PICTURES"):
            dark_phone.screenshot(path=f"{folder}/trouble-read.png")
    dark_phone.get_by_role("link", name="Try again").click()
    expect(dark_phone.locator("#sheet")).to_be_visible()
