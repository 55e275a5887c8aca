"""A quiet hand of Dirty Dog: everybody bids nothing, and the first bidder takes it all."""


def deal(dice, table, hand):
    steps = {f"bid-{seat}": {"bid": 0} for seat in hand.order}
    return steps | {"tricks": {f"tricks-{seat}": hand.cards if seat == hand.leader else 0 for seat in hand.order}}
