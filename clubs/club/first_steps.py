"""The first steps of a new club: five things that an organiser does once, each ticked off by what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.urls import reverse

from clubs.models import Club, Member, Night, Table, Trophy


@dataclass(frozen=True)
class Step:
    """One of them: what it is, whether it is done, the page where one does it, and the words of its button.

    `do` is posted to the settings of the club instead, where one's word is enough; `other` and `other_does` are
    another answer that is.
    """

    name: str
    is_done: bool
    to: str
    button: str
    do: str = ""
    other: str = ""
    other_does: str = ""


def first_steps(club: Club) -> list[Step]:
    """The five steps; none where all are done, the list is hidden, or the club needs none. One query, or none."""
    if club.first_steps_hidden or club.is_demo or club.is_evening or club.archived_at:
        return []
    done = steps_done(club)
    steps = [
        Step("Add the people", done["people"], to(club, "add_members"), "Add members"),
        Step("Set up a trophy", done["trophy"], to(club, "new_trophy"), "Add a trophy"),
        Step("Plan the first night", done["night"], to(club, "plan_night"), "Plan a night"),
        Step(
            "Put the code on the wall", club.code_on_wall, to(club, "club_qr_code"), "Open and print it",
            do="open-code", other="code-done", other_does="Done",
        ),
        Step(
            "Bring in results of the past", done["past"] or club.no_past_results, to(club, "import_past"),
            "From a spreadsheet", other="no-past", other_does="There are none",
        ),
    ]  # fmt: skip
    return [] if all(step.is_done for step in steps) else steps


def steps_done(club: Club) -> dict[str, bool]:
    """What is there already: other people than the one who started the club, a trophy, a night, a typed result."""
    mine = {"club": OuterRef("pk")}
    people = Member.objects.current().filter(~Q(role=Member.Role.GUEST), **mine)
    past = Table.objects.standing().filter(night__club=OuterRef("pk"), source=Table.Source.PAST)
    nights = Night.objects.standing().filter(**mine)
    done = (
        Club.objects.filter(pk=club.pk)
        .annotate(
            number=Subquery(people.order_by().values("club").annotate(number=Count("pk")).values("number")),
            trophy=Exists(Trophy.objects.filter(archived_at__isnull=True, **mine)),
            night=Exists(nights.exclude(tables__source=Table.Source.PAST)),
            past=Exists(past),
        )
        .values("number", "trophy", "night", "past")
        .get()
    )
    return {"people": (done["number"] or 0) > 1} | {
        "trophy": done["trophy"],
        "night": done["night"],
        "past": done["past"],
    }


def to(club: Club, view: str) -> str:
    return reverse(view, args=[club.slug])


def setter(field: str) -> Callable[[Club], None]:
    """What answers that field of the club with yes."""

    def answer(club: Club) -> None:
        Club.objects.filter(pk=club.pk).update(**{field: True})

    return answer


#: What the buttons of the list do.
DEEDS = {
    "open-code": setter("code_on_wall"), "code-done": setter("code_on_wall"), "no-past": setter("no_past_results"),
    "hide-steps": setter("first_steps_hidden"),
}  # fmt: skip
