"""A play-off of the club, and a file of the same scores, blind hands and cards, come to the same."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from clubs.models import Ruling, Stage, Table
from rules.core.files.score import score_paper
from rules.dirty_dog.files import DirtyDogFile
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, reading_of

pytestmark = pytest.mark.django_db
RANKS = "267A"


def settle(evening: PlayOffEvening, table: Table, dice: random.Random) -> None:
    """Play blind hands, or draw cards, until that sheet waits for nothing."""
    while waiting := reading_of(table).sheet.settlement.waiting:
        names = reading_of(table).names
        if waiting[0].what == "draw":
            tied = {seat for tie in waiting for seat in tie.seats}
            evening.cards(table, {names[seat]: dice.choice(RANKS) for seat in tied})
        else:
            evening.blind(table, [name for name in list(names.values())[2:] if dice.random() < 0.5])


def draw(evening: PlayOffEvening, dice: random.Random) -> list[dict[str, str]]:
    """Draw for the loser's trophy of two finals until one is left: the ranks by name."""
    drawn = []
    while lowest := evening.now.outcome.draw:
        ranks = {player: dice.choice(RANKS) for player in lowest}
        says = {str(player): rank for player, rank in ranks.items()}
        Ruling.objects.create(play_off=evening.play_off, kind="draw", says=says, by=evening.members["Ann"])
        drawn.append(dict(zip(evening.names(lowest), ranks.values(), strict=True)))
    return drawn


def said_of(table: Table, start: Mapping[str, int]) -> dict[str, Any]:
    """What the file says of a table: the scores without what they began with, blind hands, draws."""
    sheet, names = reading_of(table).sheet, reading_of(table).names
    scores = {names[seat]: sheet.totals[seat] - start.get(names[seat], 0) for seat in sheet.table.seats}
    return {"scores": scores} | DirtyDogFile().write_rest(sheet, names)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("sizes", "agreed"),
    [
        ([4, 4], {"places": 2}),
        ([4, 3], {"places": 2, "losers_count": 1, "cut_by_high_card": True}),
        ([4, 3], {"places": 1, "losers_count": 2, "carry_over": True}),
        ([3, 3], {"places": 3}),
    ],
)
def test_play_off_comes_to_what_its_file_comes_to(sizes: list[int], agreed: dict[str, Any]) -> None:
    dice = random.Random(1)
    evening = play_off(sizes, **agreed)
    for table in evening.groups:
        evening.finish(table, [dice.randint(0, 2) for _ in evening.names_at(table)])
        settle(evening, table, dice)
    groups = [said_of(table, {}) for table in evening.groups]
    said: dict[str, Any] = {"format": "play-off/1", "game": "dirty-dog", "places": agreed["places"], "groups": groups}
    said["house_rules"] = {rule: value for rule, value in agreed.items() if rule != "places"}
    start = {name: score for group in groups for name, score in group["scores"].items()}
    start = start if agreed.get("carry_over") else {}
    evening.open_next()
    for side in sorted({stage.side for stage in evening.play_off.stages.standing()} - {Stage.Side.ALL}):
        table = evening.final(side)
        evening.finish(table, {name: dice.randint(-1, 1) for name in evening.names_at(table)})
        settle(evening, table, dice)
        said[f"{side}_table"] = said_of(table, start)
    draws = said["winners_table"].pop("draws", []) + draw(evening, dice)

    found, answer = evening.now.outcome, score_paper(json.dumps(said | {"draws": draws}))
    assert evening.names([found.winner, found.loser]) == [answer["winner"], answer["loser"]]
    assert (bool(found.crossed), []) == (answer["cross_rule"], answer["waiting_for"])
    assert sorted(evening.names_at(evening.final())) == sorted(answer["winners_table"])
