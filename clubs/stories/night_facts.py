"""Everything that can be told of a night: the facts of its games, its records and its awards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Award, Club, Night, Stage
from clubs.records.games import personal_best_url
from clubs.records.hands import hand_url
from clubs.stories.broken_records import BrokenRecord
from clubs.stories.course import Course
from clubs.stories.facts import (
    Attended,
    BestOfAll,
    BidsMade,
    CameBack,
    ClosestLeg,
    Decided,
    Evidence,
    Fact,
    First,
    LeadChanges,
    LedAlone,
    LedLongest,
    LedThroughout,
    Legs,
    Level,
    LongestLeg,
    MadeInARow,
    Narrow,
    RecordBroken,
    Spread,
    TrophiesWon,
    Unlucky,
    Win,
    Won,
)  # fmt: skip
from scoresheets.wording.markup import name_shown

#: Of more tables only the winner of the one whose curve is drawn is named.
MOST_WINNERS = 4
#: So many people are named who have done the same; of more nobody is.
MOST_NAMES = 3
#: What is told from how much on.
CHANGES, PLACES, IN_A_ROW, NEAR_MISSES, HANDS_LED = 2, 2, 3, 3, 4


@dataclass(frozen=True)
class NightFacts:
    """A night with its finished games in the order of their tables, and what the club knows of it.

    `people` is how many were at these tables.
    """

    club: Club
    night: Night
    courses: Sequence[Course]
    people: int
    records: Sequence[BrokenRecord] = ()
    awards: Sequence[Award] = ()

    @cached_property
    def main(self) -> Course:
        """The game whose curve is drawn: the final, the table that the trophies follow, or the most dramatic one."""
        return min(self.courses, key=self.less_of_a_drama)

    def less_of_a_drama(self, course: Course) -> tuple[bool, bool, int, int, int, int]:
        table = course.seen.table
        changes = course.lead_changes if course.is_race else 0
        is_final = table.stage is not None and table.stage.is_final and table.stage.side == Stage.Side.WINNERS
        follows = table.pk == self.night.trophies_table_id
        return not is_final, not follows, -changes, course.margin, -len(course.rows), table.number

    def in_order(self) -> Iterator[Fact]:
        """All facts of the night, in the order in which a story tells them."""
        yield self.attended
        yield self.won
        yield from self.of_the_end()
        yield from self.of_the_lead()
        yield from self.comebacks()
        yield from self.of_legs()
        yield from self.broken_records()
        yield from self.of_hands()
        yield from self.trophies()

    # Where it can be read

    def at(self, course: Course) -> SafeString:
        """ " at table 2", within a sentence; nothing where there was one table."""
        if len(self.courses) == 1:
            return SafeString()
        within = name_shown(course.seen.within) if course.seen.table.label else course.seen.within
        return format_html(" at {}", within)

    def proof(self, course: Course, hand: int = 0) -> Evidence:
        """The sheet, or a hand on it."""
        several = len(self.courses) > 1
        table = name_shown(str(course.seen)) if course.seen.table.label else f"{course.seen}"
        if not hand:
            return Evidence(format_html("{}", table if several else "The sheet"), hand_url(course.watch, 0))
        label = format_html("{}, hand {}", table, hand) if several else format_html("Hand {}", hand)
        return Evidence(label, hand_url(course.watch, hand))

    # Who played, who won

    @property
    def attended(self) -> Attended:
        hands = sum(len(course.rows) for course in self.courses)
        there = Evidence(SafeString("The night"), self.night.get_absolute_url())
        return Attended((there,), SafeString(), self.people, len(self.courses), hands)

    @property
    def won(self) -> Won | First:
        """Who won at each table where these are few, else at the one whose curve is drawn."""
        games = [course for course in self.courses if course.winner is not None]
        if len(games) < len(self.courses) or len(games) > MOST_WINNERS or self.has_final:
            games = [self.main]
        course = games[0]
        proofs, at = tuple(self.proof(course) for course in games), self.at(course)
        if course.winner is None:
            names = tuple(course.name(placing.seat) for placing in course.first)
            return First(proofs, at, names, course.first[0].score, legs_won(course))
        return Won(proofs, SafeString(), tuple(self.win(course) for course in games))

    @property
    def has_final(self) -> bool:
        stage = self.main.seen.table.stage
        return stage is not None and stage.is_final

    def win(self, course: Course) -> Win:
        return Win(course.name(course.winner or 0), course.winning_score, self.at(course), legs_won(course))

    # How it ended

    def of_the_end(self) -> Iterator[Fact]:
        """Who was level at the top, or by how little somebody was ahead, where totals run through."""
        races = [course for course in self.courses if course.is_race and len(course.rows[-1].totals) > 1]
        for course in [course for course in races if len(course.top) > 1][:1]:
            winner = course.name(course.winner) if course.winner in course.top and course.winner else ""
            names, total = tuple(map(course.name, course.top)), course.rows[-1].totals[course.top[0]]
            yield Level((self.proof(course),), self.at(course), names, total, winner)
        alone = [course for course in races if len(course.top) == 1]
        if alone:
            course = min(alone, key=lambda course: (course.margin, course.number))
            names = tuple(map(course.name, course.second))
            proof = self.proof(course, course.rows[-1].hand.number)
            yield Narrow((proof,), self.at(course), course.name(course.top[0]), names, course.margin)

    # The lead

    def of_the_lead(self) -> Iterator[Fact]:
        races = [course for course in self.courses if course.is_race]
        if not races:
            return
        course = min(races, key=lambda course: (-course.lead_changes, course.number))
        whole, at = (self.proof(course),), self.at(course)
        if course.lead_changes >= CHANGES:
            yield LeadChanges(whole, at, course.lead_changes)
        else:
            yield LedAlone(whole, at, course.led_alone)
        for course in [course for course in races if course.led_throughout is not None][:1]:
            yield LedThroughout((self.proof(course),), self.at(course), course.name(course.led_throughout or 0))
        for course in [course for course in (self.main, *races) if course.is_race and course.decided_by][:1]:
            hand, last = course.decided_by or 0, course.rows[-1].hand.number
            name = course.name(course.winner or 0)
            yield Decided((self.proof(course, hand),), self.at(course), name, hand, hand == last)
        for course in races:
            if course.led_longest and course.led_longest[1] >= HANDS_LED:
                seat, many = course.led_longest
                winner = course.name(course.winner or 0)
                proof = (self.proof(course),)
                yield LedLongest(proof, self.at(course), course.name(seat), many, len(course.rows), winner)
                break
        spread = min(races, key=lambda course: (course.spread, course.number))
        yield Spread((self.proof(spread),), self.at(spread), spread.spread)

    def comebacks(self) -> Iterator[CameBack]:
        """The one over most places."""
        backs = [(course, back) for course in self.courses if course.is_race and (back := course.comeback)]
        backs.sort(key=lambda pair: (-pair[1].places, pair[0].number))
        for course, back in backs[:1]:
            if back.places >= PLACES:
                yield CameBack(
                    (self.proof(course, back.hand),), self.at(course),
                    course.name(back.seat), back.hand, back.then, back.players, back.now,
                )  # fmt: skip

    def of_legs(self) -> Iterator[Fact]:
        """Rubbers or games: how many the table had that had most, the longest of them, and the closest."""
        matches = [course for course in self.courses if not course.is_race]
        if not matches:
            return
        course = min(matches, key=lambda course: (-len(course.leg_hands), course.number))
        proof, at, leg, legs = (self.proof(course),), self.at(course), course.leg_name, len(course.leg_hands)
        yield Legs(proof, at, legs, leg)
        yield LongestLeg(proof, at, max(course.leg_hands), legs, leg)
        if course.leg_margins:
            points, winner, hand = min(course.leg_margins)
            name = course.reading.names_at(hand)[winner]
            yield ClosestLeg((self.proof(course, hand),), at, name, points, leg, legs)

    # Records and hands

    def broken_records(self) -> Iterator[RecordBroken]:
        for record in self.records:
            names = tuple(dict.fromkeys(best.member.main_record.shown for best in record.bests))
            if len(names) <= MOST_NAMES:
                name = record.kind.name
                label = SafeString("See it")
                proofs = tuple(Evidence(label, personal_best_url(self.club, best)) for best in record.bests[:1])
                text = f"{name[:1].lower()}{name[1:]}"
                yield RecordBroken(proofs, SafeString(), names, record.game, text, record.value)

    def of_hands(self) -> Iterator[Fact]:
        """Bids made in a row, the best hand, and who was unlucky."""
        runs = [(course, run) for course in self.courses for run in course.runs]
        most = max((run.bids for _, run in runs), default=0)
        longest = [(course, run) for course, run in runs if run.bids == most]
        if most >= IN_A_ROW and len(longest) <= MOST_NAMES:
            proofs = tuple(self.proof(course, run.last) for course, run in longest)
            at = self.at(longest[0][0]) if len(longest) == 1 else SafeString()
            yield MadeInARow(proofs, at, tuple(dict.fromkeys(run.name for _, run in longest)), most)
        yield from self.best_hands()
        yield from self.unlucky()
        made, bids = (sum(counts) for counts in zip(*(course.bids_made for course in self.courses), strict=True))
        if bids:
            yield BidsMade(self.attended.evidence, SafeString(), made, bids)

    def best_hands(self) -> Iterator[BestOfAll]:
        """The most points in one hand; not where several people had them in more than a few hands."""
        hands = [(course, hand) for course in self.courses for hand in course.best_hands]
        most = max((hand.points for _, hand in hands), default=0)
        best = [(course, hand) for course, hand in hands if hand.points == most]
        if most > 0 and len(best) <= MOST_NAMES:
            proofs = tuple(self.proof(course, hand.hand) for course, hand in best)
            single = len(best) == 1
            at = self.at(best[0][0]) if single else SafeString()
            names = tuple(dict.fromkeys(hand.name for _, hand in best))
            yield BestOfAll(proofs, at, names, most, best[0][1].hand if single else 0)

    def unlucky(self) -> Iterator[Unlucky]:
        """Who missed most bids by one trick, where that is one person alone."""
        missed = [(course, near) for course in self.courses for near in course.near_misses]
        most = max((near.bids for _, near in missed), default=0)
        of_all = [(course, near) for course, near in missed if near.bids == most]
        if most >= NEAR_MISSES and len(of_all) == 1:
            course, near = of_all[0]
            yield Unlucky((self.proof(course, near.last),), self.at(course), near.name, most)

    def trophies(self) -> Iterator[TrophiesWon]:
        if self.awards:
            proofs = tuple(
                Evidence(name_shown(award.trophy.name), award.trophy.get_absolute_url()) for award in self.awards
            )
            pairs = tuple((award.shown, award.trophy.name) for award in self.awards)
            yield TrophiesWon(proofs, SafeString(), pairs)


def legs_won(course: Course) -> str:
    """What the score of a placing counts, where it is no points."""
    game = course.reading.game
    return game.leg_name if game.has_legs(course.reading.sheet.table) else ""
