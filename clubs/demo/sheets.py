"""The demo sheets: a finished and a running sheet of every game, so that a newcomer sees real games at once.

Each is a sheet file in `fixtures/demo/`, entered as a scorekeeper does it, one post after the other. Demo sheets are
recognised by the browser that opened them, an id that no real browser can have.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from rules import find_game
from rules.core.fields import SHEET, Address, Value
from rules.core.files.sheet_file import ReadDocument, read_object
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter
from scoresheets.log.answers import Answer, Done
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Player, Seat, ShareLink, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from scoresheets.opening.sweep import forget_players

Steps = Mapping[Address, Mapping[str, Value]]

#: Stands where a browser is known by 64 digits, so that no cookie is ever this one.
THE_DEMO = "the demo"
#: The sheets the terminal leads to first: a finished game of the club's own, and a running one.
FIRST = ("finished", "running")


@dataclass(frozen=True)
class Script:
    """How a demo sheet comes about: its sheet file, and how much of it has been written.

    `until` is the hand that is being played, with the number of its asks that are answered; None: all that the sheet
    file has. `says` is a note on a hand, a tag or a text, and the seat it is about.
    """

    name: str
    title: str
    sheet: dict[str, object]
    until: Mapping[str, int] | None = None
    says: Mapping[str, int | str | None] | None = None

    @property
    def game(self) -> str:
        """The slug of the game."""
        return str(self.sheet["game"])

    @property
    def is_running(self) -> bool:
        """Whether there is something left to write on it."""
        return self.name.endswith("running")


@cache
def scripts() -> tuple[Script, ...]:
    """The demo's sheets, those of the club's own game first."""
    folder: Path = settings.BASE_DIR / "fixtures" / "demo"
    # A script keeps its name for good, because the keys of its posts and its links are made of it.
    files = [(file.stem.replace("_", "-"), json.loads(file.read_text("utf-8"))) for file in folder.glob("*.json")]
    return tuple(
        sorted(
            (Script(name, **data) for name, data in files), key=lambda script: (script.name not in FIRST, script.name)
        )
    )


def script(name: str) -> Script:
    """The script of that name."""
    return next(script for script in scripts() if script.name == name)


def load() -> int:
    """Make the demo sheets that are not there; how many were made."""
    made = 0
    for script in scripts():
        if demo_sheets(script).exists():
            continue
        # One transaction, so that hundreds of posts do not wait for the disk one by one.
        with transaction.atomic():
            play(script)
        made += 1
    return made


def remove() -> int:
    """Delete the demo sheets with their players, and nothing else; how many sheets it were."""
    with transaction.atomic():
        sheets = list(demo_sheets())
        seats = Seat.objects.filter(sheet__in=sheets)
        players = list(Player.objects.filter(seats__in=seats).values_list("pk", flat=True))
        Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).delete()
        forget_players(players)
    return len(sheets)


def demo_sheets(*some: Script) -> QuerySet[Sheet]:
    """The sheets of these scripts, or all demo sheets."""
    return Sheet.objects.filter(opening__in=[hashed(f"{THE_DEMO} {key_of(s, 0)}") for s in some or scripts()])


# The way to them


def links() -> dict[str, str]:
    """The paths that open the first running sheet, `keep` and `watch`; empty when the demo is not there."""
    sheet = demo_sheets(script("running")).first()
    if sheet is None:
        return {}
    return {"keep": keeper_path(sheet, "running"), "watch": reverse("watch", args=[sheet.watch])}


def links_of_others() -> list[tuple[str, str, str]]:
    """The same for the other games: the name of each, the path to keep its running sheet, and to see a finished one."""
    others = [script for script in scripts() if script.name not in FIRST]
    sheets = {script.name: demo_sheets(script).first() for script in others}
    lines = []
    for script in others:
        running, finished = sheets[script.name], sheets.get(script.name.replace("running", "finished"))
        if script.is_running and running and finished:
            seen = reverse("watch", args=[finished.watch])
            lines.append((find_game(script.game).name, keeper_path(running, script.name), seen))
    return lines


def keeper_path(sheet: Sheet, name: str) -> str:
    """The keeper link of the demo sheet of that name.

    It is the same every time, and only its hash stands in the database: its token is derived from the secret of the
    site. A new secret makes a new link and ends the old one.
    """
    token = keeper_token(name)
    _, is_new = ShareLink.objects.get_or_create(
        sheet=sheet, token_hash=hashed(token), defaults={"created": timezone.now(), "expires": None}
    )
    if is_new:
        ShareLink.objects.filter(sheet=sheet, made_by=None, revoked_at=None).exclude(token_hash=hashed(token)).update(
            revoked_at=timezone.now()
        )
    return reverse("keep", args=[token])


def keeper_token(name: str = "running") -> str:
    """128 bits that only this site can work out, in 22 characters."""
    secret = b"the keeper link of the demo" + (b"" if name == "running" else f" {name}".encode())
    digest = hmac.new(settings.SECRET_KEY.encode(), secret, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


# How a demo game is played


def key_of(script: Script, number: int) -> str:
    """The key of the tap of that number."""
    return f"demo-{script.name}-tap-{number:06}"


def play(script: Script) -> None:
    """Open the sheet and write on it what its script says."""
    document = read_object(script.sheet)
    players = [Somebody(document.names[seat]) for seat in document.table.seats]
    dealer = document.table.seats.index(document.table.first_dealer)
    found_by = document.game.first_dealer_by.word
    set_up = SetUp(script.game, players, dealer, found_by, document.table.plan, {}, title=script.title)
    # The site opens it itself, also where an account is needed to open a sheet.
    opened = open_sheet(set_up, browser=THE_DEMO, key=key_of(script, 0), user=User(), keeper_name="The demo")
    if not isinstance(opened, Opened):
        raise DemoError(opened)
    reading, taps = read_sheet(opened.sheet), 0
    written = dict(taps_of(script, document))
    while address := due(reading, written):
        taps += 1
        key = key_of(script, taps)
        reading = done(enter.enter(opened.sheet, address, written[address], saw=None, key=key, by=opened.keeper))
    if script.says:
        hand, seat = int(script.says["hand"] or 0), script.says["seat"]
        tag, text = str(script.says.get("tag", "")), str(script.says.get("text", ""))
        seat = seat if isinstance(seat, int) else None
        key = key_of(script, taps + 1)
        done(enter.note(opened.sheet, hand, tag=tag, seat=seat, text=text, key=key, by=opened.keeper))


class DemoError(Exception):
    """A post of the demo was not accepted."""


def done(answer: Answer) -> SheetReading:
    """The sheet as the post left it."""
    if not isinstance(answer, Done):
        raise DemoError(answer)
    return answer.reading


def taps_of(script: Script, document: ReadDocument) -> Iterator[tuple[Address, Mapping[str, Value]]]:
    """What is written of the sheet file."""
    hand = script.until["hand"] if script.until else None
    left = script.until["asks"] if script.until else 0
    for (number, ask), step in document.entries.items():
        if hand is None or number < hand:
            yield (number, ask), step
        elif number == hand and left:
            left -= 1
            yield (number, ask), step


def due(reading: SheetReading, written: Steps) -> Address | None:
    """Where the sheet wants something written next that the script has; None when it has no more."""
    opened, settlement = reading.sheet.open, reading.sheet.settlement
    if opened:
        asks = reading.game.asks(reading.sheet.table, opened.hand)
        addresses = [opened.hand.address(ask.name) for ask in asks if ask.name not in opened.hand.steps]
    else:
        addresses = [(SHEET, ask.name) for ask in settlement.asks] if settlement else []
    return next((address for address in addresses if address in written), None)
