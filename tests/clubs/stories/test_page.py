"""The page with the story of a night: when it is there, who may read it, what it costs."""

from __future__ import annotations

import datetime
import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.access.club_key import KEY
from clubs.evening.summary import evenings
from clubs.members.privacy import hide_name
from clubs.models import Award, Club, Night, Stage, Table
from clubs.projections.worker import catch_up
from clubs.records.bests import keep_bests
from clubs.stories.broken_records import broken_records
from clubs.stories.story import Story, is_over, story_of
from scoresheets.sheet.summary import shown_readings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, played, scored
from tests.clubs.night_played import Evening, an_evening
from tests.clubs.play_offs.evening import play_off
from tests.clubs.trophy_night import play_to_the_end, take_last_hand_back, third_wins
from tests.scoresheets.link_previews.test_sheet_preview import UNFURLER, picture_at, tags

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """A public club whose two tables have finished: Ann won at one, Ed at the other."""
    evening = an_evening()
    evening.table(hands=None)
    evening.table(hands=None, seats=slice(4, 8))
    return evening


def told(evening: Evening) -> list[str]:
    """The sentences on its page, as anybody reads them."""
    html = page_of(evening, Client())
    part = re.search(r'<ol class="story">(.*?)</ol>', html, re.S)
    items = re.findall(r"<li>\s*<p>(.*?)</p>", part[1], re.S) if part else []
    return [unescape(strip_tags(item)) for item in items]


def page_of(evening: Evening, client: Client) -> str:
    response = client.get(evening.url("night_story", evening.night.pk))
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def story(night: Night) -> Story:
    found = story_of(evenings([night])[0])
    assert found is not None
    return found


def test_story_is_told_once_every_table_has_finished_and_stays_as_it_is(evening: Evening) -> None:
    sentences = told(evening)
    assert 5 <= len(sentences) <= 8
    assert "Ann won at table 1 (26 points) and Ed at table 2 (26 points)." in sentences
    html = page_of(evening, Client())
    assert "Score curve" in html
    watch = evening.night.tables.get(number=1).sheet.watch
    assert f"/watch/{watch}/?open=4#hand-4" in html
    assert "The story of the night" in Client().get(evening.page).content.decode()
    shown_readings.clear()
    assert told(evening) == sentences


def test_before_the_end_the_page_says_when_it_comes() -> None:
    evening = an_evening()
    evening.table(hands=None)
    table = evening.table(hands=2, seats=slice(4, 8))
    html = page_of(evening, Client())
    assert "The story comes once the night is over" in html
    assert "The story of the night" not in Client().get(evening.page).content.decode()
    assert Client().get(evening.url("night_story_preview", evening.night.pk)).status_code == 404
    evening.night.closed_at = timezone.now()
    evening.night.save()
    assert "Ann won with 26 points." in told(evening), "a table that never finished is no part of it"
    assert table.sheet is not None
    assert table.sheet.watch not in page_of(evening, Client())


def test_night_without_a_sheet_has_no_story() -> None:
    evening = an_evening()
    scored(evening.night, [(evening.members[0], 30), (evening.members[1], 10)])
    assert "There is no story of this night" in page_of(evening, Client())


def test_correction_of_a_sheet_changes_the_story(evening: Evening) -> None:
    before = told(evening)
    table = evening.night.tables.get(number=1)
    take_last_hand_back(table)
    assert told(evening) == []
    play_to_the_end(table)
    assert told(evening) == before
    third_wins(table)
    assert told(evening) != before
    assert told(evening)[1].startswith("Cy won at table 1")


def test_trophies_are_told_with_their_pictures_once_they_are_confirmed(evening: Evening) -> None:
    trophy = TrophyFactory(club=evening.club, name="The Bone", drawing="bone")
    award = Award.objects.create(
        trophy=trophy, member=evening.members[0], on=evening.night.on, source=Award.Source.SHEET,
        table=evening.night.tables.get(number=1),
    )  # fmt: skip
    assert not any("The Bone" in sentence for sentence in told(evening))
    award.confirmed_at = timezone.now()
    award.save()
    assert told(evening)[-1] == "The Bone goes to Ann."
    html = page_of(evening, Client())
    assert trophy.get_absolute_url() in html
    assert 'class="drawn"' in html
    award.set_aside_at = timezone.now()
    award.save()
    assert not any("The Bone" in sentence for sentence in told(evening))


def test_hidden_name_is_hidden_in_sentences_curve_and_record(evening: Evening) -> None:
    hide_name(evening.members[0], by=None)
    html = page_of(evening, Client())
    assert "Somebody won at table 1" in unescape(strip_tags(html))
    assert not re.search(r"\bAnn\b", html)


def test_members_club_shows_it_to_nobody_else_and_a_link_opens_it_with_the_key() -> None:
    evening = an_evening(visibility="members")
    evening.table(hands=None)
    for name in ("night_story", "night_story_preview"):
        assert Client().get(evening.url(name, evening.night.pk)).status_code == 403
    told_outside = Client(headers=UNFURLER).get(evening.url("night_story", evening.night.pk)).content.decode()
    assert not re.search(r"\bAnn\b", told_outside)
    Club.objects.update(visibility="link")
    address = evening.url("night_story", evening.night.pk)
    shared = f"http://testserver{address}?{KEY}={evening.club.key}"
    preview = tags(Client(headers=UNFURLER).get(shared).content.decode())
    assert preview["og:title"] == f"The story of {evening.night}"
    assert "Ann won" in preview["og:description"]
    assert picture_at(preview["og:image"]).size == (1200, 630)
    somebody = Client()
    somebody.get(shared)
    html = page_of(evening, somebody)
    assert f'data-share-page="{shared}"' in html
    assert "mailto:?subject=" in html
    assert "Ann%20won" in html


def queries(evening: Evening) -> int:
    shown_readings.clear()
    with CaptureQueriesContext(connection) as asked:
        page_of(evening, Client())
    return len(asked)


def test_page_asks_the_same_number_of_queries_however_many_tables_there_are(evening: Evening) -> None:
    few = queries(evening)
    for _ in range(3):
        evening.table(hands=None, seats=slice(0, 4))
    assert few == queries(evening) == 10


# Records


def test_record_is_broken_on_the_night_that_first_had_more_and_stays_so_when_it_is_broken_again() -> None:
    evening = an_evening()
    club, members = evening.club, evening.members
    nights = [NightFactory(club=club, on=datetime.date(2026, 3, day)) for day in (1, 8, 15)]
    games = [
        played(night, members[:3], game="bird-dog", seed=seed) for night, seed in zip(nights, (1, 2, 3), strict=True)
    ]
    best = [best_hand(table) for table in games]
    for at, night in enumerate(nights):
        broken = {record.kind.key for record in broken_records([night])[night.pk]}
        assert ("best-hand" in broken) == (at > 0 and best[at] > max(best[:at])), (at, best)
    assert broken_records(nights) == {night.pk: broken_records([night])[night.pk] for night in nights}


def best_hand(table: Table) -> int:
    assert table.sheet is not None
    return max(table.sheet.hand_facts.values_list("points", flat=True))


def test_story_tells_a_record_and_says_nothing_of_the_lowest_score() -> None:
    evening = an_evening()
    members = evening.members
    first = NightFactory(club=evening.club, on=evening.club.today() - datetime.timedelta(days=7))
    past = scored(first, [(members[0], 20), (members[1], 3)])
    keep_bests(past, past.placings.all(), {})
    table = evening.table(hands=None)
    assert table.sheet is not None
    sentences = story(evening.night).plain
    assert "Ann broke a club record of Dirty Dog: highest score, 26 points." in sentences
    records = broken_records([evening.night])[evening.night.pk]
    assert {record.kind.key for record in records} == {"highest"}, "Bo’s lowest score is none to be told"
    Night.objects.filter(pk=evening.night.pk).update(for_fun=True)
    assert broken_records([evening.night])[evening.night.pk] == []


def test_two_people_of_one_club_are_counted_once_however_many_tables_they_sat_at(evening: Evening) -> None:
    played(evening.night, evening.members[:4])
    facts = story(evening.night).facts
    assert (facts.people, len(facts.courses)) == (8, 3)


def test_night_of_a_play_off_is_over_once_that_is_decided() -> None:
    there = play_off((4, 4), places=2)
    for table in there.groups:
        there.finish(table, [40, 30, 20, 10])
    assert not is_over(evenings([there.night])[0])
    there.open_next()
    for side in (Stage.Side.WINNERS, Stage.Side.LOSERS):
        there.finish(there.final(side), [40, 30, 20, 10])
    catch_up()
    assert is_over(evenings([there.night])[0])


def test_table_of_another_club_adds_nothing(evening: Evening) -> None:
    before = told(evening)
    other = ClubFactory()
    played(NightFactory(club=other), [MemberFactory(club=other) for _ in range(4)])
    assert told(evening) == before
