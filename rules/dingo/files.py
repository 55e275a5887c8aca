"""Dingo in a sheet file: the shape of a hand, reading it and writing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from rules.core.cards import rank_shown
from rules.core.fields import Value
from rules.core.files.game_file import GameFile
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.schema import (  # fmt: skip
    FixedList,
    Flag,
    JsonSchema,
    ListOf,
    Members,
    Name,
    OrNull,
    PerName,
    Shape,
    Text,
    Whole,
    fault,
)
from rules.core.files.schema import shown as quoted
from rules.core.problems import Problem
from rules.core.table import Hand, Row
from rules.dingo.hunts import ACE, ACE_HUNT, HELD, HUNTED, Hunt, heart, held_of, hunts_of, name_of
from rules.dingo.limits import check

MOST_WOLVES = 2


@dataclass(frozen=True)
class Wolves:
    """Who played wolves, in order. The first of two may be null: nobody noted it."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        not_noted = isinstance(value, list) and len(value) == MOST_WOLVES and value[0] is None
        yield from ListOf(Name()).faults(value[1:] if isinstance(value, list) and not_noted else value, where)

    def schema(self) -> JsonSchema:
        return {"anyOf": [ListOf(Name()).schema(), FixedList((OrNull(Name()), Name())).schema()]}


@dataclass(frozen=True)
class ByRank:
    """The hunts by rank; which ranks they are is looked at later."""

    inside: Shape

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object with a hunt for each rank belongs here")
            return
        for rank, hunt in value.items():
            yield from self.inside.faults(hunt, f"{where}, {quoted(rank)}")

    def schema(self) -> JsonSchema:
        return {"type": "object", "additionalProperties": self.inside.schema()}


ITEM = Members(
    {
        "hunts": ByRank(Members({"wolves": Wolves()}, {"dingo": OrNull(Name())})),
        "ace_hunt": Members(
            {"dingo": Name(), "wolves": ListOf(Name()), "rabbit_holder": Name(), "rabbit_played": Flag()}, {}
        ),
    },
    {"held_hearts": PerName(ListOf(Text())), "note": Text()},
)


class DingoFile(GameFile):
    """A hand as the sheet file says it. One that is still played has no place in it."""

    def item_shape(self) -> Shape:
        """A hand."""
        return ITEM

    def result_shape(self) -> Members:
        """How many hands each has won."""
        return Members({"hands_won": PerName(Whole(0))}, {})

    def row_shape(self) -> Members:
        """Who was caught red-handed and who won the hand."""
        return Members({"red_handed": ListOf(Name()), "winners": ListOf(Name())}, {})

    def read_item(self, item: ItemReader) -> None:
        """One hand."""
        hunts = cast("dict[str, dict[str, object]]", item.item["hunts"])
        for rank in hunts:
            if rank not in HUNTED:
                item.refuse("bad-rank", "Rabbits from 2 to king are hunted here.", "hunts")
        for rank in HUNTED:
            if rank in hunts:
                read_hunt(item, name_of(rank), hunts[rank], f"hunts, {rank}")
            else:
                item.refuse("missing-rank", f"The hunt for the {rank_shown(rank)} is missing.", "hunts")
        read_ace_hunt(item, cast("dict[str, object]", item.item["ace_hunt"]))
        read_held(item, cast("dict[str, list[str]]", item.item.get("held_hearts", {})))
        item.scored()

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """A scored hand."""
        if row is None:
            return
        hunts, held = hunts_of(row.table, hand), held_of(row.table, hand)
        low = {rank: hunts[rank] for rank in HUNTED}
        item.put(
            "hunts", {r: {"dingo": name_at(item, hunt.dingo), "wolves": wolves(item, hunt)} for r, hunt in low.items()}
        )
        aces = hunts[ACE]
        item.put("ace_hunt", {
            "dingo": name_at(item, aces.dingo), "wolves": wolves(item, aces),
            "rabbit_holder": name_at(item, aces.holder), "rabbit_played": aces.played,
        })  # fmt: skip
        if held:
            seats = sorted(set(held.values()))
            item.put_seats("held_hearts", {seat: [rank for rank in held if held[rank] == seat] for seat in seats})


def read_hunt(item: ItemReader, ask: str, hunt: Mapping[str, object], where: str, **more: Value) -> None:
    """The hunt for one rank. Whom nobody knows leaves a gap, so that the rest can be told."""
    name = cast("str | None", hunt.get("dingo"))
    dingo = item.seat_of(name, where) if name is not None else None
    names = cast("list[str | None]", hunt["wolves"])
    wolves = [item.seat_of(wolf, where) if wolf is not None else None for wolf in names]
    if len(wolves) > MOST_WOLVES:
        item.refuse("too-many-wolves", "There are two wolves of each rank.", where)
    beyond = wolves[MOST_WOLVES:]
    if dingo is not None and dingo in beyond and dingo not in wolves[:MOST_WOLVES] and ask != ACE_HUNT:
        item.refuse("dingo-player-wolf", "The player of the dingo cannot play a wolf of that rank.", where, name)
    if name is None and names and not any(wolves):
        item.refuse("wolf-without-dingo", "A wolf was played, so somebody played the dingo.", where)
    step: dict[str, Value] = {"dingo": dingo, **more}
    if len(wolves) >= MOST_WOLVES and wolves[1] is not None:
        step |= {"first": wolves[0], "second": wolves[1]}
    elif wolves:
        step["wolf"] = wolves[0]
    step = {field: value for field, value in step.items() if value is not None}
    nobodys_wolf = any(wolf and seat is None for wolf, seat in zip(names, wolves, strict=True))
    nobodys_dingo = name is not None and dingo is None
    if nobodys_wolf or nobodys_dingo or (ask == ACE_HUNT and "holder" not in step):
        if len(wolves) >= MOST_WOLVES and "second" not in step:
            # Whoever played it, it may have been in time for the ace rabbit.
            step.pop("played", None)
        judge(item, ask, step, where, untold={"missing-field"} | ({"wolf-without-dingo"} if nobodys_dingo else set()))
    else:
        item.write(ask, step, where)


def judge(item: ItemReader, ask: str, step: dict[str, Value], where: str, *, untold: set[str]) -> None:
    """What is wrong with a hunt whoever the names in it may be that are nobody's; what they hide is ``untold``."""
    for problem in check(item.table, item.hand, item.ask(ask), step):
        if problem.code not in untold:
            item.sheet.refuse_step(problem, item.hand, where)
    item.hand = item.hand.with_step(ask, step)


def read_ace_hunt(item: ItemReader, hunt: Mapping[str, object]) -> None:
    """The aces, and who had the rabbit among them."""
    holder = item.seat_of(cast("str", hunt["rabbit_holder"]), "ace_hunt")
    more: dict[str, Value] = {"holder": holder, "played": True if hunt["rabbit_played"] else None}
    read_hunt(item, ACE_HUNT, hunt, "ace_hunt", **more)


def read_held(item: ItemReader, held: Mapping[str, list[str]]) -> None:
    """The red cards that were found in the hands at the end."""
    hunts = cast("dict[str, dict[str, object]]", item.item["hunts"])
    step: dict[str, Value] = {}
    for name, ranks in held.items():
        seat = item.sheet.seat_named(name)
        if seat is None:
            item.refuse("wrong-players", "Nobody of that name can hold a card here.", "held_hearts", name)
        for rank in ranks:
            if rank not in HUNTED:
                item.refuse("bad-rank", "Dingoes from 2 to king can be held here.", "held_hearts", name)
            elif heart(rank) in step or is_strangers(item, hunts, rank):
                item.refuse("heart-twice", f"There is only one {rank_shown(rank)}♥.", "held_hearts", name)
            elif seat is not None:
                step[heart(rank)] = seat
    item.write(HELD, step, "held_hearts")


def is_strangers(item: ItemReader, hunts: Mapping[str, Mapping[str, object]], rank: str) -> bool:
    """Whether somebody nobody knows is said to have played the dingo of that rank."""
    name = hunts.get(rank, {}).get("dingo")
    return name is not None and item.sheet.seat_named(cast("str", name)) is None


def name_at(item: ItemWriter, seat: int | None) -> str | None:
    """The name on a seat."""
    return None if seat is None else item.names[seat]


def wolves(item: ItemWriter, hunt: Hunt) -> list[str | None]:
    """Who played wolves."""
    return [name_at(item, seat) for seat in hunt.wolves]
