"""Bird Dog in a sheet file: the shape of its items, reading them and writing them."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rules.bird_dog.deck import FACES, IN_THE_MIDDLE
from rules.bird_dog.scoring import caller_of, faces_of, nil_of, numbers_in, tricks_of, turned_of
from rules.core.fields import Value
from rules.core.files.game_file import GameFile
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.schema import Flag, ListOf, Members, Name, OrNull, PerName, Shape, Text, Whole
from rules.core.table import Hand, Row

COUNTS = PerName(Whole())
ITEM: Shape = Members(
    {"turned": ListOf(Text())},
    {
        "caller": OrNull(Name()), "nil": OrNull(Name()), "tricks": COUNTS, "pairs": COUNTS,
        "captured": PerName(Members(dict.fromkeys(FACES, Whole()), {})), "note": Text(),
    },
)  # fmt: skip


class BirdDogFile(GameFile):
    """A hand as the sheet file says it. One that is still played has no place in it."""

    def item_shape(self) -> Shape:
        """A hand."""
        return ITEM

    def result_shape(self) -> Members:
        """Nothing: the one race is the game."""
        return Members({}, {})

    def row_shape(self) -> Members:
        """Who alone got the bonus, whether nil was made, the Bird Dog."""
        return Members({"bonus": OrNull(Name()), "nil_made": OrNull(Flag()), "bird_dog": Text()}, {})

    def read_item(self, item: ItemReader) -> None:
        """Write one hand into the sheet."""
        read_turned(item)
        nil = item.seat("nil")
        if nil is not None or not item.has("nil"):
            item.write("nil", {} if nil is None else {"nil": nil})
        read_faces(item)
        if item.has("tricks"):
            item.write_counts("tricks")
        elif item.has("nil"):
            item.refuse("bad-document", "The tricks are missing, and somebody went nil.", "tricks")
        else:
            item.write("tricks", {})
        item.scored()

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """A scored hand."""
        if row is None:
            return
        item.put("turned", list(turned_of(hand)))
        for key, seat in (("caller", caller_of(hand)), ("nil", nil_of(hand))):
            item.put(key, None if seat is None else item.names[seat])
        if tricks := tricks_of(hand):
            item.put_seats("tricks", tricks)
        if faces := faces_of(hand):
            item.put_seats("captured", faces)
        if pairs := numbers_in(hand.steps["faces"], "pairs", hand.order):
            item.put_seats("pairs", pairs)


def read_turned(item: ItemReader) -> None:
    """The turned cards in their order, and who called; of too many cards the first three are looked at together.

    Where nobody of the caller's name is there, that alone is told: somebody called.
    """
    cards, caller = cast("list[str]", item.item["turned"]), item.seat("caller")
    if not 1 <= len(cards) <= IN_THE_MIDDLE:
        item.refuse("turned-count", f"One to three cards are turned; these are {len(cards)}.", "turned")
    step: dict[str, Value] = {f"card-{k}": card for k, card in enumerate(cards[:IN_THE_MIDDLE], 1)}
    if item.has("caller"):
        step["caller"] = item.table.seats[0] if caller is None else caller
    if cards:
        item.write("turned", step)
    first, *_ = item.ask("turned").fields
    for place, card in enumerate(cards[IN_THE_MIDDLE:], IN_THE_MIDDLE):
        if problem := first.problem(card):
            item.sheet.refuse(replace(problem, field="turned", hand=item.number))
        elif card in cards[:place]:
            item.refuse("duplicate-card", "A card can be turned only once.", "turned")


def read_faces(item: ItemReader) -> None:
    """The faces of each player, the pairs, or both; problems belong to the key they were said under.

    Where somebody is missing in one of the two, the other is looked at all the same.
    """
    answers: dict[str, dict[str, Value]] = {}
    if item.has("captured"):
        answers["captured"] = {}
        captured = cast("dict[str, dict[str, int]]", item.item["captured"])
        item.sheet.seats_named(captured, item.table.seats, "captured", item.number)
        for seat in item.table.seats:
            for face, count in captured.get(item.sheet.names[seat], {}).items():
                answers["captured"][f"{face.lower()}-{seat}"] = count
    if item.has("pairs"):
        answers["pairs"] = {f"pairs-{seat}": count for seat, count in item.counts("pairs").items()}
    whole: dict[str, Value] = {}
    for key, step in answers.items():
        if all(item.sheet.names[seat] in cast("dict[str, object]", item.item[key]) for seat in item.table.seats):
            whole |= step
        else:
            item.sheet.judge(item.hand, item.ask("faces"), step, key)
    if whole or not answers:
        item.write("faces", whole, "pairs" if set(whole) <= set(answers.get("pairs", ())) else "captured")
