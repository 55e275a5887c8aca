"""Nights in memory whose hands were thrown by dice, each game with its sheet file. No query."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from clubs.evening.summary import Evening, Seen
from clubs.models import Club, Night, Table
from clubs.stories.night_facts import NightFacts
from clubs.stories.story import Story, games_of
from rules import find_game
from rules.core.fields import SHEET, Address
from rules.core.files.score import score_paper
from scoresheets.files.sheet_file import sheet_file_of
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.sheet.summary import Glance
from tests.rules.dice import Step, whole_hand
from tests.scoresheets.laid import reading_of

NAMES = (
    "Ann",
    "Bo",
    "Cy",
    "Di",
    "Gil & Co",
    "شيماء",
    "Maximiliane Featherstonehaugh-Wolseley",
    "Zoë 😀",
    "Jo",
    "O’Neil",
)
GAMES = ("dirty-dog", "dirty-dog", "dirty-dog", "bird-dog", "dingo", "dirty-deals", "hotdog")


@dataclass(frozen=True)
class Paper:
    """One table as its sheet file and the score of that file say it, beside the reading of which a story is made."""

    within: str
    reading: SheetReading
    file: dict[str, Any]
    result: dict[str, Any]


def played(dice: random.Random, game: str) -> SheetReading:
    """A whole game by dice, with whatever settles it."""
    rules = find_game(game)
    most = min(rules.made_for[-1], 6)
    names = dice.sample(NAMES, dice.randint(rules.made_for[0], max(most, rules.made_for[0])))
    said: dict[str, object] = {"format": "score-sheet/1", "game": game, "players": names, "hands": []}
    if game == "dirty-dog":
        said["plan"] = {"hands": dice.randint(4, 9)}
    reading = reading_of(said)
    while hand := reading.sheet.open:
        steps = whole_hand(dice, rules, reading.sheet.table, hand.hand)
        if game == "dirty-dog":
            steps["tricks"] = likely_tricks(dice, steps, hand.hand.cards)
        reading = with_steps(reading, {(reading.next_hand, ask): step for ask, step in steps.items()})
    return settled(dice, reading)


def likely_tricks(dice: random.Random, steps: dict[str, Step], cards: int) -> Step:
    """Tricks as people take them: most make their bid, and others miss it by little."""
    tricks: Step = {f"tricks-{ask.removeprefix('bid-')}": step["bid"] for ask, step in steps.items() if "bid" in step}
    while (total := sum(tricks.values())) != cards:
        seat = dice.choice(sorted(tricks))
        tricks[seat] = max(0, tricks[seat] + (1 if total < cards else -1))
    return tricks


def settled(dice: random.Random, reading: SheetReading) -> SheetReading:
    """Blind hands and draws by dice, as long as any is asked for."""
    while (settlement := reading.sheet.settlement) and settlement.asks:
        ask, hand = settlement.asks[0], settlement.hand
        step: Step = {field.name: dice.choice("23456789TJQKA") for field in ask.fields}
        if hand is not None:
            taker = dice.choice(hand.order)
            step = {"bid": dice.randint(0, hand.cards)} if ask.seat else {
                f"tricks-{seat}": hand.cards if seat == taker else 0 for seat in hand.order
            }  # fmt: skip
        reading = with_steps(reading, {(SHEET, ask.name): step})
    return reading


def with_steps(reading: SheetReading, steps: dict[Address, Step]) -> SheetReading:
    """The sheet with these entries more."""
    now, pk = timezone.now(), len(reading.standing)
    more = {
        address: LogEntry(pk + k, address, step, pk + k, pk + k, "", now, "", pk + k, pk + k, "")
        for k, (address, step) in enumerate(steps.items(), 1)
    }
    return replace(reading, standing={**reading.standing, **more}, version=reading.version + 1, known=None)


def night_of(readings: Sequence[SheetReading], *, pk: int = 1, order: Sequence[int] = ()) -> tuple[Story, list[Paper]]:
    """The story of a night with these games, and its papers. `order` is that in which the database has its tables."""
    club = Club(pk=1, slug="trumps", name="The Trumps")
    night = Night(pk=pk, club=club, begun_at=timezone.now(), on=club.today())
    seen, papers = [], []
    for number, reading in enumerate(readings, 1):
        reading.record.watch = f"{number}" * 22
        table = Table(pk=number, night=night, number=number, game=reading.record.game, ended_at=timezone.now())
        seen.append(Seen(table, Glance(reading)))
        file = sheet_file_of(reading)
        papers.append(Paper(seen[-1].within if len(readings) > 1 else "", reading, file, score_paper(json.dumps(file))))
    evening = Evening(night, [seen[at] for at in order or range(len(seen))])
    people = len({name for paper in papers for name in paper.file["players"]})
    return Story(NightFacts(club, night, games_of(evening), people)), papers
