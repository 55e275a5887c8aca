"""Keys for programs: an organiser makes them, sees each once, and revokes them."""

from __future__ import annotations

import html
import re

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from clubs.api.keys import MOST_KEYS, find_key, make_key, note_use, revoke_key
from clubs.models import Club, Member, ReadKey
from scoresheets.access.scorekeepers import hashed
from scoresheets.models.sheet import new_token
from tests.club_factories import SeasonFactory
from tests.clubs.visitors import account, get, post, text

pytestmark = pytest.mark.django_db


def shown(page: str) -> str:
    """The key that a page shows; "" for none."""
    found = re.search(r'id="key" dir="ltr">([A-Za-z0-9_-]{22})<', page)
    return found[1] if found else ""


def test_key_is_shown_once_and_only_its_hash_is_kept(club: Club, flo: Client) -> None:
    page = text(post(flo, "read_keys", club, label="Bakery screen", uid=new_token()))
    key = shown(page)
    assert len(key) == 22
    row = ReadKey.objects.get()
    assert (row.club, row.label, row.key_hash, row.last_used_on) == (club, "Bakery screen", hashed(key), None)
    again = text(get(flo, "read_keys", club))
    assert key not in again
    assert "Bakery screen" in again
    assert "not used yet" in again
    assert key not in str(list(ReadKey.objects.values_list()))


def test_same_tap_twice_makes_one_key(club: Club, flo: Client) -> None:
    uid = new_token()
    pages = [text(post(flo, "read_keys", club, label="Bakery screen", uid=uid)) for _ in range(2)]
    assert shown(pages[0]) == shown(pages[1]) != ""
    assert ReadKey.objects.count() == 1
    revoke_key(club, ReadKey.objects.get().pk, by=None)
    late = post(flo, "read_keys", club, label="Bakery screen", uid=uid)
    assert (late.status_code, shown(text(late))) == (422, "")


def test_what_was_made_and_revoked_stands_in_the_activity_log(club: Club, flo: Client) -> None:
    post(flo, "read_keys", club, label="Bakery screen", uid=new_token())
    key = ReadKey.objects.get()
    for _ in range(2):
        assert post(flo, "read_keys", club, revoke=key.pk).status_code == 303
    assert list(club.audit_entries.values_list("says", "by__name").order_by("pk")) == [
        ("Made a key for programs: Bakery screen.", "Flo"),
        ("Revoked a key for programs: Bakery screen.", "Flo"),
    ]
    assert "Bakery screen" not in text(get(flo, "read_keys", club))


def test_revoked_key_is_no_key(club: Club) -> None:
    key = str(make_key(club, "Bakery screen", uid=new_token(), by=None))
    found = find_key(key)
    assert found is not None
    assert found.club == club
    revoke_key(club, found.pk, by=None)
    assert [find_key(typed) for typed in (key, new_token(), "", "x" * 22, "é" * 22)] == [None] * 5


def test_key_of_another_club_is_not_revoked_here(club: Club, flo: Client) -> None:
    other = Club.objects.create(name="Others", slug="others")
    make_key(other, "Theirs", uid=new_token(), by=None)
    for number in (ReadKey.objects.get().pk, "x", "9" * 30, "-1", ""):
        assert post(flo, "read_keys", club, revoke=number).status_code == 303
    assert ReadKey.objects.good().count() == 1


@pytest.mark.parametrize(
    ("label", "uid", "says"),
    [
        ("", "u" * 22, "Say what the key is for."),
        ("  ", "u" * 22, "Say what the key is for."),
        ("x" * 61, "u" * 22, "At most 60 characters"),
        ("Web", "short", "This page is out of date."),
    ],
)
def test_wrong_input_gets_a_sentence_and_makes_nothing(
    club: Club, flo: Client, label: str, uid: str, says: str
) -> None:
    page = post(flo, "read_keys", club, label=label, uid=uid)
    assert page.status_code == 422
    assert says in text(page)
    assert not ReadKey.objects.exists()


def test_there_is_an_end_to_the_number_of_keys(club: Club, flo: Client) -> None:
    for number in range(MOST_KEYS):
        make_key(club, f"Program {number}", uid=new_token(), by=None)
    page = post(flo, "read_keys", club, label="One more", uid=new_token())
    assert page.status_code == 422
    assert f"A club can have {MOST_KEYS} keys." in text(page)
    assert ReadKey.objects.count() == MOST_KEYS


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_make_keys(club: Club, role: str) -> None:
    client, _ = account(club, role)
    assert get(client, "read_keys", club).status_code == 403
    assert post(client, "read_keys", club, label="Mine", uid=new_token()).status_code == 403
    assert not ReadKey.objects.exists()


def test_day_of_the_last_use_is_written_once_a_day(club: Club, django_assert_num_queries) -> None:
    key = find_key(str(make_key(club, "Bakery screen", uid=new_token(), by=None)))
    assert key is not None
    note_use(key)
    with django_assert_num_queries(0):
        note_use(key)
    assert ReadKey.objects.get().last_used_on == club.today()


def test_reading_goes_on_where_the_day_cannot_be_written(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    key = find_key(str(make_key(club, "Bakery screen", uid=new_token(), by=None)))
    assert key is not None

    def full(*_: object, **__: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(ReadKey.objects.all().__class__, "update", full)
    note_use(key)
    assert key.last_used_on is None


def test_page_asks_the_same_however_many_keys_there_are(club: Club, flo: Client, django_assert_num_queries) -> None:
    make_key(club, "One", uid=new_token(), by=None)
    get(flo, "read_keys", club)
    for number in range(10):
        make_key(club, f"Program {number}", uid=new_token(), by=None)
    with django_assert_num_queries(6):
        get(flo, "read_keys", club)


def test_key_says_nothing_of_who_made_it(club: Club, four: list[Member]) -> None:
    made = {str(make_key(club, "A", uid="u" * 22, by=member)) for member in four}
    assert len(made) == 1, "it hangs on the tap and on the club alone"


# What is pasted elsewhere


def pasted(page: str) -> dict[str, str]:
    """The lines on the page that are pasted elsewhere, by their ids."""
    found = re.findall(r'<pre[^>]*><code id="(\w+)" dir="ltr">(.+?)</code>', page, re.S)
    return {name: html.unescape(line) for name, line in found}


def test_page_has_the_addresses_for_a_spreadsheet_and_a_feed_reader(club: Club, flo: Client) -> None:
    spring = SeasonFactory(club=club, name="Spring")
    gone = SeasonFactory(club=club, name="Gone", archived_at=timezone.now())
    of = f"http://testserver/api/v1/clubs/{club.slug}/"
    page = text(get(flo, "read_keys", club))
    assert pasted(page) == {
        "spreadsheet": f'=IMPORTDATA("{of}standings/all-time/standing.csv")', "feed": f"{of}results.atom",
    }  # fmt: skip
    assert spring.uid in page
    assert gone.uid not in page
    Club.objects.filter(pk=club.pk).update(visibility="link")
    assert pasted(text(get(flo, "read_keys", club))) == {
        "spreadsheet": f'=IMPORTDATA("{of}standings/all-time/standing.csv?key=YOUR-KEY")',
        "feed": f"{of}results.atom?key=YOUR-KEY",
    }  # fmt: skip
    made = text(post(flo, "read_keys", club, label="Bakery screen", uid=new_token()))
    feed = pasted(made)["feed"]
    assert feed == f"{of}results.atom?key={shown(made)}"
    assert Client().get(feed).status_code == 200
    assert Client().get(pasted(made)["spreadsheet"].split('"')[1]).status_code == 200


def test_page_has_the_frame_to_paste_once_the_web_site_is_named(club: Club, flo: Client) -> None:
    assert "frame" not in pasted(text(get(flo, "read_keys", club)))
    Club.objects.filter(pk=club.pk).update(frame_origin="https://www.bakery.example", name='The "Trumps"')
    page = text(get(flo, "read_keys", club))
    frame = pasted(page)["frame"]
    found = re.fullmatch(r'<iframe src="([^"]+)" title="([^"]+)" width="100%" height="600"></iframe>', frame)
    assert found is not None
    assert html.unescape(found[2]) == 'Standings of The "Trumps"'
    assert Client().get(found[1]).status_code == 200
    Club.objects.filter(pk=club.pk).update(visibility="members")
    assert "frame" not in pasted(text(get(flo, "read_keys", club)))
