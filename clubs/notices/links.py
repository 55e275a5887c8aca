"""Links in notices, by which they are stopped without signing in. A browser stops itself alone: whose it is, it only
says.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare

from clubs.members.personal_links import made_token
from clubs.models import Member, PushSubscription


def stop_path(of: Member | PushSubscription) -> str:
    """The path that stops all notices of a member, or those of one browser."""
    return reverse("stop_notices", args=[stop_token(of)])


def stop_token(of: Member | PushSubscription) -> str:
    if isinstance(of, Member):
        return f"m{of.pk}.{made_token('stop notices', of.uid)}"
    return f"b{of.pk}.{made_token('stop notices', of.endpoint_hash)}"


def find_to_stop(token: str) -> Member | PushSubscription | None:
    """Whose notices that token stops; None: nobody's, or no longer. One query."""
    number = token[1:].partition(".")[0]
    if token[:1] not in ("m", "b") or not (number.isascii() and number.isdecimal() and len(number) < 19):
        return None
    rows = Member.objects.select_related("club", "same_as__club") if token[0] == "m" else (
        PushSubscription.objects.select_related("member__club")
    )  # fmt: skip
    row: Member | PushSubscription | None = rows.filter(pk=int(number)).first()
    return row if row and constant_time_compare(stop_token(row), token) else None
