"""The colour and the initial of a member: chosen once, until then the same for them on every page and table.

The choice stands on the member and goes into the file of the club. A sheet keeps what its people wanted as they sat
down (`Sheet.badges`), so it costs no query later and no table changes its colours while it plays.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.access.audit_log import write_down
from clubs.members.identity import players_known
from clubs.members.people import locked
from clubs.models import Member, Table
from clubs.models.member import LONGEST_INITIAL
from rules.core.problems import Problem
from scoresheets.log.aliases import sheets_with
from scoresheets.log.occupants import NO_WISH, Wish
from scoresheets.log.text import clean_text
from scoresheets.models import Sheet
from scoresheets.wording.badges import COLOUR_NAMES, LETTERS, Badge, badge_of
from scoresheets.wording.graphemes import letters


@dataclass(frozen=True)
class ColourChoice:
    """A colour that can be chosen, with the badge it would give."""

    value: int
    name: str
    badge: Badge
    is_chosen: bool


def colours_for(member: Member) -> list[ColourChoice]:
    """All colours; the one they have now is marked."""
    now = member.badge or Badge(0, 0, member.initials[0])
    return [
        ColourChoice(value, name, badge_of(value, now.initial), value == now.colour)
        for value, name in enumerate(COLOUR_NAMES, 1)
    ]


def read_initial(typed: str) -> str | Problem:
    """One or two letters as they were typed; "" for none of their own. Code: `bad-initial`."""
    initial = clean_text(typed, LONGEST_INITIAL, field="initial")
    if isinstance(initial, Problem) or len(letters(initial)) > LETTERS or not all(map(is_letter, letters(initial))):
        return Problem("bad-initial", "Write one or two letters.", "initial")
    return initial


def is_letter(cluster: str) -> bool:
    return unicodedata.category(cluster[0])[0] in "LN"


def choose_badge(person: Member, *, colour: int, initial: str, by: Member | None) -> None:
    """From the next table on they are known by this colour (1 to 10) and this initial ("": the first of their name)."""
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        if (person.colour, person.initial) == (colour, initial):
            return
        what = f"the colour {COLOUR_NAMES[colour - 1]}" if person.colour != colour else "another initial"
        person.colour, person.initial = colour, initial
        person.save(update_fields=["colour", "initial"])
        # Which initial is not said: it would stay in the log when somebody is erased.
        write_down(person.club, f"{person.name} has {what} now.", by=by)


def take_over_badge(other: Member, into: Member) -> None:
    """What somebody chose is not lost when the record is merged `into` one that has chosen nothing."""
    if other.colour and not into.colour:
        into.colour, into.initial = other.colour, other.initial
        into.save(update_fields=["colour", "initial"])


def forget_badges(players: Collection[int], sheets: Collection[int]) -> None:
    """Let no sheet of these (ids) know any more what initial these players (ids) chose."""
    ours = sheets_with(players, Sheet.objects.filter(pk__in=sheets).exclude(badges={}))
    keys = {str(player) for player in players}
    changed = []
    for sheet in ours.order_by("pk"):
        badges = {player: [*Wish(*wish)._replace(initial="")] if player in keys else wish
                  for player, wish in sheet.badges.items()}  # fmt: skip
        if badges != sheet.badges:
            sheet.badges = badges
            changed.append(sheet)
    Sheet.objects.bulk_update(changed, ["badges"], batch_size=100)


def wish_of(member: Member) -> Wish:
    """By what a sheet is to know them. A guest who has not chosen gets what is free at the table."""
    badge = member.badge
    return Wish(badge.colour, member.initial, is_chosen=member.colour > 0) if badge else NO_WISH


def wishes_of_players(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *,
    sheet: Sheet,
    players: Collection[int],
    **signal: Any,  # noqa: ARG001
) -> dict[int, Wish]:
    """The receiver of `scoresheets.log.identity.badges_wanted`. One query at a table of no club, three at most else."""
    table = Table.objects.standing().filter(sheet=sheet).select_related("night__club").first()
    known = players_known(table.night.club, players) if table else {}
    wishes = {player: wish_of(member.main_record) for player, member in known.items() if member}
    return {player: wish for player, wish in wishes.items() if wish != NO_WISH}
