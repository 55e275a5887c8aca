"""`manage.py club export|import`, at the machine the site runs on."""

from __future__ import annotations

import datetime
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from clubs.archive.export import document_of, packed, text_of
from clubs.models import AuditEntry, Club, Honour, PersonalBest, Placing, Standing, Table
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.archive.years import Years, forgotten

pytestmark = pytest.mark.django_db


def said(*words: object) -> str:
    out = io.StringIO()
    call_command("club", *map(str, words), stdout=out)
    return out.getvalue()


@pytest.mark.thorough
def test_club_goes_out_and_comes_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = Years("command").live(40).club
    small, plain = tmp_path / "club.gz", tmp_path / "club.json"
    assert said("export", club.slug, small).startswith(f"Wrote {club.name} into ")
    said("export", club.slug, plain)
    call_command("club", "export", club.slug)
    assert small.read_bytes() == packed(club)
    assert plain.read_text("utf-8") == text_of(document_of(club)) == capsys.readouterr().out
    assert "Nothing would change." in said("import", plain, "--confirm")
    forgotten(club)
    told = said("import", small)
    assert told.startswith(f"The club is new here: {club.name}.\n+ ")
    assert told.endswith("Nothing is imported yet. Add --confirm to import it.\n")
    assert not Club.objects.exists()
    assert f"Imported: {club.name}, at /clubs/" in said("import", small, "--confirm")
    assert packed(Club.objects.get()) == small.read_bytes()


@pytest.mark.thorough
def test_file_with_a_sheet_larger_than_one_may_be_is_refused(tmp_path: Path, settings: Any) -> None:
    """By the hands that were played, and by those that are planned."""
    club = Years("large").live(40).club
    file = tmp_path / "club.json"
    said("export", club.slug, file)
    document = json.loads(file.read_text())
    hands = max(hand for row in document["sheets"] for w in row["sheet"]["writes"] for hand, *_ in w.get("adds", ()))
    assert "Nothing would change." in said("import", file)
    settings.HANDS_PER_SHEET = hands - 1
    with pytest.raises(CommandError, match=f"hands, and a sheet has at most {hands - 1} here"):
        said("import", file)
    settings.HANDS_PER_SHEET = 120
    planned = next(row["sheet"] for row in document["sheets"] if row["sheet"]["game"] == "dirty-dog")
    planned["writes"][0]["adds"][0][2]["plan"] = {"hands": 121}
    file.write_text(json.dumps(document))
    with pytest.raises(CommandError, match="it has 121 hands, and a sheet has at most 120 here"):
        said("import", file)


@pytest.mark.thorough
def test_file_with_a_sheet_written_on_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = Years("often").live(40).club
    file = tmp_path / "club.json"
    said("export", club.slug, file)
    monkeypatch.setattr("scoresheets.files.log_schema.MOST_WRITES", 2)
    with pytest.raises(CommandError, match="changed more often than the 2 times a sheet can be"):
        said("import", file)


def test_who_is_right_can_be_said(tmp_path: Path) -> None:
    club = Years("speaks").live(10).club
    document = document_of(club)
    document["members"][0]["nickname"] = "Ace"
    file = tmp_path / "club.json"
    file.write_text(json.dumps(document))
    assert "= " in said("import", file, "--speaks", "club")
    assert "\nNothing would change.\n" in said("import", file, "--speaks", "club", "--confirm")
    assert "~ " in said("import", file, "--speaks", "file")
    assert "Imported: 1 row changed." in said("import", file, "--speaks", "file", "--confirm")
    assert AuditEntry.objects.filter(club=club).latest("pk").says == "Imported a club file: 1 row changed."


def test_file_that_conflicts_is_refused_with_the_conflicts(tmp_path: Path) -> None:
    club = ClubFactory()
    night = NightFactory(club=club)
    there = Table.objects.create(night=night, number=1, game="dirty-dog")
    file = tmp_path / "club.gz"
    file.write_bytes(packed(club))
    there.delete()
    Table.objects.create(night=night, number=1, game="dingo")
    for words in ([], ["--confirm"]):
        with pytest.raises(CommandError, match=r"this number here\.\nThe file and the club"):
            said("import", file, *words)
    assert night.tables.get().game == "dingo"


def test_file_with_rows_of_another_club_is_refused_with_the_club_and_the_rows(tmp_path: Path) -> None:
    club = ClubFactory(name="The Trumps")
    night = NightFactory(club=club, on=datetime.date(2026, 3, 5))
    played(night, [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")])
    file = tmp_path / "club.json"
    file.write_text(json.dumps(document_of(club) | {"club": document_of(club)["club"] | {"uid": "n" * 22}}))
    with pytest.raises(CommandError) as refused:
        said("import", file, "--confirm")
    first, *rows = str(refused.value).splitlines()
    assert first == "Something in this file belongs to another club of this site. Nothing was imported."
    assert rows == [
        *(f"The member {name}: belongs to The Trumps." for name in ("Ann", "Bo", "Cy", "Di")),
        "The night of 5 March 2026: belongs to The Trumps.",
        "Table 1 (Dirty Dog) of 5 March 2026: belongs to The Trumps.",
    ]
    MemberFactory.create_batch(30, club=club)
    file.write_text(json.dumps(document_of(club) | {"club": document_of(club)["club"] | {"uid": "n" * 22}}))
    with pytest.raises(CommandError, match=r"\nand 16 more\.$"):
        said("import", file)


def test_copies_are_made_anew_and_what_was_otherwise_is_said() -> None:
    club = ClubFactory(name="The Trumps")
    night = NightFactory(club=club, on=datetime.date(2026, 3, 5))
    table = played(night, [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")])
    assert said("remake", club.slug) == "Rebuilt the results of The Trumps from 1 sheet: nothing differed.\n"
    was = Placing.objects.get(table=table, place=1)
    Placing.objects.filter(pk=was.pk).update(score=was.score + 7)
    PersonalBest.objects.filter(table=table, member__name="Bo").first().delete()
    Honour.objects.create(table=table, member=was.member, hand=3, game=table.game, tag="made-up")
    Standing.objects.filter(club=club, member__name="Cy").update(games=9)
    told = said("remake", club.slug).splitlines()
    who = f"Table 1 of 5 March 2026, {was.member.name}"
    assert f"placing, {who}: score {was.score + 7}, now {was.score}" in told
    assert f"honour, {who}, 3, made-up: should not be there" in told
    assert "standing, all games, Cy: games 9, now 1" in told
    assert any(line.startswith("best or worst, Table 1 of 5 March 2026, Bo, ") for line in told)
    assert told[-1] == "Rebuilt the results of The Trumps from 1 sheet: 4 differed."
    assert len(told) == 5
    assert said("remake", club.slug).endswith("nothing differed.\n")


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no club at nowhere"):
        said("export", "nowhere")
    with pytest.raises(CommandError, match="There is no club at nowhere"):
        said("remake", "nowhere")
    with pytest.raises(CommandError, match="cannot be read"):
        said("import", tmp_path / "nothing.gz")
    (tmp_path / "letter").write_text("Dear club")
    with pytest.raises(CommandError, match="cannot be read"):
        said("import", tmp_path / "letter")
    club = Years("folder").club
    with pytest.raises(CommandError, match="cannot be written"):
        said("export", club.slug, tmp_path)
