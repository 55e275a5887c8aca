"""Dirty Dog in a sheet file: the shapes of its items, reading them and writing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from rules.core.cards import RANKS
from rules.core.engine.replay import Sheet, settle
from rules.core.fields import SHEET as SHEET_PAGE
from rules.core.fields import Choice, Value
from rules.core.files.game_file import GameFile
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.reader import SheetReader
from rules.core.files.results import CALL_OUTS
from rules.core.files.schema import Flag, ListOf, Members, Name, OneOf, OrNull, PerName, Shape, Text, Whole
from rules.core.problems import Problem
from rules.core.table import Event, Hand, Row, Table
from rules.dirty_dog.scoring import bids_of, rule_was_missed, tricks_of
from rules.dirty_dog.tie_breaks import TieBreaks, check_draw

NOTE: dict[str, Shape] = {"note": Text()}
COUNTS = PerName(Whole())
ITEM = OneOf({
    "void": Members({"void": Flag(only=True)}, NOTE),
    "arrives": Members({"arrives": Name()}, {"left_of": Name(), **NOTE}),
    "leaves": Members({"leaves": Name()}, NOTE),
    "substitute": Members({"substitute": Name(), "for": Name()}, NOTE),
    "reseated": Members({"reseated": ListOf(Name())}, NOTE),
    "carried": Members(
        {"carried": Members({"hands": Whole(), "totals": COUNTS, "last_dealer": Name()}, {})}, NOTE
    ),
    "bids": Members(
        {"bids": COUNTS},
        {"tricks": COUNTS, "turned": Text(), "trump": Text(), "rule_missed": Flag(), **NOTE},
        apart=("turned", "trump"),
    ),
})  # fmt: skip
SHEET: dict[str, Shape] = {
    "plan": OneOf({
        "peak": Members({"peak": Whole()}, {"extra_rounds": Whole()}),
        "hands": Members({"hands": Whole()}, {}),
    }),
    "tie_breaks": ListOf(Members({"bids": COUNTS, "tricks": COUNTS}, {})),
    "draws": ListOf(PerName(Text())),
}  # fmt: skip


class DirtyDogFile(GameFile):
    """Hands and what happens between them; beside them the planned hands, blind hands and draws."""

    def item_shape(self) -> Shape:
        """Hands and what happens between them."""
        return ITEM

    def sheet_shapes(self) -> Mapping[str, Shape]:
        """The hands that are planned, blind hands, draws."""
        return SHEET

    def result_shape(self) -> Members:
        """How many hands are planned."""
        return Members({"planned_hands": Whole(0)}, {})

    def row_shape(self) -> Members:
        """Cards, the forbidden bid, trump where it was noted, call-outs."""
        own: dict[str, Shape] = {"cards": Whole(1), "forbidden_bid": OrNull(Whole(0)), "callouts": CALL_OUTS}
        return Members(own, {"trump": Text()})

    def read_item(self, item: ItemReader) -> None:
        """Write one item into the sheet."""
        if item.has("void"):
            item.happens("misdeal", {})
        elif item.has("arrives"):
            left_of = item.seat("left_of")
            item.happens("arrive", {"seat": item.newcomer("arrives"), "left_of": left_of})
        elif item.has("leaves"):
            item.happens("leave", {"seat": item.seat("leaves")})
        elif item.has("substitute"):
            item.takes_over("substitute", item.seat("for"))
        elif item.has("reseated"):
            read_reseated(item)
        elif item.has("carried"):
            read_carried(item)
        else:
            read_hand(item)

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """A hand, scored or open, as the sheet file says it."""
        trump = hand.steps.get("trump", {})
        for key, value in (("turned", trump.get("turned")), ("trump", trump.get("suit"))):
            if value is not None:
                item.put(key, value)
        if rule_was_missed(hand):
            item.put("rule_missed", value=True)
        item.put_seats("bids", bids_of(hand))
        if tricks := tricks_of(hand):
            item.put_seats("tricks", tricks)

    def write_event(self, event: Event, item: ItemWriter, *, before: str = "") -> None:
        """Something between hands as the sheet file says it. An early end is said of the whole sheet instead."""
        seat = cast("int", event.step.get("seat"))
        match event.kind:
            case "misdeal":
                item.put("void", value=True)
            case "arrive":
                item.put("arrives", item.names[seat])
                if event.step.get("left_of") is not None:
                    item.put("left_of", item.names[cast("int", event.step["left_of"])])
            case "leave":
                item.put("leaves", item.names[seat])
            case "substitute":
                item.put("substitute", item.names[seat])
                item.put("for", before)
            case "reseat":
                places = range(1, len(event.step) + 1)
                item.put("reseated", [item.names[cast("int", event.step[f"place-{place}"])] for place in places])

    def write_carried(self, step: Mapping[str, Value], item: ItemWriter) -> None:
        """Hands that were kept elsewhere."""
        totals = {name: value for name, value in step.items() if name.startswith("total-")}
        item.put("carried", {
            "hands": step["hands"],
            "totals": {item.names[int(name.removeprefix("total-"))]: value for name, value in totals.items()},
            "last_dealer": item.names[cast("int", step["last_dealer"])],
        })  # fmt: skip

    def read_rest(self, reader: SheetReader) -> None:
        """The blind hands and the draws, in the order they were played."""
        tie_breaks = cast("list[dict[str, dict[str, int]]]", reader.document.get("tie_breaks", []))
        draws = cast("list[dict[str, str]]", reader.document.get("draws", []))
        if (tie_breaks or draws) and reader.has_plan and not reader.game.over(reader.table):
            wrong = "A tie can only be settled after the last hand."
            reader.refuse(Problem("game-over", wrong, "tie_breaks" if tie_breaks else "draws"))
            return
        if any(problem.code == "bad-house-rule" for problem, _ in reader.problems):
            tie_breaks = []  # nobody can say how many cards were dealt
        for k, tie_break in enumerate(tie_breaks, 1):
            read_tie_break(reader, tie_break, k)
            reader.read_rulings(played=k)
        for k, draw in enumerate(draws, 1):
            read_draw(reader, draw)
            reader.read_rulings(played=k)

    def write_rest(self, sheet: Sheet, names: Mapping[int, str]) -> dict[str, object]:
        """Blind hands and draws as the sheet file says them."""
        data: dict[str, object] = {}
        if sheet.settlement and sheet.settlement.ties:
            data["tie_breaks"] = [
                {
                    "bids": {names[seat]: bid for seat, bid in bids_of(row.hand).items()},
                    "tricks": {names[seat]: count for seat, count in tricks_of(row.hand).items()},
                }
                for row in sheet.settlement.ties
            ]
        if sheet.settlement and sheet.settlement.draws:
            data["draws"] = [{names[seat]: rank for seat, rank in draw.items()} for draw in sheet.settlement.draws]
        return data


def read_reseated(item: ItemReader) -> None:
    """The same players in another order round the table."""
    names = cast("list[str]", item.item["reseated"])
    seats = [item.seat_of(name, "reseated") for name in names]
    if None in seats or sorted(cast("list[int]", seats)) != sorted(item.table.seats):
        item.refuse("wrong-players", "Every player at the table takes exactly one chair.", "reseated")
    item.happens("reseat", {f"place-{place}": seat for place, seat in enumerate(seats, 1)})


def read_carried(item: ItemReader) -> None:
    """Totals of hands that were kept elsewhere."""
    if not item.first:
        item.refuse("bad-document", "Carried hands can only stand first of all.", "carried")
    carried = cast("dict[str, Value]", item.item["carried"])
    last = item.sheet.seat_named(cast("str", carried["last_dealer"]))
    if last is None:
        item.refuse(
            "unknown-player", "Nobody at the table has that name.", "last_dealer", cast("str", carried["last_dealer"])
        )
    totals = cast("dict[str, int]", carried["totals"])
    if item.sheet.seats_named(totals, item.table.seats, "totals", None):
        by_seat = {f"total-{seat}": totals[item.sheet.names[seat]] for seat in item.table.seats}
        item.carried({"hands": carried["hands"], "last_dealer": last, **by_seat})
    item.sheet.is_lost = item.is_refused


def read_hand(item: ItemReader) -> None:
    """A hand with bids and tricks; the last one may still be open."""
    if item.has("turned"):
        item.write("trump", {"turned": item.get("turned")}, "turned")
    elif item.has("trump"):
        item.write("trump", {"suit": item.get("trump")})
    if item.get("rule_missed"):
        item.write("rule-missed", {"missed": True}, "rule_missed")
    is_open = "tricks" not in item.item
    if is_open and not item.last:
        item.refuse("bad-document", "The tricks are missing, and this is not the last hand.", "tricks")
    order = item.hand.order
    count = len(cast("dict[str, int]", item.item["bids"]))
    if count > len(order):
        item.refuse("too-many-bids", "More bids stand here than players sit at the table.", "bids")
    spoken = order[:count] if is_open else order
    bids = item.counts("bids", spoken)
    for seat in order:
        if seat in bids:
            item.write(f"bid-{seat}", {"bid": bids[seat]}, "bids")
    if is_open and item.last:
        item.left_open()
        return
    if not is_open:
        item.write_counts("tricks")
    item.scored()


def read_tie_break(reader: SheetReader, numbers: Mapping[str, dict[str, int]], k: int) -> None:
    """The ``k``-th blind hand, everyone at the table.

    With something in doubt before it the totals are, and nobody can say who is tied: then only its own numbers are
    judged.
    """
    hand = None if reader.is_in_doubt else settle(reader.game, reader.table, reader.entries).hand
    if hand is None and not reader.is_in_doubt:
        reader.refuse(Problem("tiebreak-not-needed", "No tie waits for a blind hand.", "tie_breaks"))
    hand = hand or TieBreaks(reader.game, reader.table, {}).coming(k, dealer_of_blind_hand(reader.table, k))
    keys = {key: f"tie_breaks, {key}" for key in ("bids", "tricks")}
    fits = {key: reader.seats_named(numbers[key], hand.order, keys[key], None) for key in keys}
    counts = {
        key: {seat: numbers[key][name] for seat, name in reader.names.items() if name in numbers[key]} for key in keys
    }
    for ask in reader.game.asks(reader.table, hand):
        key = "bids" if ask.seat else "tricks"
        if ask.seat is None:
            step = {f"tricks-{seat}": counts[key][seat] for seat in hand.order if seat in counts[key]}
        else:
            step = {"bid": counts[key][ask.seat]} if ask.seat in counts[key] else {}
        if fits[key]:
            hand = reader.write(hand, ask, step, keys[key])
        else:
            reader.judge(hand, ask, step, keys[key])


def read_draw(reader: SheetReader, draw: Mapping[str, str]) -> None:
    """One draw at the bottom. With something in doubt before it only the cards are judged."""
    if reader.is_in_doubt:
        judge_cards(reader, draw)
        return
    settlement = settle(reader.game, reader.table, reader.entries)
    ask = next((ask for ask in settlement.asks if ask.name.startswith("draw-")), None)
    if ask is None:
        reader.refuse(Problem("draw-not-needed", "No tie at the bottom waits for a draw.", "draws"))
        judge_cards(reader, draw)
        return
    seats = tuple(cast("int", field.seat) for field in ask.fields)
    if reader.seats_named(draw, seats, "draws", None):
        page = Hand(SHEET_PAGE, reader.table.next_dealer, ())
        reader.write(page, ask, {f"rank-{seat}": draw[reader.names[seat]] for seat in seats}, "draws")
    else:
        judge_cards(reader, draw)


def judge_cards(reader: SheetReader, draw: Mapping[str, str]) -> None:
    """Say which cards of a draw are none, or too many of a rank, whoever had to draw."""
    for name, rank in draw.items():
        problem = Choice("rank", RANKS, "bad-rank").problem(rank)
        if problem:
            reader.refuse(replace(problem, field="draws"), name)
    for problem in check_draw({name: rank for name, rank in draw.items() if rank in RANKS}):
        reader.refuse(replace(problem, field="draws"))


def dealer_of_blind_hand(table: Table, k: int) -> int:
    """Who deals the ``k``-th blind hand: the deal goes on."""
    dealer = table.next_dealer
    for _ in range(1, k):
        dealer = table.left_of(dealer)
    return dealer
