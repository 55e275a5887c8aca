"""Codes for tables, on the screen and on paper: by them a sheet is kept and watched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from clubs.models import Chair, Member, Table
from rules import all_games
from scoresheets.access.qr import qr_code, qr_of
from scoresheets.access.scorekeepers import hashed, linked, make_link, make_links
from scoresheets.models import Scorekeeper, ShareLink

#: So often a table can have a new code for its scorekeeper, after the old one was taken away or ran out.
MOST_CODES = 8


@dataclass
class Sign:
    """A table with its codes. `keep` is the scorekeepers' address, "" where it has none that is good."""

    table: Table
    game: str
    chairs: list[Chair]
    watch: str
    keep: str = ""

    @property
    def watch_code(self) -> SafeString:
        return qr_of(self.watch)

    @property
    def keep_code(self) -> SafeString:
        """Drawn anew each time: nothing remembers it."""
        return qr_code(self.keep)

    @property
    def people(self) -> list[Member]:
        return [chair.member for chair in self.chairs]


def signs_of(tables: Iterable[Table], address: Callable[[str], str]) -> list[Sign]:
    """The signs of tables with sheets; `address` makes a whole address of a path. Three queries for all of them."""
    tables = [table for table in tables if table.sheet]
    games = {game.slug: game.name for game in all_games()}
    chairs = list(Chair.objects.filter(table__in=tables).select_related("member"))
    tokens = tokens_of(tables)
    return [
        Sign(
            table, games.get(table.game, ""), [chair for chair in chairs if chair.table_id == table.pk],
            address(reverse("watch", args=[table.sheet.watch])),
            address(reverse("keep", args=[tokens[table.pk]])) if table.pk in tokens else "",
        )
        for table in tables if table.sheet
    ]  # fmt: skip


def tokens_of(tables: Iterable[Table]) -> dict[int, str]:
    """The tokens of the scorekeepers' links that are good, by table (id). Two queries."""
    now = timezone.now()
    offered = [(table.pk, token) for table, _, token in codes_of(tables)]
    links = {
        link.token_hash: link
        for link in ShareLink.objects.filter(token_hash__in=[hashed(token) for _, token in offered])
    }
    tokens: dict[int, str] = {}
    for pk, token in offered:
        link = links.get(hashed(token))
        if link and link.is_good(now):
            tokens.setdefault(pk, token)
    return tokens


def codes_of(tables: Iterable[Table]) -> list[tuple[Table, str, str]]:
    """Every code a table may have, the first first: the table, the key of the tap that made it, and its token.

    Nobody can make them who has not the site's secret; so they need not be kept to be shown again.
    """
    tables = list(tables)
    openers = openers_of(tables)
    return [
        (table, key, linked(table.sheet, openers[table.pk], key))
        for table in tables if table.sheet and table.pk in openers
        for key in (f"sign-{table.uid}-{count}" for count in range(MOST_CODES))
    ]  # fmt: skip


def openers_of(tables: Iterable[Table]) -> dict[int, Scorekeeper]:
    """Who opened the sheet of each table (id). One query."""
    sheets = {table.sheet_id: table for table in tables}
    openers: dict[int, Scorekeeper] = {}
    for keeper in Scorekeeper.objects.filter(sheet__in=sheets).order_by("pk"):
        openers.setdefault(sheets[keeper.sheet_id].pk, keeper)
    return openers


def give_code(table: Table) -> bool:
    """Make a link for the scorekeeper of the table, if none is good; whether it has one now."""
    if tokens_of([table]):
        return True
    tried = codes_of([table])
    known = set(
        ShareLink.objects.filter(token_hash__in=[hashed(token) for _, _, token in tried]).values_list(
            "token_hash", flat=True
        )
    )
    key = next((key for _, key, token in tried if hashed(token) not in known), None)
    if key is None or table.sheet is None:
        return False
    make_link(table.sheet, by=openers_of([table])[table.pk], key=key)
    return True


def give_codes(tables: Iterable[Table]) -> None:
    """A link for the scorekeeper of each of these tables, of which none has a good one. Four queries."""
    tables = list(tables)
    tried = codes_of(tables)
    hashes = [hashed(token) for _, _, token in tried]
    known = set(ShareLink.objects.filter(token_hash__in=hashes).values_list("token_hash", flat=True))
    free = {table.pk: (table, key) for table, key, token in reversed(tried) if hashed(token) not in known}
    openers = openers_of(tables)
    make_links([(table.sheet, openers[pk], key) for pk, (table, key) in free.items() if table.sheet])
