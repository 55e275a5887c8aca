"""Points of any game: mostly some for one, now and then some off, and often none."""


def deal(dice, table, hand):
    """The one step of a hand."""
    return {"points": {f"points-{seat}": dice.choice((0, 0, 5, 12, 25, -8, 999, -999)) for seat in table.seats}}
