"""Who may write on a sheet: a browser with the cookie, an account, whoever came by a scorekeeper link."""

import datetime

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from clubs.models import User
from scoresheets.access import scorekeepers
from scoresheets.models import Scorekeeper, ShareLink, Sheet
from tests.factories import ScorekeeperFactory, Scorer, opened, scorer, sure_of
from tests.scoresheets.conftest import Counts

pytestmark = pytest.mark.django_db

SECRET, OTHER = "a" * 22, "b" * 22


class Untouchable:
    """A session, or a user, that nobody may look at."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(f"{name} was looked at")


def asked(secret: str = "", user: object = None, *, secure: bool = False) -> HttpRequest:
    """A request from a browser with that secret, and with a session only where there is a user."""
    request = RequestFactory().get("/", secure=secure)
    if secret:
        request.COOKIES["pencil"] = secret
    if user is not None:
        request.COOKIES["sessionid"] = "x"
    request.user = user or Untouchable()
    request.session = Untouchable()
    return request


class Somebody(User):
    """A user whose club says that they may keep the sheets of its tables."""

    class Meta:
        proxy = True
        app_label = "clubs"

    def has_perm(self, perm: str, obj: object = None) -> bool:
        return perm == "scoresheets.keep_sheet" and isinstance(obj, Sheet)


@pytest.fixture
def sheet() -> Sheet:
    return opened(4, browser=scorekeepers.hashed(SECRET)).sheet


# Who keeps score


def test_the_browser_that_opened_the_sheet_may_write(sheet: Sheet) -> None:
    keeper = scorekeepers.scorekeeper_for(asked(SECRET), sheet)
    assert keeper is not None
    assert keeper.browser == scorekeepers.hashed(SECRET)
    assert scorekeepers.find_sheet(asked(SECRET), sheet.code) == (sheet, keeper)


@pytest.mark.parametrize("secret", ["", OTHER, "short", "ü" * 22, "a" * 23, "\x00" * 22, "../" * 7 + "a"])
def test_no_other_browser_may(sheet: Sheet, secret: str) -> None:
    assert scorekeepers.scorekeeper_for(asked(secret), sheet) is None
    assert scorekeepers.find_sheet(asked(secret), sheet.code) == (sheet, None)


def test_the_scorekeeper_of_one_sheet_writes_on_no_other(sheet: Sheet) -> None:
    other = opened(4, browser=scorekeepers.hashed(OTHER)).sheet
    assert scorekeepers.scorekeeper_for(asked(SECRET), other) is None
    assert scorekeepers.find_sheet(asked(SECRET), other.code) == (other, None)


@pytest.mark.parametrize("code", ["", "x", "a" * 22, "ü" * 22, "\x00" * 22, "a" * 5000])
def test_a_sheet_nobody_has_is_not_found(code: str) -> None:
    with pytest.raises(Sheet.DoesNotExist):
        scorekeepers.find_sheet(asked(SECRET), code)


def test_the_database_knows_the_hash_and_never_the_secret(sheet: Sheet) -> None:
    keeper = sheet.scorekeepers.get()
    assert len(keeper.browser) == 64
    assert SECRET not in str(Scorekeeper.objects.values().get(pk=keeper.pk))


def test_the_cookie_is_the_browsers_own_for_a_year() -> None:
    response = HttpResponse()
    request = asked()
    secret = scorekeepers.new_browser_secret(request)
    scorekeepers.keep_browser_secret(request, response, secret)
    cookie = response.cookies["pencil"]
    assert cookie.value == secret
    assert len(secret) == 22
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"], cookie["path"]) == (True, "Lax", 31_536_000, "/")
    assert not cookie["secure"]


def test_over_tls_the_cookie_travels_over_tls_only() -> None:
    response = HttpResponse()
    scorekeepers.keep_browser_secret(asked(secure=True), response, SECRET)
    assert response.cookies["pencil"]["secure"]


def test_a_browser_keeps_the_cookie_it_has() -> None:
    assert scorekeepers.new_browser_secret(asked(SECRET)) == SECRET
    assert scorekeepers.new_browser_secret(asked("not one of ours")) != "not one of ours"
    assert scorekeepers.new_browser_secret(asked()) != scorekeepers.new_browser_secret(asked())


# Accounts


def test_an_account_may_where_the_permission_question_is_answered_with_yes(sheet: Sheet) -> None:
    Somebody.objects.create_user("marge", first_name="Marge", last_name="M.")
    user = Somebody.objects.get()
    keeper = scorekeepers.scorekeeper_for(asked(user=user), sheet)
    assert keeper is not None
    assert (keeper.pk, keeper.name, keeper.user_id) == (None, "Marge M.", user.pk)
    assert not Scorekeeper.objects.filter(user=user).exists()
    sure_of(Scorer(sheet, keeper).bid(2, 0))
    sure_of(Scorer(sheet, scorekeepers.scorekeeper_for(asked(user=user), sheet) or keeper).bid(3, 0))
    assert Scorekeeper.objects.filter(user=user).count() == 1
    assert Scorer(sheet, keeper).reading.standing[1, "bid-3"].by == "Marge M."


def test_two_first_writes_of_an_account_make_one_scorekeeper(sheet: Sheet) -> None:
    user = Somebody.objects.create_user("marge")
    user = Somebody.objects.get(pk=user.pk)
    first, second = (
        scorekeepers.scorekeeper_for(asked(user=user), sheet),
        scorekeepers.scorekeeper_for(asked(user=user), sheet),
    )
    assert first is not None
    assert second is not None
    sure_of(Scorer(sheet, first).bid(2, 0))
    sure_of(Scorer(sheet, second).bid(3, 0))
    assert Scorekeeper.objects.filter(user=user).count() == 1


def test_an_account_may_not_where_nobody_answers(sheet: Sheet) -> None:
    user = User.objects.create_user("ann")
    assert scorekeepers.scorekeeper_for(asked(user=user), sheet) is None
    assert scorekeepers.scorekeeper_for(asked(user=AnonymousUser()), sheet) is None


def test_without_a_session_cookie_no_session_is_touched(sheet: Sheet) -> None:
    assert scorekeepers.scorekeeper_for(asked(), sheet) is None
    assert scorekeepers.find_sheet(asked(OTHER), sheet.code) == (sheet, None)


# Keeper links


def test_a_scorekeeper_link_lets_another_browser_score(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=sheet.scorekeepers.get())
    keeper = scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER), " Marge ")
    assert keeper is not None
    assert (keeper.name, keeper.sheet) == ("Marge", sheet)
    assert scorekeepers.scorekeeper_for(asked(OTHER), sheet) == keeper
    assert scorekeepers.scorekeeper_for(asked(SECRET), sheet) is not None


def test_the_link_is_kept_as_a_hash_only(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=None)
    assert len(token) == 22
    assert token not in str(ShareLink.objects.values().get())


def test_looking_at_a_link_consumes_nothing(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=None)
    for _ in range(3):
        link = scorekeepers.find_link(token)
        assert link is not None
        assert link.sheet == sheet
    assert sheet.scorekeepers.count() == 1


def test_a_link_serves_several_phones_and_each_once(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=None)
    first = scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER))
    again = scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER), "Marge")
    third = scorekeepers.join_by_link(token, scorekeepers.hashed("c" * 22))
    assert first == again
    assert again is not None
    assert again.name == "Marge"
    assert third != first
    assert sheet.scorekeepers.count() == 3


@pytest.mark.parametrize("token", ["", "x", "a" * 22, None, 7, "\x00" * 22, "ü" * 22, "a" * 5000])
def test_what_is_no_link_opens_nothing(sheet: Sheet, token: object) -> None:
    scorekeepers.make_link(sheet, by=None)
    assert scorekeepers.find_link(token) is None
    assert scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER)) is None
    assert sheet.scorekeepers.count() == 1


def test_the_watch_address_and_the_code_are_no_links(sheet: Sheet) -> None:
    assert scorekeepers.find_link(sheet.watch) is None
    assert scorekeepers.find_link(sheet.code) is None


def test_a_link_is_gone_the_next_day(sheet: Sheet) -> None:
    with time_machine.travel(datetime.datetime(2026, 11, 20, 20, tzinfo=datetime.UTC), tick=False) as clock:
        token = scorekeepers.make_link(sheet, by=None)
        clock.shift(scorekeepers.LIFE_OF_A_LINK - datetime.timedelta(seconds=1))
        assert scorekeepers.find_link(token) is not None
        clock.shift(datetime.timedelta(seconds=1))
        assert scorekeepers.find_link(token) is None
        assert scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER)) is None


def test_a_link_without_an_end_stays(sheet: Sheet) -> None:
    with time_machine.travel(datetime.datetime(2026, 11, 20, 20, tzinfo=datetime.UTC), tick=False) as clock:
        token = scorekeepers.make_link(sheet, by=None, lifetime=None)
        clock.shift(datetime.timedelta(days=5000))
        assert scorekeepers.find_link(token) is not None


def test_revoking_a_link_cuts_off_at_once_who_came_by_it(sheet: Sheet) -> None:
    token, other = (scorekeepers.make_link(sheet, by=None) for _ in range(2))
    assert scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER)) is not None
    assert scorekeepers.join_by_link(other, scorekeepers.hashed("c" * 22)) is not None
    link = scorekeepers.find_link(token)
    assert link is not None
    scorekeepers.revoke_link(link)
    assert scorekeepers.scorekeeper_for(asked(OTHER), sheet) is None
    assert scorekeepers.find_sheet(asked(OTHER), sheet.code) == (sheet, None)
    assert scorekeepers.find_link(token) is None
    assert scorekeepers.scorekeeper_for(asked("c" * 22), sheet) is not None
    assert scorekeepers.scorekeeper_for(asked(SECRET), sheet) is not None


def test_who_was_cut_off_may_come_again_by_a_new_link(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=None)
    scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER))
    link = scorekeepers.find_link(token)
    assert link is not None
    scorekeepers.revoke_link(link)
    assert scorekeepers.join_by_link(scorekeepers.make_link(sheet, by=None), scorekeepers.hashed(OTHER)) is not None
    assert scorekeepers.scorekeeper_for(asked(OTHER), sheet) is not None


def test_what_a_scorekeeper_wrote_stays_theirs_after_they_were_cut_off(sheet: Sheet) -> None:
    token = scorekeepers.make_link(sheet, by=None)
    keeper = scorekeepers.join_by_link(token, scorekeepers.hashed(OTHER), "Marge")
    assert keeper is not None
    table = Scorer(sheet, keeper)
    sure_of(table.bid(2, 0))
    link = scorekeepers.find_link(token)
    assert link is not None
    scorekeepers.revoke_link(link)
    assert table.reading.standing[1, "bid-2"].by == "Marge"


@pytest.mark.parametrize("name", ["\x00", "\ud800", "x" * 41, None, 5])
def test_nobody_is_kept_from_the_table_by_their_name(sheet: Sheet, name: object) -> None:
    keeper = scorekeepers.join_by_link(scorekeepers.make_link(sheet, by=None), scorekeepers.hashed(OTHER), name)
    assert keeper is not None
    assert keeper.name == ""


def test_a_scorekeeper_says_what_they_are_called(sheet: Sheet) -> None:
    keeper = ScorekeeperFactory(sheet=sheet, name="")
    assert scorekeepers.rename_scorekeeper(keeper, " Marge ") is None
    assert Scorekeeper.objects.get(pk=keeper.pk).name == "Marge"
    problem = scorekeepers.rename_scorekeeper(keeper, "x" * 41)
    assert problem is not None
    assert problem.code == "too-long"
    assert Scorekeeper.objects.get(pk=keeper.pk).name == "Marge"


# What it costs


def test_finding_the_sheet_and_the_right_to_write_is_one_question(sheet: Sheet, statements: Counts) -> None:
    with statements(exactly=1):
        found, keeper = scorekeepers.find_sheet(asked(SECRET), sheet.code)
        assert keeper is not None
        assert keeper.sheet.code == found.code


def test_a_stranger_costs_two(sheet: Sheet, statements: Counts) -> None:
    with statements(exactly=2):
        scorekeepers.find_sheet(asked(OTHER), sheet.code)


def test_my_sheets_the_newest_first() -> None:
    first = scorer(4, browser=scorekeepers.hashed(SECRET)).sheet
    second = scorer(4, browser=scorekeepers.hashed(SECRET)).sheet
    scorer(4, browser=scorekeepers.hashed(OTHER))
    assert list(Sheet.objects.kept_by(scorekeepers.hashed(SECRET))) == [second, first]
    assert not Sheet.objects.kept_by("").exists()
