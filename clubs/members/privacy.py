"""Hidden names, and other names for people who left: on the pages of the club and on its sheets."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from django.db import transaction

from clubs.access.audit_log import write_down
from clubs.members.identity import players_known
from clubs.members.people import locked, own_players, own_sheets, players_of, records_of
from clubs.models import Club, Member
from clubs.models.member import SOMEBODY
from scoresheets.log.aliases import hide_names, pick_as, rename_guest_scorekeepers, rename_scorekeepers
from scoresheets.models import Player, Seat, Sheet
from scoresheets.sheet.occupancy import sittings_of


def hide_name(person: Member, *, by: Member | None) -> None:
    """From now on nobody reads their name but organisers and they themselves, nor on old sheets of the club."""
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        if person.hidden:
            return
        person.hidden = True
        person.shown_as = person.shown_as or free_name(person)
        person.save(update_fields=["hidden", "shown_as"])
        cover(person)
        write_down(person.club, f"Hid the name of {person.name}.", by=by)


def show_name(person: Member, *, by: Member | None) -> None:
    """Their name is read again, wherever it stood."""
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        if not person.hidden:
            return
        was = person.shown_as
        person.hidden = False
        person.shown_as = ""
        person.save(update_fields=["hidden", "shown_as"])
        cover(person, was=was)
        write_down(person.club, f"Showed the name of {person.name} again.", by=by)


def cover(member: Member, *, was: str = "") -> None:
    """Let the sheets of the club call them as the club does, the player as the scorekeeper; `was` is what they called
    them instead.

    To be called whenever somebody is known as another player too. Sheets of other clubs, and those of no club, are no
    business of this one.
    """
    person, records, players = member.main_record, records_of(member), players_of(member)
    sheets, own = own_sheets(person.club), own_players(records)
    pick_as(own, person.shown_as)
    hide_names(players if person.shown_as else but_hidden_elsewhere(players), person.shown_as, sheets)
    if person.shown_as:
        typed = Seat.objects.filter(player__in=players).values_list("name", flat=True)
        names = {name for record in records for name in (record.name, record.nickname)}
        rename_guest_scorekeepers(players, {*typed, *names, was}, person.shown_as, sheets)
    elif was:
        # Where they were picked by the name they had then.
        hide_names(own, "", Sheet.objects.filter(home=""))
        rename_guest_scorekeepers(players, {was}, person.name, sheets)
    users = {record.user_id for record in records if record.user_id}
    if users and person.shown_as:
        rename_scorekeepers(users, person.shown_as, sheets)
    elif users and was:
        rename_scorekeepers(users, person.name, sheets, instead_of=was)


def cover_sheet(sheet: Sheet, club: Club) -> None:
    """A sheet that is the club's from now on calls everybody as the club does."""
    sitting = sittings_of([sheet.pk]).get(sheet.pk)
    for player, member in players_known(club, sitting.everybody if sitting else ()).items():
        if member and member.main_record.shown_as:
            hide_names([player], member.main_record.shown_as, Sheet.objects.filter(pk=sheet.pk))


def uncover_sheet(sheet: Sheet, club: Club) -> None:
    """A sheet that is the club's no more calls everybody as before; who was picked by another name keeps that."""
    sitting = sittings_of([sheet.pk]).get(sheet.pk)
    known = players_known(club, sitting.everybody if sitting else ())
    hide_names(but_hidden_elsewhere(known), "", Sheet.objects.filter(pk=sheet.pk))


def but_hidden_elsewhere(players: Collection[int]) -> set[int]:
    """Those of the players (ids) who are not picked by another name than their own."""
    return set(Player.objects.filter(pk__in=players, shown_as="").values_list("pk", flat=True))


def free_name(person: Member) -> str:
    """What they are called when they hide their name: "Somebody 3", where two others do so."""
    taken = set(person.club.members.exclude(pk=person.pk).values_list("shown_as", flat=True))
    names = itertools.chain([SOMEBODY], (f"{SOMEBODY} {number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
