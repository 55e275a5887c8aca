"""Generations of the database: a restored backup begins a new one, and nothing that was told before counts any more.

A sheet counts its versions. After a backup was restored they begin at an earlier one, and the same number is given
once more to something else. So whatever remembers a sheet by its version (a cache, a page that is polled, a phone)
remembers the generation with it: `Sheet.edition`. It stands on every sheet, since every answer has read that row.
"""

from __future__ import annotations

import secrets
import time

from django.db.models import F

from scoresheets.models import Sheet


def begin_generation() -> str:
    """Begin another generation on all sheets, and remember with which version each came out of the backup.

    A later one is the greater text: a phone tells by it which of two is newer.
    """
    generation = f"{time.time_ns():016x}-{secrets.token_hex(3)}"
    Sheet.objects.update(generation=generation, restored=F("version"))
    return generation
