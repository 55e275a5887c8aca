"""Deleting sheets that were opened and left blank: the only sheets that go without somebody who deletes them."""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from scoresheets.models import Player, Seat, Sheet


def sweep(*, most: int | None = None) -> int:
    """Delete sheets that have stood blank longer than `BLANK_SHEETS_STAY_HOURS`, at most so many; how many it were.

    Blank is a sheet on which nothing but its set-up was ever written, and to which no other part of the site points.
    Players who sat nowhere else go with it.
    """
    moment = timezone.now() - datetime.timedelta(hours=settings.BLANK_SHEETS_STAY_HOURS)
    blank = Sheet.objects.left_blank(moment).filter(**nothing_else_points(Sheet)).order_by("opened_at")
    pks = list(blank.values_list("pk", flat=True)[:most])
    if not pks:
        return 0
    with transaction.atomic():
        # Somebody may be writing the first bid on one of them just now.
        locked = Sheet.objects.select_for_update(skip_locked=True).filter(pk__in=pks, begun=False)
        pks = list(locked.values_list("pk", flat=True))
        players = list(Seat.objects.filter(sheet__in=pks).values_list("player", flat=True))
        Sheet.objects.filter(pk__in=pks).delete()
        forget_players(players)
    return len(pks)


def forget_players(pks: list[int]) -> None:
    """Delete those of the players to whom nothing points any more: no seat, and no other part of the site."""
    pointing = [relation.field.related_query_name() for relation in Player._meta.related_objects]
    Player.objects.filter(pk__in=pks, **{f"{name}__isnull": True for name in pointing}).delete()


def nothing_else_points(model: type[Model]) -> dict[str, bool]:
    """A filter for rows to which nothing outside of the table points: no night has a place for them."""
    others = [far for far in model._meta.related_objects if far.related_model._meta.app_label != model._meta.app_label]
    return {f"{relation.field.related_query_name()}__isnull": True for relation in others}
