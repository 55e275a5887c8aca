"""Dirty Deals in a sheet file: the shape of its deals, reading them and writing them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

from rules.core.cards import SUITS
from rules.core.fields import Value
from rules.core.files.game_file import LEGS, GameFile
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.schema import Flag, ListOf, Members, Name, OneOf, Shape, Text, Whole
from rules.core.problems import Problem
from rules.core.table import Hand, Row
from rules.dirty_deals.claims import CARDS, Claim, claim_ask, problems_of, six_of

NOTE: dict[str, Shape] = {"note": Text()}
ITEM = OneOf({
    "given_up": Members({"given_up": Flag(only=True)}, NOTE),
    "claimer": Members(
        {"claimer": Name(), "suit": Text(), "bower_holder": Name()},
        {"surplus": Whole(), "cards": ListOf(Text()), **NOTE},
    ),
})  # fmt: skip
#: Where the sheet file says what stands in a field.
KEYS = {"bower": "bower_holder"}


class DirtyDealsFile(GameFile):
    """A deal as the sheet file says it: a claim, or that it was given up."""

    def item_shape(self) -> Shape:
        """A claim, or a deal that was given up."""
        return ITEM

    def result_shape(self) -> Members:
        """The rubbers."""
        return Members(LEGS, {})

    def read_item(self, item: ItemReader) -> None:
        """Write one deal into the sheet."""
        if item.has("given_up"):
            item.write("claim", {"given-up": True}, "given_up")
        else:
            read_claim(item)
        item.scored()

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """One deal."""
        claim = Claim.of(hand.steps["claim"])
        if claim.given_up:
            item.put("given_up", value=True)
            return
        item.put("claimer", item.names[cast("int", claim.claimer)])
        item.put("suit", claim.suit)
        if claim.surplus is not None:
            item.put("surplus", claim.surplus)
        item.put("bower_holder", item.names[cast("int", claim.bower)])
        if claim.cards:
            item.put("cards", sorted({*claim.cards, *six_of(cast("str", claim.suit))}, key=CARDS.index))


def read_claim(item: ItemReader) -> None:
    """A claim: every problem under the key it belongs to, and a step only where there is none."""
    step: dict[str, Value] = {"claimer": item.seat("claimer"), "suit": item.get("suit")}
    step |= {"bower": item.seat("bower_holder")}
    if "surplus" in item.item:
        step["surplus"] = item.get("surplus")
    if "cards" in item.item:
        step |= {f"card-{card}": True for card in read_cards(item)}
    elif "surplus" not in item.item:
        item.refuse("bad-document", "How many cards, or which, the claimer has is missing.", "surplus")
    for problem in problems_of_step(item, step):
        key = "cards" if (problem.field or "").startswith("card-") else KEYS.get(problem.field or "", problem.field)
        item.sheet.refuse(replace(problem, field=key, hand=item.number))
    if not item.is_refused:
        item.write("claim", step)


def problems_of_step(item: ItemReader, step: dict[str, Value]) -> list[Problem]:
    """What is wrong with the fields and with what they say together; what is missing has been said already."""
    problems = [*claim_ask(item.table.seats).problems(step), *problems_of(Claim.of(step))]
    listed = item.item.get("cards")
    if isinstance(listed, list) and len(listed) != len(set(listed) & set(CARDS)):
        # With a card in doubt the hand does not tell how many there are.
        problems = [problem for problem in problems if problem.code != "surplus-mismatch"]
    return [problem for problem in problems if problem.code != "missing-field"]


def read_cards(item: ItemReader) -> list[str]:
    """The claimer’s hand as far as it holds cards of this deck, each once."""
    listed = Counter(cast("list[str]", item.item["cards"]))
    suit = item.get("suit")
    if suit in SUITS and not any(card in listed for card in six_of(suit)):
        item.refuse("claim-incomplete", "All six of the suit belong to the claim; none of them is there.", "cards")
    for card, times in listed.items():
        if card not in CARDS:
            item.refuse("bad-card", "Dirty Deals is played with nines to aces; that card is not in the deck.", "cards")
        elif times > 1:
            item.refuse("duplicate-card", "A card is in the hand twice.", "cards")
    return [card for card in listed if card in CARDS]
