"""The class `Game`: what a game must define, and what it may define, to be kept on a sheet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from rules.core.fields import Address, Ask, Value
from rules.core.formats import FixedHands, Format, Leg, OpenEnd, Race
from rules.core.leading import Leading
from rules.core.options import TABLE_RULES, HouseRule, PlanChoice
from rules.core.outcome import Chances, Need, Settlement
from rules.core.placings import SeatNumber, box_and_circle
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides, PlayOff
from rules.core.table import Event, Hand, Result, Row, Table, once_for_row
from rules.core.texts import (
    About,
    AsPlayed,
    CallOut,
    Example,
    Figure,
    FirstDealer,
    HandNumber,
    Passage,
    Remark,
    RowWords,
    RuleText,
    Word,
    Worth,
    WorthHeads,
    Written,
)


class FileFormat:
    """How a game stands in a sheet file: what `rules.core.files.game_file.GameFile`, the one kind of it, says."""


class Game(ABC):
    """A machine that says what to write down next, and what the written-down things are worth.

    A game knows seats, never names, clocks or databases. Everything it is asked is a pure question.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    #: How many can play at all; outside of it: ``bad-players``.
    players: ClassVar[range]
    #: How many it is made for; outside of it: a warning.
    made_for: ClassVar[range]
    #: Its own are declared by the game; those of every table (``TABLE_RULES``) come after them by themselves.
    house_rules: ClassVar[tuple[HouseRule, ...]] = TABLE_RULES
    #: What may happen between hands. Each is an ask ``<kind>-<k>`` of the coming hand. A misdeal and an early end can
    #: happen at every table; who has more says ``(*Game.events, "more")``.
    events: ClassVar[tuple[str, ...]] = ("misdeal", "stop")
    #: Those of them that change who sits where. They can be noted for the next hand while one is played, and who joins
    #: starts with the lowest total of those who sat there then.
    seatings: ClassVar[tuple[str, ...]] = ()
    blurb: ClassVar[str] = ""
    #: For somebody who has never played it: the aim, the cards, what a hand is. The rules by number come after it.
    how_to_play: ClassVar[tuple[Passage, ...]] = ()
    rules_text: ClassVar[tuple[RuleText, ...]] = ()
    #: One hand with its points, on the page of the rules.
    example: ClassVar[Example | None] = None
    words: ClassVar[tuple[Word, ...]] = ()
    #: Tags a table may put on a hand, never counted.
    tags: ClassVar[tuple[str, ...]] = ()
    #: How it is scored, in one short line for the foot of a paper sheet.
    scoring_in_short: ClassVar[str] = ""
    #: What the first to speak does, as it is said after a name: "Di bids first". "": only the cards tell who it is.
    speaks_first: ClassVar[str] = "begins"
    leading: ClassVar[Leading] = Leading()  # who leads the first trick, and who speaks first
    leg_name: ClassVar[str] = "game"  # what a leg is called, where there are legs: "game", "rubber"
    #: The words over what :meth:`worth` lists.
    worth_heads: ClassVar[WorthHeads] = WorthHeads()
    #: How the first dealer is found. Default: the table says who.
    first_dealer_by: ClassVar[FirstDealer] = FirstDealer()
    #: What it has for play-offs and trophies.
    play_off: ClassVar[PlayOff] = PlayOff()
    #: What is written down, in words: by the name of the ask, or by that without its number.
    written: ClassVar[Mapping[str, Written]] = {}
    #: What is told of a player over many games, made of what :meth:`marks` says of their hands.
    figures: ClassVar[tuple[Figure, ...]] = ()

    #: Whether everybody bids a number (``bid-<seat>``), everybody's tricks are counted (``tricks``), and there is a
    #: :meth:`trump`: columns of CSV files, records and searches follow from them.
    has_bids: ClassVar[bool] = False
    has_tricks: ClassVar[bool] = False
    has_trump: ClassVar[bool] = False
    #: Whether scores of different tables can be compared. Where they cannot, there are no averages, bests and records
    #: of points; places count as everywhere.
    has_comparable_scores: ClassVar[bool] = True
    #: The pad it is kept on. ``prompts``, one ask after the other, serves every game. ``bidding`` is for bids of all
    #: in turn (``bid-<seat>``) and ``tricks`` of all, in hands with ``cards``; its :meth:`look_up` must have ``sums``,
    #: ``worth`` and ``last_stands`` (see ``rules.dirty_dog``).
    pad: ClassVar[Literal["bidding", "prompts"]] = "prompts"
    #: How it stands in a sheet file: a ``GameFile`` of its own. None: every answer under the name of its ask.
    file: ClassVar[FileFormat | None] = None

    def __init_subclass__(cls) -> None:
        """Every game has the house rules of all tables, whatever it declares."""
        super().__init_subclass__()
        cls.house_rules = (*(rule for rule in cls.house_rules if rule not in TABLE_RULES), *TABLE_RULES)

    @property
    def module(self) -> str:
        """How its files are named, the module in ``rules`` first: ``bird_dog`` of ``bird-dog``."""
        return self.slug.replace("-", "_")

    # -- what a game must say ------------------------------------------------------------------------

    @abstractmethod
    def format(self, table: Table) -> Format:
        """How long this table plays."""

    @abstractmethod
    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """What is written down in this hand, in order."""

    @abstractmethod
    def result(self, table: Table, hand: Hand) -> Result:
        """What the complete hand is worth: points of every seat at the table, in any order.

        Asked of complete hands only; arithmetic and nothing else.
        """

    @abstractmethod
    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points of a complete hand, without names."""

    # -- what a game may say -------------------------------------------------------------------------

    def setup_problems(
        self, seats: Sequence[int], plan: Mapping[str, int], house_rules: Mapping[str, Value]
    ) -> Iterator[Problem]:
        """Everything wrong, or unwise, about opening a table like this."""
        if len(seats) not in self.players:
            yield Problem("bad-players", self.players_sentence(), "players", params={"players": len(seats)})
        for rule in self.house_rules:
            problem = rule.problem(house_rules.get(rule.key, rule.default))
            if problem:
                yield problem
        for key in house_rules:
            if key not in {rule.key for rule in self.house_rules}:
                yield Problem("bad-document", f"{self.name} has no house rule called {key[:40]}.", "house_rules")

    def players_sentence(self) -> str:
        """How many can play, as a sentence."""
        fewest, most = self.players[0], self.players[-1]
        span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        return f"{self.name} is for {span} players."

    def schedule(self, seats: int, plan: Mapping[str, int], house_rules: Mapping[str, Value]) -> tuple[int, ...]:
        """The cards of every planned hand, where the game plans them."""
        return ()

    def most_in_any_plan(self, seats: int) -> tuple[int, ...]:
        """The most cards that each hand can have, and the most hands, whatever the plan.

        Empty: nothing can be told of the hands in a sheet file whose plan is impossible.
        """
        return ()

    def plan_choices(self, seats: int, house_rules: Mapping[str, Value]) -> tuple[PlanChoice, ...]:
        """The ways in which so many players can say how long they play, the proposed one first. Empty: it is fixed."""
        return ()

    def open_table(
        self,
        seats: Sequence[int],
        first_dealer: int,
        plan: Mapping[str, int] | None = None,
        house_rules: Mapping[str, Value] | None = None,
        decides: Decides = ALL,
    ) -> Table:
        """The table before the first hand. The set-up must have no blocking ``setup_problems``."""
        chosen = {rule.key: rule.default for rule in self.house_rules} | dict(house_rules or {})
        return Table(
            seats=tuple(seats),
            first_dealer=first_dealer,
            next_dealer=first_dealer,
            plan=dict(plan or {}),
            house_rules=chosen,
            schedule=self.schedule(len(seats), plan or {}, chosen),
            totals=dict.fromkeys(seats, 0) | {seat: total for seat, total in decides.start.items() if seat in seats},
            decides=decides,
        )

    def over(self, table: Table) -> bool:
        """Whether no further hand is dealt."""
        if table.stopped:
            return True
        match self.format(table):
            case FixedHands(hands):
                return table.hands_done >= hands
            case Race(legs_to_win=legs):
                return max(table.legs_won().values()) >= (legs or 1)
            case OpenEnd(target):
                return target is not None and max(table.totals.values()) >= target

    def lowest_wins(self, table: Table) -> bool:
        """Whether the lowest total is the best at this table: the box is round it, and the circle round the highest.

        Not for a :class:`Race`, which the highest total wins.
        """
        return False

    def box_and_circle(self, table: Table, totals: Mapping[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The seats with the best and those with the worst of the totals; all of them, where several share one."""
        return box_and_circle(totals, lowest_wins=self.lowest_wins(table))

    def deal(self, table: Table) -> Hand:
        """The next hand, nothing written down yet."""
        dealer = table.next_dealer
        return Hand(table.hands_done + 1, dealer, table.speaking_order(dealer))

    def event_ask(self, table: Table, kind: str, k: int) -> Ask:
        """The ask ``<kind>-<k>`` for something that happens before the next hand. A misdeal and an end say no more."""
        if kind not in Game.events:
            raise KeyError(kind)
        return Ask(f"{kind}-{k}", (), optional=True)

    def check_event(self, table: Table, kind: str, step: Mapping[str, Value]) -> Iterator[Problem]:
        """Everything wrong with the event beyond its fields. Default: nothing ends before it has begun."""
        if kind == "stop" and not table.hands_done:
            yield Problem("bad-plan", "There is nothing to settle before the first hand is scored.")

    def happen(self, table: Table, kind: str, step: Mapping[str, Value]) -> Table:
        """The table after the event, asked of events without a blocking problem only. A misdeal changes nothing."""
        if kind not in Game.events:
            raise KeyError(kind)
        return replace(table, stopped=True) if kind == "stop" else table

    def lasts(self, table: Table, event: Event) -> int | None:
        """For how many minutes from when it was written an event goes on, for a clock; 0: what went on is over.

        None: the event takes no time. Rules read no clock; whoever shows one knows when the event was written.
        """
        return None

    def carry(self, table: Table, step: Mapping[str, Value]) -> Table:
        """The table after hands that were kept elsewhere (the step ``carried`` of the sheet)."""
        return table

    def carried_ask(self, table: Table) -> Ask | None:
        """The ask for hands that were kept elsewhere, where the game can be resumed."""
        return None

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """Every problem of ``step`` beyond its fields. ``hand`` is the hand as it stood before the step.

        Must not raise on anything that has passed the fields' types, in range or not.
        """
        yield from ()

    def dealt(self, table: Table, hand: Hand) -> Table:
        """The table with this hand behind it: the deal passes to the left."""
        return table.but(last_dealer=hand.dealer, next_dealer=table.left_of(hand.dealer), hands_done=hand.number)

    def score(self, table: Table, hand: Hand, *, events: tuple[Event, ...] = (), spoiled: bool = False) -> Row:
        """The row a complete hand leaves on the sheet. A spoiled one (refused steps) is worth nothing."""
        result = Result(dict.fromkeys(table.seats, 0)) if spoiled else in_seat_order(self.result(table, hand), table)
        totals = {seat: table.totals[seat] + result.points[seat] for seat in table.seats}
        if result.wins_leg is not None:
            race = self.format(table)
            target = race.target if isinstance(race, Race) else 0
            totals[result.wins_leg] = max(totals[result.wins_leg], target)
        return Row(hand, table, result, totals, *self.box_and_circle(table, totals), events, spoiled)

    def after(self, table: Table, row: Row) -> Table:
        """The table with the row behind it: totals, rows, finished legs."""
        table = self.dealt(table, row.hand).but(totals=row.totals, rows=(*table.rows, row))
        race = self.format(table)
        if not isinstance(race, Race):
            return table
        winner = row.result.wins_leg
        if winner is None and len(row.boxed) == 1 and row.totals[row.boxed[0]] >= race.target:
            winner = row.boxed[0]
        if winner is None:
            return table
        leg = Leg(winner, dict(row.totals), row.hand.number)
        return replace(table, legs=(*table.legs, leg), totals=dict.fromkeys(table.seats, 0))

    @once_for_row
    def following(self, row: Row) -> Table:
        """The table that the hand after the row finds."""
        return self.after(row.table, row)

    def planned_hands(self, table: Table) -> int:
        """How many hands this table plays in all; 0: nobody knows, it is a race or has an open end."""
        length = self.format(table)
        return length.hands if isinstance(length, FixedHands) else 0

    def has_legs(self, table: Table) -> bool:
        """Whether rubbers or games are won here, and with them the match."""
        race = self.format(table)
        return isinstance(race, Race) and race.legs_to_win is not None

    def totals(self, table: Table) -> Mapping[int, int]:
        """The totals that stand on the sheet: the running ones, and after the last leg those it ended with."""
        return table.legs[-1].totals if table.is_between_legs and self.over(table) else table.totals

    def score_of(self, table: Table, seat: int) -> int:
        """What a seat is placed by: its legs won where there are legs, else its total."""
        return table.legs_won()[seat] if self.has_legs(table) else self.totals(table)[seat]

    def rank(self, table: Table, seat: int) -> tuple[int, ...]:
        """Places are by this, the greatest first; what follows the score decides between equals.

        Where a match was stopped early, equal legs are told apart by the leg that was running.
        """
        score = self.score_of(table, seat)
        if self.lowest_wins(table):
            return (-score,)
        return (score, table.totals[seat]) if table.stopped and self.has_legs(table) else (score,)

    def settle(self, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> Settlement | None:
        """Places, winner and loser, or who goes on, as far as the entries tell.

        None: the game has nothing of its own for ties, and the engine goes by ``rank``. Whoever wants the settlement of
        a table calls :func:`rules.core.engine.replay.settle`, which knows that.
        """
        return None

    def hand_callouts(self, row: Row) -> tuple[CallOut, ...]:
        """Every call-out that holds after this hand, whether it held before or not."""
        return ()

    @once_for_row
    def new_callouts(self, row: Row) -> tuple[CallOut, ...]:
        """What the table calls out after a hand: of what lasts, only what was not so after the hand before."""
        rows, calls = row.table.rows, self.hand_callouts(row)
        lasts = any(call.lasting for call in calls)
        if not rows or not lasts:
            return calls
        before, table = self.hand_callouts(rows[-1]), rows[-1].table
        others = [seat for seat in row.table.seats if table.occupant(seat) != row.table.occupant(seat)]
        return tuple(new for call in calls if (new := call.since(before, others)))

    def game_callouts(self, table: Table, settlement: Settlement) -> tuple[CallOut, ...]:
        """What the table calls out at the end."""
        return ()

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """What :attr:`figures` count in a scored hand: by seat, numbers by names of the game's own."""
        return {}

    def chances(self, table: Table, hands: Sequence[Hand]) -> Chances | None:
        """Who can still win and lose, ``hands`` being those to come, the open one first. None: everybody."""
        return None

    def needs(self, table: Table, hands: Sequence[Hand]) -> tuple[Need, ...]:
        """What each seat needs to reach the box or to leave the circle, ``hands`` being the last one or the last two.

        The first of them is the open one, with what is written in it so far. Default: the game cannot tell, and so in
        a race, where nobody knows which hand is the last.
        """
        return ()

    def describe_row(self, row: Row) -> dict[str, object]:
        """The game's own keys of a hand in the result document, seats as :mod:`rules.core.placings` says."""
        return {}

    def describe_sheet(self, table: Table) -> dict[str, object]:
        """The game's own keys of the result document. Default: the legs, where there are legs."""
        if not self.has_legs(table):
            return {}
        legs = [{"winner": SeatNumber(leg.winner), "totals": dict(leg.totals)} for leg in table.legs]
        return {"legs": legs, "legs_won": table.legs_won()}

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """What is good to know about a hand as it stands: for a help page beside the rules."""
        return (HandNumber("Dealer", seat=hand.dealer),)

    def beside(self, row: Row) -> RowWords:
        """What the running sheet writes small beside the number of a scored hand and beside each seat's total."""
        return RowWords()

    @once_for_row
    def missed(self, row: Row) -> frozenset[int]:
        """Who set out for something in the hand and did not get it."""
        return self.beside(row).missed

    def beside_now(self, table: Table, hand: Hand) -> RowWords:
        """The same for the hand that is being written down: what is already sure of it, seat by seat."""
        return RowWords()

    def so_far(self, table: Table, hand: Hand) -> tuple[About, ...]:
        """What the open hand has come to, for those who look on: "over by 1", "Cy leads"."""
        return ()

    def beside_places(self, table: Table) -> Mapping[int, str]:
        """What stands beside a seat's place where more than its score counts: "2 hands won, 3.5 a hand"."""
        return {}

    def worth(self, table: Table, hand: Hand) -> tuple[Worth, ...]:
        """What each thing that may be said in the hand is worth, where the game has such a list."""
        return ()

    def plan_remark(self, table: Table) -> str:
        """What a sheet must say about its plan, as the table was opened; "" where there is nothing to say."""
        return ""

    def trump(self, hand: Hand) -> str | None:
        """The trump suit or ``NT``, where this game has trump and it was written down."""
        return None

    def remarks(self, table: Table) -> tuple[Remark, ...]:
        """What may have to be said beside the totals while the game runs; the page shows those that hold."""
        return ()

    def may_take_back(self, table: Table, hand: Hand, ask: str) -> Problem | None:
        """Why what stands at the ask may not be taken back, or None where it may (Rule 8 and its like)."""
        return None

    def as_played(self, problem: Problem) -> AsPlayed | None:
        """How a hand that was played in spite of the problem is left as it was; None where it cannot be."""
        return None

    def remark(self, hand: Hand) -> str:
        """What the sheet must say about a hand that was left as it was played; "" where there is nothing to say."""
        return ""

    def look_up(self, table: Table) -> Mapping[str, object]:
        """Tables in which a page looks up, without asking, what the hands of this table are worth; fit for JSON."""
        return {}

    def avoided_sum(self, table: Table, hand: Hand) -> int | None:
        """What the numbers spoken in the hand may not come to, where the game forbids a sum."""
        return None

    def due_sum(self, table: Table, hand: Hand) -> int | None:
        """What the numbers counted for the whole table at once must come to, where the game knows."""
        return None

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """Words that change with what is written in the hand: the piles, the next question; by names of the game's own.

        The game's page places them. They name nobody, and what has no words there is not shown. ``hand`` is the open
        one as far as it is written, in the middle as well as at its start.
        """
        return {}

    def shut(self, table: Table, hand: Hand) -> frozenset[str]:
        """What on the game's page cannot be meant as the hand stands, by names of the game's own.

        What cannot be is not offered. It is a service to the finger: ``check`` refuses it all the same.
        """
        return frozenset()


def in_seat_order(result: Result, table: Table) -> Result:
    """The result with the points in the order of the seats. ``ValueError`` unless every seat has some, and no other."""
    if tuple(result.points) == table.seats:
        return result
    if result.points.keys() != set(table.seats):
        seats, given = ([str(seat) for seat in sorted(some)] for some in (table.seats, result.points))
        raise ValueError(
            f"Result.points must have the points of every seat at the table ({', '.join(seats)}) and of no other; "
            f"it has those of {', '.join(given) or 'nobody'}."
        )
    return replace(result, points={seat: result.points[seat] for seat in table.seats})
