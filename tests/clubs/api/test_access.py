"""Who reads what: public clubs without a key, others with theirs, and nobody hears of a club that is not shown."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.api.answers import NO_SUCH_THING
from clubs.api.keys import find_key, revoke_key
from clubs.api.rate import AT_ONCE, MOST_CALLERS, Rate, reading
from clubs.models import Club, ReadKey, Table
from scoresheets.access.scorekeepers import hashed, make_link
from tests.club_factories import ClubFactory
from tests.clubs.api.conftest import Program, key_of
from tests.clubs.api.test_description import answered_paths
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db
HIDDEN = ("link", "members")


def show_to(club: Club, visibility: str) -> None:
    Club.objects.filter(pk=club.pk).update(visibility=visibility)


def every_path(club: Club) -> list[str]:
    paths = answered_paths(club)
    return [address for path, addresses in paths.items() for address in addresses if path.startswith("clubs/")]


@pytest.mark.parametrize("visibility", HIDDEN)
def test_club_that_is_not_public_is_answered_like_none_without_its_key(full: Club, visibility: str) -> None:
    show_to(full, visibility)
    other = key_of(ClubFactory())
    for program in (Program(), Program(other)):
        for path in every_path(full):
            there, none = program.get(path), program.get(path.replace(full.slug, "no-such-club"))
            assert (there.status_code, there.content) == (none.status_code, none.content) == (404, none.content)
            assert {**there.headers} == {**none.headers}
            reading.clear()
    assert program.json("")["clubs"] == [program.json("")["clubs"][0]]
    assert full.name not in str(program.json(""))


@pytest.mark.parametrize("visibility", HIDDEN)
def test_key_opens_its_own_club(full: Club, visibility: str) -> None:
    show_to(full, visibility)
    program = Program(key_of(full))
    assert program.json(f"clubs/{full.slug}/")["shown_to"] == visibility
    assert {program.get(path).status_code for path in every_path(full)} == {200}
    assert ReadKey.objects.get().last_used_on == full.today()


def test_account_and_cookies_open_nothing(full: Club) -> None:
    show_to(full, "members")
    organiser, _ = account(full, "organiser")
    assert organiser.get(f"/api/v1/clubs/{full.slug}/").status_code == 404


def test_archived_club_and_an_evening_without_a_club_are_shown_to_no_program(full: Club) -> None:
    program = Program(key_of(full))
    Club.objects.filter(pk=full.pk).update(archived_at=timezone.now())
    assert program.get(f"clubs/{full.slug}/").status_code == 404
    Club.objects.filter(pk=full.pk).update(archived_at=None, is_evening=True)
    assert program.get(f"clubs/{full.slug}/").status_code == 404
    assert program.json("")["clubs"] == []


@pytest.mark.parametrize("sent", ["x" * 22, "short", "é", "Bearer", "a b", "\t"])
def test_wrong_key_is_refused_even_where_none_is_needed(full: Club, sent: str) -> None:
    answer = Client().get(f"/api/v1/clubs/{full.slug}/", headers={"authorization": f"Bearer {sent}"})
    if not sent.strip():
        assert answer.status_code == 200
        return
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json() == {"problem": "This key is wrong, or it was revoked.", "code": "wrong-key"}


def test_revoked_key_is_a_wrong_one(full: Club) -> None:
    key = key_of(full)
    row = find_key(key)
    assert row is not None
    revoke_key(full, row.pk, by=None)
    assert Program(key).get(f"clubs/{full.slug}/").status_code == 401


def test_key_of_a_scorekeeper_link_reads_no_club(full: Club) -> None:
    show_to(full, "link")
    table = Table.objects.filter(sheet__isnull=False).first()
    assert table is not None
    assert table.sheet is not None
    assert Program(make_link(table.sheet, by=None)).get(f"clubs/{full.slug}/").status_code == 401


def test_key_in_the_address_is_no_key_here(full: Club) -> None:
    show_to(full, "link")
    assert Program().get(f"clubs/{full.slug}/", {"key": key_of(full)}).status_code == 404


def test_many_wrong_keys_are_told_to_wait_and_a_right_one_still_works(full: Club) -> None:
    right = Program(key_of(full))
    statuses = [Program(f"{number:022}").get(f"clubs/{full.slug}/").status_code for number in range(40)]
    assert statuses[:30] == [401] * 30
    assert set(statuses[31:]) == {429}
    assert int(Program("y" * 22).get("").headers["Retry-After"]) > 0
    assert right.get(f"clubs/{full.slug}/").status_code == 200


def test_invented_keys_are_refused_without_a_question_to_the_database(
    full: Club, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries
) -> None:
    monkeypatch.setattr(reading, "now", lambda: 0.0)
    sheet = Table.objects.filter(sheet__isnull=False)[0].sheet
    assert sheet is not None
    right, link = key_of(full), make_link(sheet, by=None)
    paths = (f"clubs/{full.slug}/", "sheets/mine/entries/")
    known = [Program(right).get(paths[0]), Program(link).get(paths[1])]
    statuses = {Program(f"{number:022}").get(paths[number % 2]).status_code for number in range(AT_ONCE)}
    assert statuses == {401, 429}
    with django_assert_num_queries(0):
        late = [Program(f"late{number:018}").get(paths[number % 2]) for number in range(10)]
    assert {(answer.status_code, answer.json()["code"]) for answer in late} == {(429, "too-often")}  # type: ignore[attr-defined]
    assert len(reading.left) == 3, "the two keys and the network"
    known += [Program(right).get(paths[0]), Program(link).get(paths[1])]
    assert [answer.status_code for answer in known] == [200] * 4


# How often


def test_who_asks_too_often_is_told_to_wait_without_a_question_to_the_database(
    full: Club, django_assert_num_queries
) -> None:
    key = key_of(full)
    one, other = Program(key), Program(key_of(full))
    path = f"clubs/{full.slug}/"
    statuses = [one.get(path).status_code for _ in range(AT_ONCE + 40)]
    assert statuses[:AT_ONCE] == [200] * AT_ONCE
    assert 429 in statuses[AT_ONCE:]
    reading.left[hashed(key)] = (0.0, reading.now())
    with django_assert_num_queries(0):
        refused = one.get(path)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "1"
    assert refused.json()["code"] == "too-often"  # type: ignore[attr-defined]
    assert [other.get(path).status_code, Program().get(path).status_code] == [200, 200], "it is theirs alone"


def test_rate_fills_up_again_and_remembers_no_more_than_it_should() -> None:
    seconds = [0.0]
    rate = Rate(3, 0.5, now=lambda: seconds[0])
    assert [rate.take("a") for _ in range(5)] == [0, 0, 0, 2, 2]
    seconds[0] = 2.0
    assert [rate.take("a") for _ in range(2)] == [0, 2]
    seconds[0] = 1.0
    assert rate.take("a") == 2, "a clock that goes back gives nothing"
    seconds[0] = 1000.0
    assert [rate.take("a") for _ in range(4)] == [0, 0, 0, 2]
    for number in range(MOST_CALLERS + 5):
        rate.take(f"caller {number}")
    assert len(rate.left) == MOST_CALLERS


def test_reading_writes_nothing(full: Club) -> None:
    with CaptureQueriesContext(connection) as asked:
        for path in ["", *every_path(full), f"clubs/{full.slug}/results.atom"]:
            assert Program().get(path).status_code == 200
            reading.clear()
    assert len(asked) > 30
    assert [query["sql"] for query in asked if not query["sql"].startswith("SELECT")] == []


@pytest.mark.parametrize("path", ["no-such-thing/", "clubs/x/y/z/", "clubs/%00/", "sheets/"])
def test_address_that_is_none_is_answered_as_data(path: str) -> None:
    answer = Client().get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert answer.json() == {"problem": NO_SUCH_THING.message, "code": "not-found"}


# Pages of other sites


def test_page_of_another_site_may_read_and_sends_no_cookie(full: Club) -> None:
    asked = Client().options(
        f"/api/v1/clubs/{full.slug}/",
        headers={"origin": "https://bakery.example", "access-control-request-headers": "authorization"},
    )
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in asked["Access-Control-Allow-Headers"]
    assert "GET" in asked["Access-Control-Allow-Methods"]
    answer = Program().get(f"clubs/{full.slug}/", origin="https://bakery.example")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert answer.cookies == {}


def test_page_of_another_site_reads_what_is_wrong_too(full: Club) -> None:
    for answer in (Program().get("clubs/nobody/"), Program("x" * 22).get(""), Program().get("", {"page": "0"})):
        assert answer.status_code >= 400
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Cache-Control"] == "private, no-cache"


def test_page_of_another_site_reads_every_answer_there_is(full: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    client, path = Client(raise_request_exception=False), f"/api/v1/clubs/{full.slug}/"
    huge = {"CONTENT_LENGTH": str(10**9), "content_type": "application/json"}
    answers = [
        client.get("/api/v1/nothing/"), client.get(path.rstrip("/")), client.options("/api/v1/nothing/"),
        client.post("/api/v1/sheets/mine/entries/", b"{}", **huge),
        client.post(path, b"{}", content_type="application/json; charset=utf-16"),
    ]  # fmt: skip
    monkeypatch.setattr(Club.objects.all().__class__, "filter", lambda *_, **__: 1 / 0)
    answers.append(client.get(path))
    assert [answer.status_code for answer in answers] == [404, 301, 404, 413, 400, 500]
    assert {answer.headers.get("Access-Control-Allow-Origin") for answer in answers} == {"*"}
    told = [answer.json() for answer in answers if answer.status_code != 301]
    assert [problem["code"] for problem in told] == ["not-found", "not-found", "too-large", "bad-request", "broken"]
    words = " ".join(problem["problem"] for problem in told)
    assert [word for word in ("page", "sheet", "reload") if word in words.lower()] == []
    assert "Access-Control-Allow-Origin" not in client.get("/api/").headers


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_is_changed_here(full: Club, method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)(f"/api/v1/clubs/{full.slug}/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert answer.json()["code"] == "wrong-method"
