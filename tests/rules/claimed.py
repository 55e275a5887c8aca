"""A sheet of Dirty Deals kept for a test, and a second scorer to compare with."""

from __future__ import annotations

from rules import find_game
from rules.core.engine.replay import Sheet, problems, read

GAME = find_game("dirty-deals")
NAMES = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}
SEATS = {name: seat for seat, name in NAMES.items()}
SHORT = {name[0].lower(): name for name in SEATS}


class Kept:
    """Four at a table, Ann to Di on the seats 1 to 4, and what has been written on their sheet so far."""

    def __init__(self, *, first_dealer: int = 1, **house_rules) -> None:
        self.table = GAME.open_table([1, 2, 3, 4], first_dealer, None, house_rules)
        self.entries = {}

    @property
    def sheet(self) -> Sheet:
        return read(GAME, self.table, self.entries)

    def codes(self, **step) -> list[str]:
        """The codes of everything wrong with writing that claim into the open deal."""
        number = self.sheet.open.hand.number
        return [problem.code for problem in problems(GAME, self.table, self.entries, (number, "claim"), named(step))]

    def write(self, **step) -> Kept:
        assert self.codes(**step) == [], step
        self.entries[self.sheet.open.hand.number, "claim"] = named(step)
        return self

    def deals(self, *said: str) -> Kept:
        """Deals in short: ``"a H 2 b"`` (Ann claims hearts with two more, Bo has the bower) or ``"-"``: given up."""
        for deal in said:
            if deal == "-":
                self.write(given_up=True)
            else:
                claimer, suit, surplus, bower = deal.split()
                self.write(claimer=SHORT[claimer], suit=suit, surplus=int(surplus), bower=SHORT[bower])
        return self

    def happens(self, kind: str, **step) -> Kept:
        opened = self.sheet.open
        self.entries[opened.hand.number, f"{kind}-{opened.next_event}"] = step
        return self


def named(step):
    """A step with names and a hand in it, as the sheet writes it: seats and ticks."""
    written = {key.replace("_", "-"): SEATS.get(value, value) for key, value in step.items() if key != "cards"}
    return written | {f"card-{card}": True for card in step.get("cards", "").split()}


def scored_by_hand(deals, target, rubbers):
    """The match worked out naively: ``(points of each deal, totals after each, winners of rubbers)`` by seat.

    ``deals`` are steps. A claim starts at nine; every card besides the six is looked at in turn.
    """
    points, totals, winners = [], [], []
    running = [0, 0, 0, 0]
    for step in deals:
        got = [0, 0, 0, 0]
        if not step.get("given-up"):
            pot, others = 9, step["surplus"]
            if step["bower"] == step["claimer"]:
                pot, others = pot - 3, others - 1
            else:
                got[step["bower"] - 1] = 3
            while others and pot:
                pot, others = pot - 1, others - 1
            got[step["claimer"] - 1] = pot
        running = [before + now for before, now in zip(running, got, strict=True)]
        points.append(got)
        totals.append(list(running))
        first, second = sorted(running, reverse=True)[:2]
        if first >= target and first > second:
            winners.append(running.index(first) + 1)
            running = [0, 0, 0, 0]
        if any(winners.count(seat) == rubbers for seat in SEATS.values()):
            break
    return points, totals, winners
