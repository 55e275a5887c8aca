"""Small sheets of the games without bids, as sheet files have them. Ann deals first."""

from __future__ import annotations

RANKS = "23456789TJQK"


def of_game(game: str, players: str, *hands: dict, **more: object) -> dict[str, object]:
    """A sheet file of the game."""
    return {"format": "score-sheet/1", "game": game, "players": players.split(), "hands": list(hands), **more}


def dingo(*hands: dict, **more: object) -> dict[str, object]:
    """A session of Dingo, of two hands unless it says otherwise."""
    house_rules = {"hands": 2, **more.pop("house_rules", {})}
    return of_game("dingo", "Ann Bo Cy Di", *hands, house_rules=house_rules, **more)


def hunted(aces: str = "Ann", **ranks: str) -> dict[str, object]:
    """A hand of Dingo: `two="Ann Bo"` is a two of Ann’s with a wolf of Bo’s. `aces` played the ace of hearts."""
    names = dict(zip(("two", "three", "four", "five", "six"), RANKS, strict=False))
    hunts: dict[str, object] = {rank: {"dingo": None, "wolves": []} for rank in RANKS}
    for name, said in ranks.items():
        who, *wolves = said.split()
        hunts[names[name]] = {"dingo": who, "wolves": wolves}
    ace_hunt = {"dingo": aces, "wolves": [], "rabbit_holder": "Di", "rabbit_played": False}
    return {"hunts": hunts, "ace_hunt": ace_hunt}


def deals(*hands: dict, **more: object) -> dict[str, object]:
    """Dirty Deals: rubbers to nine, first to two."""
    return of_game("dirty-deals", "Ann Bo Cy Di", *hands, **more)


def claim(who: str, suit: str = "H", surplus: int = 0, bower: str = "Di") -> dict[str, object]:
    """A claim: nine points less the surplus, and three for who holds the bower."""
    return {"claimer": who, "suit": suit, "surplus": surplus, "bower_holder": bower}


GIVEN_UP = {"given_up": True}


def bird(*hands: dict, **more: object) -> dict[str, object]:
    """Bird Dog: the first to eleven."""
    return of_game("bird-dog", "Ann Bo Cy", *hands, **more)


def pairs(ann: int, bo: int, cy: int, *, turned: str = "9H", caller: str = "Ann", nil: str | None = None) -> dict:
    """A hand of Bird Dog: pairs, and tricks to match; who went nil took one."""
    tricks = {"Ann": 5, "Bo": 1, "Cy": 1} if nil is None else {"Ann": 6, "Bo": 1, "Cy": 0}
    return {
        "turned": [turned], "caller": caller, "nil": nil, "tricks": tricks, "pairs": {"Ann": ann, "Bo": bo, "Cy": cy},
    }  # fmt: skip


def hotdog(*hands: dict, **more: object) -> dict[str, object]:
    """Hotdog: games to five, best of three."""
    return of_game("hotdog", "Ann Bo", *hands, **more)


def picked(who: str, tricks: int, topping: str = "ketchup", trump: str | None = "H") -> dict[str, object]:
    """A round of Hotdog: who picked took so many of the seventeen tricks."""
    other = "Bo" if who == "Ann" else "Ann"
    return {
        "picker": who, "topping": topping, "trump": trump, "relish": None, "works_first": None,
        "tricks": {who: tricks, other: 17 - tricks},
    }  # fmt: skip
