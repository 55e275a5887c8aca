"""Hands of Bird Dog that are really dealt and played, card by card: whatever comes of them can be."""

from typing import NamedTuple

RANKS = "9TJQKA"
SUITS = "CDHS"
TWIN = dict(zip("CSDH", "SCHD", strict=True))


class Played(NamedTuple):
    """A hand as it lay on the table. `taken` are the very cards that each seat took, trick by trick."""

    turned: list[str]
    caller: int | None
    nil: int | None
    taken: dict[int, list[tuple[str, str, str]]]


def play(dice, order):
    """Shuffle, turn, call, and play seven tricks; who follows suit plays any card of it."""
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    dice.shuffle(cards)
    hands = {seat: cards[7 * place : 7 * place + 7] for place, seat in enumerate(order)}
    turned = cards[21 : 21 + dice.choice((1, 1, 2, 3))]
    caller = dice.choice(order) if len(turned) < 3 else None
    nil = dice.choice([None, None, *order])
    taken = {seat: [] for seat in order}
    leader = 0
    for _ in range(7):
        players = [order[(leader + k) % 3] for k in range(3)]
        trick = []
        for seat in players:
            follows = [card for card in hands[seat] if trick and card[1] == trick[0][1]] or hands[seat]
            # Who went nil plays low, so that it is made now and then.
            card = min(follows, key=lambda card: RANKS.index(card[0])) if seat == nil else dice.choice(follows)
            hands[seat].remove(card)
            trick.append(card)
        winner = players[trick.index(max(trick, key=lambda card: strength(card, turned[-1], trick[0])))]
        taken[winner].append(tuple(trick))
        leader = order.index(winner)
    return Played(turned, caller, nil, taken)


def strength(card, trump, led):
    """How high a card is in a trick: the Bird Dog, trump, the suit that was led, nothing."""
    is_dog = card == trump[0] + TWIN[trump[1]]
    return (3 if is_dog else 2 if card[1] == trump[1] else 1 if card[1] == led[1] else 0, RANKS.index(card[0]))


def faces(played):
    """How many jacks, queens and kings each seat took."""
    cards = {seat: [card for trick in tricks for card in trick] for seat, tricks in played.taken.items()}
    return {seat: {face: sum(card[0] == face for card in own) for face in "JQK"} for seat, own in cards.items()}


def pairs(played):
    """The pairs of each seat."""
    return {seat: sum(count // 2 for count in counts.values()) for seat, counts in faces(played).items()}


def turned(played):
    """The step of the turned cards and of who called."""
    step = {f"card-{k}": card for k, card in enumerate(played.turned, 1)}
    return step if played.caller is None else step | {"caller": played.caller}


def deal(dice, table, hand):
    """The steps of a hand: sometimes faces, sometimes pairs, and tricks mostly where nobody needs them."""
    played = play(dice, hand.order)
    counted = {f"{face.lower()}-{seat}": n for seat, own in faces(played).items() for face, n in own.items()}
    paired = {f"pairs-{seat}": count for seat, count in pairs(played).items()}
    is_counted = played.nil is not None or dice.random() < 0.5
    return {
        "turned": turned(played),
        "nil": {} if played.nil is None else {"nil": played.nil},
        "faces": dice.choice((counted, paired, counted | paired)),
        "tricks": {f"tricks-{seat}": len(own) for seat, own in played.taken.items()} if is_counted else {},
    }
