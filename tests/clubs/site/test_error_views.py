"""Whatever goes wrong, the answer is a page with a sentence."""

from unittest.mock import patch

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from clubs.site.error_views import PROBLEMS, problem_page
from clubs.urls import handler400, handler403, handler404, handler500  # noqa: F401 - Django reads them here


def raised(request: HttpRequest, status: int) -> HttpResponse:
    raise {400: SuspiciousOperation, 403: PermissionDenied, 500: RuntimeError}[status]("Ann")


def problem(request: HttpRequest, status: int) -> HttpResponse:
    return problem_page(request, status)


urlpatterns = [
    path("raised/<int:status>/", raised, name="raised"),
    path("problem/<int:status>/", problem, name="problem"),
    path("", include("clubs.urls")),
]

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def quiet_client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("status", [400, 403, 500])
def test_error_in_a_view_becomes_a_sentence(quiet_client: Client, status: int) -> None:
    response = quiet_client.get(f"/raised/{status}/")
    title, sentence = PROBLEMS[status]
    assert response.status_code == status
    assert title in response.content.decode()
    assert sentence in response.content.decode()
    assert "Ann" not in response.content.decode()


def test_unknown_address_becomes_a_sentence(quiet_client: Client) -> None:
    response = quiet_client.get("/nowhere/")
    assert response.status_code == 404
    assert PROBLEMS[404][1] in response.content.decode()


@pytest.mark.parametrize("status", sorted(PROBLEMS))
def test_every_problem_has_a_page_of_its_status_under_the_policy(quiet_client: Client, status: int) -> None:
    response = quiet_client.get(f"/problem/{status}/")
    assert response.status_code == status
    assert PROBLEMS[status][0] in response.content.decode()
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store"


def test_script_that_asks_for_json_gets_the_sentence_as_json(quiet_client: Client) -> None:
    response = quiet_client.get("/nowhere/", headers={"accept": "application/json"})
    assert response.status_code == 404
    assert response.json() == {"problem": PROBLEMS[404][1]}


def test_wrong_host_is_refused_with_a_sentence(quiet_client: Client) -> None:
    response = quiet_client.get("/nowhere/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert PROBLEMS[400][1] in response.content.decode()


def test_post_without_the_token_of_the_site_says_to_reload() -> None:
    response = Client(enforce_csrf_checks=True).post("/raised/400/")
    assert response.status_code == 403
    assert "reload it" in response.content.decode()
    assert "This page is too old" in response.content.decode()


def test_page_that_cannot_even_be_drawn_is_answered_plainly(quiet_client: Client) -> None:
    with patch("clubs.site.error_views.render_to_string", side_effect=RuntimeError):
        response = quiet_client.get("/nowhere/")
    assert response.status_code == 404
    assert PROBLEMS[404][1] in response.content.decode()
