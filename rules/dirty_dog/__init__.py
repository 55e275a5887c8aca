"""Dirty Dog: bids and tricks, up the stairs and down again. The club's own game.

It stands on :mod:`rules.core`. Begin with the class below, which leaves the work to the modules: ``schedule`` has its
hands, ``scoring`` their points, ``seating`` joining and leaving, ``ending``, ``groups`` and ``tie_breaks`` the outcome,
``files`` its part of a sheet file; the rest are chances, call-outs, words, figures and house rules. It is the largest
of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from rules.core.cards import DECK, TRUMPS
from rules.core.fields import Address, Ask, Choice, Count, Tick, Value
from rules.core.formats import FixedHands
from rules.core.game import Game
from rules.core.options import PlanChoice
from rules.core.outcome import Chances, Need, Settlement
from rules.core.problems import Problem
from rules.core.stakes import PlayOff
from rules.core.table import Hand, Result, Row, Table
from rules.core.texts import About, AsPlayed, CallOut, FirstDealer, HandNumber, Remark, RowWords, Worth, WorthHeads
from rules.dirty_dog import callouts, seating
from rules.dirty_dog.chances import chances_of
from rules.dirty_dog.ending import Ending
from rules.dirty_dog.figures import FIGURES, marks_of
from rules.dirty_dog.files import DirtyDogFile
from rules.dirty_dog.groups import Group
from rules.dirty_dog.house import HOUSE_RULES
from rules.dirty_dog.needs import needs_of
from rules.dirty_dog.schedule import (  # fmt: skip
    MOST_HANDS,
    by_length,
    by_peak,
    largest_peak,
    most_in_any_plan,
    plan_choices,
)
from rules.dirty_dog.scoring import (
    bids_of,
    earlier_bids,
    forbidden_bid,
    numbers_of,
    points,
    row_words,
    rule_was_missed,
    so_far,
    tables_of,
    tricks_of,
    trump_of,
    why_points,
    words_now,
    worth_of,
)
from rules.dirty_dog.tie_breaks import check_draw
from rules.dirty_dog.words import EXAMPLE, HOW_TO_PLAY, RULES, SCORING_IN_SHORT, TAGS, WORDS, WRITTEN


class DirtyDog(Game):
    """Bid what you will take; take what you have bid."""

    slug = "dirty-dog"
    name = "Dirty Dog"
    blurb = "Bids and tricks, up the stairs and down again"
    players = range(2, 26)
    made_for = range(4, 11)
    seatings = ("arrive", "leave", "substitute", "reseat")
    events = (*seatings, *Game.events)
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    tags = TAGS
    written = WRITTEN
    figures = FIGURES
    house_rules = HOUSE_RULES
    scoring_in_short = SCORING_IN_SHORT
    file = DirtyDogFile()
    pad = "bidding"
    has_bids = has_tricks = has_trump = True
    speaks_first = "bids first"
    worth_heads = WorthHeads("What each bid is worth", "Bid", "Made", "Set")
    first_dealer_by = FirstDealer("jack", "Who was dealt the first jack?")
    play_off = PlayOff(losers_table=True, champion_deals=True, for_trophies=True)

    # -- the table and its hands (Rules 3 and 4) ------------------------------------------------------

    def setup_problems(
        self, seats: Sequence[int], plan: Mapping[str, int], house_rules: Mapping[str, Value]
    ) -> Iterator[Problem]:
        """Players, the hands and house rules; fewer than four or more than ten are a warning."""
        usual = list(super().setup_problems(seats, plan, house_rules))
        yield from usual
        n = len(seats)
        if n not in self.players:
            return
        if n < self.made_for[0]:
            yield Problem(
                "few-players",
                f"Dirty Dog is best with four or more players; there are {n} of you.",
                "players",
                blocking=False,
            )
        if n > self.made_for[-1]:
            yield Problem("many-players", f"{n} players: two tables are better.", "players", blocking=False)
        whole = house_rules.get("deal_whole_deck") is True
        most = largest_peak(n, whole_deck=whole)
        if "hands" in plan and not 1 <= plan["hands"] <= MOST_HANDS:
            yield Problem("bad-plan", f"A game has 1 to {MOST_HANDS} hands.", "hands")
        if not 0 <= plan.get("extra_rounds", 0) <= MOST_HANDS // n - 2:
            yield Problem("bad-plan", "That number of extra rounds is not possible.", "extra_rounds")
        if "peak" in plan and not 1 <= plan["peak"] <= most:
            yield Problem(
                "bad-peak", f"With {n} players the most cards can be 1 to {most}.", "peak", params={"most": most}
            )
        cards = house_rules.get("tie_break_cards")
        if isinstance(cards, int) and cards > largest_peak(n) and not any(p.field == "tie_break_cards" for p in usual):
            yield Problem(
                "bad-house-rule", f"A blind hand of {n} players has at most {largest_peak(n)} cards.", "tie_break_cards"
            )

    def schedule(self, seats: int, plan: Mapping[str, int], house_rules: Mapping[str, Value]) -> tuple[int, ...]:
        """The cards of every hand: by length where the length was chosen, else by the most cards."""
        whole = house_rules["deal_whole_deck"] is True
        if "hands" in plan:
            return by_length(seats, plan["hands"], whole_deck=whole)
        peak = plan.get("peak", largest_peak(seats, whole_deck=whole))
        return by_peak(seats, peak, plan.get("extra_rounds", 0))

    def most_in_any_plan(self, seats: int) -> tuple[int, ...]:
        """One card more with every hand, up to the most that can be dealt, for as long as a game can be planned."""
        return most_in_any_plan(seats)

    def plan_choices(self, seats: int, house_rules: Mapping[str, Value]) -> tuple[PlanChoice, ...]:
        """By the most cards, or by the number of hands (Rule 4)."""
        return (
            plan_choices(seats, whole_deck=house_rules.get("deal_whole_deck") is True) if seats in self.players else ()
        )

    def format(self, table: Table) -> FixedHands:
        """As many hands as are planned."""
        return FixedHands(len(table.schedule))

    def deal(self, table: Table) -> Hand:
        """The next hand; where more people sit than were planned for, it is cut to what the deck allows."""
        most = largest_peak(len(table.seats), whole_deck=table.house_rules["deal_whole_deck"] is True)
        number, dealer = table.hands_done + 1, table.next_dealer
        return Hand(number, dealer, table.speaking_order(dealer), min(table.schedule[number - 1], most))

    # -- one hand (Rules 5 to 11) -----------------------------------------------------------------------

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """Trump where the table wants it noted, a bid from each in turn, then the tricks of all."""
        if not hand.prefix:
            yield Ask("trump", (
                Choice("suit", TRUMPS, "bad-suit", optional=True), Choice("turned", DECK, "bad-card", optional=True),
            ), optional=True)  # fmt: skip
            yield Ask("rule-missed", (Tick("missed"),), optional=True)
        for seat in hand.order:
            yield Ask(f"bid-{seat}", (Count("bid", 0, hand.cards, "bid-out-of-range", seat),), seat=seat)
        yield Ask(
            "tricks", tuple(Count(f"tricks-{seat}", 0, hand.cards, "tricks-out-of-range", seat) for seat in hand.order)
        )

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """The Rule (Rule 7) for the last bidder, the sum of the tricks, four cards of one rank in a draw."""
        if ask.name.startswith("bid-"):
            yield from self.check_the_rule(hand, ask, cast("int", step["bid"]))
        elif ask.name == "tricks":
            taken = sum(cast("int", count) for count in step.values())
            if taken != self.due_sum(table, hand):
                many = "trick" if hand.cards == 1 else "tricks"
                wrong = "too many" if taken > hand.cards else "too few"
                yield Problem(
                    "tricks-sum", f"The hand has {hand.cards} {many}; these are {wrong}.", params={"cards": hand.cards}
                )
        elif ask.name == "trump" and (step.get("suit") is None) == (step.get("turned") is None):
            yield Problem("bad-suit", "Give the trump suit or the turned card, not both.", "suit")
        elif ask.name.startswith("draw-"):
            yield from check_draw(step)

    def check_the_rule(self, hand: Hand, ask: Ask, bid: int) -> Iterator[Problem]:
        """Rule 7: the bids may not come to the number of cards, which only the last bidder can make them do."""
        if ask.seat != hand.order[-1] or rule_was_missed(hand):
            return
        earlier = earlier_bids(hand)
        if len(earlier) == len(hand.order) - 1 and sum(earlier) + bid == hand.cards:
            yield Problem(
                "the-rule", f"The Rule: you cannot bid {bid}.", "bid", ask.seat,
                params={"forbidden": bid, "cards": hand.cards, "earlier": sum(earlier)},
            )  # fmt: skip

    def may_take_back(self, table: Table, hand: Hand, ask: str) -> Problem | None:
        """Rule 8: only the latest bid, while the next player has not bid; the dealer's until a card is played."""
        if not ask.startswith("bid-"):
            return None
        seat, bids = int(ask.removeprefix("bid-")), list(bids_of(hand))
        if seat not in bids:
            return Problem("no-such-bid", "That bid has not been made.", "bid", seat)
        if bids[-1] != seat:
            return Problem("bid-locked", "The next player has bid; this bid stands (Rule 8).", "bid", seat)
        if seat == hand.order[-1] and table.house_rules["dealer_bid_final"]:
            return Problem("bid-locked", "House rule: the dealer cannot take their bid back.", "bid", seat)
        return None

    def avoided_sum(self, table: Table, hand: Hand) -> int | None:
        """Rule 7: the number of cards, unless the table has let it pass."""
        return None if rule_was_missed(hand) else hand.cards

    def due_sum(self, table: Table, hand: Hand) -> int:
        """Every trick has one taker."""
        return hand.cards

    def as_played(self, problem: Problem) -> AsPlayed | None:
        """Rule 7 was missed and nobody noticed: the bids stand."""
        if problem.code != "the-rule":
            return None
        cards = problem.params["cards"]
        span = "1 card" if cards == 1 else f"{cards} cards"
        return AsPlayed(f"The bids come to the {span}: The Rule does not allow that.", "rule-missed", {"missed": True})

    def remark(self, hand: Hand) -> str:
        """That The Rule was missed, where the bids do come to the cards."""
        came = rule_was_missed(hand) and sum(bids_of(hand).values()) == hand.cards
        return "The bids came to the cards; played as it was." if came else ""

    def look_up(self, table: Table) -> Mapping[str, object]:
        """What bids are worth, what sums of them are called, whether the dealer's stands at once."""
        return tables_of(
            largest_peak(len(table.seats), whole_deck=True), last_stands=table.house_rules["dealer_bid_final"] is True
        )

    def result(self, table: Table, hand: Hand) -> Result:
        """Made: five and one for each trick. Set: the greater of bid and tricks comes off (Rule 11)."""
        bids, tricks = bids_of(hand), tricks_of(hand)
        return Result({seat: points(bids[seat], tricks[seat]) for seat in table.seats})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points."""
        return why_points(bids_of(hand)[seat], tricks_of(hand)[seat])

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Cards, dealer, first and last bidder, trump, the forbidden bid."""
        return tuple(numbers_of(hand))

    def beside(self, row: Row) -> RowWords:
        """Bid over tricks."""
        return row_words(row.hand)

    def beside_now(self, table: Table, hand: Hand) -> RowWords:
        """The bids as they fall."""
        return words_now(hand)

    def so_far(self, table: Table, hand: Hand) -> tuple[About, ...]:
        """What was bid, and who leads."""
        return tuple(so_far(hand))

    def worth(self, table: Table, hand: Hand) -> tuple[Worth, ...]:
        """Every bid with what it brings and what it costs."""
        return tuple(worth_of(hand.cards))

    def plan_remark(self, table: Table) -> str:
        """Rule 4 wants everybody to deal equally often; a length of one's own may not allow it."""
        hands, n = len(table.schedule), len(table.seats)
        span = "1 hand" if hands == 1 else f"{hands} hands"
        return f"{span} for {n} players: the deal does not come out even (Rule 4)." if hands % n else ""

    def trump(self, hand: Hand) -> str | None:
        """The suit that was chosen or turned; any ace means no trump (Rule 5)."""
        return trump_of(hand)

    # -- who comes and who goes (Rules 1 and 10) -------------------------------------------------------

    def event_ask(self, table: Table, kind: str, k: int) -> Ask:
        """What is written down when somebody comes, goes, takes over or moves, beside what happens in every game."""
        return seating.event_ask(table, kind, k) if kind in self.seatings else super().event_ask(table, kind, k)

    def check_event(self, table: Table, kind: str, step: Mapping[str, Value]) -> Iterator[Problem]:
        """Nobody sits down twice, nobody leaves before the start, two remain, everybody keeps a chair."""
        yield from super().check_event(table, kind, step)
        n, best = len(table.seats), self.made_for
        match kind:
            case "arrive":
                if step["seat"] in table.seats:
                    yield Problem("duplicate-player", "That seat is taken.", "seat")
                if n + 1 not in self.players:
                    yield Problem("bad-players", self.players_sentence(), "seat")
                elif n + 1 > best[-1]:
                    yield Problem("many-players", f"{n + 1} players: two tables are better.", "seat", blocking=False)
            case "leave":
                if not table.hands_done:
                    yield Problem(
                        "leave-before-start", "Nobody can go home early before the first hand is scored.", "seat"
                    )
                if n - 1 not in self.players:
                    yield Problem("bad-players", "At least two must stay at the table.", "seat")
                elif n - 1 < best[0]:
                    yield Problem("few-players", f"Only {n - 1} would go on.", "seat", blocking=False)
            case "reseat" if len(set(step.values())) < n:
                yield Problem("wrong-players", "Everybody at the table needs one chair.")

    def happen(self, table: Table, kind: str, step: Mapping[str, Value]) -> Table:
        """The table after the event."""
        return seating.happen(table, kind, step) if kind in self.seatings else super().happen(table, kind, step)

    def remarks(self, table: Table) -> tuple[Remark, ...]:
        """Who went home lowest takes the loser's trophy, unless somebody ends lower (Rule 10)."""
        return tuple(seating.remarks(table))

    def carried_ask(self, table: Table) -> Ask:
        """Hands kept elsewhere: how many, who dealt the last of them, everybody's total."""
        return seating.carried_ask(len(table.schedule), table.seats)

    def carry(self, table: Table, step: Mapping[str, Value]) -> Table:
        """The table with those hands behind it."""
        last = cast("int", step["last_dealer"])
        return replace(
            table,
            hands_done=cast("int", step["hands"]),
            last_dealer=last,
            next_dealer=table.left_of(last),
            totals={seat: cast("int", step[f"total-{seat}"]) for seat in table.seats},
        )

    # -- the end (Rule 13) and what is called out ------------------------------------------------------

    def settle(self, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> Settlement:
        """Highest wins, lowest takes the loser's trophy, or who goes on; ties by blind hands and by drawing."""
        return (Group if table.decides.is_group else Ending)(self, table, entries).settle()

    def hand_callouts(self, row: Row) -> tuple[CallOut, ...]:
        """What the table calls after the hand."""
        return tuple(callouts.of_hand(row, buddies_gap=cast("int", row.table.house_rules["bottom_buddies_gap"])))

    def game_callouts(self, table: Table, settlement: Settlement) -> tuple[CallOut, ...]:
        """Clean runs and First Place Losers."""
        return tuple(callouts.of_game(table, settlement))

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """Dog piles, and what The Rule did to the last bidder."""
        return marks_of(row)

    def chances(self, table: Table, hands: Sequence[Hand]) -> Chances | None:
        """By the best and the worst that the hands to come can bring (Rules 11 and 13)."""
        return chances_of(table, hands)

    def needs(self, table: Table, hands: Sequence[Hand]) -> tuple[Need, ...]:
        """By all the ways in which the last two hands can go (Rules 7 and 11)."""
        return tuple(needs_of(table, hands))

    def describe_row(self, row: Row) -> dict[str, object]:
        """Cards, the forbidden bid, trump where it was noted, call-outs."""
        trump = trump_of(row.hand)
        return {
            "cards": row.hand.cards,
            "forbidden_bid": forbidden_bid(row.hand),
            "callouts": list(self.hand_callouts(row)),
        } | ({"trump": trump} if trump else {})

    def describe_sheet(self, table: Table) -> dict[str, object]:
        """How many hands are planned."""
        return {"planned_hands": len(table.schedule)}
