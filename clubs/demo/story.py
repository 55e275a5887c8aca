"""What stands in `fixtures/club.json`: the people of the demo club, and what its story begins with."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from pathlib import Path


@cache
def story() -> dict[str, Any]:
    """What the file says."""
    file: Path = settings.BASE_DIR / "fixtures" / "club.json"
    told: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return told
