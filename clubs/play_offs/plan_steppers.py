"""The numbers of a play-off plan, one below the other; each is changed with one tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.play_offs.plan import MOST_HANDS, Planned, as_text
from clubs.play_offs.plan_text import Hours, finals_of, groups_said
from rules.core.numbers import spelled
from rules.core.playoffs.plan import PlayOffPlan, hands_for_all, length_sentence, propose
from rules.core.problems import Problem
from scoresheets.opening.schedule import rounded_minutes

#: Longer games are chosen by hand, tap by tap, from the tables' own lengths.
MOST_ROUNDS = 8
#: What is wrong with their sizes is said beside their number.
FIELDS = {"sizes": "groups", "players": "groups"}


@dataclass
class Stepper:
    """One number: what it is, what it comes to, and the whole plan with the next one below and above ("": no more).

    `says` are sentences about it, `problems` what is wrong with it or unwise, `refused` why the last tap was not taken.
    """

    key: str
    words: str
    value: str
    comes_to: str
    less: str
    more: str
    says: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    refused: str = ""


def steppers(planned: Planned, hours: Hours) -> list[Stepper]:
    """The numbers that can be changed: of a game without hands of its own choice those are fewer."""
    plan, of_both = planned.plan, planned.game.play_off.losers_table
    rows = [
        stepper("groups", "Groups", spelled(planned.groups), groups_said(plan.sizes), plan, groups(planned)),
        stepper("places", "Through from each", spelled(plan.places),
                finals_of(plan.winners, "winners’" if of_both else ""), plan, places(planned)),
    ]  # fmt: skip
    if of_both:
        rows.append(
            stepper("losers_count", "To the losers’ table", losers_said(plan), finals_of(plan.losers, "losers’"),
                    plan, losers(planned))
        )  # fmt: skip
    if plan.hands:
        of_groups = rounded_minutes(hours.of_groups) if hours.of_groups else ""
        of_finals = rounded_minutes(hours.of_finals) if hours.of_finals else ""
        rows += [
            stepper("hands", "Hands in the groups", str(plan.hands), of_groups, plan, lengths(planned, "hands")),
            stepper("final_hands", "Hands in the finals", str(plan.final_hands), of_finals, plan,
                    lengths(planned, "final_hands")),
        ]  # fmt: skip
        for at, sizes, hands in ((-2, plan.sizes, plan.hands), (-1, plan.finals, plan.final_hands)):
            rows[at].says = said_of(planned, sizes, hands)
        if plan.hands != plan.final_hands:
            rows[-1].says = [
                f"The groups play {plan.hands}. By Rule 14 every table plays the same number of hands.",
                *rows[-1].says,
            ]
    problems = planned.problems()
    for row in rows:
        row.problems = [problem for problem in problems if FIELDS.get(problem.field or "", problem.field) == row.key]
    return rows


def stepper(key: str, words: str, value: str, comes_to: str, now: PlayOffPlan, plans: Sequence[PlayOffPlan]) -> Stepper:
    """The number with its neighbours among `plans`, of which `now` is one."""
    at = plans.index(now)
    less = as_text(plans[at - 1]) if at else ""
    more = as_text(plans[at + 1]) if at + 1 < len(plans) else ""
    return Stepper(key, words, value, comes_to, less, more)


def groups(planned: Planned) -> list[PlayOffPlan]:
    """With more or fewer groups everything else is proposed anew: it hangs on their sizes."""
    plans = []
    for count in sorted({planned.groups, *planned.group_counts()}):
        other = planned.plan if count == planned.groups else propose(planned.game, planned.players, count)
        if other:
            plans.append(other)
    return plans


def places(planned: Planned) -> list[PlayOffPlan]:
    """From one of each group to all of the smallest; where the game has no losers' table, what makes a final.

    After people were moved by hand more may be to go through than sit in a group: that is refused, and a way down.
    """
    plan = planned.plan
    counts = sorted({*range(1, min(plan.sizes) + 1), plan.places})
    plans = [plan if count == plan.places else with_places(plan, count) for count in counts]
    if planned.game.play_off.losers_table:
        return plans
    return [other for other in plans if other == plan or not replace(planned, plan=other).is_refused]


def with_places(plan: PlayOffPlan, count: int) -> PlayOffPlan:
    """So many go through; of the lowest only so many go on as are left."""
    losers_count = plan.losers_count
    if losers_count:
        losers_count = min(losers_count, min(plan.sizes) - count) or None
    return with_hands(plan, replace(plan, places=count, losers_count=losers_count))


def with_hands(before: PlayOffPlan, after: PlayOffPlan) -> PlayOffPlan:
    """With finals of other sizes all tables play as many hands as suit most of them, unless a number was chosen."""
    if not before.hands or {before.hands, before.final_hands} != {hands_for_all(before)}:
        return after
    hands = hands_for_all(after)
    return replace(after, hands=hands, final_hands=hands)


def losers(planned: Planned) -> list[PlayOffPlan]:
    """From no losers' table to all others at it; the last number that says the same as "all others" is left out."""
    plan = planned.plan
    left = min(plan.sizes) - plan.places
    if left < 0:
        return [plan]
    counts = {0, *range(left if len(set(plan.sizes)) == 1 else left + 1)}
    counts |= {plan.losers_count} if plan.losers_count is not None else set()
    others = [replace(plan, losers_count=count) for count in (*sorted(counts), None)]
    return [plan if other == plan else with_hands(plan, other) for other in others]


def losers_said(plan: PlayOffPlan) -> str:
    if plan.losers_count is None:
        return "all others"
    return f"bottom {spelled(plan.losers_count)}" if plan.losers_count else "nobody"


def lengths(planned: Planned, which: str) -> list[PlayOffPlan]:
    """With the numbers of hands at which some table deals evenly (Rule 4)."""
    plan = planned.plan
    sizes = plan.sizes if which == "hands" else plan.finals
    counts = {size * times for size in sizes for times in range(1, MOST_ROUNDS + 1)} | {getattr(plan, which)}
    counts = {hands for hands in counts if 2 < hands <= MOST_HANDS or hands == getattr(plan, which)}
    if which == "final_hands":
        return [replace(plan, final_hands=hands) for hands in sorted(counts)]
    # As long as the finals play as many as the groups they go on doing so, with whatever is chosen for the groups.
    together = plan.hands == plan.final_hands
    return [replace(plan, hands=hands, final_hands=hands if together else plan.final_hands) for hands in sorted(counts)]


def said_of(planned: Planned, sizes: Sequence[int], hands: int) -> list[str]:
    """What is to be said of so many hands at tables of these sizes, each size once."""
    sentences = [length_sentence(planned.game, size, hands) for size in sorted(set(sizes), reverse=True)]
    return [sentence for sentence in sentences if sentence]


def tapped(before: PlayOffPlan, after: PlayOffPlan) -> str:
    """Which number was changed."""
    if len(before.sizes) != len(after.sizes):
        return "groups"
    names = ("places", "losers_count", "hands", "final_hands")
    return next((name for name in names if getattr(before, name) != getattr(after, name)), "groups")
