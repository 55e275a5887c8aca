"""The tables of a night are drawn, changed by hand and opened."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client

from clubs.members.keep_apart import keep_apart, pairs_apart
from clubs.members.merge import merge
from clubs.members.privacy import hide_name
from clubs.models import Attendance, Chair, Club, Member, Night, Table
from clubs.tables.draft import Drawing
from clubs.tables.open import give_chair, take_back
from rules import find_game
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Scorekeeper, Sheet
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, played
from tests.clubs.evenings import A_WEEK, THURSDAY, called, calls, drawn, night_page, organiser_of, people, press

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]


@pytest.mark.thorough
def test_from_the_roll_to_opened_tables_it_is_two_taps(club: Club, night: Night) -> None:
    members = people(club, 12)
    played(NightFactory(club=club, on=THURSDAY - A_WEEK), members[:10])
    played(NightFactory(club=club, on=THURSDAY - A_WEEK), members[10:] + people(club, 2))
    called(night, members)
    TrophyFactory(club=club, name="The Cup")
    client = organiser_of(club)
    client.post(night_page(night, "roll-call"), {"do": "draw"})
    refused = press(client, night, "open")
    assert refused.status_code == 422
    assert "Choose one of these first.</p>" in refused.content.decode().replace("\n", "")
    mark = drawn(client, night).mark
    tap = {"saw": mark, "do": "open", "follows": "table-2"}
    posts = [client.post(night_page(night, "draw"), tap) for _ in range(2)]
    assert [(post.status_code, post["Location"]) for post in posts] == [(303, night_page(night, "codes"))] * 2
    tables = list(night.tables.all())
    assert [(table.number, table.chairs.count()) for table in tables] == [(1, 7), (2, 7)]
    night.refresh_from_db()
    assert (night.trophies, night.trophies_table, night.drawn) == ("table", tables[1], {})
    assert night.begun_at is not None
    for table in tables:
        sheet = table.sheet
        assert (sheet.club_name, sheet.home) == ("The Trumps", night.get_absolute_url())
        assert sheet.title == f"Thursday night, table {table.number}"
        seats = [seat.player_id for seat in sheet.seats.order_by("number")]
        assert seats == [chair.member.player_id for chair in table.chairs.all()]
    assert [table.sheet.stakes for table in tables] == ["Table 2 plays for The Cup.", "Played for The Cup."]
    assert Scorekeeper.objects.filter(sheet__table__night=night).count() == 2
    # By their account: on their phone's front page they are not "sheets on this phone".
    assert "pencil" not in client.cookies
    assert client.get(f"/sheets/{tables[0].sheet.code}/pad/").status_code == 200


def test_club_without_a_past_plays_its_first_night_too(club: Club, night: Night) -> None:
    client, members = organiser_of(club), people(club, 5)
    client.post(night_page(night, "roll-call"), calls(members) | {"do": "draw"})
    assert press(client, night, "open").status_code == 303
    assert night.tables.get().chairs.count() == 5


def test_a_club_without_a_trophy_is_not_asked_what_its_trophies_follow(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    assert "Which table plays for" not in client.get(night_page(night, "draw")).text
    old = TrophyFactory(club=club, name="The Old Cup", archived_at=datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC))
    assert "Which table plays for" not in client.get(night_page(night, "draw")).text
    old.archived_at = None
    old.save()
    assert "Which table plays for" in client.get(night_page(night, "draw")).text
    old.delete()
    assert press(client, night, "open").status_code == 303
    assert night.tables.count() == 2


def test_what_the_trophies_follow_is_written_on_every_sheet_of_the_night(club: Club, night: Night) -> None:
    TrophyFactory(club=club, name="The Cup")
    called(night, people(club, 10))
    client = organiser_of(club)
    press(client, night, "more-dirty-dog")
    press(client, night, "more-hotdog")
    press(client, night, "open", follows="table-2")
    other = "Table 2 plays for The Cup."
    assert [(table.game, table.sheet.stakes) for table in night.tables.all()] == [
        ("dirty-dog", other), ("dirty-dog", "Played for The Cup."), ("hotdog", other),
    ]  # fmt: skip


@pytest.mark.thorough
def test_people_are_moved_by_hand_and_nobody_is_lost(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members)
    client = organiser_of(club)
    seven, six = (list(table.people) for table in drawn(client, night).tables)
    assert (len(seven), len(six)) == (7, 6)
    press(client, night, "bring-1", who=seven[:1])
    assert [table.people for table in drawn(client, night).tables] == [seven[1:], [*six, seven[0]]]
    press(client, night, "swap", who=[seven[2], six[0]])
    after = [table.people for table in drawn(client, night).tables]
    assert after == [[seven[1], six[0], *seven[3:]], [seven[2], *six[1:], seven[0]]]
    refused = press(client, night, "swap", who=[seven[3]])
    assert (refused.status_code, refused.context["picked"]) == (422, [seven[3]])
    assert f'value="{seven[3]}" checked' in refused.content.decode()
    press(client, night, "out", who=[seven[3]])
    assert [line.member.pk for line in drawn(client, night).outside] == [seven[3]]
    press(client, night, "bring-0", who=[seven[3], 10**9])
    found = drawn(client, night)
    assert sorted(pk for table in found.tables for pk in table.people) == sorted(member.pk for member in members)
    press(client, night, "again")
    assert [len(table.people) for table in drawn(client, night).tables] == [7, 6]


def test_held_table_stays_when_the_others_are_drawn_again(club: Club, night: Night) -> None:
    called(night, people(club, 30))
    client = organiser_of(club)
    before = drawn(client, night).tables[1].people
    press(client, night, "hold-1")
    press(client, night, "again")
    after = [table.people for table in drawn(client, night).tables]
    assert after[1] == before
    assert [len(people) for people in after] == [10, 10, 10]
    assert len({pk for people in after for pk in people}) == 30


def test_who_changes_what_they_have_not_seen_is_told_so(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    old = drawn(client, night).mark
    press(client, night, "again")
    now = drawn(client, night).mark
    for do in ("again", "open", "bring-0"):
        page = client.post(night_page(night, "draw"), {"saw": old, "do": do, "follows": "nothing"})
        assert page.status_code == 409
        assert "have changed since this page was shown" in page.content.decode()
    assert drawn(client, night).mark == now
    assert not Table.objects.exists()


def test_several_games_are_drawn_for_one_night(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    for do in ("less-dirty-dog", "more-dingo", "more-hotdog"):
        press(client, night, do)
    found = drawn(client, night)
    assert [(table.game.slug, len(table.people)) for table in found.tables] == [
        ("dirty-dog", 6), ("dingo", 4), ("hotdog", 2),
    ]  # fmt: skip
    assert press(client, night, "open").status_code == 303
    assert [table.game for table in night.tables.all()] == ["dirty-dog", "dingo", "hotdog"]
    assert {sheet.stakes for sheet in Sheet.objects.all()} == {""}


def test_table_that_cannot_play_is_not_opened(club: Club, night: Night) -> None:
    called(night, people(club, 6))
    client = organiser_of(club)
    press(client, night, "less-dirty-dog")
    press(client, night, "more-dingo")
    found = drawn(client, night)
    assert ([len(table.people) for table in found.tables], len(found.outside)) == ([4], 2)
    press(client, night, "out", who=found.tables[0].people[:1])
    page = press(client, night, "open")
    assert page.status_code == 422
    assert "Dingo is for 4 players." in page.content.decode()
    assert not Sheet.objects.exists()


def test_second_round_of_a_night_seats_who_is_free_and_counts_the_tables_on(club: Club, night: Night) -> None:
    TrophyFactory(club=club, name="The Cup")
    members = people(club, 12)
    called(night, members)
    client = organiser_of(club)
    press(client, night, "open", follows="nothing")
    assert drawn(client, night).tables == []
    first = night.tables.get(number=1)
    over = datetime.datetime(2026, 11, 26, 21, tzinfo=datetime.UTC)
    Sheet.objects.filter(table=first).update(finished_at=over)
    found = drawn(client, night)
    assert sorted(found.tables[0].people) == sorted(chair.member_id for chair in first.chairs.all())
    assert press(client, night, "open", follows="table-3").status_code == 303
    night.refresh_from_db()
    assert (night.tables.count(), night.trophies_table.number) == (3, 3)


def test_champion_deals_where_they_sit_and_elsewhere_the_first_jack(club: Club, night: Night) -> None:
    members = people(club, 12)
    played(NightFactory(club=club, on=THURSDAY - A_WEEK), members[:6])
    called(night, members)
    client = organiser_of(club)
    press(client, night, "open", follows="nothing")
    dealers = [table.chairs.get(deals=True) for table in night.tables.all()]
    assert members[0] in [chair.member for chair in dealers]
    for chair in dealers:
        reading = read_sheet(chair.table.sheet)
        set_up = reading.record.entries.get(ask="table").data
        first = reading.sitting.now[set_up["first_dealer"]].player
        assert (first, set_up["found"]) == (
            chair.member.player_id, "champion" if chair.member == members[0] else "jack",
        )  # fmt: skip


def test_another_dealer_and_another_length_are_chosen_by_hand(club: Club, night: Night) -> None:
    called(night, people(club, 6))
    client = organiser_of(club)
    found = drawn(client, night).tables[0]
    other = next(pk for pk in found.people if pk != found.deals)
    assert press(client, night, "open", **{"deals-0": other, "plan-0": "hands=12"}).status_code == 303
    table = night.tables.get()
    assert (table.chairs.get(deals=True).member_id, table.plan) == (other, {"hands": 12})


def comes(client: Client, sheet: Sheet) -> None:
    """The latecomer for whom the sheet waits sits down."""
    arrive = f"/sheets/{sheet.code}/arrive/"
    page = client.get(arrive).content.decode()
    assert sheet.coming[0] in page
    form = client.post(arrive, {"who": "late-0"})
    seen = form.context["form"].forecast
    posted = {"who": "late-0", "seen": seen.mark, "at": "1.1", "key": form.context["key"]}
    posted |= {"person": seen.prospect.wish.person.name, "player": seen.prospect.wish.person.player}
    assert client.post(arrive, posted).status_code == 303


def test_who_comes_later_keeps_a_chair_and_sits_down_as_themselves(club: Club, night: Night) -> None:
    members = people(club, 7)
    called(night, members[:6])
    called(night, members[6:], "coming")
    client = organiser_of(club)
    press(client, night, "open")
    table = night.tables.get()
    assert (table.sheet.seats.count(), table.sheet.coming, table.chairs.count()) == (6, ["P07"], 7)
    comes(client, table.sheet)
    assert table.sheet.seats.get(number=7).player == members[6].player


def test_who_comes_unannounced_gets_a_chair_at_a_table_that_plays(club: Club, night: Night) -> None:
    members = people(club, 6)
    called(night, members[:5])
    client = organiser_of(club)
    press(client, night, "open")
    called(night, members[5:])
    page = client.get(night_page(night, "draw")).content.decode()
    assert "Seat a latecomer" in page
    asked = {"member": members[5].pk, "table": "1"}
    assert [client.post(night_page(night, "chair"), asked).status_code for _ in range(2)] == [303, 303]
    table = night.tables.get()
    assert (table.sheet.coming, Chair.objects.filter(table=table, member=members[5]).count()) == (["P06"], 1)
    assert "Seat a latecomer" not in client.get(night_page(night, "draw")).content.decode()


def test_table_gives_a_chair_once_and_none_when_it_is_over(club: Club, night: Night) -> None:
    members = people(club, 6)
    running, over = played(night, members[:4], hands=1), played(night, members[:4])
    assert [give_chair(running, members[4]) for _ in range(2)] == [True, False]
    assert not give_chair(over, members[5])
    assert Chair.objects.get().member == members[4]


def test_drawn_tables_part_those_who_sat_together_last_time(club: Club, night: Night) -> None:
    members = people(club, 8)
    before = NightFactory(club=club, on=THURSDAY - A_WEEK)
    played(before, members[:4], hands=1)
    played(before, members[4:], hands=1)
    called(night, members)
    drawing = Drawing(night)
    drawing.have(find_game("dirty-dog"), more=True)
    for _ in range(3):
        drawing.again()
        together = [sum(member.pk in table.people for member in members[:4]) for table in drawing.tables]
        assert together == [2, 2]


def test_who_is_kept_apart_is_so_by_every_record(club: Club, night: Night) -> None:
    ann, bo, book = people(club, 3)
    keep_apart(club, book, bo)
    assert merge(book, ann, by=None) == []
    assert pairs_apart(club) == {frozenset((ann.pk, bo.pk))}


def test_sheet_that_was_brought_in_is_not_taken_back_with_the_drawn_tables(club: Club, night: Night) -> None:
    table = played(night, people(club, 4), hands=0)
    Table.objects.filter(pk=table.pk).update(source=Table.Source.BROUGHT)
    assert take_back(night) == 0
    assert night.tables.standing().get() == table


def test_nobody_joins_a_game_that_takes_no_latecomers(club: Club, night: Night) -> None:
    members = people(club, 4)
    called(night, members[:3])
    called(night, members[3:], "coming")
    client = organiser_of(club)
    press(client, night, "less-dirty-dog")
    press(client, night, "more-dingo")
    assert [line.member for line in drawn(client, night).outside] == [members[3]]
    press(client, night, "bring-0", who=[members[3].pk])
    page = press(client, night, "open")
    assert page.status_code == 422
    assert "Nobody joins Dingo once it has begun" in page.content.decode()


def test_roll_that_changes_is_drawn_anew_unless_people_were_moved_by_hand(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members[:12])
    client = organiser_of(club)
    press(client, night, "again")
    called(night, members[12:])
    assert [len(table.people) for table in drawn(client, night).tables] == [7, 6]
    moved = drawn(client, night).tables[0].people[0]
    press(client, night, "bring-1", who=[moved])
    Attendance.objects.filter(member=members[0]).update(says="not")
    called(night, [MemberFactory(club=club, name="Zoe")])
    found = drawn(client, night)
    seated = [pk for table in found.tables for pk in table.people]
    assert (len(seated), [line.member.name for line in found.outside]) == (12, ["Zoe"])
    assert moved in found.tables[1].people or moved == members[0].pk


def test_tables_that_have_not_begun_are_taken_back_and_drawn_anew(club: Club, night: Night) -> None:
    called(night, people(club, 12))
    client = organiser_of(club)
    press(client, night, "open", follows="table-1")
    begun = night.tables.get(number=2).sheet
    Sheet.objects.filter(pk=begun.pk).update(begun=True)
    assert "1 table has not begun" in " ".join(client.get(night_page(night, "codes")).content.decode().split())
    for _ in range(2):
        client.post(night_page(night, "codes"), {"do": "take-back"})
    night.refresh_from_db()
    assert [table.number for table in night.tables.standing()] == [2]
    assert (night.trophies, night.trophies_table) == ("", None)
    assert [len(table.people) for table in drawn(client, night).tables] == [6]
    assert [table.number for table in night.tables.all()] == [1, 2]


def test_house_rules_are_chosen_for_a_game_and_found_again_next_time(club: Club, night: Night) -> None:
    called(night, people(club, 6))
    client = organiser_of(club)
    address = f"{night_page(night, 'draw')}rules/dirty-dog/"
    assert client.get(address).status_code == 200
    assert client.post(address, {"house-tie_break_cards": "99"}).status_code == 422
    assert client.post(address, {"house-deal_whole_deck": "on", "house-tie_break_cards": "4"}).status_code == 303
    press(client, night, "open")
    table = night.tables.get()
    assert table.house_rules == {"deal_whole_deck": True, "tie_break_cards": 4}
    later = NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    page = client.get(f"{night_page(later, 'draw')}rules/dirty-dog/").content.decode()
    assert 'name="house-deal_whole_deck" checked' in page
    assert client.get(f"{night_page(night, 'draw')}rules/whist/").status_code == 404


def test_house_rules_that_a_play_off_wrote_down_as_usual_are_none_of_ones_own(club: Club, night: Night) -> None:
    called(night, people(club, 6))
    client = organiser_of(club)
    press(client, night, "open")
    table = night.tables.get()
    later = NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    called(later, list(club.members.all()[:6]))
    for rules, words in (
        ({"replan": False}, "House rules of Dirty Dog</a>"),
        ({"replan": False, "tie_break_cards": 4}, "House rules of Dirty Dog: 1 changed</a>"),
    ):
        table.house_rules = rules
        table.save()
        assert words in client.get(night_page(later, "draw")).content.decode()


def test_page_says_that_the_last_winner_deals_before_it_draws_a_dealer(club: Club, night: Night) -> None:
    called(night, people(club, 6))
    page = " ".join(organiser_of(club).get(night_page(night, "draw")).content.decode().split())
    assert "The last winner deals first. If they do not sit here, this is drawn by lot: choose somebody else" in page


def test_members_club_opens_sheets_for_members_alone(club: Club, night: Night) -> None:
    Club.objects.filter(pk=club.pk).update(visibility="members")
    called(night, people(club, 5))
    press(organiser_of(club), night, "open")
    assert night.tables.get().sheet.members_only


def test_closed_night_opens_no_table(club: Club, night: Night) -> None:
    called(night, people(club, 5))
    Night.objects.filter(pk=night.pk).update(closed_at=datetime.datetime(2026, 11, 26, 23, tzinfo=datetime.UTC))
    client = organiser_of(club)
    assert press(client, night, "open").status_code == 409
    assert not Sheet.objects.exists()


def test_names_that_are_hidden_or_alike_stand_on_the_sheet_as_the_club_shows_them(club: Club, night: Night) -> None:
    members = people(club, 6)
    for member, name in zip(members, ("Hilde", "Heidi", "Sam", "sam", "Sam", "Late-Lo"), strict=True):
        Member.objects.filter(pk=member.pk).update(name=name)
        Player.objects.filter(pk=member.player_id).update(name=name)
    Member.objects.filter(pk=members[4].pk).update(nickname="Sammy")
    for pk in (members[0].pk, members[1].pk, members[5].pk):
        hide_name(Member.objects.get(pk=pk), by=None)
    called(night, members[:5])
    called(night, members[5:], "coming")
    client = organiser_of(club)
    for _ in range(3):
        press(client, night, "again")
    press(client, night, "open")
    sheet = night.tables.get().sheet
    page = Client().get(f"/watch/{sheet.watch}/").content.decode()
    assert all(name not in page for name in ("Hilde", "Heidi", "Late-Lo"))
    assert "Sammy" in page
    names = sorted(read_sheet(sheet).names.values())
    assert len({name.casefold() for name in names}) == 5
    assert [name.casefold() for name in names if name.startswith("S") and "ome" not in name] != []
    assert sheet.coming == ["Somebody 3"]
    comes(client, sheet)
    late = sheet.seats.get(player=members[5].player)
    assert (late.name, read_sheet(Sheet.objects.get()).names[late.number]) == ("Late-Lo", "Somebody 3")
