"""The first club of a site, and what an organiser settles about a club."""

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from clubs.club import founding
from clubs.club import settings as club_settings
from clubs.models import Club, Member
from clubs.notices.mail import PRINTED
from clubs.server import startup
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played

pytestmark = pytest.mark.django_db
FOUND = "/clubs/found/"


def typed(code: str, **more: str) -> dict[str, str]:
    return {
        "code": code,
        "name": "The Thursday Club",
        "called": "Ann",
        "place": "",
        "time_zone": "Europe/Berlin",
    } | more


@pytest.fixture
def ann(client: Client) -> Client:
    """The browser of somebody with an account who belongs to no club."""
    client.force_login(UserFactory(email="ann@example.org"))
    return client


def organiser_of(club: Club) -> Client:
    client = Client()
    client.force_login(MemberFactory(club=club, user=UserFactory(), role="organiser", name="Ann").user)
    return client


def test_code_of_the_terminal_founds_one_club_with_its_founder_as_organiser(ann: Client) -> None:
    code = founding.code_for_the_first()
    founded = ann.post(FOUND, typed(code.lower().replace("-", " ")))
    assert (founded.status_code, founded.headers["Location"]) == (303, "/clubs/the-thursday-club/organise/")
    club = Club.objects.get()
    member = club.members.get()
    assert (club.visibility, club.time_zone, member.role, member.name) == ("link", "Europe/Berlin", "organiser", "Ann")
    assert member.user.email == "ann@example.org"
    assert club.audit_entries.get().says == "Started the club."
    assert ann.get(founded.headers["Location"]).status_code == 200
    again = ann.post(FOUND, typed(code))
    assert again.status_code == 422
    assert "That code does not start a club" in again.text
    assert Club.objects.count() == 1


def test_code_that_was_used_at_the_same_moment_founds_nothing(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.views.club.settings.is_good", lambda code: True)
    late = ann.post(FOUND, typed("AAAA-AAAA-AAAA-AAAA"))
    assert late.status_code == 409
    assert "That code does not start a club" in late.text
    assert not Club.objects.exists()


def test_looking_at_the_page_uses_no_code_up(ann: Client) -> None:
    code = founding.new_code()
    assert code in ann.get(FOUND, {"code": code}).text
    assert ann.post(FOUND, typed(code)).status_code == 303


def test_founding_asks_to_sign_in_and_comes_back_with_the_code(client: Client) -> None:
    asked = client.get(FOUND, {"code": "ABCD"})
    assert asked.headers["Location"] == "/account/login/code/?next=%2Fclubs%2Ffound%2F%3Fcode%3DABCD"
    assert client.post(FOUND, typed(founding.new_code())).status_code == 403
    assert not Club.objects.exists()


def test_terminal_prints_a_code_as_long_as_there_is_no_club_but_the_demo() -> None:
    ClubFactory(is_demo=True)
    code = founding.code_for_the_first()
    assert re.fullmatch(r"(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}", code)
    ClubFactory(archived_at="2026-01-01T00:00Z")
    assert founding.code_for_the_first() == ""


def test_newer_code_makes_the_older_one_worthless(ann: Client) -> None:
    old, new = founding.new_code(), founding.new_code()
    assert ann.post(FOUND, typed(old)).status_code == 422
    assert ann.post(FOUND, typed(new)).status_code == 303


def test_further_club_is_founded_with_a_code_of_the_command(ann: Client, capsys: pytest.CaptureFixture[str]) -> None:
    ClubFactory()
    call_command("founding_code")
    assert ann.post(FOUND, typed(capsys.readouterr().out.strip())).status_code == 303


def test_owner_of_the_site_needs_no_code(client: Client) -> None:
    ClubFactory()
    client.force_login(UserFactory(is_superuser=True))
    assert "The code" not in client.get(FOUND).text
    assert client.post(FOUND, typed("")).status_code == 303


def test_welcome_says_the_code_and_where_the_mail_goes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HOST, settings.PORT = "127.0.0.1", 8000
    said = startup.welcome(None, code="ABCD-EFGH-JKLM-NPQR")
    assert "http://127.0.0.1:8000/clubs/found/?code=ABCD-EFGH-JKLM-NPQR" in said
    assert startup.MAIL_IS_PRINTED not in said
    settings.EMAIL_BACKEND = PRINTED
    assert startup.MAIL_IS_PRINTED in startup.welcome(None, code="ABCD-EFGH-JKLM-NPQR")
    assert "found" not in startup.welcome(None)


def test_guessing_the_code_comes_to_an_end_even_for_the_right_one(ann: Client) -> None:
    code = founding.new_code()
    for _ in range(10):
        assert ann.post(FOUND, typed("AAAA-AAAA-AAAA-AAAA")).status_code == 422
    refused = ann.post(FOUND, typed(code))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "300")
    neighbour = Client(REMOTE_ADDR="192.0.2.7")
    neighbour.force_login(UserFactory())
    assert neighbour.post(FOUND, typed(code)).status_code == 303


@pytest.mark.thorough
def test_many_accounts_at_one_place_guess_no_more_than_one_place_may() -> None:
    code, answers = founding.new_code(), []
    for _ in range(3):
        client = Client()
        client.force_login(UserFactory())
        answers += [client.post(FOUND, typed("AAAA")).status_code for _ in range(9)]
    assert answers.count(422) == 20
    client = Client()
    client.force_login(UserFactory())
    assert client.post(FOUND, typed(code)).status_code == 429


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "What is the club called?"),
        ("name", "n" * 61, "At most 60 characters fit here."),
        ("name", "a\x00b", "no text"),
        ("called", "\u200b", "A name is missing here."),
        ("called", "", "A name is missing here."),
        ("time_zone", "Mars/Olympus", "There is no such time zone."),
        ("time_zone", "../../etc/passwd", "There is no such time zone."),
        ("time_zone", "", "Which time zone"),
        ("code", "", "You need the code"),
    ],
)
def test_what_is_wrong_is_said_beside_its_place_and_the_code_stays_good(
    ann: Client, field: str, value: str, sentence: str
) -> None:
    code = founding.new_code()
    refused = ann.post(FOUND, typed(code) | {field: value})
    assert refused.status_code == 422
    assert sentence in refused.text
    assert not Club.objects.exists()
    assert ann.post(FOUND, typed(code)).status_code == 303


@pytest.mark.parametrize(
    ("name", "slug"), [("Found", "found-2"), ("شيماء", "club"), ("Thursday", "thursday-2"), ("T" * 60, "t" * 40)]
)
def test_every_club_gets_an_address_of_its_own(name: str, slug: str) -> None:
    ClubFactory(slug="thursday")
    assert founding.free_slug(name) == slug


# Settings


def settled(club: Club, **more: str) -> dict[str, str]:
    names = ("name", "slug", "place", "about", "time_zone", "visibility")
    return {name: getattr(club, name) for name in names} | more


def test_changed_settings_are_kept_and_written_into_the_audit_log() -> None:
    club = ClubFactory(name="Old", slug="old")
    organiser = organiser_of(club)
    wanted = settled(club, name="New", slug="new", place="The Kitchen", visibility="members", awards_at_once="on")
    answer = organiser.post("/clubs/old/settings/", wanted)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/clubs/new/settings/")
    club.refresh_from_db()
    assert (club.name, club.slug, club.place, club.visibility, club.awards_at_once) == (
        "New", "new", "The Kitchen", "members", True,
    )  # fmt: skip
    page = organiser.get("/clubs/new/diary/").text
    for line in ("Renamed the club to New.", "The club is shown to members who sign in, and nobody else from now on."):
        assert line in page
    assert club.audit_entries.count() == 5
    organiser.post("/clubs/new/settings/", settled(club, awards_at_once="on"))
    assert club.audit_entries.count() == 5, "nothing was changed"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("slug", "taken", "Another club has this address."),
        ("slug", "found", "Another club has this address."),
        ("slug", "a--b", "Use small letters"),
        ("slug", "Zoë", "Use small letters"),
        ("slug", "", "The club needs an address"),
        ("slug", "a\x00", "no text"),
        ("slug", "n" * 41, "At most 40 characters fit here."),
        ("visibility", "everybody", "not one of the choices"),
        ("name", "\x1b", "no text"),
    ],
)
def test_settings_that_cannot_be_are_refused_with_what_was_typed(field: str, value: str, sentence: str) -> None:
    ClubFactory(slug="taken")
    club = ClubFactory(slug="ours")
    answer = organiser_of(club).post("/clubs/ours/settings/", settled(club, about="More of us", **{field: value}))
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "More of us" in answer.text
    club.refresh_from_db()
    assert (club.slug, club.about) == ("ours", "")


def test_address_that_was_given_away_at_the_same_moment_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ClubFactory(slug="taken")
    club = ClubFactory(slug="ours")
    monkeypatch.setattr("clubs.club.forms.Particulars.clean_slug", lambda form: form.cleaned_data["slug"])
    answer = organiser_of(club).post("/clubs/ours/settings/", settled(club, slug="taken", name="New"))
    assert answer.status_code == 422
    assert "Another club has this address." in answer.text
    club.refresh_from_db()
    assert (club.slug, club.audit_entries.count()) == ("ours", 0)


def test_sheets_lead_to_the_new_address_of_the_club() -> None:
    club = ClubFactory(slug="old")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    another = ClubFactory()
    other = played(NightFactory(club=another), MemberFactory.create_batch(4, club=another), hands=1)
    Sheet.objects.filter(pk=table.sheet.pk).update(home="/clubs/old/nights/3/")
    Sheet.objects.filter(pk=other.sheet.pk).update(home="/clubs/old-hands/nights/3/")
    club_settings.settle(club, {"slug": "quite-new"}, by=None)
    assert Sheet.objects.get(pk=table.sheet.pk).home == "/clubs/quite-new/nights/3/"
    assert Sheet.objects.get(pk=other.sheet.pk).home == "/clubs/old-hands/nights/3/"


@pytest.mark.parametrize("saw", ["", "\x00", "x", "?" * 22])
@pytest.mark.parametrize("do", ["new-link", "new-calendar"])
def test_key_that_is_none_is_replaced_by_no_other(do: str, saw: str) -> None:
    club = ClubFactory()
    before = Club.objects.values_list("key", "calendar_key").get(pk=club.pk)
    answer = organiser_of(club).post(reverse("club_settings", args=[club.slug]), {"do": do, "saw": saw})
    assert answer.status_code == 303
    assert Club.objects.values_list("key", "calendar_key").get(pk=club.pk) == before


@pytest.mark.parametrize(("do", "field"), [("new-link", "key"), ("new-calendar", "calendar_key")])
def test_second_tap_for_a_new_key_changes_nothing(do: str, field: str) -> None:
    club = ClubFactory()
    organiser, saw = organiser_of(club), getattr(club, field)
    for _ in range(2):
        assert organiser.post(f"/clubs/{club.slug}/settings/", {"do": do, "saw": saw}).status_code == 303
        club.refresh_from_db()
    assert getattr(club, field) != saw
    assert club.audit_entries.count() == 1


def test_club_that_was_put_away_stands_apart_on_the_page_of_clubs_of_those_who_belong_to_it() -> None:
    club = ClubFactory(archived_at="2026-01-01T00:00Z")
    page = organiser_of(club).get(reverse("clubs")).content.decode()
    assert "Your clubs" not in page
    assert club.name in page.partition(">Archived<")[2]


def test_club_is_put_away_and_brought_back() -> None:
    club = ClubFactory()
    organiser = organiser_of(club)
    for do in ("put-away", "put-away", "bring-back"):
        organiser.post(f"/clubs/{club.slug}/settings/", {"do": do})
    club.refresh_from_db()
    assert club.archived_at is None
    assert [line.says for line in club.audit_entries.all()] == ["Brought the club back.", "Archived the club."]


def test_audit_log_has_pages() -> None:
    club = ClubFactory()
    for number in range(60):
        club.audit_entries.create(says=f"Line {number:02}.")
    organiser = organiser_of(club)
    page = f"/clubs/{club.slug}/diary/"
    assert ["Line 59." in organiser.get(page).text, "Line 00." in organiser.get(page).text] == [True, False]
    assert "Line 00." in organiser.get(page, {"page": "2"}).text
    assert organiser.get(page, {"page": "\x00"}).status_code == 200


# The code of the club


@pytest.mark.parametrize(("visibility", "with_key"), [("link", True), ("public", True), ("members", False)])
def test_sign_of_an_organiser_has_the_key_unless_one_must_sign_in(visibility: str, with_key: bool) -> None:
    club = ClubFactory(visibility=visibility)
    page = organiser_of(club).get(reverse("club_qr_code", args=[club.slug])).text
    assert (reverse("come_in", args=[club.slug, club.key]) in page) is with_key
    assert "<svg" in page
    assert Member.objects.get().user.email not in page
