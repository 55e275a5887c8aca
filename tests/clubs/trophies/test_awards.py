"""Awards follow the sheet of the night, and once they are confirmed nothing moves by itself."""

import datetime
import random
import re

import pytest
from django.test import Client
from django.utils import timezone

from clubs.access.outdated import NotNow
from clubs.members.merge import merge, unmerge
from clubs.members.privacy import hide_name
from clubs.models import AuditEntry, Award, Club, Dispute, Member, Night, PlayerAlias, Table, Trophy
from clubs.projections.update import remake
from clubs.tables.open import take_back
from clubs.trophies import awards
from clubs.trophies.decide import look_at_night, look_at_people
from clubs.trophies.register import carriers
from tests.club_factories import MemberFactory, TrophyFactory, played
from tests.clubs.trophy_night import first_wins, given, holders, night, play_to_the_end, take_last_hand_back, third_wins
from tests.counted import change
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(club: Club) -> Trophy:
    return TrophyFactory(club=club)


@pytest.fixture
def spoon(club: Club) -> Trophy:
    return TrophyFactory(club=club, name="The Spoon", goes="loser")


@pytest.fixture
def table(club: Club, cup: Trophy, spoon: Trophy, four: list[Member]) -> Table:
    """Ann has won, Bo is last."""
    return played(night(club), four)


def standing(trophy: Trophy) -> list[str]:
    return [row.shown for row in Award.objects.standing().filter(trophy=trophy)]


def confirmed(trophy: Trophy) -> Award:
    """The latest award of the trophy, with an organiser's yes."""
    won = Award.objects.standing().filter(trophy=trophy).latest("pk")
    awards.confirm(won, by=None)
    return won


def asked(trophy: Trophy) -> list[str]:
    """What is open about the trophy."""
    return [dispute.sentence for dispute in Dispute.objects.filter(award__trophy=trophy, answered_at__isnull=True)]


def test_trophy_is_won_once_at_a_table_and_by_one(table: Table, cup: Trophy, four: list[Member]) -> None:
    won = confirmed(cup)
    how = {"on": won.on, "source": "play-off", "table": table}
    assert awards.award(cup, four[0], **how) == won
    assert awards.award(cup, four[1], **how) != won
    assert standing(cup) == ["Bo"]
    assert Award.objects.filter(trophy=cup).count() == 2


def test_finished_sheet_proposes_winner_and_loser_for_their_trophies(
    club: Club, table: Table, cup: Trophy, spoon: Trophy
) -> None:
    TrophyFactory(club=club, name="The Hat", goes="other")
    won = Award.objects.get(trophy=cup)
    assert (won.shown, won.on, won.source, won.why) == ("Ann", table.night.on, "sheet", "Table 1, won with 26")
    assert standing(spoon) == ["Bo"]
    assert Award.objects.count() == 2
    assert not Award.objects.confirmed().exists()


def test_club_that_wants_it_at_once_has_it_at_once(four: list[Member], club: Club, cup: Trophy) -> None:
    Club.objects.update(awards_at_once=True)
    played(night(club), four)
    assert [row.shown for _, row in holders(club) if row] == ["Ann"]


def test_confirmed_twice_is_confirmed_once(club: Club, table: Table, cup: Trophy) -> None:
    won = confirmed(cup)
    first = won.confirmed_at
    awards.confirm(won, by=None)
    assert won.confirmed_at == first
    assert AuditEntry.objects.filter(club=club).count() == 1


def test_proposal_follows_the_sheet(table: Table, cup: Trophy) -> None:
    before = Award.objects.get(trophy=cup)
    third_wins(table)
    assert standing(cup) == ["Cy"]
    with pytest.raises(NotNow):
        awards.confirm(before, by=None)
    take_last_hand_back(table)
    assert standing(cup) == []
    play_to_the_end(table)
    assert standing(cup) == ["Ann"]
    assert not Dispute.objects.exists()


def test_correction_of_a_confirmed_award_asks_and_moves_nothing(table: Table, cup: Trophy, spoon: Trophy) -> None:
    confirmed(cup)
    third_wins(table)
    assert standing(cup) == ["Ann"]
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, names Cy now."]
    first_wins(table)
    assert asked(cup) == []


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("at_once", [True, False])
def test_sheet_that_is_opened_again_asks_until_it_names_the_same(
    table: Table, cup: Trophy, club: Club, at_once: bool
) -> None:
    Club.objects.update(awards_at_once=at_once)
    confirmed(cup)
    take_last_hand_back(table)
    assert standing(cup) == ["Ann"]
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, is open again."]
    play_to_the_end(table)
    assert (standing(cup), asked(cup)) == (["Ann"], [])


def test_unrelated_correction_asks_nothing(table: Table, cup: Trophy, club: Club) -> None:
    confirmed(cup)
    third_wins(table)
    dispute = Dispute.objects.get()
    awards.answer(dispute, "keep", by=None)
    remake(club)
    take_last_hand_back(table)
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, is open again."]


def test_kept_trophy_stays_and_the_same_is_not_asked_again(table: Table, cup: Trophy, club: Club) -> None:
    confirmed(cup)
    third_wins(table)
    awards.answer(Dispute.objects.get(), "keep", by=None)
    assert (standing(cup), asked(cup)) == (["Ann"], [])
    look_at_night(table.night)
    assert (standing(cup), asked(cup)) == (["Ann"], [])
    assert "The Cup stays with Ann." in AuditEntry.objects.filter(club=club).first().says


def test_moved_trophy_goes_to_whom_the_sheet_names_and_is_still_where_it_was(
    table: Table, cup: Trophy, club: Club
) -> None:
    awards.hand_over(confirmed(cup), by=None)
    third_wins(table)
    dispute = Dispute.objects.get()
    awards.answer(dispute, "move", by=None)
    awards.answer(dispute, "move", by=None)
    assert standing(cup) == ["Cy"]
    assert [row.shown for _, row in carriers(club) if row] == ["Ann"]
    with pytest.raises(NotNow):
        awards.answer(dispute, "keep", by=None)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("choice", "meanwhile"), [("keep", ["Ann"]), ("move", ["Cy"])])
def test_answer_has_a_way_back(table: Table, cup: Trophy, choice: str, meanwhile: list[str]) -> None:
    confirmed(cup)
    third_wins(table)
    dispute = Dispute.objects.get()
    awards.answer(dispute, choice, by=None)
    assert standing(cup) == meanwhile
    awards.ask_again(dispute, by=None)
    awards.ask_again(dispute, by=None)
    assert standing(cup) == ["Ann"]
    assert len(asked(cup)) == 1


def test_moving_to_nobody_leaves_it_with_the_one_before(table: Table, cup: Trophy, club: Club) -> None:
    given(cup, MemberFactory(club=club, name="Ed"), -1)
    won = Award.objects.standing().get(trophy=cup, table=table)
    awards.confirm(won, by=None)
    take_last_hand_back(table)
    dispute = Dispute.objects.get()
    awards.answer(dispute, "move", by=None)
    assert standing(cup) == ["Ed"]
    awards.ask_again(dispute, by=None)
    assert standing(cup) == ["Ed", "Ann"]
    awards.answer(dispute, "move", by=None)
    play_to_the_end(table)
    assert standing(cup) == ["Ed", "Ann"]
    with pytest.raises(NotNow):
        awards.ask_again(dispute, by=None)


def test_trophy_off_the_register_is_won_by_no_sheet(club: Club, cup: Trophy, four: list[Member]) -> None:
    cup.archived_at = timezone.now()
    cup.save()
    played(night(club), four)
    assert not Award.objects.exists()


def test_what_was_taken_back_is_asked_for_where_awards_are_confirmed_at_once(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    club.awards_at_once = True
    club.save()
    table = played(night(club), four)
    won = Award.objects.get(trophy=cup)
    assert won.confirmed_at is not None
    awards.undo(won, by=None)
    third_wins(table)
    assert standing(cup) == ["Cy"]
    assert Award.objects.standing().get(trophy=cup).confirmed_at is None


def test_award_stands_on_the_day_of_its_night_when_that_is_put_right(table: Table, cup: Trophy) -> None:
    won = confirmed(cup)
    day = won.on + datetime.timedelta(days=1)
    Night.objects.filter(pk=table.night_id).update(on=day)
    look_at_night(table.night)
    won.refresh_from_db()
    assert (won.on, asked(cup)) == (day, [])


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("since", ["gone", "kept", "moved"])
def test_question_is_not_asked_again_when_something_was_done_since(table: Table, cup: Trophy, since: str) -> None:
    won = confirmed(cup)
    third_wins(table)
    dispute = Dispute.objects.get(award=won)
    if since == "gone":
        first_wins(table)
    elif since == "kept":
        awards.answer(dispute, "keep", by=None)
        awards.undo(won, by=None)
    else:
        awards.answer(dispute, "move", by=None)
        awards.undo(Award.objects.standing().get(trophy=cup), by=None)
    before = standing(cup)
    dispute.refresh_from_db()
    with pytest.raises(NotNow):
        awards.ask_again(dispute, by=None)
    assert standing(cup) == before
    assert not Dispute.objects.filter(award__trophy=cup, answered_at__isnull=True).exists()


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"for_fun": True}, "The night of 5 March 2026 is just for fun."),
        ({"trophies": "nothing"}, "No trophies were played for on 5 March 2026."),
        ({"trophies": "play-off"}, "On 5 March 2026 the trophies follow a play-off."),
        ({"archived_at": timezone.now()}, "The night of 5 March 2026 was archived."),
    ],
)
def test_night_that_decides_nothing_any_more_asks(
    table: Table, cup: Trophy, spoon: Trophy, changes: dict, says: str
) -> None:
    confirmed(cup)
    for name, value in changes.items():
        setattr(table.night, name, value)
    table.night.save()
    look_at_night(table.night)
    assert (standing(cup), asked(cup)) == (["Ann"], [says])
    assert standing(spoon) == [], "what nobody had confirmed is no proposal any more"


def test_table_that_is_taken_out_of_the_night_asks(table: Table, cup: Trophy) -> None:
    confirmed(cup)
    table.withdrawn_at = timezone.now()
    table.save()
    look_at_night(table.night)
    assert asked(cup) == ["Table 1 does not belong to the night of 5 March 2026 any more."]


def test_table_that_is_left_alone_decides_once_the_others_are_taken_back(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    evening = night(club)
    played(evening, MemberFactory.create_batch(4, club=club), hands=0)
    played(evening, four)
    assert standing(cup) == [], "two tables play, and nobody has said which is followed"
    assert take_back(evening) == 1
    assert standing(cup) == ["Ann"]


def test_several_tables_wait_until_the_night_says_what_the_trophies_follow(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    ann, bo, cy, di = four
    both = night(club)
    first, second = played(both, four, hands=1), played(both, [di, cy, bo, ann])
    assert standing(cup) == []
    both.trophies, both.trophies_table = "table", second
    both.save()
    look_at_night(both)
    assert standing(cup) == ["Di"]
    play_to_the_end(first)
    assert standing(cup) == ["Di"]


def test_another_table_of_the_night_is_proposed_and_not_awarded_at_once(
    table: Table, cup: Trophy, spoon: Trophy, four: list[Member], club: Club
) -> None:
    confirmed(spoon)
    Club.objects.update(awards_at_once=True)
    confirmed(cup)
    ann, bo, cy, di = four
    other = played(table.night, [di, cy, bo, ann])
    assert standing(cup) == ["Ann"]
    table.night.trophies, table.night.trophies_table = "table", other
    table.night.save()
    look_at_night(table.night)
    assert asked(cup) == ["On 5 March 2026 the trophies follow Table 2."]
    assert [row.shown for _, row in holders(club) if row] == ["Ann", "Bo"]
    awards.answer(Dispute.objects.get(award__trophy=cup), "move", by=None)
    confirmed(cup)
    assert [row.shown for _, row in holders(club) if row] == ["Di", "Bo"]


def test_other_games_decide_nothing(club: Club, cup: Trophy, four: list[Member]) -> None:
    played(night(club), four, game="dingo")
    assert standing(cup) == []


def test_award_taken_back_by_hand_is_not_brought_up_again(table: Table, cup: Trophy) -> None:
    won = confirmed(cup)
    awards.undo(won, by=None)
    look_at_night(table.night)
    assert standing(cup) == []
    third_wins(table)
    assert standing(cup) == ["Cy"]
    with pytest.raises(NotNow):
        awards.put_back(won, by=None)
    first_wins(table)
    assert standing(cup) == []
    awards.put_back(won, by=None)
    assert standing(cup) == ["Ann"]


def test_trophy_younger_than_the_night_was_not_won_there(club: Club, four: list[Member], table: Table) -> None:
    young = TrophyFactory(club=club, name="The Bell", added_at=timezone.now())
    third_wins(table)
    assert standing(young) == []


def test_copies_made_again_award_nothing(table: Table, cup: Trophy, club: Club) -> None:
    awards.undo(confirmed(cup), by=None)
    Award.objects.update(undone=False)
    remake(club)
    assert standing(cup) == []


def test_two_records_of_one_person_are_one(table: Table, cup: Trophy, club: Club, four: list[Member]) -> None:
    ann, _, cy, _ = four
    confirmed(cup)
    third_wins(table)
    assert len(asked(cup)) == 1
    cy.same_as = ann
    cy.save()
    look_at_people(club)
    assert asked(cup) == []
    cy.same_as = None
    cy.save()
    look_at_night(table.night)
    assert len(asked(cup)) == 1


def test_winner_whom_the_club_does_not_know_is_found_among_the_members_later(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    ann = four[0]
    player, ann.player = ann.player, PlayerFactory(name="Ann B")
    ann.save()
    stranger = MemberFactory.build(club=club, name="Ann")
    stranger.player, stranger.player_id = player, player.pk
    table = played(night(club), [stranger, *four[1:]])
    won = confirmed(cup)
    assert (won.member, won.name) == (None, "Ann")
    PlayerAlias.objects.create(club=club, player=player, member=ann)
    change(table.night.club_id, table)
    look_at_night(table.night)
    won.refresh_from_db()
    assert (won.member, won.name) == (ann, "")
    assert asked(cup) == []


# In whose hands it is


def test_won_is_one_thing_and_handed_over_another(table: Table, cup: Trophy, club: Club, four: list[Member]) -> None:
    won = confirmed(cup)
    given(cup, four[3], -1)
    assert [row.shown for _, row in carriers(club) if row] == ["Di"]
    awards.hand_over(won, by=four[1])
    awards.hand_over(won, by=four[1])
    assert [row.shown for _, row in carriers(club) if row] == ["Ann"]
    awards.not_handed_over(won, by=four[1])
    assert [row.shown for _, row in carriers(club) if row] == ["Di"]
    says = list(AuditEntry.objects.filter(by=four[1]).values_list("says", flat=True))
    assert says == ["The Cup was not handed over to Ann after all.", "The Cup was handed over to Ann."]


def test_only_who_has_won_it_is_handed_it(table: Table, cup: Trophy) -> None:
    won = Award.objects.get(trophy=cup)
    with pytest.raises(NotNow):
        awards.hand_over(won, by=None)
    awards.undo(confirmed(cup), by=None)
    with pytest.raises(NotNow):
        awards.hand_over(won, by=None)


def test_merging_two_records_answers_what_was_asked_about_them_and_taking_them_apart_asks_again(
    club: Club, cup: Trophy, four: list[Member]
) -> None:
    ann = four[0]
    annie = MemberFactory(club=club, name="Annie")
    table = played(night(club), four)
    confirmed(cup)
    PlayerAlias.objects.create(club=club, player=PlayerFactory(), member=annie)
    won = Award.objects.get(trophy=cup)
    Award.objects.filter(pk=won.pk).update(member=annie)
    look_at_night(table.night)
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, names Ann now."]
    assert merge(annie, ann, by=None) == []
    assert asked(cup) == []
    unmerge(Member.objects.get(pk=annie.pk), by=None)
    assert [row.shown for _, row in holders(club) if row] == ["Annie"]
    assert len(asked(cup)) == 1


def test_question_names_nobody_who_hides_their_name_later(
    client: Client, table: Table, cup: Trophy, four: list[Member]
) -> None:
    confirmed(cup)
    third_wins(table)
    hide_name(four[2], by=None)
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, names Somebody now."]
    # As a word: an address of a sheet is any letters.
    assert not re.search(r"\bCy\b", client.get(cup.get_absolute_url()).content.decode())


def test_correction_is_asked_about_while_nobody_has_said_which_table_the_trophies_follow(
    table: Table, cup: Trophy, four: list[Member]
) -> None:
    confirmed(cup)
    played(table.night, four[::-1])
    assert standing(cup) == ["Ann"]
    third_wins(table)
    assert asked(cup) == ["The sheet of Table 1, 5 March 2026, names Cy now."]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_no_trophy_moves_by_itself_whatever_is_done_to_the_sheet_and_the_night(
    table: Table, cup: Trophy, club: Club, seed: int
) -> None:
    """A question is open exactly while the table decides something else than what was confirmed."""
    confirmed(cup)
    dice = random.Random(seed)
    names = "Ann"
    for _ in range(8):
        deed = dice.choice(["third", "first", "open", "fun", "table"])
        finished = table.sheet.finished_at is not None
        if deed == "third" and finished and names == "Ann":
            third_wins(table)
            names = "Cy"
        elif deed == "first" and finished and names == "Cy":
            first_wins(table)
            names = "Ann"
        elif deed == "open":
            if finished:
                take_last_hand_back(table)
            else:
                play_to_the_end(table)
                names = "Ann"
        elif deed in ("fun", "table"):
            night_of = table.night
            night_of.for_fun = deed == "fun" and not night_of.for_fun
            night_of.save()
            look_at_night(night_of)
        table.sheet.refresh_from_db()
        assert [row.shown for trophy, row in holders(club) if row and trophy == cup] == ["Ann"], deed
        agrees = table.sheet.finished_at is not None and names == "Ann" and not table.night.for_fun
        assert len(asked(cup)) == (0 if agrees else 1), deed
