"""The control page: an organiser runs the night from one phone."""

import datetime
import re
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import AuditEntry, Award, Member, Night
from clubs.projections import worker
from scoresheets.commands import enter
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.sheet.summary import Glance
from tests.club_factories import NightFactory, TrophyFactory, UserFactory
from tests.clubs.night_played import Evening, an_evening, page, scorer_of
from tests.counted import not_counted
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(evening) -> Client:
    return evening.organiser()


def look(organiser: Client, evening: Evening):
    return page(organiser.get(evening.control))


def say_stop(organiser: Client, evening: Evening, do: str = "", key: str = "") -> None:
    answer = organiser.post(evening.url("announce_last", evening.night.pk), {"key": key or new_key(), "do": do})
    assert (answer.status_code, answer["Location"]) == (303, evening.control)


def lines(organiser: Client, evening: Evening) -> list[str]:
    text = organiser.get(evening.control).content.decode().split("<pre")[1].split(">", 1)[1].split("</pre>")[0]
    return [line for line in unescape(re.sub(r"<[^>]+>", "", text)).split("\n") if line]


# One line a table


def test_one_line_says_how_far_a_table_is_and_when_it_is_done(organiser, evening):
    at = timezone.now() - datetime.timedelta(minutes=12)
    with time_machine.travel(at, tick=False) as clock:
        table = evening.table()
        for _ in range(3):
            clock.shift(datetime.timedelta(minutes=3))
            scorer_of(table).clear_hand()
    text = look(organiser, evening).text
    assert "Table 1 Dirty Dog Hand 4 of 4" in text
    assert re.search(r"done about \d\d:\d\d", text)
    assert "last change 3 min ago" in text


def test_card_of_a_table_says_whose_turn_it_is_and_who_leads(organiser, evening):
    table = evening.table(hands=1)
    scorer = scorer_of(table)
    standing = {person.name: person for person in Glance(scorer.reading).people}
    totals = {name: str(person.total).replace("-", "−") for name, person in standing.items()}
    boxed, circled = (
        [name for name, person in standing.items() if getattr(person, mark)] for mark in ("boxed", "circled")
    )
    assert boxed
    assert circled
    first, second = (scorer.reading.names[seat] for seat in scorer.reading.sheet.open.hand.order[:2])
    text = look(organiser, evening).text
    assert f"{first} bids next" in text
    for name in boxed:
        assert f"{name} {totals[name]}, in the box" in text
    for name in circled:
        assert f"{name} {totals[name]}, in the circle" in text
    scorer.bid(scorer.reading.sheet.open.hand.order[0], 1)
    text = look(organiser, evening).text
    assert f"{second} bids next" in text
    assert f"{first} bids next" not in text


def test_card_of_a_table_says_what_is_asked_next_where_nobody_speaks_in_turn(organiser, evening):
    table = evening.table()
    scorer = scorer_of(table)
    order = scorer.reading.sheet.open.hand.order
    for seat in order:
        scorer.bid(seat, 0)
    text = look(organiser, evening).text
    assert "bids next" not in text
    assert "next: the tricks" in text


def test_open_ties_are_named(organiser, evening):
    scorer = scorer_of(evening.table())
    for seat, cards in enumerate((1, 2, 2, 1), 1):
        # Everybody bids nothing, and one takes all: in the end Ann and Di have as much.
        scorer.hand(dict.fromkeys(range(1, 5), 0), dict.fromkeys(range(1, 5), 0) | {seat: cards})
    text = look(organiser, evening).text
    assert "Blind hand" in text
    assert "A tie for the lead: Ann and Di have 14" in text


def test_a_table_that_asks_stands_out_until_the_organiser_is_on_their_way(organiser, evening):
    table = evening.table(hands=1)
    Sheet.objects.update(asks_since=timezone.now())
    assert "has been calling you since" in look(organiser, evening).text
    there = evening.url("answer_table", evening.night.pk, table.pk)
    assert organiser.post(there).status_code == 303
    assert organiser.post(there).status_code == 303
    assert "has been calling you" not in look(organiser, evening).text


def test_lines_are_followed_and_nothing_is_sent_while_nothing_changes(organiser, evening):
    table = evening.table(hands=1)
    news = organiser.get(evening.control).content.decode().split('hx-get="')[1].split('"')[0]
    assert organiser.get(news).status_code == 204
    Sheet.objects.update(asks_since=timezone.now())
    assert "has been calling you" in organiser.get(news).content.decode()
    Sheet.objects.update(asks_since=None)
    scorer_of(table).bid(3, 1)
    assert organiser.get(news).status_code == 200


def test_page_asks_the_same_however_many_tables_play(organiser, evening, django_assert_max_num_queries):
    for _ in range(5):
        evening.table(hands=1)
    with django_assert_max_num_queries(11):
        assert organiser.get(evening.control).status_code == 200
    with django_assert_max_num_queries(8):
        assert organiser.get(evening.url("control_tables", evening.night.pk)).status_code == 200


# All tables stop after this hand


def test_every_table_that_plays_is_told_which_hand_is_its_last(organiser, evening):
    early, late, over = evening.table(hands=1), evening.table(hands=2), evening.table(hands=None)
    say_stop(organiser, evening)
    assert [scorer_of(table).reading.last_hand for table in (early, late, over)] == [2, 3, None]
    text = look(organiser, evening).text
    assert "stops after hand 2" in text
    assert "stops after hand 3" in text
    line = AuditEntry.objects.get(club=evening.club)
    assert line.says == f"Announced on {evening.night} that all tables stop after their hand."
    assert line.by == Member.objects.get(name="Ida")


def test_it_stands_in_the_history_of_each_sheet_under_the_organisers_name(organiser, evening):
    table = evening.table(hands=1)
    say_stop(organiser, evening)
    write = Revision.objects.get(sheet=table.sheet, verb="announce")
    assert write.keeper.user_id == Member.objects.get(name="Ida").user_id


def test_the_same_tap_again_tells_nobody_anew(organiser, evening):
    table = evening.table(hands=1)
    key = new_key()
    say_stop(organiser, evening, key=key)
    version = scorer_of(table).reading.version
    say_stop(organiser, evening, key=key)
    say_stop(organiser, evening)
    assert scorer_of(table).reading.version == version
    assert AuditEntry.objects.count() == 1


def test_they_play_on_after_all(organiser, evening):
    table = evening.table(hands=1)
    say_stop(organiser, evening)
    assert "Let them play on" in look(organiser, evening).text
    say_stop(organiser, evening, "back")
    assert scorer_of(table).reading.last_hand is None
    version = scorer_of(table).reading.version
    say_stop(organiser, evening, "back")
    assert scorer_of(table).reading.version == version


def test_a_hand_that_is_scored_after_that_is_seen(organiser, evening):
    table = evening.table(hands=1)
    say_stop(organiser, evening)
    scorer_of(table).clear_hand()
    assert "hand 2 is scored: stops now" in look(organiser, evening).text
    sure_of(enter.stop(table.sheet, 3, key=new_key(), by=scorer_of(table).by))
    assert "finished" in look(organiser, evening).text


def test_a_tap_without_a_key_does_nothing(organiser, evening):
    table = evening.table(hands=1)
    organiser.post(evening.url("announce_last", evening.night.pk), {})
    assert scorer_of(table).reading.last_hand is None


def test_a_table_that_was_taken_away_is_told_nothing(organiser, evening):
    table = evening.table(hands=1)
    table.withdrawn_at = timezone.now()
    table.save()
    say_stop(organiser, evening)
    assert scorer_of(table).reading.last_hand is None


def test_the_owner_of_the_site_tells_them_too(evening):
    table = evening.table(hands=1)
    owner = Client()
    owner.force_login(UserFactory(is_superuser=True), backend="django.contrib.auth.backends.ModelBackend")
    say_stop(owner, evening)
    assert scorer_of(table).reading.last_hand == 2


# Closing


def test_a_night_is_closed_and_opened_again(organiser, evening):
    evening.table(hands=1)
    assert "1 table is not done yet" in look(organiser, evening).text
    there = evening.url("close_night", evening.night.pk)
    for _ in range(2):
        assert organiser.post(there).status_code == 303
    evening.night.refresh_from_db()
    assert evening.night.closed_at is not None
    assert AuditEntry.objects.count() == 1
    organiser.post(there, {"do": "open"})
    organiser.post(there, {"do": "open"})
    evening.night.refresh_from_db()
    assert evening.night.closed_at is None
    assert AuditEntry.objects.count() == 2


# Five lines


def test_result_is_five_lines_for_a_mail(organiser, evening):
    NightFactory(
        club=evening.club, on=evening.night.on + datetime.timedelta(days=7), begins=datetime.time(19, 30),
        begun_at=None, place="The bakery",
    )  # fmt: skip
    evening.table(hands=None)
    evening.table(hands=None, seats=slice(4, 8))
    told = lines(organiser, evening)
    assert len(told) == 5
    assert told[0].endswith("8 people at 2 tables.")
    assert re.fullmatch(
        r"Winners: Ann with \d+ points \(Table 1, Dirty Dog\); Ed with \d+ points \(Table 2, Dirty Dog\)\.", told[1]
    )
    assert re.fullmatch(
        r"Losers: Bo with −?\d+ points? \(Table 1, Dirty Dog\); Flo with −?\d+ points? \(Table 2, Dirty Dog\)\.",
        told[2],
    )
    assert told[3] == "Trophies: all stay where they are."
    assert re.fullmatch(rf"Next: \w+ \d+ \w+, 19:30, The bakery\. All sheets: http://testserver{evening.page}", told[4])


def test_mail_says_nothing_of_the_trophies_before_the_result_is_counted(organiser, evening):
    TrophyFactory(club=evening.club, name="The Cup")
    with not_counted():
        evening.table(hands=None)
        assert lines(organiser, evening)[3] == "Trophies: being counted."
        evening.night.closed_at = timezone.now()
        evening.night.save()
        assert "Trophies: being counted." in page(organiser.get(evening.page)).text
    worker.catch_up()
    assert lines(organiser, evening)[3] == "Trophies: The Cup goes to Ann, to be confirmed."


def test_five_lines_stay_five_before_anything_is_played(organiser, evening):
    told = lines(organiser, evening)
    assert len(told) == 5
    assert told[0].endswith("nothing was played.")
    assert told[4].startswith("Next: not fixed yet.")


def test_night_that_is_played_before_its_day_is_not_its_own_next_one(organiser, evening):
    evening.night.on += datetime.timedelta(days=7)
    evening.night.save()
    evening.table(hands=None)
    assert lines(organiser, evening)[4].startswith("Next: not fixed yet.")


def test_lines_say_where_the_trophies_go(organiser, evening):
    cup, dog = (
        TrophyFactory(club=evening.club, name="The Cup"),
        TrophyFactory(club=evening.club, name="The Dog", goes="loser"),
    )
    before = evening.night.on - datetime.timedelta(days=7)
    for trophy, member in ((cup, 0), (dog, 2)):
        Award.objects.create(
            trophy=trophy, member=evening.members[member], on=before, source="typed", confirmed_at=timezone.now()
        )
    table = evening.table(hands=None)
    assert Award.objects.filter(table=table).count() == 2
    assert (
        lines(organiser, evening)[3]
        == "Trophies: The Cup stays with Ann, to be confirmed; The Dog goes to Bo from Cy, to be confirmed."
    )


def test_a_table_that_still_plays_is_open(organiser, evening):
    evening.table(hands=1)
    told = lines(organiser, evening)
    assert told[1:3] == ["Winner: still open.", "Loser: still open."]


def test_names_in_a_mail_cannot_end_it(organiser, evening):
    evening.club.name = "A & B"
    evening.club.save()
    Member.objects.filter(pk=evening.members[0].pk).update(name="Ann&body=x")
    href = next(href for href in look(organiser, evening).links.values() if href.startswith("mailto:"))
    assert href.count("&") == 1
    assert "%0A" in href


# Who may


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_run_a_night(evening, role):
    table = evening.table(hands=1)
    Sheet.objects.update(asks_since=timezone.now())
    for client, status in ((evening.organiser(role), 403), (Client(), 302)):
        for address in (evening.control, evening.url("control_tables", evening.night.pk)):
            assert client.get(address).status_code == status, address
        for name in ("announce_last", "close_night"):
            assert client.post(evening.url(name, evening.night.pk), {"key": new_key()}).status_code == 403, name
        assert client.post(evening.url("answer_table", evening.night.pk, table.pk)).status_code == 403
    assert Night.objects.get().closed_at is None
    assert scorer_of(table).reading.last_hand is None
    assert Sheet.objects.get().asks_since is not None
    assert Scorekeeper.objects.count() == 1


def test_organiser_of_another_club_finds_no_night(evening):
    other = an_evening().organiser()
    assert other.get(evening.control).status_code == 403
    mine = an_evening()
    there = reverse("control", args=[mine.club.slug, evening.night.pk])
    assert mine.organiser().get(there).status_code == 404
