"""The served process loads what its pages need, and large libraries when somebody asks for what they make."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
#: For spreadsheets, calendars and pictures; for the tests alone.
LATER = {"openpyxl", "icalendar", "PIL", "openskill", "hypothesis", "pytest", "factory"}
LOADED = """
import sys
from clubs.server.workers import load_site
load_site()
import clubs.management.commands.serve
print(*sys.modules)
"""
RUNS = """
import os
from clubs.server.workers import hand_over_welcome, leave_connections, load_site
load_site()
from django.db import connection
from clubs.server import startup
startup.welcome_to_this_start = lambda: connection.ensure_connection() or "It is open"
welcome, pipe = os.pipe()
os.environ["BOX_AND_CIRCLE_WELCOME"] = str(pipe)
hand_over_welcome()
leave_connections()
print(os.read(welcome, 100).decode().splitlines()[-1], len(os.listdir("/proc/self/task")), connection.connection)
"""
ALONE = """
import django
django.setup()
from clubs.server import startup, workers
startup.welcome_to_this_start = lambda: "It is open"
workers.hand_over_welcome()
"""


def told(script: str, var: Path, **more: str) -> str:
    """What a process of its own prints."""
    environment = os.environ | {"VAR": str(var), "SETTINGS_FILE": os.devnull} | more
    environment["DJANGO_SETTINGS_MODULE"] = "clubs.settings"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.thorough
def test_served_process_loads_no_large_library_before_it_is_needed(tmp_path: Path) -> None:
    loaded = set(told(LOADED, tmp_path).split())
    assert "clubs.views.club.front" in loaded
    assert not LATER & loaded


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are forks on Linux alone")
def test_process_that_forks_workers_has_no_second_thread_and_no_connection(tmp_path: Path) -> None:
    """A fork has neither the thread nor the lock it holds."""
    assert told(RUNS, tmp_path).strip() == "It is open 1 None"


def test_server_without_a_supervisor_says_itself_where_it_is(tmp_path: Path) -> None:
    assert told(ALONE, tmp_path) == "It is open"


def test_server_that_is_started_again_does_not_say_it_again(tmp_path: Path) -> None:
    assert told(ALONE, tmp_path, BOX_AND_CIRCLE_WELCOME="") == ""
