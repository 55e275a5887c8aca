"""The next tables of a play-off: they wait until every line is settled, are looked at, drawn again, and opened."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Attendance, AuditEntry, Club, KeptApart, Night, PlayOff, Stage, Table
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, NightFactory, played
from tests.clubs.evenings import SEVEN, organiser_of
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, scorer_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]

BOTH = ["winners.2", "losers.2"]


def finished(sizes: tuple[int, ...] = (7, 6), **more: Any) -> PlayOffEvening:
    """Every group is played to its end, the first of it the best, and no two are level."""
    found = play_off(sizes, **more)
    for at, table in enumerate(found.groups):
        found.finish(table, [40 - 5 * place - at for place in range(sizes[at])])
    return found


def shown(client: Client, found: PlayOffEvening, asked: str = "") -> Any:
    answer = client.get(found.url("draw_next") + asked)
    assert answer.status_code == 200
    return answer.context["finals"]


def press(client: Client, found: PlayOffEvening, stages: list[str] | None = None, **more: Any) -> Any:
    """The button that opens what is shown now."""
    finals = shown(client, found)
    wish = {name: value for name, value in finals.wish.fields() if name != "out"}
    posted = {"saw": finals.mark, "do": "open", "stage": stages or BOTH, **wish, **more}
    return client.post(found.url("draw_next"), posted)


def names(table: Any) -> set[str]:
    return {one.name for one in table.people}


# It waits


def test_finals_are_not_drawn_before_every_group_is_over() -> None:
    found = play_off((7, 6))
    client = found.organiser()
    found.finish(found.groups[0], [30, 25, 20, 15, 10, 5, 0])
    finals = shown(client, found)
    assert (finals.drawn, [waits.now.table for waits in finals.waits_for]) == ([], [found.groups[1]])
    refused = client.post(found.url("draw_next"), {"do": "open", "stage": BOTH})
    assert refused.status_code == 409
    assert "cannot be drawn yet" in refused.content.decode()
    assert not Stage.objects.exclude(side="all").exists()


def test_tie_across_the_line_is_shown_with_its_players_and_nothing_is_drawn_until_it_is_settled() -> None:
    found = play_off((7, 6))
    client = found.organiser()
    found.finish(found.groups[0], {"Ann": 30, "Bo": 20, "Cy": 10, "Di": 10, "Ed": 5, "Flo": 0, "Gus": -5})
    found.finish(found.groups[1], [30, 20, 20, 20, 10, 5])
    waits, more = shown(client, found).waits_for
    assert [(tie.edge, [one.name for one in people]) for tie, people in waits.ties] == [("through", ["Cy", "Di"])]
    page = client.get(found.url("draw_next")).content.decode()
    assert "tied for the last place through" in " ".join(page.split())
    assert "tied for the last places through" in " ".join(page.split())
    assert [tie.places for tie, _ in more.ties] == [2]
    refused = client.post(found.url("draw_next"), {"do": "open", "stage": BOTH})
    assert (refused.status_code, "cannot be drawn yet" in refused.content.decode()) == (409, True)
    found.blind(found.groups[0], made=["Di"])
    found.blind(found.groups[1], made=["Ivy", "Joe"])
    finals = shown(client, found)
    assert finals.waits_for == []
    assert names(finals.drawn[0].tables[0]) == {"Ann", "Bo", "Di", "Hal", "Ivy", "Joe"}


# It is drawn


def test_it_is_shown_who_plays_where_and_who_deals_first() -> None:
    found = finished()
    finals = shown(found.organiser(), found)
    (top,), (bottom,) = (drawn.tables for drawn in finals.drawn)
    assert (top.label, names(top)) == ("Winners’ table", {"Ann", "Bo", "Cy", "Hal", "Ivy", "Joe"})
    assert (bottom.label, names(bottom)) == ("Losers’ table", {"Di", "Ed", "Flo", "Gus", "Kit", "Lou", "Mo"})
    assert top.dealer.name in names(top)
    page = found.organiser().get(found.url("draw_next")).content.decode()
    assert page.count("deals first") == 2


def test_champion_deals_first_where_they_sit() -> None:
    club = ClubFactory(time_zone="UTC")
    found = finished(club=club)
    before = NightFactory(club=club, on=club.today() - datetime.timedelta(weeks=1))
    played(before, [found.members[name] for name in ("Lou", "Ann", "Bo", "Cy")])
    finals = shown(found.organiser(), found)
    bottom = finals.drawn[1].tables[0]
    assert (bottom.dealer.name, bottom.dealer_by) == ("Lou", "champion")


def test_drawn_again_they_sit_otherwise_and_looking_twice_shows_the_same() -> None:
    found = finished()
    client = found.organiser()
    first = shown(client, found)
    assert shown(client, found).mark == first.mark
    again = shown(client, found, "?again=1")
    assert again.mark != first.mark
    assert [names(drawn.tables[0]) for drawn in again.drawn] == [names(drawn.tables[0]) for drawn in first.drawn]


def test_hands_of_the_finals_are_as_planned_until_they_are_changed_with_one_tap() -> None:
    found = finished()
    client = found.organiser()
    PlayOff.objects.update(final_hands=12)
    finals = shown(client, found)
    (hands,) = finals.numbers
    assert (hands.value, hands.less, hands.more) == (12, 7, 14)
    assert any("Rule 4" in sentence for sentence in hands.says)
    later = shown(client, found, "?hands-final=14")
    assert set(later.hands.values()) == {14}
    assert later.done > finals.done
    assert press(client, found, **{"hands-final": 14}).status_code == 303
    assert {stage.hands for stage in Stage.objects.exclude(side="all")} == {14}
    assert all(table.plan == {"hands": 14} for table in Table.objects.exclude(stage__side="all"))


@pytest.mark.thorough
def test_more_than_ten_on_a_side_play_another_round_first() -> None:
    found = finished((8, 8, 8), places=4)
    client = found.organiser()
    KeptApart.objects.create(club=found.club, one=found.members["Ann"], other=found.members["Bo"])
    finals = shown(client, found)
    assert [table.label for table in finals.drawn[0].tables] == ["Winners’ group 1", "Winners’ group 2"]
    assert not any({"Ann", "Bo"} <= names(table) for table in finals.drawn[0].tables)
    assert "the highest 3 go on" in client.get(found.url("draw_next")).content.decode()
    fewer = shown(client, found, "?places-winners=2")
    assert [drawn.places for drawn in fewer.drawn] == [2, 3]
    assert [number.name for number in fewer.numbers] == ["hands-round", "places-winners", "places-losers"]
    # After that a final of as many hands as were planned for it is played, by as many as go on.
    PlayOff.objects.update(final_hands=20)
    longer = shown(client, found)
    assert longer.done > finals.done
    assert shown(client, found, "?places-winners=1&places-losers=1").done < longer.done
    PlayOff.objects.update(final_hands=4)
    assert press(client, found).status_code == 303
    assert sorted((stage.side, stage.places) for stage in Stage.objects.exclude(side="all")) == [
        ("losers", 3), ("winners", 3),
    ]  # fmt: skip
    # Now those of the second round are waited for.
    assert {waits.now.table.label for waits in shown(client, found).waits_for} == {
        "Winners’ group 1", "Winners’ group 2", "Losers’ group 1", "Losers’ group 2",
    }  # fmt: skip


# It is opened


def test_opened_they_are_two_tables_with_codes_and_the_same_tap_opens_nothing_more() -> None:
    found = finished()
    client = found.organiser()
    finals = shown(client, found)
    posted = {"saw": finals.mark, "do": "open", "stage": BOTH}
    answers = [client.post(found.url("draw_next"), posted) for _ in range(2)]
    first = found.night.tables.get(label="Winners’ table")
    assert [(one.status_code, one["Location"]) for one in answers] == [
        (303, f"{found.url('table_codes')}?table={first.number}")
    ] * 2
    assert [(table.label, table.chairs.count()) for table in found.night.tables.exclude(stage__side="all")] == [
        ("Winners’ table", 6), ("Losers’ table", 7),
    ]  # fmt: skip
    chairs = [chair.member.name for chair in first.chairs.all()]
    assert chairs == [one.name for one in finals.drawn[0].tables[0].people]
    assert "All tables of the play-off are drawn" in client.get(found.url("draw_next")).content.decode()
    says = f"Drew Winners’ table and Losers’ table of the play-off on {found.night.on}."
    assert AuditEntry.objects.filter(says__startswith="Drew").values_list("says", flat=True).get() == says


def test_what_was_not_seen_is_not_opened() -> None:
    found = finished()
    client = found.organiser()
    refused = press(client, found, again=3)
    assert refused.status_code == 409
    assert "have changed since this page was shown" in refused.content.decode()
    assert not Stage.objects.exclude(side="all").exists()


@pytest.mark.thorough
def test_closed_night_opens_no_final_and_a_night_without_a_play_off_has_no_such_page() -> None:
    found = finished()
    client = found.organiser()
    Night.objects.update(closed_at=timezone.now())
    refused = press(client, found)
    assert (refused.status_code, "no more tables can be opened" in refused.content.decode()) == (409, True)
    assert "no more tables can be opened" in client.get(found.url("draw_next")).content.decode()
    Night.objects.update(closed_at=None, archived_at=timezone.now())
    assert press(client, found).status_code == 409
    assert not Stage.objects.exclude(side="all").exists()
    PlayOff.objects.update(called_off_at=timezone.now())
    assert client.get(found.url("draw_next")).status_code == 404
    assert client.post(found.url("draw_next")).status_code == 404


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_organisers_alone_draw_them(role: str) -> None:
    found = finished()
    client = found.organiser(role)
    assert client.get(found.url("draw_next")).status_code == 403
    assert client.post(found.url("draw_next"), {"do": "open"}).status_code == 403
    elsewhere = ClubFactory(slug="elsewhere")
    address = found.url("draw_next").replace(found.club.slug, elsewhere.slug)
    assert found.organiser().get(address).status_code == 403
    assert organiser_of(elsewhere).get(address).status_code == 404


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "asked",
    ["?again=-1", "?again=x", "?hands-final=0", "?hands-final=1000", "?out=99999999999999999999", "?out=x", "?plays=1"],
)
def test_what_cannot_be_wished_is_as_if_it_was_not(asked: str) -> None:
    found = finished()
    client = found.organiser()
    assert shown(client, found, asked).mark == shown(client, found).mark


# Who leaves


def test_who_leaves_before_the_end_is_said_and_is_left_out_or_plays() -> None:
    found = finished()
    client = found.organiser()
    Club.objects.update(time_zone="UTC")
    PlayOff.objects.update(final_hands=14)
    Night.objects.update(on=SEVEN.date())
    Attendance.objects.filter(member=found.members["Joe"]).update(leaves=datetime.time(20))
    Attendance.objects.filter(member=found.members["Ann"]).update(leaves=datetime.time(23, 30))
    (leaver,) = shown(client, found).leavers
    assert (leaver.person.name, leaver.is_out) == ("Joe", False)
    joe = found.player("Joe")
    finals = shown(client, found, f"?out={joe}")
    assert (finals.leavers[0].is_out, "Joe" in names(finals.drawn[0].tables[0])) == (True, False)
    assert shown(client, found, f"?out={joe}&plays={joe}").leavers[0].is_out is False
    page = " ".join(client.get(found.url("draw_next")).content.decode().split())
    assert f"</bdi> leaves at 20:00, and the last hand is about {shown(client, found).done_at}." in page
    posted = {"saw": finals.mark, "do": "open", "stage": BOTH, "out": joe}
    assert client.post(found.url("draw_next"), posted).status_code == 303
    assert {chair.member.name for chair in found.final().chairs.all()} == {"Ann", "Bo", "Cy", "Hal", "Ivy"}
    # They belong there all the same: nothing of the groups has changed.
    assert joe in Stage.objects.get(side="winners").drawn_for


def test_who_leaves_is_said_without_an_hour_of_the_end_where_nobody_can_tell_it() -> None:
    evening = play_off((4, 4), places=2, losers_count=0, hands=0, game="dingo")
    client = evening.organiser()
    for table in evening.groups:
        scorer = scorer_of(table)
        while scorer.reading.sheet.open:
            scorer.any_hand(table.number)
    Attendance.objects.update(leaves=datetime.time(20))
    assert shown(client, evening).done_at == "", "the club has played too few games of it"
    page = " ".join(client.get(evening.url("draw_next")).content.decode().split())
    assert page.count("</bdi> leaves at 20:00. </p>") == 4


def test_final_of_one_is_refused() -> None:
    found = finished((4, 4), places=1)
    client = found.organiser()
    finals = shown(client, found)
    out = finals.drawn[0].tables[0].people[0].player
    alone = shown(client, found, f"?out={out}")
    posted = {"saw": alone.mark, "do": "open", "stage": BOTH, "out": out}
    refused = client.post(found.url("draw_next"), posted)
    assert refused.status_code == 422
    assert "One person alone cannot play a final" in refused.content.decode()
    assert "The tables cannot be opened like this." in refused.content.decode()
    assert not Stage.objects.exclude(side="all").exists()
    assert Sheet.objects.count() == 2


# Who is done


def test_who_is_done_may_open_a_table_just_for_fun() -> None:
    found = finished((8, 8, 8), places=3, losers_count=3)
    client = found.organiser()
    assert {one.name for one in shown(client, found).done_early} == {"Di", "Ed", "Lou", "Mo", "Tom", "Una"}
    posts = [client.post(found.url("draw_next"), {"do": "fun"}) for _ in range(2)]
    beside = Night.objects.exclude(pk=found.night.pk).get()
    there = f"/clubs/{found.club.slug}/nights/{beside.pk}/draw/"
    assert [(post.status_code, post["Location"]) for post in posts] == [(303, there)] * 2
    assert (beside.for_fun, beside.on) == (True, found.night.on)
    drawing = client.get(there).context["drawing"]
    (table,) = drawing.tables
    assert {drawing.present[pk].member.name for pk in table.people} == {"Di", "Ed", "Lou", "Mo", "Tom", "Una"}
    assert client.post(there, {"saw": drawing.mark, "do": "open", "for_fun": "on"}).status_code == 303
    sheet = beside.tables.get().sheet
    assert sheet.stakes == "Just for fun: it counts for nothing."
    # The club's page shows what counts first.
    shown_there = client.get(f"/clubs/{found.club.slug}/").context["evenings"]
    assert [evening.night for evening in shown_there] == [found.night, beside]
    # The next night begins with those of this one, not with the six.
    later = NightFactory(club=found.club, on=found.night.on + datetime.timedelta(weeks=1), begun_at=None)
    roll = client.get(f"/clubs/{found.club.slug}/nights/{later.pk}/roll-call/")
    assert roll.context["tally"]["here"] == 24


def test_way_to_the_table_just_for_fun_stays_when_the_finals_are_opened() -> None:
    found = finished((8, 8, 8), places=3, losers_count=3)
    client = found.organiser()
    found.open_next()
    page = client.get(found.url("play_off")).content.decode()
    way = f'<a href="{found.url("draw_next")}">A table just for fun <span class="small">6 are done</span></a>'
    assert way in " ".join(page.split())
    assert "Open a table just for fun" in client.get(found.url("draw_next")).content.decode()


def test_nobody_is_done_where_everybody_plays_on() -> None:
    found = finished()
    client = found.organiser()
    assert "just for fun" not in client.get(found.url("play_off")).content.decode()
    assert shown(client, found).done_early == []
    refused = client.post(found.url("draw_next"), {"do": "fun"})
    assert (refused.status_code, "Nobody is done yet." in refused.content.decode()) == (409, True)
    assert Night.objects.count() == 1


@pytest.mark.thorough
def test_page_takes_as_many_queries_for_twenty_groups_as_for_two(django_assert_max_num_queries: Any) -> None:
    two = finished((7, 6))
    client = two.organiser()
    with django_assert_max_num_queries(17) as few:
        client.get(two.url("draw_next"))
    many = finished((4,) * 20, places=1, losers_count=1)
    client = many.organiser()
    with django_assert_max_num_queries(17) as lots:
        client.get(many.url("draw_next"))
    assert len(lots) <= len(few) + 1


@pytest.mark.thorough
def test_other_games_have_one_final_and_nothing_deeper() -> None:
    found = play_off((4, 4, 4, 4), places=1, losers_count=0, hands=0, game="dingo")
    client = found.organiser()
    for table in found.groups:
        scorer = scorer_of(table)
        while scorer.reading.sheet.open:
            scorer.any_hand(table.number)
    finals = shown(client, found)
    (final,) = finals.drawn[0].tables
    assert (len(finals.drawn), final.label, len(final.people)) == (1, "Final", 4)
    assert finals.numbers == []
    assert len(finals.done_early) == 12
    assert press(client, found, ["winners.2"]).status_code == 303
    assert Stage.objects.get(side="winners").hands == 0
