"""Call-outs of Dirty Dog that follow from bids, tricks and totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from rules.core.outcome import Settlement
from rules.core.table import Row, Table
from rules.core.texts import CallOut
from rules.dirty_dog.scoring import bids_of, forbidden_bid, is_made, tricks_of

#: The rarest first: a page with room for one line shows the first of these that applies.
RARITY = (
    "clean-run", "first-place-loser", "door-knob", "sbr", "bottom-buddies", "dog-pile",
    "floatage", "floater", "overbid", "spooning", "proximity-alert",
)  # fmt: skip

#: These get a line after the hand; the bidding is called while it is played.
ALOUD = ("door-knob", "sbr", "bottom-buddies", "dog-pile")
#: These stand as a sign beside a total: two spoons, and a warning.
SIGNS = {"spooning": "((", "proximity-alert": "!"}
#: These tell how somebody stands, and may hold for many hands.
LASTING = ("door-knob", "bottom-buddies", "spooning", "proximity-alert")
#: Of those, the ones about a group: whoever joins makes it another group, which is called; whoever leaves does not. The
#: others are about each player alone, and only those whom it was not true of before are called.
TOGETHER = ("bottom-buddies", "spooning")
#: The one about the hands that somebody has played themselves.
PERSONAL = "door-knob"


def callout(call: str, seats: tuple[int, ...], reason: str, sentence: str = "") -> CallOut:
    """A call-out with its place in the order of rarity, and how it is shown."""
    sign, rank = SIGNS.get(call, ""), RARITY.index(call)
    return CallOut(
        call, seats, reason, rank, call in ALOUD, sign, sentence, call in LASTING, call in TOGETHER, call == PERSONAL
    )  # fmt: skip


def of_hand(row: Row, *, buddies_gap: int) -> Iterator[CallOut]:
    """Everything the table can call after the hand of ``row``, the bidding first."""
    yield bidding(row)
    yield from dog_pile(row)
    yield from sbr(row)
    yield from door_knob(row)
    yield from of_totals(row.totals, buddies_gap=buddies_gap)


def bidding(row: Row) -> CallOut:
    """Overbid, Floater or Float'age: exactly one holds in every hand."""
    bid, cards = sum(bids_of(row.hand).values()), row.hand.cards
    if bid > cards:
        return callout("overbid", (), f"{bid} bid of {cards}: {bid - cards} too many")
    if bid == cards - 1:
        return callout("floater", (), f"{bid} bid of {cards}: one trick is nobody’s")
    if bid == cards:
        return callout("floatage", (), f"{bid} bid of {cards}: The Rule was missed")
    return callout("floatage", (), f"{bid} bid of {cards}: {cards - bid} tricks are nobody’s")


def dog_pile(row: Row) -> Iterator[CallOut]:
    """Tricks taken after bidding none."""
    bids, tricks = bids_of(row.hand), tricks_of(row.hand)
    piled = tuple(seat for seat in row.table.seats if bids[seat] == 0 < tricks[seat])
    if piled:
        most = max(tricks[seat] for seat in piled)
        reason = f"bid nothing and took {most}" if len(piled) == 1 else "bid nothing and took tricks"
        yield replace(callout("dog-pile", piled, reason), counts={seat: tricks[seat] for seat in piled})


def sbr(row: Row) -> Iterator[CallOut]:
    """The last bidder took exactly what The Rule kept them from bidding."""
    forbidden, dealer = forbidden_bid(row.hand), row.hand.order[-1]
    if forbidden is not None and tricks_of(row.hand)[dealer] == forbidden:
        yield callout("sbr", (dealer,), f"The Rule forbade {forbidden}, and {forbidden} it was")


def door_knob(row: Row) -> Iterator[CallOut]:
    """Set in at least three of one's last four hands."""
    rows = (*row.table.rows, row)
    last_four = {seat: list(islice(own_bids_made(row.table, rows, seat), 4)) for seat in row.table.seats}
    knobs = tuple(seat for seat, made in last_four.items() if len(made) == 4 and made.count(False) >= 3)
    if knobs:
        yield callout("door-knob", knobs, "set in at least three of the last four hands")


def own_bids_made(table: Table, rows: tuple[Row, ...], seat: int) -> Iterator[bool]:
    """Whether whoever sits there now made their bid, in each hand they played on whatever seat, the latest first."""
    occupant = table.occupant(seat)
    for row in reversed(rows):
        sat = row.table.seat_of(occupant)
        if sat in row.hand.order:
            yield is_made(row.hand, sat)


def of_totals(totals: Mapping[int, int], *, buddies_gap: int) -> Iterator[CallOut]:
    """Spooning, Proximity Alert and Bottom Buddies, on the totals after the hand."""
    lowest = min(totals.values())
    spooning = tuple(seat for seat, total in totals.items() if total - lowest <= 2)
    if len(spooning) >= 2:
        yield callout("spooning", spooning, "within two points of the bottom together")
    near = tuple(seat for seat, total in totals.items() if 5 <= total - lowest <= 10)
    if near:
        yield callout("proximity-alert", near, "five to ten points above the bottom")
    buddies = bottom_buddies(totals, buddies_gap)
    if buddies:
        gap = min(total for seat, total in totals.items() if seat not in buddies) - max(
            totals[seat] for seat in buddies
        )
        yield callout("bottom-buddies", buddies, f"{gap} points below everyone else")


def bottom_buddies(totals: Mapping[int, int], widest: int) -> tuple[int, ...]:
    """The few at the bottom who are clearly below the rest: the widest gap counts, the fewer on equal gaps.

    >>> bottom_buddies({1: 3, 2: 40, 3: 5, 4: 42}, 10)
    (1, 3)
    >>> bottom_buddies({1: 3, 2: 12, 3: 5, 4: 42}, 10)
    ()
    """
    ascending = sorted(totals, key=totals.__getitem__)
    gaps = {k: totals[ascending[k]] - totals[ascending[k - 1]] for k in range(2, len(ascending) // 2 + 1)}
    if not gaps or max(gaps.values()) < widest:
        return ()
    below = ascending[: min(k for k, gap in gaps.items() if gap == max(gaps.values()))]
    return tuple(seat for seat in totals if seat in below)


def of_game(table: Table, settlement: Settlement) -> Iterator[CallOut]:
    """Clean runs, and First Place Losers where the lead is played for, once the game is settled."""
    played = {seat: list(own_bids_made(table, table.rows, seat)) for seat in table.seats}
    clean = tuple(seat for seat, made in played.items() if made and all(made))
    if clean:
        sentence = "A clean run: {names} made every bid." if len(clean) == 1 else "Clean runs: {names} made every bid."
        yield callout("clean-run", clean, "every bid of the game made", sentence)
    second = 2 if table.decides.lead else None
    seconds = tuple(placing.seat for placing in settlement.placings if placing.place == second)
    if seconds:
        sentence = "{names} is the First Place Loser." if len(seconds) == 1 else "{names} are First Place Losers."
        yield callout("first-place-loser", seconds, "second place", sentence)
