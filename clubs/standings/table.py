"""Tables to sort and page: django-tables2 with our own template (`clubs/sorted_table.html`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django_tables2.data import TableListData
from django_tables2.utils import Accessor, OrderBy, OrderByTuple

from clubs.standings.league import League, StandingLine
from clubs.standings.schemes import BETWEEN, LOST, WON, figure_text
from rules.core.numbers import percent_text

#: People on a page.
A_PAGE = 50
#: There is no room for the word on a phone.
MOVED = mark_safe('<span aria-hidden="true">↕</span><span class="visually-hidden">Moved</span>')
NO_FIGURE = mark_safe('<span aria-hidden="true">–</span><span class="visually-hidden">none</span>')


class Listed(TableListData):
    """Rows from a list: what has no value stands behind all that have one, whichever way it is sorted."""

    data: list[Any]

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in reversed(list(aliases)):
            order = OrderBy(alias)
            column = self.table.columns[order.bare].column
            accessor = Accessor(column.order_by[0] if column.order_by else column.accessor or order.bare)
            rows = [(accessor.resolve(row), row) for row in self.data]
            having = sorted((pair for pair in rows if pair[0] is not None), key=value_of, reverse=order.is_descending)
            self.data = [row for _, row in having] + [row for value, row in rows if value is None]


def cells(kind: str) -> dict[str, dict[str, str]]:
    """The class of a column's cells, that on top among them."""
    return {"td": {"class": kind}, "th": {"class": kind}}


def value_of(pair: tuple[Any, object]) -> Any:
    return pair[0]


class Figure(tables.Column):
    """A number of a standing, which opens the games or hands it is made of. `more`: only where there is room."""

    def __init__(self, name: str, header: str = "", *, more: bool = True) -> None:
        super().__init__(
            verbose_name=header, accessor="row", order_by=f"row__{name}", initial_sort_descending=True,
            attrs=cells("num more" if more else "num"),
        )  # fmt: skip
        self.figure = name

    def render(self, record: StandingLine, table: StandingTable) -> SafeString:
        value = getattr(record.row, self.figure)
        if value is None:
            return NO_FIGURE
        return format_html('<a href="{}">{}</a>', table.behind(record, self.figure), figure_text(value))


class Share(Figure):
    """A number out of another, in percent with the counts small after it, and sorted by the share (`sorts_by`)."""

    def __init__(self, name: str, header: str, *, of: str, sorts_by: str) -> None:
        super().__init__(name, header)
        self.of = of
        self.order_by = OrderByTuple((f"row__{sorts_by}",))

    def render(self, record: StandingLine, table: StandingTable) -> SafeString:
        part, whole = getattr(record.row, self.figure), getattr(record.row, self.of)
        if not whole:
            return NO_FIGURE
        return format_html(
            '<a href="{}">{}</a> <small>{} of {}</small>',
            table.behind(record, self.figure), percent_text(part, whole), part, whole,
        )  # fmt: skip


class Percent(Figure):
    """A share."""

    def render(self, record: StandingLine, table: StandingTable) -> SafeString:
        shown = super().render(record, table)
        return shown if getattr(record.row, self.figure) is None else format_html("{}&nbsp;%", shown)


#: What each of the latest games is drawn as, and how it is read out.
DOTS = {WON: ("won", "won"), LOST: ("lost", "lost"), BETWEEN: ("between", "in between")}


def form_dots(form: str) -> SafeString:
    """The latest games of somebody as small marks, the latest last: a box for one won, a circle for one lost.

    "" where nothing is known of them.
    """
    games = [DOTS[letter] for letter in form if letter in DOTS]
    if not games:
        return SafeString("")
    marks = format_html_join("", '<i class="{}"></i>', ((kind,) for kind, _ in games))
    words = ", ".join(word for _, word in games)
    return format_html('<span class="form-dots" role="img" aria-label="Latest games: {}">{}</span>', words, marks)


#: Figures that a standing may not have: scores of several games are not compared.
MAY_LACK = ("share", "average", "best", "worst")


class StandingTable(tables.Table):
    """A standing: on a phone place, movement, name and points; where there is room, everything."""

    place = tables.Column(accessor="row__place", empty_values=(), attrs=cells("num place"))
    moved = tables.Column(verbose_name=MOVED, empty_values=(), initial_sort_descending=True, attrs=cells("moved"))
    name = tables.Column(accessor="member__shown", attrs=cells("named"))
    points = Figure("points", more=False)
    nights = Figure("nights", "Nights")
    games = Figure("games", "Games")
    won = Figure("won", "Won")
    lost = Figure("lost", "Lost")
    share = Percent("share", "Table beaten")
    average = Figure("average", "Average")
    best = Figure("best", "Best")
    worst = Figure("worst", "Worst")
    boxes = Figure("boxes", "Boxes")
    circles = Figure("circles", "Circles")
    made = Share("made", "Bids made", of="bids", sorts_by="made_share")

    class Meta:
        template_name = "clubs/sorted_table.html"
        order_by = "place"
        order_by_field = "sort"
        attrs = {"class": "league"}
        row_attrs = {"class": lambda table, record: "mine" if table.is_mine(record) else ""}

    #: The column that heads each row.
    heads = "name"

    def __init__(self, league: League, *, me: int = 0, **more: Any) -> None:
        self.league, self.me = league, me
        self.address = league.url
        self.caption = "Where everybody stands; the heads of the columns sort it"
        lacking = [name for name in MAY_LACK if all(getattr(line.row, name) is None for line in league.lines)]
        points = Figure("points", league.scheme.heading, more=False)
        super().__init__(Listed(list(league.lines)), extra_columns=[("points", points)], exclude=lacking, **more)

    def is_mine(self, line: StandingLine) -> bool:
        return self.me > 0 and self.me in (line.row.member_id, line.member.same_as_id)

    @property
    def is_in_order(self) -> bool:
        """Whether it stands in the order of its places, so that each row can say why it is not higher."""
        return all(str(alias) in ("place", "-points") for alias in self.order_by)

    def behind(self, line: StandingLine, figure: str) -> str:
        """The address of what a figure is made of."""
        return f"{self.address}{line.row.member_id}/{figure}/"

    def render_place(self, record: StandingLine) -> str | SafeString:
        place = record.row.place
        if place is None:
            return NO_FIGURE
        if not record.shares:
            return str(place)
        return format_html('<span aria-hidden="true">=</span><span class="visually-hidden">shared </span>{}', place)

    def render_moved(self, record: StandingLine) -> str | SafeString:
        if record.row.place is None or self.league.is_over:
            return ""
        if record.moved is None:
            return mark_safe('<span class="new">new</span>')
        if record.moved == 0:
            return mark_safe('<span aria-hidden="true">·</span><span class="visually-hidden">as before</span>')
        which, sign = ("up", "▲") if record.moved > 0 else ("down", "▼")
        return format_html(
            '<span class="{}"><span aria-hidden="true">{}</span><span class="visually-hidden">{} </span>{}</span>',
            which, sign, which, abs(record.moved),
        )  # fmt: skip

    def render_name(self, record: StandingLine, value: str) -> SafeString:
        name = format_html("<bdi>{}</bdi>", value)
        with suppress(NoReverseMatch):
            name = format_html(
                '<a href="{}">{}</a>', reverse("member", args=[self.league.club.slug, record.row.member_id]), name
            )
        mine = mark_safe(' <span class="me">you</span>') if self.is_mine(record) else ""
        why = (
            format_html('<small class="why">{}</small>', record.row.reason)
            if self.is_in_order and record.row.reason
            else ""
        )
        return format_html("{}{}{}{}", name, mine, why, form_dots(record.row.form))

    def render_points(self, record: StandingLine) -> SafeString:
        total, href = figure_text(record.row.points), self.behind(record, "points")
        marks = {"total": total, "href": href, "boxed": record.is_first, "circled": record.is_last}
        if record.is_first or record.is_last:
            points: SafeString = render_to_string("clubs/standings/badge.html", marks)
        else:
            points = format_html('<span class="mark"><a href="{}">{}</a></span>', href, total)
        if record.row.uncertainty is None:
            return points
        return format_html('{}<small class="uncertainty">±&nbsp;{}</small>', points, record.row.uncertainty)
