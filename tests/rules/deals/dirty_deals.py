"""A deal of Dirty Deals as a table plays it: mostly a claim with few cards too many, now and then none."""

SUITS = ("C", "D", "H", "S")


def deal(dice, table, hand):
    if dice.random() < 0.1:
        return {"claim": {"given-up": True}}
    claimer, bower = dice.choice(table.seats), dice.choice(table.seats)
    surplus = dice.choice((0, 1, 2, 3, 4, 5, 7, 10)) + (claimer == bower)
    return {"claim": {"claimer": claimer, "suit": dice.choice(SUITS), "bower": bower, "surplus": surplus}}
