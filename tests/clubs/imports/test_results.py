"""Results and holders of the past come out of a spreadsheet, once everybody has seen how it is read."""

from __future__ import annotations

import datetime
import io
import zipfile
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.erasure.member import delete_members, erase_member
from clubs.imports.samples import spreadsheet
from clubs.imports.spreadsheet import MOST_LINES, NoLedger, read_spreadsheet
from clubs.members.people import new_member
from clubs.models import AuditEntry, Award, Club, Member, Night, PendingUpdate, Placing, Standing, Table, Upload
from clubs.projections import worker
from clubs.queue.changes import results_changed
from clubs.server.daily_jobs import tidy
from tests.club_factories import ClubFactory, NightFactory, TrophyFactory, UserFactory
from tests.counted import not_counted

pytestmark = pytest.mark.django_db

RESULTS = """Day,Game,Table,Name,Place,Score
2019-03-14,Dirty Dog,,Ann,1,41
2019-03-14,Dirty Dog,,Bo,2,33
2019-03-14,Dirty Dog,,Cy,3,12
2019-03-14,Dirty Dog,,Old Joe,4,-4
"""


@pytest.fixture
def club() -> Club:
    club = ClubFactory(slug="thursday", name="Thursday")
    people = [new_member(club, name) for name in ("Ann", "Bo", "Cy")]
    Member.objects.filter(pk=people[0].pk).update(user=UserFactory(), role="organiser")
    return club


@pytest.fixture
def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(club.members.get(name="Ann").user)
    return client


def bring(client: Client, club: Club, content: str | bytes, name: str = "old.csv") -> HttpResponse:
    body = content.encode() if isinstance(content, str) else content
    return client.post(reverse("import_past", args=[club.slug]), {"file": SimpleUploadedFile(name, body)})


def taken(client: Client, club: Club, content: str | bytes, **picks: Any) -> HttpResponse:
    """Brought, looked at, and said yes to."""
    brought = bring(client, club, content)
    assert brought.status_code == 303, wrong(brought)
    page = client.get(brought.url)
    return client.post(brought.url, {"saw": page.context["book"].mark, **picks})


def wrong(page: HttpResponse) -> list[str]:
    return list(page.context["wrong"])


def xlsx(rows: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


# Results


def test_results_are_shown_before_they_are_written(organiser: Client, club: Club) -> None:
    brought = bring(organiser, club, RESULTS)
    page = organiser.get(brought.url)
    said = page.content.decode()
    assert "Dirty Dog, 14 March 2019" in said
    assert "Old Joe" in said
    assert "−4" in said
    assert [one["name"] for one in page.context["unknown"]] == ["Old Joe"]
    assert (Night.objects.count(), Placing.objects.count(), club.members.count()) == (0, 0, 3)
    assert organiser.post(brought.url, {"saw": page.context["book"].mark}).status_code == 303
    table = Table.objects.get()
    assert (table.source, table.game, table.night.on) == ("past", "dirty-dog", datetime.date(2019, 3, 14))
    told = list(table.placings.order_by("place").values_list("member__name", "place", "score", "winner", "loser"))
    assert told == [
        ("Ann", 1, 41, True, False), ("Bo", 2, 33, False, False), ("Cy", 3, 12, False, False),
        ("Old Joe", 4, -4, False, True),
    ]  # fmt: skip
    assert Standing.objects.get(club=club, season=None, member__name="Ann").won == 1
    assert AuditEntry.objects.get().says == "Added 1 game of the past from a spreadsheet."
    assert "Saved" in organiser.get(brought.url).content.decode()


def test_same_file_twice_and_same_tap_twice_write_once(organiser: Client, club: Club) -> None:
    taken(organiser, club, RESULTS)
    joe = Member.objects.get(name="Old Joe")
    assert taken(organiser, club, RESULTS).status_code == 303
    assert Table.objects.count() == 1
    assert Member.objects.get(name="Old Joe") == joe
    brought = bring(organiser, club, RESULTS.replace("2019", "2018"))
    page = organiser.get(brought.url)
    for _ in range(2):
        organiser.post(brought.url, {"saw": page.context["book"].mark})
    assert Table.objects.count() == 2


def test_yes_that_could_not_be_kept_can_be_said_again(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    organiser.raise_request_exception = False
    there = bring(organiser, club, RESULTS).url
    seen = organiser.get(there).context["book"].mark
    with monkeypatch.context() as today:
        today.setattr("clubs.queue.sources.add_to_queue", fails)
        assert organiser.post(there, {"saw": seen}).status_code == 503
    assert Upload.objects.get().confirmed_at is None
    assert organiser.post(there, {"saw": seen}).status_code == 303
    assert Placing.objects.count() == 4


MANY = "Day,Game,Name,Score\n" + "".join(
    f"2019-03-{day:02},Dirty Dog,{name},{score}\n"
    for day in range(1, 7)
    for name, score in (("Ann", 9), ("Old Joe", 4))
)


def cut_off(*_: object) -> None:
    raise OperationalError("database is locked")


def test_what_was_cut_off_in_the_middle_goes_on_where_it_was(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.imports.writing.PIECE", 0)
    there = bring(organiser, club, MANY).url
    bo = club.members.get(name="Bo")
    with not_counted():
        organiser.post(there, {"saw": organiser.get(there).context["book"].mark, "who-1": bo.pk})
    for _ in range(2):
        worker.count_next()
    assert (Table.objects.count(), Placing.objects.count()) == (2, 4), "each piece is whole"
    with monkeypatch.context() as killed:
        killed.setattr("clubs.imports.results.keep_copies", cut_off)
        with pytest.raises(OperationalError):
            worker.count_next()
    assert (Table.objects.count(), Placing.objects.count()) == (2, 4), "nothing is left of half a piece"
    page = organiser.get(there).content.decode()
    assert '<progress max="6" value="2"' in page
    assert "2 of 6 games saved" in page
    worker.catch_up()
    assert (Table.objects.count(), Placing.objects.count()) == (6, 12)
    assert bo.placings.count() == 6, "what was chosen has survived"
    assert not Member.objects.filter(name="Old Joe").exists()
    assert Standing.objects.get(member=bo, season=None).games == 6
    assert AuditEntry.objects.get().says == "Added 6 games of the past from a spreadsheet."
    assert "Saved" in organiser.get(there).content.decode()
    assert bytes(Upload.objects.get().content) == b"", "nothing is left of the file"


def test_pieces_let_results_of_tonight_be_counted_in_between(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.imports.writing.PIECE", 0)
    there = bring(organiser, club, MANY).url
    night = NightFactory(club=club)
    with not_counted():
        organiser.post(there, {"saw": organiser.get(there).context["book"].mark})
        with transaction.atomic():
            results_changed(club.pk, night)
    worker.count_next()
    assert list(PendingUpdate.objects.values_list("kind", flat=True)) == ["night", "past"]
    worker.count_next()
    assert list(PendingUpdate.objects.values_list("kind", flat=True)) == ["past"]


def test_file_that_is_being_written_is_kept(organiser: Client, club: Club) -> None:
    there = bring(organiser, club, MANY).url
    with not_counted():
        organiser.post(there, {"saw": organiser.get(there).context["book"].mark})
        Upload.objects.update(at=timezone.now() - datetime.timedelta(days=2))
        tidy()
        assert erase_member(club.members.get(name="Cy"), by=None) == ""
        second = bring(organiser, club, RESULTS).url
        assert "See the progress of" in organiser.get(reverse("import_past", args=[club.slug])).content.decode()
        page = organiser.post(second, {"saw": organiser.get(second).context["book"].mark})
        assert page.status_code == 409
        assert "Another file is being imported" in page.content.decode()
    worker.catch_up()
    assert Table.objects.count() == 6
    assert organiser.post(second, {"saw": organiser.get(second).context["book"].mark}).status_code == 303
    assert Table.objects.count() == 7


def test_results_of_somebody_who_was_deleted_meanwhile_are_left_out(organiser: Client, club: Club) -> None:
    there = bring(organiser, club, RESULTS).url
    with not_counted():
        organiser.post(there, {"saw": organiser.get(there).context["book"].mark})
        assert delete_members([club.members.get(name="Cy")], by=None)
        Member.objects.filter(name="Bo").update(same_as=new_member(club, "Bobby"))
    worker.catch_up()
    assert set(Placing.objects.values_list("member__name", flat=True)) == {"Ann", "Bobby", "Old Joe"}


@pytest.mark.thorough
def test_very_many_unknown_names_come_in_pages_and_choices_are_kept(organiser: Client, club: Club) -> None:
    lines = "".join(f"2019-03-{1 + n // 24:02},Dirty Dog,Old {n},{n}\n" for n in range(480))
    there = bring(organiser, club, "Day,Game,Name,Score\n" + lines).url
    page = organiser.get(there)
    text = page.content.decode()
    assert text.count("<select") == 20
    assert "Page 1 of 24 with 480 names" in " ".join(text.split())
    bo, seen = club.members.get(name="Bo"), page.context["book"].mark
    turned = organiser.post(there, {"do": "names-2", "names": "1", "saw": seen, "who-3": bo.pk})
    assert turned.status_code == 303
    assert 'id="who-21"' in organiser.get(turned.url).content.decode()
    assert Upload.objects.get().picks == {"name old 2": bo.pk}
    assert "selected" in organiser.get(there).content.decode()
    assert not Placing.objects.exists(), "turning writes nothing"
    assert organiser.post(there, {"saw": seen, "names": "2", "who-21": ""}).status_code == 303
    assert bo.placings.count() == 1
    assert not Member.objects.filter(name="Old 2").exists()
    assert Member.objects.filter(name="Old 20").exists()


def test_choice_is_taken_back_on_its_page(organiser: Client, club: Club) -> None:
    there = bring(organiser, club, RESULTS).url
    seen = organiser.get(there).context["book"].mark
    for pk in (club.members.get(name="Bo").pk, "", "x", "9" * 30):
        organiser.post(there, {"do": "names-1", "saw": seen, "who-1": pk})
    assert Upload.objects.get().picks == {}


def test_in_a_large_club_another_member_is_typed(organiser: Client, club: Club) -> None:
    people = [new_member(club, f"Person {number}") for number in range(80)]
    there = bring(organiser, club, RESULTS).url
    page = organiser.get(there)
    assert page.content.decode().count("<option") < 100, "the list of the members is there once"
    seen = page.context["book"].mark
    refused = organiser.post(there, {"saw": seen, "who-1": "", "other-1": "Nobody Here"})
    assert refused.status_code == 422
    assert "Nobody in the club is called Nobody Here." in refused.content.decode()
    assert organiser.post(there, {"saw": seen, "who-1": "", "other-1": " person  7 "}).status_code == 303
    assert Placing.objects.get(place=4).member == people[7]


def test_somebody_unknown_can_be_a_member(organiser: Client, club: Club) -> None:
    joe = new_member(club, "Joseph")
    taken(organiser, club, RESULTS, **{"who-1": joe.pk})
    assert Placing.objects.get(place=4).member == joe
    assert club.members.count() == 4


def test_nobody_sits_twice_at_one_table(organiser: Client, club: Club) -> None:
    page = taken(organiser, club, RESULTS, **{"who-1": club.members.get(name="Ann").pk})
    assert page.status_code == 422
    assert wrong(page) == ["Dirty Dog, 14 March 2019: Ann would sit there twice."]
    assert Placing.objects.count() == 0


def test_picks_are_people_of_this_club(organiser: Client, club: Club) -> None:
    stranger = new_member(ClubFactory(), "Joe")
    taken(organiser, club, RESULTS, **{"who-1": stranger.pk})
    assert Placing.objects.get(place=4).member.name == "Old Joe"
    assert not stranger.placings.exists()


def test_second_record_and_nickname_are_the_person(organiser: Client, club: Club) -> None:
    bo = club.members.get(name="Bo")
    other = new_member(club, "Old Joe")
    Member.objects.filter(pk=other.pk).update(same_as=new_member(club, "Joe"))
    Member.objects.filter(pk=bo.pk).update(nickname="Ace")
    taken(organiser, club, RESULTS.replace(",Bo,", ",ace,"))
    assert Placing.objects.get(place=2).member == bo
    assert Placing.objects.get(place=4).member.name == "Joe"


def test_night_of_that_day_takes_the_game(organiser: Client, club: Club) -> None:
    night = NightFactory(club=club, on=datetime.date(2019, 3, 14))
    Table.objects.create(night=night, number=1, game="dingo")
    taken(organiser, club, RESULTS)
    assert Table.objects.get(source="past").night == night
    assert Table.objects.get(source="past").number == 2


def test_places_follow_from_scores_and_equal_stays_equal(organiser: Client, club: Club) -> None:
    lines = ["day;game;name;score", *(f"5 March 2019;dirty dog;{name};{score}" for name, score in
             (("Ann", 7), ("Bo", "−3"), ("Cy", 7), ("Di", "-3")))]  # fmt: skip
    taken(organiser, club, "\n".join(lines))
    told = list(Placing.objects.order_by("place", "pk").values_list("member__name", "place", "winner", "loser"))
    assert told == [("Ann", 1, False, False), ("Cy", 1, False, False), ("Bo", 3, False, False), ("Di", 3, False, False)]
    # Of two who share a place each has beaten half of the other.
    shares = dict(Standing.objects.filter(club=club, season=None).values_list("member__name", "share"))
    high, low = Decimal("83.33"), Decimal("16.67")
    assert shares == {"Ann": high, "Cy": high, "Bo": low, "Di": low}


def test_who_won_can_be_said(organiser: Client, club: Club) -> None:
    lines = "day,game,name,score,won,lost\n" + "\n".join(
        f"2019-03-05,Dirty Dog,{name},7,{'yes' if name == 'Bo' else ''},{'x' if name == 'Di' else ''}"
        for name in ("Ann", "Bo", "Cy", "Di")
    )
    taken(organiser, club, lines)
    assert Placing.objects.get(winner=True).member.name == "Bo"
    assert Placing.objects.get(loser=True).member.name == "Di"


def test_xlsx_is_read_with_its_days_and_numbers(organiser: Client, club: Club) -> None:
    day = datetime.datetime(2019, 3, 14, 20, 0)
    rows = [["Day", "Game", "Name", "Score"]]
    rows += [[day, "Dirty Dog", name, score] for name, score in (("Ann", 4.0), ("Bo", 3), ("Cy", 2), ("Di", 1))]
    taken(organiser, club, xlsx(rows))
    assert list(Placing.objects.order_by("place").values_list("score", flat=True)) == [4, 3, 2, 1]
    assert Night.objects.get().on == datetime.date(2019, 3, 14)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("form", ["results", "holders"])
def test_sample_is_read_as_it_is_meant(organiser: Client, club: Club, form: str, kind: str) -> None:
    TrophyFactory(club=club, name="The Cup")
    page = organiser.get(reverse("past_sample", args=[club.slug, form, kind]))
    assert page.status_code == 200
    assert taken(organiser, club, page.content).status_code == 303
    assert (Placing.objects.count(), Award.objects.count()) == ((4, 0) if form == "results" else (0, 3))


def test_cells_that_would_be_run_come_back_as_they_were(organiser: Client, club: Club) -> None:
    assert b"'" not in spreadsheet("results", "csv")
    taken(organiser, club, RESULTS.replace("Old Joe", "'=1+1"))
    assert Member.objects.filter(name="=1+1").exists()


WRONG = {
    "no name column": ("Day,Game,Score\n", "The column “Name” is missing."),
    "unknown column": ("Day,Game,Name,Score,Bids\n", "“bids” is not a column the site knows."),
    "neither place nor score": ("Day,Game,Name\n", "There is neither a column “Place” nor a column “Score”."),
    "nothing": ("Day,Game,Name,Score\n", "No line has a game."),
    "no day": (RESULTS.replace("2019-03-14,Dirty Dog,,Ann", "soon,Dirty Dog,,Ann"), "Line 2: When was it?"),
    "a month only": (RESULTS.replace("2019-03-14,Dirty Dog,,Ann", "March 2019,Dirty Dog,,Ann"), "Line 2: When was it?"),
    "no such day": (
        RESULTS.replace("2019-03-14,Dirty Dog,,Ann", "2019-13-14,Dirty Dog,,Ann"),
        "Line 2: There is no such day. Write the day as 2026-03-05 or",
    ),
    "a day to come": (RESULTS.replace("2019", "2219"), "Line 2: That day has not come yet."),
    "an unclear day": (RESULTS.replace("2019-03-14,Dirty Dog,,Ann", "5/3/2019,Dirty Dog,,Ann"), "Line 2: When was it?"),
    "no game": (RESULTS.replace("Dirty Dog,,Bo", "Whist,,Bo"), "Line 3: “Whist” is not a game of this site."),
    "no number": (RESULTS.replace(",33", ",lots"), "Line 3: “Score” takes a whole number, not “lots”."),
    "a place below one": (RESULTS.replace(",2,33", ",0,33"), "Line 3: A place is a number from 1 on."),
    "too many points": (RESULTS.replace(",33", ",1000001"), "Line 3: That score is out of range."),
    "a long table": (RESULTS.replace(",,Bo", f",{'t' * 41},Bo"), "Line 3: The name of a table has at most 40"),
    "neither yes nor no": (
        "Day,Game,Name,Score,Won\n2019-03-14,Dirty Dog,Ann,1,perhaps\n",
        "Line 2: “Won” and “Lost” take yes or nothing.",
    ),
    "no scores": (
        "Day,Game,Name,Score\n" + "".join(f"2019-03-14,Dirty Dog,{name},\n" for name in ("Ann", "Bo", "Cy", "Ed")),
        "Dirty Dog, 14 March 2019: Nobody has a place or a score.",
    ),
    "no name": (RESULTS.replace("Bo", " "), "Line 3: A name is missing here."),
    "twice": (RESULTS.replace("Bo", "ann"), "Dirty Dog, 14 March 2019: Ann is there twice."),
    "two winners": (
        "Day,Game,Name,Score,Won\n2019-03-14,Dirty Dog,Ann,1,yes\n2019-03-14,Dirty Dog,Bo,1,yes\n",
        "Dirty Dog, 14 March 2019: One of them won",
    ),
    "one alone": ("Day,Game,Name,Score\n2019-03-14,Dirty Dog,Ann,1\n", "Dirty Dog, 14 March 2019: Dirty Dog is for"),
    "a cell too many": (RESULTS + "2019-03-14,Dirty Dog,,Ed,5,1,more\n", "Line 6: there is a value without a heading."),
    "two heads": ("Day,Day\n", "The heading “day” is there twice."),
    "a column without a head": ("Day,,Name\n", "A column has no heading: the first line names the columns."),
    "empty": ("\n \n", "There is nothing in this spreadsheet."),
    "letters": (b"Day,Game\n\xff\xfe,\xe4", "The letters of this file cannot be read."),
    "letters of another Windows": (RESULTS.replace("Old Joe", "Zdeněk").encode("cp1250"), "The letters of this file"),
    "letters of other scripts": (RESULTS.replace("Old Joe", "Анна").encode("cp1251"), "The letters of this file"),
    "letters of an old Mac": (RESULTS.replace("Old Joe", "Jürgen").encode("mac-roman"), "The letters of this file"),
    "letters of DOS": (RESULTS.replace("Old Joe", "Jürgen").encode("cp850"), "The letters of this file"),
    "a nul": ("Day,Game,Name,Score\n2019-03-14,Dirty Dog,A\x00,1\n", "Line 2: There is a character"),
    "a long cell": ("Day,Game,Name,Score\n2019-03-14,Dirty Dog," + "n" * 300 + ",1\n", "Line 2: At most 200"),
    "many lines": ("Day,Game,Name,Score\n" + "x\n" * 6000, "At most 5000 lines"),
    "many columns": ("a," * 40 + "\n", "At most 30 columns"),
    "no zip": (b"PK\x03\x04rubbish", "The site cannot read this spreadsheet."),
    "two of one name": (RESULTS.replace("Bo", "Kit"), "Line 3: There are 2 people called Kit."),
}


@pytest.mark.parametrize(
    "encoded",
    [
        lambda text: text.encode("cp1252"),
        lambda text: text.replace(",", ";").encode("cp1252"),
        lambda text: text.replace(",", "\t").encode("utf-16"),
        lambda text: text.replace(",", ";").encode("utf-8-sig"),
    ],
    ids=["windows", "windows with ;", "utf-16 with tabs", "utf-8 with ;"],
)
def test_a_file_of_a_spreadsheet_program_is_read_as_it_writes_it(organiser: Client, club: Club, encoded) -> None:
    text = RESULTS.replace("Old Joe", "Jürgen Groß").replace("\n", "\r\n")
    brought = bring(organiser, club, encoded(text))
    page = organiser.get(brought.url)
    assert [one["name"] for one in page.context["unknown"]] == ["Jürgen Groß"]
    assert "Dirty Dog, 14 March 2019" in page.content.decode()


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_read_is_refused_with_its_line(organiser: Client, club: Club, name: str) -> None:
    new_member(club, "Kit")
    new_member(club, "Kit")
    content, says = WRONG[name]
    page = bring(organiser, club, content)
    assert page.status_code == 422
    assert any(sentence.startswith(says) for sentence in wrong(page)), wrong(page)
    assert (Upload.objects.count(), Night.objects.count(), Placing.objects.count()) == (0, 0, 0)


def test_all_that_is_wrong_is_said_at_once(organiser: Client, club: Club) -> None:
    page = bring(organiser, club, RESULTS.replace("2019-03-14", "soon"))
    assert len(wrong(page)) == 4
    assert "and 0 more" not in page.content.decode()


def test_of_very_much_that_is_wrong_it_is_said_how_much_there_is(organiser: Client, club: Club) -> None:
    page = bring(organiser, club, "Day,Game,Name,Score\n" + "soon,Dirty Dog,Ann,1\n" * 100)
    assert len(wrong(page)) == 60
    assert "and 40 more" in page.content.decode()


def test_club_that_changed_is_shown_again(organiser: Client, club: Club) -> None:
    brought = bring(organiser, club, RESULTS)
    page = organiser.get(brought.url)
    new_member(club, "Old Joe")
    again = organiser.post(brought.url, {"saw": page.context["book"].mark})
    assert again.status_code == 409
    assert Placing.objects.count() == 0


# Holders


def test_holders_come_with_members_and_with_people_of_before(organiser: Client, club: Club) -> None:
    cup = TrophyFactory(club=club, name="The Cup")
    lines = "Trophy,Since,Name\nThe Cup,1998,Old Joe\nthe cup,March 2004,Ann\nThe Cup,2019-03-14,Bobby\n"
    bo = club.members.get(name="Bo")
    brought = bring(organiser, club, lines)
    page = organiser.get(brought.url)
    assert "1998: <bdi>Old Joe</bdi>" in " ".join(page.content.decode().split())
    assert [one["name"] for one in page.context["unknown"]] == ["Old Joe", "Bobby"]
    organiser.post(brought.url, {"saw": page.context["book"].mark, "who-2": bo.pk})
    told = list(cup.awards.values_list("member__name", "name", "on", "exact", "source").order_by("on"))
    assert told == [
        (None, "Old Joe", datetime.date(1998, 1, 1), "year", "typed"),
        ("Ann", "", datetime.date(2004, 3, 1), "month", "typed"),
        ("Bo", "", datetime.date(2019, 3, 14), "day", "typed"),
    ]
    assert cup.awards.confirmed().count() == 3
    assert club.members.count() == 3
    taken(organiser, club, lines, **{"who-2": bo.pk})
    assert cup.awards.count() == 3


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("The Cap,1998,Joe", "There is no trophy “The Cap”. There are: The Cup."),
        ("The Cup,someday,Joe", "When was it?"),
        ("The Cup,1998 or so,Joe", "When was it?"),
        ("The Cup,1998,", "A name is missing here."),
    ],
)
def test_holders_that_cannot_be_are_refused(organiser: Client, club: Club, line: str, says: str) -> None:
    TrophyFactory(club=club, name="The Cup")
    page = bring(organiser, club, f"Trophy,Since,Name\n{line}\n")
    assert page.status_code == 422
    assert wrong(page)[0].startswith(f"Line 2: {says}")
    assert Award.objects.count() == 0


# Who may, and files that mean harm


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_bring_a_book(club: Club, role: str) -> None:
    user = UserFactory()
    new_member(club, "Zed", role=role, user=user)
    client = Client()
    client.force_login(user)
    assert client.get(reverse("import_past", args=[club.slug])).status_code == 403
    assert client.get(reverse("past_sample", args=[club.slug, "results", "csv"])).status_code == 403
    assert bring(client, club, RESULTS).status_code == 403


def test_nobody_else_sees_what_was_brought(organiser: Client, club: Club) -> None:
    brought = bring(organiser, club, RESULTS)
    user = UserFactory()
    new_member(club, "Zed", role="organiser", user=user)
    client = Client()
    client.force_login(user)
    assert client.get(brought.url).status_code == 404
    assert organiser.post(brought.url, {"do": "away"}).status_code == 303
    assert organiser.get(brought.url).status_code == 404


def spoiled(change: dict[str, bytes], *, sizes: dict[str, int] | None = None, method: int = 8) -> bytes:
    """An XLSX in which these parts have other contents, and say they are so long."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx([["Day", "Game", "Name", "Score"]]))) as good:
        with zipfile.ZipFile(out, "w", method) as bad:
            for part in good.namelist():
                bad.writestr(part, change.get(part, good.read(part)))
            for part in change.keys() - set(good.namelist()):
                bad.writestr(part, change[part])
    content = out.getvalue()
    for part, size in (sizes or {}).items():
        real = len(change[part]).to_bytes(4, "little")
        assert real in content
        content = content.replace(real, size.to_bytes(4, "little"))
    return content


SHEET, BOOK, STYLES = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"
ENTITIES = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><worksheet>&c;</worksheet>'
HARM = {
    "unpacks to far more": lambda: spoiled({SHEET: b" " * 30_000_000}),
    "lies about its size": lambda: spoiled({SHEET: b"<a>" + b" " * 30_000_000}, sizes={SHEET: 200}),
    "declares entities": lambda: spoiled({SHEET: ENTITIES}),
    "in other letters": lambda: spoiled({SHEET: ENTITIES.decode().encode("utf-16")}),
    "packed otherwise": lambda: spoiled({}, method=zipfile.ZIP_LZMA),
    "many parts": lambda: spoiled({f"x/{n}.xml": b"" for n in range(400)}),
    "a hundred thousand sheets": lambda: spoiled(
        {BOOK: b"<workbook>" + b'<sheet name="a"/>' * 100_000 + b"</workbook>"}
    ),
    "sheets by another name": lambda: spoiled({BOOK: b"<x:workbook>" + b'<x:sheet name="a"/>' * 100_000}),
    "hundreds of thousands of styles": lambda: spoiled({STYLES: b"<styleSheet>" + b"<xf/>" * 800_000}),
    "more texts than cells": lambda: spoiled({"xl/sharedStrings.xml": b"<sst>" + b"<si/>" * 800_000}),
    "more cells than lines": lambda: spoiled({SHEET: b"<worksheet>" + b"<c/>" * 800_000}),
    "a row far away": lambda: spoiled({SHEET: b'<worksheet><sheetData><row spans="1:1" r="1048576"/>'}),
    "empty lines without end": lambda: b"Day,Name\n" + b"\n" * 100_000,
    "no sheet": lambda: spoiled({SHEET: b"<worksheet"}),
    "no book": lambda: spoiled({"xl/workbook.xml": b"<a/>"}),
}


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", HARM)
def test_file_that_means_harm_is_refused(name: str) -> None:
    with pytest.raises(NoLedger):
        read_spreadsheet(HARM[name]())


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", [name for name in HARM if name not in ("no sheet", "no book")])
def test_what_is_too_much_is_told_before_the_library_sees_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content, seen = HARM[name](), []
    monkeypatch.setattr("openpyxl.load_workbook", lambda *args, **more: seen.append(args))
    with pytest.raises(NoLedger):
        read_spreadsheet(content)
    assert seen == []


@pytest.mark.thorough
def test_spreadsheet_of_as_many_lines_as_can_be_taken_is_read() -> None:
    head = ["Day", "Game", "Table", "Name", "Place", "Score", "Won", "Lost"]
    line = ["2019-03-14", "Dirty Dog", "Table 1", "Ann", 1, 41, "yes", ""]
    assert len(read_spreadsheet(xlsx([head, *[line] * MOST_LINES])).lines) == MOST_LINES


def test_sheet_that_says_it_has_a_million_lines_is_read_as_far_as_it_goes() -> None:
    content = spoiled({
        SHEET: b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
               b'<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Day</t></is></c>'
               b'</row><row r="20000"><c r="A20000"><v>1</v></c></row></sheetData></worksheet>'
    })  # fmt: skip
    sheet = read_spreadsheet(content)
    assert sheet.heads == ("day",)
    assert [(line.number, line.get("day")) for line in sheet.lines] == [(20_000, 1)]


def test_number_that_is_no_score_is_refused_with_its_line() -> None:
    with pytest.raises(NoLedger, match="Line 2: no number is that large"):
        read_spreadsheet(xlsx([["Day", "Score"], ["2019-03-14", 1e12]]))


def test_formula_is_not_run_and_not_read() -> None:
    sheet = read_spreadsheet(xlsx([["Day", "Name"], ["2019-03-14", "=1+1"]]))
    assert sheet.lines[0].get("name") == ""


def test_files_too_large_are_refused(organiser: Client, club: Club) -> None:
    assert organiser.post(reverse("import_past", args=[club.slug])).status_code == 422
    assert bring(organiser, club, b"x" * (2 * 1024 * 1024 + 1)).status_code == 413
    assert bring(organiser, club, b"x" * (3 * 1024 * 1024)).status_code == 413
