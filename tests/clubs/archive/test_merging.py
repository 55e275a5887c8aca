"""A file comes to a site that has the club already, in an older or a newer state, beside other clubs."""

from __future__ import annotations

import copy
import datetime
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from clubs.access.outdated import NotNow
from clubs.archive.export import document_of, packed
from clubs.archive.parse import NotTaken, unpacked
from clubs.archive.schema import NOUNS
from clubs.archive_import.apply import take_in
from clubs.archive_import.conflicts import WHAT_TO_DO
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import changed_lines, kept_lines, new_headings
from clubs.members.people import new_member
from clubs.models import (
    Award,
    Chair,
    Club,
    KeptApart,
    Member,
    Night,
    Placing,
    PlayerAlias,
    Season,
    Standing,
    Table,
    Trophy,
)
from clubs.standings.store import keep_standings
from scoresheets.log.publish import publish
from scoresheets.log.state import read_sheet
from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet
from tests.club_factories import (
    ClubFactory,
    NightFactory,
    SeasonFactory,
    TrophyFactory,
    UserFactory,
    played,
    scored,
)
from tests.clubs.archive.years import Years, forgotten
from tests.factories import Scorer, sure_of

pytestmark = pytest.mark.django_db

LONG = [pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 30)]
SEEDS = [2, *LONG]
MARCH = datetime.date(2026, 3, 5)


class Past:
    """The club as it was at a moment, to which the site can go back."""

    def __enter__(self) -> Past:
        self.mark = transaction.savepoint()
        return self

    def __exit__(self, *args: object) -> None:
        pass

    def back(self) -> None:
        transaction.savepoint_rollback(self.mark)


def of_others(club: Club) -> dict[str, Any]:
    """Every row on the site that is not of this club."""
    sheets = set(Sheet.objects.filter(table__night__club=club).values_list("pk", flat=True))
    players = set(Seat.objects.exclude(sheet__in=sheets).values_list("player", flat=True))
    players |= set(Member.objects.exclude(club=club).values_list("player", flat=True))
    found: dict[str, Any] = {
        "sheets": list(Sheet.objects.exclude(pk__in=sheets).values().order_by("pk")),
        "writes": list(Revision.objects.exclude(sheet__in=sheets).values().order_by("pk")),
        "entries": list(Entry.objects.exclude(sheet__in=sheets).values().order_by("pk")),
        "keepers": list(Scorekeeper.objects.exclude(sheet__in=sheets).values().order_by("pk")),
        "players": list(Player.objects.filter(pk__in=players).values().order_by("pk")),
        "users": list(apps.get_model("clubs", "User").objects.values().order_by("pk")),
        "clubs": list(Club.objects.exclude(pk=club.pk).values().order_by("pk")),
    }
    for noun in NOUNS:
        found[noun.key] = list(noun.model._default_manager.exclude(**{noun.scope: club}).values().order_by("pk"))
    return found


def read(file: bytes) -> dict[str, Any]:
    return unpacked(file)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
def test_older_state_becomes_the_newer_and_the_newer_stays(seed: int) -> None:
    years = Years(f"merging {seed}").live(50)
    other = Years(f"others {seed}").live(25).club
    club, before = years.club, of_others(years.club)
    with Past() as past:
        old = packed(club)
        years.live(50)
        new, document = packed(club), document_of(club)
        # The old file changes nothing here.
        found = take_in(read(old), club)
        assert not found.file_speaks or new == old
        assert packed(club) == new, kept_lines(found)
        past.back()
    club.refresh_from_db()
    assert packed(club) == old
    found = take_in(read(new), club, file_speaks=True)
    assert without_what_stays(document_of(club)) == without_what_stays(document)
    assert take_in(read(new), club, file_speaks=True).changes_nothing
    assert of_others(club) == before
    assert packed(other)


def without_what_stays(document: dict[str, Any]) -> dict[str, Any]:
    """The document without what a file does not change of a row that is here."""
    said = copy.deepcopy(document)
    for row in said["members"]:
        row.pop("role", None)
    return said


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
def test_two_sites_that_went_on_apart_are_brought_together_or_refused_with_reasons(seed: int) -> None:
    years = Years(f"apart {seed}").live(40)
    club = years.club
    with Past() as past:
        there = Years(f"there {seed}", club).live(30)
        file = packed(there.club)
        past.back()
    club.refresh_from_db()
    Years(f"here {seed}", club).live(30)
    mine, before = document_of(club), packed(club)
    found = differences(read(file), club)
    if found.conflicts:
        with pytest.raises(NotTaken) as refused:
            take_in(read(file), club)
        assert refused.value.sentences == (*found.conflicts, WHAT_TO_DO)
        assert packed(club) == before
        return
    take_in(read(file), club)
    together = document_of(club)
    for key in ("members", "nights", "tables", "trophies", "seasons", "awards"):
        names = {row["uid"] for row in together[key]}
        assert names >= {row["uid"] for row in [*mine[key], *read(file)[key]]}
    assert take_in(read(file), club, file_speaks=found.file_speaks).changes_nothing
    assert unpacked(packed(club))


def test_nothing_comes_in_without_what_was_seen() -> None:
    club = Years("seen").live(20).club
    file = packed(club)
    with pytest.raises(NotNow, match="Look again at what the file would change"):
        take_in(read(file), club, saw="something else")


# Rights


def four(club: Club) -> list[Member]:
    return [new_member(club, name) for name in ("Ann", "Bo", "Cy", "Di")]


def spoiled(club: Club, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The club's document with one thing changed, read as any file."""
    document = document_of(club)
    change(document)
    return unpacked(json.dumps(document).encode())


def test_file_gives_no_account_and_takes_none() -> None:
    club = ClubFactory()
    ann, bo = new_member(club, "Ann", role="organiser", user=UserFactory()), new_member(club, "Bo", user=UserFactory())
    document = spoiled(club, lambda d: [row.update(role="organiser", nickname="Ace") for row in d["members"]])
    take_in(document, club, file_speaks=True)
    ann.refresh_from_db()
    bo.refresh_from_db()
    assert (ann.role, bo.role) == ("organiser", "member")
    assert bo.nickname == "Ace"
    assert bo.user is not None
    for key in ("user", "user_id", "claim_hash", "key", "email"):
        with pytest.raises(NotTaken):
            spoiled(club, lambda d, key=key: d["members"][0].update({key: "1"}))


def test_file_cannot_reach_the_rows_of_another_club() -> None:
    club, other = ClubFactory(), ClubFactory()
    zed = new_member(other, "Zed")
    four(club)
    document = spoiled(club, lambda d: d["members"][0].update(uid=zed.uid, nickname="Mine"))
    with pytest.raises(NotTaken, match="another club"):
        take_in(document, club, file_speaks=True)
    zed.refresh_from_db()
    assert (zed.club, zed.nickname) == (other, "")


def test_new_club_cannot_be_one_that_is_here_nor_have_its_people() -> None:
    club, other = ClubFactory(), ClubFactory()
    four(club)
    zed = new_member(other, "Zed")
    with pytest.raises(NotTaken, match="already"):
        take_in(spoiled(club, lambda d: None), None)
    document = spoiled(club, lambda d: (d["club"].update(uid="n" * 22), d["members"][0].update(uid=zed.uid)))
    with pytest.raises(NotTaken, match="another club"):
        take_in(document, None)


def test_sheet_that_was_taken_out_of_a_members_club_is_no_sheet_of_its_members_elsewhere_either() -> None:
    club = ClubFactory(visibility="members")
    table = played(NightFactory(club=club), four(club))
    table.withdrawn_at = timezone.now()
    table.save()
    file = packed(club)
    with Past():
        from tests.clubs.archive.years import forgotten

        forgotten(club)
        again = take_in(read(file), None).club
        sheet = Sheet.objects.get(table__night__club=again)
        assert (sheet.home, sheet.members_only) == ("", False)


def test_sheet_of_a_file_has_addresses_of_its_own_and_nobody_writes_on_it() -> None:
    club = ClubFactory(visibility="members")
    table = played(NightFactory(club=club), four(club))
    file = packed(club)
    for key in (table.sheet.code, table.sheet.watch, club.key, club.calendar_key):
        assert key not in json.dumps(document_of(club))
    with Past():
        forgotten(club)
        again = take_in(read(file), None).club
        sheet = Sheet.objects.get(table__night__club=again)
        assert sheet.members_only
        assert sheet.home.startswith(again.get_absolute_url())
        assert not sheet.scorekeepers.exclude(browser="", user=None).exists()
        assert (again.key, again.is_demo) != (club.key, True)


def test_sheet_that_was_taken_out_leads_to_no_night() -> None:
    club = ClubFactory()
    table = played(NightFactory(club=club), four(club), hands=1)
    Table.objects.filter(pk=table.pk).update(withdrawn_at=timezone.now())
    file = packed(club)
    forgotten(club)
    again = take_in(read(file), None).club
    assert Sheet.objects.get(table__night__club=again).home == ""


def test_player_of_two_clubs_is_called_as_before() -> None:
    club, other = ClubFactory(), ClubFactory()
    ann, bo = four(club)[:2]
    Member.objects.create(club=other, player=ann.player, name="Ann")
    document = spoiled(club, lambda d: [row.update(shown_as="Nobody") for row in d["players"]])
    take_in(document, club, file_speaks=True)
    assert list(Player.objects.filter(shown_as="Nobody").values_list("pk", flat=True).order_by("pk")[:1]) == [
        bo.player_id
    ]
    assert Player.objects.get(pk=ann.player_id).shown_as == ""


# Where both cannot be right


def test_sheet_goes_on_where_it_stopped() -> None:
    club = ClubFactory()
    people = four(club)
    table = played(NightFactory(club=club), people, hands=1)
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    with Past() as past:
        scorer.clear_game()
        file = packed(club)
        past.back()
    document = read(file)
    found = differences(document, club)
    assert any("more taps on its sheet" in line for line in changed_lines(found))
    take_in(document, club)
    table.refresh_from_db()
    assert packed(club) == file
    assert table.ended_at is not None
    assert table.placings.get(winner=True).member == people[0]
    assert Standing.objects.get(club=club, season=None, member=people[0]).won == 1


def refused(club: Club, file: bytes, sentence: str, *, file_speaks: bool | None = None) -> None:
    """The file is refused with this conflict, and nothing is written."""
    before = packed(club)
    found = differences(read(file), club, file_speaks=file_speaks)
    assert found.conflicts == [sentence]
    with pytest.raises(NotTaken) as problem:
        take_in(read(file), club, file_speaks=file_speaks)
    assert problem.value.sentences == (sentence, WHAT_TO_DO)
    assert packed(club) == before


def test_sheet_that_went_another_way_is_a_conflict() -> None:
    club = ClubFactory()
    table = played(NightFactory(club=club, on=MARCH), four(club), hands=1)
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    with Past() as past:
        sure_of(scorer.bid(3, 1))
        file = packed(club)
        past.back()
    table.refresh_from_db()
    sure_of(scorer.bid(3, 0))
    refused(
        club,
        file,
        "Table 1 (Dirty Dog) of 5 March 2026: something else was written on its sheet here than in the file.",
    )


def test_two_tables_of_one_number_are_a_conflict() -> None:
    club = ClubFactory()
    night = NightFactory(club=club, on=MARCH)
    with Past() as past:
        Table.objects.create(night=night, number=1, game="dirty-dog")
        file = packed(club)
        past.back()
    Table.objects.create(night=night, number=1, game="dingo")
    refused(club, file, "Table 1 (Dirty Dog) of 5 March 2026: another table of that night has this number here.")


def test_table_in_the_place_of_one_that_was_taken_out_is_no_conflict() -> None:
    club = ClubFactory()
    night = NightFactory(club=club)
    Table.objects.create(night=night, number=1, game="dirty-dog")
    with Past() as past:
        night.tables.update(withdrawn_at=timezone.now())
        Table.objects.create(night=night, number=1, game="dingo")
        file = packed(club)
        past.back()
    take_in(read(file), club, file_speaks=True)
    assert packed(club) == file


def test_table_that_was_typed_on_one_side_and_written_on_the_other_is_a_conflict() -> None:
    club = ClubFactory()
    people = four(club)
    night = NightFactory(club=club, on=MARCH)
    table = scored(night, [(people[0], 9), (people[1], 3)])
    with Past() as past:
        Placing.objects.filter(table=table).delete()
        other = played(NightFactory(club=club), people)
        sheet = other.sheet
        other.delete()
        Table.objects.filter(pk=table.pk).update(sheet=sheet)
        written = packed(club)
        past.back()
    typed = packed(club)
    sentence = "Table 1 (Dirty Dog) of 5 March 2026 has a sheet on one side, and a result that was typed on the other."
    refused(club, written, sentence)
    forgotten(club)
    club = take_in(read(written), None).club
    assert club
    refused(club, typed, sentence)


@pytest.mark.parametrize("file_speaks", [True, False])
def test_who_sat_where_stays_as_it_is_here(file_speaks: bool) -> None:
    club = ClubFactory()
    people = four(club)
    table = Table.objects.create(night=NightFactory(club=club), number=1, game="dirty-dog")
    with Past() as past:
        for place, member in enumerate(people, 1):
            Chair.objects.create(table=table, place=place, member=member)
        file = packed(club)
        past.back()
    for place, member in enumerate(reversed(people[:3]), 1):
        Chair.objects.create(table=table, place=place, member=member)
    take_in(read(file), club, file_speaks=file_speaks)
    assert [chair.member for chair in table.chairs.all()] == [*reversed(people[:3])]


def test_pair_that_is_kept_apart_is_one_whoever_is_named_first() -> None:
    club = ClubFactory()
    ann, bo, *_ = four(club)
    with Past() as past:
        KeptApart.objects.create(club=club, one=bo, other=ann)
        file = packed(club)
        past.back()
    KeptApart.objects.create(club=club, one=ann, other=bo)
    assert take_in(read(file), club).changes_nothing
    assert KeptApart.objects.count() == 1


def test_trophy_that_was_given_on_both_sides_is_a_conflict() -> None:
    club = ClubFactory()
    people = four(club)
    trophy = TrophyFactory(club=club, name="The Cup", goes="other")
    table = played(NightFactory(club=club, on=MARCH), people)

    def give(member: Member) -> None:
        Award.objects.create(trophy=trophy, member=member, on=table.night.on, source="sheet", table=table)

    with Past() as past:
        give(people[1])
        file = packed(club)
        past.back()
    give(people[0])
    refused(club, file, "The Cup for Bo, 5 March 2026: it was given for the same table here.")


def test_award_that_was_given_again_is_no_conflict() -> None:
    club = ClubFactory()
    people = four(club)
    trophy = TrophyFactory(club=club, goes="other")
    table = played(NightFactory(club=club), people)
    given = {"trophy": trophy, "on": table.night.on, "source": "sheet", "table": table}
    award = Award.objects.create(member=people[0], **given)
    with Past() as past:
        Award.objects.filter(pk=award.pk).update(set_aside_at=timezone.now())
        Award.objects.create(member=people[1], instead_of=award, **given)
        file = packed(club)
        past.back()
    take_in(read(file), club, file_speaks=True)
    assert packed(club) == file


def test_two_who_have_one_seat_are_a_conflict() -> None:
    club = ClubFactory()
    table = played(NightFactory(club=club), four(club))
    stranger = Player.objects.create(name="Gil")
    Seat.objects.filter(sheet=table.sheet, number=4).update(player=stranger)
    publish(read_sheet(table.sheet), was_published=True)
    with Past() as past:
        Member.objects.create(club=club, player=stranger, name="Gil")
        file = packed(club)
        past.back()
    Member.objects.create(club=club, player=stranger, name="Gilbert")
    refused(club, file, "Gil: at a table here somebody else sits in their seat.")


@pytest.mark.parametrize("file_speaks", [True, False])
def test_records_that_were_merged_one_behind_another_are_a_conflict(file_speaks: bool) -> None:
    club = ClubFactory()
    b, c = (new_member(club, name) for name in ("Bobby", "Robert"))

    def point_on() -> None:
        Member.objects.filter(pk=b.pk).update(same_as=c)

    def point() -> None:
        a = new_member(club, "Bo")
        Member.objects.filter(pk=a.pk).update(same_as=b)

    there, here = (point_on, point) if file_speaks else (point, point_on)
    with Past() as past:
        there()
        file = packed(club)
        past.back()
    here()
    sentence = "Bo is merged with Bobby, and Bobby with somebody else."
    refused(club, file, sentence, file_speaks=file_speaks)


def test_locked_season_comes_with_its_rows_and_an_open_one_is_counted() -> None:
    club = ClubFactory()
    people = four(club)
    season = SeasonFactory(club=club)
    scored(NightFactory(club=club), [(people[0], 9), (people[1], 3)])
    keep_standings(club)
    with Past() as past:
        Season.objects.filter(pk=season.pk).update(locked_at=timezone.now())
        scored(NightFactory(club=club), [(people[1], 9), (people[0], 3)])
        keep_standings(club)
        file, told = packed(club), list(Standing.objects.filter(season=season).values_list("member", "points", "games"))
        past.back()
    scored(NightFactory(club=club), [(people[2], 9), (people[0], 3)])
    keep_standings(club)
    take_in(read(file), club, file_speaks=True)
    assert list(Standing.objects.filter(season=season).values_list("member", "points", "games")) == told
    assert Standing.objects.get(club=club, season=None, member=people[0]).games == 3


def test_guest_who_was_known_by_a_seat_becomes_a_member_with_it() -> None:
    club = ClubFactory()
    people = four(club)
    night = NightFactory(club=club)
    table = played(night, people)
    stranger = Player.objects.create(name="Gil")
    Seat.objects.filter(sheet=table.sheet, number=4).update(player=stranger)
    publish(read_sheet(table.sheet), was_published=True)
    with Past() as past:
        gil = Member.objects.create(club=club, player=stranger, name="Gil")
        file = packed(club)
        past.back()
    players = Player.objects.count()
    take_in(read(file), club)
    assert Member.objects.get(uid=gil.uid).player == stranger
    assert Player.objects.count() == players
    assert table.placings.filter(member__uid=gil.uid).exists()


def test_dry_run_says_what_comes_in() -> None:
    club = ClubFactory()
    people = four(club)
    with Past() as past:
        new_member(club, "Ed")
        night = NightFactory(club=club, on=datetime.date(2026, 3, 5))
        table = played(night, people)
        Chair.objects.create(table=table, place=1, member=people[0])
        TrophyFactory(club=club, name="The Cup")
        PlayerAlias.objects.create(club=club, player=Player.objects.create(name="x"), member=people[0])
        file = packed(club)
        past.back()
    before = packed(club)
    found = differences(read(file), club)
    said = {heading.what: heading.lines for heading in new_headings(found)}
    assert said["1 person"] == ["Ed"]
    assert said["1 night"] == ["5 March 2026"]
    assert said["1 table"] == ["Table 1 (Dirty Dog) of 5 March 2026"]
    assert said["1 trophy"] == ["The Cup"]
    assert {"1 chair", "1 sheet", "1 name on a sheet that is known"} <= set(said)
    assert packed(club) == before
    assert (Night.objects.count(), Trophy.objects.count()) == (0, 0)
