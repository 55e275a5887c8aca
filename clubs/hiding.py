"""Names that are hidden, and names of his choice for who left: on the pages of the club and on its sheets."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from django.db import transaction

from clubs.diary import write_down
from clubs.models.member import SOMEBODY
from clubs.people import locked, players_of
from scoresheets.veils import hide_names

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
        person.hidden = False
        person.shown_as = ""
        person.save(update_fields=["hidden", "shown_as"])
        cover(person)
        write_down(person.club, f"Showed the name of {person.name} again.", by=by)


def cover(member: Member) -> None:
    """Let the sheets call him as the club does. To be called whenever somebody is known as another player too."""
    hide_names(players_of(member), member.who.shown_as)


def free_name(person: Member) -> str:
    """What he is called when he hides his name: "Somebody 3", where two others do so."""
    taken = set(person.club.members.exclude(pk=person.pk).values_list("shown_as", flat=True))
    names = itertools.chain([SOMEBODY], (f"{SOMEBODY} {number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
