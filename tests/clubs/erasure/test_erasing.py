"""Erasing a member: nowhere in the database, on no page and in no file stands their name afterwards."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.archive.export import document_of, packed
from clubs.archive.parse import unpacked
from clubs.archive.privacy import without_erased
from clubs.archive_import.apply import take_in
from clubs.archive_import.diff import differences
from clubs.erasure import member as erasure_member
from clubs.evening.adopt import take_out
from clubs.members.erased_names import replacer
from clubs.members.merge import merge
from clubs.members.people import new_guest, new_member, rename
from clubs.members.roles import LAST, come_back, leave_club
from clubs.models import (
    Attendance,
    Award,
    Club,
    ClubExport,
    Invitation,
    KeptApart,
    Member,
    Placing,
    ReadKey,
    Table,
    Upload,
    User,
)
from clubs.projections.rebuild import made_anew
from clubs.standings.seasons import lock
from scoresheets.access.scorekeepers import hashed
from scoresheets.files.log_export import copies_of
from scoresheets.log.state import read_sheet
from scoresheets.models import Entry, GlossaryTerm, Player, Revision, Scorekeeper, Seat, Sheet
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    SeasonFactory,
    TrophyFactory,
    UserFactory,
    played,
)
from tests.clubs.archive.years import forgotten
from tests.clubs.visitors import account, came_in_now, get, post, text
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.people import substitute

pytestmark = pytest.mark.django_db

#: Everything she was ever called.
NAMES = ("Zaphira", "Quillfeather", "Zaffi", "Quillfether", "zaphira@example.org", "Zaphie")
#: As somebody writes them: "zAfFI" is no name but five letters of a random token.
ANY = re.compile("|".join(re.escape(written) for name in NAMES for written in (name, name.lower(), name.upper())))
#: New on every page, of random letters.
TOKEN = re.compile(r'(?:csrfmiddlewaretoken" value|nonce)="[^"]+"|"X-CSRFToken": ?"[^"]+"')


class Story:
    """A club in which Zaphira left her name everywhere."""

    def __init__(self) -> None:
        self.client, self.organiser = account(ClubFactory(slug="trumps", visibility="link"), "organiser", name="Flo")
        self.club: Club = self.organiser.club
        self.user = UserFactory(email="zaphira@example.org", password="!")
        self.others = [MemberFactory(club=self.club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
        self.her = new_member(self.club, "Zaphira Quillfether", user=self.user)
        rename(self.her, name="Zaphira Quillfeather", nickname="Zaffi", by=self.organiser)
        self.twin = new_guest(self.club, "Zaphie")
        assert merge(self.twin, self.her, by=self.organiser) == []
        self.night = NightFactory(club=self.club, title="Zaphira’s birthday")
        self.table = played(self.night, [self.her, *self.others[:3]])
        self.second = played(self.night, [self.others[0], self.her, *self.others[1:3]], hands=2)
        self.third = played(self.night, self.others, hands=1)
        self.write_on_sheets()
        self.win_and_wait()

    def write_on_sheets(self) -> None:
        for table in (self.table, self.second, self.third):
            said = {"tag": "", "note": "zaphira sang", "seat": None}
            write = Revision.objects.filter(sheet=table.sheet).latest("version")
            Entry.objects.create(sheet=table.sheet, hand=1, ask="note-9", data=said, added_by=write, first_by=write)
            Sheet.objects.filter(pk=table.sheet.pk).update(title="Zaffi’s game", coming=["Zaphira", "Eve"])
        Revision.objects.filter(sheet=self.second.sheet).update(why="Zaffi saw it")
        sure_of(substitute(self.scorer(self.third.sheet), 1, "ZAPHIRA", player=self.her.player_id, sure=True))
        Scorekeeper.objects.filter(sheet=self.third.sheet).update(name="Zaffi")
        Scorekeeper.objects.create(sheet=self.second.sheet, name="Zaphira", user=self.user, created=timezone.now())
        GlossaryTerm.objects.create(
            term="Zaphira’s rule", folded="zaphira’s rule", meaning="Zaffi deals again.", browser=hashed("the phone"),
            added_at=timezone.now(),
        )  # fmt: skip

    def scorer(self, sheet: Sheet) -> Scorer:
        return Scorer(sheet, sheet.scorekeepers.get(browser=hashed("the phone")))

    def win_and_wait(self) -> None:
        cup = TrophyFactory(club=self.club, about="Given by Zaphira.")
        Award.objects.create(trophy=cup, name="Zaffi", on="1999-01-01", source="typed", why="So says Zaphira.")
        Award.objects.create(
            trophy=cup, member=self.her, on=self.night.on, source="sheet", table=self.table, why="Zaphira won.",
            confirmed_at=timezone.now(), handed_at=timezone.now(),
        )  # fmt: skip
        season = SeasonFactory(club=self.club, name="Zaphira’s year")
        lock(season, by=self.organiser)
        Invitation.objects.create(club=self.club, token_hash="i" * 64, member=self.her)
        ReadKey.objects.create(club=self.club, label="Zaffi’s laptop", key_hash="k" * 64)
        KeptApart.objects.create(club=self.club, one=self.her, other=self.others[0])
        Attendance.objects.create(night=self.night, member=self.her, says="here", leaves="21:00")
        Upload.objects.create(
            kind="results", club=self.club, by=self.organiser.user, called="Zaphira.csv", content=b'[["Zaffi"],[]]'
        )
        Member.objects.filter(pk=self.others[3].pk).update(says_is=self.her)
        write_down(self.club, "ZAPHIRA QUILLFEATHER brought cake, zaffi’s own.", by=self.her)


@pytest.fixture
def story() -> Story:
    return Story()


def values(value: Any) -> Iterator[str]:
    if isinstance(value, bytes | memoryview):
        raw = bytes(value)
        yield (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
    elif isinstance(value, dict | list):
        yield json.dumps(value, ensure_ascii=False)
    else:
        yield str(value)


def in_the_database(pattern: re.Pattern[str]) -> list[str]:
    """Every column of every table in which it stands."""
    found = []
    for model in apps.get_models():
        fields = [field.name for field in model._meta.concrete_fields if not field.is_relation]
        for row in model._default_manager.values(*fields):
            for name, value in row.items():
                found += [f"{model.__name__}.{name}: {said}" for said in values(value) if pattern.search(said)]
    return found


def pages(client: Client, *starts: str) -> Iterator[tuple[str, str]]:
    """Every page and file that is reached by links."""
    todo, seen = list(starts), set(starts)
    while todo:
        path = todo.pop()
        answer = client.get(path)
        if answer.status_code in (301, 302, 303):
            found = [answer.url]
        else:
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            said = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode("utf-8", "replace")
            yield path, TOKEN.sub("", said)
            found = re.findall(r'(?:href|action)="([^"]+)"', said) if "text/html" in answer["Content-Type"] else []
        for link in found:
            there = urldefrag(urljoin(path, link.replace("&amp;", "&"))).url
            if there.startswith("/") and not there.startswith(("/static", "/account", "/rules")) and there not in seen:
                seen.add(there)
                todo.append(there)


def test_name_stands_nowhere_after_it_was_erased(story: Story) -> None:
    before = {line.split(":")[0] for line in in_the_database(ANY)}
    assert {
        "Member.name", "Member.nickname", "Player.name", "Seat.name", "Entry.data", "AuditEntry.says", "Award.name",
        "Award.why", "Scorekeeper.name", "Sheet.title", "Sheet.coming", "Revision.why", "GlossaryTerm.term",
        "GlossaryTerm.folded", "Upload.content", "Night.title", "Season.name", "Trophy.about",
    } <= before, "the test must have something to find"  # fmt: skip
    placings = list(Placing.objects.order_by("pk").values_list("member", "place", "score"))
    word = {"term": "Old Rule", "folded": "Old Rule", "meaning": "As before.", "added_at": timezone.now()}
    other = GlossaryTerm.objects.create(browser=hashed("the phone"), **word)
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    story.user.delete()
    assert GlossaryTerm.objects.values("term", "folded", "meaning", "added_at").get(pk=other.pk) == word
    assert in_the_database(ANY) == []
    assert list(Placing.objects.order_by("pk").values_list("member", "place", "score")) == placings
    assert Member.objects.get(pk=story.her.pk).name == "Somebody"
    assert {member.name for member in story.club.members.all()} == {"Ann", "Bo", "Cy", "Di", "Flo", "Somebody"}
    assert made_anew(story.club)[1] == [], "what is counted stays"


@pytest.mark.thorough
@pytest.mark.timeout(400)
def test_no_page_and_no_file_says_the_name(story: Story) -> None:
    sheets = [story.table.sheet, story.second.sheet, story.third.sheet]
    starts = [story.club.get_absolute_url(), *(reverse("watch", args=[sheet.watch]) for sheet in sheets)]
    client = story.client
    warm = [path for path, said in pages(client, *starts) if ANY.search(said)]
    assert len(warm) > 20, "the test must have something to find"
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    found = {path: ANY.findall(said) for path, said in pages(client, *starts) if ANY.search(said)}
    assert found == {}


def test_pad_that_was_open_goes_on_without_the_name(story: Story) -> None:
    scorer = story.scorer(story.second.sheet)
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    scorer.clear_hand()
    names = [chair.name for chair in scorer.reading.sitting.first.values()]
    assert sorted(names) == ["Ann", "Bo", "Cy", "Somebody"]


def test_old_file_of_the_club_brings_the_name_back_neither(story: Story) -> None:
    old = packed(story.club)
    story.user.delete()
    assert erasure_member.erase_member(Member.objects.get(pk=story.her.pk), by=story.organiser) == ""
    for speaks in (True, None, False):
        take_in(unpacked(old), Club.objects.get(pk=story.club.pk), file_speaks=speaks)
        assert [line for line in in_the_database(ANY) if not line.startswith("Club")] == []
    assert Member.objects.get(pk=story.her.pk).erased_at is not None
    assert ANY.search(json.dumps(document_of(story.club), ensure_ascii=False)) is None


def test_mail_addresses_in_a_file_come_in_nowhere(story: Story) -> None:
    document = json.loads(gzip.decompress(packed(story.club)))
    text_of_it = json.dumps(document).replace('"Cy"', '"Cy <cy@example.org>"').replace('"Di"', '"di@example.org"')
    forgotten(story.club)
    take_in(unpacked(text_of_it.encode()), None)
    assert in_the_database(re.compile("(cy|di)@example")) == []
    assert {member.name for member in Club.objects.get(uid=story.club.uid).members.all()} >= {"Cy", "Somebody"}


def test_everything_in_an_old_file_is_put_through(story: Story) -> None:
    old = unpacked(packed(story.club))
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    document = differences(old, story.club).document
    assert ANY.search(json.dumps(document, ensure_ascii=False)) is None
    names = {name for sheet in document["sheets"] for *_, name in sheet["sheet"]["seats"]}
    assert names == {"Ann", "Bo", "Cy", "Di", "Somebody"}


def test_old_file_with_somebody_who_is_new_here_is_left_alone(story: Story) -> None:
    document = unpacked(packed(story.club))
    assert without_erased(document, {}) == document


def test_audit_log_says_who_erased_somebody_else(story: Story) -> None:
    said = story.club.audit_entries.filter(says__startswith="Erased a member")
    assert erasure_member.erase_member(story.others[0], by=story.organiser) == ""
    assert said.get().by == story.organiser
    assert erasure_member.erase_member(story.her, by=story.her) == ""
    assert [line.by for line in said.order_by("pk")] == [story.organiser, None]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("has_played", [True, False], ids=["erased", "deleted"])
def test_file_that_was_made_before_is_thrown_away_and_no_other(story: Story, *, has_played: bool) -> None:
    other = ClubExport.objects.create(club=ClubFactory(), key="b" * 32)
    ClubExport.objects.create(club=story.club, key="a" * 32)
    member = story.her if has_played else MemberFactory(club=story.club, name="Ivy")
    assert post(story.client, "erase_member", story.club, member.pk, typed=member.name).status_code == 303
    assert list(ClubExport.objects.all()) == [other]


def test_new_file_lays_the_club_out_with_somebody(story: Story) -> None:
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    document = unpacked(packed(story.club))
    (row,) = [row for row in document["members"] if row["uid"] == story.her.uid]
    assert (row["name"], row["nickname"]) == ("Somebody", "")
    assert row["erased_at"]
    copies = [copy for _, copy in copies_of([story.table.sheet])]
    assert "Somebody" in [name for *_, name in copies[0]["seats"]]


def test_second_person_who_is_erased_is_another_somebody(story: Story) -> None:
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    assert erasure_member.erase_member(story.others[0], by=story.organiser) == ""
    names = set(Seat.objects.filter(sheet=story.table.sheet).values_list("name", flat=True))
    assert names == {"Somebody", "Somebody 2", "Bo", "Cy"}
    assert "Bo" in {member.name for member in story.club.members.all()}


@pytest.mark.thorough
def test_sheets_of_nobodys_club_and_of_another_are_left_alone(story: Story) -> None:
    other = ClubFactory()
    there = Member.objects.create(club=other, player=story.her.player, name="Zaphira", role="member")
    table = played(NightFactory(club=other), [there, *MemberFactory.create_batch(3, club=other)])
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    assert Seat.objects.filter(sheet=table.sheet, name="Zaphira").exists()
    there.refresh_from_db()
    assert there.name == "Zaphira"
    assert ANY.search(json.dumps(document_of(story.club), ensure_ascii=False)) is None


def test_erased_member_never_comes_back_and_the_last_organiser_stays(story: Story) -> None:
    assert erasure_member.erase_member(story.organiser, by=story.organiser) == LAST
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    her = Member.objects.get(pk=story.her.pk)
    come_back(her, by=story.organiser)
    her.refresh_from_db()
    assert her.left_at is not None
    assert post(story.client, "member_settings", story.club, her.pk, do="call", name="Zaphira").status_code == 403
    assert "only the results are left" in text(get(story.client, "member_settings", story.club, her.pk))


@pytest.mark.parametrize(
    ("names", "others", "said", "then"),
    [
        (["Ann"], [], "Ann’s and Annie’s", "Somebody’s and Annie’s"),
        (["Ann"], ["Ann Smith"], "Added Ann Smith. Added Ann.", "Added Ann Smith. Added Somebody."),
        (["Ann Smith"], ["Bo Smith"], "Ann, Smith and Bo Smith", "Somebody, Smith and Bo Smith"),
        (["Will"], [], "Will will deal", "Somebody will deal"),
        (["May"], [], "May on 3 May 2026, may be", "Somebody on 3 May 2026, may be"),
        (["Zoë"], [], "zoë, ZOË, Zoe\u0308", "Somebody, Somebody, Somebody"),
        (["Somebody 2"], [], "Somebody 2 and Somebody", "Somebody 2 and Somebody"),
        (["a.b@example.org"], [], "to a.b@example.org.", "to Somebody."),
    ],
)
def test_names_are_found_as_whole_words(names: list[str], others: list[str], said: str, then: str) -> None:
    assert replacer(names, others, "Somebody")(said) == then


# The pages


def test_organiser_erases_by_typing_the_name(story: Story) -> None:
    page = get(story.client, "erase_member", story.club, story.her.pk)
    assert "This cannot be undone" in text(page)
    assert "Backups" in text(page)
    wrong = post(story.client, "erase_member", story.club, story.her.pk, typed="zaffi")
    assert (wrong.status_code, Member.objects.get(pk=story.her.pk).erased_at) == (422, None)
    done = post(story.client, "erase_member", story.club, story.her.pk, typed=" zaphira  quillfeather ")
    assert (done.status_code, done.url) == (303, reverse("members", args=[story.club.slug]))
    assert Member.objects.get(pk=story.her.pk).erased_at
    assert "Zaphira" not in text(get(story.client, "audit_log", story.club))


def test_member_without_a_result_is_deleted(story: Story) -> None:
    new = new_member(story.club, "Wilhelmina")
    write_down(story.club, "Added Wilhelmina.", by=story.organiser)
    assert "Delete member" in text(get(story.client, "erase_member", story.club, new.pk))
    assert post(story.client, "erase_member", story.club, new.pk, typed="Wilhelmina").status_code == 303
    assert in_the_database(re.compile("Wilhelmina")) == []
    assert not Member.objects.filter(pk=new.pk).exists()
    assert not Player.objects.filter(pk=new.player_id).exists()


def test_only_somebody_who_came_in_lately_erases_themselves(story: Story) -> None:
    client = Client()
    client.force_login(story.user)
    page = get(client, "erase_member", story.club, story.her.pk)
    assert "Sign in once more" in text(page)
    assert post(client, "erase_member", story.club, story.her.pk, typed="Zaphira Quillfeather").status_code == 200
    assert Member.objects.get(pk=story.her.pk).erased_at is None
    came_in_now(client)
    assert post(client, "erase_member", story.club, story.her.pk, typed="Zaphira Quillfeather").status_code == 303
    assert Member.objects.get(pk=story.her.pk).erased_at
    stranger, _ = account(story.club)
    assert get(stranger, "erase_member", story.club, story.others[0].pk).status_code == 403


def test_sheet_that_was_brought_in_and_taken_out_again_is_left_alone(story: Story) -> None:
    Table.objects.filter(pk=story.second.pk).update(source="brought")
    story.second.refresh_from_db()
    assert take_out(story.second, by=story.organiser)
    before = read_sheet(Sheet.objects.get(pk=story.second.sheet_id)).names
    assert erasure_member.erase_member(story.her, by=story.organiser) == ""
    assert read_sheet(Sheet.objects.get(pk=story.second.sheet_id)).names == before
    assert "Zaphira" not in read_sheet(Sheet.objects.get(pk=story.table.sheet_id)).names.values()


# What is refused


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("has_played", [True, False], ids=["erased", "deleted"])
def test_last_organiser_is_neither_erased_nor_deleted(story: Story, has_played: bool) -> None:
    if has_played:
        played(story.night, [story.organiser, *story.others[:3]], hands=1)
    came_in_now(story.client)
    assert ("Delete member" in text(get(story.client, "erase_member", story.club, story.organiser.pk))) != has_played
    page = post(story.client, "erase_member", story.club, story.organiser.pk, typed="Flo")
    assert page.status_code == 409
    assert LAST in text(page)
    kept = Member.objects.get(pk=story.organiser.pk)
    assert (kept.name, kept.left_at, kept.erased_at) == ("Flo", None, None)


def test_member_who_got_a_result_meanwhile_is_not_deleted(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    new = new_member(story.club, "Wilhelmina")
    monkeypatch.setattr("clubs.erasure.member.delete_members", lambda *_, **__: [])
    page = post(story.client, "erase_member", story.club, new.pk, typed="Wilhelmina")
    assert page.status_code == 409
    assert "A result has come in since" in text(page)
    assert Member.objects.filter(pk=new.pk).exists()


def test_member_with_a_result_is_not_deleted_with_others(story: Story) -> None:
    new = new_member(story.club, "Wilhelmina")
    assert erasure_member.delete_members([new, story.others[0]], by=story.organiser) == [new]
    assert Member.objects.filter(pk=story.others[0].pk).exists()


def test_second_record_and_erased_member_have_no_such_page(story: Story) -> None:
    assert erasure_member.erase_member(story.others[0], by=story.organiser) == ""
    for member in (story.twin, story.others[0]):
        lines = story.club.audit_entries.count()
        for answer in (
            get(story.client, "erase_member", story.club, member.pk),
            post(story.client, "erase_member", story.club, member.pk, typed=member.name),
        ):
            assert (answer.status_code, answer.url) == (
                303,
                reverse("member_settings", args=[story.club.slug, Member.objects.get(pk=member.pk).main_record.pk]),
            )
        assert story.club.audit_entries.count() == lines


@pytest.mark.parametrize("role", ["member", "scorekeeper", "organiser elsewhere", "nobody"])
def test_nobody_else_erases_a_member(story: Story, role: str) -> None:
    client, club = Client(), ClubFactory() if role == "organiser elsewhere" else story.club
    if role != "nobody":
        client, _ = account(club, role.split()[0])
    answer = post(client, "erase_member", story.club, story.her.pk, typed="Zaphira Quillfeather")
    assert answer.status_code in (302, 403, 404)
    assert Member.objects.get(pk=story.her.pk).name == "Zaphira Quillfeather"


def test_account_is_deleted_by_nobody_who_is_not_signed_in(story: Story) -> None:
    assert Client().post(reverse("delete_account"), {"sure": "on"}).status_code == 403
    assert User.objects.filter(pk=story.user.pk).exists()


# The account


def test_account_is_deleted_and_the_member_stays(story: Story) -> None:
    client = Client()
    client.force_login(story.user)
    assert "Sign in once more" in text(client.get(reverse("delete_account")))
    came_in_now(client)
    page = text(client.get(reverse("delete_account")))
    assert "stays in the club without an account" in page
    assert client.post(reverse("delete_account")).status_code == 422
    assert "Your account is deleted" in text(client.post(reverse("delete_account"), {"sure": "on"}))
    assert in_the_database(re.compile("zaphira@")) == []
    her = Member.objects.get(pk=story.her.pk)
    assert (her.user, her.name, her.left_at) == (None, "Zaphira Quillfeather", None)
    assert client.get(reverse("account")).status_code in (302, 303)


def test_account_that_asked_to_join_a_club_is_deleted_with_the_request(story: Story) -> None:
    waiting = MemberFactory(club=ClubFactory(), name="Zaphie", user=story.user, approved_at=None)
    client = Client()
    client.force_login(story.user)
    came_in_now(client)
    assert "Your account is deleted" in text(client.post(reverse("delete_account"), {"sure": "on"}))
    assert not Member.objects.filter(pk=waiting.pk).exists()
    assert Member.objects.filter(pk=story.her.pk).exists(), "where they belong their name stays"


def test_account_leaves_no_name_on_sheets_of_no_club_and_every_result(story: Story) -> None:
    client, left = Client(), new_member(ClubFactory(), "Zaphira", user=story.user)
    Member.objects.filter(pk=left.pk).update(left_at=timezone.now())
    kitchen = Scorekeeper.objects.create(
        sheet=scorer(4).sheet, name="Zaphira", user=story.user, created=timezone.now(), browser="z" * 64
    )
    client.force_login(story.user)
    came_in_now(client)
    page = text(client.get(reverse("delete_account")))
    assert f"{left.club.name}</bdi></b>: <bdi>Zaphira</bdi> left the club, and the results stay there." in " ".join(
        page.split()
    )
    client.post(reverse("delete_account"), {"sure": "on"})
    assert Scorekeeper.objects.get(pk=kitchen.pk).name == ""
    assert Scorekeeper.objects.get(sheet=story.second.sheet, name="Zaphira").user is None
    assert Member.objects.get(pk=left.pk).user is None


def test_account_is_deleted_with_the_name_in_a_club_that_was_left(story: Story) -> None:
    assert leave_club(story.her, "", by=story.her) == ""
    client = Client()
    client.force_login(story.user)
    came_in_now(client)
    client.post(reverse("delete_account"), {"sure": "on", "erase": "on"})
    assert in_the_database(ANY) == []


def test_account_is_deleted_with_every_name(story: Story) -> None:
    client = Client()
    client.force_login(story.user)
    came_in_now(client)
    client.post(reverse("delete_account"), {"sure": "on", "erase": "on"})
    assert in_the_database(ANY) == []


def test_only_owner_is_told_that_nobody_owns_the_site_then() -> None:
    client, owner = Client(), UserFactory(is_superuser=True)
    client.force_login(owner)
    came_in_now(client)
    warning = "You are the only owner of this site"
    page = text(client.get(reverse("delete_account")))
    assert warning in page
    assert "manage.py owner " in page
    other = UserFactory(is_superuser=True, is_active=False)
    assert warning in text(client.get(reverse("delete_account"))), "a closed account owns nothing"
    User.objects.filter(pk=other.pk).update(is_active=True)
    assert warning not in text(client.get(reverse("delete_account")))
    User.objects.all().update(is_superuser=False)
    assert warning not in text(client.get(reverse("delete_account")))


def test_only_organiser_is_told_what_becomes_of_the_club(story: Story) -> None:
    came_in_now(story.client)
    assert "You are the only organiser" in text(story.client.get(reverse("delete_account")))
