"""Generations of the database: a restored backup begins a new one, and older versions are invalid.

A sheet counts its versions. A restored backup has an earlier version, so the same number is used again for something
else. Whatever remembers a sheet by its version (a cache, a polled page, a phone) remembers its generation too:
`Sheet.edition`. The generation is a column of every sheet, because every answer has read that row.
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
