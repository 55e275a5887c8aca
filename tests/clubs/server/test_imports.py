"""The served process loads what its pages need, and large libraries when somebody asks for what they make."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
#: For spreadsheets, calendars and pictures; for the tests alone.
LATER = {"openpyxl", "icalendar", "PIL", "hypothesis", "pytest", "factory", "clubs.demo"}
LOADED = """
import sys
import clubs.server.rsgi
from django.template import engines
from django.urls import get_resolver
get_resolver().url_patterns
engines["django"]
print(*sys.modules)
"""


def test_served_process_loads_no_large_library_before_it_is_needed(tmp_path):
    environment = os.environ | {"VAR": str(tmp_path), "SETTINGS_FILE": os.devnull}
    environment["DJANGO_SETTINGS_MODULE"] = "clubs.settings"
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "clubs.views.club.front" in loaded
    assert not LATER & loaded
