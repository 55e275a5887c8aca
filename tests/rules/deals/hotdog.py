"""A round of Hotdog that pays a point or two, so that a game lasts a few rounds."""


def deal(dice, table, hand):
    """One of the two picks a topping and takes 6 to 14 tricks."""
    picker, topping = dice.choice(hand.order), dice.choice(("ketchup", "mustard", "works"))
    bid = {"picker": picker, "topping": topping} | ({} if topping == "works" else {"trump": dice.choice("CDHS")})
    relish = {"relish": dice.randint(1, 9)} if dice.random() < 0.5 else {}
    took = dice.randint(6, 14)
    tricks = {f"tricks-{seat}": took if seat == picker else 17 - took for seat in hand.order}
    return {"bid": bid, "relish": relish, "tricks": tricks}
