"""The schemas in the repository are those of the code; a club file that is exported is valid, a broken one is not."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import models
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from clubs.archive.codec import Bytes, Decimals, Origin, Slug, Things, TimeOfDay, Uid
from clubs.archive.export import FORMAT
from clubs.archive.json_schema import club_schema
from clubs.archive.parse import CALLED, faults_of, shape_of_document
from clubs.archive.schema import NOUNS
from clubs.management.commands.schemas import FOLDER, all_schemas, file_name, text_of
from clubs.models.club import ORIGIN
from rules.core.files.schema import Members, Shape, fits, parse
from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused
from scoresheets.files.log_schema import COPY, Moment
from tests.clubs.archive.test_spoiled import leaves, of_a_club, spoil

FORMATS = all_schemas()


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("schemas", *words, stdout=out)
    return out.getvalue()


# Those in the repository


def test_schemas_in_the_repository_are_those_of_the_code(project: Path) -> None:
    files = {file.name: file.read_text(encoding="utf-8") for file in (project / FOLDER).glob("*.json")}
    wanted = {file_name(name): text_of(schema) for name, schema in FORMATS.items()}
    assert files.keys() == wanted.keys()
    outdated = [name for name in files if files[name] != wanted[name]]
    assert outdated == [], "Run .venv/bin/python manage.py schemas --write"


def test_command_prints_a_schema_and_writes_all_of_them(tmp_path: Path, settings: Any) -> None:
    assert printed().split() == list(FORMATS)
    assert json.loads(printed("club/1")) == club_schema()
    with pytest.raises(CommandError, match=r"There is no format club/9. These are known: score-sheet/1, "):
        printed("club/9")
    (tmp_path / FOLDER).mkdir(parents=True)
    settings.BASE_DIR = tmp_path
    assert printed("--write") == ""
    assert {file.name for file in (tmp_path / FOLDER).iterdir()} == {file_name(name) for name in FORMATS}


def examples_in_readme(project: Path) -> dict[str, Any]:
    """The examples in the page about the formats, by format."""
    text = (project / FOLDER / "README.md").read_text(encoding="utf-8")
    documents = [json.loads(block) for block in re.findall(r"^```json\n(.+?)^```", text, re.M | re.S)]
    return {document["format"]: document for document in documents}


def test_page_about_the_formats_has_a_valid_example_of_each(project: Path) -> None:
    text = (project / FOLDER / "README.md").read_text(encoding="utf-8")
    examples = examples_in_readme(project)
    assert list(examples) == re.findall(r"^## .+: `(.+)`$", text, re.M)
    assert examples.keys() == FORMATS.keys()
    assert set(re.findall(r"^\| `(.+?)` \| \[(.+?)\]\(\2\)", text, re.M)) == {
        (name, file_name(name)) for name in FORMATS
    }
    for name, example in examples.items():
        Draft202012Validator(FORMATS[name]).validate(example)


def test_examples_on_that_page_are_what_the_code_answers(project: Path) -> None:
    examples = examples_in_readme(project)
    sheet = examples["score-sheet/1"]
    assert score_paper(json.dumps(sheet)) == examples["score-result/1"]
    assert score_paper(json.dumps(examples["play-off/1"])) == examples["play-off-result/1"]
    sheet["hands"][0]["tricks"]["Bo"] = 8
    with pytest.raises(Refused) as refused:
        score_paper(json.dumps(sheet))
    codes, documented = (
        [{key: problem[key] for key in problem if key != "message"} for problem in answer["problems"]]
        for answer in (refused.value.document(), examples["score-problems/1"])
    )
    assert codes == documented
    assert list(faults_of(copy.deepcopy(examples[FORMAT]))) == []


# A club's file


CLUB = Draft202012Validator(club_schema())
#: What a file looks like, its sheets included.
WHOLE = shape_of_document(Members({"table": Uid(), "sheet": COPY}, {}))


@pytest.mark.django_db
def test_exported_club_is_valid() -> None:
    document = json.loads(of_a_club())
    CLUB.validate(document)
    # Every kind of row is in it, but for those that a year of nights seldom has.
    assert len([noun for noun in NOUNS if document[noun.key]]) >= 10
    assert document["sheets"]
    for key in ("play_offs", "stages", "rulings"):
        CLUB.validate({name: rows for name, rows in document.items() if name != key})
    for key in ("club", "players", "members", "sheets", "format"):
        assert not CLUB.is_valid({name: rows for name, rows in document.items() if name != key})


@pytest.mark.thorough(but=1)
@pytest.mark.django_db
@pytest.mark.parametrize(
    "origin", ["https://a.example; script-src *", "*", "https://a.example/", "https://b.example\n"]
)
def test_web_site_of_a_club_that_is_none_is_refused(origin: str) -> None:
    document = json.loads(of_a_club())
    document["club"]["frame_origin"] = "https://www.bakery.example"
    assert list(faults_of(copy.deepcopy(document))) == []
    document["club"]["frame_origin"] = origin
    assert [fault.code for fault in faults_of(copy.deepcopy(document))] == ["bad-document"]


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_broken_club_file_is_valid_where_its_shape_is_right_and_only_there(seed: int) -> None:
    whole = json.loads(of_a_club())
    # A few rows of each kind are enough to break.
    few = {key: rows[:2] if isinstance(rows, list) else rows for key, rows in whole.items()}
    for row in few["sheets"]:
        row["sheet"]["writes"] = row["sheet"]["writes"][:4]
    paths, dice = leaves(few), Random(seed)
    counts = {True: 0, False: 0}
    for _ in range(250):
        document = copy.deepcopy(few)
        change = spoil(document, dice, paths)
        text = json.dumps(document)
        valid = CLUB.is_valid(json.loads(text))
        counts[valid] += 1
        if "\\ud800" not in text and "-02-30" not in text:
            # Those two a pattern does not tell; what a list of plain things holds is not said either.
            faults = [fault.message for fault in faults_of_shape(text) if "cannot stand here" not in fault.message]
            assert valid is (faults == []), (change, faults)
    assert min(counts.values()) > 20


def faults_of_shape(text: str) -> Iterator[Any]:
    """What is wrong with the shape of a file, its sheets included; what may be missing is not."""
    document: Any = parse(text)
    document.update({noun.key: [] for noun in NOUNS if noun.may_lack and noun.key not in document})
    yield from WHOLE.faults(document, CALLED)


VALUES = st.one_of(
    st.none(), st.integers(-2, 3), st.booleans(), st.lists(st.integers(0, 2)), st.dictionaries(st.text(), st.none()),
    st.text(max_size=25), st.from_regex(r"\A[A-Za-z0-9_-]{20,23}\Z"), st.from_regex(r"\A[a-z-]{1,6}\Z"),
    st.datetimes().map(lambda at: at.isoformat(timespec="microseconds") + "Z"), st.times().map(str),
    st.decimals(-1000, 1000, places=2).map(str), st.from_regex(ORIGIN),
    st.sampled_from(["", "aGVsbG8=", "a", "12.5", "007.00", "1.00\n"]),
)  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "shape",
    [Uid(), Slug(5), Origin(40), Moment(), TimeOfDay(), Decimals(5, 2), Bytes(), Things(list), Things(dict)],
    ids=repr,
)
def test_schema_of_a_shape_takes_all_that_the_shape_takes(shape: Shape) -> None:
    validator = Draft202012Validator(shape.schema())

    @given(VALUES)
    def takes(value: Any) -> None:
        if fits(shape, value):
            assert validator.is_valid(value)
        if not isinstance(value, str):
            assert not validator.is_valid(value) or fits(shape, value) or isinstance(shape, Things)

    takes()
    for wrong in (7, "?", "12:00", None):
        assert not validator.is_valid(wrong)


def test_every_field_of_a_club_is_in_its_schema() -> None:
    properties: Any = club_schema()["properties"]
    for noun in NOUNS:
        row = properties[noun.key]["items"]
        assert row["properties"].keys() == noun.fields.keys()
        for name, field in noun.fields.items():
            assert row["properties"][name], name
            if isinstance(field, models.BooleanField):
                assert row["properties"][name] == {"type": "boolean"}
