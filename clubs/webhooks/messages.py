"""What programs are sent of an event: a title, a sentence, the page it leads to, and data."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from clubs.link_previews import previews
from clubs.models import Chair, Event, PlayOff, Table
from clubs.outbox.addresses import shared_address
from clubs.outbox.channels import NotDelivered
from clubs.play_off_page.page import Followed
from clubs.play_offs.state import now
from rules import find_game
from scoresheets.link_previews.of_sheet import preview_of_sheet
from scoresheets.log.text import shortened
from scoresheets.wording.markup import plain_list

Kind = Event.Kind

#: The events that programs hear of.
KINDS = (Kind.DRAWN, Kind.FINALS, Kind.CALLED, Kind.LAST_HAND, Kind.RESULT, Kind.DECIDED, Kind.TEST)
#: Discord's limits, in letters. Half of them is used: every letter may need a stroke before it.
LONGEST_TITLE, LONGEST_TEXT = 256, 4096
#: What Discord reads as a mark of its own.
MARKS = re.compile(r"([\\*_~`|>#\[\]()@:<-])")
GONE = "What it was about was taken back."
NOT_YET = "The game is open again."
#: Seconds until the next look whether a game that is open again has ended: its last hand is written anew by then.
LOOK_AGAIN = 60


@dataclass(frozen=True)
class Message:
    """What is said of an event. Hidden names stay hidden: they are read as the pages of the club read them."""

    title: str
    text: str
    path: str
    data: dict[str, Any] = field(default_factory=dict)


def message_of(event: Event) -> Message:
    """As things stand now, so that no name waits in a row. Raises `NotDelivered` where nothing is left of it, or
    where the game is open again; then it waits, as the same result is not announced twice.
    """
    return WRITERS[Kind(event.kind)](event)


def drawn(event: Event) -> Message:
    """The tables, and who sits at them."""
    chairs = Chair.objects.filter(
        table__in=event.details.get("tables", ()), table__night__club=event.club_id, table__withdrawn_at__isnull=True
    )
    tables: dict[Table, list[str]] = defaultdict(list)
    for chair in chairs.select_related("table", "member__same_as").order_by("table__number", "place"):
        tables[chair.table].append(chair.member.main_record.shown)
    if not tables:
        raise NotDelivered(GONE, is_over=True)
    title = "The finals are drawn" if event.kind == Kind.FINALS else "The tables are drawn"
    lines = [f"{table}, {find_game(table.game).name}: {plain_list(names)}" for table, names in tables.items()]
    data = {"tables": [{**about_table(table), "players": names} for table, names in tables.items()]}
    return Message(f"{event.night}: {title[0].lower()}{title[1:]}", "\n".join(lines), night_path(event), data)


def called(event: Event) -> Message:
    table = table_of(event)
    return Message(f"{table} calls the organiser", f"{event.night}.", night_path(event))


def last_hand(event: Event) -> Message:
    hand = event.details.get("hand")
    text = f"All tables stop after hand {hand}." if hand else "All tables stop after the hand they are in."
    return Message(f"{event.night}: last hand", text, night_path(event))


def result(event: Event) -> Message:
    """How a table has ended, as the preview of its page says it, with the totals."""
    table = table_of(event)
    if table.sheet is None:
        raise NotDelivered(GONE, is_over=True)
    if table.sheet.finished_at is None:
        raise NotDelivered(NOT_YET, wait=LOOK_AGAIN, makes_room=True)
    preview = preview_of_sheet(table.sheet)
    rows = [
        {"name": row.name, "place": row.place, "score": row.figure, "box": row.boxed, "circle": row.circled}
        for row in preview.rows
    ]
    totals = ", ".join(f"{row.name} {row.figure}" for row in preview.rows)
    text = "\n".join(part for part in (preview.text, totals) if part)
    return Message(f"{table}: {preview.title}", text, reverse("watch", args=[table.sheet.watch]), {"players": rows})


def decided(event: Event) -> Message:
    """Who has won the play-off."""
    rows = PlayOff.objects.filter(night=event.night_id, pk=event.details.get("play_off"), called_off_at__isnull=True)
    play_off = rows.select_related("night__club").first()
    if play_off is None:
        raise NotDelivered(GONE, is_over=True)
    if play_off.decided_at is None:
        raise NotDelivered(NOT_YET, wait=LOOK_AGAIN, makes_room=True)
    preview = previews.of_play_off(Followed(now(play_off)))
    first = [row.name for row in preview.rows if row.boxed]
    last = [row.name for row in preview.rows if row.circled]
    circled = f"{plain_list(last)} {'takes' if len(last) == 1 else 'take'} the circle." if last else ""
    title = f"Corrected: {preview.title}" if event.details.get("corrected") else preview.title
    return Message(title, circled, play_off.get_absolute_url(), {"winners": first, "losers": last})


def test(event: Event) -> Message:
    return Message("A test", f"This is how news of {event.club} will arrive.", event.club.get_absolute_url())


#: Who writes of which events.
WRITERS: dict[Event.Kind, Callable[[Event], Message]] = {
    Kind.DRAWN: drawn, Kind.FINALS: drawn, Kind.CALLED: called, Kind.LAST_HAND: last_hand, Kind.RESULT: result,
    Kind.DECIDED: decided, Kind.TEST: test,
}  # fmt: skip


def table_of(event: Event) -> Table:
    """The table the event is about, as long as it belongs to its night."""
    if event.table is None or event.table.withdrawn_at is not None:
        raise NotDelivered(GONE, is_over=True)
    return event.table


def night_path(event: Event) -> str:
    return reverse("night", args=[event.club.slug, event.night_id])


def about_table(table: Table) -> dict[str, Any]:
    return {"uid": table.uid, "number": table.number, "name": str(table), "game": table.game}


# The forms


def signed_form(event: Event, message: Message) -> dict[str, Any]:
    """For any program."""
    club, night, table = event.club, event.night, event.table
    return {
        "event": event.kind, "id": event.pk, "at": event.at.isoformat(),
        "club": {"uid": club.uid, "name": club.name, "slug": club.slug},
        "night": {"uid": night.uid, "name": str(night), "on": night.on.isoformat()} if night else None,
        "table": about_table(table) if table else None,
        "title": message.title, "text": message.text, "url": shared_address(club, message.path), **message.data,
    }  # fmt: skip


def discord_form(event: Event, message: Message) -> dict[str, Any]:
    """For a channel of Discord: nobody in it is called, and marks in names do nothing."""
    embed = {
        "title": plain(shortened(message.title, LONGEST_TITLE // 2)),
        "description": plain(shortened(message.text, LONGEST_TEXT // 2)),
        "url": shared_address(event.club, message.path), "timestamp": event.at.isoformat(),
        "author": {"name": shortened(event.club.name, LONGEST_TITLE)},
    }  # fmt: skip
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def plain(text: str) -> str:
    r"""The text with every mark taken for a letter.

    >>> plain("*Ann*")
    '\\*Ann\\*'
    """
    return MARKS.sub(r"\\\1", text)
