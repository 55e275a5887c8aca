"""Who comes to a night, as pages show it before it begins, and what the buttons there do."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from clubs.access.club_key import address_for_people
from clubs.access.visit import Visit
from clubs.models import Attendance, Member, Night, Reply
from clubs.nights import replies
from clubs.nights.form import read_hour
from clubs.nights.replies import Answers, answers_of


@dataclass(frozen=True)
class Coming:
    """Who comes to a night, as a page shows it to one visitor. `me` is for whom they may answer, None: nobody yet.

    `silent` are those who have not answered, and `reminder` a text to send to them: for organisers alone.
    """

    answers: Answers
    me: Member | None = None
    silent: list[Member] = field(default_factory=list)
    reminder: str = ""

    @property
    def night(self) -> Night:
        return self.answers.night

    @property
    def mine(self) -> Reply | None:
        """What they have answered."""
        return self.answers.replies.get(self.me.identity) if self.me else None

    @property
    def written(self) -> Attendance | None:
        """What an organiser wrote of them at the roll call."""
        return self.answers.calls.get(self.me.identity) if self.me else None

    @property
    def is_open(self) -> bool:
        return replies.is_open(self.night)

    @property
    def is_here(self) -> bool:
        """Whether they have checked in, or an organiser wrote that they are here."""
        return (self.mine is not None and self.mine.says == Reply.Says.HERE) or (
            self.written is not None and self.written.says == Attendance.Says.HERE
        )

    @property
    def late(self) -> datetime.time:
        """The hour in the field for who comes late."""
        return (self.mine and self.mine.comes) or replies.late_hour(self.night)

    @property
    def mail(self) -> str:
        """What opens an email with the reminder in it."""
        subject = f"{self.night.club.name}: {self.night}"
        return f"mailto:?subject={quote(subject)}&body={quote(self.reminder)}"


def person_of(visit: Visit) -> Member | None:
    """For whom a visitor may answer: who is signed in; in a club that needs no account, who uses this phone.

    That holds for a phone that came by the club's link alone: in a public club a stranger can say they are anybody.
    """
    if visit.member or not visit.marked or not visit.phone_counts:
        return visit.member
    person = visit.club.members.current().filter(pk=visit.marked).first()
    if person:
        person.club = visit.club
    return person


def source_of(visit: Visit) -> str:
    """From where a visitor answers."""
    return Reply.Source.ACCOUNT if visit.member else Reply.Source.PHONE


def coming_to(request: HttpRequest, visit: Visit, nights: Iterable[Night]) -> list[Coming]:
    """The nights as this visitor sees them before they begin. Two queries; one more for a phone, and for organisers."""
    answers = answers_of(nights)
    me = person_of(visit) if answers else None
    return [coming_of(request, visit, answer, me) for answer in answers.values()]


def coming_of(request: HttpRequest, visit: Visit, answers: Answers, me: Member | None) -> Coming:
    if not visit.organises or visit.club.is_evening or not replies.is_open(answers.night):
        return Coming(answers, me)
    silent = replies.unanswered(answers)
    address = address_for_people(request, visit.club, answers.night.get_absolute_url())
    return Coming(answers, me, silent, replies.reminder(answers.night, silent, address))


def take(night: Night, me: Member, request: HttpRequest, *, source: str) -> None:
    """Do what the button `do` says. Raises `NotAnswered`."""
    do = request.POST.get("do", "")
    if do == "undo":
        replies.take_back(night, me, source=source)
    elif do == "not-here":
        replies.check_out(night, me, source=source)
    else:
        replies.reply(night, me, do, comes=read_hour(request.POST.get("comes", "")), source=source)


def to_who_are_you(visit: Visit, back: str) -> HttpResponseRedirect:
    """To the page where a phone is told who uses it, and from there to the path `back`."""
    to = reverse("my_page", args=[visit.club.slug])
    return HttpResponseRedirect(f"{to}?{urlencode({'next': back})}", status=303)
