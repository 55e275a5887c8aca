"""Every sentence of a story is true of its night, whatever was played there."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.models import Stage
from clubs.stories.facts import BestOfAll, Decided, Fact, LeadChanges, MadeInARow, Narrow
from clubs.stories.sentences import sentence_of
from clubs.stories.story import ENOUGH_HANDS, Story
from scoresheets.wording.markup import as_text
from tests.clubs.stories.nights import GAMES, Paper, night_of, played
from tests.clubs.stories.truth import TrueNight
from tests.scoresheets.laid import reading_of

#: Nobody is told such things by a story.
MEAN = re.compile(
    r"\b(worst|lowest|last place|los\w+|lost|bad\w*|poor\w*|weak\w*|fail\w*|blunder\w*|mistake\w*|wrong\w*|terribl\w*|"
    r"awful\w*|hopeless\w*|sham\w+|embarrass\w*|disast\w*|stupid\w*|clums\w*|collapse\w*|threw|wasted?|choked?|worse|"
    r"circle\w*|beat\w*|crush\w*|humiliat\w*|unable|never)\b", re.I,
)  # fmt: skip


def thrown(seed: int, tables: int, game: str = "") -> tuple[Story, list[Paper]]:
    dice = random.Random(f"story {seed}")
    readings = [played(dice, game or dice.choice(GAMES)) for _ in range(tables)]
    return night_of(readings, pk=seed % 7 + 1)


def says_the_truth(story: Story, papers: list[Paper]) -> list[str]:
    night = TrueNight(papers)
    assert 5 <= len(story.plain) <= 8, story.plain
    kinds = [night.check(sentence) for sentence in story.plain]
    for sentence in story.plain:
        for name in sorted(night.people, key=len, reverse=True):
            sentence = sentence.replace(name, "")
        assert not MEAN.search(sentence), sentence
    assert all(sentence.evidence for sentence in story.sentences)
    return kinds


@given(st.integers(0, 10**9), st.integers(1, 3))
@settings(max_examples=settings.default.max_examples // 2 or 1, deadline=None)
def test_every_sentence_is_true_of_the_sheet_files_of_its_night(seed: int, tables: int) -> None:
    """Five to eight sentences, where one game of four hands or more was finished."""
    story, papers = thrown(seed, tables)
    if max(len(paper.result["hands"]) for paper in papers) < ENOUGH_HANDS:
        assert not story.facts.courses
        return
    says_the_truth(story, papers)


@pytest.mark.parametrize("game", sorted(set(GAMES)))
def test_every_game_has_a_story(game: str) -> None:
    assert len(set(says_the_truth(*thrown(5, 1, game)))) >= 5


@pytest.mark.thorough
def test_dice_come_to_every_kind_of_sentence_and_each_is_true() -> None:
    kinds: set[str] = set()
    for seed in range(150):
        story, papers = thrown(seed, seed % 3 + 1)
        if story.facts.courses:
            kinds |= set(says_the_truth(story, papers))
    assert kinds >= {
        "attended", "won", "first", "level", "narrow", "lead", "throughout", "decided", "back", "legs", "close leg",
        "row", "best", "unlucky",
    }  # fmt: skip


def test_order_of_tables_in_the_database_and_a_second_reading_change_nothing() -> None:
    dice = random.Random("order")
    readings = [played(dice, "dirty-dog") for _ in range(3)]
    told = night_of(readings)[0].plain
    assert night_of(readings)[0].plain == told
    assert all(night_of(readings, order=order)[0].plain == told for order in ((2, 0, 1), (1, 2, 0), (2, 1, 0)))
    other = night_of(readings, pk=2)[0]
    assert [sentence.fact.__class__ for sentence in other.sentences] == [
        sentence.fact.__class__ for sentence in night_of(readings)[0].sentences
    ], "another night with the same hands is worded otherwise, and tells the same"


def test_curve_is_that_of_the_final_then_of_the_table_that_the_trophies_follow() -> None:
    dice = random.Random("main")
    facts = night_of([played(dice, "dirty-dog") for _ in range(4)])[0].facts
    dramatic = facts.main
    assert dramatic.lead_changes == max(course.lead_changes for course in facts.courses)
    follows, final = [course for course in facts.courses if course is not dramatic][:2]
    facts.night.trophies_table_id = follows.seen.table.pk
    assert replace(facts).main is follows
    assert len(facts.won.evidence) == 4, "of few tables everybody who won is named"
    final.seen.table.stage = Stage(number=2, side=Stage.Side.WINNERS, hands=4)
    assert replace(facts).main is final
    assert replace(facts).won.evidence == (facts.proof(final),), "and of a night with a final who won that"
    assert night_of([])[0].facts.courses == []


def made_untrue(fact: Fact) -> Fact | None:
    """The fact with another number in it."""
    match fact:
        case Decided(is_last=False):
            return replace(fact, hand=fact.hand + 1)
        case Narrow() | BestOfAll():
            return replace(fact, points=fact.points + 1)
        case LeadChanges():
            return replace(fact, changes=fact.changes + 1)
        case MadeInARow():
            return replace(fact, bids=fact.bids - 1)
    return None


@pytest.mark.thorough
def test_sentence_that_is_not_true_is_found_out() -> None:
    """What these tests compare with can say no."""
    refused = set()
    for seed in range(24):
        story, papers = thrown(seed, 1, "dirty-dog" if seed % 2 else "bird-dog")
        for fact in filter(None, map(made_untrue, story.facts.in_order())):
            with pytest.raises(AssertionError, match="not true"):
                TrueNight(papers).check(as_text(sentence_of(fact, 0)))
            refused.add(type(fact))
    assert refused == {Decided, Narrow, BestOfAll, LeadChanges, MadeInARow}


def test_where_the_lowest_total_wins_the_story_knows_who_was_ahead() -> None:
    points = [(9, 1, 2), (9, 1, 2), (9, 1, 2), (9, 20, 30), (9, 20, 30)]
    hands = [{"points": dict(zip(("Ann", "Bo", "Cy"), hand, strict=True))} for hand in points]
    rules = {"wins": "lowest", "hands": 5}
    paper = {"format": "score-sheet/1", "game": "points-sheet", "players": ["Ann", "Bo", "Cy"], "hands": hands}
    story, _ = night_of([reading_of({**paper, "house_rules": rules})])
    assert "Ann won with 45 points." not in story.plain
    assert "Bo won with 43 points." in story.plain
    assert "After the last hand Bo was two points ahead of Ann." in story.plain
    assert not any(isinstance(fact, BestOfAll) for fact in story.facts.in_order()), "many points are no good hand"
