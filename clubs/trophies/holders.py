"""The holders of a trophy: as a sentence, as a list, and with what is remarkable."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Award, Member, Trophy
from scoresheets.wording.markup import joined, name_shown, with_commas

TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}
#: How far back the sentence goes; the list has them all.
STEPS = 3


def times(count: int) -> str:
    """How often.

    >>> times(2), times(11)
    ('twice', '11 times')
    """
    return TIMES.get(count, f"{count} times")


def how_long(days: int) -> str:
    """A stretch of time as one says it.

    >>> how_long(1), how_long(43), how_long(365), how_long(900)
    ('1 day', '43 days', '12 months', '2 years')
    """
    if days < 60:
        return "1 day" if days == 1 else f"{days} days"
    return f"{round(days / 30.44)} months" if days < 730 else f"{int(days / 365.25)} years"


def when(award: Award) -> str:
    """When it was won, after a verb: "on 5 March 2026", "in 1998"."""
    return f"{'on' if award.exact == Award.Exact.DAY else 'in'} {award.day}"


@dataclass(frozen=True)
class Run:
    """A stretch in which one person held the trophy: the awards that won and kept it, the first first.

    `ended` is the award by which somebody else won it; None: they hold it.
    """

    awards: tuple[Award, ...]
    ended: Award | None

    @property
    def first(self) -> Award:
        return self.awards[0]

    @property
    def last(self) -> Award:
        return self.awards[-1]

    @property
    def times(self) -> int:
        return len(self.awards)

    @property
    def name(self) -> SafeString:
        return name_shown(self.last.shown)

    def days(self, today: datetime.date) -> int:
        ends = self.ended.on if self.ended else today
        return max(0, (ends - self.first.on).days)

    def how_long(self, today: datetime.date) -> str:
        """The same as one says it: "about 7 years" where of one of its ends only the month or the year is known."""
        ends = [self.first, self.ended] if self.ended else [self.first]
        about = "" if all(award.exact == Award.Exact.DAY for award in ends) else "about "
        return about + how_long(self.days(today))


@dataclass(frozen=True)
class Lineage:
    """All holders. `awards` are the confirmed ones that stand, the first first."""

    awards: Sequence[Award]
    today: datetime.date

    @cached_property
    def runs(self) -> list[Run]:
        """The stretches, the first first."""
        stretches = [tuple(awards) for _, awards in groupby(self.awards, key=lambda award: award.person)]
        ended = [awards[0] for awards in stretches[1:]]
        return [Run(awards, end) for awards, end in zip(stretches, [*ended, None], strict=False)]

    @property
    def holder(self) -> Run | None:
        return self.runs[-1] if self.runs else None

    @property
    def sentence(self) -> SafeString:
        """Who took it from whom, the latest first."""
        if self.holder is None:
            return SafeString("Nobody has won it yet.")
        sentences = [self.passed_on if len(self.runs) > 1 else self.never_passed_on]
        if self.holder.times > 1:
            sentences.append(format_html("{} has won it {} running.", self.holder.name, times(self.holder.times)))
        earlier = len(self.runs) - 1 - STEPS
        if earlier > 0:
            first = self.runs[0]
            hands = "one other held it" if earlier == 1 else f"it changed hands {times(earlier)}"
            sentences.append(format_html("Before that {}, from {} {}.", hands, first.name, when(first.first)))
        return joined(sentences)

    @property
    def never_passed_on(self) -> SafeString:
        run = self.runs[0]
        return format_html("{} won it {} and nobody has taken it since.", run.name, when(run.first))

    @property
    def passed_on(self) -> SafeString:
        steps = list(pairwise(self.runs))[: -STEPS - 1 : -1]
        steps_taken = [
            format_html("{} {}from {} {}", new.name, "" if at else "took it ", old.name, when(new.first))
            for at, (old, new) in enumerate(steps)
        ]
        return format_html("{}.", with_commas(steps_taken))

    # -- what stands out -------------------------------------------------------------------------------

    @property
    def most_running(self) -> Run | None:
        """The most wins one after the other, the latest of equals; None where nobody has won it twice running."""
        run = max(reversed(self.runs), key=lambda run: run.times, default=None)
        return run if run and run.times > 1 else None

    @property
    def longest(self) -> Run | None:
        """Who had it longest without a break; None where there is nobody to compare with."""
        return max(self.runs, key=lambda run: run.days(self.today)) if len(self.runs) > 1 else None

    @property
    def facts(self) -> list[tuple[str, SafeString, str]]:
        """What stands out: a label, a name, and the figure."""
        facts = []
        if run := self.most_running:
            since = f", {'since' if run is self.holder else 'from'} {run.first.day}"
            facts.append(("Back-to-back", run.name, f"{times(run.times)} running{since}"))
        if run := self.longest:
            until = "and still has it" if run is self.holder else f"from {run.first.day}"
            facts.append(("The longest hold", run.name, f"{run.how_long(self.today)}, {until}"))
        counts = Counter(award.person for award in self.awards)
        if counts and (most := counts.most_common(1)[0])[1] > 1:
            names = {award.person: name_shown(award.shown) for award in self.awards}
            ahead = [person for person, count in counts.items() if count == most[1]]
            if len(ahead) <= STEPS:
                facts.append(("Won most often", with_commas([names[person] for person in ahead]), times(most[1])))
        return facts

    @property
    def newest_first(self) -> list[tuple[Award, int]]:
        """Every award with how many times running it was by then, the latest first."""
        return [(award, at) for run in self.runs for at, award in enumerate(run.awards, 1)][::-1]


def lineage_of(trophy: Trophy) -> Lineage:
    """The line of the trophy. Two queries."""
    return lineages_of([trophy])[trophy.pk]


def lineages_of(trophies: Collection[Trophy]) -> dict[int, Lineage]:
    """The lines of trophies, by their ids. Two queries, or none: there are few people in them, however many awards."""
    awards: dict[int, list[Award]] = {trophy.pk: [] for trophy in trophies}
    if awards:
        members = Member.objects.filter(awards__trophy__in=awards).select_related("same_as").distinct().in_bulk()
        for award in Award.objects.confirmed().filter(trophy__in=awards).order_by("on", "pk"):
            award.member = members.get(award.member_id) if award.member_id else None
            awards[award.trophy_id].append(award)
    return {trophy.pk: Lineage(awards[trophy.pk], trophy.club.today()) for trophy in trophies}
