"""Both trophies of a play-off: proposed, awarded and questioned in the register, and said to be read aloud."""

from __future__ import annotations

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Award, Dispute, Night, Stage, Trophy
from clubs.nights.nights import bring_back, put_away
from clubs.play_off_page.report import trophies
from clubs.play_offs.state import now
from clubs.projections import worker
from clubs.tables.open import say_stakes
from clubs.trophies import awards
from clubs.trophies.play_off import look_at_play_off, sentence
from clubs.trophies.register import champion
from scoresheets.wording.markup import as_text
from tests.club_factories import ClubFactory, MemberFactory, NightFactory
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, scorer_of
from tests.counted import not_counted
from tests.factories import sure_of

pytestmark = pytest.mark.django_db


def evening_at_the_finals(**more: object) -> PlayOffEvening:
    """Groups of five and four, two places; the finals are of Ann, Bo, Flo, Gus and of Cy, Di, Ed, Hal, Ivy."""
    evening = play_off([5, 4], places=2, **more)
    first, second = evening.groups
    evening.finish(first, [20, 15, 9, 4, -3])
    evening.finish(second, [12, 10, 3, -8])
    evening.open_next()
    return evening


def with_trophies(club: object = None, **held: str) -> tuple[Trophy, Trophy]:
    """The Cup for the winner and The Bone for the loser of a club, added long ago."""
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    cup = Trophy.objects.create(club=club, name="The Cup", goes="winner", added_at=long_ago)
    bone = Trophy.objects.create(club=club, name="The Bone", goes="loser", added_at=long_ago)
    for trophy, name in ((cup, held.get("cup")), (bone, held.get("bone"))):
        if name:
            member = club.members.filter(name=name).first() or MemberFactory(club=club, name=name)  # type: ignore[attr-defined]
            awards.award(trophy, member, on=datetime.date(2026, 1, 8), source="typed", confirmed=True)
    return cup, bone


WINNERS = {"Ann": 3, "Bo": 7, "Flo": 21, "Gus": -4}
LOSERS = {"Cy": 1, "Di": 4, "Ed": -5, "Hal": 9, "Ivy": 2}


def play_finals(evening: PlayOffEvening, winners: dict[str, int] = WINNERS, losers: dict[str, int] = LOSERS) -> None:
    evening.finish(evening.final(), winners)
    evening.finish(evening.final(Stage.Side.LOSERS), losers)


def stakes(evening: PlayOffEvening) -> list[str]:
    return [evening.final(side).sheet.stakes for side in (Stage.Side.WINNERS, Stage.Side.LOSERS)]


@pytest.mark.thorough
def test_sheets_of_the_finals_say_what_was_decided_once_it_is() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    assert stakes(evening) == [
        "Won here: The Cup. The Bone stayed at the losers’ table.",
        "The Bone stayed here, with the lowest.",
    ]
    olga = evening.organiser()
    said = "Ed ends lowest here with −5 points. The Bone stayed here, with the lowest."
    for name in ("control", "night"):
        text = page(olga.get(reverse(name, args=[evening.club.slug, evening.night.pk]))).text
        assert said in text
        assert "The play-off has decided who takes the trophies." in text
        assert "Play-off: over" in text
    evening.correct(evening.final(), {"Gus": -6})
    assert stakes(evening) == [
        "Won here: The Cup. The Bone crossed over to the lowest here.",
        "The Bone crossed over to the winners’ table: its lowest is lower still.",
    ]
    evening.correct(evening.final(), {"Ann": 21})
    assert stakes(evening)[0].startswith("Played for The Cup.")
    evening.blind(evening.final(), made=["Ann"])
    assert stakes(evening)[0].startswith("Won here: The Cup. The Bone crossed")


def test_trophies_wait_for_the_play_off_until_it_is_over() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    assert trophies(evening.night) == "they wait for the play-off."
    play_finals(evening)
    Award.objects.all().delete()
    assert trophies(evening.night) == "all stay where they are."


def test_nothing_waits_for_the_play_off_in_a_club_without_trophies() -> None:
    evening = evening_at_the_finals()
    assert trophies(evening.night) == "all stay where they are."


def test_nothing_waits_for_a_play_off_that_never_was_once_the_night_is_closed() -> None:
    night = NightFactory(trophies=Night.Follows.PLAY_OFF)
    with_trophies(night.club)
    assert trophies(night) == "they wait for the play-off."
    night.closed_at = timezone.now()
    assert trophies(night) == "all stay where they are."


def test_sheets_that_say_so_already_are_left_alone() -> None:
    """Somebody may be writing on them: a correction of another table does not wait for them, nor they for it."""
    evening = evening_at_the_finals()
    play_finals(evening)
    with CaptureQueriesContext(connection) as queries:
        say_stakes(evening.night)
    assert [one["sql"] for one in queries if one["sql"].startswith("UPDATE")] == []


def proposed(evening: PlayOffEvening) -> list[tuple[str, str, bool]]:
    """Which trophy is whose by the play-off, and whether that is confirmed."""
    won = Award.objects.standing().filter(trophy__club=evening.club, source="play-off").order_by("trophy")
    return [(str(one.trophy), one.shown, one.confirmed_at is not None) for one in won]


def asked(evening: PlayOffEvening) -> list[tuple[str, str, str]]:
    """The open questions of the register: which trophy, the sentence, and whom it names."""
    open_ones = Dispute.objects.filter(award__trophy__club=evening.club, answered_at__isnull=True).order_by("pk")
    return [(str(one.award.trophy), one.sentence, one.named) for one in open_ones]


def aloud(evening: PlayOffEvening) -> str:
    return as_text(sentence(evening.now))


# The register


def test_both_trophies_are_proposed_when_the_outcome_is_there_and_not_before() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    evening.finish(evening.final(), WINNERS)
    assert proposed(evening) == []
    evening.finish(evening.final(Stage.Side.LOSERS), LOSERS)
    assert proposed(evening) == [("The Cup", "Flo", False), ("The Bone", "Ed", False)]
    cup, bone = Award.objects.filter(source="play-off").order_by("trophy")
    assert (cup.table, cup.why) == (evening.final(), "Play-off: won the winners’ table with 21")
    assert (bone.table, bone.why) == (
        evening.final(Stage.Side.LOSERS), "Play-off: lowest of the losers’ table with −5",
    )  # fmt: skip


def test_nobody_else_wins_anything_that_night() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    assert Award.objects.count() == 2


def test_a_club_that_prefers_it_awards_at_once() -> None:
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    assert proposed(evening) == [("The Cup", "Flo", True), ("The Bone", "Ed", True)]


def test_looking_again_changes_nothing() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    before = list(Award.objects.values_list())
    for _ in range(2):
        look_at_play_off(Night.objects.get(pk=evening.night.pk))
    assert list(Award.objects.values_list()) == before


def test_it_looks_in_as_many_queries_at_many_groups(django_assert_max_num_queries: object) -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    night = Night.objects.select_related("club", "trophies_table").get(pk=evening.night.pk)
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        look_at_play_off(night)


def test_counting_a_final_reads_the_play_off_once() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    with not_counted():
        evening.finish(evening.final(), WINNERS)
    with CaptureQueriesContext(connection) as queries:
        worker.catch_up()
    assert sum('FROM "clubs_ruling"' in query["sql"] for query in queries) == 1


def test_the_loser_trophy_crosses_to_the_winners_table() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening, {**WINNERS, "Gus": -7})
    assert proposed(evening) == [("The Cup", "Flo", False), ("The Bone", "Gus", False)]
    bone = Award.objects.get(trophy__name="The Bone")
    assert bone.why == "Play-off: lowest of the winners’ table with −7, below the −5 of the losers’ table"
    assert bone.table == evening.final()


def test_a_night_that_follows_something_else_gives_nothing_to_the_winner_of_its_play_off() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    Night.objects.filter(pk=evening.night.pk).update(trophies="nothing")
    play_finals(evening)
    assert proposed(evening) == []
    assert aloud(evening) == "Flo wins. Ed, lowest of the losers’ table with −5, loses. First Place Loser: Bo."


def take_last_hand_back(evening: PlayOffEvening, side: str = Stage.Side.WINNERS) -> None:
    scorer = scorer_of(evening.final(side))
    while scorer.reading.sheet.open is None:
        sure_of(scorer.undo())


def test_a_final_that_is_opened_again_takes_its_proposals_back() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    take_last_hand_back(evening)
    assert proposed(evening) == []


def test_a_final_that_is_opened_again_makes_a_question_of_a_confirmed_award() -> None:
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    take_last_hand_back(evening)
    day = f"{evening.night.on:%-d %B %Y}"
    assert proposed(evening) == [("The Cup", "Flo", True), ("The Bone", "Ed", True)]
    assert asked(evening) == [
        ("The Cup", f"The play-off of {day} is open again.", ""),
        ("The Bone", f"The play-off of {day} is open again.", ""),
    ]


def test_a_night_that_is_put_away_makes_questions_which_vanish_when_it_is_brought_back() -> None:
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    night = Night.objects.get(pk=evening.night.pk)
    put_away(night)
    night.refresh_from_db()
    look_at_play_off(night)
    assert [says for _, says, _ in asked(evening)] == [f"The night of {night.on:%-d %B %Y} was archived."] * 2
    bring_back(night)
    night.refresh_from_db()
    look_at_play_off(night)
    assert asked(evening) == []


def test_a_table_of_the_play_off_that_is_taken_for_the_trophies_instead_is_asked_about() -> None:
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    night = Night.objects.get(pk=evening.night.pk)
    night.trophies, night.trophies_table = "table", evening.final(Stage.Side.LOSERS)
    night.save()
    look_at_play_off(night)
    assert asked(evening)[0][1] == f"On {night.on:%-d %B %Y} the trophies follow {night.trophies_table}."


def test_whoever_wins_the_play_off_is_the_champion_of_next_time() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Bo")
    play_finals(evening)
    assert champion(evening.club) == evening.members["Flo"]


# To read aloud


def test_the_sentence_tells_who_takes_what_from_whom() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Bo", bone="Ann")
    assert aloud(evening) == ""
    play_finals(evening, {**WINNERS, "Gus": -7})
    assert aloud(evening) == (
        "Flo takes The Cup from Bo. Gus, lowest of the winners’ table with −7 and below Ed’s −5, takes The Bone from "
        "Ann. First Place Loser: Bo."
    )


def test_the_sentence_stays_the_same_when_the_awards_are_confirmed() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Bo", bone="Ann")
    play_finals(evening)
    before = aloud(evening)
    for award in Award.objects.filter(source="play-off"):
        awards.confirm(award, by=None)
    assert aloud(evening) == before


def test_a_holder_who_wins_again_keeps_it_and_a_trophy_without_one_is_just_taken() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Flo")
    play_finals(evening)
    assert aloud(evening).startswith("Flo keeps The Cup. Ed, lowest of the losers’ table with −5, takes The Bone.")


def test_several_trophies_of_one_kind_are_told_together() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Bo")
    with_trophies(evening.club, cup="Flo")
    play_finals(evening)
    assert aloud(evening).startswith("Flo keeps The Cup and takes The Cup from Bo.")


def test_a_trophy_that_is_younger_than_the_night_is_not_played_for() -> None:
    evening = evening_at_the_finals()
    Trophy.objects.create(
        club=evening.club, name="The New Cup", goes="winner",
        added_at=datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3),
    )  # fmt: skip
    play_finals(evening)
    assert aloud(evening).startswith("Flo wins.")


def test_a_trophy_added_on_the_evening_goes_to_who_has_won_or_lost_the_play_off() -> None:
    evening = evening_at_the_finals()
    play_finals(evening)
    olga, club = evening.organiser(), evening.club
    typed = {"name": "The Bell", "goes": "winner", "drawing": "bell"}
    assert olga.post(reverse("new_trophy", args=[club.slug]), typed).status_code == 303
    assert proposed(evening) == [("The Bell", "Flo", False)]
    bell = Trophy.objects.get()
    assert olga.post(reverse("edit_trophy", args=[club.slug, bell.pk]), {**typed, "goes": "loser"}).status_code == 303
    assert proposed(evening) == [("The Bell", "Ed", False)]


def test_a_lead_that_a_blind_hand_has_settled_is_said() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, cup="Bo")
    play_finals(evening, {**WINNERS, "Ann": 21})
    assert aloud(evening) == ""
    assert proposed(evening) == []
    evening.blind(evening.final(), made=["Ann"])
    assert aloud(evening).startswith("After a blind hand with Flo, Ann takes The Cup from Bo.")
    cup = Award.objects.get(trophy__name="The Cup", source="play-off")
    assert cup.why == "Play-off: won the winners’ table with 21, after a blind hand"


def test_who_is_level_at_the_winners_table_stays_above() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening, {**WINNERS, "Gus": -5})
    assert "Gus at the winners’ table, with −5 too, stays above." in aloud(evening)
    assert ("The Bone", "Ed", False) in proposed(evening)


def test_without_a_losers_table_the_lowest_of_the_one_final_takes_it() -> None:
    evening = play_off([4, 4], places=2, losers_count=0)
    with_trophies(evening.club)
    first, second = evening.groups
    evening.finish(first, [20, 15, 9, 4])
    evening.finish(second, [12, 10, 3, -8])
    evening.open_next()
    evening.finish(evening.final(), {"Ann": 3, "Bo": 9, "Ed": 4, "Flo": -2})
    assert aloud(evening) == (
        "Bo takes The Cup. Flo, lowest of the final with −2, takes The Bone. First Place Loser: Ed."
    )
    assert proposed(evening) == [("The Cup", "Bo", False), ("The Bone", "Flo", False)]


def test_several_seconds_are_first_place_losers() -> None:
    evening = evening_at_the_finals()
    play_finals(evening, {**WINNERS, "Ann": 7})
    # In the order in which they sit, which is drawn.
    assert aloud(evening).endswith(("First Place Losers: Ann and Bo.", "First Place Losers: Bo and Ann."))


def test_a_name_that_is_hidden_is_not_said() -> None:
    evening = evening_at_the_finals()
    member = evening.members["Flo"]
    member.hidden = True
    member.save()
    play_finals(evening)
    state = now(evening.play_off)
    assert "Flo" not in str(sentence(state))
