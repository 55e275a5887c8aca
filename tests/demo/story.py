"""The content of `fixtures/club.json`: the people of the demo club, and the start of its history."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings


@cache
def story() -> dict[str, Any]:
    """What the file says."""
    file: Path = settings.BASE_DIR / "fixtures" / "club.json"
    script: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return script
