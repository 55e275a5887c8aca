"""A club without an organiser gets one: by a one-time code of the terminal, or by the club's file."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.archive.export import packed
from clubs.club.founding import new_code
from clubs.club.organiser_codes import clubs_without_organiser, organiser_code
from clubs.models import Club, FoundingCode, Member
from clubs.models.club import ORGANISER_CODE_LASTS
from clubs.server import startup
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.archive.years import forgotten
from tests.clubs.visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/clubs/found/organiser/"


@pytest.fixture
def alone(club: Club) -> Club:
    """A club of four in which nobody has an account; Ann organised it elsewhere."""
    people = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    Member.objects.filter(pk=people[0].pk).update(role="organiser")
    played(NightFactory(club=club), people)
    Club.objects.filter(pk=club.pk).update(visibility="link")
    return Club.objects.get()


def terminal(*words: object) -> str:
    out = io.StringIO()
    call_command("club", *map(str, words), stdout=out)
    return out.getvalue()


def become(client: Client, code: str, **more: object) -> object:
    return client.post(PAGE, {"code": code, "do": "become"} | more)


@pytest.mark.thorough
def test_import_on_a_new_site_ends_with_a_link_and_a_code_that_make_an_organiser(alone: Club, tmp_path: Path) -> None:
    file = tmp_path / "club.json.gz"
    terminal("export", alone.slug, file)
    forgotten(alone)
    said = terminal("import", file, "--confirm")
    club = Club.objects.get()
    assert re.search(rf"Its link: http\S+/clubs/{club.slug}/in/{club.key}/\n", said)
    code, path = re.findall(r"days: ([A-Z0-9-]{19})\nhttp://[^/]+(/\S+)", said)[0]
    ann = signed_in(UserFactory(email="ann@example.org"))
    page = ann.get(path)
    assert "Become an organiser" in page.text
    assert ann.get(path).text.count("works once") == 1, "looking uses nothing up"
    done = become(ann, code, me=str(club.members.get(name="Ann").pk))
    assert (done.status_code, done.url) == (303, reverse("organise", args=[club.slug]))
    assert ann.get(done.url).status_code == 200
    assert club.members.get(name="Ann").user.email == "ann@example.org"
    again = become(signed_in(UserFactory()), code, called="Eve")
    assert again.status_code == 422
    assert "It may have been used" in again.text
    assert "Its link" not in terminal("import", file, "--confirm"), "it has an organiser now"


def test_of_an_archived_club_no_link_is_printed_that_opens_nothing(club: Club) -> None:
    Club.objects.update(archived_at="2026-01-01T00:00Z", visibility="link")
    said = terminal("organiser", club.slug)
    assert "Its link" not in said
    assert "It is archived: an organiser can read it, and bring it back in its settings." in said
    code = re.findall(r"days: (\S+)", said)[0]
    ann = signed_in(UserFactory())
    assert "Who are you?" in ann.get(f"{PAGE}?code={code}").text
    assert ann.get(become(ann, code, called="Ann").url).status_code == 200
    assert ann.get(reverse("club_settings", args=[club.slug])).status_code == 200


def test_import_that_changes_nothing_gives_a_code_as_long_as_nobody_organises_the_club(
    alone: Club, tmp_path: Path
) -> None:
    file = tmp_path / "club.json.gz"
    terminal("export", alone.slug, file)
    assert terminal("import", file).endswith("Nothing would change.\n")
    assert not FoundingCode.objects.exists()
    said = terminal("import", file, "--confirm")
    assert "Nothing would change.\n" in said
    assert f"/clubs/{alone.slug}/in/{alone.key}/\n" in said
    code = re.findall(r"days: (\S+)\n", said)[0]
    assert become(signed_in(UserFactory()), code, called="Eve").status_code == 303
    assert "days: " not in terminal("import", file, "--confirm"), "it has an organiser now"


def test_any_club_gets_a_code_by_the_owner_of_the_machine(club: Club) -> None:
    MemberFactory(club=club, user=UserFactory(), role="organiser", name="Ann")
    old = re.findall(r"days: (\S+)", terminal("organiser", club.slug))[0]
    code = re.findall(r"days: (\S+)", terminal("organiser", club.slug))[0]
    bo = signed_in(UserFactory())
    assert become(bo, old, called="Bo").status_code == 422, "a newer code takes its place"
    assert become(bo, code.lower().replace("-", " "), called="Bo").status_code == 303
    assert club.members.get(name="Bo").role == "organiser"
    assert club.audit_entries.get().says == "Bo became an organiser with a code of the site."


def test_who_belongs_to_the_club_stays_who_they_are(club: Club) -> None:
    user = UserFactory()
    cy = MemberFactory(club=club, user=user, name="Cy")
    code, path = organiser_code(club)
    client = signed_in(user)
    assert "You belong to the club as" in client.get(path).text
    assert become(client, code).status_code == 303
    cy.refresh_from_db()
    assert (cy.role, club.members.count()) == ("organiser", 1)


def test_nobody_takes_the_place_of_somebody_with_an_account(club: Club) -> None:
    ann = MemberFactory(club=club, user=UserFactory(), role="organiser", name="Ann")
    code, path = organiser_code(club)
    eve = signed_in(UserFactory())
    assert "Ann" not in eve.get(path).text
    assert become(eve, code, me=str(ann.pk)).status_code == 409
    assert become(eve, code).status_code == 422
    assert FoundingCode.objects.for_organisers().count() == 1


def test_code_runs_out_after_a_week_and_founds_no_club(club: Club) -> None:
    code, _ = organiser_code(club)
    typed = {"code": code, "name": "Another", "called": "Eve", "place": "", "time_zone": "UTC"}
    eve = signed_in(UserFactory())
    answer = eve.post(reverse("found_club"), typed)
    assert (answer.status_code, answer.url.partition("?")[0]) == (303, PAGE), "it leads to where it is good"
    assert Club.objects.count() == 1
    assert become(eve, new_code(), called="Eve").status_code == 422, "nor does a founding code make an organiser"
    with time_machine.travel(timezone.now() + ORGANISER_CODE_LASTS, tick=False):
        assert become(eve, code, called="Eve").status_code == 422
    assert not club.members.exists()


def test_link_whose_code_works_no_longer_says_so_at_once_and_where_a_new_one_comes_from(club: Club) -> None:
    _, replaced = organiser_code(club)
    code, path = organiser_code(club)
    eve = signed_in(UserFactory())
    assert "does not work" not in eve.get(path).text
    assert "does not work" not in eve.get(PAGE).text
    with time_machine.travel(timezone.now() + ORGANISER_CODE_LASTS, tick=False):
        expired = eve.get(path).text
    assert become(signed_in(UserFactory()), code, called="Bo").status_code == 303
    for page in (expired, eve.get(path).text, eve.get(replaced).text):
        assert "That code does not work. It may have been used" in page
        assert "can make a new code for you" in page
        assert 'name="code"' in page


def test_without_an_account_one_signs_in_first(club: Club) -> None:
    _, path = organiser_code(club)
    answer = Client().get(path)
    assert answer.status_code in (302, 303)
    assert "code%3D" in answer.url


def test_start_of_the_site_names_clubs_without_an_organiser(alone: Club) -> None:
    MemberFactory(club=ClubFactory(), user=UserFactory(), role="organiser")
    assert list(clubs_without_organiser()) == [alone]
    said = startup.welcome(None, without_organiser=[alone])
    assert f"manage.py club organiser {alone.slug}" in said


def test_founding_from_the_file_of_a_club_that_nobody_organises_leads_to_its_organiser(alone: Club) -> None:
    ann = signed_in(UserFactory())
    file = SimpleUploadedFile("club.gz", packed(alone))
    answer = ann.post(reverse("bring_club"), {"code": new_code(), "file": file})
    assert (answer.status_code, answer.url.partition("?")[0]) == (303, PAGE)
    code = ann.get(answer.url).context["code"]
    assert become(ann, code, me=str(alone.members.get(name="Ann").pk)).status_code == 303
    assert Club.objects.count() == 1
    assert not FoundingCode.objects.founding().exists(), "the founding code is used up by it"
    file = SimpleUploadedFile("club.gz", packed(alone))
    refused = ann.post(reverse("bring_club"), {"code": new_code(), "file": file})
    assert "That club is on this site already" in refused.text
