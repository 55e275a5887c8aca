"""Guessing addresses of sheets: whoever tries many wrong ones is told to wait.

Only wrong addresses are counted, and only they are refused: a whole club sits behind one router, and whoever has a
right link is let in however many wrong ones came from there. 128 bits are guessed by nobody; what is spared is the
journal and the database, which is asked once and written to no more as soon as the limit is reached.
"""

from __future__ import annotations

import datetime

from django.db import DatabaseError, transaction
from django.db.models import F
from django.http import Http404
from django.utils import timezone

from scoresheets.access.network import origin
from scoresheets.models import Knock

#: So many wrong addresses from one place are let go in one stretch of ten minutes.
MOST_KNOCKS = 30
A_STRETCH = 600
#: ... and so many sheet files, good or not: to read one takes longer than any form.
MOST_FILES = 30


class NoSuchSheet(Http404):
    """No sheet has this address, nor had any link: it is counted as a wrong one. A sentence for the reader, if any."""


def knocked(address: str) -> int:
    """Count a wrong address tried from `address` (of the network); 0, or the seconds to wait after too many."""
    return tried(origin(address), MOST_KNOCKS)


def sent_file(address: str) -> int:
    """Count a sheet file sent from `address`; 0, or the seconds to wait after too many."""
    return tried(origin(address, "file"), MOST_FILES)


def tried(place: str, most: int) -> int:
    """Count what comes from a place; 0, or the seconds to wait after too many.

    A count that cannot be written keeps nobody from the answer.
    """
    now = timezone.now()
    since = datetime.datetime.fromtimestamp(int(now.timestamp()) // A_STRETCH * A_STRETCH, datetime.UTC)
    try:
        times = Knock.objects.filter(origin=place, since=since).values_list("times", flat=True).first()
        if times is not None and times >= most:
            return A_STRETCH - int((now - since).total_seconds())
        with transaction.atomic():
            if times is None:
                Knock.objects.filter(since__lt=since).delete()
                Knock.objects.bulk_create([Knock(origin=place, since=since)], ignore_conflicts=True)
            Knock.objects.filter(origin=place, since=since).update(times=F("times") + 1)
    except DatabaseError:
        return 0
    return 0
