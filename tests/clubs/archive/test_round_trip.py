"""A club goes into a file, and out of it into a site that knows nothing of it: the second file is the first."""

from __future__ import annotations

import gzip
import json

import pytest
from django.apps import apps
from django.db import models

from clubs.archive.codec import shape_of
from clubs.archive.export import document_of, packed, text_of
from clubs.archive.parse import unpacked
from clubs.archive.references import ByField
from clubs.archive.schema import CLUB, LEFT_OUT, NOUNS
from clubs.archive_import.apply import take_in
from clubs.archive_import.diff_text import FIELDS, KINDS
from clubs.models import Member, Placing, PlayOff, Ruling, Stage, Standing, User
from scoresheets.files import log_export
from scoresheets.models import FinalPlacing, HandFact, Revision, Scorekeeper, ShareLink, Sheet
from tests.clubs.archive.years import Years, forgotten

pytestmark = pytest.mark.django_db

SEEDS = [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 40))]


def counted(club):
    """What is counted of a club, and stands in no file."""
    placings = Placing.objects.filter(table__night__club=club)
    standings = Standing.objects.filter(club=club)
    return (
        sorted(
            map(
                str,
                placings.values_list("table__uid", "member__uid", "place", "score", "winner", "loser", "hands", "bids"),
            )
        ),
        sorted(map(str, standings.values_list("member__uid", "season__uid", "place", "points", "games", "reason"))),
        FinalPlacing.objects.filter(sheet__table__night__club=club).count(),
        HandFact.objects.filter(sheet__table__night__club=club).count(),
    )


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("seed", SEEDS)
def test_second_file_is_the_first(seed: int) -> None:
    club = Years(seed).live(120).club
    first, document, told = packed(club), document_of(club), counted(club)
    forgotten(club)
    again = take_in(unpacked(first), None).club
    assert again is not None
    assert document_of(again) == document
    assert packed(again) == first
    assert counted(again) == told


def test_everything_a_club_keeps_is_in_its_file_or_left_out_for_a_reason() -> None:
    told = {noun.model.__name__ for noun in (CLUB, *NOUNS)}
    models = {model.__name__ for model in apps.get_app_config("clubs").get_models() if not model._meta.proxy}
    assert told | set(LEFT_OUT) == models
    assert not told & set(LEFT_OUT)
    for noun in (CLUB, *NOUNS):
        names = {one.name for one in noun.model._meta.concrete_fields}
        assert set(noun.left_out) <= names, "what is left out is there"
        assert all(noun.left_out.values())
        assert set(noun.fields) <= set(FIELDS), "every field has a word"
        assert {*noun.identity, *noun.order, *noun.stays} <= set(noun.fields)
        for one in noun.fields.values():
            assert shape_of(one)
        assert noun.key in KINDS


def test_every_json_field_declares_what_it_refers_to() -> None:
    for noun in (CLUB, *NOUNS):
        fields = {name for name, field in noun.fields.items() if isinstance(field, models.JSONField)}
        assert fields == set(noun.references), f"{noun.key}: say in clubs.archive.schema what its JSON refers to"
        by_field = [declared for declared in noun.references.values() if isinstance(declared, ByField)]
        for declared in by_field:
            assert set(declared.declared) == {choice for choice, _ in noun.fields[declared.field].flatchoices}


def test_numbers_of_hands_are_no_players() -> None:
    """Of finals of different length the ruling says how many hands each had: numbers that are ids of players, too."""
    club = Years("unequal").live(5).club
    play_off = PlayOff.objects.create(night=club.nights.get(), game="dirty-dog", places=1)
    Stage.objects.create(play_off=play_off, number=1, side="all", hands=1, places=1)
    players = sorted(club.members.values_list("player", flat=True))
    says = {"choice": "stands", "hands": [players[1], players[0]]}
    Ruling.objects.create(play_off=play_off, kind="hands", says=says)
    file = packed(club)
    (row,) = unpacked(file)["rulings"]
    assert row["says"] == says
    forgotten(club)
    again = take_in(unpacked(file), None).club
    assert Ruling.objects.get(play_off__night__club=again).says == says


def test_everything_of_a_sheet_is_in_its_copy_or_left_out_for_a_reason() -> None:
    for model, out in log_export.LEFT_OUT.items():
        names = {one.name for one in apps.get_model("scoresheets", model)._meta.concrete_fields}
        assert set(out) | set(log_export.TOLD[model]) == names, model
        assert not set(out) & set(log_export.TOLD[model])


@pytest.mark.thorough
def test_file_is_text_that_people_can_read() -> None:
    club = Years("text").live(30).club
    text = text_of(document_of(club))
    assert gzip.decompress(packed(club)).decode() == text
    assert json.loads(text) == document_of(club)
    assert max(len(text.split("\n")), 20) == len(text.split("\n")), "a row a line"
    assert unpacked(text.encode()) == unpacked(packed(club))


@pytest.mark.thorough
def test_no_secret_of_the_site_is_in_the_file() -> None:
    club = Years("secrets").live(60).club
    text = text_of(document_of(club))
    secrets = [club.key, club.calendar_key, *Scorekeeper.objects.values_list("browser", flat=True)]
    secrets += [*Sheet.objects.values_list("code", flat=True), *Sheet.objects.values_list("watch", flat=True)]
    secrets += [*Sheet.objects.values_list("opening", flat=True), *Revision.objects.values_list("key", flat=True)]
    secrets += [*ShareLink.objects.values_list("token_hash", flat=True), *User.objects.values_list("email", flat=True)]
    secrets += [*User.objects.values_list("username", flat=True), *Member.objects.values_list("claim_hash", flat=True)]
    assert len(secrets) > 30
    assert [secret for secret in secrets if secret and secret in text] == []
