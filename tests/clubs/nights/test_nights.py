"""Nights are planned, listed, put away, and their roll is called."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.test import Client

from clubs.models import Attendance, AuditEntry, Club, Member, Night
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.evenings import A_WEEK, THURSDAY, calls, night_page, organiser_of, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]


# Planning


def test_night_is_planned_a_week_after_the_last_and_a_second_tap_plans_no_other(club: Club) -> None:
    NightFactory(club=club, on=THURSDAY, begins=datetime.time(19, 30))
    client = organiser_of(club)
    form = client.get("/clubs/trumps/nights/new/").context["form"]
    assert (form["on"].value(), form["begins"].value()) == (THURSDAY + A_WEEK, datetime.time(19, 30))
    asked = {"on": "2026-12-03", "begins": "19:30", "title": "  St.   Nicholas "}
    first, second = (client.post("/clubs/trumps/nights/new/", asked) for _ in range(2))
    night = Night.objects.get(on="2026-12-03")
    assert (first.status_code, first["Location"], second["Location"]) == (
        303,
        night.get_absolute_url(),
        first["Location"],
    )
    assert (night.title, night.begun_at) == ("St. Nicholas", None)
    assert "2026-12-03" in AuditEntry.objects.latest("pk").says


def test_series_is_planned_every_other_thursday_after_its_days_were_shown(club: Club) -> None:
    client = organiser_of(club)
    asked = {"on": "2026-11-26", "times": "3", "weeks": "2"}
    shown = client.post("/clubs/trumps/nights/new/", asked)
    assert "Every other Thursday" in shown.text
    days = {f"day-{number}": line["typed"] for number, line in enumerate(shown.context["lines"], 1)}
    assert not Night.objects.exists()
    for _ in range(2):
        answer = client.post("/clubs/trumps/nights/new/", asked | days | {"do": "plan", "keep": ["1", "2", "3"]})
        assert answer.status_code == 303
    assert sorted(Night.objects.values_list("on", flat=True)) == [
        THURSDAY, THURSDAY + 2 * A_WEEK, THURSDAY + 4 * A_WEEK,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("on", ""), ("on", "tomorrow"), ("on", "9999-12-31"), ("on", "0001-01-01"), ("begins", "25:99"),
        ("title", "x" * 81), ("place", "\x00"), ("times", "0"), ("times", "53"), ("times", "1e9"), ("weeks", "5"),
        ("until", "2026-11-25"), ("game", "snap"), ("trophies", "table"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused_beside_its_field_and_kept(club: Club, field: str, value: str) -> None:
    asked = {"on": "2026-11-26", "title": "Cards"} | {field: value}
    page = organiser_of(club).post("/clubs/trumps/nights/new/", asked)
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {field}
    assert 'class="problem"' in page.content.decode()
    assert not Night.objects.exists()


def test_night_is_changed_put_away_and_brought_back(club: Club) -> None:
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client, address = organiser_of(club), night_page(night, "change")
    assert client.post(address, {"on": "2026-11-27", "place": "At the mill"}).status_code == 303
    night.refresh_from_db()
    assert (night.on, night.place) == (THURSDAY + datetime.timedelta(1), "At the mill")
    for _ in range(2):
        client.post(address, {"do": "put-away"})
    assert not Night.objects.standing().exists()
    assert "Archived: 1" in client.get("/clubs/trumps/nights/").content.decode()
    # Sheets of its tables still lead there, and from there to the club.
    there = Client().get(address.replace("change/", ""))
    assert (there.status_code, there["Location"]) == (302, "/clubs/trumps/")
    client.post(address, {"do": "bring-back"})
    assert Night.objects.standing().get() == night
    assert "Archived" not in client.get("/clubs/trumps/nights/").content.decode()


def test_night_that_is_put_away_or_for_fun_counts_no_more_and_counts_again(club: Club) -> None:
    members = people(club, 4)
    night = NightFactory(club=club, on=THURSDAY)
    played(night, members)
    client, address = organiser_of(club), night_page(night, "change")
    games = lambda: [standing.games for standing in club.standings.filter(season=None, games__gt=0)]  # noqa: E731
    assert games() == [1] * 4
    client.post(address, {"do": "put-away"})
    assert games() == []
    client.post(address, {"do": "bring-back"})
    assert games() == [1] * 4
    client.post(address, {"on": "2026-11-26", "for_fun": "on"})
    assert games() == []
    assert Sheet.objects.get().stakes == "Just for fun: it counts for nothing."


# The roll call


def test_roll_begins_with_those_of_last_time(club: Club) -> None:
    members = people(club, 7)
    played(NightFactory(club=club, on=THURSDAY - A_WEEK), members[:5])
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client = organiser_of(club)
    page = client.get(night_page(night, "roll-call"))
    first, others = (group[1] for group in page.context["groups"][:2])
    assert [line.member for line in first] == members[:5]
    assert {line.says for line in first} == {"here"}
    assert {line.says for line in others} == {"not"}
    tally = page.context["tally"]
    assert [tally[name] for name in ("here", "late", "sizes", "even", "instead")] == [5, 0, [5], True, ""]
    assert not Attendance.objects.exists()
    # Nothing else was tapped than this.
    answers = {f"was-{members[0].pk}": "here", f"call-{members[0].pk}": "not", f"call-{members[6].pk}": "coming"}
    there = client.post(night_page(night, "roll-call"), answers | {"do": "draw"})
    assert (there.status_code, there["Location"]) == (303, night_page(night, "draw"))
    said = {call.member: call.says for call in Attendance.objects.all()}
    assert said == {members[0]: "not", members[6]: "coming"} | dict.fromkeys(members[1:5], "here")


def test_two_organisers_at_the_roll_call_do_not_undo_each_other(club: Club) -> None:
    ann, bo = people(club, 2)
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client = organiser_of(club)
    page = {f"was-{ann.pk}": "not", f"was-{bo.pk}": "not"}
    client.post(night_page(night, "roll-call"), page | {f"call-{ann.pk}": "here", f"call-{bo.pk}": "not"})
    client.post(night_page(night, "roll-call"), page | {f"call-{ann.pk}": "not", f"call-{bo.pk}": "here"})
    assert {call.member: call.says for call in Attendance.objects.all()} == {ann: "here", bo: "here"}


def test_one_tap_is_kept_at_once_and_answers_how_many_there_are(club: Club) -> None:
    members = people(club, 4)
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client = organiser_of(club)
    for member in members:
        page = client.post(f"{night_page(night, 'roll-call')}{member.pk}/", calls([member])).content.decode()
    page = " ".join(page.split())
    assert "<b>4</b> here: one table of 4" in page
    assert f'id="was-{members[-1].pk}" value="here" hx-swap-oob="true"' in page
    stranger = MemberFactory(club=ClubFactory())
    for pk, answers in ((stranger.pk, calls([stranger])), (10**30, {}), (members[0].pk, calls(members[:1], "maybe"))):
        assert client.post(f"{night_page(night, 'roll-call')}{pk}/", answers).status_code == 204
    assert Attendance.objects.count() == 4


def test_who_was_tapped_as_here_can_leave_early_at_once(club: Club) -> None:
    ann, bo = people(club, 2)
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client, address = organiser_of(club), night_page(night, "roll-call")

    def offered(member: Member, says: str) -> list[str]:
        page = client.post(f"{address}{member.pk}/", calls([member], says)).content.decode()
        (select,) = re.findall(r'<select name="leaver" id="leaver" hx-swap-oob="true">(.*?)</select>', page, re.DOTALL)
        return re.findall(r'value="(\d+)"', select)

    assert offered(ann, "here") == [str(ann.pk)]
    assert offered(bo, "coming") == [str(ann.pk), str(bo.pk)]
    assert offered(ann, "not") == [str(bo.pk)]


def test_guest_comes_and_somebody_leaves_at_nine(club: Club) -> None:
    (ann,) = people(club, 1)
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    client, address = organiser_of(club), night_page(night, "roll-call")
    # The next guest is typed where this one was.
    assert client.post(address, {"guest": " Gus ", "do": "guest"})["Location"] == f"{address}#guest-h"
    gus = Member.objects.get(name="Gus")
    assert (gus.role, gus.attendances.get().says) == ("guest", "here")
    client.post(address, {"leaver": str(ann.pk), "until": "21:00", "do": "leaves"})
    assert ann.attendances.get().leaves == datetime.time(21)
    assert "leaves at 21:00" in client.get(address).content.decode()
    client.post(address, {"do": f"stays-{ann.pk}"})
    assert ann.attendances.get().leaves is None
    # What Return does beside the hour: the first button of the form is the one for guests.
    client.post(address, {"guest": "", "leaver": str(ann.pk), "until": "21:30", "do": "guest"})
    assert ann.attendances.get().leaves == datetime.time(21, 30)
    again = client.post(address, {"guest": "gus", "do": "guest"})
    assert (again.status_code, Member.objects.filter(name__iexact="gus").count()) == (422, 1)
    assert "add an initial" in again.content.decode()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"guest": "x" * 41}, "guest"), ({"guest": "\u200b"}, "guest"), ({"leaver": "0", "until": "21:00"}, "until"),
        ({"leaver": "ann", "until": ""}, "until"), ({"leaver": "ann", "until": "99:99"}, "until"),
        ({"do": "guest", "guest": " "}, "guest"), ({"do": "leaves", "leaver": "", "until": "21:00"}, "until"),
    ],
)  # fmt: skip
def test_what_is_wrong_on_the_roll_is_said_and_the_taps_stay_on_the_page(
    club: Club, data: dict[str, str], field: str
) -> None:
    (ann,) = people(club, 1)
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    data = {name: str(ann.pk) if value == "ann" else value for name, value in data.items()}
    page = organiser_of(club).post(night_page(night, "roll-call"), data | calls([ann], "coming"))
    assert page.status_code == 422
    assert page.context["wrong"].keys() == {field}
    assert re.search(rf'name="call-{ann.pk}"\s+value="coming"\s+checked', page.content.decode())
    assert not ann.attendances.exists()


def test_list_of_nights_takes_few_queries(club: Club, django_assert_max_num_queries: Any) -> None:
    members = people(club, 4)
    for week in range(3):
        played(NightFactory(club=club, on=THURSDAY - week * A_WEEK), members, hands=None if week == 2 else 0)
    NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    client = organiser_of(club)
    with django_assert_max_num_queries(14):
        page = client.get("/clubs/trumps/nights/")
    # What is on is not to come any more. To come: the nearest first. Past: the latest first.
    assert [evening.night.on for evening in page.context["tonight"]] == [THURSDAY]
    assert [evening.night.on for evening in page.context["to_come"]] == [THURSDAY + A_WEEK]
    assert [evening.night.on for evening in page.context["past"]] == [THURSDAY - A_WEEK, THURSDAY - 2 * A_WEEK]
    assert "1 table, 4 people" in page.content.decode()
    assert page.content.decode().count("On now") == 1
