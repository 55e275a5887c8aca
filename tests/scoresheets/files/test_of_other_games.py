"""A sheet file of every game goes into the site, out of it, into it and out of it again, and stays the same."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from rules.core.files.sheet_file import score_document
from rules.core.game import Game
from scoresheets.models import Sheet
from tests.factories import new_key
from tests.rules.examples import accepted_documents
from tests.rules.test_writing_of_other_games import GAMES
from tests.scoresheets.other_games import bird, claim, deals, dingo, hotdog, hunted, pairs, picked

pytestmark = pytest.mark.django_db


def brought(client: Client, content: bytes) -> Sheet:
    """The sheet that the page makes of a file."""
    file = SimpleUploadedFile("sheet.json", content)
    response = client.post("/import/", {"key": new_key(), "file": file})
    assert response.status_code == 303, response.content.decode()
    return Sheet.objects.get(code=response["Location"].split("/")[2])


def exported(client: Client, sheet: Sheet) -> bytes:
    return client.get(f"/sheets/{sheet.code}/export.json").content


def finished_first(game: Game) -> list[dict[str, object]]:
    """Sheet files of the game: first those that are finished, then those that are not."""
    cases = accepted_documents(game)
    is_over = [score_document(json.dumps(said))["finished"] for said in cases]
    over = [said for said, finished in zip(cases, is_over, strict=True) if finished]
    running = [said for said, finished in zip(cases, is_over, strict=True) if not finished and said["hands"]]
    return [*over[:2], *running[:2]]


@pytest.mark.thorough(but=1)
@GAMES
def test_file_goes_in_and_out_and_in_and_out_again(client: Client, game: Game) -> None:
    for said in finished_first(game):
        once = exported(client, brought(client, json.dumps(said).encode()))
        assert score_document(once) == score_document(json.dumps(said))
        again = exported(client, brought(client, once))
        assert again == once


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(dingo(hunted(four="Ann Bo")), id="dingo"),
        pytest.param(deals(claim("Ann"), {"given_up": True, "note": "Nobody had six."}), id="dirty-deals"),
        pytest.param(bird(pairs(4, 0, 0)), id="bird-dog"),
        pytest.param(hotdog(picked("Ann", 15), picked("Bo", 9)), id="hotdog"),
    ],
)
def test_running_game_goes_on_where_the_file_ends(client: Client, said: dict[str, object]) -> None:
    sheet = brought(client, json.dumps(said).encode())
    for page in ("", "history/", "type/", "blank/", "set-up/", "export.csv"):
        assert client.get(f"/sheets/{sheet.code}/{page}").status_code == 200, page
    assert client.get(f"/sheets/{sheet.code}/resume/").status_code == 302
    assert "Continue from a paper sheet" not in client.get(f"/sheets/{sheet.code}/").content.decode()


@pytest.mark.thorough(but=2)
@GAMES
def test_command_scores_the_file_that_the_site_gives_out(client: Client, game: Game, tmp_path, capsys) -> None:
    said = finished_first(game)[0]
    file = tmp_path / "sheet.json"
    file.write_bytes(exported(client, brought(client, json.dumps(said).encode())))
    call_command("score", str(file))
    assert json.loads(capsys.readouterr().out) == score_document(json.dumps(said))
