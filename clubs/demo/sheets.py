"""The demo sheets: a finished and a running sheet of every game, so that a newcomer sees real games at once.

Each is a sheet file in `fixtures/demo/`, entered as a scorekeeper does it, one post after the other. Demo sheets are
recognised by the browser that opened them, an id that no real browser can have.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from clubs.demo.rows import insert, read_file
from rules import find_game
from rules.core.fields import Address, Value
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Player, Seat, ShareLink, Sheet
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
    """Insert the demo sheets, unless one of them is there; how many were inserted."""
    if demo_sheets().exists():
        return 0
    insert(read_file()["sheets"])
    return len(scripts())


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


def key_of(script: Script, number: int) -> str:
    """The key of the tap of that number."""
    return f"demo-{script.name}-tap-{number:06}"


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
    site. A new secret makes a new link and ends the old one. One that was revoked gets a successor.
    """
    tokens = (keeper_token(name, revoked) for revoked in itertools.count())
    revoked_hashes = set(sheet.links.filter(revoked_at__isnull=False).values_list("token_hash", flat=True))
    token = next(token for token in tokens if hashed(token) not in revoked_hashes)
    _, is_new = ShareLink.objects.get_or_create(
        sheet=sheet, token_hash=hashed(token), defaults={"created": timezone.now(), "expires": None}
    )
    if is_new:
        ShareLink.objects.filter(sheet=sheet, made_by=None, revoked_at=None).exclude(token_hash=hashed(token)).update(
            revoked_at=timezone.now()
        )
    return reverse("keep", args=[token])


def keeper_token(name: str = "running", revoked: int = 0) -> str:
    """128 bits that only this site can work out, in 22 characters. `revoked`: how many before it were revoked."""
    secret = b"the keeper link of the demo" + (b"" if name == "running" else f" {name}".encode())
    secret += f" {revoked}".encode() if revoked else b""
    digest = hmac.new(settings.SECRET_KEY.encode(), secret, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
