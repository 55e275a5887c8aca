"""The lists of the owner's pages, to sort and page. A phone shows what tells the rows apart, and the latest day."""

from __future__ import annotations

import datetime
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from clubs.club.forms import find_known
from clubs.models import Club, User
from clubs.owner.accounts import clubs_of
from clubs.owner.sheets import names_on
from clubs.standings.table import NO_FIGURE, cells
from scoresheets.models import Sheet

#: Rows on a page.
A_PAGE = 50


class Day(tables.Column):
    """A day, short enough for a phone."""

    def __init__(self, header: str, **more: Any) -> None:
        super().__init__(verbose_name=header, initial_sort_descending=True, empty_values=(), **more)

    def render(self, value: datetime.date | None) -> str | SafeString:
        if value is None:
            return NO_FIGURE
        return date_format(localtime(value) if isinstance(value, datetime.datetime) else value, "j M Y")


class OwnersTable(tables.Table):
    """What the lists share: `caption` says what is listed, `heads` is the column that heads each row."""

    caption = ""
    heads = "name"

    class Meta:
        template_name = "clubs/sorted_table.html"
        order_by_field = "sort"
        attrs = {"class": "owners"}


def count_column(header: str, accessor: str) -> tables.Column:
    return tables.Column(verbose_name=header, accessor=accessor, initial_sort_descending=True, attrs=cells("num more"))


def headed(to: str, name: str, note: str) -> SafeString:
    """What heads a row: a name that leads on, and what is to be known about it."""
    small = format_html('<small class="about">{}</small>', note) if note else ""
    return format_html('<a href="{}"><bdi>{}</bdi></a>{}', to, name, small)


class ClubTable(OwnersTable):
    """Clubs: rows of `clubs.owner.clubs.clubs_with_counts`."""

    caption = "Clubs; the heads of the columns sort them"

    name = tables.Column(verbose_name="Club", attrs=cells("named"))
    people = count_column("People", "people")
    nights = count_column("Nights", "nights_held")
    sheets = count_column("Sheets", "sheets")
    writes = count_column("Times written", "writes")
    last = Day("Last used", attrs=cells("num"))

    class Meta(OwnersTable.Meta):
        order_by = "-last"

    def render_name(self, record: Club) -> SafeString:
        return headed(reverse("owner_club", args=[record.slug]), record.name, state_of(record))


def state_of(club: Club) -> str:
    """What the owner should know about a club, in a few words; "" for nothing."""
    if club.archived_at:
        return "joined to a club" if club.moved_to_id else "archived"
    if club.is_demo:
        return "the demo"
    return "" if club.is_evening or vars(club)["is_organised"] else "no organiser"


class SheetTable(OwnersTable):
    """Sheets, with their seats, their tables and the clubs of these at hand."""

    caption = "Sheets; the heads of the columns sort them"

    name = tables.Column(verbose_name="Sheet", accessor="game", attrs=cells("named"))
    opened = Day("Begun", accessor="opened_at", attrs=cells("num"))

    class Meta(OwnersTable.Meta):
        order_by = "-opened"

    def render_name(self, record: Sheet) -> SafeString:
        notes = [", ".join(names_on(record)), club_of(record), "closed" * bool(record.closed)]
        return headed(reverse("owner_sheet", args=[record.code]), title_of(record), " · ".join(filter(None, notes)))


def club_of(sheet: Sheet) -> str:
    """The name of the club to which it belongs; "" for none."""
    table = getattr(sheet, "table", None)
    return table.night.club.name if table and table.is_of_its_club else ""


def title_of(sheet: Sheet) -> str:
    """What a sheet is called in a list: its title, else its game."""
    game = find_known(sheet.game)
    return sheet.title or (game.name if game else sheet.game)


class AccountTable(OwnersTable):
    """Accounts, with their clubs at hand."""

    caption = "Accounts; the heads of the columns sort them"

    name = tables.Column(verbose_name="Email address", accessor="email", attrs=cells("named"))
    joined = Day("Since", accessor="date_joined", attrs=cells("num more"))
    last = Day("Signed in", accessor="last_login", attrs=cells("num"))

    class Meta(OwnersTable.Meta):
        order_by = "-last"

    def render_name(self, record: User) -> SafeString:
        notes = ["owns the site"] * record.is_superuser + ["closed"] * (not record.is_active) + clubs_of(record)
        name = record.email or record.get_username()
        return headed(reverse("owner_account", args=[record.pk]), name, ", ".join(notes))
