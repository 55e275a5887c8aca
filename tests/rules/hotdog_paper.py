"""Sheet files of Hotdog for tests, and a second scorer that knows nothing of the first."""

from tests.rules.paper import document as dirty_dog

ANN, BO = "Ann", "Bo"


def round_of(picker, topping, took, **keys):
    """A round: who picked (None: both passed), "ketchup H", "footlong mustard S", "smother", "works", and Ann's tricks.

    >>> round_of("Ann", "ketchup H", 11)["trump"]
    'H'
    """
    words = topping.split()
    suit = words.pop() if words[-1] in ("C", "D", "H", "S") else None
    smothered = "smother" in words
    return {
        "picker": picker,
        "topping": "works" if smothered else words[-1],
        "trump": suit,
        "smothered": smothered,
        "footlong": "footlong" in words,
        "relish": None,
        "works_first": None,
        "tricks": {ANN: took, BO: 17 - took},
        **keys,
    }


def document(*hands, **keys):
    """A sheet file of Ann and Bo; Ann deals first."""
    return dirty_dog([ANN, BO], *hands, **keys) | {"game": "hotdog"}


#: The score table as it stands in print: from so many tricks of the picker on, who gets what.
ORDINARY = {0: (1, "game"), 6: (1, 2), 9: (0, 1), 12: (0, 2), 15: (0, "game")}
USUAL = {
    "target": 5, "games_to_win": 2, "footlong": True, "footlong_points": 3, "footlong_fail": "game",
    "no_picker": "one_point",
}  # fmt: skip


def naive(sheet):
    """What the rounds of a good sheet come to: rows, games, whether the match is over. Worked out by columns."""
    house = USUAL | sheet.get("house_rules", {})
    players = sheet["players"]
    at = players.index(sheet.get("first_dealer", players[0]))
    totals, legs, rows = dict.fromkeys(players, 0), [], []
    for number, hand in enumerate(sheet["hands"], 1):
        dealer, other = players[(at + number - 1) % 2], players[(at + number) % 2]
        picker = hand["picker"]
        column = dict(ORDINARY)
        if picker is None:
            if house["no_picker"] == "none":
                column = {0: (0, 0)}
            elif house["no_picker"] == "one_point":
                column = {0: (1, 1), 9: (0, 1)}
            picker = other
        elif hand["footlong"]:
            column[12] = (0, house["footlong_points"])
            column[9] = column[6]
            if house["footlong_fail"] == "game":
                column[6] = column[9] = column[0]
        sides = (picker, next(name for name in players if name != picker))
        side, prize = column[max(line for line in column if line <= hand["tricks"][picker])]
        won = sides[side]
        points = {name: prize if prize != "game" and name == won else 0 for name in players}
        for name in players:
            totals[name] += points[name]
        if prize == "game":
            totals[won] = max(totals[won], house["target"])
        row = {"number": number, "dealer": dealer, "points": points, "totals": dict(totals)}
        rows.append(row | {"wins_game": won if prize == "game" else None})
        if totals[won] >= house["target"]:
            legs.append({"winner": won, "totals": dict(totals)})
            totals = dict.fromkeys(players, 0)
    counted = {name: sum(leg["winner"] == name for leg in legs) for name in players}
    finished = max(counted.values()) >= house["games_to_win"]
    winner = max(players, key=counted.__getitem__) if finished else None
    return {"hands": rows, "legs": legs, "legs_won": counted, "finished": finished, "winner": winner}
