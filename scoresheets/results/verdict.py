"""The outcome of a game, or what is still open, in sentences that can be read aloud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.cards import rank_shown
from rules.core.numbers import bare, signed
from rules.core.outcome import Settlement, Waiting
from scoresheets.log.state import SheetReading
from scoresheets.results.callouts import Collected, collected, end_callouts
from scoresheets.results.match import Match, plural
from scoresheets.results.qualification import card_said, fate_of, lines_of, ruled_said, settled_aloud, tie_said
from scoresheets.wording.badges import Badge, badges_of
from scoresheets.wording.markup import joined, listed, name_shown, names_shown, with_names


@dataclass(frozen=True)
class Placed:
    """One line of the final standing. `place` is None for who went home early; `more` says what settled a tie.

    `unit` is what `total` counts, where those are no points: "rubbers".
    """

    place: int | None
    name: str
    badge: Badge
    total: int
    boxed: bool
    circled: bool
    more: tuple[str, ...]
    unit: str = ""
    #: In a group of a play-off: where the player goes (`qualification.fate_of`), and the line that is drawn below them.
    fate: str = ""
    line: str = ""
    seat: int = 0
    #: The row of the sheet that made the total what it is: the last hand they played.
    row: str = ""


@dataclass(frozen=True)
class End:
    """Something that was open at the end. `state`: `done`, `next` or `then`; `leads_to`: `pad`, `draw` or ""."""

    state: str
    title: str
    text: SafeString
    leads_to: str = ""


@dataclass(frozen=True)
class Verdict:
    """The end of a game as it stands now."""

    reading: SheetReading
    settlement: Settlement

    @property
    def is_settled(self) -> bool:
        return self.reading.sheet.finished

    @cached_property
    def totals(self) -> dict[int, int]:
        """Everybody's total, who went home included."""
        table = self.reading.sheet.table
        return {**table.gone, **table.totals}

    @cached_property
    def match(self) -> Match:
        """The rubbers or games that were won."""
        return Match(self.reading)

    @property
    def stopped(self) -> str:
        """That the table ended the game early; "" where it did not."""
        table = self.reading.sheet.table
        if not table.stopped:
            return ""
        planned = self.reading.game.planned_hands(table)
        of = f" of {planned}" if planned else ""
        return f"The table stopped after hand {table.hands_done}{of}."

    @property
    def wins(self) -> str:
        """What the first of all does: whoever is ahead where nobody came to the target has not won."""
        return "leads" if self.reading.sheet.table.stopped and self.match.target is not None else "wins"

    @property
    def shared(self) -> list[int]:
        """Who shares the first place where nobody won and nothing is open about it."""
        sheet = self.reading.sheet
        if sheet.winner is not None or not sheet.finished or not sheet.table.decides.lead:
            return []
        return [placing.seat for placing in sheet.placings if placing.place == 1]

    # -- read aloud ------------------------------------------------------------------------------------

    @property
    def aloud(self) -> SafeString:
        """The sentences to read out: winner, loser, First Place Losers, clean runs."""
        names = self.reading.names
        called = [
            with_names(call.text, listed([format_html("<b>{}</b>", name_shown(names[seat])) for seat in call.seats]))
            for call in sorted(end_callouts(self.reading), key=lambda call: -call.rank)
            if call.text
        ]
        return joined([self.winner_aloud, self.loser_aloud, *called])

    @property
    def is_group(self) -> bool:
        """Whether it decides who goes on, and nobody wins or loses here."""
        return self.reading.sheet.table.decides.is_group

    @property
    def winner_aloud(self) -> SafeString:
        """Who wins, with what, and how a tie was settled."""
        if self.is_group:
            return settled_aloud(self.reading)
        seat = self.settlement.winner
        if seat is None:
            return self.shared_aloud
        name, points = self.bold(seat), self.points(seat)
        if seat in self.reading.sheet.table.gone:
            return format_html(
                "{} went home early with {} and wins all the same: nobody ended above that.", name, points
            )
        blind = sum(seat in tied and self.is_of_the_lead(tied) for tied in self.settlement.tied)
        times = {2: "two", 3: "three"}.get(blind, str(blind))
        after = {0: "", 1: ", after a blind hand"}.get(blind, f", after {times} blind hands")
        return format_html("{} {} with {}{}.", name, self.wins, points, after)

    @property
    def shared_aloud(self) -> SafeString:
        """Who is first together, where nothing can part them."""
        if not self.shared:
            return SafeString()
        winners = listed([self.bold(seat) for seat in self.shared])
        return format_html("{} share first place with {} each.", winners, self.points(self.shared[0]))

    @property
    def loser_aloud(self) -> SafeString:
        """Who takes the circle, with what, and how a tie was settled."""
        seat = self.settlement.loser
        if seat is None:
            return self.lowest_aloud
        name, points = self.bold(seat), self.points(seat)
        drew = any(seat in drawn for drawn in self.settlement.draws)
        blind = any(seat in tied and self.is_of_the_bottom(seat) for tied in self.settlement.tied)
        card = ", having drawn the lowest card" if drew else ", after a blind hand" if blind else ""
        if seat in self.reading.sheet.table.gone:
            reason = "" if drew else ": nobody ended below that"
            return format_html("{} went home early with {} and takes the circle{}{}.", name, points, card, reason)
        return format_html("{} takes the circle with {}{}.", name, points, card)

    @property
    def lowest_aloud(self) -> SafeString:
        """Who is lowest at a final whose bottom depends on the other final too: its stakes say what that comes to."""
        decides = self.reading.sheet.table.decides
        if decides.bottom or decides.is_group:
            return SafeString()
        low = [seat for seat, total in self.totals.items() if total == min(self.totals.values())]
        losers, ends = listed([self.bold(seat) for seat in low]), "ends" if len(low) == 1 else "end"
        return format_html("{} {} lowest here with {}.", losers, ends, self.points(low[0]))

    def bold(self, seat: int) -> SafeString:
        return format_html("<b>{}</b>", name_shown(self.reading.names[seat]))

    @cached_property
    def scores(self) -> dict[int, int]:
        """What everybody is placed by: the legs won where there are legs, else the total."""
        return {**self.totals, **{placing.seat: placing.score for placing in self.settlement.placings}}

    def points(self, seat: int) -> str:
        """A score with its unit."""
        total = self.scores[seat]
        if self.match.has_legs:
            won = [self.match.counted(total)] if total else []
            return " and ".join([*won, *self.in_the_last_leg(seat)]) or self.match.counted(0)
        return f"{bare(total)} point" if abs(total) == 1 else f"{bare(total)} points"

    def is_of_the_bottom(self, seat: int) -> bool:
        """Whether a seat is at the bottom and not at the top as well."""
        return self.totals[seat] == min(self.totals.values()) and seat not in self.reading.sheet.boxed

    def is_of_the_lead(self, tied: tuple[int, ...]) -> bool:
        """Whether those tied include some at the top."""
        return any(seat in self.reading.sheet.boxed for seat in tied)

    # -- the standing ----------------------------------------------------------------------------------

    @property
    def trophies(self) -> list[Placed]:
        """Winner and loser, as far as they are known, in this order."""
        known = [placed for placed in self.places if placed.boxed]
        return known + [placed for placed in self.places if placed.circled]

    @cached_property
    def places(self) -> list[Placed]:
        """Everybody by place; after the seated, who went home. Box and circle are the trophies."""
        sheet = self.reading.sheet
        seats = [(placing.seat, placing.place) for placing in sheet.placings]
        gone = [(seat, None) for seat in sheet.table.gone]
        cut, badges = self.settlement.cut, badges_of(self.reading)
        return [
            Placed(
                place,
                self.reading.names[seat],
                badges[seat],
                self.scores[seat],
                seat == sheet.winner or seat in self.shared,
                seat == sheet.loser,
                tuple(self.what_settled(seat)),
                plural(self.reading.game.leg_name, self.scores[seat]) if self.match.has_legs else "",
                fate_of(cut, seat) if cut else "",
                self.lines.get(at, ""),
                seat,
                self.last_row_of(seat),
            )
            for at, (seat, place) in enumerate([*seats, *gone], 1)
        ]

    def last_row_of(self, seat: int) -> str:
        """The last hand a player played, by the name of its row; "carried" where they played none on this sheet."""
        played = [row.hand.number for row in self.reading.sheet.rows if seat in row.points]
        return str(played[-1]) if played else "carried"

    @cached_property
    def lines(self) -> dict[int, str]:
        """The lines of a group with their words, by how many stand above them."""
        table = self.reading.sheet.table
        if not table.decides.is_group:
            return {}
        lines = lines_of(table.decides, len(table.seats))
        through, below = "Through ↑", "↓ To the losers" if table.decides.through else "Safe ↑ ↓ Going on"
        upper = through if table.decides.below is not None else f"{through} {below}"
        return {at: words for at, words in ((lines.upper, upper), (lines.lower, below)) if at is not None}

    def what_settled(self, seat: int) -> list[str]:
        """What a seat brought home beside its score, from blind hands and draws, and that it was left early."""
        texts = ["went home early"] if seat in self.reading.sheet.table.gone else []
        if beside := self.beside.get(seat):
            texts.append(beside)
        texts += self.in_the_last_leg(seat)
        for row, tied in zip(self.settlement.ties, self.settlement.tied, strict=True):
            if seat in tied:
                texts.append(f"blind hand {signed(row.points[seat])}")
        texts += ["by the organiser’s ruling" for ruled in self.settlement.rulings if seat in ruled.goes]
        return texts + [f"drew {rank_shown(drawn[seat])}" for drawn in self.settlement.draws if seat in drawn]

    @cached_property
    def beside(self) -> Mapping[int, str]:
        """What the game says beside the places."""
        return self.reading.game.beside_places(self.reading.sheet.table)

    def in_the_last_leg(self, seat: int) -> list[str]:
        """How far a seat had come in the leg that was running when the table stopped: "5 in rubber 2"."""
        table = self.reading.sheet.table
        if not self.match.has_legs or not table.stopped or table.is_between_legs:
            return []
        return [f"{bare(self.totals[seat])} in {self.match.leg(len(table.legs) + 1)}"]

    @property
    def first(self) -> str:
        """What the first is, over the name."""
        if self.shared:
            return "Shared first"
        return "In the lead" if self.wins == "leads" else "Winner"

    @property
    def placed_by(self) -> str:
        """What the places are by, where that is not the total."""
        return f"by {plural(self.reading.game.leg_name, 2)} won" if self.match.has_legs else ""

    # -- what is open ----------------------------------------------------------------------------------

    @property
    def ends(self) -> list[End]:
        """What had, has, or will have to be settled after the last hand, in order."""
        ends = self.with_rulings([*self.blind_hands_played(), *self.draws_made()])
        waiting = list(self.settlement.waiting)
        ends += [self.still_open(tie, state="then" if at else "next") for at, tie in enumerate(waiting)]
        later = self.bottom_later()
        return ends + ([later] if later else [])

    def with_rulings(self, ends: list[End]) -> list[End]:
        """The same with what the organiser has ruled, each where it came."""
        for ruled in reversed(self.settlement.rulings):
            ends.insert(ruled.after, End("done", "The organiser’s ruling", ruled_said(self.reading, ruled)))
        return ends

    def blind_hands_played(self) -> list[End]:
        """Every blind hand with what it brought the tied."""
        names = self.reading.names
        played = []
        for row, tied in zip(self.settlement.ties, self.settlement.tied, strict=True):
            points = [format_html("{} {}", name_shown(names[seat]), signed(row.points[seat])) for seat in tied]
            played.append(End("done", "Blind hand", format_html("{}.", listed(points))))
        return played

    def draws_made(self) -> list[End]:
        """Every draw with the cards."""
        names = self.reading.names
        made = []
        for drawn in self.settlement.draws:
            cards = [format_html("{} {}", name_shown(names[seat]), rank_shown(rank)) for seat, rank in drawn.items()]
            made.append(End("done", "Draw", format_html("{}.", listed(cards))))
        return made

    def still_open(self, waiting: Waiting, *, state: str) -> End:
        """A tie that waits for a blind hand, a draw or the organiser."""
        if waiting.edge:
            return self.still_tied(waiting, state=state)
        tied = names_shown(self.reading.names, waiting.seats)
        total = bare(self.totals[waiting.seats[0]])
        if waiting.what == "tie-break":
            where = "for the lead" if self.is_of_the_lead(waiting.seats) else "at the bottom"
            text = format_html(
                "{} have {}. Everybody plays a blind hand of {} card{}, and only their points count."
                " Nobody looks! Bids first.",
                tied, total, waiting.cards, "" if waiting.cards == 1 else "s",
            )  # fmt: skip
            return End(state, f"A tie {where}", text, "pad" if state == "next" else "")
        text = format_html("{} have {}. Each draws a card; the lowest takes the circle.", tied, total)
        if self.settlement.draws:
            text = format_html("{} share the lowest card and draw again.", tied)
        return End(state, "A tie at the bottom", text, "draw" if state == "next" else "")

    def still_tied(self, waiting: Waiting, *, state: str) -> End:
        """A tie across a line of a group. What is played serves every line that is in question."""
        sentence = tie_said(self.reading, waiting)
        title, leads_to = "A tie across the line", ""
        if waiting.what == "tie-break":
            cards = f"{waiting.cards} card{'' if waiting.cards == 1 else 's'}"
            text = format_html(
                "{} Everybody plays a blind hand of {}, and only their points count. Nobody looks! Bids first.",
                sentence,
                cards,
            )
            leads_to = "pad"
        elif waiting.what == "draw":
            again = " They drew the same rank and draw again." if self.settlement.draws else ""
            goes = card_said(self.reading, waiting)
            text = format_html("{}{} Each draws a card: {}.", sentence, again, goes)
            leads_to = "draw"
        else:
            text = format_html("{} The organiser says who goes.", sentence)
        return End(state, title, text, leads_to if state == "next" else "")

    def bottom_later(self) -> End | None:
        """A tie at the bottom that has to wait until the lead is settled."""
        if not self.reading.sheet.table.decides.bottom:
            return None
        lowest = [seat for seat, total in self.totals.items() if total == min(self.totals.values())]
        open_seats = {seat for waiting in self.settlement.waiting for seat in waiting.seats if waiting.what == "draw"}
        if (
            self.settlement.loser is not None
            or len(lowest) < 2
            or open_seats
            or not self.is_waiting_for_the_lead(lowest)
        ):
            return None
        text = format_html(
            "{} are tied there too. That is settled once the lead is.", names_shown(self.reading.names, lowest)
        )
        return End("then", "The bottom", text)

    def is_waiting_for_the_lead(self, lowest: list[int]) -> bool:
        """Whether some of the lowest are tied for the lead as well: everybody is equal."""
        lead = {
            seat for waiting in self.settlement.waiting for seat in waiting.seats if self.is_of_the_lead(waiting.seats)
        }
        return bool(lead & set(lowest))

    # -- what was called -------------------------------------------------------------------------------

    @property
    def called(self) -> list[Collected]:
        """All call-outs of the game."""
        return collected(self.reading)


def verdict_of(reading: SheetReading) -> Verdict | None:
    """The end of the game; None while hands are to be played."""
    settlement = reading.sheet.settlement
    return Verdict(reading, settlement) if settlement else None
