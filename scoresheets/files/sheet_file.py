"""Sheet files: a sheet as a document, and a new sheet from a document."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from rules.core.fields import Address
from rules.core.files.schema import shown
from rules.core.files.sheet_file import ReadDocument, Refused, read_document
from rules.core.files.writer import sheet_document
from rules.core.problems import Problem
from rules.core.stakes import ALL
from scoresheets.access.network import network_hash
from scoresheets.access.scorekeepers import hashed
from scoresheets.access.throttle import SHEET_FILE, count_action
from scoresheets.log.append import BAD_KEY, KEY_USED, Change, commit, digest_of, is_key
from scoresheets.log.limits import too_many_hands
from scoresheets.log.occupants import sits
from scoresheets.log.state import NOTE, SET_UP, SheetReading, read_sheet
from scoresheets.log.text import clean_name, clean_text, is_text
from scoresheets.models import Player, Revision, Scorekeeper, Seat, Sheet
from scoresheets.opening.open_sheet import LONGEST_TITLE, SWEPT_ON_THE_WAY, Opened, may_not_open, opened_before
from scoresheets.opening.sweep import sweep

#: A long evening of ten comes to a fifth of it.
MOST_BYTES = 240_000
#: What a site of ours can write about one hand is shorter.
LONGEST_SAID = 20_000
TOO_MANY_FILES = Problem("too-many-sheets", "Many files were sent from here just now. Wait a few minutes.")


# Out of the site


def sheet_file_of(reading: SheetReading) -> dict[str, object]:
    """The sheet as a `score-sheet/1`."""
    record = reading.record
    notes: dict[int, str] = {}
    for note in reading.notes:
        name = reading.names_at(note.hand).get(note.seat, "") if note.seat is not None else ""
        text = ": ".join(part for part in (note.tag, name, note.note) if part)
        notes[note.hand] = f"{notes[note.hand]}; {text}" if note.hand in notes else text
    remarks = {"club": record.club_name, "table": record.title, "played_on": played_on(record).isoformat()}
    return sheet_document(
        reading.game, reading.table, reading.entries, reading.names,
        replaced=reading.replaced, notes=notes, remarks=remarks,
    )  # fmt: skip


def played_on(record: Sheet) -> datetime.date:
    """The day of the game."""
    return record.played_on or timezone.localdate(record.opened_at)


# Into the site


@dataclass(frozen=True)
class Wrong:
    """Something in a file that cannot be kept: where ("Hand 3, Bo, bids"; "" for the whole file), and what."""

    where: str
    message: str
    code: str


@dataclass(frozen=True)
class FileRefused:
    """A file of which no sheet was made, with everything that is wrong with it."""

    wrong: tuple[Wrong, ...]

    @property
    def code(self) -> str:
        return self.wrong[0].code


def open_from_file(
    content: bytes, *, browser: str, key: str, user: AbstractBaseUser | None = None, address: str = "",
) -> Opened | FileRefused:  # fmt: skip
    """Make a new sheet of a sheet file, for the browser, as `opening.open_sheet` does; its players are new ones.

    Everything the file says is one write (`paper`). The same key with the same file finds the same sheet. Codes beside
    those of the rules: `too-long`, `too-many-hands`, `unreadable-text`, `no-name`, `sign-in-first`, `too-many-sheets`,
    `bad-key`, `key-used`.
    """
    if not browser or not is_key(key):
        return not_opened(BAD_KEY)
    network, signed_in = network_hash(address), user is not None
    opening = hashed(f"{browser} {key}")
    too_many = count_action(SHEET_FILE, network)
    refused = TOO_MANY_FILES if too_many else may_not_open(network, signed_in=signed_in, count=False)
    if refused and not opened_before(opening):
        return not_opened(refused)
    try:
        file = read_document(content)
    except Refused as not_read:
        return FileRefused(tuple(problem_in_words(problem, player) for problem, player in not_read.problems))
    wrong = tuple(problems_of_texts(file))
    if wrong:
        return FileRefused(wrong)
    digest = digest_of("paper", {"file": hashlib.sha256(content).hexdigest()})
    try:
        with transaction.atomic():
            known = opened_before(opening)
            if known:
                return known if is_made_of(known.sheet, digest) else not_opened(KEY_USED)
            refused = may_not_open(network, signed_in=signed_in)
            if refused:
                return not_opened(refused)
            sweep(most=SWEPT_ON_THE_WAY)
            return open_document(file, Scorekeeper(browser=browser, user_id=user.pk if user else None), digest, key,
                            opening=opening)  # fmt: skip
    except IntegrityError:
        # The same tap twice at the same moment: the other one was first.
        known = opened_before(opening)
        if known is None:
            raise
        return known if is_made_of(known.sheet, digest) else not_opened(KEY_USED)


def open_document(file: ReadDocument, by: Scorekeeper, digest: str, key: str, *, opening: str) -> Opened:
    """The sheet of a file in the database, opened and written."""
    document, now = file.document, timezone.now()
    day = cast("str | None", document.get("played_on"))
    sheet = Sheet.objects.create(
        game=file.game.slug, title=text_at(document, "table"), club_name=text_at(document, "club"), opened_at=now,
        played_on=datetime.date.fromisoformat(day) if day else None, opening=opening,
    )  # fmt: skip
    players: dict[str, Player] = {}
    first, changes = who_sat(file)
    for name in (*first.values(), *changes.values()):
        players.setdefault(name, Player(name=name))
    Player.objects.bulk_create(players.values())
    Seat.objects.bulk_create(
        Seat(sheet=sheet, number=number, player=players[name], name=name) for number, name in first.items()
    )
    by.sheet, by.created = sheet, now
    by.save()
    opened = set_up_in_file(file) | {"title": sheet.title}
    commit(
        SheetReading(sheet, 0, {}, {}), Change(Revision.Verb.OPEN, {SET_UP: opened}),
        key=key, digest=digest_of("open", opened), by=by,
    )  # fmt: skip
    steps: dict[Address, Mapping[str, object]] = {**file.entries, **dict(notes_of(file))}
    for address, name in changes.items():
        steps[address] = {"name": name, "player": players[name].pk}
    change = Change(Revision.Verb.PAPER, steps, why="from a file")
    commit(read_sheet(sheet), change, key=hashed(key)[:40], digest=digest, by=by)
    return Opened(sheet, by)


def set_up_in_file(file: ReadDocument) -> dict[str, object]:
    """The set-up as it stands on a sheet."""
    table, usual = file.table, {rule.key: rule.default for rule in file.game.house_rules}
    return {
        "seats": list(table.seats),
        "first_dealer": table.first_dealer,
        "found": "chosen",
        "plan": dict(table.plan),
        "house_rules": {key: value for key, value in table.house_rules.items() if value != usual[key]},
    } | ({"decides": table.decides.as_data()} if table.decides != ALL else {})


def who_sat(file: ReadDocument) -> tuple[dict[int, str], dict[Address, str]]:
    """Who was first on every seat, and by the address of the entry who took one over."""
    names, changes = dict(file.names), dict[tuple[int, str], str]()
    for (hand, ask), before in sorted(file.replaced.items(), key=replacement_order, reverse=True):
        seat = cast("int", file.entries[hand, ask]["seat"])
        changes[hand, sits(seat, int(ask.rpartition("-")[2]))] = names[seat]
        names[seat] = before
    return names, changes


def replacement_order(replaced: tuple[Address, str]) -> tuple[int, int]:
    """When it happened: the tenth event of a hand comes after the ninth."""
    (hand, ask), _ = replaced
    return hand, int(ask.rpartition("-")[2])


def notes_of(file: ReadDocument) -> Iterator[tuple[Address, Mapping[str, object]]]:
    """What is said in the file, as notes: those about no hand at hand 0."""
    for hand, text in notes_by_hand(file).items():
        if text:
            yield (hand, f"{NOTE}1"), {"tag": "", "seat": None, "note": printable(text)}


def notes_by_hand(file: ReadDocument) -> dict[int, str]:
    """What is said about every hand, and at 0 about none of them."""
    return {**file.notes, 0: text_at(file.document, "notes")}


def printable(text: str) -> str:
    """The text without characters that are none: no database keeps them all."""
    return "".join(letter if is_text(letter) or letter in "\n\t" else " " for letter in text)


def text_at(document: Mapping[str, object], key: str) -> str:
    return cast("str", document.get(key) or "")


def is_made_of(sheet: Sheet, digest: str) -> bool:
    """Whether the sheet was made of that very file."""
    return Revision.objects.filter(sheet=sheet, verb=Revision.Verb.PAPER, digest=digest).exists()


# What is wrong with it


def problems_of_texts(file: ReadDocument) -> Iterator[Wrong]:
    """Names and notes that this site cannot keep as they are, and more hands than a sheet may have."""
    if max(len(file.table.schedule), *(hand for hand, _ in file.entries), 0) > settings.HANDS_PER_SHEET:
        problem = too_many_hands()
        yield Wrong("Hands", problem.message, problem.code)
    for name in {**file.names, **{-at: before for at, before in enumerate(file.replaced.values(), 1)}}.values():
        cleaned = clean_name(name)
        if isinstance(cleaned, Problem):
            yield Wrong(f"The name {shown(name)}", cleaned.message, cleaned.code)
    for key in ("club", "table"):
        cleaned = clean_text(text_at(file.document, key), LONGEST_TITLE)
        if isinstance(cleaned, Problem):
            yield Wrong(key.capitalize(), cleaned.message, cleaned.code)
    for hand, text in notes_by_hand(file).items():
        if len(text) > LONGEST_SAID:
            where = f"The note on hand {hand}" if hand else "The notes"
            yield Wrong(where, f"At most {LONGEST_SAID} characters fit here.", "too-long")


def problem_in_words(problem: Problem, player: str | None) -> Wrong:
    """A problem of the rules with the place it is about."""
    hand = f"hand {problem.hand}" if problem.hand else ""
    parts = [part for part in (hand, player or "", (problem.field or "").replace("_", " ")) if part]
    where = ", ".join(parts)
    return Wrong(where[:1].upper() + where[1:] if hand or not player else where, problem.message, problem.code)


def not_opened(problem: Problem) -> FileRefused:
    return FileRefused((Wrong("", problem.message, problem.code),))
