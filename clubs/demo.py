"""The demo: one finished and one running sheet of Dirty Dog, so that a newcomer sees a real game at once.

Both are made as a scorekeeper makes them, one post after the other, from dice that always fall alike. They are known
by who opened them, whom no browser can be.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from rules.core.steps import SHEET
from scoresheets import entering
from scoresheets.answers import Done
from scoresheets.models import Link, Player, Seat, Sheet
from scoresheets.opening import Opened, SetUp, Somebody, open_sheet
from scoresheets.reading import SheetReading, read_sheet
from scoresheets.sharing import hashed
from scoresheets.sweeping import forget_players

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from rules.core.hands import Hand
    from rules.core.steps import Address, Ask, Value
    from scoresheets.answers import Answer

#: Stands where a browser is known by 64 digits, so that no cookie is ever this one.
THE_DEMO = "the demo"


@dataclass(frozen=True)
class Script:
    """How a demo sheet comes about: who plays, which dice, and what stays to be done (None: nothing)."""

    name: str
    title: str
    players: tuple[str, ...]
    first_dealer: int
    dice: int
    until: Address | None
    tag: tuple[int, str, int]


#: Level at both ends after the last hand: a blind hand and a draw settle it.
FINISHED = Script(
    "finished", "Demo: a finished game", ("Ann", "Bo", "Cy", "Di", "Ed", "Flo"), 2, 459, None, (5, "Kobayashi Maru", 3)
)
#: In the middle of the bidding of hand 7.
RUNNING = Script(
    "running", "Demo: a running game", ("Gus", "Hal", "Ida", "Jo", "Kim", "Lou"), 0, 8, (7, "bid-5"), (4, "Dirt Bag", 2)
)
SCRIPTS = (FINISHED, RUNNING)


def load() -> int:
    """Make the demo sheets that are not there; how many were made."""
    made = 0
    for script in SCRIPTS:
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


def demo_sheets(*scripts: Script) -> QuerySet[Sheet]:
    """The sheets of these scripts, or all demo sheets."""
    return Sheet.objects.filter(opening__in=[hashed(f"{THE_DEMO} {key_of(s, 0)}") for s in scripts or SCRIPTS])


def links() -> dict[str, str]:
    """The paths that open the running sheet, `keep` and `watch`; empty when the demo is not there.

    The keeper link is the same every time, and only its hash stands in the database: its token is derived from the
    secret of the site. A new secret makes a new link and ends the old one.
    """
    sheet = demo_sheets(RUNNING).first()
    if sheet is None:
        return {}
    token = keeper_token()
    _, is_new = Link.objects.get_or_create(
        sheet=sheet, token_hash=hashed(token), defaults={"created": timezone.now(), "expires": None}
    )
    if is_new:
        Link.objects.filter(sheet=sheet, made_by=None, revoked_at=None).exclude(token_hash=hashed(token)).update(
            revoked_at=timezone.now()
        )
    return {"keep": reverse("keep", args=[token]), "watch": reverse("watch", args=[sheet.watch])}


def keeper_token() -> str:
    """128 bits that only this site can work out, in 22 characters."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"the keeper link of the demo", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


# How a demo game is played


def key_of(script: Script, number: int) -> str:
    """The key of the tap of that number."""
    return f"demo-{script.name}-tap-{number:06}"


def play(script: Script) -> None:
    """Open the sheet and write on it until the script ends."""
    players = [Somebody(name) for name in script.players]
    set_up = SetUp("dirty-dog", players, script.first_dealer, "jack", {}, {}, title=script.title)
    # The house opens it, who may do so where strangers may not.
    opened = open_sheet(set_up, browser=THE_DEMO, key=key_of(script, 0), user=User(), keeper_name="The demo")
    if not isinstance(opened, Opened):
        raise DemoError(opened)
    reading = read_sheet(opened.sheet)
    dice, taps = random.Random(script.dice), 0  # noqa: S311 - it must fall alike, not be safe
    turn = Turn(dice)
    while (due := turn.due(reading)) and due[0] != script.until:
        address, step = due
        taps += 1
        reading = done(
            entering.enter(opened.sheet, address, step, saw=None, key=key_of(script, taps), by=opened.keeper)
        )
    hand, tag, seat = script.tag
    done(entering.note(opened.sheet, hand, tag=tag, seat=seat, key=key_of(script, taps + 1), by=opened.keeper))


class DemoError(Exception):
    """A post of the demo was not accepted."""


def done(answer: Answer) -> SheetReading:
    """The sheet as the post left it."""
    if not isinstance(answer, Done):
        raise DemoError(answer)
    return answer.reading


class Turn:
    """Answers what a sheet of Dirty Dog asks for, by dice."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.hand: tuple[int, str] | None = None
        self.bids: dict[int, int] = {}
        self.tricks: dict[int, int] = {}

    def due(self, reading: SheetReading) -> tuple[Address, dict[str, Value]] | None:
        """Where the sheet wants something written, and what; None when it is finished."""
        opened, settlement = reading.sheet.open, reading.sheet.settlement
        if opened and opened.missing:
            if not opened.hand.steps:
                return opened.hand.address("trump"), {"suit": "CDHS"[self.roll(4)]}
            return opened.hand.address(opened.missing.name), self.answer(opened.hand, opened.missing)
        if settlement is None or not settlement.asks:
            return None
        ask = settlement.asks[0]
        if settlement.hand is None:
            return (SHEET, ask.name), {field.name: "23456789TJQKA"[self.roll(13)] for field in ask.fields}
        return (SHEET, ask.name), self.answer(settlement.hand, ask)

    def answer(self, hand: Hand, ask: Ask) -> dict[str, Value]:
        """A bid, or everybody's tricks: both are thrown when the hand is dealt."""
        if self.hand != (hand.number, hand.prefix):
            self.hand = (hand.number, hand.prefix)
            self.deal(hand)
        if ask.seat is not None:
            return {"bid": self.bids[ask.seat]}
        return {f"tricks-{seat}": self.tricks[seat] for seat in hand.order}

    def deal(self, hand: Hand) -> None:
        """Who will take how many tricks, and who foresaw it: two bids in three come true."""
        self.tricks = dict.fromkeys(hand.order, 0)
        for _ in range(hand.cards):
            self.tricks[hand.order[self.roll(len(hand.order))]] += 1
        for seat, taken in self.tricks.items():
            slip = (0, 0, 0, 0, 1, -1)[self.roll(6)]
            self.bids[seat] = min(max(taken + slip, 0), hand.cards)
        last = hand.order[-1]
        if sum(self.bids[seat] for seat in hand.order) == hand.cards:
            self.bids[last] += 1 if self.bids[last] < hand.cards else -1

    def roll(self, sides: int) -> int:
        """A number from 0 on; `random()` is the one throw that falls alike in every version of Python."""
        return int(self.dice.random() * sides)
