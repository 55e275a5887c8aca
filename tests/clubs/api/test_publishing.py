"""What others show of a club: a standing in a spreadsheet and in a frame, and its results in a feed."""

from __future__ import annotations

import csv
import datetime
import io
from xml.etree import ElementTree

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django.utils.feedgenerator import rfc3339_date

from clubs.api.documents.feed import for_xml
from clubs.members.privacy import hide_name
from clubs.models import Club, Member, Table
from tests.club_factories import ClubFactory, NightFactory, played
from tests.clubs.api.conftest import Program, key_of
from tests.clubs.visitors import account, get, post, text

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
BAKERY = "https://www.bakery.example"


def show_to(club: Club, visibility: str) -> None:
    Club.objects.filter(pk=club.pk).update(visibility=visibility)


# A spreadsheet


def rows_of(answer: HttpResponse) -> list[list[str]]:
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_spreadsheet_reads_a_standing_with_a_key_in_its_address(full: Club) -> None:
    show_to(full, "link")
    key, program = key_of(full), Program()
    for which in ("all-time", full.seasons.get().uid):
        path = f"clubs/{full.slug}/standings/{which}/standing.csv"
        heads, first, *_ = rows_of(program.get(path, {"key": key}))
        assert heads[:4] == ["Place", "Place before the latest night", "Name", "Points"]
        assert (first[0], first[2]) == ("1", "Ann")
        assert program.get(path).status_code == 404
        assert program.get(path, {"key": "x" * 22}).status_code == 401
    assert Program(key).get(path).status_code == 200


def test_name_in_a_spreadsheet_is_no_formula(full: Club, four: list[Member]) -> None:
    Member.objects.filter(pk=four[0].pk).update(name="=1+1")
    rows = rows_of(Program().get(f"clubs/{full.slug}/standings/all-time/standing.csv"))
    assert "=1+1" not in [cell for row in rows for cell in row]
    assert any("=1+1" in cell for row in rows for cell in row)


# A feed


def feed_of(program: Program, club: Club, **query: str) -> ElementTree.Element:
    answer = program.get(f"clubs/{club.slug}/results.atom", query)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def texts(feed: ElementTree.Element, name: str) -> list[str | None]:
    return [entry.findtext(f"{ATOM}{name}") for entry in feed.iter(f"{ATOM}entry")]


def test_feed_has_the_results_the_latest_first(full: Club, four: list[Member], anybody: Program) -> None:
    feed = feed_of(anybody, full)
    assert feed.findtext(f"{ATOM}title") == "Results of The Trumps"
    assert texts(feed, "title") == ["Dirty Dog: Bo won", "Dirty Dog: Ann won"]
    assert texts(feed, "summary")[0] == "2 March 2026. Bo won with 30. Cy lost with 10."
    table = Table.objects.get(sheet__finished_at__isnull=False)
    assert texts(feed, "id")[1] == f"tag:box-and-circle,2026:{table.uid}"
    links = [entry.find(f"{ATOM}link") for entry in feed.iter(f"{ATOM}entry")]
    pages = [link.get("href") for link in links if link is not None]
    assert pages[1] == f"http://testserver{table.night.get_absolute_url()}"
    hide_name(four[0], by=None)
    assert "Ann" not in str(texts(feed_of(anybody, full), "title"))


@pytest.mark.parametrize("letter", ["\ufffe", "\uffff", "\x0b", "\x00"])
def test_feed_is_read_whatever_stood_in_a_name_before(
    full: Club, four: list[Member], anybody: Program, letter: str
) -> None:
    if letter != "\x00":
        Member.objects.filter(pk=four[1].pk).update(nickname=f"<Bo>{letter}")
        Club.objects.filter(pk=full.pk).update(name=f"The{letter} Trumps")
    feed = feed_of(anybody, full)
    assert feed.findtext(f"{ATOM}title") == "Results of The Trumps"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "The Trumps"
    shown = "Bo" if letter == "\x00" else "<Bo>"
    assert texts(feed, "title")[0] == f"Dirty Dog: {shown} won"
    assert for_xml(f"a{letter}b\t\U0001f436") == "ab\t\U0001f436"


def test_feed_of_a_club_that_is_not_public_needs_a_key(full: Club, anybody: Program) -> None:
    show_to(full, "members")
    assert anybody.get(f"clubs/{full.slug}/results.atom").status_code == 404
    key = key_of(full)
    told = [feed_of(Program(key), full), feed_of(anybody, full, key=key)]
    assert [len(texts(feed, "title")) for feed in told] == [2, 2]
    secrets = [key, *Table.objects.filter(sheet__isnull=False).values_list("sheet__watch", flat=True)]
    content = anybody.get(f"clubs/{full.slug}/results.atom", {"key": key}).content.decode()
    assert [secret for secret in secrets if secret in content] == []


def test_feed_is_the_same_until_something_happens(full: Club, anybody: Program) -> None:
    for club in (full, ClubFactory()):
        path = f"clubs/{club.slug}/results.atom"
        etag = anybody.get(path).headers["ETag"]
        assert anybody.get(path, if_none_match=etag).status_code == 304


def test_result_that_is_corrected_is_updated_in_the_feed(full: Club, anybody: Program) -> None:
    table = Table.objects.get(sheet__finished_at__isnull=False)
    assert table.sheet is not None
    ended = timezone.now() - datetime.timedelta(days=3)
    Table.objects.filter(pk=table.pk).update(ended_at=ended)
    table.sheet.revisions.update(at=ended)
    assert times_of(table, feed_of(anybody, full)) == (rfc3339_date(ended), rfc3339_date(ended))
    corrected = ended + datetime.timedelta(days=1)
    table.sheet.revisions.filter(version=table.sheet.version).update(at=corrected)
    assert times_of(table, feed_of(anybody, full)) == (rfc3339_date(ended), rfc3339_date(corrected))


def times_of(table: Table, feed: ElementTree.Element) -> tuple[str | None, str | None]:
    """When the feed says that its result was published and updated."""
    (entry,) = (entry for entry in feed.iter(f"{ATOM}entry") if table.uid in str(entry.findtext(f"{ATOM}id")))
    return entry.findtext(f"{ATOM}published"), entry.findtext(f"{ATOM}updated")


def test_feed_asks_the_same_however_many_games_there_are(
    club: Club, four: list[Member], anybody: Program, django_assert_num_queries
) -> None:
    for _ in range(3):
        played(NightFactory(club=club), four)
        with django_assert_num_queries(10):
            feed_of(anybody, club)


# A frame


def frame_of(client: Client, club: Club, which: str = "all-time") -> HttpResponse:
    return get(client, "standing_frame", club, which)


def test_only_the_site_that_the_club_names_may_show_the_standing_in_a_frame(full: Club) -> None:
    assert frame_of(Client(), full).status_code == 404
    Club.objects.filter(pk=full.pk).update(frame_origin=BAKERY)
    for which in ("all-time", full.seasons.get().uid):
        answer = frame_of(Client(), full, which)
        assert answer.status_code == 200
        assert f"frame-ancestors {BAKERY}" in answer["Content-Security-Policy"]
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
        assert "<bdi>Ann</bdi>" in text(answer)
        assert '<script type="module"' not in text(answer)
    others = get(Client(), "standing", full, "all-time")
    assert "frame-ancestors 'none'" in others["Content-Security-Policy"]
    assert others["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("visibility", ["link", "members"])
def test_frame_shows_no_club_that_is_not_public(full: Club, visibility: str) -> None:
    Club.objects.filter(pk=full.pk).update(frame_origin=BAKERY, visibility=visibility)
    flo, _ = account(full, "organiser", name="Flo")
    answers = [frame_of(Client(), full), frame_of(flo, full)]
    answers.append(Client().get(f"/clubs/{full.slug}/standings/all-time/frame/", {"key": full.key}))
    assert [answer.status_code for answer in answers] == [403, 404, 404 if visibility == "link" else 403]
    for answer in answers:
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert "Ann" not in text(answer)


@pytest.mark.parametrize(
    "origin", ["https://a.example; script-src *", "*", "https://bücher.example", "https://a.example\n"]
)
def test_frame_is_for_no_site_whose_address_is_none(full: Club, origin: str) -> None:
    Club.objects.filter(pk=full.pk).update(frame_origin=origin)
    answer = frame_of(Client(), full)
    assert answer.status_code == 404
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_frame_of_a_season_has_its_id_which_never_changes(full: Club) -> None:
    Club.objects.filter(pk=full.pk).update(frame_origin=BAKERY)
    spring = full.seasons.get()
    assert frame_of(Client(), full, spring.uid).status_code == 200
    assert [frame_of(Client(), full, which).status_code for which in (str(spring.pk), "x")] == [404, 404]
    spring.archived_at = timezone.now()
    spring.save()
    assert frame_of(Client(), full, spring.uid).status_code == 404


def test_hidden_names_stay_hidden_in_the_frame(full: Club, four: list[Member]) -> None:
    Club.objects.filter(pk=full.pk).update(frame_origin=BAKERY)
    hide_name(four[0], by=None)
    page = text(frame_of(Client(), full))
    assert "Ann" not in page
    assert "Somebody" in page


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("https://www.bakery.example", BAKERY),
        ("https://WWW.Bakery.example/", BAKERY),
        ("http://localhost:8080", "http://localhost:8080"),
        ("", ""),
        ("bakery.example", None),
        ("https://bakery.example/page", None),
        ("https://*.example", None),
        ("https://a.example; script-src *", None),
        ("https://a.example https://b.example", None),
        ("*", None),
        ("https://", None),
        ("javascript:alert(1)", None),
    ],
)
def test_settings_take_the_address_of_a_web_site_and_nothing_else(club: Club, typed: str, kept: str | None) -> None:
    flo, _ = account(club, "organiser", name="Flo")
    fields = ("name", "slug", "place", "about", "time_zone", "visibility")
    data = {name: getattr(club, name) for name in fields} | {"frame_origin": typed}
    answer = post(flo, "club_settings", club, **data)
    club.refresh_from_db()
    if kept is None:
        assert answer.status_code == 422
        assert "Type the address of the web site without a page" in text(answer)
    assert club.frame_origin == (kept or "")
    if kept:
        assert club.audit_entries.latest("pk").says == f"The web site that may show a standing is {kept}."


def test_frame_asks_the_same_however_many_people_there_are(
    club: Club, four: list[Member], django_assert_num_queries
) -> None:
    Club.objects.filter(pk=club.pk).update(frame_origin=BAKERY)
    for _ in range(2):
        played(NightFactory(club=club), four)
        with django_assert_num_queries(2):
            frame_of(Client(), club)
