"""Aliases: the names that a sheet shows instead of hidden names.

No entry is changed. `Sheet.aliases` is applied when the sheet is read, so hiding can be undone. Each sheet has its own
aliases: the caller names the sheets on which they may hide a name.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import F, Q, QuerySet

from scoresheets.log.occupants import SITS
from scoresheets.log.text import same_name
from scoresheets.models import Entry, Player, Scorekeeper, Seat, Sheet


def sheets_with(players: Collection[int], sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """Those of the sheets at which one of these players (ids) sits or sat."""
    sat = Seat.objects.filter(player__in=players).values("sheet")
    took_over = Entry.objects.filter(ask__startswith=SITS, data__player__in=list(players)).values("sheet")
    return sheets.filter(Q(pk__in=sat) | Q(pk__in=took_over))


def hide_names(players: Collection[int], shown_as: str, sheets: QuerySet[Sheet]) -> None:
    """Let these players (ids) be called `shown_as` on these sheets, where they sit; "": by their names again.

    Who follows one of the sheets sees it with the next look.
    """
    names = {str(player): shown_as for player in players}
    with transaction.atomic():
        pks = list(sheets_with(players, sheets).values_list("pk", flat=True))
        changed = []
        for sheet in Sheet.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"):
            aliases = {player: name for player, name in {**sheet.aliases, **names}.items() if name}
            if aliases != sheet.aliases:
                sheet.aliases, sheet.aliases_version = aliases, sheet.aliases_version + 1
                changed.append(sheet)
        Sheet.objects.bulk_update(changed, ["aliases", "aliases_version"], batch_size=100)


def pick_as(players: Collection[int], shown_as: str) -> None:
    """Let these players (ids) be picked by that name when a sheet is opened or somebody comes late; "": by their own.

    On a sheet for which they are picked so they are called so, too.
    """
    Player.objects.filter(pk__in=players).exclude(shown_as=shown_as).update(shown_as=shown_as)


def rename_scorekeepers(users: Collection[int], name: str, sheets: QuerySet[Sheet], *, instead_of: str = "") -> None:
    """Let the scorekeepers of these accounts (ids) be called so on these sheets.

    With `instead_of` only those who are called that.
    """
    keepers = Scorekeeper.objects.filter(user__in=users, sheet__in=sheets).exclude(name=name)
    if instead_of:
        keepers = keepers.filter(name=instead_of)
    with transaction.atomic():
        changed = set(keepers.values_list("sheet", flat=True))
        if keepers.update(name=name):
            Sheet.objects.filter(pk__in=changed).update(aliases_version=F("aliases_version") + 1)


def rename_guest_scorekeepers(
    players: Collection[int], called: Iterable[str], name: str, sheets: QuerySet[Sheet]
) -> None:
    """Let the scorekeepers without an account be called `name` who are called one of `called` on sheets of the players.

    Whoever writes at their own table by a link tells the site their name a second time, as the scorekeeper.
    """
    alike = {same_name(name_before) for name_before in called}
    sat = sheets_with(players, sheets).values("pk")
    keepers = Scorekeeper.objects.filter(sheet__in=sat, user=None).exclude(name__in=("", name))
    renamed = [keeper for keeper in keepers if same_name(keeper.name) in alike]
    with transaction.atomic():
        if Scorekeeper.objects.filter(pk__in=[keeper.pk for keeper in renamed]).update(name=name):
            Sheet.objects.filter(pk__in=[keeper.sheet_id for keeper in renamed]).update(
                aliases_version=F("aliases_version") + 1
            )


def aliases_of(records: Sequence[Sheet]) -> dict[int, dict[int, str]]:
    """What players (ids) on these sheets are called instead, whose names are hidden: by sheet (id), two queries where
    there are any.

    No two who sit at one table are called the same: a file of the sheet knows them by these names.
    """
    hiding = {record.pk: record.aliases for record in records if record.aliases}
    if not hiding:
        return {}
    names: dict[int, dict[int, str]] = {pk: {} for pk in hiding}
    for sheet, player, name in Seat.objects.filter(sheet__in=hiding).values_list("sheet", "player", "name"):
        names[sheet][player] = name
    took_over = Entry.objects.filter(sheet__in=hiding, ask__startswith=SITS).standing()
    for sheet, data in took_over.values_list("sheet", "data"):
        names[sheet][data["player"]] = data["name"]
    return {
        sheet: distinct_aliases(
            (player, name, hiding[sheet].get(str(player), "")) for player, name in sorted(here.items())
        )
        for sheet, here in names.items()
    }


def distinct_aliases(players: Iterable[tuple[int, str, str]]) -> dict[int, str]:
    """What those are called who hide their names: id, name and what is shown instead of each player at a table.

    >>> distinct_aliases([(1, "Ann", ""), (2, "Bo", "Somebody"), (3, "Cy", "Somebody")])
    {2: 'Somebody', 3: 'Somebody 2'}
    """
    people = list(players)
    taken = {same_name(name) for _, name, shown_as in people if not shown_as}
    aliases: dict[int, str] = {}
    for pk, _, shown_as in people:
        if shown_as:
            names = itertools.chain([shown_as], (f"{shown_as} {k}" for k in itertools.count(2)))
            aliases[pk] = next(name for name in names if same_name(name) not in taken)
            taken.add(same_name(aliases[pk]))
    return aliases
