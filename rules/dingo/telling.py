"""Piles and points of Dingo as text and signs, without names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.core.cards import RANK_NAMES, RANKS, SUIT_SIGNS, rank_shown
from rules.core.numbers import bare
from rules.core.table import Hand, Row, Table
from rules.core.texts import RowWords, Worth
from rules.dingo.hunts import ACE, HUNTED, Hunt, held_of, hunts_of, name_of
from rules.dingo.piles import DINGO, RABBIT, WOLF, Card, Piles, Values, outcome, piles_of, red_handed

KINDS = (RABBIT, DINGO, WOLF)
PLURALS = {RABBIT: "rabbits", DINGO: "dingoes", WOLF: "wolves"}
#: In a penalty pile lie no wolves.
SIGNS = {RABBIT: SUIT_SIGNS["D"], DINGO: SUIT_SIGNS["H"]}


def ranks_of(cards: Iterable[Card]) -> str:
    """The ranks of some cards, low to high: "4 J K"."""
    return " ".join(rank_shown(card.rank) for card in sorted(cards, key=lambda card: RANKS.index(card.rank)))


def listed(parts: list[str]) -> str:
    """Parts of a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def kinds_in(cards: Iterable[Card]) -> Iterator[str]:
    """What lies in a pile, kind by kind: "the rabbits 4 J", "the wolf 4"; "the ace rabbit" for an ace."""
    cards = list(cards)
    for kind in KINDS:
        same = [card for card in cards if card.kind == kind and card.rank != ACE]
        if same:
            yield f"{kind if len(same) == 1 else PLURALS[kind]} {ranks_of(same)}"
        aces = sum(card == Card(kind, ACE) for card in cards)
        if aces:
            yield f"the ace {kind}" if aces == 1 else f"both ace {PLURALS[kind]}"


def why(table: Table, hand: Hand, seat: int) -> str:
    """The sentence behind a seat's points: what it scored, what it lost, whether it was caught."""
    values, piles = Values.of(table.house_rules), piles_of(table, hand)[seat]
    scored, lost = values.scored(piles), values.lost(piles)
    text = f"scored {listed(list(kinds_in(piles.scored)))}: {scored}" if piles.scored else "scored nothing: 0"
    if piles.lost:
        text += f"; penalty {listed(list(kinds_in(piles.lost)))}: {lost}; {scored} − {lost} = {bare(scored - lost)}"
    return text + (f"; caught red-handed with {evidence(table, hand, seat)}" if seat in red_handed(table, hand) else "")


def evidence(table: Table, hand: Hand, seat: int) -> str:
    """With what a seat was caught: "the dingo 7 and the dingo J"."""
    held = [f"the dingo {rank_shown(rank)}" for rank, holder in held_of(table, hand).items() if holder == seat]
    return listed(held) if held else "the ace rabbit"


def in_short(table: Table, hand: Hand, seat: int) -> str:
    """A seat's piles as the running sheet has them: "5 − 2"."""
    values, piles = Values.of(table.house_rules), piles_of(table, hand)[seat]
    return f"{values.scored(piles)} − {values.lost(piles)}"


def beside(row: Row) -> RowWords:
    """Every seat's piles, and below them who won the hand and who was caught red-handed."""
    winners, caught = winners_of(row), red_handed(row.table, row.hand)
    now = beside_now(row.table, row.hand)
    cells = {seat: in_short(row.table, row.hand, seat) for seat in row.table.seats}
    aloud = {seat: now.aloud.get(seat, "no cards in either pile") for seat in row.table.seats}
    for seat in row.table.seats:
        if seat in winners:
            cells[seat] += "\nwon"
            aloud[seat] += ", won the hand" if len(winners) == 1 else ", shares the hand"
        if seat in caught:
            cells[seat] += "\ncaught"
            aloud[seat] += ", caught red-handed"
    return RowWords("", cells, aloud, frozenset(caught))


def beside_now(table: Table, hand: Hand) -> RowWords:
    """The piles of the hand that is played, of those who have something before them."""
    values, laid = Values.of(table.house_rules), piles_of(table, hand)
    some = {seat: piles for seat, piles in laid.items() if piles.scored or piles.lost}
    aloud = {
        seat: f"{values.scored(piles)} scored, {values.lost(piles)} in the penalty pile" for seat, piles in some.items()
    }
    return RowWords("", {seat: in_short(table, hand, seat) for seat in some}, aloud)


def beside_places(table: Table) -> dict[int, str]:
    """Hands won and points a hand: "2 hands won, 3.5 a hand"."""
    won = hands_won(table)
    return {
        seat: f"{won[seat]} {'hand' if won[seat] == 1 else 'hands'} won, {average(table, seat)} a hand"
        for seat in table.seats
        if table.hands_done
    }


def shows(table: Table, hand: Hand) -> dict[str, str]:
    """The words of the page that change with what is written: everybody's piles and the sum of a session so far.

    By the number of a seat: ``hand-1`` (what the piles are worth: "5 − 2"), ``rabbits-1``, ``dingoes-1``, ``wolves-1``
    (the ranks in the scoring pile), ``penalty-1`` (the cards in the other), ``won-1`` (hands won), and, until the hunt
    begins, ``last-1`` (what the hand before was worth, and whether it was won). By ask: ``at-hunt-7``, a sign for what
    came of it.
    """
    words = dict[str, str]()
    for seat, piles in piles_of(table, hand).items():
        words[f"hand-{seat}"] = in_short(table, hand, seat) if piles.scored or piles.lost else ""
        for kind in KINDS:
            words[f"{PLURALS[kind]}-{seat}"] = ranks_of(piles.of(kind))
        words[f"penalty-{seat}"] = " ".join(f"{SIGNS[card.kind]}{rank_shown(card.rank)}" for card in piles.lost)
        won = hands_won(table)[seat]
        words[f"won-{seat}"] = f"{won} won" if won else ""
        words[f"last-{seat}"] = of_the_last(table.rows[-1], seat) if table.rows and not hand.steps else ""
    hunts = hunts_of(table, hand)
    for rank in (*HUNTED, ACE):
        words[f"at-{name_of(rank)}"] = came_of(hunts.get(rank))
    return words


def of_the_last(row: Row, seat: int) -> str:
    """What a scored hand was worth to a seat: "hand 3: 5 − 2, won"."""
    return f"hand {row.hand.number}: " + beside(row).cells[seat].replace("\n", ", ")


def came_of(hunt: Hunt | None) -> str:
    """What came of a hunt, in a sign: nothing yet, nobody, or how many wolves."""
    if hunt is None:
        return ""
    return "–" if hunt.dingo is None else "♥" + "•" * len(hunt.wolves)


def hands_won(table: Table) -> dict[int, int]:
    """How many hands each seat has won; a shared one counts for all who share it."""
    return {seat: sum(seat in winners_of(row) for row in table.rows) for seat in table.seats}


def winners_of(row: Row) -> tuple[int, ...]:
    """Who won a scored hand."""
    winners = row.result.facts.get("winners", ())
    return winners if isinstance(winners, tuple) else ()


def average(table: Table, seat: int) -> str:
    """The points a hand so far, with one decimal; "" before the first.

    A half is rounded away from 0.
    """
    if not table.hands_done:
        return ""
    total, hands = table.totals[seat], table.hands_done
    tenths = (abs(total) * 20 + hands) // (2 * hands)
    return f"{'−' if total < 0 and tenths else ''}{tenths // 10}.{tenths % 10}"


def settled(table: Table, hand: Hand) -> dict[str, object]:
    """What a complete hand leaves behind beside its points: who was caught, who won, whether a rabbit settled it."""
    piles, values = piles_of(table, hand), Values.of(table.house_rules)
    caught = red_handed(table, hand)
    result = outcome(piles, {seat: values.score(piles[seat]) for seat in table.seats}, caught)
    return {"red_handed": caught, "winners": result.winners, "tied": result.tied, "by_rabbit": result.by_rabbit}


def worth_of(values: Values) -> Iterator[Worth]:
    """What a card is worth in the scoring pile, and what it costs in the penalty pile (Rule 7).

    >>> [(worth.label, worth.made, worth.missed) for worth in worth_of(Values(2, DINGO))][1:3]
    [('ten', '+2', '−2'), ('jack, queen, king', '+2', '−2')]
    """
    yield Worth("2 to 9", "+1", "−1")
    yield Worth("ten", f"+{values.ten}", f"−{values.ten}")
    yield Worth("jack, queen, king", "+2", "−2")
    other = RABBIT if values.ten_point_ace == DINGO else DINGO
    yield Worth(f"the ace {values.ten_point_ace}", "+10", "−3")
    yield Worth(f"the ace {other}", "+3", "−3")
    yield Worth("a black ace", "+3", "none")


def best_rabbit(piles: Piles) -> str:
    """The highest rabbit of a scoring pile.

    >>> [best_rabbit(Piles([Card(RABBIT, rank) for rank in ranks])) for ranks in ("3J7", "KA")]
    ['the jack of rabbits', 'the ace rabbit']
    """
    best = max(piles.of(RABBIT), key=lambda card: RANKS.index(card.rank))
    return "the ace rabbit" if best.rank == ACE else f"the {RANK_NAMES[best.rank]} of rabbits"
