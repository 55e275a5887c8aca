"""Whatever is sent to the site, it answers with a sentence, and what it refuses leaves no trace.

One evening is one table at some moment of its game and a fuzzer with dice of its own: `pytest tests/fuzz -k
"evening and 7"` throws the very same things again.
"""

from __future__ import annotations

import gzip
import json

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import TestCase
from django.urls import reverse

from clubs.api.rate import reading as api_rate
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.cache import written_readings
from scoresheets.log.publish import is_published
from scoresheets.log.state import read_sheet
from scoresheets.models import Revision, Sheet
from scoresheets.views.public.watch import fragments
from tests.fuzz.fuzzer import JUNK_COOKIES, JUNK_HEADERS, METHODS, Fuzzer, Throw
from tests.fuzz.tables import (
    CUT_OFF,
    MOMENTS,
    OF_CLUBS,
    Evening,
    Rows,
    Seen,
    Writes,
    address_of,
    at_a_draw,
    difference,
    everything,
    in_bidding,
    in_tricks,
    is_html,
    phone,
    routes,
    versions,
)

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

#: One evening for every moment at least.
EVENINGS, THROWS = max(16, len(MOMENTS)), 32
LONG_EVENINGS = 640
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")


class Checker:
    """Sends what is thrown and holds the site to its word after every throw."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.rows, self.versions = everything(), versions()
        self.accepted: list[Throw] = []

    def send(self, throw: Throw) -> HttpResponse:
        """Send it. Every assertion that fails says what was sent."""
        writes = Writes()
        try:
            with connection.execute_wrapper(writes):
                response = self.answer(throw)
            self.judge(throw, response, everything() if writes.any else self.rows)
        except BaseException as problem:
            problem.add_note(f"after {throw}")
            raise
        return response

    def answer(self, throw: Throw) -> HttpResponse:
        sender = phone(throw.phone, enforce_csrf_checks=throw.strict)
        with TestCase.captureOnCommitCallbacks(execute=True):
            return sender.generic(throw.method, throw.address, throw.body, throw.content_type, **throw.headers)

    def judge(self, throw: Throw, response: HttpResponse, after: Rows) -> None:
        status = response.status_code
        assert status < 500, status
        changed = "" if after is self.rows else difference(self.rows, after)
        if status >= 400 or throw.method in SAFE:
            assert changed == "", f"{status}, and yet:\n{changed}"
            if status >= 400 and throw.method != "HEAD":
                assert_says_why(response)
        if changed:
            self.accepted.append(throw)
            self.look_at_what_was_written(after)
            self.rows = after
        assert not (changed and throw.strict), "written without the token"
        if changed and throw.address.startswith(f"/sheets/{self.evening.sheet.code}/"):
            assert self.evening.sheet.scorekeepers.filter(browser=hashed(throw.phone), revoked_at=None).exists(), (
                changed
            )

    def look_at_the_end(self) -> None:
        """Nothing was written unseen: by no statement, or by one that was thought to read."""
        assert difference(self.rows, everything()) == ""

    def look_at_what_was_written(self, after: Rows) -> None:
        """One version more or none on one sheet; nothing gone but by a later write; every page still there."""
        now = versions()
        risen = {pk: now[pk] - version for pk, version in self.versions.items() if now[pk] != version}
        # Who starts scoring under a new name writes two things: what they are called, and that they started.
        verbs = {pk: {w.verb for w in Revision.objects.filter(sheet=pk, version__gt=self.versions[pk])} for pk in risen}
        assert list(risen.values()) in ([], [1]) or list(verbs.values()) == [{"call", "pencil"}], (risen, verbs)
        for sheet in Sheet.objects.filter(pk__in=[*risen, *(now.keys() - self.versions.keys())]):
            numbers = list(Revision.objects.filter(sheet=sheet).order_by("version").values_list("version", flat=True))
            assert numbers == list(range(1, sheet.version + 1)), "every version has its write"
            assert_reads(sheet)
        assert self.rows["Revision"] <= after["Revision"], "a write was changed"
        assert self.rows["Entry"].total() <= after["Entry"].total(), "an entry is gone"
        # A table that is opened has entries of its own; on the others nothing moves without a new version.
        assert risen or self.rows["Entry"] <= after["Entry"], "an entry was withdrawn by no write"
        self.versions = now


def assert_says_why(response: HttpResponse) -> None:
    """A refusal is a page with a sentence, or a problem for a script."""
    if response.headers.get("Content-Type", "").startswith("application/json"):
        assert json.loads(text_of(response))["problem"].strip()
        return
    assert is_html(response), response.headers
    page = text_of(response)
    assert "<html" in page
    assert 'lang="en"' in page, "Django's own page"
    assert len(Seen(page, "/").text) > 40, page


def text_of(response: HttpResponse) -> str:
    packed = response.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(response.content) if packed else response.content).decode()


def assert_reads(sheet: Sheet) -> None:
    """What this process remembers of the sheet is what stands there, and every page shows it."""
    reading = read_sheet(sheet)
    *_, kept = written_readings.readings.values.get(sheet.code, (None,))
    if kept and kept.version == sheet.version:
        assert kept.entries == reading.entries
        assert kept.sheet == reading.sheet
    assert (sheet.finished_at is not None) == reading.finished
    assert is_published(reading)
    for name in ("pad", "sheet", "export_sheet"):
        assert phone().get(reverse(name, args=[sheet.code])).status_code in (200, 302), name
    assert phone().get(reverse("watch", args=[sheet.watch])).status_code == 200


def forget() -> None:
    """What this process remembers of sheets that were taken back is of no sheet any more."""
    fragments.clear()
    written_readings.clear()
    cache.clear()
    api_rate.clear()


def evening_of(number: int) -> Evening:
    forget()
    return Evening(MOMENTS[number % len(MOMENTS)])


def throw_things(evening: Evening, number: int, throws: int = THROWS) -> None:
    fuzzer, checker = Fuzzer(f"evening {number}", evening), Checker(evening)
    for _ in range(throws):
        throw, written = fuzzer.throw(), len(checker.accepted)
        checker.send(throw)
        evening.sheet.refresh_from_db()
        if len(checker.accepted) > written:
            fuzzer.was_accepted(throw)
    checker.look_at_the_end()


def send_every_form(evening: Evening) -> None:
    """Every form of every page is taken or refused with a sentence; in the end nothing of it has happened."""
    checker, before = Checker(evening), transaction.savepoint()
    for form in {(form.action, *form.names): form for form in evening.forms}.values():
        body, content_type = Fuzzer("no dice", evening).plain(form.fields)
        checker.send(Throw("POST", form.action, body, content_type))
    assert checker.accepted, "the forms are those that the site takes"
    transaction.savepoint_rollback(before)
    forget()
    evening.sheet.refresh_from_db()


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.fourth
@pytest.mark.parametrize("number", range(EVENINGS))
def test_evening_with_broken_requests(number: int) -> None:
    evening = evening_of(number)
    # To open every page takes longer than all the rest, so it is done once. Forms of accounts are thrown on the first
    # evening alone.
    evening.look_round(everywhere=number == 0)
    send_every_form(evening)
    throw_things(evening, number)


@pytest.mark.long
@pytest.mark.parametrize("number", range(EVENINGS, LONG_EVENINGS))
def test_many_evenings_with_broken_requests(number: int) -> None:
    evening = evening_of(number)
    evening.look_round(everywhere=number % 8 == 0)
    throw_things(evening, number)


@pytest.mark.databases_differ
@pytest.mark.thorough(but=1)
@pytest.mark.fourth
@pytest.mark.parametrize("method", [method for method in METHODS if method.upper() != "POST"])
def test_no_address_breaks_or_writes_under_another_method(method: str) -> None:
    evening = evening_of(1)
    checker = Checker(evening)
    for route in routes():
        # How many addresses there are is more than one network may ask for at once.
        api_rate.clear()
        response = checker.send(Throw(method, address_of(route, evening.first)))
        expected = (200, 204, 302, 405) if method in ("GET", "HEAD") else (405, 200)
        if route.startswith(OF_CLUBS):
            # There is no club at the address, and nobody is signed in, who is asked for whatever the method is.
            expected = (*expected, 302, 403, 404)
        if route.startswith("/api/v1/"):
            # Pages of other sites ask first whether they may (CORS). There is no club and no key here either.
            expected = (*expected, 204, 401, 404)
        assert response.status_code in expected, route
    assert checker.accepted == []


def test_no_cookie_and_no_header_breaks_a_page_or_writes_by_itself() -> None:
    evening = evening_of(1)
    checker = Checker(evening)
    code = evening.sheet.code
    for more in [*JUNK_HEADERS, *({"HTTP_COOKIE": cookie} for cookie in JUNK_COOKIES)]:
        for method, address in (
            ("GET", "/"),
            ("GET", "/open/"),
            ("POST", f"/sheets/{code}/enter/"),
            ("GET", f"/sheets/{code}/pad/"),
        ):
            checker.send(Throw(method, address, headers=more))
    assert checker.accepted == []


@pytest.mark.thorough
def test_who_does_not_keep_score_changes_nothing_on_any_address_of_the_sheet() -> None:
    evening = evening_of(2)
    evening.look_round()
    checker = Checker(evening)
    forms = [form for form in evening.forms if evening.sheet.code in form.action]
    assert len(forms) > 10
    # Without a cookie, with one that was revoked, and with one that was made up.
    for secret in ("", CUT_OFF, "?" * 22):
        for form in forms:
            body, content_type = Fuzzer("no dice", evening).plain(form.fields)
            response = checker.send(Throw("POST", form.action, body, content_type, secret))
            assert response.status_code in (302, 303, 403, 404), form.action
    assert checker.accepted == []


@pytest.mark.thorough
def test_forms_that_are_thrown_are_those_of_the_site() -> None:
    names: set[str] = set()
    for moment in (in_bidding, in_tricks, at_a_draw):
        evening = Evening(moment)
        evening.look_round()
        names |= {name for form in evening.forms for name in form.names}
    assert names >= {
        "key",
        "hand",
        "ask",
        "saw",
        "version",
        "event",
        "f-bid",
        "f-tricks-1",
        "f-rank-3",
        "term",
        "note",
        "quiet",
    }
