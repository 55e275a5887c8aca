"""Calls for the organiser: a table asks for them, withdraws it, or gets the answer that they are coming.

A call is no entry of the sheet. The answer matters for some minutes only, so it is no row either, but in the cache.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from scoresheets.models import Sheet
from scoresheets.pad.state import HelpCall

#: For so many seconds a table is told that they are on their way.
ON_HIS_WAY = 600
COMES = "comes"
#: Sent in the transaction in which a table began to ask, with its `sheet`, and `since` when. Sender: `Sheet`.
organiser_called = Signal()


def ask(sheet: Sheet) -> None:
    """The table asks for the organiser; asked again, it has asked since the first time."""
    if not sheet.home:
        return
    since = timezone.now()
    with transaction.atomic():
        if Sheet.objects.filter(pk=sheet.pk, asks_since=None).update(asks_since=since):
            organiser_called.send(sender=Sheet, sheet=sheet, since=since)
            cache.delete(place(sheet.pk))


def never_mind(sheet: Sheet) -> None:
    """The table asks for nobody any more."""
    Sheet.objects.filter(pk=sheet.pk).update(asks_since=None)


def answer(sheet: Sheet) -> bool:
    """The organiser is on their way to the table, which asks for them no more; whether it did."""
    answered = Sheet.objects.filter(pk=sheet.pk, asks_since__isnull=False).update(asks_since=None)
    if answered:
        cache.set(place(sheet.pk), True, ON_HIS_WAY)  # noqa: FBT003 (what is kept)
    return bool(answered)


def call_of(sheet: Sheet) -> HelpCall:
    """What the pad says about it: whether the table `asks`, and a line of its heading, `says`, "" for nothing.

    The `mark` is another one whenever that changes. One query where the table is at a night and does not ask.
    """
    if since := sheet.asks_since:
        says = f"organiser called at {timezone.localtime(since):%H:%M}: see More"
        return HelpCall(asks=True, says=says, mark=since.isoformat())
    if sheet.home and cache.get(place(sheet.pk)):
        return HelpCall(asks=False, says="the organiser is on their way", mark=COMES)
    return HelpCall(asks=False, says="", mark="")


def is_news(sheet: Sheet, seen: str) -> bool:
    """Whether a phone that has seen that mark must be told. No query but for one that was told that they come."""
    now = call_of(sheet)["mark"] if seen == COMES else sheet.asks_since.isoformat() if sheet.asks_since else ""
    return bool(now != seen)


def place(pk: int) -> str:
    return f"on-their-way-{pk}"
