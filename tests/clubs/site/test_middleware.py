"""What every request passes: the journal, the limit of size, the word to search engines."""

import logging
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import include, path
from django.views.decorators.http import require_POST

from clubs.site.middleware import letters_that_are_none
from clubs.urls import handler400, handler403, handler404, handler500  # noqa: F401 - Django reads them here

TOKEN = "s3cr3t-t0ken-0f-a-sheet"


def broken(request: HttpRequest, token: str) -> HttpResponse:
    raise RuntimeError(f"{request.GET['name']} sits at {token}")


def missing(request: HttpRequest, token: str) -> HttpResponse:
    raise Http404(token)


def told(request: HttpRequest, token: str) -> HttpResponse:
    return HttpResponse(f"{len(request.POST)} fields")


@require_POST
def written(request: HttpRequest, token: str) -> HttpResponse:
    return HttpResponse("written")


urlpatterns = [
    path("written/<token>/", written, name="written"),
    path("broken/<token>/", broken, name="broken"),
    path("missing/<token>/", missing, name="missing"),
    path("told/<token>/", told, name="told"),
    path("unnamed/<token>/", told),
    path("", include("clubs.urls")),
]

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def quiet_client() -> Client:
    """A client that sees the page of an error and not the error."""
    return Client(raise_request_exception=False)


@pytest.fixture
def journal(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG)
    return caplog


def test_request_is_one_line_with_the_name_of_the_page(client: Client, journal: pytest.LogCaptureFixture) -> None:
    client.get(f"/told/{TOKEN}/?name=Ann")
    lines = [record.getMessage() for record in journal.records]
    assert len(lines) == 1
    assert lines[0].startswith("GET told 200 ")
    assert lines[0].endswith(" ms")


def test_page_without_a_name_is_told_by_its_pattern(client: Client, journal: pytest.LogCaptureFixture) -> None:
    client.get(f"/unnamed/{TOKEN}/")
    assert journal.records[0].getMessage().startswith("GET unnamed/<token>/ 200 ")


def test_static_file_has_a_line_only_where_it_is_missing(client: Client, journal: pytest.LogCaptureFixture) -> None:
    sent = client.get("/static/css/base.css")
    assert b"".join(sent).startswith(b"/*")
    again = client.get("/static/css/base.css", headers={"If-None-Match": sent.get("ETag", "")})
    assert (sent.status_code, again.status_code) == (200, 304 if "ETag" in sent else 200)
    assert client.get("/static/css/nothing.css").status_code == 404
    assert client.post("/static/css/base.css").status_code >= 400
    assert [record.getMessage().rpartition(" 40")[0] for record in journal.records] == ["GET static", "POST static"]


@pytest.mark.parametrize(
    "address", [f"/told/{TOKEN}/", f"/broken/{TOKEN}/", f"/missing/{TOKEN}/", f"/nowhere/{TOKEN}/", f"/static/{TOKEN}"]
)
def test_journal_never_has_a_token(address: str, quiet_client: Client, journal: pytest.LogCaptureFixture) -> None:
    quiet_client.get(address, {"key": TOKEN, "name": "Ann"})
    quiet_client.post(address, {"key": TOKEN})
    assert journal.records
    assert TOKEN not in journal.text


def test_journal_tells_where_a_page_broke_but_not_what_it_said(
    quiet_client: Client, journal: pytest.LogCaptureFixture
) -> None:
    assert quiet_client.get(f"/broken/{TOKEN}/?name=Ann").status_code == 500
    assert "RuntimeError" in journal.text
    assert "in broken" in journal.text
    assert "Ann" not in journal.text
    assert "GET broken 500" in journal.text


def test_body_over_the_limit_is_refused_before_it_is_read(client: Client) -> None:
    response = client.post(f"/told/{TOKEN}/", {"name": "x" * 300_000})
    assert response.status_code == 413
    assert "larger than this site takes" in response.content.decode()


@override_settings(DATA_UPLOAD_MAX_NUMBER_FIELDS=5)
def test_too_many_fields_are_refused(quiet_client: Client) -> None:
    assert quiet_client.post(f"/told/{TOKEN}/", {f"f{i}": 1 for i in range(5)}).status_code == 200
    assert quiet_client.post(f"/told/{TOKEN}/", {f"f{i}": 1 for i in range(6)}).status_code == 413


def test_address_of_a_button_says_so_to_whoever_comes_without_one(client: Client) -> None:
    response = client.get(f"/written/{TOKEN}/")
    assert response.status_code == 405
    assert response["Allow"] == "POST"
    assert "Only a button leads here" in response.content.decode()


def test_script_that_comes_the_wrong_way_gets_the_sentence_as_json(client: Client) -> None:
    response = client.put(f"/written/{TOKEN}/", headers={"accept": "application/json"})
    assert response.status_code == 405
    assert "press it there" in response.json()["problem"]


@pytest.mark.parametrize("length", ["many", "-1", "+1", "1.0", "9" * 5000])
def test_body_whose_length_is_no_number_is_refused(quiet_client: Client, length: str) -> None:
    response = quiet_client.post(f"/told/{TOKEN}/", {"name": "Ann"}, CONTENT_LENGTH=length)
    assert response.status_code == 400
    assert "not what this page sends" in response.content.decode()


def test_cookie_that_no_database_can_look_for_is_refused(quiet_client: Client) -> None:
    response = quiet_client.get(f"/told/{TOKEN}/", headers={"Cookie": r'sessionid="\000\000\000\000\000\000\000\000"'})
    assert response.status_code == 400
    assert quiet_client.get(f"/told/{TOKEN}/", headers={"Cookie": "sessionid=" + "s" * 32}).status_code == 200


@pytest.mark.parametrize("letters", ["utf-7", "utf-16", "unicode_escape", "idna", "latin-1"])
def test_body_in_letters_other_than_ours_is_refused(quiet_client: Client, letters: str) -> None:
    for kind in ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain"):
        response = posted_in(quiet_client, f"{kind}; charset={letters}")
        assert response.status_code == 400, kind
        assert "not what this page sends" in response.content.decode()


@pytest.mark.parametrize("letters", ["", "; charset=UTF-8", "; charset=no-such"])
def test_body_in_our_letters_is_read(quiet_client: Client, letters: str) -> None:
    assert posted_in(quiet_client, f"application/x-www-form-urlencoded{letters}").content == b"1 fields"


def posted_in(client: Client, kind: str) -> Any:
    return client.generic("POST", f"/told/{TOKEN}/?name=Ann", b"name=Bo", content_type=kind)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("letters", "asked"),
    [("hex", "name=Ann"), ("rot13", ""), ("undefined", "a"), ("idna", "%FF=" + "9" * 99)],
)
def test_body_over_which_the_request_itself_breaks_gets_the_sentence_too(letters: str, asked: str) -> None:
    environ = RequestFactory().post(f"/told/{TOKEN}/?{asked}", {"name": "Bo"}).environ
    environ["CONTENT_TYPE"] = f"text/plain; charset={letters}"
    answered: list[str] = []
    page = letters_that_are_none(WSGIHandler())(environ, lambda status, headers: answered.append(status))
    assert answered == ["400 Bad Request"]
    assert b"not what this page sends" in b"".join(page)


@pytest.mark.django_db
def test_body_over_which_the_request_breaks_gets_the_sentence_at_any_address() -> None:
    """Django writes the address into the environment as text, and would take that for bytes the second time."""
    environ = RequestFactory().post("/?name=Ann", {"name": "Bo"}).environ
    environ["PATH_INFO"], environ["CONTENT_TYPE"] = "/told/中/".encode().decode("latin-1"), "text/plain; charset=hex"
    answered: list[str] = []
    letters_that_are_none(WSGIHandler())(environ, lambda status, headers: answered.append(status))
    assert answered == ["400 Bad Request"]


@pytest.mark.django_db
def test_search_engines_are_asked_to_leave_everything_but_the_front_page(client: Client) -> None:
    assert client.get(f"/told/{TOKEN}/")["X-Robots-Tag"] == "noindex, nofollow"
    assert client.get("/nowhere/")["X-Robots-Tag"] == "noindex, nofollow"
    assert "X-Robots-Tag" not in client.get("/").headers
