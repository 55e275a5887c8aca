"""Signing in: by a code that is mailed, else by a password."""

import datetime
import random
import re
import smtplib
from collections.abc import Iterable, Iterator
from itertools import count, islice, repeat

import pytest
import time_machine
from allauth.account.forms import BaseConfirmCodeForm
from django.conf import settings
from django.core import mail
from django.core.cache.backends.db import DatabaseCache
from django.test import Client
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.module_loading import import_string
from pytest_django import Settings

from clubs.accounts.forms import MOST_GUESSES, TypeMailedCode
from clubs.models import User
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.django_db
ASK, CONFIRM = "/account/login/code/", "/account/login/code/confirm/"
CODE = re.compile(r"\b[B-Z]{4}-[B-Z]{4}\b")


def code_in_the_mail() -> str:
    found = CODE.search(mail.outbox[-1].body)
    assert found, mail.outbox[-1].body
    return found[0]


def sign_in(client: Client, email: str, then: str = "") -> str:
    """Where the browser ends up."""
    client.post(ASK, {"email": email, "next": then})
    return client.post(CONFIRM, {"code": code_in_the_mail(), "next": then}).headers["Location"]


def test_new_site_has_no_account() -> None:
    """The database of the tests is that of a site on which nobody has done anything."""
    assert not User.objects.exists()


def test_code_that_was_mailed_signs_in(client: Client) -> None:
    user = UserFactory(email="ann@example.org")
    assert sign_in(client, "Ann@Example.org") == "/clubs/"
    assert client.session["_auth_user_id"] == str(user.pk)
    assert mail.outbox[0].to == ["ann@example.org"]


def test_who_asks_for_the_first_time_has_an_account_with_their_first_code(client: Client) -> None:
    sign_in(client, "Flo@example.org")
    user = User.objects.get(email="flo@example.org")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert not user.has_usable_password()
    sign_in(Client(), "flo@EXAMPLE.org")
    assert User.objects.count() == 1


def test_pages_say_the_same_of_an_address_that_is_known_and_one_that_is_not() -> None:
    UserFactory(email="ann@example.org")

    def said(email: str) -> tuple[int, str]:
        browser = Client()
        status = browser.post(ASK, {"email": email}).status_code
        page = browser.get(CONFIRM).text.replace(email, "")
        return status, re.sub(r'value="[A-Za-z0-9]{64}"', "", page)

    assert said("ann@example.org") == said("bob@example.org")
    assert [message.subject[:10] for message in mail.outbox] == ["Your code:"] * 2


def test_account_that_was_shut_gets_no_code(client: Client) -> None:
    UserFactory(email="ann@example.org", is_active=False)
    client.post(ASK, {"email": "ann@example.org"})
    assert User.objects.count() == 1
    assert not [message for message in mail.outbox if CODE.search(message.body)]


@pytest.mark.promise(10)
def test_wrong_code_can_be_typed_five_times_and_then_the_right_one_is_good_for_nothing(
    client: Client, attempt: Attempt
) -> None:
    client.post(ASK, {"email": "ann@example.org"})
    for _ in range(4):
        assert "That is not the code" in client.post(CONFIRM, {"code": "AAAA-BBBB"}).text
    assert client.post(CONFIRM, {"code": "AAAA-BBBB"}).headers["Location"] == ASK
    assert "Wait a few minutes" in client.get(ASK).text
    client.post(CONFIRM, {"code": code_in_the_mail()})
    assert "_auth_user_id" not in client.session
    attempt.saw("a code is guessed five times, then the right one is worth nothing")


def test_code_is_good_once_for_ten_minutes_where_it_was_asked_for(client: Client) -> None:
    begin = datetime.datetime(2026, 11, 22, 19, tzinfo=datetime.UTC)
    with time_machine.travel(begin, tick=False) as clock:
        client.post(ASK, {"email": "ann@example.org"})
        code = code_in_the_mail()
        elsewhere = Client()
        elsewhere.post(ASK, {"email": "ann@example.org"})
        elsewhere.post(CONFIRM, {"code": code})
        assert "_auth_user_id" not in elsewhere.session
        clock.shift(601)
        client.post(CONFIRM, {"code": code})
        assert "_auth_user_id" not in client.session
        client.post(ASK, {"email": "ann@example.org"})
        clock.shift(599)
        again = code_in_the_mail()
        client.post(CONFIRM, {"code": again})
        assert "_auth_user_id" in client.session
        client.post(reverse("account_logout"))
        client.post(CONFIRM, {"code": again})
        assert "_auth_user_id" not in client.session


def test_code_is_drawn_from_what_nobody_can_foretell() -> None:
    """Its eight letters are each one of 20: 34 bits."""
    codes = set()
    for number in range(5):
        random.seed(18)
        Client().post(ASK, {"email": f"member{number}@example.org"})
        codes.add(code_in_the_mail())
    assert len(codes) == 5


def test_who_signs_in_has_another_session_key(client: Client) -> None:
    client.post(ASK, {"email": "ann@example.org"})
    before = client.session.session_key
    client.post(CONFIRM, {"code": code_in_the_mail()})
    assert client.session.session_key != before
    assert not client.session.exists(before)


def test_one_network_gets_three_codes_a_minute_for_an_account() -> None:
    def asked(email: str, address: str) -> int:
        return Client(REMOTE_ADDR=address).post(ASK, {"email": email}).status_code

    assert [asked("ann@example.org", f"2001:db8::{n}") for n in range(1, 5)] == [302, 302, 302, 200]
    assert len(mail.outbox) == 3
    assert asked("ANN@example.org", "2001:db8::9") == 200
    assert asked("bo@example.org", "2001:db8::9") == 302


@pytest.mark.promise(10)
@pytest.mark.parametrize("page", [ASK, reverse_lazy("account_reset_password")])
def test_nobody_is_kept_out_by_who_asks_for_their_codes_for_minutes(
    client: Client, page: str, attempt: Attempt
) -> None:
    begin = datetime.datetime(2026, 11, 22, 19, tzinfo=datetime.UTC)
    with time_machine.travel(begin, tick=False) as clock:
        client.post(ASK, {"email": "ann@example.org"})
        hers = code_in_the_mail()
        for _ in range(18):
            Client(REMOTE_ADDR="192.0.2.66").post(page, {"email": "ann@example.org"})
            clock.shift(20)
        # Fifteen an hour is what one network gets.
        assert len(mail.outbox) == 16
        other = Client(REMOTE_ADDR="198.51.100.7")
        other.post(ASK, {"email": "ann@example.org"})
        assert other.post(CONFIRM, {"code": code_in_the_mail()}).headers["Location"] == "/clubs/"
        # The code they asked for first is still good where they asked for it.
        client.post(CONFIRM, {"code": hers})
    assert "_auth_user_id" in client.session
    attempt.saw("nobody is kept out of their account by who asks for its codes")


def test_whole_club_signs_in_behind_one_router() -> None:
    for number in range(40):
        assert Client().post(ASK, {"email": f"member{number}@example.org"}).status_code == 302
    assert len(mail.outbox) == 40


def test_one_place_that_asks_for_very_many_codes_is_told_to_wait(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"request_login_code": "2/m/ip,3/m/key"}
    answers = [Client().post(ASK, {"email": f"x{number}@example.org"}) for number in range(3)]
    assert answers[-1].status_code in (200, 429)
    assert len(mail.outbox) == 2


@pytest.mark.promise(10)
def test_password_is_a_fallback_and_can_be_guessed_five_times(client: Client, attempt: Attempt) -> None:
    user = UserFactory(email="ann@example.org")
    user.set_password("three of a kind")
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    login = reverse("account_login")
    assert (
        client.post(login, {"login": "ann@example.org", "password": "three of a kind"}).headers["Location"] == "/clubs/"
    )
    other = Client(REMOTE_ADDR="192.0.2.9")
    for _ in range(5):
        assert "do not match" in other.post(login, {"login": "ann@example.org", "password": "x"}).text
    assert "Wait a few minutes" in other.post(login, {"login": "ann@example.org", "password": "three of a kind"}).text
    # Elsewhere the right one is good: nobody is kept out by who guesses.
    owner = Client(REMOTE_ADDR="198.51.100.7")
    assert owner.post(login, {"login": "ann@example.org", "password": "three of a kind"}).status_code == 302
    attempt.saw("a password is guessed five times")


@pytest.mark.promise(10)
def test_password_and_code_are_guessed_from_many_networks_and_the_owner_still_gets_in(attempt: Attempt) -> None:
    """Each network has its own five guesses; with the sixth even the right password is refused there."""
    user, networks = UserFactory(email="ann@example.org"), attempt.size(4, 500)
    user.set_password("three of a kind")
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    owner, login = Client(REMOTE_ADDR="198.51.100.7"), reverse("account_login")
    owner.post(ASK, {"email": user.email})
    code = code_in_the_mail()
    for number in range(networks):
        thief = Client(REMOTE_ADDR=f"192.{number // 250 + 10}.{number % 250}.9")
        thief.post(CONFIRM, {"code": code})
        for guess in range(5):
            guessed = {"login": user.email, "password": f"guess {number} {guess}"}
            assert "do not match" in thief.post(login, guessed).text
        right = {"login": user.email, "password": "three of a kind"}
        assert "Wait a few minutes" in thief.post(login, right).text
        assert "_auth_user_id" not in thief.session
    owner.post(CONFIRM, {"code": code})
    assert "_auth_user_id" in owner.session
    other = Client(REMOTE_ADDR="198.51.100.8")
    assert other.post(login, right).headers["Location"] == "/clubs/"
    attempt.saw(f"{networks} networks guess one password five times each and try a code of another browser: none is in")


def near(code: str) -> Iterator[str]:
    """Codes that differ from it in one letter."""
    for place in range(len(code)):
        if code[place] != "-":
            yield from (code[:place] + new + code[place + 1 :] for new in "BCDFGHJK" if new != code[place])


def guesser(number: int, owner: Client | None = None) -> Client:
    """A browser in a network of its own; with the session of `owner`, in which their code is pending."""
    thief = Client(REMOTE_ADDR=f"192.{number // 250 + 10}.{number % 250}.9")
    if owner:
        thief.cookies[settings.SESSION_COOKIE_NAME] = owner.cookies[settings.SESSION_COOKIE_NAME].value
    return thief


@pytest.mark.promise(10)
@pytest.mark.parametrize(
    ("ask", "confirm", "opens", "tries"),
    [
        (ASK, CONFIRM, "/clubs/", 5),
        (
            reverse_lazy("account_reset_password"), reverse_lazy("account_confirm_password_reset_code"),
            reverse_lazy("account_complete_password_reset"), 3,
        ),
    ],
    ids=["to sign in", "for another password"],
)  # fmt: skip
def test_pending_code_is_guessed_from_many_networks_and_its_owner_gets_in_with_a_new_one(
    ask: str, confirm: str, opens: str, tries: int, attempt: Attempt
) -> None:
    """Every guess is one letter off, from another network. After some the right one is dead, wherever it is typed."""
    user, networks, guesses = UserFactory(email="ann@example.org"), count(1), 0
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    for number in range(attempt.size(2, 100)):
        owner = Client(REMOTE_ADDR=f"198.51.{number}.7")
        owner.post(ask, {"email": user.email})
        code = code_in_the_mail()
        # Who has asked for a code of that account, too, has not read it.
        other = guesser(next(networks))
        other.post(ask, {"email": user.email})
        theirs = code_in_the_mail()
        with_it = [guesser(next(networks), owner) for _ in range(tries)]
        with_theirs = [guesser(next(networks), other) for _ in range(tries)]
        without = [guesser(next(networks)) for _ in range(tries)]
        for guessers, tried in ((with_it, near(code)), (with_theirs, repeat(code)), (without, repeat(code))):
            assert opened(guessers, confirm, tried, opens) == 0
            guesses += tries
        # Both are dead now, for everybody.
        assert opened([*with_it, owner, *without], confirm, repeat(code), opens) == 0
        assert opened([*with_theirs, other], confirm, repeat(theirs), opens) == 0
        # A new one is alive until as many guesses have been made in its session.
        owner.post(ask, {"email": user.email})
        code = code_in_the_mail()
        assert opened([guesser(next(networks), owner) for _ in range(tries - 1)], confirm, near(code), opens) == 0
        assert opened([owner], confirm, [code], opens) == 1
    attempt.count(guesses, "guesses at codes that are pending, each from another network: none opens anything")


@pytest.mark.promise(10)
@pytest.mark.parametrize(
    ("ask", "confirm"),
    [(ASK, CONFIRM), (reverse_lazy("account_reset_password"), reverse_lazy("account_confirm_password_reset_code"))],
    ids=["to sign in", "for another password"],
)
def test_guesses_that_come_at_the_same_moment_are_all_counted(
    client: Client, ask: str, confirm: str, attempt: Attempt
) -> None:
    """Each has read the session before the others wrote that they were wrong, so that it only ever counts one."""
    user = UserFactory(email="ann@example.org")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    client.post(ask, {"email": user.email})
    code, session = code_in_the_mail(), client.session
    session.load()
    for guess in (*islice(near(code), MOST_GUESSES), code):
        assert "That is not the code" in client.post(confirm, {"code": guess}).text
        session.save()
    # Whoever has the mail comes in with another code.
    owner = Client()
    owner.post(ask, {"email": user.email})
    assert owner.post(confirm, {"code": code_in_the_mail()}).status_code == 302
    attempt.saw("a code is guessed at the same moment: five times at most")


def test_every_form_for_a_code_counts_guesses_at_it() -> None:
    for name, path in settings.ACCOUNT_FORMS.items():
        assert issubclass(import_string(path), TypeMailedCode) == (name.startswith("confirm_"))
    # Phones have no codes here, and nobody is asked for one before a change of their account.
    unused = {"VerifyPhoneForm", "ConfirmReauthenticationCodeForm"}
    forms = {form.__name__ for form in BaseConfirmCodeForm.__subclasses__()} - unused
    ours = {base.__name__ for form in TypeMailedCode.__subclasses__() for base in form.__bases__}
    assert forms <= ours | {TypeMailedCode.__name__}


@pytest.mark.parametrize("change", ["account_email", "account_set_password"])
def test_who_has_no_password_is_asked_to_sign_in_once_more_on_our_own_page(client: Client, change: str) -> None:
    sign_in(client, "ann@example.org")
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=2)):
        assert "Sign in once more first, with a code by email" in client.get(reverse(change)).text
        for asks in ("account_reauthenticate", "account_request_reauthentication_code"):
            assert client.get(reverse(asks)).status_code in (403, 404)


def test_right_code_stays_right_where_the_guess_cannot_be_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache says that it has stored nothing; it says so too where the database is locked."""
    client.raise_request_exception = False
    client.post(ASK, {"email": "ann@example.org"})
    with monkeypatch.context() as locked:
        locked.setattr(DatabaseCache, "add", lambda *given, **more: False)
        answer = client.post(CONFIRM, {"code": code_in_the_mail()})
        assert (answer.status_code, "retry-after" in {name.lower() for name in answer.headers}) == (503, True)
    assert client.post(CONFIRM, {"code": code_in_the_mail()}).headers["Location"] == "/clubs/"


def opened(browsers: Iterable[Client], confirm: str, codes: Iterable[str], to: str) -> int:
    """How many of the browsers a code, the next one for each, has brought on."""
    answers = [browser.post(confirm, {"code": code}) for browser, code in zip(browsers, codes, strict=False)]
    assert {answer.status_code for answer in answers} <= {200, 302}
    return sum(answer.headers.get("Location") == to for answer in answers)


def test_password_is_chosen_once_one_is_in(client: Client) -> None:
    sign_in(client, "ann@example.org")
    choose, change = (f'href="{reverse(name)}"' for name in ("account_set_password", "account_change_password"))
    page = client.get("/account/").text
    assert (choose in page, change in page) == (True, False)
    kept = client.post(
        reverse("account_set_password"), {"password1": "three of a kind", "password2": "three of a kind"}
    )
    assert kept.headers["Location"] == "/account/"
    page = client.get("/account/").text
    assert (choose in page, change in page) == (False, True)
    login = {"login": "ann@example.org", "password": "three of a kind"}
    assert Client().post(reverse("account_login"), login).headers["Location"] == "/clubs/"


def test_forgotten_password_is_replaced_with_a_code(client: Client) -> None:
    sign_in(client, "ann@example.org")
    client.logout()
    client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    client.post(reverse("account_confirm_password_reset_code"), {"code": code_in_the_mail()})
    new = {"password1": "four of a kind", "password2": "four of a kind"}
    assert client.post(reverse("account_complete_password_reset"), new).status_code == 302
    assert User.objects.get().check_password("four of a kind")


def test_one_comes_back_to_the_page_one_wanted_and_to_none_of_another_site(client: Client) -> None:
    assert sign_in(client, "ann@example.org", "/clubs/found/") == "/clubs/found/"
    assert sign_in(Client(), "bo@example.org", "https://evil.example/") == "/clubs/"


def test_mail_server_that_is_away_gets_a_sentence_and_a_line_in_the_journal(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    answer = client.post(ASK, {"email": "ann@example.org"})
    assert answer.status_code == 503
    assert "could not be sent" in answer.text
    assert "No mail could be sent: SMTPServerDisconnected." in caplog.text


def test_every_account_page_has_our_words_and_our_layout(client: Client) -> None:
    names = ["account_login", "account_request_login_code", "account_signup", "account_reset_password", "clubs"]
    pages = [client.get(reverse(name)) for name in names]
    client.force_login(UserFactory(password="!"))
    names = ["account", "account_email", "account_set_password", "mfa_index", "account_logout"]
    pages += [client.get(reverse(name)) for name in names]
    for page in pages:
        assert page.status_code == 200, page.request
        assert 'class="wordmark"' in page.text
        assert "<h1>" in page.text
        assert not re.search(r"\b(log ?in|log ?out|e-mail|verify)\b", re.sub(r"<[^>]+>", "", page.text), re.I)


def test_what_is_said_to_describe_a_control_is_on_the_page(client: Client) -> None:
    pages = [client.get(reverse("account_login")).content.decode()]
    client.force_login(UserFactory(password="!"))
    pages.append(client.get(reverse("account_set_password")).content.decode())
    for page in pages:
        assert "password" in page
        assert all(f'id="{name}"' in page for name in re.findall(r'aria-describedby="([^"]+)"', page))


def test_page_of_a_club_says_who_is_signed_in_and_signs_out(client: Client) -> None:
    club = ClubFactory(visibility="public")
    user = UserFactory(email="ann@example.org")
    assert f"/account/login/code/?next={club.get_absolute_url()}" in client.get(club.get_absolute_url()).text
    client.force_login(user)
    assert "ann@example.org" in client.get(club.get_absolute_url()).text
    MemberFactory(club=club, user=user, name="Ann")
    page = client.get(club.get_absolute_url()).text
    assert "Signed in" in page
    assert "Ann" in page
    assert "ann@example.org" not in page
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_account_page_asks_to_sign_in_and_names_the_clubs(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/account/login/code/?next=%2Faccount%2F"
    member = MemberFactory(user=UserFactory(email="ann@example.org"), club=ClubFactory(name="The Thursday Club"))
    client.force_login(member.user)
    page = client.get("/account/").text
    assert "ann@example.org" in page
    assert "The Thursday Club" in page


def test_another_address_counts_once_its_code_is_typed(client: Client) -> None:
    sign_in(client, "ann@example.org")
    client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    assert User.objects.get().email == "ann@example.org"
    client.post(reverse("account_email_verification_sent"), {"code": code_in_the_mail()})
    assert User.objects.get().email == "new@example.org"


def test_account_into_which_nobody_ever_came_is_forgotten(client: Client) -> None:
    client.post(ASK, {"email": "typo@example.org"})
    User.objects.update(date_joined=timezone.now() - datetime.timedelta(days=3))
    sign_in(Client(), "ann@example.org")
    assert list(User.objects.values_list("email", flat=True)) == ["ann@example.org"]


def test_who_came_in_stays_two_months_and_who_did_not_an_hour(client: Client) -> None:
    client.post(ASK, {"email": "ann@example.org"})
    assert client.session.get_expiry_age() <= 3600
    client.post(CONFIRM, {"code": code_in_the_mail()})
    assert client.session.get_expiry_age() == 60 * 24 * 3600


def test_scorekeeper_by_their_account_is_called_what_the_club_calls_them(client: Client) -> None:
    club = ClubFactory(visibility="public")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    member = MemberFactory(club=club, user=UserFactory(username="secret", email="ann@example.org"), role="scorekeeper")
    client.force_login(member.user)
    client.post(reverse("quiet", args=[table.sheet.code]), {"quiet": "1"})
    page = client.get(reverse("links", args=[table.sheet.code])).text
    assert member.name in page
    assert "secret" not in page
    assert "ann@example.org" not in page


@pytest.mark.parametrize(
    ("page", "typed", "sentence"),
    [
        ("account_request_login_code", {"email": ""}, "Where should we send the code?"),
        ("account_request_login_code", {"email": "ann at home"}, "That is not an email address."),
        ("account_request_login_code", {"email": "a\x00b@example.org"}, "That is no"),
        ("account_login", {"login": "", "password": ""}, "Something is missing here."),
        ("account_reset_password", {"email": "ann"}, "That is not an email address."),
    ],
)
def test_what_is_wrong_is_said_in_our_words(client: Client, page: str, typed: dict[str, str], sentence: str) -> None:
    assert sentence in client.post(reverse(page), typed).text
    assert not mail.outbox


@pytest.mark.parametrize(("password", "sentence"), [("short", "too short"), ("password123", "too common")])
def test_password_that_is_guessed_at_once_is_refused(client: Client, password: str, sentence: str) -> None:
    sign_in(client, "ann@example.org")
    answer = client.post(reverse("account_set_password"), {"password1": password, "password2": password})
    assert sentence in answer.text
    assert not User.objects.get().has_usable_password()


def test_address_that_somebody_has_is_not_told_to_another(client: Client) -> None:
    UserFactory(email="bo@example.org").emailaddress_set.create(email="bo@example.org", verified=True, primary=True)
    sign_in(client, "ann@example.org")
    said = []
    for email in ("bo@example.org", "nobody@example.org"):
        answer = client.post(reverse("account_email"), {"email": email, "action_add": ""})
        said.append((answer.status_code, answer.headers.get("Location")))
    assert said[0] == said[1]
    assert {tuple(message.to) for message in mail.outbox[1:]} == {("bo@example.org",), ("nobody@example.org",)}
    assert User.objects.get(email="ann@example.org")
