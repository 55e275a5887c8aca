"""The settings of a club: name, visibility, and its links."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Concat, Substr
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.club.forms import find_known
from clubs.models import Club, Member
from scoresheets.models import Sheet
from scoresheets.models.sheet import new_token

#: The entry in the audit log when one of these was changed; {} is the new value.
SAID = {
    "name": "Renamed the club to {}.",
    "slug": "Gave the club the address {}.",
    "place": "Changed the meeting place to {}.",
    "about": "Changed the description of the club.",
    "time_zone": "Changed the time zone to {}.",
    "main_game": "The main game of the club is {}.",
    "usual_day": "A usual evening is on {}.",
    "usual_begins": "A usual evening begins {}.",
    "usual_trophies": "A usual evening has {}.",
    "visibility": "The club is shown to {} from now on.",
    "awards_at_once": "Trophies go to the winner {}.",
    "frame_origin": "The web site that may show a standing is {}.",
}

#: What of a club stands in the events of its calendar.
IN_CALENDAR = {"name", "place", "time_zone", "slug"}


def settle(club: Club, wanted: Mapping[str, object], *, by: Member | None) -> list[str]:
    """Change the settings that differ in `wanted`; their names. Each change gets an entry in the audit log."""
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        was = club.get_absolute_url()
        changed = [name for name in SAID if name in wanted and wanted[name] != getattr(club, name)]
        for name in changed:
            setattr(club, name, wanted[name])
        if not changed:
            return []
        club.save(update_fields=changed)
        if "visibility" in changed:
            show_sheets(club)
        if IN_CALENDAR & set(changed):
            club.nights.filter(on__gte=club.today()).told_again()
        if "slug" in changed:
            follow(club, was)
        for name in changed:
            write_down(club, SAID[name].format(as_said(club, name)), by=by)
    return changed


def as_said(club: Club, name: str) -> str:
    if name == "visibility":
        return Club.Visibility(club.visibility).label
    if name == "main_game":
        chosen = find_known(club.main_game)
        return chosen.name if chosen else "what it plays most"
    if name == "usual_day":
        return f"a {club.get_usual_day_display()}" if club.usual_day is not None else "any day"
    if name == "usual_begins":
        return f"at {club.usual_begins:%H:%M}" if club.usual_begins else "at no particular time"
    if name == "usual_trophies":
        return club.get_usual_trophies_display() or "no format in particular"
    if name == "awards_at_once":
        return "at once" if club.awards_at_once else "when an organiser confirms it"
    if name == "frame_origin":
        return club.frame_origin or "none"
    return str(getattr(club, name)) or "nowhere in particular"


def show_sheets(club: Club) -> None:
    """The sheets at the club's tables are shown to those to whom the club is."""
    shut = club.visibility == Club.Visibility.MEMBERS
    here = Q(table__withdrawn_at__isnull=True) | Q(table__stage__abandoned_at__isnull=False)
    sheets = Sheet.objects.filter(here, table__night__club=club)
    sheets.exclude(members_only=shut).update(members_only=shut)


def follow(club: Club, was: str) -> None:
    """Sheets that lead to a page of the club lead to its new address; `was` is the path it had."""
    is_now = Concat(Value(club.get_absolute_url()), Substr("home", len(was) + 1))
    Sheet.objects.filter(table__night__club=club, home__startswith=was).update(home=is_now)


def new_link(club: Club, *, saw: str, by: Member | None) -> bool:
    """Another link and QR code in the place of `saw`, which opens nothing from now on; whether it was done."""
    with transaction.atomic():
        done = bool(saw) and Club.objects.filter(pk=club.pk, key=saw).update(key=new_token()) == 1
        if done:
            write_down(club, "Gave the club a new link: the old one and its QR code no longer work.", by=by)
    return done


def new_calendar(club: Club, *, saw: str, by: Member | None) -> bool:
    """Another address of the calendar in the place of `saw`; whether it was done."""
    with transaction.atomic():
        done = bool(saw) and Club.objects.filter(pk=club.pk, calendar_key=saw).update(calendar_key=new_token()) == 1
        if done:
            write_down(club, "Gave the calendar a new address: the old one no longer updates.", by=by)
    return done


def put_away(club: Club, *, by: Member | None) -> None:
    """Nobody but its members finds the club any more. Nothing is deleted."""
    with transaction.atomic():
        if Club.objects.filter(pk=club.pk, archived_at__isnull=True).update(archived_at=timezone.now()):
            write_down(club, "Archived the club.", by=by)


def bring_back(club: Club, *, by: Member | None) -> None:
    """The club is there again."""
    with transaction.atomic():
        if Club.objects.filter(pk=club.pk, archived_at__isnull=False).update(archived_at=None):
            write_down(club, "Brought the club back.", by=by)
