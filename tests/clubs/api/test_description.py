"""The description of the interface is that of the code: every address stands in it, and every answer is valid."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver
from jsonschema import Draft202012Validator

from clubs.api import answers
from clubs.api.answers import JSON, as_json
from clubs.api.openapi import description
from clubs.models import Club, Table
from tests.clubs.api.conftest import Program, key_of
from tests.clubs.play_offs.evening import play_off

pytestmark = pytest.mark.django_db
PATHS: dict[str, Any] = description()["paths"]  # type: ignore[assignment]


def validator(path: str, status: str = "200", method: str = "get") -> Draft202012Validator:
    """Of an answer of that path, as the description has it."""
    schema = PATHS[path][method]["responses"][status]["content"][JSON]["schema"]
    return Draft202012Validator({**schema, "components": description()["components"]})


def of_the_resolver() -> set[str]:
    """The addresses of the site for programs, as the description writes them."""
    routes = [str(pattern.pattern) for pattern in get_resolver("clubs.urls").url_patterns if is_page(pattern)]
    return {"/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route) for route in routes if route.startswith("api/v1/")}


def is_page(pattern: object) -> bool:
    return isinstance(pattern, URLPattern)


def test_every_address_of_the_site_for_programs_is_described_and_no_other() -> None:
    assert set(PATHS) == of_the_resolver()
    assert len(PATHS) >= 12


def test_description_is_answered_and_says_what_it_is(anybody: Program) -> None:
    told = anybody.json("openapi.json")
    assert told == json.loads(json.dumps(description()))
    assert told["openapi"].startswith("3.1.")
    assert told["info"]["title"] == "Box & Circle"


def test_every_schema_is_one_and_every_reference_leads_somewhere() -> None:
    components: Any = description()["components"]
    for schema in components["schemas"].values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(description())
    references = set(re.findall(r'"\$ref": "([^"]+)"', text))
    assert len(references) > 20
    for reference in references:
        part: Any = description()
        for key in reference.removeprefix("#/").split("/"):
            part = part[key]
        assert isinstance(part, dict), reference


def test_every_operation_says_what_it_is_for() -> None:
    for path, operations in PATHS.items():
        for told in operations.values():
            assert told["summary"], path
            assert told["description"], path
            places = [parameter["name"] for parameter in told["parameters"] if parameter["in"] == "path"]
            assert places == re.findall(r"{(\w+)}", path)
            named = Counter((parameter["name"], parameter["in"]) for parameter in told["parameters"])
            assert [parameter for parameter, times in named.items() if times > 1] == [], path


def answered_paths(club: Club) -> dict[str, list[str]]:
    """Addresses at which something of the club is answered, by how the description writes them."""
    night, of = club.nights.order_by("on").first(), f"clubs/{club.slug}/"
    assert night is not None
    tables = [table.uid for table in Table.objects.filter(night__club=club)]
    with_sheet = [table.uid for table in Table.objects.filter(night__club=club, sheet__isnull=False)]
    return {
        "": [""],
        "openapi.json": ["openapi.json"],
        "clubs/{slug}/": [of],
        "clubs/{slug}/members/": [f"{of}members/"],
        "clubs/{slug}/nights/": [f"{of}nights/"],
        "clubs/{slug}/nights/{uid}/": [f"{of}nights/{night.uid}/" for night in club.nights.all()],
        "clubs/{slug}/tables/{uid}/": [f"{of}tables/{uid}/" for uid in tables],
        "clubs/{slug}/sheets/{uid}/": [f"{of}sheets/{uid}/" for uid in with_sheet],
        "clubs/{slug}/standings/": [f"{of}standings/"],
        "clubs/{slug}/standings/{which}/": [
            f"{of}standings/{which}/" for which in ("all-time", *club.seasons.values_list("uid", flat=True))
        ],
        "clubs/{slug}/trophies/": [f"{of}trophies/"],
        "clubs/{slug}/records/": [f"{of}records/"],
        "clubs/{slug}/play-offs/{uid}/": [],
        # It is asked with another key (test_writing.py).
        "sheets/{uid}/entries/": [],
    }


@pytest.mark.parametrize("with_key", [False, True])
def test_every_answer_is_as_it_is_described(full: Club, with_key: bool) -> None:
    program = Program(key_of(full) if with_key else "")
    paths = answered_paths(full)
    documents = {path for path, operations in PATHS.items() if "get" in operations and is_json(path)}
    assert {f"/api/v1/{path}" for path in paths} == documents
    for path, addresses in paths.items():
        for address in addresses:
            validator(f"/api/v1/{path}").validate(program.json(address))
    assert sum(map(len, paths.values())) > 14


def is_json(path: str) -> bool:
    return JSON in PATHS[path]["get"]["responses"]["200"]["content"]


def test_play_off_is_as_it_is_described_from_its_groups_to_its_end() -> None:
    evening = play_off([4, 4], places=2)
    evening.club.visibility = "public"
    evening.club.save()
    path, program = f"clubs/{evening.club.slug}/play-offs/{evening.play_off.uid}/", Program()
    valid = validator("/api/v1/clubs/{slug}/play-offs/{uid}/")

    def asked() -> Any:
        document = program.json(path)
        valid.validate(document)
        return document

    assert (asked()["file"], len(asked()["rounds"][0]["tables"])) == (None, 2)
    for table in evening.groups:
        evening.finish(table, [9, 7, 3, 1])
    groups = asked()["file"]["groups"]
    assert [list(group["scores"].values()) for group in groups] == [[9, 7, 3, 1]] * 2
    evening.open_next()
    for side, totals in (("winners", [8, 4, 2, 1]), ("losers", [5, 3, 2, -6])):
        evening.finish(evening.final(side), totals)
    whole = asked()
    assert whole["over"] is True
    assert (whole["winner"]["name"], whole["loser"]["name"]) == (
        evening.names([evening.now.outcome.winner])[0], evening.names([evening.now.outcome.loser])[0],
    )  # fmt: skip
    assert set(whole["file"]) >= {"groups", "winners_table", "losers_table"}


def test_problems_are_as_they_are_described(full: Club) -> None:
    answers = {
        "400": Program().get(f"clubs/{full.slug}/nights/", {"page": "x"}),
        "401": Program("x" * 22).get(f"clubs/{full.slug}/"),
        "404": Program().get("clubs/nobody/"),
        "405": Program().client.delete(f"/api/v1/clubs/{full.slug}/"),
    }
    for status, answer in answers.items():
        assert answer.status_code == int(status)
        validator("/api/v1/clubs/{slug}/", status).validate(answer.json())  # type: ignore[attr-defined]


@pytest.mark.parametrize("header", [{"If-Match": '"x"'}, {"If-Unmodified-Since": "Wed, 21 Oct 2015 07:28:00 GMT"}])
def test_condition_of_a_write_is_no_condition_here(full: Club, header: dict[str, str]) -> None:
    for path in (f"clubs/{full.slug}/", "openapi.json"):
        assert Program().get(path, **header).status_code == 200


def test_every_document_is_made_into_json_once(full: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def counted(document: object) -> bytes:
        made.append(document)
        return as_json(document)

    anybody = Program()
    anybody.get("openapi.json")
    monkeypatch.setattr(answers, "as_json", counted)
    etag = anybody.get(f"clubs/{full.slug}/").headers["ETag"]
    assert len(made) == 1
    assert anybody.get(f"clubs/{full.slug}/", if_none_match=etag).status_code == 304
    assert len(made) == 2
    assert anybody.json("openapi.json") == json.loads(json.dumps(description()))
    assert len(made) == 2, "the description is the same as long as the site runs"
