"""What members are remembered for, with the hand as evidence, and who wins again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Award, Club, Honour, Member, Table
from clubs.projections.update import remake
from clubs.records.honours import Term, board, called_at, evidence, keep_back_to_back
from clubs.tables.open import follow
from clubs.trophies import awards
from rules import find_game
from rules.core.texts import CallOut
from scoresheets.log.state import read_sheet
from scoresheets.results.verdict import verdict_of
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, played, scored
from tests.clubs.trophy_night import first_wins, night, scorer_of, take_last_hand_back, third_wins
from tests.counted import change

pytestmark = pytest.mark.django_db


def said(tag: str, **where: object) -> list[tuple[str, int]]:
    """Of whom a term was said, and in which hands."""
    found = Honour.objects.filter(tag=tag, **where).order_by("table", "hand", "member")
    return [(honour.member.shown, honour.hand) for honour in found]


def test_call_outs_become_honours_with_the_hand_as_evidence(club: Club, four: list[Member]) -> None:
    table = played(night(club), four, hands=1)
    scorer = scorer_of(table)
    # Two cards: Cy bids none and takes both.
    scorer.hand({1: 0, 2: 1, 3: 0, 4: 0}, {1: 0, 2: 0, 3: 2, 4: 0})
    assert not Honour.objects.exists(), "nothing is told while it is played"
    while scorer.reading.sheet.open:
        scorer.clear_hand()
    scorer.settle()
    assert said("dog-pile") == [("Cy", 2)]
    assert Honour.objects.get(tag="dog-pile").value == 2
    assert said("first-place-loser") == [("Di", 0)]


def test_what_lasts_is_said_where_it_begins() -> None:
    near, loud = CallOut("near", (1,), lasting=True), CallOut("loud", (1,))
    found = called_of([near, loud], [near, loud], [loud], [near, loud])
    assert found["near"] == [1, 4]
    assert found["loud"] == [1, 2, 3, 4], "what does not last is said each time"


def test_what_lasts_begins_again_for_a_substitute_where_it_is_about_their_own_hands() -> None:
    near, knob = CallOut("near", (1,), lasting=True), CallOut("knob", (1,), lasting=True, personal=True)
    assert called_of([near, knob], [near, knob], [near, knob], substitute_at=3) == {"near": [1], "knob": [1, 3]}


def called_of(*hands: list[CallOut], substitute_at: int = 0) -> dict[str, list[int]]:
    """In which hands each is called, where these hold after the hands; a substitute plays that hand and those after."""
    rows = [
        SimpleNamespace(
            hand=SimpleNamespace(number=hand),
            table=SimpleNamespace(occupant=lambda seat, hand=hand: 1001 if 0 < substitute_at <= hand else seat),
        )
        for hand in range(1, len(hands) + 1)
    ]
    reading = SimpleNamespace(
        sheet=SimpleNamespace(rows=rows, callouts=[]),
        sitting=SimpleNamespace(at=lambda hand: {1: SimpleNamespace(player=7)}),
        game=SimpleNamespace(hand_callouts=lambda row: hands[row.hand.number - 1]),
    )
    called: dict[str, list[int]] = {}
    for callout in called_at(reading):
        called.setdefault(callout.tag, []).append(callout.hand)
    return called


def test_nobody_is_remembered_for_a_game_that_is_open_again(club: Club, four: list[Member]) -> None:
    table = played(night(club), four)
    assert said("clean-run") != []
    take_last_hand_back(table)
    assert not Honour.objects.exists()


def test_winning_right_after_winning_is_back_to_back_and_counts_each_time(club: Club, four: list[Member]) -> None:
    first, second, third = (played(night(club, week), four) for week in range(3))
    assert said("back-to-back") == [("Ann", 0), ("Ann", 0)]
    assert [honour.value for honour in Honour.objects.filter(tag="back-to-back").order_by("table")] == [2, 3]
    assert aloud(first) == ""
    assert aloud(second) == "Back-to-Back: Ann won the game before, too"
    assert aloud(third) == "Back-to-Back: Ann has won 3 games running"


def test_games_of_the_past_are_back_to_back_with_as_many_statements_however_many_they_are(club: Club) -> None:
    people, counts = MemberFactory.create_batch(3, club=club), []
    for games in (3, 12):
        for _ in range(games):
            scored(NightFactory(club=club), [(member, -place) for place, member in enumerate(people)], game="dirty-dog")
        with CaptureQueriesContext(connection) as asked:
            keep_back_to_back(club)
        counts.append(len(asked))
    assert Honour.objects.filter(tag="back-to-back").count() == 14
    assert counts[0] == counts[1]


def aloud(table: Table) -> str:
    """What the result reads out of winning again."""
    table.sheet.refresh_from_db()
    verdict = verdict_of(read_sheet(table.sheet))
    assert verdict is not None
    text = verdict.aloud.replace("<b><bdi>", "").replace("</bdi></b>", "")
    return text[text.index("Back-to-Back") :].split(".")[0] if "Back-to-Back" in text else ""


def test_correction_of_the_game_before_takes_back_to_back_away_and_gives_it_again(
    club: Club, four: list[Member]
) -> None:
    first, second = played(night(club), four), played(night(club, 1), four)
    third_wins(first)
    assert said("back-to-back") == []
    assert aloud(second) == ""
    first_wins(first)
    assert said("back-to-back", table=second) == [("Ann", 0)]
    assert aloud(second) != ""


def test_result_page_has_it_among_what_was_called(club: Club, four: list[Member]) -> None:
    played(night(club), four)
    second = played(night(club, 1), four)
    page = Client().get(reverse("watch", args=[second.sheet.watch])).content.decode()
    assert "won the game before, too." in page


@pytest.mark.thorough
def test_night_for_fun_is_not_between_two_games(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    played(night(club), four)
    between = night(club, 1)
    played(between, [bo, ann, cy, di])
    last = played(night(club, 2), four)
    assert said("back-to-back") == []
    between.for_fun = True
    between.save()
    change(club.pk, between)
    assert said("back-to-back", table=last) == [("Ann", 0)]


@pytest.mark.thorough
def test_of_a_night_that_follows_one_table_that_game_counts_alone(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    played(night(club), four)
    both = night(club, 1)
    played(both, four)
    played(both, [bo, ann, cy, di])
    last = played(night(club, 2), four)
    assert said("back-to-back", table=last) == []
    assert follow(both, "table-1")
    assert said("back-to-back", table=last) == [("Ann", 0)]


def test_answer_of_a_night_and_a_night_for_fun_are_looked_at(club: Club, four: list[Member]) -> None:
    TrophyFactory(club=club)
    table = played(night(club), four)
    awards.confirm(Award.objects.get(), by=None)
    assert follow(table.night, "nothing")
    assert Award.objects.get().disputes.filter(answered_at__isnull=True).count() == 1
    assert follow(table.night, "table-1")
    assert not Award.objects.get().disputes.filter(answered_at__isnull=True).exists()
    table.night.for_fun = True
    table.night.save()
    change(club.pk, table.night)
    assert Award.objects.get().disputes.filter(answered_at__isnull=True).count() == 1


def test_copies_are_made_again(club: Club, four: list[Member]) -> None:
    played(night(club), four)
    played(night(club, 1), four)
    kept = list(Honour.objects.order_by("table", "tag", "hand", "member").values_list("table", "tag", "hand", "member"))
    Honour.objects.all().delete()
    remake(club)
    again = Honour.objects.order_by("table", "tag", "hand", "member").values_list("table", "tag", "hand", "member")
    assert list(again) == kept


# The board


def test_board_counts_people_and_leaves_out_what_does_not_count(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    played(night(club), four)
    played(night(club, 1), [bo, cy, di, ann])
    played(night(club, 2, for_fun=True), four)
    bo.same_as = ann
    bo.save()
    runs = next(term for term in board(club) if term.tag == "clean-run")
    counted = {row.member.shown: row.times for row in runs.rows}
    assert (
        counted["Ann"]
        == Honour.objects.filter(tag="clean-run", member__in=[ann, bo], table__night__for_fun=False).count()
    )
    assert len(evidence(club, "dirty-dog", "clean-run", ann)) == counted["Ann"]


def test_evidence_leads_to_the_hand(club: Club, four: list[Member]) -> None:
    table = played(night(club), four)
    address = reverse("honour", args=[club.slug, "dirty-dog", "proximity-alert"])
    page = Client().get(address).content.decode()
    assert f"{reverse('watch', args=[table.sheet.watch])}?open=1#hand-1" in page
    assert Client().get(address, {"of": four[0].pk}).status_code == 200
    for wrong in ("999999999999999999999", "x", "-1"):
        assert Client().get(address, {"of": wrong}).status_code == 404
    assert Client().get(reverse("honour", args=[club.slug, "whist", "dog-pile"])).status_code == 404


def test_every_time_it_was_said_is_on_one_of_the_pages(
    club: Club, four: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.views.records.records.A_PAGE", 2)
    for week in range(3):
        played(night(club, week), four)
    ann = four[0]
    address = reverse("honour", args=[club.slug, "dirty-dog", "clean-run"])
    pages = [Client().get(address, {"of": ann.pk, "page": page}).content.decode() for page in (1, 2)]
    assert [page.count("the whole game") for page in pages] == [2, 1]
    assert f"of={ann.pk}&amp;page=2" in pages[0], "the next page is of the same member"


def test_board_takes_three_queries_more_however_much_was_called(
    club: Club, four: list[Member], django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for week in range(3):
        played(night(club, week), four)
    with django_assert_max_num_queries(4):
        assert board(club)


@pytest.mark.thorough
def test_of_a_play_off_the_final_counts_alone(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    cup = TrophyFactory(club=club)
    played(night(club), four)
    evening = night(club, 1, trophies="play-off")
    played(evening, [bo, ann, cy, di])
    final = played(evening, four)
    assert said("back-to-back") == []
    awards.award(cup, ann, on=evening.on, source="play-off", table=final, confirmed=True)
    remake(club)
    assert said("back-to-back", table=final) == [("Ann", 0)]


def test_how_much_it_was_is_said_in_words() -> None:
    dog_pile, clean_run = (Term(tag, find_game("dirty-dog")) for tag in ("dog-pile", "clean-run"))
    unit = next(word.counts for word in dog_pile.game.words if word.call == "dog-pile")
    assert [dog_pile.counted(value) for value in (None, 0, 1, 3)] == ["", "", f"1 {unit}", f"3 {unit}s"]
    assert Term("back-to-back", dog_pile.game).counted(3) == "3 running"
    assert clean_run.counted(None) == ""
