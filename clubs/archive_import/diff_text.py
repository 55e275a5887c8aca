"""The difference between a file and the club here in words, for the organiser who confirms the import."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.dateformat import format as date_format

from clubs.archive.export import Row
from clubs.archive.schema import Update
from clubs.archive_import.changes import Differences, SheetChange
from clubs.models import Ruling, Stage
from rules import UnknownGame, find_game
from scoresheets.files.log_export import parse_moment

#: So many lines of one heading are read; the others are counted.
MOST_LINES = 60

#: What rows are called, one and many.
KINDS = {
    "club": ("the club", "the club"),
    "members": ("person", "people"),
    "known": ("name on a sheet that is known", "names on sheets that are known"),
    "apart": ("pair that is kept apart", "pairs that are kept apart"),
    "seasons": ("season", "seasons"),
    "standings": ("row of a locked season", "rows of locked seasons"),
    "trophies": ("trophy", "trophies"),
    "nights": ("night", "nights"),
    "calls": ("answer at a roll call", "answers at roll calls"),
    "replies": ("answer before a night", "answers before nights"),
    "packed": ("thing that was brought along", "things that were brought along"),
    "play_offs": ("play-off", "play-offs"),
    "stages": ("stage of a play-off", "stages of play-offs"),
    "tables": ("table", "tables"),
    "chairs": ("chair", "chairs"),
    "placings": ("typed result", "typed results"),
    "rulings": ("ruling about a play-off", "rulings about play-offs"),
    "awards": ("award", "awards"),
    "doubts": ("question about an award", "questions about awards"),
    "diary": ("line of the activity log", "lines of the activity log"),
    "sheets": ("sheet", "sheets"),
}
#: Of these the number says enough.
COUNTED = ("known", "calls", "replies", "packed", "chairs", "placings", "standings", "stages", "doubts", "diary")

#: What the fields are called.
FIELDS = {
    "abandoned_at": "drawn again", "about": "about", "added_at": "since", "answer": "answer", "answered_at": "answered",
    "answered_by": "answered by", "approved_at": "let in", "archived_at": "archived", "at": "when",
    "average": "average", "award": "award", "awards_at_once": "trophies go to the winner at once",
    "beaten": "table beaten, in all", "begins": "begins", "begun_at": "begun", "best": "best", "bids": "bids",
    "boxes": "boxes", "by": "by", "called_off_at": "called off", "carry_over": "totals are carried over",
    "circles": "circles", "colour": "colour", "closed_at": "closed", "comes": "comes", "compared": "games compared",
    "uncertainty": "uncertainty", "form": "latest games",
    "usual_begins": "usual time", "usual_day": "usual weekday", "usual_trophies": "usual format",
    "confirmed_at": "confirmed",
    "confirmed_by": "confirmed by", "counted_before": "counted before", "counted_seen": "new way of counting read",
    "counted_since": "counted differently since", "created": "made", "cut_by_high_card": "the high card settles ties",
    "deals": "deals first", "differs": "differs from what was locked", "drawing": "drawing",
    "drawn_for": "who it was drawn for", "drops": "worst nights left out", "ended_at": "ended", "ends": "ends",
    "erased_at": "erased",
    "exact": "how exactly the day is known", "final_hands": "hands at the finals", "for_fun": "just for fun",
    "frame_origin": "the web site that may show a standing",
    "game": "game", "games": "games that count", "goes": "goes to", "handed_at": "handed over", "hands": "hands",
    "hidden": "name hidden", "house_rules": "house rules", "initial": "initial", "instead_of": "instead of",
    "joined_at": "joined",
    "joined_to": "was merged with", "keeps_apart": "scores of different games are kept apart", "kind": "about",
    "label": "called", "least_nights": "nights at least", "leaves": "leaves", "left_at": "left", "locked_at": "locked",
    "loser": "lost", "losers_count": "how many go to the losers’ table", "lost": "lost", "made": "bids made",
    "main_game": "main game", "member": "who", "mixed": "how the groups were made", "name": "name",
    "nickname": "nickname", "night": "night",
    "nights": "nights", "number": "number", "numbers": "points", "on": "day", "one": "one",
    "order": "what breaks ties", "other": "the other", "packed": "brought along", "picture": "picture",
    "picture_key": "picture", "place": "place", "place_before": "place before", "places": "how many go on",
    "plan": "the hands", "play_off": "play-off", "player": "player", "players": "how many played", "points": "points",
    "raised_at": "raised", "reason": "reason", "role": "role", "same_as": "is the same as", "says": "says",
    "says_is": "says they are", "scheme": "points by", "score": "score", "season": "season",
    "set_aside_at": "set aside", "share": "share of the table beaten", "shown_as": "shown as", "side": "side",
    "slug": "address", "source": "where it is from", "stage": "stage", "table": "table", "thing": "thing",
    "time_zone": "time zone", "title": "title", "trophies": "what the trophies follow",
    "trophies_table": "table of the trophies", "trophy": "trophy", "uid": "row", "undone": "taken back",
    "version": "version", "visibility": "who sees the club", "why": "why", "winner": "won",
    "withdrawn_at": "withdrawn", "won": "won", "worst": "worst",
}  # fmt: skip


@dataclass(frozen=True)
class Heading:
    """Something that would happen to rows of one kind: "3 people", with a line about each that is worth one."""

    what: str
    lines: list[str]
    more: int = 0


def new_headings(changes: Differences) -> list[Heading]:
    """What is new."""
    headings = []
    for key, rows in changes.added.items():
        if rows:
            lines = [] if key in COUNTED else [row_text(changes, key, row) for row in rows[:MOST_LINES]]
            headings.append(Heading(counted(key, len(rows)), lines, max(0, len(rows) - MOST_LINES) if lines else 0))
    new = [change for change in changes.sheets if change.sheet is None]
    if new:
        headings.append(Heading(counted("sheets", len(new)), []))
    return headings


def changed_lines(changes: Differences) -> list[str]:
    """What is here and would say something else."""
    lines = [line for update in changes.updates for line in update_lines(changes, update)]
    numbers = {pk: number for number, pk in changes.players.items()}
    for pk, then in changes.renamed.items():
        name = changes.document["players"][numbers[pk] - 1]["name"]
        lines.append(f"{name}: called “{then['shown_as'] or name}” on sheets")
    return [*lines, *(sheet_text(changes, change) for change in changes.sheets if change.sheet)]


def kept_lines(changes: Differences) -> list[str]:
    """What the file says otherwise and is left as it is here."""
    return [line for update in changes.held for line in update_lines(changes, update)]


def sheet_text(changes: Differences, change: SheetChange) -> str:
    """A sheet that is written on."""
    more = len(change.copy["writes"]) - change.since
    return f"{table_text(changes, change.table)}: {more} more {'tap' if more == 1 else 'taps'} on its sheet"


def update_lines(changes: Differences, update: Update) -> Iterator[str]:
    """What a row would say instead of what."""
    subject = row_text(changes, update.noun.key, update.row)
    for name in update.then:
        field = update.noun.fields[name]
        word = FIELDS.get(name, name)
        if isinstance(field, models.BinaryField | models.JSONField) or name == "picture_key":
            if name != "picture_key":
                yield f"{subject}: {word} changes"
            continue
        now, then = (value_text(changes, field, values[name]) for values in (update.now, update.then))
        yield f"{subject}: {word} {now} → {then}"


def counted(key: str, count: int) -> str:
    """How many of a kind."""
    singular, plural = KINDS[key]
    return f"{count} {singular if count == 1 else plural}"


def row_text(changes: Differences, key: str, row: Row) -> str:
    """A row in a few words."""
    if key == "club":
        return "The club"
    if key == "nights":
        return night_text(row)
    if key == "tables":
        return table_text(changes, row["uid"])
    if key in ("play_offs", "stages", "rulings"):
        return play_off_text(changes, key, row)
    if key == "apart":
        return f"{name_of(changes, 'members', row['one'])} and {name_of(changes, 'members', row['other'])}"
    if key == "awards":
        winner = name_of(changes, "members", row["member"]) if row["member"] else row["name"]
        return f"{name_of(changes, 'trophies', row['trophy'])} for {winner}, {day(row['on'])}"
    if key in ("chairs", "placings"):
        return f"{table_text(changes, row['table'])}, {name_of(changes, 'members', row['member'])}"
    if key == "standings":
        return f"{name_of(changes, 'seasons', row['season'])}, {name_of(changes, 'members', row['member'])}"
    if key in ("calls", "replies", "packed"):
        night = changes.row_named("nights", row["night"])
        label = night_text(night) if night else "a night"
        return f"{label}, {name_of(changes, 'members', row['member']) if 'member' in row else row['thing']}"
    return str(row.get("name") or row.get("says") or KINDS[key][0])


def name_of(changes: Differences, key: str, uid: str | None) -> str:
    """The name of a row that has one."""
    row = changes.row_named(key, uid) if uid else None
    return str(row["name"]) if row else "somebody"


def table_text(changes: Differences, uid: str) -> str:
    """A table and its night."""
    row = changes.row_named("tables", uid)
    night = changes.row_named("nights", row["night"]) if row else None
    if row is None or night is None:
        return "A table"
    try:
        game = find_game(row["game"]).name
    except UnknownGame:
        game = row["game"]
    return f"{row['label'] or 'Table {}'.format(row['number'])} ({game}) of {night_text(night)}"


def play_off_text(changes: Differences, key: str, row: Row) -> str:
    """A play-off by its night; a stage of it by its side, a ruling by what it is about."""
    play_off = row if key == "play_offs" else changes.row_named("play_offs", row["play_off"])
    night = changes.row_named("nights", play_off["night"]) if play_off else None
    whole = f"The play-off of {night_text(night)}" if night else "A play-off"
    if key == "stages":
        return f"{whole}, {Stage.Side(row['side']).label}"
    return f"{whole}, {Ruling.Kind(row['kind']).label}" if key == "rulings" else whole


def night_text(row: Row) -> str:
    """A night by its day, and its title if it has one."""
    return f"{row['title']}, {day(row['on'])}" if row["title"] else day(row["on"])


def value_text(changes: Differences, field: models.Field[Any, Any], value: Any) -> str:
    """A value for people."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field.choices:
        return f"“{dict(field.flatchoices).get(value, value)}”"
    if isinstance(field, models.ForeignKey):
        keys = {"Member": "members", "Trophy": "trophies", "Night": "nights", "Table": "tables"}
        key = keys.get(getattr(field.related_model, "__name__", ""), "")
        return table_text(changes, value) if key == "tables" else name_of(changes, key, value)
    if isinstance(field, models.DateTimeField):
        return date_format(parse_moment(value), "j F Y")
    if isinstance(field, models.DateField):
        return day(value)
    return f"“{value}”" if isinstance(value, str) else str(value)


def day(value: str) -> str:
    """A day as people say it."""
    return date_format(datetime.date.fromisoformat(value), "j F Y")
