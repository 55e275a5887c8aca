"""The lease: which process counts at the moment. It saves work; the lock on the club's row keeps results right."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from clubs.models import ProjectionLease

LEASE = timedelta(seconds=1)


def has_lease(holder: str) -> bool:
    """Take or renew the lease; whether it could be had. Within the transaction that counts."""
    now = timezone.now()
    mine = ProjectionLease.objects.filter(Q(holder=holder) | Q(until__lt=now)).update(holder=holder, until=now + LEASE)
    if mine:
        return True
    _, is_new = ProjectionLease.objects.get_or_create(pk=1, defaults={"holder": holder, "until": now + LEASE})
    return is_new
