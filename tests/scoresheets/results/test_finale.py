"""Superlatives at the end of a game: each sentence is true of the hands, kind, and there are three at most."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.html import strip_tags
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import all_games
from rules.core.numbers import spelled
from rules.core.placings import place_of
from scoresheets.models import Sheet
from scoresheets.results.finale import (
    LEAST_RUN,
    LEAST_STREAK,
    MOST,
    ORDINALS,
    best_comebacks,
    boldest_bids,
    club_sentences,
    current_streaks,
    deepest_falls,
    is_good,
    longest_runs,
    superlatives_of,
)
from scoresheets.wording.markup import as_text
from tests.factories import bid_and_taken, scorer
from tests.scoresheets.laid import document, hand, reading_of
from tests.scoresheets.thrown import finished

GAMES = [pytest.param(game, id=game.slug) for game in all_games()]
RUN = re.compile(r"(\w+) (bids made|hands won) in a row for P(\d+), hands (\d+) to (\d+)\.")
BID = re.compile(r"The boldest bid that was made: (\d+) of (\d+) for P(\d+) in hand (\d+)\.")
COMEBACK = re.compile(r"P(\d+) came from (\w+) place after hand (\d+) to (\w+) at the end\.")
FALL = re.compile(r"P(\d+) was in (\w+) place after hand (\d+), before their luck turned\.")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=max(settings.default.max_examples // 5, 5), deadline=None)
@given(seed=st.integers(0, 10_000), data=st.data())
def test_every_sentence_is_true_of_the_hands(game, seed, data):
    seats = data.draw(st.sampled_from(list(game.made_for)))
    reading = finished(game, seats, seed)
    if reading is None:
        return
    sentences = [as_text(sentence) for sentence in superlatives_of(reading)]
    assert len(sentences) <= MOST
    assert sentences == [as_text(sentence) for sentence in superlatives_of(reading)]
    for sentence in sentences:
        assert_true(reading, sentence)


def assert_true(reading, sentence: str) -> None:
    sheet = reading.sheet
    ended = {placing.seat: placing.place for placing in sheet.placings}
    if match := RUN.fullmatch(sentence):
        _, what, seat, first, last = match.groups()
        assert (what == "bids made") == reading.game.has_bids
        length = int(last) - int(first) + 1
        assert length >= LEAST_RUN
        assert all(is_good(reading, sheet.row(n), int(seat)) for n in range(int(first), int(last) + 1))
        assert longest_by_hand(reading) == length
    elif match := BID.fullmatch(sentence):
        bid, cards, seat, number = map(int, match.groups())
        steps = sheet.row(number).hand.steps
        assert steps[f"bid-{seat}"]["bid"] == steps["tricks"][f"tricks-{seat}"] == bid >= 3
        assert sheet.row(number).hand.cards == cards
        made = [
            row.hand.steps[f"bid-{s}"]["bid"] for row in sheet.rows for s in row.points
            if row.hand.steps[f"bid-{s}"]["bid"] == row.hand.steps["tricks"][f"tricks-{s}"]
        ]  # fmt: skip
        assert max(made) == bid
    elif match := COMEBACK.fullmatch(sentence):
        seat, was, number, end = match.groups()
        assert ORDINALS.index(was) + 1 == place_of(sheet.row(int(number)).totals, int(seat)) > ended[int(seat)]
        assert ORDINALS.index(end) + 1 == ended[int(seat)]
    else:
        match = FALL.fullmatch(sentence)
        assert match, sentence
        seat, was, number = match.groups()
        assert ORDINALS.index(was) + 1 == place_of(sheet.row(int(number)).totals, int(seat)) < ended[int(seat)]
        assert int(seat) != sheet.loser


def longest_by_hand(reading) -> int:
    """The longest run, counted hand by hand."""
    longest = 0
    for seat in reading.names:
        now = 0
        for row in reading.sheet.rows:
            now = now + 1 if is_good(reading, row, seat) else 0
            longest = max(longest, now)
    return longest


#: Ann makes every bid.
GAME = (
    hand("Bo Cy Di Ann", "1001", "0001"), hand("Cy Di Ann Bo", "1020", "0020"), hand("Di Ann Bo Cy", "1200", "0200"),
    hand("Ann Bo Cy Di", "1100", "1000"),
)  # fmt: skip


def told(*hands, players="Ann Bo Cy Di", **more) -> list[str]:
    return [as_text(sentence) for sentence in superlatives_of(reading_of(document(players, list(hands), **more)))]


def test_game_that_goes_on_tells_nothing():
    assert told(*GAME[:3], plan={"peak": 2}) == []


def test_longest_run_of_made_bids_is_told_with_its_hands():
    assert told(*GAME, plan={"peak": 2})[0] == "Four bids made in a row for Ann, hands 1 to 4."


def test_fall_of_who_takes_the_circle_is_not_told():
    for seed in range(30):
        for game in (game for game in all_games() if game.has_bids):
            if reading := finished(game, 5, seed):
                assert reading.sheet.loser not in {way.seat for way in deepest_falls(reading)}


def test_all_kinds_are_found_in_thrown_games():
    """A rule that nothing ever meets would tell nothing."""
    kinds = {"run": longest_runs, "bid": boldest_bids, "comeback": best_comebacks, "fall": deepest_falls}
    found = set()
    dirty_dog = next(game for game in all_games() if game.has_bids)
    for seed in range(40):
        reading = finished(dirty_dog, 5, seed)
        if reading:
            found |= {kind for kind, of in kinds.items() if of(reading)}
    assert found == set(kinds)


def test_names_that_are_hidden_stay_hidden():
    hidden = replace(reading_of(document(hands=list(GAME), plan={"peak": 2})), aliases={1: "Somebody"})
    sentences = [as_text(sentence) for sentence in superlatives_of(hidden)]
    assert sentences[0] == "Four bids made in a row for Somebody, hands 1 to 4."
    assert not any("Ann" in sentence for sentence in sentences)


def test_where_the_lowest_total_wins_the_same_is_told_the_other_way_round():
    points = [(9, 1, 2), (9, 1, 2), (9, 1, 2), (0, 30, 30), (0, 30, 30)]
    hands = [{"points": dict(zip(("Ann", "Bo", "Cy"), hand, strict=True))} for hand in points]
    sheet = {"game": "points-sheet", "house_rules": {"wins": "lowest", "hands": 5}}
    sentences = told(*hands, players="Ann Bo Cy", **sheet)
    assert "Three hands won in a row for Bo, hands 1 to 3." in sentences
    assert "Ann came from third place after hand 3 to first at the end." in sentences


@pytest.mark.parametrize(("leads_from", "last_behind"), [(3, None), (4, 3), (5, 4)])
def test_places_from_the_third_hand_to_the_last_but_one_are_told_and_no_earlier_ones(leads_from, last_behind):
    """After two hands Ann is last and Bo first; at the end Ann is first and Bo second."""
    points = [(0, 9, 5), (0, 7, 5), (1, 1, 1), (1, 1, 1)]
    points.insert(leads_from - 1, (30, 1, 1))
    hands = [{"points": dict(zip(("Ann", "Bo", "Cy"), hand, strict=True))} for hand in points]
    sentences = told(*hands, players="Ann Bo Cy", game="points-sheet", house_rules={"hands": 5})
    ways = [
        f"Ann came from third place after hand {last_behind} to first at the end.",
        f"Bo was in first place after hand {last_behind}, before their luck turned.",
    ]
    assert [sentence for sentence in sentences if " place " in sentence] == (ways if last_behind else [])


def streaks_by_hand(reading):
    """How many of the last hands each seat has made, counted backwards."""
    streaks = {}
    for seat in {seat for row in reading.sheet.rows for seat in row.points}:
        hands = [is_good(reading, row, seat) for row in reversed(reading.sheet.rows)]
        streaks[seat] = hands.index(False) if False in hands else len(hands)
    return {seat: length for seat, length in streaks.items() if length >= LEAST_STREAK}


@pytest.mark.django_db
@settings(max_examples=max(settings.default.max_examples // 10, 3), deadline=None)
@given(tricks=st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=LEAST_STREAK, max_size=7))
def test_streak_is_told_while_it_lasts_and_only_of_a_running_game(tricks):
    """Everybody bids nothing; in each hand who takes all of it is drawn: the first of the four that is true."""
    with transaction.atomic():
        sheet = scorer(4, plan={"peak": 4})
        for cards in tricks:
            sheet.hand_at_once(partial(nothing_bid, taker=cards.index(True) + 1 if True in cards else 4))
        reading = sheet.reading
        assert not reading.finished
        sentences = [as_text(sentence) for sentence in current_streaks(reading)]
        counted = [
            (streak, name) for sentence in sentences
            for streak, names in [STREAK.fullmatch(sentence).groups()] for name in re.split(", | and ", names)
        ]  # fmt: skip
        by_hand = streaks_by_hand(reading)
        assert sorted(counted) == sorted(
            (spelled(length).capitalize(), reading.names[seat]) for seat, length in by_hand.items()
        )
        quiet = Sheet(game=reading.record.game, quiet=True)
        assert current_streaks(replace(reading, record=quiet)) == []
        transaction.set_rollback(True)


STREAK = re.compile(r"(\w+) bids made in a row: (.*)\.")


def nothing_bid(reading, taker):
    cards = reading.sheet.open.hand.cards
    seats = reading.sheet.open.hand.order
    return bid_and_taken(dict.fromkeys(seats, 0), {seat: cards * (seat == taker) for seat in seats}, reading)


@pytest.mark.django_db
def test_watch_page_says_a_streak_while_the_game_goes_on(client):
    sheet = scorer(4, plan={"peak": 4})
    for _ in range(LEAST_STREAK):
        sheet.hand_at_once(partial(nothing_bid, taker=4))
    names = [sheet.reading.names[seat] for seat in (1, 2, 3)]
    html = client.get(reverse("watch", args=[sheet.sheet.watch])).content.decode()
    text = " ".join(strip_tags(html).split())
    assert f"Four bids made in a row: {names[0]}, {names[1]} and {names[2]}." in text
    sheet.hand_at_once(partial(nothing_bid, taker=1))
    html = client.get(reverse("watch", args=[sheet.sheet.watch])).content.decode()
    assert f"Five bids made in a row: {names[1]} and {names[2]}." in " ".join(strip_tags(html).split())


def test_sentence_of_the_club_is_told_of_a_finished_game_with_the_name_on_the_sheet():
    reading = reading_of(document(hands=list(GAME), plan={"peak": 2}))
    reading.record.also_called = [
        {"call": "back-to-back", "seats": [1], "said": "Back-to-Back: {names}."},
        {"sentence": "Personal best for {names}: 9 < 10.", "seats": [2]},
        {"sentence": "A seat that is not there: {names}.", "seats": [9]},
    ]
    assert reading.finished
    assert club_sentences(reading) == ["Personal best for <b><bdi>Bo</bdi></b>: 9 &lt; 10."]
    running = replace(reading, standing=dict(list(reading.standing.items())[:-1]))
    assert not running.finished
    assert club_sentences(running) == []
