"""Names that are hidden: what a player is called on every sheet instead of the name that stands there.

Nothing on a sheet is written anew. `Player.shown_as` is looked up when it is read, so that there is a way back.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q

from scoresheets.models import Entry, Keeper, Player, Sheet
from scoresheets.names import same_name
from scoresheets.sitting import SITS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


def hide_names(players: Collection[int], shown_as: str) -> None:
    """Let these players (ids) be called `shown_as` on every sheet; "": by their names again.

    Who follows one of these sheets sees it with the next look.
    """
    with transaction.atomic():
        changed = list(Player.objects.filter(pk__in=players).exclude(shown_as=shown_as).values_list("pk", flat=True))
        if not changed:
            return
        Player.objects.filter(pk__in=changed).update(shown_as=shown_as)
        took_over = Entry.objects.filter(ask__startswith=SITS, data__player__in=changed).values("sheet")
        Sheet.objects.filter(Q(seats__player__in=changed) | Q(pk__in=took_over)).update(veils=F("veils") + 1)


def call_keepers(users: Collection[int], name: str, *, instead_of: str = "") -> None:
    """Let the scorekeepers of these accounts (ids) be called so on every sheet.

    With `instead_of` only those who are called that.
    """
    keepers = Keeper.objects.filter(user__in=users).exclude(name=name)
    if instead_of:
        keepers = keepers.filter(name=instead_of)
    with transaction.atomic():
        sheets = set(keepers.values_list("sheet", flat=True))
        if keepers.update(name=name):
            Sheet.objects.filter(pk__in=sheets).update(veils=F("veils") + 1)


def call_pencils(players: Collection[int], called: Iterable[str], name: str) -> None:
    """Let the scorekeepers without an account be called `name` who are called one of `called` on sheets of the players.

    Whoever writes at his own table by a link tells the site his name a second time, as the scorekeeper.
    """
    alike = {same_name(one) for one in called}
    took_over = Entry.objects.filter(ask__startswith=SITS, data__player__in=list(players)).values("sheet")
    sat = Sheet.objects.filter(Q(seats__player__in=players) | Q(pk__in=took_over))
    keepers = Keeper.objects.filter(sheet__in=sat.values("pk"), user=None).exclude(name__in=("", name))
    found = [keeper for keeper in keepers if same_name(keeper.name) in alike]
    with transaction.atomic():
        if Keeper.objects.filter(pk__in=[keeper.pk for keeper in found]).update(name=name):
            Sheet.objects.filter(pk__in=[keeper.sheet_id for keeper in found]).update(veils=F("veils") + 1)


def veils_of(records: Sequence[Sheet]) -> dict[int, str]:
    """What players (ids) on these sheets are called instead, whose names are hidden; one query where there are any.

    No two who sit at one table are called the same: a file of the sheet knows them by these names.
    """
    hiding = [record for record in records if record.veils]
    if not hiding:
        return {}
    took_over = Entry.objects.filter(sheet__in=hiding, ask__startswith=SITS).standing()
    later = {data["player"] for data in took_over.values_list("data", flat=True)}
    there = Player.objects.filter(Q(seats__sheet__in=hiding) | Q(pk__in=later))
    return told_apart(there.order_by("pk").distinct().values_list("pk", "name", "shown_as"))


def told_apart(players: Iterable[tuple[int, str, str]]) -> dict[int, str]:
    """What those are called who hide their names: id, name and what is shown instead of each player at a table.

    >>> told_apart([(1, "Ann", ""), (2, "Bo", "Somebody"), (3, "Cy", "Somebody")])
    {2: 'Somebody', 3: 'Somebody 2'}
    """
    people = list(players)
    taken = {same_name(name) for _, name, shown_as in people if not shown_as}
    veils: dict[int, str] = {}
    for pk, _, shown_as in people:
        if shown_as:
            names = itertools.chain([shown_as], (f"{shown_as} {k}" for k in itertools.count(2)))
            veils[pk] = next(name for name in names if same_name(name) not in taken)
            taken.add(same_name(veils[pk]))
    return veils
