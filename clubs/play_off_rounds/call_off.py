"""Calling a play-off off, so that its tables are single games again, and undoing that."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.models import Member, Night, PlayOff, Table
from clubs.play_off_rounds.corrections import day
from clubs.tables.open import say_stakes
from clubs.trophies.register import trophy_games

ANOTHER_STANDS = "This night has another play-off by now. Call that one off first."
SHEET_IS_GONE = "The owner of the site has deleted a sheet of this play-off, so it cannot be brought back."


def call_off(play_off: PlayOff, *, by: Member | None) -> None:
    """There is no play-off any more: its tables are single games again. A second time it does nothing."""
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=play_off.night_id)
        play_off = night.play_offs.get(pk=play_off.pk)
        if play_off.called_off_at is not None:
            return
        play_off.called_off_at = timezone.now()
        play_off.save(update_fields=["called_off_at"])
        if night.trophies == Night.Follows.PLAY_OFF:
            night.trophies = ""
            night.save(update_fields=["trophies"])
        write_down(night.club, f"Called the play-off of {day(play_off)} off.", by=by)
        say_stakes(night)


def bring_back(play_off: PlayOff, *, by: Member | None) -> None:
    """The way back. Raises `NotNow` where the night has another play-off by now, or a sheet was deleted.

    A second time it does nothing.
    """
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=play_off.night_id)
        if night.play_offs.filter(called_off_at__isnull=True).exclude(pk=play_off.pk).exists():
            raise NotNow(ANOTHER_STANDS)
        play_off = night.play_offs.get(pk=play_off.pk)
        if play_off.called_off_at is None:
            return
        if because := why_it_stays_called_off(play_off):
            raise NotNow(because)
        play_off.called_off_at = None
        play_off.save(update_fields=["called_off_at"])
        if not night.trophies and play_off.game in trophy_games():
            # What an organiser has said meanwhile stays.
            night.trophies = Night.Follows.PLAY_OFF
            night.save(update_fields=["trophies"])
        write_down(night.club, f"Brought the play-off of {day(play_off)} back.", by=by)
        say_stakes(night)


def why_it_stays_called_off(play_off: PlayOff) -> str:
    """Why it cannot be brought back, in a sentence; "" where it can, or stands. One query, or none."""
    if play_off.called_off_at is None:
        return ""
    has_lost_a_sheet = Table.objects.filter(stage__play_off=play_off, sheet__isnull=True).exists()
    return SHEET_IS_GONE if has_lost_a_sheet else ""
