"""Programs score by the key of a scorekeeper link: the rules, the keys and the answers of the pad."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator
from pytest_django.live_server_helper import LiveServer

from clubs.api.documents.entries import KEY_SENT_BEFORE, NO_IDEMPOTENCY_KEY
from clubs.api.links import CALLED
from clubs.models import Club, Member
from scoresheets.access.scorekeepers import (
    BROWSER_COOKIE,
    active_scorekeeper,
    cut_off,
    find_link,
    hashed,
    join_by_link,
    make_link,
    revoke_link,
)
from scoresheets.commands import enter as entry_commands
from scoresheets.corrections.conflict import FIELD
from scoresheets.log.state import read_sheet
from scoresheets.models import Revision, ShareLink, Sheet
from tests.club_factories import NightFactory, played
from tests.clubs.api.conftest import key_of
from tests.clubs.api.test_description import validator
from tests.factories import Scorer, new_key, scorer

pytestmark = pytest.mark.django_db
PATH = "/api/v1/sheets/{uid}/entries/"
CLIENT = Path("fixtures") / "client" / "score.py"


class Program:
    """A program with the key of a link of the sheet."""

    def __init__(self, sheet: Sheet, token: str = "", uid: str = "mine") -> None:
        self.sheet, self.path = sheet, PATH.replace("{uid}", uid)
        self.token = token or make_link(sheet, by=None)
        self.client = Client(enforce_csrf_checks=True)

    def headers(self, key: str = "") -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}", "idempotency-key": key or new_key()}

    def get(self) -> HttpResponse:
        return self.client.get(self.path, headers=self.headers())  # type: ignore[return-value]

    def post(self, hand: int, ask: str, step: dict[str, Any], *, key: str = "", **more: Any) -> HttpResponse:
        body = {"hand": hand, "ask": ask, "step": step, **more}
        return self.send(json.dumps(body), key)

    def send(self, body: str, key: str = "") -> HttpResponse:
        return self.client.post(  # type: ignore[return-value]
            self.path, body, content_type="application/json", headers=self.headers(key)
        )

    @property
    def asked(self) -> Any:
        document = self.get().json()  # type: ignore[attr-defined]
        validator(PATH).validate(document)
        return document


def valid(answer: HttpResponse, status: int) -> Any:
    """The document, which is as it is described."""
    assert answer.status_code == status, answer.content
    document = answer.json()  # type: ignore[attr-defined]
    body_of(status).validate(document)
    return document


def body_of(status: int) -> Draft202012Validator:
    return validator(PATH, str(status), "post")


@pytest.fixture
def table() -> Scorer:
    """Ann, Bo, Cy and Di have not bid yet."""
    return scorer(4)


@pytest.fixture
def program(table: Scorer) -> Program:
    return Program(table.sheet)


def test_sheet_says_what_it_asks_for_and_takes_it(table: Scorer, program: Program) -> None:
    asked = program.asked
    assert (asked["hand"], asked["due"], asked["finished"]) == (1, "bid-2", False)
    assert [player["name"] for player in asked["players"]] == ["Ann", "Bo", "Cy", "Di"]
    due = next(ask for ask in asked["asks"] if ask["ask"] == "bid-2")
    assert due["fields"] == [{"name": "bid", "optional": False, "seat": 2, "kind": "count", "low": 0, "high": 1}]
    written = valid(program.post(1, "bid-2", {"bid": 1}), 200)
    assert (written["verb"], written["due"]) == ("enter", "bid-3")
    assert table.reading.standing[1, "bid-2"].data == {"bid": 1}
    assert table.reading.standing[1, "bid-2"].by == CALLED


def test_whole_game_is_scored_by_a_program(table: Scorer, program: Program) -> None:
    while (asked := program.asked)["due"]:
        ask = next(ask for ask in asked["asks"] if ask["ask"] == asked["due"])
        names = [field["name"] for field in ask["fields"] if not field["optional"]]
        cards = max(field["high"] for field in ask["fields"] if field["kind"] == "count")
        # Nobody bids; of the tricks the first seat takes all. In a tie that is left nobody makes anything.
        step = dict.fromkeys(names, 0) | ({names[0]: cards} if len(names) > 1 else {})
        if asked["hand"] == 0:
            break
        valid(program.post(asked["hand"], ask["ask"], step, sure=True), 200)
    assert len(table.reading.sheet.rows) == 4


def test_same_key_is_the_same_entry_and_another_entry_of_that_key_is_refused(table: Scorer, program: Program) -> None:
    key = new_key()
    first, again = (valid(program.post(1, "bid-2", {"bid": 1}, key=key), 200) for _ in range(2))
    assert (first["wrote"], first["when"]) == (again["wrote"], again["when"])
    assert Revision.objects.filter(sheet=table.sheet, verb="enter").count() == 1
    other = valid(program.post(1, "bid-2", {"bid": 0}, key=key), 422)
    assert other["problems"][0]["code"] == "key-used"
    assert other["problem"] == other["problems"][0]["message"] == KEY_SENT_BEFORE.message


def test_what_somebody_else_wrote_is_a_conflict_until_it_was_seen(table: Scorer, program: Program) -> None:
    table.bid(2, 1)
    refused = valid(program.post(1, "bid-2", {"bid": 0}), 409)
    assert refused["conflict"] | {"by": ""} == {
        "hand": 1, "ask": "bid-2", "saw": table.saw((1, "bid-2")), "step": {"bid": 1}, "by": "",
    }  # fmt: skip
    assert refused["problem"].startswith("Bo’s bid: another phone entered 1")
    assert valid(program.post(1, "bid-2", {"bid": 1}), 200)["verb"] == "agree"
    written = valid(program.post(1, "bid-2", {"bid": 0}, saw=refused["conflict"]["saw"]), 200)
    assert written["wrote"] == table.reading.version


def test_what_the_rules_refuse_is_refused_as_on_the_pad(table: Scorer, program: Program) -> None:
    phone = Client()
    phone.cookies[BROWSER_COOKIE] = "p" * 22
    table.sheet.scorekeepers.filter(pk=table.by.pk).update(browser=hashed("p" * 22))
    on_the_pad = phone.post(
        reverse("enter", args=[table.sheet.code]), {"key": new_key(), "hand": 1, "ask": "bid-2", f"{FIELD}bid": 7},
        headers={"accept": "application/json"},
    )  # fmt: skip
    refused = valid(program.post(1, "bid-2", {"bid": 7}), 422)
    assert on_the_pad.status_code == 422
    pad = on_the_pad.json()
    assert [refused[name] for name in ("problem", "problems", "unwise")] == [
        pad[name] for name in ("problem", "problems", "unwise")
    ]
    assert not table.reading.entries


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("", "cannot be read"),
        ("[]", "an object belongs here"),
        ("{}", "missing"),
        ('{"hand": "1", "ask": "bid-2", "step": {}}', "a whole number"),
        ('{"hand": -1, "ask": "bid-2", "step": {}}', "hand: a number from 0 on belongs here."),
        ('{"hand": 1, "ask": "bid-2", "step": {}, "who": 1}', "not known here"),
        ('{"hand": 1, "hand": 2, "ask": "bid-2", "step": {}}', "repeated"),
        ("[" * 60, "Nested deeper"),
        ("\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "cannot be read"),
    ],
)
def test_what_is_no_entry_gets_a_sentence(table: Scorer, program: Program, body: str, says: str) -> None:
    assert says in valid(program.send(body), 400)["problem"]
    assert not table.reading.entries


@pytest.mark.parametrize("key", ["short", "x" * 65, "é" * 20, "a b" * 8])
def test_entry_without_a_key_of_its_own_is_refused(table: Scorer, program: Program, key: str) -> None:
    answer = program.client.post(
        program.path, json.dumps({"hand": 1, "ask": "bid-2", "step": {"bid": 1}}), content_type="application/json",
        headers={"authorization": f"Bearer {program.token}", "idempotency-key": key},
    )  # fmt: skip
    refused = valid(answer, 422)  # type: ignore[arg-type]
    assert refused["problems"][0]["code"] == "bad-key"
    assert refused["problem"] == refused["problems"][0]["message"] == NO_IDEMPOTENCY_KEY.message
    assert not table.reading.entries


# Who may


def test_others_at_the_table_hear_once_that_a_program_keeps_score(table: Scorer, program: Program) -> None:
    program.asked  # noqa: B018 - to look is not to write
    assert active_scorekeeper(table.sheet) is None
    for seat in (2, 3):
        valid(program.post(1, f"bid-{seat}", {"bid": 0}), 200)
    active = active_scorekeeper(table.sheet)
    assert active is not None
    assert active.name == CALLED
    assert Revision.objects.filter(sheet=table.sheet, verb="pencil").count() == 1


@pytest.mark.parametrize(
    ("entry", "key", "status"),
    [
        ((1, "bid-2", {"bid": 7}), "", 422),
        ((99_999, "bid-2", {"bid": 1}), "", 422),
        ((1, "no ask", {}), "", 422),
        ((1, "bid-2", {"bid": [1]}), "", 422),
        ((1, "bid-2", {"bid": 1}), "short", 422),
        ((1, "bid-2", {"bid": 0}), "", 409),
    ],
)
def test_entry_that_is_refused_leaves_the_phone_that_keeps_score(
    table: Scorer, program: Program, entry: tuple[int, str, dict[str, Any]], key: str, status: int
) -> None:
    phone = join_by_link(make_link(table.sheet, by=None), "b" * 64, "Ed")
    if status == 409:
        table.bid(2, 1)
    before = table.reading.version
    refused = valid(program.post(*entry, key=key), status)
    assert (refused["version"], table.reading.version) == (before, before)
    assert active_scorekeeper(table.sheet) == phone
    assert not table.sheet.scorekeepers.filter(name=CALLED).exists()


def test_first_entry_that_is_taken_hands_scorekeeping_to_the_program(table: Scorer, program: Program) -> None:
    join_by_link(make_link(table.sheet, by=None), "b" * 64, "Ed")
    valid(program.post(1, "bid-2", {"bid": 7}), 422)
    written = valid(program.post(1, "bid-2", {"bid": 1}), 200)
    assert written["version"] == table.reading.version > written["wrote"]
    active = active_scorekeeper(table.sheet)
    assert active is not None
    assert (active.name, active.link) == (CALLED, find_link(program.token))
    assert table.reading.standing[1, "bid-2"].by == CALLED
    assert valid(program.post(1, "bid-3", {"bid": 0}), 200)["version"] == table.reading.version


def test_first_entry_is_not_taken_where_the_link_is_revoked_meanwhile(
    table: Scorer, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered = entry_commands.enter

    def late(*args: Any, **more: Any) -> Any:
        answer = entered(*args, **more)
        ShareLink.objects.update(revoked_at=timezone.now())
        return answer

    monkeypatch.setattr(entry_commands, "enter", late)
    assert valid(program.post(1, "bid-2", {"bid": 1}), 403)["code"] == "cut-off"
    assert not table.reading.entries
    assert not table.sheet.scorekeepers.filter(name=CALLED).exists()


def test_without_a_key_or_with_a_wrong_one_nothing_is_told(table: Scorer, program: Program) -> None:
    assert Client().get(program.path).status_code == 401
    assert Client().post(program.path, "{}", content_type="application/json").status_code == 401
    for token in ("x" * 22, "x", table.sheet.code, table.sheet.watch):
        assert Program(table.sheet, token).get().status_code == 401


def test_read_key_of_the_club_does_not_write(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four, hands=1)
    assert table.sheet is not None
    assert Program(table.sheet, key_of(club), table.uid).post(2, "bid-2", {"bid": 0}).status_code == 401


def test_sheet_has_the_id_of_its_table_and_the_link_of_another_does_not_open_it(club: Club, four: list[Member]) -> None:
    one, other = (played(NightFactory(club=club), four, hands=1) for _ in range(2))
    assert one.sheet is not None
    assert Program(one.sheet, uid=one.uid).asked["hand"] == 2
    assert Program(one.sheet, uid=other.uid).get().status_code == 404
    assert Program(one.sheet, uid="x").get().status_code == 404


def test_revoked_link_and_a_program_that_was_cut_off_write_no_more(table: Scorer, program: Program) -> None:
    valid(program.post(1, "bid-2", {"bid": 0}), 200)
    link = find_link(program.token)
    assert link is not None
    revoke_link(link)
    refused = valid(program.post(1, "bid-3", {"bid": 0}), 403)
    assert refused["code"] == "cut-off"
    looked = program.get()
    assert looked.status_code == 403
    validator(PATH, "403").validate(looked.json())  # type: ignore[attr-defined]
    other = Program(table.sheet)
    valid(other.post(1, "bid-3", {"bid": 0}), 200)
    program = table.sheet.scorekeepers.filter(revoked_at__isnull=True, name=CALLED).get()
    assert cut_off(program, by=table.by)
    assert valid(other.post(1, "bid-4", {"bid": 0}), 403)["code"] == "cut-off"
    assert (1, "bid-4") not in table.reading.standing


def test_program_may_go_on_after_the_link_has_expired_and_none_may_begin(table: Scorer, program: Program) -> None:
    valid(program.post(1, "bid-2", {"bid": 0}), 200)
    late = Program(table.sheet)
    ShareLink.objects.update(expires="2026-01-01T00:00:00Z")
    valid(program.post(1, "bid-3", {"bid": 0}), 200)
    assert late.post(1, "bid-4", {"bid": 0}).status_code == 401


def test_answers_have_no_address_of_the_sheet(table: Scorer, program: Program) -> None:
    table.bid(2, 1)
    answers = [program.get(), program.post(1, "bid-2", {"bid": 0}), program.post(1, "bid-3", {"bid": 9})]
    answers.append(program.post(1, "bid-3", {"bid": 0}))
    assert [answer.status_code for answer in answers] == [200, 409, 422, 200]
    told = "".join(answer.content.decode() for answer in answers)
    assert [secret for secret in (table.sheet.code, table.sheet.watch, program.token) if secret in told] == []


# The example client


def test_example_client_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 40


def test_readme_quotes_the_example_client_as_it_is(project: Path) -> None:
    readme, client = ((project / name).read_text(encoding="utf-8") for name in ("README.md", CLIENT))
    quotes = [quote for quote in re.findall(r"^```python\n(.+?)^```", readme, re.M | re.S) if "/api/v1/" in quote]
    assert [quote.strip() for quote in quotes] == [client.strip()]


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_example_client_scores_a_hand_on_the_running_site(live_server: LiveServer, project: Path) -> None:
    table = scorer(4)
    link = f"{live_server.url}/keep/{make_link(table.sheet, by=None)}/"

    def run(*numbers: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(project / CLIENT), link, *numbers]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    # Bo and Cy bid one, Di and Ann nothing; Ann takes the trick.
    done = run("1", "1", "0", "0", "1", "0", "0", "0")
    assert (done.returncode, done.stderr) == (0, "")
    table.sheet.refresh_from_db()
    totals = read_sheet(table.sheet).sheet.totals
    assert done.stdout.split("\n")[:4] == [f"{name} {totals[k]}" for k, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)]
    assert len(read_sheet(table.sheet).sheet.rows) == 1
    refused = run("9")
    assert refused.returncode == 1
    assert "can be" in refused.stderr
