"""Watching: no sign-in, no cookie, no session; nothing is sent while nothing changes."""

import gzip
import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.views.public import watch as public_watch
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.laid import document, hand, laid_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def p() -> Scorer:
    """A table of four that has scored one hand of four; Cy bids next."""
    kept = scorer(4, title="Thursday, table 2")
    kept.any_hand()
    return kept


def address(p: Scorer, more: str = "") -> str:
    return f"/watch/{p.sheet.watch}/{more}"


def version(p: Scorer) -> int:
    p.sheet.refresh_from_db()
    return p.sheet.version


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def read(client: Client, p: Scorer, more: str = "") -> str:
    return words(client.get(address(p, more)).content.decode())


def test_watcher_sees_hand_dealer_totals_and_call_out_without_signing_in(p, client):
    page = read(client, p)
    assert "Hand 2 of 4" in page
    assert "Bo deals" in page
    assert "Cy deals next" in page
    assert "−1 , in the circle" in page
    assert "Dog Pile for Bo" in page


def test_bids_are_seen_as_they_fall(p, client):
    p.bid(3, 2)
    page = read(client, p, "rows/")
    assert "2 bid of 2" in page
    assert "bids 2" in page
    assert "bids next" in page


def test_when_all_have_bid_it_says_by_how_much_who_leads_and_who_deals_next(p, client):
    p.bids({3: 1, 4: 1, 1: 1, 2: 0})
    page = read(client, p, "rows/")
    assert "over by 1" in page
    assert "Cy leads" in page
    assert "Cy deals next" in page


def test_watcher_is_given_no_cookie_and_is_not_told_apart_by_one(p, client):
    for more in ("", "rows/", "table/", "table/top/", "why/1/1/", "rules/", "words/"):
        response = client.get(address(p, more))
        assert response.status_code == 200
        assert not response.cookies, more
        assert "Cookie" not in response.get("Vary", ""), more


def test_session_of_somebody_signed_in_is_left_alone(p, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ida"))
    for more in ("", "rows/?v=0", "table/"):
        with CaptureQueriesContext(connection) as asked:
            client.get(address(p, more))
        assert not [query for query in asked if "session" in query["sql"]]


def test_watcher_never_meets_the_scorekeepers_address_nor_a_form(p, client):
    p.any_game()
    for more in ("", "rows/", "table/", "why/1/1/"):
        page = client.get(address(p, more)).content.decode()
        assert p.sheet.code not in page
        assert "<form" not in page


def test_unchanged_sheet_is_answered_with_nothing_in_one_query(p, client, statements):
    now = version(p)
    with statements(exactly=1):
        response = client.get(address(p, f"rows/?v={now}"))
    assert (response.status_code, response.content) == (204, b"")


def test_changed_sheet_is_answered_with_the_fragment_alone(p, client):
    before = version(p)
    p.bid(3, 1)
    response = client.get(address(p, f"rows/?v={before}"))
    assert response.status_code == 200
    page = response.content.decode()
    assert page.lstrip().startswith('<div id="watched"')
    assert "<html" not in page
    assert f"rows/?v={before + 1}" in page


def test_whoever_watches_hears_of_quiet_without_waiting_for_the_next_bid(p, client):
    for quiet in (True, False):
        asks = re.search(r"rows/(\?v=[^\"]+)", client.get(address(p)).content.decode())[1]
        assert client.get(address(p, f"rows/{asks}")).status_code == 204
        type(p.sheet).objects.update(quiet=quiet)
        assert client.get(address(p, f"rows/{asks}")).status_code == 200


@pytest.mark.parametrize("watch", ["a%00b", "%FF", "x" * 23, "x" * 5000])
def test_database_is_not_asked_for_an_address_that_no_sheet_can_have(p, client, watch):
    with CaptureQueriesContext(connection) as asked:
        for more in ("", "rows/", "table/", "table/top/", "rules/", "words/", "why/1/1/"):
            assert client.get(f"/watch/{watch}/{more}").status_code == 404
    # That somebody tried a wrong address is counted, and nothing else.
    assert [one["sql"] for one in asked if "clubs_cache" not in one["sql"] and "SAVEPOINT" not in one["sql"]] == []


def test_fragment_is_rendered_once_for_everybody(p, client, statements, monkeypatch):
    times = []

    def counted(template, context):
        times.append(template)
        return render_to_string(template, context)

    monkeypatch.setattr(public_watch, "render_to_string", counted)
    with statements(exactly=3):
        client.get(address(p, "rows/?v=0"))
    for _ in range(3):
        with statements(exactly=1):
            Client().get(address(p, "rows/?v=0"))
    assert len(times) == 1


def test_fragment_is_squeezed_once_for_everybody_whose_browser_unpacks_it(p, client, monkeypatch):
    plain = client.get(address(p, "rows/?v=0"))
    assert "Content-Encoding" not in plain
    monkeypatch.setattr(public_watch, "compress_string", None)
    for _ in range(2):
        squeezed = client.get(address(p, "rows/?v=0"), headers={"accept-encoding": "br, gzip"})
        assert squeezed["Content-Encoding"] == "gzip"
        assert squeezed["Vary"] == "Accept-Encoding"
        assert gzip.decompress(squeezed.content) == plain.content
    p.any_game()
    monkeypatch.undo()
    assert client.get(address(p, "rows/"), headers={"accept-encoding": "gzip"}).status_code == 286


def test_page_of_a_watcher_is_loaded_with_three_queries_and_the_next_one_with_one(p, client, statements):
    with statements(exactly=3):
        client.get(address(p))
    with statements(exactly=1):
        client.get(address(p))


def test_quiet_sheet_is_rendered_anew_at_once(p, client):
    assert "Dog Pile" in read(client, p)
    p.sheet.quiet = True
    p.sheet.save(update_fields=["quiet"])
    assert "Dog Pile" not in read(client, p)


def test_many_sheets_do_not_fill_the_memory(p, client, monkeypatch):
    client.get(address(p, "rows/"))
    size = len(public_watch.fragment_of(p.sheet, public_watch.ROWS).squeezed)
    monkeypatch.setattr(public_watch, "fragments", VersionedCache(5 * size // 2))
    others = [scorer(4) for _ in range(5)]
    for other in (*others, p):
        client.get(address(other, "rows/"))
    assert 0 < public_watch.fragments.size <= 5 * size // 2
    assert (p.sheet.watch, public_watch.ROWS) in public_watch.fragments.values
    assert (others[0].sheet.watch, public_watch.ROWS) not in public_watch.fragments.values


def test_finished_sheet_ends_the_polling_with_the_result(p, client):
    p.any_game()
    response = client.get(address(p, f"rows/?v={version(p)}"))
    assert response.status_code == 286
    page = response.content.decode()
    assert "every 2500ms" not in page
    assert "visibilitychange from:document" in page
    assert "wins with" in page


def test_sheet_that_is_running_again_is_followed_again(p, client):
    p.any_game()
    assert "every 2500ms" not in client.get(address(p)).content.decode()
    sure_of(p.undo())
    response = client.get(address(p, "rows/?v=1"))
    assert response.status_code == 200
    assert "every 2500ms" in response.content.decode()


@pytest.mark.parametrize("seen", ["", "?v=", "?v=-1", "?v=x", "?v=" + "9" * 5000, "?v=1&v=2"])
def test_who_cannot_say_what_they_saw_gets_everything(p, client, seen):
    assert client.get(address(p, f"rows/{seen}")).status_code == 200


def test_answers_are_kept_by_nobody_on_the_way(p, client):
    assert client.get(address(p, "rows/"))["Cache-Control"] == "private, no-store"
    assert client.get(address(p))["Cache-Control"] == "private, no-cache"
    assert "noindex" in client.get(address(p))["X-Robots-Tag"]
    assert "noindex" in client.get(address(p, "rows/"))["X-Robots-Tag"]


def test_scorekeepers_address_is_none_to_watch_at_and_the_other_way_round(p, client):
    assert client.get(f"/watch/{p.sheet.code}/").status_code == 404
    assert client.get(f"/watch/{p.sheet.code}/rows/").status_code == 404
    assert client.get(f"/sheets/{p.sheet.watch}/").status_code == 404


def test_watching_is_all_one_can_do_there(p, client):
    for more in ("", "rows/", "table/"):
        assert client.post(address(p, more)).status_code == 405


def test_table_is_shown_with_totals_and_whose_turn_it_is(p, client):
    p.bid(3, 2)
    page = client.get(address(p, "table/")).content.decode()
    assert '<ol class="table-top" data-seats="4">' in page
    assert "bids 2" in words(page)
    assert '<li class="now" aria-current="true">' in page


def test_table_follows_like_the_sheet(p, client, statements):
    client.get(address(p, "table/"))
    now = version(p)
    with statements(exactly=1):
        assert client.get(address(p, f"table/top/?v={now}")).status_code == 204
    p.any_hand()
    assert client.get(address(p, f"table/top/?v={now}")).status_code == 200
    p.any_game()
    assert client.get(address(p, "table/top/")).status_code == 286


def test_watcher_is_told_of_who_came_and_went(client):
    first = hand("Bo Cy Di Ann", "0000", "1000")
    sheet = laid_down(document(hands=[first, {"arrives": "Ed"}, {"leaves": "Cy"}], plan={"hands": 4}))
    page = words(client.get(f"/watch/{sheet.watch}/").content.decode())
    assert "Ed joins with −1, the lowest total." in page
    assert "Cy goes home with 5." in page


def test_row_opens_by_a_link_where_there_is_no_script(p, client):
    assert '<tbody id="hand-1" class="open">' in client.get(address(p, "?open=1")).content.decode()
    assert '<tbody id="hand-1" class="open">' not in client.get(address(p)).content.decode()
