"""Dingo as it is really played, with cards that lie somewhere: an account that knows nothing of the rules' code.

Forty cards are dealt, put away, passed on and played; what lies in a pile at the end is added up card by card.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LOW = "23456789TJQK"
NUMBERS = {rank: number for number, rank in enumerate(LOW, 2)}
#: What happens between the deal and the hunt: how far a card is passed on, or that one is put away.
ROUNDS = ("away", 1, "away", 2, "away", 3, "away")


@dataclass
class Played:
    """A hand that was played: what was written down, by place at the table from 0 on, and what lies in the piles."""

    hunts: dict[str, tuple[int | None, list[int | None]]] = field(default_factory=dict)
    ace: tuple[int, list[int], int, bool] = (0, [], 0, False)
    held: dict[int, list[str]] = field(default_factory=dict)
    scored: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    lost: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    #: The six cards everybody had when the hunt began.
    hands: list[list[str]] = field(default_factory=list)

    def steps(self, seats):
        """The answers to the asks of the hand."""
        found = {}
        for rank, (dingo, wolves) in self.hunts.items():
            found[f"hunt-{NUMBERS[rank]}"] = step_of(seats, dingo, wolves)
        dingo, wolves, holder, played = self.ace
        found["ace-hunt"] = (
            step_of(seats, dingo, wolves) | {"holder": seats[holder]} | ({"played": True} if played else {})
        )
        found["held"] = {f"heart-{NUMBERS[rank]}": seats[place] for place, ranks in self.held.items() for rank in ranks}
        return found

    def item(self, names):
        """The hand as a sheet file has it."""
        dingo, wolves, holder, played = self.ace
        said = {
            "hunts": {
                rank: {"dingo": name(names, dingo), "wolves": [name(names, wolf) for wolf in wolves]}
                for rank, (dingo, wolves) in self.hunts.items()
            },
            "ace_hunt": {
                "dingo": names[dingo], "wolves": [names[wolf] for wolf in wolves], "rabbit_holder": names[holder],
                "rabbit_played": played,
            },
        }  # fmt: skip
        return said | (
            {"held_hearts": {names[place]: ranks for place, ranks in self.held.items()}} if self.held else {}
        )

    def points(self, place, ten=2, ten_point_ace="hearts"):
        """The scoring pile less the penalty pile, card by card."""
        ten_pointer = {"hearts": "AH", "diamonds": "AD"}[ten_point_ace]
        worth = {"A": 3, "K": 2, "Q": 2, "J": 2, "T": ten}
        scored = sum(10 if card == ten_pointer else worth.get(card[0], 1) for card in self.scored[place])
        return scored - sum(worth.get(card[0], 1) for card in self.lost[place])

    def caught(self, *, rabbit_counts=False):
        """Who is caught red-handed."""
        _, _, holder, played = self.ace
        return sorted({*self.held, *([holder] if rabbit_counts and not played else [])})

    def winners(self, house):
        """Who wins the hand."""
        values = {"ten": house.get("ten_value", 2), "ten_point_ace": house.get("ten_point_ace", "hearts")}
        caught = self.caught(rabbit_counts=house.get("unplayed_ace_rabbit_is_red_handed", False))
        free = [place for place in range(4) if place not in caught]
        if not free:
            return []
        best = max(self.points(place, **values) for place in free)
        level = [place for place in free if self.points(place, **values) == best]
        if len(level) == 1:
            return level
        # From the highest rabbit down: who has it?
        for rank in reversed(LOW + "A"):
            owner = [place for place in level if f"{rank}D" in self.scored[place]]
            if owner:
                return owner
        return level


def step_of(seats, dingo, wolves):
    if dingo is None:
        return {}
    if len(wolves) < 2:
        return {"dingo": seats[dingo]} | ({"wolf": seats[wolves[0]]} if wolves else {})
    first = {} if wolves[0] is None else {"first": seats[wolves[0]]}
    return {"dingo": seats[dingo], "second": seats[wolves[1]], **first}


def name(names, place):
    return None if place is None else names[place]


def dealt(dice):
    """Six cards each, as the deal, the discards and the passes left them."""
    deck = [f"{rank}{suit}" for suit in "HCS" for rank in LOW + "A"] + ["AD"]
    dice.shuffle(deck)
    hands = [deck[place * 10 : place * 10 + 10] for place in range(4)]
    for what in ROUNDS:
        if what == "away":
            for hand in hands:
                hand.remove(dice.choice([card for card in hand if card[0] != "A"]))
        else:
            passed = [hand.pop(dice.randrange(len(hand))) for hand in hands]
            for place in range(4):
                hands[(place + what) % 4].append(passed[place])
    return hands


def play(dice, *, missed=0.04, eager=0.7, noted=0.7):
    """A hand from the deal to the piles.

    `missed`: how often a dingo is overlooked; `eager`: how often a wolf is played that can be; `noted`: how often the
    first of two wolves is.
    """
    hand = Played(hands=dealt(dice))
    cards = [list(six) for six in hand.hands]
    for rank in LOW:
        dingo = next((place for place in range(4) if f"{rank}H" in cards[place]), None)
        if dingo is None or dice.random() < missed:
            hand.hunts[rank] = (None, [])
            continue
        cards[dingo].remove(f"{rank}H")
        out = []
        for turn in (1, 2, 3):
            place = (dingo + turn) % 4
            out += [
                (place, wolf) for wolf in (f"{rank}C", f"{rank}S") if wolf in cards[place] and dice.random() < eager
            ]
        lay(hand, rank, dingo, out)
        wolves = [place for place, _ in out]
        if len(wolves) == 2 and dice.random() > noted:
            wolves[0] = None
        hand.hunts[rank] = (dingo, wolves)
        for place, wolf in out:
            cards[place].remove(wolf)
    hunt_aces(hand, cards, dice, eager)
    for place in range(4):
        if ranks := [rank for rank in LOW if f"{rank}H" in cards[place]]:
            hand.held[place] = ranks
    return hand


def lay(hand, rank, dingo, out):
    """What the table does with the cards of a hunt."""
    if not out:
        hand.lost[dingo].append(f"{rank}H")
        return
    hand.scored[dingo].append(f"{rank}H")
    if len(out) == 2:
        hand.scored[dingo].append(out[0][1])
    catcher, wolf = out[-1]
    hand.scored[catcher] += [wolf, f"{rank}D"]


def hunt_aces(hand, cards, dice, eager):
    """The last hunt: everybody has one turn, who played the dingo the last one."""
    dingo = next(place for place in range(4) if "AH" in cards[place])
    holder = next(place for place in range(4) if "AD" in cards[place])
    table, wolves, played = [(dingo, "AH")], [], False
    for turn in (1, 2, 3, 4):
        place = (dingo + turn) % 4
        for wolf in ("AC", "AS"):
            if wolf in cards[place] and dice.random() < eager:
                table.append((place, wolf))
                wolves.append(place)
        if place == holder and len(wolves) == 2 and dice.random() < eager:
            table.append((place, "AD"))
            played = True
    for place, card in table:
        (hand.scored if wolves else hand.lost)[place].append(card)
    if not played:
        hand.lost[holder].append("AD")
    hand.ace = (dingo, wolves, holder, played)
