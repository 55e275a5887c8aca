"""Play-offs in the file of a club: they come in as they went out, on a site where everybody has another number."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.archive.export import document_of, packed
from clubs.archive.parse import NotTaken, unpacked
from clubs.archive_import.apply import take_in
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import changed_lines, new_headings
from clubs.members.data_export import held_about
from clubs.members.merge import merge, unmerge, why_two
from clubs.models import Club, Member, Placing, PlayOff, Ruling, Stage, Standing, Table
from clubs.play_off_rounds.corrections import keep, moved_by, moves, redraw, stages_in
from clubs.play_offs.state import now
from scoresheets.models import Player
from tests.club_factories import UserFactory
from tests.clubs.archive.years import forgotten
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.counted import change

pytestmark = pytest.mark.django_db

Document = dict[str, Any]


@pytest.fixture
def evening() -> PlayOffEvening:
    """A play-off with both finals played: at the losers' table two are level, and have drawn a card."""
    evening = play_off([4, 3], places=2)
    first, second = evening.groups
    evening.finish(first, {"Ann": 12, "Bo": 10, "Cy": 5, "Di": -3})
    evening.finish(second, {"Ed": 20, "Flo": 9, "Gus": 1})
    evening.open_next()
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Ed": 2, "Flo": 1})
    evening.finish(evening.final("losers"), {"Cy": -8, "Di": 3, "Gus": -8})
    says = {str(evening.player("Cy")): "K", str(evening.player("Gus")): "5"}
    Ruling.objects.create(play_off=evening.play_off, kind=Ruling.Kind.DRAW, says=says)
    change(evening.club.pk, evening.play_off)
    return evening


def told(club: Club) -> list[tuple[Any, ...]]:
    rows = Placing.objects.filter(table__night__club=club).order_by("member__name")
    return list(rows.values_list("member__name", "table__label", "place", "score", "winner", "loser", "hands"))


def elsewhere(document: bytes) -> Club:
    """The club on a site that knew nothing of it, and where other people came first."""
    Player.objects.bulk_create(Player(name=f"Stranger {number}") for number in range(20))
    found = take_in(unpacked(document), None).club
    assert found is not None
    return found


@pytest.mark.thorough
def test_play_off_comes_in_as_it_went_out(evening: PlayOffEvening) -> None:
    first, before = packed(evening.club), told(evening.club)
    assert next(row for row in before if row[5])[0] == "Gus"
    forgotten(evening.club)
    again = elsewhere(first)
    assert packed(again) == first
    assert told(again) == before
    state = now(PlayOff.objects.get())
    assert state.is_over
    assert {member.name for member in again.members.filter(player__in=state.rulings[0].says)} == {"Cy", "Gus"}
    drawn = Stage.objects.get(side="losers").drawn_for
    assert {member.name for member in again.members.filter(player__in=drawn)} == {"Cy", "Di", "Gus"}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [Ruling.Kind.KEEP, Ruling.Kind.REDRAW])
def test_what_was_decided_about_a_correction_comes_in_as_it_went_out(evening: PlayOffEvening, kind: str) -> None:
    evening.correct(evening.groups[0], {"Cy": 11})
    found = moves(evening.now)
    assert found is not None
    if kind == Ruling.Kind.KEEP:
        keep(evening.play_off, found.mark, reason="So", by=None)
    else:
        redraw(evening.play_off, found.mark, reason="So", by=None, user=UserFactory(), keeper="Olga")
    first, stages = packed(evening.club), [len(evening.now.stages), len(evening.now.abandoned)]
    assert differences(unpacked(first), evening.club).changes_nothing
    forgotten(evening.club)
    assert packed(elsewhere(first)) == first
    state = now(PlayOff.objects.get())
    assert [len(state.stages), len(state.abandoned)] == stages
    shut = Table.objects.exclude(sheet__closed="").values_list("pk", flat=True)
    assert set(shut) == {one.table.pk for stage in state.abandoned for one in stage.tables}, "on these nobody writes"
    assert moves(state) is None, "nobody is asked again"
    ruling = state.rulings[-1]
    names = {one.name for stage in moved_by(state, ruling).stages for one in (*stage.comes, *stage.goes)}
    assert names == {"Bo", "Cy"}
    assert len(stages_in(ruling, "old")) == len(stages_in(ruling, "new")) == (2 if kind == Ruling.Kind.REDRAW else 0)


def test_dry_run_says_it_in_words(evening: PlayOffEvening) -> None:
    document = document_of(evening.club)
    forgotten(evening.club)
    what = [heading.what for heading in new_headings(differences(document_filled(document), None))]
    assert "1 play-off" in what
    assert "3 stages of a play-off" in what or "3 stages of play-offs" in what
    assert "1 ruling about a play-off" in what


def document_filled(document: Document) -> Document:
    return unpacked(json.dumps(document).encode())


def test_nothing_changes_where_nothing_differs_and_what_differs_is_said(evening: PlayOffEvening) -> None:
    document = document_of(evening.club)
    assert differences(document_filled(document), evening.club).changes_nothing
    document["rulings"][0]["withdrawn_at"] = "2030-01-01T00:00:00.000000Z"
    found = differences(document_filled(document), evening.club)
    (line,) = changed_lines(found)
    assert "The play-off of" in line
    assert "cards drawn for the loser’s trophy: withdrawn nothing → 1 January 2030" in line
    take_in(document_filled(document), evening.club)
    assert not Placing.objects.filter(table__stage__isnull=False).exists(), "nobody has drawn, and nobody has lost"


@pytest.mark.thorough
def test_files_from_before_come_in(evening: PlayOffEvening) -> None:
    document = document_of(evening.club)
    for key in ("play_offs", "stages", "rulings"):
        del document[key]
    for row in document["tables"]:
        row.pop("stage")
    forgotten(evening.club)
    again = elsewhere(json.dumps(document).encode())
    assert Table.objects.filter(night__club=again, stage=None).count() == 4
    assert set(Standing.objects.filter(club=again).values_list("games", flat=True)) == {2}


def test_two_play_offs_of_one_night_are_a_conflict(evening: PlayOffEvening) -> None:
    document = document_of(evening.club)
    other = dict(document["play_offs"][0], uid="p" * 22)
    stage = dict(document["stages"][0], uid="s" * 22, play_off="p" * 22)
    document["play_offs"], document["stages"] = [other], [stage]
    document["rulings"] = []
    for row in document["tables"]:
        row.pop("stage")
    with pytest.raises(NotTaken) as refused:
        take_in(document_filled(document), evening.club)
    assert refused.value.sentences[0].endswith(": that night has another play-off here.")
    assert now(PlayOff.objects.get()).is_over


def test_stage_that_was_drawn_on_both_sides_is_a_conflict(evening: PlayOffEvening) -> None:
    document = document_of(evening.club)
    stage = next(row for row in document["stages"] if row["side"] == "winners")
    table = next(row for row in document["tables"] if row.get("stage") == stage["uid"])
    document["stages"] = [row for row in document["stages"] if row is not stage] + [dict(stage, uid="s" * 22)]
    document["tables"] = [row for row in document["tables"] if row is not table]
    document["tables"].append(dict(table, uid="t" * 22, stage="s" * 22, number=9))
    document["chairs"] = [row for row in document["chairs"] if row["table"] != table["uid"]]
    document["awards"] = []
    document["sheets"] = [row for row in document["sheets"] if row["table"] != table["uid"]]
    with pytest.raises(NotTaken) as refused:
        take_in(document_filled(document), evening.club)
    assert refused.value.sentences[0].endswith(", winners’ side: it was drawn here, too.")
    assert not Stage.objects.filter(uid="s" * 22).exists()
    assert now(evening.play_off).is_over


def of(key: str, at: int = 0, **says: object) -> Callable[[Document], None]:
    return lambda d: d[key][at].update(says)


WRONG: dict[str, tuple[Callable[[Document], Any], str]] = {
    "a game": (of("play_offs", game="whist"), "play_offs, number 1, game: nobody here knows that game"),
    "nobody goes on": (of("play_offs", places=0), "play_offs, number 1, places: somebody has to go on"),
    "no groups": (lambda d: d["stages"].pop(0), "play_offs, number 1: it has no groups"),
    "two of a night": (
        lambda d: d["play_offs"].append(d["play_offs"][0] | {"uid": "p" * 22}),
        "play_offs, number 2: that night has another play-off",
    ),
    "groups later": (of("stages", number=2), "stages, number 1, number: groups come first, and nothing else does"),
    "groups drawn anew": (
        of("stages", abandoned_at="2026-03-05T20:00:00.000000Z"),
        "stages, number 1: no stage of a play-off is like that",
    ),
    "a stage twice": (lambda d: d["stages"].append(d["stages"][1] | {"uid": "s" * 22}), "that cannot be there twice"),
    "for whom": (of("stages", 1, drawn_for=["Ann"]), "stages, number 2, drawn_for: a list of players belongs here"),
    "for nobody here": (of("stages", 1, drawn_for=[99]), "drawn_for: nobody in this file has that number"),
    "a card": (of("rulings", says={"1": "joker"}), "rulings, number 1, says: nobody can have said that"),
    "whose card": (of("rulings", says={"99": "K"}), "rulings, number 1, says: nobody in this file has that number"),
    "which table": (of("rulings", kind="cut", says={"table": "n" * 22}), "says: it points to nothing in this file"),
    "which move": (of("rulings", kind="keep", says={"stages": [{"stage": 3}]}), "it points to nothing in this file"),
    "what move": (of("rulings", kind="redraw", says={"stages": ["up"]}), "says: nobody can have said that"),
    "another night": (
        lambda d: [d["nights"].append(d["nights"][0] | {"uid": "n" * 22}), d["tables"][0].update(night="n" * 22)],
        "tables, number 1, stage: that play-off is another night’s, or of another game",
    ),
    "what the end decides": (
        lambda d: d["sheets"][0]["sheet"]["writes"][0]["adds"][0][2].update(decides={"through": "all"}),
        "no table can decide that",
    ),
}  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(evening: PlayOffEvening, name: str) -> None:
    change, sentence = WRONG[name]
    spoiled = json.loads(json.dumps(document_of(evening.club)))
    change(spoiled)
    with pytest.raises(NotTaken) as refused:
        unpacked(json.dumps(spoiled).encode())
    assert any(sentence in said for said in refused.value.sentences), refused.value.sentences


# One person


def test_two_who_sat_in_different_groups_at_once_are_two_people(evening: PlayOffEvening) -> None:
    (said,) = why_two(evening.members["Gus"], evening.members["Di"])
    assert said.startswith("Gus and Di sat at one table")
    (said,) = why_two(evening.members["Flo"], evening.members["Cy"])
    assert said.startswith("Flo and Cy sat at two tables of the play-off of")


@pytest.mark.thorough
def test_merging_and_undoing_it_leaves_one_game_each(evening: PlayOffEvening) -> None:
    other = Member.objects.create(
        club=evening.club, player=Player.objects.create(name="Annie"), name="Annie", approved_at=timezone.now()
    )
    before = told(evening.club)
    assert merge(evening.members["Ann"], other, by=None) == []
    assert Standing.objects.get(member=other).games == 1
    assert told(evening.club) == before
    unmerge(Member.objects.get(pk=evening.members["Ann"].pk), by=None)
    assert told(evening.club) == before


def test_what_is_held_about_somebody_has_the_hands_of_their_group(evening: PlayOffEvening) -> None:
    told = json.loads(held_about(evening.members["Gus"], str))
    final, group = sorted(told["games"], key=lambda game: game["table"], reverse=True)
    assert (final["place"], final["of"], final["lost"], len(final["hands"])) == (6, 7, True, 1)
    assert (group["table"], group["counts"], len(group["hands"])) == ("Group 2", "with the play-off of that night", 1)


def test_the_pages_of_a_club_that_came_in_open(evening: PlayOffEvening) -> None:
    first, on = packed(evening.club), evening.night.on
    forgotten(evening.club)
    again = elsewhere(first)
    night = again.nights.get(on=on)
    client = Client()
    client.get(f"/clubs/{again.slug}/in/{again.key}/")
    for page in (
        "",
        "standings/",
        "games/",
        "records/",
        "honours/",
        f"nights/{night.pk}/",
        f"nights/{night.pk}/play-off/",
    ):
        assert client.get(f"/clubs/{again.slug}/{page}").status_code == 200, page
