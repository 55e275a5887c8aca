"""The club in a file and out of one, on the pages of its organisers and of who founds a club with it."""

from __future__ import annotations

import datetime
import gzip
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.archive.export import document_of, packed
from clubs.archive.parse import NotTaken, unpacked
from clubs.archive_import.apply import take_in
from clubs.club.founding import new_code
from clubs.members.people import new_member
from clubs.models import AuditEntry, Club, ClubExport, FoundingCode, Member, Table, Upload, User
from tests.club_factories import ClubFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.archive.years import forgotten

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def club() -> Club:
    club = ClubFactory(name="Thursday", slug="thursday")
    people = [new_member(club, name) for name in ("Ann", "Bo", "Cy", "Di")]
    Member.objects.filter(pk=people[0].pk).update(user=UserFactory(), role="organiser")
    played(NightFactory(club=club), people)
    TrophyFactory(club=club)
    return club


@pytest.fixture
def organiser(club: Club) -> Client:
    return signed_in(club.members.get(name="Ann").user)


def file_of(content: bytes, name: str = "thursday.club.gz") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def changed(club: Club, **change: Any) -> bytes:
    """The file of the club, with something else under these keys."""
    return gzip.compress(json.dumps(document_of(club) | change).encode())


def hand_in(client: Client, club: Club, content: bytes) -> Any:
    return client.post(reverse("import_club", args=[club.slug]), {"file": file_of(content)})


def mark_on(page: Any) -> str:
    return page.context["differences"].mark


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("view", ["export_club", "club_file", "import_club"])
@pytest.mark.parametrize("role", ["member", "scorekeeper", "stranger"])
def test_nobody_but_an_organiser_comes_near_it(club: Club, view: str, role: str) -> None:
    user = UserFactory()
    if role == "stranger":
        other = ClubFactory()
        new_member(other, "Zed", role="organiser", user=user)
    else:
        new_member(club, "Zed", role=role, user=user)
    client = signed_in(user)
    assert client.get(reverse(view, args=[club.slug])).status_code == 403
    assert Client().get(reverse(view, args=[club.slug])).status_code in (302, 303, 403)
    assert client.post(reverse("export_club", args=[club.slug])).status_code == 403
    assert not ClubExport.objects.exists()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_days_nobody_can_mean_are_refused(organiser: Client, club: Club, day: str) -> None:
    (night,) = document_of(club)["nights"]
    page = hand_in(organiser, club, changed(club, nights=[night | {"on": day}]))
    assert page.status_code == 422
    assert "nights, number 1, on: that year is too far away" in page.content.decode()


@pytest.mark.thorough
def test_club_takes_in_what_it_lacks(organiser: Client, club: Club) -> None:
    whole = packed(club)
    document = document_of(club)
    forgotten(club)
    # The same club, before its night.
    early = document | {key: [] for key in ("nights", "tables", "sheets", "calls", "chairs", "placings", "diary")}
    club = take_in(unpacked(json.dumps(early).encode()), None).club
    user = UserFactory()
    Member.objects.filter(club=club, name="Ann").update(user=user)
    client = signed_in(user)
    answer = hand_in(client, club, whole)
    assert answer.status_code == 303
    page = client.get(answer.url)
    assert "1 sheet" in page.content.decode()
    assert club.nights.count() == 0
    done = client.post(answer.url, {"saw": mark_on(page), "speaks": page.context["speaks"]})
    assert (done.status_code, club.nights.count()) == (303, 1)
    assert {**document_of(club), "diary": []} == {**document, "diary": []}
    line = AuditEntry.objects.get(club=club)
    assert line.says.startswith("Imported a club file: 1 night")
    assert line.by == club.members.get(name="Ann")
    again = client.post(answer.url, {"saw": mark_on(page), "speaks": page.context["speaks"]})
    assert again.status_code in (200, 303)
    assert "Imported" in client.get(answer.url).content.decode()
    assert AuditEntry.objects.filter(club=club).count() == 1


def test_what_was_shown_is_what_is_done(organiser: Client, club: Club) -> None:
    new_member(club, "Ed")
    file = packed(club)
    club.members.get(name="Ed").delete()
    answer = hand_in(organiser, club, file)
    page = organiser.get(answer.url)
    assert page.context["changes"] == []
    Member.objects.filter(club=club, name="Bo").update(nickname="Bobby")
    done = organiser.post(answer.url, {"saw": mark_on(page), "speaks": "file"})
    assert done.status_code == 409
    assert "Something has changed" in done.content.decode()
    assert not club.members.filter(name="Ed").exists()
    assert organiser.post(answer.url, {"saw": mark_on(done), "speaks": "file"}).status_code == 303
    assert club.members.filter(name="Ed").exists()


def test_who_is_right_can_be_said(organiser: Client, club: Club) -> None:
    file = packed(club)
    Member.objects.filter(club=club, name="Bo").update(nickname="Bobby")
    answer = hand_in(organiser, club, file)
    page = organiser.get(f"{answer.url}?speaks=club")
    assert "Bo: nickname “Bobby” → nothing" in page.content.decode()
    assert page.context["changes"] == []
    page = organiser.get(f"{answer.url}?speaks=file")
    assert page.context["changes"] == ["Bo: nickname “Bobby” → nothing"]
    organiser.post(answer.url, {"saw": mark_on(page), "speaks": "file"})
    assert club.members.get(name="Bo").nickname == ""


def test_file_that_conflicts_is_refused_with_the_conflicts(organiser: Client, club: Club) -> None:
    night = club.nights.get()
    number = night.tables.count() + 1
    there = Table.objects.create(night=night, number=number, game="dirty-dog")
    file = packed(club)
    there.delete()
    Table.objects.create(night=night, number=number, game="dingo")
    before = packed(club)
    page = organiser.get(hand_in(organiser, club, file).url)
    text = page.content.decode()
    assert "another table of that night has this number here." in text
    assert "Then save a new file and import that." in text
    assert ">Import</button>" not in text
    seen = {"saw": mark_on(page), "speaks": page.context["speaks"]}
    refused = organiser.post(page.wsgi_request.path, seen)
    assert refused.status_code == 422
    assert "another table of that night has this number here." in refused.content.decode()
    assert packed(club) == before


def test_file_can_be_thrown_away(organiser: Client, club: Club) -> None:
    answer = hand_in(organiser, club, packed(club))
    assert "Nothing changes: everything in the file" in organiser.get(answer.url).content.decode()
    assert organiser.post(answer.url, {"do": "away"}).status_code == 303
    assert Upload.objects.count() == 0
    assert organiser.get(answer.url).status_code == 404


def test_file_is_kept_until_the_next_one_and_not_overnight(organiser: Client, club: Club) -> None:
    for _ in range(2):
        assert hand_in(organiser, club, packed(club)).status_code == 303
    first = Upload.objects.get()
    Upload.objects.update(at=first.at - datetime.timedelta(hours=7))
    user = UserFactory()
    Member.objects.filter(club=club, name="Bo").update(user=user, role="organiser")
    assert hand_in(signed_in(user), club, packed(club)).status_code == 303
    assert Upload.objects.get().by == user


def test_nobody_else_sees_a_file_that_was_handed_in(organiser: Client, club: Club) -> None:
    answer = hand_in(organiser, club, packed(club))
    user = UserFactory()
    new_member(club, "Flo", role="organiser", user=user)
    assert signed_in(user).get(answer.url).status_code == 404
    other = ClubFactory()
    new_member(other, "Ann", role="organiser", user=club.members.get(name="Ann").user)
    pk = Upload.objects.get().pk
    assert organiser.get(reverse("club_upload", args=[other.slug, pk])).status_code == 404


def test_file_of_another_club_is_refused(organiser: Client, club: Club) -> None:
    other = ClubFactory(name="Other")
    new_member(other, "Zed")
    answer = hand_in(organiser, club, packed(other))
    assert answer.status_code == 422
    assert "another club" in answer.content.decode()
    assert Upload.objects.count() == 0


HOSTILE = {
    "blank": (b" ", "cannot be read"),
    "text": (b"hello", "cannot be read"),
    "a list": (b"[]", "no club file"),
    "a later version": (b'{"format": "club/2"}', "another version"),
    "nothing but its name": (b'{"format": "club/1"}', "is missing"),
    "no press": (b"\x1f\x8bnot", "damaged"),
    "cut off": (gzip.compress(b'{"format": "club/1"}')[:-3], "end is missing"),
    "more behind it": (gzip.compress(b"{}") + b"more", "after the end"),
    "a bomb": (gzip.compress(b" " * 50_000_000), "larger than"),
    "deep": (b"[" * 100_000, "ested"),
    "a long number": (b"9" * 5000, "digits"),
    "not a number": (b'{"a": NaN}', "no number"),
    "twice": (b'{"a": 1, "a": 2}', "repeated"),
    "no letters": (b"\xff\xfe", "UTF-8"),
    "a crowd": (b"[" + b"[]," * 2_700_000 + b"[]]", "more in this file"),
}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_club_file_is_refused_with_a_sentence(organiser: Client, club: Club, name: str) -> None:
    content, says = HOSTILE[name]
    answer = hand_in(organiser, club, content)
    assert answer.status_code == 422
    assert says in answer.content.decode()


@pytest.mark.parametrize(
    ("most", "too_many"),
    [([[]] * 29 + [{}] * 30, [[]] * 30 + [{}] * 30), ([0] * 161, [0] * 162)],
    ids=["lists and objects", "commas"],
)
def test_so_many_things_are_taken_for_the_size_of_a_file_and_not_one_more(
    most: list[object], too_many: list[object]
) -> None:
    with pytest.raises(NotTaken, match="this is no club file"):
        unpacked(json.dumps(most).encode(), most=960)
    with pytest.raises(NotTaken, match="more in this file than any club has"):
        unpacked(json.dumps(too_many).encode(), most=960)


def test_more_sheets_than_a_page_takes_in_are_refused(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.views.club.archive.MOST_SHEETS", 0)
    document = document_of(club)
    forgotten(club)
    early = document | {key: [] for key in ("nights", "tables", "sheets", "calls", "chairs", "placings", "diary")}
    club = take_in(unpacked(json.dumps(early).encode()), None).club
    user = UserFactory()
    Member.objects.filter(club=club, name="Ann").update(user=user)
    answer = hand_in(signed_in(user), club, json.dumps(document).encode())
    assert answer.status_code == 422
    assert "This file has more than the 300 new sheets" in " ".join(answer.content.decode().split())
    assert not club.nights.exists()


def test_no_file_and_a_file_too_large_are_refused(organiser: Client, club: Club) -> None:
    there = reverse("import_club", args=[club.slug])
    assert organiser.post(there).status_code == 422
    assert organiser.post(there, {"file": "text"}).status_code == 422
    assert organiser.post(there, {"file": file_of(b"x" * (8 * 1024 * 1024 + 1))}).status_code == 413
    assert organiser.post(there, {"file": file_of(b"x" * (9 * 1024 * 1024))}).status_code == 413


# A club that is new here


def test_club_is_brought_with_the_founding_code(club: Club) -> None:
    file, document = packed(club), document_of(club)
    ann = club.members.get(name="Ann").uid
    forgotten(club)
    user, code = UserFactory(), new_code()
    client = signed_in(user)
    there = reverse("bring_club")
    assert client.get(there).status_code == 200
    assert client.post(there, {"file": file_of(file), "code": "WRONG"}).status_code == 422
    answer = client.post(there, {"file": file_of(file), "code": code.lower()})
    assert answer.status_code == 303
    page = client.get(answer.url)
    assert "4 people" in page.content.decode()
    assert not Club.objects.exists()
    nobody = client.post(answer.url, {"saw": mark_on(page), "me": "", "called": " "})
    assert nobody.status_code == 422
    done = client.post(answer.url, {"saw": mark_on(page), "me": ann})
    assert done.status_code == 303
    again = Club.objects.get()
    assert again.members.get(user=user).name == "Ann"
    assert again.members.filter(user__isnull=False).count() == 1
    assert {**document_of(again), "diary": []} == {**document, "diary": []}
    assert not FoundingCode.objects.filter(used_at__isnull=True).exists()
    assert signed_in(user).get(done.url).status_code == 200


def test_code_brings_one_club_only(club: Club) -> None:
    file = packed(club)
    forgotten(club)
    code = new_code()
    one, other = signed_in(UserFactory()), signed_in(UserFactory())
    answers = [client.post(reverse("bring_club"), {"file": file_of(file), "code": code}) for client in (one, other)]
    pages = [client.get(answer.url) for client, answer in zip((one, other), answers, strict=True)]
    assert one.post(answers[0].url, {"saw": mark_on(pages[0]), "called": "Zed"}).status_code == 303
    late = other.post(answers[1].url, {"saw": mark_on(pages[1]), "called": "Mal"})
    assert late.status_code == 422
    assert "no longer starts a club" in late.content.decode()
    assert Club.objects.count() == 1
    assert not Member.objects.filter(name="Mal").exists()


def test_owner_of_the_site_brings_a_club_without_a_code(club: Club) -> None:
    file = packed(club)
    forgotten(club)
    client = signed_in(UserFactory(is_superuser=True))
    answer = client.post(reverse("bring_club"), {"file": file_of(file)})
    page = client.get(answer.url)
    assert client.post(answer.url, {"saw": mark_on(page), "called": "Ow Ner"}).status_code == 303
    assert Club.objects.get().members.get(name="Ow Ner").role == "organiser"


def test_club_that_is_here_is_not_brought_again(club: Club) -> None:
    client = signed_in(UserFactory(is_superuser=True))
    answer = client.post(reverse("bring_club"), {"file": file_of(packed(club))})
    assert answer.status_code == 422
    assert "already" in answer.content.decode()


def test_only_the_owner_of_the_site_reads_to_which_other_club_something_of_a_file_belongs(
    organiser: Client, club: Club
) -> None:
    theirs = TrophyFactory(club=ClubFactory(name="The Secret Seven"), name="Their own cup")
    (ours,) = document_of(club)["trophies"]
    spoiled = changed(club, trophies=[ours | {"uid": theirs.uid, "name": "The cup"}])
    owner = UserFactory(is_superuser=True)
    for client, reads in ((organiser, False), (signed_in(owner), True)):
        answer = hand_in(client, club, spoiled)
        assert answer.status_code == 422
        assert "belongs to another club of this site" in answer.text
        assert ("The trophy The cup: belongs to The Secret Seven." in answer.text) is reads
        assert ("The Secret Seven" in answer.text) is reads
        assert "Their own cup" not in answer.text


def test_nobody_brings_a_club_without_an_account() -> None:
    assert Client().get(reverse("bring_club")).status_code in (302, 303)
    assert Client().post(reverse("bring_club")).status_code == 403
