"""What programs read: the same as people do on the pages of the club, and no more."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone

from clubs.api.rate import reading
from clubs.members.privacy import hide_name, show_name
from clubs.models import Award, Club, Member, Night, Table
from clubs.standings.league import league_of
from rules.core.files.score import score_paper
from scoresheets.access.scorekeepers import hashed, make_link
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.api.conftest import Program, key_of
from tests.clubs.api.test_access import every_path
from tests.clubs.play_offs.evening import play_off
from tests.factories import Scorer

pytestmark = pytest.mark.django_db


def path_of(club: Club, rest: str = "") -> str:
    return f"clubs/{club.slug}/{rest}"


def tables_of(club: Club) -> list[Table]:
    return list(Table.objects.filter(night__club=club, sheet__isnull=False).order_by("number"))


# What it says


def test_members_are_listed_as_others_read_them(full: Club, four: list[Member], anybody: Program) -> None:
    MemberFactory(club=full, name="Ed", role="guest")
    hide_name(four[1], by=None)
    rows = anybody.json(path_of(full, "members/"))["members"]
    assert [row["name"] for row in rows] == ["Ann", "Cy", "Di", "Somebody", "Ed"]
    assert rows[0] == {"uid": four[0].uid, "name": "Ann", "hidden": False, "role": "member", "nights": 1}
    assert (rows[3]["hidden"], rows[4]["role"]) == (True, "guest")


def test_night_has_its_tables_with_people_totals_and_places(full: Club, four: list[Member], anybody: Program) -> None:
    over, running = tables_of(full)
    night = anybody.json(path_of(full, f"nights/{over.night.uid}/"))
    assert [table["uid"] for table in night["tables"]] == [over.uid, running.uid]
    first, second = night["tables"]
    assert (first["state"], second["state"], second["stands_at"]) == ("over", "playing", "Hand 3 of 4")
    ann, bo = first["people"][:2]
    assert (ann["name"], ann["member"], ann["place"], ann["winner"]) == ("Ann", four[0].uid, 1, True)
    assert (bo["place"], bo["loser"]) == (4, True)
    assert first == anybody.json(path_of(full, f"tables/{over.uid}/"))
    assert first["sheet"] == over.uid


def test_game_of_the_past_has_its_placings_and_no_sheet(full: Club, anybody: Program) -> None:
    table = Table.objects.get(sheet__isnull=True)
    told = anybody.json(path_of(full, f"tables/{table.uid}/"))
    assert [(person["name"], person["total"], person["place"]) for person in told["people"]] == [
        ("Bo", 30, 1), ("Ann", 20, 2), ("Cy", 10, 3),
    ]  # fmt: skip
    assert (told["state"], told["sheet"]) == ("over", None)
    assert anybody.get(path_of(full, f"sheets/{table.uid}/")).status_code == 404


def test_sheet_is_its_file_and_the_result_that_the_file_comes_to(full: Club, anybody: Program) -> None:
    for table, is_over in zip(tables_of(full), (True, False), strict=True):
        told = anybody.json(path_of(full, f"sheets/{table.uid}/"))
        assert told["finished"] is is_over
        assert told["sheet"]["format"] == "score-sheet/1"
        assert told["sheet"]["players"] == ["Ann", "Bo", "Cy", "Di"]
        assert told["result"] == json.loads(json.dumps(score_paper(json.dumps(told["sheet"]))))


def test_standing_has_its_terms_and_a_row_for_each(full: Club, four: list[Member], anybody: Program) -> None:
    all_time, spring = anybody.json(path_of(full, "standings/"))["standings"]
    assert (all_time["uid"], spring["name"]) == ("all-time", "Spring")
    told = anybody.json(path_of(full, f"standings/{spring['uid']}/"))
    assert (told["scheme"], told["count"], told["next"]) == ("won", 4, None)
    lines = league_of(full, full.seasons.get()).lines
    assert [row["name"] for row in told["standing"]] == [line.member.shown for line in lines]
    first = told["standing"][0]
    assert (first["place"], first["member"], first["games"], first["won"]) == (1, four[0].uid, 2, 1)


def test_trophy_has_its_holder_and_who_has_it_at_home(full: Club, four: list[Member], anybody: Program) -> None:
    (cup,) = anybody.json(path_of(full, "trophies/"))["trophies"]
    assert (cup["name"], cup["won"]["person"]) == ("The Cup", {"name": "Ann", "member": four[0].uid})
    assert cup["won"]["table"] == tables_of(full)[0].uid
    assert cup["with"]["name"] == "Ann"


def test_records_are_those_of_the_game_played_most_or_the_one_asked_for(full: Club, anybody: Program) -> None:
    told = anybody.json(path_of(full, "records/"))
    assert (told["game"], told["played"]) == ("dirty-dog", [{"game": "dirty-dog", "games": 2}])
    highest = next(record for record in told["records"] if record["record"] == "highest")
    assert (highest["best"][0]["value"], highest["best"][0]["person"]["name"]) == (26, "Ann")
    assert told == anybody.json(path_of(full, "records/"), game="dirty-dog")
    assert anybody.get(path_of(full, "records/"), {"game": "chess"}).status_code == 404


def test_club_without_anything_answers_all_the_same(anybody: Program) -> None:
    club = ClubFactory()
    for path in ("", "members/", "nights/", "standings/", "standings/all-time/", "trophies/", "records/"):
        assert anybody.get(path_of(club, path)).status_code == 200


def test_what_was_archived_or_taken_away_is_not_there(full: Club, anybody: Program) -> None:
    over, running = tables_of(full)
    running.withdrawn_at = timezone.now()
    running.save()
    for path in (f"tables/{running.uid}/", f"sheets/{running.uid}/"):
        assert anybody.get(path_of(full, path)).status_code == 404
    Night.objects.filter(pk=over.night_id).update(archived_at=timezone.now())
    for path in (f"nights/{over.night.uid}/", f"tables/{over.uid}/", f"sheets/{over.uid}/"):
        assert anybody.get(path_of(full, path)).status_code == 404


def test_things_of_another_club_are_not_found_in_this_one(full: Club, anybody: Program) -> None:
    other = ClubFactory()
    for path in every_path(full):
        if full.nights.all()[0].uid in path or "tables/" in path or "sheets/" in path:
            assert anybody.get(path.replace(full.slug, other.slug)).status_code == 404


@pytest.mark.parametrize("uid", ["x", "x" * 22, "-" * 22, "%00", "é", "a" * 3000])
def test_ids_that_are_none_are_not_found(full: Club, anybody: Program, uid: str) -> None:
    for kind in ("nights", "tables", "sheets", "play-offs", "standings"):
        assert anybody.get(path_of(full, f"{kind}/{uid}/")).status_code == 404


# Pages of a list


def test_list_is_read_page_by_page(club: Club, anybody: Program) -> None:
    NightFactory.create_batch(120, club=club)
    seen: list[str] = []
    document = anybody.json(path_of(club, "nights/"))
    assert (document["count"], document["page"], document["pages"]) == (120, 1, 3)
    while True:
        seen += [night["uid"] for night in document["nights"]]
        if document["next"] is None:
            break
        document = anybody.json(document["next"].partition("/api/v1/")[2])
    assert (len(seen), len(set(seen))) == (120, 120)
    header = anybody.get(path_of(club, "nights/"), {"page": "2"}).headers["Link"]
    address = f"http://testserver/api/v1/clubs/{club.slug}/nights/?page="
    pages = {"first": 1, "last": 3, "prev": 1, "next": 3}
    assert header == ", ".join(f'<{address}{page}>; rel="{relation}"' for relation, page in pages.items())


@pytest.mark.parametrize(
    ("page", "status"),
    [("0", 400), ("-1", 400), ("x", 400), ("", 400), ("1.5", 400), ("٣", 400), ("2", 404), ("9" * 20, 400)],
)
def test_page_that_is_none_gets_a_sentence(club: Club, anybody: Program, page: str, status: int) -> None:
    answer: Any = anybody.get(path_of(club, "nights/"), {"page": page})
    assert answer.status_code == status
    assert answer.json()["problem"].endswith(".")


# What has not changed


def etag_of(program: Program, path: str) -> str:
    return program.get(path).headers["ETag"]


def test_what_a_program_has_is_not_sent_again(full: Club, anybody: Program) -> None:
    for path in every_path(full):
        reading.clear()
        etag = etag_of(anybody, path)
        again = anybody.get(path, if_none_match=f"W/{etag}")
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag), path
        assert again.headers["Access-Control-Allow-Origin"] == "*"
        assert anybody.get(path, if_none_match='"other"').status_code == 200


def test_sheet_is_new_after_every_write_and_every_hidden_name(full: Club, four: list[Member], anybody: Program) -> None:
    table = tables_of(full)[1]
    path = path_of(full, f"sheets/{table.uid}/")
    assert table.sheet is not None
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get(browser=hashed("the phone")))
    etags = [etag_of(anybody, path)]
    scorer.clear_hand()
    etags.append(etag_of(anybody, path))
    hide_name(four[2], by=None)
    etags.append(etag_of(anybody, path))
    show_name(four[2], by=None)
    etags.append(etag_of(anybody, path))
    assert len(set(etags)) == 4


def test_sheet_that_has_not_changed_is_not_read(full: Club, anybody: Program, django_assert_num_queries) -> None:
    path = path_of(full, f"sheets/{tables_of(full)[0].uid}/")
    etag = etag_of(anybody, path)
    with django_assert_num_queries(2):
        assert anybody.get(path, if_none_match=etag).status_code == 304
    with django_assert_num_queries(2):
        assert anybody.get(path).status_code == 200, "it was made for somebody before"


def test_table_is_new_when_a_name_is_hidden(full: Club, four: list[Member], anybody: Program) -> None:
    for table in Table.objects.filter(night__club=full):
        path = path_of(full, f"tables/{table.uid}/")
        before = etag_of(anybody, path)
        hide_name(four[0], by=None)
        assert etag_of(anybody, path) != before
        show_name(four[0], by=None)


# What is told to nobody


def everything(program: Program, club: Club) -> str:
    answers: list[HttpResponse] = [program.get(path) for path in ("", *every_path(club))]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.content.decode() + str(answer.headers) for answer in answers)


@pytest.mark.parametrize("visibility", ["public", "link", "members"])
def test_secrets_stand_in_no_answer(full: Club, visibility: str) -> None:
    Club.objects.filter(pk=full.pk).update(visibility=visibility)
    MemberFactory(club=full, name="Ed", user=UserFactory(email="ed@example.org"), role="organiser")
    key, sheets = key_of(full), list(Sheet.objects.all())
    told = everything(Program(key), full)
    secrets = {key, hashed(key), full.key, full.calendar_key, "ed@example.org", make_link(sheets[0], by=None)}
    secrets |= {secret for sheet in sheets for secret in (sheet.code, sheet.watch)}
    assert [secret for secret in secrets if secret in told] == []


def test_hidden_names_stay_hidden_everywhere(full: Club, four: list[Member]) -> None:
    Member.objects.filter(pk=four[0].pk).update(name="Zaphira Quill", nickname="Zaffi")
    for table in tables_of(full):
        table.sheet.seats.filter(player=four[0].player).update(name="Zaphira")  # type: ignore[union-attr]
    TrophyFactory(club=full, name="The Dog", goes="loser")
    program = Program(key_of(full))
    assert "Zaffi" in everything(program, full)
    four[0].refresh_from_db()
    hide_name(four[0], by=None)
    told = everything(program, full)
    assert [name for name in ("Zaphira", "Zaffi", "Quill") if name in told] == []
    assert "Somebody" in told


def test_hidden_names_stay_hidden_in_a_play_off() -> None:
    evening = play_off([4, 4], places=2)
    Club.objects.filter(pk=evening.club.pk).update(visibility="public")
    path = path_of(evening.club, f"play-offs/{evening.play_off.uid}/")
    for table in evening.groups:
        evening.finish(table, [9, 7, 3, 1])
    ann = evening.members["Ann"]
    assert "Ann" in str(Program().json(path))
    hide_name(ann, by=None)
    told = str(Program().json(path))
    assert "Ann" not in told
    assert "Somebody" in told


# How much it asks the database


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("", 1), ("members/", 3), ("nights/", 3), ("standings/", 2), ("standings/all-time/", 2), ("trophies/", 6),
        ("records/", 3),
    ],
)  # fmt: skip
def test_answer_asks_the_same_however_much_there_is(
    club: Club, four: list[Member], anybody: Program, path: str, most: int, django_assert_max_num_queries
) -> None:
    night = NightFactory(club=club)
    played(night, four)
    for number in range(3):
        if number:
            played(NightFactory(club=club), four)
            MemberFactory.create_batch(5, club=club)
            cup = TrophyFactory(club=club)
            for days in (900, 0):
                on = night.on - datetime.timedelta(days=days)
                Award.objects.create(
                    trophy=cup, member=four[number], on=on, source="typed", confirmed_at=timezone.now()
                )
        with django_assert_max_num_queries(most):
            assert anybody.get(path_of(club, path)).status_code == 200


def test_night_asks_the_same_however_many_tables_it_has(
    club: Club, four: list[Member], anybody: Program, django_assert_max_num_queries
) -> None:
    night = NightFactory(club=club)
    for _ in range(3):
        played(night, four, hands=1)
        with django_assert_max_num_queries(7):
            assert len(anybody.json(path_of(club, f"nights/{night.uid}/"))["tables"]) == night.tables.count()


def test_play_off_asks_the_same_however_many_groups_it_has(django_assert_max_num_queries) -> None:
    for sizes in ([4, 4], [4, 4, 4, 4]):
        evening = play_off(sizes, places=1)
        Club.objects.filter(pk=evening.club.pk).update(visibility="public")
        for table in evening.groups:
            evening.finish(table, [9, 7, 3, 1])
        with django_assert_max_num_queries(10):
            Program().json(path_of(evening.club, f"play-offs/{evening.play_off.uid}/"))


def test_key_costs_one_question_more(full: Club, django_assert_num_queries) -> None:
    program = Program(key_of(full))
    program.get(path_of(full))
    with django_assert_num_queries(1):
        program.get(path_of(full))
    other = ClubFactory()
    with django_assert_num_queries(2):
        program.get(path_of(other))
