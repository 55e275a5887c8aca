"""The pages of trophies and honours: what everybody sees, and what organisers do on them."""

from __future__ import annotations

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clubs.models import Attendance, AuditEntry, Award, Chair, Club, Dispute, Member, Night, Trophy
from clubs.photos.pictures import made_small
from clubs.trophies import awards
from clubs.trophies.register import carriers
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    TableFactory,
    TrophyFactory,
    UserFactory,
    played,
    scored,
)
from tests.clubs.trophy_night import given, holders, night, third_wins

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="boxers")


@pytest.fixture
def cup(club: Club) -> Trophy:
    return TrophyFactory(club=club)


def browser_of(club: Club, role: str) -> Client:
    client, user = Client(), UserFactory()
    MemberFactory(club=club, name="Olga", user=user, role=role)
    client.force_login(user)
    return client


@pytest.fixture
def organiser(club: Club) -> Client:
    return browser_of(club, "organiser")


def text_of(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return squeezed(response.content)


def squeezed(content: bytes) -> str:
    """A page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", "", content.decode()).split())


def page(name: str, *args: object) -> str:
    return reverse(name, args=["boxers", *args])


def test_register_says_who_holds_what_since_when_and_in_whose_hands_it_is(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    ann, bo, *_ = four
    given(cup, ann)
    given(cup, bo, 1)
    given(cup, bo, 2)
    given(TrophyFactory(club=club, name="The Spoon", goes="loser"), ann, 1)
    given(Trophy.objects.get(name="The Spoon"), bo, 2, handed=False)
    said = text_of(Client(), page("trophies"))
    assert "Bo since 12 March 2026, won twice running" in said
    assert "Won by Bo, still with Ann." in said
    assert "has it now" not in said


def test_trophy_tells_the_line_of_its_holders(club: Club, cup: Trophy, four: list[Member]) -> None:
    ann, bo, *_ = four
    given(cup, None, -400, name="Zed")
    for week, member in enumerate([ann, ann, ann, bo]):
        given(cup, member, week)
    said = text_of(Client(), cup.get_absolute_url())
    assert "Bo took it from Ann on 26 March 2026, Ann from Zed on 5 March 2026." in said
    assert "Back-to-back Ann three times running, from 5 March 2026" in said
    assert "The longest hold Zed 7 years" in said


def test_who_sits_at_another_table_than_the_one_that_is_followed_defends_nothing(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    given(cup, four[0])
    tonight = NightFactory(club=club, on=club.today())
    first, second = TableFactory(night=tonight, number=1), TableFactory(night=tonight, number=2)
    Night.objects.filter(pk=tonight.pk).update(trophies="table", trophies_table=first)
    chair = Chair.objects.create(table=second, place=1, member=four[0])
    said = text_of(Client(), page("trophies"))
    assert "Ann is not at Table 1: The Cup goes to somebody else." in said
    assert "Ann defends" not in said
    chair.table = first
    chair.save()
    assert "Ann defends The Cup" in text_of(Client(), page("trophies"))


def test_longest_hold_is_no_more_exact_than_what_was_typed(club: Club, cup: Trophy, four: list[Member]) -> None:
    given(cup, None, -60, name="Zed")
    given(cup, four[0])
    given(cup, four[1], 1)
    assert "The longest hold Zed 14 months, from" in text_of(Client(), cup.get_absolute_url())
    Award.objects.filter(name="Zed").update(exact=Award.Exact.MONTH)
    assert "The longest hold Zed about 14 months, from January 2025" in text_of(Client(), cup.get_absolute_url())


def test_night_before_says_who_brings_what_and_who_defends(club: Club, cup: Trophy, four: list[Member]) -> None:
    given(cup, four[0])
    given(cup, four[1], 1, handed=False)
    NightFactory(club=club, on=club.today())
    said = text_of(Client(), page("trophies"))
    assert "Ann brings The Cup." in said
    assert "Bo defends The Cup." in said
    coming = club.nights.order_by("on").last()
    assert f'href="{coming.get_absolute_url()}"' in Client().get(page("trophies")).text


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", ["trophies", "honours"])
def test_page_takes_the_same_queries_however_much_was_won(
    club: Club, cup: Trophy, four: list[Member], name: str, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for week in range(3):
        played(night(club, week), four)
    for week in range(40):
        given(cup, four[week % 3], week)
    NightFactory(club=club, on=club.today())
    with django_assert_max_num_queries(10):
        assert Client().get(page(name)).status_code == 200


def test_trophy_takes_few_queries(
    club: Club, cup: Trophy, four: list[Member], django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for week in range(40):
        given(cup, four[week % 3], week)
    with django_assert_max_num_queries(10):
        assert Client().get(cup.get_absolute_url()).status_code == 200


def test_organiser_confirms_and_ticks_what_was_handed_over(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    played(night(club), four)
    won = Award.objects.get()
    assert "Ann won it" in text_of(Client(), page("trophies"))
    assert "Yes, it goes to Ann" in text_of(organiser, page("trophies"))
    for deed in ("confirm", "confirm", "hand-over", "hand-over"):
        answer = organiser.post(page("change_award", won.pk, deed), {"from": "trophies"})
        assert (answer.status_code, answer["Location"]) == (303, page("trophies"))
    assert [row.shown for _, row in carriers(club) if row] == ["Ann"]
    assert AuditEntry.objects.filter(club=club).count() == 2


def test_what_was_changed_meanwhile_is_shown_as_it_stands(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    table = played(night(club), four)
    won = Award.objects.get()
    third_wins(table)
    answer = organiser.post(page("change_award", won.pk, "confirm"), {"from": "trophies"})
    assert answer.status_code == 409
    assert "Cy won it" in squeezed(answer.content)


@pytest.mark.thorough
@pytest.mark.parametrize(("choice", "holder"), [("keep", "Ann"), ("move", "Cy")])
def test_organiser_answers_what_a_correction_asks(
    club: Club, cup: Trophy, four: list[Member], organiser: Client, choice: str, holder: str
) -> None:
    table = played(night(club), four)
    awards.confirm(Award.objects.get(), by=None)
    third_wins(table)
    assert "names Cy now. The Cup was awarded to Ann" in text_of(Client(), page("trophies"))
    dispute = Dispute.objects.get()
    assert organiser.post(page("answer_dispute", dispute.pk), {"answer": choice}).status_code == 303
    assert [row.shown for _, row in holders(club) if row] == [holder]
    assert organiser.post(page("answer_dispute", dispute.pk), {"answer": "again"}).status_code == 303
    assert [row.shown for _, row in holders(club) if row] == ["Ann"]
    assert organiser.post(page("answer_dispute", dispute.pk), {"answer": "what"}).status_code == 422


def test_award_is_taken_back_and_put_back(club: Club, cup: Trophy, four: list[Member], organiser: Client) -> None:
    won = given(cup, four[0])
    assert "Take back" in text_of(organiser, f"{cup.get_absolute_url()}?mend=1")
    assert "Take back" not in text_of(Client(), f"{cup.get_absolute_url()}?mend=1")
    organiser.post(page("change_award", won.pk, "undo"))
    assert [row for _, row in holders(club)] == [None]
    assert "What was taken back" in text_of(organiser, cup.get_absolute_url())
    organiser.post(page("change_award", won.pk, "put-back"))
    assert [row.shown for _, row in holders(club) if row] == ["Ann"]


# The thing itself


TYPED = {"name": "The Cup", "goes": "winner", "drawing": "cup"}


def picture(kind: str = "JPEG", size: tuple[int, int] = (1200, 900), **more: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "teal").save(file, kind, **more)
    return file.getvalue()


def test_trophy_is_added_with_a_picture_made_small_and_without_metadata(club: Club, organiser: Client) -> None:
    exif = Image.Exif()
    exif[0x010F] = "The maker of the phone"
    exif[0x0112] = 6
    file = SimpleUploadedFile("cup.jpg", picture(exif=exif.tobytes()), "image/jpeg")
    answer = organiser.post(
        page("new_trophy"), {"name": " The  Cup ", "goes": "winner", "drawing": "cup", "picture": file}
    )
    assert answer.status_code == 303
    cup = Trophy.objects.get()
    shown = Client().get(page("trophy_picture", cup.pk, cup.picture_key))
    assert shown["Content-Type"] == "image/webp"
    with Image.open(io.BytesIO(shown.content)) as small:
        assert (cup.name, small.format, small.size) == ("The Cup", "WEBP", (384, 512))
        assert not small.getexif()
    assert b"maker" not in shown.content
    assert Client().get(page("trophy_picture", cup.pk, "another")).status_code == 404
    organiser.post(
        page("edit_trophy", cup.pk), {"name": "The Cup", "goes": "loser", "drawing": "boot", "no-picture": "1"}
    )
    cup.refresh_from_db()
    assert (cup.goes, cup.drawing, cup.picture, cup.picture_key) == ("loser", "boot", None, "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a picture",
        picture()[:200],
        b"GIF89a" + b"\xff" * 40,
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        picture("BMP", (10, 10)),
    ],
    ids=["empty", "text", "half", "broken", "drawing", "another kind"],
)
def test_what_is_no_picture_is_refused_with_a_sentence(club: Club, organiser: Client, content: bytes) -> None:
    file = SimpleUploadedFile("cup.jpg", content, "image/jpeg")
    answer = organiser.post(
        page("new_trophy"), {"name": "The Cup", "goes": "winner", "drawing": "cup", "picture": file}
    )
    assert answer.status_code == 422
    assert "cannot read this picture" in squeezed(answer.content)
    assert not Trophy.objects.exists()


@pytest.mark.thorough
def test_picture_that_unpacks_to_too_much_is_refused(club: Club, organiser: Client) -> None:
    file = SimpleUploadedFile("cup.png", picture("PNG", (9000, 7000)), "image/png")
    answer = organiser.post(
        page("new_trophy"), {"name": "The Cup", "goes": "winner", "drawing": "cup", "picture": file}
    )
    assert answer.status_code == 422
    assert "too big" in squeezed(answer.content)


def test_picture_of_a_phone_is_let_in_and_other_bodies_are_not(club: Club, organiser: Client) -> None:
    big = b"0" * 400_000
    file = SimpleUploadedFile("cup.jpg", picture() + big, "image/jpeg")
    assert organiser.post(page("new_trophy"), {**TYPED, "picture": file}).status_code == 303
    assert organiser.post(page("type_holders", Trophy.objects.get().pk), {"lines": big.decode()}).status_code == 413


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"name": " "}, "A trophy needs a name."),
        ({"name": "\u200b"}, "A trophy needs a name."),
        ({"name": "x" * 61}, "At most 60 characters fit here."),
        ({"goes": "nobody"}, "Choose who gets it."),
        ({"drawing": "../../base"}, "Choose one of the drawings."),
        ({"about": "a\0b"}, "There is a character in it that is no text."),
    ],
)
def test_trophy_that_cannot_be_is_refused_beside_its_field(
    club: Club, organiser: Client, typed: dict[str, str], says: str
) -> None:
    answer = organiser.post(page("new_trophy"), {**TYPED, **typed})
    assert answer.status_code == 422
    assert says in squeezed(answer.content)
    assert not Trophy.objects.exists()


def test_trophy_taken_off_the_register_is_kept_and_comes_back(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    given(cup, four[0])
    organiser.post(page("archive_trophy", cup.pk))
    organiser.post(page("archive_trophy", cup.pk))
    assert holders(club) == []
    assert "archived since" in text_of(Client(), cup.get_absolute_url())
    organiser.post(page("archive_trophy", cup.pk), {"back": "1"})
    assert [row.shown for _, row in holders(club) if row] == ["Ann"]
    assert AuditEntry.objects.filter(club=club).count() == 2


# Typed by hand


def test_organiser_writes_down_who_has_won(club: Club, cup: Trophy, four: list[Member], organiser: Client) -> None:
    typed = {"who": "bo", "when": "5 March 2026", "why": "Arm wrestling", "handed": "1"}
    for _ in range(2):
        assert organiser.post(page("give_trophy", cup.pk), typed).status_code == 303
    won = Award.objects.get()
    assert (won.member, won.source, won.why, won.on.isoformat()) == (four[1], "typed", "Arm wrestling", "2026-03-05")
    assert [row.shown for _, row in carriers(club) if row] == ["Bo"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"who": ""}, "A name is missing here."),
        ({"who": "Zed"}, "Nobody in the club is called Zed."),
        ({"when": "yesterday"}, "When was it?"),
        ({"when": "31 February 2026"}, "There is no such day."),
        ({"when": "5 March 2199"}, "That day has not come yet."),
        ({"when": "5 March 2026 or so"}, "There is something after the day: or so"),
        ({"why": "x" * 201}, "At most 200 characters fit here."),
    ],
)
def test_award_that_cannot_be_is_refused_beside_its_field(
    club: Club, cup: Trophy, four: list[Member], organiser: Client, typed: dict[str, str], says: str
) -> None:
    answer = organiser.post(page("give_trophy", cup.pk), {"who": "Ann", "when": "2026", **typed})
    assert answer.status_code == 422
    assert says in squeezed(answer.content)
    assert not Award.objects.exists()


def test_stranger_has_to_be_meant(club: Club, cup: Trophy, organiser: Client) -> None:
    assert (
        organiser.post(page("give_trophy", cup.pk), {"who": "Zed", "when": "1998", "stranger": "1"}).status_code == 303
    )
    won = Award.objects.get()
    assert (won.member, won.name, won.day) == (None, "Zed", "1998")


def test_holders_of_the_past_are_looked_at_before_they_are_written(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    lines = "1998 Zed\n\nMarch 2001, Ann\r\n2003-05-09\tBo\n10.12.2004: cy\n"
    look = organiser.post(page("type_holders", cup.pk), {"lines": lines})
    assert look.status_code == 200
    assert "Zed is not a member of the club" in squeezed(look.content)
    assert not Award.objects.exists()
    for _ in range(2):
        organiser.post(page("type_holders", cup.pk), {"lines": lines, "sure": "1"})
    line = [(won.day, won.shown) for won in Award.objects.order_by("on")]
    assert line == [("1998", "Zed"), ("March 2001", "Ann"), ("9 May 2003", "Bo"), ("10 December 2004", "Cy")]
    assert [row.shown for _, row in carriers(club) if row] == ["Cy"]


def test_one_bad_line_and_nothing_is_written(club: Club, cup: Trophy, four: list[Member], organiser: Client) -> None:
    MemberFactory(club=club, name="Ann")
    lines = "1998 Bo\nZed\n1999\n2001 Ann"
    answer = organiser.post(page("type_holders", cup.pk), {"lines": lines, "sure": "1"})
    assert answer.status_code == 422
    said = squeezed(answer.content)
    for says in (
        "Line 2, “Zed”: When was it?",
        "Line 3, “1999”: Who was it?",
        "Line 4, “2001 Ann”: There are 2 people",
    ):
        assert says in said
    assert not Award.objects.exists()


# Who may


ORGANISERS = [
    ("new_trophy", []), ("edit_trophy", ["cup"]), ("give_trophy", ["cup"]), ("type_holders", ["cup"]),
    ("archive_trophy", ["cup"]), ("change_award", ["won", "undo"]), ("answer_dispute", ["dispute"]),
]  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(("name", "args"), ORGANISERS)
@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_nobody_but_organisers_changes_anything(
    club: Club, cup: Trophy, four: list[Member], name: str, args: list[str], role: str
) -> None:
    won = given(cup, four[0])
    dispute = Dispute.objects.create(award=won, says="?", version=1)
    ids = {"cup": cup.pk, "won": won.pk, "dispute": dispute.pk}
    assert browser_of(club, role).post(page(name, *(ids.get(arg, arg) for arg in args))).status_code == 403
    elsewhere = browser_of(ClubFactory(visibility="link"), "organiser")
    assert elsewhere.post(page(name, *(ids.get(arg, arg) for arg in args))).status_code == 403


def test_another_clubs_trophy_is_not_there(club: Club, organiser: Client) -> None:
    other = TrophyFactory(club=ClubFactory())
    won = given(other, MemberFactory(club=other.club))
    for name, args in (("trophy", [other.pk]), ("edit_trophy", [other.pk]), ("trophy_picture", [other.pk, "x"])):
        assert organiser.get(page(name, *args)).status_code == 404
    assert organiser.post(page("change_award", won.pk, "undo")).status_code == 404
    assert organiser.post(page("change_award", won.pk, "eat")).status_code == 404


def test_page_of_the_next_night_says_who_defends_and_who_is_away(club: Club, cup: Trophy, four: list[Member]) -> None:
    given(cup, four[0])
    given(cup, four[0], 1)
    spoon = TrophyFactory(club=club, name="The Spoon", goes="loser")
    given(spoon, four[1])
    coming = NightFactory(club=club, on=club.today(), begun_at=None)
    said = text_of(Client(), page("night", coming.pk))
    assert "Ann defends The Cup, won twice running." in said
    assert "Bo may pass The Spoon on." in said
    Attendance.objects.create(night=coming, member=four[0], says="not")
    assert "Ann is not coming: The Cup goes to somebody else." in text_of(Client(), page("night", coming.pk))
    coming.for_fun = True
    coming.save()
    assert "No trophies on this night: they stay where they are." in text_of(Client(), page("night", coming.pk))


def test_who_has_it_and_does_not_come_is_told_before_the_night(club: Club, cup: Trophy, four: list[Member]) -> None:
    given(cup, four[0])
    coming = NightFactory(club=club, on=club.today(), begun_at=None)
    Attendance.objects.create(night=coming, member=four[0], says="not")
    assert "Ann has The Cup but is not coming: somebody has to fetch it." in text_of(Client(), page("trophies"))


# What is typed, and what was played before


def test_trophy_added_on_the_evening_is_won_by_who_has_won_that_evening(
    club: Club, four: list[Member], organiser: Client
) -> None:
    played(NightFactory(club=club, on=club.today()), four)
    played(night(club), four)
    organiser.post(page("new_trophy"), TYPED)
    assert [(won.shown, won.on) for won in Award.objects.all()] == [("Ann", club.today())]


def test_what_waits_follows_to_whom_the_trophy_goes(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    played(night(club), four)
    organiser.post(page("edit_trophy", cup.pk), {**TYPED, "goes": "loser"})
    assert [won.shown for won in Award.objects.standing()] == ["Bo"]
    organiser.post(page("edit_trophy", cup.pk), {**TYPED, "goes": "other"})
    assert not Award.objects.standing().exists()


def test_award_put_back_is_asked_about_where_its_sheet_says_something_else(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    table = played(night(club), four)
    won = Award.objects.get()
    awards.confirm(won, by=None)
    organiser.post(page("change_award", won.pk, "undo"))
    third_wins(table)
    organiser.post(page("change_award", Award.objects.standing().get().pk, "undo"))
    organiser.post(page("change_award", won.pk, "put-back"))
    assert Dispute.objects.get(answered_at=None).named == "Cy"


@pytest.mark.parametrize(
    "picture",
    [
        Image.new("CMYK", (30, 20)),
        Image.new("LA", (30, 20)),
        Image.new("P", (30, 20)),
        Image.new("I;16", (30, 20)),
        Image.new("1", (1, 1)),
        Image.new("RGBA", (3000, 2)),
    ],
    ids=lambda picture: picture.mode,
)
def test_pictures_of_every_kind_are_kept_as_one(picture: Image.Image) -> None:
    file = io.BytesIO()
    picture.save(file, "JPEG" if picture.mode == "CMYK" else "PNG")
    kept = made_small(SimpleUploadedFile("x", file.getvalue()))
    assert isinstance(kept, bytes)
    with Image.open(io.BytesIO(kept)) as small:
        assert small.format == "WEBP"
        assert max(small.size) <= 512
        assert small.mode == ("RGBA" if picture.mode in ("LA", "RGBA") else "RGB")


@pytest.mark.parametrize("name", ["trophy", "edit_trophy", "change_award", "answer_dispute"])
def test_number_no_row_can_have_is_not_there(club: Club, organiser: Client, name: str) -> None:
    args = [10**30, "undo"] if name == "change_award" else [10**30]
    assert organiser.get(page("trophy", 10**30)).status_code == 404
    assert organiser.post(page(name, *args)).status_code in (404, 405)


def test_organiser_confirms_on_the_control_page_and_stays_there(
    club: Club, cup: Trophy, four: list[Member], organiser: Client
) -> None:
    evening = night(club)
    played(evening, four)
    assert "Yes, it goes to Ann" in text_of(organiser, page("control", evening.pk))
    typed = {"from": f"night-{evening.pk}"}
    for deed in ("confirm", "hand-over"):
        answer = organiser.post(page("change_award", Award.objects.get().pk, deed), typed)
        assert answer["Location"] == page("control", evening.pk) + "#awards"
    assert "Handed over" not in text_of(organiser, page("control", evening.pk))
    for wrong in ("night-0", "night-", "night-٣", "https://example.org"):
        answer = organiser.post(page("change_award", Award.objects.get().pk, "hand-over"), {"from": wrong})
        assert answer["Location"] == cup.get_absolute_url()


def test_who_won_it_on_that_very_night_does_not_defend_it_there_and_nobody_brings_it(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    tonight = NightFactory(club=club, on=club.today())
    won = given(cup, four[0], handed=False, table=scored(tonight, [(four[0], 9), (four[1], 3)]))
    Attendance.objects.create(night=tonight, member=four[0], says="not")
    for handed_at in (None, timezone.now()):
        Award.objects.filter(pk=won.pk).update(on=tonight.on, handed_at=handed_at)
        said = text_of(Client(), page("trophies"))
        assert "Ann" in said
        assert "is not coming" not in said
        assert "Before " not in said
