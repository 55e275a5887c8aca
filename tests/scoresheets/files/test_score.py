"""`manage.py score`: a sheet file in, its result or its problems out."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

PROJECT = Path(__file__).resolve().parents[3]
GOOD = {
    "format": "score-sheet/1",
    "game": "dirty-dog",
    "players": ["Ann", "Zoë", "Łucja", "🂡"],
    "plan": {"hands": 1},
    "hands": [{"bids": {"Ann": 0, "Zoë": 0, "Łucja": 0, "🂡": 0}, "tricks": {"Ann": 0, "Zoë": 1, "Łucja": 0, "🂡": 0}}],
}


def score(file, content=b"", **environment):
    """The exit code and the answer of the command, in a process of its own that has no database."""
    run = subprocess.run(
        [sys.executable, "manage.py", "score", str(file)],
        cwd=PROJECT,
        input=content,
        capture_output=True,
        env=os.environ | {"DATABASE_URL": "sqlite:////nowhere/to/be.sqlite3"} | environment,
        check=False,
        timeout=60,
    )
    assert b"Traceback" not in run.stderr
    assert run.stderr == b""
    return run.returncode, json.loads(run.stdout.decode("utf-8"))


@pytest.fixture
def refused(monkeypatch):
    """Problems that the command finds, asked here: to start a process for each takes most of a second."""

    def asked(file, content=b""):
        said = io.TextIOWrapper(io.BytesIO())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        monkeypatch.setattr(sys, "stdout", said)
        with pytest.raises(SystemExit) as left:
            call_command("score", str(file))
        return codes(left.value.code, json.loads(said.buffer.getvalue().decode("utf-8")))

    return asked


def codes(code, answer):
    assert code == 2
    assert answer["format"] == "score-problems/1"
    return [problem["code"] for problem in answer["problems"]]


@pytest.mark.thorough
def test_good_sheet_is_scored_from_a_file_and_from_standard_input(tmp_path):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    from_file, from_input = score(file), score("-", json.dumps(GOOD).encode())
    assert from_file == from_input
    code, answer = from_file
    assert (code, answer["format"], answer["circled"]) == (0, "score-result/1", ["Zoë"])


@pytest.mark.thorough
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_answer_is_utf_8_whatever_the_locale(locale):
    environment = {"LC_ALL": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    _, answer = score("-", json.dumps(GOOD, ensure_ascii=False).encode(), **environment)
    assert list(answer["totals"]) == ["Ann", "Zoë", "Łucja", "🂡"]


@pytest.mark.thorough
def test_play_off_is_scored(refused):
    groups = [{"scores": {"Ann": 9, "Zoë": -2}}, {"scores": {"🂡": 4, "Bo": 5}}]
    said = {"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": groups}
    code, answer = score("-", json.dumps(said).encode())
    assert (code, answer["format"], answer["winners_table"]) == (0, "play-off-result/1", ["Ann", "Bo"])
    said["places"] = 3
    assert refused("-", json.dumps(said).encode()) == ["bad-places"]


@pytest.mark.thorough
def test_bad_sheet_is_refused_with_every_problem():
    bad = json.loads(json.dumps(GOOD).replace('"Ann": 0', '"Ann": 3'))
    assert codes(*score("-", json.dumps(bad).encode())) == ["bid-out-of-range", "tricks-out-of-range", "tricks-sum"]


@pytest.mark.parametrize("file", ["/nowhere/at/all.json", "/", "", "x" * 5000])
def test_file_that_cannot_be_read_is_a_bad_document(file, refused):
    assert refused(file) == ["bad-document"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(bytes(range(256)) * 1000, id="garbage"),
        pytest.param(json.dumps(GOOD).encode("utf-16"), id="UTF-16"),
        pytest.param(json.dumps(GOOD).encode("utf-8-sig"), id="a byte order mark"),
        pytest.param(b'{"format": "score-sheet/1", "game": "\\ud800"}', id="half a character"),
        pytest.param(b"[" * 10_000_000, id="10 MB of brackets"),
        pytest.param(b'{"a": "' + b"[" * 10_000_000 + b'"}', id="10 MB of brackets in a text"),
        pytest.param(b'{"a": ' + b"9" * 10_000_000 + b"}", id="10 MB of digits"),
        pytest.param(b'{"a": 1e400, "b": NaN}', id="numbers that are none"),
        pytest.param(b'{"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": []}', id="no groups"),
        pytest.param(b'{"format": "play-off/1", "game": "no-such-game"}', id="a play-off of no game"),
        pytest.param(b'{"format": ["play-off/1"], "game": "dirty-dog"}', id="a format that is no text"),
        pytest.param(b'{"format": "score-sheet/1", "game": "no-such-game"}', id="a game that is not here"),
    ],
)
def test_content_that_is_no_sheet_is_a_bad_document(content, refused):
    assert refused("-", content) == ["bad-document"]


def test_reader_who_has_read_enough_is_no_accident(tmp_path, monkeypatch):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    with (tmp_path / "closed pipe").open("w") as pipe:

        class Gone:
            buffer = property(lambda self: self)
            fileno = pipe.fileno

            def write(self, said):
                raise BrokenPipeError

        monkeypatch.setattr(sys, "stdout", Gone())
        call_command("score", str(file))
        assert os.path.sameopenfile(pipe.fileno(), os.open(os.devnull, os.O_WRONLY)), "nothing more is written to it"


@pytest.mark.thorough
def test_closed_standard_input_is_a_bad_document():
    run = subprocess.run(
        [sys.executable, "manage.py", "score", "-"], cwd=PROJECT, stdin=None, capture_output=True, check=False,
        preexec_fn=lambda: os.close(0), timeout=60,
    )  # fmt: skip
    assert (run.returncode, b"Traceback" in run.stderr) == (2, False)
    assert json.loads(run.stdout)["problems"][0]["code"] == "bad-document"
