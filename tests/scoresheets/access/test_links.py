"""The page of links: codes to scan, who may write, cutting off, a new address to watch."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed, join_by_link, make_link
from scoresheets.models import Revision, Scorekeeper, ShareLink, Sheet
from tests.factories import new_key
from tests.scoresheets.conftest import Counts
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

MARGES = "m" * 22


@pytest.fixture
def ann() -> Plain:
    """The phone that opened the sheet, on its page of links."""
    phone = Plain()
    phone.look(phone.url("links"))
    return phone


@pytest.fixture
def marge(ann: Plain) -> Client:
    """A neighbour's phone, which came by a link of Ann's."""
    join_by_link(make_link(ann.scorer.sheet, by=ann.scorer.by), hashed(MARGES), "Marge")
    client = Client()
    client.cookies[BROWSER_COOKIE] = MARGES
    return client


def do(phone: Plain, what: str, /, **fields: object):
    return phone.client.post(phone.url("links"), {"do": what, **fields})


def scanned(page: str) -> str:
    """The path of the keeper link on a page."""
    return re.findall(r"http://testserver(/keep/[\w-]{22}/)", page)[0]


def test_watch_link_stands_there_as_text_and_as_a_code(ann: Plain) -> None:
    page = ann.response.content.decode()
    assert f"http://testserver/watch/{ann.scorer.sheet.watch}/" in ann.page.text
    assert page.count('class="qr"') == 1
    assert "style=" not in page


def test_no_link_that_writes_stands_on_the_page_before_it_is_asked_for(ann: Plain) -> None:
    assert "/keep/" not in ann.response.content.decode()
    assert not ShareLink.objects.exists()


def test_button_shows_a_code_for_a_neighbour_by_which_they_may_write(ann: Plain) -> None:
    ann.tap("Show the code for a neighbour")
    assert ann.status == 200
    page = ann.response.content.decode()
    link = scanned(page)
    assert page.count('class="qr"') == 1, "one code at a time"
    assert "You’ll only see this code once. It works for 16 hours." in ann.page.text
    assert Client().post(link).status_code == 303
    assert Scorekeeper.objects.filter(sheet=ann.scorer.sheet).count() == 2


def test_link_is_kept_as_a_hash_only(ann: Plain) -> None:
    ann.tap("Show the code for a neighbour")
    token = scanned(ann.response.content.decode()).split("/")[2]
    assert hashed(token) == ShareLink.objects.get().token_hash
    ann.look(ann.url("links"))
    assert token not in ann.response.content.decode()


def test_the_same_post_again_shows_the_same_link(ann: Plain) -> None:
    address, body = ann.url("links"), {"do": "hand-over", "key": new_key()}
    first, again = (scanned(ann.client.post(address, body).content.decode()) for _ in range(2))
    assert first == again
    assert ShareLink.objects.count() == 1
    ShareLink.objects.update(revoked_at="2026-01-01T00:00:00Z")
    assert ann.client.post(address, body).status_code == 303, "a link that was taken away is not shown again"


def test_who_has_no_name_is_asked_for_it_before_a_second_phone_joins(ann: Plain) -> None:
    ann.tap("Show the code for a neighbour")
    assert "Your name" in ann.page.text
    assert do(ann, "call", name=" Ann ").status_code == 303
    assert Scorekeeper.objects.get().name == "Ann"
    ann.look(ann.url("links"))
    assert "This phone is called" in ann.page.text
    assert "Your name" not in ann.page.text


def test_name_that_is_too_long_stands_there_with_a_sentence(ann: Plain) -> None:
    answer = do(ann, "call", name="x" * 41)
    assert answer.status_code == 422
    assert "x" * 41 in answer.content.decode()
    assert Scorekeeper.objects.get().name == ""


def test_page_says_who_may_write_since_when_and_who_keeps_score(ann: Plain, marge: Client) -> None:
    text = ann.look(ann.url("links")).text
    assert "Marge is now keeping score." in text
    assert re.search(r"No name this phone opened the sheet \d\d:\d\d ?, nothing entered yet", text)
    assert re.search(r"Marge keeps score since \d\d:\d\d ?, nothing entered yet", text)
    ann.scorer.bid(2, 0)
    text = ann.look(ann.url("links")).text
    assert re.search(r"No name this phone opened the sheet \d\d:\d\d ?, last change \d\d:\d\d", text)


def test_scoring_is_taken_back_with_one_tap(ann: Plain, marge: Client) -> None:
    ann.look(ann.url("links"))
    ann.tap("Start scoring")
    assert "Marge is now keeping score" not in ann.page.text
    assert Revision.objects.filter(verb="pencil").count() == 2


def test_phone_is_cut_off_at_once(ann: Plain, marge: Client) -> None:
    ann.look(ann.url("links"))
    ann.tap("Cut off Marge")
    assert "Marge can no longer enter scores." in ann.page.text
    assert "Cut off Marge" not in ann.page.text
    refused = marge.post(ann.url("enter"), {"key": new_key(), "hand": 1, "ask": "bid-2", "f-bid": 0})
    assert refused.status_code == 403
    assert "This phone can no longer enter scores on this sheet." in refused.content.decode()
    assert ann.scorer.reading.entries == {}


def test_phone_that_was_cut_off_is_told_so_by_every_answer(ann: Plain, marge: Client) -> None:
    Scorekeeper.objects.filter(name="Marge").update(revoked_at="2026-01-01T00:00:00Z")
    for answer in (
        marge.get(ann.url("state"), headers={"Accept": "application/json"}),
        marge.post(ann.url("enter"), {"key": new_key()}, headers={"Accept": "application/json"}),
        marge.post(ann.url("links"), {"do": "hand-over"}, headers={"Accept": "application/json"}),
    ):
        assert answer.status_code == 403
        assert answer.json() == {"problem": "This phone can no longer enter scores on this sheet.", "code": "cut-off"}
    page = marge.get(ann.url("pad"), follow=True)
    assert "This phone can no longer enter scores on this sheet." in page.content.decode()
    assert 'id="kept"' in page.content.decode()


@pytest.mark.parametrize(
    "place", ["set-up/", "type/", "resume/", "correct/1/", "left-over/", "history/2/", "words/add/"]
)
def test_pages_beside_the_pad_tell_a_phone_that_was_cut_off_so_too(ann: Plain, marge: Client, place: str) -> None:
    Scorekeeper.objects.filter(name="Marge").update(revoked_at="2026-01-01T00:00:00Z")
    refused = marge.post(f"/sheets/{ann.scorer.sheet.code}/{place}", {"key": new_key()})
    assert refused.status_code == 403
    assert "This phone can no longer enter scores on this sheet." in refused.content.decode()


def test_stranger_is_not_told_that_they_once_might(ann: Plain) -> None:
    stranger = Client()
    stranger.cookies[BROWSER_COOKIE] = "s" * 22
    answer = stranger.post(ann.url("enter"), {"key": new_key()}, headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert answer.json() == {"problem": "You need a scorekeeper link to enter scores on this sheet."}
    assert 'id="kept"' not in stranger.get(ann.url("sheet")).content.decode()


def test_who_opened_the_sheet_is_cut_off_only_when_asked_again(ann: Plain, marge: Client) -> None:
    page = marge.get(ann.url("links")).content.decode()
    opener = ann.scorer.by.pk
    assert f'name="phone" value="{opener}"' in page
    asked = marge.post(ann.url("links"), {"do": "cut-off", "phone": opener})
    assert asked.status_code == 422
    assert "opened this sheet. Cut that phone off all the same?" in " ".join(asked.content.decode().split())
    assert Scorekeeper.objects.filter(revoked_at=None).count() == 2
    done = marge.post(ann.url("links"), {"do": "cut-off", "phone": opener, "sure": "1"})
    assert done.status_code == 200
    assert f"{ann.scorer.by.name or 'That phone'} can no longer enter scores." in done.content.decode()
    assert ann.client.get(ann.url("state")).status_code == 403


def test_no_phone_cuts_itself_off(ann: Plain) -> None:
    answer = do(ann, "cut-off", phone=ann.scorer.by.pk)
    assert answer.status_code == 422
    assert "You cannot cut off your own phone" in answer.content.decode()
    assert Scorekeeper.objects.get().revoked_at is None


@pytest.mark.parametrize("number", ["", "x", "0", "-1", "9" * 30, "²", "1e3", "\x00"])
def test_no_such_phone_and_no_such_link_are_nothing_to_do(ann: Plain, number: str) -> None:
    assert do(ann, "cut-off", phone=number).status_code == 303
    assert do(ann, "take-away", link=number).status_code == 303
    assert do(ann, number).status_code == 200
    assert do(ann, "watch", watch=number).status_code == 303
    assert do(ann, "start-scoring", key=number).status_code == 303


def test_phones_and_links_of_other_sheets_are_out_of_reach(ann: Plain) -> None:
    other = Plain()
    token = make_link(other.scorer.sheet, by=other.scorer.by)
    other.client.cookies[BROWSER_COOKIE] = ann.client.cookies[BROWSER_COOKIE].value
    keeper = join_by_link(token, hashed(MARGES))
    do(ann, "cut-off", phone=keeper.pk)
    do(ann, "take-away", link=ShareLink.objects.get().pk)
    assert Scorekeeper.objects.get(pk=keeper.pk).revoked_at is None
    assert ShareLink.objects.get().revoked_at is None


def test_link_is_taken_away_with_all_who_came_by_it(ann: Plain, marge: Client) -> None:
    ann.look(ann.url("links"))
    assert "used by 1 phone" in ann.page.text
    ann.tap("Revoke")
    assert "used by" not in ann.page.text
    assert marge.get(ann.url("state")).status_code == 403


def test_new_watch_link_leaves_the_old_one_showing_nothing(ann: Plain) -> None:
    old = ann.scorer.sheet.watch
    assert Client().get(f"/watch/{old}/").status_code == 200
    ann.tap("Make a new link to watch")
    new = Sheet.objects.get().watch
    assert f"/watch/{new}/" in ann.page.text
    for part in ("", "rows/", "table/", "table/top/", "rules/", "words/", "why/hand-1/1/"):
        assert Client().get(f"/watch/{old}/{part}").status_code == 404
    assert Client().get(f"/watch/{new}/").status_code == 200
    do(ann, "watch", watch=old)
    assert Sheet.objects.get().watch == new, "the same post again changes nothing"


def test_only_who_may_write_sees_the_page(ann: Plain) -> None:
    stranger = Client()
    answer = stranger.get(ann.url("links"))
    assert (answer.status_code, answer["Location"]) == (302, ann.url("sheet"))
    assert stranger.post(ann.url("links"), {"do": "hand-over", "key": new_key()}).status_code == 403
    assert stranger.get("/sheets/" + "x" * 22 + "/links/").status_code == 404
    assert not ShareLink.objects.exists()


def test_looking_changes_nothing(ann: Plain) -> None:
    before = (Sheet.objects.get().watch, ShareLink.objects.count(), Revision.objects.count())
    for what in ("hand-over", "watch", "start-scoring", "call"):
        ann.client.get(ann.url("links"), {"do": what, "key": new_key(), "name": "x"})
    assert (Sheet.objects.get().watch, ShareLink.objects.count(), Revision.objects.count()) == before


def test_post_of_another_site_does_nothing(ann: Plain) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[BROWSER_COOKIE] = ann.client.cookies[BROWSER_COOKIE].value
    assert strict.post(ann.url("links"), {"do": "hand-over", "key": new_key()}).status_code == 403
    assert not ShareLink.objects.exists()


def test_page_is_kept_by_nobody_and_tells_no_other_where_it_was(ann: Plain) -> None:
    ann.tap("Show the code for a neighbour")
    assert "no-store" in ann.response["Cache-Control"]
    assert ann.response["Referrer-Policy"] == "strict-origin"


def test_page_is_reached_from_the_pad_and_from_the_sheet(ann: Plain) -> None:
    assert ann.look(ann.url("pad") + "?open=more").links["Links"] == ann.url("links")
    assert any(address == ann.url("links") for address in ann.look(ann.url("sheet")).links.values())
    assert ann.url("links") not in Client().get(ann.url("sheet")).content.decode()


def test_scoring_is_handed_over_from_the_pad_without_a_script(ann: Plain) -> None:
    ann.look(ann.url("pad") + "?open=more")
    ann.tap("Let someone else score")
    assert Client().post(scanned(ann.response.content.decode()), {"name": "Marge"}).status_code == 303
    assert "Marge is now keeping score." in ann.look().text


def test_names_are_text(ann: Plain) -> None:
    join_by_link(make_link(ann.scorer.sheet, by=ann.scorer.by), hashed(MARGES), "<b>M&M</b>")
    page = ann.client.get(ann.url("links")).content.decode()
    assert "&lt;b&gt;M&amp;M&lt;/b&gt;" in page
    assert "<b>M&M" not in page


def test_page_is_loaded_with_four_questions_however_many_phones_there_are(ann: Plain, statements: Counts) -> None:
    for number in range(12):
        join_by_link(make_link(ann.scorer.sheet, by=ann.scorer.by), hashed(f"{number:022}"), f"P{number}")
    with statements(exactly=4):
        assert ann.client.get(reverse("links", args=[ann.code])).status_code == 200
