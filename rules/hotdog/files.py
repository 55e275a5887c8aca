"""Hotdog in a sheet file: the shape of a hand, reading it and writing it."""

from __future__ import annotations

from rules.core.fields import Value
from rules.core.files.game_file import LEGS, GameFile
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.schema import Flag, Members, Name, OrNull, PerName, Shape, Text, Whole
from rules.core.table import Hand, Row
from rules.hotdog.bidding import bid_of, relish_of
from rules.hotdog.scoring import check_works_first, tricks_of

ITEM = Members(
    {"topping": Text(), "tricks": PerName(Whole())},
    {
        "picker": OrNull(Name()), "trump": OrNull(Text()), "smothered": Flag(), "footlong": Flag(),
        "relish": OrNull(Whole()), "works_first": OrNull(Text()), "note": Text(),
    },
)  # fmt: skip


class HotdogFile(GameFile):
    """A round as the sheet file says it. One that is still played has no place in it."""

    def item_shape(self) -> Shape:
        """A round."""
        return ITEM

    def result_shape(self) -> Members:
        """The games of the match."""
        return Members(LEGS, {})

    def row_shape(self) -> Members:
        """Who won the game at once, if anybody did."""
        return Members({"wins_game": OrNull(Name())}, {})

    def read_item(self, item: ItemReader) -> None:
        """Write one round into the sheet."""
        bid: dict[str, Value] = {"topping": item.get("topping")}
        if item.has("picker"):
            # A picker nobody knows is somebody all the same: what else is wrong can then be told.
            bid["picker"] = item.seat("picker") or item.hand.leader
        bid |= {key: item.get(key) for key in ("trump", "smothered", "footlong") if item.has(key)}
        item.write("bid", bid, "")
        item.write("relish", {"relish": item.get("relish")} if item.has("relish") else {}, "")
        counts = item.counts("tricks")
        tricks: dict[str, Value] = {f"tricks-{seat}": count for seat, count in counts.items()}
        if item.has("works_first"):
            tricks["works-first"] = item.get("works_first")
        if len(counts) == len(item.table.seats):
            item.write("tricks", tricks)
        else:
            item.sheet.judge(item.hand, item.ask("tricks"), tricks, "tricks")
            for problem in check_works_first(item.hand, tricks):
                item.sheet.refuse_step(problem, item.hand, "tricks")
        item.scored()

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """A round as the sheet file says it. One that is still played has no place in it."""
        bid, tricks = bid_of(hand), tricks_of(hand)
        if bid is None or not tricks:
            return
        item.put("picker", None if bid.picker is None else item.names[bid.picker])
        item.put("topping", bid.topping)
        item.put("trump", bid.trump)
        item.put("smothered", bid.smothered)
        item.put("footlong", bid.footlong)
        item.put("relish", relish_of(hand))
        item.put("works_first", hand.steps["tricks"].get("works-first"))
        item.put_seats("tricks", tricks)
