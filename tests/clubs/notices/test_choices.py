"""The page of one's choices: who may change what, the browsers that subscribe, and stopping."""

from __future__ import annotations

import datetime
import json

import pytest
from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from clubs.joining.invitations import make_invitation, token_of
from clubs.members.data_export import held_about
from clubs.members.merge import merge
from clubs.members.people import claim_code, new_guest
from clubs.models import Club, Member, NoticeSettings, PushSubscription
from clubs.notices import choices
from clubs.notices.links import stop_path
from clubs.notices.mail import PRINTED
from clubs.notices.this_browser import COOKIE
from clubs.notices.vapid import public_key
from clubs.views.members.notices import NO_MAIL, NOT_HERE
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.clubs.night_played import page
from tests.clubs.notices.hearing import Phone, base64url, has_phone, signed_in_with_phone, wants
from tests.clubs.visitors import account, get, phone, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", visibility="link")


def with_address(member: Member) -> None:
    EmailAddress.objects.create(user=member.user, email="flo@mail.example", primary=True, verified=True)


def shown(client: Client, club: Club) -> str:
    return page(get(client, "my_notices", club)).text


def subscribes(client: Client, club: Club, with_phone: Phone | None = None, **fields: str) -> HttpResponse:
    return post(client, "notice_browser", club, **((with_phone or Phone()).fields | fields))


# The page


def test_before_anything_is_switched_on_the_page_has_no_switches(club: Club) -> None:
    client, flo = account(club, name="Flo")
    with_address(flo)
    told = shown(client, club)
    assert "Tell me on this phone" in told
    assert "Tell me by email" in told
    assert "Quiet hours" not in told
    assert "Stop all notices" not in told
    assert public_key() in get(client, "my_notices", club).content.decode()
    assert not NoticeSettings.objects.exists()


def test_usual_kinds_are_chosen_when_a_way_is_switched_on_and_no_choice_is_replaced(club: Club) -> None:
    client, flo = account(club, name="Flo")
    with_address(flo)
    assert post(client, "my_notices", club, do="mail").status_code == 303
    row = NoticeSettings.objects.get()
    assert (row.push, row.mail) == ([], ["corrected", "planned", "tomorrow"])
    wants(flo, mail=["drawn"])
    post(client, "my_notices", club, do="mail")
    assert subscribes(client, club).status_code == 204
    row = NoticeSettings.objects.get()
    assert row.mail == ["drawn"]
    assert row.push == ["called", "drawn", "finals", "corrected", "tomorrow"]


def test_choices_are_saved_and_what_is_no_kind_is_left_out(club: Club) -> None:
    client, flo = account(club, name="Flo")
    with_address(flo)
    wants(flo, mail=["drawn"])
    data = {"push": ["drawn", "result", "x"], "mail": ["tomorrow"], "quiet_from": "22:00", "quiet_until": "08:30"}
    assert post(client, "my_notices", club, do="save", **data).status_code == 303
    row = NoticeSettings.objects.get()
    assert (row.push, row.mail) == (["drawn"], ["tomorrow"])
    assert (row.quiet_from, row.quiet_until) == (datetime.time(22), datetime.time(8, 30))
    assert 'value="22:00"' in get(client, "my_notices", club).content.decode()
    post(client, "my_notices", club, do="save", push=["drawn"])
    row.refresh_from_db()
    assert (row.quiet_from, row.quiet_until) == (None, None)


@pytest.mark.parametrize("hours", [("22:00", ""), ("", "08:00"), ("25:00", "08:00"), ("ten", "eight")])
def test_quiet_hours_that_are_none_are_refused(club: Club, hours: tuple[str, str]) -> None:
    client, flo = account(club)
    wants(flo, push=["drawn"])
    answer = post(client, "my_notices", club, do="save", quiet_from=hours[0], quiet_until=hours[1])
    assert (answer.status_code, choices.BOTH_HOURS in answer.content.decode()) == (422, True)
    assert NoticeSettings.objects.get().push == ["drawn"]


def test_only_organisers_are_offered_calls(club: Club) -> None:
    for role, is_offered in (("organiser", True), ("scorekeeper", False), ("member", False)):
        client, member = account(club, role)
        wants(member, push=["drawn"])
        assert ("A table calls an organiser" in shown(client, club)) is is_offered


def test_one_tap_stops_everything_and_one_removes_a_browser(club: Club) -> None:
    client, flo, browser = signed_in_with_phone(club, name="Flo")
    other = has_phone(flo, Phone("https://push.example/for/another"))
    ann = has_phone(MemberFactory(club=club, name="Ann"))
    assert "Chrome on Android" in shown(client, club)
    post(client, "my_notices", club, do="remove", browser=other.pk)
    post(client, "my_notices", club, do="remove", browser=ann.pk)
    post(client, "my_notices", club, do="remove", browser="x")
    assert {row.pk for row in PushSubscription.objects.all()} == {browser.pk, ann.pk}
    post(client, "my_notices", club, do="stop")
    row = NoticeSettings.objects.get(member=flo)
    assert (row.push, row.mail) == ([], [])
    assert [row.pk for row in PushSubscription.objects.all()] == [ann.pk]


def test_where_mail_is_printed_only_phones_are_offered(club: Club, settings: Settings) -> None:
    settings.EMAIL_BACKEND = PRINTED
    client, flo = account(club)
    with_address(flo)
    told = shown(client, club)
    assert "Email is not set up on this site" in told
    assert "Tell me by email" not in told
    answer = post(client, "my_notices", club, do="mail")
    assert (answer.status_code, NO_MAIL in answer.content.decode()) == (422, True)


def test_account_without_a_confirmed_address_is_offered_no_mail(club: Club) -> None:
    client, _ = account(club)
    assert "You have no confirmed email address." in shown(client, club)
    assert post(client, "my_notices", club, do="mail").status_code == 422


def test_page_asks_the_same_however_many_browsers_there_are(club: Club, django_assert_num_queries: object) -> None:
    client, flo, _ = signed_in_with_phone(club, name="Flo")
    with_address(flo)
    for count in (0, 6):
        for number in range(count):
            has_phone(flo, Phone(f"https://push.example/another/{number}"))
        with django_assert_num_queries(8):  # type: ignore[operator]
            get(client, "my_notices", club)


# Who may


def test_phone_that_came_by_the_link_says_first_who_uses_it(club: Club) -> None:
    answer = get(phone(club), "my_notices", club)
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        "/clubs/trumps/me/?next=%2Fclubs%2Ftrumps%2Fme%2Fnotices%2F",
    )
    assert subscribes(phone(club), club).status_code == 403


def test_phone_of_a_member_without_an_account_chooses_for_its_own_person_but_no_mail(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    client = phone(club, ann)
    assert subscribes(client, club).status_code == 204
    row = PushSubscription.objects.get()
    assert (row.member, row.session, row.key) == (ann, None, club.key)
    assert "For email you need an account" in shown(client, club)
    post(client, "my_notices", club, do="save", push=["drawn"], mail=["drawn"])
    assert (NoticeSettings.objects.get().push, NoticeSettings.objects.get().mail) == (["drawn"], [])
    assert post(client, "my_notices", club, do="mail").status_code == 422


def test_phone_that_only_says_it_is_somebody_with_an_account_changes_nothing_but_itself(club: Club) -> None:
    _, flo, own = signed_in_with_phone(club, name="Flo")
    client, theirs = phone(club, flo), Phone("https://push.example/for/a-second")
    for do in ("save", "stop", "mail", "remove"):
        answer = post(client, "my_notices", club, do=do, browser=own.pk)
        assert (answer.status_code, NOT_HERE in answer.content.decode()) == (403, True)
    told = shown(client, club)
    assert "Sign in to choose your notices" in told
    assert "Stop all notices" not in told
    assert "Chrome on Android" not in told
    assert subscribes(client, club, theirs).status_code == 204
    assert PushSubscription.objects.count() == 2
    assert subscribes(client, club, theirs, do="remove").status_code == 204
    assert [row.pk for row in PushSubscription.objects.all()] == [own.pk]


def test_phone_that_only_says_it_is_somebody_neither_pushes_out_their_browsers_nor_sees_them(club: Club) -> None:
    client, flo, own = signed_in_with_phone(club, name="Flo")
    choices.choose(flo, push=[], mail=None, quiet=("", ""))
    other = phone(club, flo)
    for number in range(choices.MOST_BROWSERS + 2):
        assert subscribes(other, club, Phone(f"https://push.example/another/{number}")).status_code == 204
    rows = PushSubscription.objects.all()
    assert rows.filter(pk=own.pk).exists()
    assert rows.filter(session__isnull=True).count() == choices.MOST_BROWSERS
    assert NoticeSettings.objects.get().push == [], "they have chosen"
    assert own.endpoint_hash in get(client, "my_notices", club).content.decode()
    assert own.endpoint_hash not in get(other, "my_notices", club).content.decode()


@pytest.mark.parametrize(("visibility", "status"), [("public", 302), ("link", 403), ("members", 403)])
def test_stranger_has_no_notices(club: Club, visibility: str, status: int) -> None:
    Club.objects.update(visibility=visibility)
    ann = MemberFactory(club=club, name="Ann")
    client = Client()
    client.cookies[f"club-{club.pk}"] = f"no-key.{ann.pk}"
    assert get(client, "my_notices", club).status_code == status
    assert subscribes(client, club).status_code == 403
    assert not PushSubscription.objects.exists()


def test_member_of_another_club_has_none_here(club: Club) -> None:
    Club.objects.update(visibility="public")
    client, _ = account(ClubFactory())
    assert get(client, "my_notices", club).status_code == 403
    assert subscribes(client, club).status_code == 403


# Browsers


@pytest.mark.parametrize("fields", [
    {"p256dh": ""}, {"p256dh": "x"}, {"p256dh": base64url(b"\x04" + b"\x01" * 64)}, {"p256dh": base64url(b"\x04" * 64)},
    {"p256dh": base64url(b"\x04" * 65) + "é"}, {"auth": ""}, {"auth": base64url(b"x" * 15)},
    {"auth": base64url(b"x" * 17)}, {"auth": "*" * 22},
])  # fmt: skip
def test_bad_keys_of_a_browser_are_refused(club: Club, fields: dict[str, str]) -> None:
    client, _ = account(club)
    answer = subscribes(client, club, **fields)
    assert (answer.status_code, json.loads(answer.content)) == (400, {"problem": choices.NO_KEYS})
    assert not PushSubscription.objects.exists()
    assert not NoticeSettings.objects.exists()


@pytest.mark.parametrize("endpoint", [
    "", "x", "http://push.example/x", "https://", "https://a@push.example/x", "ftp://push.example/x",
    "https://push.example:port/x", "https://push.example/a b", "https://[push/x", f"https://push.example/{'x' * 2000}",
    "https://push.example/\n", "https://pösh.example/",
])  # fmt: skip
def test_endpoint_that_is_no_push_service_is_refused(club: Club, endpoint: str) -> None:
    client, _ = account(club)
    answer = subscribes(client, club, endpoint=endpoint)
    assert (answer.status_code, json.loads(answer.content)) == (400, {"problem": choices.NO_ENDPOINT})


def test_same_browser_again_is_one_with_its_newest_keys(club: Club) -> None:
    client, _ = account(club)
    first, second = Phone(), Phone()
    for one in (first, second):
        assert subscribes(client, club, one).status_code == 204
    assert PushSubscription.objects.get().p256dh == second.p256dh


def test_oldest_browsers_go_when_there_are_too_many(club: Club) -> None:
    client, _ = account(club)
    for number in range(choices.MOST_BROWSERS + 2):
        subscribes(client, club, Phone(f"https://push.example/for/{number}"))
    endpoints = list(PushSubscription.objects.values_list("endpoint", flat=True))
    assert len(endpoints) == choices.MOST_BROWSERS
    assert endpoints[0] == "https://push.example/for/2"


def renewed(former: Phone, fresh: Phone) -> HttpResponse:
    content = json.dumps({"former": former.endpoint, **fresh.fields})
    return Client(enforce_csrf_checks=True).post("/notices/renew/", content, "application/json")  # type: ignore[return-value]


def test_browser_with_a_new_address_is_the_same_browser(club: Club) -> None:
    former, fresh = Phone(), Phone("https://push.example/for/a-new-one")
    has_phone(MemberFactory(club=club), former)
    has_phone(MemberFactory(club=ClubFactory()), former)
    assert renewed(former, fresh).status_code == 204
    assert {row.endpoint for row in PushSubscription.objects.all()} == {fresh.endpoint}
    assert {row.p256dh for row in PushSubscription.objects.all()} == {fresh.p256dh}
    assert renewed(former, fresh).status_code == 404
    assert renewed(fresh, fresh).status_code == 204


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", '{"former": 1}', "\xff"])
def test_renewal_that_makes_no_sense_is_refused(content: str) -> None:
    assert Client().post("/notices/renew/", content, "application/json").status_code == 400


def test_renewal_with_bad_keys_is_refused(club: Club) -> None:
    former, fresh = Phone(), Phone("http://push.example/for/plain")
    has_phone(MemberFactory(club=club), former)
    assert renewed(former, fresh).status_code == 400
    assert PushSubscription.objects.get().endpoint == former.endpoint


def test_renewal_of_what_is_no_address_is_of_no_browser(club: Club) -> None:
    content = json.dumps({"former": "\ud800", **Phone().fields})
    assert Client().post("/notices/renew/", content, "application/json").status_code == 404


# Who uses a phone


def test_phone_that_says_it_is_somebody_else_shows_the_former_person_nothing_more(club: Club) -> None:
    ann, bob = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="Bob")
    client, other_club = phone(club, ann), ClubFactory(visibility="link")
    cy = MemberFactory(club=other_club, name="Cy")
    client.cookies[f"club-{other_club.pk}"] = f"{other_club.key}.{cy.pk}"
    second = has_phone(ann, Phone("https://push.example/for/her-own"))
    for one in (club, other_club):
        assert subscribes(client, one).status_code == 204
    post(client, "this_is_me", club, member=ann.pk)
    assert PushSubscription.objects.filter(member=ann).count() == 2, "it is still hers"
    post(client, "this_is_me", club, member=bob.pk)
    assert {(row.member, row.endpoint) for row in PushSubscription.objects.all()} == {
        (ann, second.endpoint), (cy, Phone().endpoint),
    }  # fmt: skip
    assert subscribes(client, club).status_code == 204
    post(client, "this_is_me", club, member=0)
    assert {row.member for row in PushSubscription.objects.all()} == {ann, cy}


def test_phone_with_a_new_address_is_still_known_when_somebody_else_uses_it(club: Club) -> None:
    ann, bob = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="Bob")
    client, fresh = phone(club, ann), Phone("https://push.example/for/a-new-one")
    subscribes(client, club)
    content = json.dumps({"former": Phone().endpoint, **fresh.fields})
    assert client.post("/notices/renew/", content, "application/json").status_code == 204
    assert PushSubscription.objects.get().endpoint == fresh.endpoint
    post(client, "this_is_me", club, member=bob.pk)
    assert not PushSubscription.objects.exists()


def test_phone_that_calls_itself_another_one_takes_nothing_from_that(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    hers, stranger = phone(club, ann), phone(club, MemberFactory(club=club, name="Bob"))
    subscribes(hers, club)
    stranger.cookies[COOKIE] = PushSubscription.objects.get().endpoint_hash
    post(stranger, "this_is_me", club, member=0)
    assert PushSubscription.objects.get().member == ann


def test_who_comes_in_while_they_are_signed_in_ends_what_the_phone_showed_before(club: Club) -> None:
    ann, carl = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="Carl")
    client = phone(club, ann)
    subscribes(client, club)
    invitation = make_invitation(
        club, uid="0123456789abcdefghijkA", role="member", member=carl, asks=False, days=7, by=None
    )
    client.force_login(UserFactory(), backend="django.contrib.auth.backends.ModelBackend")
    assert PushSubscription.objects.get().member == ann, "the account is of no club yet"
    assert client.post(reverse("accept_invitation", args=[token_of(invitation)])).status_code == 303
    assert not PushSubscription.objects.exists()


def test_phone_of_a_merged_person_stays_theirs(club: Club) -> None:
    ann, double = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="Annie")
    client = phone(club, double)
    subscribes(client, club)
    merge(double, ann, by=None)
    post(client, "this_is_me", club, member=ann.pk)
    assert PushSubscription.objects.get().member == double


def test_who_claims_a_guest_on_a_phone_of_another_takes_it_over(club: Club) -> None:
    client = phone(club, MemberFactory(club=club, name="Ann"))
    subscribes(client, club)
    client.cookies[f"club-{club.pk}"] = f"{club.key}.0"
    guest = new_guest(club, "Gil")
    assert post(client, "claim", club, code=claim_code(guest), do="mine").status_code == 303
    assert not PushSubscription.objects.exists()


def test_who_signs_in_on_a_phone_of_another_takes_it_over(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    elsewhere = MemberFactory(club=ClubFactory(visibility="link"), name="Di")
    client = phone(club, ann)
    client.cookies[f"club-{elsewhere.club_id}"] = f"{elsewhere.club.key}.{elsewhere.pk}"
    for one in (club, elsewhere.club):
        subscribes(client, one)
    _, bob = account(club, name="Bob")
    bob.user.set_password("a password of Bob")
    bob.user.save()
    EmailAddress.objects.create(user=bob.user, email=bob.user.email, primary=True, verified=True)
    there = {"login": bob.user.email, "password": "a password of Bob"}
    assert client.post(reverse("account_login"), there).status_code == 302
    assert [row.member for row in PushSubscription.objects.all()] == [elsewhere]


def test_own_phone_stays_when_its_person_signs_in(club: Club) -> None:
    _, ann = account(club, name="Ann")
    client = phone(club, ann)
    assert subscribes(client, club).status_code == 204
    ann.user.set_password("a password of Ann")
    ann.user.save()
    EmailAddress.objects.create(user=ann.user, email=ann.user.email, primary=True, verified=True)
    there = {"login": ann.user.email, "password": "a password of Ann"}
    assert client.post(reverse("account_login"), there).status_code == 302
    assert [row.member for row in PushSubscription.objects.all()] == [ann]


# Stopping by a link


def test_notice_on_a_phone_stops_that_phone_alone(club: Club) -> None:
    _, flo, browser = signed_in_with_phone(club)
    other = has_phone(flo, Phone("https://push.example/for/another"))
    there = stop_path(browser)
    somebody = Client(enforce_csrf_checks=True)
    assert "Stop them on that phone" in page(somebody.get(there)).text
    assert somebody.post(there).status_code == 200
    assert [row.pk for row in PushSubscription.objects.all()] == [other.pk]
    assert NoticeSettings.objects.get().push
    assert somebody.post(there).status_code == 404


@pytest.mark.parametrize("token", ["m", "m1", "b1.x", "x1.abc", "m999999999999999999999.x", "m١.x"])
def test_wrong_link_stops_nothing(club: Club, token: str) -> None:
    signed_in_with_phone(club)
    assert Client().post(f"/notices/stop/{token}/").status_code == 404
    assert PushSubscription.objects.count() == 1


def test_link_of_one_stops_nobody_else(club: Club) -> None:
    ann, bo = MemberFactory(club=club), MemberFactory(club=club)
    for member in (ann, bo):
        has_phone(member)
    wrong = stop_path(ann).replace(f"m{ann.pk}.", f"m{bo.pk}.")
    assert Client().post(wrong).status_code == 404
    Client().post(stop_path(ann), {"do": "all"})
    assert [row.member for row in PushSubscription.objects.all()] == [bo]


# One's own data


def test_what_the_club_holds_names_choices_and_browsers_without_their_addresses(club: Club) -> None:
    _, flo, browser = signed_in_with_phone(club)
    wants(flo, push=["drawn"], mail=["planned"], quiet_from=datetime.time(22), quiet_until=datetime.time(8))
    told = held_about(flo, lambda path: path)
    content = json.loads(told)
    assert content["notices you chose"] == [
        {
            "on phones": ["Your table is drawn"], "by email": ["A night is planned"], "quiet from": "22:00:00",
            "quiet until": "08:00:00",
        }
    ]  # fmt: skip
    assert content["browsers that show you notices"][0]["browser"] == "Chrome on Android"
    assert browser.endpoint not in told
    assert str(browser.session_id) not in told
