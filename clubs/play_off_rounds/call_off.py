"""A play-off is called off, so that its tables are single games again; and its way back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.models import Member, Night, PendingUpdate, PlayOff
from clubs.play_off_rounds.corrections import day
from clubs.queue.changes import results_changed
from clubs.tables.open import say_stakes
from clubs.trophies.awards import NotNow
from clubs.trophies.register import trophy_games

ANOTHER_STANDS = "This night has another play-off by now. Call that one off first."


def call_off(play_off: PlayOff, *, by: Member | None) -> None:
    """There is no play-off any more: its tables are single games again. A second time it does nothing."""
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=play_off.night_id)
        gone = PlayOff.objects.filter(pk=play_off.pk, called_off_at__isnull=True).update(called_off_at=timezone.now())
        if not gone:
            return
        if night.trophies == Night.Follows.PLAY_OFF:
            night.trophies = ""
            night.save(update_fields=["trophies"])
        write_down(night.club, f"Called the play-off of {day(play_off)} off.", by=by)
        tell_otherwise(play_off, night)


def bring_back(play_off: PlayOff, *, by: Member | None) -> None:
    """The way back. Raises `NotNow` where the night has another play-off by now. A second time it does nothing."""
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=play_off.night_id)
        if night.play_offs.filter(called_off_at__isnull=True).exclude(pk=play_off.pk).exists():
            raise NotNow(ANOTHER_STANDS)
        back = PlayOff.objects.filter(pk=play_off.pk, called_off_at__isnull=False).update(called_off_at=None)
        if not back:
            return
        if not night.trophies and play_off.game in trophy_games():
            # What an organiser has said meanwhile stays.
            night.trophies = Night.Follows.PLAY_OFF
            night.save(update_fields=["trophies"])
        write_down(night.club, f"Brought the play-off of {day(play_off)} back.", by=by)
        tell_otherwise(play_off, night)


def tell_otherwise(play_off: PlayOff, night: Night) -> None:
    """Whether its tables are single games has changed."""
    results_changed(night.club_id, play_off)
    results_changed(night.club_id, night, kind=PendingUpdate.Kind.TROPHIES)
    say_stakes(night)
