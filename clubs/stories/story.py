"""The story of a night: whether there is one, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.evening.summary import Evening, Seen
from clubs.models import Award, Club, Night
from clubs.nights.attendance import attendance
from clubs.stories.broken_records import broken_records
from clubs.stories.choice import chosen
from clubs.stories.course import Course
from clubs.stories.facts import Evidence, Fact
from clubs.stories.night_facts import NightFacts
from clubs.stories.sentences import sentence_of
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveDrawing
from scoresheets.wording.markup import as_text

#: A game of fewer hands makes no story.
ENOUGH_HANDS = 4


@dataclass(frozen=True)
class Sentence:
    """One sentence with the fact behind it."""

    text: SafeString
    fact: Fact

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.fact.evidence

    @property
    def plain(self) -> str:
        """The same where nothing is HTML."""
        return as_text(self.text)


@dataclass(frozen=True)
class Story:
    """What is told of a night that is over."""

    facts: NightFacts

    @property
    def night(self) -> Night:
        return self.facts.night

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Five to eight, in the order of the story."""
        return [Sentence(sentence_of(fact, self.night.pk), fact) for fact in chosen(self.facts.in_order())]

    @property
    def title(self) -> str:
        """What a link to it is called."""
        return f"The story of {self.night}"

    @property
    def plain(self) -> list[str]:
        """The sentences where nothing is HTML."""
        return [sentence.plain for sentence in self.sentences]

    @property
    def drawing(self) -> CurveDrawing:
        """The score curve of the game that it draws."""
        return CurveDrawing(ScoreCurve(self.facts.main.reading))

    @property
    def curve_heading(self) -> SafeString:
        """What stands over the curve: of which table it is, where there are several."""
        return format_html("How it went{}", self.facts.at(self.facts.main))

    @property
    def awards(self) -> Sequence[Award]:
        return self.facts.awards


def is_over(evening: Evening) -> bool:
    """Whether there can be a story: the night was closed, or every table has finished, and its play-off."""
    if evening.night.closed_at is not None:
        return True
    play_off = evening.play_off
    is_decided = play_off is None or play_off.decided_at is not None
    return is_decided and bool(evening.tables) and all(seen.is_over for seen in evening.tables)


def story_of(evening: Evening) -> Story | None:
    """The story of a night; None as long as it is not over, or where no game of enough hands was finished on it."""
    return stories_of(evening.night.club, [evening]).get(evening.night.pk)


def stories_of(club: Club, evenings: Iterable[Evening]) -> dict[int, Story]:
    """By the ids of the nights, those that have one. At most six queries, however many they are."""
    games = {evening.night.pk: games_of(evening) for evening in evenings if is_over(evening)}
    with_games = [evening for evening in evenings if games.get(evening.night.pk)]
    if not with_games:
        return {}
    all_games = [course for evening in with_games for course in games[evening.night.pk]]
    sat = {course.reading.record.pk: course.reading.sitting.everybody for course in all_games}
    there = attendance(club, [course.seen.table for course in all_games], sat)
    nights = [evening.night for evening in with_games]
    records, awards = broken_records(nights), awards_of(club, nights)
    stories = {}
    for night in nights:
        courses = games[night.pk]
        people = there.count(course.seen.table for course in courses)
        stories[night.pk] = Story(NightFacts(club, night, courses, people, records[night.pk], awards[night.pk]))
    return stories


def games_of(evening: Evening) -> list[Course]:
    """The finished games of a night in the order of its tables; none where none of them had enough hands."""
    tables = sorted(evening.tables, key=lambda seen: (seen.table.number, seen.table.pk))
    courses = [Course(seen, seen.glance.reading) for seen in tables if seen.glance and is_told(seen)]
    return courses if any(len(course.rows) >= ENOUGH_HANDS for course in courses) else []


def is_told(seen: Seen) -> bool:
    """Whether a table is finished, has hands, and was not drawn again in its play-off."""
    stage = seen.table.stage
    is_abandoned = stage is not None and stage.abandoned_at is not None and not seen.is_single_again
    has_hands = seen.glance is not None and bool(seen.glance.reading.sheet.rows)
    return has_hands and seen.is_over and not is_abandoned


def awards_of(club: Club, nights: Iterable[Night]) -> dict[int, list[Award]]:
    """The trophies that were won at tables of these nights, by night (id). One query."""
    nights = list(nights)
    of: dict[int, list[Award]] = {night.pk: [] for night in nights}
    awards = Award.objects.confirmed().filter(table__night__in=nights).defer("trophy__picture")
    for award in awards.select_related("trophy", "table", "member__same_as").order_by("trophy", "table__number"):
        award.trophy.club = club
        if award.table is not None:
            of[award.table.night_id].append(award)
    return of
