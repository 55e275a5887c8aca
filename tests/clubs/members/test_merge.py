"""Two records of one person: both side by side, one, and two again."""

import pytest
from django.test import Client
from django.utils import timezone

from clubs.access.permissions import KEEP
from clubs.access.visit import Role
from clubs.members import merge as members_merge
from clubs.members.merge import merge, side_of, unmerge
from clubs.members.privacy import hide_name
from clubs.models import Club, Honour, Member, Placing, PlayerAlias, Standing, Table
from clubs.records.honours import BACK_TO_BACK
from clubs.standings.store import keep_standings
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.occupants import sits
from scoresheets.log.state import read_sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster import change
from scoresheets.roster.change import place_now
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.visitors import account, get, phone, post, signed_in, text
from tests.factories import PlayerFactory, Scorer, new_key, sure_of

pytestmark = pytest.mark.django_db


def member(club: Club, name: str, **more: object) -> Member:
    return MemberFactory(club=club, name=name, **more)


def others(club: Club) -> list[Member]:
    return [member(club, name) for name in ("Di", "Ed", "Hal")]


def standings(club: Club) -> dict[str, tuple[int, int]]:
    rows = Standing.objects.filter(club=club, season=None).select_related("member")
    return {row.member.name: (row.games, row.won) for row in rows}


def two_records(club: Club) -> tuple[Member, Member]:
    """Bob played one night as Bob and won, and another as Robert."""
    bob, robert, rest = member(club, "Bob"), member(club, "Robert"), others(club)
    played(NightFactory(club=club), [bob, *rest])
    played(NightFactory(club=club), [rest[0], robert, *rest[1:]])
    return bob, robert


def test_merged_records_count_as_one_and_undone_as_two_and_no_row_is_rewritten(club: Club) -> None:
    bob, robert = two_records(club)
    keep_standings(club)
    before = standings(club)
    rows = list(Placing.objects.order_by("pk").values())
    assert (before["Bob"], before["Robert"]) == ((1, 1), (1, 0))
    assert merge(robert, bob, by=None) == []
    assert standings(club)["Bob"] == (2, 1)
    assert "Robert" not in standings(club)
    assert list(Placing.objects.order_by("pk").values()) == rows
    robert.refresh_from_db()
    unmerge(robert, by=None)
    assert standings(club) == before
    assert list(Placing.objects.order_by("pk").values()) == rows


def test_merging_twice_and_undoing_twice_does_no_harm(club: Club) -> None:
    bob, robert = two_records(club)
    assert merge(robert, bob, by=None) == merge(robert, bob, by=None) == []
    unmerge(robert, by=None)
    unmerge(robert, by=None)
    robert.refresh_from_db()
    assert (robert.same_as, robert.joined_to) == (None, None)
    assert club.audit_entries.count() == 2


def test_chain_of_merges_is_undone_link_by_link(club: Club) -> None:
    one, two, three = (member(club, name) for name in ("Bob", "Rob", "Robert"))
    merge(three, two, by=None)
    merge(two, one, by=None)
    three.refresh_from_db()
    assert (three.same_as, three.joined_to) == (one, two)
    two.refresh_from_db()
    unmerge(two, by=None)
    two.refresh_from_db()
    three.refresh_from_db()
    assert (two.same_as, three.same_as) == (None, two)
    merge(two, one, by=None)
    three.refresh_from_db()
    unmerge(three, by=None)
    three.refresh_from_db()
    two.refresh_from_db()
    assert (two.same_as, three.same_as) == (one, None)


# Who sat at one table is two people


def refused(one: Member, other: Member) -> str:
    said = merge(one, other, by=None)
    one.refresh_from_db()
    assert one.same_as is None
    return " ".join(said)


def test_two_who_sat_at_one_table_are_not_merged(club: Club) -> None:
    bob, *rest = [member(club, "Bob"), *others(club)]
    played(NightFactory(club=club, on="2026-03-05"), [bob, *rest], hands=1)
    assert refused(bob, rest[0]) == "Bob and Di sat at one table (Table 1 on 5 March 2026): they are two people."


def test_records_that_were_merged_already_count_too(club: Club) -> None:
    bob, rob, rest = member(club, "Bob"), member(club, "Rob"), others(club)
    played(NightFactory(club=club), [rob, *rest], hands=1)
    merge(rob, bob, by=None)
    assert "sat at one table" in refused(bob, rest[0])
    assert "sat at one table" in refused(rest[0], bob)


def test_who_sat_down_under_a_typed_name_sat_there(club: Club) -> None:
    bob, rest = member(club, "Bob"), others(club)
    table = played(NightFactory(club=club), [*rest, member(club, "Ida")], hands=1)
    assert table.sheet
    typed = table.sheet.seats.get(number=4).player
    Member.objects.filter(player=typed).update(player=PlayerFactory())
    PlayerAlias.objects.create(club=club, player=typed, member=bob)
    assert "sat at one table" in refused(bob, rest[0])


def test_who_took_over_a_seat_sat_there(club: Club) -> None:
    bob, rest = member(club, "Bob"), [member(club, "Ann"), *others(club)]
    table = played(NightFactory(club=club), rest, hands=1)
    assert table.sheet
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    place = place_now(scorer.reading)
    assert place
    change.substitute(table.sheet, 2, Somebody("Bob"), *place, key=new_key(), by=scorer.by)
    entry = table.sheet.entries.get(ask__startswith="sits-")
    PlayerAlias.objects.create(club=club, player_id=entry.data["player"], member=bob)
    assert "sat at one table" in refused(bob, rest[0])


def test_mistyped_name_that_was_corrected_is_nobody_at_the_table(club: Club) -> None:
    bob, rob, rest = member(club, "Bob"), member(club, "Rob"), others(club)
    table = played(NightFactory(club=club), [bob, *rest], hands=1)
    assert table.sheet
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    sure_of(
        correct_setup(
            table.sheet, SetupCorrection({(0, sits(1)): "Rob"}), saw={}, digest=None, key=new_key(), by=scorer.by
        )
    )
    assert read_sheet(table.sheet).sitting.first[1].player == bob.player_id
    assert merge(rob, bob, by=None) == []


def test_two_who_were_drawn_to_one_table_or_typed_into_one_result_are_two(club: Club) -> None:
    bob, rob, ann, cy = (member(club, name) for name in ("Bob", "Rob", "Ann", "Cy"))
    night = NightFactory(club=club)
    drawn = Table.objects.create(night=night, number=1, game="dirty-dog")
    past = Table.objects.create(night=night, number=2, game="dirty-dog", source=Table.Source.PAST)
    for place, somebody in enumerate((bob, rob), 1):
        drawn.chairs.create(place=place, member=somebody)
    for place, somebody in enumerate((ann, cy), 1):
        Placing.objects.create(table=past, member=somebody, place=place, players=2)
    assert "Table 1" in refused(bob, rob)
    assert "Table 2" in refused(ann, cy)
    # Nobody sat at a table that was drawn and taken back.
    Table.objects.filter(pk=drawn.pk).update(withdrawn_at=timezone.now())
    assert merge(rob, bob, by=None) == []


def test_who_was_at_two_tables_of_one_night_may_be_one(club: Club) -> None:
    bob, rob, rest = member(club, "Bob"), member(club, "Rob"), others(club)
    night = NightFactory(club=club)
    played(night, [bob, *rest])
    played(night, [rob, *rest])
    assert merge(rob, bob, by=None) == []


def test_winning_again_is_back_to_back_by_whichever_record(club: Club) -> None:
    bob, robert, rest = member(club, "Bob"), member(club, "Robert"), others(club)
    played(NightFactory(club=club), [bob, *rest])
    second = played(NightFactory(club=club), [robert, *rest])
    again = Honour.objects.filter(tag=BACK_TO_BACK, table=second)
    assert not again.exists()
    assert merge(robert, bob, by=None) == []
    assert again.get().value == 2
    robert.refresh_from_db()
    unmerge(robert, by=None)
    assert not again.exists()


# Accounts and roles


def test_account_of_either_record_comes_in_as_the_person(club: Club) -> None:
    keeper, bob = account(club, "scorekeeper", name="Bob")
    organiser, robert = account(club, "organiser", name="Robert")
    table = played(NightFactory(club=club), others(club), hands=1)
    assert merge(robert, bob, by=None) == []
    assert get(organiser, "organise", club).status_code == 200
    assert get(keeper, "organise", club).status_code == 403
    assert get(organiser, "my_page", club)["Location"].endswith(f"/members/{bob.pk}/settings/")
    assert "Robert" not in text(get(organiser, "members", club)).split("Merge duplicates")[0].split("<footer")[0]
    assert robert.user
    assert robert.user.has_perm(KEEP, table.sheet)
    robert.refresh_from_db()
    unmerge(robert, by=None)
    assert get(organiser, "my_page", club)["Location"].endswith(f"/members/{robert.pk}/settings/")
    assert get(organiser, "organise", club).status_code == 200


def test_role_that_is_taken_is_taken_from_every_account(club: Club, flo: Client) -> None:
    bob = member(club, "Bob")
    organiser, robert = account(club, "organiser", name="Robert")
    merge(robert, bob, by=None)
    assert "organiser" in text(get(flo, "members", club))
    post(flo, "member_settings", club, bob.pk, do="role", role="member")
    assert get(organiser, "organise", club).status_code == 403
    assert get(organiser, "members", club).status_code == 200


def test_role_of_a_record_without_an_account_makes_nobody_more(club: Club, flo: Client) -> None:
    bob, robert = member(club, "Bob"), member(club, "Robert", role="organiser")
    assert merge(robert, bob, by=None) == []
    assert side_of(bob).role == "member"


def test_one_account_of_two_records_stays_with_one_when_they_are_taken_apart(club: Club) -> None:
    user = UserFactory()
    bob, robert = member(club, "Bob"), member(club, "Robert", user=user)
    merge(robert, bob, by=None)
    Member.objects.filter(pk=bob.pk).update(user=user)
    robert.refresh_from_db()
    unmerge(robert, by=None)
    assert list(club.members.filter(user=user)) == [bob]


def test_phone_of_a_merged_record_lights_the_person(club: Club) -> None:
    bob, robert = member(club, "Bob"), member(club, "Robert")
    browser = phone(club, robert)
    merge(robert, bob, by=None)
    assert text(get(browser, "members", club)).count('class="mine"') == 1
    robert.refresh_from_db()
    unmerge(robert, by=None)
    assert text(get(browser, "members", club)).count('class="mine"') == 1


def test_hidden_name_stays_hidden_in_both(club: Club) -> None:
    bob, robert = two_records(club)
    hide_name(robert, by=None)
    merge(robert, bob, by=None)
    bob.refresh_from_db()
    assert bob.hidden
    assert bob.player.shown_as == robert.player.__class__.objects.get(pk=robert.player_id).shown_as == bob.shown


def test_hidden_name_covers_what_another_record_played_until_they_are_two_again(club: Club) -> None:
    bob, robert = two_records(club)
    hide_name(bob, by=None)
    bob.refresh_from_db()
    assert merge(robert, bob, by=None) == []
    player = robert.player
    player.refresh_from_db()
    assert player.shown_as == bob.shown
    robert.refresh_from_db()
    unmerge(robert, by=None)
    player.refresh_from_db()
    assert player.shown_as == ""
    bob.player.refresh_from_db()
    assert bob.player.shown_as == bob.shown


def test_who_has_left_does_not_count_for_who_is_here(club: Club) -> None:
    bob = member(club, "Bob", left_at="2026-01-01T00:00Z")
    robert = member(club, "Robert")
    assert "has left the club" in refused(robert, bob)
    assert merge(bob, robert, by=None) == []


def test_join_request_does_not_count_for_a_member(club: Club) -> None:
    bob, robert = member(club, "Bob", approved_at=None), member(club, "Robert")
    assert "still waits to be let in" in refused(robert, bob)
    assert merge(bob, robert, by=None) == []
    bob.refresh_from_db()
    assert bob.approved_at is not None


def test_record_that_counts_as_somebody_else_is_not_merged_on(club: Club) -> None:
    bob, robert, rob = member(club, "Bob"), member(club, "Robert"), member(club, "Rob")
    assert merge(robert, bob, by=None) == []
    for pair in ((robert, rob), (rob, robert)):
        assert "choose the record that counts" in " ".join(merge(*pair, by=None))
    assert "one record already" in refused(bob, robert)
    assert not rob.others.exists()


# The page


@pytest.mark.thorough
def test_page_shows_both_side_by_side_and_makes_them_one_and_two_again(club: Club, flo: Client) -> None:
    bob, robert = two_records(club)
    TrophyFactory(club=club, name="The Mug").awards.create(
        member=bob, on="2026-03-01", source="typed", confirmed_at="2026-03-01T00:00Z"
    )
    page = text(get(flo, "merge_members", club, one=robert.pk, other=bob.pk))
    assert "The Mug" in page
    assert '<span class="num">1</span> won' in page
    answer = post(flo, "merge_members", club, one=robert.pk, other=bob.pk, counts=bob.pk)
    assert answer.status_code == 303
    settings = text(get(flo, "member_settings", club, bob.pk))
    assert "counts as <bdi>Bob</bdi>" in settings
    assert get(flo, "member_settings", club, robert.pk).status_code == 303
    assert post(flo, "member_settings", club, robert.pk, do="apart").status_code == 303
    robert.refresh_from_db()
    assert robert.same_as is None
    says = list(club.audit_entries.order_by("pk").values_list("says", flat=True))
    assert says[-2:] == [
        "Merged Robert with Bob: the two records are one person.",
        "Took Robert and Bob apart again: they are two people.",
    ]


def test_page_says_why_two_are_two(club: Club, flo: Client) -> None:
    rest = [member(club, "Ann"), *others(club)]
    played(NightFactory(club=club), rest, hands=1)
    page = text(get(flo, "merge_members", club, one=rest[0].pk, other=rest[1].pk))
    assert "sat at one table" in page
    assert ">Merge</button>" not in page
    pair = {"one": rest[0].pk, "other": rest[1].pk}
    assert post(flo, "merge_members", club, **pair, counts=rest[0].pk).status_code == 409
    answer = post(flo, "merge_members", club, **pair, counts=rest[2].pk)
    assert answer.status_code == 422
    assert "Which of the two records counts?" in text(answer)
    answer = post(flo, "merge_members", club, one=rest[0].pk, other=rest[0].pk)
    assert answer.status_code == 422
    assert "Choose two records: these are one already." in text(answer)


@pytest.mark.parametrize("data", [{}, {"one": "1"}, {"one": "x", "other": "2"}, {"one": "9" * 30, "other": "1"}])
def test_what_is_chosen_must_be_two_of_the_club(club: Club, flo: Client, data: dict[str, str]) -> None:
    assert post(flo, "merge_members", club, **data).status_code in (404, 422)


def test_nobody_of_another_club_is_shown_or_merged(club: Club, flo: Client) -> None:
    bob, stranger = member(club, "Bob"), MemberFactory(name="Zebediah")
    assert get(flo, "merge_members", club, one=bob.pk, other=stranger.pk).status_code == 404
    assert post(flo, "merge_members", club, one=bob.pk, other=stranger.pk, counts=bob.pk).status_code == 404
    assert "Zebediah" not in text(get(flo, "merge_members", club))


def test_only_organisers_merge(club: Club) -> None:
    browser, ann = account(club, name="Ann")
    assert get(browser, "merge_members", club).status_code == 403
    assert post(browser, "merge_members", club, one=ann.pk, other=ann.pk).status_code == 403
    assert post(signed_in(UserFactory()), "merge_members", club).status_code == 403


def test_record_that_counts_is_the_likelier(club: Club) -> None:
    guest, bob = member(club, "Bob", role=Role.GUEST), member(club, "Bob")
    from clubs.views.members.merge import likelier

    assert likelier(members_merge.side_of(guest), members_merge.side_of(bob)).member == bob
    assert likelier(members_merge.side_of(bob), members_merge.side_of(guest)).member == bob
