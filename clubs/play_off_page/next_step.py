"""The next step of the organiser for a play-off, with its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse

from clubs.models import Stage
from clubs.play_off_page.page import Followed, what_is_due
from clubs.play_offs.table_state import TableNow
from clubs.trophies.register import Holding
from scoresheets.sheet.summary import Glance
from scoresheets.wording.markup import as_text

#: Hands ahead that are offered as the last one.
MOST_OFFERED = 12


@dataclass(frozen=True)
class NextThing:
    """A button: what it says, where it leads ("#…" stays on the page), and why it is the next thing.

    `beside` are other ways to the same, smaller: what each says, and where it leads.
    """

    label: str
    to: str
    why: str = ""
    beside: tuple[tuple[str, str], ...] = ()


def next_thing(followed: Followed, waiting: Sequence[Holding] = ()) -> NextThing | None:
    """The one thing that everybody waits for the organiser to do; None where the tables play or all is done.

    `waiting` are the trophies that wait for their yes, their answer, or the tick that they were handed over.
    """
    night = followed.play_off.night
    slug = night.club.slug

    def to(name: str, *more: object) -> str:
        return reverse(name, args=[slug, night.pk, *more])

    now = followed.now
    asking = [table for stage in now.stages for table in stage.tables if table.glance.sheet.asks_since]
    if asking:
        tables_text = f"{asking[0].table} is calling" if len(asking) == 1 else f"{len(asking)} tables are calling"
        return NextThing(f"{tables_text} you", to("control"))
    if followed.moves:
        return NextThing("Decide what the correction changes", to("play_off_moves"))
    open_ties = followed.unsettled
    if len(open_ties) > 1 and open_ties[0].now.glance.line_waits_for != "ruling":
        return NextThing(f"Ties at {len(open_ties)} tables", to("control"), "Each is settled on its own sheet.")
    for cut in open_ties:
        ruling = to("rule_cut", cut.now.table.pk)
        if cut.now.glance.line_waits_for == "ruling":
            return NextThing(f"Decide the tie in {cut.name}", ruling, cut.ties[0].settled_by)
        return played_out(cut.now, to, cut.ties[0].settled_by, ("Decide it yourself", ruling))
    if now.due:
        return NextThing(f"Draw {what_is_due(now)}", to("draw_next"), "The groups are settled.")
    for final in followed.finals:
        if final.now.is_over and not final.now.is_settled:
            return played_out(final.now, to, "The whole table plays, but only those who are tied count.")
    if now.unequal and not now.unequal.choice:
        why = f"{as_text(now.unequal.in_short)}: the loser’s trophy waits for you."
        return NextThing("Decide about the finals", to("rule_hands"), why)
    if followed.races and followed.races.is_over and now.outcome and now.outcome.draw:
        return NextThing("Record the cards drawn", to("draw_cards"), "The lowest card takes the loser’s trophy.")
    if any(held.waiting or held.disputes for held in waiting):
        return NextThing("Confirm the awards", "#awards")
    if waiting:
        return NextThing("Hand the trophies over", "#awards")
    if now.is_over and night.closed_at is None:
        return NextThing("Go and close the night", to("control"), "The play-off is over.")
    blank = [table for table in followed.playing if not table.glance.reading.entries]
    if blank and len(blank) == len(followed.playing):
        return NextThing("Show the codes of the tables", to("table_codes"), "No table has begun.")
    return None


def played_out(table: TableNow, to: Callable[..., str], why: str, *beside: tuple[str, str]) -> NextThing:
    """A tie that the table itself settles, as its sheet asks: that is where it leads; its code is beside."""
    settlement = table.reading.sheet.settlement
    by_cards = settlement is not None and settlement.hand is None
    what = "draw cards" if by_cards else "play the blind hand"
    why = "Its sheet says who draws." if by_cards and not beside else why
    code = ("Its code", f"{to('table_codes')}?table={table.table.number}")
    sheet = reverse("watch", args=[table.glance.sheet.watch])
    return NextThing(f"{table.table}: {what}", sheet, why, (code, *beside))


# All tables stop after the same hand


@dataclass(frozen=True)
class Stop:
    """The tables of one round, the finals of both sides too: after which hands they can be told to stop."""

    number: int
    says: str
    tables: int
    hands: list[int]
    #: After which they were told to stop, where that is the same for all.
    last_hand: int | None


def stops_of(playing: Iterable[tuple[Stage, Glance]]) -> list[Stop]:
    """The rounds of a play-off that are played, each with the hands that are left to it.

    None whose furthest table has played all its hands: the others play as many.
    """
    rounds: dict[int, list[tuple[Stage, Glance]]] = defaultdict(list)
    for stage, glance in playing:
        rounds[stage.number].append((stage, glance))
    stops = []
    for number, tables in sorted(rounds.items()):
        play = [glance for _, glance in tables if glance.is_running]
        furthest, planned = max(hand_of(glance) for _, glance in tables), max(stage.hands for stage, _ in tables)
        if not play or (len(play) < len(tables) and furthest >= planned):
            continue
        last = planned or furthest + MOST_OFFERED
        last_hands = {glance.last_hand for glance in play}
        last_hand = last_hands.pop() if len(last_hands) == 1 else None
        hands = list(range(furthest, last + 1))
        stops.append(Stop(number, says_of([stage for stage, _ in tables]), len(play), hands, last_hand))
    return stops


def hand_of(glance: Glance) -> int:
    """The hand a table plays, or has stopped after."""
    return glance.reading.next_hand if glance.is_running else glance.reading.sheet.table.hands_done


def says_of(stages: Sequence[Stage]) -> str:
    """What the tables of a round are told, but for the hand: "All groups stop"; `stages` has one for each table."""
    if len(stages) == 1:
        return f"{'The final' if stages[0].is_final else 'The group'} stops"
    if all(stage.is_final for stage in stages):
        return "Both finals stop"
    return "All groups stop" if all(stage.side == Stage.Side.ALL for stage in stages) else "All tables stop"
