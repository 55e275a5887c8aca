"""Read keys of a club: made by an organiser, shown once, kept as a hash, and good until they are revoked."""

from __future__ import annotations

import base64

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.access.audit_log import write_down
from clubs.members.people import locked
from clubs.models import Club, Member, ReadKey
from rules.core.problems import Problem
from scoresheets.access.scorekeepers import SECRET, hashed

#: So many keys of one club are good at once. An organiser who needs more has lost count of them.
MOST_KEYS = 20
TOO_MANY = Problem("too-many-keys", f"A club can have {MOST_KEYS} keys. Revoke one that is no longer needed.")


def make_key(club: Club, label: str, *, uid: str, by: Member | None) -> str | Problem:
    """A key for what `label` says: shown now and never again. `uid` comes with the tap: the same tap, the same key.

    "" where the tap was sent again and the key is revoked by now. `uid` has 128 bits (`SECRET`).
    """
    key = key_for(club, uid)
    with transaction.atomic():
        locked(club)
        known = ReadKey.objects.filter(key_hash=hashed(key)).first()
        if known:
            return "" if known.revoked_at else key
        if club.read_keys.good().count() >= MOST_KEYS:
            return TOO_MANY
        ReadKey.objects.create(club=club, label=label, key_hash=hashed(key))
        write_down(club, f"Made a key for programs: {label}.", by=by)
    return key


def key_for(club: Club, uid: str) -> str:
    """What a tap makes: nobody can make it who has not both the `uid` and the secret of the site."""
    mac = salted_hmac("read key", f"{club.pk} {uid}", algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()[:16]).decode().rstrip("=")


def revoke_key(club: Club, pk: int, *, by: Member | None) -> None:
    """From now on nothing is read with it. Once is as good as twice."""
    with transaction.atomic():
        key = club.read_keys.good().select_for_update().filter(pk=pk).first()
        if key is None:
            return
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        write_down(club, f"Revoked a key for programs: {key.label}.", by=by)


def find_key(key: str) -> ReadKey | None:
    """The row of a key that is good, with its club; None for any other text. One query, or none."""
    if not SECRET.fullmatch(key):
        return None
    return ReadKey.objects.good().select_related("club").filter(key_hash=hashed(key)).first()


def note_use(key: ReadKey) -> None:
    """Remember the day: written once a day. Where nothing can be written, the day is not."""
    today = key.club.today()
    if key.last_used_on == today:
        return
    try:
        with transaction.atomic():
            ReadKey.objects.filter(pk=key.pk).update(last_used_on=today)
    except DatabaseError:
        return
    key.last_used_on = today
