"""Play-offs: rounds, who takes the trophies, and the whole as a file (`play-off/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubs.api.documents.clubs import PERSON
from clubs.api.shapes import Named, file_format
from clubs.models import PlayOff, Stage
from clubs.play_offs.state import PlayOffNow
from clubs.play_offs.table_state import StageNow, TableNow
from rules.core.files.play_off_file import PLAY_OFF_FORMAT, score_play_off
from rules.core.files.schema import Among, Flag, ListOf, Members, OrNull, Text, Whole
from rules.core.files.sheet_file import Refused
from scoresheets.files.sheet_file import sheet_file_of

Side = Stage.Side
ROUND = Named("Round", Members(
    {
        "uid": Text(), "number": Whole(1), "side": Among(tuple(Side.values)), "name": Text(), "hands": Whole(0),
        "places": OrNull(Whole(0)), "over": Flag(), "tables": ListOf(Text()),
    },
    {},
))  # fmt: skip
PLAY_OFF = Named("PlayOff", Members(
    {
        "uid": Text(), "night": Text(), "game": Text(), "over": Flag(), "winner": OrNull(PERSON),
        "loser": OrNull(PERSON), "rounds": ListOf(ROUND), "file": OrNull(file_format(PLAY_OFF_FORMAT)),
    },
    {},
))  # fmt: skip
#: What of a sheet stands in the file of its play-off.
OF_A_SHEET = ("tie_breaks", "draws")


def play_off_document(now: PlayOffNow) -> dict[str, object]:
    """The play-off as it stands. Whoever has certainly won or lost is told, and nobody before."""
    play_off, result = now.play_off, now.outcome
    return {
        "uid": play_off.uid, "night": play_off.night.uid, "game": play_off.game, "over": now.is_over,
        "winner": person_of(now, result.winner if result else None),
        "loser": person_of(now, result.loser if result else None),
        "rounds": [round_document(stage) for stage in now.stages], "file": file_of_play_off(now),
    }  # fmt: skip


def person_of(now: PlayOffNow, player: int | None) -> dict[str, object] | None:
    """Somebody of the play-off by their player (id)."""
    if player is None:
        return None
    person = now.people[player]
    return {"name": person.shown, "member": person.member.uid if person.member else None}


def round_document(now: StageNow) -> dict[str, object]:
    stage = now.stage
    return {
        "uid": stage.uid, "number": stage.number, "side": stage.side, "name": stage.called(len(now.tables)),
        "hands": stage.hands, "places": stage.places, "over": now.is_over,
        "tables": [table.table.uid for table in now.tables],
    }  # fmt: skip


# As a file


def file_of_play_off(now: PlayOffNow) -> dict[str, object] | None:
    """The play-off as `play-off/1`, once the groups have played their last hand.

    None before, and where a file cannot say what happened: more than two rounds, rulings of an organiser, two strangers
    of one name. What is said comes to what the site says.
    """
    finals = [stage for stage in now.stages if stage.stage.side != Side.ALL]
    if not now.stages or not now.groups.is_over or not all(stage.is_final for stage in finals):
        return None
    document = written(now, [stage.tables[0] for stage in finals if stage.is_over])
    try:
        result = score_play_off(document)
    except Refused:
        return None
    outcome = now.outcome
    players = [outcome.winner, outcome.loser] if outcome else [None, None]
    names = [now.people[player].shown if player is not None else None for player in players]
    return document if names == [result["winner"], result["loser"]] or outcome is None else None


def written(now: PlayOffNow, finals: list[TableNow]) -> dict[str, object]:
    """The file, with the finals that are over."""
    groups = [said_of(table, {}) for table in now.groups.tables]
    document: dict[str, Any] = {
        "format": PLAY_OFF_FORMAT, "game": now.play_off.game, "places": now.play_off.places, "groups": groups,
    }  # fmt: skip
    if rules := house_rules_of(now):
        document["house_rules"] = rules
    start = {name: score for group in groups for name, score in group["scores"].items()}
    draws: list[dict[str, str]] = []
    for table in finals:
        said_here = said_of(table, start if now.play_off.carry_over else {})
        draws += said_here.pop("draws", [])
        side = table.table.stage.side if table.table.stage else Side.WINNERS
        document[f"{side}_table"] = said_here
    draws += [{now.people[player].shown: rank for player, rank in drawn.items()} for drawn in now.draws]
    return document | ({"draws": draws} if draws else {})


def said_of(table: TableNow, start: Mapping[str, int]) -> dict[str, Any]:
    """What the file says of a table: its scores without what they began with, blind hands, cards."""
    reading = table.as_called
    sheet, names = reading.sheet, reading.names
    file = sheet_file_of(reading)
    scores = {names[seat]: sheet.totals[seat] - start.get(names[seat], 0) for seat in sheet.table.seats}
    return {"scores": scores} | {key: file[key] for key in OF_A_SHEET if file.get(key)}


def house_rules_of(now: PlayOffNow) -> dict[str, object]:
    """Those of the play-off and those of its tables, where they are not as usual."""
    play_off: PlayOff = now.play_off
    rules: dict[str, object] = dict(now.groups.tables[0].reading.setup.house_rules)
    for name, usual in (("losers_count", None), ("carry_over", False), ("cut_by_high_card", False)):
        if getattr(play_off, name) != usual:
            rules[name] = getattr(play_off, name)
    return rules
