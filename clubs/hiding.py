"""Names that are hidden, and names of his choice for who left: on the pages of the club and on its sheets."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from django.db import transaction

from clubs.diary import write_down
from clubs.models.member import SOMEBODY
from clubs.people import locked, players_of, records_of
from scoresheets.models import Seat
from scoresheets.veils import call_keepers, call_pencils, hide_names

if TYPE_CHECKING:
    from clubs.models import Member


def hide_name(person: Member, *, by: Member | None) -> None:
    """From now on nobody reads his name but organisers and he himself, on old sheets neither."""
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
    """His name is read again, wherever it stood."""
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
    """Let the sheets call him as the club does, the player as the scorekeeper; `was` is what they called him instead.

    To be called whenever somebody is known as another player too.
    """
    person, records, players = member.who, records_of(member), players_of(member)
    hide_names(players, person.shown_as)
    if person.shown_as:
        typed = Seat.objects.filter(player__in=players).values_list("name", flat=True)
        own = {name for record in records for name in (record.name, record.nickname)}
        call_pencils(players, {*typed, *own, was}, person.shown_as)
    elif was:
        call_pencils(players, {was}, person.name)
    users = {record.user_id for record in records if record.user_id}
    if users and person.shown_as:
        call_keepers(users, person.shown_as)
    elif users and was:
        call_keepers(users, person.name, instead_of=was)


def free_name(person: Member) -> str:
    """What he is called when he hides his name: "Somebody 3", where two others do so."""
    taken = set(person.club.members.exclude(pk=person.pk).values_list("shown_as", flat=True))
    names = itertools.chain([SOMEBODY], (f"{SOMEBODY} {number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
