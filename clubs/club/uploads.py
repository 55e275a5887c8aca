"""Uploaded files that wait for confirmation. Only the uploader sees them, and they are kept for a short time."""

from __future__ import annotations

import datetime

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Upload, User
from scoresheets.log.text import is_text

#: Long enough to look something up, and gone the next day.
KEPT_FOR = datetime.timedelta(hours=6)
LONGEST_CALLED = 80


def hand_in(
    kind: str, file: UploadedFile, *, by: User, club: Club | None, code_hash: str = "", content: bytes | None = None
) -> Upload:
    """Keep the file until its bearer says yes or no. What they handed in for the same before is thrown away.

    `content` is what is kept of the file; None: all of it.
    """
    kept = file.read() if content is None else content
    with transaction.atomic():
        throw_old_away()
        Upload.objects.waiting().filter(by=by, club=club, kind=kind).delete()
        return Upload.objects.create(
            kind=kind, club=club, by=by, called=called(file), code_hash=code_hash, content=kept
        )


def throw_old_away() -> None:
    """Files that nobody said yes or no to for hours."""
    Upload.objects.waiting().filter(at__lt=timezone.now() - KEPT_FOR).delete()


def called(file: UploadedFile) -> str:
    """What the file is called, as far as it can be shown."""
    name = "".join(letter for letter in file.name or "" if is_text(letter))
    return name[:LONGEST_CALLED] or "the file"


def content_of(upload: Upload) -> bytes:
    """What is in it."""
    return bytes(upload.content)


def taken(upload: Upload) -> bool:
    """Mark it as taken in; False where that was done before. Nothing is left of what was in it."""
    marked = Upload.objects.filter(pk=upload.pk, taken_at__isnull=True).update(taken_at=timezone.now(), content=b"")
    return marked == 1
