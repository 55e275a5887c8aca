"""Joining, leaving, substitutes and seat changes while a game of Dirty Dog runs (Rules 1 and 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import cast

from rules.core.fields import Ask, Count, SeatChoice, Value
from rules.core.table import SEATS, Table, fresh_number
from rules.core.texts import LOWER_THAN_ANY, Remark
from rules.dirty_dog.schedule import lengthen


def event_ask(table: Table, kind: str, k: int) -> Ask:
    """What is written down about the ``k``-th event before the coming hand."""
    fields: dict[str, tuple[Count | SeatChoice, ...]] = {
        "arrive": (Count("seat", 1, SEATS - 1), SeatChoice("left_of", table.seats, optional=True)),
        "leave": (SeatChoice("seat", table.seats),),
        "substitute": (SeatChoice("seat", table.seats),),
        "reseat": tuple(SeatChoice(f"place-{place}", table.seats) for place in range(1, len(table.seats) + 1)),
    }
    return Ask(f"{kind}-{k}", fields[kind], optional=True)


def happen(table: Table, kind: str, step: Mapping[str, Value]) -> Table:
    """The table after the event."""
    match kind:
        case "arrive":
            joined = arrive(table, cast("int", step["seat"]), cast("int | None", step.get("left_of")))
            return replan(joined) if table.house_rules["replan"] else joined
        case "leave":
            return leave(table, cast("int", step["seat"]))
        case "substitute":
            return take_over(table, cast("int", step["seat"]))
        case "reseat":
            return reseat(table, tuple(cast("int", step[f"place-{place}"]) for place in range(1, len(step) + 1)))
    raise KeyError(kind)


def arrive(table: Table, seat: int, left_of: int | None = None) -> Table:
    """Rule 1: the newcomer starts with the lowest total and is dealt in at the next hand.

    Directly left of the last dealer they deal next. Who comes back gets the lowest total too, not their old one.
    """
    at = table.seats.index(left_of) + 1 if left_of is not None else end_of_the_round(table)
    seats = (*table.seats[:at], seat, *table.seats[at:])
    start = min(table.totals.values()) if table.hands_done or table.decides.start else 0
    totals = {**table.totals, seat: start}
    joined = replace(
        table,
        seats=seats,
        totals={seated: totals[seated] for seated in seats},
        gone={left: total for left, total in table.gone.items() if left != seat},
        gone_after={left: hands for left, hands in table.gone_after.items() if left != seat},
        occupants=with_occupant(table, seat, table.occupant(seat)),
    )
    deals_next = table.last_dealer in seats and joined.left_of(table.last_dealer) == seat
    return replace(joined, next_dealer=seat) if deals_next else joined


def take_over(table: Table, seat: int) -> Table:
    """Somebody else plays on with the total of a seat, which does not change."""
    return replace(table, occupants=with_occupant(table, seat, fresh_number(table.occupants.values())))


def with_occupant(table: Table, seat: int, unless_known: int) -> Mapping[int, int]:
    """The occupants once somebody has sat down on a seat before the coming hand."""
    return {**table.occupants, seat: table.known_occupants.get((table.hands_done + 1, seat), unless_known)}


def end_of_the_round(table: Table) -> int:
    """Where a newcomer sits down unless they say otherwise: at the first dealer's right hand."""
    if table.first_dealer not in table.seats:
        return len(table.seats)
    return table.seats.index(table.first_dealer) or len(table.seats)


def replan(table: Table) -> Table:
    """House rule: hands are added until the first dealer's right-hand neighbour deals last (Rule 4)."""
    n, planned = len(table.seats), len(table.schedule) - table.hands_done
    last = table.right_of(table.first_dealer) if table.first_dealer in table.seats else table.seats[-1]
    remaining = (table.seats.index(last) - table.seats.index(table.next_dealer)) % n + 1
    while remaining < planned:
        remaining += n
    return replace(table, schedule=lengthen(table.schedule, table.hands_done, remaining))


def leave(table: Table, seat: int) -> Table:
    """Rule 10: the total is frozen; if the next deal was theirs, their left neighbour deals."""
    seats = tuple(seated for seated in table.seats if seated != seat)
    return replace(
        table,
        seats=seats,
        next_dealer=table.left_of(seat) if table.next_dealer == seat else table.next_dealer,
        # Should they come back, it is to another chair: who deals next is settled.
        last_dealer=None if table.last_dealer == seat else table.last_dealer,
        totals={seated: table.totals[seated] for seated in seats},
        gone={**table.gone, seat: table.totals[seat]},
        gone_after={**table.gone_after, seat: table.hands_done},
    )


def remarks(table: Table) -> Iterator[Remark]:
    """What the lowest of those who went home mean for the loser's trophy, as long as nobody seated is lower.

    In a group of a play-off who went home goes no further, whatever the totals. What they mean at one of two finals
    depends on both.
    """
    if not table.gone:
        return
    if table.decides.is_group:
        goes = "goes" if len(table.gone) == 1 else "go"
        yield Remark(tuple(table.gone), f"{{names}} went home early and {goes} no further", 0, LOWER_THAN_ANY)
    if not table.decides.bottom:
        return
    lowest = min(table.gone.values())
    seats = tuple(seat for seat, total in table.gone.items() if total == lowest)
    hands = [str(number) for number in sorted({table.gone_after[seat] for seat in seats})]
    after = f"hand {hands[0]}" if len(hands) == 1 else f"hands {', '.join(hands[:-1])} and {hands[-1]}"
    left = f"{{names}} went home after {after} with {lowest}".replace("-", "−")
    takes, draws = ("takes", "draws") if len(seats) == 1 else ("draw for", "draw")
    below = f"{left} and {takes} the loser’s trophy unless somebody ends lower"
    yield Remark(seats, below, lowest, lowest + 1)
    level = f"{left} and {draws} for the loser’s trophy with anyone who ends tied, unless somebody ends lower"
    yield Remark(seats, level, lowest, lowest, lowest)


def reseat(table: Table, seats: tuple[int, ...]) -> Table:
    """The same players in another order; who now sits left of the last dealer deals next."""
    turned = replace(table, seats=seats, totals={seat: table.totals[seat] for seat in seats})
    if table.last_dealer not in seats:
        return turned
    return replace(turned, next_dealer=turned.left_of(table.last_dealer))


@lru_cache(maxsize=100)
def carried_ask(hands: int, seats: tuple[int, ...]) -> Ask:
    """What is asked of the hands that were kept elsewhere, at a table of so many hands. Every write looks for it."""
    return Ask("carried", (
        Count("hands", 1, hands, "bad-plan"), SeatChoice("last_dealer", seats),
        *(Count(f"total-{seat}", -1_000_000, 1_000_000, seat=seat) for seat in seats),
    ), optional=True)  # fmt: skip
