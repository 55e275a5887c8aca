"""The packing list of a night."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Award, Night, PackedItem
from clubs.tables.draft import Drawing
from clubs.trophies.register import carriers
from rules import find_game
from rules.core.numbers import spelled
from scoresheets.paper.layout import LAYOUTS

#: A table needs two decks whose backs differ, so that one is shuffled while the other is dealt, and pencils.
A_TABLE = 2
LAID_OUT = dict(zip(LAYOUTS, ("players across", "a column for every hand"), strict=True))


@dataclass(frozen=True)
class Thing:
    """Something to bring: `key` names it for `PackedItem`. `award` says who has a trophy; `paper` is to print."""

    key: str
    what: str
    about: str = ""
    paper: str = ""
    award: Award | None = None
    packed: bool = False


def things_for(night: Night) -> list[Thing]:
    """What to bring for the tables that are opened, else for those that would be drawn now."""
    games = list(night.tables.standing().values_list("game", flat=True))
    sizes = dict.fromkeys(games, 0)
    if not games:
        tables = Drawing(night).tables
        games = [drawn.game.slug for drawn in tables]
        sizes = {drawn.game.slug: len(drawn.people) for drawn in tables}
    packed = set(night.packed.values_list("thing", flat=True))
    count = max(1, len(games))
    tables_of = "one table" if count == 1 else f"{spelled(count)} tables"
    things = [
        Thing("decks", f"{A_TABLE * count} decks of cards", f"two of different colours a table, {tables_of}"),
        Thing("pencils", f"{A_TABLE * count} pencils", "two a table"),
    ]
    for game, size in sizes.items():
        for layout, words in LAID_OUT.items():
            query = {"game": game, "layout": layout} | ({"players": size} if size else {})
            paper = f"{reverse('blank')}?{urlencode(query)}"
            things.append(Thing(f"blank-{game}-{layout}"[:60], f"Blank sheets, {find_game(game).name}", words, paper))
    things += [Thing(f"trophy-{trophy.pk}", trophy.name, award=award) for trophy, award in carriers(night.club)]
    return [
        Thing(thing.key, thing.what, thing.about, thing.paper, thing.award, thing.key in packed) for thing in things
    ]


def pack(night: Night, key: str, *, packed: bool) -> bool:
    """Tick a thing off, or take the tick away; whether there is such a thing to bring."""
    if key not in {thing.key for thing in things_for(night)}:
        return False
    if packed:
        PackedItem.objects.get_or_create(night=night, thing=key)
    else:
        PackedItem.objects.filter(night=night, thing=key).delete()
    return True
