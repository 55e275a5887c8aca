"""The club's own link, who sees which club, and the sheets of a club that is for its members alone."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.access.visit import COOKIE
from clubs.club import settings
from clubs.models import Club, Member
from scoresheets.access.scorekeepers import hashed
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played

pytestmark = pytest.mark.django_db
Visibility = Club.Visibility
WATCHED = [
    "watch",
    "watch_rows",
    "watch_table",
    "watch_curve",
    "watch_top",
    "watch_rules",
    "watch_words",
    "watch_history",
    "watch_picture",
]
SHEET = ["sheet", "curve", "export_sheet", "export_csv", "history", "picture", "rules_page", "words", "state"]


def link_of(club: Club) -> str:
    return reverse("come_in", args=[club.slug, club.key])


def signed_in(club: Club, role: str = "member") -> Client:
    client = Client()
    client.force_login(MemberFactory(club=club, user=UserFactory(), role=role).user)
    return client


def test_link_of_a_club_lets_the_browser_in_from_then_on_and_uses_nothing_up(client: Client) -> None:
    club = ClubFactory(visibility="link")
    assert client.get(club.get_absolute_url()).status_code == 403
    for browser in (client, Client()):
        came = browser.get(link_of(club))
        assert (came.status_code, came.headers["Location"]) == (302, club.get_absolute_url())
        assert browser.get(club.get_absolute_url()).status_code == 200
    assert "sessionid" not in client.cookies
    assert client.cookies[COOKIE.format(club.pk)]["httponly"]


def test_link_outlives_another_address_of_the_club(client: Client) -> None:
    club = ClubFactory(visibility="link", slug="old")
    printed = link_of(club)
    settings.settle(club, {"slug": "new"}, by=None)
    assert client.get(printed).headers["Location"] == "/clubs/new/"


def test_who_comes_in_again_stays_who_they_said_they_are(client: Client) -> None:
    club = ClubFactory(visibility="link")
    client.cookies[COOKIE.format(club.pk)] = "an-old-key.7"
    client.get(link_of(club))
    assert client.cookies[COOKIE.format(club.pk)].value == f"{club.key}.7"


def test_wrong_key_opens_nothing_and_is_counted(client: Client) -> None:
    club = ClubFactory(visibility="link")
    wrong = reverse("come_in", args=[club.slug, "x" * 22])
    answers = [client.get(wrong).status_code for _ in range(31)]
    assert answers == [404] * 30 + [429]
    assert client.get(link_of(club)).status_code == 302


def test_new_link_shuts_out_who_came_by_the_old_one_and_nobody_with_an_account(client: Client) -> None:
    club = ClubFactory(visibility="link")
    member = signed_in(club)
    old = link_of(club)
    client.get(old)
    assert settings.new_link(club, saw=club.key, by=None) is True
    assert settings.new_link(club, saw=club.key, by=None) is False, "a second tap"
    assert client.get(club.get_absolute_url()).status_code == 403
    assert client.get(old).status_code == 404
    assert member.get(club.get_absolute_url()).status_code == 200


def test_link_of_a_members_club_names_nothing_and_asks_to_sign_in(client: Client) -> None:
    club = ClubFactory(visibility="members", name="The Thursday Club")
    came = client.get(link_of(club))
    assert came.headers["Location"].startswith("/account/login/code/?next=")
    assert COOKIE.format(club.pk) not in client.cookies
    client.force_login(UserFactory())
    stranger = client.get(link_of(club))
    assert stranger.status_code == 403
    assert "Thursday" not in stranger.text
    assert signed_in(club).get(link_of(club)).status_code == 302


def test_club_that_was_put_away_is_there_for_its_members_alone(client: Client) -> None:
    club = ClubFactory(visibility="public")
    member = signed_in(club)
    settings.put_away(club, by=None)
    assert client.get(club.get_absolute_url()).status_code == 403
    assert client.get(link_of(club)).status_code == 404
    assert member.get(club.get_absolute_url()).status_code == 200
    settings.bring_back(club, by=None)
    assert client.get(club.get_absolute_url()).status_code == 200


def test_members_club_leaks_no_sheet_of_its_tables() -> None:
    club = ClubFactory(visibility="members")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    sheet = table.sheet
    addresses = [reverse(name, args=[sheet.watch]) for name in WATCHED] + [
        reverse(name, args=[sheet.code]) for name in SHEET
    ]
    addresses += [reverse("watch_why", args=[sheet.watch, "1", 1]), reverse("why", args=[sheet.code, "1", 1])]
    stranger, other = Client(), signed_in(ClubFactory(), "organiser")
    for address in addresses:
        assert stranger.get(address).status_code in (404, 429), address
        assert other.get(address).status_code in (404, 429), address
    member = signed_in(club)
    for address in addresses:
        if "state" not in address:
            assert member.get(address).status_code == 200, address


def test_phone_that_keeps_score_writes_on_the_sheet_of_a_members_club(client: Client) -> None:
    club = ClubFactory(visibility="members")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    client.cookies["pencil"] = "p" * 22
    keeper = table.sheet.scorekeepers.get()
    keeper.browser = hashed("p" * 22)
    keeper.save()
    assert client.get(reverse("pad", args=[table.sheet.code])).status_code == 200
    assert client.get(reverse("watch", args=[table.sheet.watch])).status_code == 200
    keeper.revoked_at = keeper.created
    keeper.save()
    assert client.get(reverse("pad", args=[table.sheet.code])).status_code == 403
    assert client.get(reverse("watch", args=[table.sheet.watch])).status_code == 404


def test_sheets_follow_what_the_club_says_about_who_sees_it(client: Client) -> None:
    club = ClubFactory(visibility="link")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    watch = reverse("watch", args=[table.sheet.watch])
    settings.settle(club, {"visibility": "members"}, by=None)
    assert client.get(watch).status_code == 404
    settings.settle(club, {"visibility": "public"}, by=None)
    assert client.get(watch).status_code == 200


def test_sheet_that_was_taken_from_its_table_is_a_sheet_like_any_other(client: Client) -> None:
    club = ClubFactory(visibility="members")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    watch = reverse("watch", args=[table.sheet.watch])
    assert client.get(watch).status_code == 404
    table.withdrawn_at = table.created
    table.save()
    assert client.get(watch).status_code == 200


def test_watching_a_sheet_of_a_club_by_link_asks_for_no_session(client: Client, django_assert_num_queries) -> None:
    club = ClubFactory(visibility="link")
    member = signed_in(club)
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    table.sheet.refresh_from_db()
    rows = reverse("watch_rows", args=[table.sheet.watch]) + f"?v={table.sheet.version}"
    member.get(rows)
    with django_assert_num_queries(1):
        assert member.get(rows).status_code == 204


def test_list_of_clubs_shows_what_one_may_know_of(client: Client) -> None:
    ClubFactory(name="The public", visibility="public")
    by_link, shut = (ClubFactory(name=f"The {kind}", visibility=kind) for kind in ("link", "members"))
    page = client.get("/clubs/").text
    assert [name in page for name in ("The public", "The link", "The members")] == [True, False, False]
    client.get(link_of(by_link))
    assert "The link" in client.get("/clubs/").text
    client.cookies[COOKIE.format(shut.pk)] = f"{shut.key}.0"
    assert "The members" not in client.get("/clubs/").text
    member = signed_in(shut)
    assert "The members" in member.get("/clubs/").text


def test_list_of_clubs_believes_no_cookie(client: Client) -> None:
    for number in range(80):
        client.cookies[f"club-{number}"] = "x.1"
    client.cookies["club-999999999999"] = "x"
    assert client.get("/clubs/").status_code == 200


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_page_of_organisers_is_for_organisers(client: Client, role: str) -> None:
    club = ClubFactory(visibility="public")
    page = reverse("organise", args=[club.slug])
    assert client.get(page).headers["Location"] == f"/account/login/code/?next=%2Fclubs%2F{club.slug}%2Forganise%2F"
    assert signed_in(club, role).get(page).status_code == 403
    assert signed_in(ClubFactory(), "organiser").get(page).status_code == 403
    assert signed_in(club, "organiser").get(page).status_code == 200


def test_post_without_an_account_says_to_sign_in_first(client: Client) -> None:
    club = ClubFactory(visibility="public")
    answer = client.post(reverse("club_settings", args=[club.slug]), {"do": "put-away"})
    assert answer.status_code == 403
    assert "Sign in first" in answer.text


def test_page_that_is_not_shown_may_be_shown_to_who_signs_in_or_has_the_link(client: Client) -> None:
    shut = ClubFactory(visibility="members")
    there, never = client.get(shut.get_absolute_url()), client.get("/clubs/never-was/")
    assert there.status_code == never.status_code == 403
    assert "Ask somebody in the club for the link" in there.text
    assert there.text.replace(shut.slug, "") == never.text.replace("never-was", "")
    assert f"/account/login/code/?next={shut.get_absolute_url()}" in there.text


def test_page_of_organisers_says_what_waits(client: Client) -> None:
    club = ClubFactory(visibility="public")
    MemberFactory(club=club, approved_at=None)
    organiser = signed_in(club, "organiser")
    assert "1 person asks to join" in organiser.get(reverse("organise", args=[club.slug])).text
    Member.objects.waiting().update(left_at="2026-01-01T00:00Z")
    assert "to join" not in organiser.get(reverse("organise", args=[club.slug])).text


@pytest.mark.parametrize(
    ("page", "most"), [("clubs", 5), ("organise", 14), ("club_settings", 4), ("club_qr_code", 4), ("audit_log", 6)]
)
def test_pages_of_a_club_need_few_queries(page: str, most: int, django_assert_max_num_queries) -> None:
    club = ClubFactory(visibility="link")
    MemberFactory.create_batch(20, club=club)
    ClubFactory.create_batch(20)
    organiser = signed_in(club, "organiser")
    for number in range(20):
        club.audit_entries.create(says=f"Line {number}.", by=Member.objects.all()[number])
    address = reverse(page, args=[club.slug] if page != "clubs" else [])
    with django_assert_max_num_queries(most):
        assert organiser.get(address).status_code == 200


def test_no_page_of_a_club_is_kept_by_who_stands_between(client: Client) -> None:
    club = ClubFactory(visibility="public")
    for page in ("club", "members", "standings", "club_qr_code"):
        response = client.get(reverse(page, args=[club.slug]))
        assert "private" in response["Cache-Control"], page
        assert "noindex" in response["X-Robots-Tag"], page
