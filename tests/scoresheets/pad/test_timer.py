"""The clock of what goes on for so many minutes: it runs from when that was written, on every page of the sheet."""

import datetime
import re

import pytest
from django.urls import reverse

from scoresheets.pad.build import pad_of
from scoresheets.pad.timer import clock_of
from tests.factories import scorer
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db
CLAIM = {"claimer": 1, "suit": "H", "surplus": 3, "bower": 2}


@pytest.fixture
def deals():
    return scorer(game="dirty-deals")


def talk(scorer, k, **step):
    """Negotiation number `k` of the first deal begins, or is ended."""
    return scorer.enter_step(1, f"negotiation-{k}", step)


def test_no_clock_runs_before_anything_goes_on(deals):
    assert clock_of(deals.reading) is None
    assert pad_of(deals.reading).clock is None


def test_clock_runs_from_when_it_was_written(deals):
    talk(deals, 1)
    clock = clock_of(deals.reading)
    begins = deals.reading.standing[1, "negotiation-1"].at
    assert (clock.kind, clock.times, clock.minutes, clock.begins) == ("negotiation", 1, 3, begins)
    assert clock.ends - begins == datetime.timedelta(minutes=3)
    assert pad_of(deals.reading).clock == {
        "kind": "negotiation", "minutes": 3, "ends": clock.ends.isoformat(),
    }  # fmt: skip


def test_clock_stops_when_it_is_ended_and_runs_again_when_that_is_taken_back(deals):
    talk(deals, 1)
    ended = talk(deals, 2, ended=True)
    assert clock_of(deals.reading) is None
    deals.undo(ended.version)
    assert clock_of(deals.reading).times == 1


def test_clock_is_begun_anew_as_often_as_the_table_likes(deals):
    talk(deals, 1)
    talk(deals, 2, ended=True)
    talk(deals, 3)
    assert clock_of(deals.reading).times == 2


def test_clock_stops_with_the_deal(deals):
    talk(deals, 1)
    deals.enter_step(1, "claim", CLAIM)
    assert clock_of(deals.reading) is None


@pytest.mark.parametrize(("minutes", "runs"), [(0, False), (1, True), (30, True)])
def test_house_says_for_how_long(minutes, runs):
    deals = scorer(game="dirty-deals", house_rules={"negotiation_minutes": minutes})
    talk(deals, 1)
    clock = clock_of(deals.reading)
    assert (clock is not None) is runs
    assert clock is None or clock.minutes == minutes


def test_watch_page_has_a_place_for_it_that_is_hidden_until_it_runs(client, deals):
    url = reverse("watch", args=[deals.sheet.watch])
    place = re.compile(r'<div class="clock"[^>]*>')
    assert place.search(client.get(url).content.decode())[0].endswith("hidden>")
    talk(deals, 1)
    said = place.search(client.get(url).content.decode())[0]
    ends = re.search(r'data-ends="([^"]+)"', said)[1]
    assert not said.endswith("hidden>")
    assert datetime.datetime.fromisoformat(ends) == clock_of(deals.reading).ends


def test_watch_page_counts_what_goes_on(client, deals):
    for k, step in enumerate(({}, {"ended": True}, {}), 1):
        talk(deals, k, **step)
    page = client.get(reverse("watch", args=[deals.sheet.watch])).content.decode()
    assert '<span class="called">Negotiation 2</span>' in page


def test_no_other_game_has_a_clock(client):
    other = scorer()
    assert b"data-clock" not in client.get(reverse("watch", args=[other.sheet.watch])).content
    assert not hasattr(pad_of(other.reading), "clock")


def test_every_card_of_a_claim_has_its_own_suit(db: None) -> None:
    """The jack of trumps stands there twice: it counts as two where it is held."""
    phone = Plain(4, game="dirty-deals")
    phone.look()
    drawn = r'name="f-card-(\w)(\w)" value="true"[^>]*>\s*<span>(\w+)<span class="suit">(.)</span>'
    cards = re.findall(drawn, phone.response.content.decode())
    signs, ranks = dict(zip("CDHS", "♣♦♥♠", strict=True)), {"T": "10"}
    assert len(cards) == 4 * 7
    assert [card for card in cards if card[2:] != (ranks.get(card[0], card[0]), signs[card[1]])] == []
